//! SAT solvers behind one small trait.
//!
//! [`Backend`] is all that solving needs: one formula, one answer, within limits. What some solvers
//! can do beyond that is a trait of its own ([`Prover`]), so that code asks for exactly what it
//! needs.

#[cfg(feature = "cadical")]
pub mod cadical;
pub mod external;
pub mod varisat;

use crate::limits::{Limits, Stop};
use std::fmt;
use std::io::Write;
use unstuck_encodings::{Lit, Model};

/// A formula as a solver sees it.
pub trait Clauses: Sync {
    /// Number of variables; they are numbered from 1.
    fn variables(&self) -> usize;

    /// Number of clauses.
    fn len(&self) -> usize;

    /// Whether there is no clause.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A clause by its number, from 0.
    fn clause(&self, index: usize) -> &[Lit];
}

/// A formula in which the variables that are true in a model are turned round, so that a solver
/// that tries *false* first begins near the model.
struct Turned<'a> {
    near: &'a Model,
    variables: usize,
    lits: Vec<Lit>,
    /// For each clause the end of its literals.
    ends: Vec<usize>,
}

impl<'a> Turned<'a> {
    fn new(clauses: &dyn Clauses, near: &'a Model) -> Self {
        let mut turned =
            Self { near, variables: clauses.variables(), lits: Vec::new(), ends: Vec::new() };
        for index in 0..clauses.len() {
            let clause = clauses.clause(index).iter();
            let lits: Vec<Lit> = clause.map(|&lit| turned.turn(lit)).collect();
            turned.lits.extend(lits);
            turned.ends.push(turned.lits.len());
        }
        turned
    }

    /// The literal in place of another; turning twice gives the literal itself.
    fn turn(&self, lit: Lit) -> Lit {
        let positive = if lit.is_positive() { lit } else { !lit };
        if self.near.holds(positive) { !lit } else { lit }
    }

    /// What an answer says of the original formula.
    fn back(&self, answer: Answer) -> Answer {
        match answer {
            Answer::Sat(model) => {
                let lits = model.lits().map(|lit| self.turn(lit));
                Answer::Sat(Model::new(self.variables, lits))
            }
            other => other,
        }
    }
}

impl Clauses for Turned<'_> {
    fn variables(&self) -> usize {
        self.variables
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn clause(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lits[start..self.ends[index]]
    }
}

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
