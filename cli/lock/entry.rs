//! An entry of a lock: its closed form, how it is made, and how it is judged.

use super::super::derive::{self, CheckFailure, Checks};
use super::super::file_id;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use unstuck::certificate::{Claim, MANIFEST};
use unstuck::instance::{Instance, Verified};
use unstuck::limits::Limits;
use unstuck::machine::regular;
use unstuck::registry::ParsedPuzzle;
use unstuck::solve::{Outcome, Verdict};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Objective, Options, ParseError};

/// What a field may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    MaybeText,
    /// A number from 1.
    Number,
    /// A number that fits a cost.
    Cost,
    MaybeCost,
    MaybeFlag,
    /// An object of texts.
    Texts,
    /// A folder and a sum.
    MaybeCertificate,
    /// Judged one by one.
    List,
}

/// A field: its name, what it may hold, and whether it must be there.
type Field = (&'static str, Kind, bool);

/// The fields of an entry. There are no others.
const FIELDS: &[Field] = &[
    ("file", Kind::Text, true),
    ("number", Kind::Number, true),
    ("title", Kind::MaybeText, true),
    ("puzzle", Kind::Text, true),
    ("options", Kind::Texts, true),
    ("identity", Kind::Text, true),
    ("objective", Kind::Text, true),
    ("reading", Kind::Text, true),
    ("verdict", Kind::Text, true),
    ("horizon", Kind::Cost, false),
    ("optimum", Kind::MaybeCost, true),
    ("unique", Kind::MaybeFlag, true),
    ("solution", Kind::MaybeText, true),
    ("another", Kind::Text, false),
    ("certificate", Kind::MaybeCertificate, true),
    ("tricks", Kind::List, false),
];

/// The fields of what is locked of a level without a trick.
const TRICK: &[Field] = &[
    ("forbid", Kind::Text, true),
    ("claim", Kind::Text, true),
    ("solution", Kind::MaybeText, true),
    ("certificate", Kind::MaybeCertificate, true),
];

/// The fields of a certificate.
const CERTIFICATE: &[Field] = &[("folder", Kind::Text, true), ("sha256", Kind::Text, true)];

impl Kind {
    fn fits(self, value: &Value) -> bool {
        let cost = |value: &Value| value.as_u64().is_some_and(|it| u32::try_from(it).is_ok());
        match self {
            Self::Text => value.is_string(),
            Self::MaybeText => value.is_null() || value.is_string(),
            Self::Number => value.as_u64().is_some_and(|number| number > 0),
            Self::Cost => cost(value),
            Self::MaybeCost => value.is_null() || cost(value),
            Self::MaybeFlag => value.is_null() || value.is_boolean(),
            Self::Texts => value.as_object().is_some_and(|it| it.values().all(Value::is_string)),
            Self::MaybeCertificate => {
                value.is_null() || form(Checks::ALL, value, CERTIFICATE).is_ok()
            }
            Self::List => value.is_array(),
        }
    }
}

/// Whether an object has the fields that it may have, and no others.
fn form(checks: Checks, value: &Value, fields: &[Field]) -> Result<(), CheckFailure> {
    let none = Map::new();
    let object = value.as_object().unwrap_or(&none);
    for name in object.keys() {
        let known = fields.iter().any(|(known, ..)| known == name);
        checks.demand("known", known, || format!("no field `{name}` is known"))?;
    }
    for &(name, kind, needed) in fields {
        let found = object.get(name);
        checks.demand("needed", found.is_some() || !needed, || format!("`{name}` is missing"))?;
        let fits = found.is_none_or(|found| kind.fits(found));
        checks.demand("fits", fits, || format!("`{name}` cannot be what it is"))?;
    }
    Ok(())
}

/// What an outcome says in the fields of an entry. Both the entries that are written and those that
/// are compared with them come from here.
pub(super) fn stated(instance: &dyn Instance, outcome: &Outcome) -> Value {
    let best = outcome.best.as_ref();
    let others = outcome.solutions.as_ref().map(|solutions| &solutions.others);
    let optimal = best.filter(|_| outcome.optimal);
    let unique = outcome.solutions.as_ref().filter(|it| it.complete || !it.others.is_empty());
    let mut fields = json!({ "verdict": outcome.verdict.name() });
    if let Verdict::NoSolutionWithin(horizon) = outcome.verdict {
        fields["horizon"] = json!(horizon);
    }
    fields["optimum"] = json!(optimal.map(|it| instance.objective().primary(it.tally())));
    fields["unique"] = json!(unique.map(|solutions| solutions.others.is_empty()));
    fields["solution"] = json!(best.map(Verified::text));
    if let Some(another) = others.and_then(|others| others.first()) {
        fields["another"] = json!(another.text());
    }
    fields
}

/// What is locked of a level without a trick.
pub(super) fn trick(
    constraint: &str,
    instance: &dyn Instance,
    claim: Claim,
    plan: Option<&Verified>,
    certificate: &Value,
) -> Value {
    json!({
        "forbid": constraint,
        "claim": claim.sentence(instance.measures(), instance.objective()),
        "solution": plan.map(Verified::text),
        "certificate": certificate,
    })
}

/// The claim that the fields of an entry make, where no certificate does.
fn claimed(entry: &Value) -> Option<Claim> {
    let number = |name: &str| entry[name].as_u64().and_then(|number| u32::try_from(number).ok());
    match entry["verdict"].as_str()? {
        "unsolvable" => Some(Claim::Unsolvable),
        "no-solution-within" => number("horizon").map(Claim::NothingWithin),
        "solved" if entry["unique"] == true => Some(Claim::Unique),
        "solved" => number("optimum").map(Claim::Optimal),
        _ => None,
    }
}

/// The SHA-256 of a certificate: of its manifest, which has the sums of its other files.
pub(super) fn sum(certificate: &Path) -> std::io::Result<String> {
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
    pub options: &'a Options,
    /// The folder of the lock.
    pub folder: &'a Path,
    pub limits: &'a Limits,
    pub checks: Checks,
}

/// Whether the form of an entry is right: only then may its fields be looked at.
///
/// # Errors
/// The field that is not as it should be.
pub(super) fn formed(checks: Checks, entry: &Value) -> Result<(), CheckFailure> {
    form(checks, entry, FIELDS)
}

impl Judge<'_> {
    /// Judges an entry, whose form is right, by the level that it should be about.
    ///
    /// # Errors
    /// What is wrong with it, or the limit that struck.
    pub(super) fn entry(
        &self,
        entry: &Value,
        opened: &dyn ParsedPuzzle,
    ) -> Result<EntryVerdict, CheckFailure> {
        let text = |name: &str| entry[name].as_str().unwrap_or_default();
        let same = opened.identity() == text("identity");
        self.checks
            .demand("identity", same, || "the level has changed since it was locked".to_owned())?;
        let objective = Objective::from_name(text("objective"));
        let instances = objective.and_then(|objective| opened.instances(objective));
        let instances = instances.ok_or_else(|| format!("no objective `{}`", text("objective")))?;
        let reading = instances.into_iter().find(|it| it.reading() == text("reading"));
        let instance = reading.ok_or_else(|| format!("no reading `{}`", text("reading")))?;
        self.entry_of(entry, instance.as_ref())
    }

    /// Judges what an entry says of the instance that it is about.
    ///
    /// # Errors
    /// See [`Self::entry`].
    pub(super) fn entry_of(
        &self,
        entry: &Value,
        instance: &dyn Instance,
    ) -> Result<EntryVerdict, CheckFailure> {
        let mut solutions = Vec::new();
        for name in ["solution", "another"] {
            let Some(text) = entry[name].as_str() else { continue };
            let replayed = instance.verify(text);
            solutions.push(replayed.map_err(|error| format!("the `{name}` is wrong: {error}"))?);
        }
        let certified = !entry["certificate"].is_null();
        let claim = if certified {
            let report =
                self.certified(&entry["certificate"], instance, &Constraints::default())?;
            Some(report.manifest.claim)
        } else {
            claimed(entry)
        };
        let outcome = derive::outcome(self.checks, instance, solutions, claim)?;
        let derived = stated(instance, &outcome);
        for name in ["verdict", "horizon", "optimum", "unique", "solution", "another"] {
            self.compare(name, &entry[name], &derived[name])?;
        }
        for trick in entry["tricks"].as_array().into_iter().flatten() {
            let constraint = trick["forbid"].as_str().unwrap_or_default();
            self.trick(trick, constraint, instance).map_err(|wrong| match wrong {
                CheckFailure::Fault(fault) => {
                    CheckFailure::Fault(format!("without `{constraint}`: {fault}"))
                }
                stopped => stopped,
            })?;
        }
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

    fn trick(
        &self,
        given: &Value,
        constraint: &str,
        instance: &dyn Instance,
    ) -> Result<(), CheckFailure> {
        form(self.checks, given, TRICK)?;
        let mut constraints = Constraints::default();
        constraints.forbid(constraint).map_err(|error| error.to_string())?;
        if given["certificate"].is_null() {
            return Err("there is no certificate".into());
        }
        let report = self.certified(&given["certificate"], instance, &constraints)?;
        let (claim, plan) = (report.manifest.claim, report.solution.as_ref());
        let derived = trick(constraint, instance, claim, plan, &given["certificate"]);
        self.compare("claim", &given["claim"], &derived["claim"])?;
        self.checks.demand("plan", given["solution"] == derived["solution"], || {
            "the certificate has another solution".to_owned()
        })
    }

    /// Judges a certificate that an entry names.
    fn certified(
        &self,
        named: &Value,
        instance: &dyn Instance,
        constraints: &Constraints,
    ) -> Result<unstuck::certificate::check::Report, CheckFailure> {
        let name = named["folder"].as_str().unwrap_or_default();
        let fail = |error: std::io::Error| format!("{name}: {error}");
        let path = regular::inside(self.folder, name).map_err(fail)?;
        file_id::note_folder(&path);
        let same = named["sha256"] == sum(&path).map_err(fail)?.as_str();
        self.checks
            .demand("sum", same, || "the certificate is not the one that was locked".to_owned())?;
        derive::certified(
            self.checks,
            &path.as_path(),
            instance,
            self.options,
            constraints,
            self.limits,
        )
    }
}

/// The options of an entry.
pub(super) fn options(
    entry: &Value,
    specs: &[unstuck_puzzles::OptionSpec],
) -> Result<Options, ParseError> {
    let given = entry["options"].as_object().into_iter().flatten();
    let pairs = given.map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()));
    Options::new(specs, pairs)
}

/// The options of a level as an entry has them.
pub(super) fn options_of(options: &Options) -> Value {
    json!(options.iter().collect::<BTreeMap<_, _>>())
}
