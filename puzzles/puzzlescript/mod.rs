//! PuzzleScript: games whose rules are written in a file.
//!
//! The crate [`puzzlescript`] reads games and plays them; here a level of a game is a puzzle.

mod drawing;
mod parts;
mod puzzle;
mod sample;
mod solution;

#[cfg(test)]
mod tests;

pub use ::puzzlescript::{
    CellPattern, Command, Direction, Game, Group, Input, Key, Kind, Map, Mask, NoEnd, Object,
    Pattern, Quantifier, Replacement, Rule, Session, Settings, Stage, State, Tick, WinCondition,
    headings, sniff,
};
pub use puzzle::PuzzleScript;
pub use solution::Inputs;

use crate::error::ParseError;

impl From<::puzzlescript::ParseError> for ParseError {
    fn from(error: ::puzzlescript::ParseError) -> Self {
        let ::puzzlescript::ParseError { line, column, message, help } = error;
        Self { line, column, message, help }
    }
}
