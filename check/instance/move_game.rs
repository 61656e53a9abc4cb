//! What plays a puzzle: nothing, or the states and single steps of its family.

use super::capability::{Capabilities, Capability};
use super::game::Game;
use super::states::{StateSpace, States, asked};
use super::steps::{SingleSteps, TransitionSteps};
use super::verified::ContinueError;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::{Space, Transition};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::session::{GameSession, PlayedSession};
use unstuck_puzzles::{Moves, Objective, Options, ParseError, Puzzle, validation};

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
        puzzle.constrained(constraints)
    }
}

/// A game with moves: its one-move transition `T`, its search space `S`, another one `L` for puzzles
/// that are too large for `S`, and what else the family has: a [`Capability`], or a tuple of them.
pub struct MoveGame<T, S, L = S, C = ()>(PhantomData<fn(T, S, L, C)>);

impl<P, T, S, L, C> MoveSupport<P> for MoveGame<T, S, L, C>
where
    P: Moves,
    T: Transition<Puzzle = P> + 'static,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
    C: Capability<P>,
{
    fn game(puzzle: &Arc<P>, objective: Objective) -> Option<Box<dyn Game>> {
        let mut capabilities = Capabilities::default();
        C::add(puzzle, objective, &mut capabilities);
        Some(Box::new(PlayedGame {
            puzzle: puzzle.clone(),
            objective,
            states: Box::new(States::<S, L>::new(puzzle.clone(), objective)),
            steps: Box::new(TransitionSteps::<T>::new(puzzle.clone(), objective)),
            capabilities,
        }))
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
            let stepped = puzzle.spend(&state, mv).map_err(|rule| {
                ContinueError::Impossible(puzzle.refusal(&solution, index + 1, rule))
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
    if !P::DRAWN {
        return Some(Err(ContinueError::NotDrawn(P::NAME)));
    }
    let state = puzzle.position_of(&other);
    Some(state.map(|state| puzzle.begun_at(&state)).ok_or(ContinueError::OtherLevel))
}

/// The one implementation of [`Game`].
struct PlayedGame<P> {
    puzzle: Arc<P>,
    objective: Objective,
    states: Box<dyn StateSpace>,
    steps: Box<dyn SingleSteps>,
    capabilities: Capabilities,
}

impl<P: Moves> Game for PlayedGame<P> {
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

    fn states(&self) -> &dyn StateSpace {
        self.states.as_ref()
    }

    fn steps(&self) -> &dyn SingleSteps {
        self.steps.as_ref()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
}
