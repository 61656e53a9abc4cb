//! A game under a person's hand.

use crate::error::{ParseError, Violation};
use crate::moves::Moves;
use crate::objective::Tally;
use crate::pieces::Coord;
use crate::play::Play;
use crate::pointing;
use crate::scene::Figure;
use serde::Serialize;
use std::sync::Arc;

/// What a person points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerTarget {
    /// A place to walk to.
    Walk(Coord),
    /// A piece, and the place to which it is dragged.
    Drag(Coord, Coord),
}

/// Where a session stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(rename = "Position"))]
pub struct SessionPosition {
    /// Moves made so far.
    pub at: usize,
    /// Their length.
    pub tally: Tally,
    /// Whether the game is won here.
    pub solved: bool,
    /// What moves or changes, to be drawn.
    pub figures: Vec<Figure>,
}

/// A game under a person's hand. It keeps the positions that were passed, so that a move costs one
/// step, however many were made before.
pub trait GameSession: Send {
    /// Drops what was made after the first `at` moves (or fewer, if there are not so many), then
    /// plays on as far as that is legal; the moves that were made, in the family's notation, and
    /// the first one that is not possible.
    ///
    /// # Errors
    /// When the text is no list of moves.
    fn play(&mut self, at: usize, moves: &str) -> Result<(String, Option<Violation>), ParseError>;

    /// The position after the first `at` moves, or after all where there are fewer.
    fn view(&self, at: usize) -> SessionPosition;

    /// What moves or changes, at each state that the last move passed before it came to its end: see
    /// [`GameExtras::passed`](crate::game_extras::GameExtras::passed).
    fn passed(&self) -> Vec<Vec<Figure>>;

    /// Moves that a person means who points, after the first `at` moves; `None` when there is no
    /// way, or finding it would take long.
    fn ways(&self, at: usize, pointed: PointerTarget) -> Option<String>;

    /// The places to which the piece on a place can be dragged after the first `at` moves; not all
    /// of them where finding them would take long.
    fn reached(&self, at: usize, piece: Coord) -> Vec<Coord>;
}

/// The one implementation of [`GameSession`].
pub struct PlayedSession<P: Moves> {
    puzzle: Arc<P>,
    /// The position and the length of the game before the first move and after each.
    passed: Vec<(P::State, Tally)>,
    /// The move that was made last.
    last: Option<P::Move>,
}

impl<P: Moves> PlayedSession<P> {
    /// A session at the start of the game.
    pub fn new(puzzle: Arc<P>) -> Self {
        let begun = (puzzle.start(), Tally::default());
        Self { puzzle, passed: vec![begun], last: None }
    }

    fn after(&self, at: usize) -> &(P::State, Tally) {
        &self.passed[at.min(self.passed.len() - 1)]
    }
}

impl<P: Moves> GameSession for PlayedSession<P> {
    fn play(&mut self, at: usize, moves: &str) -> Result<(String, Option<Violation>), ParseError> {
        // Notation may depend on the position (Sokoban writes pushes in capitals).
        let here = self.puzzle.begun_at(&self.after(at).0);
        let solution = here.read_solution(moves)?;
        let plan = here.plan(&solution);
        self.passed.truncate(at + 1);
        self.last = None;
        let (mut made, mut stop) = (0, None);
        for &mv in &plan {
            let (state, before) = self.after(usize::MAX);
            match here.step(state, mv) {
                Ok(stepped) => {
                    let tally = *before + stepped.tally;
                    self.passed.push((stepped.state, tally));
                    self.last = Some(mv);
                }
                Err(rule) => {
                    stop = Some(here.refusal(&solution, made + 1, rule));
                    break;
                }
            }
            made += 1;
        }
        Ok((here.solution(&plan[..made]).to_string(), stop))
    }

    fn view(&self, at: usize) -> SessionPosition {
        let at = at.min(self.passed.len() - 1);
        let (state, tally) = self.after(at);
        SessionPosition {
            at,
            tally: *tally,
            solved: self.puzzle.is_goal(state),
            figures: self.puzzle.figures(state),
        }
    }

    fn passed(&self) -> Vec<Vec<Figure>> {
        let ([.., (before, _), _], Some(mv)) = (self.passed.as_slice(), self.last) else {
            return Vec::new();
        };
        let states = (P::GAME.passed)(&self.puzzle, before, mv);
        states.iter().map(|state| self.puzzle.figures(state)).collect()
    }

    fn ways(&self, at: usize, pointed: PointerTarget) -> Option<String> {
        let from = &self.after(at).0;
        let here = self.puzzle.begun_at(from);
        let ways = match pointed {
            PointerTarget::Walk(to) => pointing::walk(&here, from, to),
            PointerTarget::Drag(piece, to) => pointing::drag(&here, from, piece, to),
        };
        Some(here.solution(&ways?).to_string())
    }

    fn reached(&self, at: usize, piece: Coord) -> Vec<Coord> {
        let from = &self.after(at).0;
        pointing::reached(&self.puzzle.begun_at(from), from, piece)
    }
}
