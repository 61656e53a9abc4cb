//! From a puzzle to a judged plan by feature-space search, if the family has features.

use super::capability::{Capabilities, Capability};
use super::verified::{RejectedAnswerError, Verified, judged_plan};
use crate::feature_search::{Attempt, FeatureSearchOutcome, FeatureSearchStats, search};
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

/// The features of a family, by which any plan is looked for.
pub trait SatisficingSearch: Send + Sync {
    /// One try; `None` when the puzzle is too large.
    fn look(
        &self,
        slice: Attempt,
        limits: &Limits,
        progress: &mut dyn FnMut(FeatureSearchStats),
    ) -> Option<AttemptReport>;
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
    fn look(
        &self,
        slice: Attempt,
        limits: &Limits,
        progress: &mut dyn FnMut(FeatureSearchStats),
    ) -> Option<AttemptReport> {
        let puzzle = self.puzzle.as_ref();
        let small = look_in::<F>(puzzle, slice, limits, progress);
        small.or_else(|_| look_in::<L>(puzzle, slice, limits, progress)).ok()
    }
}

fn look_in<F: FeatureSpace>(
    puzzle: &F::Puzzle,
    slice: Attempt,
    limits: &Limits,
    progress: &mut dyn FnMut(FeatureSearchStats),
) -> Result<AttemptReport, PackingError> {
    let mut space = F::new(puzzle, slice.variant)?;
    let (end, stats) = search(&mut space, slice, limits, progress);
    let end = match end {
        FeatureSearchOutcome::Found(path) => judged_plan(puzzle, &space.plan(&path))
            .map_or_else(AttemptEnd::Fault, AttemptEnd::Found),
        FeatureSearchOutcome::GaveUp => AttemptEnd::GaveUp,
        FeatureSearchOutcome::Stopped(stop) => AttemptEnd::Stopped(stop),
    };
    Ok(AttemptReport { end, stats })
}
