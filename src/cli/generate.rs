//! `unstuck generate`: boards with exactly one solution.
//!
//! The family drafts boards from a seed; the solver says whether one has a second solution; the
//! first that has none is printed.

use super::output::Target;
use super::{Ending, Failure, arguments, families, output};
use crate::registry::{GENERATORS, Generator, by_name};
use crate::solve::{Outcome, Request, SolveError, Verdict, solve_readings};
use clap::{Arg, ArgMatches, Command, value_parser};
use unstuck_puzzles::{Options, Values};

pub fn command() -> Command {
    let command = Command::new("generate")
        .about("Make a board with exactly one solution")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(
            "Examples:\n  unstuck generate flow --width 8 --height 8 --colours 7 --seed 3\n  \
             unstuck generate flow --hex --colours 6 --walls 4 -o board.flow",
        );
    command.subcommands(GENERATORS.iter().map(|generator| {
        let specs = generator.options.iter().map(|&spec| families::option(spec, spec.help));
        Command::new(generator.family)
            .about(generator.about)
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
            .args(arguments::backend())
            .args(arguments::limits())
            .arg(arguments::target("output", "FILE", "Write the board to a file").short('o'))
            .arg(arguments::force())
    }))
}

pub fn run(matches: &ArgMatches) -> Ending {
    let (family, matches) = matches.subcommand().expect("clap demands a family");
    let known = |generator: &&Generator| generator.family == family;
    let generator = GENERATORS.iter().find(known).expect("clap accepts known families only");
    let options = options(generator, matches)?;
    let request = Request {
        backend: arguments::given_backend(matches)?,
        filter: arguments::given_filter(matches),
        solutions: 2,
        limits: arguments::given_limits(matches),
        ..Request::default()
    };
    output::prepare(matches, &["output"])?;
    let seed: u64 = *matches.get_one("seed").expect("has a default");
    let attempts: u64 = *matches.get_one("attempts").expect("has a default");
    for attempt in 0..attempts {
        if let Some(stop) = request.limits.reached_any() {
            let message = format!("no board after {attempt} drafts: {stop}");
            return Err(Failure::new(Verdict::Unknown(stop).exit_code(), message)
                .help("another `--seed`, more colours or more time may do"));
        }
        // Seeds of runs do not overlap: attempts number far fewer than 2^20.
        let draft = (generator.draft)(&options, (seed << 20) + attempt)
            .map_err(|error| Failure::parse(family, &error, ""))?;
        let Some(text) = draft else { continue };
        if is_only_solution(&outcome(generator, &text, &request)?) {
            return write(matches, &text);
        }
    }
    let message = format!("none of {attempts} drafts has exactly one solution");
    Err(Failure::usage(message).help("more colours make it likelier"))
}

fn options(generator: &Generator, matches: &ArgMatches) -> Result<Options, Failure> {
    let given = generator.options.iter().filter_map(|spec| match spec.values {
        Values::Flag => matches.get_flag(spec.name).then_some((spec.name, "true")),
        _ => matches.get_one::<String>(spec.name).map(|value| (spec.name, value.as_str())),
    });
    Options::new(generator.options, given.collect::<Vec<_>>())
        .map_err(|error| Failure::parse(generator.family, &error, ""))
}

/// Solves a draft under the first reading of its rules.
fn outcome(generator: &Generator, text: &str, request: &Request) -> Result<Outcome, Failure> {
    let internal = |message: String| Failure::internal(message);
    let family = by_name(generator.family).expect("generators belong to families");
    let defaults = Options::new(family.options, []).expect("defaults are allowed");
    let levels = (family.read)(text, &defaults).map_err(|error| internal(error.to_string()))?;
    let board = levels.into_iter().next().and_then(|level| level.puzzle.ok());
    let instances = board.and_then(|board| board.instances(family.objectives[0]));
    let instances = instances.ok_or_else(|| internal(format!("the draft is no level:\n{text}")))?;
    let outcomes = solve_readings(&instances[..1], request, &|_| {});
    let outcome = outcomes.map(|mut outcomes| outcomes.pop());
    match outcome {
        Ok(outcome) => outcome.ok_or_else(|| internal("a board without a reading".to_owned())),
        Err(SolveError::Fault { fault, .. }) => Err(internal(fault.to_string())),
        Err(error) => Err(Failure::usage(error.to_string())),
    }
}

fn is_only_solution(outcome: &Outcome) -> bool {
    let only =
        |solutions: &crate::solve::Solutions| solutions.complete && solutions.others.is_empty();
    outcome.best.is_some() && outcome.solutions.as_ref().is_some_and(only)
}

fn write(matches: &ArgMatches, text: &str) -> Ending {
    let target = Target::of(matches, "output").unwrap_or(Target::Stdout);
    target.write(matches.get_flag("force"), |file| file.write_all(text.as_bytes()))?;
    Ok(0)
}
