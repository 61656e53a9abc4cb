//! `unstuck solve`: one level, or all levels of the given files as a batch.

mod improved;
mod run;

use super::input::{self, SelectedLevel, SelectedLevels};
use super::output::Target;
use super::text::{Text, one_line};
use super::{
    CommandResult, Failure, applies, arguments, constrained, json as objects, outcome, output,
    pictures, query, replay, text_boards,
};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use std::path::PathBuf;
use unstuck::instance::{Instance, Verified};
use unstuck::report::retry::Retry;
use unstuck::report::sentences;
use unstuck::solve::{Outcome, explained};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{FrameOptions, Style};

const LONG_HELP: &str = "\
Several levels are a batch: a line for each as it is solved, a table and totals
at the end. A file that cannot be read is reported, and the rest is solved.
With `--log FILE` every result is kept as soon as it is there, and the same
command resumes where it was interrupted: levels are identified by content and
question, not by file name.

Exit codes:
   0  solved (all levels)
   2  wrong usage, or something could not be read
  20  unsolvable, whatever the length
  21  no solution within the given horizon
  30  unknown: a limit struck or the run was interrupted
  70  internal error: please report it
  A batch that read everything ends with the code of its first level that is not solved.";

const EXAMPLES: &str = "\
Examples:
  unstuck solve level.xsb
  unstuck solve levels.xsb --timeout 10s         all levels, then a table
  unstuck solve levels.xsb -l 1-20,40 --log run.jsonl --record solved.sok
  unstuck solve levels.xsb -l 3 --stages         with the board after each push
  unstuck solve level.xsb --horizon 20           a plan of at most 20 steps?
  unstuck solve level.xsb --after rrDD           from where these moves lead
  unstuck solve level.xsb --forbid 'pushed 3,4'  never a box on this cell
  unstuck solve level.xsb --improve --from-solution @moves.txt --timeout 1m
                                                 a shorter one than these moves
  unstuck solve level.xsb --engine sat --backend 'cadical -q {cnf}'";

/// What has no meaning where a plan is made shorter by what lies around it.
const NOT_WITH_IMPROVE: [&str; 10] = [
    "engine",
    "backend",
    "horizon",
    "max-horizon",
    "without",
    "defining-only",
    "count",
    "after",
    "log",
    "compare",
];

/// What has no meaning for a game with constraints, which explicit search alone answers.
const NOT_WITH_CONSTRAINTS: [&str; 16] = [
    "improve",
    "from-solution",
    "engine",
    "backend",
    "horizon",
    "max-horizon",
    "threads",
    "without",
    "defining-only",
    "stages",
    "moves",
    "count",
    "compare",
    "png",
    "film",
    "explain-schedule",
];

/// What has no meaning where nothing is solved.
const NOT_WITH_SCHEDULE: [&str; 8] =
    ["stages", "moves", "compare", "record", "log", "svg", "png", "film"];

pub(super) fn command() -> Command {
    arguments::command(
        "solve",
        "Find a shortest solution, or prove that there is none",
        LONG_HELP,
        EXAMPLES,
    )
    .args(arguments::level(true))
    .args(arguments::solving())
    .args(arguments::output())
    .args([
        Arg::new("stages")
            .long("stages")
            .action(ArgAction::SetTrue)
            .help("Print the board after each push"),
        Arg::new("moves")
            .long("moves")
            .action(ArgAction::SetTrue)
            .help("Batch: print the moves of each level too"),
        Arg::new("count")
            .long("count")
            .value_name("N")
            .value_parser(value_parser!(u32).range(1..))
            .help("Puzzles without moves: look for up to N solutions [default: 2]"),
        Arg::new("improve")
            .long("improve")
            .action(ArgAction::SetTrue)
            .conflicts_with_all(NOT_WITH_IMPROVE)
            .help("Shorten a known solution; prove nothing")
            .long_help(
                "Shorten a known solution by searching its neighbourhood, until the time is up or nothing near it is shorter; this does not prove that no solution is shorter. The solution is that of `--from-solution`, else the best that the file records, else one found quickly. Under `--objective any` it is shortened in the family's own objective",
            ),
        Arg::new("from-solution")
            .long("from-solution")
            .value_name("MOVES")
            .allow_hyphen_values(true)
            .requires("improve")
            .help("The solution to improve: moves, @FILE, or - for standard input"),
        Arg::new("explain-schedule")
            .long("explain-schedule")
            .action(ArgAction::SetTrue)
            .conflicts_with_all(NOT_WITH_SCHEDULE)
            .hide_short_help(true)
            .help("Print which engine would work when, with what share of the machine; solve nothing"),
        arguments::plain(),
    ])
    .arg(query::after().conflicts_with_all(["compare", "log", "record"]))
    .args(
        query::constraint_arguments()
            .into_iter()
            .map(|constraint| constraint.conflicts_with_all(["log", "record"])),
    )
    .args(pictures::arguments())
    .args([
        arguments::target(
            "record",
            "FILE",
            "Write levels and solutions in the family's file format (Sokoban: SOK)",
        ),
        Arg::new("log")
            .long("log")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Keep each result in FILE and skip results that it already has"),
        Arg::new("retry")
            .long("retry")
            .value_name("WHICH")
            .requires("log")
            .value_parser(PossibleValuesParser::new(Retry::NAMES))
            .hide_short_help(true)
            .help("Which results of the log to retry [default: unknown]")
            .long_help(
                "Which results of the log to retry: unknown (those that a limit ended; the default), none (only those whose limits were smaller than the current ones), all; levels interrupted by Ctrl-C are always retried",
            ),
        Arg::new("compare")
            .long("compare")
            .action(ArgAction::SetTrue)
            .hide_short_help(true)
            .help("Report whether the solutions recorded in the file are shortest"),
        arguments::force(),
    ])
}

/// How results are printed.
struct RenderOptions {
    json: bool,
    quiet: bool,
    stages: bool,
    moves: bool,
    compare: bool,
    style: Style,
    constraints: Constraints,
}

pub(super) fn run(matches: &ArgMatches) -> CommandResult {
    let found = input::found(matches)?;
    applies::check(matches, &found)?;
    arguments::check_backend(matches)?;
    applies::with_constraints(matches, &found, &NOT_WITH_CONSTRAINTS)?;
    let constrained =
        ["forbid", "require"].iter().any(|constraint| matches.contains_id(constraint));
    if constrained && found.iter().flatten().any(|chosen| chosen.family.has_moves) {
        return constrained::run(matches);
    }
    if found.len() == 1 && matches.get_flag("moves") {
        let message = "--moves: the moves of a single level are printed anyway";
        return Err(Failure::usage(message).help("remove this option"));
    }
    if matches.get_flag("explain-schedule") {
        return explain_schedules(matches, &found);
    }
    pictures::check(matches)?;
    let outputs = pictures::OUTPUTS.into_iter();
    // A record that a log knows may be resumed.
    let record = (!matches.contains_id("log")).then_some("record");
    output::prepare(matches, &outputs.chain(record).collect::<Vec<_>>())?;
    if record.is_none() && Target::of(matches, "record") == Some(Target::Stdout) {
        output::speak_aside();
    }
    let render = RenderOptions {
        json: matches.get_flag("json"),
        quiet: matches.get_flag("quiet"),
        stages: matches.get_flag("stages"),
        moves: matches.get_flag("moves"),
        compare: matches.get_flag("compare"),
        style: output::style(matches.get_flag("plain")),
        constraints: query::constraints(matches)?,
    };
    run::all(matches, found, &render)
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

/// Prints the schedule of each level.
fn explain_schedules(matches: &ArgMatches, found: &SelectedLevels) -> CommandResult {
    let improve = matches.get_flag("improve");
    for one in found {
        let chosen = one.as_ref().map_err(|error| error.failure.clone())?;
        let instances = query::asked(matches, chosen, arguments::objective(matches))?;
        for horizon in arguments::given_horizons(matches) {
            let request = arguments::request(matches, horizon)?;
            let explained = explained(instances[0].as_ref(), &request, improve);
            if matches.get_flag("json") {
                let mut value = objects::of_level("solve", chosen);
                value["schedule"] = explained.object();
                output::print(format!("{value}\n"));
            } else {
                let name = if is_single(matches, found) { None } else { Some(chosen.name()) };
                let name = name.map_or(String::new(), |name| format!("{name}\n"));
                output::print(format!("{name}{explained}"));
            }
        }
    }
    Ok(0)
}

/// A level with its outcome, and the instance of the reading that counts.
pub(super) struct SolvedLevel {
    instances: Vec<Box<dyn Instance>>,
    outcome: Outcome,
    /// The solution that was to be improved, where one was known.
    begun: Option<Verified>,
}

impl SolvedLevel {
    fn instance(&self) -> &dyn Instance {
        let counts = self.instances.iter().find(|i| i.reading() == self.outcome.reading);
        counts.expect("an outcome names one of the readings").as_ref()
    }
}

/// What is printed of a level by itself.
fn rendered(chosen: &SelectedLevel, solved: &SolvedLevel, render: &RenderOptions) -> Text {
    let (instance, outcome) = (solved.instance(), &solved.outcome);
    if render.quiet {
        return match &outcome.best {
            Some(best) => Text::from(&format!("{}\n", best.text())),
            None => Text::from(&format!("{}\n", sentences::verdict(instance, outcome))),
        };
    }
    let mut text = outcome::text(instance, outcome, render.style);
    if !render.constraints.is_empty() {
        text.push_str(&format!("with the constraints: {}\n", render.constraints));
    }
    improved::sentence(solved).iter().for_each(|sentence| text.push_str(sentence));
    if render.compare {
        for (solution, word) in compare(chosen, instance, outcome) {
            text.push_str(&format!("recorded {}: {}\n", solution.trim_end(), one_line(&word)));
        }
    }
    if let (true, Some(best)) = (render.stages, &outcome.best) {
        text.push_drawing(&stages(instance, best, render.style));
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
fn compared(chosen: &SelectedLevel, solved: &SolvedLevel) -> Value {
    let compared = compare(chosen, solved.instance(), &solved.outcome);
    compared.iter().map(|(text, word)| json!({ "moves": text, "verdict": word })).collect()
}

/// Whether everything that was named is one level in one horizon.
fn is_single(matches: &ArgMatches, found: &SelectedLevels) -> bool {
    found.len() == 1 && arguments::given_horizons(matches).len() == 1
}
