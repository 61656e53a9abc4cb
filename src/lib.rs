//! unstuck solves grid puzzles with a SAT solver: it finds a solution, proves that none is
//! shorter, or proves that there is none.
//!
//! Data flows one way: [`registry`] finds the family of a text and reads its levels; an
//! [`instance::Instance`] joins one puzzle with its encoding and search space; [`mod@solve`] asks
//! [`backend`]s and [`search`] until a verdict stands; only an instance can make a
//! [`instance::Verified`] solution, and only those are reported.

pub mod advice;
pub mod backend;
#[cfg(feature = "files")]
pub mod certificate;
#[cfg(feature = "cli")]
pub mod cli;
pub mod closed;
pub mod feature_search;
pub mod formula;
pub mod instance;
pub mod invariant;
pub mod laws;
pub mod limits;
pub mod machine;
pub mod proof;
pub mod registry;
pub mod report;
pub mod search;
pub mod solve;
pub mod transition;
