//! A farm on many machines that share a file system: the levels that have no answer yet are written
//! down as tasks of some hundred each, and HyperQueue runs these where there is room.
//!
//! A task is `unstuck farm task`, a farm of its own over the levels of its file. What it answers is
//! collected into the store while it runs. See [`Tasks`].

use crate::commands::farm::hq::Job;
use crate::commands::farm::run::{Farm, PendingLevels, WorkerResources, program, uncertified};
use crate::commands::farm::{FarmArgs, QuestionArgs, StoreArgs, WorkerArgs, failure};
use crate::driver::{Run, Watched};
use crate::input::args::{Given, GivenOption};
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::retry::Retry;
use crate::store::shards;
use crate::store::shards::{Key, Shard, StoreError};
use crate::store::tasks::{Collector, Tasks};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard;
use crate::terminal::output::OutputArgs;
use crate::terminal::progress::Display;
use clap::Args;
use hashbrown::HashSet;
use std::ffi::OsString;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use unstuck::machine::lock;

/// Time between two looks at the tasks.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Has the tasks run that the work makes; why that is not all done, where it is not.
pub(super) fn run_tasks(
    args: &FarmArgs,
    means: &WorkerResources,
    work: &mut PendingLevels<'_>,
) -> Result<Option<Unfinished>, Failure> {
    Job::available()?;
    let tasks = Tasks::of(work.farm.store.folder());
    if tasks.exist() {
        let left = earlier(args, &tasks, work)?;
        if left.is_some() {
            return Ok(left);
        }
    }
    let count =
        tasks.write(work, args.task_levels.get() as usize).map_err(|error| failure(&error))?;
    work.farm.fault()?;
    if guard::is_interrupted() || count == 0 {
        tasks.remove()?;
        return Ok((count > 0).then_some(Unfinished::Interrupted));
    }
    let job = Job::submit(args, means, &tasks, count)?;
    tasks.set_job(job.id())?;
    let before = work.farm.answered();
    // All of them are new.
    let mut take = taking(&args.question, work.farm, HashSet::new());
    let left = watch(args.output.output, &job, tasks.collector(), work, &mut take)?;
    let asked = lock(work.counts).asked();
    if left.is_none() && work.farm.answered() < before + asked {
        job.printed(&tasks);
        tasks.remove()?;
        return Ok(Some(Unfinished::Failed));
    }
    tasks.remove()?;
    Ok(left)
}

/// Collects what the tasks of an earlier run have; why they are not done with, where they are not.
fn earlier(
    args: &FarmArgs,
    tasks: &Tasks,
    work: &mut PendingLevels<'_>,
) -> Result<Option<Unfinished>, Failure> {
    let job = tasks.job().map(Job::of);
    let collected = Mutex::new(HashSet::new());
    let mut keep = taking(&args.question, work.farm, work.known.clone());
    let mut take = |key, line: LevelResult, packed| {
        lock(&collected).insert(key);
        keep(key, line, packed);
    };
    let mut left = None;
    if let Some(job) = job.filter(|job| matches!(job.is_running(), Ok(true))) {
        left = watch(args.output.output, &job, tasks.collector(), work, &mut take)?;
    } else {
        tasks.collector().collect(&mut take).map_err(|error| failure(&error))?;
        work.farm.fault()?;
        let busy = (0..tasks.count()).filter(|&number| is_busy(tasks, number)).count();
        if busy > 0 {
            return Ok(Some(Unfinished::Busy));
        }
    }
    work.known.extend(lock(&collected).drain());
    tasks.remove()?;
    Ok(left)
}

/// Why a farm on many machines is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// Ctrl-C.
    Interrupted,
    /// Tasks of an earlier run are still at work.
    Busy,
    /// Tasks ended without having answered everything.
    Failed,
}

impl Unfinished {
    /// As the beginning of a sentence that ends with what to do.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::Busy => "tasks are still running",
            Self::Failed => "tasks failed",
        }
    }
}

/// Keeps what is collected, but for what is known.
fn taking<'a>(
    question: &'a QuestionArgs,
    farm: &'a Farm,
    known: HashSet<Key>,
) -> impl FnMut(Key, LevelResult, Vec<u8>) + 'a {
    move |key, line, packed| {
        // What was interrupted there is begun again there, or asked again here.
        let is_whole = !packed.is_empty() || !uncertified(question, &line);
        let is_interrupted = line.answer.stopped_by.as_deref() == Some("interrupted");
        if !is_interrupted && is_whole && !known.contains(&key) {
            farm.keep(line, &packed);
        }
    }
}

/// Whether a process is working on a task.
fn is_busy(tasks: &Tasks, number: u32) -> bool {
    let part = tasks.part(number);
    part.is_ok_and(|part| matches!(Shard::open(&part, 0, &mut |_, _| {}), Err(StoreError::Busy(_))))
}

/// Collects what comes of a job until it ends.
fn watch(
    output: OutputArgs,
    job: &Job,
    mut collector: Collector,
    work: &PendingLevels<'_>,
    take: &mut dyn FnMut(Key, LevelResult, Vec<u8>),
) -> Result<Option<Unfinished>, Failure> {
    let display = Display::new(&format!("HyperQueue job {}", job.id()), output, None);
    loop {
        let running = job.is_running();
        let stopped = guard::is_interrupted();
        if stopped {
            job.cancel();
        }
        collector.collect(take).map_err(|error| failure(&error))?;
        work.farm.fault()?;
        display.say(&work.farm.progress(&lock(work.counts)));
        // Ctrl-C reaches `hq` too, which then cannot say anything.
        if stopped || !running? {
            work.farm.sync();
            return Ok(stopped.then_some(Unfinished::Interrupted));
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// The words of a task, without its number: those in which we were asked, and the store.
pub(super) fn task(args: &FarmArgs, tasks: &Tasks, number: &str) -> Vec<OsString> {
    let store = tasks.folder().parent().expect("a folder of a store");
    let store = store.canonicalize().unwrap_or_else(|_| store.to_owned());
    let mut command = vec![program().into_os_string(), "farm".into(), "task".into()];
    command.push(store.into_os_string());
    command.push(format!("--number={number}").into());
    if let Some(workers) = args.workers.workers {
        command.push(format!("--workers={workers}").into());
    }
    command.extend(args.question.words.iter().map(GivenOption::word));
    command
}

/// How many cores a task has: levels at a time, and threads for each.
pub(super) fn cores(args: &FarmArgs, means: &WorkerResources) -> usize {
    means.workers * args.question.solve.threads.threads.map_or(1, |it| it.get().into())
}

/// The memory of a task in MiB, where one was asked for: the workers' limit, and room for what is
/// not theirs.
pub(super) fn memory(args: &FarmArgs) -> Option<u64> {
    Some((args.question.limits.memory? >> 20) + 200)
}

/// One task of a farm
#[derive(Args)]
pub(crate) struct TaskCommand {
    #[command(flatten)]
    question: Given<QuestionArgs>,
    #[command(flatten)]
    store: StoreArgs,
    /// The number of the task, or the name of the variable that has it
    #[arg(long, value_name = "N")]
    number: String,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// One task, as a farm of its own.
impl Run for TaskCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.output.json, limits: Some(self.question.limits) }
    }

    fn run(&'static self) -> CommandResult {
        guard::signals_only();
        let (question, number) = (&self.question, &self.number);
        let tasks = Tasks::of(self.store.folder());
        let named = std::env::var(number).unwrap_or_else(|_| number.clone());
        let wrong = || Failure::usage(format!("--number {number}: no number of a task"));
        let number: u32 = named.parse().map_err(|_| wrong())?;
        let asked = tasks.asked(number)?;
        let means = WorkerResources::of(question, &self.workers, 1);
        let (farm, known) = loop {
            let part = tasks.part(number)?;
            match Farm::open(question, part, &means, Retry::None) {
                // A process that has lost its scheduler may go on working for a while: that is not
                // lost.
                Err(StoreError::Busy(_)) => thread::sleep(POLL_INTERVAL),
                other => break other?,
            }
            if guard::is_interrupted() {
                return Ok(30);
            }
        };
        let key = |asked: &LevelQuestion| asked.key.as_deref().and_then(shards::key_of);
        let work = asked.filter(|asked| key(asked).is_none_or(|key| !known.contains(&key)));
        let mut work =
            work.map(|asked| LevelQuestion { limits: means.limits, ..asked }.to_string());
        let stopped = farm.work_off(question, self.output, &means, &Mutex::default(), &mut work)?;
        Ok(if stopped { 30 } else { 0 })
    }
}
