//! What a game with moves has beyond its formulas.

use super::capability::Capabilities;
use super::states::StateSpace;
use super::steps::SingleSteps;
use unstuck_puzzles::pieces::Coord;
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

/// A game with moves. Only such puzzles have one ([`super::Instance::moves`]).
pub trait Game: Send + Sync {
    /// Plays moves as far as they are legal.
    ///
    /// # Errors
    /// When the text is no list of moves.
    fn position(&self, moves: &str) -> Result<GamePosition, ParseError>;

    /// Moves that a person means who points, after the moves of a position; `None` when there is
    /// no way, or finding it would take long.
    fn ways(&self, position: &GamePosition, pointed: PointerTarget) -> Option<String>;

    /// The objective that questions about the game count: where any plan will do, the family's first.
    fn asked(&self) -> Objective;

    /// Its states, to be searched and closed under moves.
    fn states(&self) -> &dyn StateSpace;

    /// Its single steps, to be said in formulas.
    fn steps(&self) -> &dyn SingleSteps;

    /// What else the family has.
    fn capabilities(&self) -> &Capabilities;
}
