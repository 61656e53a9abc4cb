//! Why a list is no closed set.

use crate::limits::Stop;
use std::fmt;

/// Why a list proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClosedSetError {
    /// It is not closed, or says nothing of the start, or is no list of this puzzle.
    Refused(String),
    /// A limit struck.
    Stopped(Stop),
}

impl fmt::Display for ClosedSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) => f.write_str(reason),
            Self::Stopped(stop) => write!(f, "checking the closed set was stopped: {stop}"),
        }
    }
}

impl std::error::Error for ClosedSetError {}

impl From<Stop> for ClosedSetError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}
