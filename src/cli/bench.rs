//! `unstuck bench`: levels times engines, side by side, each run in a process of its own.
//!
//! A process of its own gives each run its own peak memory, and a crash or a limit costs one row.

use super::{Ending, Failure, arguments, output};
use crate::registry::FAMILIES;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::atomic::Ordering;

const AFTER_HELP: &str = "\
Every level of the files (of folders: of all files below) is solved once for each engine, backend
and objective. With `--results FILE` each row is kept as a JSON line as soon as it is there, and
rows that the file has already are not run again: an interrupted benchmark goes on where it ended.

Examples:
  unstuck bench levels/ --engine sat --engine search --timeout 10
  unstuck bench collection.xsb --results run.jsonl --format csv > run.csv
  unstuck bench level.xsb --engine sat --backend varisat --backend 'cadical -q {cnf}'";

pub fn command() -> Command {
    Command::new("bench")
        .about("Solve many levels with several engines and print a table")
        .after_help(AFTER_HELP)
        .args([
            Arg::new("path")
                .value_name("PATH")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf))
                .help("Level files, or folders of them"),
            Arg::new("engine")
                .long("engine")
                .action(ArgAction::Append)
                .value_parser(PossibleValuesParser::new(["auto", "sat", "search"]))
                .help("An engine; may be given several times [default: auto]"),
            Arg::new("backend")
                .long("backend")
                .action(ArgAction::Append)
                .value_name("NAME|COMMAND")
                .help("A SAT solver; may be given several times [default: varisat]"),
            Arg::new("objective")
                .long("objective")
                .action(ArgAction::Append)
                .value_name("NAME")
                .help("An objective; may be given several times [default: the family's own]"),
            Arg::new("without").long("without").action(ArgAction::Append).value_name("RULES").help(
                "An encoding variant without these rules (comma-separated; \"\" is the full \
                     encoding); may be given several times",
            ),
            Arg::new("puzzle")
                .long("puzzle")
                .value_parser(PossibleValuesParser::new(FAMILIES.iter().map(|f| f.name)))
                .help("The puzzle family of all files"),
            Arg::new("timeout")
                .long("timeout")
                .value_name("SECONDS")
                .value_parser(value_parser!(f64))
                .default_value("10")
                .help("Time limit for each run"),
            Arg::new("memory")
                .long("memory")
                .value_name("MIB")
                .value_parser(value_parser!(u64))
                .help("Memory limit for each run"),
            Arg::new("format")
                .long("format")
                .value_parser(PossibleValuesParser::new(["text", "csv", "json"]))
                .default_value("text")
                .help("Form of the table"),
            Arg::new("results")
                .long("results")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Keep rows in this file, and do not repeat those that it has"),
            Arg::new("option")
                .long("option")
                .action(ArgAction::Append)
                .value_name("NAME[=VALUE]")
                .help("An option of the puzzle family, passed on to every run"),
        ])
}

/// How a level is solved in one column of the benchmark.
#[derive(Clone)]
struct Variant {
    engine: String,
    backend: String,
    objective: Option<String>,
    without: String,
}

impl Variant {
    fn name(&self) -> String {
        let mut name = self.engine.clone();
        if self.engine != "search" && self.backend != "varisat" {
            let _ = write!(name, "/{}", self.backend);
        }
        if let Some(objective) = &self.objective {
            let _ = write!(name, " {objective}");
        }
        if !self.without.is_empty() {
            let _ = write!(name, " -{}", self.without);
        }
        name
    }
}

fn variants(matches: &ArgMatches) -> Vec<Variant> {
    let given = |name: &str, default: &str| -> Vec<String> {
        let values: Vec<_> =
            matches.get_many::<String>(name).unwrap_or_default().cloned().collect();
        if values.is_empty() { vec![default.to_owned()] } else { values }
    };
    let mut variants = Vec::new();
    for objective in given("objective", "") {
        for engine in given("engine", "auto") {
            for backend in given("backend", "varisat") {
                for without in given("without", "") {
                    variants.push(Variant {
                        engine: engine.clone(),
                        backend: backend.clone(),
                        objective: Some(objective.clone()).filter(|name| !name.is_empty()),
                        without,
                    });
                }
            }
        }
    }
    variants
}

/// All files below a path, in order. Files that `expected.json` and its like are no levels.
fn files(path: &Path, into: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        let entries: Result<Vec<_>, _> = std::fs::read_dir(path)?.collect();
        let mut paths: Vec<_> = entries?.into_iter().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
            if !hidden && path.file_name().is_none_or(|name| name != "expected.json") {
                files(&path, into)?;
            }
        }
    } else {
        into.push(path.to_owned());
    }
    Ok(())
}

/// What is passed on to every run.
struct Setting<'a> {
    matches: &'a ArgMatches,
    program: PathBuf,
}

impl Setting<'_> {
    fn process(&self, command: &str, file: &Path) -> Process {
        let mut process = Process::new(&self.program);
        process.arg(command).arg(file).arg("--json");
        if let Some(family) = self.matches.get_one::<String>("puzzle") {
            process.args(["--puzzle", family]);
        }
        for option in self.matches.get_many::<String>("option").unwrap_or_default() {
            match option.split_once('=') {
                Some((name, value)) => process.args([format!("--{name}"), value.to_owned()]),
                None => process.arg(format!("--{option}")),
            };
        }
        process.stdin(Stdio::null()).stderr(Stdio::null());
        process
    }

    /// Number and title of each level of a file; none when it is no level file.
    fn levels(&self, file: &Path) -> std::io::Result<Vec<(u64, Option<String>)>> {
        let output = self.process("info", file).output()?;
        let mut levels: Vec<_> = json_lines(&output.stdout)
            .filter_map(|value| {
                let title = value["title"].as_str().map(str::to_owned);
                Some((value["number"].as_u64()?, title))
            })
            .collect();
        // A level with several readings is one level.
        levels.dedup();
        Ok(levels)
    }

    fn run(&self, file: &Path, number: u64, variant: &Variant) -> std::io::Result<Option<Value>> {
        let mut process = self.process("solve", file);
        process.args(["--level", &number.to_string(), "--engine", &variant.engine]);
        process.args(["--backend", &variant.backend]);
        if let Some(objective) = &variant.objective {
            process.args(["--objective", objective]);
        }
        for rule in variant.without.split(',').filter(|rule| !rule.is_empty()) {
            process.args(["--without", rule]);
        }
        let timeout = self.matches.get_one::<f64>("timeout").expect("has a default");
        process.args(["--timeout", &timeout.to_string()]);
        if let Some(memory) = self.matches.get_one::<u64>("memory") {
            process.args(["--memory", &memory.to_string()]);
        }
        let output = process.output()?;
        Ok(json_lines(&output.stdout).next())
    }
}

fn json_lines(output: &[u8]) -> impl Iterator<Item = Value> + '_ {
    output.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

/// One row: the level, the variant, and what came out.
fn row(file: &Path, number: u64, title: Option<String>, name: &str, run: Option<&Value>) -> Value {
    let none = Value::Null;
    let run = run.unwrap_or(&none);
    let horizons = run["horizons"].as_array().cloned().unwrap_or_default();
    let last = horizons.last().unwrap_or(&none);
    let conflicts = horizons.iter().map(|asked| asked["conflicts"].as_u64()).sum::<Option<u64>>();
    let conflicts = conflicts.filter(|_| !horizons.is_empty());
    json!({
        "file": file.display().to_string(),
        "number": number,
        "title": title,
        "variant": name,
        "verdict": run["verdict"].as_str().unwrap_or("error"),
        "optimal": run["optimal"],
        "moves": run["solution"]["length"]["moves"],
        "pushes": run["solution"]["length"]["pushes"],
        "lower": run["lower"],
        "horizons": horizons.len(),
        "variables": last["variables"],
        "clauses": last["clauses"],
        "conflicts": conflicts,
        "states": run["search"]["states"],
        "seconds": run["seconds"],
        "peak_mib": run["peak_memory_bytes"].as_u64().map(|bytes| bytes >> 20),
    })
}

/// Columns of the table, in order.
const COLUMNS: [&str; 15] = [
    "file",
    "number",
    "variant",
    "verdict",
    "optimal",
    "moves",
    "pushes",
    "lower",
    "horizons",
    "variables",
    "clauses",
    "conflicts",
    "states",
    "seconds",
    "peak_mib",
];

fn cell(row: &Value, column: &str) -> String {
    match &row[column] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if column == "seconds" => {
            format!("{:.3}", number.as_f64().unwrap_or_default())
        }
        other => other.to_string(),
    }
}

fn csv(rows: &[Value]) -> String {
    let quoted = |text: String| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    let mut text = format!("{}\n", COLUMNS.join(","));
    for row in rows {
        let cells: Vec<_> = COLUMNS.iter().map(|column| quoted(cell(row, column))).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

fn aligned(rows: &[Value]) -> String {
    let widths = COLUMNS.map(|column| {
        let widest = rows.iter().map(|row| cell(row, column).chars().count()).max();
        widest.unwrap_or(0).max(column.len())
    });
    let line = |cells: Vec<String>| {
        let padded: Vec<_> =
            cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let mut text = line(COLUMNS.map(str::to_owned).to_vec());
    for row in rows {
        text.push_str(&line(COLUMNS.iter().map(|column| cell(row, column)).collect()));
    }
    text
}

/// For each variant how many levels it settled, and its seconds in all.
fn summary(rows: &[Value], variants: &[Variant]) -> String {
    variants.iter().fold(String::new(), |mut text, variant| {
        let name = variant.name();
        let of: Vec<_> = rows.iter().filter(|row| row["variant"] == name.as_str()).collect();
        let solved = of.iter().filter(|row| row["verdict"] == "solved").count();
        let optimal = of.iter().filter(|row| row["optimal"] == true).count();
        let unsolvable = of.iter().filter(|row| row["verdict"] == "unsolvable").count();
        let seconds: f64 = of.iter().filter_map(|row| row["seconds"].as_f64()).sum();
        let _ = writeln!(
            text,
            "{name}: {solved} solved ({optimal} optimal), {unsolvable} unsolvable, of {}; \
             {seconds:.1} s",
            of.len()
        );
        text
    })
}

pub fn run(matches: &ArgMatches) -> Ending {
    let fail = |error: std::io::Error| Failure::usage(error.to_string());
    let setting = Setting { matches, program: std::env::current_exe().map_err(fail)? };
    let variants = variants(matches);
    let mut paths = Vec::new();
    for path in matches.get_many::<PathBuf>("path").unwrap_or_default() {
        files(path, &mut paths)
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    }
    let results = matches.get_one::<PathBuf>("results");
    let mut rows = earlier(results)?;
    let key = |row: &Value| (cell(row, "file"), cell(row, "number"), cell(row, "variant"));
    let known: BTreeSet<_> = rows.iter().map(key).collect();
    let interrupted = arguments::interrupt();
    let mut levels = 0;
    'runs: for file in &paths {
        for (number, title) in setting.levels(file).map_err(fail)? {
            levels += 1;
            for variant in &variants {
                if interrupted.load(Ordering::Relaxed) {
                    break 'runs;
                }
                let name = variant.name();
                let place = (file.display().to_string(), number.to_string(), name.clone());
                if known.contains(&place) {
                    continue;
                }
                eprintln!("{} #{number} {name}", file.display());
                let run = setting.run(file, number, variant).map_err(fail)?;
                let row = row(file, number, title.clone(), &name, run.as_ref());
                if let Some(path) = results {
                    append(path, &row).map_err(fail)?;
                }
                rows.push(row);
            }
        }
    }
    if levels == 0 && rows.is_empty() {
        return Err(Failure::usage("no level in these files\n  = help: name the family: --puzzle"));
    }
    match matches.get_one::<String>("format").map(String::as_str) {
        Some("csv") => output::print(&csv(&rows)),
        Some("json") => output::print(&format!("{}\n", Value::Array(rows))),
        _ => output::print(&format!("{}\n{}", aligned(&rows), summary(&rows, &variants))),
    }
    Ok(if interrupted.load(Ordering::Relaxed) { 30 } else { 0 })
}

fn earlier(results: Option<&PathBuf>) -> Result<Vec<Value>, Failure> {
    let Some(path) = results else { return Ok(Vec::new()) };
    match std::fs::read(path) {
        Ok(bytes) => Ok(json_lines(&bytes).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::usage(format!("{}: {error}", path.display()))),
    }
}

fn append(path: &Path, row: &Value) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path)?;
    writeln!(file, "{row}")
}
