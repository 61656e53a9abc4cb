//! Finding evidence and writing it down.
//!
//! `evidence` chooses the kind and writes lists, `refutation` writes refutations by a solver. Whatever
//! was written is checked from the folder before anything is said.

pub use super::Claim;
pub use super::proof_task::{BoundUse, EvidenceKind, ProofOptions, ProofTask, ProveError};

use super::check::{self, CheckError, Report};
use super::evidence::Writer;
use super::files::{CertificateWriter, Destination};
#[cfg(feature = "files")]
use super::folder::Folder;
use super::proof_task::unfit;
use super::{Manifest, PUZZLE, PuzzleClaim, SOLUTION};
use crate::solve::Request;
use std::collections::BTreeMap;
#[cfg(feature = "files")]
use std::io;
#[cfg(feature = "files")]
use std::path::Path;

/// Writes a certificate to the folder `target` and checks it.
///
/// # Errors
/// See [`ProveError`]; nothing is left at `target` then.
#[cfg(feature = "files")]
pub fn prove(
    task: &ProofTask<'_>,
    proof_options: &ProofOptions,
    request: &Request,
    target: &Path,
    say: &mut dyn FnMut(&str),
) -> Result<Report, ProveError> {
    claimed(task)?;
    let folder = Folder::new(target, proof_options.force);
    let mut folder = folder.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if !proof_options.force => ProveError::Exists,
        _ => ProveError::Io(error),
    })?;
    let report = prove_in(&mut folder, task, proof_options, request, say)?;
    folder.keep()?;
    Ok(report)
}

fn claimed<'a>(task: &ProofTask<'a>) -> Result<PuzzleClaim<'a>, ProveError> {
    task.claim.of(task.instance).map_err(|error| unfit(error.to_string(), None))
}

/// Writes a certificate wherever its files may be, and checks it there.
///
/// # Errors
/// See [`ProveError`]; what was written until then is no certificate.
pub fn prove_in(
    place: &mut dyn Destination,
    task: &ProofTask<'_>,
    proof_options: &ProofOptions,
    request: &Request,
    say: &mut dyn FnMut(&str),
) -> Result<Report, ProveError> {
    let claimed = claimed(task)?;
    let mut draft = CertificateWriter::new(place);
    draft.file(PUZZLE, |out| out.write_all(task.text.as_bytes()))?;
    if let Some(solution) = task.solution {
        draft.file(SOLUTION, |out| writeln!(out, "{}", solution.text()))?;
    }
    let (claim, evidence) = {
        let draft = &mut draft;
        let mut writer = Writer { task, claimed, proof_options, request, draft, say };
        writer.evidence()?
    };
    let mut manifest = Manifest {
        claim,
        objective: task.instance.objective(),
        after: task.after.to_owned(),
        constraints: task.constraints.clone(),
        family: task.instance.family().to_owned(),
        reading: task.instance.reading().to_owned(),
        options: task.instance.terms().options(),
        evidence,
        encodings: task.instance.encodings(),
        files: BTreeMap::new(),
        tool: format!("unstuck {}", env!("CARGO_PKG_VERSION")),
    };
    if proof_options.veripb {
        say("writing the proofs for VeriPB");
        draft.veripb(&request.limits)?;
        draft.readme(&mut manifest)?;
    }
    draft.describe(manifest)?;
    say("checking the certificate");
    let report = check::check_files(&*place, None, &request.limits, say);
    let report = report.map(|mut report| {
        report.terms = task.instance.terms();
        report
    });
    report.map_err(|error| match error {
        CheckError::Stopped(stop) => ProveError::Stopped(stop),
        error => ProveError::Fault(format!("the certificate did not pass its own check: {error}")),
    })
}
