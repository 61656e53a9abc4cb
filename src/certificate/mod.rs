//! Certificates: a verdict with all that a stranger needs to check it.
//!
//! A certificate is a folder: `certificate.json` says what is claimed and lists the SHA-256 of the
//! other files; the puzzle's text; the plan; and the evidence, in files that standard tools read.
//!
//! * [`mod@prove`]: finds a verdict, chooses the evidence, writes the folder, and checks it.
//! * [`mod@check`]: judges a folder from the puzzle's text alone.
//! * [`files`]: where the files are; in memory, where there are no folders.
//! * `folder`: writes folders whole or not at all (feature `files`).
//! * `shared`: cubes that several processes refute (feature `files`).
//! * `outside`: runs checkers that are not ours (feature `files`).
//!
//! What is claimed ([`Claim`]), of which puzzle it can be claimed ([`Claimed`]) and what supports it
//! ([`Evidence`]) are kept apart: a new kind of evidence is one more case of the latter.

pub mod check;
pub mod claim;
mod compare;
mod cubes;
mod evidence;
pub mod files;
#[cfg(feature = "files")]
pub mod folder;
mod judge;
mod listed;
#[cfg(feature = "files")]
pub mod outside;
mod patterns;
pub mod prove;
mod refuting;
#[cfg(feature = "files")]
pub mod shared;

pub use claim::{Claim, ClaimError, Claimed};

use crate::instance::Question;
pub use crate::patterns::Counts;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use unstuck_encodings::Filter;
use unstuck_puzzles::Objective;
use unstuck_puzzles::wishes::Wishes;

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
        /// Form of the refutation.
        proof: ProofKind,
    },
    /// A closed set.
    ClosedSet {
        /// The bound that left states out, by name.
        bound: Option<String>,
        /// Whether the three formulas and their proofs are there.
        lrat: bool,
    },
    /// A list of cubes, and the refutations of its three formulas.
    Invariant {
        /// Form of the refutations.
        proof: ProofKind,
    },
    /// A list of dead patterns.
    Patterns {
        /// What its three formulas count, where they and their LRAT proofs are there too.
        lrat: Option<Counts>,
    },
}

impl Evidence {
    /// Name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Horizon { .. } => "horizon",
            Self::ClosedSet { .. } => "closed",
            Self::Invariant { .. } => "invariant",
            Self::Patterns { .. } => "patterns",
        }
    }
}

/// One of the formulas of horizon evidence.
struct Refutation {
    /// Name of its files, without extension.
    name: String,
    question: Question,
}

/// The formulas whose refutations are the evidence of a horizon, the last one the largest. With a
/// cap on the tie-break what has less of the first count must be refuted whatever its tie-break.
fn refutations(horizon: u32, tie: Option<u32>) -> Vec<Refutation> {
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

/// Form of a proof file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// DRAT as text.
    Drat,
    /// DRAT in the compact binary form.
    BinaryDrat,
    /// LRAT.
    Lrat,
}

impl ProofKind {
    const ALL: [Self; 3] = [Self::Drat, Self::BinaryDrat, Self::Lrat];

    /// Name in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drat => "drat",
            Self::BinaryDrat => "binary-drat",
            Self::Lrat => "lrat",
        }
    }

    /// Extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Drat | Self::BinaryDrat => "drat",
            Self::Lrat => "lrat",
        }
    }
}

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
    pub wishes: Wishes,
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
            Evidence::Patterns { lrat } => {
                evidence["lrat"] = json!(lrat.is_some());
                if let Some(counts) = lrat {
                    evidence["counts"] = json!(counts.name());
                }
            }
            Evidence::Horizon { horizon, tie, proof } => {
                evidence["horizon"] = json!(horizon);
                if let Some(tie) = tie {
                    evidence["tie_break"] = json!(tie);
                }
                evidence["proof"] = json!(proof.name());
            }
            Evidence::Invariant { proof } => evidence["proof"] = json!(proof.name()),
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
        let texts = |wishes: Vec<String>| Some(wishes).filter(|wishes| !wishes.is_empty());
        let forbidden = self.wishes.forbidden.iter().map(ToString::to_string).collect();
        let required = self.wishes.required.iter().map(ToString::to_string).collect();
        for (name, wishes) in [("forbid", texts(forbidden)), ("require", texts(required))] {
            if let Some(wishes) = wishes {
                value[name] = json!(wishes);
            }
        }
        write!(f, "{value:#}")
    }
}

impl Manifest {
    /// Reads what [`fmt::Display`] wrote.
    ///
    /// # Errors
    /// The field that is missing or not as it should be.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))?;
        let fields = Fields(value.as_object().ok_or("not an object")?);
        match fields.get("schema")?.as_u64() {
            Some(SCHEMA) => {}
            other => {
                let other = other.map_or("unknown".to_owned(), |version| version.to_string());
                return Err(format!("schema {other}: this program reads schema {SCHEMA}"));
            }
        }
        let cost = fields.number("cost")?;
        let tie = fields.optional("tie_break")?;
        let claim = Claim::read(fields.text("claim")?, cost, tie)
            .ok_or("`claim`, `cost` and `tie_break` do not fit")?;
        let evidence = Fields(fields.get("evidence")?.as_object().ok_or("`evidence`: no object")?);
        let evidence = match evidence.text("kind")? {
            "nothing" => Evidence::Nothing,
            "horizon" => Evidence::Horizon {
                horizon: evidence.number("horizon")?.ok_or("`horizon` is no number")?,
                tie: evidence.optional("tie_break")?,
                proof: evidence.proof()?,
            },
            "patterns" => Evidence::Patterns {
                lrat: match evidence.get("lrat")?.as_bool().ok_or("`lrat` is no truth value")? {
                    true => Some(evidence.counts()?),
                    false => None,
                },
            },
            "invariant" => Evidence::Invariant { proof: evidence.proof()? },
            "closed" => Evidence::ClosedSet {
                bound: match evidence.get("bound")? {
                    Value::Null => None,
                    value => Some(value.as_str().ok_or("`bound` is no text")?.to_owned()),
                },
                lrat: evidence.get("lrat")?.as_bool().ok_or("`lrat` is no truth value")?,
            },
            other => return Err(format!("no kind of evidence `{other}`")),
        };
        let objective = fields.text("objective")?;
        Ok(Self {
            claim,
            objective: Objective::from_name(objective)
                .ok_or_else(|| format!("no objective `{objective}`"))?,
            after: fields.get("after").map_or(Ok(""), |_| fields.text("after"))?.to_owned(),
            wishes: fields.wishes()?,
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

/// The fields of a JSON object, each asked for by name.
struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Result<&'a Value, String> {
        self.0.get(name).ok_or_else(|| format!("`{name}` is missing"))
    }

    fn text(&self, name: &str) -> Result<&'a str, String> {
        self.get(name)?.as_str().ok_or_else(|| format!("`{name}` is no text"))
    }

    /// A number, or `None` for null.
    fn number(&self, name: &str) -> Result<Option<u32>, String> {
        match self.get(name)? {
            Value::Null => Ok(None),
            value => {
                let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
                number.map(Some).ok_or_else(|| format!("`{name}` is no number"))
            }
        }
    }

    /// A number; `None` when the field is missing.
    fn optional(&self, name: &str) -> Result<Option<u32>, String> {
        if !self.0.contains_key(name) {
            return Ok(None);
        }
        self.number(name)?.map(Some).ok_or_else(|| format!("`{name}` is no number"))
    }

    fn proof(&self) -> Result<ProofKind, String> {
        let name = self.text("proof")?;
        let known = ProofKind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| format!("no proof format `{name}`"))
    }

    /// What formulas count; waste where nothing is said, as in older certificates.
    fn counts(&self) -> Result<Counts, String> {
        if !self.0.contains_key("counts") {
            return Ok(Counts::Waste);
        }
        let name = self.text("counts")?;
        let known = Counts::ALL.into_iter().find(|counts| counts.name() == name);
        known.ok_or_else(|| format!("no formulas count `{name}`"))
    }

    /// Names with numbers; none when the field is missing.
    fn versions(&self, name: &str) -> Result<BTreeMap<String, u32>, String> {
        let Some(value) = self.0.get(name) else { return Ok(BTreeMap::new()) };
        let object = value.as_object().ok_or_else(|| format!("`{name}` is no object"))?;
        let version = |(key, value): (&String, &Value)| {
            let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
            let number = number.ok_or_else(|| format!("`{name}.{key}` is no number"))?;
            Ok((key.clone(), number))
        };
        object.iter().map(version).collect()
    }

    /// Wishes; none when the fields are missing.
    fn wishes(&self) -> Result<Wishes, String> {
        let list = |name: &str| -> Result<Vec<&'a str>, String> {
            let Some(value) = self.0.get(name) else { return Ok(Vec::new()) };
            let texts = value.as_array().ok_or_else(|| format!("`{name}` is no list"))?;
            let text = |it: &'a Value| it.as_str().ok_or_else(|| format!("`{name}`: no text"));
            texts.iter().map(text).collect()
        };
        let mut wishes = Wishes::default();
        for text in list("forbid")? {
            wishes.forbid(text).map_err(|error| error.to_string())?;
        }
        for text in list("require")? {
            wishes.require(text).map_err(|error| error.to_string())?;
        }
        Ok(wishes)
    }

    fn texts(&self, name: &str) -> Result<BTreeMap<String, String>, String> {
        let object = self.get(name)?.as_object();
        let object = object.ok_or_else(|| format!("`{name}` is no object"))?;
        let text = |(key, value): (&String, &Value)| {
            let value = value.as_str().ok_or_else(|| format!("`{name}.{key}` is no text"))?;
            Ok((key.clone(), value.to_owned()))
        };
        object.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut wishes = Wishes::default();
        for text in ["box 1,2", "cell 3,4", "player 5,6", "pushed 7,8", "modifier 9,1", "move u"] {
            wishes.forbid(text).unwrap();
        }
        for text in ["player 1,2", "box 3,4", "bond 5,6 5,7"] {
            wishes.require(text).unwrap();
        }
        for (after, wishes) in [("", Wishes::default()), ("rrD", wishes)] {
            reads_back(after, &wishes);
        }
    }

    fn reads_back(after: &str, wishes: &Wishes) {
        let claims = [
            Claim::Optimal(7),
            Claim::OptimalTied(7, 9),
            Claim::NothingWithin(3),
            Claim::Unsolvable,
            Claim::Unique,
        ];
        let evidences = [
            Evidence::Nothing,
            Evidence::Horizon { horizon: 6, tie: None, proof: ProofKind::BinaryDrat },
            Evidence::Horizon { horizon: 6, tie: Some(4), proof: ProofKind::Lrat },
            Evidence::ClosedSet { bound: Some("x".to_owned()), lrat: false },
            Evidence::Invariant { proof: ProofKind::Lrat },
            Evidence::Patterns { lrat: None },
            Evidence::Patterns { lrat: Some(Counts::Waste) },
            Evidence::Patterns { lrat: Some(Counts::Pushes) },
        ];
        for claim in claims {
            for evidence in &evidences {
                let manifest = Manifest {
                    claim,
                    objective: Objective::Pushes,
                    after: after.to_owned(),
                    wishes: wishes.clone(),
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
}
