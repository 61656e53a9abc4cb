//! HyperQueue: the program `hq`, asked to run the tasks of a farm.

use crate::commands::farm::FarmArgs;
use crate::commands::farm::cluster::{cores, memory, task};
use crate::commands::farm::run::WorkerResources;
use crate::store::tasks::Tasks;
use crate::terminal::failure::Failure;
use crate::terminal::output;
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};
use unstuck::machine::regular;

/// How often a task may lose its machine.
const CRASHES: &str = "20";

/// A job of HyperQueue's.
#[derive(Debug)]
pub(super) struct Job(String);

/// What the list of jobs says of one.
#[derive(Deserialize)]
struct ListedJob {
    id: u64,
}

impl Job {
    /// A job by its number.
    pub(super) fn of(id: String) -> Self {
        Self(id)
    }

    /// Its number.
    pub(super) fn id(&self) -> &str {
        &self.0
    }

    /// Whether there is a HyperQueue to speak with.
    ///
    /// # Errors
    /// What to do where there is none.
    pub(super) fn available() -> Result<(), Failure> {
        hq(["server", "info"]).map(drop)
    }

    /// Has so many tasks run, in one job: cores and memory are requested for each, and time enough
    /// for one level, since a task whose machine goes away goes on elsewhere.
    ///
    /// # Errors
    /// When HyperQueue does not take them.
    pub(super) fn submit(
        args: &FarmArgs,
        means: &WorkerResources,
        tasks: &Tasks,
        count: u32,
    ) -> Result<Self, Failure> {
        let mut words: Vec<OsString> =
            ["submit", "--output-mode=quiet", "--name=unstuck-farm", "--stdout=none"]
                .map(OsString::from)
                .to_vec();
        words.push(flag("stderr", tasks.errors("%{TASK_ID}").as_os_str()));
        words.push(format!("--array=0-{}", count - 1).into());
        words.push(format!("--cpus={}", cores(args, means)).into());
        words.push(format!("--crash-limit={CRASHES}").into());
        if let Some(memory) = memory(args) {
            words.push(format!("--resource=mem={memory}").into());
        }
        if let Some(time) = means.patience(&args.question) {
            words.push(format!("--time-request={}s", time.as_secs()).into());
        }
        words.push("--".into());
        words.extend(task(args, tasks, "HQ_TASK_ID"));
        let id = hq(words)?.trim().to_owned();
        match id.parse::<u32>() {
            Ok(_) => Ok(Self(id)),
            Err(_) => Err(Failure::usage(format!("hq submit: no number of a job: {id}"))),
        }
    }

    /// Whether tasks of it are waiting or running.
    ///
    /// # Errors
    /// When `hq` does not say.
    pub(super) fn is_running(&self) -> Result<bool, Failure> {
        let jobs = hq(["job", "list", "--output-mode=json"])?;
        let jobs: Vec<ListedJob> = serde_json::from_str(&jobs)
            .map_err(|error| Failure::usage(format!("hq job list: no list: {error}")))?;
        Ok(jobs.iter().any(|job| Some(job.id) == self.0.parse().ok()))
    }

    /// Ends what is waiting or running.
    pub(super) fn cancel(&self) {
        let _ = hq(["job", "cancel", &self.0]);
    }

    /// Reports tasks that failed: the first reason.
    pub(super) fn printed(&self, tasks: &Tasks) {
        let reasons = (0..tasks.count())
            .map(|number| tasks.errors(&number.to_string()))
            .filter_map(|path| regular::read_text(&path, regular::MOST).ok());
        let mut reasons = reasons.filter(|text| !text.trim().is_empty());
        if let Some(first) = reasons.next() {
            let more = 1 + reasons.count();
            output::say(format!(
                "{more} of the tasks had errors; the first:\n{}",
                crate::terminal::text::cut(first.trim())
            ));
        }
    }
}

fn flag(name: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    word
}

/// Runs `hq` and gives what it prints.
fn hq(words: impl IntoIterator<Item: AsRef<OsStr>>) -> Result<String, Failure> {
    let ran = Command::new("hq").args(words).stdin(Stdio::null()).output();
    let ran = ran.map_err(|error| {
        Failure::usage(format!("--cluster hq: the program `hq` cannot be run: {error}")).help(
            "HyperQueue is one file: unpack the release for your machine (github.com/\
             It4innovations/hyperqueue) into a folder of PATH, then `hq server start` and, on each \
             machine, `hq worker start`",
        )
    })?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let printed = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
    Err(Failure::usage(format!("--cluster hq: {printed}"))
        .help("is a server running? `hq server start`, and `hq worker start` on each machine"))
}
