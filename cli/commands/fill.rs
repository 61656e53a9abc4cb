//! Has questions about levels answered by workers, and keeps what they answer: what `solve --store`,
//! `bench` and `lock` have in common. What a store knows already is not asked again.

use crate::input::SelectedLevel;
use crate::runner::frame::Frame;
use crate::runner::processes::Processes;
use crate::runner::{JobEnd, Memory, Pool};
use crate::store::derive::Recalled;
use crate::store::open_store::OpenStore;
use crate::store::result::{GivenLimits, LevelQuestion, LevelResult};
use crate::store::retry::{Retry, merged, should_retry};
use crate::store::shards::{Store, StoreError};
use crate::terminal::failure::Failure;
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};
use unstuck::machine::{lock, resident_memory_of, sleep};
use unstuck::report::LevelAnswer;
use unstuck_puzzles::Objective;

/// Time between two writings to disk that outlive a loss of power.
const SYNC_INTERVAL: Duration = Duration::from_secs(10);

/// What a level may take beyond its time limit before its worker is ended.
const GRACE_TIME: Duration = Duration::from_secs(10);

/// How long a worker may hold too much memory before it is ended.
const ROOM_TIME: Duration = Duration::from_secs(5);

/// A worker that holds more than this part of its equal share between two levels makes room for a new
/// one.
const KEPT_SHARE: u64 = 4;

/// Time between two looks whether another process still writes a store.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The command by which the program starts itself: its own file, unless it runs inside another one.
pub(crate) static OWN_COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Who works, and within which limits.
#[derive(Clone, Copy)]
pub(crate) struct Workers {
    /// Levels at a time.
    pub count: usize,
    /// Threads of each.
    pub threads: usize,
    /// Whether each verdict is certified.
    pub prove: bool,
    /// Whether each question has a process of its own, which is measured.
    pub once: bool,
    /// Time for a level, and memory of all together.
    pub limits: LimitArgs,
}

impl Workers {
    /// Memory that one worker may take when the others leave it: all of it where the system reports
    /// what each holds, else its equal part.
    fn memory(&self) -> Option<u64> {
        let can_share = resident_memory_of(std::process::id()).is_some();
        let memory = self.limits.memory();
        memory.map(|all| if can_share { all } else { all / self.count as u64 })
    }

    /// The limits of a level, as results have them.
    pub(crate) fn given(&self) -> GivenLimits {
        GivenLimits::new(self.limits.timeout, self.memory())
    }

    /// How long a level may take until its worker is ended. A certificate gets the same time again.
    fn patience(&self) -> Option<Duration> {
        let times = if self.prove { 2 } else { 1 };
        self.limits.timeout.map(|time| time * times * 5 / 4 + GRACE_TIME)
    }

    /// The command of a worker.
    fn command(&self) -> Command {
        let own = OWN_COMMAND.get_or_init(|| {
            let program = std::env::current_exe();
            vec![program.map_or_else(|_| OsString::from("unstuck"), PathBuf::into_os_string)]
        });
        let mut command = Command::new(&own[0]);
        command.args(&own[1..]).arg("_work").arg(format!("--threads={}", self.threads));
        command.args(self.prove.then_some("--prove")).args(self.once.then_some("--once"));
        if let Some(time) = self.limits.timeout {
            command.arg(format!("--timeout={}", time.as_secs_f64()));
        }
        if let Some(memory) = self.memory() {
            let keep = memory / self.count as u64 / KEPT_SHARE;
            command.arg(format!("--memory={}k", (memory >> 10).max(1)));
            command.arg(format!("--keep={}k", (keep >> 10).max(1)));
        }
        command
    }
}

/// Opens a store for writing. One that another process is writing is waited for where that is asked: a
/// task that was begun again may find its predecessor still at work.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn opened(store: &Store, waits: bool) -> Result<OpenStore, Failure> {
    let mut is_said = false;
    loop {
        match OpenStore::open(store.clone()) {
            Err(busy @ StoreError::Busy(_)) if waits && !guard::is_interrupted() => {
                if !is_said {
                    output::say(format!("note: {}: waiting for it", Failure::from(busy).message));
                    is_said = true;
                }
                sleep(POLL_INTERVAL);
            }
            opened => return Ok(opened?),
        }
    }
}

/// What is asked, and what it is known by when its answer comes.
pub(crate) struct Asked<T> {
    pub question: LevelQuestion,
    pub place: T,
}

impl<T> fmt::Display for Asked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.question.fmt(f)
    }
}

/// A store that is filled, or results that are only passed on.
pub(crate) struct Fill {
    pub store: Option<OpenStore>,
    pub workers: Workers,
    pub retry: Retry,
    /// What ended it.
    fault: Mutex<Option<Failure>>,
    stopped: AtomicBool,
}

impl Fill {
    pub(crate) fn new(store: Option<OpenStore>, workers: Workers, retry: Retry) -> Self {
        Self { store, workers, retry, fault: Mutex::default(), stopped: AtomicBool::new(false) }
    }

    /// What the store knows of a level, derived again, unless it is to be asked again. What cannot be
    /// is not taken.
    pub(crate) fn known(
        &self,
        asked: &LevelQuestion,
        chosen: &SelectedLevel,
    ) -> Option<LevelResult> {
        let line = self.line(asked)?;
        let again = should_retry(&line, self.retry, asked.limits) || self.lacks_certificate(&line);
        if again { None } else { recalled(asked, chosen, &line) }
    }

    fn line(&self, asked: &LevelQuestion) -> Option<LevelResult> {
        let found = self.store.as_ref()?.find(asked.stored_key()?);
        found.unwrap_or_else(|error| {
            self.fail(error.into());
            None
        })
    }

    /// Whether a result lacks the certificate that is wanted now, and could have one.
    fn lacks_certificate(&self, line: &LevelResult) -> bool {
        let settled = line.asked.certificate.is_none() && line.answer.not_certified.is_none();
        self.workers.prove && settled && line.answer.verdict != "error"
    }

    /// Whether nothing is to be handed out any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || guard::is_interrupted()
    }

    /// Ends it all.
    pub(crate) fn fail(&self, failure: Failure) {
        lock(&self.fault).get_or_insert(failure);
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Has all questions answered. Each result is kept and passed on, with the place of its question and
    /// the bytes of its certificate; `tick` is called now and then. Gives whether Ctrl-C ended it.
    ///
    /// # Errors
    /// When a worker cannot be started, or a result cannot be kept.
    pub(crate) fn run<T: Send + Sync>(
        &self,
        work: &mut (dyn Iterator<Item = Asked<T>> + Send),
        take: &(dyn Fn(T, LevelResult, u64) + Sync),
        tick: &mut dyn FnMut(),
    ) -> Result<bool, Failure> {
        let limit = self.workers.memory();
        let pool = Pool {
            runner: &Processes { command: &|| self.workers.command(), held: resident_memory_of },
            workers: self.workers.count,
            patience: self.workers.patience(),
            memory: limit.map(|limit| Memory { limit, room_time: ROOM_TIME, is_one: false }),
            stop: &|| self.is_stopped(),
        };
        let mut synced = Instant::now();
        let ended = pool.run(work, &|asked, end| self.take(asked, end, take), &mut || {
            tick();
            if synced.elapsed() > SYNC_INTERVAL {
                synced = Instant::now();
                self.sync();
            }
        });
        self.sync();
        ended.map_err(|error| Failure::internal(format!("a worker cannot be started: {error}")))?;
        lock(&self.fault).take().map_or(Ok(()), Err)?;
        Ok(guard::is_interrupted())
    }

    fn sync(&self) {
        if let Some(Err(error)) = self.store.as_ref().map(OpenStore::sync) {
            self.fail(error.into());
        }
    }

    /// Keeps what came of a level, and passes it on.
    fn take<T>(
        &self,
        Asked { question: asked, place }: Asked<T>,
        end: JobEnd<Frame>,
        take: &(dyn Fn(T, LevelResult, u64) + Sync),
    ) {
        let none = Vec::new();
        let (line, certificate) = match end {
            JobEnd::Answered(Frame { text, bytes, .. }) => match serde_json::from_str(&text) {
                Ok(line) => (line, bytes),
                Err(_) => return self.fail(Failure::internal("a worker sent no result")),
            },
            JobEnd::Lost(how) => (lost(asked, &how), none),
            JobEnd::Ended(stop) => (LevelResult::unheeded(asked, stop), none),
        };
        let line = if certificate.is_empty() { self.with_earlier(line) } else { line };
        if let (Some(store), Some(key)) = (&self.store, line.asked.stored_key())
            && let Err(error) = store.keep(key, line.clone(), &certificate)
        {
            return self.fail(error.into());
        }
        take(place, line, certificate.len() as u64);
    }

    /// The result of a level that was tried again, with what the store knew and it does not.
    fn with_earlier(&self, line: LevelResult) -> LevelResult {
        if line.is_settled() {
            return line;
        }
        let earlier = self.line(&line.asked).and_then(|earlier| {
            let chosen = line.asked.level().ok()?;
            recalled(&line.asked, &chosen, &earlier)
        });
        match earlier {
            Some(earlier) => merged(earlier.answer, line),
            None => line,
        }
    }
}

/// What a line of a store says of a level, derived again; nothing where it contradicts itself.
fn recalled(
    asked: &LevelQuestion,
    chosen: &SelectedLevel,
    line: &LevelResult,
) -> Option<LevelResult> {
    let instances = chosen.instances(Objective::from_name(&asked.question.objective)).ok()?;
    Some(Recalled::taken(asked, chosen, &instances, line)?.result)
}

/// The result of a level of which every worker died.
fn lost(asked: LevelQuestion, how: &str) -> LevelResult {
    let message = format!("this level crashed every worker that tried it; the last one: {how}");
    let failure = Failure::internal(message).help("please report it, with the level");
    let verdict = "crashed".to_owned();
    LevelResult::new(asked, LevelAnswer { verdict, ..failure.answer() })
}
