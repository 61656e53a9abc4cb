//! Works through a schedule.

use super::schedule::{
    Delay, EndCondition, Lane, MemoryShare, Schedule, Stage, StageCondition, StartCondition,
    ThreadPriority, TimeShare,
};
use crate::instance::SatisficingSearch;
use crate::ledger::{Budget, EngineEnd, Ledger, SolveError, StageReport, Task};
use crate::limits::{Limits, Stop};
use crate::machine::{self, lock, resident_memory};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Time between two looks whether a lane is to begin: what is written to the ledger, or the end of
/// a lane, is seen at once; Ctrl-C is not.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Works through a schedule until the ledger has the answer or all stages have ended; what ended
/// those early that left the question open.
///
/// # Errors
/// When no engine of the schedule can say anything about the task: why.
pub(super) fn run(
    schedule: &Schedule,
    task: Task<'_>,
    ledger: &Ledger<'_>,
) -> Result<Option<Stop>, SolveError> {
    let run = Run {
        schedule,
        task,
        ledger,
        ended: schedule.lanes.iter().map(|_| Arc::default()).collect(),
        overtaken: Arc::default(),
        taken: AtomicUsize::new(0),
        summary: Mutex::default(),
    };
    machine::scope(|scope| {
        let run = &run;
        let lanes = schedule.lanes.iter().enumerate();
        let mut waiting: Vec<WaitingLane<'_>> =
            lanes.map(|(at, lane)| WaitingLane { at, lane, due: None }).collect();
        while !waiting.is_empty() {
            waiting.retain_mut(|it| match run.readiness(it) {
                Readiness::Waits => true,
                Readiness::Begins => {
                    let (at, lane) = (it.at, it.lane);
                    scope.spawn(move || run.lane(at, lane));
                    false
                }
                Readiness::IsOver => {
                    run.end(it.at);
                    false
                }
            });
            if !waiting.is_empty() {
                ledger.wait(POLL_INTERVAL);
            }
        }
    });
    let summary = run.summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let (false, Some(declined)) = (summary.offered, summary.declined) {
        return Err(declined);
    }
    for stage in schedule.afterwards.iter().filter(|_| ledger.best().is_some()) {
        let budget = Budget::new(task.request.limits.clone(), 1);
        // A limit that strikes now has left a plan.
        stage.engine.run(task, ledger, &budget)?;
    }
    let out_of_time = (summary.ran_out && ledger.best().is_none()).then_some(Stop::Time);
    Ok(task.request.limits.reached_any().or(summary.stop).or(out_of_time))
}

/// A run of a schedule.
struct Run<'a> {
    schedule: &'a Schedule,
    task: Task<'a>,
    ledger: &'a Ledger<'a>,
    /// Raised when a lane has ended.
    ended: Vec<Arc<AtomicBool>>,
    /// Raised when one engine has overtaken another.
    overtaken: Arc<AtomicBool>,
    /// Threads of the stages that have a fixed number of them.
    taken: AtomicUsize,
    summary: Mutex<Summary>,
}

/// What the stages came to.
#[derive(Default)]
struct Summary {
    /// Whether any engine had something to say.
    offered: bool,
    /// Why one had not.
    declined: Option<SolveError>,
    /// What ended a stage early, where that was neither the answer nor time.
    stop: Option<Stop>,
    /// Whether a stage has spent its share of the time.
    ran_out: bool,
}

/// A lane that has not begun.
struct WaitingLane<'a> {
    at: usize,
    lane: &'a Lane,
    /// When its delay is over, counted from the beginning of the run; `None` before it began.
    due: Option<Duration>,
}

/// Whether a lane is to begin.
enum Readiness {
    Waits,
    Begins,
    /// The answer, a limit or what it should end with came first.
    IsOver,
}

impl Run<'_> {
    /// The limits of a lane.
    fn limits(&self, lane: &Lane) -> Limits {
        let limits = self.ledger.limits(&self.task.request.limits);
        match lane.end {
            EndCondition::WithStages => limits,
            EndCondition::GivesWay => limits.cancelled_by(self.overtaken.clone()),
            EndCondition::With(other) => limits.cancelled_by(self.ended[self.place(other)].clone()),
        }
    }

    /// Works through the stages of a lane.
    fn lane(&self, at: usize, lane: &Lane) {
        let limits = self.limits(lane);
        if lane.priority == ThreadPriority::Companion {
            machine::lower_priority(self.task.request.tuning.companion_niceness as i32);
        }
        for stage in lane.stages {
            if limits.reached().is_some() {
                break;
            }
            if let Err(error) = self.stage(lane, stage, &limits) {
                self.ledger.fail(error);
                break;
            }
        }
        self.end(at);
    }

    fn end(&self, at: usize) {
        self.ended[at].store(true, Ordering::Relaxed);
        self.ledger.wake();
    }

    fn has_ended(&self, lane: &str) -> bool {
        self.ended[self.place(lane)].load(Ordering::Relaxed)
    }

    /// Works through a stage, if it is of use.
    fn stage(&self, lane: &Lane, stage: &Stage, limits: &Limits) -> Result<(), SolveError> {
        let Self { task, ledger, .. } = *self;
        let of_use = match stage.only {
            StageCondition::Always => true,
            StageCondition::WithoutPlan => ledger.best().is_none(),
            StageCondition::WithPlanFor(engine) => {
                engine.offers(task).is_ok() && ledger.upper().is_some()
            }
        };
        if !of_use {
            return Ok(());
        }
        if let Err(declined) = stage.engine.offers(task) {
            lock(&self.summary).declined.get_or_insert(declined);
            return Ok(());
        }
        let begun = ledger.elapsed();
        let limits = self.limits_of(stage, limits);
        let all = task.request.threads.max(1);
        let threads = stage.threads.of(all);
        let budget = match threads {
            Some(threads) => Budget::new(limits, threads),
            None => Budget::rest(limits, all, &self.taken),
        };
        self.taken.fetch_add(threads.unwrap_or(0), Ordering::Relaxed);
        let done = stage.engine.run(task, ledger, &budget);
        self.taken.fetch_sub(threads.unwrap_or(0), Ordering::Relaxed);
        let stop = match done? {
            EngineEnd::Declined(declined) => {
                lock(&self.summary).declined.get_or_insert(declined);
                return Ok(());
            }
            EngineEnd::Finished => None,
            EngineEnd::Stopped(stop) => Some(stop),
        };
        let mut summary = lock(&self.summary);
        summary.offered = true;
        summary.ran_out |= stop == Some(Stop::Time);
        summary.stop = summary.stop.or(stop.filter(|&stop| stop == Stop::Memory));
        drop(summary);
        let elapsed = ledger.elapsed() - begun;
        let engine = stage.engine.name();
        ledger.note_stage(StageReport { lane: lane.name, engine, begun, elapsed, stop });
        Ok(())
    }

    /// The limits of a stage within those of its lane.
    fn limits_of(&self, stage: &Stage, limits: &Limits) -> Limits {
        let (tuning, left) = (&self.task.request.tuning, limits.time_left());
        let mut own = match (stage.time, stage.time.share(tuning)) {
            (_, Some(share)) => limits.share(share),
            (TimeShare::Within(wait), None) => limits.within(wait.time(tuning, left)),
            (TimeShare::Until(wait), None) => {
                let elapsed = self.ledger.elapsed();
                let whole = left.map(|left| left + elapsed);
                limits.within(wait.time(tuning, whole).saturating_sub(elapsed))
            }
            _ => limits.clone(),
        };
        if stage.memory == MemoryShare::Search {
            let part = tuning.search_memory;
            own.memory = own.memory.map(|memory| memory / 100 * part);
        }
        own
    }

    /// Whether a lane that waits is to begin. Without threads none waits.
    fn readiness(&self, waiting: &mut WaitingLane<'_>) -> Readiness {
        let limits = self.limits(waiting.lane);
        if limits.reached().is_some() {
            return Readiness::IsOver;
        }
        if !machine::has_threads() {
            return Readiness::Begins;
        }
        let start = waiting.lane.start;
        let delay = match start {
            StartCondition::AtOnce => Delay::None,
            StartCondition::AfterLane(other, _) if !self.has_ended(other) => {
                return Readiness::Waits;
            }
            StartCondition::After(delay)
            | StartCondition::AfterOr(delay, _)
            | StartCondition::AfterLane(_, delay)
            | StartCondition::MemoryHigh(delay)
            | StartCondition::Overtaken(delay, ..) => delay,
        };
        let tuning = &self.task.request.tuning;
        let now = self.ledger.elapsed();
        let due = *waiting.due.get_or_insert_with(|| now + delay.time(tuning, limits.time_left()));
        let is_due = now >= due;
        let begins = match start {
            StartCondition::AfterOr(_, other) => is_due || self.has_ended(other),
            StartCondition::MemoryHigh(_) => {
                let most = limits.memory.filter(|_| self.task.counts());
                let Some(most) = most else { return Readiness::IsOver };
                let high = most / 100 * tuning.saving_from;
                is_due && resident_memory().is_none_or(|held| held >= high)
            }
            StartCondition::Overtaken(_, ahead, behind) => {
                // A tie-break is neither learned nor looked for around a plan, and without features
                // A* is the best that there is.
                let objective = self.task.objective();
                let features = self.task.instance.capability::<dyn SatisficingSearch>();
                if objective.first() != objective || features.is_none() {
                    return Readiness::IsOver;
                }
                is_due && self.overtakes(ahead, behind)
            }
            _ => is_due,
        };
        if begins { Readiness::Begins } else { Readiness::Waits }
    }

    /// Whether an engine has a better bound than another, and those that give way have done so.
    fn overtakes(&self, ahead: &str, behind: &str) -> bool {
        if self.ledger.announced(ahead) > self.ledger.announced(behind) {
            self.overtaken.store(true, Ordering::Relaxed);
        }
        let mut lanes = self.schedule.lanes.iter().zip(&self.ended);
        self.overtaken.load(Ordering::Relaxed)
            && lanes.all(|(lane, ended)| {
                lane.end != EndCondition::GivesWay || ended.load(Ordering::Relaxed)
            })
    }

    fn place(&self, lane: &str) -> usize {
        let place = self.schedule.lanes.iter().position(|it| it.name == lane);
        place.expect("lanes refer to lanes of their schedule")
    }
}
