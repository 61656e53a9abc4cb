//! The typed variables of the PuzzleScript encoding.

pub use crate::cell_coord::CellCoord;

use std::fmt;
use unstuck_puzzles::puzzlescript::Input;

/// A statement about one layer, or about the step from it to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// An object, by its bit in the game, is in this cell.
    Object(u32, CellCoord),
    /// The input of this step.
    Go(Input),
    /// Something happens in this step: it is not idle.
    Busy,
    /// The level is won.
    Won,
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(object, cell) => write!(f, "object{object}({cell})"),
            Self::Go(input) => write!(f, "go({})", input.letter()),
            Self::Busy => f.write_str("busy"),
            Self::Won => f.write_str("won"),
        }
    }
}
