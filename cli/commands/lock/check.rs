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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    #[default]
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
#[derive(Default, Serialize)]
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
    finding: Finding,
}

impl LockCheckAnswer {
    fn new(level: LevelName, finding: Finding, fault: Option<String>) -> Self {
        let (verdict, faults) = (finding.verdict(), fault.into_iter().collect());
        Self { level, verdict, faults, finding, ..Self::default() }
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

/// A file that results are about, and how it is read.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct LevelFile {
    file: String,
    family: String,
    options: BTreeMap<String, String>,
}

/// A result of a lock, read in part.
type Locked = (Key, Value, LevelQuestion);

/// A level as it is now.
type LevelNow = Level<ParsedPuzzle>;

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
    let mut files: BTreeMap<LevelFile, Vec<Locked>> = BTreeMap::new();
    let mut checked = CheckedLock { answers: Vec::new(), changed: Vec::new() };
    store.visit_all(&mut |key, line: Value| {
        let Ok(asked) = LevelQuestion::deserialize(&line) else {
            let fault = Some("a result that cannot be read".to_owned());
            checked.answers.push(LockCheckAnswer::new(LevelName::default(), Finding::Wrong, fault));
            return Ok::<(), Failure>(());
        };
        let (file, options) = (asked.file.clone(), asked.question.options.clone());
        let family = asked.puzzle.clone().unwrap_or_default();
        let lines = files.entry(LevelFile { file, family, options }).or_default();
        lines.push((key, line, asked));
        Ok(())
    })?;
    let judge = Judge { checks, ..Judge::new(store, limits) };
    for (file, lines) in files {
        match file.levels(output::parent(store.place())) {
            Ok(levels) => file.judge(&levels, &lines, &judge, &mut checked),
            Err(fault) => checked.answers.extend(lines.iter().map(|(.., asked)| {
                LockCheckAnswer::new(file.locked(asked), Finding::Gone, Some(fault.clone()))
            })),
        }
    }
    Ok(checked)
}

impl LevelFile {
    /// The levels of the file as they are now; why it cannot be read.
    fn levels(&self, folder: &Path) -> Result<Vec<LevelNow>, String> {
        let family = by_name(&self.family).ok_or_else(|| format!("no puzzle `{}`", self.family))?;
        let given = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let options = Options::new(family.options, given).map_err(|error| error.to_string())?;
        let read = regular::inside(folder, &self.file)
            .and_then(|path| {
                file_id::note_input(&path);
                regular::read(&path, regular::MOST)
            })
            .map_err(|error| format!("the file cannot be read: {error}"))?;
        (family.read)(&input::decoded(read), &options).map_err(|error| error.to_string())
    }

    /// A level as the lock names it.
    fn locked(&self, asked: &LevelQuestion) -> LevelName {
        LevelName {
            file: self.file.clone(),
            number: asked.number.unwrap_or(1).max(1),
            title: asked.title.clone(),
            puzzle: self.family.clone(),
            id: asked.id.clone(),
        }
    }

    /// A level as it is now.
    fn now(&self, number: u64, level: &LevelNow) -> LevelName {
        LevelName {
            file: self.file.clone(),
            number,
            title: level.title.clone(),
            puzzle: self.family.clone(),
            id: level.puzzle.as_ref().ok().map(|puzzle| puzzle.identity()),
        }
    }

    /// Judges the results about the file, level by level.
    fn judge(
        &self,
        levels: &[LevelNow],
        lines: &[Locked],
        judge: &Judge<'_>,
        checked: &mut CheckedLock,
    ) {
        // The questions that were asked about the file: one, unless several locks were joined by hand.
        let mut questions: Vec<&LevelQuestion> = Vec::new();
        for (.., asked) in lines {
            if questions.iter().all(|known| known.question != asked.question) {
                questions.push(asked);
            }
        }
        let by_key: HashMap<Key, &Locked> = lines.iter().map(|line| (line.0, line)).collect();
        let mut named = HashSet::new();
        // The levels without a result.
        let (mut now, mut without) = (Vec::new(), Vec::new());
        for (number, level) in (1..).zip(levels) {
            let about = |asked: &&LevelQuestion| {
                let puzzle = level.puzzle.as_ref().ok()?;
                by_key.get(&asked.key_about(puzzle, &level.text)).copied()
            };
            let found: Vec<_> = questions.iter().filter_map(about).collect();
            if found.is_empty() {
                now.push(self.now(number, level));
                without.push(level);
            }
            for (key, line, asked) in found {
                named.insert(*key);
                let judged = match judge.limits.reached_any() {
                    Some(stop) => Err(CheckFailure::Stopped(stop)),
                    None => judge.result(*key, line).and_then(|right| {
                        // A key is a short sum: what counts are the rules and the board themselves.
                        judge.checks.demand("level", is_about(asked, level), || {
                            "the result is about another level".to_owned()
                        })?;
                        Ok(right)
                    }),
                };
                let name = self.now(number, level);
                checked.answers.push(LockCheckAnswer::judged(name, judged));
            }
        }
        // What has no level any more, in the order of the lock, beside the levels without a result.
        let mut left: Vec<_> = lines.iter().filter(|line| !named.contains(&line.0)).collect();
        left.sort_by_key(|(.., asked)| asked.number);
        let before: Vec<_> = left.iter().map(|(.., asked)| self.locked(asked)).collect();
        let places = matched(&before, &now);
        for (((key, line, asked), before), place) in left.into_iter().zip(before).zip(&places) {
            let Some(place) = *place else {
                let fault = Some(format!("level {} is gone", asked.number.unwrap_or_default()));
                checked.answers.push(LockCheckAnswer::new(before, Finding::Gone, fault));
                continue;
            };
            // What the lock says must be right of the level that it was about.
            let judged = judge.result(*key, line);
            let mut answer = LockCheckAnswer::judged(now[place].clone(), judged);
            if matches!(answer.finding, Finding::Valid | Finding::Uncertified) {
                let level = without[place];
                (answer.finding, answer.verdict) = (Finding::Changed, Finding::Changed.verdict());
                answer.certified = false;
                answer.faults = vec![replayed(level, line)];
                if level.puzzle.is_ok() {
                    let text = Some(level.text.clone());
                    let question = LevelQuestion { text, key: None, ..asked.clone() };
                    checked.changed.push(Asked { question, place: checked.answers.len() });
                }
            }
            checked.answers.push(answer);
        }
        for (place, level) in now.into_iter().enumerate() {
            if !places.contains(&Some(place)) {
                let fault = "the level is not locked: `unstuck lock --force` adds it".to_owned();
                checked.answers.push(LockCheckAnswer::new(level, Finding::Unlocked, Some(fault)));
            }
        }
    }
}

/// Whether a result is about a level: these rules and this board.
fn is_about(asked: &LevelQuestion, level: &LevelNow) -> bool {
    let (Ok(then), Ok(now)) = (asked.level(), &level.puzzle) else { return false };
    then.level.puzzle.is_ok_and(|then| then.canonical_text() == now.canonical_text())
}

/// Whether the locked solution still solves a level that has changed.
fn replayed(level: &LevelNow, line: &Value) -> String {
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
        answer.exit = answer.finding.code(allow_uncertified);
    }
    let codes: Vec<u8> = answers.iter().map(|answer| answer.exit).collect();
    let worst = of_checks(&codes);
    let count = |finding| answers.iter().filter(|it| it.finding == finding).count();
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
    let left_out = |it: &LockCheckAnswer| it.finding == Finding::Unlocked || it.exit == 0;
    let are_left_out = worst == INVALID && answers.iter().all(left_out);
    for answer in answers {
        let faults = one_line(&format!("{}: {}", answer.level, answer.faults.join("; ")));
        let text = if answer.faults.is_empty() { String::new() } else { faults + "\n" };
        let answer = Answer::new(answer.exit, answer).saying(text).quietly("");
        driver::show(&answer, answer.printed("check", None, shown), shown);
    }
    driver::sum_up(shown, format!("{text}\n"));
    if are_left_out {
        output::say(
            "help: `unstuck lock --force` adds new levels; those that were left out on purpose \
             (`lock --level`) are accepted with `--allow-uncertified`",
        );
    }
    worst
}
