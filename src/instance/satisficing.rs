//! From a puzzle to a judged plan by feature-space search, if the family has features.

use super::capability::{Capabilities, Capability};
use super::verified::{RejectedAnswerError, Verified, judged_plan};
use crate::feature_search::{
    Attempt, Direction, FeatureSearchOutcome, FeatureSearchStats, Perimeter, search,
};
use crate::limits::{Limits, Stop};
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::{FeatureSpace, PackingError};
use unstuck_puzzles::{Moves, Objective};

/// How a try ended, with its plan judged. There is no word for "unsolvable".
#[derive(Clone, Debug)]
pub enum AttemptEnd {
    /// A plan, probably not a short one.
    Found(Verified),
    /// Nothing is left of what this search is willing to try, or its states are used up.
    GaveUp,
    /// A limit struck.
    Stopped(Stop),
    /// The search found a plan that the rules refuse: an internal error.
    Fault(RejectedAnswerError),
}

/// A try that has ended.
#[derive(Clone, Debug)]
pub struct AttemptReport {
    /// How it ended.
    pub end: AttemptEnd,
    /// What it took.
    pub stats: FeatureSearchStats,
}

/// All tries at one puzzle. They share what searches from both ends of it have reached.
pub trait Attempts: Send + Sync {
    /// One try; `None` when the puzzle is too large for it, or cannot be looked at from that end.
    fn look(
        &self,
        slice: Attempt,
        limits: &Limits,
        progress: &mut dyn FnMut(FeatureSearchStats),
    ) -> Option<AttemptReport>;
}

/// The features of a family, by which any plan is looked for.
pub trait SatisficingSearch: Send + Sync {
    /// The tries at the puzzle.
    fn attempts(&self) -> Box<dyn Attempts + '_>;
}

/// A family with a feature space `F`, and another one `L` for puzzles that are too large for it.
pub struct FeatureGuidance<F: FeatureSpace, L = F> {
    puzzle: Arc<F::Puzzle>,
    larger: PhantomData<fn(L)>,
}

impl<P, F, L> Capability<P> for FeatureGuidance<F, L>
where
    P: Moves,
    F: FeatureSpace<Puzzle = P> + 'static,
    L: FeatureSpace<Puzzle = P> + 'static,
{
    fn add(puzzle: &Arc<P>, _: Objective, all: &mut Capabilities) {
        let guidance = Self { puzzle: puzzle.clone(), larger: PhantomData };
        all.add::<dyn SatisficingSearch>(Box::new(guidance));
    }
}

impl<P, F, L> SatisficingSearch for FeatureGuidance<F, L>
where
    P: Moves,
    F: FeatureSpace<Puzzle = P> + 'static,
    L: FeatureSpace<Puzzle = P> + 'static,
{
    fn attempts(&self) -> Box<dyn Attempts + '_> {
        let puzzle = self.puzzle.as_ref();
        let small = FeatureAttempts::<F> { puzzle, perimeter: Perimeter::default() };
        let large = FeatureAttempts::<L> { puzzle, perimeter: Perimeter::default() };
        Box::new(SizedAttempts { small, large })
    }
}

/// A puzzle as a feature space sees it, from both ends.
struct FeatureAttempts<'a, F: FeatureSpace> {
    puzzle: &'a F::Puzzle,
    perimeter: Perimeter<F::State>,
}

impl<F: FeatureSpace> Attempts for FeatureAttempts<'_, F> {
    fn look(
        &self,
        slice: Attempt,
        limits: &Limits,
        progress: &mut dyn FnMut(FeatureSearchStats),
    ) -> Option<AttemptReport> {
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
struct SizedAttempts<S, L> {
    small: S,
    large: L,
}

impl<S: Attempts, L: Attempts> Attempts for SizedAttempts<S, L> {
    fn look(
        &self,
        slice: Attempt,
        limits: &Limits,
        progress: &mut dyn FnMut(FeatureSearchStats),
    ) -> Option<AttemptReport> {
        let small = self.small.look(slice, limits, progress);
        small.or_else(|| self.large.look(slice, limits, progress))
    }
}

fn look_in<F: FeatureSpace>(
    puzzle: &F::Puzzle,
    slice: Attempt,
    perimeter: &Perimeter<F::State>,
    limits: &Limits,
    progress: &mut dyn FnMut(FeatureSearchStats),
) -> Result<AttemptReport, PackingError> {
    let mut space = F::new(puzzle, slice.variant)?;
    let (end, stats) = search(&mut space, slice, perimeter, limits, progress);
    let end = match end {
        FeatureSearchOutcome::Found(path) => judged_plan(puzzle, &space.plan(&path))
            .map_or_else(AttemptEnd::Fault, AttemptEnd::Found),
        FeatureSearchOutcome::GaveUp => AttemptEnd::GaveUp,
        FeatureSearchOutcome::Stopped(stop) => AttemptEnd::Stopped(stop),
    };
    Ok(AttemptReport { end, stats })
}
