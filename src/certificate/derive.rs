//! A solver's proof as LRAT.

use super::files::Scratch;
use super::proof_task::ProveError;
use crate::backend::{BackendError, ProofFormat, Prover};
use crate::formula::Clauses;
use crate::limits::Monitor;
use crate::proof::derivation::Derivation;
use crate::proof::{ProofError, drat};
use std::io::{BufReader, Read, SeekFrom};

/// So many bytes tell the form of a proof.
const HEAD: u64 = 1 << 16;

/// The derivation in a solver's proof.
pub(super) fn derive(
    formula: &dyn Clauses,
    proof: &mut dyn Scratch,
    prover: &dyn Prover,
    monitor: &mut Monitor<'_>,
) -> Result<Derivation, ProveError> {
    read(formula, proof, monitor).map_err(|error| match error {
        ProofError::Stopped(stop) => ProveError::Stopped(stop),
        error => monitor.stopped().map_or_else(
            || {
                let name = prover.name();
                let reason = format!("the proof that `{name}` wrote does not hold: {error}");
                ProveError::Backend(BackendError(reason))
            },
            ProveError::Stopped,
        ),
    })
}

fn read(
    formula: &dyn Clauses,
    proof: &mut dyn Scratch,
    monitor: &mut Monitor<'_>,
) -> Result<Derivation, ProofError> {
    let limits = monitor.limits().clone();
    let bytes = proof.seek(SeekFrom::End(0))?;
    proof.rewind()?;
    let mut head = Vec::new();
    (&mut *proof as &mut dyn Read).take(HEAD).read_to_end(&mut head)?;
    proof.rewind()?;
    monitor.begin("finding the hints of the proof", bytes)?;
    let input = BufReader::with_capacity(1 << 16, monitor.over(proof));
    // What the proof is counts, not what its solver was asked for.
    match ProofFormat::of(&head) {
        Some(ProofFormat::Lrat) => Derivation::of_lrat(formula, input, &limits),
        form => drat::convert(formula, input, form == Some(ProofFormat::BinaryDrat), &limits),
    }
}
