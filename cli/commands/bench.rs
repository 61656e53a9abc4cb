//! `unstuck bench`: a run with several columns, side by side, and their comparison. Each question has
//! a process of its own, which gives it its own peak memory; a crash or a limit costs one row.

mod compare;

use crate::answer::by_file::painted;
use crate::commands::fill::{Asked, Fill, Workers};
use crate::driver::{Run, Watched};
use crate::input::args::{
    self, EngineArgs, FilterArgs, SolveArgs, SolverArgs, ThreadArgs, TuneArgs, engines, helping,
    input_file, long_help, objectives,
};
use crate::input::families::FamilyArgs;
use crate::input::selection::SelectionArgs;
use crate::input::{self, SelectedLevel, SelectedLevels, applies};
use crate::store::open_store::OpenStore;
use crate::store::question;
use crate::store::result::LevelResult;
use crate::store::retry::Retry;
use crate::store::summary::Summary;
use crate::terminal::cells::Table;
use crate::terminal::columns::columns;
use crate::terminal::failure::{CommandResult, Failure, USAGE};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, Target};
use crate::terminal::text::{Text, one_line};
use crate::terminal::values::Horizons;
use clap::{Args, ValueEnum, value_parser};
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;
use unstuck::machine::{all_threads, lock};
use unstuck::report::{HorizonReport, Length, sentences};
use unstuck::solve::EngineChoice;
use unstuck_puzzles::Objective;

const LONG_HELP: &str = "\
Every level of the files (of folders: of all files below) is solved once in each
column: for each engine, solver, objective, horizon and variant of the encoding
that is named. With `--log FILE` each result is kept as soon as it is there, and
what the log has is not run again: an interrupted benchmark resumes where it
stopped. It is a log as `solve` writes it.
The columns are run side by side, level by level, and each is compared with the
first: levels settled, and the geometric mean of the ratios of their times.

Exit codes: 0 the table is whole; 2 wrong usage, or a file could not be read;
30 interrupted.";

const EXAMPLES: &str = "\
Examples:
  unstuck bench levels/ --engine sat,search --timeout 10s
  unstuck bench collection.xsb --log run.jsonl --format csv > run.csv
  unstuck bench level.xsb --engine sat --backend varisat --backend 'kissat -q {cnf}'
  unstuck bench level.xsb --engine sat --horizon 3..8 --horizon 20
  unstuck bench level.xsb --engine sat --without '' --without rule-a,rule-b";

/// Solve many levels with several engines and print a table
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = long_help!(LONG_HELP, EXAMPLES),
    mut_arg("puzzle", helping("The puzzle family of all files"))
)]
pub(crate) struct BenchCommand {
    /// Level files, or folders of them
    #[arg(value_name = "FILE", required = true, value_parser = input_file)]
    files: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// The engines [default: auto]
    #[arg(long, value_name = "ENGINE,...", value_delimiter = ',', value_parser = engines())]
    engine: Vec<EngineChoice>,
    /// A SAT solver; may be given several times [default: varisat]
    #[arg(long, value_name = "NAME|COMMAND")]
    backend: Vec<String>,
    /// An objective; may be given several times [default: the family's own]
    #[arg(long, value_name = "WHAT", value_parser = objectives())]
    objective: Vec<Objective>,
    /// Only whether N steps are enough, or each N from A to B; may be given several times
    #[arg(long, value_name = "N|A..B")]
    horizon: Vec<Horizons>,
    #[command(flatten)]
    tune: TuneArgs,
    #[arg(
        long,
        value_name = "RULE,...",
        help = "A variant of the encoding without these rules; may be given several times",
        long_help = "A variant of the encoding without these rules (\"\" is the full encoding); may be given several times"
    )]
    without: Vec<String>,
    /// Threads of each run [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Form of the table
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    format: TableFormat,
    /// Keep results in this file and skip those that it already has
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Which results to rerun: see `unstuck solve --help` [default: none]
    #[arg(long, value_name = "WHICH", requires = "log", value_enum, hide_possible_values = true)]
    retry: Option<Retry>,
    #[command(flatten)]
    family: FamilyArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Forms of the table.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum TableFormat {
    #[default]
    Text,
    Csv,
    Json,
}

/// The time limit of a run when none is given.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(10);

/// A column: how all levels are solved there.
struct Column {
    solve: SolveArgs,
    objective: Option<Objective>,
    horizon: Option<u32>,
    name: String,
}

/// What was given, or what stands for nothing.
fn or<T: Clone>(given: &[T], otherwise: T) -> Vec<T> {
    if given.is_empty() { vec![otherwise] } else { given.to_vec() }
}

impl BenchCommand {
    fn columns(&self) -> Vec<Column> {
        let objectives: Vec<_> = self.objective.iter().copied().map(Some).collect();
        let horizons: Vec<_> =
            self.horizon.iter().flat_map(|given| Horizons::each(Some(given))).collect();
        let lists = itertools::iproduct!(
            or(&objectives, None),
            or(&self.engine, EngineChoice::Auto),
            or(&self.backend, "varisat".to_owned()),
            or(&horizons, None),
            or(&self.without, String::new()),
            or(&self.tune.tune, String::new())
        );
        let mut columns: Vec<Column> = Vec::new();
        for (objective, engine, backend, horizon, without, tune) in lists {
            // Search asks no solver: one column, not one for each.
            let asks = engine != EngineChoice::Search;
            let backend = if asks { backend } else { "varisat".to_owned() };
            let mut rules: Vec<String> = args::rules(&without).filter(|_| asks).collect();
            rules.sort();
            let mut name = engine.name().to_owned();
            if backend != "varisat" {
                let _ = write!(name, "/{backend}");
            }
            objective.iter().for_each(|it| name.push_str(&format!(" {}", it.name())));
            horizon.iter().for_each(|it| name.push_str(&format!(" in {it}")));
            if !rules.is_empty() {
                let _ = write!(name, " -{}", rules.join(","));
            }
            if !tune.is_empty() {
                let _ = write!(name, " {tune}");
            }
            let tune = Some(tune).filter(|tune| !tune.is_empty()).into_iter().collect();
            let solve = SolveArgs {
                engine: EngineArgs { engine: Some(engine), horizon: None, max_horizon: None },
                threads: ThreadArgs { threads: None, tune: TuneArgs { tune } },
                solver: SolverArgs { backend: Some(backend) },
                filter: FilterArgs { without: rules, defining_only: false },
            };
            if columns.iter().all(|known| known.name != name) {
                columns.push(Column { solve, objective, horizon, name });
            }
        }
        columns
    }

    fn limits(&self) -> LimitArgs {
        let timeout = self.limits.timeout.or(Some(DEFAULT_TIME_LIMIT));
        LimitArgs { timeout, ..self.limits }
    }

    /// Refuses what is wrong with any column before the first run.
    fn check(&self, columns: &[Column], found: &SelectedLevels) -> Result<(), Failure> {
        self.tune.tuning()?;
        for backend in &self.backend {
            args::backend_of(backend).map_err(|failure| match backend.contains(',') {
                true => failure.help("`--backend` may be given several times, a solver each"),
                false => failure,
            })?;
            args::note_backend(backend);
        }
        let moves = "`bench` has no other options for puzzles without moves";
        applies::check(
            found,
            [applies::Demand::moves("horizon", !self.horizon.is_empty(), moves)],
        )?;
        let objectives: Vec<_> = columns.iter().map(|column| column.objective).collect();
        let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
        let rules = columns.iter().flat_map(|column| &column.solve.filter.without);
        applies::rules_exist(rules, &objectives, &levels, false)
    }
}

/// A level in a column.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BenchRow {
    /// The name of the column.
    variant: String,
    #[serde(flatten)]
    result: LevelResult,
}

impl BenchRow {
    /// The formulas that were solved.
    fn formulas(&self) -> &[HorizonReport] {
        self.result.answer.horizons.as_deref().unwrap_or_default()
    }

    fn length(&self) -> Option<Length> {
        self.result.answer.solution.as_ref().and_then(|solution| solution.length)
    }

    fn conflicts(&self) -> Option<u64> {
        let conflicts = self.formulas().iter().map(|asked| asked.conflicts);
        conflicts.sum::<Option<u64>>().filter(|_| !self.formulas().is_empty())
    }
}

/// A cell of the table: the name of its column, and what stands there.
type Cell = (&'static str, fn(&BenchRow) -> String);

/// The cells of a row, in order.
const CELLS: [Cell; 16] = [
    ("file", |row| row.result.asked.file.clone()),
    ("number", |row| cell(row.result.asked.number)),
    ("variant", |row| row.variant.clone()),
    ("verdict", |row| row.result.answer.verdict.clone()),
    ("optimal", |row| cell(*row.result.answer.optimal)),
    ("moves", |row| cell(row.length().map(|length| length.moves))),
    ("pushes", |row| cell(row.length().map(|length| length.pushes))),
    ("lower", |row| cell(*row.result.answer.lower)),
    ("horizons", |row| row.formulas().len().to_string()),
    ("variables", |row| cell(row.formulas().last().map(|asked| asked.variables))),
    ("clauses", |row| cell(row.formulas().last().map(|asked| asked.clauses))),
    ("conflicts", |row| cell(row.conflicts())),
    ("states", |row| cell(row.result.answer.search.map(|search| search.states))),
    ("seconds", |row| time(*row.result.answer.seconds)),
    ("cpu_seconds", |row| time(row.result.cpu_seconds)),
    ("peak_mib", |row| cell(row.result.answer.peak_memory_bytes.map(|bytes| bytes >> 20))),
];

fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn time(seconds: Option<f64>) -> String {
    cell(seconds.map(|seconds| format!("{seconds:.3}")))
}

fn csv(rows: &[BenchRow], out: &mut dyn Write) -> std::io::Result<()> {
    let mut table = Table::new(out);
    table.row(CELLS.map(|(name, _)| name))?;
    for row in rows {
        table.row(CELLS.map(|(_, cell)| cell(row)))?;
    }
    table.end()
}

fn aligned(rows: &[BenchRow]) -> String {
    let cells = |row: &BenchRow| {
        let exit = row.result.answer.exit.unwrap_or(USAGE);
        let cell = |(name, cell): Cell| match (name, one_line(&cell(row))) {
            ("verdict", verdict) => painted(&verdict, exit),
            (_, cell) => cell,
        };
        CELLS.map(cell).to_vec()
    };
    let head = CELLS.map(|(name, _)| name.to_owned()).to_vec();
    columns(&[head].into_iter().chain(rows.iter().map(cells)).collect::<Vec<_>>(), &[])
}

/// For each column what came out in it, and its seconds in all.
fn summary(rows: &[BenchRow], names: &[String]) -> String {
    names.iter().fold(String::new(), |mut text, name| {
        let mut summary = Summary::default();
        let of = rows.iter().filter(|row| row.variant == *name);
        of.for_each(|row| summary.add(&row.result, None));
        let _ = writeln!(text, "{name}: {}; {:.1} s", summary.text(), summary.seconds);
        text
    })
}

impl Run for BenchCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: Some(self.limits()) }
    }

    fn run(&'static self) -> CommandResult {
        let found = input::found(&self.files, &self.selection, &self.family)?;
        let columns = self.columns();
        self.check(&columns, &found)?;
        let log = self.log.as_deref().map(OpenStore::log).transpose()?;
        // The limits are those of the runs, which keep them by themselves.
        guard::signals_only();
        let threads = self.threads.map_or_else(all_threads, Into::into);
        let workers =
            Workers { count: 1, threads, prove: false, once: true, limits: self.limits() };
        let fill = Fill::new(log, workers, self.retry.unwrap_or(Retry::None));
        let (mut code, mut remembered) = (0, 0_u32);
        let mut rows: Vec<(String, Option<LevelResult>)> = Vec::new();
        // What is asked, each with its place among the rows.
        let mut asked: Vec<(String, Asked<usize>)> = Vec::new();
        for one in &found {
            let chosen = one.as_ref().map_err(|unread| unread.failure.clone());
            let opened = chosen.and_then(|chosen| chosen.opened().map(|_| chosen));
            let Ok(chosen) = opened.inspect_err(output::complain) else {
                code = USAGE;
                continue;
            };
            for Column { solve, objective, horizon, name } in &columns {
                let means = (solve, fill.workers.given());
                let question = question::asked("solve", chosen, *objective, means, *horizon)?;
                let question = question.in_store(chosen);
                let known = fill.known(&question, chosen);
                match &known {
                    Some(_) => remembered += 1,
                    None => {
                        let label = format!("{} {name}", chosen.name());
                        asked.push((label, Asked { question, place: rows.len() }));
                    }
                }
                rows.push((name.clone(), known));
            }
        }
        let rows = Mutex::new(rows);
        let mut work = asked.into_iter().map(|(label, question)| {
            output::say(label);
            question
        });
        let take = |place: usize, line: LevelResult, _| lock(&rows)[place].1 = Some(line);
        let interrupted = fill.run(&mut work, &take, &mut || {})?;
        if let Some(log) = &fill.store {
            log.tidy()?;
        }
        if let (Some(path), 1..) = (&self.log, remembered) {
            let rows = sentences::count(remembered, "rows");
            output::say(format!("note: {rows} from {}, measured by earlier runs", path.display()));
        }
        let rows = std::mem::take(&mut *lock(&rows));
        // Ctrl-C reaches the run too: what it says is no result.
        let whole = |line: &LevelResult| line.answer.stopped_by.as_deref() != Some("interrupted");
        let rows = rows.into_iter().filter_map(|(variant, result)| {
            let mut result = result.filter(whole)?;
            "bench".clone_into(&mut result.asked.command);
            Some(BenchRow { variant, result })
        });
        let rows: Vec<BenchRow> = rows.collect();
        match self.format {
            TableFormat::Csv => Target::Stdout.write(true, |out| csv(&rows, out))?,
            TableFormat::Json => output::print(format!("{}\n", json!(rows))),
            TableFormat::Text => {
                let names: Vec<String> = columns.into_iter().map(|column| column.name).collect();
                let against = compare::sentences(&rows, &names);
                let mut text = Text::drawing(&aligned(&rows));
                text.push_str(&format!("\n{}{against}", summary(&rows, &names)));
                output::print(text);
            }
        }
        Ok(if interrupted { 30 } else { code })
    }
}
