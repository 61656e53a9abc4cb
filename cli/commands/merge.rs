//! `unstuck merge`: several stores as one, or as one CSV table.

use crate::driver::Run;
use crate::input::args::{ForceArgs, long_help};
use crate::store::open_store::OpenStore;
use crate::store::result::LevelResult;
use crate::store::shards::{Key, MAX_CERTIFICATE_BYTES, Store, StoreError};
use crate::terminal::cells::Table;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::{self, Target};
use crate::terminal::{file_id, guard};
use clap::Args;
use hashbrown::HashSet;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use unstuck::report::{Field, sentences};

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

/// The columns: their names, and where their values are in a result.
const COLUMNS: [(&str, &str); 31] = [
    ("file", "/file"),
    ("number", "/number"),
    ("title", "/title"),
    ("puzzle", "/puzzle"),
    ("id", "/id"),
    ("key", "/key"),
    ("objective", "/question/objective"),
    ("engine", "/question/engine"),
    ("verdict", "/verdict"),
    ("stopped_by", "/stopped_by"),
    ("lower", "/lower"),
    ("upper", "/upper"),
    ("optimal", "/optimal"),
    ("unique_solution", "/unique"),
    ("moves", "/solution/length/moves"),
    ("pushes", "/solution/length/pushes"),
    ("solution", "/solution/moves"),
    ("states", "/search/states"),
    ("expanded", "/search/expanded"),
    ("seconds", "/seconds"),
    ("limit_seconds", "/limits/seconds"),
    ("limit_memory_bytes", "/limits/memory_bytes"),
    ("certified", "/certified"),
    ("certificate_shard", "/certificate/shard"),
    ("certificate_offset", "/certificate/offset"),
    ("certificate_bytes", "/certificate/bytes"),
    ("certificate_sha256", "/certificate/sha256"),
    ("shown_by", "/shown_by"),
    ("error", "/error/message"),
    ("version", "/version"),
    ("text", "/text"),
];

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
    table.row(COLUMNS.map(|(name, _)| name))?;
    rows(stores, &mut |_, _, line| {
        let line = json!(line);
        table.row(COLUMNS.map(|(_, place)| match line.pointer(place) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
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
