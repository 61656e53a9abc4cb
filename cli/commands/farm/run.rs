//! Hands levels out to workers and keeps what they answer.

use crate::answer::json;
use crate::commands::farm::cluster;
use crate::commands::farm::cluster::Unfinished;
use crate::commands::farm::summary::Summary;
use crate::commands::farm::{FarmArgs, QuestionArgs, WorkerArgs, failure};
use crate::input::applies;
use crate::input::applies::Demand;
use crate::input::args::{Given, GivenOption};
use crate::input::{Levels, SelectedLevel, SelectedLevels};
use crate::store::pool::{JobEnd, Memory, Pool};
use crate::store::question;
use crate::store::result::{GivenLimits, LevelQuestion, LevelResult};
use crate::store::retry::{Retry, should_retry};
use crate::store::shards;
use crate::store::shards::{Key, Shard, Store, StoreError};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::OutputArgs;
use crate::terminal::progress::Display;
use crate::terminal::values;
use crate::terminal::{guard, output};
use hashbrown::HashSet;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command as Process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unstuck::limits::Stop;
use unstuck::machine::{all_threads, lock, peak_memory, resident_memory_of};
use unstuck::report::{Field, LevelAnswer};

/// Time between two writings to disk that outlive a loss of power.
const SYNC_INTERVAL: Duration = Duration::from_secs(10);

/// Time between two changes of what is shown.
const DISPLAY_INTERVAL: Duration = Duration::from_millis(500);

/// What a level may take beyond its time limit before its worker is ended.
const GRACE_TIME: Duration = Duration::from_secs(10);

/// How long a worker may hold too much memory before it is ended.
const ROOM_TIME: Duration = Duration::from_secs(5);

/// A worker that holds more than this part of its equal share between two levels makes room for a new
/// one.
const KEPT_SHARE: u64 = 4;

pub(super) fn run(args: &FarmArgs) -> CommandResult {
    let question = &args.question;
    question.solve.solver.check()?;
    let horizon = question.solve.horizon()?;
    let levels = Levels::of(&args.files, &question.reading.family)?;
    let store = Store::begin(&args.store, args.shards).map_err(|error| failure(&error))?;
    let workers = if args.cluster.is_some() { 1 } else { all_threads() };
    let means = WorkerResources::of(question, &args.workers, workers);
    let (farm, known) =
        Farm::open(question, store, &means, args.retry).map_err(|error| failure(&error))?;
    let counts = Mutex::new(ReadCounts::default());
    let families = BTreeSet::new();
    let farm = &farm;
    let mut work = PendingLevels {
        question,
        horizon,
        means: &means,
        levels,
        known,
        families,
        counts: &counts,
        farm,
    };
    let output = args.output.output;
    let left = if args.cluster.is_some() {
        cluster::run_tasks(args, &means, &mut work)?
    } else {
        let stopped = farm.work_off(question, output, &means, &counts, &mut work)?;
        stopped.then_some(Unfinished::Interrupted)
    };
    let passed = work.levels.passed_over();
    let counts = lock(&counts).clone();
    Ok(farm.tell(output, &counts, passed, left))
}

/// Whether a result lacks the certificate that is wanted now, and could have one.
pub(super) fn uncertified(question: &QuestionArgs, line: &LevelResult) -> bool {
    let settled = line.asked.certificate.is_none() && line.answer.not_certified.is_none();
    question.prove && settled && line.answer.verdict != "error"
}

/// What workers are given.
pub(super) struct WorkerResources {
    /// How many there are; in a cluster, of each task.
    pub workers: usize,
    /// Memory that one worker may take when the others leave it, in bytes: all of it where the
    /// system reports what each holds, else its equal part.
    memory: Option<u64>,
    /// The limits of a level, as results have them.
    pub limits: GivenLimits,
}

impl WorkerResources {
    /// What was asked for; so many workers where no number was.
    pub(super) fn of(question: &QuestionArgs, given: &WorkerArgs, workers: usize) -> Self {
        let workers = given.workers.map_or(workers, Into::into);
        let memory = question.limits.memory();
        let can_share = resident_memory_of(std::process::id()).is_some();
        let memory = memory.map(|all| if can_share { all } else { all / workers as u64 });
        Self { workers, memory, limits: GivenLimits::new(question.limits.timeout, memory) }
    }

    /// How long a level may take until its worker is ended.
    pub(super) fn patience(&self, question: &QuestionArgs) -> Option<Duration> {
        // A certificate gets the same time again.
        let times = if question.prove { 2 } else { 1 };
        question.limits.timeout.map(|time| time * times * 5 / 4 + GRACE_TIME)
    }

    /// The command of a worker. Of an option that is there twice the last counts.
    fn command(&self, question: &Given<QuestionArgs>) -> Process {
        let mut command = Process::new(program());
        command.args(["farm", "work", "--threads=1"]);
        command.args(question.words.iter().map(GivenOption::word));
        if let Some(memory) = self.memory {
            let keep = memory / self.workers as u64 / KEPT_SHARE;
            command.arg(format!("--memory={}k", (memory >> 10).max(1)));
            command.arg(format!("--keep={}k", (keep >> 10).max(1)));
        }
        command
    }
}

/// This program.
pub(super) fn program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("unstuck"))
}

/// A run of a farm.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FarmAnswer<'a> {
    /// The folder of the store.
    store: &'a str,
    /// Levels that were read.
    read: u64,
    /// Those that had an answer before.
    known: u64,
    /// Levels and files that cannot be read.
    unread: u64,
    /// What came out of the others.
    answered: Summary,
    /// Whether something is left to do.
    interrupted: bool,
    /// Wall-clock time.
    seconds: f64,
    /// The most memory that the farm itself has held, without its workers.
    peak_memory_bytes: Option<u64>,
    /// The exit code.
    exit: u8,
}

/// What has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadCounts {
    /// Levels that were read.
    levels: u64,
    /// Those that the store has an answer of, or that came before.
    known: u64,
    /// Levels and files that could not be read.
    unread: u64,
    /// The part of all files that was read, where that can be known.
    part: Option<f64>,
}

impl ReadCounts {
    /// Levels that are asked.
    pub(super) fn asked(&self) -> u64 {
        self.levels - self.known - self.unread
    }
}

/// The levels that have no answer yet, each as what is asked of it.
pub(super) struct PendingLevels<'a> {
    question: &'a QuestionArgs,
    horizon: Option<u32>,
    means: &'a WorkerResources,
    levels: Levels<'a>,
    /// What needs no work: it has an answer, or came before.
    pub known: HashSet<Key>,
    families: BTreeSet<&'static str>,
    pub counts: &'a Mutex<ReadCounts>,
    pub farm: &'a Farm,
}

impl Iterator for PendingLevels<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            if self.farm.stopped.load(Ordering::Relaxed) {
                return None;
            }
            let one = self.levels.next()?;
            let part = self.levels.part();
            let asked = match one {
                Ok(chosen) => self.asked(chosen),
                Err(unread) => Err((unread.failure, false)),
            };
            let mut counts = lock(self.counts);
            counts.part = part;
            counts.levels += 1;
            match asked {
                Ok(Some(asked)) => return Some(asked),
                Ok(None) => counts.known += 1,
                Err((failure, true)) => {
                    self.farm.fail(failure);
                    return None;
                }
                Err((failure, false)) => {
                    counts.unread += 1;
                    drop(counts);
                    output::complain(&failure);
                }
            }
        }
    }
}

impl PendingLevels<'_> {
    /// Refuses options that a family has no use for.
    fn check(&self, one: &SelectedLevels) -> Result<(), Failure> {
        let QuestionArgs { reading, solve, count, .. } = self.question;
        let several = "is played in moves: one shortest solution is looked for";
        applies::check(one, [Demand::no_moves("count", count.is_some(), several)])?;
        applies::solving(solve, reading.objective, one)
    }

    /// What is asked of a level; nothing when the answer is known. A failure that ends everything
    /// is distinguished from one of the level alone.
    fn asked(&mut self, chosen: SelectedLevel) -> Result<Option<String>, (Failure, bool)> {
        let family = chosen.family.name;
        let one = vec![Ok(chosen)];
        if self.families.insert(family) {
            self.check(&one).map_err(|failure| (failure, true))?;
        }
        let chosen = one.into_iter().flatten().next().expect("one level was put in");
        chosen.opened().map_err(|failure| (failure, false))?;
        let QuestionArgs { reading, solve, limits, .. } = self.question;
        let (objective, search) = (reading.objective, self.question.search());
        let asked = question::asked(&chosen, objective, (solve, limits), search, self.horizon);
        let asked = asked.map_err(|failure| (failure, true))?;
        let key = shards::key(&asked, &chosen.level.text);
        // Levels that are the same are asked once.
        if !self.known.insert(key) {
            return Ok(None);
        }
        Ok(Some(asked.in_store(key, chosen.level.text, self.means.limits).to_string()))
    }
}

/// What answers come to.
pub(super) struct Farm {
    pub store: Store,
    shards: Vec<Mutex<Shard>>,
    printed: Mutex<Summary>,
    /// What ended it.
    fault: Mutex<Option<Failure>>,
    stopped: AtomicBool,
    begun: Instant,
}

impl Farm {
    /// Opens a store for writing: with what in it needs no more work.
    pub(super) fn open(
        question: &QuestionArgs,
        store: Store,
        means: &WorkerResources,
        retry: Retry,
    ) -> Result<(Self, HashSet<Key>), StoreError> {
        let mut known: HashSet<Key> = HashSet::new();
        let mut shards = Vec::new();
        for number in 0..store.shards() {
            let shard = Shard::open(&store, number, &mut |key, line| {
                if should_retry(line, retry, means.limits) || uncertified(question, line) {
                    known.remove(&key);
                } else {
                    known.insert(key);
                }
            });
            shards.push(Mutex::new(shard?));
        }
        let farm = Self {
            store,
            shards,
            printed: Mutex::default(),
            fault: Mutex::default(),
            stopped: AtomicBool::new(false),
            begun: Instant::now(),
        };
        Ok((farm, known))
    }

    /// Has workers of this machine do the work; whether they were interrupted.
    pub(super) fn work_off(
        &self,
        question: &Given<QuestionArgs>,
        output: OutputArgs,
        means: &WorkerResources,
        counts: &Mutex<ReadCounts>,
        work: &mut (dyn Iterator<Item = String> + Send),
    ) -> Result<bool, Failure> {
        let display = Display::new("farm", output, None);
        let (mut synced, mut shown) = (Instant::now(), Instant::now());
        let pool = Pool {
            command: &|| means.command(question),
            workers: means.workers,
            patience: means.patience(question),
            memory: means.memory.map(|limit| Memory {
                limit,
                held: &resident_memory_of,
                room_time: ROOM_TIME,
            }),
            stop: &|| guard::is_interrupted() || self.stopped.load(Ordering::Relaxed),
        };
        let ended = pool.run(work, &|asked, ended| self.take(asked, ended), &mut || {
            if shown.elapsed() > DISPLAY_INTERVAL {
                shown = Instant::now();
                display.say(&self.progress(&lock(counts)));
            }
            if synced.elapsed() > SYNC_INTERVAL {
                synced = Instant::now();
                self.sync();
            }
        });
        drop(display);
        self.sync();
        ended.map_err(|error| Failure::internal(format!("a worker cannot be started: {error}")))?;
        self.fault()?;
        Ok(guard::is_interrupted())
    }

    /// How many answers were kept.
    pub(super) fn answered(&self) -> u64 {
        lock(&self.printed).levels
    }

    /// What ended it, where that was a fault.
    pub(super) fn fault(&self) -> Result<(), Failure> {
        lock(&self.fault).take().map_or(Ok(()), Err)
    }

    fn fail(&self, failure: Failure) {
        lock(&self.fault).get_or_insert(failure);
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Keeps what came of a level.
    fn take(&self, asked: &str, ended: JobEnd) {
        let asked = || serde_json::from_str(asked).unwrap_or_default();
        match ended {
            JobEnd::Answered(frame) => {
                self.keep(serde_json::from_str(&frame.text).unwrap_or_default(), &frame.bytes);
            }
            JobEnd::Lost(how) => self.keep(lost(asked(), &how), &[]),
            JobEnd::Late => self.keep(unheeded(asked(), Stop::Time), &[]),
            JobEnd::Large => self.keep(unheeded(asked(), Stop::Memory), &[]),
        }
    }

    /// Keeps a result with its packed certificate.
    pub(super) fn keep(&self, line: LevelResult, certificate: &[u8]) {
        let Some(key) = line.asked.key.as_deref().and_then(shards::key_of) else {
            return self.fail(Failure::internal("a worker sent something other than a result"));
        };
        let bytes = Some(certificate.len() as u64).filter(|&bytes| bytes > 0);
        lock(&self.printed).add(&line.answer, bytes);
        let shard = &self.shards[self.store.shard_of(key) as usize];
        if let Err(error) = lock(shard).append(line, certificate) {
            self.fail(failure(&error));
        }
    }

    pub(super) fn sync(&self) {
        for shard in &self.shards {
            if let Err(error) = lock(shard).sync() {
                self.fail(failure(&error));
            }
        }
    }

    /// How far it is: rate, and what remains where that can be known.
    pub(super) fn progress(&self, counts: &ReadCounts) -> String {
        let printed = lock(&self.printed);
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        let mut text =
            format!("{}, {:.0} a second", printed.text(), printed.levels as f64 / seconds);
        if counts.known > 0 {
            text.push_str(&format!(", {} already in the store", counts.known));
        }
        if let Some(part) = counts.part.filter(|&part| part > 0.0) {
            let left = Duration::try_from_secs_f64(seconds * (1.0 - part) / part);
            let left = values::shown_time(left.unwrap_or(Duration::MAX));
            text.push_str(&format!("; {:.0} % read, {left} left", 100.0 * part));
        }
        text
    }

    /// Prints the result, and returns the exit code.
    fn tell(
        &self,
        OutputArgs { json, quiet }: OutputArgs,
        counts: &ReadCounts,
        passed: Option<String>,
        left: Option<Unfinished>,
    ) -> u8 {
        let printed = lock(&self.printed).clone();
        let seconds = self.begun.elapsed().as_secs_f64();
        let code = match printed.exit() {
            worse @ (70 | 2) => worse,
            _ if counts.unread > 0 => 2,
            _ if left.is_some() => 30,
            other => other,
        };
        let store = self.store.folder().display().to_string();
        if json {
            let fields = FarmAnswer {
                store: &store,
                read: counts.levels,
                known: counts.known,
                unread: counts.unread,
                answered: printed,
                interrupted: left.is_some(),
                seconds,
                peak_memory_bytes: peak_memory(),
                exit: code,
            };
            output::print(format!("{}\n", json::object("farm", fields)));
        } else if !quiet {
            let mut text = format!("{}\n", printed.text());
            if counts.known > 0 {
                text.push_str(&format!("already in the store: {}\n", counts.known));
            }
            if counts.unread > 0 {
                text.push_str(&format!("not read: {}\n", counts.unread));
            }
            passed.into_iter().for_each(|passed| text.push_str(&format!("{passed}\n")));
            let rate = printed.levels as f64 / seconds.max(0.001);
            let time = values::shown_seconds(seconds);
            text.push_str(&format!("{time}, {rate:.0} levels a second; store: {store}\n"));
            if let Some(left) = left {
                text.push_str(&format!("{}: repeat the command to resume\n", left.text()));
            }
            output::print(&text);
        }
        code
    }
}

/// The result of a level of which every worker died.
fn lost(asked: LevelQuestion, how: &str) -> LevelResult {
    let message = format!("this level crashed every worker that tried it; the last one: {how}");
    let failure = Failure::internal(message).help("please report it, with the level");
    let verdict = "crashed".to_owned();
    LevelResult::new(asked, LevelAnswer { verdict, ..failure.answer() })
}

/// The result of a level whose worker did not heed a limit.
pub(super) fn unheeded(asked: LevelQuestion, stop: Stop) -> LevelResult {
    let sentence = format!("unknown: {stop}; the worker did not react and was terminated");
    let unknown = LevelAnswer {
        reading: Field::null(),
        verdict: "unknown".to_owned(),
        exit: 30.into(),
        sentence: sentence.into(),
        horizon: Field::null(),
        stopped_by: stop.name().to_owned().into(),
        solution: Field::null(),
        lower: Field::null(),
        upper: Field::null(),
        optimal: Field::null(),
        certified: false.into(),
        shown_by: Field::null(),
        ..LevelAnswer::default()
    };
    LevelResult::new(asked, unknown)
}
