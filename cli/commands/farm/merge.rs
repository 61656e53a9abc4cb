//! `unstuck farm merge`: stores as one CSV table.

use crate::driver::{Run, Watched};
use crate::input::args::{ForceArgs, long_help};
use crate::store::result::{KeptAnswer, LevelResult};
use crate::store::shards::{Key, PackLocation, Store};
use crate::terminal::cells::Table;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::Target;
use crate::terminal::{file_id, output};
use clap::Args;
use hashbrown::HashSet;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;
use unstuck::report::Length;

const LONG_HELP: &str = "\
One row for each result, with file and number of its level, verdict, bounds, the
solution, time, and where its certificate is. Where stores have answers to the
same question about the same level, the first store's counts.

Exit codes: 0 the table is written; 2 wrong usage, or a store cannot be read.";

const EXAMPLES: &str = "\
Examples:
  unstuck farm merge run -o run.csv
  unstuck farm merge monday tuesday -o both.csv";

/// A column: its name, and its value for a result.
type Column = (&'static str, fn(&LevelResult) -> Value);

/// The columns.
const COLUMNS: &[Column] = &[
    ("file", |row| of(&row.asked.file)),
    ("number", |row| of(row.asked.number)),
    ("title", |row| of(&row.asked.title)),
    ("puzzle", |row| of(&row.asked.puzzle)),
    ("id", |row| of(&row.asked.id)),
    ("key", |row| of(&row.asked.key)),
    ("objective", |row| of(&row.asked.question.objective)),
    ("engine", |row| of(&row.asked.question.engine)),
    ("verdict", |row| of(&row.answer.verdict)),
    ("stopped_by", |row| of(&row.answer.stopped_by)),
    ("lower", |row| of(row.answer.lower)),
    ("upper", |row| of(row.answer.upper)),
    ("optimal", |row| of(row.answer.optimal)),
    ("unique_solution", |row| of(row.answer.unique)),
    ("moves", |row| of(length(row).map(|length| length.moves))),
    ("pushes", |row| of(length(row).map(|length| length.pushes))),
    ("solution", |row| of(row.answer.moves())),
    ("states", |row| of(row.answer.search.map(|search| search.states))),
    ("expanded", |row| of(row.answer.search.map(|search| search.expanded))),
    ("seconds", |row| of(row.answer.seconds)),
    ("limit_seconds", |row| of(row.asked.limits.seconds)),
    ("limit_memory_bytes", |row| of(row.asked.limits.memory_bytes)),
    ("certified", |row| of(row.answer.certified)),
    ("certificate_shard", |row| of(place(row).map(|place| place.shard))),
    ("certificate_offset", |row| of(place(row).map(|place| place.offset))),
    ("certificate_bytes", |row| of(place(row).map(|place| place.bytes))),
    ("certificate_sha256", |row| of(place(row).map(|place| &place.sha256))),
    ("shown_by", |row| of(&row.answer.shown_by)),
    ("error", |row| of(row.answer.error.as_ref().map(|error| &error.message))),
    ("version", |row| of(&row.asked.version)),
    ("text", |row| of(&row.asked.text)),
];

fn of(field: impl Serialize) -> Value {
    serde_json::to_value(field).unwrap_or_default()
}

fn length(result: &LevelResult) -> Option<Length> {
    result.answer.solution.as_ref().and_then(|solution| solution.length)
}

fn place(result: &LevelResult) -> Option<&PackLocation> {
    result.asked.certificate.as_ref()
}

/// Write stores as one table
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct MergeCommand {
    /// The folders of the stores
    #[arg(value_name = "DIR", required = true)]
    stores: Vec<PathBuf>,
    /// The table [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<Target>,
    #[command(flatten)]
    force: ForceArgs,
}

impl Run for MergeCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: None }
    }

    fn run(&'static self) -> CommandResult {
        let force = self.force.force;
        let open = |folder: &PathBuf| {
            file_id::note_folder(folder);
            Store::open(folder)
        };
        let stores = self.stores.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        output::prepare(false, force, &[("output", self.output.as_ref())])?;
        let target = self.output.clone().unwrap_or(Target::Stdout);
        let mut fault = None;
        let written = target.write(force, |out| {
            csv(&stores, out).map_err(|failure| {
                let error = io::Error::other(failure.message.clone());
                fault = Some(failure);
                error
            })
        });
        written.map_err(|failure| fault.unwrap_or(failure))?;
        Ok(0)
    }
}

/// Visits the results of all stores, each question about a level once.
fn rows(
    stores: &[Store],
    take: &mut dyn FnMut(&LevelResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut seen: HashSet<Key> = HashSet::new();
    for store in stores {
        for shard in 0..store.shards() {
            store.visit(shard, &mut |key, line| {
                // Within a store a key counts once anyway.
                if stores.len() > 1 && !seen.insert(key) { Ok(()) } else { take(&line) }
            })?;
        }
    }
    Ok(())
}

fn csv(stores: &[Store], out: &mut dyn Write) -> Result<(), Failure> {
    let mut table = Table::new(out);
    table.row(COLUMNS.iter().map(|(name, _)| name))?;
    rows(stores, &mut |line| {
        let cells = COLUMNS.iter().map(|(_, value)| match value(line) {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        });
        table.row(cells)
    })?;
    table.end()
}
