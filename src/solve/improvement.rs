//! Better plans: what lies around a known one is searched, whichever engine found it.

use super::{
    Event, Justification, Outcome, Progress, Request, SolveError, Verdict, any, strategy,
    take_search,
};
use crate::improve::ImproveOutcome;
use crate::instance::{Game, Instance, Verified};
use crate::limits::{Limits, Stop};
use crate::machine::Instant;
use crate::search::Strategy;
use unstuck_puzzles::Objective;

/// States around a plan that are looked at when better plans were not asked for: most of what can
/// be gained is gained by then.
pub(super) const QUICK_STATES: u64 = 30_000;

/// States around a plan that are looked at where no time limit says when to end.
const UNLIMITED_STATES: u64 = 3_000_000;

/// States that weighted A* may keep for a first plan.
const FIRST_STATES: usize = 2_000_000;

/// Makes a plan shorter, as far as limits allow; without one, looks for a first plan before. The
/// outcome says nothing of shorter plans but the admissible bound.
///
/// # Errors
/// See [`SolveError`].
pub fn improve(
    instance: &dyn Instance,
    plan: Option<Verified>,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, SolveError> {
    let begun = Instant::now();
    let game = instance.moves().ok_or(SolveError::NoMoves(instance.family()))?;
    let mut outcome = Outcome::new(instance);
    outcome.best = plan;
    if outcome.best.is_none() {
        first(instance, game, request, progress, &mut outcome)?;
    }
    let most = if request.limits.deadline.is_some() { u64::MAX } else { UNLIMITED_STATES };
    let stop = match outcome.best.clone() {
        Some(plan) => {
            improve_once(instance, game, plan, most, &request.limits, progress, &mut outcome)?
        }
        None => outcome.stop.or_else(|| request.limits.reached_any()),
    };
    let counts = instance.objective() != Objective::Any;
    if let Some(lower) = instance.lower_bound().filter(|_| counts) {
        outcome.raise(lower, Justification::Bound("the admissible bound".to_owned()));
    }
    if outcome.verdict != Verdict::Unsolvable {
        outcome.conclude(instance.objective(), stop);
    }
    outcome.elapsed = begun.elapsed();
    Ok(outcome)
}

/// States around the best plan that are looked at first, where time is left for more and more.
const FIRST_ROUND_STATES: u64 = 100_000;

/// Rounds, each with twice the states of the one before: the last ones take days.
const MAX_ROUNDS: u32 = 16;

/// Finds better and better plans until a limit strikes: around the best one with ever more states,
/// and in between around another one, which feature-space search finds in another way. Without any
/// plan it looks for a first one.
pub(super) fn improve_until(
    instance: &dyn Instance,
    game: &dyn Game,
    limits: &Limits,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    if let Some(attempts) = game.attempts().filter(|_| outcome.best.is_none()) {
        any::tries(instance, &*attempts, any::Lane::All, u64::MAX, limits, progress, outcome)?;
    }
    let around = |plan, most| {
        let mut own = Outcome::new(instance);
        improve_once(instance, game, plan, most, limits, progress, &mut own)?;
        Ok(own.best)
    };
    for round in 0..MAX_ROUNDS {
        let (Some(best), None) = (outcome.best.clone(), limits.reached()) else { break };
        for plan in [Some(best), any::once(game, round + 1, limits)?].into_iter().flatten() {
            if let Some(plan) = around(plan, FIRST_ROUND_STATES << round)? {
                outcome.offer(instance.objective(), plan);
            }
        }
    }
    Ok(())
}

/// A first plan, by features where the family has them, else by weighted A*.
fn first(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    if game.attempts().is_some() {
        any::look(instance, game, &request.limits, progress, outcome)?;
    }
    if outcome.best.is_none() {
        let greedy = Strategy {
            weight_tenths: super::GREEDY_WEIGHT,
            max_states: Some(FIRST_STATES),
            ..strategy(request, instance.objective())
        };
        let report = &mut |stats| progress(&Event::Searching(stats));
        let searched = game.search(greedy, &request.limits, report);
        outcome.stop = take_search(instance, searched, request, outcome)?;
    }
    if outcome.best.is_some() {
        // Found in haste: that nothing is shorter was not shown.
        (outcome.optimal, outcome.tie_optimal) = (false, false);
        (outcome.lower, outcome.shown) = (0, None);
    }
    Ok(())
}

/// Makes a plan shorter and offers it; the limit that struck before it was done.
pub(super) fn improve_once(
    instance: &dyn Instance,
    game: &dyn Game,
    plan: Verified,
    most: u64,
    limits: &Limits,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<Option<Stop>, SolveError> {
    let mut report = |stats| progress(&Event::Improving(stats));
    let improved = game.improve(&plan, most, limits, &mut report);
    let plan = improved.plan.map_err(|fault| SolveError::Fault { fault, formula: None })?;
    progress(&Event::Plan(instance.objective().primary(plan.tally())));
    // Under `any` the family's own objective decides.
    outcome.best = None;
    outcome.offer(instance.objective(), plan);
    Ok(match improved.end {
        ImproveOutcome::Stopped(stop) => Some(stop),
        ImproveOutcome::Settled | ImproveOutcome::UsedUp => None,
    })
}
