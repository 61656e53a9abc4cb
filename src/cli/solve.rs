//! `unstuck solve`: one level, or all levels of the given files as a batch.

use super::input::{self, Chosen};
use super::progress::Display;
use super::{Ending, Failure, INTERNAL, USAGE, arguments, output, report};
use crate::instance::{Instance, Verified};
use crate::solve::{Outcome, SolveError, Verdict, solve_readings};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use unstuck_puzzles::{Recording, Shots, Style};

const AFTER_HELP: &str = "\
Examples:
  unstuck solve level.xsb
  unstuck solve collection.xsb --timeout 10          all its levels, a table at the end
  unstuck solve collection.xsb --level 3 --stages    with the board after each push
  unstuck solve level.xsb --engine sat --backend 'cadical -q {cnf}'
  unstuck solve level.xsb --horizon 20               is there a plan of at most 20 steps?";

pub fn command() -> Command {
    Command::new("solve")
        .about("Find a shortest solution, or show that there is none")
        .after_help(AFTER_HELP)
        .args(arguments::level(true))
        .args(arguments::solving())
        .args(arguments::output())
        .args([
            Arg::new("stages")
                .long("stages")
                .action(ArgAction::SetTrue)
                .help("Print the board after each push"),
            Arg::new("count")
                .long("count")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..))
                .help("Puzzles without moves: look for up to N solutions [default: 2]"),
            Arg::new("plain")
                .long("plain")
                .action(ArgAction::SetTrue)
                .help("Draw boards with plain letters"),
            Arg::new("svg")
                .long("svg")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Draw the solved board as a picture"),
            Arg::new("record")
                .long("record")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help(
                    "Write levels and solutions in the family's interchange format (Sokoban: SOK)",
                ),
            Arg::new("log")
                .long("log")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Batch: append a JSON line for each level, and skip levels that it has"),
            Arg::new("compare")
                .long("compare")
                .action(ArgAction::SetTrue)
                .help("Say whether the solutions recorded in the file are shortest"),
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Replace files that exist"),
        ])
}

/// How results are printed.
struct Manner {
    json: bool,
    quiet: bool,
    stages: bool,
    compare: bool,
    style: Style,
}

pub fn run(matches: &ArgMatches) -> Ending {
    let chosen = input::levels(matches)?;
    let manner = Manner {
        json: matches.get_flag("json"),
        quiet: matches.get_flag("quiet"),
        stages: matches.get_flag("stages"),
        compare: matches.get_flag("compare"),
        style: output::style(matches.get_flag("plain")),
    };
    match chosen.as_slice() {
        [only] => single(matches, only, &manner),
        many => batch(matches, many, &manner),
    }
}

/// A level with its outcome, and the instance of the reading that counts.
struct Solved {
    instances: Vec<Box<dyn Instance>>,
    outcome: Outcome,
}

impl Solved {
    fn instance(&self) -> &dyn Instance {
        let counts = self.instances.iter().find(|i| i.reading() == self.outcome.reading);
        counts.expect("an outcome names one of the readings").as_ref()
    }
}

fn solved(matches: &ArgMatches, chosen: &Chosen, quiet: bool) -> Result<Solved, Failure> {
    let instances = chosen.instances(arguments::objective(matches))?;
    let mut request = arguments::request(matches)?;
    request.solutions = matches.get_one::<u32>("count").map_or(2, |&count| count as usize);
    let display = Display::new(&chosen.name(), quiet);
    let outcomes = solve_readings(&instances, &request, &|event| display.note(event));
    drop(display);
    let mut outcomes = outcomes.map_err(|error| failure(chosen, &error))?;
    let outcome = outcomes.pop().expect("every puzzle has a reading");
    for earlier in outcomes {
        if !quiet {
            eprintln!("{}: {}", chosen.name(), report::verdict(instances[0].as_ref(), &earlier));
        }
    }
    Ok(Solved { instances, outcome })
}

/// What to tell when there is no outcome. A refused model is saved for a report.
fn failure(chosen: &Chosen, error: &SolveError) -> Failure {
    let mut message = format!("{}: {error}", chosen.name());
    let SolveError::Fault { formula, .. } = error else {
        return Failure { message, code: USAGE };
    };
    message.push_str("\n  this is a mistake of unstuck: please report it");
    let folder = tempfile::Builder::new().prefix("unstuck-fault-").tempdir();
    if let Ok(folder) = folder {
        let folder = folder.keep();
        let mut files = vec![("level.txt", chosen.level.text.as_str())];
        if let Some((cnf, model)) = formula {
            files.extend([("formula.cnf", cnf.as_str()), ("model.txt", model.as_str())]);
        }
        let saved =
            files.iter().all(|(name, text)| std::fs::write(folder.join(name), text).is_ok());
        if saved {
            message.push_str(&format!(" with the files in {}", folder.display()));
        }
    }
    Failure { message, code: INTERNAL }
}

fn single(matches: &ArgMatches, chosen: &Chosen, manner: &Manner) -> Ending {
    let solved = solved(matches, chosen, manner.quiet || manner.json)?;
    let (instance, outcome) = (solved.instance(), &solved.outcome);
    output::print(&rendered(chosen, instance, outcome, manner));
    let force = matches.get_flag("force");
    if let (Some(path), Some(best)) = (matches.get_one::<PathBuf>("svg"), &outcome.best) {
        let picture = instance
            .picture(Some(best), Style::Svg)
            .ok_or_else(|| Failure::usage(format!("{} has no SVG pictures", instance.family())))?;
        output::write_file(path, force, |out| out.write_all(picture.as_bytes()))?;
    }
    if let Some(path) = matches.get_one::<PathBuf>("record") {
        let record = record(chosen, instance, outcome)?.unwrap_or_default();
        output::write_file(path, force, |out| out.write_all(record.as_bytes()))?;
    }
    Ok(outcome.verdict.exit_code())
}

/// Level and solution in the family's interchange format; `None` when there is no solution.
fn record(
    chosen: &Chosen,
    instance: &dyn Instance,
    outcome: &Outcome,
) -> Result<Option<String>, Failure> {
    let Some(best) = &outcome.best else { return Ok(None) };
    let title = chosen.level.title.as_deref();
    let recording = Recording { title, notes: None, elapsed: outcome.elapsed };
    let record = instance.record(best, recording);
    let none = || Failure::usage(format!("{} has no solution records", instance.family()));
    record.ok_or_else(none).map(Some)
}

fn rendered(
    chosen: &Chosen,
    instance: &dyn Instance,
    outcome: &Outcome,
    manner: &Manner,
) -> String {
    let compared = if manner.compare { compare(chosen, instance, outcome) } else { Vec::new() };
    if manner.json {
        let mut value = report::outcome_json(chosen, instance, outcome);
        if manner.compare {
            value["recorded"] = compared
                .iter()
                .map(|(text, word)| json!({ "moves": text, "verdict": word }))
                .collect();
        }
        return format!("{value}\n");
    }
    let mut text = match &outcome.best {
        Some(best) if manner.quiet => format!("{}\n", best.text()),
        _ => report::outcome_text(instance, outcome, manner.style),
    };
    for (solution, word) in compared {
        text.push_str(&format!("recorded {solution}: {word}\n"));
    }
    if let (true, Some(best)) = (manner.stages, &outcome.best) {
        text.push_str(&stages(instance, best));
    }
    text
}

/// The boards of a plan, the start first.
fn stages(instance: &dyn Instance, plan: &Verified) -> String {
    let replayed =
        instance.replay(plan.text(), Style::Plain, Some(Shots::all(false, Style::Plain)));
    replayed.map(|replayed| super::replay::frames_text(&replayed.frames)).unwrap_or_default()
}

/// For each recorded solution whether it is right, and whether it is as short as the best known.
fn compare(chosen: &Chosen, instance: &dyn Instance, outcome: &Outcome) -> Vec<(String, String)> {
    let objective = instance.objective();
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
                        Some(0) | None => "right; not shown whether it is shortest".to_owned(),
                        Some(more) => format!("right, but {more} longer than necessary"),
                    }
                } else {
                    "right; not shown whether it is shortest".to_owned()
                }
            }
        };
        (text.clone(), word)
    };
    chosen.level.solutions.iter().map(judge).collect()
}

/// Solves all levels; a broken or unsolved level does not end the batch. The exit code is that of
/// the first level that is not solved, 0 when all are.
fn batch(matches: &ArgMatches, many: &[Chosen], manner: &Manner) -> Ending {
    if matches.contains_id("svg") {
        let message = "--svg works on one level: choose it with --level";
        return Err(Failure::usage(message));
    }
    let mut log = matches.get_one::<PathBuf>("log").map(Log::open).transpose()?;
    let interrupted = arguments::interrupt();
    let mut rows = Vec::new();
    let mut records = Vec::new();
    let mut ending = 0;
    for chosen in many {
        if interrupted.load(Ordering::Relaxed) {
            ending = if ending == 0 { 30 } else { ending };
            break;
        }
        if log.as_ref().is_some_and(|log| log.has(chosen)) {
            continue;
        }
        let (row, code) = match solved(matches, chosen, manner.quiet || manner.json) {
            Ok(solved) => {
                let (instance, outcome) = (solved.instance(), &solved.outcome);
                if let Some(log) = &mut log {
                    log.append(&report::outcome_json(chosen, instance, outcome))?;
                }
                if manner.json {
                    output::print(&rendered(chosen, instance, outcome, manner));
                } else {
                    output::print(&format!("{}\n", chosen.name()));
                    output::print(&rendered(chosen, instance, outcome, manner));
                }
                if matches.contains_id("record") {
                    records.extend(record(chosen, instance, outcome)?);
                }
                (row(chosen, instance, outcome), outcome.verdict.exit_code())
            }
            Err(failure) => {
                eprintln!("error: {}", failure.message);
                let name = chosen.name();
                let (length, lower) = (String::new(), String::new());
                let verdict = "error".to_owned();
                (report::Row { name, verdict, length, lower, seconds: 0.0 }, failure.code)
            }
        };
        rows.push(row);
        ending = if ending == 0 { code } else { ending };
    }
    if let Some(path) = matches.get_one::<PathBuf>("record") {
        let text = records.join("\n");
        let force = matches.get_flag("force");
        output::write_file(path, force, |out| out.write_all(text.as_bytes()))?;
    }
    if !manner.json && !manner.quiet {
        let solved = rows.iter().filter(|row| row.verdict.starts_with("solved")).count();
        output::print(&format!("\n{}", report::table(&rows)));
        output::print(&format!("{solved} of {} solved\n", rows.len()));
    }
    Ok(ending)
}

fn row(chosen: &Chosen, instance: &dyn Instance, outcome: &Outcome) -> report::Row {
    let verdict = match outcome.verdict {
        Verdict::Solved if outcome.optimal => "solved, optimal".to_owned(),
        verdict => verdict.name().to_owned(),
    };
    report::Row {
        name: chosen.name(),
        verdict,
        length: outcome.best.as_ref().map_or(String::new(), |best| report::length(best.tally())),
        lower: if instance.moves().is_some() { outcome.lower.to_string() } else { String::new() },
        seconds: outcome.elapsed.as_secs_f64(),
    }
}

/// Results of earlier runs, by level, in a file to which new ones are appended.
struct Log {
    file: std::fs::File,
    path: PathBuf,
    known: std::collections::BTreeSet<(String, u64)>,
}

impl Log {
    fn open(path: &PathBuf) -> Result<Self, Failure> {
        let fail = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let earlier = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(fail(error)),
        };
        let known = earlier.lines().filter_map(|line| {
            // A line that was cut off by an interrupted run is simply done again.
            let value: serde_json::Value = serde_json::from_str(line).ok()?;
            Some((value["file"].as_str()?.to_owned(), value["number"].as_u64()?))
        });
        let known = known.collect();
        let file =
            std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(fail)?;
        Ok(Self { file, path: path.clone(), known })
    }

    fn has(&self, chosen: &Chosen) -> bool {
        self.known.contains(&(chosen.source.clone(), chosen.number as u64))
    }

    fn append(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        use std::io::Write;
        writeln!(self.file, "{value}")
            .map_err(|error| Failure::usage(format!("{}: {error}", self.path.display())))
    }
}
