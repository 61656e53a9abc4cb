//! Formulas as solvers and checkers see them, and the files that hold them.
//!
//! * [`Clauses`], [`ClauseList`]: numbered clauses in memory.
//! * [`dimacs`]: formulas, models and solvers' answers in the formats of the SAT competitions.
//! * [`pseudo_boolean`]: constraints with weights, and their files.
//! * [`dimspec`]: a whole transition system in four sections.
//! * [`wcnf`]: such a system unrolled, with what is to be minimised.

mod clauses;
pub mod dimacs;
pub mod dimspec;
pub mod pseudo_boolean;
pub mod wcnf;

pub use clauses::{ClauseList, Clauses};

use unstuck_encodings::Rule;

/// The goal literals of the last layer.
pub const GOAL: Rule = Rule::defining("goal");

/// Clauses that [`Cuts::missing`](unstuck_encodings::Cuts::missing) found: implied by the
/// puzzle, added when needed.
pub const CUT: Rule = Rule::defining("cut");

/// Clauses that forbid a solution that is known already.
pub const OTHER: Rule = Rule::defining("other-solution");

/// Literals that a question assumes.
pub const ASSUMED: Rule = Rule::defining("assumed");
