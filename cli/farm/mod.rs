//! `unstuck farm`: very many levels on all cores, with a store that survives the loss of any
//! process.
//!
//! | file | what it does |
//! | --- | --- |
//! | `run` | hands levels out to workers and keeps what they answer |
//! | `work` | what a worker does with a level |
//! | `cluster` | levels as tasks for many machines, and one such task |
//! | `hq` | who runs these tasks |
//! | `summary` | counts of what a run or a store has |
//! | `status`, `histogram` | what a store has; as a picture |
//! | `check` | whether it is right |
//! | `merge` | stores as one table |

mod check;
mod cluster;
mod histogram;
mod hq;
mod merge;
mod run;
mod status;
mod summary;
mod work;

use super::{CommandResult, Failure, arguments, guard};
use crate::runs::store::{self, StoreError};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use unstuck::report::retry::Retry;

const LONG_HELP: &str = "\
Levels are streamed, however many there are, and each is given to a worker
process, so that a crash costs one level. The store is a
folder: `results-N.jsonl` has a line for each level with the fields of `solve
--json`, `certificates-N.tar.gz` the certificates of `--prove`. The same command
resumes where it was interrupted or killed: levels are identified by content
and question, not by file name.

With --cluster the levels are written to the store as tasks of some hundred
each, and HyperQueue runs these on machines that share the file system;
their answers are collected into the store.

Exit codes:
   0  every level has an answer: a solution, or that there is none
   2  wrong usage, or something could not be read
  30  a limit left some open, or the run was interrupted
  70  a level crashed its workers repeatedly: please report it";

const EXAMPLES: &str = "\
Examples:
  unstuck farm levels/ --store run --timeout 10s
  unstuck farm levels/ --store run --prove       with certificates
  unstuck farm levels/ --store run --timeout 5m  retry what is still open
  unstuck farm levels/ --store run --cluster hq  on the machines of HyperQueue
  unstuck farm status run
  unstuck farm check run --sample 1000           plans and certificates again
  unstuck farm merge run -o run.csv              as one table";

pub(super) fn command() -> Command {
    arguments::command(
        "farm",
        "Solve large collections on all cores; crash-safe and resumable",
        LONG_HELP,
        EXAMPLES,
    )
    .subcommand_negates_reqs(true)
    .args_conflicts_with_subcommands(true)
    .arg(arguments::file(true))
    .args(question())
    .args([
        Arg::new("store")
            .long("store")
            .value_name("DIR")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help("Results folder; an existing one is resumed"),
        workers(
            "Levels at the same time, each in a process [default: all cores; with --cluster 1 a \
             task]",
        ),
        Arg::new("cluster")
            .long("cluster")
            .value_name("WHO")
            .value_parser(PossibleValuesParser::new(["hq"]))
            .help("Have the levels solved as tasks on many machines: hq (HyperQueue)")
            .long_help(
                "Have the levels solved as tasks on many machines that share a file system: hq \
                 submits them to HyperQueue, waits, and collects",
            ),
        Arg::new("task-levels")
            .long("task-levels")
            .value_name("N")
            .value_parser(value_parser!(u32).range(1..))
            .default_value("500")
            .hide_short_help(true)
            .help("With --cluster: levels of a task"),
        Arg::new("shards")
            .long("shards")
            .value_name("N")
            .value_parser(value_parser!(u32).range(1..=i64::from(store::MAX_SHARDS)))
            .hide_short_help(true)
            .help("Files that the results of a new store are spread over [default: 16]"),
        Arg::new("retry")
            .long("retry")
            .value_name("WHICH")
            .value_parser(PossibleValuesParser::new(Retry::NAMES))
            .default_value("none")
            .help("Which results of the store to retry")
            .long_help(
                "Which results of the store to retry: none (only those whose limits were smaller than the current ones), unknown (all that a limit ended, and crashes), all; levels interrupted by Ctrl-C are always retried",
            ),
    ])
    .args(output())
    .subcommands([
        status::command(),
        check::command(),
        merge::command(),
        work::command(),
        cluster::command(),
    ])
}

/// What is asked of each level, and with what means: what a worker has to know too.
fn question() -> Vec<Arg> {
    let mut question = arguments::reading();
    question.extend(arguments::solving().into_iter().map(
        |argument| match argument.get_id().as_str() {
            "threads" => argument.help("Threads for each level [default: 1]"),
            "memory" => argument.help(
                "Memory limit of all workers together, in MiB or like 2G [default: half of the \
                 machine's memory]",
            ),
            _ => argument,
        },
    ));
    question.extend([
        Arg::new("count")
            .long("count")
            .value_name("N")
            .value_parser(value_parser!(u32).range(1..))
            .hide_short_help(true)
            .help("Puzzles without moves: look for up to N solutions [default: 2]"),
        Arg::new("prove")
            .long("prove")
            .action(ArgAction::SetTrue)
            .help("Keep a certificate of each verdict in the store, checked")
            .long_help(
                "Keep a certificate of each verdict in the store, checked; it gets the same time \
                 again",
            ),
    ]);
    question
}

/// How many are worked on at a time.
fn workers(help: &'static str) -> Arg {
    Arg::new("workers")
        .long("workers")
        .value_name("N")
        .value_parser(value_parser!(u16).range(1..))
        .help(help)
}

fn output() -> [Arg; 2] {
    [
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .help("Print one JSON object for the whole run"),
        Arg::new("quiet").long("quiet").short('q').action(ArgAction::SetTrue).help("Print nothing"),
    ]
}

pub(super) fn run(matches: &ArgMatches) -> CommandResult {
    if matches!(matches.subcommand_name(), None | Some("task" | "work")) {
        // The time limit is that of a level, and the farm sees to it that workers keep it.
        guard::signals_only();
    }
    match matches.subcommand() {
        None => run::run(matches),
        Some(("status", matches)) => status::run(matches),
        Some(("check", matches)) => check::run(matches),
        Some(("merge", matches)) => merge::run(matches),
        Some(("task", matches)) => cluster::run_task(matches),
        Some((_, matches)) => work::run(matches),
    }
}

/// The folder of a store that is there.
fn store() -> Arg {
    Arg::new("store")
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The folder of the store")
}

/// Why a store cannot be used, and the way out.
fn failure(error: &StoreError) -> Failure {
    let failure = Failure::usage(error.to_string());
    match error {
        StoreError::Missing(_) => failure.help("`unstuck farm LEVELS --store DIR` makes one"),
        StoreError::Foreign(_) => failure.help("name a new folder, or one of an earlier run"),
        StoreError::Shards { .. } => failure.help("remove `--shards`"),
        StoreError::Later(_) => failure.help("read it with the program that wrote it"),
        StoreError::NoResult(..) => {
            failure.help("a disk fault? without this line the store can be read again")
        }
        StoreError::Busy(_) => failure.help("wait for it, or name another store"),
        StoreError::Io(..) => failure,
    }
}
