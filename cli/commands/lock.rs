//! `unstuck lock`, and `unstuck check --locked`: what is known of a collection, kept beside it with
//! certificates, so that a change that breaks something is found without searching.

mod check;
mod entry;
mod making;
mod matching;
#[cfg(test)]
mod tests;

use crate::answer::json;
use crate::commands::lock::check::{EntryCheck, Finding, LevelName};
use crate::commands::lock::entry::Entry;
use crate::commands::lock::making::locked;
use crate::driver;
use crate::driver::{Run, Watched};
use crate::input::applies;
use crate::input::args::{ForceArgs, LevelsArgs, SolveArgs, long_help};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::store::derive::{CheckFailure, Checks};
use crate::terminal::failure::{CommandResult, Failure, INVALID, of_checks, of_several};
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::OutputArgs;
use crate::terminal::text::one_line;
use crate::terminal::{guard, output};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use unstuck::machine::regular;
use unstuck::report::sentences;
use unstuck::strict_json::{self, StrictJsonError};
use unstuck_puzzles::constraints::{Constraints, FORBID_HELP};

/// The name of a lock beside its collection.
pub(crate) const LOCK: &str = "unstuck.lock";
/// The folder of its certificates, beside the lock.
const CERTIFICATES: &str = "unstuck.certificates";
/// The version of the lock's format.
const FORMAT: u64 = 1;

const LONG_HELP: &str = "\
For each level the lock holds its identity, its verdict with the length of a
shortest solution, a solution, and the checksum of a certificate, which is in a
folder beside it. `unstuck check --locked` reads level files, lock and
certificates, runs no search, and fails with what has changed. The level
files must lie in the folder of the lock, or below it.

Exit codes: 0 all levels are in the lock; 2 wrong usage, or one could not be
read; 20 with --solvable: one has no solution; 30 a limit struck before a
verdict or before its certificate.";

const EXAMPLES: &str = "\
Examples:
  unstuck lock collection.xsb --timeout 60
  unstuck lock mine.xsb others.xsb -o puzzles.lock --force
  unstuck lock collection.xsb --solvable        fails where one is broken
  unstuck lock level.xsb --forbid 'pushed 3,4'  and without that trick
  unstuck check unstuck.lock                    finds what has changed since";

/// Record verdicts and certificates in a lock file
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct LockCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    solve: SolveArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    shown: OutputArgs,
    /// The lock [default: unstuck.lock beside the first file]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[arg(
        long,
        value_name = "CONSTRAINT",
        help = format!("A trick without which the level is locked, too, each by itself: {FORBID_HELP}")
    )]
    forbid: Vec<String>,
    /// Fail with code 20 where a level has no solution
    #[arg(long)]
    solvable: bool,
}

impl Run for LockCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.shown.json, limits: Some(self.limits) }
    }

    fn run(&'static self) -> CommandResult {
        let mut found = self.levels.found()?;
        applies::solving(&self.solve, self.levels.reading.objective, &found)?;
        self.solve.solver.check()?;
        self.solve.horizon()?;
        if let Some(chosen) = found.iter().flatten().find(|chosen| chosen.source.starts_with('<')) {
            return Err(Failure::usage(format!("{}: a lock needs a file", chosen.source)));
        }
        let first = match found.iter().flatten().next() {
            Some(chosen) => &chosen.source,
            None => return Err(failure_of(found)),
        };
        let beside = || Path::new(first).parent().unwrap_or(Path::new("")).join(LOCK);
        let path = self.output.clone().unwrap_or_else(beside);
        let force = self.force.force;
        output::writable(&path, force)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let shown = path.display().to_string();
        let OutputArgs { json: as_json, quiet } = self.shown;
        let tricks = tricks(&self.forbid)?;
        let files = files(&found, &folder)?;
        // A level that is named twice is one level.
        let mut known = HashSet::new();
        found.retain(|one| {
            let Ok(chosen) = one else { return true };
            let is_new = known.insert((&files[&chosen.source], chosen.number));
            if !is_new {
                output::say(format!("warning: {}: named twice, locked once", chosen.name()));
            }
            is_new
        });
        let (mut entries, mut codes) = (Vec::<Entry>::new(), Vec::new());
        guard::levels(found.len());
        for one in &found {
            let (so_far, of, to) = (entries.clone(), found.len(), path.clone());
            guard::rescue(move |_| {
                if so_far.is_empty() {
                    return;
                }
                output::say(format!(
                    "interrupted: {} of {of} levels are in the lock",
                    so_far.len()
                ));
                if let Err(failure) = write(&to, force, &so_far) {
                    output::complain(&failure);
                }
            });
            if guard::is_interrupted() {
                output::say(format!(
                    "interrupted: {} of {} levels are in the lock",
                    entries.len(),
                    found.len()
                ));
                codes.push(30);
                break;
            }
            let locked = match one {
                Ok(chosen) => locked(self, chosen, &folder, &files[&chosen.source], &tricks)
                    .map(|locked| (chosen, locked)),
                Err(read_failure) => Err(read_failure.failure.clone()),
            };
            match locked {
                Err(failure) => codes.push(driver::failed(&failure, "lock", one, as_json)),
                Ok((chosen, (entry, words, code))) => {
                    let wanted = !self.solvable || entry.verdict == "solved";
                    let code = if code == 0 && !wanted { 20 } else { code };
                    if as_json {
                        output::print(printed(chosen, &entry, &words, &shown, code));
                    } else if !quiet {
                        output::print(format!("{}: {words}\n", chosen.name()));
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
            output::print(format!("{}: {count}\n", one_line(&shown)));
        }
        Ok(of_several(&codes))
    }
}

/// Writes the lock.
fn write(path: &Path, force: bool, entries: &[Entry]) -> Result<(), Failure> {
    let lock = LockFile { format: FORMAT, levels: entries };
    let text = serde_json::to_string_pretty(&lock).unwrap_or_default();
    output::write_file(path, force, |out| writeln!(out, "{text}"))
}

/// The files of all levels as the lock names them.
fn files(found: &SelectedLevels, folder: &Path) -> Result<HashMap<String, String>, Failure> {
    let mut files = HashMap::new();
    for chosen in found.iter().flatten() {
        if files.contains_key(&chosen.source) {
            continue;
        }
        let name = relative(&chosen.source, folder).and_then(|name| {
            // It must be what a check will read.
            let path = regular::inside(folder, &name)?;
            let bytes = regular::open(&path)?.bytes;
            match bytes > regular::MOST {
                true => Err(io::ErrorKind::FileTooLarge.into()),
                false => Ok(name),
            }
        });
        let name = name.map_err(|error| {
            let message = format!("{}: cannot be locked: {error}", chosen.source);
            Failure::usage(message)
                .help("a lock names files in its folder or below it: choose it with `-o`")
        })?;
        files.insert(chosen.source.clone(), name);
    }
    Ok(files)
}

/// Why nothing could be read.
fn failure_of(found: SelectedLevels) -> Failure {
    let failures =
        found.into_iter().filter_map(|one| one.err()).map(|read_failure| read_failure.failure);
    failures.reduce(|first, _| first).unwrap_or_else(|| Failure::usage("no level to lock"))
}

/// The object of a level.
fn printed(chosen: &SelectedLevel, entry: &Entry, words: &str, lock: &str, code: u8) -> String {
    let fields = LockAnswer {
        lock,
        objective: &entry.objective,
        reading: &entry.reading,
        verdict: &entry.verdict,
        optimum: entry.optimum,
        unique: entry.unique,
        solution: entry.solution.as_deref(),
        certificate: entry.certificate.as_ref().map(|certificate| certificate.folder.as_str()),
        sentence: words,
        exit: code,
    };
    format!("{}\n", json::of_level("lock", chosen, fields))
}

/// What was locked of a level.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LockAnswer<'a> {
    /// The lock.
    lock: &'a str,
    /// What a shortest solution is shortest in.
    objective: &'a str,
    /// The reading of the rules; empty where there is only one.
    reading: &'a str,
    /// The verdict in one word.
    verdict: &'a str,
    /// The cost of a shortest solution.
    optimum: Option<u32>,
    /// Whether the solution is the only one, where that was asked.
    unique: Option<bool>,
    /// The solution.
    solution: Option<&'a str>,
    /// The folder of the certificate, beside the lock.
    certificate: Option<&'a str>,
    /// The verdict as a sentence.
    sentence: &'a str,
    /// The exit code of the level alone.
    exit: u8,
}

/// The tricks of `--forbid`, each with its words.
fn tricks(given: &[String]) -> Result<Vec<(&str, Constraints)>, Failure> {
    let read = |constraint: &str| -> Result<Constraints, Failure> {
        let mut constraints = Constraints::default();
        constraints
            .forbid(constraint)
            .map_err(|error| Failure::parse("constraints", &error, ""))?;
        Ok(constraints)
    };
    given.iter().map(|constraint| Ok((constraint.as_str(), read(constraint)?))).collect()
}

fn identity(chosen: &SelectedLevel) -> String {
    chosen.level.puzzle.as_ref().map(|opened| opened.identity()).unwrap_or_default()
}

/// A file as the lock names it: relative to the lock's folder.
fn relative(source: &str, folder: &Path) -> io::Result<String> {
    let path = Path::new(source);
    let lexical = path.strip_prefix(folder).ok().filter(|path| path.is_relative());
    let lexical =
        lexical.and_then(Path::to_str).filter(|name| regular::inside(folder, name).is_ok());
    // Locks are for all systems: Windows reads both slashes.
    let portable = |name: &str| match cfg!(windows) {
        true => name.replace('\\', "/"),
        false => name.to_owned(),
    };
    if let Some(name) = lexical {
        return Ok(portable(name));
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (full, here) = (path.canonicalize()?, here.canonicalize()?);
    let inside = full.strip_prefix(here).ok().and_then(Path::to_str);
    let outside = || io::Error::other("it is not in the folder of the lock");
    Ok(portable(inside.ok_or_else(outside)?))
}

/// Why a file is not a lock.
#[derive(Debug)]
pub(crate) enum LockError {
    /// It cannot be read.
    Io(io::Error),
    /// It is not JSON that means one thing.
    Json(StrictJsonError),
    /// It is not a lock of the format that this program writes.
    Format(serde_json::Error),
    /// It is one of another format.
    OtherFormat,
    /// It has no levels: nothing would be checked, and all would be well.
    NoLevels,
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Json(error) => write!(f, "not a lock: {error}"),
            Self::Format(error) => write!(f, "not a lock of format {FORMAT}: {error}"),
            Self::OtherFormat => write!(f, "not a lock of format {FORMAT}"),
            Self::NoLevels => f.write_str("has no levels"),
        }
    }
}

impl std::error::Error for LockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Json(error) => Some(error),
            Self::Format(error) => Some(error),
            Self::OtherFormat | Self::NoLevels => None,
        }
    }
}

/// The file of a lock.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct LockFile<L> {
    format: u64,
    levels: L,
}

/// A lock: what was known of levels.
pub(crate) struct Lock {
    /// The folder that it lies in.
    folder: PathBuf,
    /// Its entries; of what has not the form of one, which level it is about, and what is wrong.
    entries: Vec<Result<Entry, Box<(LevelName, CheckFailure)>>>,
}

impl Lock {
    /// Reads a lock.
    ///
    /// # Errors
    /// When it cannot be read, or is no lock of this format.
    fn read(path: &Path) -> Result<Self, LockError> {
        let text = regular::read_text(path, regular::MOST).map_err(LockError::Io)?;
        let lock = strict_json::parse(&text).map_err(LockError::Json)?;
        let LockFile { format, levels } =
            LockFile::<Vec<Value>>::deserialize(lock).map_err(LockError::Format)?;
        match format {
            FORMAT if levels.is_empty() => Err(LockError::NoLevels),
            FORMAT => Ok(Self::of(path.parent().unwrap_or(Path::new("")), &levels)),
            _ => Err(LockError::OtherFormat),
        }
    }

    /// A lock of these levels.
    fn of(folder: &Path, levels: &[Value]) -> Self {
        let read = |level| {
            Entry::read(level).map_err(|wrong| {
                Box::new((LevelName::deserialize(level).unwrap_or_default(), wrong))
            })
        };
        Self { folder: folder.to_owned(), entries: levels.iter().map(read).collect() }
    }
}

/// `unstuck check --locked`.
pub(crate) fn check_locked(
    allow_uncertified: bool,
    shown: OutputArgs,
    limits: LimitArgs,
    path: &Path,
) -> CommandResult {
    let as_json = shown.json;
    let limits = limits.begin();
    let shown = path.display();
    guard::subject(&shown.to_string());
    let lock = Lock::read(path).map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
    let checked = check::all(&lock, &limits, Checks::ALL);
    let count = |finding: Finding| checked.iter().filter(|it| it.finding == finding).count();
    let (gone, stopped) = (count(Finding::Gone), count(Finding::Stopped));
    let (uncertified, unlocked) = (count(Finding::Uncertified), count(Finding::Unlocked));
    let changed = count(Finding::Changed);
    let code = |finding: Finding| match finding {
        Finding::Valid => 0,
        Finding::Uncertified | Finding::Unlocked if allow_uncertified => 0,
        Finding::Stopped => 30,
        _ => INVALID,
    };
    let codes: Vec<u8> = checked.iter().map(|it| code(it.finding)).collect();
    let worst = of_checks(&codes);
    if as_json {
        for (it, code) in checked.iter().zip(&codes) {
            output::print(format!("{}\n", object(it, &shown.to_string(), *code)));
        }
    } else {
        for it in checked.iter().filter(|it| !it.faults.is_empty()) {
            output::print(format!(
                "{}\n",
                one_line(&format!("{}: {}", it.level, it.faults.join("; ")))
            ));
        }
        let certified = checked.iter().filter(|it| it.certified).count();
        let word = match worst {
            0 => "valid",
            30 => "not judged to the end",
            _ => "invalid",
        };
        let mut text = format!(
            "{word}: {}, {certified} of them certified, {changed} changed",
            sentences::count(lock.entries.len() as u32, "levels")
        );
        for (count, what) in [
            (gone, "gone"),
            (uncertified, "not certified"),
            (unlocked, "not locked"),
            (stopped, "not judged"),
        ] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        output::print(format!("{text}\n"));
        let left_out = |it: &EntryCheck| it.finding == Finding::Unlocked;
        if worst == INVALID
            && checked.iter().zip(&codes).all(|(it, code)| left_out(it) || *code == 0)
        {
            output::say(
                "help: levels that were left out on purpose (`lock --level`) are accepted with \
                 `--allow-uncertified`",
            );
        }
    }
    Ok(worst)
}

/// What came of an entry of a lock, or of a level of its files without one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LockCheckAnswer<'a> {
    #[serde(flatten)]
    level: &'a LevelName,
    /// The lock.
    lock: &'a str,
    /// `invalid`: changed, gone or wrong; `unlocked`: a level without an entry; `unknown`: a limit
    /// struck first.
    #[cfg_attr(test, schemars(extend("enum" = ["valid", "invalid", "uncertified", "unlocked", "unknown"])))]
    verdict: &'static str,
    /// Whether a certificate was checked.
    certified: bool,
    /// What is wrong.
    faults: &'a [String],
    /// The exit code of the entry alone.
    exit: u8,
}

/// The object of an entry.
fn object(checked: &EntryCheck, lock: &str, code: u8) -> String {
    let fields = LockCheckAnswer {
        level: &checked.level,
        lock,
        verdict: checked.finding.verdict(),
        certified: checked.certified,
        faults: &checked.faults,
        exit: code,
    };
    json::object("check", fields).to_string()
}
