//! Certificates: a verdict with all that a stranger needs to check it.
//!
//! A certificate is a folder: `certificate.json` says what is claimed and lists the SHA-256 of the
//! other files; the puzzle's text; the plan; and the evidence, in files that standard tools read.
//!
//! * [`mod@check`]: judges a certificate from the puzzle's text alone.
//! * [`files`], `folder`: where its files are.
//! * [`readme`]: what it is, for those who have another checker.
//! * [`sentences`]: what it shows, in words and as an object.
//! * [`outside`]: independent checkers, which the caller may bring.
//!
//! What is claimed ([`Claim`]), of which puzzle it can be claimed ([`PuzzleClaim`]) and what
//! supports it ([`Evidence`]) are kept apart: a new kind of evidence is one more case of the
//! latter.

pub mod check;
pub mod claim;
mod compare;
mod error;
pub mod files;
#[cfg(feature = "files")]
pub mod folder;
mod judge;
mod manifest_files;
pub mod outside;
mod patterns;
pub mod readme;
pub mod sentences;

pub use claim::{Claim, ClaimError, PuzzleClaim};

use crate::instance::Question;
pub use crate::patterns::Counts;
use crate::strict_json::{self, StrictJsonError};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use unstuck_encodings::Filter;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Objective, ParseError};

/// Version of `certificate.json`; it changes when a field changes its meaning.
pub const SCHEMA: u64 = 1;

/// Name of the file that says what the others are.
pub const MANIFEST: &str = "certificate.json";

/// Name of the puzzle's text.
pub const PUZZLE: &str = "puzzle.txt";

/// Name of the plan; of the solution, where a family has no moves.
pub const SOLUTION: &str = "moves.txt";

/// Name of the list of a closed set.
pub const LIST: &str = "closed-set.txt";

/// Name of the list of an invariant.
pub const CUBES: &str = "invariant.txt";

/// Name of the list of dead patterns.
pub const PATTERNS: &str = "patterns.txt";

/// Name of the model that stands for the one solution.
pub const MODEL: &str = "model.txt";

/// Name of the file that tells a stranger what the others are, where there is one.
pub const README: &str = "README.txt";

/// What supports a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing is needed: no cost is below 0.
    Nothing,
    /// The formula of a horizon and its refutation.
    Horizon {
        /// The refuted horizon; where a tie-break is claimed it is refuted with a cap on that, and
        /// the horizon before without.
        horizon: u32,
        /// The cap on the tie-break.
        tie: Option<u32>,
    },
    /// A closed set.
    ClosedSet {
        /// The bound that left states out, by name.
        bound: Option<String>,
        /// Whether the three formulas and their proofs are there.
        lrat: bool,
    },
    /// What leads to the end, found anew by the rules.
    Backwards {
        /// How many classes of states these are.
        classes: u32,
    },
    /// A list of cubes, and the refutations of its three formulas.
    Invariant,
    /// A list of dead patterns.
    Patterns {
        /// Its three formulas and their proofs, where these are there too.
        proofs: PatternProofs,
    },
}

/// The form in which the formulas of a list of dead patterns and their proofs are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternProofs {
    /// The list is there alone.
    None,
    /// Clauses that count this, and LRAT.
    Lrat(Counts),
    /// Pseudo-Boolean constraints, and cutting planes in VeriPB's format.
    CuttingPlanes,
}

impl Evidence {
    /// Name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Horizon { .. } => "horizon",
            Self::ClosedSet { .. } => "closed",
            Self::Backwards { .. } => "backwards",
            Self::Invariant => "invariant",
            Self::Patterns { .. } => "patterns",
        }
    }
}

/// One of the formulas of horizon evidence.
pub struct Refutation {
    /// Name of its files, without extension.
    pub name: String,
    /// What it asks.
    pub question: Question,
}

/// The formulas whose refutations are the evidence of a horizon, the last one the largest. With a
/// cap on the tie-break what has less of the first count must be refuted whatever its tie-break.
pub fn refutations(horizon: u32, tie: Option<u32>) -> Vec<Refutation> {
    let question = |horizon, secondary| Question {
        filter: Filter::defining(),
        secondary,
        ..Question::within(horizon)
    };
    let plain = |horizon: u32| Refutation {
        name: format!("horizon-{horizon}"),
        question: question(horizon, None),
    };
    let Some(tie) = tie else { return vec![plain(horizon)] };
    let name = format!("horizon-{horizon}-tie-break-{tie}");
    let before = horizon.checked_sub(1).map(plain);
    let both = Refutation { name, question: question(horizon, Some(tie)) };
    before.into_iter().chain([both]).collect()
}

/// The form of proofs, as certificates name it, and the extension of their files.
pub const LRAT: &str = "lrat";

/// The form of proofs that add constraints, as certificates name it.
pub const CUTTING_PLANES: &str = "cutting-planes";

/// What `certificate.json` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The claim.
    pub claim: Claim,
    /// What the claim counts.
    pub objective: Objective,
    /// The moves after which the claim holds; empty for the puzzle as its text has it.
    pub after: String,
    /// What must not happen, and what must: rules beyond those of the family.
    pub constraints: Constraints,
    /// Name of the family.
    pub family: String,
    /// Name of the reading of the rules; empty where there is only one.
    pub reading: String,
    /// The options of the family.
    pub options: BTreeMap<String, String>,
    /// The kind of evidence.
    pub evidence: Evidence,
    /// The encodings that its formulas were compiled by, each with its version; of the first
    /// versions, where the certificate is older than that.
    pub encodings: BTreeMap<String, u32>,
    /// SHA-256 of every other file, in hexadecimal digits.
    pub files: BTreeMap<String, String>,
    /// Name and version of the program that wrote it.
    pub tool: String,
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut evidence = json!({ "kind": self.evidence.name() });
        match &self.evidence {
            Evidence::Nothing => {}
            Evidence::Patterns { proofs } => {
                evidence["lrat"] = json!(matches!(proofs, PatternProofs::Lrat(_)));
                match proofs {
                    PatternProofs::None => {}
                    PatternProofs::Lrat(counts) => evidence["counts"] = json!(counts.name()),
                    PatternProofs::CuttingPlanes => evidence["proof"] = json!(CUTTING_PLANES),
                }
            }
            Evidence::Horizon { horizon, tie } => {
                evidence["horizon"] = json!(horizon);
                if let Some(tie) = tie {
                    evidence["tie_break"] = json!(tie);
                }
                evidence["proof"] = json!(LRAT);
            }
            Evidence::Backwards { classes } => evidence["classes"] = json!(classes),
            Evidence::Invariant => evidence["proof"] = json!(LRAT),
            Evidence::ClosedSet { bound, lrat } => {
                evidence["bound"] = json!(bound);
                evidence["lrat"] = json!(lrat);
            }
        }
        let mut value = json!({
            "schema": SCHEMA,
            "tool": self.tool,
            "family": self.family,
            "reading": self.reading,
            "options": self.options,
            "objective": self.objective.name(),
            "claim": self.claim.name(),
            "cost": self.claim.cost(),
            "evidence": evidence,
            "encodings": self.encodings,
            "files": self.files,
        });
        if let Some(tie) = self.claim.tie() {
            value["tie_break"] = json!(tie);
        }
        if !self.after.is_empty() {
            value["after"] = json!(self.after);
        }
        let texts = |constraints: Vec<String>| {
            Some(constraints).filter(|constraints| !constraints.is_empty())
        };
        let forbidden = self.constraints.forbidden.iter().map(ToString::to_string).collect();
        let required = self.constraints.required.iter().map(ToString::to_string).collect();
        for (name, constraints) in [("forbid", texts(forbidden)), ("require", texts(required))] {
            if let Some(constraints) = constraints {
                value[name] = json!(constraints);
            }
        }
        write!(f, "{value:#}")
    }
}

/// Why a description of a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is not JSON, or not JSON that means one thing to all readers.
    Json(StrictJsonError),
    /// It is written in a schema that this program does not read; `None` when it names none.
    Schema(Option<u64>),
    /// A field is missing.
    Missing(String),
    /// A field is none of those that this schema has.
    Unknown(String),
    /// A field is not of the type named.
    Type {
        /// The field.
        field: String,
        /// What it must be, with its article: "a number".
        expected: &'static str,
    },
    /// A field has a value that means nothing here.
    Value {
        /// The field.
        field: &'static str,
        /// What it says.
        value: String,
    },
    /// `claim`, `cost` and `tie_break` contradict each other.
    Claim,
    /// A constraint cannot be read.
    Constraint(ParseError),
    /// Its proofs are DRAT, which the first release wrote.
    Drat,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Schema(None) => write!(f, "no schema; this program reads schema {SCHEMA}"),
            Self::Schema(Some(found)) => {
                write!(f, "schema {found}: this program reads schema {SCHEMA}")
            }
            Self::Missing(field) => write!(f, "`{field}` is missing"),
            Self::Unknown(field) => write!(f, "unknown field `{field}`"),
            Self::Type { field, expected } => write!(f, "`{field}` is not {expected}"),
            Self::Value { field, value } => write!(f, "`{field}`: unknown value `{value}`"),
            Self::Claim => f.write_str("`claim`, `cost` and `tie_break` do not fit"),
            Self::Constraint(error) => error.fmt(f),
            Self::Drat => f.write_str(
                "its proofs are DRAT, which only versions before the first release check; this \
                 version checks LRAT",
            ),
        }
    }
}

impl std::error::Error for ManifestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Constraint(error) => Some(error),
            _ => None,
        }
    }
}

/// The fields of a description. Any other is refused: its author means something by it, and that
/// would not be judged.
const FIELDS: &[&str] = &[
    "schema",
    "tool",
    "family",
    "reading",
    "options",
    "objective",
    "claim",
    "cost",
    "tie_break",
    "evidence",
    "encodings",
    "files",
    "after",
    "forbid",
    "require",
];

impl Manifest {
    /// Reads what [`fmt::Display`] wrote.
    ///
    /// # Errors
    /// The field that is missing, unknown, or not as it must be.
    pub fn read(text: &str) -> Result<Self, ManifestError> {
        let value = strict_json::parse(text).map_err(ManifestError::Json)?;
        let object =
            value.as_object().ok_or_else(|| wrong_type("certificate.json", "an object"))?;
        let fields = Fields(object);
        match fields.get("schema")?.as_u64() {
            Some(SCHEMA) => {}
            other => return Err(ManifestError::Schema(other)),
        }
        fields.only(FIELDS)?;
        let cost = fields.number("cost")?;
        let tie = fields.optional("tie_break")?;
        let claim = Claim::read(fields.text("claim")?, cost, tie).ok_or(ManifestError::Claim)?;
        let evidence = fields.get("evidence")?.as_object();
        let evidence = Fields(evidence.ok_or_else(|| wrong_type("evidence", "an object"))?);
        let evidence = evidence.evidence()?;
        Ok(Self {
            claim,
            objective: fields.word("objective", Objective::from_name)?,
            after: fields.0.get("after").map_or(Ok(""), |_| fields.text("after"))?.to_owned(),
            constraints: fields.constraints()?,
            family: fields.text("family")?.to_owned(),
            reading: fields.text("reading")?.to_owned(),
            options: fields.texts("options")?,
            evidence,
            encodings: fields.versions("encodings")?,
            files: fields.texts("files")?,
            tool: fields.text("tool")?.to_owned(),
        })
    }
}

fn wrong_type(field: impl Into<String>, expected: &'static str) -> ManifestError {
    ManifestError::Type { field: field.into(), expected }
}

/// The fields of a JSON object, each asked for by name.
struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Result<&'a Value, ManifestError> {
        self.0.get(name).ok_or_else(|| ManifestError::Missing(name.to_owned()))
    }

    /// Refuses all fields but these.
    fn only(&self, known: &[&str]) -> Result<(), ManifestError> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(ManifestError::Unknown(name.clone())),
            None => Ok(()),
        }
    }

    fn text(&self, name: &str) -> Result<&'a str, ManifestError> {
        self.get(name)?.as_str().ok_or_else(|| wrong_type(name, "a text"))
    }

    fn truth(&self, name: &str) -> Result<bool, ManifestError> {
        self.get(name)?.as_bool().ok_or_else(|| wrong_type(name, "true or false"))
    }

    /// One of several words.
    fn word<T>(
        &self,
        field: &'static str,
        of: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ManifestError> {
        let word = self.text(field)?;
        of(word).ok_or_else(|| ManifestError::Value { field, value: word.to_owned() })
    }

    /// A number, or `None` for null.
    fn number(&self, name: &str) -> Result<Option<u32>, ManifestError> {
        match self.get(name)? {
            Value::Null => Ok(None),
            value => {
                let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
                number.map(Some).ok_or_else(|| wrong_type(name, "a number"))
            }
        }
    }

    /// A number, and not null.
    fn some_number(&self, name: &str) -> Result<u32, ManifestError> {
        self.number(name)?.ok_or_else(|| wrong_type(name, "a number"))
    }

    /// A number; `None` when the field is missing.
    fn optional(&self, name: &str) -> Result<Option<u32>, ManifestError> {
        self.0.contains_key(name).then(|| self.some_number(name)).transpose()
    }

    fn evidence(&self) -> Result<Evidence, ManifestError> {
        let (evidence, known): (_, &[&str]) = match self.text("kind")? {
            "nothing" => (Evidence::Nothing, &["kind"]),
            "horizon" => {
                let horizon = self.some_number("horizon")?;
                let evidence = Evidence::Horizon { horizon, tie: self.optional("tie_break")? };
                self.lrat()?;
                (evidence, &["kind", "horizon", "tie_break", "proof"])
            }
            "patterns" => match self.truth("lrat")? {
                true => {
                    let proofs = PatternProofs::Lrat(self.counts()?);
                    (Evidence::Patterns { proofs }, &["kind", "lrat", "counts"])
                }
                false if self.0.contains_key("proof") => {
                    self.word("proof", |form| (form == CUTTING_PLANES).then_some(()))?;
                    let proofs = PatternProofs::CuttingPlanes;
                    (Evidence::Patterns { proofs }, &["kind", "lrat", "proof"])
                }
                false => (Evidence::Patterns { proofs: PatternProofs::None }, &["kind", "lrat"]),
            },
            "backwards" => {
                let classes = self.some_number("classes")?;
                (Evidence::Backwards { classes }, &["kind", "classes"])
            }
            "invariant" => {
                self.lrat()?;
                (Evidence::Invariant, &["kind", "proof"])
            }
            "closed" => {
                let bound = match self.get("bound")? {
                    Value::Null => None,
                    _ => Some(self.text("bound")?.to_owned()),
                };
                let lrat = self.truth("lrat")?;
                (Evidence::ClosedSet { bound, lrat }, &["kind", "bound", "lrat"])
            }
            other => {
                return Err(ManifestError::Value { field: "kind", value: other.to_owned() });
            }
        };
        self.only(known)?;
        Ok(evidence)
    }

    /// Demands that proofs are LRAT.
    fn lrat(&self) -> Result<(), ManifestError> {
        match self.text("proof")? {
            "drat" | "binary-drat" => Err(ManifestError::Drat),
            _ => self.word("proof", |form| (form == LRAT).then_some(())),
        }
    }

    /// What formulas count; waste where nothing is said, as in older certificates.
    fn counts(&self) -> Result<Counts, ManifestError> {
        if !self.0.contains_key("counts") {
            return Ok(Counts::Waste);
        }
        self.word("counts", |name| Counts::ALL.into_iter().find(|counts| counts.name() == name))
    }

    /// Names with numbers; none when the field is missing.
    fn versions(&self, name: &str) -> Result<BTreeMap<String, u32>, ManifestError> {
        let Some(value) = self.0.get(name) else { return Ok(BTreeMap::new()) };
        let object = value.as_object().ok_or_else(|| wrong_type(name, "an object"))?;
        let version = |(key, value): (&String, &Value)| {
            let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
            let number = number.ok_or_else(|| wrong_type(format!("{name}.{key}"), "a number"))?;
            Ok((key.clone(), number))
        };
        object.iter().map(version).collect()
    }

    /// Constraints; none when the fields are missing.
    fn constraints(&self) -> Result<Constraints, ManifestError> {
        let list = |name: &str| -> Result<Vec<&'a str>, ManifestError> {
            let Some(value) = self.0.get(name) else { return Ok(Vec::new()) };
            let texts = value.as_array().ok_or_else(|| wrong_type(name, "a list"))?;
            let text =
                |it: &'a Value| it.as_str().ok_or_else(|| wrong_type(name, "a list of texts"));
            texts.iter().map(text).collect()
        };
        let mut constraints = Constraints::default();
        for text in list("forbid")? {
            constraints.forbid(text).map_err(ManifestError::Constraint)?;
        }
        for text in list("require")? {
            constraints.require(text).map_err(ManifestError::Constraint)?;
        }
        Ok(constraints)
    }

    fn texts(&self, name: &str) -> Result<BTreeMap<String, String>, ManifestError> {
        let object = self.get(name)?.as_object();
        let object = object.ok_or_else(|| wrong_type(name, "an object"))?;
        let text = |(key, value): (&String, &Value)| {
            let text =
                value.as_str().ok_or_else(|| wrong_type(format!("{name}.{key}"), "a text"))?;
            Ok((key.clone(), text.to_owned()))
        };
        object.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut constraints = Constraints::default();
        for text in ["box 1,2", "cell 3,4", "player 5,6", "pushed 7,8", "modifier 9,1", "move u"] {
            constraints.forbid(text).unwrap();
        }
        for text in ["player 1,2", "box 3,4", "bond 5,6 5,7"] {
            constraints.require(text).unwrap();
        }
        for (after, constraints) in [("", Constraints::default()), ("rrD", constraints)] {
            reads_back(after, &constraints);
        }
    }

    fn reads_back(after: &str, constraints: &Constraints) {
        let claims = [
            Claim::Optimal(7),
            Claim::OptimalTied(7, 9),
            Claim::NothingWithin(3),
            Claim::Unsolvable,
            Claim::Unique,
        ];
        let evidences = [
            Evidence::Nothing,
            Evidence::Horizon { horizon: 6, tie: None },
            Evidence::Horizon { horizon: 6, tie: Some(4) },
            Evidence::ClosedSet { bound: Some("x".to_owned()), lrat: false },
            Evidence::Invariant,
            Evidence::Patterns { proofs: PatternProofs::None },
            Evidence::Patterns { proofs: PatternProofs::Lrat(Counts::Waste) },
            Evidence::Patterns { proofs: PatternProofs::Lrat(Counts::Pushes) },
            Evidence::Patterns { proofs: PatternProofs::CuttingPlanes },
        ];
        for claim in claims {
            for evidence in &evidences {
                let manifest = Manifest {
                    claim,
                    objective: Objective::Pushes,
                    after: after.to_owned(),
                    constraints: constraints.clone(),
                    family: "game".to_owned(),
                    reading: String::new(),
                    options: BTreeMap::from([("a".to_owned(), "b".to_owned())]),
                    evidence: evidence.clone(),
                    encodings: BTreeMap::from([("e".to_owned(), 2)]),
                    files: BTreeMap::from([("f".to_owned(), "00".to_owned())]),
                    tool: "t".to_owned(),
                };
                assert_eq!(Manifest::read(&manifest.to_string()), Ok(manifest));
            }
        }
        for broken in ["", "[]", "{}", "{\"schema\": 99}", "{\"schema\": 1}"] {
            assert!(Manifest::read(broken).is_err());
        }
    }

    /// Two readers of a field that only one of them knows would judge different claims.
    #[test]
    fn what_is_not_known_is_refused() {
        let manifest = Manifest {
            claim: Claim::Unsolvable,
            objective: Objective::Pushes,
            after: String::new(),
            constraints: Constraints::default(),
            family: "game".to_owned(),
            reading: String::new(),
            options: BTreeMap::new(),
            evidence: Evidence::Patterns { proofs: PatternProofs::None },
            encodings: BTreeMap::new(),
            files: BTreeMap::new(),
            tool: "t".to_owned(),
        };
        let whole: Value = serde_json::from_str(&manifest.to_string()).unwrap();
        let refused = |change: &dyn Fn(&mut Value), field: &str| {
            let mut changed = whole.clone();
            change(&mut changed);
            let unknown = Err(ManifestError::Unknown(field.to_owned()));
            assert_eq!(Manifest::read(&changed.to_string()), unknown);
        };
        let twice = manifest.to_string().replacen('{', "{\"claim\": \"unsolvable\",", 1);
        let refusal = ManifestError::Json(StrictJsonError::Duplicate);
        assert_eq!(Manifest::read(&twice), Err(refusal));
        refused(&|it| it["within"] = json!(3), "within");
        refused(&|it| it["Claim"] = json!("optimal"), "Claim");
        refused(&|it| it["evidence"]["bound"] = json!(null), "bound");
        refused(&|it| it["evidence"]["counts"] = json!("waste"), "counts");
        let mut other = whole.clone();
        other["evidence"]["proof"] = json!("lrat");
        assert!(matches!(Manifest::read(&other.to_string()), Err(ManifestError::Value { .. })));
    }
}
