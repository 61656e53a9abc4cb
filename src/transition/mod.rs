//! Proofs about single moves, written without a solver.
//!
//! The one-move transition as clauses, and what lists of states say of it, are in the crate
//! `unstuck-check`; what writes the proofs of these formulas is here: [`lrat`], and [`cutting_planes`] for patterns that
//! add up.

pub mod cutting_planes;
mod frames;
mod ladder;
pub mod lrat;

pub use unstuck_check::transition::*;
