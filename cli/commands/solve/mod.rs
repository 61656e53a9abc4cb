//! `unstuck solve`: one level, or all levels of the given files as a batch.

mod improved;
mod job;
mod recalled;
mod run;
mod unique;

use crate::answer::json;
use crate::answer::{outcome, rule_use, text_boards};
use crate::commands::constrained::ConstrainedQuestion;
use crate::commands::query::AnswerArgs;
use crate::commands::{query, replay};
use crate::driver::{Run, Watched};
use crate::input::applies;
use crate::input::applies::{Demand, REMOVE, refused};
use crate::input::args::{AfterArgs, Given, LevelsArgs, MovesArg, SolveArgs, long_help};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::pictures::PictureArgs;
use crate::store::retry::Retry;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output;
use crate::terminal::output::Target;
use crate::terminal::text::{Text, one_line};
use crate::terminal::values::words;
use clap::builder::TypedValueParser;
use clap::{Args, value_parser};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use unstuck::instance::{Instance, Verified, VerifyError};
use unstuck::registry::Family;
use unstuck::report::{RecordedReport, sentences};
use unstuck::solve::{Outcome, ScheduleText, explained};
use unstuck_puzzles::{FrameOptions, Objective, RecordSupport, Style};

const LONG_HELP: &str = "\
Several levels are a batch: a table and totals at the end, and on a terminal a
line for each level as it is solved. A file that cannot be read is reported, and
the rest is solved. With `--log FILE` every result is kept as soon as it is
there, and the same command resumes where it was interrupted: levels are
identified by content and question, not by file name.

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
  unstuck solve levels.xsb -l 3 --stages         with the board after each push
  unstuck solve level.xsb --horizon 20           a plan of at most 20 steps?
  unstuck solve level.xsb --after rrDD           from where these moves lead
  unstuck solve level.xsb --forbid 'pushed 3,4'  never a box on this cell
  unstuck solve level.xsb --improve --from-solution @moves.txt --timeout 1m
                                                 a shorter one than these moves
  unstuck solve level.xsb --engine sat --backend 'cadical -q {cnf}'";

/// How a solution is looked for, and what is made of it, beside [`SolveArgs`].
#[derive(Args, Clone)]
struct SolutionArgs {
    #[command(flatten)]
    shown: ShownArgs,
    /// Puzzles without moves: look for up to N solutions [default: 2]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    count: Option<u32>,
    #[arg(
        long,
        conflicts_with_all = [
            "EngineArgs", "SolverArgs", "FilterArgs", "AfterArgs", "count", "log", "compare",
        ],
        help = "Shorten a known solution; prove nothing",
        long_help = "Shorten a known solution by searching its neighbourhood, until the time is up or nothing near it is shorter; this does not prove that no solution is shorter. The solution is that of `--from-solution`, else the best that the file records, else one found quickly. Under `--objective any` it is shortened in the family's own objective"
    )]
    improve: bool,
    #[arg(
        long,
        conflicts_with_all = ["count", "improve", "horizon"],
        help = "Also count the shortest solutions",
        long_help = "Also count the shortest solutions and say whether there is one only, up to what `enumerate` counts as the same: walks, and the order of independent pushes. Exit code 30 where that stays open"
    )]
    unique: bool,
    /// With --unique: report the rules that act in no shortest solution, by their lines (PuzzleScript)
    #[arg(long, requires = "unique")]
    rules: bool,
    /// The solution to improve: moves, @FILE, or - for standard input
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, requires = "improve")]
    from_solution: Option<MovesArg>,
    /// Print which engine would work when, with what share of the machine; solve nothing
    #[arg(
        long,
        conflicts_with_all = ["ShownArgs", "PictureArgs", "StillArgs", "KeptArgs", "unique"],
        hide_short_help = true
    )]
    explain_schedule: bool,
}

/// What is shown of solutions.
#[derive(Args, Clone)]
struct ShownArgs {
    /// Print the board after each push
    #[arg(long)]
    stages: bool,
    /// Batch: print the moves of each level too
    #[arg(long)]
    moves: bool,
    /// Report whether the solutions recorded in the file are shortest
    #[arg(long, conflicts_with = "AfterArgs", hide_short_help = true)]
    compare: bool,
}

/// Where solutions are kept.
#[derive(Args, Clone)]
struct KeptArgs {
    /// Write levels and solutions in the family's file format (Sokoban: SOK)
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["AfterArgs", "ConstraintArgs"]
    )]
    record: Option<Target>,
    /// Keep each result in FILE and skip results that it already has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["AfterArgs", "ConstraintArgs"])]
    log: Option<PathBuf>,
    #[arg(
        long,
        value_name = "WHICH",
        requires = "log",
        value_parser = retries(),
        hide_short_help = true,
        help = "Which results of the log to retry [default: unknown]",
        long_help = "Which results of the log to retry: unknown (those that a limit ended; the default), none (only those whose limits were smaller than the current ones), all; levels interrupted by Ctrl-C are always retried"
    )]
    retry: Option<Retry>,
}

/// Find a shortest solution, or prove that there is none
#[derive(Args, Clone)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct SolveCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    solve: Given<SolveArgs>,
    #[command(flatten)]
    answer: AnswerArgs,
    #[command(flatten)]
    solution: Given<SolutionArgs>,
    #[command(flatten)]
    after: AfterArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    kept: KeptArgs,
}

impl Run for SolveCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.answer.output.json, limits: Some(self.answer.limits) }
    }

    fn run(&'static self) -> CommandResult {
        let found = self.levels.found()?;
        self.check(&found)?;
        let words = self.solve.words.iter().chain(&self.solution.words);
        let meaningless = words.filter(|it| !["tune", "unique"].contains(&it.name.as_str()));
        let constrained = applies::constrained(&self.answer.constraints, &found, meaningless)?;
        if constrained && self.solution.unique {
            let why = "`enumerate` counts the solutions of a game with constraints";
            return Err(refused("unique", why, REMOVE));
        }
        if !constrained && found.len() == 1 && self.solution.shown.moves {
            let why = "the moves of a single level are printed anyway";
            return Err(refused("moves", why, REMOVE));
        }
        if self.solution.explain_schedule {
            return self.explain_schedules(&found);
        }
        self.pictures.check()?;
        let KeptArgs { record, log, .. } = &self.kept;
        // A record that a log knows may be resumed.
        let named = ("record", record.as_ref().filter(|_| log.is_none()));
        let outputs = [&self.pictures.outputs()[..], &[named]].concat();
        let (json, force) = (self.answer.output.json, self.answer.force.force);
        output::prepare(json, force, &outputs)?;
        if log.is_some() && *record == Some(Target::Stdout) {
            output::speak_aside();
        }
        if constrained {
            let asked = ConstrainedQuestion {
                levels: Mutex::new(Some(found)),
                reading: self.levels.reading.clone(),
                answer: self.answer.clone(),
                after: self.after.clone(),
                pictures: self.pictures.clone(),
            };
            return Run::run(Box::leak(Box::new(asked)));
        }
        run::all(self, found)
    }
}

/// The words for what is tried again.
pub(crate) fn retries() -> impl TypedValueParser<Value = Retry> {
    words(Retry::NAMES.map(|name| (name, Retry::from_name(name))))
}

impl SolveCommand {
    /// Refuses options that the levels have no use for.
    fn check(&self, found: &SelectedLevels) -> Result<(), Failure> {
        let ShownArgs { stages, moves, compare } = self.solution.shown;
        let one = "is played in moves: one shortest solution is looked for";
        let drawn = "`--svg` draws the solution";
        let demands = [
            Demand::no_moves("count", self.solution.count.is_some(), one),
            Demand::moves("stages", stages, drawn),
            Demand::moves("moves", moves, drawn),
            Demand::moves("compare", compare, REMOVE),
            Demand::moves("improve", self.solution.improve, REMOVE),
            Demand::moves("rules", self.solution.rules, REMOVE),
            Demand::one_level("after", self.after.after.is_some()),
            Demand::one_level("from-solution", self.solution.from_solution.is_some()),
        ];
        applies::check(found, demands.into_iter().chain(self.pictures.demands()))?;
        applies::solving(&self.solve, self.levels.reading.objective, found)?;
        let mut read = found.iter().flatten();
        if self.solution.unique && self.levels.reading.objective == Some(Objective::Any) {
            let why = "`--objective any` looks for no shortest solution";
            return Err(refused("unique", why, REMOVE));
        }
        if compare && read.clone().all(|chosen| chosen.level.solutions.is_empty()) {
            let why = "the file records no solution to compare with";
            return Err(refused("compare", why, REMOVE));
        }
        if self.solution.rules {
            let levels: Vec<&SelectedLevel> = found.iter().flatten().collect();
            for chosen in applies::one_of_each_family(&levels) {
                // A level that is broken is reported when its turn comes.
                let instances = chosen.instances(self.levels.reading.objective).unwrap_or_default();
                if let Some(instance) = instances.first() {
                    rule_use::all(instance.as_ref())?;
                }
            }
        }
        if let Some(record) = &self.kept.record {
            let refusal = read.find_map(|it| unrecordable(it.family, found.len(), record));
            return refusal.map_or(Ok(()), Err);
        }
        self.solve.solver.check()
    }

    /// Prints the schedule of each level.
    fn explain_schedules(&self, found: &SelectedLevels) -> CommandResult {
        let (after, constraints) = (self.after.read()?, self.answer.constraints.read()?);
        let objective = self.levels.reading.objective;
        for one in found {
            let chosen = one.as_ref().map_err(|error| error.failure.clone())?;
            let instances = query::asked(chosen, objective, after.as_deref(), &constraints)?;
            for horizon in self.solve.horizons() {
                let request = self.solve.request(horizon, &self.answer.limits)?;
                let explained = explained(instances[0].as_ref(), &request, self.solution.improve);
                if self.answer.output.json {
                    let fields = ScheduleAnswer { schedule: explained };
                    output::print(format!("{}\n", json::of_level("solve", chosen, fields)));
                } else {
                    let name = if self.is_single(found) { None } else { Some(chosen.name()) };
                    let name = name.map_or(String::new(), |name| format!("{name}\n"));
                    output::print(format!("{name}{explained}"));
                }
            }
        }
        Ok(0)
    }

    /// Whether everything that was named is one level in one horizon.
    fn is_single(&self, found: &SelectedLevels) -> bool {
        found.len() == 1 && self.solve.horizons().len() == 1
    }
}

/// Why so many levels of a family cannot be recorded in a file.
fn unrecordable(family: &Family, levels: usize, record: &Target) -> Option<Failure> {
    let name = family.name;
    let extension = record.path().and_then(Path::extension);
    if family.records == RecordSupport::Nothing {
        let why = format!("files of {name} have no place for solutions");
        return Some(refused("record", &why, "`--log FILE` and `--json` keep solutions"));
    }
    if extension.is_some_and(|it| it.eq_ignore_ascii_case("slc")) {
        let why = "a record is plain text, and readers of `.slc` expect XML";
        return Some(refused("record", why, "give the file another name, such as FILE.sok"));
    }
    (levels > 1 && family.records == RecordSupport::OneLevel).then(|| {
        let why = format!("a file of {name} holds one level, and there are {levels}");
        let help = "choose one with `--level`; `--log FILE` and `--json` keep all solutions";
        refused("record", &why, help)
    })
}

/// Says which numbers the recorded solution of a level leads to: some files ask for those alone,
/// and no shorter solution answers them.
fn as_given(chosen: &SelectedLevel, instances: &[Box<dyn Instance>]) {
    let Some(given) = chosen.level.solutions.first() else { return };
    let replayed = instances.iter().find_map(|it| it.replay(given, Style::Plain, None).ok());
    let facts = replayed.map(|replayed| replay::numbers(&replayed.facts)).unwrap_or_default();
    if facts.is_empty() {
        return;
    }
    let words: Vec<String> = facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
    output::say(format!(
        "note: as recorded in the file: {}; `unstuck replay` shows the end",
        words.join(", ")
    ));
}

/// A level with its outcome, and the instance of the reading that counts.
pub(crate) struct SolvedLevel {
    instances: Vec<Box<dyn Instance>>,
    outcome: Outcome,
    /// The solution that was to be improved, where one was known.
    begun: Option<Verified>,
    /// The shortest solutions, where they were to be counted.
    counted: Option<unique::Counted>,
}

impl SolvedLevel {
    fn instance(&self) -> &dyn Instance {
        let counts = self.instances.iter().find(|i| i.reading() == self.outcome.reading);
        counts.expect("an outcome names one of the readings").as_ref()
    }

    /// The verdict as one sentence.
    fn verdict(&self) -> String {
        sentences::verdict(self.instance(), &self.outcome)
    }
}

/// What is printed of a level by itself.
fn rendered(args: &SolveCommand, chosen: &SelectedLevel, solved: &SolvedLevel) -> Text {
    let (instance, outcome) = (solved.instance(), &solved.outcome);
    let (style, shown) = (args.answer.plain.style(), &args.solution.shown);
    let unique = unique::text(solved);
    if args.answer.output.quiet {
        let answer = outcome.best.as_ref().map(|best| best.text().to_owned());
        let answer = answer.unwrap_or_else(|| solved.verdict());
        return Text::from(&format!("{answer}\n{unique}"));
    }
    let mut text = outcome::text(instance, outcome, style);
    // They were read before.
    let constraints = args.answer.constraints.read().unwrap_or_default();
    if !constraints.is_empty() {
        text.push_str(&format!("with the constraints: {constraints}\n"));
    }
    text.push_str(&unique);
    improved::sentence(solved).iter().for_each(|sentence| text.push_str(sentence));
    if shown.compare {
        for (solution, word) in compare(chosen, instance, outcome) {
            text.push_str(&format!("recorded {}: {}\n", solution.trim_end(), one_line(&word)));
        }
    }
    if let (true, Some(best)) = (shown.stages, &outcome.best) {
        text.push_drawing(&stages(instance, best, style));
    }
    text
}

/// The boards of a plan, the start first.
fn stages(instance: &dyn Instance, plan: &Verified, style: Style) -> String {
    let replayed = instance.replay(plan.text(), style, Some(FrameOptions::all(false, style)));
    replayed.map(|replayed| text_boards::stages(&replayed.frames)).unwrap_or_default()
}

/// For each recorded solution whether it is right, and whether it is as short as the best known.
fn compare(
    chosen: &SelectedLevel,
    instance: &dyn Instance,
    outcome: &Outcome,
) -> Vec<(String, String)> {
    let objective = instance.objective();
    let unit = instance.measures().first(objective);
    let judge = |text: &String| {
        let word = match instance.verify(text) {
            // The moves of another kind of play, say in reverse.
            Err(VerifyError::Unreadable(error)) => format!("not checked: {error}"),
            Err(error) => format!("wrong: {error}"),
            Ok(plan) => {
                let length = objective.primary(plan.tally());
                if length <= outcome.lower {
                    "right and shortest".to_owned()
                } else if let Some(best) = &outcome.best {
                    let best = objective.primary(best.tally());
                    match length.checked_sub(best) {
                        Some(0) | None if outcome.optimal => "right and shortest".to_owned(),
                        Some(0) | None => "right; not known whether it is shortest".to_owned(),
                        Some(more) => {
                            format!("right, but {} longer than necessary", unit.count(more))
                        }
                    }
                } else {
                    "right; not known whether it is shortest".to_owned()
                }
            }
        };
        (text.clone(), word)
    };
    chosen.level.solutions.iter().map(judge).collect()
}

/// The same for programs.
fn compared(chosen: &SelectedLevel, solved: &SolvedLevel) -> Vec<RecordedReport> {
    let compared = compare(chosen, solved.instance(), &solved.outcome);
    compared.into_iter().map(|(moves, verdict)| RecordedReport { moves, verdict }).collect()
}

/// The schedule of a level.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ScheduleAnswer {
    /// What would be done.
    schedule: ScheduleText,
}
