//! The arguments of `solve`.

use crate::commands::query::AnswerArgs;
use crate::input::args::{AfterArgs, Given, LevelsArgs, MovesArg, SolveArgs, long_help};
use crate::input::selection::Part;
use crate::input::{SelectedLevel, SelectedLevels};
use crate::pictures::PictureArgs;
use crate::store::question;
use crate::store::result::{GivenLimits, LevelQuestion};
use crate::store::retry::Retry;
use crate::store::shards;
use crate::terminal::failure::Failure;
use crate::terminal::output::Target;
use clap::{Args, value_parser};
use std::path::PathBuf;

const LONG_HELP: &str = "\
Several levels are a batch: a table and totals at the end, and on a terminal a
line for each level as it is solved. A file that cannot be read is reported, and
the rest is solved. With `--log FILE` every result is kept as soon as it is
there, and the same command resumes where it was interrupted: levels are
identified by their rules and board and by the question, not by file name.

With `--store DIR` levels are streamed, however many there are, and each is given
to a worker process, so that a crash costs one level; what came out is counted.
The store is a folder: `results-N.jsonl` has a line for each level with the fields
of `--json`, `certificates-N.tar.gz` the certificates of `--prove`. `list`, `check`
and `merge` read stores and logs. Many machines solve a part each: `--part K/N`.

Exit codes:
   0  solved (all levels)
   2  wrong usage, or something could not be read
  20  unsolvable, whatever the length
  21  no solution within the given horizon
  30  unknown: a limit struck or the run was interrupted; with `--unique` also
      where it stays open whether there is another solution
  70  internal error: please report it
  A batch that read everything ends with the code of its first level that is not solved.";

const EXAMPLES: &str = "\
Examples:
  unstuck solve level.xsb
  unstuck solve levels.xsb --timeout 10s         all levels, then a table
  unstuck solve levels.xsb --unique              how many solutions are shortest?
  unstuck solve game.puzzlescript --unique --rules
                                                 and which rules are of no use?
  unstuck solve levels.xsb -l 1-20,40 --log run.jsonl --record solved.sok
  unstuck solve levels/ --store run --timeout 10s --prove
                                                 all cores, with certificates
  unstuck solve levels/ --store part-2 --part 2/8
                                                 what the second of 8 machines does
  unstuck solve levels.xsb -l 3 --stages         with the board after each push
  unstuck solve level.xsb --horizon 20           a plan of at most 20 steps?
  unstuck solve level.xsb --after rrDD           from where these moves lead
  unstuck solve level.xsb --forbid 'pushed 3,4'  never a box on this cell
  unstuck solve level.xsb --improve --from-solution @moves.txt --timeout 1m
                                                 a shorter one than these moves
  unstuck solve level.xsb --engine sat --backend 'cadical -q {cnf}'";

/// How a solution is looked for, and what is made of it, beside [`SolveArgs`].
#[derive(Args, Clone)]
pub(crate) struct SolutionArgs {
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Puzzles without moves: look for up to N solutions [default: 2]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    #[arg(
        long,
        conflicts_with_all = [
            "EngineArgs", "SolverArgs", "FilterArgs", "AfterArgs", "count", "log", "compare",
        ],
        help = "Shorten a known solution; prove nothing",
        long_help = "Shorten a known solution by searching its neighbourhood, until the time is up or nothing near it is shorter; this does not prove that no solution is shorter. The solution is that of `--from-solution`, else the best that the file records, else one found quickly. Under `--objective any` it is shortened in the family's own objective"
    )]
    pub improve: bool,
    #[arg(
        long,
        conflicts_with_all = ["count", "improve", "horizon"],
        help = "Also count the shortest solutions",
        long_help = "Also count the shortest solutions and say whether there is one only, up to what `enumerate` counts as the same: walks, and the order of independent pushes. Exit code 30 where that stays open"
    )]
    pub unique: bool,
    #[arg(
        long,
        value_name = "N",
        value_parser = value_parser!(u64).range(1..),
        conflicts_with_all = ["backend", "improve", "threads", "unique", "ConstraintArgs"],
        hide_short_help = true,
        help = "Limit work by what is counted: the same answer on every machine",
        long_help = "Limit work by what is counted, in one thread, so that the same answer comes out on every machine and in every run, unless another limit strikes: states that A* expands, states that other searches look at, conflicts of the SAT solver, up to N of each. `stages` of `--json` has how many there were"
    )]
    pub states: Option<u64>,
    /// With --unique: report the rules that act in no shortest solution, by their lines (PuzzleScript)
    #[arg(long, requires = "unique")]
    pub rules: bool,
    /// The solution to improve: moves, @FILE, or - for standard input
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, requires = "improve")]
    pub from_solution: Option<MovesArg>,
    /// Print which engine would work when, with what share of the machine; solve nothing
    #[arg(
        long,
        conflicts_with_all = ["ShownArgs", "PictureArgs", "StillArgs", "KeptArgs", "unique"],
        hide_short_help = true
    )]
    pub explain_schedule: bool,
}

/// What is shown of solutions.
#[derive(Args, Clone)]
pub(crate) struct ShownArgs {
    /// Print the board after each push
    #[arg(long)]
    pub stages: bool,
    /// Say how a verdict was proved, too
    #[arg(long, short, hide_short_help = true)]
    pub verbose: bool,
    /// Batch: print the moves of each level too
    #[arg(long)]
    pub moves: bool,
    /// Report whether the solutions recorded in the file are shortest
    #[arg(long, conflicts_with = "AfterArgs", hide_short_help = true)]
    pub compare: bool,
}

/// Where solutions are kept.
#[derive(Args, Clone)]
pub(crate) struct KeptArgs {
    /// Write levels and solutions in the family's file format (Sokoban: SOK)
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["AfterArgs", "ConstraintArgs"]
    )]
    pub record: Option<Target>,
    /// Keep each result in FILE and skip results that it already has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["AfterArgs", "ConstraintArgs"])]
    pub log: Option<PathBuf>,
    /// Have worker processes solve the levels, and keep each result in this folder
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "AfterArgs", "ConstraintArgs", "ShownArgs", "PictureArgs", "StillArgs", "improve",
            "record", "log",
        ]
    )]
    pub store: Option<PathBuf>,
    #[arg(
        long,
        requires = "store",
        help = "Keep a certificate of each verdict in the store, checked",
        long_help = "Keep a certificate of each verdict in the store, checked; it gets the same time again"
    )]
    pub prove: bool,
    /// Levels at the same time, each in a process of one thread [default: all cores]
    #[arg(
        long,
        value_name = "N",
        requires = "store",
        value_parser = value_parser!(u16).range(1..),
        hide_short_help = true
    )]
    pub workers: Option<u16>,
    #[arg(
        long,
        value_name = "K/N",
        hide_short_help = true,
        help = "Solve the K-th of N parts of the levels only",
        long_help = "Solve the K-th of N parts of the levels only: a level is in one part, wherever it stands and whatever it is called"
    )]
    pub part: Option<Part>,
    /// Files that the results of a new store are spread over [default: 16]
    #[arg(
        long,
        value_name = "N",
        requires = "store",
        value_parser = value_parser!(u32).range(1..=i64::from(shards::MAX_SHARDS)),
        hide_short_help = true
    )]
    pub shards: Option<u32>,
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        hide_possible_values = true,
        hide_short_help = true,
        help = "Which earlier results to retry [default: unknown of a log, none of a store]",
        long_help = "Which results of the log or the store to retry: unknown (those that a limit ended, and crashes; the default of a log), none (only those whose limits were smaller than the current ones; the default of a store), all; levels interrupted by Ctrl-C are always retried"
    )]
    pub retry: Option<Retry>,
}

/// Find a shortest solution, or prove that there is none
#[derive(Args, Clone)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct SolveCommand {
    #[command(flatten)]
    pub levels: LevelsArgs,
    #[command(flatten)]
    pub solve: Given<SolveArgs>,
    #[command(flatten)]
    pub answer: AnswerArgs,
    #[command(flatten)]
    pub solution: Given<SolutionArgs>,
    #[command(flatten)]
    pub after: AfterArgs,
    #[command(flatten)]
    pub pictures: PictureArgs,
    #[command(flatten)]
    pub kept: KeptArgs,
}

impl SolveCommand {
    /// Whether everything that was named is one level in one horizon.
    pub(super) fn is_single(&self, found: &SelectedLevels) -> bool {
        found.len() == 1 && self.solve.horizons().len() == 1
    }

    /// What is asked of a level in a horizon.
    ///
    /// # Errors
    /// When the family does not know the objective.
    pub(super) fn question(
        &self,
        chosen: &SelectedLevel,
        horizon: Option<u32>,
        limits: GivenLimits,
    ) -> Result<LevelQuestion, Failure> {
        let (objective, solution) = (self.levels.reading.objective, &self.solution);
        let means = (&*self.solve, limits);
        let mut asked = question::asked("solve", chosen, objective, means, horizon)?;
        let question = &mut asked.question;
        (question.unique, question.rules) = (solution.unique, solution.rules);
        question.states = solution.states;
        // A game has no such number.
        if let (Some(count), Some(wanted)) = (&mut question.count, solution.count) {
            *count = wanted as usize;
        }
        Ok(asked)
    }
}
