//! What is to be proved, how, and why it may fail.

use super::Claim;
use crate::advice::Advice;
use crate::backend::BackendError;
use crate::instance::{FormulaError, Instance, Verified};
use crate::limits::Stop;
use std::fmt;
use std::io;
use unstuck_puzzles::constraints::Constraints;

/// Which evidence is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// The strongest that can be had.
    #[default]
    Auto,
    /// The refutation of a horizon.
    Horizon,
    /// A closed set.
    Closed,
    /// What leads to the end: where a game can be played backwards.
    Backwards,
    /// An invariant: for puzzles without any solution.
    Invariant,
    /// Dead patterns: where pieces may be dropped.
    Patterns,
}

/// Whether closed sets may rest on the family's bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoundUse {
    /// Only when the list would be too long without it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to prove.
#[derive(Clone, Debug, Default)]
pub struct ProofOptions {
    /// Which evidence.
    pub wanted: EvidenceKind,
    /// The bound in closed sets.
    pub use_bound: BoundUse,
    /// Write the formulas of a closed set and their LRAT proofs.
    pub lrat: bool,
    /// Write the formulas and proofs in VeriPB's format: those of dead patterns in this format alone,
    /// all others as LRAT, too.
    pub veripb: bool,
    /// Replace a certificate that exists.
    pub force: bool,
}

impl ProofOptions {
    /// Whether formulas and their proofs are wanted, and not a list alone.
    pub(super) fn with_proofs(&self) -> bool {
        self.lrat || self.veripb
    }
}

/// What is to be proved, of which puzzle.
pub struct ProofTask<'a> {
    /// The puzzle.
    pub instance: &'a dyn Instance,
    /// Its text.
    pub text: &'a str,
    /// The claim.
    pub claim: Claim,
    /// The solution, where the claim has one.
    pub solution: Option<&'a Verified>,
    /// The moves after which the claim holds, where the instance is the puzzle after moves.
    pub after: &'a str,
    /// What must not happen, and what must; an instance without moves has them as its rules already
    /// (see [`Instance::constrained`]).
    pub constraints: Constraints,
}

impl<'a> ProofTask<'a> {
    /// A claim about a puzzle that was read from a text, and that no solution is part of.
    pub fn new(instance: &'a dyn Instance, text: &'a str, claim: Claim) -> Self {
        let constraints = Constraints::default();
        Self { instance, text, claim, solution: None, after: "", constraints }
    }

    /// The same with the solution that the claim speaks of.
    #[must_use]
    pub fn with_solution(self, solution: &'a Verified) -> Self {
        Self { solution: Some(solution), ..self }
    }
}

/// Why there is no certificate.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProveError {
    /// A limit struck.
    Stopped(Stop),
    /// This kind of evidence cannot be had for the claim.
    Unfit {
        /// Why not, as one sentence without a full stop.
        reason: String,
        /// What can be had instead.
        advice: Option<Advice>,
    },
    /// The solver failed.
    Backend(BackendError),
    /// Something is there already that was not to be replaced.
    Exists,
    /// A file cannot be written.
    Io(io::Error),
    /// The claim is false: its formula has a model.
    False,
    /// The certificate did not pass its own check, or the claim is false: an internal error.
    Fault(String),
}

impl From<io::Error> for ProveError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Stop> for ProveError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<FormulaError> for ProveError {
    fn from(error: FormulaError) -> Self {
        match error {
            FormulaError::Stopped(stop) => Self::Stopped(stop),
            FormulaError::Refused(reason) => unfit(reason, Advice::ClosedSet),
        }
    }
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => write!(f, "no certificate: {stop}"),
            Self::False => f.write_str("the claim is false: the formula has a model"),
            Self::Unfit { reason, .. } | Self::Fault(reason) => f.write_str(reason),
            Self::Backend(error) => error.fmt(f),
            Self::Exists => f.write_str("already exists"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Backend(error) => Some(error),
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl ProveError {
    /// The way out, where there is one.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::Unfit { advice, .. } => *advice,
            Self::Exists => Some(Advice::Replace),
            _ => None,
        }
    }
}

/// Evidence that cannot be had, and what can be had instead.
pub(super) fn unfit(reason: impl Into<String>, advice: impl Into<Option<Advice>>) -> ProveError {
    ProveError::Unfit { reason: reason.into(), advice: advice.into() }
}
