//! `unstuck farm check`: judges a store again, without searching.

use crate::answer::json;
use crate::answer::json::FieldError;
use crate::commands::farm::{FarmOutputArgs, StoreArgs, WorkerArgs, work};
use crate::driver::{Run, Watched};
use crate::input;
use crate::input::args::{helping, long_help};
use crate::store::derive;
use crate::store::derive::{CheckFailure, Checks, DERIVED};
use crate::store::result::LevelQuestion;
use crate::store::sample::Sample;
use crate::store::shards;
use crate::store::shards::{Key, MAX_CERTIFICATE_BYTES, NoCertificate, PackLocation, Store};
use crate::terminal::failure::{CommandResult, Failure, INVALID};
use crate::terminal::guard::LimitArgs;
use crate::terminal::output;
use crate::terminal::output::OutputArgs;
use crate::terminal::progress::Display;
use crate::terminal::text::one_line;
use clap::{Args, value_parser};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use unstuck::limits::{Limits, Monitor};
use unstuck::machine::{self, all_threads, lock, resident_memory};
use unstuck::report::{LevelAnswer, sentences};
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

/// Faults that are shown.
const MAX_SHOWN_FAULTS: usize = 20;

/// Fields that are named as not judged.
const NAMED: usize = 40;

const LONG_HELP: &str = "\
Each level is read again from its text, each plan is replayed by the rules, and
each certificate is unpacked, compared with its sum, and judged as `unstuck
check` does. The answer is derived again from these, and each field must be what
they say: a bound, a tie-break, or that there is one solution only needs a
certificate that claims it. Answers that say more than their solutions show and
have no certificate are counted, and so are results without an answer; neither
is wrong. Fields that are not judged are named.

Exit codes: 0 all is valid; 1 something is not; 2 wrong usage, or no store; 30 a
limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck farm check run
  unstuck farm check run --sample 1000 --seed 7";

/// Verify plans and certificates of a store
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = long_help!(LONG_HELP, EXAMPLES),
    mut_arg("timeout", helping("Time limit for all of it, like 30, 90s or 10m")),
    mut_arg("workers", helping("Results at the same time [default: all cores]"))
)]
pub(crate) struct CheckCommand {
    #[command(flatten)]
    store: StoreArgs,
    /// Check only N results, chosen by the seed
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The same seed chooses the same results [default: 1]
    #[arg(long, value_name = "S", requires = "sample")]
    seed: Option<u64>,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: FarmOutputArgs,
}

/// Fields that are judged in other ways.
const JUDGED: [&str; 11] = [
    "schema",
    "puzzle",
    "id",
    "key",
    "text",
    "question",
    "reading",
    "stopped_by",
    "lower",
    "certified",
    "certificate",
];

/// What came of checking the store of a farm.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StoreCheckAnswer<'a> {
    /// The folder of the store.
    store: &'a str,
    #[serde(flatten)]
    summary: &'a CheckSummary,
    /// The exit code.
    exit: u8,
}

/// What came of checking the store of a farm.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CheckSummary {
    /// Counts of results.
    checked: CheckCounts,
    /// The names of fields that were there and are not judged.
    not_judged: BTreeSet<String>,
    /// The first of what is wrong.
    faults: Vec<WrongResult>,
    /// The limit that struck.
    stopped_by: Option<String>,
}

/// Results of a store, counted.
#[derive(Clone, Copy, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CheckCounts {
    /// All.
    results: u64,
    /// Those whose solution was replayed.
    plans: u64,
    /// Those whose certificate was checked.
    certificates: u64,
    /// Answers that say more than their plans, if any, and have no certificate.
    uncertified: u64,
    /// Results without an answer: errors, and levels whose worker was ended.
    unanswered: u64,
    /// Those with something wrong.
    wrong: u64,
}

/// A result, by its name, and what is wrong with it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WrongResult {
    /// The result.
    result: String,
    /// What is wrong.
    fault: String,
}

/// What was found right about a result.
#[derive(Debug, Default)]
struct CheckedResult {
    /// Whether there is an answer.
    answer: bool,
    plan: bool,
    certificate: bool,
    /// Whether it says something that a certificate could show and none does.
    open: bool,
}

/// What results are judged with.
#[derive(Clone, Copy)]
struct Judge<'a> {
    store: &'a Store,
    limits: &'a Limits,
    /// Most bytes of one certificate.
    room: u64,
    checks: Checks,
}

impl From<NoCertificate> for CheckFailure {
    fn from(error: NoCertificate) -> Self {
        match error {
            NoCertificate::Wrong(fault) => Self::Fault(fault),
            NoCertificate::Stopped(stop) => Self::Stopped(stop),
        }
    }
}

/// Room for one certificate beside those of other workers, where memory is limited.
fn room(limits: &Limits, workers: usize) -> u64 {
    let left = |memory: u64| memory.saturating_sub(resident_memory().unwrap_or(0));
    limits.memory.map_or(MAX_CERTIFICATE_BYTES as u64, |memory| left(memory) / workers as u64)
}

impl Run for CheckCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.output.output.json, limits: Some(self.limits) }
    }

    fn run(&'static self) -> CommandResult {
        let folder = self.store.folder();
        let store = Store::open(folder)?;
        let sample = self.sample.map(|size| sample(size, self.seed.unwrap_or(1), &store));
        let sample = sample.transpose()?;
        let limits = self.limits.begin();
        let workers = self.workers.workers.map_or_else(all_threads, Into::into);
        let shown = folder.display().to_string();
        let display = Display::new(&shown, self.output.output, self.limits.timeout);
        let judged = Mutex::new(CheckSummary::default());
        // No more than a few results are held at a time.
        let (send, results) = sync_channel::<(Key, Value)>(2 * workers);
        let results = Mutex::new(results);
        let visited = machine::scope(|scope| {
            let (results, limits, judged) = (&results, &limits, &judged);
            let room = room(limits, workers);
            let judge = Judge { store: &store, limits, room, checks: Checks::ALL };
            for _ in 0..workers {
                scope.spawn(move || work(&judge, results, judged));
            }
            let sent = visit(&store, sample.as_ref(), limits, &mut |key, line| {
                display.say(&lock(judged).progress());
                // It is not received when all have stopped.
                let _ = send.send((key, line));
            });
            drop(send);
            sent
        });
        drop(display);
        visited?;
        let judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(judged.tell(self.output.output, &shown))
    }
}

/// Judges all results of the store in a folder.
pub(crate) fn check_store(folder: &Path, limits: LimitArgs, output: OutputArgs) -> CommandResult {
    let store = StoreArgs { store: Some(folder.to_owned()), named: None };
    let (workers, output) = (WorkerArgs { workers: None }, FarmOutputArgs { output });
    let command = CheckCommand { store, sample: None, seed: None, workers, limits, output };
    Box::leak(Box::new(command)).run()
}

/// The keys of the sample that was asked for.
fn sample(size: u32, seed: u64, store: &Store) -> Result<BTreeSet<Key>, Failure> {
    let mut sample = Sample::new(size as usize, seed);
    for shard in 0..store.shards() {
        store.visit(shard, &mut |key, _: IgnoredAny| {
            sample.see(key);
            Ok::<(), Failure>(())
        })?;
    }
    Ok(sample.keys())
}

/// Visits the results that are to be judged, until a limit strikes.
fn visit(
    store: &Store,
    sample: Option<&BTreeSet<Key>>,
    limits: &Limits,
    take: &mut dyn FnMut(Key, Value),
) -> Result<(), Failure> {
    for shard in 0..store.shards() {
        store.visit(shard, &mut |key, line| {
            if sample.is_none_or(|sample| sample.contains(&key)) && limits.reached_any().is_none() {
                take(key, line);
            }
            Ok::<(), Failure>(())
        })?;
    }
    Ok(())
}

fn work(judge: &Judge<'_>, results: &Mutex<Receiver<(Key, Value)>>, judged: &Mutex<CheckSummary>) {
    loop {
        let next = lock(results).recv();
        let Ok((key, line)) = next else { return };
        let result = match judge.limits.reached_any() {
            Some(stop) => Err(CheckFailure::Stopped(stop)),
            None => judge.result(key, &line),
        };
        lock(judged).note(key, &line, result);
    }
}

impl Judge<'_> {
    /// Judges a result.
    fn result(&self, key: Key, line: &Value) -> Result<CheckedResult, CheckFailure> {
        let checks = self.checks;
        let fault = |error: FieldError| error.to_string();
        let asked: LevelQuestion = json::read(line).map_err(fault)?;
        let answer: LevelAnswer = json::read(line).map_err(fault)?;
        let text = asked.text.as_deref().unwrap_or_default();
        checks.demand("schema", asked.schema == json::SCHEMA, || {
            "it has another schema".to_owned()
        })?;
        checks.demand("key", shards::key(&asked, text) == key, || {
            "the key is not that of this level and question".to_owned()
        })?;
        let ended = answer.verdict == "unknown" && answer.reading.is_none();
        if answer.verdict == "error" || answer.verdict == "crashed" || ended {
            let nothing = says_nothing(&answer) && asked.certificate.is_none();
            checks.demand("nothing", nothing && *answer.certified != Some(true), || {
                "an answer where there is said to be none".to_owned()
            })?;
            return Ok(CheckedResult::default());
        }
        let chosen = work::chosen(&asked).map_err(|failure| failure.message)?;
        checks.demand("id", chosen.id() == asked.id, || "the level has another id".to_owned())?;
        let options = input::options(&chosen.options);
        checks.demand("options", asked.question.options == options, || {
            "the options are not those of the family".to_owned()
        })?;
        let objective = Objective::from_name(&asked.question.objective);
        let objective = objective.ok_or("there is no such objective")?;
        let instances = chosen.instances(Some(objective)).map_err(|failure| failure.message)?;
        let read = answer.reading.as_deref();
        let reading = instances.iter().find(|instance| read == Some(instance.reading()));
        let instance = reading.ok_or("there is no such reading")?.as_ref();

        let place = asked.certificate.as_ref();
        checks.demand("certified", *answer.certified == Some(place.is_some()), || {
            "certified without a certificate, or the other way round".to_owned()
        })?;
        let mut watch = Monitor::silent(self.limits);
        let certificate = self.store.certificate(&asked, self.room, &mut watch)?;
        let claim = match &certificate {
            None => None,
            Some(files) => {
                // It says no more and no less than where it is.
                let shard = self.store.shard_of(key);
                let is_place = |it: &PackLocation| it.shard == shard && it.more.is_empty();
                checks.demand("place", place.is_some_and(is_place), || {
                    "the certificate is not where it belongs".to_owned()
                })?;
                let none = Constraints::default();
                let report = derive::certified(checks, files, instance, &none, self.limits)?;
                Some(report.manifest.claim)
            }
        };
        let derived = derive::result(checks, line, (asked, &answer), instance, claim)?;
        let plan = derived.outcome.best.is_some();
        Ok(CheckedResult { answer: true, plan, certificate: claim.is_some(), open: derived.open })
    }
}

/// Whether there is none of the fields that a result without an answer has not.
fn says_nothing(answer: &LevelAnswer) -> bool {
    let numbers = [*answer.horizon, *answer.lower, *answer.upper];
    let words = [answer.optimal, answer.tie_break_optimal, answer.unique, answer.all_found];
    let solutions = answer.solution.is_some() || answer.others.is_some();
    numbers.iter().all(Option::is_none) && words.iter().all(|it| it.is_none()) && !solutions
}

impl CheckSummary {
    fn note(&mut self, key: Key, line: &Value, result: Result<CheckedResult, CheckFailure>) {
        for name in line.as_object().into_iter().flat_map(|fields| fields.keys()) {
            let judged = [&DERIVED[..], &JUDGED].iter().any(|names| names.contains(&name.as_str()));
            if !judged && self.not_judged.len() < NAMED && !self.not_judged.contains(name) {
                self.not_judged.insert(name.clone());
            }
        }
        let checked = &mut self.checked;
        match result {
            Err(CheckFailure::Stopped(stop)) => self.stopped_by = Some(stop.to_string()),
            Ok(right) => {
                checked.results += 1;
                checked.plans += u64::from(right.plan);
                checked.certificates += u64::from(right.certificate);
                checked.uncertified += u64::from(right.open);
                checked.unanswered += u64::from(!right.answer);
            }
            Err(CheckFailure::Fault(fault)) => {
                checked.results += 1;
                checked.wrong += 1;
                if self.faults.len() < MAX_SHOWN_FAULTS {
                    let asked = LevelQuestion::deserialize(line).unwrap_or_default();
                    let (file, number) = (asked.file, asked.number.unwrap_or_default());
                    let result = format!("{file} #{number} ({})", shards::shown(key));
                    self.faults.push(WrongResult { result, fault });
                }
            }
        }
    }

    fn progress(&self) -> String {
        let CheckCounts { results, plans, certificates, wrong, .. } = self.checked;
        format!("{results} results, {plans} plans, {certificates} certificates, {wrong} wrong")
    }

    fn exit(&self) -> u8 {
        match (self.checked.wrong, &self.stopped_by) {
            (0, None) => 0,
            (0, Some(_)) => 30,
            _ => INVALID,
        }
    }

    fn tell(&self, OutputArgs { json, quiet }: OutputArgs, store: &str) -> u8 {
        let code = self.exit();
        if json {
            let fields = StoreCheckAnswer { store, summary: self, exit: code };
            output::print(format!("{}\n", json::object("farm", fields)));
        } else if !quiet {
            output::print(self.to_string());
        }
        code
    }
}

impl fmt::Display for CheckSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for WrongResult { result, fault } in &self.faults {
            writeln!(f, "{}", one_line(&format!("{result}: {fault}")))?;
        }
        let CheckCounts { results, plans, certificates, .. } = self.checked;
        let mut what = format!(
            "{}: {} replayed, {} judged",
            sentences::count(results, "results"),
            sentences::count(plans, "plans"),
            sentences::count(certificates, "certificates")
        );
        for (count, things, lacking) in [
            (self.checked.uncertified, "answers", "a certificate"),
            (self.checked.unanswered, "results", "an answer"),
        ] {
            if count > 0 {
                let things = sentences::count(count, things);
                what.push_str(&format!("; {things} without {lacking}"));
            }
        }
        match (self.checked.wrong, &self.stopped_by) {
            (0, None) => writeln!(f, "valid: {what}")?,
            (0, Some(stop)) => writeln!(f, "{what}; {stop} before the rest")?,
            (wrong, _) => writeln!(f, "invalid: {wrong} wrong; {what}")?,
        }
        if !self.not_judged.is_empty() {
            let names = self.not_judged.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            writeln!(f, "not judged: {}", one_line(&names))?;
        }
        Ok(())
    }
}

#[cfg(test)]
const SOURCE: &str = include_str!("check.rs");

#[cfg(test)]
mod tests;
