//! `unstuck watch`: solves a file again whenever it is saved, and says what has changed.

use super::args::{LevelArgs, LimitArgs, OutputArgs, SolveArgs, long_help};
use super::input::{self, SelectedLevel};
use super::lock::{self, LOCK};
use super::progress::Display;
use super::text::one_line;
use super::{CommandResult, Failure, Run, Watched, guard, json, outcome, output, query, values};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use unstuck::instance::{Instance, Verified};
use unstuck::report::sentences;

const EXAMPLES: &str = "\
A level that has not changed, or has been changed back, is not solved again. Where `unstuck.lock` beside the file has a certificate of just
this level, that is checked first, and search is left out. Of a level that has
changed, the last solution is replayed first: if it still works, its length is
known at once.

Examples:
  unstuck watch level.xsb --timeout 10
  unstuck watch collection.xsb --json  a line for each level that changed";

/// Re-solve a file whenever it changes, and report the differences
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(super) struct WatchCommand {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    solve: SolveArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// How often to look at the file
    #[arg(long, value_name = "SECONDS", value_parser = values::interval, default_value = "0.5")]
    interval: Duration,
    /// End after the file was saved so often [default: with Ctrl-C]
    #[arg(long, value_name = "N")]
    saves: Option<u64>,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Source {
    /// The level was solved.
    Solved,
    /// The level has been what it is now before.
    Before,
    /// A certificate of the lock beside the file was checked.
    Lock,
}

/// What is known of a level, and what of that has changed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WatchAnswer<'a> {
    /// The verdict in one word.
    verdict: &'a str,
    /// What the best solution costs.
    length: Option<u32>,
    /// Whether it is shortest.
    optimal: Option<bool>,
    /// Whether it is the only one, where that was asked.
    unique: Option<bool>,
    /// The best solution.
    solution: Option<&'a str>,
    /// Where the answer comes from.
    source: Source,
    /// What has changed; `null` at the first time.
    changes: Option<&'a [String]>,
}

/// What is known of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LevelState {
    identity: String,
    /// The verdict, in the word for programs.
    verdict: String,
    /// Length of the best solution, and whether it is shortest.
    length: Option<(u32, bool)>,
    /// Whether the solution is the only one, where that was asked.
    unique: Option<bool>,
    solution: Option<String>,
}

/// How long a signal may wait.
const TICK: Duration = Duration::from_millis(50);

impl Run for WatchCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.output.json, limits: Some(self.limits) }
    }

    fn run(&self) -> CommandResult {
        let LevelArgs { file: source, selection, reading } = &self.level;
        if *source == "-" {
            return Err(Failure::usage("standard input is not saved: give a file"));
        }
        let mut notebook = Notebook { now: BTreeMap::new(), before: BTreeMap::new() };
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
                guard::should_retry();
                match input::levels(source, selection, &reading.family) {
                    Ok(levels) => look(self, &levels, &mut notebook)?,
                    Err(failure) => output::complain(&failure),
                }
                guard::idle();
            }
            if guard::is_interrupted() || self.saves.is_some_and(|most| saves >= most) {
                return Ok(0);
            }
            let looked = Instant::now();
            while looked.elapsed() < self.interval && !guard::is_interrupted() {
                thread::sleep(self.interval.saturating_sub(looked.elapsed()).min(TICK));
            }
        }
    }
}

/// What was found out about levels so far.
struct Notebook {
    /// What each level of the file is now, by its number.
    now: BTreeMap<usize, LevelState>,
    /// Everything that was found out, by identity.
    before: BTreeMap<String, LevelState>,
}

/// Looks at all levels of the file.
fn look(
    args: &WatchCommand,
    levels: &[SelectedLevel],
    notebook: &mut Notebook,
) -> Result<(), Failure> {
    guard::levels(levels.len());
    for chosen in levels {
        if guard::is_interrupted() {
            break;
        }
        guard::subject(&chosen.name());
        let identity = match &chosen.level.puzzle {
            Ok(opened) => opened.identity(),
            Err(_) => {
                if let Err(failure) = chosen.instances(None) {
                    output::complain(&failure);
                }
                continue;
            }
        };
        let before = notebook.now.get(&chosen.number).cloned();
        if before.as_ref().is_some_and(|before| before.identity == identity) {
            continue;
        }
        let instances = chosen.instances(args.level.reading.objective)?;
        let quiet = args.output.quiet || args.output.json;
        if let (Some(words), false) = (still_solved(&instances, before.as_ref()), quiet) {
            output::print(format!("{}: {words}\n", chosen.name()));
        }
        let (now, words, source) = match notebook.before.get(&identity) {
            Some(known) => {
                (known.clone(), "the level is what it was before".to_owned(), Source::Before)
            }
            None => match locked(args, chosen, &instances, &identity) {
                Some(known) => (known, format!("as {LOCK} certifies, checked again"), Source::Lock),
                None => {
                    let (known, words) = solved(args, chosen, &instances, &identity)?;
                    (known, words, Source::Solved)
                }
            },
        };
        let instance = instances.first().expect("every puzzle has a reading").as_ref();
        let change = before.map(|before| changes(&before, &now, instance));
        tell(args, chosen, (&now, instance), (&words, source), change.as_deref());
        if now.verdict != "unknown" {
            notebook.before.insert(identity, now.clone());
        }
        notebook.now.insert(chosen.number, now);
    }
    Ok(())
}

/// What the lock beside the file says of a level, when its certificate holds.
fn locked(
    args: &WatchCommand,
    chosen: &SelectedLevel,
    instances: &[Box<dyn Instance>],
    identity: &str,
) -> Option<LevelState> {
    let lock = match lock::beside(Path::new(&chosen.source))? {
        Ok(lock) => lock,
        Err(fault) => {
            let fault = one_line(&fault.to_string());
            output::say(format!("{}: {LOCK}: {fault}; solved again", chosen.name()));
            return None;
        }
    };
    let recalled = lock::recall(&lock, chosen, instances, &args.limits.begin());
    if recalled.is_none() && lock::has_another(&lock, chosen) {
        output::say(format!("{}: no longer the level of {LOCK}", chosen.name()));
    }
    match recalled? {
        Ok(entry) => Some(LevelState {
            identity: identity.to_owned(),
            verdict: entry.verdict.clone(),
            length: entry.optimum.map(|optimum| (optimum, true)),
            unique: entry.unique,
            solution: entry.solution.clone(),
        }),
        Err(fault) => {
            let fault = one_line(&fault.to_string());
            output::say(format!("{}: {LOCK}: {fault}; solved again", chosen.name()));
            None
        }
    }
}

/// Solves a level; what is known then, and the verdict in words.
fn solved(
    args: &WatchCommand,
    chosen: &SelectedLevel,
    instances: &[Box<dyn Instance>],
    identity: &str,
) -> Result<(LevelState, String), Failure> {
    let mut request = args.solve.request(args.solve.horizon()?, &args.limits)?;
    request.solutions = 2;
    let display = Display::new(&chosen.name(), args.output, args.limits.timeout);
    let (instance, outcome) = outcome::solved(instances, &request, &display)?;
    drop(display);
    let objective = instance.objective();
    let length = |best: &Verified| (objective.primary(best.tally()), outcome.optimal);
    let known = LevelState {
        identity: identity.to_owned(),
        verdict: outcome.verdict.name().to_owned(),
        length: outcome.best.as_ref().map(length),
        unique: outcome.solutions.as_ref().and_then(|solutions| {
            let printed = solutions.complete || !solutions.others.is_empty();
            printed.then_some(solutions.others.is_empty())
        }),
        solution: outcome.best.as_ref().map(|best| best.text().to_owned()),
    };
    Ok((known, sentences::verdict(instance, &outcome)))
}

/// Says what is known of a level, and what of that has changed.
fn tell(
    args: &WatchCommand,
    chosen: &SelectedLevel,
    (now, instance): (&LevelState, &dyn Instance),
    (words, source): (&str, Source),
    change: Option<&[String]>,
) {
    if args.output.json {
        let fields = WatchAnswer {
            verdict: &now.verdict,
            length: now.length.map(|(length, _)| length),
            optimal: now.length.map(|(_, optimal)| optimal),
            unique: now.unique,
            solution: now.solution.as_deref(),
            source,
            changes: change,
        };
        output::print(format!("{}\n", json::of_level("watch", chosen, fields)));
        return;
    }
    let said = match change {
        None if source == Source::Solved => words.to_owned(),
        None => {
            let unit = instance.measures().first(instance.objective());
            let games = instance.moves().is_some();
            let length = now.length.filter(|_| games).map(|(length, _)| unit.count(length));
            format!("{}: {words}", length.unwrap_or_else(|| now.verdict.clone()))
        }
        Some(changes) => {
            let known = if source == Source::Solved { "" } else { words };
            let changes = match changes {
                [] => "nothing that counts has changed".to_owned(),
                changes => changes.join("; "),
            };
            if known.is_empty() { changes } else { format!("{changes} ({known})") }
        }
    };
    output::print(format!("{}: {said}\n", chosen.name()));
}

/// Whether the last solution still works.
fn still_solved(instances: &[Box<dyn Instance>], before: Option<&LevelState>) -> Option<String> {
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
fn changes(before: &LevelState, now: &LevelState, instance: &dyn Instance) -> Vec<String> {
    let mut changes = Vec::new();
    if before.verdict != now.verdict {
        changes.push(format!("{} to {}", before.verdict, now.verdict));
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
