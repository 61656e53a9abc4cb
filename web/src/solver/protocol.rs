//! What the page and the solver say to each other, beside what the player says, too.

use crate::protocol::{Coord, Figure, Level, Tally};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use unstuck::report::marks::{Mark, MarkStyle};

#[cfg(test)]
use ts_rs::TS;

/// A question that may take long; its name says which command of the program it is.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(crate) enum LongAsk {
    /// The verdict.
    Solve { level: Level, objective: String, engine: String, limits: Bounds },
    /// The verdict with its certificate.
    Prove {
        level: Level,
        objective: String,
        engine: String,
        #[serde(default)]
        formulas: bool,
        limits: Bounds,
    },
    /// What to do next.
    Hint { level: Level, moves: String, degree: Degree, limits: Bounds },
    /// Where a game went wrong.
    Diagnose { level: Level, moves: String, limits: Bounds },
    /// What all solutions have in common.
    Forced { level: Level, limits: Bounds },
    /// How many shortest solutions there are.
    Count { level: Level, objective: String, limits: Bounds },
}

/// When a long question ends without its answer.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Limits"))]
pub(crate) struct Bounds {
    #[serde(default)]
    pub seconds: Option<f64>,
    #[serde(default)]
    pub megabytes: Option<u32>,
}

/// How much help is wanted.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Degree {
    Solvable,
    Piece,
    Move,
    Plan,
}

/// A verdict, as `unstuck solve --json` prints it, with its sentences.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Verdict {
    pub sentence: String,
    pub how: String,
    pub verdict: VerdictName,
    pub objective: String,
    pub solution: Option<Solution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub others: Option<Vec<Solution>>,
    #[serde(default)]
    pub unique: Option<bool>,
    pub optimal: Option<bool>,
    pub lower: Option<u32>,
    pub upper: Option<u32>,
    pub stopped_by: Option<String>,
    pub seconds: f64,
    /// What was certified, and how it was checked on the spot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub certificate: Option<Certificate>,
    /// Why there is no certificate, or one without all files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reason: Option<String>,
    /// What the program prints beside these.
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    pub more: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VerdictName {
    Solved,
    Unsolvable,
    NoSolutionWithin,
    Unknown,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Solution {
    pub moves: String,
    /// Only where something is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub length: Option<Tally>,
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    pub more: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Certificate {
    pub claim: String,
    pub evidence: String,
    pub checked: Vec<String>,
    pub trusted: Vec<String>,
}

/// Something that an answer says of cells.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct MarkView {
    /// The cells: one, or two that are joined.
    pub places: Vec<Coord>,
    pub look: &'static str,
    pub label: String,
}

impl From<Mark> for MarkView {
    fn from(mark: Mark) -> Self {
        let look = match mark.look {
            MarkStyle::Pointed => "pointed",
            MarkStyle::Lost => "lost",
            MarkStyle::Counts => "counts",
            MarkStyle::Idle => "idle",
        };
        Self { places: mark.places, look, label: mark.label }
    }
}

/// What to do next, as far as it was asked.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Hint {
    pub sentence: String,
    pub moves: String,
    pub solvable: Option<bool>,
    /// What the hint points at, in the position that is played.
    pub marks: Vec<MarkView>,
    /// The position after these moves; empty where none are said.
    pub after: Vec<Figure>,
}

/// Where a game went wrong.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Diagnosis {
    /// The number of the move that lost the game, from 1.
    pub fatal: Option<usize>,
    pub moves: Vec<JudgedMove>,
    pub reason: Option<String>,
    pub sentence: String,
    /// The position to look at: after so many moves.
    pub shown: usize,
    /// What is lost there.
    pub marks: Vec<MarkView>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct JudgedMove {
    #[serde(rename = "move")]
    pub text: String,
    pub class: Option<&'static str>,
    /// By how much it made the shortest solution longer.
    pub cost: Option<u32>,
}

/// What all solutions have in common, in the order of deduction.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Forced {
    pub sentence: String,
    pub steps: Vec<Fact>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Fact {
    /// What it says of its cells, such as `joined`.
    pub kind: String,
    /// Whether it is so, or in no solution.
    pub holds: bool,
    /// The names of the cells, as in solutions.
    pub cells: Vec<String>,
    /// Its cells for people.
    pub what: String,
    /// How it was found: `direct`, `contradiction` or `search`.
    pub how: &'static str,
    /// The rules that it follows from.
    pub rules: Vec<&'static str>,
}

/// How many shortest solutions there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Count {
    /// Up to 39 digits; `null` where unknown.
    pub plans: Option<String>,
    pub sentence: String,
    /// Two of them, where there are several.
    pub fork: Option<Fork>,
}

/// Where two solutions part.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Fork {
    /// Moves that both begin with.
    pub at: usize,
    /// What stands where after them.
    pub before: Vec<Figure>,
    pub ways: Vec<ForkWay>,
}

/// One of two solutions that part.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ForkWay {
    /// All of its moves.
    pub moves: String,
    /// What stands where after the first push, or whatever the family counts, that the other one
    /// does not make there.
    pub after: Vec<Figure>,
}

/// Something that happened while a long question is worked on.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Progress {
    pub lower: Option<u32>,
    pub upper: Option<u32>,
    pub doing: String,
    /// The moves of the best solution so far, where this is about one: its length is `upper` where
    /// something is counted. What stops the work has left it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub moves: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::*;
    use std::fs;
    use std::path::Path;

    const HEAD: &str =
        "// What the page and the engine say to each other. Made from the types of `web/src` by
// `BLESS=1 cargo test -p unstuck-web`; not to be changed by hand.

export type Answer<T> = { ok: T } | { error: Fault };

";

    #[test]
    fn the_page_has_the_same_types() {
        let config = ts_rs::Config::default();
        macro_rules! declared {
            ($($name:ty),* $(,)?) => { [$(<$name as TS>::decl(&config)),*] };
        }
        let types = declared![
            QuickAsk,
            LongAsk,
            Level,
            Bounds,
            Degree,
            Fault,
            Family,
            OptionSpec,
            OptionKind,
            Read,
            ReadLevel,
            Written,
            Picture,
            Ground,
            Squares,
            Corner,
            Sprite,
            Paths,
            PathCell,
            PathPair,
            Figure,
            Tally,
            Position,
            Opened,
            Played,
            Way,
            Judged,
            Verdict,
            VerdictName,
            Solution,
            Certificate,
            MarkView,
            Hint,
            Diagnosis,
            JudgedMove,
            Forced,
            Fact,
            Count,
            Fork,
            ForkWay,
            Progress,
        ];
        let lines = types.map(|declared| format!("export {declared}\n"));
        let made = format!("{HEAD}{}", lines.join("\n"));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/src/protocol.ts");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, &made).expect("the file can be written");
        }
        let kept = fs::read_to_string(&file).expect("the file is there");
        assert_eq!(kept, made, "run BLESS=1 cargo test -p unstuck-web");
    }
}
