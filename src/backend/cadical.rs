//! CaDiCaL 3, built in with the cargo feature `cadical` (needs a C++ compiler).
//!
//! It can be interrupted, and writes DRAT or LRAT (with hints, so that checking is linear).

use super::{Answer, Backend, BackendError, ProofFormat, Prover};
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

/// CaDiCaL asks this often; a look at the clock each time would be dear.
const CALLS: u32 = 128;

struct Watch {
    limits: Limits,
    stop: Rc<Cell<Option<Stop>>>,
    calls: u32,
}

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.calls = self.calls.wrapping_add(1);
        if self.stop.get().is_none() && self.calls.is_multiple_of(CALLS) {
            self.stop.set(self.limits.reached_any());
        }
        self.stop.get().is_some()
    }
}

fn run(
    clauses: &dyn Clauses,
    proof: Option<(&Path, ProofFormat)>,
    limits: &Limits,
) -> Result<Answer, BackendError> {
    if let Some(stop) = limits.reached_any() {
        return Ok(Answer::Stopped(stop));
    }
    let mut solver = CaDiCal::new();
    // Our clauses may name variables that CaDiCaL has not been told of.
    solver.set("factor", 0);
    if let Some((path, format)) = proof {
        solver.set("binary", i32::from(format == ProofFormat::BinaryDrat));
        solver.set("lrat", i32::from(format == ProofFormat::Lrat));
        if !solver.trace_proof2(&path.display().to_string()) {
            return Err(BackendError("CaDiCaL cannot write its proof".to_owned()));
        }
    }
    let stop = Rc::new(Cell::new(None));
    solver.connect_terminator(Watch { limits: limits.clone(), stop: stop.clone(), calls: 0 });
    for index in 0..clauses.len() {
        for lit in clauses.clause(index) {
            solver.add(lit.to_dimacs());
        }
        solver.add(0);
    }
    let status = solver.solve();
    let answer = match status {
        Status::SATISFIABLE => {
            let lits = (1..=clauses.variables() as i32).filter_map(|number| {
                let lit = Lit::from_dimacs(number)?;
                Some(if number <= solver.vars() && solver.val(number) > 0 { lit } else { !lit })
            });
            Answer::Sat(Model::new(clauses.variables(), lits.collect::<Vec<_>>()))
        }
        Status::UNSATISFIABLE => Answer::Unsat,
        Status::UNKNOWN => Answer::Stopped(stop.get().unwrap_or(Stop::Interrupted)),
    };
    if proof.is_some() {
        solver.close_proof_trace(false);
    }
    Ok(answer)
}

impl Backend for Cadical {
    fn name(&self) -> String {
        format!("CaDiCaL {}", CaDiCal::version())
    }

    fn solve(&self, clauses: &dyn Clauses, limits: &Limits) -> Result<Answer, BackendError> {
        run(clauses, None, limits)
    }

    fn prover(&self) -> Option<&dyn Prover> {
        Some(self)
    }
}

impl Prover for Cadical {
    fn formats(&self) -> &'static [ProofFormat] {
        &[ProofFormat::Lrat, ProofFormat::BinaryDrat, ProofFormat::Drat]
    }

    fn refute(
        &self,
        clauses: &dyn Clauses,
        format: ProofFormat,
        proof: &mut (dyn Write + Send),
        limits: &Limits,
    ) -> Result<Answer, BackendError> {
        let fail = |error: io::Error| BackendError(format!("the proof cannot be kept: {error}"));
        let file = tempfile::NamedTempFile::new().map_err(fail)?;
        let answer = run(clauses, Some((file.path(), format)), limits)?;
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
        let answer = Cadical.refute(&contradiction, ProofFormat::Lrat, &mut proof, &Limits::none());
        assert_eq!(answer, Ok(Answer::Unsat));
        assert!(String::from_utf8(proof).unwrap().contains(" 0 "));
    }
}
