//! Arguments that several commands share: each group is read once, by clap, into a struct.

use crate::input;
use crate::input::families::{FamilyArgs, LEVELS};
use crate::input::selection::SelectionArgs;
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::HEADING as OUTPUT;
use crate::terminal::values::{Horizons, words};
use crate::terminal::{file_id, output};
use clap::{Arg, Args, Command, FromArgMatches};
use std::convert::Infallible;
use std::fmt::Display;
use std::num::NonZeroU16;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use unstuck::backend::{self, Backend};
use unstuck::machine::all_threads;
use unstuck::solve::{EngineChoice, Request, TUNING, Tuning, TuningEntry};
use unstuck_encodings::{Filter, Step};
use unstuck_puzzles::constraints::{Constraints, FORBID_HELP, REQUIRE_HELP};
use unstuck_puzzles::{Objective, ParseError};

/// The long help of a command: more than the short one has, and its examples.
macro_rules! long_help {
    ($long:expr, $examples:expr) => {
        format!("{}\n\n{}", $long, $examples)
    };
}
pub(crate) use long_help;

/// Heading of help under which stands how the answer is found.
const SOLVING: &str = "Solving";

/// Which levels.
#[derive(Args, Clone)]
pub(crate) struct LevelsArgs {
    /// Level files, or folders of them; `-` is standard input
    #[arg(value_name = "FILE", required = true, value_parser = input_file)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub selection: SelectionArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Which level.
#[derive(Args, Clone)]
pub(crate) struct LevelArgs {
    /// Level file; `-` is standard input
    #[arg(value_name = "FILE", value_parser = input_file)]
    pub file: String,
    #[command(flatten)]
    pub selection: SelectionArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Arguments that name levels.
pub(crate) trait Named {
    /// All levels that are named: of files, and of all files with levels in folders.
    ///
    /// # Errors
    /// When a family does not have the options that were given, or no level is as `--level` says.
    fn found(&self) -> Result<input::SelectedLevels, Failure>;
}

impl Named for LevelArgs {
    fn found(&self) -> Result<input::SelectedLevels, Failure> {
        self.single().map(|chosen| vec![Ok(chosen)])
    }
}

impl LevelArgs {
    /// The only level that is named.
    ///
    /// # Errors
    /// When it cannot be read, or there are several.
    pub(crate) fn single(&self) -> Result<input::SelectedLevel, Failure> {
        input::single(&self.file, &self.selection, &self.reading.family)
    }
}

impl Named for LevelsArgs {
    fn found(&self) -> Result<input::SelectedLevels, Failure> {
        input::found(&self.files, &self.selection, &self.reading.family)
    }
}

/// How a level is read: family, options of the family, objective.
#[derive(Args, Clone)]
pub(crate) struct ReadingArgs {
    #[command(flatten)]
    pub family: FamilyArgs,
    /// What to minimise [default: the family's own]
    ///
    /// Of two words, the second breaks ties of the first.
    #[arg(help_heading = LEVELS, long, value_name = "WHAT", value_parser = objectives())]
    pub objective: Option<Objective>,
}

/// The words for objectives.
pub(crate) fn objectives() -> impl clap::builder::TypedValueParser<Value = Objective> {
    words(Objective::ALL.map(|it| (it.name(), it)))
}

/// The words for engines.
pub(crate) fn engines() -> impl clap::builder::TypedValueParser<Value = EngineChoice> {
    words(EngineChoice::ALL.map(|it| (it.name(), it)))
}

/// A file that is read: no output replaces it.
pub(crate) fn input_file(path: &str) -> Result<String, Infallible> {
    file_id::note_input(Path::new(path));
    Ok(path.to_owned())
}

/// Which engines are asked, and about which horizons.
#[derive(Args, Clone)]
pub(crate) struct EngineArgs {
    /// Which engine to use: SAT, explicit search, learning, or all of them [default: auto]
    #[arg(help_heading = SOLVING, long, value_name = "ENGINE", value_parser = engines())]
    pub engine: Option<EngineChoice>,
    /// Only decide whether a solution of at most N steps exists
    ///
    /// `A..B` solves each N from A to B.
    #[arg(help_heading = SOLVING, long, value_name = "N|A..B")]
    pub horizon: Option<Horizons>,
    /// Do not look for solutions of more than N steps
    #[arg(help_heading = SOLVING, long, value_name = "N", conflicts_with = "horizon", hide_short_help = true)]
    pub max_horizon: Option<Step>,
}

/// Threads, and numbers for experiments.
#[derive(Args, Clone)]
pub(crate) struct ThreadArgs {
    /// Number of threads: for search, and for horizons solved in parallel [default: all cores]
    #[arg(help_heading = SOLVING, long, value_name = "N", hide_short_help = true)]
    pub threads: Option<NonZeroU16>,
    #[command(flatten)]
    pub tune: TuneArgs,
}

impl ThreadArgs {
    /// How many threads were asked for: all cores where no number was.
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or_else(all_threads, |threads| threads.get().into())
    }
}

/// Numbers that are changed for an experiment.
#[derive(Args, Clone)]
pub(crate) struct TuneArgs {
    /// Change a number that was found by experiment (`--tune help` lists them)
    #[arg(long, value_name = "NAME=VALUE", hide = true)]
    pub tune: Vec<String>,
}

impl TuneArgs {
    /// The numbers.
    ///
    /// # Errors
    /// When there is no such number, or its value makes no sense.
    pub(crate) fn tuning(&self) -> Result<Tuning, Failure> {
        let mut tuning = Tuning::default();
        for one in self.tune.iter().flat_map(|list| list.split(',')) {
            set(&mut tuning, one)?;
        }
        Ok(tuning)
    }
}

/// Sets a number, as in `search_solo=500`, or those of a list, as in `learning_restart_nodes=400:800`.
fn set(tuning: &mut Tuning, text: &str) -> Result<(), Failure> {
    let refused = |error: &dyn Display| {
        let numbers = TUNING.iter().map(|entry| {
            let TuningEntry { name, unit, default, meaning, chosen_by, range: (least, most) } =
                entry;
            let default = default.iter().map(u64::to_string).collect::<Vec<_>>().join(":");
            format!("{name}={default} ({least} to {most} {unit}): {meaning}; chosen by {chosen_by}")
        });
        let numbers: Vec<_> = numbers.collect();
        Failure::usage(format!("--tune {text}: {error}")).help(numbers.join("\n"))
    };
    let (name, value) = text.split_once('=').ok_or_else(|| refused(&"expected NAME=VALUE"))?;
    let values = value.split(':').map(str::parse).collect::<Result<Vec<u64>, _>>();
    let values = values.map_err(|error| refused(&error))?;
    tuning.set(name, &values).map_err(|error| refused(&error))
}

/// Which solver is asked.
#[derive(Args, Clone)]
pub(crate) struct SolverArgs {
    /// The SAT solver [default: varisat]
    ///
    /// `varisat` is embedded; others are commands, such as `cadical -q {cnf}` ({cnf}, {out}, {proof}
    /// and {time} are filled in).
    #[arg(help_heading = SOLVING, long, value_name = "NAME|COMMAND", hide_short_help = true)]
    pub backend: Option<String>,
}

impl SolverArgs {
    /// Its name or command.
    pub(crate) fn name(&self) -> &str {
        self.backend.as_deref().unwrap_or("varisat")
    }

    /// The solver.
    ///
    /// # Errors
    /// When its command cannot be understood, or its program is not there.
    pub(crate) fn open(&self) -> Result<Arc<dyn Backend>, Failure> {
        backend_of(self.name())
    }

    /// Looks at the solver before any work, and says so when its command does not say where the
    /// formula goes.
    ///
    /// # Errors
    /// Like [`Self::open`].
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.open()?;
        note_backend(self.name());
        Ok(())
    }
}

/// Says so when a solver's command does not say where the formula goes.
pub(crate) fn note_backend(name: &str) {
    if !backend::is_built_in(name) && !name.contains("{cnf}") {
        output::say(format!(
            "note: `{name}` has no {{cnf}}: the formula's file is added at its end"
        ));
    }
}

/// Solvers that many machines have: of each the commands that ask it, the best first. Which of them
/// it can do depends on its version.
pub(crate) const KNOWN: [&[&str]; 5] = [
    &[
        "cadical -q --lrat --no-binary --no-factor {cnf} {proof}",
        "cadical -q --lrat --no-binary {cnf} {proof}",
        "cadical -q {cnf} {proof}",
    ],
    &["kissat -q {cnf} {proof}"],
    &["cryptominisat5 --verb 0 {cnf}"],
    &["minisat {cnf} {out}"],
    &["glucose -model {cnf}"],
];

/// The solver of a name or command. The name of a known program alone stands for its last command,
/// which every version of it understands.
///
/// # Errors
/// When its command cannot be understood, or its program is not there.
pub(crate) fn backend_of(name: &str) -> Result<Arc<dyn Backend>, Failure> {
    let program = |command: &&str| command.split(' ').next() == Some(name);
    let known = KNOWN.iter().filter_map(|commands| commands.last()).find(|it| program(it));
    let backend = backend::from_name(known.unwrap_or(&name)).map_err(|error| {
        Failure::usage(format!("--backend {name}: {error}")).help(
            "`varisat` is built in; another solver is a command on PATH, like `cadical -q {cnf}`",
        )
    })?;
    Ok(backend.into())
}

/// Which rules are left out.
#[derive(Args, Clone)]
pub(crate) struct FilterArgs {
    /// Omit the clauses of these rules (`export` lists them)
    #[arg(help_heading = SOLVING, long, value_name = "RULE,...", hide_short_help = true)]
    pub without: Vec<String>,
    /// Omit all strengthening clauses
    #[arg(help_heading = SOLVING, long, hide_short_help = true)]
    pub defining_only: bool,
}

impl FilterArgs {
    /// The rules.
    pub(crate) fn filter(&self) -> Filter {
        let without = self.without.iter().flat_map(|list| rules(list)).collect();
        Filter { defining_only: self.defining_only, without }
    }
}

/// The names of a comma list.
pub(crate) fn rules(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// How to solve, but for limits.
#[derive(Args, Clone)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
}

impl SolveArgs {
    /// The horizons that were asked for; none where the question is open.
    pub(crate) fn horizons(&self) -> Vec<Option<Step>> {
        Horizons::each(self.engine.horizon.as_ref())
    }

    /// The one horizon that was asked for.
    ///
    /// # Errors
    /// When several were asked for.
    pub(crate) fn horizon(&self) -> Result<Option<Step>, Failure> {
        single_horizon(self.engine.horizon.as_ref())
    }

    /// The whole request for one horizon; its limits count from now.
    ///
    /// # Errors
    /// When one of its parts is wrong.
    pub(crate) fn request(
        &self,
        horizon: Option<Step>,
        limits: &LimitArgs,
    ) -> Result<Request, Failure> {
        Ok(Request::default()
            .with_engine(self.engine.engine.unwrap_or_default())
            .with_backend(self.solver.open()?)
            .with_horizon(horizon)
            .with_max_horizon(self.engine.max_horizon)
            .with_filter(self.filter.filter())
            .with_threads(self.threads.count())
            .with_limits(limits.begin())
            .with_tuning(self.threads.tune.tuning()?))
    }
}

/// The one horizon that was asked for.
///
/// # Errors
/// When several were asked for.
pub(crate) fn single_horizon(given: Option<&Horizons>) -> Result<Option<Step>, Failure> {
    match Horizons::each(given).as_slice() {
        [only] => Ok(*only),
        several => {
            let message = format!("expected a single horizon, got {}", several.len());
            Err(Failure::usage(message).help("`solve` and `export` take several: `--horizon A..B`"))
        }
    }
}

/// How boards are drawn.
#[derive(Args, Clone, Copy)]
pub(crate) struct PlainArgs {
    /// Draw boards with plain letters
    #[arg(help_heading = OUTPUT, long)]
    plain: bool,
}

impl PlainArgs {
    /// The style of boards on standard output.
    pub(crate) fn style(self) -> unstuck_puzzles::Style {
        output::style(self.plain)
    }
}

/// Leave to replace files.
#[derive(Args, Clone, Copy)]
pub(crate) struct ForceArgs {
    /// Overwrite existing files
    #[arg(help_heading = OUTPUT, long)]
    pub force: bool,
}

/// Which reading of the rules.
#[derive(Args, Clone)]
pub(crate) struct ReadingNameArgs {
    /// The reading of the rules, where there are several
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub reading: Option<String>,
}

/// What must not happen, and what must.
#[derive(Args, Clone)]
pub(crate) struct ConstraintArgs {
    #[arg(
        long,
        value_name = "CONSTRAINT",
        help = "What must not happen, such as `box 3,4` or `pushed 3,4`",
        long_help = format!("What must not happen: {FORBID_HELP}")
    )]
    forbid: Vec<String>,
    #[arg(
        long,
        value_name = "CONSTRAINT",
        help = "What must happen, such as `player 3,4` or `box 3,4`",
        long_help = format!("What must happen: {REQUIRE_HELP}")
    )]
    require: Vec<String>,
}

impl ConstraintArgs {
    /// One thing that must not happen.
    pub(crate) fn forbidding(text: &str) -> Self {
        Self { forbid: vec![text.to_owned()], require: Vec::new() }
    }

    /// The constraints.
    ///
    /// # Errors
    /// When one of them is no constraint.
    pub(crate) fn read(&self) -> Result<Constraints, Failure> {
        let mut constraints = Constraints::default();
        let fail = |error: ParseError| Failure::parse("constraints", &error, "");
        self.forbid.iter().try_for_each(|text| constraints.forbid(text)).map_err(fail)?;
        self.require.iter().try_for_each(|text| constraints.require(text)).map_err(fail)?;
        Ok(constraints)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.forbid.is_empty() && self.require.is_empty()
    }
}

/// Where a question begins.
#[derive(Args, Clone)]
pub(crate) struct AfterArgs {
    /// Start from the position after these moves, or after those of @FILE, or from the position
    /// that FILE draws as a level; - is standard input
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub after: Option<MovesArg>,
}

impl AfterArgs {
    /// The moves, if there are any.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn read(&self) -> Result<Option<String>, Failure> {
        self.after.as_ref().map(MovesArg::read).transpose()
    }
}

/// The game so far: as the second argument, or under either of the names that people give it.
#[derive(Args, Clone)]
pub(crate) struct GameArgs {
    /// The game so far: moves, @FILE, or - for standard input [default of `replay` and `diagnose`:
    /// the solution that the level's file records]
    #[arg(value_name = "MOVES", conflicts_with = "game")]
    moves: Option<MovesArg>,
    /// The game so far, in place of MOVES
    #[arg(
        id = "game",
        long = "moves",
        visible_alias = "after",
        value_name = "MOVES",
        allow_hyphen_values = true
    )]
    game: Option<MovesArg>,
}

impl GameArgs {
    /// The moves, if there are any.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn read(&self) -> Result<Option<String>, Failure> {
        self.moves.as_ref().or(self.game.as_ref()).map(MovesArg::read).transpose()
    }
}

/// Moves: themselves, those of a file, or those on standard input. In no notation is a lone `@` or
/// `-` a move.
#[derive(Clone)]
pub(crate) enum MovesArg {
    /// The moves.
    Text(String),
    /// The file that has them; `-` is standard input.
    File(String),
}

impl From<&str> for MovesArg {
    fn from(text: &str) -> Self {
        match text.strip_prefix('@') {
            Some(path) => {
                file_id::note_input(Path::new(path));
                Self::File(path.to_owned())
            }
            None if text == "-" => Self::File(text.to_owned()),
            None => Self::Text(text.to_owned()),
        }
    }
}

impl MovesArg {
    /// The moves.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn read(&self) -> Result<String, Failure> {
        match self {
            // In no notation of moves is there a dot or a slash.
            Self::Text(moves) if moves.contains(['.', '/', '\\']) && Path::new(moves).is_file() => {
                let message = format!("{moves}: this is a file, and moves are expected");
                Err(Failure::usage(message).help(format!("did you mean `@{moves}`?")))
            }
            Self::Text(moves) => Ok(moves.clone()),
            Self::File(path) => input::answer(path),
        }
    }
}

/// A group of arguments, with the names of those that were given: some are refused.
#[derive(Clone)]
pub(crate) struct Given<A> {
    args: A,
    /// Those names, without dashes.
    pub words: Vec<String>,
}

impl<A> Deref for Given<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.args
    }
}

impl<A: Args> Args for Given<A> {
    fn group_id() -> Option<clap::Id> {
        A::group_id()
    }

    fn augment_args(command: Command) -> Command {
        A::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        A::augment_args_for_update(command)
    }
}

impl<A: Args> FromArgMatches for Given<A> {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let known = A::augment_args(Command::new(""));
        let mut words = Vec::new();
        for argument in known.get_arguments() {
            let takes_value = argument.get_action().takes_values();
            let Some(name) = argument.get_long().map(str::to_owned) else { continue };
            for value in matches.get_raw(argument.get_id().as_str()).into_iter().flatten() {
                // What flags are where they are not given.
                if takes_value || value == "true" {
                    words.push(name.clone());
                }
            }
        }
        Ok(Self { args: A::from_arg_matches(matches)?, words })
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// For help texts that differ from those of the group: sets one.
pub(crate) fn helping(help: &'static str) -> impl FnOnce(Arg) -> Arg {
    move |argument| argument.help(help)
}
