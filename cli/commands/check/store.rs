//! `unstuck check STORE`: judges a store again, without searching.

use crate::answer::Answer;
use crate::answer::json::{self, FieldError};
use crate::driver;
use crate::input;
use crate::store::derive::{
    self, CheckFailure, Checks, DERIVED, DerivedResult, is_unanswered, says_nothing,
};
use crate::store::result::LevelQuestion;
use crate::store::shards::{self, Key, MAX_CERTIFICATE_BYTES, PackLocation, Store};
use crate::terminal::failure::{CommandResult, Failure, INVALID};
use crate::terminal::guard::LimitArgs;
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
use unstuck::solve::Verdict;
use unstuck_puzzles::Objective;

/// Faults that are shown.
const MAX_SHOWN_FAULTS: usize = 20;

/// Fields that are named as not judged.
const NAMED: usize = 40;

/// Which results of a store are checked, and how many at a time.
#[derive(Args, Default)]
pub(crate) struct StoreCheckArgs {
    /// Stores: check only N results, chosen by the seed
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub sample: Option<u32>,
    /// The same seed chooses the same results [default: 1]
    #[arg(long, value_name = "S", requires = "sample", hide_short_help = true)]
    seed: Option<u64>,
    /// Stores: results at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..), hide_short_help = true)]
    pub workers: Option<u16>,
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

/// What came of checking a store.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StoreCheckAnswer {
    /// The folder of the store, or its file.
    store: String,
    /// Counts of results.
    checked: CheckCounts,
    /// The names of fields that were there and are not judged.
    not_judged: BTreeSet<String>,
    /// The first of what is wrong.
    faults: Vec<WrongResult>,
    /// The limit that struck.
    stopped_by: Option<String>,
    /// The exit code.
    exit: u8,
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
pub(crate) struct CheckedResult {
    /// What its solutions and its certificate say; none where there is no answer.
    pub derived: Option<DerivedResult>,
    pub certificate: bool,
    /// What is shown, as a sentence.
    pub sentence: Option<String>,
}

impl CheckedResult {
    /// Whether it has no verdict.
    pub(crate) fn is_unknown(&self) -> bool {
        let verdict = self.derived.as_ref().map(|derived| derived.outcome.verdict);
        matches!(verdict, None | Some(Verdict::Unknown(_)))
    }

    /// Whether it says something that a certificate could show and none does.
    pub(crate) fn is_open(&self) -> bool {
        self.derived.as_ref().is_some_and(|derived| derived.open)
    }

    /// Whether a solution was replayed.
    fn has_plan(&self) -> bool {
        self.derived.as_ref().is_some_and(|derived| derived.outcome.best.is_some())
    }
}

/// What results are judged with.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub store: &'a Store,
    pub limits: &'a Limits,
    /// Most bytes of one certificate.
    pub room: u64,
    pub checks: Checks,
}

/// Room for one certificate beside those of other workers, where memory is limited.
fn room(limits: &Limits, workers: usize) -> u64 {
    let left = |memory: u64| memory.saturating_sub(resident_memory().unwrap_or(0));
    limits.memory.map_or(MAX_CERTIFICATE_BYTES as u64, |memory| left(memory) / workers as u64)
}

/// Judges the results of a store.
pub(super) fn check(
    path: &Path,
    args: &StoreCheckArgs,
    limits: LimitArgs,
    output: OutputArgs,
) -> CommandResult {
    let store = Store::at(path)?;
    let sample = args.sample.map(|size| sample(size, args.seed.unwrap_or(1), &store));
    let sample = sample.transpose()?;
    let workers = args.workers.map_or_else(all_threads, Into::into);
    let shown = path.display().to_string();
    let display = Display::new(&shown, output, limits.timeout);
    let limits = limits.begin();
    let judged = Mutex::new(StoreCheckAnswer { store: shown, ..Default::default() });
    // No more than a few results are held at a time.
    let (send, results) = sync_channel::<(Key, Value)>(2 * workers);
    let results = Mutex::new(results);
    let visited = machine::scope(|scope| {
        let (results, limits, judged) = (&results, &limits, &judged);
        let judge = Judge { room: room(limits, workers), ..Judge::new(&store, limits) };
        for _ in 0..workers {
            scope.spawn(move || work(&judge, results, judged));
        }
        let sent = store.visit_all(&mut |key, line| {
            let chosen = sample.as_ref().is_none_or(|sample| sample.contains(&key));
            // Until a limit strikes.
            if chosen && limits.reached_any().is_none() {
                display.say(&lock(judged).progress());
                // It is not received when all have stopped.
                let _ = send.send((key, line));
            }
            Ok::<(), Failure>(())
        });
        drop(send);
        sent
    });
    drop(display);
    visited?;
    let mut judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
    judged.exit = judged.code();
    let (code, text) = (judged.exit, judged.to_string());
    let answer = Answer::new(code, judged).saying(text).quietly("");
    driver::show(&answer, answer.printed("check", None, output), output);
    Ok(code)
}

/// The keys of the sample that was asked for.
fn sample(size: u32, seed: u64, store: &Store) -> Result<BTreeSet<Key>, Failure> {
    let mut kept = BTreeSet::new();
    store.visit_all(&mut |key, _: IgnoredAny| {
        draw(&mut kept, key, size as usize, seed);
        Ok::<(), Failure>(())
    })?;
    Ok(kept.into_iter().map(|(_, key)| key).collect())
}

/// Takes a key into a sample, which keeps those with the least lots: the same ones in whatever order
/// they come.
fn draw(kept: &mut BTreeSet<(u64, Key)>, key: Key, size: usize, seed: u64) {
    let lot = fastrand::Rng::with_seed(seed.rotate_left(32) ^ key).u64(..);
    kept.insert((lot, key));
    if kept.len() > size {
        kept.pop_last();
    }
}

fn work(
    judge: &Judge<'_>,
    results: &Mutex<Receiver<(Key, Value)>>,
    judged: &Mutex<StoreCheckAnswer>,
) {
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

impl<'a> Judge<'a> {
    /// One that judges a result after the other.
    pub(crate) fn new(store: &'a Store, limits: &'a Limits) -> Self {
        Self { store, limits, room: room(limits, 1), checks: Checks::ALL }
    }

    /// Judges a result.
    ///
    /// # Errors
    /// What is wrong with it, or the limit that struck.
    pub(crate) fn result(&self, key: Key, line: &Value) -> Result<CheckedResult, CheckFailure> {
        let checks = self.checks;
        let fault = |error: FieldError| error.to_string();
        let asked: LevelQuestion = json::read(line).map_err(fault)?;
        let answer: LevelAnswer = json::read(line).map_err(fault)?;
        checks.demand("schema", asked.schema == json::SCHEMA, || {
            "it has another schema".to_owned()
        })?;
        let chosen = asked.level().map_err(|failure| failure.message);
        let known =
            chosen.as_ref().ok().and_then(|chosen| asked.clone().in_store(chosen).stored_key());
        // What is no level has no key, and no answer.
        let is_broken = known.is_none() && is_unanswered(&answer);
        checks.demand("key", known == Some(key) || is_broken, || {
            "the key is not that of this level and question".to_owned()
        })?;
        if is_unanswered(&answer) {
            let nothing = says_nothing(&answer) && asked.certificate.is_none();
            checks.demand("nothing", nothing, || {
                "an answer where there is said to be none".to_owned()
            })?;
            return Ok(CheckedResult::default());
        }
        let chosen = chosen?;
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
                let report = derive::certified(checks, files, instance, self.limits)?;
                Some(report.manifest.claim)
            }
        };
        let derived = derive::result(checks, line, (asked, &answer), instance, claim)?;
        let sentence = Some(sentences::verdict(instance, &derived.outcome));
        Ok(CheckedResult { derived: Some(derived), certificate: claim.is_some(), sentence })
    }
}

impl StoreCheckAnswer {
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
                checked.plans += u64::from(right.has_plan());
                checked.certificates += u64::from(right.certificate);
                checked.uncertified += u64::from(right.is_open());
                checked.unanswered += u64::from(right.derived.is_none());
            }
            Err(CheckFailure::Fault(fault) | CheckFailure::Missing(fault)) => {
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

    fn code(&self) -> u8 {
        match (self.checked.wrong, &self.stopped_by) {
            (0, None) => 0,
            (0, Some(_)) => 30,
            _ => INVALID,
        }
    }
}

impl fmt::Display for StoreCheckAnswer {
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
const SOURCE: &str = include_str!("store.rs");

#[cfg(test)]
mod tests;
