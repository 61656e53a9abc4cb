//! Any plan will do: feature-space search, with the other engines beside it, which alone can show
//! that there is none.

use super::{
    Engine, Event, Outcome, Progress, Request, SolveError, Verdict, improvement, learning,
    portfolio,
};
use crate::feature_search::{Attempt, Direction};
use crate::instance::{AttemptEnd, Attempts, Game, Instance, Verified};
use crate::limits::{Limits, Stop};
use crate::machine;
use crate::search::SearchStats;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unstuck_encodings::Cost;

/// States of a single try, where a plan is only the beginning.
const SINGLE_ATTEMPT_STATES: u64 = 100_000;

/// States of the first tries; later ones have more and more.
const FIRST_ATTEMPT_STATES: u64 = 50_000;

/// States of the first tries from the end: they are cheap.
const FIRST_BACKWARD_STATES: u64 = 6 * FIRST_ATTEMPT_STATES;

/// Which tries of feature-space search belong to one thread, and how they grow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lane {
    /// All tries in one thread: from the start, and after each round of these one from the end.
    All,
    /// Those from the start, this one first and then with so many between.
    Forward { first: u32, stride: u32 },
    /// Those from the end.
    Backward,
}

/// Tries from the start with as many states in a thread of their own; the next ones have twice as
/// many.
const ATTEMPTS_PER_ROUND: u32 = 4;

/// Variants of tries from the end, which have as many states.
const BACKWARD_PER_ROUND: u32 = 3;

impl Lane {
    /// So many threads for tries from the start, which leaves time for tries that grow at once, and
    /// one for those from the end.
    fn split(threads: u32) -> impl Iterator<Item = Self> {
        let forward = (0..threads).map(move |first| Self::Forward { first, stride: threads });
        forward.chain([Self::Backward])
    }

    fn slices(self) -> impl Iterator<Item = Attempt> {
        (0..).map(move |number| self.slice(number))
    }

    fn slice(self, number: u32) -> Attempt {
        let grown = |first: u64, doubled: u32| first.saturating_mul(1 << doubled.min(40));
        let forward = |variant, doubled| Attempt {
            direction: Direction::Forward,
            variant,
            most: grown(FIRST_ATTEMPT_STATES, doubled),
        };
        let backward = |variant, doubled| Attempt {
            direction: Direction::Backward,
            variant,
            most: grown(FIRST_BACKWARD_STATES, doubled),
        };
        match self {
            Self::All => {
                match (number / (ATTEMPTS_PER_ROUND + 1), number % (ATTEMPTS_PER_ROUND + 1)) {
                    (round, ATTEMPTS_PER_ROUND) => backward(round, round),
                    (round, place) => forward(ATTEMPTS_PER_ROUND * round + place, round),
                }
            }
            Self::Forward { first, stride } => forward(first + number * stride, number),
            Self::Backward => backward(number, number / BACKWARD_PER_ROUND),
        }
    }
}

/// States after which feature-space search leaves the rest to the others, where all share one
/// thread and no time limit says when.
const SHARED_THREAD_STATES: u64 = 2_000_000;

/// The same where it has a thread of its own.
const OWN_THREAD_STATES: u64 = 100_000_000;

/// How long others look before learning joins them: most levels are solved by then.
const EASY_TIME: Duration = Duration::from_millis(500);

/// Priority of the portfolio where learning and feature-space search have a core each.
const PORTFOLIO_NICENESS: i32 = 5;

/// Priority of the search from the end: it solves fewer levels than those from the start, mostly at
/// once (at the usual priority Microban 153 takes 8.7 s in place of 6.5).
const BACKWARD_NICENESS: i32 = 3;

/// Tries that may end because nothing was left to try: the next one hardly fares better.
const MAX_FRUITLESS_ATTEMPTS: u32 = 16;

/// Answers with a plan that is not as long as the first one found: what lies around that one is
/// looked at for a moment.
pub(super) fn solve(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    find(instance, game, request, progress, outcome)?;
    if let Some(plan) = outcome.best.clone() {
        let (most, limits) = (improvement::QUICK_STATES, &request.limits);
        // A limit that strikes now has left a plan.
        improvement::improve_once(instance, game, plan, most, limits, progress, outcome)?;
    }
    Ok(())
}

/// Finds a plan by feature-space search and the other engines. With one thread the former goes first,
/// and gets three quarters of the time; with more both begin at once.
fn find(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    if request.threads > 1 && machine::has_threads() {
        return both(instance, game, request, EASY_TIME, progress, outcome);
    }
    let limits = request.limits.share(0.75);
    look(instance, game, &limits, progress, outcome)?;
    if outcome.best.is_some() {
        outcome.conclude(instance.objective(), None);
        return Ok(());
    }
    portfolio::solve(instance, game, request, progress, outcome)
}

/// Feature-space search in one thread that others need, too.
pub(super) fn look(
    instance: &dyn Instance,
    game: &dyn Game,
    limits: &Limits,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let most = if limits.deadline.is_some() { u64::MAX } else { SHARED_THREAD_STATES };
    match game.attempts() {
        Some(attempts) => tries(instance, &*attempts, Lane::All, most, limits, progress, outcome),
        None => Ok(()),
    }
}

/// All engines at once, until one of them knows. Under `auto` learning joins when the level is not
/// an easy one, that is, when it is not settled after this time; the portfolio gives way to both,
/// since it finds plans of small levels only.
fn both(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    easy: Duration,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    // Raised when a plan was found, and when the question is settled.
    let [found, settled] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let settle = || [&found, &settled].map(|flag| flag.store(true, Ordering::Relaxed));
    // Half of the threads, like learning, but even two share two cores well.
    let threads = u32::try_from(request.threads / 2).map_or(u32::MAX, |half| half.max(2));
    let mut lanes: Vec<_> =
        Lane::split(threads).map(|lane| (lane, Outcome::new(instance))).collect();
    let until_found = request.limits.clone().with_flag(found.clone());
    let until_settled = until_found.clone().with_flag(settled.clone());
    let most = if request.limits.deadline.is_some() { u64::MAX } else { OWN_THREAD_STATES };
    let attempts = game.attempts();
    let look = |(lane, own): &mut (Lane, Outcome)| {
        if matches!(lane, Lane::Backward) {
            machine::lower_priority(BACKWARD_NICENESS);
        }
        let Some(attempts) = &attempts else { return Ok(()) };
        let looked = tries(instance, &**attempts, *lane, most, &until_settled, progress, own);
        if looked.is_err() || own.best.is_some() {
            found.store(true, Ordering::Relaxed);
        }
        looked
    };
    let (looked, learned) = machine::scope(|scope| {
        let looking: Vec<_> = lanes.iter_mut().map(|lane| scope.spawn(|| look(lane))).collect();
        let learner = scope.spawn(|| {
            if request.engine != Engine::Auto {
                return None;
            }
            let learned = learning::after(easy, game, request, &until_settled, progress)?;
            if learning::settles(instance.objective(), &learned.end) {
                settle();
            }
            Some(learned)
        });
        let beside = scope.spawn(|| {
            machine::lower_priority(PORTFOLIO_NICENESS);
            let limits = until_found.clone();
            let beside = Request { limits, threads: request.threads - 1, ..request.clone() };
            let answered = portfolio::solve(instance, game, &beside, progress, outcome);
            // Out of memory is no answer: feature-space search goes on by itself.
            if answered.is_err() || outcome.stop.is_none() {
                settled.store(true, Ordering::Relaxed);
            }
            answered
        });
        let looked: Vec<_> = looking.into_iter().map(|one| one.join()).collect();
        (looked.into_iter().collect::<Result<(), _>>().and(beside.join()), learner.join())
    });
    looked?;
    if let Some(learned) = learned {
        learning::take(instance, learned, request, outcome)?;
    }
    for plan in lanes.into_iter().filter_map(|(_, own)| own.best) {
        outcome.offer(instance.objective(), plan);
    }
    if outcome.best.is_some() || outcome.verdict == Verdict::Unsolvable {
        outcome.conclude(instance.objective(), None);
    }
    Ok(())
}

/// One try of feature-space search in this variant, if the family has features.
pub(super) fn once(
    game: &dyn Game,
    variant: u32,
    limits: &Limits,
) -> Result<Option<Verified>, SolveError> {
    let Some(attempts) = game.attempts() else { return Ok(None) };
    let slice = Attempt { direction: Direction::Forward, variant, most: SINGLE_ATTEMPT_STATES };
    match attempts.look(slice, limits, &mut |_| {}).map(|tried| tried.end) {
        Some(AttemptEnd::Found(plan)) => Ok(Some(plan)),
        Some(AttemptEnd::Fault(fault)) => Err(SolveError::Fault { fault, formula: None }),
        Some(AttemptEnd::GaveUp | AttemptEnd::Stopped(_)) | None => Ok(None),
    }
}

/// Tries with more and more states and ever other variants, until there is a plan, a limit strikes
/// or `most` states were looked at.
pub(super) fn tries(
    instance: &dyn Instance,
    attempts: &dyn Attempts,
    lane: Lane,
    most: u64,
    limits: &Limits,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let (mut total, mut fruitless) = (0, 0);
    for slice in lane.slices() {
        if total >= most || fruitless >= MAX_FRUITLESS_ATTEMPTS || limits.reached().is_some() {
            break;
        }
        let stats = |states| SearchStats {
            expanded: total + states,
            states: total + states,
            lower: Cost::ZERO,
        };
        let mut report = |now: crate::feature_search::FeatureSearchStats| {
            progress(&Event::Searching(stats(now.states)));
        };
        let Some(tried) = attempts.look(slice, limits, &mut report) else {
            // From the start it may do.
            if matches!(lane, Lane::All) && slice.direction == Direction::Backward {
                continue;
            }
            return Ok(());
        };
        outcome.stats = Some(stats(tried.stats.states));
        match tried.end {
            AttemptEnd::Found(plan) => {
                outcome.offer(instance.objective(), plan);
                return Ok(());
            }
            AttemptEnd::GaveUp => {}
            // What it held is free again.
            AttemptEnd::Stopped(Stop::Memory) => {}
            AttemptEnd::Stopped(_) => return Ok(()),
            AttemptEnd::Fault(fault) => return Err(SolveError::Fault { fault, formula: None }),
        }
        total += tried.stats.states.max(FIRST_ATTEMPT_STATES);
        fruitless += u32::from(tried.stats.states < slice.most);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::sampled;
    use unstuck_puzzles::Objective;

    /// Whichever is first: what all say together is what exhaustive search says.
    #[test]
    fn all_engines_together_agree_with_search() {
        let (mut solvable, mut unsolvable) = (0, 0);
        for seed in 0..200 {
            let instances = sampled("sokoban", Objective::Any, seed);
            let instance = instances[0].as_ref();
            let game = instance.moves().expect("a game");
            let progress: Progress<'_> = &|_| {};
            let [mut alone, mut together] = [(); 2].map(|()| Outcome::new(instance));
            let request = Request { threads: 1, ..Request::default() };
            portfolio::solve(instance, game, &request, progress, &mut alone).expect("no fault");
            let request = Request { threads: 2, ..Request::default() };
            both(instance, game, &request, Duration::ZERO, progress, &mut together)
                .expect("no fault");
            assert_eq!(together.verdict, alone.verdict, "seed {seed}");
            assert_eq!(together.best.is_some(), alone.best.is_some(), "seed {seed}");
            assert!(together.stop.is_none(), "seed {seed}");
            solvable += u32::from(together.verdict == Verdict::Solved);
            unsolvable += u32::from(together.verdict == Verdict::Unsolvable);
        }
        assert!(solvable > 60 && unsolvable > 20, "{solvable} {unsolvable}");
    }
}
