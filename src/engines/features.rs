//! Feature-space search: any plan, in families that have features.

use super::plans::{offer_polished, once};
use crate::feature_search::{Attempt, Direction, FeatureSearchStats};
use crate::instance::{AttemptEnd, Attempts, SatisficingSearch};
use crate::ledger::{Budget, Engine, EngineEnd, Event, Ledger, SolveError, Task, Tuning};
use crate::limits::{Limits, Stop};
use crate::machine;
use crate::search::SearchStats;
use unstuck_encodings::Cost;

/// Feature-space search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureEngine {
    /// A single attempt, whose plan is made shorter at once: a plan is only the beginning.
    Once,
    /// Attempts with ever more states and ever other variants, from the start and now and then from
    /// the end, in one thread that others need, too.
    InOneThread,
    /// The same in two threads or more, and one for attempts from the end.
    FromBothEnds,
}

impl Engine for FeatureEngine {
    fn name(&self) -> &'static str {
        "features"
    }

    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.game()?;
        let features = task.instance.capability::<dyn SatisficingSearch>();
        features.ok_or(SolveError::NoFeatures(task.instance.family()))?;
        task.unbounded()
    }

    fn run(
        &self,
        task: Task<'_>,
        ledger: &Ledger<'_>,
        budget: &Budget<'_>,
    ) -> Result<EngineEnd, SolveError> {
        let tuning = &task.request.tuning;
        let features = task.instance.capability::<dyn SatisficingSearch>();
        let Some(features) = features else { return Ok(EngineEnd::Finished) };
        let attempts = features.attempts();
        let has_deadline = task.request.limits.deadline.is_some();
        let most = |states| if has_deadline { u64::MAX } else { states };
        match self {
            Self::Once => {
                if let Some(plan) = once(task, 0, tuning, &budget.limits)? {
                    offer_polished(task, ledger, budget, plan)?;
                }
                Ok(EngineEnd::Finished)
            }
            Self::InOneThread => {
                let most = most(tuning.features_shared_states);
                attempt(&*attempts, Lane::All, most, tuning, ledger, &budget.limits)
            }
            Self::FromBothEnds => {
                let most = most(tuning.features_own_states);
                // Even two share two cores well.
                let threads = u32::try_from(budget.threads()).unwrap_or(u32::MAX).max(2);
                let attempts = &*attempts;
                machine::scope(|scope| {
                    let lanes: Vec<_> = Lane::split(threads)
                        .map(|lane| {
                            scope.spawn(move || {
                                if matches!(lane, Lane::Backward) {
                                    let niceness = tuning.features_backward_niceness;
                                    machine::lower_priority(niceness as i32);
                                }
                                attempt(attempts, lane, most, tuning, ledger, &budget.limits)
                            })
                        })
                        .collect();
                    let ended: Vec<_> = lanes.into_iter().map(machine::JoinHandle::join).collect();
                    ended.into_iter().try_fold(EngineEnd::Finished, |all, one| {
                        Ok(if matches!(all, EngineEnd::Finished) { one? } else { all })
                    })
                })
            }
        }
    }
}

/// Which attempts belong to one thread, and how they grow.
#[derive(Clone, Copy, Debug)]
enum Lane {
    /// All in one thread: from the start, and after each round of these one from the end.
    All,
    /// Those from the start, this one first and then with so many between.
    Forward { first: u32, stride: u32 },
    /// Those from the end.
    Backward,
}

impl Lane {
    /// So many threads for attempts from the start, which leaves time for attempts that grow at
    /// once, and one for those from the end.
    fn split(threads: u32) -> impl Iterator<Item = Self> {
        let forward = (0..threads).map(move |first| Self::Forward { first, stride: threads });
        forward.chain([Self::Backward])
    }

    fn slice(self, number: u32, tuning: &Tuning) -> Attempt {
        let grown = |first: u64, doubled: u32| first.saturating_mul(1 << doubled.min(40));
        let forward = |variant, doubled| Attempt {
            direction: Direction::Forward,
            variant,
            most: grown(tuning.features_states, doubled),
        };
        let backward = |variant, doubled| Attempt {
            direction: Direction::Backward,
            variant,
            most: grown(tuning.features_backward_states, doubled),
        };
        let of = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        match self {
            Self::All => {
                let attempts = of(tuning.features_attempts);
                match (number / (attempts + 1), number % (attempts + 1)) {
                    (round, place) if place == attempts => backward(round, round),
                    (round, place) => forward(attempts * round + place, round),
                }
            }
            Self::Forward { first, stride } => forward(first + number * stride, number),
            Self::Backward => backward(number, number / of(tuning.features_backward_attempts)),
        }
    }
}

/// Attempts with more and more states and ever other variants, until there is a plan, a limit
/// strikes or `most` states were looked at.
fn attempt(
    attempts: &dyn Attempts,
    lane: Lane,
    most: u64,
    tuning: &Tuning,
    ledger: &Ledger<'_>,
    limits: &Limits,
) -> Result<EngineEnd, SolveError> {
    let (mut total, mut fruitless) = (0, 0);
    for number in 0_u32.. {
        if let Some(stop) = limits.reached() {
            return Ok(EngineEnd::Stopped(stop));
        }
        if total >= most || fruitless >= tuning.features_fruitless {
            break;
        }
        let slice = lane.slice(number, tuning);
        let stats = |states| SearchStats {
            expanded: total + states,
            states: total + states,
            lower: Cost::ZERO,
        };
        let mut report = |now: FeatureSearchStats| {
            ledger.note(&Event::Searching(stats(now.states)));
        };
        let Some(tried) = attempts.look(slice, limits, &mut report) else {
            // From the start it may do.
            if matches!(lane, Lane::All) && slice.direction == Direction::Backward {
                continue;
            }
            return Ok(EngineEnd::Finished);
        };
        if matches!(lane, Lane::All) {
            ledger.note_search(stats(tried.stats.states));
        }
        match tried.end {
            AttemptEnd::Found(plan) => {
                ledger.offer(plan);
                return Ok(EngineEnd::Finished);
            }
            AttemptEnd::GaveUp => {}
            // What it held is free again.
            AttemptEnd::Stopped(Stop::Memory) => {}
            AttemptEnd::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
            AttemptEnd::Fault(fault) => return Err(SolveError::refused(fault)),
        }
        total += tried.stats.states.max(tuning.features_states);
        fruitless += u64::from(tried.stats.states < slice.most);
    }
    Ok(EngineEnd::Stopped(Stop::Memory))
}
