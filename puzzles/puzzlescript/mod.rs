//! PuzzleScript: games whose rules are written in a file.
//!
//! The crate [`puzzlescript`](puzzlescript_engine) reads games and plays them; here a level of a
//! game is a puzzle.

mod drawing;
mod parts;
mod puzzle;
mod sample;
mod solution;

#[cfg(test)]
mod tests;

pub use puzzle::PuzzleScript;
pub use puzzlescript_engine::{
    CellPattern, Command, Direction, Game, Group, Input, Key, Kind, Map, Mask, NoEnd, Object,
    Pattern, Quantifier, Replacement, Rule, Session, Settings, Stage, State, Tick, WinCondition,
    bits, headings, sniff,
};
pub use solution::Inputs;

use crate::error::ParseError;

impl From<puzzlescript_engine::ParseError> for ParseError {
    fn from(error: puzzlescript_engine::ParseError) -> Self {
        let puzzlescript_engine::ParseError { line, column, message, help } = error;
        Self { line, column, message, help }
    }
}
