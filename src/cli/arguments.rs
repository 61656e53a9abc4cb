//! Arguments that several commands share.

use super::Failure;
use crate::backend::{self, Backend};
use crate::limits::Limits;
use crate::registry::FAMILIES;
use crate::solve::{Engine, Request, all_threads};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unstuck_encodings::Filter;
use unstuck_puzzles::{Objective, OptionSpec, Values};

/// Group name under which `--help` lists the options of the families.
const FAMILY_HEADING: &str = "Options of puzzle families";

/// Which level: file, level, family, objective and the families' own options.
pub fn level(many: bool) -> Vec<Arg> {
    let file = Arg::new("file").value_name("FILE").required(true);
    let mut arguments = vec![
        if many {
            file.num_args(1..).help("Level files; `-` is standard input")
        } else {
            file.help("Level file; `-` is standard input")
        },
        Arg::new("level")
            .long("level")
            .short('l')
            .value_name("N|TITLE")
            .help("The level of a collection, by number (from 1) or title"),
        Arg::new("puzzle")
            .long("puzzle")
            .value_parser(PossibleValuesParser::new(FAMILIES.iter().map(|family| family.name)))
            .help("The puzzle family, where name and content of the file do not settle it"),
        Arg::new("objective")
            .long("objective")
            .value_parser(PossibleValuesParser::new(Objective::ALL.map(Objective::name)))
            .help("What a shortest solution is shortest in (default: the family's own)"),
    ];
    arguments.extend(family_options());
    arguments
}

/// One argument for each option of a family; families that share a name share the argument.
fn family_options() -> Vec<Arg> {
    let mut options: BTreeMap<&str, (OptionSpec, Vec<&str>)> = BTreeMap::new();
    for family in FAMILIES {
        for &spec in family.options {
            options.entry(spec.name).or_insert((spec, Vec::new())).1.push(family.name);
        }
    }
    let argument = |(spec, families): (OptionSpec, Vec<&str>)| {
        option(spec, &format!("{}: {}", families.join(", "), spec.help))
            .help_heading(FAMILY_HEADING)
    };
    options.into_values().map(argument).collect()
}

/// The argument of a declared option.
pub fn option(spec: OptionSpec, help: &str) -> Arg {
    let default = match spec.values {
        Values::Flag => String::new(),
        _ if spec.default.is_empty() => String::new(),
        _ => format!(" [default: {}]", spec.default),
    };
    let argument = Arg::new(spec.name).long(spec.name).help(format!("{help}{default}"));
    match spec.values {
        Values::Flag => argument.action(ArgAction::SetTrue),
        Values::Choice(words) => argument.value_parser(PossibleValuesParser::new(words)),
        Values::Number(..) => argument.value_name("N"),
        Values::Text(_) => argument.value_name("TEXT").allow_hyphen_values(true),
    }
}

/// The family options that were given.
pub fn given_options(matches: &ArgMatches) -> Vec<(&'static str, String)> {
    let specs = FAMILIES.iter().flat_map(|family| family.options);
    let mut given: BTreeMap<&'static str, String> = BTreeMap::new();
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
pub fn objective(matches: &ArgMatches) -> Option<Objective> {
    let name = matches.get_one::<String>("objective")?;
    Some(Objective::from_name(name).expect("clap accepts known names only"))
}

/// How to solve: engine, backend, horizons, rules, limits.
pub fn solving() -> Vec<Arg> {
    let mut arguments = vec![
        Arg::new("engine")
            .long("engine")
            .value_parser(PossibleValuesParser::new(["auto", "sat", "search"]))
            .default_value("auto")
            .help("Who answers: a SAT solver, explicit search, or both"),
        Arg::new("horizon")
            .long("horizon")
            .value_name("N")
            .value_parser(value_parser!(u32))
            .help("Ask one question only: is there a solution of at most N steps?"),
        Arg::new("max-horizon")
            .long("max-horizon")
            .value_name("N")
            .value_parser(value_parser!(u32))
            .conflicts_with("horizon")
            .help("Do not look for solutions of more than N steps"),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .value_parser(value_parser!(u16).range(1..))
            .help("Threads of explicit search, and horizons asked at once [default: all cores]"),
    ];
    arguments.extend(backend());
    arguments.extend(limits());
    arguments
}

/// Which solver, and which rules it is given.
pub fn backend() -> Vec<Arg> {
    let mut arguments = vec![
        Arg::new("backend")
            .long("backend")
            .value_name("NAME|COMMAND")
            .default_value("varisat")
            .help(
                "The SAT solver: `varisat` (embedded), or a command such as `cadical -q {cnf}` \
                 ({cnf}, {out}, {proof} and {time} are filled in)",
            ),
    ];
    arguments.extend(filter());
    arguments
}

/// Which rules are left out.
pub fn filter() -> Vec<Arg> {
    vec![
        Arg::new("without")
            .long("without")
            .value_name("RULE")
            .action(ArgAction::Append)
            .help("Leave out the clauses of a rule (`export` lists them)"),
        Arg::new("defining-only")
            .long("defining-only")
            .action(ArgAction::SetTrue)
            .help("Leave out all strengthening clauses"),
    ]
}

/// Time and memory.
pub fn limits() -> Vec<Arg> {
    vec![
        Arg::new("timeout")
            .long("timeout")
            .value_name("SECONDS")
            .value_parser(value_parser!(f64))
            .help("Time limit for each level; the best bounds so far are printed"),
        Arg::new("memory")
            .long("memory")
            .value_name("MIB")
            .value_parser(value_parser!(u64))
            .help("Memory limit (default: half of the machine's memory)"),
    ]
}

/// Output switches that every command has.
pub fn output() -> Vec<Arg> {
    vec![
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .help("Print one JSON object for each level"),
        Arg::new("quiet")
            .long("quiet")
            .short('q')
            .action(ArgAction::SetTrue)
            .help("Print the bare answer only, and no progress"),
    ]
}

/// The flag that Ctrl-C raises. A second Ctrl-C ends the process at once.
pub fn interrupt() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        // Without a handler Ctrl-C ends the process, which is a fair way to stop too.
        let _ = ctrlc::set_handler(move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        flag
    })
    .clone()
}

/// Half of the machine's memory, where the system tells.
fn default_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024 / 2)
}

/// The limits that were given, counted from now.
///
/// # Errors
/// When the time is not a positive number.
pub fn given_limits(matches: &ArgMatches) -> Result<Limits, Failure> {
    let time = match matches.get_one::<f64>("timeout") {
        None => None,
        Some(&seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
            Failure::usage(format!("--timeout {seconds}: give a positive number of seconds"))
        })?),
    };
    let memory =
        matches.get_one::<u64>("memory").map(|mebibytes| mebibytes.saturating_mul(1 << 20));
    Ok(Limits::new(time, memory.or_else(default_memory)).with_flag(interrupt()))
}

/// The backend that was given.
///
/// # Errors
/// When its command cannot be understood.
pub fn given_backend(matches: &ArgMatches) -> Result<Arc<dyn Backend>, Failure> {
    let name = matches.get_one::<String>("backend").expect("has a default");
    let backend = backend::from_name(name).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(backend.into())
}

/// The rules that are left out.
pub fn given_filter(matches: &ArgMatches) -> Filter {
    let without = matches.get_many::<String>("without").unwrap_or_default();
    Filter { defining_only: matches.get_flag("defining-only"), without: without.cloned().collect() }
}

/// The whole request; its limits count from now.
///
/// # Errors
/// When one of its parts is wrong.
pub fn request(matches: &ArgMatches) -> Result<Request, Failure> {
    Ok(Request {
        engine: match matches.get_one::<String>("engine").map(String::as_str) {
            Some("sat") => Engine::Sat,
            Some("search") => Engine::Search,
            _ => Engine::Auto,
        },
        backend: given_backend(matches)?,
        horizon: matches.get_one("horizon").copied(),
        max_horizon: matches.get_one("max-horizon").copied(),
        filter: given_filter(matches),
        solutions: 1,
        threads: matches.get_one::<u16>("threads").map_or_else(all_threads, |&n| n.into()),
        limits: given_limits(matches)?,
    })
}
