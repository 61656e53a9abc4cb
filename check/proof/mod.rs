//! Proofs of unsatisfiability: checking them.
//!
//! Certificates rest on one form, LRAT in which every lemma follows by unit propagation through
//! the clauses that it names, and on one checker, [`lrat`]: small, and linear in the proof.
//!
//! [`veripb`] writes the same proofs in another checker's format. [`cutting_planes`] checks proofs in
//! that format which add constraints, as clauses cannot.
//!
//! The checker shares no code with any solver, and reads proofs as a stream: memory holds the
//! clauses that are alive, never the proof. What a file claims reserves no memory: literals are
//! those of the formula, and everything else grows with the bytes that were read.

pub mod clock;
pub mod cutting_planes;
pub mod lrat;
pub mod tokens;
pub mod veripb;

use crate::limits::Stop;
use std::fmt;
use std::io;

/// Most clauses of a step that are shown where it does not hold.
const TRACED: usize = 90;

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofError {
    /// A step of the proof does not hold, or is no step at all.
    Refused {
        /// Line of the file, from 1, where the proof is text.
        line: Option<u64>,
        /// Number of the step, from 1.
        step: u64,
        /// What is wrong with it, as one sentence without a full stop.
        reason: String,
        /// The step, what it names and what followed from that, in lines; empty where it is no step.
        trace: String,
    },
    /// The proof ends without the empty clause: it refutes nothing.
    Unfinished {
        /// Number of steps that were read.
        steps: u64,
    },
    /// The proof cannot be read or written.
    Io(String),
    /// A limit struck.
    Stopped(Stop),
}

impl ProofError {
    /// The same with what is to be known of the step.
    #[must_use]
    fn traced(mut self, lines: String) -> Self {
        if let Self::Refused { trace, .. } = &mut self {
            *trace = lines;
        }
        self
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { line: Some(line), reason, .. } => write!(f, "line {line}: {reason}"),
            Self::Refused { line: None, step, reason, .. } => write!(f, "step {step}: {reason}"),
            Self::Unfinished { steps } => {
                write!(f, "the proof ends after {steps} steps without the empty clause")
            }
            Self::Io(reason) => write!(f, "the proof cannot be read or kept: {reason}"),
            Self::Stopped(stop) => write!(f, "checking the proof was stopped: {stop}"),
        }
    }
}

impl std::error::Error for ProofError {}

impl From<io::Error> for ProofError {
    fn from(error: io::Error) -> Self {
        Self::Io(error.to_string())
    }
}

impl From<Stop> for ProofError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// What an accepted proof took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofStats {
    /// Lemmas that were checked, the empty clause included.
    pub lemmas: u64,
    /// All steps, deletions included.
    pub steps: u64,
}
