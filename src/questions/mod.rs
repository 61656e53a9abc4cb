//! What people ask about a level beyond its solution.
//!
//! A player asks what to do next ([`hint`]) and where a game went wrong ([`diagnose`]); a designer
//! asks how many ways there are ([`enumerate`]). All of them are answered from an
//! [`Analysis`](analysis::Analysis), so that no question knows a puzzle, and none says less than the
//! solver; each answer says what was shown and what was not.

pub use crate::atlas::{Action, Atlas, CostToGo, Playthrough};

pub mod analysis;
pub mod diagnose;
pub mod difficulty;
pub mod enumerate;
pub mod explain;
pub mod forced;
pub mod forced_pushes;
pub mod hint;
pub mod needed;
pub mod reasons;
pub mod rules;
pub mod sentences;
