//! Why a certificate is not accepted.

use crate::advice::Advice;
use crate::instance::FormulaError;
use crate::limits::Stop;

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckError {
    /// It is wrong.
    Invalid {
        /// The first thing that fails.
        reason: String,
        /// The step of a proof that fails, with what it names, in lines; else empty.
        trace: String,
    },
    /// It cannot be judged: a file that cannot be read, a checker that is not there.
    Unable(String),
    /// It was written with another version of the encoding, or of this program.
    OtherVersion(String),
    /// There are no proof files for this outside checker.
    NoProofs(String),
    /// A limit struck.
    Stopped(Stop),
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Invalid { reason, .. } | Self::Unable(reason) | Self::OtherVersion(reason) => {
                f.write_str(reason)
            }
            Self::NoProofs(program) => write!(f, "there are no proof files for `{program}`"),
            Self::Stopped(stop) => write!(f, "stopped: {stop}"),
        }
    }
}

impl std::error::Error for CheckError {}

impl CheckError {
    /// The way out, where there is one.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::NoProofs(_) => Some(Advice::WithFormulas),
            Self::OtherVersion(_) => Some(Advice::ProveAgain),
            _ => None,
        }
    }
}

/// Why a certificate is invalid, as programs say it; with the failed step where that is asked for.
pub fn why(reason: String, trace: &str, is_asked: bool) -> String {
    if is_asked && !trace.is_empty() { format!("{reason}\n{}", trace.trim_end()) } else { reason }
}

impl From<FormulaError> for CheckError {
    fn from(error: FormulaError) -> Self {
        match error {
            FormulaError::Stopped(stop) => Self::Stopped(stop),
            FormulaError::Refused(reason) => invalid(reason),
        }
    }
}

impl From<Stop> for CheckError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

pub(super) fn invalid(reason: impl Into<String>) -> CheckError {
    CheckError::Invalid { reason: reason.into(), trace: String::new() }
}
