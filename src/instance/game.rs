//! What a game with moves has beyond its formulas.

use super::capability::Capabilities;
use super::states::StateSpace;
use super::steps::SingleSteps;
use std::collections::BTreeSet;
use unstuck_puzzles::pieces::Coord;
use unstuck_puzzles::scene::Figure;
use unstuck_puzzles::{Objective, ParseError, Tally, Violation};

/// Where a game stands after some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    /// The legal moves, in the family's notation.
    pub moves: String,
    /// Their length.
    pub tally: Tally,
    /// Whether the game is won here.
    pub solved: bool,
    /// The first move that is not possible, if any.
    pub stop: Option<Violation>,
}

/// What a person points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerTarget {
    /// A place to walk to.
    Walk(Coord),
    /// A piece, and the place to which it is dragged.
    Drag(Coord, Coord),
}

/// Where a session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    /// Moves that a person means who points, after the first `at` moves; `None` when there is no
    /// way, or finding it would take long.
    fn ways(&self, at: usize, pointed: PointerTarget) -> Option<String>;
}

/// A game with moves. Only such puzzles have one ([`super::Instance::moves`]).
pub trait Game: Send + Sync {
    /// Plays moves as far as they are legal.
    ///
    /// # Errors
    /// When the text is no list of moves.
    fn position(&self, moves: &str) -> Result<GamePosition, ParseError>;

    /// A session at the start of the game.
    fn session(&self) -> Box<dyn GameSession>;

    /// The objective that questions about the game count: where any plan will do, the family's first.
    fn asked(&self) -> Objective;

    /// The lines that have rules, where the rules of the game are written in a file.
    fn rule_lines(&self) -> Option<BTreeSet<usize>>;

    /// Its states, to be searched and closed under moves.
    fn states(&self) -> &dyn StateSpace;

    /// Its single steps, to be said in formulas.
    fn steps(&self) -> &dyn SingleSteps;

    /// What else the family has.
    fn capabilities(&self) -> &Capabilities;
}
