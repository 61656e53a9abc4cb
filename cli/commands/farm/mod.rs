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
//! | `status` | what a store has |
//! | `check` | whether it is right |
//! | `merge` | stores as one table |

pub(crate) mod check;
mod cluster;
mod hq;
mod merge;
pub(crate) mod run;
pub(crate) mod status;
mod summary;
mod work;

pub(crate) use check::check_store;

use crate::commands::solve::retries;
use crate::driver::{Run, Watched};
use crate::input::args::{Given, ReadingArgs, SolveArgs, helping, input_file, long_help};
use crate::store::question;
use crate::store::question::Search;
use crate::store::retry::Retry;
use crate::store::shards;
use crate::store::shards::StoreError;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard;
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::OutputArgs;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, ValueEnum, value_parser};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

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

/// A farm, or a look at the store of one.
pub(crate) enum FarmCommand {
    Farm(Box<FarmArgs>),
    Part(Box<FarmPart>),
}

impl Args for FarmCommand {
    fn augment_args(command: Command) -> Command {
        FarmPart::augment_subcommands(FarmArgs::augment_args(command))
            .subcommand_negates_reqs(true)
            .args_conflicts_with_subcommands(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FarmCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(match matches.subcommand_name() {
            None => Self::Farm(Box::new(FarmArgs::from_arg_matches(matches)?)),
            Some(_) => Self::Part(Box::new(FarmPart::from_arg_matches(matches)?)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

// What is done with a store, and what the processes of a farm run. Not as documentation: that would
// replace the words of the command itself in its help.
#[derive(Subcommand)]
pub(crate) enum FarmPart {
    Status(status::StatusCommand),
    Check(check::CheckCommand),
    Merge(merge::MergeCommand),
    #[command(hide = true)]
    Work(work::WorkCommand),
    #[command(hide = true)]
    Task(cluster::TaskCommand),
}

/// Solve large collections on all cores; crash-safe and resumable
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct FarmArgs {
    /// Level files, or folders of them; `-` is standard input
    #[arg(value_name = "FILE", required = true, value_parser = input_file)]
    files: Vec<String>,
    #[command(flatten)]
    question: Given<QuestionArgs>,
    /// Results folder; an existing one is resumed
    #[arg(long, value_name = "DIR")]
    store: PathBuf,
    #[command(flatten)]
    workers: WorkerArgs,
    #[arg(
        long,
        value_name = "WHO",
        help = "Have the levels solved as tasks on many machines: hq (HyperQueue)",
        long_help = "Have the levels solved as tasks on many machines that share a file system: hq submits them to HyperQueue, waits, and collects"
    )]
    cluster: Option<Cluster>,
    /// With --cluster: levels of a task
    #[arg(long, value_name = "N", default_value = "500", hide_short_help = true)]
    task_levels: NonZeroU32,
    /// Files that the results of a new store are spread over [default: 16]
    #[arg(
        long,
        value_name = "N",
        value_parser = value_parser!(u32).range(1..=i64::from(shards::MAX_SHARDS)),
        hide_short_help = true
    )]
    shards: Option<u32>,
    #[arg(
        long,
        value_name = "WHICH",
        value_parser = retries(),
        default_value = "none",
        help = "Which results of the store to retry",
        long_help = "Which results of the store to retry: none (only those whose limits were smaller than the current ones), unknown (all that a limit ended, and crashes), all; levels interrupted by Ctrl-C are always retried"
    )]
    retry: Retry,
    #[command(flatten)]
    output: FarmOutputArgs,
}

/// Who runs tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Cluster {
    Hq,
}

/// What is asked of each level, and with what means: what a worker has to know too.
#[derive(Args)]
#[command(
    mut_arg("threads", helping("Threads for each level [default: 1]")),
    mut_arg(
        "memory",
        helping(
            "Memory limit of all workers together, in MiB or like 2G [default: half of the machine's memory]"
        )
    )
)]
struct QuestionArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    solve: SolveArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Puzzles without moves: look for up to N solutions [default: 2]
    #[arg(long, value_name = "N", hide_short_help = true)]
    count: Option<NonZeroU32>,
    #[arg(
        long,
        help = "Keep a certificate of each verdict in the store, checked",
        long_help = "Keep a certificate of each verdict in the store, checked; it gets the same time again"
    )]
    prove: bool,
}

impl QuestionArgs {
    /// What is looked for beyond a solution.
    fn search(&self) -> Search {
        let solutions = self.count.map_or(question::SOLUTIONS, |count| count.get() as usize);
        Search { solutions, unique: false, rules: false }
    }
}

/// How many are worked on at a time.
#[derive(Args)]
struct WorkerArgs {
    /// Levels at the same time, each in a process [default: all cores; with --cluster 1 a task]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    workers: Option<u16>,
}

/// What is printed of many levels.
#[derive(Args, Clone, Copy)]
#[command(
    mut_arg("json", helping("Print one JSON object for the whole run")),
    mut_arg("quiet", helping("Print nothing"))
)]
struct FarmOutputArgs {
    #[command(flatten)]
    output: OutputArgs,
}

/// The folder of a store that is there.
#[derive(Args)]
struct StoreArgs {
    /// The folder of the store
    #[arg(value_name = "DIR", required_unless_present = "named")]
    store: Option<PathBuf>,
    /// The folder, as the farm itself takes it
    #[arg(long = "store", value_name = "DIR", conflicts_with = "store", hide = true)]
    named: Option<PathBuf>,
}

impl StoreArgs {
    fn folder(&self) -> &Path {
        let named = self.store.as_ref().or(self.named.as_ref());
        named.expect("clap demands one of them")
    }
}

impl FarmCommand {
    fn part(&self) -> &dyn Run {
        match self {
            Self::Farm(farm) => farm.as_ref(),
            Self::Part(part) => match part.as_ref() {
                FarmPart::Status(part) => part,
                FarmPart::Check(part) => part,
                FarmPart::Merge(part) => part,
                FarmPart::Work(part) => part,
                FarmPart::Task(part) => part,
            },
        }
    }
}

impl Run for FarmCommand {
    fn watched(&self) -> Watched {
        self.part().watched()
    }

    fn run(&'static self) -> CommandResult {
        self.part().run()
    }
}

impl Run for FarmArgs {
    fn watched(&self) -> Watched {
        Watched { json: self.output.output.json, limits: Some(self.question.limits) }
    }

    fn run(&'static self) -> CommandResult {
        // The time limit is that of a level, and the farm sees to it that workers keep it.
        guard::signals_only();
        run::run(self)
    }
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
