//! Certificates: written into memory, checked there, and handed over as files.

use super::protocol::{Certificate, Verdict};
use super::solving::{Question, SolvedLevel, solved, verdict};
use super::{Host, open};
use crate::PageError;
use serde_json::json;
use std::io::ErrorKind;
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::prove::{ProofOptions, ProofTask, ProveError, prove_in};
use unstuck::report::sentences;

/// The most bytes of a certificate: what a browser takes without trouble.
const LARGEST: usize = 64 << 20;

/// Solves a level and certifies the verdict, which stands in the answer without a certificate where
/// nothing can be certified. `formulas` asks for files for other checkers.
pub(super) fn prove(
    question: &Question,
    formulas: bool,
    host: &dyn Host,
) -> Result<Verdict, PageError> {
    let (family, opened) = open(&question.level)?;
    let solved = solved(question, family, &opened, host)?;
    let SolvedLevel { instance, outcome, asked } = &solved;
    let mut value = verdict(instance.as_ref(), outcome);
    let Some(claim) = outcome.claim(instance.as_ref()) else {
        value.reason = Some(format!("no certificate: {}", sentences::uncertified(outcome)));
        return Ok(value);
    };
    let task = ProofTask {
        solution: outcome.best.as_ref().filter(|_| claim.has_solution()),
        ..ProofTask::new(instance.as_ref(), &question.level.text, claim)
    };
    let mut say = |doing: &str| host.event(&json!({ "doing": doing }).to_string());
    let mut write = |lrat: bool| {
        let mut files = MemoryFiles::new(LARGEST);
        let proof_options = ProofOptions { lrat, ..ProofOptions::default() };
        let report = prove_in(&mut files, &task, &proof_options, asked, &mut say)?;
        Ok((files, report))
    };
    let mut written = write(formulas);
    if let (true, Err(why)) = (formulas, &written) {
        let without = match why {
            ProveError::Io(error) if error.kind() == ErrorKind::StorageFull => {
                Some(format!("they would take more than {} MB", LARGEST >> 20))
            }
            ProveError::Unfit { reason, .. } => Some(reason.clone()),
            _ => None,
        };
        if let Some(without) = without {
            value.reason = Some(format!("without formulas for other checkers: {without}"));
            written = write(false);
        }
    }
    let (files, report) = match written {
        Ok(written) => written,
        Err(error @ (ProveError::Stopped(_) | ProveError::Unfit { .. } | ProveError::Io(_))) => {
            value.reason = Some(error.to_string());
            return Ok(value);
        }
        Err(error) => return Err(PageError::plain(error)),
    };
    files.files.iter().for_each(|(name, content)| host.file(name, content));
    value.answer.certified = true.into();
    value.certificate = Some(Certificate {
        claim: claim.sentence(instance.measures(), instance.objective()),
        evidence: report.manifest.evidence.name().to_owned(),
        checked: report.checked,
        trusted: report.trusted,
    });
    Ok(value)
}
