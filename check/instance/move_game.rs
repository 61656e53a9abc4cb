//! What plays a puzzle: nothing, or the moves of its family.

use super::StepSupport;
use super::bounds::{bound, constrained_bound};
use super::capability::{Capabilities, Capability};
use super::game::{Game, asked};
use super::verified::{ContinueError, Verified, VerifyError, judged};
use crate::closed::check::{self, ClosedSetError, ClosedSetStats};
use crate::closed::{ClosedSet, backwards};
use crate::limits::Monitor;
use crate::transition::list_format::ListError;
use crate::transition::{Budget, CubeList, Induction, StepGuide, WriteError};
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::Space;
use unstuck_encodings::laws::{self, LawViolation};
use unstuck_puzzles::constrained::ConstrainedPuzzle;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::session::{GameSession, PlayedSession};
use unstuck_puzzles::{
    Moves, Objective, Options, ParseError, Play, Puzzle, PuzzleExt, Violation, validation,
};

/// What plays the puzzles of a family: [`MoveGame`], or [`NoMoves`] for families without moves.
pub trait MoveSupport<P: Puzzle> {
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
    fn game(_: &Arc<P>, _: Objective) -> Option<Box<dyn Game>> {
        None
    }

    fn continued(_: &P, _: &str) -> Result<P, ContinueError> {
        Err(ContinueError::NoMoves(P::NAME))
    }

    fn constrained(puzzle: &P, constraints: &Constraints) -> Result<P, ParseError> {
        (P::EXTRAS.constrained)(puzzle, constraints)
    }
}

/// A game with moves: its one-move transition `T` (or [`NoClauses`](super::NoClauses)), its search
/// space `S`, another one `L` for puzzles that are too large for `S`, and what else the family has: a
/// [`Capability`], or a tuple of them.
pub struct MoveGame<T, S, L = S, C = ()>(PhantomData<fn(T, S, L, C)>);

impl<P, T, S, L, C> MoveSupport<P> for MoveGame<T, S, L, C>
where
    P: Moves,
    T: StepSupport<Puzzle = P>,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
    C: Capability<P>,
{
    fn game(puzzle: &Arc<P>, objective: Objective) -> Option<Box<dyn Game>> {
        let mut capabilities = Capabilities::default();
        C::add(puzzle, objective, &mut capabilities);
        let (puzzle, parts) = (puzzle.clone(), PhantomData);
        Some(Box::new(PlayedGame::<T, S, L> { puzzle, objective, capabilities, parts }))
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
            let stepped = puzzle.spend(&state, mv).map_err(|refused| {
                ContinueError::Impossible(puzzle.refusal(&solution, index + 1, refused))
            })?;
            state = stepped.state;
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
    let Some(drawn) = P::GAME.drawn else {
        return Some(Err(ContinueError::NotDrawn(P::NAME)));
    };
    let state = drawn(puzzle, &other);
    Some(state.map(|state| puzzle.begun_at(&state)).ok_or(ContinueError::OtherLevel))
}

/// The one implementation of [`Game`].
struct PlayedGame<T: StepSupport, S, L> {
    puzzle: Arc<T::Puzzle>,
    objective: Objective,
    capabilities: Capabilities,
    parts: PhantomData<fn(T, S, L)>,
}

impl<T: StepSupport, S, L> PlayedGame<T, S, L> {
    /// The game with constraints.
    fn within(&self, constraints: &Constraints) -> ConstrainedPuzzle<T::Puzzle> {
        ConstrainedPuzzle::of(&self.puzzle, constraints)
    }
}

impl<P, T, S, L> Game for PlayedGame<T, S, L>
where
    P: Moves,
    T: StepSupport<Puzzle = P>,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn session(&self) -> Box<dyn GameSession> {
        Box::new(PlayedSession::new(self.puzzle.clone()))
    }

    fn asked(&self) -> Objective {
        asked::<P>(self.objective)
    }

    fn rule_lines(&self) -> Option<BTreeSet<usize>> {
        self.puzzle.rule_lines()
    }

    fn met_unknown_move(&self) -> bool {
        self.puzzle.met_unknown_move()
    }

    fn verify(&self, constraints: &Constraints, text: &str) -> Result<Verified, VerifyError> {
        let puzzle = self.puzzle.as_ref();
        let solution = puzzle.read_solution(text).map_err(VerifyError::Unreadable)?;
        let verified = judged(puzzle, &solution).map_err(VerifyError::Wrong)?;
        let tally = self.within(constraints).check(&solution).map_err(VerifyError::Wrong)?;
        if tally == verified.tally() {
            return Ok(verified);
        }
        let message = "with the constraints the moves have another length";
        Err(VerifyError::Wrong(Violation::whole("wishes", message)))
    }

    fn check_closed(
        &self,
        constraints: &Constraints,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<ClosedSetStats, ClosedSetError> {
        let (puzzle, objective) = (self.puzzle.as_ref(), self.objective);
        if !constraints.is_empty() {
            let puzzle = self.within(constraints);
            let bound = || constrained_bound::<S, L>(&puzzle, objective);
            let bound = set.bound.as_ref().and_then(|_| bound());
            return check::check(&puzzle, objective, set, bound, monitor);
        }
        let bound = match &set.bound {
            None => None,
            Some(name) => bound::<S, L>(puzzle, objective).map_err(|error| {
                ClosedSetError::Refused(format!("the bound {name} cannot be computed: {error}"))
            })?,
        };
        check::check(puzzle, objective, set, bound, monitor)
    }

    fn check_backwards(
        &self,
        excluded: Budget,
        claimed: Option<u32>,
        monitor: &mut Monitor<'_>,
    ) -> Result<u32, ClosedSetError> {
        backwards::check(self.puzzle.as_ref(), self.objective, excluded, claimed, monitor)
    }

    fn transition(&self) -> Option<(&'static str, u32)> {
        T::version(&self.puzzle, self.objective).map(|version| (T::NAME, version))
    }

    fn closed_formulas(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn StepGuide>, WriteError> {
        T::closed_formulas(&self.puzzle, self.objective, set, monitor)
    }

    fn induction(&self, list: &CubeList) -> Result<Induction, ListError> {
        T::induction(&self.puzzle, self.objective, list)
    }

    fn laws(&self, seed: u64) -> Result<(), LawViolation> {
        T::laws(&self.puzzle, self.objective, seed)?;
        laws::classes(self.puzzle.as_ref(), self.objective)
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
}
