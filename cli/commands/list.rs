//! `unstuck list`: what can be said of levels without solving them, and what a store has.

pub(crate) mod store;

use crate::answer::Answer;
use crate::answer::by_file::{LevelRow, by_file};
use crate::driver::{Ask, Asked, Subject};
use crate::input::applies::{self, Demand};
use crate::input::args::{ForceArgs, LevelsArgs, long_help};
use crate::input::{self, SelectedLevel, SelectedLevels};
use crate::pictures::{Scene, StillArgs, frames};
use crate::store::shards::Store;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::text::{Text, one_line};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Mutex;
use unstuck::instance::{Instance, Term};
use unstuck::machine::lock;
use unstuck::registry::ParsedPuzzle;
use unstuck::report::{self, sentences};
use unstuck_puzzles::{Level, Style};

const EXIT_CODES: &str = "\
Of a store or a log, which `solve --store` and `--log` write, the results are
counted, also while it is being filled: verdicts, certificates, distribution of
the optimum, time.

Exit codes: 0 all levels were read; 2 wrong usage, or one was not; 30 a limit
struck before all was known of a level.";

const EXAMPLES: &str = "\
Examples:
  unstuck list collection.xsb
  unstuck list levels/ --json           all that is known of each
  unstuck list level.xsb --svg board.svg
  unstuck list run                      what a store has so far";

/// List levels with number, title, size, pieces, lower bound and recorded solutions
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(EXIT_CODES, EXAMPLES))]
pub(crate) struct ListCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    stills: StillArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[arg(skip)]
    listed: Mutex<Vec<LevelRow>>,
}

/// What a level is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ListAnswer<'a> {
    /// What a shortest solution is shortest in.
    objective: &'static str,
    /// Facts about the level.
    facts: Map<String, Value>,
    /// The number of solutions that the file records.
    recorded: usize,
    /// What is odd about the level.
    warnings: Vec<&'a str>,
    /// What its readings say, the strictest first.
    readings: Vec<ReadingAnswer>,
}

/// What a level is under a reading of the rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReadingAnswer {
    /// The reading; empty where there is only one.
    reading: &'static str,
    /// What each option of the family comes to.
    terms: Vec<Term>,
    /// No solution costs less.
    lower_bound: Option<u32>,
    /// Why there is no solution, where the bound shows that.
    unsolvable: Option<String>,
    /// Facts about the reading.
    facts: Map<String, Value>,
}

impl<'a> ListAnswer<'a> {
    fn of(level: &'a Level<ParsedPuzzle>, instances: &[Box<dyn Instance>]) -> Self {
        Self {
            objective: instances[0].objective().name(),
            facts: report::facts(&instances[0].facts()),
            recorded: level.solutions.len(),
            warnings: level.warnings.iter().map(|warning| warning.text.as_str()).collect(),
            readings: instances.iter().map(|reading| ReadingAnswer::of(reading.as_ref())).collect(),
        }
    }
}

impl ReadingAnswer {
    fn of(instance: &dyn Instance) -> Self {
        let encoded = instance.encoded();
        let lower = encoded.lower_bound();
        Self {
            reading: instance.reading(),
            terms: instance.terms().terms,
            lower_bound: lower.filter(|_| instance.moves().is_some()),
            unsolvable: lower.is_none().then(|| encoded.unsolvable_reason()).flatten(),
            facts: report::facts(&encoded.facts()),
        }
    }
}

/// How many pieces a fact counts, of all their sizes. A name that is no plural counts none.
fn pieces(name: &str, value: &Value) -> Option<u64> {
    let count = match value {
        Value::Object(sizes) => sizes.values().filter_map(Value::as_u64).sum(),
        _ => value.as_u64()?,
    };
    (name.ends_with('s') && count > 0).then_some(count)
}

impl Ask for ListCommand {
    type Fields = ListAnswer<'static>;
    const NAME: &'static str = "list";

    fn asked(&self) -> Asked<'_> {
        Asked { levels: &self.levels, limits: Some(self.limits), output: self.output }
    }

    fn instead(&self) -> Option<CommandResult> {
        let [path] = &self.levels.files[..] else { return None };
        let path = Path::new(path);
        Store::is_at(path).then(|| store::list(path, self.output))
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        input::note_duplicates(found);
        let StillArgs { svg, png } = &self.stills;
        let demands =
            [Demand::one_level("svg", svg.is_some()), Demand::one_level("png", png.is_some())];
        applies::check(found, demands)?;
        self.stills.check()?;
        output::prepare(self.output.json, self.force.force, &self.stills.outputs())
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let chosen = subject.chosen;
        let instances = chosen.instances(self.levels.reading.objective)?;
        let instance = instances[0].as_ref();
        let scene = Scene {
            picture: Box::new(|| instance.picture(None, Style::Svg)),
            stages: Box::new(|shots| frames(instance, "", shots)),
        };
        self.stills.write(self.force, instance.family(), &scene)?;
        let cells = cells(chosen, instance);
        Ok(Answer::new(0, ListAnswer::of(&chosen.level, &instances)).row(cells))
    }

    fn take(&self, chosen: &SelectedLevel, answer: &mut Answer<Self::Fields>) {
        let (file, cells) = (chosen.source.clone(), std::mem::take(&mut answer.cells));
        let heads = HEADS.map(str::to_owned).to_vec();
        let title = cells[1].clone();
        let row = LevelRow { file, heads, cells, title, by_its_file: chosen.of == 1 };
        lock(&self.listed).push(row);
    }

    fn end(&self, quiet: bool) -> Text {
        Text::from(&by_file(&lock(&self.listed), &[0], quiet))
    }
}

const HEADS: [&str; 6] = ["#", "title", "size", "pieces", "at least", "recorded"];

/// What the table says of a level.
fn cells(chosen: &SelectedLevel, instance: &dyn Instance) -> Vec<String> {
    let facts = instance.facts();
    let fact = |name: &str| facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact);
    let size = match (fact("width"), fact("height"), fact("size")) {
        (Some(width), Some(height), _) => format!("{width} x {height}"),
        (_, _, Some(Value::String(size))) => size.clone(),
        _ => String::new(),
    };
    let pieces = facts.iter().filter_map(|(name, value)| Some((name, pieces(name, value)?)));
    let pieces: Vec<_> =
        pieces.take(2).map(|(name, number)| sentences::count(number, name)).collect();
    let bound = match instance.encoded().lower_bound() {
        Some(bound) if instance.moves().is_some() => bound.to_string(),
        Some(_) => String::new(),
        None => "unsolvable".to_owned(),
    };
    let recorded = chosen.level.solutions.len();
    vec![
        chosen.number.to_string(),
        one_line(chosen.level.title.as_deref().unwrap_or_default()),
        size,
        pieces.join(", "),
        bound,
        if recorded > 0 { recorded.to_string() } else { String::new() },
    ]
}
