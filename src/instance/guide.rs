//! From a puzzle to a judged plan by feature-space search, if the family has features.

use super::verified::{Fault, Verified, judged};
use crate::feature_search::{Effort, End, Slice, search};
use crate::limits::{Limits, Stop};
use std::marker::PhantomData;
use unstuck_encodings::{FeatureSpace, TooLarge};
use unstuck_puzzles::{Moves, Puzzle};

/// How a try ended, with its plan judged. There is no word for "unsolvable".
#[derive(Clone, Debug)]
pub enum TryEnd {
    /// A plan, probably not a short one.
    Found(Verified),
    /// Nothing is left of what this search is willing to try, or its states are used up.
    GaveUp,
    /// A limit struck.
    Stopped(Stop),
    /// The search found a plan that the rules refuse: a mistake of ours.
    Fault(Fault),
}

/// A try that has ended.
#[derive(Clone, Debug)]
pub struct Tried {
    /// How it ended.
    pub end: TryEnd,
    /// What it took.
    pub effort: Effort,
}

/// How a family looks for any plan: [`ByFeatures`], or [`Unguided`] where it has no features.
pub trait Guide<P: Puzzle>: Send + Sync + 'static {
    /// Whether it has features.
    const KNOWS: bool;

    /// One try; `None` when the family has no features or the puzzle is too large for them.
    fn look(
        puzzle: &P,
        slice: Slice,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Option<Tried>;
}

/// A family without features.
#[derive(Clone, Copy, Debug)]
pub struct Unguided;

impl<P: Puzzle> Guide<P> for Unguided {
    const KNOWS: bool = false;

    fn look(_: &P, _: Slice, _: &Limits, _: &mut dyn FnMut(Effort)) -> Option<Tried> {
        None
    }
}

/// A family with a feature space `F`, and another one `L` for puzzles that are too large for it.
#[derive(Clone, Copy, Debug)]
pub struct ByFeatures<F, L = F>(PhantomData<fn(F, L)>);

impl<P, F, L> Guide<P> for ByFeatures<F, L>
where
    P: Moves,
    F: FeatureSpace<Puzzle = P> + 'static,
    L: FeatureSpace<Puzzle = P> + 'static,
{
    const KNOWS: bool = true;

    fn look(
        puzzle: &P,
        slice: Slice,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Option<Tried> {
        let small = look_in::<F>(puzzle, slice, limits, progress);
        small.or_else(|_| look_in::<L>(puzzle, slice, limits, progress)).ok()
    }
}

fn look_in<F: FeatureSpace>(
    puzzle: &F::Puzzle,
    slice: Slice,
    limits: &Limits,
    progress: &mut dyn FnMut(Effort),
) -> Result<Tried, TooLarge> {
    let mut space = F::new(puzzle, slice.variant)?;
    let (end, effort) = search(&mut space, slice.most, limits, progress);
    let end = match end {
        End::Found(macros) => {
            let solution = puzzle.solution(&space.plan(&macros));
            match judged(puzzle, &solution) {
                Ok(verified) => TryEnd::Found(verified),
                Err(violation) => {
                    TryEnd::Fault(Fault(format!("the plan {solution} is refused: {violation}")))
                }
            }
        }
        End::GaveUp => TryEnd::GaveUp,
        End::Stopped(stop) => TryEnd::Stopped(stop),
    };
    Ok(Tried { end, effort })
}
