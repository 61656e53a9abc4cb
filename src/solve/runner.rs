//! Works through a schedule.

use super::schedule::{
    Delay, EndCondition, Lane, MemoryShare, Schedule, Stage, StageCondition, StartCondition,
    ThreadPriority, TimeShare,
};
use crate::engines::steps::StepEngine;
use crate::ledger::{Budget, Engine, EngineEnd, Ledger, SolveError, StageReport, Task};
use crate::limits::{Limits, Stop};
use crate::machine::{self, lock, resident_memory};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Time between two looks whether a lane is to begin: what is written to the ledger, or the end of
/// a lane, is seen at once; Ctrl-C is not.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The same where the system is asked for memory.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(200);

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
        let (last, others) = schedule.lanes.split_last().expect("a schedule has lanes");
        let run = &run;
        for (at, lane) in others.iter().enumerate() {
            scope.spawn(move || run.lane(at, lane));
        }
        // Without threads lanes go one after the other, this one last.
        run.lane(others.len(), last);
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
    Ok(task.request.limits.reached_any().or(summary.stop))
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
    /// What ended a stage early, where that was not the answer.
    stop: Option<Stop>,
}

impl Run<'_> {
    /// Waits for a lane's beginning, and works through its stages.
    fn lane(&self, at: usize, lane: &Lane) {
        let mut limits = self.ledger.limits(&self.task.request.limits);
        match lane.end {
            EndCondition::WithStages => {}
            EndCondition::GivesWay => limits = limits.cancelled_by(self.overtaken.clone()),
            EndCondition::With(other) => {
                limits = limits.cancelled_by(self.ended[self.place(other)].clone())
            }
        }
        if self.begins(lane.start, &limits) {
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
        }
        self.ended[at].store(true, Ordering::Relaxed);
        self.ledger.wake();
    }

    /// Works through a stage, if it is of use.
    fn stage(&self, lane: &Lane, stage: &Stage, limits: &Limits) -> Result<(), SolveError> {
        let Self { task, ledger, .. } = *self;
        let of_use = match stage.only {
            StageCondition::Always => true,
            StageCondition::WithoutPlan => ledger.best().is_none(),
            StageCondition::BeforeSteps => {
                StepEngine.offers(task).is_ok() && ledger.upper().is_some()
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
        // Time was the stage's own, or the run says so itself.
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

    /// Waits for the moment of a start; false when the answer or a limit came first.
    fn begins(&self, start: StartCondition, limits: &Limits) -> bool {
        let begin = |wait, other: Option<&str>| self.waits(wait, limits, other);
        match start {
            StartCondition::AtOnce => true,
            StartCondition::After(wait) => begin(wait, None),
            StartCondition::AfterOr(wait, other) => begin(wait, Some(other)),
            StartCondition::AfterLane(other, wait) => {
                let ended = &self.ended[self.place(other)];
                self.until(limits, POLL_INTERVAL, || ended.load(Ordering::Relaxed))
                    && begin(wait, None)
            }
            StartCondition::MemoryHigh(wait) => {
                let tuning = &self.task.request.tuning;
                let Some(most) = limits.memory.filter(|_| self.task.counts()) else { return false };
                let high = most / 100 * tuning.saving_from;
                let is_high = || resident_memory().is_none_or(|held| held >= high);
                begin(wait, None) && self.until(limits, MEMORY_POLL_INTERVAL, is_high)
            }
            StartCondition::Overtaken(wait, ahead, behind) => {
                // A tie-break is neither learned nor looked for around a plan, and without features
                // A* is the best that there is.
                let objective = self.task.objective();
                let game = self.task.instance.moves();
                if objective.first() != objective || game.is_none_or(|it| it.attempts().is_none()) {
                    return false;
                }
                let announced = |engine| self.ledger.announced(engine);
                let is_ahead = || announced(ahead) > announced(behind);
                let overtaken = begin(wait, None) && self.until(limits, POLL_INTERVAL, is_ahead);
                if overtaken {
                    self.overtaken.store(true, Ordering::Relaxed);
                    // Those that give way need their threads no more.
                    let yields = |(lane, ended): (&Lane, &Arc<AtomicBool>)| {
                        lane.end != EndCondition::GivesWay || ended.load(Ordering::Relaxed)
                    };
                    let lanes = || self.schedule.lanes.iter().zip(&self.ended);
                    return self.until(limits, POLL_INTERVAL, || lanes().all(yields));
                }
                false
            }
        }
    }

    /// Waits for some time, or until another lane has ended; false when the answer or a limit came
    /// first.
    fn waits(&self, wait: Delay, limits: &Limits, other: Option<&str>) -> bool {
        let time = wait.time(&self.task.request.tuning, limits.time_left());
        let moment = self.ledger.elapsed() + time;
        let ended = other.map(|other| &self.ended[self.place(other)]);
        self.until(limits, POLL_INTERVAL, || {
            self.ledger.elapsed() >= moment
                || ended.is_some_and(|ended| ended.load(Ordering::Relaxed))
        })
    }

    /// Waits until something is so, with a look at it as often as this; false when the answer or a
    /// limit came first.
    fn until(&self, limits: &Limits, interval: Duration, is_so: impl Fn() -> bool) -> bool {
        loop {
            if limits.reached().is_some() {
                return false;
            }
            if is_so() || !machine::has_threads() {
                return true;
            }
            self.ledger.wait(interval);
        }
    }

    fn place(&self, lane: &str) -> usize {
        let place = self.schedule.lanes.iter().position(|it| it.name == lane);
        place.expect("lanes refer to lanes of their schedule")
    }
}
