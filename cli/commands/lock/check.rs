//! Judges the entries of a lock by the level files as they are now.

use crate::commands::lock::Lock;
use crate::commands::lock::entry::{Entry, EntryVerdict, Judge};
use crate::commands::lock::matching::{LevelKey, matched};
use crate::input;
use crate::store::derive::{CheckFailure, Checks};
use crate::terminal::file_id;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;
use unstuck::limits::Limits;
use unstuck::machine::regular;
use unstuck::registry::{Family, ParsedPuzzle, by_name};
use unstuck_puzzles::{Level, Options};

/// What came of an entry of a lock, or of a level that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// All that it says is shown.
    Valid,
    /// What it says is not shown, and nothing contradicts it.
    Uncertified,
    /// The level has no entry.
    Unlocked,
    /// The level has changed, or what the entry says is wrong.
    Changed,
    /// The level is gone.
    Gone,
    /// A limit struck first.
    Stopped,
}

impl Finding {
    /// The word for programs.
    pub(super) fn verdict(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Uncertified => "uncertified",
            Self::Unlocked => "unlocked",
            Self::Changed | Self::Gone => "invalid",
            Self::Stopped => "unknown",
        }
    }
}

/// A level for programs, as it is now where it is there.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct LevelName {
    /// The file of the level.
    file: String,
    /// Its number in the file, from 1.
    #[cfg_attr(test, schemars(extend("minimum" = 1)))]
    number: u64,
    /// Its title.
    title: Option<String>,
    /// The family.
    puzzle: String,
    /// The same for the same level, wherever it is.
    #[serde(rename(deserialize = "identity"))]
    id: Option<String>,
}

impl LevelName {
    /// The level of an entry.
    fn of(entry: &Entry) -> Self {
        Self {
            file: entry.file.clone(),
            number: entry.number,
            title: entry.title.clone(),
            puzzle: entry.puzzle.clone(),
            id: Some(entry.identity.clone()),
        }
    }
}

impl fmt::Display for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}", self.file, self.number)?;
        self.title.iter().try_for_each(|title| write!(f, " \"{title}\""))
    }
}

/// An entry of a lock, or a level without one, with what came of it.
pub(super) struct EntryCheck {
    /// Which level it is about.
    pub level: LevelName,
    /// What is to be said; nothing when all is as it was.
    pub faults: Vec<String>,
    /// Whether a certificate was checked.
    pub certified: bool,
    /// What came of it.
    pub finding: Finding,
}

impl EntryCheck {
    fn new(level: LevelName, finding: Finding, fault: Option<String>) -> Self {
        Self { level, faults: fault.into_iter().collect(), certified: false, finding }
    }

    /// What came of judging an entry.
    fn judged(level: LevelName, result: Result<EntryVerdict, CheckFailure>) -> Self {
        match result {
            Ok(EntryVerdict { certified, open }) => {
                let finding = if open.is_some() { Finding::Uncertified } else { Finding::Valid };
                Self { certified, ..Self::new(level, finding, open.map(str::to_owned)) }
            }
            Err(CheckFailure::Fault(fault)) => Self::new(level, Finding::Changed, Some(fault)),
            Err(CheckFailure::Stopped(stop)) => {
                Self::new(level, Finding::Stopped, Some(format!("not judged: {stop}")))
            }
        }
    }
}

/// The entries about one file, read in one way.
struct Group<'a> {
    file: &'a str,
    family: &'static Family,
    options: Options,
    /// The entries, each with its place in the lock.
    entries: Vec<(usize, &'a Entry)>,
}

/// Judges all entries of a lock, in their order, and then the levels of their files that have none.
pub(super) fn all(lock: &Lock, limits: &Limits, checks: Checks) -> Vec<EntryCheck> {
    let mut found: BTreeMap<usize, EntryCheck> = BTreeMap::new();
    let mut groups = BTreeMap::new();
    for (at, entry) in lock.entries.iter().enumerate() {
        let wrong = match entry {
            Ok(entry) => match group(entry, checks) {
                Ok(group) => {
                    let key = (group.file, group.family.name, input::options(&group.options));
                    groups.entry(key).or_insert(group).entries.push((at, entry));
                    continue;
                }
                Err(wrong) => EntryCheck::judged(LevelName::of(entry), Err(wrong)),
            },
            Err(unread) => {
                let (level, wrong) = unread.as_ref();
                EntryCheck::judged(level.clone(), Err(wrong.clone()))
            }
        };
        found.insert(at, wrong);
    }
    let mut unlocked = Vec::new();
    for group in groups.into_values() {
        unlocked.extend(of_file(&group, lock, limits, checks, &mut found));
    }
    found.into_values().chain(unlocked).collect()
}

/// How the file of an entry is read.
fn group(entry: &Entry, checks: Checks) -> Result<Group<'_>, CheckFailure> {
    let family = by_name(&entry.puzzle).ok_or_else(|| format!("no puzzle `{}`", entry.puzzle))?;
    let given = entry.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options = Options::new(family.options, given).map_err(|error| error.to_string())?;
    checks.demand("options", entry.options == input::options(&options), || {
        format!("not all options of {} are there", family.name)
    })?;
    Ok(Group { file: &entry.file, family, options, entries: Vec::new() })
}

/// Judges the entries about a file; gives the levels of it that have none.
fn of_file(
    group: &Group<'_>,
    lock: &Lock,
    limits: &Limits,
    checks: Checks,
    found: &mut BTreeMap<usize, EntryCheck>,
) -> Vec<EntryCheck> {
    let levels = match levels(group, &lock.folder) {
        Ok(levels) => levels,
        Err(fault) => {
            let unread = |&(at, entry): &(usize, &Entry)| {
                (at, EntryCheck::judged(LevelName::of(entry), Err(fault.clone())))
            };
            found.extend(group.entries.iter().map(unread));
            return Vec::new();
        }
    };
    let known = |&(_, entry): &(usize, &Entry)| LevelKey {
        identity: entry.identity.clone(),
        title: entry.title.clone(),
        number: entry.number,
    };
    let entries: Vec<LevelKey> = group.entries.iter().map(known).collect();
    let here: Vec<LevelKey> = (1..).zip(&levels).map(now).collect();
    let judge = Judge { folder: &lock.folder, limits, checks };
    let mut named = vec![false; levels.len()];
    let mut seen = HashSet::new();
    for (&(at, entry), place) in group.entries.iter().zip(matched(&entries, &here)) {
        let mut level = LevelName::of(entry);
        let Some(place) = place else {
            let gone = format!("level {} is gone", entry.number);
            found.insert(at, EntryCheck::new(level, Finding::Gone, Some(gone)));
            continue;
        };
        named[place] = true;
        (level.number, level.title) = (here[place].number, here[place].title.clone());
        let question = (place, &entry.objective, &entry.reading);
        let is_new = checks.demand("twice", seen.insert(question), || {
            "the lock has another entry about the same question".to_owned()
        });
        let judged = is_new.and_then(|()| match (limits.reached_any(), &levels[place].puzzle) {
            (Some(stop), _) => Err(CheckFailure::Stopped(stop)),
            (None, Ok(opened)) => judge.entry(entry, opened.as_ref()),
            (None, Err(error)) => Err(CheckFailure::Fault(error.to_string())),
        });
        let result = judged.and_then(|verdict| {
            shown_alike(checks, entry, &level)?;
            Ok(verdict)
        });
        found.insert(at, EntryCheck::judged(level, result));
    }
    let without = here.into_iter().zip(named).filter(|(_, named)| !named);
    without
        .map(|(LevelKey { identity, title, number }, _)| {
            let (file, puzzle) = (group.file.to_owned(), group.family.name.to_owned());
            let id = Some(identity).filter(|identity| !identity.is_empty());
            let level = LevelName { file, number, title, puzzle, id };
            EntryCheck::new(level, Finding::Unlocked, Some("the level is not locked".to_owned()))
        })
        .collect()
}

/// Compares by what else an entry shows its level: it was found by its identity, wherever it is.
fn shown_alike(checks: Checks, entry: &Entry, now: &LevelName) -> Result<(), CheckFailure> {
    checks.demand("number", entry.number == now.number, || {
        format!("the lock says that this is level {}; lock it again if it has moved", entry.number)
    })?;
    checks.demand("title", entry.title == now.title, || match &entry.title {
        Some(title) => format!("the lock says that its title is \"{title}\""),
        None => "the lock says that it has no title".to_owned(),
    })
}

/// What a level is known by now; one that cannot be read by its title and number only.
fn now((number, level): (u64, &Level<Box<dyn ParsedPuzzle>>)) -> LevelKey {
    let identity = level.puzzle.as_ref().map(|opened| opened.identity()).unwrap_or_default();
    LevelKey { identity, title: level.title.clone(), number }
}

/// The levels of a file as they are now.
fn levels(
    group: &Group<'_>,
    folder: &Path,
) -> Result<Vec<Level<Box<dyn ParsedPuzzle>>>, CheckFailure> {
    let read = regular::inside(folder, group.file)
        .and_then(|path| {
            file_id::note_input(&path);
            regular::read(&path, regular::MOST)
        })
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    let text = input::decoded(read);
    Ok((group.family.read)(&text, &group.options).map_err(|error| error.to_string())?)
}
