//! What a certificate shows, for people and for programs.

use super::check::Report;
use super::{Claim, Evidence};
use crate::instance::{Terms, not_asked_for};
use serde::Serialize;
use std::collections::BTreeMap;
use unstuck_puzzles::printable::{cut, one_line};

/// The question: puzzle, rules, objective, reading. The reader of the verdict has to know what was
/// asked.
fn question(report: &Report) -> String {
    let manifest = &report.manifest;
    let mut parts = vec![manifest.family.clone()];
    parts.extend(report.title.as_ref().map(|title| format!("{title:?}")));
    parts.extend(report.terms.values());
    if !manifest.after.is_empty() {
        // What is no line of moves is drawn.
        parts.push(match manifest.after.trim_end().contains('\n') {
            true => "in the position that `after` draws in certificate.json".to_owned(),
            false => format!("after the moves {}", one_line(&cut(manifest.after.trim_end()))),
        });
    }
    if !manifest.constraints.is_empty() {
        parts.push(format!("with the constraints: {}", manifest.constraints));
    }
    parts.push(format!("objective {}", manifest.objective.name()));
    if !manifest.reading.is_empty() {
        parts.push(format!("reading {}", manifest.reading));
    }
    parts.join(", ")
}

fn claim(report: &Report) -> String {
    let manifest = &report.manifest;
    manifest.claim.sentence(report.instance.measures(), manifest.objective)
}

/// What is certified, what was checked, what had to be trusted.
pub fn text(report: &Report) -> String {
    let manifest = &report.manifest;
    let unasked = match manifest.claim {
        Claim::Unsolvable | Claim::NothingWithin(_) => not_asked_for(&report.terms.terms),
        Claim::Optimal(_) | Claim::OptimalTied(..) | Claim::Unique => String::new(),
    };
    let mut text = format!("{}: {}{unasked}, certified", question(report), claim(report));
    if let Evidence::ClosedSet { bound: Some(bound), .. } = &manifest.evidence {
        text.push_str(&format!(" given the bound {}", one_line(bound)));
    }
    text.push('\n');
    if let Some(solution) = &report.solution {
        text.push_str(&format!("solution: {}\n", solution.text().trim_end()));
    }
    for sentence in &report.checked {
        text.push_str(&format!("checked: {sentence}\n"));
    }
    for sentence in &report.trusted {
        text.push_str(&format!("trusted: {sentence}\n"));
    }
    text
}

/// A certificate that holds.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidAnswer {
    /// The folder.
    certificate: String,
    /// That it holds.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "valid")))]
    verdict: &'static str,
    /// What it shows, as a sentence.
    claim: String,
    /// Of which question.
    #[serde(flatten)]
    terms: Terms,
    /// Options of the family.
    options: BTreeMap<String, String>,
    /// Moves that were made before.
    after: Option<String>,
    /// Constraints.
    wishes: Option<String>,
    /// The kind of evidence.
    evidence: &'static str,
    /// The bound that was trusted, if any.
    bound: Option<String>,
    /// The solution.
    moves: Option<String>,
    /// What was checked, in sentences.
    checked: Vec<String>,
    /// What was trusted, in sentences.
    trusted: Vec<String>,
    /// The exit code of the certificate alone.
    exit: u8,
}

impl ValidAnswer {
    /// What a report says of the certificate at a path, with an exit code.
    pub fn of(report: &Report, path: &str, exit: u8) -> Self {
        let manifest = &report.manifest;
        let bound = match &manifest.evidence {
            Evidence::ClosedSet { bound, .. } => bound.clone(),
            _ => None,
        };
        let terms = report.terms.clone();
        let wishes = (!manifest.constraints.is_empty()).then(|| manifest.constraints.to_string());
        Self {
            certificate: path.to_owned(),
            verdict: "valid",
            claim: claim(report),
            options: terms.options(),
            terms,
            after: Some(manifest.after.clone()).filter(|after| !after.is_empty()),
            wishes,
            evidence: manifest.evidence.name(),
            bound,
            moves: report.solution.as_ref().map(|solution| solution.text().to_owned()),
            checked: report.checked.clone(),
            trusted: report.trusted.clone(),
            exit,
        }
    }
}
