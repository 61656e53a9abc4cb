//! Why formulas or their proofs cannot be written.

use crate::limits::Stop;
use std::fmt;
use std::io;
use unstuck_encodings::EncodeError;

/// Why the formulas or their proofs cannot be written.
#[derive(Debug)]
pub enum WriteError {
    /// The list does not lend itself to it.
    Unfit(String),
    /// A limit struck.
    Stopped(Stop),
    /// The files cannot be written.
    Io(io::Error),
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Unfit(_) | Self::Stopped(_) => None,
        }
    }
}

impl From<EncodeError> for WriteError {
    fn from(EncodeError(reason): EncodeError) -> Self {
        Self::Unfit(reason)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Stop> for WriteError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(reason) => f.write_str(reason),
            Self::Stopped(stop) => stop.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

/// The error that a list does not lend itself to it, and why.
pub fn unfit(reason: impl Into<String>) -> WriteError {
    WriteError::Unfit(reason.into())
}
