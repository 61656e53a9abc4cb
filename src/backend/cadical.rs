//! CaDiCaL 3, built in with the cargo feature `cadical` (needs a C++ compiler).
//!
//! It can be interrupted, writes DRAT or LRAT (with hints, so that checking is linear), begins near a
//! given model, and keeps formulas that are asked under assumptions.

use super::{
    Answer, AssumptionAnswer, Backend, BackendError, Incremental, ProofFormat, Prover, Session,
    SessionError, SolverResult,
};
use crate::formula::Clauses;
use crate::limits::{Limits, Stop};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;
use unstuck_encodings::{Lit, Model};

/// The built-in CaDiCaL.
#[derive(Clone, Copy, Debug)]
pub struct Cadical;

/// CaDiCaL asks this often; reading the clock each time would be expensive.
const CALLS_PER_POLL: u32 = 128;

struct LimitCallback {
    limits: Limits,
    stop: Rc<Cell<Option<Stop>>>,
    calls: u32,
}

impl Terminator for LimitCallback {
    fn terminated(&mut self) -> bool {
        self.calls = self.calls.wrapping_add(1);
        if self.stop.get().is_none() && self.calls.is_multiple_of(CALLS_PER_POLL) {
            self.stop.set(self.limits.reached_any());
        }
        self.stop.get().is_some()
    }
}

/// A solver that looks at the limits; the cell says which one struck.
fn limited(limits: &Limits) -> (CaDiCal, Rc<Cell<Option<Stop>>>) {
    let mut solver = CaDiCal::new();
    // Our clauses may name variables that CaDiCaL does not know yet.
    solver.set("factor", 0);
    let stop = Rc::new(Cell::new(None));
    solver.connect_terminator(LimitCallback {
        limits: limits.clone(),
        stop: stop.clone(),
        calls: 0,
    });
    (solver, stop)
}

fn add(solver: &mut CaDiCal, clause: &[Lit]) {
    clause.iter().for_each(|lit| solver.add(lit.to_dimacs()));
    solver.add(0);
}

/// The literals that are true in the model just found, for variables up to a number.
fn true_lits(solver: &mut CaDiCal, variables: usize) -> Vec<Lit> {
    let known = solver.vars();
    let value = |number: i32| {
        let lit = Lit::from_dimacs(number)?;
        Some(if number <= known && solver.val(number) > 0 { lit } else { !lit })
    };
    (1..=variables as i32).filter_map(value).collect()
}

fn run(
    clauses: &dyn Clauses,
    near: Option<&Model>,
    proof: Option<(&Path, ProofFormat)>,
    limits: &Limits,
) -> Result<SolverResult, BackendError> {
    if let Some(stop) = limits.reached_any() {
        return Ok(SolverResult { answer: Answer::Stopped(stop), conflicts: None });
    }
    let (mut solver, stop) = limited(limits);
    if near.is_some() {
        // Assignments that it tries before it looks at the phases.
        solver.set("lucky", 0);
    }
    if let Some((path, format)) = proof {
        solver.set("binary", i32::from(format == ProofFormat::BinaryDrat));
        solver.set("lrat", i32::from(format == ProofFormat::Lrat));
        if !solver.trace_proof2(&path.display().to_string()) {
            return Err(BackendError("CaDiCaL cannot write its proof".to_owned()));
        }
    }
    for index in 0..clauses.len() {
        add(&mut solver, clauses.clause(index));
    }
    if let Some(near) = near {
        let known = solver.vars();
        let near = near.lits().map(Lit::to_dimacs).filter(|number| number.abs() <= known);
        near.for_each(|number| solver.phase(number));
    }
    let answer = match solver.solve() {
        Status::SATISFIABLE => {
            let lits = true_lits(&mut solver, clauses.variables());
            Answer::Sat(Model::new(clauses.variables(), lits))
        }
        Status::UNSATISFIABLE => Answer::Unsat,
        Status::UNKNOWN => Answer::Stopped(stop.get().unwrap_or(Stop::Time)),
    };
    let conflicts = u64::try_from(solver.get_statistic_value("conflicts")).ok();
    if proof.is_some() {
        solver.close_proof_trace(false);
    }
    Ok(SolverResult { answer, conflicts })
}

impl Backend for Cadical {
    fn name(&self) -> String {
        format!("CaDiCaL {}", CaDiCal::version())
    }

    fn decide(
        &self,
        clauses: &dyn Clauses,
        near: Option<&Model>,
        limits: &Limits,
    ) -> Result<SolverResult, BackendError> {
        run(clauses, near, None, limits)
    }

    fn prover(&self) -> Option<&dyn Prover> {
        Some(self)
    }

    fn incremental(&self) -> Option<&dyn Incremental> {
        Some(self)
    }
}

impl Incremental for Cadical {
    fn session<'a>(&self, limits: &'a Limits) -> Box<dyn Session + 'a> {
        let (solver, stop) = limited(limits);
        Box::new(CadicalSession { solver, limits, stop, variables: 0 })
    }
}

/// A formula that grows, asked under assumptions.
struct CadicalSession<'a> {
    solver: CaDiCal,
    limits: &'a Limits,
    stop: Rc<Cell<Option<Stop>>>,
    /// The largest variable that was named.
    variables: usize,
}

impl CadicalSession<'_> {
    fn name(&mut self, lits: &[Lit]) {
        let named = lits.iter().map(|lit| lit.number() as usize);
        self.variables = named.fold(self.variables, usize::max);
    }
}

impl Session for CadicalSession<'_> {
    fn add(&mut self, clause: &[Lit]) {
        self.name(clause);
        add(&mut self.solver, clause);
    }

    fn ask(&mut self, assumptions: &[Lit]) -> Result<AssumptionAnswer, SessionError> {
        if let Some(stop) = self.stop.get().or_else(|| self.limits.reached()) {
            self.stop.set(Some(stop));
            return Err(SessionError::Stopped(stop));
        }
        self.name(assumptions);
        assumptions.iter().for_each(|lit| self.solver.assume(lit.to_dimacs()));
        match self.solver.solve() {
            Status::SATISFIABLE => {
                Ok(AssumptionAnswer::Model(true_lits(&mut self.solver, self.variables)))
            }
            Status::UNSATISFIABLE => {
                let failed = |lit: &&Lit| self.solver.failed(lit.to_dimacs());
                Ok(AssumptionAnswer::Core(assumptions.iter().filter(failed).copied().collect()))
            }
            Status::UNKNOWN => Err(SessionError::Stopped(self.stop.get().unwrap_or(Stop::Time))),
        }
    }
}

impl Prover for Cadical {
    fn formats(&self) -> &'static [ProofFormat] {
        &[ProofFormat::Lrat, ProofFormat::BinaryDrat, ProofFormat::Drat]
    }

    fn refute(
        &self,
        clauses: &dyn Clauses,
        format: Option<ProofFormat>,
        proof: &mut (dyn Write + Send),
        limits: &Limits,
    ) -> Result<Answer, BackendError> {
        let format = format.unwrap_or(self.formats()[0]);
        let fail = |error: io::Error| BackendError(format!("the proof cannot be kept: {error}"));
        let file = tempfile::NamedTempFile::new().map_err(fail)?;
        let answer = run(clauses, None, Some((file.path(), format)), limits)?.answer;
        if answer == Answer::Unsat {
            let mut written = File::open(file.path()).map_err(fail)?;
            io::copy(&mut written, proof).map_err(fail)?;
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::ClauseList;

    fn list(variables: usize, clauses: &[&[i32]]) -> ClauseList {
        let mut list = ClauseList::default();
        for clause in clauses {
            list.add(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
        }
        list.over(variables)
    }

    #[test]
    fn decides_and_proves() {
        let satisfiable = list(3, &[&[1, 2], &[-1]]);
        let Ok(Answer::Sat(model)) = Cadical.solve(&satisfiable, &Limits::none()) else {
            panic!("satisfiable")
        };
        assert!(model.holds(Lit::from_dimacs(2).unwrap()));
        let contradiction = list(2, &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
        let mut proof = Vec::new();
        let answer = Cadical.refute(&contradiction, None, &mut proof, &Limits::none());
        assert_eq!(answer, Ok(Answer::Unsat));
        assert!(String::from_utf8(proof).unwrap().contains(" 0 "));
    }
}
