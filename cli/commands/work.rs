//! A worker: answers one question after the other until it is given no more.
//!
//! It reads frames from standard input, each the object of a level with its text, and answers each
//! with the object completed. When its input ends it ends, whatever it is doing: there is nothing
//! left that takes an answer.

use crate::commands::solve::solved::SolvedLevel;
use crate::driver::{Run, Watched};
use crate::input::SelectedLevel;
use crate::input::args::ThreadArgs;
use crate::runner::frame::Frame;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::{pack, shards};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::{screen, values};
use clap::Args;
use std::io::{BufReader, stdin, stdout};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::prove::{EvidenceKind, ProofOptions, ProofTask, ProveError, prove_in};
use unstuck::limits::Stop;
use unstuck::machine::{processor_time, resident_memory};
use unstuck::solve::Request;
use unstuck_puzzles::Objective;

/// How long dead patterns are looked for where a level was solved at once, and how many times as long
/// as that took elsewhere.
const LEARNING_TIME: Duration = Duration::from_secs(2);
const LEARNING_TIMES: u32 = 20;

/// What workers of `solve --store` and `bench` run
#[derive(Args)]
pub(crate) struct WorkCommand {
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Certify each verdict
    #[arg(long)]
    pub prove: bool,
    /// Answer one question, measure it, and end
    #[arg(long)]
    pub once: bool,
    /// Memory it may hold between two levels; above that it is replaced
    #[arg(long, value_parser = values::memory)]
    pub keep: Option<u64>,
}

impl Run for WorkCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: Some(self.limits) }
    }

    fn run(&'static self) -> CommandResult {
        guard::signals_only();
        let frames = frames();
        while let Ok(asked) = guard::waiting(|| frames.recv()) {
            watch_over(&asked.text);
            let (mut answer, certificate) = self.answered(&asked.text)?;
            answer.cpu_seconds = spent().filter(|_| self.once);
            let full = self.keep.is_some_and(|keep| resident_memory() > Some(keep));
            let last = full || self.once || guard::is_interrupted();
            let frame = Frame { text: answer.to_string(), bytes: certificate, last };
            // Two answers must not be given: without this one the level is tried again.
            guard::rescue(|_| {});
            let written = screen::printing(|| frame.write(&mut stdout().lock()));
            guard::idle();
            // Without a reader there is nothing left to do.
            if written.is_err() || last {
                break;
            }
        }
        Ok(0)
    }
}

/// Processor time of this process, and of all that it has begun and waited for, in seconds; `None`
/// where the system does not report it. Linux counts it in hundredths of a second.
fn spent() -> Option<f64> {
    let own = processor_time()?.as_secs_f64();
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold anything; `cutime` and `cstime` are the 14th
    // and the 15th field after it.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: f64 = fields.skip(13).take(2).filter_map(|it| it.parse::<f64>().ok()).sum();
    Some(own + ticks / 100.0)
}

/// Sees to it that the level has an answer also where the work on it does not heed a limit.
fn watch_over(asked: &str) {
    let asked = asked.to_owned();
    guard::should_retry();
    guard::know("", 30, false);
    guard::rescue(move |stop| {
        let asked = serde_json::from_str(&asked).unwrap_or_default();
        let text = LevelResult::unheeded(asked, stop).to_string();
        let frame = Frame { text, bytes: Vec::new(), last: true };
        // The reader may be gone.
        let _ = frame.write(&mut stdout().lock());
    });
}

/// What comes in. Its end ends the process.
fn frames() -> Receiver<Frame> {
    let (send, frames) = channel();
    thread::spawn(move || {
        let mut input = BufReader::new(stdin());
        while let Ok(Some(frame)) = Frame::read(&mut input) {
            if send.send(frame).is_err() {
                return;
            }
        }
        std::process::exit(0);
    });
    frames
}

impl WorkCommand {
    /// The answer to what is asked, and the packed certificate.
    ///
    /// # Errors
    /// When that is no question about a level.
    pub(crate) fn answered(&self, asked: &str) -> Result<(LevelResult, Vec<u8>), Failure> {
        let broken = || Failure::internal("a worker was asked something that is no level");
        let asked: LevelQuestion = serde_json::from_str(asked).map_err(|_| broken())?;
        let solved = asked.level().and_then(|chosen| self.solve(&chosen, &asked));
        Ok(solved.unwrap_or_else(|failure| (LevelResult::new(asked, failure.answer()), Vec::new())))
    }

    fn solve(
        &self,
        chosen: &SelectedLevel,
        asked: &LevelQuestion,
    ) -> Result<(LevelResult, Vec<u8>), Failure> {
        let instances = chosen.instances(Objective::from_name(&asked.question.objective))?;
        let mut request = asked.question.request(self.threads.count(), &self.limits)?;
        let mut solved = SolvedLevel::of(chosen, instances, &request, &guard::hear)?;
        solved.count(&asked.question, &request)?;
        let mut result = solved.result(asked.clone());
        let mut certificate = Vec::new();
        if self.prove {
            guard::should_retry();
            request.limits = self.limits.begin();
            let folder = asked.key.as_deref().unwrap_or("certificate");
            match proved(chosen, &solved, &request, folder) {
                Ok(packed) => certificate = packed,
                // What was interrupted is asked again.
                Err((_, true)) => {}
                Err((reason, false)) => result.answer.not_certified = reason.into(),
            }
            result.answer.certified = (!certificate.is_empty()).into();
        }
        Ok((result, certificate))
    }
}

/// The packed certificate of what came out; else why there is none, and whether that was because it
/// is no longer waited for.
fn proved(
    chosen: &SelectedLevel,
    solved: &SolvedLevel,
    request: &Request,
    folder: &str,
) -> Result<Vec<u8>, (String, bool)> {
    let (instance, outcome) = (solved.instance(), &solved.outcome);
    let nothing = || ("nothing was proved that could be certified".to_owned(), false);
    let claim = outcome.claim(instance).ok_or_else(nothing)?;
    let task = ProofTask {
        solution: outcome.best.as_ref().filter(|_| claim.has_solution()),
        ..ProofTask::new(instance, &chosen.level.text, claim)
    };
    let mut failed = nothing();
    // A list of dead patterns is found in a fraction of the time of a closed set, and is a fraction
    // of its size. Where it cannot be had all else is tried.
    for wanted in [EvidenceKind::Patterns, EvidenceKind::Auto] {
        let mut files = MemoryFiles::new(shards::MAX_CERTIFICATE_BYTES);
        let proof_options = ProofOptions { wanted, ..ProofOptions::default() };
        let mut request = request.clone();
        if wanted == EvidenceKind::Patterns {
            let left = request.limits.time_left().unwrap_or(Duration::MAX);
            let some = LEARNING_TIME.max(outcome.elapsed * LEARNING_TIMES);
            request.limits = request.limits.within(some.min(left / 2));
        }
        match prove_in(&mut files, &task, &proof_options, &request, &mut |_| {}) {
            Ok(_) => {
                return pack::pack(folder, &files).map_err(|error| (error.to_string(), false));
            }
            Err(error) => {
                let stopped = matches!(error, ProveError::Stopped(Stop::Interrupted));
                failed = (error.to_string(), stopped);
                // Report internal errors instead of hiding them.
                if matches!(error, ProveError::Fault(_)) {
                    break;
                }
            }
        }
    }
    Err(failed)
}
