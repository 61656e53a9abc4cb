//! Learning dead patterns: alone, or beside everything else.

use super::gap::Gap;
use super::{
    Event, Justification, Outcome, Progress, Request, SolveError, Verdict, improvement, portfolio,
};
use crate::instance::{Game, Instance, LearnEnd, LearnReport};
use crate::learn::LearnOptions;
use crate::limits::{Limits, Stop};
use crate::machine::{self, Instant};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unstuck_puzzles::Objective;

/// How long search goes before learning begins beside it: most levels are settled by then.
const SOLO_TIME: Duration = Duration::from_millis(500);

/// How long search may have shown less than learning, unless a time limit leaves less.
const OVERTAKE_TIME: Duration = Duration::from_secs(8);

/// Time between two looks whether search has ended meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Answers by learning alone.
pub(super) fn solve(
    instance: &dyn Instance,
    game: Option<&dyn Game>,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let threads = request.threads;
    let learned = game.and_then(|game| learn(game, request, threads, &request.limits, progress));
    let (family, objective) = (instance.family(), instance.objective());
    let learned = learned.ok_or(SolveError::NoPieces(family, objective))?;
    let stop = take(instance, learned, request, outcome)?;
    if !matches!(outcome.verdict, Verdict::Unsolvable | Verdict::NoSolutionWithin(_)) {
        outcome.conclude(instance.objective(), stop);
    }
    Ok(())
}

/// Answers by the portfolio, with learning beside it where that is possible. The bounds of both
/// meet; and on levels where learning has shown more than search after a while, search gives way to
/// the search for better plans.
pub(super) fn beside(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let alone = request.threads == 1 || !machine::has_threads();
    if request.horizon.or(request.max_horizon).is_some() || alone {
        return portfolio::solve(instance, game, request, progress, outcome);
    }
    // Raised when the question is settled, when the others are done, and when learning is.
    let [settled, over, learned_all] = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
    let gap = gap(instance, game, request, settled.clone());
    let progress: Progress<'_> = &|event| {
        gap.note(event);
        progress(event);
    };
    let (result, learned, gave_way) = machine::scope(|scope| {
        let learner = scope.spawn(|| {
            let limits = request.limits.clone().with_flag(over.clone());
            let learned = after(SOLO_TIME, game, request, &limits, progress);
            learned_all.store(true, Ordering::Relaxed);
            let learned = learned?;
            if settles(instance.objective(), &learned.end) {
                settled.store(true, Ordering::Relaxed);
            }
            Some(learned)
        });
        let limits = request.limits.clone().with_flag(settled.clone());
        let until_behind = limits.clone().with_flag(gap.behind.clone());
        let others = Request { limits: until_behind, ..request.clone() };
        let mut result = portfolio::solve(instance, game, &others, progress, outcome);
        let gave_way = gap.is_behind() && !portfolio::settles(instance.objective(), outcome);
        if result.is_ok() && gave_way {
            // Without hope of a proof there is no point in waiting for a shorter plan.
            let limits = limits.with_flag(learned_all.clone());
            result = improvement::improve_until(instance, game, &limits, progress, outcome);
        }
        // Where plans are not to be had, learning goes on by itself.
        if result.is_err() || !gave_way || outcome.best.is_some() {
            over.store(true, Ordering::Relaxed);
        }
        (result, learner.join(), gave_way)
    });
    result?;
    let Some(learned) = learned else { return Ok(()) };
    let known = matches!(outcome.verdict, Verdict::Unsolvable) || outcome.tie_optimal;
    if known && !matches!(learned.end, LearnEnd::Fault(_)) {
        return Ok(());
    }
    let is_settled = settled.load(Ordering::Relaxed);
    let stopped = take(instance, learned, request, outcome)?;
    if outcome.verdict != Verdict::Unsolvable {
        // Our own flag is not a request by the user.
        let stop = if gave_way { stopped } else { outcome.stop };
        let stop = stop.map(|stop| request.limits.reached_any().unwrap_or(stop));
        outcome.conclude(instance.objective(), stop.filter(|_| !is_settled));
    }
    Ok(())
}

/// The gap that learning and plans close from both sides. A tie-break is neither learned nor
/// looked for, and where there are no features, search is the best that there is.
fn gap(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    settled: Arc<AtomicBool>,
) -> Gap {
    let objective = instance.objective();
    if objective == Objective::Any || objective.first() != objective {
        // What closes it means nothing.
        return Gap::new(None, Arc::default());
    }
    let patience =
        request.limits.time_left().map_or(OVERTAKE_TIME, |left| OVERTAKE_TIME.min(left / 4));
    let moment = Instant::now().checked_add(patience).filter(|_| game.attempts().is_some());
    Gap::new(moment, settled)
}

/// Time to find out which pieces are lost, where it is known already that there is no solution.
const REASON_TIME: Duration = Duration::from_millis(500);

/// Looks for the pieces that are lost, where there is no solution and they are not known.
pub fn explain(instance: &dyn Instance, limits: &Limits, outcome: &mut Outcome) {
    if outcome.verdict != Verdict::Unsolvable || !outcome.lost.is_empty() {
        return;
    }
    let learn_options = LearnOptions { unsolvability_only: true, ..LearnOptions::default() };
    let limits = limits.within(REASON_TIME);
    if let Some(learned) =
        instance.moves().and_then(|game| game.learn(learn_options, &limits, &mut |_| {}))
        && matches!(learned.end, LearnEnd::Lost)
    {
        outcome.lost = learned.lost;
    }
}

/// Learns in half of the threads, once others have had so much time; `None` where pieces may not be
/// dropped, or when the others needed no more.
pub(super) fn after(
    time: Duration,
    game: &dyn Game,
    request: &Request,
    limits: &Limits,
    progress: Progress<'_>,
) -> Option<LearnReport> {
    let begun = Instant::now();
    while begun.elapsed() < time {
        if limits.reached().is_some() {
            return None;
        }
        machine::sleep(POLL_INTERVAL);
    }
    // The others have the rest.
    let threads = (request.threads / 2).max(1);
    learn(game, request, threads, limits, progress)
}

fn learn(
    game: &dyn Game,
    request: &Request,
    threads: usize,
    limits: &Limits,
    progress: Progress<'_>,
) -> Option<LearnReport> {
    let exclude = request.horizon.or(request.max_horizon);
    let learn_options = LearnOptions { exclude, threads, ..LearnOptions::default() };
    game.learn(learn_options, limits, &mut |stats| progress(&Event::Learning(stats)))
}

/// Whether nothing is left to find out.
pub(super) fn settles(objective: Objective, end: &LearnEnd) -> bool {
    match end {
        LearnEnd::Lost | LearnEnd::Fault(_) => true,
        // A tie-break is not looked for.
        LearnEnd::Found(_, None) => objective.first() == objective,
        LearnEnd::Found(_, Some(_)) => objective == Objective::Any,
        LearnEnd::Excluded | LearnEnd::Stopped(_) => false,
    }
}

/// Notes what learning has shown; the limit that ended it, if one did.
pub(super) fn take(
    instance: &dyn Instance,
    learned: LearnReport,
    request: &Request,
    outcome: &mut Outcome,
) -> Result<Option<Stop>, SolveError> {
    let objective = instance.objective();
    let counts = objective != Objective::Any;
    let shown = Justification::Patterns(learned.list.patterns.len());
    if counts {
        outcome.raise(learned.stats.lower, shown.clone());
    }
    match learned.end {
        LearnEnd::Found(plan, unjudged) => {
            outcome.optimal |= counts && objective.primary(plan.tally()) <= outcome.lower;
            outcome.offer(objective, plan);
            Ok(unjudged.filter(|_| counts))
        }
        LearnEnd::Lost => {
            outcome.verdict = Verdict::Unsolvable;
            outcome.shown = Some(shown);
            outcome.lost = learned.lost;
            Ok(None)
        }
        LearnEnd::Excluded => {
            if let Some(horizon) = request.horizon.or(request.max_horizon) {
                outcome.raise(horizon.saturating_add(1), shown);
                outcome.verdict = Verdict::NoSolutionWithin(horizon);
            }
            Ok(None)
        }
        LearnEnd::Stopped(stop) => Ok(Some(stop)),
        LearnEnd::Fault(fault) => Err(SolveError::Fault { fault, formula: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::sampled;
    use unstuck_encodings::Cost;

    /// Better and better plans, and what learning has shown: the gap closes at the optimum, and
    /// nowhere else.
    #[test]
    fn plans_and_learning_agree_with_search() {
        let (mut solvable, mut unsolvable) = (0, 0);
        for seed in 0..300 {
            let instances = sampled("sokoban", Objective::Pushes, seed);
            let instance = instances[0].as_ref();
            let game = instance.moves().expect("a game");
            let progress: Progress<'_> = &|_| {};
            let mut exact = Outcome::new(instance);
            let request = Request { threads: 1, ..Request::default() };
            portfolio::solve(instance, game, &request, progress, &mut exact).expect("no fault");
            let gap = Gap::new(None, Arc::default());
            let limits = Limits::none().with_flag(gap.closed.clone());
            let noting: Progress<'_> = &|event| gap.note(event);
            // What learning has shown before.
            let shown = learn(game, &request, 1, &Limits::none(), progress).expect("pieces");
            gap.note(&Event::Learning(shown.stats));
            let mut own = Outcome::new(instance);
            improvement::improve_until(instance, game, &limits, noting, &mut own)
                .expect("no fault");
            let cost = |outcome: &Outcome| {
                let best = outcome.best.as_ref();
                best.map(|plan| Cost::of(Objective::Pushes, plan.tally()).primary())
            };
            match cost(&exact) {
                Some(optimum) => {
                    solvable += 1;
                    let found = cost(&own).expect("a plan");
                    assert!(found >= optimum, "seed {seed}");
                    assert_eq!(shown.stats.lower, optimum, "seed {seed}");
                    assert_eq!(gap.closed.load(Ordering::Relaxed), found == optimum, "seed {seed}");
                    assert!(!own.optimal, "seed {seed}: a plan alone shows nothing");
                }
                None => {
                    unsolvable += 1;
                    assert!(own.best.is_none(), "seed {seed}");
                }
            }
        }
        assert!(solvable > 100 && unsolvable > 30, "{solvable} {unsolvable}");
    }

    /// A plan whose patterns could not be judged in time is kept, and called shortest only where
    /// the bound that was judged reaches it.
    #[test]
    fn a_plan_without_a_judgement_is_kept() {
        let (mut kept, mut shortest) = (0, 0);
        for seed in 0..300 {
            let instances = sampled("sokoban", Objective::Pushes, seed);
            let instance = instances[0].as_ref();
            let game = instance.moves().expect("a game");
            let request = Request::default();
            let learned = learn(game, &request, 1, &Limits::none(), &|_| {}).expect("pieces");
            let LearnEnd::Found(plan, None) = learned.end.clone() else { continue };
            let optimum = learned.stats.lower;
            for lower in [optimum / 2, optimum] {
                let mut cut = learned.clone();
                cut.end = LearnEnd::Found(plan.clone(), Some(Stop::Time));
                cut.stats.lower = lower;
                let mut outcome = Outcome::new(instance);
                let stopped = take(instance, cut, &request, &mut outcome).expect("no fault");
                assert_eq!(stopped, Some(Stop::Time), "seed {seed}");
                assert_eq!(outcome.optimal, lower == optimum, "seed {seed}");
                assert!(outcome.best.is_some(), "seed {seed}");
                kept += usize::from(!outcome.optimal);
                shortest += usize::from(outcome.optimal);
            }
        }
        assert!(kept > 20 && shortest > 20, "{kept} {shortest}");
    }
}
