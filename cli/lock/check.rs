//! Judges the entries of a lock by the level files as they are now.

use super::super::derive::{CheckFailure, Checks};
use super::super::{file_id, input};
use super::Lock;
use super::entry::{self, EntryVerdict, Judge};
use super::matching::{LevelKey, matched};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
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

/// An entry of a lock, or a level without one, with what came of it.
pub(super) struct EntryCheck {
    /// File, number and title, as the level has them now where it is there.
    pub name: String,
    /// What is to be said; nothing when all is as it was.
    pub faults: Vec<String>,
    /// Whether a certificate was checked.
    pub certified: bool,
    /// What came of it.
    pub finding: Finding,
    /// The level for programs: file, number, title, puzzle and id.
    pub about: Value,
}

impl EntryCheck {
    fn new(about: Value, finding: Finding, fault: Option<String>) -> Self {
        let title = about["title"].as_str().map(|title| format!(" \"{title}\""));
        let name = format!(
            "{} #{}{}",
            about["file"].as_str().unwrap_or_default(),
            about["number"],
            title.unwrap_or_default()
        );
        Self { name, faults: fault.into_iter().collect(), certified: false, finding, about }
    }

    /// What came of judging an entry.
    fn judged(about: Value, result: Result<EntryVerdict, CheckFailure>) -> Self {
        match result {
            Ok(EntryVerdict { certified, open }) => {
                let finding = if open.is_some() { Finding::Uncertified } else { Finding::Valid };
                Self { certified, ..Self::new(about, finding, open.map(str::to_owned)) }
            }
            Err(CheckFailure::Fault(fault)) => Self::new(about, Finding::Changed, Some(fault)),
            Err(CheckFailure::Stopped(stop)) => {
                Self::new(about, Finding::Stopped, Some(format!("not judged: {stop}")))
            }
        }
    }
}

/// The level of an entry, whatever its form is: its number and title as they are now.
fn about(entry: &Value, now: Option<&LevelKey>) -> Value {
    let title = |now: &LevelKey| now.title.clone();
    json!({
        "file": entry["file"].as_str().unwrap_or_default(),
        "number": now.map_or(entry["number"].as_u64(), |now| Some(now.number)).unwrap_or_default(),
        "title": now.map_or(entry["title"].as_str().map(str::to_owned), title),
        "puzzle": entry["puzzle"].as_str().unwrap_or_default(),
        "id": entry["identity"].as_str(),
    })
}

/// The entries about one file, read in one way.
struct Group<'a> {
    file: &'a str,
    family: &'static Family,
    options: Options,
    /// Their places in the lock.
    entries: Vec<usize>,
}

/// Judges all entries of a lock, in their order, and then the levels of their files that have none.
pub(super) fn all(lock: &Lock, limits: &Limits, checks: Checks) -> Vec<EntryCheck> {
    let mut found: Vec<Option<EntryCheck>> = Vec::new();
    let mut groups: BTreeMap<String, Group<'_>> = BTreeMap::new();
    for (at, entry) in lock.entries.iter().enumerate() {
        match group(entry, checks) {
            Ok(group) => {
                let key = json!([group.file, group.family.name, entry::options_of(&group.options)]);
                groups.entry(key.to_string()).or_insert(group).entries.push(at);
                found.push(None);
            }
            Err(wrong) => found.push(Some(EntryCheck::judged(about(entry, None), Err(wrong)))),
        }
    }
    let mut unlocked = Vec::new();
    for group in groups.into_values() {
        unlocked.extend(of_file(&group, lock, limits, checks, &mut found));
    }
    found.into_iter().flatten().chain(unlocked).collect()
}

/// How the file of an entry is read.
fn group(entry: &Value, checks: Checks) -> Result<Group<'_>, CheckFailure> {
    entry::formed(checks, entry)?;
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    let family =
        by_name(text("puzzle")).ok_or_else(|| format!("no puzzle `{}`", text("puzzle")))?;
    let options = entry::options(entry, family.options).map_err(|error| error.to_string())?;
    checks.demand("options", entry["options"] == entry::options_of(&options), || {
        format!("not all options of {} are there", family.name)
    })?;
    Ok(Group { file: text("file"), family, options, entries: Vec::new() })
}

/// Judges the entries about a file; gives the levels of it that have none.
fn of_file(
    group: &Group<'_>,
    lock: &Lock,
    limits: &Limits,
    checks: Checks,
    found: &mut [Option<EntryCheck>],
) -> Vec<EntryCheck> {
    let levels = match levels(group, &lock.folder) {
        Ok(levels) => levels,
        Err(fault) => {
            for &at in &group.entries {
                let about = about(&lock.entries[at], None);
                found[at] = Some(EntryCheck::judged(about, Err(fault.clone())));
            }
            return Vec::new();
        }
    };
    let known = |entry: &Value| LevelKey {
        identity: entry["identity"].as_str().unwrap_or_default().to_owned(),
        title: entry["title"].as_str().map(str::to_owned),
        number: entry["number"].as_u64().unwrap_or_default(),
    };
    let entries: Vec<LevelKey> = group.entries.iter().map(|&at| known(&lock.entries[at])).collect();
    let here: Vec<LevelKey> = (1..).zip(&levels).map(now).collect();
    let judge = Judge { options: &group.options, folder: &lock.folder, limits, checks };
    let mut named = vec![false; levels.len()];
    let mut seen = HashSet::new();
    for (&at, place) in group.entries.iter().zip(matched(&entries, &here)) {
        let entry = &lock.entries[at];
        let Some(place) = place else {
            let gone = format!("level {} is gone", entry["number"]);
            found[at] = Some(EntryCheck::new(about(entry, None), Finding::Gone, Some(gone)));
            continue;
        };
        named[place] = true;
        let question = (place, entry["objective"].as_str(), entry["reading"].as_str());
        let is_new = checks.demand("twice", seen.insert(question), || {
            "the lock has another entry about the same question".to_owned()
        });
        if let Err(wrong) = is_new {
            found[at] = Some(EntryCheck::judged(about(entry, Some(&here[place])), Err(wrong)));
            continue;
        }
        let result = match (limits.reached_any(), &levels[place].puzzle) {
            (Some(stop), _) => Err(CheckFailure::Stopped(stop)),
            (None, Ok(opened)) => judge.entry(entry, opened.as_ref()),
            (None, Err(error)) => Err(CheckFailure::Fault(error.to_string())),
        };
        found[at] = Some(EntryCheck::judged(about(entry, Some(&here[place])), result));
    }
    let without = here.iter().zip(named).filter(|(_, named)| !named);
    without
        .map(|(now, _)| {
            let about = json!({
                "file": group.file,
                "number": now.number,
                "title": now.title,
                "puzzle": group.family.name,
                "id": Some(&now.identity).filter(|identity| !identity.is_empty()),
            });
            EntryCheck::new(about, Finding::Unlocked, Some("the level is not locked".to_owned()))
        })
        .collect()
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
