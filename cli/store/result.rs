//! The result of a level: a line of a log, of the rows of a benchmark, of a store; and what `solve`
//! shows to programs.
//!
//! A result is what was asked, then what came out, in the order of their fields here. What a version
//! of the program wrote that this one does not know stays behind them.

use crate::input::SelectedLevel;
use crate::store::shards::{Key, PackLocation, key_of, shown};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::limits::Stop;
use unstuck::registry::ParsedPuzzle;
use unstuck::report::{Field, LevelAnswer};
use unstuck::solve::Outcome;

/// What was asked of a level, and what came out of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LevelResult {
    #[serde(flatten)]
    pub asked: LevelQuestion,
    #[serde(flatten)]
    pub answer: LevelAnswer,
    /// Processor time of the process, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// A level, what is asked of it, and the limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct LevelQuestion {
    pub schema: u32,
    pub command: String,
    /// The file of the level.
    pub file: String,
    /// Its number in the file.
    pub number: Option<u64>,
    /// The title of the level.
    pub title: Option<String>,
    /// The family.
    pub puzzle: Option<String>,
    /// The level's own name; none where it is broken.
    pub id: Option<String>,
    /// What a shortest solution is shortest in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// What is asked.
    pub question: Question,
    /// The limits of the run.
    pub limits: GivenLimits,
    /// Moves that were made before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Constraints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wishes: Option<String>,
    /// The key in a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The version of the program, in a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The level itself, in a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where a store has the certificate.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub certificate: Field<PackLocation>,
}

/// Everything beside the level that an answer depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct Question {
    /// What a shortest solution is shortest in.
    pub objective: String,
    /// The one horizon that is asked.
    pub horizon: Option<u32>,
    /// The horizon above which we give up.
    pub max_horizon: Option<u32>,
    /// How many solutions are looked for, in families without moves.
    pub count: Option<usize>,
    /// Name of the engine.
    pub engine: String,
    /// Name or command of the solver.
    pub backend: String,
    /// Rules that are left out.
    pub without: Vec<String>,
    /// Whether all strengthening rules are.
    pub defining_only: bool,
    /// Those of the family.
    pub options: BTreeMap<String, String>,
    /// Whether it is asked if there is no other shortest solution.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unique: bool,
    /// Whether it is asked which rules act in shortest solutions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rules: bool,
    /// The most states or conflicts of each engine, where these are limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Numbers that are changed for an experiment.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tune: String,
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Question {
    /// Its fields by their names, so that their order does not matter.
    pub(crate) fn sorted(&self) -> BTreeMap<String, Value> {
        let fields = serde_json::to_value(self).and_then(serde_json::from_value);
        fields.expect("a question is an object")
    }
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct GivenLimits {
    /// Wall-clock time.
    pub seconds: Option<f64>,
    /// What the process may hold.
    pub memory_bytes: Option<u64>,
}

impl GivenLimits {
    pub(crate) fn new(time: Option<Duration>, memory_bytes: Option<u64>) -> Self {
        Self { seconds: time.map(|time| time.as_secs_f64()), memory_bytes }
    }
}

impl LevelResult {
    pub(crate) fn new(asked: LevelQuestion, answer: LevelAnswer) -> Self {
        Self { asked, answer, ..Self::default() }
    }

    /// What came out, in the objective in which it was solved.
    pub(crate) fn of(asked: LevelQuestion, instance: &dyn Instance, outcome: &Outcome) -> Self {
        let objective = Some(instance.objective().name().to_owned());
        Self::new(LevelQuestion { objective, ..asked }, LevelAnswer::of(instance, outcome))
    }

    /// The result of a level whose worker did not heed a limit.
    pub(crate) fn unheeded(asked: LevelQuestion, stop: Stop) -> Self {
        let sentence = format!("unknown: {stop}; the worker did not react and was terminated");
        let unknown = LevelAnswer {
            verdict: "unknown".to_owned(),
            exit: 30.into(),
            sentence: sentence.into(),
            stopped_by: stop.name().to_owned().into(),
            certified: false.into(),
            ..LevelAnswer::default()
        };
        Self::new(asked, unknown)
    }

    /// The moves of the solution.
    pub(crate) fn moves(&self) -> Option<&str> {
        self.answer.solution.as_ref().map(|solution| solution.moves.as_str())
    }

    /// Whether nothing more can come out of trying again.
    pub(crate) fn is_settled(&self) -> bool {
        self.answer.stopped_by.is_none() && !["error", "crashed"].contains(&&*self.answer.verdict)
    }
}

impl LevelQuestion {
    /// Says under which key a store has the answer about a level. Which rules act is said by their
    /// lines, so that answer belongs to the text and not to the puzzle alone. Broken levels have no
    /// key.
    pub(crate) fn in_store(self, chosen: &SelectedLevel) -> Self {
        let Ok(puzzle) = &chosen.level.puzzle else { return self };
        let key = self.key_about(puzzle, &chosen.level.text);
        Self {
            key: Some(shown(key)),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            text: Some(chosen.level.text.clone()),
            certificate: Field::null(),
            ..self
        }
    }

    /// The key under which a store has the answer to this question about a puzzle, as it is written
    /// in a text.
    pub(crate) fn key_about(&self, puzzle: &ParsedPuzzle, text: &str) -> Key {
        let lines = self.question.rules.then_some(text);
        let known = json!([self.puzzle, puzzle.canonical_text(), self.question.sorted(), lines]);
        let sum = Sha256::digest(known.to_string().as_bytes());
        sum.iter().take(8).fold(0, |key, &byte| key << 8 | Key::from(byte))
    }

    /// The key in a store, where there is one.
    pub(crate) fn stored_key(&self) -> Option<Key> {
        self.key.as_deref().and_then(key_of)
    }
}

impl fmt::Display for LevelQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Display for LevelResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck::registry::by_name;
    use unstuck_puzzles::Options;

    const ASKED: &str = r#""schema":2,"command":"solve","file":"a.xsb","number":1,"title":null,"puzzle":"sokoban","id":"cb5d723561e3b50e","objective":"pushes","question":{"objective":"pushes","horizon":null,"max_horizon":9,"count":null,"engine":"auto","backend":"varisat","without":["walls"],"defining_only":false,"options":{"cover":"file"},"rules":true,"tune":"a=1","later":[1]},"limits":{"seconds":1.5,"memory_bytes":null}"#;

    fn line(more: &str) -> String {
        format!("{{{ASKED}{more}}}")
    }

    #[test]
    fn what_is_read_is_written_as_it_was() {
        let place = r#","key":"0000000000000001","version":"0.1.0","text":"A.A\n","certificate":{"shard":1,"offset":2,"bytes":3,"sha256":"00"}"#;
        let nothing = r#","key":"0000000000000001","version":"0.1.0","text":"","certificate":null"#;
        let error = r#","verdict":"error","exit":2,"error":{"message":"a","help":null,"line":3,"column":null}"#;
        let solved = r#","reading":"","verdict":"solved","exit":0,"sentence":"solved","horizon":null,"stopped_by":null,"solution":{"moves":"R","length":{"moves":1,"pushes":1},"facts":{"a":1}},"lower":1,"upper":1,"optimal":true,"tie_break_optimal":null,"certified":false,"shown_by":null,"encoding":"moves","horizons":[{"horizon":1,"tie_break_cap":null,"variables":2,"clauses":3,"conflicts":0,"rounds":1,"answer":"sat","seconds":0.25}],"search":{"expanded":1,"states":2},"seconds":0.5,"peak_memory_bytes":null"#;
        let still = r#","unique":null,"all_found":false,"others":[{"moves":"A: 0,0"}]"#;
        let counted = r#","optimal_plans":"340282366920938463463","unique":false,"rules":{"acting":[3],"idle":[]},"recorded":[],"later":{"b":1,"a":2}"#;
        for more in [
            String::new(),
            nothing.to_owned(),
            error.to_owned(),
            format!("{nothing}{error}"),
            solved.to_owned(),
            format!("{place}{solved}{still}"),
            format!("{solved}{counted}"),
        ] {
            let text = line(&more);
            let read: LevelResult = serde_json::from_str(&text).unwrap();
            assert_eq!(read.to_string(), text);
            // By way of a value, too: that is how stores are read.
            let value: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(LevelResult::deserialize(value).unwrap(), read);
        }
    }

    #[test]
    fn what_cannot_be_is_no_result() {
        for more in [r#","exit":300"#, r#","lower":-1"#, r#","solution":"R""#, r#","text":5"#] {
            assert!(serde_json::from_str::<LevelResult>(&line(more)).is_err(), "{more}");
        }
    }

    #[test]
    fn the_order_of_fields_does_not_change_a_question() {
        let family = by_name("sokoban").unwrap();
        let options = Options::new(family.options, []).unwrap();
        let level =
            |text: &str| SelectedLevel::of_text("x", family, options.clone(), text).unwrap();
        let board = "#####\n#@$.#\n#####\n";
        let key = |line: &str, board: &str| {
            serde_json::from_str::<LevelQuestion>(line)
                .unwrap()
                .in_store(&level(board))
                .stored_key()
        };
        let read = |line: &str| key(line, board);
        let other = ASKED.replace(r#""objective":"pushes","horizon":null"#, r#""horizon":null"#);
        let other = other.replace(r#""later":[1]"#, r#""later":[1],"objective":"pushes""#);
        assert_eq!(read(&line("")), read(&format!("{{{other}}}")));
        assert_ne!(read(&line("")), read(&line("").replace("varisat", "cadical")));
        assert_ne!(read(&line("")), read(&line("").replace("[1]", "[2]")));
        let unasked = line("").replace(r#""rules":true,"#, "");
        let spaced = "  #####\n  #@$.#\n  #####\nTitle: One\n";
        assert_eq!(key(&unasked, board), key(&unasked, spaced));
        assert_ne!(key(&unasked, board), key(&unasked, "#####\n#.$@#\n#####\n"));
    }
}
