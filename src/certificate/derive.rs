//! A solver's proof as LRAT.

use super::files::Scratch;
use super::proof_task::ProveError;
use crate::backend::{BackendError, ProofFormat, Prover};
use crate::formula::Clauses;
use crate::limits::Monitor;
use crate::proof::derivation::Derivation;
use crate::proof::{ProofError, drat};
use std::io::{BufReader, Read, SeekFrom};

/// The derivation in a solver's proof.
pub(super) fn derive(
    formula: &dyn Clauses,
    proof: &mut dyn Scratch,
    prover: &dyn Prover,
    format: ProofFormat,
    monitor: &mut Monitor<'_>,
) -> Result<Derivation, ProveError> {
    read(formula, proof, format, monitor).map_err(|error| match error {
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
    format: ProofFormat,
    monitor: &mut Monitor<'_>,
) -> Result<Derivation, ProofError> {
    let limits = monitor.limits().clone();
    let bytes = proof.seek(SeekFrom::End(0))?;
    proof.rewind()?;
    let mut head = Vec::new();
    (&mut *proof as &mut dyn Read).take(64).read_to_end(&mut head)?;
    proof.rewind()?;
    monitor.begin("finding the hints of the proof", bytes)?;
    let input = BufReader::with_capacity(1 << 16, monitor.over(proof));
    match format {
        ProofFormat::Lrat => Derivation::of_lrat(formula, input, &limits),
        // An outside program's template decides its form.
        _ => drat::convert(formula, input, looks_binary(&head), &limits),
    }
}

/// Whether a proof begins in the compact binary form: with bytes that no text has.
fn looks_binary(head: &[u8]) -> bool {
    head.first() == Some(&b'a') || head.iter().any(|byte| !b"0123456789-d \t\r\n".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_proofs_are_distinguished() {
        assert!(looks_binary(b"a\x02\x00") && looks_binary(b"d\x02\x04\x00"));
        assert!(!looks_binary(b"1 -2 0\nd 1 0\n") && !looks_binary(b"d 1 2 0\n"));
    }
}
