//! Refutations by a solver: of horizons, and of the formulas of invariants.

use super::claim::{BlockingError, NoMovesToken};
use super::derive::derive;
use super::evidence::Writer;
use super::proof_task::{ProveError, unfit};
use super::{Evidence, MODEL, PuzzleClaim, Refutation, refutations};
use crate::advice::Advice;
use crate::backend::{Answer, Prover};
use crate::formula::{Clauses, dimacs};
use crate::instance::{Formula, Question};
use crate::limits::Monitor;
use crate::solve::Request;
use crate::transition::Budget;
use std::io::Write;
use unstuck_encodings::{Filter, Model};

impl<'a> Writer<'a, '_> {
    /// Refutes a horizon, and where a tie-break is claimed one more with a cap on that.
    pub(super) fn horizon(&mut self, excluded: Budget) -> Result<Evidence, ProveError> {
        let instance = self.task.instance;
        let horizon = match excluded {
            Budget::Within(horizon) | Budget::Tied(horizon, _) => horizon,
            Budget::Any => instance.encoded().completeness_threshold().ok_or_else(|| {
                unfit("no horizon shows that there is no solution at all", Advice::ClosedSet)
            })?,
        };
        let tie = excluded.second();
        for Refutation { name, question } in refutations(horizon, tie) {
            (self.say)(&format!("compiling {name}"));
            let mut formula = instance.formula_within(&question, &self.request.limits)?;
            if let PuzzleClaim::Unique(moveless) = self.claimed {
                self.block(moveless, formula.as_mut())?;
            }
            self.refute(formula.as_mut(), &name)?;
            let name = format!("{name}.cnf");
            self.draft
                .file(&name, |out| dimacs::write_cnf(out, formula.as_ref(), formula.names()))?;
        }
        Ok(Evidence::Horizon { horizon, tie })
    }

    /// Forbids the known solution, and keeps the model that stands for it.
    fn block(
        &mut self,
        moveless: NoMovesToken,
        formula: &mut dyn Formula,
    ) -> Result<(), ProveError> {
        let solution = self.task.solution.expect("a claim of uniqueness has a solution");
        let model = self.model(formula)?;
        moveless.block(formula, &model, solution).map_err(|error| match error {
            BlockingError::Meaningless(fault) => ProveError::Fault(fault),
            BlockingError::Another => ProveError::Fault("there are two solutions".to_owned()),
            BlockingError::Inseparable => unfit("solutions cannot be distinguished", None),
        })?;
        self.draft.file(MODEL, |out| write_model(out, &model))?;
        Ok(())
    }

    /// A model of the formula that means a solution. The cuts that it takes go into a copy.
    fn model(&mut self, formula: &dyn Formula) -> Result<Model, ProveError> {
        let question = Question { filter: Filter::defining(), ..Question::default() };
        let mut cut = self.task.instance.formula_within(&question, &self.request.limits)?;
        debug_assert_eq!(cut.len(), formula.len());
        loop {
            let answer = self.request.backend.solve(cut.as_ref(), &self.request.limits);
            match answer.map_err(ProveError::Backend)? {
                Answer::Stopped(stop) => return Err(ProveError::Stopped(stop)),
                Answer::Unsat => return Err(ProveError::Fault("there is no solution".to_owned())),
                Answer::Sat(model) if cut.refine(&model) == 0 => return Ok(model),
                Answer::Sat(_) => {}
            }
        }
    }

    /// Refutes a formula by one-shot runs, each with its proof; a model that means no solution adds
    /// the clauses that it lacks, and the next run starts over.
    fn refute(&mut self, formula: &mut dyn Formula, name: &str) -> Result<(), ProveError> {
        while let Answer::Sat(model) = self.refutation(formula, name)? {
            if formula.refine(&model) == 0 {
                return Err(ProveError::False);
            }
            (self.say)("a model without meaning: clauses added");
        }
        Ok(())
    }

    /// One run of the solver on a formula; its proof, turned into LRAT and trimmed, goes into the
    /// file of that name.
    pub(super) fn refutation(
        &mut self,
        formula: &dyn Clauses,
        name: &str,
    ) -> Result<Answer, ProveError> {
        let prover = self.prover()?;
        (self.say)(&format!(
            "{} on {name}: {} variables, {} clauses",
            prover.name(),
            formula.variables(),
            formula.len()
        ));
        let limits = &self.request.limits;
        let mut proof = self.draft.scratch()?;
        let answer = prover.refute(formula, &mut proof, limits);
        match answer.map_err(ProveError::Backend)? {
            Answer::Stopped(stop) => return Err(ProveError::Stopped(stop)),
            Answer::Sat(model) => return Ok(Answer::Sat(model)),
            Answer::Unsat => {}
        }
        proof.flush()?;
        let mut monitor = Monitor::new(limits, &mut *self.say);
        let derived = derive(formula, proof.as_mut(), prover, &mut monitor)?;
        self.draft.file(&format!("{name}.lrat"), |out| derived.write(out))?;
        Ok(Answer::Unsat)
    }

    /// The solver as one that writes proofs.
    fn prover(&self) -> Result<&'a dyn Prover, ProveError> {
        let request: &'a Request = self.request;
        let backend = request.backend.as_ref();
        backend.prover().ok_or_else(|| {
            unfit(format!("`{}` writes no proofs", backend.name()), Advice::ProvingSolver)
        })
    }
}

/// A model, as solvers print it.
pub(super) fn write_model(mut out: impl Write, model: &Model) -> std::io::Result<()> {
    writeln!(out, "s SATISFIABLE")?;
    write!(out, "v")?;
    model.lits().try_for_each(|lit| write!(out, " {lit}"))?;
    writeln!(out, " 0")
}
