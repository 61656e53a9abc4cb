//! PuzzleScript for search and, one day, in clauses.
//!
//! Levels are searched by the rules themselves ([`crate::PlainSpace`]). A turn is not yet put into
//! clauses: the encoding refuses every level ([`PuzzleScriptMoves`]).

mod moves;

pub use moves::PuzzleScriptMoves;
