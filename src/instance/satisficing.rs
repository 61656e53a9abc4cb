//! From a puzzle to a judged plan by feature-space search, if the family has features.

use super::verified::{Fault, Verified, judged};
use crate::feature_search::{Direction, Effort, End, Perimeter, Slice, search};
use crate::limits::{Limits, Stop};
use std::marker::PhantomData;
use unstuck_encodings::{FeatureSpace, PackingError};
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

/// All tries at one puzzle. They share what searches from both ends of it have reached.
pub trait Hunt: Sync {
    /// One try; `None` when the puzzle is too large for it, or cannot be looked at from that end.
    fn look(
        &self,
        slice: Slice,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Option<Tried>;
}

/// How a family looks for any plan: [`ByFeatures`], or [`Unguided`] where it has no features.
pub trait Guide<P: Puzzle>: Send + Sync + 'static {
    /// The tries at a puzzle; `None` when the family has no features.
    fn hunt(puzzle: &P) -> Option<Box<dyn Hunt + '_>>;
}

/// A family without features.
#[derive(Clone, Copy, Debug)]
pub struct Unguided;

impl<P: Puzzle> Guide<P> for Unguided {
    fn hunt(_: &P) -> Option<Box<dyn Hunt + '_>> {
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
    fn hunt(puzzle: &P) -> Option<Box<dyn Hunt + '_>> {
        let small = InSpace::<F> { puzzle, perimeter: Perimeter::default() };
        let large = InSpace::<L> { puzzle, perimeter: Perimeter::default() };
        Some(Box::new(BySize { small, large }))
    }
}

/// A puzzle as a feature space sees it, from both ends.
struct InSpace<'a, F: FeatureSpace> {
    puzzle: &'a F::Puzzle,
    perimeter: Perimeter<F::State>,
}

impl<F: FeatureSpace> Hunt for InSpace<'_, F> {
    fn look(
        &self,
        slice: Slice,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Option<Tried> {
        let Self { puzzle, perimeter } = self;
        let tried = match slice.direction {
            Direction::Forward => look_in::<F>(puzzle, slice, perimeter, limits, progress),
            Direction::Backward => {
                look_in::<F::Reverse>(puzzle, slice, perimeter, limits, progress)
            }
        };
        tried.ok()
    }
}

/// A puzzle that is small enough for one feature space, or else for another one.
struct BySize<S, L> {
    small: S,
    large: L,
}

impl<S: Hunt, L: Hunt> Hunt for BySize<S, L> {
    fn look(
        &self,
        slice: Slice,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Option<Tried> {
        let small = self.small.look(slice, limits, progress);
        small.or_else(|| self.large.look(slice, limits, progress))
    }
}

fn look_in<F: FeatureSpace>(
    puzzle: &F::Puzzle,
    slice: Slice,
    perimeter: &Perimeter<F::State>,
    limits: &Limits,
    progress: &mut dyn FnMut(Effort),
) -> Result<Tried, PackingError> {
    let mut space = F::new(puzzle, slice.variant)?;
    let (end, effort) = search(&mut space, slice, perimeter, limits, progress);
    let end = match end {
        End::Found(path) => {
            let solution = puzzle.solution(&space.plan(&path));
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
