//! What the page and the solver say to each other, beside what the player says, too.

use crate::protocol::{Level, Options};
use serde::{Deserialize, Serialize};
use unstuck::questions::diagnose::Diagnosis;
use unstuck::questions::enumerate::Enumeration;
use unstuck::questions::forced::ForcedFacts;
use unstuck::questions::hint::{Hint, HintLevel};
use unstuck::report::LevelAnswer;
use unstuck::report::marks::Mark;
use unstuck_puzzles::scene::Figure;

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
    Hint { level: Level, moves: String, degree: HintLevel, limits: Bounds },
    /// Where a game went wrong.
    Diagnose { level: Level, moves: String, limits: Bounds },
    /// What all solutions have in common.
    Forced { level: Level, limits: Bounds },
    /// How many shortest solutions there are; in games with rules of their own also which of these act
    /// in them, where that is wanted.
    Count { level: Level, objective: String, rules: bool, limits: Bounds },
    /// The first level of a seed whose shortest solution is not below a length, or in families without
    /// moves the first with one solution only. The same for all browsers if it is the number of states
    /// that ends the work on a draft, not the time.
    Generate { puzzle: String, options: Options, seed: u32, least: u32, limits: Bounds },
}

/// When a long question ends without its answer.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Limits"))]
pub(crate) struct Bounds {
    #[serde(default)]
    pub seconds: Option<f64>,
    #[serde(default)]
    pub megabytes: Option<u32>,
    /// States that a search looks at: a limit that does not depend on the machine.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub states: Option<u32>,
}

/// A verdict, as `unstuck solve --json` prints it, and what a person wants to know beside it.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Verdict {
    #[serde(flatten)]
    pub answer: LevelAnswer,
    pub objective: &'static str,
    pub how: String,
    /// What was certified, and how it was checked on the spot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub certificate: Option<Certificate>,
    /// Why there is no certificate, or one without all files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reason: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Certificate {
    pub claim: String,
    pub evidence: String,
    pub checked: Vec<String>,
    pub trusted: Vec<String>,
}

/// A level that was made.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Generated {
    pub text: String,
    pub verdict: Verdict,
}

/// A hint on the board.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ShownHint {
    #[serde(flatten)]
    pub hint: Hint,
    /// What the hint points at, in the position that is played.
    pub marks: Vec<Mark>,
    /// The position after its moves; empty where none are said.
    pub after: Vec<Figure>,
}

/// Where a game went wrong, on the board.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ShownDiagnosis {
    #[serde(flatten)]
    pub diagnosis: Diagnosis,
    /// Its sentence, with what is on the board, and the limit that struck.
    pub summary: String,
    /// The position to look at: after so many moves.
    pub shown: usize,
    /// What is lost there.
    pub marks: Vec<Mark>,
}

/// What all solutions have in common, in words.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ShownFacts {
    #[serde(flatten)]
    pub facts: ForcedFacts,
    /// Its steps for people.
    pub words: Vec<String>,
}

/// How many shortest solutions there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Count {
    #[serde(flatten)]
    pub counted: Enumeration,
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
    use unstuck::limits::Stop;
    use unstuck::puzzles::session::SessionPosition;
    use unstuck::puzzles::text_format::TextFormat;
    use unstuck::puzzles::{Part, Tally, Violation};
    use unstuck::questions::diagnose::{JudgedMove, MoveClass};
    use unstuck::questions::forced::{DeducedFact, DeductionMethod};
    use unstuck::questions::reasons::Reason;
    use unstuck::report::{Length, RuleUse, SolutionReport};

    const HEAD: &str =
        "// What the page and the engine say to each other. Made from the types of `web/src` by
// `BLESS=1 cargo test -p unstuck-web`; not to be changed by hand.

export type Answer<T> = { ok: T } | { error: Fault };

export type VerdictName = \"solved\" | \"unsolvable\" | \"no-solution-within\" | \"unknown\";

";

    #[test]
    fn the_page_has_the_same_types() {
        let config = ts_rs::Config::default().with_large_int("number");
        macro_rules! declared {
            ($($name:ty),* $(,)?) => { [$(<$name as TS>::decl(&config)),*] };
        }
        let types = declared![
            QuickAsk,
            LongAsk,
            Level,
            Bounds,
            HintLevel,
            Fault,
            Family,
            OptionSpec,
            OptionKind,
            Read,
            ReadLevel,
            TextFormat,
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
            SessionPosition,
            Opened,
            Played,
            Way,
            Judged,
            Verdict,
            SolutionReport,
            Length,
            Stop,
            Certificate,
            Generated,
            Mark,
            ShownHint,
            ShownDiagnosis,
            JudgedMove,
            MoveClass,
            Reason,
            Part,
            Violation,
            ShownFacts,
            DeducedFact,
            DeductionMethod,
            Count,
            RuleUse,
            Fork,
            ForkWay,
            Progress,
        ];
        let lines = types.map(|declared| format!("export {declared}\n"));
        let made = format!("{HEAD}{}", lines.join("\n"));
        let made = made.replace("/**\n * ", "/** ").replace("\n */", " */");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/src/protocol.ts");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, &made).expect("the file can be written");
        }
        let kept = fs::read_to_string(&file).expect("the file is there");
        assert_eq!(kept, made, "run BLESS=1 cargo test -p unstuck-web");
    }
}
