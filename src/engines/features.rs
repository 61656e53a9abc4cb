//! Feature-space search: any plan, in families that have features.

use super::plans::offer_polished;
use crate::feature_search::{Attempt, FeatureSearchStats};
use crate::instance::{AttemptEnd, ResumableAttempt, SatisficingSearch, StateSpace};
use crate::ledger::{Budget, Engine, EngineEnd, Event, Ledger, SolveError, Task, Work};
use crate::limits::Stop;
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
    /// Attempts with ever more states and ever other variants, in one thread that others need, too.
    InOneThread,
    /// The same in two threads or more, where there are threads.
    InThreads,
}

impl Engine for FeatureEngine {
    fn name(&self) -> &'static str {
        "features"
    }

    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.searched::<dyn StateSpace>()?;
        let features = task.instance.capability::<dyn SatisficingSearch>();
        features.ok_or(SolveError::NoFeatures(task.instance.family()))?;
        task.unbounded()
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let tuning = &task.request.tuning;
        let features = task.instance.capability::<dyn SatisficingSearch>();
        let Some(features) = features else { return Box::new(|_, _| Ok(EngineEnd::Finished)) };
        match self {
            Self::Once => in_lanes(task, features, [Lane::First], u64::MAX),
            Self::InOneThread => {
                in_lanes(task, features, [Lane::All], most(task, tuning.features_shared_states))
            }
            Self::InThreads if task.request.threads > 1 && machine::has_threads() => {
                // Even two share two cores well.
                let threads = (task.request.threads / 2).max(2);
                let stride = u32::try_from(threads).unwrap_or(u32::MAX);
                let lanes = (0..stride).map(|first| Lane::Several { first, stride });
                in_lanes(task, features, lanes, most(task, tuning.features_own_states))
            }
            Self::InThreads => Self::InOneThread.work(task),
        }
    }
}

/// The states after which a lane ends: as many as there is time for, where there is a limit of time.
fn most(task: Task<'_>, states: u64) -> u64 {
    let is_timed = task.request.states.is_none() && task.request.limits.deadline.is_some();
    if is_timed { u64::MAX } else { states }
}

/// Attempts in lanes of their own, each in a thread.
fn in_lanes<'a>(
    task: Task<'a>,
    features: &'a dyn SatisficingSearch,
    lanes: impl IntoIterator<Item = Lane>,
    most: u64,
) -> Work<'a> {
    let begin = |lane| LaneAttempts {
        task,
        features,
        lane,
        most,
        attempt: None,
        number: 0,
        total: 0,
        fruitless: 0,
    };
    // How each lane has ended, once it has.
    let mut lanes: Vec<_> = lanes.into_iter().map(|lane| (begin(lane), None)).collect();
    Box::new(move |ledger, budget| {
        machine::scope(|scope| {
            let open = lanes.iter_mut().filter(|(_, end)| end.is_none());
            let running: Vec<_> = open
                .map(|(lane, end)| {
                    scope.spawn(move || {
                        *end = lane.run(ledger, budget)?;
                        Ok(())
                    })
                })
                .collect();
            running.into_iter().try_for_each(machine::JoinHandle::join)
        })?;
        if lanes.iter().any(|(_, end)| end.is_none()) {
            return Ok(EngineEnd::Paused);
        }
        let stop = lanes.iter().find_map(|(_, end)| end.flatten());
        Ok(stop.into())
    })
}

/// Which attempts belong to one thread, and how they grow.
#[derive(Clone, Copy, Debug)]
enum Lane {
    /// A few quick ones, and one longer: the plan is made shorter at once.
    First,
    /// All in one thread: quick ones, then longer ones, and again.
    All,
    /// This one first, and then with so many between.
    Several { first: u32, stride: u32 },
}

impl Lane {
    fn slice(self, number: u32, tuning: &Tuning) -> Attempt {
        let of = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        match self {
            Self::First => {
                let (variant, most) = match number < of(tuning.features_quick_attempts) {
                    true => (2 * number, tuning.features_quick_states),
                    false => (1, tuning.features_single_states),
                };
                Attempt { variant, most }
            }
            Self::All => {
                let (quick, long) =
                    (of(tuning.features_quick_attempts), of(tuning.features_attempts));
                let (round, place) = (number / (quick + long), number % (quick + long));
                let variant = match place.checked_sub(quick) {
                    None => 2 * (quick * round + place),
                    Some(place) => 2 * (long * round + place) + 1,
                };
                grown(variant, round, tuning)
            }
            Self::Several { first, stride } => {
                let variant = first + number * stride;
                let round = match variant % 2 {
                    0 => variant / 2 / of(tuning.features_quick_attempts),
                    _ => number,
                };
                grown(variant, round, tuning)
            }
        }
    }
}

/// An attempt of a round. Those that find a plan early or not at all begin with few states.
fn grown(variant: u32, round: u32, tuning: &Tuning) -> Attempt {
    let doublings = tuning.features_quick_doublings as u32;
    let (first, doubled) = match variant % 2 {
        0 => (tuning.features_quick_states, round.saturating_mul(doublings)),
        _ => (tuning.features_states, round),
    };
    Attempt { variant, most: first.saturating_mul(1 << doubled.min(40)) }
}

/// The attempts of a lane: more and more states, and ever other variants.
struct LaneAttempts<'a> {
    task: Task<'a>,
    features: &'a dyn SatisficingSearch,
    lane: Lane,
    /// States after which it ends.
    most: u64,
    /// What is tried now, with the states that it has looked at.
    attempt: Option<(ResumableAttempt<'a>, u64)>,
    /// Attempts that have ended.
    number: u32,
    /// States that they have looked at.
    total: u64,
    fruitless: u64,
}

impl LaneAttempts<'_> {
    /// Goes on until there is a plan, a limit strikes or the states are used up: what stopped it, if
    /// anything did; `None` for a pause.
    fn run(
        &mut self,
        ledger: &Ledger<'_>,
        budget: &Budget<'_>,
    ) -> Result<Option<Option<Stop>>, SolveError> {
        let Self { task, features, lane, most, attempt, number, total, fruitless } = self;
        let tuning = &task.request.tuning;
        let is_first = matches!(lane, Lane::First);
        let counted = task.request.states;
        let most = counted.map_or(*most, |states| states.min(*most));
        while *total < most && *fruitless < tuning.features_fruitless {
            match budget.limits.reached() {
                Some(Stop::Paused) => return Ok(None),
                Some(stop) => return Ok(Some(Some(stop))),
                None if is_first && u64::from(*number) > tuning.features_quick_attempts => {
                    return Ok(Some(None));
                }
                None => {}
            }
            let mut slice = lane.slice(*number, tuning);
            if counted.is_some() {
                slice.most = slice.most.min(most - *total);
            }
            if attempt.is_none() {
                *attempt = features.begin(slice).map(|attempt| (attempt, 0));
            }
            let Some((look, looked)) = attempt else { return Ok(Some(None)) };
            let stats = |states| SearchStats {
                expanded: *total + states,
                states: *total + states,
                lower: Cost::ZERO,
            };
            let mut report = |now: FeatureSearchStats| {
                ledger.note(&Event::Searching(stats(now.states)));
            };
            let tried = look(&budget.limits, &mut report);
            let states = tried.stats.states;
            budget.count(states - *looked);
            *looked = states;
            if matches!(lane, Lane::All) {
                ledger.note_search("features", stats(states));
            }
            match tried.end {
                AttemptEnd::Found(plan) => {
                    if is_first {
                        offer_polished(*task, ledger, budget, plan)?;
                    } else {
                        ledger.offer(plan);
                    }
                    return Ok(Some(None));
                }
                AttemptEnd::GaveUp => {}
                AttemptEnd::NothingLeft => return Ok(Some(None)),
                AttemptEnd::Stopped(Stop::Paused) => return Ok(None),
                // What it held is free again.
                AttemptEnd::Stopped(Stop::Memory) => {}
                AttemptEnd::Stopped(stop) => return Ok(Some(Some(stop))),
                AttemptEnd::Fault(fault) => return Err(SolveError::refused(fault)),
            }
            (*attempt, *number) = (None, *number + 1);
            *total += states.max(slice.most.min(tuning.features_states));
            *fruitless += u64::from(states < slice.most);
        }
        Ok(Some(Some(if counted.is_some() { Stop::States } else { Stop::Memory })))
    }
}
