//! An entry of a lock: its closed form, how it is made, and how it is judged.

use crate::answer::json;
use crate::store::derive;
use crate::store::derive::{CheckFailure, Checks};
use crate::terminal::file_id;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use unstuck::certificate::check::Report;
use unstuck::certificate::{Claim, MANIFEST};
use unstuck::instance::{Instance, Term, Verified};
use unstuck::limits::Limits;
use unstuck::machine::regular;
use unstuck::registry::ParsedPuzzle;
use unstuck::solve::{Outcome, Verdict};
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

/// What is locked of a level under a question. It has these fields and no others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(crate) struct Entry {
    /// Relative to the folder of the lock.
    pub file: String,
    #[serde(deserialize_with = "from_one")]
    pub number: u64,
    #[serde(deserialize_with = "maybe")]
    pub title: Option<String>,
    pub puzzle: String,
    pub options: BTreeMap<String, String>,
    pub identity: String,
    pub objective: String,
    pub reading: String,
    /// What each option of the family comes to; older locks do not say.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<Term>>,
    /// In the word for programs.
    pub verdict: String,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u32>,
    /// The cost of a shortest solution.
    #[serde(deserialize_with = "maybe")]
    pub optimum: Option<u32>,
    /// Whether the solution is the only one, where that was asked.
    #[serde(deserialize_with = "maybe")]
    pub unique: Option<bool>,
    #[serde(deserialize_with = "maybe")]
    pub solution: Option<String>,
    /// A second solution, which shows that there are several.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub another: Option<String>,
    #[serde(deserialize_with = "maybe")]
    pub certificate: Option<LockedCertificate>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tricks: Vec<Trick>,
}

/// What is locked of a level without a trick.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(crate) struct Trick {
    pub forbid: String,
    pub claim: String,
    #[serde(deserialize_with = "maybe")]
    pub solution: Option<String>,
    #[serde(deserialize_with = "maybe")]
    pub certificate: Option<LockedCertificate>,
}

/// Where a certificate is, and the sum of its manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a folder and a sum")]
pub(crate) struct LockedCertificate {
    pub folder: String,
    pub sha256: String,
}

/// A field that may be `null`, and must be there.
fn maybe<'de, D: Deserializer<'de>, T: Deserialize<'de>>(field: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(field)
}

/// A field that may be missing, and is not `null`.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(field: D) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

/// A number from 1.
fn from_one<'de, D: Deserializer<'de>>(field: D) -> Result<u64, D::Error> {
    NonZero::deserialize(field).map(NonZero::get)
}

impl Entry {
    /// Reads an entry, which must have its closed form.
    ///
    /// # Errors
    /// The field that is not as it should be.
    pub(super) fn read(value: &Value) -> Result<Self, CheckFailure> {
        Ok(json::read(value).map_err(|error| error.to_string())?)
    }

    /// Says what an outcome says. Both the entries that are written and those that are compared with
    /// them come from here.
    pub(super) fn state(&mut self, instance: &dyn Instance, outcome: &Outcome) {
        let text = |plan: &Verified| plan.text().to_owned();
        let best = outcome.best.as_ref();
        let others = outcome.solutions.as_ref().map(|solutions| &solutions.others);
        let optimal = best.filter(|_| outcome.optimal);
        let unique = outcome.solutions.as_ref().filter(|it| it.complete || !it.others.is_empty());
        self.terms = Some(instance.terms().terms);
        outcome.verdict.name().clone_into(&mut self.verdict);
        self.horizon = match outcome.verdict {
            Verdict::NoSolutionWithin(horizon) => Some(horizon),
            _ => None,
        };
        self.optimum = optimal.map(|it| instance.objective().primary(it.tally()));
        self.unique = unique.map(|solutions| solutions.others.is_empty());
        self.solution = best.map(text);
        self.another = others.and_then(|others| others.first()).map(text);
    }

    /// The claim that the fields make, where no certificate does.
    fn claimed(&self) -> Option<Claim> {
        match self.verdict.as_str() {
            "unsolvable" => Some(Claim::Unsolvable),
            "no-solution-within" => self.horizon.map(Claim::NothingWithin),
            "solved" if self.unique == Some(true) => Some(Claim::Unique),
            "solved" => self.optimum.map(Claim::Optimal),
            _ => None,
        }
    }
}

impl Trick {
    /// What is locked of a level without a trick.
    pub(super) fn new(
        constraint: &str,
        instance: &dyn Instance,
        claim: Claim,
        plan: Option<&Verified>,
        certificate: LockedCertificate,
    ) -> Self {
        Self {
            forbid: constraint.to_owned(),
            claim: claim.sentence(instance.measures(), instance.objective()),
            solution: plan.map(|plan| plan.text().to_owned()),
            certificate: Some(certificate),
        }
    }
}

impl LockedCertificate {
    /// The certificate in a folder, under its name beside the lock.
    ///
    /// # Errors
    /// When its manifest cannot be read.
    pub(super) fn at(folder: &Path, name: String) -> std::io::Result<Self> {
        Ok(Self { folder: name, sha256: sum(folder)? })
    }
}

/// The SHA-256 of a certificate: of its manifest, which has the sums of its other files.
fn sum(certificate: &Path) -> std::io::Result<String> {
    let bytes = regular::read(&certificate.join(MANIFEST), regular::MOST)?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What was found right about an entry.
#[derive(Debug)]
pub(super) struct EntryVerdict {
    /// Whether a certificate shows what it says.
    pub certified: bool,
    /// What a certificate could show and none does.
    pub open: Option<&'static str>,
}

/// A level, and what its entry is judged with.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    /// The folder of the lock.
    pub folder: &'a Path,
    pub limits: &'a Limits,
    pub checks: Checks,
}

impl Judge<'_> {
    /// Judges an entry by the level that it should be about.
    ///
    /// # Errors
    /// What is wrong with it, or the limit that struck.
    pub(super) fn entry(
        &self,
        entry: &Entry,
        opened: &dyn ParsedPuzzle,
    ) -> Result<EntryVerdict, CheckFailure> {
        let same = opened.identity() == entry.identity;
        self.checks
            .demand("identity", same, || "the level has changed since it was locked".to_owned())?;
        let objective = Objective::from_name(&entry.objective);
        let instances = objective.and_then(|objective| opened.instances(objective));
        let instances = instances.ok_or_else(|| format!("no objective `{}`", entry.objective))?;
        let reading = instances.into_iter().find(|it| it.reading() == entry.reading);
        let instance = reading.ok_or_else(|| format!("no reading `{}`", entry.reading))?;
        self.entry_of(entry, instance.as_ref())
    }

    /// Judges what an entry says of the instance that it is about.
    ///
    /// # Errors
    /// See [`Self::entry`].
    fn entry_of(
        &self,
        entry: &Entry,
        instance: &dyn Instance,
    ) -> Result<EntryVerdict, CheckFailure> {
        let mut solutions = Vec::new();
        for (name, text) in [("solution", &entry.solution), ("another", &entry.another)] {
            let Some(text) = text else { continue };
            let replayed = instance.verify(text);
            solutions.push(replayed.map_err(|error| format!("the `{name}` is wrong: {error}"))?);
        }
        let claim = match &entry.certificate {
            Some(named) => {
                let report = self.certified(named, instance, &Constraints::default())?;
                Some(report.manifest.claim)
            }
            None => entry.claimed(),
        };
        let outcome = derive::outcome(self.checks, instance, solutions, claim)?;
        let mut derived = entry.clone();
        derived.state(instance, &outcome);
        derived.terms = derived.terms.filter(|_| entry.terms.is_some());
        let (stated, derived) = (json!(entry), json!(derived));
        for name in ["terms", "verdict", "horizon", "optimum", "unique", "solution", "another"] {
            self.compare(name, &stated[name], &derived[name])?;
        }
        for trick in &entry.tricks {
            self.trick(trick, instance).map_err(|wrong| match wrong {
                CheckFailure::Fault(fault) => {
                    CheckFailure::Fault(format!("without `{}`: {fault}", trick.forbid))
                }
                stopped => stopped,
            })?;
        }
        let certified = entry.certificate.is_some();
        Ok(EntryVerdict { certified, open: derive::left_open(instance, &outcome, certified) })
    }

    /// Compares a field with what the evidence says.
    fn compare(
        &self,
        name: &'static str,
        stated: &Value,
        derived: &Value,
    ) -> Result<(), CheckFailure> {
        self.checks.demand(name, stated == derived, || {
            format!("`{name}` is {stated}, and the evidence says {derived}")
        })
    }

    fn trick(&self, given: &Trick, instance: &dyn Instance) -> Result<(), CheckFailure> {
        let mut constraints = Constraints::default();
        constraints.forbid(&given.forbid).map_err(|error| error.to_string())?;
        let named = given.certificate.as_ref().ok_or("there is no certificate")?;
        let report = self.certified(named, instance, &constraints)?;
        let (claim, plan) = (report.manifest.claim, report.solution.as_ref());
        let derived = Trick::new(&given.forbid, instance, claim, plan, named.clone());
        self.compare("claim", &json!(given.claim), &json!(derived.claim))?;
        self.checks.demand("plan", given.solution == derived.solution, || {
            "the certificate has another solution".to_owned()
        })
    }

    /// Judges a certificate that an entry names.
    fn certified(
        &self,
        named: &LockedCertificate,
        instance: &dyn Instance,
        constraints: &Constraints,
    ) -> Result<Report, CheckFailure> {
        let Self { folder, limits, checks } = *self;
        let fail = |error: std::io::Error| format!("{}: {error}", named.folder);
        let path = regular::inside(folder, &named.folder).map_err(fail)?;
        file_id::note_folder(&path);
        let same = named.sha256 == sum(&path).map_err(fail)?;
        checks
            .demand("sum", same, || "the certificate is not the one that was locked".to_owned())?;
        derive::certified(checks, &path.as_path(), instance, constraints, limits)
    }
}
