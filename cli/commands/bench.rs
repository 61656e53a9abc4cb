//! `unstuck bench`: levels times engines, side by side, each run in a process of its own.
//!
//! A process of its own gives each run its own peak memory, and a crash or a limit costs one row.

mod compare;

use crate::commands::solve::retries;
use crate::driver::{Run, Watched};
use crate::input;
use crate::input::SelectedLevel;
use crate::input::applies;
use crate::input::args;
use crate::input::args::{TuneArgs, engines, helping, input_file, long_help, objectives};
use crate::input::families::FamilyArgs;
use crate::input::selection::SelectionArgs;
use crate::store::log::Log;
use crate::store::question;
use crate::store::result::{GivenLimits, KeptAnswer, LevelQuestion, LevelResult, Question};
use crate::store::retry::{Retry, should_retry};
use crate::terminal::cells::Table;
use crate::terminal::columns::columns;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard::LimitArgs;
use crate::terminal::text::one_line;
use crate::terminal::{guard, output};
use clap::{Args, ValueEnum, value_parser};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{Read as _, Write};
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use unstuck::machine::groups;
use unstuck::report::{ErrorReport, LevelAnswer, SolutionReport, sentences};
use unstuck::solve::EngineChoice;
use unstuck_puzzles::Objective;

const LONG_HELP: &str = "\
Every level of the files (of folders: of all files below) is solved once for
each engine, backend and objective. With `--results FILE` each row is kept as a
JSON line as soon as it is there, and rows that the file already has are not
run again: an interrupted benchmark resumes where it stopped. Rows are
identified as in `solve --log`: by the level itself and the question.
The columns are run side by side, level by level, and each is compared with the
first: levels settled, and the geometric mean of the ratios of their times.

Exit codes: 0 the table is whole; 2 wrong usage, or a file could not be read;
30 interrupted.";

const EXAMPLES: &str = "\
Examples:
  unstuck bench levels/ --engine sat,search --timeout 10s
  unstuck bench collection.xsb --results run.jsonl --format csv > run.csv
  unstuck bench level.xsb --engine sat --backend varisat --backend 'kissat -q {cnf}'
  unstuck bench level.xsb --engine sat --without '' --without rule-a,rule-b
  unstuck bench level.xsb --without '' --without rule-a";

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
    /// Keep rows in this file and skip rows that it already has
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Which rows to rerun: see `unstuck solve --help` [default: none]
    #[arg(long, value_name = "WHICH", requires = "results", value_parser = retries())]
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

/// How long a run may take to end when it is interrupted.
const GRACE_TIME: Duration = Duration::from_secs(1);

/// Time between two looks whether a run has ended.
const TICK: Duration = Duration::from_millis(5);

/// How a level is solved in one column of the benchmark.
#[derive(Clone)]
struct Variant {
    engine: String,
    backend: String,
    objective: Option<Objective>,
    without: Vec<String>,
    /// Numbers that are changed for an experiment.
    tune: String,
}

impl Variant {
    fn name(&self) -> String {
        let mut name = self.engine.clone();
        if self.engine != "search" && self.backend != "varisat" {
            let _ = write!(name, "/{}", self.backend);
        }
        if let Some(objective) = self.objective {
            let _ = write!(name, " {}", objective.name());
        }
        if !self.without.is_empty() {
            let _ = write!(name, " -{}", self.without.join(","));
        }
        if !self.tune.is_empty() {
            let _ = write!(name, " {}", self.tune);
        }
        name
    }
}

/// What was given, or what stands for nothing.
fn or<T: Clone>(given: &[T], otherwise: T) -> Vec<T> {
    if given.is_empty() { vec![otherwise] } else { given.to_vec() }
}

impl BenchCommand {
    fn variants(&self) -> Vec<Variant> {
        let objectives: Vec<_> = self.objective.iter().copied().map(Some).collect();
        let tunes = or(&self.tune.tune, String::new());
        let mut variants: Vec<Variant> = Vec::new();
        for objective in or(&objectives, None) {
            for engine in or(&self.engine, EngineChoice::Auto) {
                for backend in or(&self.backend, "varisat".to_owned()) {
                    let pairs = or(&self.without, String::new()).into_iter();
                    let pairs = pairs
                        .flat_map(|it| tunes.iter().map(move |tune| (it.clone(), tune.clone())));
                    for (without, tune) in pairs {
                        let mut without: Vec<String> = args::rules(&without).collect();
                        without.sort();
                        let (engine, mut backend) = (engine.name().to_owned(), backend.clone());
                        if engine == "search" {
                            // Search asks no solver: one column, not one for each.
                            backend = "varisat".to_owned();
                            without.clear();
                        }
                        let variant = Variant { engine, backend, objective, without, tune };
                        if variants.iter().all(|known| known.name() != variant.name()) {
                            variants.push(variant);
                        }
                    }
                }
            }
        }
        variants
    }
}

/// What is passed on to every run.
struct Setting<'a> {
    args: &'a BenchCommand,
    program: PathBuf,
}

impl Setting<'_> {
    fn time(&self) -> Duration {
        self.args.limits.timeout.unwrap_or(DEFAULT_TIME_LIMIT)
    }

    /// The object of a level and a variant, as far as it is known before the run.
    fn asked(&self, chosen: &SelectedLevel, variant: &Variant) -> Result<LevelQuestion, Failure> {
        let objective = chosen.objective(variant.objective)?;
        let has_moves = chosen.family.has_moves;
        let question = Question {
            objective: objective.name().to_owned(),
            count: (!has_moves).then_some(question::SOLUTIONS),
            engine: variant.engine.clone(),
            backend: variant.backend.clone(),
            without: variant.without.clone(),
            options: input::options(&chosen.options),
            tune: variant.tune.clone(),
            ..Question::default()
        };
        let limits = GivenLimits::new(Some(self.time()), self.args.limits.memory);
        Ok(question::about("bench", chosen, question, limits))
    }

    fn run(&self, chosen: &SelectedLevel, variant: &Variant) -> std::io::Result<Measurement> {
        let mut process = Process::new(&self.program);
        process.arg("solve").arg("--json").args(["--puzzle", chosen.family.name]);
        for (name, value) in &self.args.family.options.0 {
            match value.as_str() {
                "true" => process.arg(format!("--{name}")),
                value => process.arg(format!("--{name}={value}")),
            };
        }
        process.args(["--level", &chosen.number.to_string(), "--engine", &variant.engine]);
        if variant.engine != "search" {
            process.args(["--backend", &variant.backend]);
            if !variant.without.is_empty() {
                process.args(["--without", &variant.without.join(",")]);
            }
        }
        if !variant.tune.is_empty() {
            process.args(["--tune", &variant.tune]);
        }
        if let Some(objective) = variant.objective {
            process.args(["--objective", objective.name()]);
        }
        process.args(["--timeout", &self.time().as_secs_f64().to_string()]);
        if let Some(bytes) = self.args.limits.memory {
            process.arg(format!("--memory={}k", bytes / 1024));
        }
        if let Some(threads) = self.args.threads {
            process.arg(format!("--threads={threads}"));
        }
        process.arg("--").arg(&chosen.source);
        process.stdin(Stdio::null()).stderr(Stdio::null());
        let before = children_seconds();
        let output = output_of(&mut process)?;
        let spent = children_seconds().zip(before).map(|(after, before)| after - before);
        let mut lines = output.split(|&byte| byte == b'\n');
        let run: Option<LevelResult> = lines.find_map(|line| serde_json::from_slice(line).ok());
        Ok(Measurement::of(variant.name(), run.map(|run| run.answer), spent))
    }
}

/// What a program prints. An interruption ends it too.
fn output_of(process: &mut Process) -> std::io::Result<Vec<u8>> {
    let mut child = groups::spawn(process.stdout(Stdio::piped()))?;
    let mut pipe = child.stdout.take().expect("piped");
    let reader = thread::spawn(move || {
        let mut output = Vec::new();
        pipe.read_to_end(&mut output).map(|_| output)
    });
    let mut interrupted: Option<Instant> = None;
    while child.try_wait()?.is_none() {
        if interrupted.is_some_and(|since| since.elapsed() > GRACE_TIME) {
            break;
        }
        if interrupted.is_none() && guard::is_interrupted() {
            interrupted = Some(Instant::now());
            groups::interrupt(&child);
        }
        thread::sleep(TICK);
    }
    groups::end(&mut child);
    reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Processor time of all processes that were begun and waited for here, with those that they begun
/// themselves; `None` where the system does not report it. Linux counts it in hundredths of a
/// second.
fn children_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold anything; `cutime` and `cstime` are the 14th
    // and the 15th field after it.
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks: Vec<f64> = fields.skip(13).take(2).filter_map(|it| it.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum::<f64>() / 100.0)
}

/// What came out of a run, and what it took; its fields are those of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct Measurement {
    /// The variant.
    variant: String,
    /// The verdict in one word; `error` says that there is none.
    verdict: String,
    /// The exit code of the level alone.
    exit: Option<u8>,
    /// The limit that struck.
    #[cfg_attr(test, schemars(with = "Option<unstuck::limits::Stop>"))]
    stopped_by: Option<String>,
    /// Why nothing came out.
    error: Option<ErrorReport>,
    /// Whether the solution is shortest.
    optimal: Option<bool>,
    /// The best solution.
    solution: Option<SolutionReport>,
    /// Its moves, pushes among them.
    moves: Option<u32>,
    /// Its pushes.
    pushes: Option<u32>,
    /// No solution is shorter, in what the objective counts first.
    lower: Option<u32>,
    /// How many formulas were solved.
    horizons: usize,
    /// Variables of the last of them.
    variables: Option<usize>,
    /// Clauses of the last of them.
    clauses: Option<usize>,
    /// Conflicts of all.
    conflicts: Option<u64>,
    /// States that search has seen.
    states: Option<u64>,
    /// Wall-clock time.
    #[serde(deserialize_with = "unstuck::report::seconds")]
    seconds: Option<f64>,
    /// Processor time.
    cpu_seconds: Option<f64>,
    /// The most memory that the process has held.
    peak_mib: Option<u64>,
}

/// A level in a column.
type Row = LevelResult<Measurement>;

impl Measurement {
    /// What came out of a run; nothing means that the run itself failed.
    fn of(variant: String, run: Option<LevelAnswer>, cpu_seconds: Option<f64>) -> Self {
        let Some(run) = run else {
            return Self { variant, verdict: "error".to_owned(), ..Self::default() };
        };
        let horizons = run.horizons.as_deref().unwrap_or_default();
        let (last, conflicts) = (horizons.last(), horizons.iter().map(|asked| asked.conflicts));
        let length = run.solution.as_ref().and_then(|solution| solution.length);
        Self {
            variant,
            verdict: run.verdict,
            exit: *run.exit,
            stopped_by: (*run.stopped_by).clone(),
            error: (*run.error).clone(),
            optimal: *run.optimal,
            solution: (*run.solution).clone(),
            moves: length.map(|length| length.moves),
            pushes: length.map(|length| length.pushes),
            lower: *run.lower,
            horizons: horizons.len(),
            variables: last.map(|asked| asked.variables),
            clauses: last.map(|asked| asked.clauses),
            conflicts: conflicts.sum::<Option<u64>>().filter(|_| last.is_some()),
            states: run.search.map(|search| search.states),
            seconds: *run.seconds,
            cpu_seconds,
            peak_mib: run.peak_memory_bytes.map(|bytes| bytes >> 20),
        }
    }
}

impl KeptAnswer for Measurement {
    fn verdict(&self) -> &str {
        &self.verdict
    }

    fn stopped_by(&self) -> Option<&str> {
        self.stopped_by.as_deref()
    }

    fn solution(&self) -> Option<&SolutionReport> {
        self.solution.as_ref()
    }
}

/// A column of the table: its name, and what stands in a row.
type Column = (&'static str, fn(&Row) -> String);

/// The columns, in order.
const COLUMNS: [Column; 16] = [
    ("file", |row| row.asked.file.clone()),
    ("number", |row| cell(row.asked.number)),
    ("variant", |row| row.answer.variant.clone()),
    ("verdict", |row| row.answer.verdict.clone()),
    ("optimal", |row| cell(row.answer.optimal)),
    ("moves", |row| cell(row.answer.moves)),
    ("pushes", |row| cell(row.answer.pushes)),
    ("lower", |row| cell(row.answer.lower)),
    ("horizons", |row| row.answer.horizons.to_string()),
    ("variables", |row| cell(row.answer.variables)),
    ("clauses", |row| cell(row.answer.clauses)),
    ("conflicts", |row| cell(row.answer.conflicts)),
    ("states", |row| cell(row.answer.states)),
    ("seconds", |row| time(row.answer.seconds)),
    ("cpu_seconds", |row| time(row.answer.cpu_seconds)),
    ("peak_mib", |row| cell(row.answer.peak_mib)),
];

fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn time(seconds: Option<f64>) -> String {
    cell(seconds.map(|seconds| format!("{seconds:.3}")))
}

fn csv(rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    let mut table = Table::new(out);
    table.row(COLUMNS.map(|(name, _)| name))?;
    for row in rows {
        table.row(COLUMNS.map(|(_, cell)| cell(row)))?;
    }
    table.end()
}

fn aligned(rows: &[Row]) -> String {
    let cells = |row: &Row| COLUMNS.map(|(_, cell)| one_line(&cell(row))).to_vec();
    let head = COLUMNS.map(|(name, _)| name.to_owned()).to_vec();
    columns(&[head].into_iter().chain(rows.iter().map(cells)).collect::<Vec<_>>(), &[])
}

/// For each variant how many levels it settled, and its seconds in all.
fn summary(rows: &[Row], variants: &[Variant]) -> String {
    variants.iter().fold(String::new(), |mut text, variant| {
        let name = variant.name();
        let of = rows.iter().map(|row| &row.answer).filter(|row| row.variant == name);
        let of: Vec<_> = of.collect();
        let having = |verdict: &str| of.iter().filter(|row| row.verdict == verdict).count();
        let (solved, unsolvable) = (having("solved"), having("unsolvable"));
        let optimal = of.iter().filter(|row| row.optimal == Some(true)).count();
        let seconds: f64 = of.iter().filter_map(|row| row.seconds).sum();
        let _ = writeln!(
            text,
            "{name}: {solved} solved ({optimal} optimal), {unsolvable} unsolvable, of {}; \
             {seconds:.1} s",
            of.len()
        );
        text
    })
}

impl Run for BenchCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: Some(self.limits) }
    }

    fn run(&'static self) -> CommandResult {
        // Each run gets them as they are: refuse a wrong one before the first.
        self.tune.tuning()?;
        let fail = |error: std::io::Error| Failure::usage(error.to_string());
        let setting = Setting { args: self, program: std::env::current_exe().map_err(fail)? };
        let found = input::found(&self.files, &self.selection, &self.family)?;
        let variants = self.variants();
        let names: Vec<String> = variants.iter().map(Variant::name).collect();
        for backend in &self.backend {
            args::backend_of(backend)?;
            args::note_backend(backend);
        }
        let objectives: Vec<_> = variants.iter().map(|it| it.objective).collect();
        let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
        let rules = variants.iter().flat_map(|it| &it.without);
        applies::rules_exist(rules, &objectives, &levels, false)?;
        let retry = self.retry.unwrap_or(Retry::None);
        let mut results = self.results.as_deref().map(Log::open).transpose()?;
        // The limits are those of the runs, which keep them by themselves.
        guard::signals_only();
        let (mut rows, mut remembered) = (Vec::new(), 0_u32);
        let mut code = 0;
        'runs: for one in &found {
            let chosen = match one {
                Ok(chosen) => chosen,
                Err(read_failure) => {
                    output::complain(&read_failure.failure);
                    code = crate::terminal::failure::USAGE;
                    continue;
                }
            };
            let instances = match chosen.instances(None) {
                Ok(instances) => instances,
                Err(failure) => {
                    output::complain(&failure);
                    code = crate::terminal::failure::USAGE;
                    continue;
                }
            };
            for variant in &variants {
                if guard::is_interrupted() {
                    break 'runs;
                }
                let asked = setting.asked(chosen, variant)?;
                let fits = |row: &Row| match row.answer.moves() {
                    Some(moves) => instances.iter().any(|it| it.verify(moves).is_ok()),
                    None => true,
                };
                let earlier = results.as_ref().and_then(|log| log.find(&asked, fits));
                if let (Some(log), Some(at)) = (&results, earlier)
                    && !should_retry(log.line(at), retry, asked.limits)
                {
                    rows.push(log.line(at).clone());
                    remembered += 1;
                    continue;
                }
                output::say(format!("{} {}", chosen.name(), variant.name()));
                let run = setting.run(chosen, variant).map_err(fail)?;
                if guard::is_interrupted() {
                    // Ctrl-C reaches the run too: what it says is no result.
                    break 'runs;
                }
                let row = Row::new(asked, run);
                if let Some(log) = &mut results {
                    log.append(&row, earlier)?;
                }
                rows.push(row);
            }
        }
        if let Some(log) = &mut results {
            log.tidy()?;
        }
        if let (Some(path), 1..) = (&self.results, remembered) {
            output::say(format!(
                "note: {} from {}, measured by earlier runs",
                sentences::count(remembered, "rows"),
                path.display()
            ));
        }
        match self.format {
            TableFormat::Csv => {
                let mut text = Vec::new();
                csv(&rows, &mut text)?;
                output::print(&*String::from_utf8_lossy(&text));
            }
            TableFormat::Json => output::print(format!("{}\n", json!(rows))),
            TableFormat::Text => {
                let against = compare::sentences(&rows, &names);
                let text = format!("{}\n{}{against}", aligned(&rows), summary(&rows, &variants));
                output::print(&text);
            }
        }
        Ok(if guard::is_interrupted() { 30 } else { code })
    }
}
