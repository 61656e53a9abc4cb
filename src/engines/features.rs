//! Feature-space search: any plan, in families that have features.

use super::plans::{offer_polished, once};
use crate::feature_search::{Attempt, Direction, FeatureSearchStats};
use crate::instance::{AttemptEnd, Attempts, SatisficingSearch};
use crate::ledger::{Budget, Engine, EngineEnd, Event, Ledger, SolveError, Task};
use crate::limits::{Limits, Stop};
use crate::machine;
use crate::search::SearchStats;
use crate::tuning::Tuning;
use unstuck_encodings::Cost;

/// Feature-space search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureEngine {
    /// A few quick attempts and a single longer one, whose plan is made shorter at once: a plan is
    /// only the beginning.
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
                let quick = (0..tuning.features_quick_attempts as u32)
                    .map(|number| (2 * number, tuning.features_quick_states));
                for (variant, most) in quick.chain([(1, tuning.features_single_states)]) {
                    if let Some(plan) = once(task, variant, most, &budget.limits)? {
                        offer_polished(task, ledger, budget, plan)?;
                        break;
                    }
                    if let Some(stop) = budget.limits.reached() {
                        return Ok(EngineEnd::Stopped(stop));
                    }
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
    /// All in one thread: quick ones from the start, longer ones, and after each round of these one
    /// from the end.
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
        let of = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let backward = |variant, doubled| Attempt {
            direction: Direction::Backward,
            variant,
            most: grown(tuning.features_backward_states, doubled),
        };
        match self {
            Self::All => {
                let (quick, long) =
                    (of(tuning.features_quick_attempts), of(tuning.features_attempts));
                let (round, place) = (number / (quick + long + 1), number % (quick + long + 1));
                if place < quick {
                    forward(2 * (quick * round + place), round, tuning)
                } else if place < quick + long {
                    forward(2 * (long * round + place - quick) + 1, round, tuning)
                } else {
                    backward(round, round)
                }
            }
            Self::Forward { first, stride } => {
                let variant = first + number * stride;
                let round = match variant % 2 {
                    0 => variant / 2 / of(tuning.features_quick_attempts),
                    _ => number,
                };
                forward(variant, round, tuning)
            }
            Self::Backward => backward(number, number / of(tuning.features_backward_attempts)),
        }
    }
}

/// An attempt from the start. Those that find a plan early or not at all begin with few states.
fn forward(variant: u32, round: u32, tuning: &Tuning) -> Attempt {
    let doublings = tuning.features_quick_doublings as u32;
    let most = if variant.is_multiple_of(2) {
        grown(tuning.features_quick_states, round.saturating_mul(doublings))
    } else {
        grown(tuning.features_states, round)
    };
    Attempt { direction: Direction::Forward, variant, most }
}

fn grown(first: u64, doubled: u32) -> u64 {
    first.saturating_mul(1 << doubled.min(40))
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
        total += tried.stats.states.max(slice.most.min(tuning.features_states));
        fruitless += u64::from(tried.stats.states < slice.most);
    }
    Ok(EngineEnd::Stopped(Stop::Memory))
}
