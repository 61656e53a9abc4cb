//! Search first, soon with reverse reachability beside it, then search and SAT side by side.

use super::{
    Event, GREEDY, Outcome, Progress, Request, Shown, SolveError, Verdict, primary, sat, strategy,
    take_search,
};
use crate::backend::Answer;
use crate::instance::{Instance, SearchEnd, Searched};
use crate::invariant::formulas::Part;
use crate::limits::{Limits, Stop};
use crate::search::{Effort, Strategy};
use crate::watch::Watch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long search goes before SAT joins it, unless a time limit leaves less.
const SCOUT: Duration = Duration::from_secs(8);

/// How much of that search is alone: it settles most levels sooner. For the rest of it reverse
/// reachability runs beside it, which shows in seconds that there is no solution, or hardly ever.
const ALONE: Duration = Duration::from_secs(1);

/// Memory that search may take, as a part of the limit: the rest is for the solver beside it.
const SEARCH_SHARE: (u64, u64) = (3, 4);

/// What search and the thread beside it tell each other.
struct Shared {
    /// Lower bound that search has shown, in the primary count.
    lower: AtomicU32,
    /// Raised when one of the two has settled the question.
    settled: Arc<AtomicBool>,
}

pub(super) fn solve(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let within = request.horizon.or(request.max_horizon);
    let shared = Shared { lower: AtomicU32::new(0), settled: Arc::new(AtomicBool::new(false)) };
    let mut limits = request.limits.clone().with_flag(shared.settled.clone());
    limits.memory = limits.memory.map(|m| m / SEARCH_SHARE.1 * SEARCH_SHARE.0);
    let (send, scout) = mpsc::channel();
    // Raised by search's end.
    let ended = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut report = |effort: Effort| {
                shared.lower.fetch_max(primary(effort.lower), Ordering::Relaxed);
                progress(&Event::Searching(effort));
            };
            let strategy = strategy(instance.objective(), within);
            let searched = instance.search(strategy, &limits, &mut report);
            ended.store(true, Ordering::Relaxed);
            // The receiver lives until the scope ends.
            let _ = send.send(searched);
        });
        let patience = request.limits.time_left().map_or(SCOUT, |left| SCOUT.min(left / 4));
        let alone = ALONE.min(patience / 2);
        let mut searched = scout.recv_timeout(alone).ok();
        if searched.is_none() && within.is_none() {
            let limits = request.limits.within(patience - alone).with_flag(ended.clone());
            if let Some(cubes) = lost(instance, request, &limits) {
                shared.settled.store(true, Ordering::Relaxed);
                outcome.effort = scout.recv().ok().map(|searched| searched.effort);
                outcome.lose(cubes);
                return Ok(());
            }
            searched = scout.recv_timeout(limits.time_left().unwrap_or_default()).ok();
        } else if searched.is_none() {
            searched = scout.recv_timeout(patience - alone).ok();
        }
        let result = match searched {
            Some(searched) => after_search(instance, request, progress, outcome, searched),
            None => both(instance, request, progress, outcome, &shared, &scout),
        };
        shared.settled.store(true, Ordering::Relaxed);
        result
    })
}

/// Search has ended while it was alone: take its answer, or go on with SAT from its bound.
fn after_search(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
    searched: Searched,
) -> Result<(), SolveError> {
    let within = request.horizon.or(request.max_horizon);
    match take_search(instance, searched, within, outcome)? {
        // Search ran out of memory: SAT has the rest of the time.
        Some(Stop::Memory) => sat::deepen(instance, request, progress, outcome, &|| 0),
        stop => {
            outcome.conclude(instance.objective(), stop);
            Ok(())
        }
    }
}

/// Search goes on in its thread; this one looks for any plan, then refutes horizons.
fn both(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
    shared: &Shared,
    scout: &mpsc::Receiver<Searched>,
) -> Result<(), SolveError> {
    let objective = instance.objective();
    // Raised by search's end, so that the solver beside it stops too.
    let over = Arc::new(AtomicBool::new(false));
    let mut beside = request.clone();
    beside.limits = beside.limits.with_flag(over.clone());
    let mut own = Outcome::new(instance);
    let mut searched = None;
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            any_plan(instance, &beside.limits, request, progress, &mut own)?;
            let known = || shared.lower.load(Ordering::Relaxed);
            let result = sat::deepen(instance, &beside, progress, &mut own, &known);
            if settles(&own) {
                shared.settled.store(true, Ordering::Relaxed);
            }
            result
        });
        // Search ends by its answer, by a limit, or because the worker settled the question.
        searched = scout.recv().ok();
        let gone_for_good = searched
            .as_ref()
            .is_some_and(|searched| !matches!(searched.end, SearchEnd::Stopped(Stop::Memory)));
        if gone_for_good {
            over.store(true, Ordering::Relaxed);
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    let within = request.horizon.or(request.max_horizon);
    let mut stop = own.stop;
    if let Some(searched) = searched {
        stop = take_search(instance, searched, within, outcome)?;
    }
    merge(outcome, own);
    if !matches!(outcome.verdict, Verdict::Unsolvable | Verdict::NoSolutionWithin(_)) {
        // The worker's flag is no wish of the user's: the limits say why the run ended.
        let stop = stop.map(|stop| request.limits.reached_any().unwrap_or(stop));
        let complete = outcome.optimal && outcome.tie_optimal;
        outcome.conclude(objective, stop.filter(|_| !complete));
    }
    Ok(())
}

/// Whether an outcome needs no other engine.
fn settles(outcome: &Outcome) -> bool {
    let conclusive = matches!(outcome.verdict, Verdict::Unsolvable | Verdict::NoSolutionWithin(_));
    conclusive || (outcome.best.is_some() && outcome.stop.is_none())
}

/// Weighted A* for a plan of any length: an upper bound, and something to show at a time limit.
fn any_plan(
    instance: &dyn Instance,
    limits: &Limits,
    request: &Request,
    progress: Progress<'_>,
    own: &mut Outcome,
) -> Result<(), SolveError> {
    let share = limits.time_left().map_or(SCOUT, |left| left / 4);
    let within = request.horizon.or(request.max_horizon);
    let strategy = Strategy {
        weight_tenths: GREEDY,
        max_states: Some(20_000_000),
        threads: 1,
        ..strategy(instance.objective(), within)
    };
    let searched = instance.search(strategy, &limits.within(share), &mut |_| {});
    match searched.end {
        SearchEnd::Found(plan) => {
            progress(&Event::Plan(instance.objective().primary(plan.tally())));
            own.offer(instance.objective(), plan);
            Ok(())
        }
        SearchEnd::Fault(fault) => Err(SolveError::Fault { fault, formula: None }),
        SearchEnd::Exhausted | SearchEnd::Stopped(_) => Ok(()),
    }
}

/// Looks for an invariant that shows that there is no solution; the number of its cubes. It counts
/// only after its formulas were refuted afresh.
fn lost(instance: &dyn Instance, request: &Request, limits: &Limits) -> Option<usize> {
    let list = instance.invariant(limits, &mut |_| {}).ok()?;
    let induction = instance.induction(&list).ok()?;
    let refuted = |part| {
        let formula = induction.formula(part, &mut Watch::silent(limits)).ok()?;
        let answer = request.backend.solve(&formula, limits).ok()?;
        (answer == Answer::Unsat).then_some(())
    };
    Part::ALL.into_iter().all(|part| refuted(part).is_some()).then_some(list.cubes.len())
}

/// Adds what the worker knows to what search knows.
fn merge(outcome: &mut Outcome, own: Outcome) {
    if own.lower > outcome.lower {
        outcome.lower = own.lower;
        outcome.shown = own.shown.clone();
    }
    if matches!(own.verdict, Verdict::Unsolvable | Verdict::NoSolutionWithin(_))
        && outcome.best.is_none()
    {
        outcome.verdict = own.verdict;
        outcome.shown = own.shown.or_else(|| Some(Shown::Bound("the bound".to_owned())));
    }
    if outcome.best.is_none() || (own.optimal && !outcome.optimal) {
        outcome.optimal |= own.optimal;
        outcome.tie_optimal |= own.tie_optimal;
        outcome.best = own.best.or(outcome.best.take());
    }
    outcome.asked = own.asked;
}
