//! SAT solvers behind one small trait.
//!
//! [`Backend`] is all that solving needs: one formula, one answer, within limits. What some solvers
//! can do beyond that is a trait of its own ([`Prover`]), so that code asks for exactly what it
//! needs.

#[cfg(feature = "cadical")]
pub mod cadical;
pub mod external;
mod phase;
pub mod varisat;

use crate::formula::Clauses;
use crate::limits::{Limits, Stop};
use std::fmt;
use std::io::Write;
use unstuck_encodings::Model;

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

/// A solver that could not do its work: missing, broken, or contradicting itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendError(pub String);

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BackendError {}

/// The form of a proof on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// DRAT, one line a step.
    Drat,
    /// DRAT in the compact binary form.
    BinaryDrat,
    /// LRAT, one line a step: each lemma names the clauses that imply it.
    Lrat,
}

/// A SAT solver.
pub trait Backend: Send + Sync {
    /// Name and, where known, version: reports show it.
    fn name(&self) -> String;

    /// How many formulas it may be given at once.
    fn at_once(&self) -> usize {
        usize::MAX
    }

    /// Decides a formula.
    ///
    /// # Errors
    /// When the solver cannot run or its answer contradicts itself.
    fn solve(&self, clauses: &dyn Clauses, limits: &Limits) -> Result<Answer, BackendError>;

    /// Decides a formula, and tells how many conflicts that took where the solver says so.
    ///
    /// # Errors
    /// Like [`Backend::solve`].
    fn solve_counting(
        &self,
        clauses: &dyn Clauses,
        limits: &Limits,
    ) -> Result<(Answer, Option<u64>), BackendError> {
        Ok((self.solve(clauses, limits)?, None))
    }

    /// Decides a formula, looking for models near a given assignment first where the solver can.
    ///
    /// # Errors
    /// Like [`Backend::solve`].
    fn solve_near(
        &self,
        clauses: &dyn Clauses,
        _near: &Model,
        limits: &Limits,
    ) -> Result<(Answer, Option<u64>), BackendError> {
        self.solve_counting(clauses, limits)
    }

    /// The solver as one that writes proofs, if it can.
    fn prover(&self) -> Option<&dyn Prover> {
        None
    }
}

/// A solver that writes a proof of unsatisfiability.
pub trait Prover: Backend {
    /// The formats that it can write, the preferred one first.
    fn formats(&self) -> &'static [ProofFormat];

    /// Decides a formula and writes its proof while solving. The proof is worth something only
    /// with the answer [`Answer::Unsat`].
    ///
    /// # Errors
    /// Like [`Backend::solve`]; also when the proof cannot be written, or not in this format.
    fn refute(
        &self,
        clauses: &dyn Clauses,
        format: ProofFormat,
        proof: &mut (dyn Write + Send),
        limits: &Limits,
    ) -> Result<Answer, BackendError>;
}

/// The backend of a name or command template, as given on the command line.
///
/// # Errors
/// When the template is empty or quoted wrongly.
pub fn from_name(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    match name {
        "varisat" => Ok(Box::new(varisat::Varisat)),
        #[cfg(feature = "cadical")]
        "cadical" => Ok(Box::new(cadical::Cadical)),
        template => Ok(Box::new(external::External::new(template)?)),
    }
}
