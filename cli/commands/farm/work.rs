//! A worker: answers one level after the other until it is given no more.
//!
//! It reads frames from standard input, each the object of a level with its text, and answers each
//! with the object completed. When its input ends it ends, whatever it is doing: there is nothing
//! left that takes an answer.

use crate::answer::outcome;
use crate::commands::farm::QuestionArgs;
use crate::commands::farm::run::unheeded;
use crate::driver::{Run, Watched};
use crate::input::SelectedLevel;
use crate::store::frame::Frame;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::{pack, shards};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard;
use crate::terminal::screen;
use crate::terminal::values;
use clap::Args;
use std::io::{BufReader, stdin, stdout};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use unstuck::certificate::Claim;
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::prove::{EvidenceKind, ProofOptions, ProofTask, ProveError, prove_in};
use unstuck::instance::Instance;
use unstuck::limits::Stop;
use unstuck::machine::resident_memory;
use unstuck::registry::by_name;
use unstuck::solve::{Outcome, Request, explain};
use unstuck_puzzles::{Objective, Options};

/// How long dead patterns are looked for where a level was solved at once, and how many times as long
/// as that took elsewhere.
const LEARNING_TIME: Duration = Duration::from_secs(2);
const LEARNING_TIMES: u32 = 20;

/// A worker of a farm
#[derive(Args)]
#[command(args_override_self = true)]
pub(crate) struct WorkCommand {
    #[command(flatten)]
    question: QuestionArgs,
    /// Memory it may hold between two levels; above that it is replaced
    #[arg(long, value_parser = values::memory)]
    keep: Option<u64>,
}

impl Run for WorkCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: Some(self.question.limits) }
    }

    fn run(&'static self) -> CommandResult {
        guard::signals_only();
        let frames = frames();
        while let Ok(asked) = guard::waiting(|| frames.recv()) {
            watch_over(&asked.text);
            let (answer, certificate) = answered(&self.question, &asked.text)?;
            let full = self.keep.is_some_and(|keep| resident_memory() > Some(keep));
            let last = full || guard::is_interrupted();
            let frame = Frame { text: answer.to_string(), bytes: certificate, last };
            // Two answers must not be given: without this one the farm tries the level again.
            guard::rescue(|_| {});
            let written = screen::printing(|| frame.write(&mut stdout().lock()));
            guard::idle();
            // Without a farm there is nothing left to do.
            if written.is_err() || last {
                break;
            }
        }
        Ok(0)
    }
}

/// Sees to it that the level has an answer also where the work on it does not heed a limit.
fn watch_over(asked: &str) {
    let asked = asked.to_owned();
    guard::should_retry();
    guard::know("", 30, false);
    guard::rescue(move |stop| {
        let asked = serde_json::from_str(&asked).unwrap_or_default();
        let text = unheeded(asked, stop).to_string();
        let frame = Frame { text, bytes: Vec::new(), last: true };
        // Without a farm there is no reader any more.
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

/// The answer to what is asked, and the packed certificate.
pub(super) fn answered(
    args: &QuestionArgs,
    asked: &str,
) -> Result<(LevelResult, Vec<u8>), Failure> {
    let broken = || Failure::internal("the farm asked something that is no object of a level");
    let asked: LevelQuestion = serde_json::from_str(asked).map_err(|_| broken())?;
    let solved = chosen(&asked).and_then(|chosen| solve(args, &chosen, &asked));
    Ok(solved.unwrap_or_else(|failure| (LevelResult::new(asked, failure.answer()), Vec::new())))
}

/// The level that a farm or a store has a question about.
pub(super) fn chosen(asked: &LevelQuestion) -> Result<SelectedLevel, Failure> {
    let name = match asked.number {
        Some(number) => format!("{} #{number}", asked.file),
        None => asked.file.clone(),
    };
    let fail = |why: &str| Failure::usage(format!("{name}: {why}"));
    let family = asked.puzzle.as_deref().and_then(by_name);
    let family = family.ok_or_else(|| fail("no such family"))?;
    let given = asked.question.options.iter().filter_map(|(name, value)| {
        let spec = family.options.iter().find(|spec| spec.name == name)?;
        Some((spec.name, value.as_str()))
    });
    let options = Options::new(family.options, given);
    let options = options.map_err(|error| Failure::parse(&name, &error, ""))?;
    let text = asked.text.as_deref().unwrap_or_default();
    let mut chosen = SelectedLevel::of_text(&name, family, options, text)?;
    chosen.level.title.clone_from(&asked.title);
    Ok(chosen)
}

fn solve(
    args: &QuestionArgs,
    chosen: &SelectedLevel,
    asked: &LevelQuestion,
) -> Result<(LevelResult, Vec<u8>), Failure> {
    let objective = Objective::from_name(&asked.question.objective);
    let instances = chosen.instances(objective)?;
    let mut request = args.solve.request(args.solve.horizon()?, &args.limits)?;
    request.solutions = args.search().solutions;
    let (instance, mut outcome) = outcome::solved(&instances, &request, &|event| {
        guard::hear(event, &instances);
    })?;
    explain(instance, &request, &mut outcome);
    let mut result = LevelResult::of(asked.clone(), instance, &outcome);
    let mut certificate = Vec::new();
    if args.prove {
        guard::should_retry();
        request.limits = args.limits.begin();
        let folder = asked.key.as_deref().unwrap_or("certificate");
        match proved(chosen, instance, &outcome, &request, folder) {
            Ok(packed) => certificate = packed,
            // What was interrupted is asked again.
            Err((_, true)) => {}
            Err((reason, false)) => result.answer.not_certified = reason.into(),
        }
        result.answer.certified = (!certificate.is_empty()).into();
    }
    Ok((result, certificate))
}

/// The packed certificate of what came out; else why there is none, and whether that was because it
/// is no longer waited for.
fn proved(
    chosen: &SelectedLevel,
    instance: &dyn Instance,
    outcome: &Outcome,
    request: &Request,
    folder: &str,
) -> Result<Vec<u8>, (String, bool)> {
    let nothing = || ("nothing was proved that could be certified".to_owned(), false);
    let claim = Claim::shown_by(instance, outcome).ok_or_else(nothing)?;
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
