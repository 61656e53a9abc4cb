//! Why there is no verdict at all.

use crate::advice::Advice;
use crate::backend::BackendError;
use crate::instance::{FormulaError, RejectedAnswerError};
use crate::limits::Stop;
use std::fmt;
use unstuck_puzzles::Objective;

/// Why there is no verdict at all.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// The solver could not run, or contradicted itself.
    Backend(BackendError),
    /// An internal error. The formula and the model are kept for a report, as DIMACS.
    Fault {
        /// What the check said.
        fault: RejectedAnswerError,
        /// The formula as DIMACS text and the model's literals, when a model was refused.
        formula: Option<(String, String)>,
    },
    /// A family without moves, named here, cannot be searched.
    NoMoves(&'static str),
    /// A family with moves, named here, has no search, or none of this kind.
    NotSearched(&'static str),
    /// There are no pieces that may be dropped, or too many, in this family and under this
    /// objective.
    NoPieces(&'static str, Objective),
    /// The question has a horizon, of which an engine can say nothing.
    Bounded,
    /// A family, named here, has no features.
    NoFeatures(&'static str),
    /// A family, named here, cannot be played backwards, or not so that this objective counts.
    NoEnd(&'static str, Objective),
    /// Questions about single steps are not asked: they need lengths in moves, all rules, and a
    /// solver that keeps formulas.
    NoSteps,
    /// The encoding refuses the puzzle, and why.
    NotEncoded(String),
    /// Work is to be counted, which something, named here, does not do.
    Uncounted(&'static str),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backend(error) => error.fmt(f),
            Self::Fault { fault, .. } => write!(f, "internal error: {fault}"),
            Self::NoPieces(family, objective) => {
                let objective = objective.name();
                write!(f, "{family} under `{objective}` has no pieces to drop, or too many")
            }
            Self::NoFeatures(family) => write!(f, "{family} has no features to search by"),
            Self::NoEnd(family, objective) => {
                write!(f, "{family} is not searched from its end under `{}`", objective.name())
            }
            Self::Uncounted(what) => write!(f, "{what} has no limit of states"),
            Self::Bounded => f.write_str("the question has a horizon"),
            Self::NoSteps => f.write_str("questions about single steps are not asked here"),
            Self::NotEncoded(reason) => write!(f, "no formula says this level: {reason}"),
            Self::NoMoves(family) => write!(f, "{family} has no moves to search through"),
            Self::NotSearched(family) => write!(f, "{family} is not searched in this way"),
        }
    }
}

impl std::error::Error for SolveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Backend(error) => Some(error),
            Self::Fault { fault, .. } => Some(fault),
            _ => None,
        }
    }
}

impl SolveError {
    /// An answer that the rules refuse: an internal error.
    pub(crate) fn refused(fault: RejectedAnswerError) -> Self {
        Self::Fault { fault, formula: None }
    }

    /// The limit that struck while a formula was compiled.
    ///
    /// # Errors
    /// Where the encoding refuses the puzzle.
    pub(crate) fn stopped(error: FormulaError) -> Result<Stop, Self> {
        match error {
            FormulaError::Stopped(stop) => Ok(stop),
            FormulaError::Refused(reason) => Err(Self::NotEncoded(reason)),
        }
    }

    /// The way out, where there is one.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::NoMoves(_) | Self::NoPieces(..) => Some(Advice::SatEngine),
            _ => None,
        }
    }
}
