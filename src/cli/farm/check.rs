//! `unstuck farm check`: judges a store again, without searching.

use super::{output, work};
use crate::certificate::check::{CheckError, check_files};
use crate::certificate::{Claim, Manifest, PUZZLE};
use crate::cli::input::Chosen;
use crate::cli::progress::Display;
use crate::cli::text::one_line;
use crate::cli::{Ending, Failure, INVALID, arguments, json as objects, output as outputs, prove};
use crate::farm::sample::Sample;
use crate::farm::store::{self, Key, Store};
use crate::instance::Instance;
use crate::limits::Limits;
use crate::machine::{self, all_threads, lock};
use crate::report::sentences;
use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use unstuck_puzzles::Objective;

/// Faults that are shown.
const SHOWN: usize = 20;

const LONG_HELP: &str = "\
Each level is read again from its text, each plan is replayed by the rules, and
each certificate is unpacked, compared with its sum, and judged as `unstuck
check` does; it must claim what the result says of that very level. Results
without a certificate are checked as far as their plans go.

Exit codes: 0 all is valid; 1 something is not; 2 wrong usage, or no store; 30 a
limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck farm check run
  unstuck farm check run --sample 1000 --seed 7";

pub(super) fn command() -> Command {
    arguments::command("check", "Verify plans and certificates of a store", LONG_HELP, EXAMPLES)
        .arg(super::store())
        .args([
            Arg::new("sample")
                .long("sample")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..))
                .help("Look at N results only, chosen by the seed"),
            Arg::new("seed")
                .long("seed")
                .value_name("S")
                .value_parser(value_parser!(u64))
                .requires("sample")
                .help("The same seed chooses the same results [default: 1]"),
            super::workers("Results at the same time [default: all cores]"),
        ])
        .args(arguments::limits().into_iter().map(|argument| match argument.get_id().as_str() {
            "timeout" => argument.help("Time limit for all of it, like 30, 90s or 10m"),
            _ => argument,
        }))
        .args(output())
}

/// What came of a store.
#[derive(Default)]
struct Judged {
    plans: u64,
    certificates: u64,
    results: u64,
    /// Answers that say more than their plans, if any, and have no certificate.
    uncertified: u64,
    /// How many are wrong.
    wrong: u64,
    /// The first of them, each with its name.
    faults: Vec<(String, String)>,
    /// Whether a limit struck.
    stopped: Option<String>,
}

/// What was found right about a result.
struct Right {
    plan: bool,
    certificate: bool,
    /// Whether it says something that a certificate could show.
    claims: bool,
}

/// Why a result is not found right.
enum Wrong {
    Fault(String),
    Stopped(String),
}

impl<T: Into<String>> From<T> for Wrong {
    fn from(fault: T) -> Self {
        Self::Fault(fault.into())
    }
}

pub(super) fn run(matches: &ArgMatches) -> Ending {
    let folder = matches.get_one::<PathBuf>("store").expect("required");
    let store = Store::open(folder)?;
    let sample = sample(matches, &store)?;
    let limits = arguments::given_limits(matches);
    let workers = matches.get_one::<u16>("workers").map_or_else(all_threads, |&n| n.into());
    let shown = folder.display().to_string();
    let quiet = matches.get_flag("quiet") || matches.get_flag("json");
    let display = Display::new(&shown, quiet, arguments::time(matches));
    let judged = Mutex::new(Judged::default());
    // No more than a few results are held at a time.
    let (send, results) = sync_channel::<(Key, Value)>(2 * workers);
    let results = Mutex::new(results);
    let visited = machine::scope(|scope| {
        let (store, results, limits, judged) = (&store, &results, &limits, &judged);
        for _ in 0..workers {
            scope.spawn(move || work(store, results, limits, judged));
        }
        let sent = visit(store, sample.as_ref(), limits, &mut |key, line| {
            display.say(&lock(judged).progress());
            // Nobody takes it when all have stopped.
            let _ = send.send((key, line));
        });
        drop(send);
        sent
    });
    drop(display);
    visited?;
    let judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(judged.tell(matches, &shown))
}

/// The keys of the sample that was asked for.
fn sample(matches: &ArgMatches, store: &Store) -> Result<Option<BTreeSet<Key>>, Failure> {
    let Some(&size) = matches.get_one::<u32>("sample") else { return Ok(None) };
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(1);
    let mut sample = Sample::new(size as usize, seed);
    for shard in 0..store.shards() {
        store.visit(shard, &mut |key, _| {
            sample.see(key);
            Ok::<(), Failure>(())
        })?;
    }
    Ok(Some(sample.keys()))
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
            if sample.is_none_or(|sample| sample.contains(&key)) && limits.reached().is_none() {
                take(key, line);
            }
            Ok::<(), Failure>(())
        })?;
    }
    Ok(())
}

fn work(
    store: &Store,
    results: &Mutex<Receiver<(Key, Value)>>,
    limits: &Limits,
    judged: &Mutex<Judged>,
) {
    loop {
        let next = lock(results).recv();
        let Ok((key, line)) = next else { return };
        let result = match limits.reached_any() {
            Some(stop) => Err(Wrong::Stopped(stop.to_string())),
            None => judge(store, key, &line, limits),
        };
        lock(judged).note(&line, result);
    }
}

/// Judges a result.
fn judge(store: &Store, key: Key, line: &Value, limits: &Limits) -> Result<Right, Wrong> {
    let text = line["text"].as_str().unwrap_or_default();
    if store::key(line, text) != key {
        return Err("the key is not that of this level and question".into());
    }
    is_consistent(line)?;
    if line["verdict"] == "error" || line["verdict"] == "crashed" {
        return Ok(Right { plan: false, certificate: false, claims: false });
    }
    let chosen = work::chosen(line).map_err(|failure| Wrong::Fault(failure.message))?;
    if chosen.id().as_deref() != line["id"].as_str() {
        return Err("the level has another id".into());
    }
    let objective = chosen.objective(line["objective"].as_str().and_then(Objective::from_name));
    let objective = objective.map_err(|failure| Wrong::Fault(failure.message))?;
    let instances = chosen.instances(Some(objective));
    let instances = instances.map_err(|failure| Wrong::Fault(failure.message))?;
    let counts = instances.iter().find(|instance| line["reading"] == instance.reading());
    let instance = counts.ok_or("there is no such reading")?.as_ref();
    let plan = plan(line, instance)?;
    let certificate = certificate(store, line, &chosen, instance, limits)?;
    Ok(Right { plan, certificate, claims: claim(line).is_some() })
}

/// Whether the fields of a result fit each other, whatever the level is.
fn is_consistent(line: &Value) -> Result<(), Wrong> {
    let solved = line["verdict"] == "solved";
    let bound = |name: &str| line[name].as_u64();
    let crossed = bound("lower").zip(bound("upper")).is_some_and(|(lower, upper)| lower > upper);
    let faults = [
        (line["objective"] != line["question"]["objective"], "the objective is not the question's"),
        (!solved && !line["solution"].is_null(), "a solution of what is said to have none"),
        (!solved && !line["upper"].is_null(), "an upper bound without a solution"),
        (!solved && line["optimal"] == true, "optimal without a solution"),
        (crossed, "the lower bound is above the upper one"),
        (
            (line["certified"] == true) == line["certificate"].is_null(),
            "certified without a certificate, or the other way round",
        ),
    ];
    match faults.into_iter().find(|&(is_so, _)| is_so) {
        Some((_, fault)) => Err(fault.into()),
        None => Ok(()),
    }
}

/// Replays the plan of a result, and compares what is said of it; whether there is one.
fn plan(line: &Value, instance: &dyn Instance) -> Result<bool, Wrong> {
    let Some(moves) = line["solution"]["moves"].as_str() else {
        return match line["verdict"].as_str() {
            Some("solved") => Err("solved without a solution".into()),
            _ => Ok(false),
        };
    };
    let plan = instance.verify(moves).map_err(|error| format!("the solution is wrong: {error}"))?;
    if instance.moves().is_none() {
        return Ok(true);
    }
    let tally = plan.tally();
    let length = json!({ "moves": tally.moves, "pushes": tally.pushes });
    if line["solution"]["length"] != length {
        return Err("the solution has another length".into());
    }
    let counted = !line["upper"].is_null();
    let cost = instance.objective().primary(tally);
    if counted && line["upper"] != cost {
        return Err("the solution has another cost".into());
    }
    if line["optimal"] == true && line["lower"] != line["upper"] {
        return Err("optimal, but the bounds differ".into());
    }
    Ok(true)
}

/// Judges the certificate of a result, and whether it says what the result says; whether there is
/// one.
fn certificate(
    store: &Store,
    line: &Value,
    chosen: &Chosen,
    instance: &dyn Instance,
    limits: &Limits,
) -> Result<bool, Wrong> {
    let Some(files) = store.certificate(line)? else { return Ok(false) };
    let report = check_files(&files, None, limits, &mut |_| {}).map_err(|error| match error {
        CheckError::Stopped(stop) => Wrong::Stopped(stop.to_string()),
        error => Wrong::Fault(format!("the certificate is invalid: {error}")),
    })?;
    let manifest = &report.manifest;
    let same_text =
        files.files.get(PUZZLE).map(Vec::as_slice) == line["text"].as_str().map(str::as_bytes);
    if !same_text || !is_of(manifest, chosen, instance) {
        return Err("the certificate is about something else".into());
    }
    // A tie-break is claimed only where the result says that it is least.
    let tied = manifest.claim != manifest.claim.untied();
    let says_more = tied && line["tie_break_optimal"] != true;
    if says_more || Some(manifest.claim.untied()) != claim(line) {
        return Err("the certificate claims something else".into());
    }
    Ok(true)
}

/// Whether a certificate is about this question.
fn is_of(manifest: &Manifest, chosen: &Chosen, instance: &dyn Instance) -> bool {
    manifest.family == chosen.family.name
        && manifest.objective == instance.objective()
        && manifest.reading == instance.reading()
        && manifest.options == prove::options(chosen)
        && manifest.after.is_empty()
        && manifest.wishes.is_empty()
}

/// What a result says that a certificate can claim, apart from a tie-break.
fn claim(line: &Value) -> Option<Claim> {
    let number = |name: &str| line[name].as_u64().and_then(|number| u32::try_from(number).ok());
    match line["verdict"].as_str()? {
        "solved" if line["unique"] == true => Some(Claim::Unique),
        "solved" if line["optimal"] == true => number("upper").map(Claim::Optimal),
        "unsolvable" => Some(Claim::Unsolvable),
        "no-solution-within" => number("horizon").map(Claim::NothingWithin),
        _ => None,
    }
}

impl Judged {
    fn note(&mut self, line: &Value, result: Result<Right, Wrong>) {
        match result {
            Err(Wrong::Stopped(stop)) => self.stopped = Some(stop),
            Ok(right) => {
                self.results += 1;
                self.plans += u64::from(right.plan);
                self.certificates += u64::from(right.certificate);
                self.uncertified += u64::from(right.claims && !right.certificate);
            }
            Err(Wrong::Fault(fault)) => {
                self.results += 1;
                self.wrong += 1;
                if self.faults.len() < SHOWN {
                    let (file, key) = (line["file"].as_str(), line["key"].as_str());
                    let number = line["number"].as_u64().unwrap_or_default();
                    let file = file.unwrap_or_default();
                    let name = format!("{file} #{number} ({})", key.unwrap_or_default());
                    self.faults.push((name, fault));
                }
            }
        }
    }

    fn progress(&self) -> String {
        let Self { results, plans, certificates, wrong, .. } = self;
        format!("{results} results, {plans} plans, {certificates} certificates, {wrong} wrong")
    }

    fn tell(&self, matches: &ArgMatches, store: &str) -> u8 {
        let code = match (self.wrong, &self.stopped) {
            (0, None) => 0,
            (0, Some(_)) => 30,
            _ => INVALID,
        };
        if matches.get_flag("json") {
            let mut value = objects::object("farm");
            let fault =
                |(name, fault): &(String, String)| json!({ "result": name, "fault": fault });
            value["store"] = json!(store);
            value["checked"] = json!({
                "results": self.results,
                "plans": self.plans,
                "certificates": self.certificates,
                "uncertified": self.uncertified,
                "wrong": self.wrong,
            });
            value["faults"] = self.faults.iter().map(fault).collect();
            value["stopped_by"] = json!(self.stopped);
            value["exit"] = json!(code);
            outputs::print(&format!("{value}\n"));
            return code;
        }
        if matches.get_flag("quiet") {
            return code;
        }
        let mut text = String::new();
        for (name, fault) in &self.faults {
            text.push_str(&one_line(&format!("{name}: {fault}")));
            text.push('\n');
        }
        let mut what = format!(
            "{}: {} replayed, {} judged",
            sentences::count(self.results, "results"),
            sentences::count(self.plans, "plans"),
            sentences::count(self.certificates, "certificates")
        );
        if self.uncertified > 0 {
            let answers = sentences::count(self.uncertified, "answers");
            what.push_str(&format!("; {answers} without a certificate"));
        }
        text.push_str(&match (code, &self.stopped) {
            (0, _) => format!("valid: {what}\n"),
            (30, Some(stop)) => format!("{what}; {stop} before the rest\n"),
            _ => format!("invalid: {} wrong; {what}\n", self.wrong),
        });
        outputs::print(&text);
        code
    }
}
