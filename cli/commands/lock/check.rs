//! Judges a lock: what it says by its own evidence, and whether the level files beside it still have
//! the levels of which it says that. Of a level that has changed the locked solution is replayed, and
//! it is solved again: the old verdict stands beside the new one.

use crate::answer::Answer;
use crate::commands::check::store::{CheckedResult, Judge};
use crate::commands::fill::{Asked, Fill, Workers};
use crate::commands::lock::matching::{LevelName, matched};
use crate::driver;
use crate::input;
use crate::store::derive::{CheckFailure, Checks};
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::retry::Retry;
use crate::store::shards::{Key, Store};
use crate::terminal::failure::{CommandResult, Failure, INVALID, of_checks};
use crate::terminal::file_id;
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::text::one_line;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use unstuck::limits::Limits;
use unstuck::machine::{all_threads, lock, regular};
use unstuck::registry::{ParsedPuzzle, by_name};
use unstuck::report::sentences;
use unstuck_puzzles::{Level, Objective, Options};

/// How long a level that has changed is solved where no limit was given.
const TIME: Duration = Duration::from_secs(10);

/// What came of a result of a lock, or of a level that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// All that it says is shown.
    Valid,
    /// What it says is not shown, and nothing contradicts it.
    Uncertified,
    /// The certificate that it names is not there.
    Missing,
    /// The level has no result.
    Unlocked,
    /// The level has changed.
    Changed,
    /// What the lock says is wrong.
    Wrong,
    /// The level is gone.
    Gone,
    /// A limit struck first.
    Stopped,
}

impl Finding {
    /// Each with the words in which it is counted.
    const COUNTED: [(Self, &str); 7] = [
        (Self::Changed, "changed"),
        (Self::Wrong, "wrong"),
        (Self::Gone, "gone"),
        (Self::Missing, "without their certificate"),
        (Self::Uncertified, "not certified"),
        (Self::Unlocked, "not locked"),
        (Self::Stopped, "not judged"),
    ];

    /// The word for programs.
    fn verdict(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Uncertified => "uncertified",
            Self::Unlocked => "unlocked",
            Self::Stopped => "unknown",
            Self::Missing | Self::Changed | Self::Wrong | Self::Gone => "invalid",
        }
    }

    fn code(self, allow_uncertified: bool) -> u8 {
        match self {
            Self::Valid => 0,
            Self::Uncertified | Self::Unlocked if allow_uncertified => 0,
            Self::Stopped => 30,
            _ => INVALID,
        }
    }
}

/// A result of a lock, or a level without one, with what came of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LockCheckAnswer {
    #[serde(flatten)]
    level: LevelName,
    /// The lock.
    lock: String,
    /// `invalid`: changed, gone or wrong; `unlocked`: a level without a result; `unknown`: a limit
    /// struck first.
    #[cfg_attr(test, schemars(extend("enum" = ["valid", "invalid", "uncertified", "unlocked", "unknown"])))]
    verdict: &'static str,
    /// Whether a certificate was checked.
    certified: bool,
    /// What is wrong.
    faults: Vec<String>,
    /// What the lock says of the level, as a sentence.
    locked: Option<String>,
    /// What the level is now where it has changed, as a sentence.
    now: Option<String>,
    /// The exit code of the level alone.
    exit: u8,
    #[serde(skip)]
    finding: Option<Finding>,
}

impl LockCheckAnswer {
    fn new(level: LevelName, finding: Finding, fault: Option<String>) -> Self {
        Self {
            level,
            lock: String::new(),
            verdict: finding.verdict(),
            certified: false,
            faults: fault.into_iter().collect(),
            locked: None,
            now: None,
            exit: 0,
            finding: Some(finding),
        }
    }

    /// What came of judging a result.
    fn judged(level: LevelName, result: Result<CheckedResult, CheckFailure>) -> Self {
        match result {
            Ok(right) => {
                let open = if right.is_unknown() {
                    Some("the verdict is unknown: there is nothing to certify".to_owned())
                } else {
                    right.is_open().then(|| "not certified: no certificate shows it".to_owned())
                };
                let finding = if open.is_some() { Finding::Uncertified } else { Finding::Valid };
                let locked = right.sentence;
                Self { certified: right.certificate, locked, ..Self::new(level, finding, open) }
            }
            Err(CheckFailure::Fault(fault)) => Self::new(level, Finding::Wrong, Some(fault)),
            Err(CheckFailure::Missing(fault)) => Self::new(level, Finding::Missing, Some(fault)),
            Err(CheckFailure::Stopped(stop)) => {
                Self::new(level, Finding::Stopped, Some(format!("not judged: {stop}")))
            }
        }
    }
}

/// The results about one file, read in one way.
struct Group {
    family: String,
    options: BTreeMap<String, String>,
    lines: Vec<(Key, Value, LevelQuestion)>,
}

/// The levels of a file as they are now.
type Levels = Vec<Level<Box<dyn ParsedPuzzle>>>;

/// `unstuck check` of a lock.
pub(crate) fn check_lock(
    path: &Path,
    allow_uncertified: bool,
    shown: OutputArgs,
    limits: LimitArgs,
) -> CommandResult {
    let store = Store::open(path)?;
    guard::subject(&path.display().to_string());
    let mut checked = all(&store, &limits.begin(), Checks::ALL)?;
    solve_again(&mut checked, limits)?;
    if checked.answers.is_empty() {
        return Err(Failure::usage(format!("{}: has no levels", path.display())));
    }
    Ok(tell(checked.answers, path, allow_uncertified, shown))
}

/// What came of a lock, and the levels that are to be solved again.
pub(super) struct CheckedLock {
    pub answers: Vec<LockCheckAnswer>,
    /// Levels that have changed, each with its place among the answers.
    changed: Vec<Asked<usize>>,
}

/// Judges all results of a lock, and then the levels of their files that have none.
pub(super) fn all(store: &Store, limits: &Limits, checks: Checks) -> Result<CheckedLock, Failure> {
    let mut groups: BTreeMap<(String, String, String), Group> = BTreeMap::new();
    let mut checked = CheckedLock { answers: Vec::new(), changed: Vec::new() };
    store.visit_all(&mut |key, line: Value| {
        let Ok(asked) = LevelQuestion::deserialize(&line) else {
            let fault = Some("a result that cannot be read".to_owned());
            checked.answers.push(LockCheckAnswer::new(LevelName::default(), Finding::Wrong, fault));
            return Ok::<(), Failure>(());
        };
        let (family, options) =
            (asked.puzzle.clone().unwrap_or_default(), asked.question.options.clone());
        let name = (asked.file.clone(), family.clone(), format!("{options:?}"));
        let group = groups.entry(name).or_insert(Group { family, options, lines: Vec::new() });
        group.lines.push((key, line, asked));
        Ok(())
    })?;
    for ((file, ..), group) in groups {
        of_file(&file, &group, store, limits, checks, &mut checked);
    }
    Ok(checked)
}

/// Judges the results about a file, level by level.
fn of_file(
    file: &str,
    group: &Group,
    store: &Store,
    limits: &Limits,
    checks: Checks,
    checked: &mut CheckedLock,
) {
    let locked_name = |asked: &LevelQuestion| LevelName {
        file: asked.file.clone(),
        number: asked.number.unwrap_or(1).max(1),
        title: asked.title.clone(),
        puzzle: group.family.clone(),
        id: asked.id.clone(),
    };
    let levels = match levels(file, group, output::parent(store.place())) {
        Ok(levels) => levels,
        Err(fault) => {
            for (.., asked) in &group.lines {
                let (level, fault) = (locked_name(asked), Some(fault.clone()));
                checked.answers.push(LockCheckAnswer::new(level, Finding::Gone, fault));
            }
            return;
        }
    };
    let judge = Judge { checks, ..Judge::new(store, limits) };
    let mut lines: HashMap<Key, &(Key, Value, LevelQuestion)> =
        group.lines.iter().map(|line| (line.0, line)).collect();
    // The questions that were asked about the file: one, unless several locks were joined by hand.
    let mut questions: Vec<&LevelQuestion> = Vec::new();
    for (.., asked) in &group.lines {
        if questions.iter().all(|known| known.question != asked.question) {
            questions.push(asked);
        }
    }
    let mut named = HashSet::new();
    let mut without: Vec<(LevelName, &Level<Box<dyn ParsedPuzzle>>)> = Vec::new();
    for (number, level) in (1..).zip(&levels) {
        let level_name = LevelName {
            file: file.to_owned(),
            number,
            title: level.title.clone(),
            puzzle: group.family.clone(),
            id: level.puzzle.as_ref().ok().map(|puzzle| puzzle.identity()),
        };
        let about = |asked: &&LevelQuestion| {
            let puzzle = level.puzzle.as_ref().ok()?;
            Some(asked.key_about(puzzle.as_ref(), &level.text))
        };
        let keys = questions.iter().filter_map(about);
        let found: Vec<_> = keys.filter_map(|key| lines.get(&key).copied()).collect();
        if found.is_empty() {
            without.push((level_name.clone(), level));
        }
        for line in found {
            named.insert(line.0);
            let judged = match limits.reached_any() {
                Some(stop) => Err(CheckFailure::Stopped(stop)),
                None => judge.result(line.0, &line.1).and_then(|right| {
                    // A key is a short sum: what counts are the rules and the board themselves.
                    checks.demand("level", is_about(&line.2, level), || {
                        "the result is about another level".to_owned()
                    })?;
                    Ok(right)
                }),
            };
            checked.answers.push(LockCheckAnswer::judged(level_name.clone(), judged));
        }
    }
    lines.retain(|key, _| !named.contains(key));
    // What has no level any more, in the order of the lock, beside the levels without a result.
    let mut left: Vec<&(Key, Value, LevelQuestion)> = lines.into_values().collect();
    left.sort_by_key(|(.., asked)| asked.number);
    let before: Vec<LevelName> = left.iter().map(|(.., asked)| locked_name(asked)).collect();
    let now: Vec<LevelName> = without.iter().map(|(level, _)| level.clone()).collect();
    let mut is_new = vec![true; without.len()];
    for (line, place) in left.into_iter().zip(matched(&before, &now)) {
        let Some(place) = place else {
            let fault = Some(format!("level {} is gone", line.2.number.unwrap_or_default()));
            let level = locked_name(&line.2);
            checked.answers.push(LockCheckAnswer::new(level, Finding::Gone, fault));
            continue;
        };
        is_new[place] = false;
        let (level_name, level) = &without[place];
        // What the lock says must be right of the level that it was about.
        let mut answer = LockCheckAnswer::judged(level_name.clone(), judge.result(line.0, &line.1));
        let sound = matches!(answer.finding, Some(Finding::Valid | Finding::Uncertified));
        if sound {
            (answer.finding, answer.verdict) = (Some(Finding::Changed), "invalid");
            answer.certified = false;
            answer.faults = vec![replayed(level, &line.1)];
            if level.puzzle.is_ok() {
                let text = Some(level.text.clone());
                let question = LevelQuestion { text, key: None, ..line.2.clone() };
                checked.changed.push(Asked { question, place: checked.answers.len() });
            }
        }
        checked.answers.push(answer);
    }
    for ((level, _), _) in without.into_iter().zip(is_new).filter(|(_, is_new)| *is_new) {
        let fault = "the level is not locked: `unstuck lock --force` adds it".to_owned();
        checked.answers.push(LockCheckAnswer::new(level, Finding::Unlocked, Some(fault)));
    }
}

/// Whether a result is about a level: these rules and this board.
fn is_about(asked: &LevelQuestion, level: &Level<Box<dyn ParsedPuzzle>>) -> bool {
    let (Ok(then), Ok(now)) = (asked.level(), &level.puzzle) else { return false };
    then.level.puzzle.is_ok_and(|then| then.canonical_text() == now.canonical_text())
}

/// Whether the locked solution still solves a level that has changed.
fn replayed(level: &Level<Box<dyn ParsedPuzzle>>, line: &Value) -> String {
    let result = LevelResult::deserialize(line).unwrap_or_default();
    let changed = "the level has changed since it was locked";
    let puzzle = match &level.puzzle {
        Ok(puzzle) => puzzle,
        Err(error) => return format!("{changed}, and cannot be read: {error}"),
    };
    let Some(moves) = result.moves() else { return format!("{changed}: no solution was locked") };
    let objective = Objective::from_name(&result.asked.question.objective);
    let instances = objective.and_then(|objective| puzzle.instances(objective)).unwrap_or_default();
    let solved = instances.iter().find_map(|instance| {
        let plan = instance.verify(moves).ok()?;
        Some(instance.measures().length(plan.tally()))
    });
    match solved {
        Some(length) => format!("{changed}: the locked solution still works, with {length}"),
        None => format!("{changed}: the locked solution no longer solves it"),
    }
}

/// Solves the levels that have changed, within limits.
fn solve_again(checked: &mut CheckedLock, limits: LimitArgs) -> Result<(), Failure> {
    if checked.changed.is_empty() || guard::is_interrupted() {
        return Ok(());
    }
    guard::signals_only();
    let limits = LimitArgs { timeout: limits.timeout.or(Some(TIME)), ..limits };
    let workers = Workers { count: all_threads(), threads: 1, prove: false, once: false, limits };
    let fill = Fill::new(None, workers, Retry::All);
    let answers = Mutex::new(&mut checked.answers);
    let take = |at: usize, LevelResult { answer, .. }: LevelResult, _| {
        let error = answer.error.as_ref().map(|error| error.message.clone());
        let now = answer.sentence.as_deref().map(str::to_owned).or(error).unwrap_or_default();
        let answer = &mut lock(&answers)[at];
        let was = answer.locked.as_deref().unwrap_or_default();
        let fault = format!("it was {was}; it is {now}");
        answer.faults.push(fault);
        answer.now = Some(now);
    };
    fill.run(&mut checked.changed.drain(..), &take, &mut || {}).map(drop)
}

/// Prints what came of a lock, and returns the exit code.
fn tell(
    mut answers: Vec<LockCheckAnswer>,
    path: &Path,
    allow_uncertified: bool,
    shown: OutputArgs,
) -> u8 {
    for answer in &mut answers {
        answer.lock = path.display().to_string();
        answer.exit = answer.finding.map_or(INVALID, |finding| finding.code(allow_uncertified));
    }
    let codes: Vec<u8> = answers.iter().map(|answer| answer.exit).collect();
    let worst = of_checks(&codes);
    let count = |finding| answers.iter().filter(|it| it.finding == Some(finding)).count();
    let certified = answers.iter().filter(|it| it.certified).count();
    let word = match worst {
        0 => "valid",
        30 => "not judged to the end",
        _ => "invalid",
    };
    let locked = sentences::count((answers.len() - count(Finding::Unlocked)) as u32, "levels");
    let mut text = format!("{word}: {locked}, {certified} of them certified");
    for (finding, what) in Finding::COUNTED {
        let count = count(finding);
        if count > 0 || finding == Finding::Changed {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    let left_out = |it: &LockCheckAnswer| it.finding == Some(Finding::Unlocked) || it.exit == 0;
    let are_left_out = worst == INVALID && answers.iter().all(left_out);
    for answer in answers {
        let faults = one_line(&format!("{}: {}", answer.level, answer.faults.join("; ")));
        let text = if answer.faults.is_empty() { String::new() } else { faults + "\n" };
        let answer = Answer::new(answer.exit, answer).saying(text).quietly("");
        driver::show(&answer, answer.printed("check", None, shown), shown);
    }
    driver::sum_up(shown, format!("{text}\n"));
    if are_left_out && !shown.json {
        output::say(
            "help: `unstuck lock --force` adds new levels; those that were left out on purpose \
             (`lock --level`) are accepted with `--allow-uncertified`",
        );
    }
    worst
}

/// The levels of a file as they are now; why it cannot be read.
fn levels(file: &str, group: &Group, folder: &Path) -> Result<Levels, String> {
    let family = by_name(&group.family).ok_or_else(|| format!("no puzzle `{}`", group.family))?;
    let given = group.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options = Options::new(family.options, given).map_err(|error| error.to_string())?;
    let read = regular::inside(folder, file)
        .and_then(|path| {
            file_id::note_input(&path);
            regular::read(&path, regular::MOST)
        })
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    (family.read)(&input::decoded(read), &options).map_err(|error| error.to_string())
}
