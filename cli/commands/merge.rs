//! `unstuck merge`: several stores as one, or as one CSV table.

use crate::driver::{Run, Watched};
use crate::input::args::{ForceArgs, long_help};
use crate::store::open_store::OpenStore;
use crate::store::result::LevelResult;
use crate::store::shards::{Key, MAX_CERTIFICATE_BYTES, PackLocation, Store, StoreError};
use crate::terminal::cells::Table;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::{self, Target};
use crate::terminal::{file_id, guard};
use clap::Args;
use hashbrown::HashSet;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use unstuck::report::{Field, Length, sentences};

const LONG_HELP: &str = "\
A folder becomes a store of all results with their certificates: the stores of
parts that several machines have solved, say. One that is there is added to. A
file, or standard output, gets a table (CSV) with a row for each result: file and
number of its level, verdict, bounds, the solution, time, and where its
certificate is. Of answers to one question about one level the first that is
settled counts.

Exit codes: 0 all is written; 2 wrong usage, or a store cannot be read; 30
interrupted.";

const EXAMPLES: &str = "\
Examples:
  unstuck merge part-1 part-2 part-3 -o run
  unstuck merge run -o run.csv
  unstuck merge run | head";

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
    ("solution", |row| of(row.moves())),
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

/// Merge stores into one, or write them as a table
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct MergeCommand {
    /// Stores, or logs
    #[arg(value_name = "STORE", required = true)]
    stores: Vec<PathBuf>,
    /// A folder for a store, or a file for a table (*.csv) [default: a table on standard output]
    #[arg(long, short, value_name = "DIR|FILE")]
    output: Option<Target>,
    #[command(flatten)]
    force: ForceArgs,
}

impl Run for MergeCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: None }
    }

    fn run(&'static self) -> CommandResult {
        let open = |path: &PathBuf| {
            file_id::note_folder(path);
            file_id::note_input(path);
            Store::at(path)
        };
        let stores = self.stores.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let target = self.output.clone().unwrap_or(Target::Stdout);
        let is_table = |path: &Path| {
            let csv = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("csv"));
            csv || path.is_file() || output::is_device(path)
        };
        if let Some(folder) = target.path().filter(|path| !is_table(path)) {
            return into_store(&stores, folder);
        }
        output::prepare(false, self.force.force, &[("output", self.output.as_ref())])?;
        target.write(self.force.force, |out| csv(&stores, out))?;
        Ok(0)
    }
}

/// Visits the results of all stores, each question about a level once: the first that is settled, else
/// the first.
fn rows<E: From<StoreError>>(
    stores: &[Store],
    take: &mut dyn FnMut(&Store, Key, LevelResult) -> Result<(), E>,
) -> Result<(), E> {
    let mut settled: HashSet<Key> = HashSet::new();
    let mut open: HashSet<Key> = HashSet::new();
    let is_single = stores.len() == 1;
    for wanted in [true, false] {
        for store in stores {
            store.visit_all(&mut |key, line: LevelResult| {
                let is_new = match (wanted, line.is_settled()) {
                    // Within a store a key counts once anyway.
                    (true, true) => is_single || settled.insert(key),
                    (false, false) => is_single || !settled.contains(&key) && open.insert(key),
                    _ => false,
                };
                if is_new { take(store, key, line) } else { Ok(()) }
            })?;
        }
    }
    Ok(())
}

fn csv(stores: &[Store], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(out);
    table.row(COLUMNS.iter().map(|(name, _)| name))?;
    rows(stores, &mut |_, _, line| {
        table.row(COLUMNS.iter().map(|(_, value)| match value(&line) {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        }))
    })?;
    table.end()
}

/// Adds all results to the store of a folder, with their certificates as they are packed.
fn into_store(stores: &[Store], folder: &Path) -> CommandResult {
    let target = OpenStore::open(Store::begin(folder, None)?)?;
    let mut count = 0_u32;
    let mut is_whole = true;
    rows(stores, &mut |store, key, mut line| {
        let known = target.find(key)?;
        if guard::is_interrupted() || known.is_some_and(|it| it.is_settled() || !line.is_settled())
        {
            is_whole &= !guard::is_interrupted();
            return Ok(());
        }
        let packed = match &*line.asked.certificate {
            None => Vec::new(),
            Some(place) => store.packed(place, MAX_CERTIFICATE_BYTES as u64).map_err(|error| {
                let help = "`unstuck check` says what of the store is right";
                Failure::usage(error.to_string()).help(help)
            })?,
        };
        line.asked.certificate = Field::null();
        target.keep(key, line, &packed)?;
        count += 1;
        Ok::<(), Failure>(())
    })?;
    target.sync()?;
    let results = sentences::count(count, "results");
    output::print(format!("{}: {results} added\n", folder.display()));
    Ok(if is_whole { 0 } else { 30 })
}
