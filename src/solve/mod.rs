//! From questions to verdicts: a request chooses a [`schedule`], the runner works through it, and
//! what the ledger knows then is the outcome.
//!
//! Which engine goes when, and why, stands in the tables of [`schedule`]; what each of them does, in
//! [`crate::engines`]; the numbers, in [`crate::tuning`].

mod opened;
mod runner;
pub mod schedule;
mod schedule_text;
#[cfg(test)]
mod tests;

pub use crate::backend::{Backend, from_name as solver};
use crate::engines::sat;
use crate::instance::{Formula, LearnEnd, Relaxation};
pub use crate::instance::{Game, Instance, Verified};
use crate::learn::LearnOptions;
pub use crate::ledger::{
    EngineChoice, Event, HorizonStats, Justification, Outcome, Progress, Request, Solutions,
    SolveError, StageReport, Verdict,
};
use crate::ledger::{Goal, Ledger, Task};
use crate::limits::{Limits, Stop};
use crate::tuning::milliseconds;
pub use crate::tuning::{TUNING, Tuning, TuningEntry, TuningError};
use schedule::Schedule;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use crate::engines::sat::{SatOutcome, SolveStats, answer};
pub use opened::{OpenedLevel, open};
pub use schedule_text::{LaneText, ScheduleText, StageText, explained};

/// Solves one puzzle under one reading, and tells of progress.
///
/// # Errors
/// See [`SolveError`]. A limit that strikes is no error: the outcome then has the best bounds.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use unstuck::puzzles::Objective;
/// use unstuck::solve::{Event, Request, solve};
///
/// let level = unstuck::open(unstuck::SOKOBAN, "######\n#@$ .#\n######\n", Objective::Moves)?;
/// let plans = AtomicUsize::new(0);
/// let outcome = solve(level.first(), &Request::default(), &|event: &Event| {
///     if let (_, Some(_)) = event.bounds() {
///         plans.fetch_add(1, Ordering::Relaxed);
///     }
/// })?;
/// assert_eq!(outcome.best.map(|plan| plan.tally().moves), Some(2));
/// # Ok(())
/// # }
/// ```
pub fn solve(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, SolveError> {
    work(instance, request, Goal::of(instance), None, None, progress)
}

/// Solves like [`solve`], by a schedule of the caller's.
///
/// # Errors
/// Like [`solve`].
pub fn solve_by(
    schedule: &Schedule,
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, SolveError> {
    work(instance, request, Goal::of(instance), None, Some(schedule), progress)
}

/// Solves like [`solve`], and ends with the first plan, however long it is.
///
/// # Errors
/// Like [`solve`].
pub fn first_plan(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, SolveError> {
    work(instance, request, Goal::FirstPlan, None, None, progress)
}

/// Makes a plan shorter, as far as limits allow; without one, looks for a first plan before. The
/// outcome says nothing of shorter plans but the admissible bound.
///
/// # Errors
/// See [`SolveError`].
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::puzzles::Objective;
/// use unstuck::solve::{Request, improve};
///
/// let text = "#######\n#     #\n#@ $ .#\n#######\n";
/// let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Moves)?;
/// // Around for nothing, and then to the point.
/// let known = level.first().verify("urdlrRR")?;
/// let outcome = improve(level.first(), Some(known), &Request::default(), &|_| {})?;
/// assert_eq!(outcome.best.map(|plan| plan.text().to_owned()), Some("rRR".to_owned()));
/// # Ok(())
/// # }
/// ```
pub fn improve(
    instance: &dyn Instance,
    plan: Option<Verified>,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, SolveError> {
    instance.moves().ok_or(SolveError::NoMoves(instance.family()))?;
    work(instance, request, Goal::BetterPlans, plan, None, progress)
}

/// Works on a puzzle until the goal is reached.
fn work(
    instance: &dyn Instance,
    request: &Request,
    goal: Goal,
    plan: Option<Verified>,
    schedule: Option<&Schedule>,
    progress: Progress<'_>,
) -> Result<Outcome, SolveError> {
    let counted = request.states.map(|states| Request {
        threads: 1,
        limits: request.limits.clone().with_conflicts(states),
        ..request.clone()
    });
    let task = Task { instance, request: counted.as_ref().unwrap_or(request) };
    if let (Some(_), Some(engine)) = (request.states, uncounted(request, goal)) {
        return Err(SolveError::Uncounted(engine));
    }
    if request.engine == EngineChoice::Sat && goal != Goal::BetterPlans {
        task.encoded()?;
    }
    let ledger = Ledger::new(instance, goal, progress);
    let bound = if plan.is_none() { instance.encoded().lower_bound() } else { Some(0) };
    if let Some(plan) = plan {
        ledger.offer(plan);
    } else if request.horizon.is_none() && bound.is_none() {
        let reason = instance.encoded().unsolvable_reason();
        let reason = reason.unwrap_or_else(|| "the admissible bound".to_owned());
        ledger.refute(None, Justification::Bound(reason));
    }
    let stop = match ledger.is_over() {
        true => None,
        false => runner::run(schedule.unwrap_or_else(|| schedule::of(task, goal)), task, &ledger)?,
    };
    // Whatever was asked, and whoever had no time to say it.
    if let Some(lower) = bound.filter(|&lower| lower > ledger.lower()) {
        ledger.raise(lower, Justification::Bound("the admissible bound".to_owned()));
    }
    ledger.into_outcome(stop)
}

/// What works on a request by the clock, or counts nothing.
fn uncounted(request: &Request, goal: Goal) -> Option<&'static str> {
    match request.engine {
        _ if goal == Goal::BetterPlans => Some("shortening a plan"),
        _ if request.backend.incremental().is_none() => Some("a solver outside of this process"),
        _ => None,
    }
}

/// Solves a puzzle under its readings, in order, until one has a solution. The outcomes of the
/// readings that were tried, the one that counts last.
///
/// A reading that is not the last gets three quarters of the time that is left, so that the next
/// one has a chance too; once it has a plan, no other reading is asked, and it has all the time.
///
/// # Errors
/// Like [`solve`].
pub fn solve_readings(
    instances: &[Box<dyn Instance>],
    request: &Request,
    progress: Progress<'_>,
) -> Result<Vec<Outcome>, SolveError> {
    let mut outcomes = Vec::new();
    for (index, instance) in instances.iter().enumerate() {
        let mut request = request.clone();
        let has_plan = Arc::new(AtomicBool::new(false));
        if let (true, Some(left)) = (index + 1 < instances.len(), request.limits.time_left()) {
            request.limits = request.limits.within_until(left / 4 * 3, has_plan.clone());
        }
        let note = |event: &Event| {
            if let (_, Some(_)) = event.bounds() {
                has_plan.store(true, Ordering::Relaxed);
            }
            progress(event);
        };
        let outcome = solve(instance.as_ref(), &request, &note)?;
        let done = outcome.best.is_some() || outcome.stop == Some(Stop::Interrupted);
        outcomes.push(outcome);
        if done {
            break;
        }
    }
    Ok(outcomes)
}

/// Why no engine that the request asks can say anything about a puzzle; `None` where one can.
pub fn declined(instance: &dyn Instance, request: &Request) -> Option<SolveError> {
    let task = Task { instance, request };
    let lanes = schedule::of(task, Goal::of(instance)).lanes.iter();
    let mut offers = lanes.flat_map(|lane| lane.stages).map(|stage| stage.engine.offers(task));
    let first = offers.next()?.err()?;
    offers.all(|offered| offered.is_err()).then_some(first)
}

/// Looks for the pieces that are lost, where there is no solution and they are not known. An outcome
/// whose reason was interrupted says so: it is not yet what the run would have come to.
pub fn explain(instance: &dyn Instance, request: &Request, outcome: &mut Outcome) {
    // The clock decides how far that comes.
    let is_counted = request.states.is_some();
    if is_counted || outcome.verdict != Verdict::Unsolvable || !outcome.lost.is_empty() {
        return;
    }
    let learn_options = LearnOptions {
        unsolvability_only: true,
        tuning: &request.tuning,
        ..LearnOptions::default()
    };
    let limits = request.limits.within(milliseconds(request.tuning.reason_time));
    let Some(dropping) = instance.capability::<dyn Relaxation>() else { return };
    let Some(learned) = dropping.learn(learn_options, &limits, &mut |_| {}) else { return };
    match learned.end {
        LearnEnd::Lost => outcome.lost = learned.lost,
        LearnEnd::Stopped(stop @ Stop::Interrupted) => outcome.stop = Some(stop),
        _ => {}
    }
}

/// Adds the clauses that models of a formula show to be missing (see [`Formula::refine`]) until a
/// model needs none or there is no model; the limit that struck before.
///
/// # Errors
/// Like [`solve`].
pub fn complete(
    formula: &mut dyn Formula,
    backend: &dyn Backend,
    limits: &Limits,
) -> Result<Option<Stop>, SolveError> {
    let meaning = sat::answer(formula, None, backend, limits, &mut SolveStats::default())?;
    Ok(match meaning {
        SatOutcome::Stopped(stop) => Some(stop),
        SatOutcome::Solution { .. } | SatOutcome::Refuted => None,
    })
}
