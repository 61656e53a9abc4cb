//! `unstuck lock`, and `unstuck check --locked`: what is known of a collection, kept beside it with
//! certificates, so that a change that breaks something is found without searching.

use super::input::{self, Chosen, Found};
use super::output::Target;
use super::progress::Display;
use super::text::one_line;
use super::{
    Ending, Failure, INVALID, applies, arguments, file_id, guard, json, junit, of_several, outcome,
    output, prove, wished,
};
use crate::certificate::check::{CheckError, Report, check};
use crate::certificate::prove::{Manner, ProveError, Task, prove as certify};
use crate::certificate::{Claim, MANIFEST};
use crate::instance::{Instance, Verified};
use crate::limits::Limits;
use crate::registry::by_name;
use crate::report::sentences;
use crate::solve::Outcome;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use unstuck_puzzles::wishes::{FORBID_HELP, Wishes};
use unstuck_puzzles::{Objective, Options};

/// The name of a lock beside its collection.
pub(super) const LOCK: &str = "unstuck.lock";
/// The folder of its certificates, beside the lock.
const CERTIFICATES: &str = "unstuck.certificates";
/// The version of the lock's format.
const FORMAT: u32 = 1;

const LONG_HELP: &str = "\
For each level the lock holds its identity, its verdict with the length of a
shortest solution, a solution, and the sum of a certificate, which stands in a
folder beside it. `unstuck check --locked` reads level files, lock and
certificates, searches for nothing, and fails with what has changed.

Exit codes: 0 all levels are in the lock; 2 wrong usage, or one could not be
read; 30 a limit struck before a verdict or before its certificate.";

const EXAMPLES: &str = "\
Examples:
  unstuck lock collection.xsb --timeout 60
  unstuck lock mine.xsb others.xsb -o puzzles.lock --force
  unstuck lock level.xsb --forbid 'pushed 3,4'  and without that trick
  unstuck check --locked unstuck.lock --junit report.xml";

pub(super) fn command() -> Command {
    arguments::command(
        "lock",
        "Write down what is known of levels, with certificates, for checks without search",
        LONG_HELP,
        EXAMPLES,
    )
    .args(arguments::level(true))
    .args(arguments::solving())
    .args(arguments::output())
    .args([
        Arg::new("output")
            .long("output")
            .short('o')
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("The lock [default: unstuck.lock beside the first file]"),
        arguments::force(),
        Arg::new("forbid").long("forbid").value_name("WISH").action(ArgAction::Append).help(
            format!(
                "A trick without which the level is locked, too, each by itself: {FORBID_HELP}"
            ),
        ),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ending {
    let found = input::found(matches)?;
    applies::check(matches, &found)?;
    arguments::check_backend(matches)?;
    arguments::given_horizon(matches)?;
    if let Some(chosen) = found.iter().flatten().find(|chosen| chosen.source.starts_with('<')) {
        return Err(Failure::usage(format!("{}: a lock needs a file", chosen.source)));
    }
    let first = match found.iter().flatten().next() {
        Some(chosen) => &chosen.source,
        None => return Err(failure_of(found)),
    };
    let beside = || Path::new(first).parent().unwrap_or(Path::new("")).join(LOCK);
    let path = matches.get_one::<PathBuf>("output").cloned().unwrap_or_else(beside);
    let force = matches.get_flag("force");
    output::writable(&path, force)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let shown = path.display().to_string();
    let (as_json, quiet) = (matches.get_flag("json"), matches.get_flag("quiet"));
    let tricks = tricks(matches)?;
    let (mut entries, mut codes) = (Vec::<Value>::new(), Vec::new());
    guard::levels(found.len());
    for one in &found {
        let (so_far, of, to) = (entries.clone(), found.len(), path.clone());
        guard::rescue(move |_| {
            if so_far.is_empty() {
                return;
            }
            output::say(format!("interrupted: {} of {of} levels are in the lock", so_far.len()));
            if let Err(failure) = write(&to, force, &so_far) {
                output::complain(&failure);
            }
        });
        if arguments::interrupt().load(Ordering::Relaxed) {
            output::say(format!(
                "interrupted: {} of {} levels are in the lock",
                entries.len(),
                found.len()
            ));
            codes.push(30);
            break;
        }
        let locked = match one {
            Ok(chosen) => locked(matches, chosen, &folder, &tricks).map(|locked| (chosen, locked)),
            Err(unread) => Err(unread.failure.clone()),
        };
        match locked {
            Err(failure) => codes.push(failure.tell("lock", one, as_json)),
            Ok((chosen, (entry, words, code))) => {
                if as_json {
                    output::print(&told(chosen, &entry, &words, &shown, code));
                } else if !quiet {
                    output::print(&format!("{}: {words}\n", chosen.name()));
                }
                codes.push(code);
                entries.push(entry);
            }
        }
    }
    guard::rescue(|_| {});
    write(&path, force, &entries)?;
    if !as_json {
        let count = sentences::count(entries.len() as u32, "levels");
        output::print(&format!("{}: {count}\n", one_line(&shown)));
    }
    Ok(of_several(&codes))
}

/// Writes the lock.
fn write(path: &Path, force: bool, entries: &[Value]) -> Result<(), Failure> {
    let lock = json!({ "format": FORMAT, "levels": entries });
    let text = serde_json::to_string_pretty(&lock).unwrap_or_default();
    output::write_file(path, force, |out| writeln!(out, "{text}"))
}

/// Why nothing could be read.
fn failure_of(found: Found) -> Failure {
    let failures = found.into_iter().filter_map(|one| one.err()).map(|unread| unread.failure);
    failures.reduce(|first, _| first).unwrap_or_else(|| Failure::usage("no level to lock"))
}

/// The object of a level.
fn told(chosen: &Chosen, entry: &Value, words: &str, lock: &str, code: u8) -> String {
    let mut value = json::of_level("lock", chosen);
    value["lock"] = json!(lock);
    for name in ["objective", "reading", "verdict", "optimum", "unique", "solution"] {
        value[name] = entry[name].clone();
    }
    value["certificate"] = entry["certificate"]["folder"].clone();
    value["sentence"] = json!(words);
    value["exit"] = json!(code);
    format!("{value}\n")
}

/// The tricks of `--forbid`, each with its words.
fn tricks(matches: &ArgMatches) -> Result<Vec<(&str, Wishes)>, Failure> {
    let read = |wish: &str| -> Result<Wishes, Failure> {
        let mut wishes = Wishes::default();
        wishes.forbid(wish).map_err(|error| Failure::parse("wishes", &error, ""))?;
        Ok(wishes)
    };
    let given = matches.get_many::<String>("forbid").unwrap_or_default();
    given.map(|wish| Ok((wish.as_str(), read(wish)?))).collect()
}

/// The entry of a level, what it says in words, and the exit code: 30 where a limit left it open.
fn locked(
    matches: &ArgMatches,
    chosen: &Chosen,
    folder: &Path,
    tricks: &[(&str, Wishes)],
) -> Result<(Value, String, u8), Failure> {
    guard::subject(&chosen.name());
    let instances = chosen.instances(arguments::objective(matches))?;
    let mut request = arguments::request(matches, arguments::given_horizon(matches)?)?;
    request.solutions = 2;
    let quiet = matches.get_flag("quiet") || matches.get_flag("json");
    let display = Display::new(&chosen.name(), quiet, arguments::time(matches));
    let (instance, outcome) = outcome::solved(&instances, &request, &display)?;
    let identity = identity(chosen);
    let mut entry = json!({
        "file": relative(&chosen.source, folder),
        "number": chosen.number,
        "title": chosen.level.title,
        "puzzle": chosen.family.name,
        "options": chosen.options.iter().collect::<BTreeMap<_, _>>(),
        "identity": identity,
        "objective": instance.objective().name(),
        "reading": instance.reading(),
        "verdict": outcome.verdict.name(),
        "optimum": optimum(instance, &outcome),
        "unique": unique(&outcome),
        "solution": outcome.best.as_ref().map(|best| best.text()),
        "certificate": null,
    });
    let mut words = sentences::verdict(instance, &outcome);
    let Some(claim) = Claim::shown_by(instance, &outcome) else {
        let code = if outcome.best.is_some() { 0 } else { 30 };
        return Ok((entry, format!("{words}; no certificate"), code));
    };
    let name = format!("{identity}-{}", instance.objective().name().replace(',', "-"));
    std::fs::create_dir_all(folder.join(CERTIFICATES))
        .map_err(|error| Failure::usage(format!("{}: {error}", folder.display())))?;
    let manner = Manner { force: matches.get_flag("force"), ..Manner::default() };
    // Certifies a claim into a folder of this name; the object that the lock has of it, or why not.
    let certified = |name: &str, task: Task<'_>| -> Result<Result<Value, ProveError>, Failure> {
        let task = Task { options: prove::options(chosen), ..task };
        let target = folder.join(CERTIFICATES).join(name);
        if let Err(error) = certify(&task, &manner, &request, &target, &mut |it| display.say(it)) {
            return Ok(Err(error));
        }
        let shown = format!("{CERTIFICATES}/{name}");
        Ok(Ok(json!({ "folder": shown, "sha256": sum(&target)? })))
    };
    let task = Task {
        solution: outcome.best.as_ref().filter(|_| claim.has_solution()),
        ..Task::new(instance, &chosen.level.text, claim)
    };
    match certified(&name, task)? {
        Ok(certificate) => entry["certificate"] = certificate,
        Err(error) => return Ok((entry, format!("{words}; no certificate: {error}"), 30)),
    }
    words.push_str("; certified");
    let mut without = Vec::new();
    for (number, (wish, wishes)) in (1..).zip(tricks) {
        let found = wished::search(&instances, wishes, &request.limits)?;
        let Some(claim) = found.claim() else {
            return Ok((entry, format!("{words}; unknown without `{wish}`"), 30));
        };
        let task = Task {
            solution: found.plan.as_ref(),
            wishes: wishes.clone(),
            ..Task::new(found.instance, &chosen.level.text, claim)
        };
        let certificate = match certified(&format!("{name}-{number}"), task)? {
            Ok(certificate) => certificate,
            Err(error) => {
                let words = format!("{words}; no certificate without `{wish}`: {error}");
                return Ok((entry, words, 30));
            }
        };
        let claimed = claim.sentence(found.instance.measures(), found.instance.objective());
        words.push_str(&format!("; without `{wish}`: {claimed}"));
        without.push(json!({
            "forbid": wish,
            "claim": claimed,
            "solution": found.plan.as_ref().map(|plan| plan.text()),
            "certificate": certificate,
        }));
    }
    if !without.is_empty() {
        entry["tricks"] = json!(without);
    }
    Ok((entry, words, 0))
}

fn optimum(instance: &dyn Instance, outcome: &Outcome) -> Option<u32> {
    let best = outcome.best.as_ref().filter(|_| outcome.optimal)?;
    Some(instance.objective().primary(best.tally()))
}

fn unique(outcome: &Outcome) -> Option<bool> {
    let solutions = outcome.solutions.as_ref()?;
    (solutions.complete || !solutions.others.is_empty()).then_some(solutions.others.is_empty())
}

fn identity(chosen: &Chosen) -> String {
    chosen.level.puzzle.as_ref().map(|opened| opened.identity()).unwrap_or_default()
}

/// A file as the lock names it: relative to the lock's folder where it stands in it.
fn relative(source: &str, folder: &Path) -> String {
    let path = Path::new(source);
    let inside = path.strip_prefix(folder).unwrap_or(path);
    inside.to_string_lossy().into_owned()
}

/// The sum of a certificate: of its manifest, which has the sums of its other files.
fn sum(certificate: &Path) -> Result<String, Failure> {
    let path = certificate.join(MANIFEST);
    let bytes = std::fs::read(&path);
    let bytes = bytes.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What a lock says of a level, after the evidence was checked.
pub(super) struct Locked {
    /// The verdict, in the word for programs.
    pub verdict: String,
    /// The cost of a shortest solution, or the length of the best one that is known.
    pub optimum: Option<u32>,
    /// Whether the solution is the only one, where that was asked.
    pub unique: Option<bool>,
    /// The locked solution.
    pub solution: Option<String>,
}

/// The lock that stands beside a level file, if there is one that can be read.
pub(super) fn beside(source: &Path) -> Option<(PathBuf, Value)> {
    let folder = source.parent().unwrap_or(Path::new(""));
    let text = std::fs::read_to_string(folder.join(LOCK)).ok()?;
    let lock: Value = serde_json::from_str(&text).ok()?;
    (lock["format"].as_u64() == Some(FORMAT.into())).then(|| (folder.to_owned(), lock))
}

/// Whether a lock has another level in the place of this one.
pub(super) fn has_another((folder, lock): &(PathBuf, Value), chosen: &Chosen) -> bool {
    let file = relative(&chosen.source, folder);
    let here = |entry: &&Value| entry["file"] == file.as_str() && entry["number"] == chosen.number;
    let mut entries = lock["levels"].as_array().into_iter().flatten();
    entries.find(here).is_some_and(|entry| entry["identity"] != identity(chosen).as_str())
}

/// What a lock says of a level with a certificate, which is checked before anything is said; `None`
/// when it says nothing certified of this level under this objective.
///
/// # Errors
/// What is wrong with the entry or with its certificate.
pub(super) fn recall(
    (folder, lock): &(PathBuf, Value),
    chosen: &Chosen,
    instances: &[Box<dyn Instance>],
    limits: &Limits,
) -> Option<Result<Locked, String>> {
    let options: BTreeMap<_, _> = chosen.options.iter().collect();
    let identity = identity(chosen);
    let about = |entry: &&Value, instance: &dyn Instance| {
        entry["puzzle"] == chosen.family.name
            && entry["identity"] == identity.as_str()
            && entry["objective"] == instance.objective().name()
            && entry["reading"] == instance.reading()
            && entry["options"] == json!(options)
    };
    let entries = lock["levels"].as_array()?;
    let found = instances.iter().find_map(|instance| {
        let entry = entries.iter().find(|entry| about(entry, instance.as_ref()))?;
        Some((entry, instance.as_ref()))
    });
    let (entry, instance) = found?;
    let certificate = entry["certificate"].as_object()?;
    if let Some(fault) = plan_fault(entry, instance) {
        return Some(Err(fault));
    }
    if let Err(fault) = certificate_fault(entry, instance, certificate, folder, limits) {
        return Some(Err(fault));
    }
    let text = |name: &str| entry[name].as_str().map(str::to_owned);
    Some(Ok(Locked {
        verdict: text("verdict").unwrap_or_default(),
        optimum: entry["optimum"].as_u64().and_then(|it| u32::try_from(it).ok()),
        unique: entry["unique"].as_bool(),
        solution: text("solution"),
    }))
}

/// What came of an entry of a lock.
struct Checked {
    name: String,
    /// What has changed or is wrong; nothing when all is as it was.
    faults: Vec<String>,
    /// Whether a certificate was checked.
    certified: bool,
}

impl Checked {
    /// The object of an entry.
    fn object(&self, entry: &Value, lock: &str) -> Value {
        let mut value = json::object("check");
        for name in ["file", "number", "title", "puzzle"] {
            value[name] = entry[name].clone();
        }
        value["id"] = entry["identity"].clone();
        let right = self.faults.is_empty();
        value["lock"] = json!(lock);
        value["verdict"] = json!(if right { "valid" } else { "invalid" });
        value["certified"] = json!(self.certified);
        value["faults"] = json!(self.faults);
        value["exit"] = json!(if right { 0 } else { INVALID });
        value
    }
}

/// `unstuck check --locked`.
pub(super) fn check_locked(matches: &ArgMatches, path: &Path) -> Ending {
    file_id::note_input(path);
    output::prepare(matches, &["junit"])?;
    let limits = arguments::given_limits(matches);
    let shown = path.display();
    guard::subject(&shown.to_string());
    let fail = |reason: String| Failure::usage(format!("{shown}: {reason}"));
    let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let lock: Value = serde_json::from_str(&text).map_err(|error| fail(error.to_string()))?;
    if lock["format"].as_u64() != Some(FORMAT.into()) {
        return Err(fail(format!("no lock of format {FORMAT}")));
    }
    let entries = lock["levels"].as_array().ok_or_else(|| fail("has no levels".to_owned()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut checked = Vec::new();
    for entry in entries {
        checked.push(check_entry(entry, folder, &limits));
    }
    let broken = checked.iter().filter(|it| !it.faults.is_empty()).count();
    if matches.get_flag("json") {
        for (it, entry) in checked.iter().zip(entries) {
            output::print(&format!("{}\n", it.object(entry, &shown.to_string())));
        }
    } else {
        for it in checked.iter().filter(|it| !it.faults.is_empty()) {
            output::print(&format!(
                "{}\n",
                one_line(&format!("{}: {}", it.name, it.faults.join("; ")))
            ));
        }
        let certified = checked.iter().filter(|it| it.certified).count();
        let word = if broken == 0 { "valid" } else { "invalid" };
        output::print(&format!(
            "{word}: {}, {certified} of them certified, {broken} changed\n",
            sentences::count(checked.len() as u32, "levels")
        ));
    }
    if let Some(target) = Target::of(matches, "junit") {
        let faults = |it: &Checked| (!it.faults.is_empty()).then(|| it.faults.join("; "));
        let cases = checked.iter().map(|it| (it.name.as_str(), faults(it)));
        target.write(matches.get_flag("force"), |out| junit::write(out, cases))?;
    }
    Ok(if broken == 0 { 0 } else { INVALID })
}

fn check_entry(entry: &Value, folder: &Path, limits: &Limits) -> Checked {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let title = entry["title"].as_str().map(|title| format!(" \"{title}\"")).unwrap_or_default();
    let name = format!("{} #{}{title}", text("file"), entry["number"]);
    let mut checked = Checked { name, faults: Vec::new(), certified: false };
    let instance = match level_of(entry, folder) {
        Ok(instance) => instance,
        Err(fault) => {
            checked.faults.push(fault);
            return checked;
        }
    };
    checked.faults.extend(plan_fault(entry, instance.as_ref()));
    if let Some(certificate) = entry["certificate"].as_object() {
        match certificate_fault(entry, instance.as_ref(), certificate, folder, limits) {
            Ok(()) => checked.certified = true,
            Err(fault) => checked.faults.push(fault),
        }
    }
    for trick in entry["tricks"].as_array().into_iter().flatten() {
        if let Err(fault) = trick_fault(trick, instance.as_ref(), folder, limits) {
            let wish = trick["forbid"].as_str().unwrap_or_default();
            checked.faults.push(format!("without `{wish}`: {fault}"));
        }
    }
    checked
}

/// The level as it is now, if it is still the one that was locked.
fn level_of(entry: &Value, folder: &Path) -> Result<Box<dyn Instance>, String> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    let family =
        by_name(text("puzzle")).ok_or_else(|| format!("no puzzle `{}`", text("puzzle")))?;
    let none = serde_json::Map::new();
    let given = entry["options"].as_object().unwrap_or(&none);
    let pairs = given.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap_or("")));
    let options = Options::new(family.options, pairs).map_err(|error| error.to_string())?;
    let source = folder.join(text("file"));
    file_id::note_input(&source);
    let bytes = std::fs::read(&source);
    let bytes = bytes.map_err(|error| format!("{}: {error}", source.display()))?;
    let levels = (family.read)(&String::from_utf8_lossy(&bytes), &options);
    let levels = levels.map_err(|error| error.to_string())?;
    let number = entry["number"].as_u64().and_then(|number| number.checked_sub(1));
    let level = number.and_then(|number| levels.into_iter().nth(number as usize));
    let opened = level.ok_or("the file has no such level any more")?.puzzle;
    let opened = opened.map_err(|error| error.to_string())?;
    if opened.identity() != text("identity") {
        return Err("the level has changed since it was locked".to_owned());
    }
    let objective = Objective::from_name(text("objective"));
    let instances = objective.and_then(|objective| opened.instances(objective));
    let instances = instances.ok_or_else(|| format!("no objective `{}`", text("objective")))?;
    let reading = instances.into_iter().find(|it| it.reading() == text("reading"));
    reading.ok_or_else(|| format!("no reading `{}`", text("reading")))
}

/// What is wrong with the locked solution.
fn plan_fault(entry: &Value, instance: &dyn Instance) -> Option<String> {
    let solution = entry["solution"].as_str()?;
    match instance.verify(solution) {
        Err(error) => Some(format!("the locked solution is wrong: {error}")),
        Ok(plan) => {
            let length = u64::from(instance.objective().primary(plan.tally()));
            let optimum = entry["optimum"].as_u64()?;
            (length != optimum)
                .then(|| format!("the locked solution has length {length}, not {optimum}"))
        }
    }
}

/// What is wrong with what was locked of the level without a trick.
fn trick_fault(
    trick: &Value,
    instance: &dyn Instance,
    folder: &Path,
    limits: &Limits,
) -> Result<(), String> {
    let mut wishes = Wishes::default();
    let wish = trick["forbid"].as_str().unwrap_or_default();
    wishes.forbid(wish).map_err(|error| error.to_string())?;
    let certificate = trick["certificate"].as_object().ok_or("there is no certificate")?;
    let report = about(instance, certificate, &wishes, folder, limits)?;
    let claimed =
        report.manifest.claim.sentence(report.instance.measures(), report.manifest.objective);
    if trick["claim"] != claimed.as_str() {
        return Err("the certificate claims something else than the lock".to_owned());
    }
    if trick["solution"].as_str() != report.solution.as_ref().map(Verified::text) {
        return Err("the certificate has another solution than the lock".to_owned());
    }
    Ok(())
}

/// The report of a certificate that is about a level with wishes, and about nothing else.
fn about(
    instance: &dyn Instance,
    certificate: &serde_json::Map<String, Value>,
    wishes: &Wishes,
    folder: &Path,
    limits: &Limits,
) -> Result<Report, String> {
    let text = |name: &str| certificate.get(name).and_then(Value::as_str).unwrap_or_default();
    let path = folder.join(text("folder"));
    file_id::note_folder(&path);
    if sum(&path).map_err(|failure| failure.message)? != text("sha256") {
        return Err("the certificate is not the one that was locked".to_owned());
    }
    let checked = check(&path, None, limits, &mut |_| {});
    let report: Report = checked.map_err(|error| match error {
        CheckError::Invalid(reason) => format!("the certificate is wrong: {reason}"),
        CheckError::Unable(reason) => format!("the certificate cannot be checked: {reason}"),
        CheckError::Stopped(stop) => format!("the certificate was not judged: {stop}"),
        other => format!("the certificate cannot be judged: {other}"),
    })?;
    // The certificate has the level's text; what it prints says all of the puzzle.
    let same = report.instance.text() == instance.text()
        && report.instance.objective() == instance.objective()
        && report.instance.reading() == instance.reading()
        && report.manifest.after.is_empty()
        && report.manifest.wishes == *wishes;
    if same { Ok(report) } else { Err("the certificate is about another question".to_owned()) }
}

fn certificate_fault(
    entry: &Value,
    instance: &dyn Instance,
    certificate: &serde_json::Map<String, Value>,
    folder: &Path,
    limits: &Limits,
) -> Result<(), String> {
    let report = about(instance, certificate, &Wishes::default(), folder, limits)?;
    let right = match report.manifest.claim {
        Claim::Optimal(cost) | Claim::OptimalTied(cost, _) => {
            entry["optimum"].as_u64() == Some(cost.into())
        }
        Claim::Unsolvable => entry["verdict"] == "unsolvable",
        Claim::NothingWithin(_) => entry["verdict"] == "no-solution-within",
        Claim::Unique => entry["unique"] == true,
    };
    if right {
        Ok(())
    } else {
        Err("the certificate claims something else than the lock".to_owned())
    }
}
