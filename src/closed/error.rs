//! Why there is no closed set.

use crate::limits::Stop;
use std::fmt;

/// Why there is no closed set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClosureError {
    /// A limit struck.
    Stopped(Stop),
    /// There is a solution within the budget: the claim is false.
    Solvable,
    /// The puzzle does not fit into the family's packed states, and without them there is no
    /// bound to use.
    NoBound,
}

impl fmt::Display for ClosureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => write!(f, "closing was stopped: {stop}"),
            Self::Solvable => f.write_str("there is a solution within the budget"),
            Self::NoBound => f.write_str("the family has no bound to use"),
        }
    }
}

impl std::error::Error for ClosureError {}

impl From<Stop> for ClosureError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}
