//! Arguments that several commands share, and the flag that Ctrl-C raises.

use super::input::selection;
use super::values::{self, Horizons};
use super::{Failure, families, guard};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unstuck::backend::{self, Backend};
use unstuck::limits::Limits;
use unstuck::machine::{Instant, all_threads, groups, stale_files, total_memory};
use unstuck::registry::FAMILIES;
use unstuck::solve::{EngineChoice, Request, TUNING, Tuning, TuningEntry};
use unstuck_encodings::{Filter, Step};
use unstuck_puzzles::{Objective, Values};

/// A command with examples in its help, and with more before them in the long one.
pub(super) fn command(
    name: &'static str,
    about: &'static str,
    long: &str,
    examples: &'static str,
) -> Command {
    Command::new(name)
        .about(about)
        .after_help(examples)
        .after_long_help(format!("{long}\n\n{examples}"))
}

/// Which level: file, level, family, objective and the families' own options.
pub(super) fn level(many: bool) -> Vec<Arg> {
    let mut arguments = vec![file(many), which_level()];
    arguments.extend(reading());
    arguments
}

/// The file, or files and folders.
pub(super) fn file(many: bool) -> Arg {
    let file = Arg::new("file").value_name("FILE").required(true);
    if many {
        file.num_args(1..).help("Level files, or folders of them; `-` is standard input")
    } else {
        file.help("Level file; `-` is standard input")
    }
}

/// Which levels of a collection.
pub(super) fn which_level() -> Arg {
    Arg::new("level")
        .long("level")
        .short('l')
        .value_name("N|TITLE")
        .allow_hyphen_values(true)
        .value_parser(values::parser(selection))
        .help("Select levels of a collection, by number (from 1) or title")
        .long_help(
            "Select levels of a collection: a number from 1 (`3`), several (`1-20,40`, `30-`), a title, or part of a title if it is unique; `=3` is the title 3",
        )
}

/// How a level is read: family, objective, and the families' own options.
pub(super) fn reading() -> Vec<Arg> {
    let mut arguments = vec![
        Arg::new("puzzle")
            .long("puzzle")
            .value_name("FAMILY")
            .value_parser(PossibleValuesParser::new(FAMILIES.iter().map(|family| family.name)))
            .help("Puzzle family [default: detected from name and content]"),
        Arg::new("objective")
            .long("objective")
            .value_name("WHAT")
            .value_parser(PossibleValuesParser::new(Objective::ALL.map(Objective::name)))
            .help("What to minimise [default: the family's own]")
            .long_help(
                "What to minimise [default: the family's own]; of two words, the second breaks ties of the first",
            ),
    ];
    arguments.extend(families::options());
    arguments
}

/// The family options that were given.
pub(super) fn given_options(matches: &ArgMatches) -> Vec<(&'static str, String)> {
    let specs = FAMILIES.iter().flat_map(|family| family.options);
    let mut given = std::collections::BTreeMap::new();
    for spec in specs {
        if spec.values == Values::Flag {
            if matches.get_flag(spec.name) {
                given.insert(spec.name, "true".to_owned());
            }
        } else if let Some(value) = matches.get_one::<String>(spec.name) {
            given.insert(spec.name, value.clone());
        }
    }
    given.into_iter().collect()
}

/// The objective that was asked for, if any.
pub(super) fn objective(matches: &ArgMatches) -> Option<Objective> {
    let name = matches.get_one::<String>("objective")?;
    Some(Objective::from_name(name).expect("clap accepts known names only"))
}

/// `--tune`, for experiments.
pub(super) fn tune() -> Arg {
    Arg::new("tune")
        .long("tune")
        .value_name("NAME=VALUE")
        .action(ArgAction::Append)
        .hide(true)
        .help("Change a number that was found by experiment (`--tune help` lists them)")
}

/// How to solve: engine, backend, horizons, rules, limits.
pub(super) fn solving() -> Vec<Arg> {
    let mut arguments = vec![
        Arg::new("engine")
            .long("engine")
            .value_name("ENGINE")
            .value_parser(PossibleValuesParser::new(EngineChoice::ALL.map(EngineChoice::name)))
            .help("Which engine to use: SAT, explicit search, learning, or all of them [default: auto]"),
        horizon("Only decide whether a solution of at most N steps exists"),
        Arg::new("max-horizon")
            .long("max-horizon")
            .value_name("N")
            .value_parser(value_parser!(u32))
            .conflicts_with("horizon")
            .hide_short_help(true)
            .help("Do not look for solutions of more than N steps"),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .value_parser(value_parser!(u16).range(1..))
            .hide_short_help(true)
            .help("Number of threads: for search, and for horizons solved in parallel [default: all cores]"),
        tune(),
    ];
    arguments.extend(backend());
    arguments.extend(limits());
    arguments
}

/// One horizon, or a sweep of several.
pub(super) fn horizon(help: &'static str) -> Arg {
    Arg::new("horizon")
        .long("horizon")
        .value_name("N|A..B")
        .value_parser(values::parser(values::horizons))
        .help(help)
        .long_help(format!("{help} `A..B` solves each N from A to B"))
}

/// Which solver, and which rules it is given.
pub(super) fn backend() -> Vec<Arg> {
    let mut arguments = vec![solver().hide_short_help(true)];
    arguments.extend(filter());
    arguments
}

/// Which solver.
pub(super) fn solver() -> Arg {
    Arg::new("backend")
        .long("backend")
        .value_name("NAME|COMMAND")
        .help("The SAT solver [default: varisat]")
        .long_help(
            "The SAT solver: `varisat` (embedded, the default), or a command such as `cadical -q \
             {cnf}` ({cnf}, {out}, {proof} and {time} are filled in)",
        )
}

/// Which rules are left out.
pub(super) fn filter() -> Vec<Arg> {
    vec![
        Arg::new("without")
            .long("without")
            .value_name("RULE,...")
            .action(ArgAction::Append)
            .hide_short_help(true)
            .help("Omit the clauses of these rules (`export` lists them)"),
        Arg::new("defining-only")
            .long("defining-only")
            .action(ArgAction::SetTrue)
            .hide_short_help(true)
            .help("Omit all strengthening clauses"),
    ]
}

/// Time and memory.
pub(super) fn limits() -> Vec<Arg> {
    vec![
        Arg::new("timeout")
            .long("timeout")
            .value_name("TIME")
            .allow_hyphen_values(true)
            .value_parser(values::time_parser())
            .help("Time limit (per level), like 30, 90s or 10m"),
        Arg::new("memory")
            .long("memory")
            .value_name("SIZE")
            .value_parser(values::parser(values::memory))
            .hide_short_help(true)
            .help("Memory limit, in MiB or like 2G [default: half of the machine's memory]"),
    ]
}

/// Output switches that every command has.
pub(super) fn output() -> Vec<Arg> {
    vec![
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .help("Print one JSON object for each level"),
        Arg::new("quiet")
            .long("quiet")
            .short('q')
            .action(ArgAction::SetTrue)
            .help("Print only the answer, without progress"),
    ]
}

/// A file or folder to write: `-` is standard output.
pub(super) fn target(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .allow_hyphen_values(true)
        .value_parser(value_parser!(PathBuf))
        .help(help)
}

/// Leave to replace files.
pub(super) fn force() -> Arg {
    Arg::new("force").long("force").action(ArgAction::SetTrue).help("Overwrite existing files")
}

/// Boards in letters.
pub(super) fn plain() -> Arg {
    Arg::new("plain")
        .long("plain")
        .action(ArgAction::SetTrue)
        .help("Draw boards with plain letters")
}

/// Which reading of the rules.
pub(super) fn reading_name() -> Arg {
    Arg::new("reading")
        .long("reading")
        .value_name("NAME")
        .hide_short_help(true)
        .help("The reading of the rules, where there are several")
}

/// The flag that Ctrl-C raises. A second Ctrl-C ends the process at once.
pub(super) fn interrupt() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        let mut first: Option<Instant> = None;
        // Without a handler Ctrl-C ends the process, which is a fair way to stop too.
        let _ = ctrlc::set_handler(move || {
            let since = *first.get_or_insert_with(Instant::now);
            // `timeout` and others signal a process and then its group: that is one request.
            let again = since.elapsed() > Duration::from_millis(100);
            if raised.swap(true, Ordering::Relaxed) && again {
                groups::end_all();
                stale_files::remove_unfinished();
                std::process::exit(130);
            }
        });
        flag
    })
    .clone()
}

/// Half of the machine's memory, where the system reports it.
fn default_memory() -> Option<u64> {
    Some(total_memory()? / 2)
}

/// The time limit that was given.
pub(super) fn time(matches: &ArgMatches) -> Option<Duration> {
    matches.get_one::<Duration>("timeout").copied()
}

/// Limits of commands that take none: Ctrl-C, and half of the memory.
pub(super) fn own_limits() -> Limits {
    Limits::new(None, default_memory()).with_flag(interrupt())
}

/// The memory limit: what was given, else half of the machine's memory.
pub(super) fn memory(matches: &ArgMatches) -> Option<u64> {
    matches.get_one::<u64>("memory").copied().or_else(default_memory)
}

/// The limits that were given. The time of the only level of a command counts from the start of the
/// command, that of one of several from now: see [`guard::limits`].
pub(super) fn given_limits(matches: &ArgMatches) -> Limits {
    guard::limits(time(matches), memory(matches)).with_flag(interrupt())
}

/// The backend that was given.
///
/// # Errors
/// When its command cannot be understood, or its program is not there.
pub(super) fn given_backend(matches: &ArgMatches) -> Result<Arc<dyn Backend>, Failure> {
    backend_of(backend_name(matches))
}

/// Looks at the backend before any work, and says so when its command does not say where the
/// formula goes.
///
/// # Errors
/// Like [`given_backend`].
pub(super) fn check_backend(matches: &ArgMatches) -> Result<(), Failure> {
    given_backend(matches)?;
    note_backend(backend_name(matches));
    Ok(())
}

/// Says so when a solver's command does not say where the formula goes.
pub(super) fn note_backend(name: &str) {
    if !backend::is_built_in(name) && !name.contains("{cnf}") {
        super::output::say(format!(
            "note: `{name}` has no {{cnf}}: the formula's file is added at its end"
        ));
    }
}

/// The backend of a name or command.
///
/// # Errors
/// Like [`given_backend`].
pub(super) fn backend_of(name: &str) -> Result<Arc<dyn Backend>, Failure> {
    let backend = backend::from_name(name).map_err(|error| {
        Failure::usage(format!("--backend {name}: {error}")).help(
            "`varisat` is built in; another solver is a command on PATH, like `cadical -q {cnf}`",
        )
    })?;
    Ok(backend.into())
}

/// The backend's name or command.
pub(super) fn backend_name(matches: &ArgMatches) -> &str {
    matches.get_one::<String>("backend").map_or("varisat", String::as_str)
}

/// The rules that are left out.
pub(super) fn given_filter(matches: &ArgMatches) -> Filter {
    let without = matches.get_many::<String>("without").unwrap_or_default();
    let without = without.flat_map(|list| rules(list));
    Filter { defining_only: matches.get_flag("defining-only"), without: without.collect() }
}

/// The names of a comma list.
pub(super) fn rules(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The engine that was asked for.
pub(super) fn engine(matches: &ArgMatches) -> EngineChoice {
    let name = matches.get_one::<String>("engine");
    name.and_then(|name| EngineChoice::from_name(name)).unwrap_or_default()
}

/// The numbers that were changed for an experiment.
///
/// # Errors
/// When there is no such number, or its value makes no sense.
pub(super) fn tuning(matches: &ArgMatches) -> Result<Tuning, Failure> {
    let given = matches.try_get_many::<String>("tune").ok().flatten().unwrap_or_default();
    let mut tuning = Tuning::default();
    for list in given {
        for one in list.split(',') {
            set(&mut tuning, one)?;
        }
    }
    Ok(tuning)
}

/// Sets a number, as in `search_solo=500`.
fn set(tuning: &mut Tuning, text: &str) -> Result<(), Failure> {
    let refused = |error: &dyn std::fmt::Display| {
        let numbers = TUNING.iter().map(|entry| {
            let TuningEntry { name, unit, default, meaning, chosen_by, range: (least, most) } =
                entry;
            format!("{name}={default} ({least} to {most} {unit}): {meaning}; chosen by {chosen_by}")
        });
        let numbers: Vec<_> = numbers.collect();
        Failure::usage(format!("--tune {text}: {error}")).help(numbers.join("\n"))
    };
    let (name, value) = text.split_once('=').ok_or_else(|| refused(&"expected NAME=VALUE"))?;
    let value = value.parse().map_err(|error| refused(&error))?;
    tuning.set(name, value).map_err(|error| refused(&error))
}

/// The horizons that were asked for; none where the question is open.
pub(super) fn given_horizons(matches: &ArgMatches) -> Vec<Option<Step>> {
    match matches.get_one::<Horizons>("horizon") {
        None => vec![None],
        Some(Horizons(range)) => range.clone().map(Some).collect(),
    }
}

/// The one horizon that was asked for.
///
/// # Errors
/// When several were asked for.
pub(super) fn given_horizon(matches: &ArgMatches) -> Result<Option<Step>, Failure> {
    match given_horizons(matches).as_slice() {
        [only] => Ok(*only),
        several => {
            let message = format!("expected a single horizon, got {}", several.len());
            Err(Failure::usage(message).help("`solve` and `export` take several: `--horizon A..B`"))
        }
    }
}

/// How many threads were asked for: all cores where no number was.
pub(super) fn threads(matches: &ArgMatches) -> usize {
    matches.get_one::<u16>("threads").map_or_else(all_threads, |&n| n.into())
}

/// The whole request for one horizon; its limits count from now.
///
/// # Errors
/// When one of its parts is wrong.
pub(super) fn request(matches: &ArgMatches, horizon: Option<Step>) -> Result<Request, Failure> {
    Ok(Request::default()
        .with_engine(engine(matches))
        .with_backend(given_backend(matches)?)
        .with_horizon(horizon)
        .with_max_horizon(matches.get_one("max-horizon").copied())
        .with_filter(given_filter(matches))
        .with_threads(threads(matches))
        .with_limits(given_limits(matches))
        .with_tuning(tuning(matches)?))
}
