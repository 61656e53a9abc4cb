//! `unstuck watch`: solves a file again whenever it is saved, and says what has changed.

use super::asking;
use super::input::{self, Chosen};
use super::progress::Display;
use super::{Ending, Failure, arguments, json, output};
use crate::instance::Instance;
use crate::report::sentences;
use crate::solve::{Verdict, solve_readings};
use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

const EXAMPLES: &str = "\
A level that has not changed is not solved again. Of one that has changed, the
last solution is replayed first: if it still works, its length is known at
once.

Examples:
  unstuck watch level.xsb --timeout 10
  unstuck watch collection.xsb --json  a line for each level that changed";

pub(super) fn command() -> Command {
    asking::command(
        "watch",
        "Solve a file again when it is saved, and say what has changed",
        EXAMPLES,
    )
    .args(arguments::level(false))
    .args(arguments::solving())
    .args(arguments::output())
    .args([
        Arg::new("interval")
            .long("interval")
            .value_name("SECONDS")
            .value_parser(value_parser!(f64))
            .default_value("0.5")
            .help("How often to look at the file"),
        Arg::new("saves")
            .long("saves")
            .value_name("N")
            .value_parser(value_parser!(u64))
            .help("End after the file was saved so often [default: with Ctrl-C]"),
    ])
}

/// What is known of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    identity: String,
    verdict: Verdict,
    /// Length of the best solution, and whether it is shortest.
    length: Option<(u32, bool)>,
    /// Whether the solution is the only one, where that was asked.
    unique: Option<bool>,
    solution: Option<String>,
}

pub(super) fn run(matches: &ArgMatches) -> Ending {
    let source = matches.get_one::<String>("file").expect("required");
    if source == "-" {
        return Err(Failure::usage("standard input is not saved: give a file"));
    }
    let seconds = *matches.get_one::<f64>("interval").expect("has a default");
    let interval = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    let interval = interval.ok_or_else(|| {
        Failure::usage(format!("--interval {seconds}: give a positive number of seconds"))
    })?;
    let most = matches.get_one::<u64>("saves").copied();
    let interrupted = arguments::interrupt();
    let mut known: BTreeMap<usize, Known> = BTreeMap::new();
    let mut last: Option<Vec<u8>> = None;
    let mut saves = 0;
    loop {
        // A file that is just being written may be missing or empty for a moment.
        let bytes = std::fs::read(source).ok().filter(|bytes| !bytes.is_empty());
        if let (None, None) = (&bytes, &last) {
            return Err(Failure::usage(format!("{source}: cannot be read, or is empty")));
        }
        if let Some(bytes) = bytes.filter(|bytes| Some(bytes) != last.as_ref()) {
            saves += u64::from(last.is_some());
            last = Some(bytes);
            match input::levels(matches) {
                Ok(levels) => look(matches, &levels, &mut known)?,
                Err(failure) => eprintln!("{failure}"),
            }
        }
        if interrupted.load(Ordering::Relaxed) || most.is_some_and(|most| saves >= most) {
            return Ok(0);
        }
        thread::sleep(interval);
    }
}

/// Looks at all levels of the file.
fn look(
    matches: &ArgMatches,
    levels: &[Chosen],
    known: &mut BTreeMap<usize, Known>,
) -> Result<(), Failure> {
    let quiet = matches.get_flag("quiet") || matches.get_flag("json");
    for chosen in levels {
        let identity = match &chosen.level.puzzle {
            Ok(opened) => opened.identity(),
            Err(_) => {
                if let Err(failure) = chosen.instances(None) {
                    eprintln!("{failure}");
                }
                continue;
            }
        };
        let before = known.get(&chosen.number);
        if before.is_some_and(|before| before.identity == identity) {
            continue;
        }
        let instances = chosen.instances(arguments::objective(matches))?;
        if let (Some(words), false) = (still_solved(&instances, before), quiet) {
            output::print(&format!("{}: {words}\n", chosen.name()));
        }
        let mut request = arguments::request(matches, arguments::given_horizon(matches)?)?;
        request.solutions = 2;
        let display = Display::new(&chosen.name(), quiet, arguments::time(matches));
        let outcomes = solve_readings(&instances, &request, &|event| display.note(event));
        drop(display);
        let outcome = outcomes.map_err(|error| Failure::usage(error.to_string()))?.pop();
        let outcome = outcome.expect("every puzzle has a reading");
        let instance = instances.iter().find(|it| it.reading() == outcome.reading);
        let instance = instance.expect("an outcome names one of the readings").as_ref();
        let objective = instance.objective();
        let now = Known {
            identity,
            verdict: outcome.verdict,
            length: outcome
                .best
                .as_ref()
                .map(|best| (objective.primary(best.tally()), outcome.optimal)),
            unique: outcome.solutions.as_ref().and_then(|solutions| {
                let told = solutions.complete || !solutions.others.is_empty();
                told.then_some(solutions.others.is_empty())
            }),
            solution: outcome.best.as_ref().map(|best| best.text().to_owned()),
        };
        let change = before.map(|before| changes(before, &now, instance));
        if matches.get_flag("json") {
            let mut value = json::of_level("watch", chosen);
            value["verdict"] = json!(now.verdict.name());
            value["length"] = json!(now.length.map(|(length, _)| length));
            value["optimal"] = json!(now.length.map(|(_, optimal)| optimal));
            value["unique"] = json!(now.unique);
            value["solution"] = json!(now.solution);
            value["changes"] = json!(change);
            output::print(&format!("{value}\n"));
        } else {
            let words = match &change {
                None => sentences::verdict(instance, &outcome),
                Some(changes) if changes.is_empty() => "nothing that counts has changed".to_owned(),
                Some(changes) => changes.join("; "),
            };
            output::print(&format!("{}: {words}\n", chosen.name()));
        }
        known.insert(chosen.number, now);
    }
    Ok(())
}

/// Whether the last solution still works.
fn still_solved(instances: &[Box<dyn Instance>], before: Option<&Known>) -> Option<String> {
    let solution = before?.solution.as_ref()?;
    let length = |instance: &dyn Instance| {
        Some(instance.measures().length(instance.verify(solution).ok()?.tally()))
    };
    Some(match instances.iter().find_map(|instance| length(instance.as_ref())) {
        Some(length) => format!("the last solution still works: {length}"),
        None => "the last solution no longer works".to_owned(),
    })
}

/// What has changed, in words.
fn changes(before: &Known, now: &Known, instance: &dyn Instance) -> Vec<String> {
    let mut changes = Vec::new();
    let word = |known: &Known| known.verdict.name();
    if word(before) != word(now) {
        changes.push(format!("{} to {}", word(before), word(now)));
    }
    if instance.moves().is_some()
        && let (Some((old, _)), Some((new, optimal))) = (before.length, now.length)
        && old != new
    {
        let unit = instance.measures().first(instance.objective()).many;
        let sure = if optimal { "" } else { ", perhaps not shortest" };
        changes.push(format!("{old} to {new} {unit}{sure}"));
    }
    match (before.unique, now.unique) {
        (Some(true), Some(false)) => changes.push("no longer unique".to_owned()),
        (Some(false), Some(true)) => changes.push("unique now".to_owned()),
        _ => {}
    }
    changes
}
