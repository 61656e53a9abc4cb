//! SAT solvers behind one small trait.
//!
//! [`Backend`] is all that solving needs: one formula, one answer, within limits. What some solvers
//! can do beyond that is a trait of its own, so that code asks for exactly what it needs:
//!
//! * [`Prover`]: writes a proof while it solves.
//! * [`Incremental`]: keeps a formula that grows and is asked under assumptions.

mod by_name;
#[cfg(feature = "files")]
pub mod external;
mod phase;
mod proof_format;
pub mod varisat;

pub use by_name::{BUILT_IN, from_name, is_built_in};
pub use proof_format::ProofFormat;

use crate::formula::Clauses;
use crate::limits::{Limits, Stop};
use std::fmt;
use std::io::Write;
use unstuck_encodings::{Lit, Model};

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable, with a model.
    Sat(Model),
    /// Unsatisfiable.
    Unsat,
    /// A limit struck first.
    Stopped(Stop),
}

/// An answer, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverResult {
    /// The answer.
    pub answer: Answer,
    /// Conflicts, where the solver reports them.
    pub conflicts: Option<u64>,
}

/// A solver that could not do its work: missing, broken, or contradicting itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendError(pub String);

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BackendError {}

impl fmt::Debug for dyn Backend + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Backend").field(&self.name()).finish()
    }
}

/// A SAT solver.
pub trait Backend: Send + Sync {
    /// Name and, where known, version: reports show it.
    fn name(&self) -> String;

    /// How many formulas it may be given at once.
    fn at_once(&self) -> usize {
        usize::MAX
    }

    /// Decides a formula, and reports how many conflicts that took where the solver says so. Models
    /// near the given one are looked for first, where the solver can.
    ///
    /// # Errors
    /// When the solver cannot run or its answer contradicts itself.
    fn decide(
        &self,
        clauses: &dyn Clauses,
        near: Option<&Model>,
        limits: &Limits,
    ) -> Result<SolverResult, BackendError>;

    /// Decides a formula.
    ///
    /// # Errors
    /// Like [`Backend::decide`].
    fn solve(&self, clauses: &dyn Clauses, limits: &Limits) -> Result<Answer, BackendError> {
        Ok(self.decide(clauses, None, limits)?.answer)
    }

    /// The solver as one that writes proofs, if it can.
    fn prover(&self) -> Option<&dyn Prover> {
        None
    }

    /// The solver as one that keeps formulas, if it can.
    fn incremental(&self) -> Option<&dyn Incremental> {
        None
    }
}

/// A solver that keeps formulas: each grows, and is asked many small questions.
pub trait Incremental: Backend {
    /// A formula without clauses. After a limit has struck it answers nothing any more.
    fn session<'a>(&self, limits: &'a Limits) -> Box<dyn Session + 'a>;
}

/// A formula in a solver that keeps it.
pub trait Session {
    /// Adds a clause; after the empty one there is no model.
    fn add(&mut self, clause: &[Lit]);

    /// Asks whether the clauses have a model in which the assumptions hold.
    ///
    /// # Errors
    /// See [`SessionError`].
    fn ask(&mut self, assumptions: &[Lit]) -> Result<AssumptionAnswer, SessionError>;
}

/// An answer to a question under assumptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssumptionAnswer {
    /// There is a model: its true literals.
    Model(Vec<Lit>),
    /// There is none: assumptions that are enough for that, in no particular order.
    Core(Vec<Lit>),
}

/// Why a question under assumptions has no answer; the session is of no use afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// A limit struck.
    Stopped(Stop),
    /// The solver failed.
    Failed(BackendError),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => stop.fmt(f),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SessionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(error) => Some(error),
            Self::Stopped(_) => None,
        }
    }
}

/// A solver that writes a proof of unsatisfiability.
pub trait Prover: Backend {
    /// The form of its proofs, which a program shows on a small formula; `None` where it wrote none.
    fn format(&self) -> Option<ProofFormat>;

    /// Decides a formula and writes its proof while solving. The proof is worth something only with
    /// the answer [`Answer::Unsat`], and its form is what [`ProofFormat::of`] finds.
    ///
    /// # Errors
    /// Like [`Backend::decide`]; also when the proof cannot be written.
    fn refute(
        &self,
        clauses: &dyn Clauses,
        proof: &mut (dyn Write + Send),
        limits: &Limits,
    ) -> Result<Answer, BackendError>;
}
