//! `unstuck farm merge`: stores as one table.

use crate::args::{ForceArgs, long_help};
use crate::cells::Table;
use crate::output::Target;
use crate::runs::result::{KeptAnswer, LevelResult};
use crate::runs::store::{Key, PackLocation, Store};
use crate::{CommandResult, Failure, Run, Watched, file_id, output};
use clap::{Args, ValueEnum};
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
  unstuck farm merge monday tuesday -o both.csv
  unstuck farm merge run -o run.sqlite           with the feature `sqlite`";

/// A column: its name, its type in SQL, and what stands there of a result.
type Column = (&'static str, &'static str, fn(&LevelResult) -> Value);

/// The columns.
const COLUMNS: &[Column] = &[
    ("file", "TEXT", |it| of(&it.asked.file)),
    ("number", "INTEGER", |it| of(it.asked.number)),
    ("title", "TEXT", |it| of(&it.asked.title)),
    ("puzzle", "TEXT", |it| of(&it.asked.puzzle)),
    ("id", "TEXT", |it| of(&it.asked.id)),
    ("key", "TEXT", |it| of(&it.asked.key)),
    ("objective", "TEXT", |it| of(&it.asked.question.objective)),
    ("engine", "TEXT", |it| of(&it.asked.question.engine)),
    ("verdict", "TEXT", |it| of(&it.answer.verdict)),
    ("stopped_by", "TEXT", |it| of(&it.answer.stopped_by)),
    ("lower", "INTEGER", |it| of(it.answer.lower)),
    ("upper", "INTEGER", |it| of(it.answer.upper)),
    ("optimal", "INTEGER", |it| of(it.answer.optimal)),
    ("unique_solution", "INTEGER", |it| of(it.answer.unique)),
    ("moves", "INTEGER", |it| of(length(it).map(|it| it.moves))),
    ("pushes", "INTEGER", |it| of(length(it).map(|it| it.pushes))),
    ("solution", "TEXT", |it| of(it.answer.moves())),
    ("states", "INTEGER", |it| of(it.answer.search.map(|it| it.states))),
    ("expanded", "INTEGER", |it| of(it.answer.search.map(|it| it.expanded))),
    ("seconds", "REAL", |it| of(it.answer.seconds)),
    ("limit_seconds", "REAL", |it| of(it.asked.limits.seconds)),
    ("limit_memory_bytes", "INTEGER", |it| of(it.asked.limits.memory_bytes)),
    ("certified", "INTEGER", |it| of(it.answer.certified)),
    ("certificate_shard", "INTEGER", |it| of(place(it).map(|it| it.shard))),
    ("certificate_offset", "INTEGER", |it| of(place(it).map(|it| it.offset))),
    ("certificate_bytes", "INTEGER", |it| of(place(it).map(|it| it.bytes))),
    ("certificate_sha256", "TEXT", |it| of(place(it).map(|it| &it.sha256))),
    ("shown_by", "TEXT", |it| of(&it.answer.shown_by)),
    ("error", "TEXT", |it| of(it.answer.error.as_ref().map(|it| &it.message))),
    ("version", "TEXT", |it| of(&it.asked.version)),
    ("text", "TEXT", |it| of(&it.asked.text)),
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
    /// Form of the table [default: as the name of the file ends, else csv]
    #[arg(long, value_name = "FORM", value_enum)]
    format: Option<TableFormat>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Forms of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Csv,
    Sqlite,
}

impl Run for MergeCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: None }
    }

    fn run(&self) -> CommandResult {
        let force = self.force.force;
        let open = |folder: &PathBuf| {
            file_id::note_folder(folder);
            Store::open(folder)
        };
        let stores = self.stores.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        output::prepare(false, force, &[("output", self.output.as_ref())])?;
        let target = self.output.clone().unwrap_or(Target::Stdout);
        let named = |file: &PathBuf| {
            file.extension().is_some_and(|it| it == "sqlite" || it == "sqlite3" || it == "db")
        };
        let sqlite = match (self.format, &target) {
            (Some(format), _) => format == TableFormat::Sqlite,
            (None, Target::File(path)) => named(path),
            (None, Target::Stdout) => false,
        };
        match (target, sqlite) {
            (target, false) => {
                let mut fault = None;
                let written = target.write(force, |out| {
                    csv(&stores, out).map_err(|failure| {
                        let error = io::Error::other(failure.message.clone());
                        fault = Some(failure);
                        error
                    })
                });
                written.map_err(|failure| fault.unwrap_or(failure))?;
            }
            (Target::Stdout, true) => {
                let message = "a database is a file";
                return Err(Failure::usage(message).help("name it: `-o FILE.sqlite`"));
            }
            (Target::File(path), true) => sqlite::write(&stores, &path, force)?,
        }
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
    table.row(COLUMNS.iter().map(|(name, ..)| name))?;
    rows(stores, &mut |line| {
        let cells = COLUMNS.iter().map(|(.., value)| match value(line) {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        });
        table.row(cells)
    })?;
    table.end()
}

/// A database, where the program was built with the feature for it.
#[cfg(feature = "sqlite")]
mod sqlite {
    use super::{COLUMNS, Failure, Store, output, rows};
    use rusqlite::types::Value as Cell;
    use rusqlite::{Connection, params_from_iter};
    use serde_json::Value;
    use std::path::Path;
    use unstuck::machine::stale_files;

    fn cell(value: Value) -> Cell {
        match value {
            Value::Null => Cell::Null,
            Value::Bool(truth) => Cell::Integer(i64::from(truth)),
            Value::String(text) => Cell::Text(text),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => Cell::Integer(whole),
                (None, Some(real)) => Cell::Real(real),
                (None, None) => Cell::Null,
            },
            other => Cell::Text(other.to_string()),
        }
    }

    pub(super) fn write(stores: &[Store], path: &Path, force: bool) -> Result<(), Failure> {
        let fail = |error: rusqlite::Error| {
            Failure::usage(format!("{}: the table cannot be written: {error}", path.display()))
        };
        let io = |error: std::io::Error| Failure::file(&path.display().to_string(), &error);
        output::writable(path, force)?;
        let draft = tempfile::Builder::new()
            .prefix(stale_files::PREFIX)
            .tempfile_in(output::parent(path))
            .map_err(io)?;
        let mut database = Connection::open(draft.path()).map_err(fail)?;
        let names: Vec<_> =
            COLUMNS.iter().map(|(name, kind, _)| format!("{name} {kind}")).collect();
        let table = format!("CREATE TABLE levels ({})", names.join(", "));
        database.execute(&table, []).map_err(fail)?;
        let all = database.transaction().map_err(fail)?;
        {
            let places = vec!["?"; COLUMNS.len()].join(", ");
            let insert = format!("INSERT INTO levels VALUES ({places})");
            let mut insert = all.prepare(&insert).map_err(fail)?;
            rows(stores, &mut |line| {
                let cells = COLUMNS.iter().map(|(.., value)| cell(value(line)));
                insert.execute(params_from_iter(cells)).map(drop).map_err(fail)
            })?;
        }
        all.commit().map_err(fail)?;
        database.close().map_err(|(_, error)| fail(error))?;
        let kept = if force { draft.persist(path) } else { draft.persist_noclobber(path) };
        kept.map(drop).map_err(|error| io(error.error))
    }
}

#[cfg(not(feature = "sqlite"))]
mod sqlite {
    use super::{Failure, Store};
    use std::path::Path;

    pub(super) fn write(_: &[Store], path: &Path, _: bool) -> Result<(), Failure> {
        let message = format!("{}: this program was built without SQLite", path.display());
        Err(Failure::usage(message).help(
            "build it with `--features sqlite`; or write CSV, which `sqlite3 FILE '.import --csv \
             table.csv levels'` reads",
        ))
    }
}
