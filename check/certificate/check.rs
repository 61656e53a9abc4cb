//! Judging a certificate from the puzzle's text alone.
//!
//! The sums of the files come first, but nothing rests on them: the puzzle is parsed again, its
//! formulas are compiled again and compared clause for clause, the plan is replayed, proofs and
//! lists are verified. A forged list of sums changes nothing.

use super::error::invalid;
pub use super::error::{CheckError, why};
use super::judge::Judge;
use super::manifest_files::{ManifestFiles, read_small};
use super::outside::OutsideChecker;
use super::{MANIFEST, Manifest, ManifestError, PUZZLE, files};
use crate::instance::{Instance, Terms, Verified};
use crate::limits::{Limits, Monitor, Stop};
use crate::registry;
use std::collections::BTreeSet;
#[cfg(feature = "files")]
use std::path::Path;
use unstuck_puzzles::Options;

/// What was found right.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// What the certificate says of itself.
    pub manifest: Manifest,
    /// The title of the level, if it has one.
    pub title: Option<String>,
    /// The instance that it is about.
    pub instance: Box<dyn Instance>,
    /// The question; where the certificate was just written, as it was asked.
    pub terms: Terms,
    /// The solution, where there is one.
    pub solution: Option<Verified>,
    /// What was checked, one sentence each.
    pub checked: Vec<String>,
    /// What had to be trusted, one sentence each.
    pub trusted: Vec<String>,
}

/// Checks the certificate in a folder; `with` is an outside checker that is to see the proofs too.
///
/// # Errors
/// See [`CheckError`].
#[cfg(feature = "files")]
pub fn check(
    path: &Path,
    with: Option<&dyn OutsideChecker>,
    limits: &Limits,
    say: &mut dyn FnMut(&str),
) -> Result<Report, CheckError> {
    check_files(&path, with, limits, say)
}

/// Checks a certificate wherever its files are. An outside checker finds them in folders only.
///
/// # Errors
/// See [`CheckError`].
pub fn check_files(
    place: &dyn files::Files,
    with: Option<&dyn OutsideChecker>,
    limits: &Limits,
    say: &mut dyn FnMut(&str),
) -> Result<Report, CheckError> {
    let text = read_small(place, MANIFEST)?;
    let manifest = Manifest::read(&text).map_err(|error| {
        let reason = format!("{MANIFEST}: {error}");
        if error == ManifestError::Drat {
            CheckError::OtherVersion(reason)
        } else {
            invalid(reason)
        }
    })?;
    let mut monitor = Monitor::new(limits, say);
    let files = ManifestFiles { place, listed: &manifest.files };
    files.sums(&mut monitor)?;
    let CheckQuestion { mut instance, title } = question(files, &manifest)?;
    if !manifest.constraints.is_empty() {
        // Constraints that mean nothing for this board are refused: they are shown with the
        // verdict.
        let constrained = instance.constrained(&manifest.constraints);
        let constrained = constrained.map_err(|error| invalid(error.to_string()))?;
        if instance.moves().is_none() {
            // Here constraints are rules, which formulas know.
            instance = constrained;
        }
    }
    let claimed =
        manifest.claim.of(instance.as_ref()).map_err(|error| invalid(error.to_string()))?;
    let mut judge = Judge {
        files,
        with,
        manifest: &manifest,
        claimed,
        instance: instance.as_ref(),
        checked: vec![format!("SHA-256 checksums of {} files", manifest.files.len())],
        trusted: vec!["this program's implementation of the rules and of the parser".to_owned()],
        for_veripb: BTreeSet::new(),
        monitor,
    };
    let solution = judge.solution()?;
    judge.evidence(solution.as_ref())?;
    judge.strangers()?;
    if instance.moves().is_some_and(|game| game.met_unknown_move()) {
        return Err(CheckError::Stopped(Stop::UnknownMove));
    }
    let Judge { checked, trusted, .. } = judge;
    let terms = instance.terms();
    Ok(Report { manifest, title, instance, terms, solution, checked, trusted })
}

/// The question that a certificate is about, from its text.
fn question(files: ManifestFiles<'_>, manifest: &Manifest) -> Result<CheckQuestion, CheckError> {
    let family = registry::by_name(&manifest.family)
        .ok_or_else(|| invalid(format!("no puzzle family `{}`", manifest.family)))?;
    let given = manifest.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options =
        Options::new(family.options, given).map_err(|error| invalid(error.to_string()))?;
    let text = files.read_text(PUZZLE)?;
    let fault = |error: unstuck_puzzles::ParseError| invalid(error.render(PUZZLE, &text));
    let mut levels = (family.read)(&text, &options).map_err(fault)?;
    let level = match (levels.pop(), levels.len()) {
        (Some(level), 0) => level,
        _ => return Err(invalid(format!("{PUZZLE} does not hold exactly one level"))),
    };
    let opened = level.puzzle.map_err(fault)?;
    let instances = opened.instances(manifest.objective).ok_or_else(|| {
        let objective = manifest.objective.name();
        invalid(format!("{} has no objective `{objective}`", manifest.family))
    })?;
    let instance = instances
        .into_iter()
        .find(|instance| instance.reading() == manifest.reading)
        .ok_or_else(|| invalid(format!("no reading `{}` of the rules", manifest.reading)))?;
    let instance = if manifest.after.is_empty() {
        instance
    } else {
        let later = instance.continued(&manifest.after);
        later.map_err(|error| invalid(format!("`after`: {error}")))?
    };
    Ok(CheckQuestion { instance, title: level.title })
}

struct CheckQuestion {
    instance: Box<dyn Instance>,
    title: Option<String>,
}
