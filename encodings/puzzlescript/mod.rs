//! PuzzleScript for search and in clauses.
//!
//! The judge plays a turn on the rules as they are compiled for all levels. Search plays the same
//! turns on a game compiled for one level: `analysis` finds out what can happen on it at all
//! (`facts`) and what of that matters (`relevance`); `machine` puts the rest in masks (`program`),
//! plays (`board`, `play`), and keeps what can differ from state to state (`packing`). `bounds` says
//! how far each object still has to go, and `dead` from where the level cannot be won any more. For
//! any plan `features` says what a state looks like from afar (`guide`).
//!
//! In clauses a turn is a circuit over what can be in a cell at the end of turns (`circuit`), made by
//! the same facts. Levels on which rules might go on in circles have none ([`PuzzleScriptMoves`]).

mod analysis;
mod bounds;
mod circuit;
mod dead;
mod features;
mod guide;
mod machine;
mod moves;
mod space;
#[cfg(test)]
mod tests;
mod vars;

pub use features::PuzzleScriptFeatures;
pub use machine::packing::Store;
pub use moves::PuzzleScriptMoves;
pub use space::PuzzleScriptSpace;
pub use vars::{CellCoord, Var};
