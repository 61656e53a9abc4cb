//! Why there is no invariant.

use crate::backend::SessionError;
use crate::limits::Stop;
use std::fmt;
use unstuck_encodings::EncodeError;

/// Why there is no invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvariantError {
    /// A limit struck.
    Stopped(Stop),
    /// A solved state can be reached: the claim is false.
    Solvable,
    /// There are more states than these that would have to be looked at.
    TooMany(usize),
    /// The transition does not lend itself to it, or the solver failed.
    Unfit(String),
}

impl fmt::Display for InvariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => write!(f, "the search for an invariant was stopped: {stop}"),
            Self::Solvable => f.write_str("there is a solution"),
            Self::TooMany(states) => write!(f, "more than {states} states would have to be shown"),
            Self::Unfit(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for InvariantError {}

impl From<EncodeError> for InvariantError {
    fn from(EncodeError(reason): EncodeError) -> Self {
        Self::Unfit(reason)
    }
}

impl From<SessionError> for InvariantError {
    fn from(halt: SessionError) -> Self {
        match halt {
            SessionError::Stopped(stop) => Self::Stopped(stop),
            SessionError::Failed(error) => Self::Unfit(error.to_string()),
        }
    }
}

impl From<Stop> for InvariantError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}
