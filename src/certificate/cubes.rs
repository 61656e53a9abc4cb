//! Refuting a formula cube by cube, several at a time, into one proof.

use super::derive::derive;
use super::files::{CertificateWriter, Scratch};
use super::proof_task::ProveError;
use crate::backend::{Answer, ProofFormat, Prover};
use crate::formula::Clauses;
use crate::limits::{Limits, Monitor, Stop};
use crate::machine::{self, lock};
use crate::proof::cubes::{CubeFormula, Cubes, compose, split};
use crate::proof::derivation::Derivation;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use unstuck_encodings::{Lit, Model};

/// Time between two looks at what is done.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// What came of a formula.
pub(super) enum RefutationResult {
    /// It has no model.
    By(Derivation),
    /// It has one.
    Model(Model),
}

/// Who refutes, and within what.
pub(super) struct Refuter<'a> {
    /// The solver.
    pub prover: &'a dyn Prover,
    /// The form of its proofs, unless it chooses.
    pub format: Option<ProofFormat>,
    /// Cubes at a time.
    pub threads: usize,
    /// For all together.
    pub limits: &'a Limits,
}

impl Refuter<'_> {
    /// Splits a formula into about so many cubes.
    pub(super) fn split(
        &self,
        formula: &dyn Clauses,
        wanted: usize,
        say: &mut dyn FnMut(&str),
    ) -> Result<Cubes, ProveError> {
        Ok(split(formula, wanted, &mut Monitor::new(self.limits, say))?)
    }

    /// Refutes a formula, cube by cube.
    pub(super) fn refute(
        &self,
        formula: &dyn Clauses,
        cubes: &Cubes,
        draft: &CertificateWriter<'_>,
        say: &mut dyn FnMut(&str),
    ) -> Result<RefutationResult, ProveError> {
        let all = cubes.all();
        let room: Result<Vec<_>, _> = all.iter().map(|_| draft.scratch().map(Mutex::new)).collect();
        let room = room?;
        // The longest cubes settle most: the others are begun first.
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&cube| all[cube].len());
        let over = Arc::new(AtomicBool::new(false));
        let limits = self.limits.clone().cancelled_by(over.clone());
        let (next, (send, ended)) = (AtomicUsize::new(0), mpsc::channel());
        let ended = machine::scope(|scope| {
            for _ in 0..self.threads.clamp(1, all.len()) {
                let (send, next, order, all, room) = (send.clone(), &next, &order, &all, &room);
                let limits = &limits;
                scope.spawn(move || {
                    while let Some(&cube) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let end = self.one(formula, all[cube], lock(&room[cube]).as_mut(), limits);
                        let fine = matches!(end, Ok(RefutationResult::By(_)));
                        if send.send((cube, end)).is_err() || !fine {
                            return;
                        }
                    }
                });
            }
            drop(send);
            gather(&ended, all.len(), &over, say)
        })?;
        match ended {
            GatherResult::Model(model) => Ok(RefutationResult::Model(model)),
            GatherResult::All(parts) => composed(formula, cubes, &parts, say),
        }
    }

    /// Refutes one cube.
    pub(super) fn one(
        &self,
        formula: &dyn Clauses,
        cube: &[Lit],
        mut proof: &mut dyn Scratch,
        limits: &Limits,
    ) -> Result<RefutationResult, ProveError> {
        let under = CubeFormula::new(formula, cube);
        let answer = self.prover.refute(&under, self.format, &mut proof, limits);
        match answer.map_err(ProveError::Backend)? {
            Answer::Stopped(stop) => Err(ProveError::Stopped(stop)),
            Answer::Sat(model) => Ok(RefutationResult::Model(model)),
            Answer::Unsat => {
                proof.flush()?;
                let mut monitor = Monitor::silent(limits);
                derive(&under, proof, self.prover, &mut monitor).map(RefutationResult::By)
            }
        }
    }
}

/// The refutation of a formula from those of its cubes.
pub(super) fn composed(
    formula: &dyn Clauses,
    cubes: &Cubes,
    parts: &[Derivation],
    say: &mut dyn FnMut(&str),
) -> Result<RefutationResult, ProveError> {
    say("putting the refutations together");
    compose(formula, cubes, parts)
        .map(RefutationResult::By)
        .map_err(|error| ProveError::Fault(error.to_string()))
}

enum GatherResult {
    All(Vec<Derivation>),
    Model(Model),
}

/// Waits until all cubes are refuted, or one is not; then the others are stopped.
fn gather(
    ended: &mpsc::Receiver<(usize, Result<RefutationResult, ProveError>)>,
    count: usize,
    over: &AtomicBool,
    say: &mut dyn FnMut(&str),
) -> Result<GatherResult, ProveError> {
    let mut parts: Vec<Option<Derivation>> = vec![None; count];
    let mut done = 0;
    let mut first = None;
    say(&format!("0 of {count} cubes refuted"));
    loop {
        match machine::recv_timeout(ended, POLL_INTERVAL) {
            Ok((cube, Ok(RefutationResult::By(part)))) => {
                parts[cube] = Some(part);
                done += 1;
                say(&format!("{done} of {count} cubes refuted"));
            }
            Ok((_, Ok(RefutationResult::Model(model)))) => {
                over.store(true, Ordering::Relaxed);
                first.get_or_insert(Ok(GatherResult::Model(model)));
            }
            Ok((_, Err(error))) => {
                over.store(true, Ordering::Relaxed);
                first.get_or_insert(Err(error));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let all: Option<Vec<Derivation>> = parts.into_iter().collect();
    match (first, all) {
        (Some(first), _) => first,
        (None, Some(all)) => Ok(GatherResult::All(all)),
        (None, None) => Err(ProveError::Stopped(Stop::Cancelled)),
    }
}
