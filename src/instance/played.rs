//! What a family with moves can do beyond its encoding: search, closed sets, the laws of states.

use super::verified::{Fault, Verified, judged};
use crate::closed::check::{Looked, NotProved};
use crate::closed::close::{Closing, NotClosed};
use crate::closed::lrat::{Compiled, Formulas, NotWritten};
use crate::closed::{self, ClosedSet};
use crate::invariant::pdr::{self, NotFound};
use crate::laws;
use crate::limits::{Limits, Stop, Watch};
use crate::search::{Effort, End, Strategy, search};
use crate::transition::{CubeList, Induction, counted};
use std::marker::PhantomData;
use unstuck_encodings::{PlainSpace, Space, Transition};
use unstuck_puzzles::{Moves, Objective, Puzzle};

/// How an explicit search ended, with its plan judged.
#[derive(Clone, Debug)]
pub enum SearchEnd {
    /// A plan; a shortest one unless the search was weighted.
    Found(Verified),
    /// There is none (within the cap, if there was one).
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
    /// The search found a plan that the rules refuse: a mistake of ours.
    Fault(Fault),
}

/// An explicit search that has ended.
#[derive(Clone, Debug)]
pub struct Searched {
    /// How it ended.
    pub end: SearchEnd,
    /// What it took, and the lower bound that it showed.
    pub effort: Effort,
    /// The bound that pruned, by name.
    pub bound: Option<&'static str>,
}

/// What a family with moves can do beyond its encoding; [`Still`] for families without.
pub trait Play<P: Puzzle>: Send + Sync + 'static {
    /// Whether there are moves at all.
    const MOVES: bool;

    /// See [`super::Instance::search`].
    fn search(
        puzzle: &P,
        objective: Objective,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Searched;

    /// See [`closed::close::close`].
    ///
    /// # Errors
    /// When a limit strikes, or the claim is false.
    fn close(
        puzzle: &P,
        objective: Objective,
        closing: Closing,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Result<ClosedSet, NotClosed>;

    /// See [`closed::check::check`].
    ///
    /// # Errors
    /// When the list proves nothing.
    fn check_closed(
        puzzle: &P,
        objective: Objective,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Looked, NotProved>;

    /// The formulas of a closed set.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn formulas(
        puzzle: &P,
        objective: Objective,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten>;

    /// See [`pdr::find`].
    ///
    /// # Errors
    /// When a limit strikes, or there is a solution.
    fn invariant(
        puzzle: &P,
        objective: Objective,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::Effort),
    ) -> Result<CubeList, NotFound>;

    /// The formulas of a list of cubes.
    ///
    /// # Errors
    /// What is no list of this puzzle.
    fn induction(puzzle: &P, objective: Objective, list: &CubeList) -> Result<Induction, String>;

    /// The laws of transition and states.
    ///
    /// # Errors
    /// The law that is broken.
    fn laws(puzzle: &P, objective: Objective, seed: u64) -> Result<(), String>;
}

/// A family without moves.
#[derive(Clone, Copy, Debug)]
pub struct Still;

impl<P: Puzzle> Play<P> for Still {
    const MOVES: bool = false;

    fn search(_: &P, _: Objective, _: Strategy, _: &Limits, _: &mut dyn FnMut(Effort)) -> Searched {
        unreachable!("a family without moves has no state space")
    }

    fn close(
        _: &P,
        _: Objective,
        _: Closing,
        _: &Limits,
        _: &mut dyn FnMut(Effort),
    ) -> Result<ClosedSet, NotClosed> {
        unreachable!("a family without moves has no state space")
    }

    fn check_closed(
        _: &P,
        _: Objective,
        _: &ClosedSet,
        _: &mut Watch<'_>,
    ) -> Result<Looked, NotProved> {
        Err(NotProved::Refused("a puzzle without moves has no closed sets".to_owned()))
    }

    fn formulas(
        _: &P,
        _: Objective,
        _: &ClosedSet,
        _: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten> {
        Err(NotWritten::Unfit("a puzzle without moves has no closed sets".to_owned()))
    }

    fn invariant(
        _: &P,
        _: Objective,
        _: &Limits,
        _: &mut dyn FnMut(pdr::Effort),
    ) -> Result<CubeList, NotFound> {
        unreachable!("a family without moves has no transition")
    }

    fn induction(_: &P, _: Objective, _: &CubeList) -> Result<Induction, String> {
        Err("a puzzle without moves has no invariants".to_owned())
    }

    fn laws(_: &P, _: Objective, _: u64) -> Result<(), String> {
        Ok(())
    }
}

/// A family with moves: its one-move transition `T`, its search space `S`, and another one `L` for
/// puzzles that are too large for `S`.
#[derive(Clone, Copy, Debug)]
pub struct Played<T, S, L = S>(PhantomData<fn(T, S, L)>);

impl<P, T, S, L> Play<P> for Played<T, S, L>
where
    P: Moves,
    T: Transition<Puzzle = P> + 'static,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    const MOVES: bool = true;

    fn search(
        puzzle: &P,
        objective: Objective,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Searched {
        if !strategy.plain {
            if let Ok(mut space) = S::new(puzzle, objective) {
                return search_in(puzzle, &mut space, strategy, limits, progress);
            }
            if let Ok(mut space) = L::new(puzzle, objective) {
                return search_in(puzzle, &mut space, strategy, limits, progress);
            }
        }
        let space = PlainSpace::new(puzzle, objective);
        let mut space = space.expect("the plain space takes every puzzle");
        search_in(puzzle, &mut space, strategy, limits, progress)
    }

    fn close(
        puzzle: &P,
        objective: Objective,
        closing: Closing,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Result<ClosedSet, NotClosed> {
        if S::new(puzzle, counted::<P>(objective)).is_ok() {
            closed::close::close::<S>(puzzle, objective, closing, limits, progress)
        } else {
            closed::close::close::<L>(puzzle, objective, closing, limits, progress)
        }
    }

    fn check_closed(
        puzzle: &P,
        objective: Objective,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Looked, NotProved> {
        if S::new(puzzle, counted::<P>(objective)).is_ok() {
            closed::check::check::<S>(puzzle, objective, set, watch)
        } else {
            closed::check::check::<L>(puzzle, objective, set, watch)
        }
    }

    fn formulas(
        puzzle: &P,
        objective: Objective,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten> {
        Ok(Box::new(Compiled::<T>::new(puzzle, objective, set, watch)?))
    }

    fn invariant(
        puzzle: &P,
        objective: Objective,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::Effort),
    ) -> Result<CubeList, NotFound> {
        pdr::find::<T>(puzzle, objective, limits, progress)
    }

    fn induction(puzzle: &P, objective: Objective, list: &CubeList) -> Result<Induction, String> {
        Induction::of_list::<T>(puzzle, objective, list)
    }

    fn laws(puzzle: &P, objective: Objective, seed: u64) -> Result<(), String> {
        laws::numbering(&T::new(puzzle, objective))?;
        laws::layers(&T::new(puzzle, objective))?;
        laws::states::<T>(puzzle, objective, seed)?;
        laws::classes(puzzle, objective)
    }
}

fn search_in<S: Space>(
    puzzle: &S::Puzzle,
    space: &mut S,
    strategy: Strategy,
    limits: &Limits,
    progress: &mut dyn FnMut(Effort),
) -> Searched {
    let (end, effort) = search(space, strategy, limits, progress);
    let end = match end {
        End::Found(path) => {
            let solution = puzzle.solution(&space.plan(&path));
            match judged(puzzle, &solution) {
                Ok(verified) => SearchEnd::Found(verified),
                Err(violation) => {
                    SearchEnd::Fault(Fault(format!("the plan {solution} is refused: {violation}")))
                }
            }
        }
        End::Exhausted => SearchEnd::Exhausted,
        End::Stopped(stop) => SearchEnd::Stopped(stop),
    };
    Searched { end, effort, bound: S::BOUND }
}
