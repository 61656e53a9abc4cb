//! What is found by looking at states: plans, closed sets, answers to questions.

use super::closable::{Closable, ConstrainedGame};
use super::constrained::BoundedConstrainedGame;
use super::space_choice::{SpaceVisitor, with_packed_space, with_space};
use super::verified::{RejectedAnswerError, Verified, judged_plan};
use crate::atlas::{Atlas, ConstrainedSpace, PositionGraph};
use crate::closed::check::{ClosedSetError, ClosedSetStats};
use crate::closed::close::{ClosureError, ClosureTask};
use crate::closed::{self, Bound, ClosedSet};
use crate::improve::{self, ImproveOutcome, ImproveStats};
use crate::limits::{Limits, Monitor, Stop};
use crate::search::{Search, SearchOutcome, SearchStats, Strategy};
use crate::transition::counted;
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::{Cost, PackingError, PlainSpace, Space};
use unstuck_puzzles::constrained::ConstrainedPuzzle;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Moves, Objective};

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

/// The states of a game.
pub trait StateSpace: Closable + Send + Sync {
    /// The positions of the game with constraints, to ask questions about.
    fn atlas(&self, constraints: &Constraints) -> Box<dyn Atlas>;

    /// The game with constraints, to judge and to prove.
    fn constrained(&self, constraints: &Constraints) -> Box<dyn ConstrainedGame>;

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
pub(super) struct States<S: Space, L> {
    puzzle: Arc<S::Puzzle>,
    objective: Objective,
    larger: PhantomData<fn(L)>,
}

/// The objective that questions count: where any plan will do, the family's first.
pub(super) fn asked<P: Moves>(objective: Objective) -> Objective {
    if objective == Objective::Any { P::OBJECTIVES[0] } else { objective }
}

impl<P, S, L> States<S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    /// The states of a puzzle for an objective.
    pub(super) fn new(puzzle: Arc<P>, objective: Objective) -> Self {
        Self { puzzle, objective, larger: PhantomData }
    }

    /// The bound of the first space that has room for the puzzle; none where it is always zero.
    fn bound(&self) -> Result<Option<Bound<'static, P>>, PackingError> {
        let objective = counted::<P>(self.objective);
        with_packed_space::<S, L, _>(&self.puzzle, objective, BoundVisitor)
            .map_err(|(error, _)| error)
    }
}

struct BoundVisitor;

impl<P: Moves> SpaceVisitor<P> for BoundVisitor {
    type Output = Option<Bound<'static, P>>;

    fn visit<X: Space<Puzzle = P> + 'static>(self, space: X) -> Self::Output {
        Bound::of(space)
    }
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
        let puzzle = puzzle.clone();
        if constraints.is_empty() {
            return Box::new(PositionGraph::new(puzzle, objective, space));
        }
        let constrained = ConstrainedPuzzle { puzzle, constraints: constraints.clone() };
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

impl<P, S, L> Closable for States<S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn close(
        &self,
        closing: ClosureTask,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> Result<ClosedSet, ClosureError> {
        let bound = if closing.use_bound { self.bound().ok().flatten() } else { None };
        closed::close::close(self.puzzle.as_ref(), self.objective, closing, bound, limits, progress)
    }

    fn check_closed(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<ClosedSetStats, ClosedSetError> {
        let bound = match &set.bound {
            None => None,
            Some(name) => self.bound().map_err(|error| {
                ClosedSetError::Refused(format!("the bound {name} cannot be computed: {error}"))
            })?,
        };
        closed::check::check(self.puzzle.as_ref(), self.objective, set, bound, monitor)
    }
}

impl<P, S, L> StateSpace for States<S, L>
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

    fn constrained(&self, constraints: &Constraints) -> Box<dyn ConstrainedGame> {
        let puzzle = ConstrainedPuzzle {
            puzzle: self.puzzle.as_ref().clone(),
            constraints: constraints.clone(),
        };
        Box::new(BoundedConstrainedGame::<P, S, L>::new(puzzle, self.objective))
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
