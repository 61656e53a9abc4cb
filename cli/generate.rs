//! `unstuck generate`: levels that meet conditions.
//!
//! The family drafts levels from a seed; solver and questions decide whether one meets them: a Flow
//! board has one solution only, a level of a game has a shortest solution of some length.

use super::output::Target;
use super::progress::Display;
use super::{
    CommandResult, Failure, applies, arguments, families, guard, json, output, progress, query,
};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::questions::enumerate::enumerate;
use unstuck::questions::needed::{Change, needed};
use unstuck::registry::{GENERATORS, Generator, by_name};
use unstuck::report;
use unstuck::solve::{Outcome, Request, SolveError, Verdict, solve_readings};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Options, Values};

const EXIT_CODES: &str = "\
Exit codes: 0 all levels were generated; 2 wrong usage, or no draft met the
conditions; 30 a limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck generate flow --width 8 --height 8 --colours 7 --seed 3
  unstuck generate flow --colours 5 --every-piece
  unstuck generate flow --hex --colours 6 --walls 4 -o board.flow
  unstuck generate sokoban --boxes 3 --at-least 20 --every-piece --count 5
  unstuck generate sokobond --atoms ohh --unique
  unstuck generate snowman --snowmen 1 --json";

pub(super) fn command() -> Command {
    let command = arguments::command(
        "generate",
        "Generate levels that meet conditions: a unique solution, or a minimum length",
        EXIT_CODES,
        EXAMPLES,
    );
    let command = command.subcommand_required(true).arg_required_else_help(true);
    command.subcommands(GENERATORS.iter().map(|generator| {
        let specs = generator.options.iter().map(|&spec| families::option(spec, spec.help));
        arguments::command(generator.family, generator.about, EXIT_CODES, EXAMPLES)
            .args(specs)
            .arg(
                Arg::new("seed")
                    .long("seed")
                    .value_name("N")
                    .value_parser(value_parser!(u64))
                    .default_value("1")
                    .help("The same seed makes the same board"),
            )
            .arg(
                Arg::new("attempts")
                    .long("attempts")
                    .value_name("N")
                    .value_parser(value_parser!(u64))
                    .default_value("2000")
                    .help("Give up after this many drafts"),
            )
            .args([
                Arg::new("count")
                    .long("count")
                    .value_name("N")
                    .value_parser(value_parser!(u64).range(1..))
                    .default_value("1")
                    .help("How many levels to make"),
                Arg::new("at-least")
                    .long("at-least")
                    .value_name("N")
                    .value_parser(value_parser!(u32))
                    .default_value("0")
                    .help("Games: a shortest solution has at least N pushes (Sokobond: moves)"),
                Arg::new("unique")
                    .long("unique")
                    .action(ArgAction::SetTrue)
                    .help("Games: one optimal plan only, as `enumerate` counts (Flow: always)"),
                Arg::new("every-piece").long("every-piece").action(ArgAction::SetTrue).help(
                    "Without any of its pieces (Flow: pairs) the level would be another, as \
                         `needed` says",
                ),
            ])
            .args(arguments::backend())
            .args(arguments::limits())
            .arg(arguments::target("output", "FILE", "Write the board to a file").short('o'))
            .arg(arguments::force())
            .args(arguments::output())
    }))
}

pub(super) fn run(matches: &ArgMatches) -> CommandResult {
    let (family, matches) = matches.subcommand().expect("clap demands a family");
    let known = |generator: &&Generator| generator.family == family;
    let generator = GENERATORS.iter().find(known).expect("clap accepts known families only");
    let options = options(generator, matches)?;
    check_options(generator, matches)?;
    let request = Request::default()
        .with_backend(arguments::given_backend(matches)?)
        .with_filter(arguments::given_filter(matches))
        .with_solutions(2)
        .with_limits(arguments::given_limits(matches));
    prepare(matches)?;
    let seed: u64 = *matches.get_one("seed").expect("has a default");
    let attempts: u64 = *matches.get_one("attempts").expect("has a default");
    let count: u64 = *matches.get_one("count").expect("has a default");
    let wanted = LevelSpec::read(matches);
    guard::subject(family);
    let display = Display::of(family, matches);
    let (mut made, mut drafted) = (0, false);
    for attempt in 0..attempts {
        display.say(&format!("{made} of {count} levels, {attempt} drafts"));
        if let Some(stop) = request.limits.reached_any() {
            let message = format!("{made} of {count} levels after {attempt} drafts: {stop}");
            return Err(Failure::new(Verdict::Unknown(Some(stop)).exit_code(), message)
                .help("try another `--seed`, weaker conditions or more time"));
        }
        // Seeds of runs do not overlap: attempts number far fewer than 2^20.
        let go_on = || request.limits.reached().is_none();
        let draft = (generator.draft)(&options, (seed << 20) + attempt, &go_on)
            .map_err(|error| Failure::parse(family, &error, ""))?;
        let Some(text) = draft else { continue };
        drafted = true;
        let instance = instance(generator, &text)?;
        let fits = match instance.moves() {
            Some(_) => wanted.is_met(instance.as_ref(), &request)?,
            None => {
                is_only_solution(&outcome(generator, &text, &request)?)
                    && wanted.needs_all(instance.as_ref(), &request.limits.within(DRAFT_TIME))?
            }
        };
        if fits {
            made += 1;
            let made =
                GeneratedLevel { instance: instance.as_ref(), text: &text, number: made, attempt };
            progress::aside(|| made.write(matches, count > 1))?;
        }
        if made == count {
            drop(display);
            tell_files(matches, count);
            return Ok(0);
        }
    }
    let message = format!("only {made} of {count} levels found in {attempts} drafts");
    Err(Failure::usage(message).help(match drafted {
        true => "weaken the conditions (more colours on Flow boards), or raise `--attempts`",
        false => "no draft had room for what the board must hold: make it larger, or ask for less",
    }))
}

/// Refuses what means nothing for a family: games are judged by search, other boards by a solver.
fn check_options(generator: &Generator, matches: &ArgMatches) -> Result<(), Failure> {
    let games = by_name(generator.family).is_some_and(|family| family.has_moves);
    let (idle, why): (&[&str], &str) = if games {
        (&["backend", "without", "defining-only"], "is judged by search, which asks no solver")
    } else {
        (&["at-least"], "has no moves")
    };
    match idle.iter().find(|option| applies::given(matches, option)) {
        None => Ok(()),
        Some(option) => {
            let message = format!("--{option}: {} {why}", generator.family);
            Err(Failure::usage(message).help("remove this option"))
        }
    }
}

/// What a level of a game should be like, beside its size.
struct LevelSpec {
    at_least: u32,
    unique: bool,
    needed: bool,
}

/// Time for one draft of a game: there are many.
const DRAFT_TIME: Duration = Duration::from_secs(5);

impl LevelSpec {
    fn read(matches: &ArgMatches) -> Self {
        Self {
            at_least: *matches.get_one("at-least").expect("has a default"),
            unique: matches.get_flag("unique"),
            needed: matches.get_flag("every-piece"),
        }
    }

    /// Whether it could be shown in time that a level meets the conditions.
    fn is_met(&self, instance: &dyn Instance, request: &Request) -> Result<bool, Failure> {
        let limits = request.limits.within(DRAFT_TIME);
        let Some(mut atlas) = instance.atlas(&Constraints::default()) else { return Ok(false) };
        let start = atlas.start();
        let cost = atlas.cost_to_go(start, None, &limits).exactly();
        if cost.is_none_or(|cost| cost.primary() < self.at_least.max(1)) {
            return Ok(false);
        }
        if self.unique && enumerate(atlas.as_mut(), 0, &limits).plans != Some(1) {
            return Ok(false);
        }
        self.needs_all(instance, &limits)
    }

    /// Whether the level would be another without any of its pieces, where that is wanted. Walls
    /// and rules are no pieces.
    fn needs_all(&self, instance: &dyn Instance, limits: &Limits) -> Result<bool, Failure> {
        let mut kinds = query::kinds(instance);
        kinds.retain(|&kind| self.needed && kind != "wall" && kind != "cover");
        // Of a board without moves there is nothing to compare but how many solutions it has.
        let count = instance.moves().is_none();
        for kind in kinds {
            let none = Constraints::default();
            let answer = needed(instance, Some(kind), count, &none, limits, &mut |_, _, _| {});
            let answer = answer.map_err(|error| Failure::internal(error.to_string()))?;
            let idle = |effect| matches!(effect, Change::None | Change::Unknown);
            if answer.parts.iter().any(|part| idle(part.effect)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn options(generator: &Generator, matches: &ArgMatches) -> Result<Options, Failure> {
    let given = generator.options.iter().filter_map(|spec| match spec.values {
        Values::Flag => matches.get_flag(spec.name).then_some((spec.name, "true")),
        _ => matches.get_one::<String>(spec.name).map(|value| (spec.name, value.as_str())),
    });
    Options::new(generator.options, given.collect::<Vec<_>>())
        .map_err(|error| Failure::parse(generator.family, &error, ""))
}

/// A draft under the first reading of its rules.
fn instance(generator: &Generator, text: &str) -> Result<Box<dyn Instance>, Failure> {
    let internal = |message: String| Failure::internal(message);
    let family = by_name(generator.family).expect("generators belong to families");
    let defaults = Options::new(family.options, []).expect("defaults are allowed");
    let levels = (family.read)(text, &defaults).map_err(|error| internal(error.to_string()))?;
    let board = levels.into_iter().next().and_then(|level| level.puzzle.ok());
    let instances = board.and_then(|board| board.instances(family.objectives[0]));
    let first = instances.and_then(|instances| instances.into_iter().next());
    first.ok_or_else(|| internal(format!("the draft is no level:\n{text}")))
}

fn outcome(generator: &Generator, text: &str, request: &Request) -> Result<Outcome, Failure> {
    let internal = |message: String| Failure::internal(message);
    let outcomes = solve_readings(&[instance(generator, text)?], request, &|_| {});
    match outcomes.map(|mut outcomes| outcomes.pop()) {
        Ok(outcome) => outcome.ok_or_else(|| internal("a board without a reading".to_owned())),
        Err(SolveError::Fault { fault, .. }) => Err(internal(fault.to_string())),
        Err(error) => Err(Failure::usage(error.to_string())),
    }
}

fn is_only_solution(outcome: &Outcome) -> bool {
    let only =
        |solutions: &unstuck::solve::Solutions| solutions.complete && solutions.others.is_empty();
    outcome.best.is_some() && outcome.solutions.as_ref().is_some_and(only)
}

/// Names the files of several levels, which are not called as the user said.
fn tell_files(matches: &ArgMatches, count: u64) {
    let Some(Target::File(path)) = Target::of(matches, "output") else { return };
    if count > 1 && !matches.get_flag("quiet") && !matches.get_flag("json") {
        let [first, last] = [1, count].map(|number| numbered(&path, number).display().to_string());
        output::say(format!("written: {first} to {last}"));
    }
}

/// Checks the output before the work begins: the first of several files stands for all.
fn prepare(matches: &ArgMatches) -> Result<(), Failure> {
    let count: u64 = *matches.get_one("count").expect("has a default");
    match Target::of(matches, "output") {
        Some(Target::File(path)) if count > 1 => (1..=count).try_for_each(|number| {
            output::writable(&numbered(&path, number), matches.get_flag("force"))
        }),
        _ => output::prepare(matches, &["output"]),
    }
}

/// A level that meets the conditions.
struct GeneratedLevel<'a> {
    instance: &'a dyn Instance,
    text: &'a str,
    /// From 1.
    number: u64,
    /// Which draft it was, from 0.
    attempt: u64,
}

impl GeneratedLevel<'_> {
    /// Writes the level; one of several goes into a file with its number in the name, and is
    /// followed by a blank line on standard output.
    fn write(&self, matches: &ArgMatches, several: bool) -> Result<(), Failure> {
        let as_json = matches.get_flag("json");
        let target = match (Target::of(matches, "output"), several) {
            (Some(Target::File(path)), true) => Some(Target::File(numbered(&path, self.number))),
            // The object has the level's text.
            (None, _) if as_json => None,
            (target, _) => Some(target.unwrap_or(Target::Stdout)),
        };
        if let Some(target) = &target {
            let between = if several && *target == Target::Stdout { "\n" } else { "" };
            let text = self.text;
            target.write(matches.get_flag("force"), |file| write!(file, "{text}{between}"))?;
        }
        if as_json {
            output::print(format!("{}\n", self.object(matches, target.as_ref())));
        }
        Ok(())
    }

    fn object(&self, matches: &ArgMatches, target: Option<&Target>) -> Value {
        let file = match target {
            Some(Target::File(path)) => Some(path.display().to_string()),
            _ => None,
        };
        let mut value = json::object("generate");
        value["file"] = json!(file);
        value["number"] = json!(self.number);
        value["puzzle"] = json!(self.instance.family());
        value["seed"] = json!(matches.get_one::<u64>("seed"));
        value["attempt"] = json!(self.attempt + 1);
        value["text"] = json!(self.text);
        value["facts"] = report::facts(&self.instance.facts());
        value["exit"] = json!(0);
        value
    }
}

/// `level.xsb` as `level-3.xsb`.
fn numbered(path: &Path, number: u64) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|it| format!(".{}", it.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{}", extension.unwrap_or_default()))
}
