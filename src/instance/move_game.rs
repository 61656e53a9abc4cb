//! What plays a puzzle: nothing, or a transition and a search space of its family.

use super::Game;
use super::constrained::BoundedConstrainedGame;
use super::game::{
    Closable, ConstrainedGame, GamePosition, ImproveReport, PointerTarget, SearchEnd, SearchReport,
};
use super::relaxation::{LearnReport, NoRelaxation, Relaxation};
use super::satisficing::{Attempts, NoFeatures, SatisficingSearch};
use super::space_choice::{SpaceVisitor, with_packed_space, with_space};
use super::verified::{ContinueError, Verified, judged_plan};
use crate::atlas::{Atlas, ConstrainedSpace, PositionGraph};
use crate::backend::Incremental;
use crate::closed::check::{ClosedSetError, ClosedSetStats};
use crate::closed::close::{ClosureError, ClosureTask};
use crate::closed::formulas::CompiledSet;
use crate::closed::{self, Bound, ClosedSet};
use crate::improve::{self, ImproveOutcome, ImproveStats};
use crate::invariant::confine::{self, ConfineResult};
use crate::invariant::pdr::{self, InvariantError};
use crate::laws::{self, LawViolation};
use crate::learn;
use crate::limits::{Limits, Monitor};
use crate::patterns::Counts;
use crate::search::{SearchOutcome, SearchStats, Strategy, search};
use crate::transition::list_format::ListError;
use crate::transition::lrat::{Formulas, WriteError};
use crate::transition::{CubeList, Induction, counted};
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::{Cost, PackingError, PlainSpace, Space, Transition};
use unstuck_puzzles::constrained::ConstrainedPuzzle;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::patterns::{PatternError, PatternList, PatternStats};
use unstuck_puzzles::{Moves, Objective, Options, ParseError, Puzzle, pointing, validation};

/// What plays the puzzles of a family: [`MoveGame`], or [`NoMoves`] for families without moves.
pub trait MoveSupport<P: Puzzle> {
    /// Whether there are moves at all.
    const MOVES: bool;

    /// The game of a puzzle, if it has moves.
    fn game(puzzle: &Arc<P>, objective: Objective) -> Option<Box<dyn Game>>;

    /// The puzzle as it stands after some moves, or in a position that is drawn as a level.
    ///
    /// # Errors
    /// When the text is neither legal moves nor a position of this level.
    fn continued(puzzle: &P, moves: &str) -> Result<P, ContinueError>;

    /// The puzzle with constraints as rules of its own. A game keeps its rules: [`Game`] takes
    /// constraints beside them.
    ///
    /// # Errors
    /// The first constraint that means nothing here.
    fn constrained(puzzle: &P, constraints: &Constraints) -> Result<P, ParseError>;
}

/// A family without moves.
#[derive(Clone, Copy, Debug)]
pub struct NoMoves;

impl<P: Puzzle> MoveSupport<P> for NoMoves {
    const MOVES: bool = false;

    fn game(_: &Arc<P>, _: Objective) -> Option<Box<dyn Game>> {
        None
    }

    fn continued(_: &P, _: &str) -> Result<P, ContinueError> {
        Err(ContinueError::NoMoves(P::NAME))
    }

    fn constrained(puzzle: &P, constraints: &Constraints) -> Result<P, ParseError> {
        puzzle.constrained(constraints)
    }
}

/// A game with moves: its one-move transition `T`, its search space `S`, and another one `L` for
/// puzzles that are too large for `S`; its guide to any plan is `G`, and `D`
/// says whether its pieces may be dropped.
#[derive(Clone, Debug)]
pub struct MoveGame<T: Transition, S, L = S, G = NoFeatures, D = NoRelaxation> {
    puzzle: Arc<T::Puzzle>,
    objective: Objective,
    spaces: PhantomData<fn(S, L, G, D)>,
}

impl<P, T, S, L, G, D> MoveSupport<P> for MoveGame<T, S, L, G, D>
where
    P: Moves,
    T: Transition<Puzzle = P> + 'static,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
    G: SatisficingSearch<P>,
    D: Relaxation<P>,
{
    const MOVES: bool = true;

    fn game(puzzle: &Arc<P>, objective: Objective) -> Option<Box<dyn Game>> {
        Some(Box::new(Self { puzzle: puzzle.clone(), objective, spaces: PhantomData }))
    }

    fn continued(puzzle: &P, moves: &str) -> Result<P, ContinueError> {
        let solution = match puzzle.read_solution(moves) {
            Ok(solution) => solution,
            Err(error) => {
                return drawn(puzzle, moves).unwrap_or(Err(ContinueError::Unreadable(error)));
            }
        };
        let mut state = puzzle.start();
        for (index, mv) in puzzle.plan(&solution).into_iter().enumerate() {
            state = match puzzle.step(&state, mv) {
                Ok(stepped) => stepped.state,
                Err(rule) if puzzle.idle(rule).is_some() => continue,
                Err(rule) => {
                    let violation = puzzle.refusal(&solution, index + 1, rule);
                    return Err(ContinueError::Impossible(violation));
                }
            }
        }
        Ok(puzzle.begun_at(&state))
    }

    fn constrained(puzzle: &P, constraints: &Constraints) -> Result<P, ParseError> {
        validation::validate(puzzle, constraints).map(|()| puzzle.clone())
    }
}

/// The puzzle begun in a position that is drawn as a level; `None` when the text is no level.
fn drawn<P: Moves>(puzzle: &P, text: &str) -> Option<Result<P, ContinueError>> {
    let other = P::parse(text, &Options::new(P::OPTIONS, []).ok()?).ok()?;
    if !P::DRAWN {
        return Some(Err(ContinueError::NotDrawn(P::NAME)));
    }
    let state = puzzle.position_of(&other);
    Some(state.map(|state| puzzle.begun_at(&state)).ok_or(ContinueError::OtherLevel))
}

impl<P, T, S, L, G, D> MoveGame<T, S, L, G, D>
where
    P: Moves,
    T: Transition<Puzzle = P> + 'static,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
    G: SatisficingSearch<P>,
    D: Relaxation<P>,
{
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
struct SearchVisitor<'a, P> {
    puzzle: &'a P,
    strategy: Strategy,
    limits: &'a Limits,
    progress: &'a mut dyn FnMut(SearchStats),
}

impl<P: Moves> SpaceVisitor<P> for SearchVisitor<'_, P> {
    type Output = SearchReport;

    fn visit<X: Space<Puzzle = P> + 'static>(self, mut space: X) -> SearchReport {
        let (end, stats) = search(&mut space, self.strategy, self.limits, self.progress);
        let end = match end {
            SearchOutcome::Found(path) => judged_plan(self.puzzle, &space.plan(&path))
                .map_or_else(SearchEnd::Fault, SearchEnd::Found),
            SearchOutcome::Exhausted => SearchEnd::Exhausted,
            SearchOutcome::Stopped(stop) => SearchEnd::Stopped(stop),
        };
        SearchReport { end, stats, bound: X::BOUND }
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

impl<P, T, S, L, G, D> Closable for MoveGame<T, S, L, G, D>
where
    P: Moves,
    T: Transition<Puzzle = P> + 'static,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
    G: SatisficingSearch<P>,
    D: Relaxation<P>,
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

impl<P, T, S, L, G, D> Game for MoveGame<T, S, L, G, D>
where
    P: Moves,
    T: Transition<Puzzle = P> + 'static,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
    G: SatisficingSearch<P>,
    D: Relaxation<P>,
{
    fn transition(&self) -> (&'static str, u32) {
        (T::NAME, T::VERSION)
    }

    fn position(&self, moves: &str) -> Result<GamePosition, ParseError> {
        let plan = self.puzzle.plan(&self.puzzle.read_solution(moves)?);
        let replay = self.puzzle.replay(&plan);
        let legal = replay.states.len() - 1;
        Ok(GamePosition {
            moves: self.puzzle.solution(&plan[..legal]).to_string(),
            tally: replay.tally,
            solved: self.puzzle.is_goal(&replay.states[legal]),
            stop: replay.stop,
        })
    }

    fn ways(&self, position: &GamePosition, pointed: PointerTarget) -> Option<String> {
        let plan = self.puzzle.plan(&self.puzzle.read_solution(&position.moves).ok()?);
        let from = self.puzzle.replay(&plan).states.pop()?;
        let ways = match pointed {
            PointerTarget::Walk(to) => pointing::walk(self.puzzle.as_ref(), &from, to),
            PointerTarget::Drag(piece, to) => {
                pointing::drag(self.puzzle.as_ref(), &from, piece, to)
            }
        };
        // The notation may depend on what was before (Sokoban writes pushes in capitals).
        let whole = self.puzzle.solution(&[plan, ways?].concat()).to_string();
        whole.strip_prefix(&position.moves).map(str::to_owned)
    }

    fn asked(&self) -> Objective {
        if self.objective == Objective::Any { P::OBJECTIVES[0] } else { self.objective }
    }

    fn atlas(&self, constraints: &Constraints) -> Box<dyn Atlas> {
        let objective = self.asked();
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

    fn search(
        &self,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> SearchReport {
        let (puzzle, is_plain) = (self.puzzle.as_ref(), strategy.plain);
        let visitor = SearchVisitor { puzzle, strategy, limits, progress };
        if is_plain {
            visitor.visit(PlainSpace::of(puzzle, self.objective))
        } else {
            with_space::<S, L, _>(puzzle, self.objective, visitor)
        }
    }

    fn attempts(&self) -> Option<Box<dyn Attempts + '_>> {
        G::attempts(&self.puzzle)
    }

    fn improve(
        &self,
        plan: &Verified,
        most: u64,
        limits: &Limits,
        progress: &mut dyn FnMut(ImproveStats),
    ) -> ImproveReport {
        let (puzzle, objective) = (self.puzzle.as_ref(), self.asked());
        let visitor = ImproveVisitor { puzzle, objective, plan, most, limits, progress };
        with_space::<S, L, _>(puzzle, objective, visitor)
    }

    fn learn(
        &self,
        learn_options: learn::LearnOptions,
        limits: &Limits,
        progress: &mut dyn FnMut(learn::LearnStats),
    ) -> Option<LearnReport> {
        D::learn(self.puzzle.as_ref(), self.objective, learn_options, limits, progress)
    }

    fn judge_patterns(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternStats, PatternError> {
        D::judge(self.puzzle.as_ref(), self.objective, list, monitor)
    }

    fn pattern_formulas(
        &self,
        list: &PatternList,
        counts: Counts,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError> {
        D::formulas(self.puzzle.as_ref(), self.objective, list, counts, monitor)
    }

    fn potential_lemmas(&self, list: &PatternList) -> u64 {
        D::potential_lemmas(self.puzzle.as_ref(), list)
    }

    fn closed_formulas(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError> {
        Ok(Box::new(CompiledSet::<T>::new(&self.puzzle, self.objective, set, monitor)?))
    }

    fn invariant(
        &self,
        backend: &dyn Incremental,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::PdrStats),
    ) -> Result<CubeList, InvariantError> {
        pdr::find::<T>(&self.puzzle, self.objective, backend, limits, progress)
    }

    fn confine(
        &self,
        task: confine::ConfineTask,
        backend: &dyn Incremental,
        monitor: &mut Monitor<'_>,
    ) -> Result<ConfineResult, InvariantError> {
        let (puzzle, objective) = (&self.puzzle, self.objective);
        confine::confine::<T>(puzzle, objective, task, backend, monitor)
    }

    fn induction(&self, list: &CubeList) -> Result<Induction, ListError> {
        Induction::of_list::<T>(&self.puzzle, self.objective, list)
    }

    fn laws(&self, seed: u64) -> Result<(), LawViolation> {
        let transition = T::new(&self.puzzle, self.objective);
        laws::numbering(&transition)?;
        laws::layers(&transition)?;
        laws::states::<T>(&self.puzzle, self.objective, seed)?;
        laws::classes(self.puzzle.as_ref(), self.objective)
    }
}
