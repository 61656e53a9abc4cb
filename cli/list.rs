//! `unstuck info` and `unstuck list`: what can be said of levels without solving them.

use super::applies::{self, Demand};
use super::args::{ForceArgs, LevelsArgs, OutputArgs, PlainArgs, long_help};
use super::batch::table;
use super::input::{SelectedLevel, SelectedLevels};
use super::pictures::{Scene, StillArgs, frames};
use super::text::{Text, one_line};
use super::{CommandResult, Failure, Run, Watched, json, of_several, output, text_boards};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::Path;
use unstuck::instance::Instance;
use unstuck::registry::ParsedPuzzle;
use unstuck::report::{self, sentences};
use unstuck_puzzles::{Facts, Level, Style};

const EXIT_CODES: &str = "Exit codes: 0 all levels were read; 2 wrong usage, or one was not.";

const EXAMPLES: &str = "\
Examples:
  unstuck info level.xsb
  unstuck info collection.xsb --json
  unstuck info level.xsb --svg board.svg";

const LIST_EXAMPLES: &str = "\
Examples:
  unstuck list collection.xsb
  unstuck list levels/ --json";

/// Show facts about levels: size, pieces, lower bound, identifiers
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(EXIT_CODES, EXAMPLES))]
pub(super) struct InfoCommand {
    #[command(flatten)]
    facts: ListCommand,
    #[command(flatten)]
    plain: PlainArgs,
    #[command(flatten)]
    stills: StillArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// List levels with number, title, size, pieces and recorded solutions
#[derive(Args)]
#[command(after_help = LIST_EXAMPLES, after_long_help = long_help!(EXIT_CODES, LIST_EXAMPLES))]
pub(super) struct ListCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl Run for InfoCommand {
    fn watched(&self) -> Watched {
        self.facts.watched()
    }

    fn run(&self) -> CommandResult {
        let ListCommand { levels, output: OutputArgs { json, quiet } } = &self.facts;
        let found = levels.found()?;
        let StillArgs { svg, png } = &self.stills;
        let demands =
            [Demand::one_level("svg", svg.is_some()), Demand::one_level("png", png.is_some())];
        applies::check(&found, demands)?;
        self.stills.check()?;
        output::prepare(*json, self.force.force, &self.stills.outputs())?;
        self.facts.each("info", &found, |chosen, instances| {
            if *json {
                output::print(format!(
                    "{}\n",
                    json::of_level("info", chosen, InfoAnswer::of(&chosen.level, instances))
                ));
            } else {
                output::print(text((!quiet).then(|| self.plain.style()), chosen, instances));
            }
            let instance = instances[0].as_ref();
            let scene = Scene {
                picture: Box::new(|| instance.picture(None, Style::Svg)),
                stages: Box::new(|shots| frames(instance, "", shots)),
            };
            self.stills.write(self.force, instance.family(), &scene)
        })
    }
}

impl ListCommand {
    /// Does something with each level; broken ones are reported, and the exit code says so.
    fn each(
        &self,
        command: &str,
        found: &SelectedLevels,
        mut work: impl FnMut(&SelectedLevel, &[Box<dyn Instance>]) -> Result<(), Failure>,
    ) -> CommandResult {
        let mut codes = Vec::new();
        for one in found {
            let done = match one {
                Ok(chosen) => chosen
                    .instances(self.levels.reading.objective)
                    .and_then(|instances| work(chosen, &instances)),
                Err(read_failure) => Err(read_failure.failure.clone()),
            };
            if let Err(failure) = done {
                codes.push(failure.tell(command, one, self.output.json));
            }
        }
        Ok(of_several(&codes))
    }
}

/// What an instance says of its puzzle under its reading.
fn of_reading(instance: &dyn Instance) -> Facts {
    let lower = instance.encoded().lower_bound();
    let mut facts: Facts = vec![];
    if instance.moves().is_some() && lower.is_some() {
        facts.push(("lower bound", json!(lower)));
    }
    if lower.is_none() {
        let reason =
            instance.encoded().unsolvable_reason().unwrap_or_else(|| "by its bound".to_owned());
        facts.push(("unsolvable", json!(reason)));
    }
    facts.extend(instance.encoded().facts());
    facts
}

/// What a level is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct InfoAnswer<'a> {
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
    /// No solution costs less.
    lower_bound: Option<u32>,
    /// Why there is no solution, where the bound shows that.
    unsolvable: Option<String>,
    /// Facts about the reading.
    facts: Map<String, Value>,
}

/// What a row of a list says.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ListAnswer {
    /// Facts about the level.
    facts: Map<String, Value>,
    /// The number of solutions that the file records.
    recorded: usize,
}

impl<'a> InfoAnswer<'a> {
    fn of(level: &'a Level<Box<dyn ParsedPuzzle>>, instances: &[Box<dyn Instance>]) -> Self {
        Self {
            objective: instances[0].objective().name(),
            facts: report::facts(&instances[0].facts()),
            recorded: level.solutions.len(),
            warnings: level.warnings.iter().map(|it| it.text.as_str()).collect(),
            readings: instances.iter().map(|it| ReadingAnswer::of(it.as_ref())).collect(),
        }
    }
}

impl ReadingAnswer {
    fn of(instance: &dyn Instance) -> Self {
        let encoded = instance.encoded();
        let lower = encoded.lower_bound();
        Self {
            reading: instance.reading(),
            lower_bound: lower.filter(|_| instance.moves().is_some()),
            unsolvable: lower.is_none().then(|| encoded.unsolvable_reason()).flatten(),
            facts: report::facts(&encoded.facts()),
        }
    }
}

/// The facts of a level, below its board in a style.
fn text(style: Option<Style>, chosen: &SelectedLevel, instances: &[Box<dyn Instance>]) -> Text {
    let instance = instances[0].as_ref();
    let mut text = Text::from(&format!("{}\n", chosen.name()));
    if let Some(picture) = style.and_then(|style| instance.picture(None, style)) {
        text.push_board(&picture);
    }
    text.push_str(&format!("puzzle: {}\n", chosen.family.name));
    text.push_str(&text_boards::fact_lines(&instance.facts()));
    text.push_str(&format!("objective: {}\n", instance.objective().name()));
    for instance in instances {
        if !instance.reading().is_empty() {
            text.push_str(&format!("reading: {}\n", instance.reading()));
        }
        text.push_str(&text_boards::fact_lines(&of_reading(instance.as_ref())));
    }
    if !chosen.level.solutions.is_empty() {
        text.push_str(&format!("recorded solutions: {}\n", chosen.level.solutions.len()));
    }
    text
}

/// How many pieces a fact counts, of all their sizes. A name that is no plural counts none.
fn pieces(name: &str, value: &Value) -> Option<u64> {
    let count = match value {
        Value::Object(sizes) => sizes.values().filter_map(Value::as_u64).sum(),
        _ => value.as_u64()?,
    };
    (name.ends_with('s') && count > 0).then_some(count)
}

/// One row for each level.
impl Run for ListCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.output.json, limits: None }
    }

    fn run(&self) -> CommandResult {
        let mut listed: Vec<ListRow> = Vec::new();
        let code = self.each("list", &self.levels.found()?, |chosen, instances| {
            let facts = instances[0].facts();
            if self.output.json {
                let recorded = chosen.level.solutions.len();
                let fields = ListAnswer { facts: report::facts(&facts), recorded };
                output::print(format!("{}\n", json::of_level("list", chosen, fields)));
                return Ok(());
            }
            let (file, alone) = (chosen.source.clone(), chosen.of == 1);
            listed.push(ListRow { file, alone, cells: row(chosen, &facts) });
            Ok(())
        })?;
        let beside = |a: &ListRow, b: &ListRow| {
            let alone = a.alone && b.alone;
            a.file == b.file || alone && table::folder(&a.file) == table::folder(&b.file)
        };
        let parts = listed.chunk_by(beside).map(|levels| part(levels, self.output.quiet));
        output::print(parts.collect::<Vec<_>>().join("\n"));
        Ok(code)
    }
}

/// A row of the list.
struct ListRow {
    file: String,
    /// Whether it is the only level of its file.
    alone: bool,
    cells: Vec<String>,
}

/// The levels of a file, or those of a folder that have files of their own, under a heading.
fn part(levels: &[ListRow], quiet: bool) -> String {
    let head = ["#", "title", "size", "pieces", "recorded"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    rows.extend(levels.iter().map(|level| level.cells.clone()));
    let mut heading = levels[0].file.clone();
    if levels.iter().any(|level| level.file != heading) {
        heading = format!("{}/", table::folder(&heading).display());
        for (row, level) in rows[1..].iter_mut().zip(levels) {
            let name = Path::new(&level.file).file_name().unwrap_or_default().to_string_lossy();
            row[0].clear();
            let name = one_line(&name);
            row[1] = table::shortened(format!("{name}  {}", row[1]).trim_end(), 40);
        }
    }
    table::clear_empty(&mut rows);
    if quiet {
        return table::columns(&rows[1..], &[0]);
    }
    format!("{}\n{}", one_line(&heading), table::columns(&rows, &[0]))
}

fn row(chosen: &SelectedLevel, facts: &Facts) -> Vec<String> {
    let fact = |name: &str| facts.iter().find(|(known, _)| *known == name).map(|(_, it)| it);
    let size = match (fact("width"), fact("height"), fact("size")) {
        (Some(width), Some(height), _) => format!("{width} x {height}"),
        (_, _, Some(Value::String(size))) => size.clone(),
        _ => String::new(),
    };
    let pieces = facts.iter().filter_map(|(name, value)| Some((name, pieces(name, value)?)));
    let pieces: Vec<_> =
        pieces.take(2).map(|(name, number)| sentences::count(number, name)).collect();
    let recorded = chosen.level.solutions.len();
    vec![
        chosen.number.to_string(),
        table::shortened(&one_line(chosen.level.title.as_deref().unwrap_or_default()), 34),
        size,
        pieces.join(", "),
        if recorded > 0 { recorded.to_string() } else { String::new() },
    ]
}
