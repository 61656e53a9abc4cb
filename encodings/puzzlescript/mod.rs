//! PuzzleScript for search and in clauses.
//!
//! The judge plays a turn on the rules as they are written. Search plays the same turns on a game
//! compiled for one level: `facts` finds out what can happen on it at all, `relevance` what of that
//! matters, `program` puts the rest in masks, `board` and `machine` play, `packing` keeps what can
//! differ from state to state, and `bounds` says how far each object still has to go.
//!
//! In clauses a turn is a circuit over what can be in a cell at the end of turns (`circuit`), made by
//! the same facts. Levels on which rules might go on in circles have none ([`PuzzleScriptMoves`]).

mod board;
mod bounds;
mod cells;
mod circuit;
mod counting;
mod facts;
mod machine;
mod moves;
mod numbering;
mod packing;
mod program;
mod relevance;
mod space;
#[cfg(test)]
mod tests;
mod travel;
mod vars;

pub use moves::PuzzleScriptMoves;
pub use packing::Store;
pub use space::PuzzleScriptSpace;
pub use vars::{CellCoord, Var};
