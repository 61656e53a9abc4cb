//! A farm on many machines that share a file system: the levels that have no answer yet are written
//! down as tasks of some hundred each, and HyperQueue runs these where there is room.
//!
//! A task is `unstuck farm task`, a farm of its own over the levels of its file. What it answers is
//! collected into the store while it runs. See [`Tasks`].

use super::failure;
use super::hq::Job;
use super::run::{Farm, PendingLevels, WorkerResources, program, uncertified, words};
use crate::progress::Display;
use crate::runs::store::{Key, Shard, StoreError, shown};
use crate::runs::tasks::{Collector, Tasks};
use crate::{CommandResult, Failure, applies, arguments};
use clap::{Arg, ArgMatches, Command};
use hashbrown::HashSet;
use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use unstuck::machine::lock;
use unstuck::report::retry::Retry;

/// Time between two looks at the tasks.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Has the tasks run that the work makes; why that is not all done, where it is not.
pub(super) fn run_tasks(
    matches: &ArgMatches,
    means: &WorkerResources,
    work: &mut PendingLevels<'_>,
) -> Result<Option<Unfinished>, Failure> {
    Job::available()?;
    let tasks = Tasks::of(work.farm.store.folder());
    if tasks.exist() {
        let left = earlier(matches, &tasks, work)?;
        if left.is_some() {
            return Ok(left);
        }
    }
    let levels = *matches.get_one::<u32>("task-levels").expect("has a default") as usize;
    let count = tasks.write(work, levels).map_err(|error| failure(&error))?;
    work.farm.fault()?;
    if arguments::interrupt().load(Ordering::Relaxed) || count == 0 {
        tasks.remove()?;
        return Ok((count > 0).then_some(Unfinished::Interrupted));
    }
    let job = Job::submit(matches, means, &tasks, count)?;
    tasks.set_job(job.id())?;
    let before = work.farm.answered();
    // All of them are new.
    let mut take = taking(matches, work.farm, HashSet::new());
    let left = watch(matches, &job, tasks.collector(), work, &mut take)?;
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
    matches: &ArgMatches,
    tasks: &Tasks,
    work: &mut PendingLevels<'_>,
) -> Result<Option<Unfinished>, Failure> {
    let job = tasks.job().map(Job::of);
    let collected = Mutex::new(HashSet::new());
    let mut keep = taking(matches, work.farm, work.known.clone());
    let mut take = |key, line: Value, packed| {
        lock(&collected).insert(key);
        keep(key, line, packed);
    };
    let mut left = None;
    if let Some(job) = job.filter(|job| matches!(job.is_running(), Ok(true))) {
        left = watch(matches, &job, tasks.collector(), work, &mut take)?;
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
    matches: &'a ArgMatches,
    farm: &'a Farm,
    known: HashSet<Key>,
) -> impl FnMut(Key, Value, Vec<u8>) + 'a {
    move |key, line, packed| {
        // What was interrupted there is begun again there, or asked again here.
        let is_whole = !packed.is_empty() || !uncertified(matches, &line);
        if line["stopped_by"] != "interrupted" && is_whole && !known.contains(&key) {
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
    matches: &ArgMatches,
    job: &Job,
    mut collector: Collector,
    work: &PendingLevels<'_>,
    take: &mut dyn FnMut(Key, Value, Vec<u8>),
) -> Result<Option<Unfinished>, Failure> {
    let interrupted = arguments::interrupt();
    let display = Display::new(&format!("HyperQueue job {}", job.id()), matches, None);
    loop {
        let running = job.is_running();
        let stopped = interrupted.load(Ordering::Relaxed);
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
pub(super) fn task(matches: &ArgMatches, tasks: &Tasks, number: &str) -> Vec<OsString> {
    let store = tasks.folder().parent().expect("a folder of a store");
    let store = store.canonicalize().unwrap_or_else(|_| store.to_owned());
    let mut command = vec![program().into_os_string(), "farm".into(), "task".into()];
    command.push(store.into_os_string());
    command.push(format!("--number={number}").into());
    if let Some(workers) = matches.get_one::<u16>("workers") {
        command.push(format!("--workers={workers}").into());
    }
    command.extend(words(matches, &[]));
    command
}

/// How many cores a task has: levels at a time, and threads for each.
pub(super) fn cores(matches: &ArgMatches, means: &WorkerResources) -> usize {
    let threads = matches.get_one::<u16>("threads").map_or(1, |&threads| threads.into());
    means.workers * threads
}

/// The memory of a task in MiB, where one was asked for: the workers' limit, and room for what is
/// not theirs.
pub(super) fn memory(matches: &ArgMatches) -> Option<u64> {
    let limit = matches.get_one::<u64>("memory").filter(|_| applies::given(matches, "memory"))?;
    Some((limit >> 20) + 200)
}

/// The command of a task.
pub(super) fn command() -> Command {
    Command::new("task").hide(true).about("One task of a farm").args(super::question()).args([
        super::store(),
        Arg::new("number").long("number").value_name("N").required(true),
        super::workers(""),
        Arg::new("json").long("json").action(clap::ArgAction::SetTrue),
        Arg::new("quiet").long("quiet").action(clap::ArgAction::SetTrue),
    ])
}

/// One task, as a farm of its own. Its number is given as such, or as the name of the variable that
/// has it.
pub(super) fn run_task(matches: &ArgMatches) -> CommandResult {
    let tasks = Tasks::of(matches.get_one::<PathBuf>("store").expect("required"));
    let number = matches.get_one::<String>("number").expect("required");
    let named = std::env::var(number).unwrap_or_else(|_| number.clone());
    let wrong = || Failure::usage(format!("--number {number}: no number of a task"));
    let number: u32 = named.parse().map_err(|_| wrong())?;
    let asked = tasks.asked(number)?;
    let means = WorkerResources::of(matches, 1);
    let (farm, known) = loop {
        let part = tasks.part(number)?;
        match Farm::open(matches, part, &means, Retry::None) {
            // A process that has lost its scheduler may go on working for a while: that is not
            // lost.
            Err(StoreError::Busy(_)) => thread::sleep(POLL_INTERVAL),
            other => break other?,
        }
        if arguments::interrupt().load(Ordering::Relaxed) {
            return Ok(30);
        }
    };
    let known: HashSet<String> = known.into_iter().map(shown).collect();
    let mut work = asked.filter(|line| !known.contains(line["key"].as_str().unwrap_or_default()));
    let mut work = work.by_ref().map(|mut line| {
        line["limits"] = means.limits.clone();
        line.to_string()
    });
    let stopped = farm.work_off(matches, &means, &Mutex::default(), &mut work)?;
    Ok(if stopped { 30 } else { 0 })
}
