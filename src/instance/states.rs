//! What is found by looking at states: plans, closed sets, answers to questions.

use super::space_choice::{SpaceVisitor, with_space};
use crate::atlas::{Atlas, PositionGraph};
use crate::closed::ClosedSet;
use crate::closed::close::{self, ClosureError, ClosureTask};
use crate::improve::{self, ImproveOutcome, ImproveStats};
use crate::limits::{Limits, Stop};
use crate::search::{Search, SearchOutcome, SearchStats, Strategy};
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_check::instance::{
    Capabilities, Capability, Instance, RejectedAnswerError, Verified, asked, bound,
    constrained_bound, judged_plan,
};
use unstuck_encodings::{ConstrainedSpace, Cost, PlainSpace, Space};
use unstuck_puzzles::constrained::ConstrainedPuzzle;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Moves, Objective, Play};

/// How an explicit search ended, with its plan judged.
#[derive(Clone, Debug)]
pub enum SearchEnd {
    /// A plan; a shortest one unless the search was weighted.
    Found(Verified),
    /// There is none (within the cap, if there was one).
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
    /// The search found a plan that the rules refuse: an internal error.
    Fault(RejectedAnswerError),
}

/// An explicit search that has ended.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// How it ended.
    pub end: SearchEnd,
    /// What it took, and the lower bound that it showed.
    pub stats: SearchStats,
    /// The bound that pruned, by name.
    pub bound: Option<&'static str>,
}

/// A plan that was worked on, judged again.
#[derive(Clone, Debug)]
pub struct ImproveReport {
    /// The best plan known, or one that the rules refuse: an internal error.
    pub plan: Result<Verified, RejectedAnswerError>,
    /// How it ended.
    pub end: ImproveOutcome,
    /// What it took.
    pub stats: ImproveStats,
}

/// An explicit search. After [`SearchEnd::Stopped`] it goes on where it was.
pub type ResumableSearch<'a> =
    Box<dyn FnMut(&Limits, &mut dyn FnMut(SearchStats)) -> SearchReport + Send + 'a>;

/// The states of a game, as far as they are searched.
pub trait StateSpace: Send + Sync {
    /// The positions of the game with constraints, to ask questions about.
    fn atlas(&self, constraints: &Constraints) -> Box<dyn Atlas>;

    /// Finds a closed set of the game with constraints (see [`crate::closed`]).
    ///
    /// # Errors
    /// When a limit strikes, or the claim is false.
    fn close(
        &self,
        constraints: &Constraints,
        closing: ClosureTask,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> Result<ClosedSet, ClosureError>;

    /// An explicit search, which may be asked to go on after a limit has struck.
    fn begin_search(&self, strategy: Strategy) -> ResumableSearch<'_>;

    /// Searches explicitly, once.
    fn search(
        &self,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> SearchReport {
        self.begin_search(strategy)(limits, progress)
    }

    /// Makes a plan cheaper by what lies around it (see [`crate::improve`]), within so many states;
    /// under `any` in the family's own objective. The plan itself when its steps are not those of
    /// the search space, or nothing better was found.
    fn improve(
        &self,
        plan: &Verified,
        most: u64,
        limits: &Limits,
        progress: &mut dyn FnMut(ImproveStats),
    ) -> ImproveReport;
}

/// The states of a puzzle in a search space `S`, or in another one `L` if the puzzle is too large
/// for `S`.
pub struct SearchedStates<S: Space, L> {
    puzzle: Arc<S::Puzzle>,
    objective: Objective,
    larger: PhantomData<fn(L)>,
}

impl<P, S, L> Capability<P> for SearchedStates<S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities) {
        let states = Self { puzzle: puzzle.clone(), objective, larger: PhantomData };
        all.add::<dyn StateSpace>(Box::new(states));
    }
}

/// The positions of the game with constraints (see [`unstuck_puzzles::constraints`]), to ask
/// questions about; `None` for families without moves.
pub fn atlas(instance: &dyn Instance, constraints: &Constraints) -> Option<Box<dyn Atlas>> {
    instance.capability::<dyn StateSpace>().map(|states| states.atlas(constraints))
}

/// Makes the atlas of a puzzle, with constraints where there are any.
struct AtlasVisitor<'a, P> {
    puzzle: &'a P,
    objective: Objective,
    constraints: &'a Constraints,
}

impl<P: Moves> SpaceVisitor<P> for AtlasVisitor<'_, P> {
    type Output = Box<dyn Atlas>;

    fn visit<X: Space<Puzzle = P> + 'static>(self, space: X) -> Box<dyn Atlas> {
        let Self { puzzle, objective, constraints } = self;
        if constraints.is_empty() {
            return Box::new(PositionGraph::new(puzzle.clone(), objective, space));
        }
        let constrained = ConstrainedPuzzle::of(puzzle, constraints);
        let space = ConstrainedSpace::of(&constrained, objective, Some(space));
        Box::new(PositionGraph::new(constrained, objective, space))
    }
}

/// Searches for a plan.
pub(super) struct SearchVisitor<'a, P> {
    pub(super) puzzle: &'a P,
    pub(super) strategy: Strategy,
}

impl<'a, P: Moves> SpaceVisitor<P> for SearchVisitor<'a, P> {
    type Output = ResumableSearch<'a>;

    fn visit<X: Space<Puzzle = P> + 'static>(self, space: X) -> ResumableSearch<'a> {
        let (puzzle, mut search) = (self.puzzle, Search::new(space, self.strategy));
        Box::new(move |limits, progress| {
            let (end, stats) = search.run(limits, progress);
            let end = match end {
                SearchOutcome::Found(path) => judged_plan(puzzle, &search.space().plan(&path))
                    .map_or_else(SearchEnd::Fault, SearchEnd::Found),
                SearchOutcome::Exhausted => SearchEnd::Exhausted,
                SearchOutcome::Stopped(stop) => SearchEnd::Stopped(stop),
            };
            SearchReport { end, stats, bound: X::BOUND }
        })
    }
}

/// Looks for better plans around a known one.
struct ImproveVisitor<'a, P> {
    puzzle: &'a P,
    objective: Objective,
    plan: &'a Verified,
    most: u64,
    limits: &'a Limits,
    progress: &'a mut dyn FnMut(ImproveStats),
}

impl<P: Moves> SpaceVisitor<P> for ImproveVisitor<'_, P> {
    type Output = ImproveReport;

    fn visit<X: Space<Puzzle = P> + 'static>(self, mut space: X) -> ImproveReport {
        let Self { puzzle, objective, plan, most, limits, progress } = self;
        let cost = Cost::of(objective, plan.tally());
        let path = plan.solution::<P::Solution>().and_then(|solution| {
            let replay = puzzle.replay(&puzzle.plan(solution));
            let passed = replay.states.iter().skip(1).map_while(|state| space.pack(state));
            let passed: Vec<X::State> = passed.collect();
            improve::edges(&mut space, &passed)
        });
        let Some(path) = path else {
            let stats = ImproveStats { expanded: 0, cost };
            let plan = Ok(plan.clone());
            return ImproveReport { plan, end: ImproveOutcome::Settled, stats };
        };
        let (path, end, stats) = improve::improve(&mut space, path, most, limits, progress);
        let better = judged_plan(puzzle, &space.plan(&path));
        let is_better = |better: &Verified| Cost::of(objective, better.tally()) < cost;
        let plan = better.map(|better| if is_better(&better) { better } else { plan.clone() });
        ImproveReport { plan, end, stats }
    }
}

impl<P, S, L> StateSpace for SearchedStates<S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn atlas(&self, constraints: &Constraints) -> Box<dyn Atlas> {
        let objective = asked::<P>(self.objective);
        let visitor = AtlasVisitor { puzzle: self.puzzle.as_ref(), objective, constraints };
        with_space::<S, L, _>(&self.puzzle, objective, visitor)
    }

    fn close(
        &self,
        constraints: &Constraints,
        closing: ClosureTask,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> Result<ClosedSet, ClosureError> {
        let (puzzle, objective) = (self.puzzle.as_ref(), self.objective);
        if constraints.is_empty() {
            let bound = || bound::<S, L>(puzzle, objective).ok().flatten();
            let bound = closing.use_bound.then(bound).flatten();
            return close::close(puzzle, objective, closing, bound, limits, progress);
        }
        let puzzle = ConstrainedPuzzle::of(puzzle, constraints);
        let bound = || constrained_bound::<S, L>(&puzzle, objective);
        let bound = closing.use_bound.then(bound).flatten();
        close::close(&puzzle, objective, closing, bound, limits, progress)
    }

    fn begin_search(&self, strategy: Strategy) -> ResumableSearch<'_> {
        let (puzzle, is_plain) = (self.puzzle.as_ref(), strategy.plain);
        let visitor = SearchVisitor { puzzle, strategy };
        if is_plain {
            visitor.visit(PlainSpace::of(puzzle, self.objective))
        } else {
            with_space::<S, L, _>(puzzle, self.objective, visitor)
        }
    }

    fn improve(
        &self,
        plan: &Verified,
        most: u64,
        limits: &Limits,
        progress: &mut dyn FnMut(ImproveStats),
    ) -> ImproveReport {
        let (puzzle, objective) = (self.puzzle.as_ref(), asked::<P>(self.objective));
        let visitor = ImproveVisitor { puzzle, objective, plan, most, limits, progress };
        with_space::<S, L, _>(puzzle, objective, visitor)
    }
}
