//! From a puzzle to a judged plan by feature-space search, if the family has features.

use crate::feature_search::{Attempt, FeatureSearchOutcome, FeatureSearchStats, Search};
use crate::limits::{Limits, Stop};
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_check::instance::{
    Capabilities, Capability, RejectedAnswerError, Verified, judged_plan,
};
use unstuck_encodings::{FeatureSpace, PackingError};
use unstuck_puzzles::{Moves, Objective};

/// How a try ended, with its plan judged. There is no word for "unsolvable".
#[derive(Clone, Debug)]
pub enum AttemptEnd {
    /// A plan, probably not a short one.
    Found(Verified),
    /// Nothing is left of what this search is willing to try, or its states are used up.
    GaveUp,
    /// Nothing is left to try, and another try has no more than that: likely there is no plan, but
    /// this search does not show it.
    NothingLeft,
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

/// A try. After [`AttemptEnd::Stopped`] it goes on where it was.
pub type ResumableAttempt<'a> =
    Box<dyn FnMut(&Limits, &mut dyn FnMut(FeatureSearchStats)) -> AttemptReport + Send + 'a>;

/// The features of a family, by which any plan is looked for.
pub trait SatisficingSearch: Send + Sync {
    /// A try; `None` when the puzzle is too large.
    fn begin(&self, slice: Attempt) -> Option<ResumableAttempt<'_>>;

    /// A try, once.
    fn look(
        &self,
        slice: Attempt,
        limits: &Limits,
        progress: &mut dyn FnMut(FeatureSearchStats),
    ) -> Option<AttemptReport> {
        self.begin(slice).map(|mut attempt| attempt(limits, progress))
    }
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
    fn begin(&self, slice: Attempt) -> Option<ResumableAttempt<'_>> {
        let puzzle = self.puzzle.as_ref();
        begin_in::<F>(puzzle, slice).or_else(|_| begin_in::<L>(puzzle, slice)).ok()
    }
}

fn begin_in<F: FeatureSpace + 'static>(
    puzzle: &F::Puzzle,
    slice: Attempt,
) -> Result<ResumableAttempt<'_>, PackingError> {
    let mut search = Search::new(F::new(puzzle, slice.variant)?, slice.most);
    Ok(Box::new(move |limits, progress| {
        let (end, stats) = search.run(limits, progress);
        let end = match end {
            FeatureSearchOutcome::Found(path) => judged_plan(puzzle, &search.space().plan(&path))
                .map_or_else(AttemptEnd::Fault, AttemptEnd::Found),
            FeatureSearchOutcome::NothingLeft if !F::LEAVES_OUT => AttemptEnd::NothingLeft,
            FeatureSearchOutcome::NothingLeft | FeatureSearchOutcome::GaveUp => AttemptEnd::GaveUp,
            FeatureSearchOutcome::Stopped(stop) => AttemptEnd::Stopped(stop),
        };
        AttemptReport { end, stats }
    }))
}
