//! The embedded solver: varisat, pure Rust.
//!
//! Varisat has no limits and no interrupt of its own. But it stops when its proof cannot be
//! written, so a proof is always written (into nothing, if it is not needed), by a writer that
//! fails when a limit strikes. The price is the formatting of the proof; the gain is that every run
//! ends within a fraction of a second of its limit, in the same process.
//!
//! Its parameters are not its own defaults: ours are formulas with many layers, on which it does
//! better with restarts that come sooner, a shorter memory of what was bumped, and fewer learnt
//! clauses kept (`notebook/2026-11-varisat-parameters.md` has the figures).
//!
//! Its DRAT writer knows no assumptions and no clauses after a solve. So each question is a fresh
//! one-shot run, and a session, for many small questions about one formula, writes varisat's own
//! format into nothing.
//!
//! Its proofs are wanted as LRAT. Varisat remembers which clauses became unit when it learnt a
//! lemma, and hands them to the code that processes its proof: see `hints`.

mod hints;
mod lemmas;
mod limited_writer;

use super::phase::PhaseFlip;
use super::{
    Answer, AssumptionAnswer, Backend, BackendError, Incremental, ProofFormat, Prover, Session,
    SessionError, SolverResult,
};
use crate::formula::Clauses;
use crate::limits::{Limits, Stop};
use hints::Lrat;
use lemmas::Lemmas;
use limited_writer::LimitedWriter;
use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use unstuck_encodings::{Lit, Model};
use varisat::ExtendFormula;
use varisat::config::SolverConfigUpdate;

/// The embedded solver.
#[derive(Clone, Copy, Debug)]
pub struct Varisat;

/// Conflicts of the shortest run before a restart; varisat's default is 128.
const RESTART_CONFLICTS: u64 = 16;

/// Conflicts between two looks at which learnt clauses to forget; 15,000 and 10,000 by default.
const REDUCE_CONFLICTS: u64 = 4_500;

/// How fast bumped variables are forgotten; 0.95 by default.
const DECAY: f32 = 0.80;

/// A solver with our parameters.
fn tuned<'a>() -> varisat::Solver<'a> {
    let mut update = SolverConfigUpdate::new();
    update.luby_restart_interval_scale = Some(RESTART_CONFLICTS);
    update.reduce_locals_interval = Some(REDUCE_CONFLICTS);
    update.reduce_mids_interval = Some(REDUCE_CONFLICTS);
    update.vsids_decay = Some(DECAY);
    let mut solver = varisat::Solver::new();
    solver.config(&update).expect("the parameters are in their ranges");
    solver
}

/// After so many clauses loading a formula looks at the limits.
const CLAUSES_PER_POLL: usize = 16 * 1024;

fn varisat_lit(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_dimacs(lit.to_dimacs() as isize)
}

fn our_lit(lit: varisat::Lit) -> Lit {
    Lit::from_dimacs(lit.to_dimacs() as i32).expect("varisat numbers variables as we do")
}

/// Decides a formula, and writes its lemmas: with hints as LRAT, else as binary DRAT.
fn run(
    clauses: &dyn Clauses,
    with_hints: bool,
    proof: &mut (dyn Write + Send),
    limits: &Limits,
) -> Result<Answer, BackendError> {
    if let Some(stop) = limits.reached_any() {
        return Ok(Answer::Stopped(stop));
    }
    let stop = Rc::new(Cell::new(None));
    let failed = Rc::new(Cell::new(None));
    let watched = LimitedWriter {
        proof,
        limits,
        stop: stop.clone(),
        failed: failed.clone(),
        writes: 0,
        lemmas: Lemmas::default(),
    };
    let mut lrat;
    let mut solver = tuned();
    if with_hints {
        lrat = Lrat::new(watched, clauses.len() as u64);
        solver.add_proof_processor(&mut lrat);
    } else {
        solver.write_proof(watched, varisat::ProofFormat::BinaryDrat);
    }
    let mut buffer = Vec::new();
    for index in 0..clauses.len() {
        if index.is_multiple_of(CLAUSES_PER_POLL)
            && let Some(stop) = limits.reached_any()
        {
            return Ok(Answer::Stopped(stop));
        }
        buffer.clear();
        buffer.extend(clauses.clause(index).iter().map(|&lit| varisat_lit(lit)));
        solver.add_clause(&buffer);
    }
    let solved = solver.solve();
    if let Some(stop) = stop.get() {
        return Ok(Answer::Stopped(stop));
    }
    if let Some(kind) = failed.get() {
        return Err(BackendError(format!("the proof cannot be written: {kind}")));
    }
    let answer = match solved {
        Ok(true) => {
            let lits = solver.model().unwrap_or_default();
            Answer::Sat(Model::new(clauses.variables(), lits.into_iter().map(our_lit)))
        }
        Ok(false) => Answer::Unsat,
        Err(error) => return Err(BackendError(format!("varisat: {error}"))),
    };
    if answer == Answer::Unsat {
        solver.close_proof().map_err(|error| match failed.get() {
            Some(kind) => BackendError(format!("the proof cannot be written: {kind}")),
            None => BackendError(format!("varisat: {error}")),
        })?;
    }
    Ok(answer)
}

/// A formula that grows, asked under assumptions.
struct VarisatSession<'a> {
    solver: varisat::Solver<'a>,
    limits: &'a Limits,
    stop: Rc<Cell<Option<Stop>>>,
    buffer: Vec<varisat::Lit>,
    /// Whether cores may be wrong. When an assumption contradicts the clauses by itself, varisat
    /// 0.2.2 forgets to take a mark away, and a later core may then lack an assumption. Its verdicts
    /// are right all the same.
    doubtful: bool,
}

impl<'a> VarisatSession<'a> {
    fn new(limits: &'a Limits) -> Self {
        let stop = Rc::new(Cell::new(None));
        let failed = Rc::new(Cell::new(None));
        let watched = LimitedWriter {
            proof: io::sink(),
            limits,
            stop: stop.clone(),
            failed,
            writes: 0,
            lemmas: Lemmas::default(),
        };
        let mut solver = tuned();
        solver.write_proof(watched, varisat::ProofFormat::Varisat);
        Self { solver, limits, stop, buffer: Vec::new(), doubtful: false }
    }

    /// Whether there is a model in which the assumptions hold.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SessionError> {
        self.buffer.clear();
        self.buffer.extend(assumptions.iter().copied().map(varisat_lit));
        let Self { solver, buffer, .. } = self;
        let solved = catch_unwind(AssertUnwindSafe(|| {
            solver.assume(buffer);
            solver.solve()
        }));
        match solved {
            Ok(Ok(satisfiable)) => Ok(satisfiable),
            Ok(Err(error)) => Err(match self.stop.get() {
                Some(stop) => SessionError::Stopped(stop),
                None => SessionError::Failed(BackendError(format!("varisat: {error}"))),
            }),
            Err(_) => Err(SessionError::Failed(panicked())),
        }
    }
}

impl Session for VarisatSession<'_> {
    fn add(&mut self, clause: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend(clause.iter().copied().map(varisat_lit));
        self.solver.add_clause(&self.buffer);
    }

    fn ask(&mut self, assumptions: &[Lit]) -> Result<AssumptionAnswer, SessionError> {
        if let Some(stop) = self.stop.get().or_else(|| self.limits.reached()) {
            self.stop.set(Some(stop));
            return Err(SessionError::Stopped(stop));
        }
        if self.solve(assumptions)? {
            let lits = self.solver.model().unwrap_or_default();
            return Ok(AssumptionAnswer::Model(lits.into_iter().map(our_lit).collect()));
        }
        let core = self.solver.failed_core().unwrap_or_default();
        let core: Vec<Lit> = core.iter().map(|&lit| our_lit(lit)).collect();
        let is_wrong = self.doubtful && core.len() < assumptions.len() && self.solve(&core)?;
        self.doubtful |= core.len() == 1;
        Ok(AssumptionAnswer::Core(if is_wrong { assumptions.to_vec() } else { core }))
    }
}

/// Runs varisat and turns a panic of it into an error: one level of a batch must not end the rest.
fn guarded(
    clauses: &dyn Clauses,
    with_hints: bool,
    proof: &mut (dyn Write + Send),
    limits: &Limits,
) -> Result<Answer, BackendError> {
    catch_unwind(AssertUnwindSafe(|| run(clauses, with_hints, proof, limits)))
        .unwrap_or_else(|_| Err(panicked()))
}

fn panicked() -> BackendError {
    BackendError("varisat failed inside (a panic)".to_owned())
}

impl Backend for Varisat {
    fn name(&self) -> String {
        "varisat 0.2.2".to_owned()
    }

    /// Varisat tries *false* first, so the variables that are true in a model nearby are flipped.
    fn decide(
        &self,
        clauses: &dyn Clauses,
        near: Option<&Model>,
        limits: &Limits,
    ) -> Result<SolverResult, BackendError> {
        if let Some(near) = near {
            let flipped = PhaseFlip::new(clauses, near);
            let SolverResult { answer, conflicts } = self.decide(&flipped.clauses, None, limits)?;
            return Ok(SolverResult { answer: flipped.back(answer), conflicts });
        }
        let mut lemmas = Lemmas::default();
        let answer = guarded(clauses, false, &mut lemmas, limits)?;
        Ok(SolverResult { answer, conflicts: Some(lemmas.count) })
    }

    fn prover(&self) -> Option<&dyn Prover> {
        Some(self)
    }

    fn incremental(&self) -> Option<&dyn Incremental> {
        Some(self)
    }
}

impl Incremental for Varisat {
    fn session<'a>(&self, limits: &'a Limits) -> Box<dyn Session + 'a> {
        Box::new(VarisatSession::new(limits))
    }
}

impl Prover for Varisat {
    fn format(&self) -> Option<ProofFormat> {
        Some(ProofFormat::Lrat)
    }

    fn refute(
        &self,
        clauses: &dyn Clauses,
        proof: &mut (dyn Write + Send),
        limits: &Limits,
    ) -> Result<Answer, BackendError> {
        guarded(clauses, true, proof, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().filter_map(|&number| Lit::from_dimacs(number)).collect()
    }

    /// Varisat's own core of the last question lacks one of the two that contradict each other.
    #[test]
    fn a_core_is_right_after_an_assumption_that_the_clauses_refute() {
        let limits = Limits::none();
        let mut session = VarisatSession::new(&limits);
        session.add(&lits(&[-3]));
        assert_eq!(session.ask(&lits(&[3])), Ok(AssumptionAnswer::Core(lits(&[3]))));
        session.add(&lits(&[-5]));
        assert!(matches!(session.ask(&[]), Ok(AssumptionAnswer::Model(_))));
        session.add(&lits(&[-1, -2]));
        let Ok(AssumptionAnswer::Core(core)) = session.ask(&lits(&[4, -1, -4])) else {
            panic!("a contradiction")
        };
        assert!(lits(&[4, -4]).iter().all(|lit| core.contains(lit)), "{core:?}");
    }
}
