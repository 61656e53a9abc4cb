//! Works through a schedule.
//!
//! At most as many lanes are at work at once as there are threads; without threads, one. Where more
//! are ready, they take turns: next is the lane that has had least, counted by its priority. A turn
//! ends only when another lane wants one, and after its *slice*. Engines that go on where they were
//! have slices of an eighth of the time that they have worked, so that none is far behind; those
//! that have to begin again have slices twice as long each time, so that what is lost is no more
//! than what they had. The same loop serves with threads and without.

use super::schedule::{
    COMPANION_CHARGE, Delay, EndCondition, Lane, Schedule, Stage, StageCondition, StartCondition,
};
use crate::instance::SatisficingSearch;
use crate::ledger::{Budget, EngineEnd, Ledger, SolveError, StageReport, Task, Work};
use crate::limits::{Limits, Stop};
use crate::machine::{self, lock, resident_memory};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Time between two looks whether a lane is to begin.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The first slice of a stage, and the shortest.
const FIRST_SLICE: Duration = Duration::from_millis(100);

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
        wanted: Arc::default(),
        taken: AtomicUsize::new(0),
        summary: Mutex::default(),
    };
    run.lanes();
    let summary = run.summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let (false, Some(declined)) = (summary.offered, summary.declined) {
        return Err(declined);
    }
    let afterwards = schedule.afterwards.iter().filter(|stage| is_of_use(stage, task, ledger));
    for stage in afterwards.filter(|_| ledger.best().is_some()) {
        let limits = &task.request.limits;
        let limits = stage.time(task).map_or_else(|| limits.clone(), |time| limits.within(time));
        let budget = Budget::new(limits, 1);
        // A limit that strikes now has left a plan.
        stage.engine.work(task)(ledger, &budget)?;
    }
    let out_of_time = (summary.ran_out && ledger.best().is_none()).then_some(Stop::Time);
    Ok(task.request.limits.reached_any().or(summary.stop).or(out_of_time))
}

/// Whether a stage has something to do.
fn is_of_use(stage: &Stage, task: Task<'_>, ledger: &Ledger<'_>) -> bool {
    match stage.only {
        StageCondition::Always => true,
        StageCondition::WithoutPlan => ledger.best().is_none(),
        StageCondition::AnyPlan => !task.counts(),
    }
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
    /// Raised while a lane waits for its turn.
    wanted: Arc<AtomicBool>,
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

/// A lane, as far as it has come.
struct RunningLane<'a> {
    at: usize,
    lane: &'a Lane,
    /// When its delay is over, counted from the beginning of the run; `None` before it began.
    due: Option<Duration>,
    /// The stages that have not begun.
    coming: std::slice::Iter<'a, Stage>,
    stage: Option<RunningStage<'a>>,
    /// What it has had of the time, as others are told by their priority.
    charged: Duration,
    has_ended: bool,
}

/// A stage that has begun.
struct RunningStage<'a> {
    stage: &'a Stage,
    work: Work<'a>,
    begun: Duration,
    worked: Duration,
    /// How long it may work.
    time: Option<Duration>,
    /// How long it works before others have a turn.
    slice: Duration,
    /// Whether it goes on where it was.
    keeps: bool,
    /// What it has counted.
    count: u64,
}

/// Whether a lane is to begin.
enum Readiness {
    Waits,
    Begins,
    /// The answer, a limit or what it should end with came first.
    IsOver,
}

/// Gives a lane back after its turn: nothing when the turn has panicked.
struct Returned<'a>(Sender<Option<RunningLane<'a>>>, Option<RunningLane<'a>>);

impl Drop for Returned<'_> {
    fn drop(&mut self) {
        // Who received it has ended only after a panic.
        let _ = self.0.send(self.1.take());
    }
}

impl<'a> Run<'a> {
    /// Gives turns to the lanes until all have ended.
    fn lanes(&self) {
        let lanes = self.schedule.lanes.iter().enumerate();
        let lanes = lanes.map(|(at, lane)| RunningLane {
            at,
            lane,
            due: None,
            coming: lane.stages.iter(),
            stage: None,
            charged: Duration::ZERO,
            has_ended: false,
        });
        let mut waiting: Vec<_> = lanes.collect();
        let mut ready: Vec<RunningLane<'_>> = Vec::new();
        let (mut running, mut charged) = (0, Duration::ZERO);
        let threads = machine::has_threads();
        let most = if threads { self.task.request.threads.max(1) } else { 1 };
        let (send, returned) = channel();
        machine::scope(|scope| {
            loop {
                // Nothing is idle before the lanes have been asked that begin in time.
                for is_idle in [false, true] {
                    if is_idle && (running > 0 || !ready.is_empty()) {
                        break;
                    }
                    for mut lane in std::mem::take(&mut waiting) {
                        match self.readiness(&mut lane, is_idle) {
                            Readiness::Waits => waiting.push(lane),
                            Readiness::IsOver => {
                                self.ended[lane.at].store(true, Ordering::Relaxed);
                            }
                            Readiness::Begins => {
                                lane.charged = charged;
                                ready.push(lane);
                            }
                        }
                    }
                }
                while running < most {
                    let next = (0..ready.len()).min_by_key(|&at| ready[at].charged);
                    let Some(next) = next else { break };
                    let mut lane = ready.remove(next);
                    charged = lane.charged;
                    running += 1;
                    // Without threads none can be found ready meanwhile.
                    let wanted = !ready.is_empty() || !threads && !waiting.is_empty();
                    self.wanted.store(wanted, Ordering::Relaxed);
                    let send = send.clone();
                    scope.spawn(move || {
                        let mut returned = Returned(send, None);
                        self.turn(&mut lane);
                        returned.1 = Some(lane);
                    });
                }
                self.wanted.store(!ready.is_empty(), Ordering::Relaxed);
                if running == 0 && waiting.is_empty() {
                    break;
                }
                match machine::recv_timeout(&returned, POLL_INTERVAL) {
                    Ok(Some(lane)) => {
                        running -= 1;
                        match lane.has_ended {
                            true => self.ended[lane.at].store(true, Ordering::Relaxed),
                            false => ready.push(lane),
                        }
                    }
                    // The scope passes the panic on.
                    Ok(None) => break,
                    Err(_) => {}
                }
            }
        });
    }

    /// The limits of a lane.
    fn limits(&self, lane: &Lane) -> Limits {
        let limits = self.ledger.limits(&self.task.request.limits);
        match lane.end {
            EndCondition::WithStages => limits,
            EndCondition::GivesWay => limits.cancelled_by(self.overtaken.clone()),
            EndCondition::With(other) => limits.cancelled_by(self.ended[self.place(other)].clone()),
        }
    }

    /// Works through the stages of a lane until others have their turn.
    fn turn(&self, lane: &mut RunningLane<'a>) {
        if lane.lane.charge == COMPANION_CHARGE && machine::has_threads() {
            machine::lower_priority(self.task.request.tuning.companion_niceness as i32);
        }
        loop {
            match self.stage(lane) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    self.ledger.fail(error);
                    lane.has_ended = true;
                    return;
                }
            }
        }
    }

    /// Works on the stage of a lane; whether the lane goes on with the next one now.
    fn stage(&self, lane: &mut RunningLane<'a>) -> Result<bool, SolveError> {
        let Self { task, ledger, .. } = *self;
        let limits = self.limits(lane.lane);
        let over = limits.reached();
        let Some(mut stage) = lane.stage.take() else {
            lane.has_ended = over.is_some() || lane.coming.as_slice().is_empty();
            lane.stage =
                lane.coming.next().filter(|_| over.is_none()).and_then(|stage| self.begin(stage));
            return Ok(!lane.has_ended);
        };
        // What is over has its last word where it has shown more than the ledger knows.
        let is_silent = ledger.announced(stage.stage.engine.name()) <= ledger.lower();
        let end = match over {
            Some(stop) if is_silent || !stage.keeps => EngineEnd::Stopped(stop),
            _ => {
                let (begun, budget) = (ledger.elapsed(), self.budget(&stage, limits));
                let threads = stage.stage.threads.of(task.request.threads.max(1)).unwrap_or(0);
                self.taken.fetch_add(threads, Ordering::Relaxed);
                let end = (stage.work)(ledger, &budget);
                self.taken.fetch_sub(threads, Ordering::Relaxed);
                let worked = ledger.elapsed() - begun;
                stage.worked += worked;
                lane.charged += worked * lane.lane.charge;
                stage.count += budget.counted();
                end?
            }
        };
        stage.keeps = matches!(end, EngineEnd::Paused);
        let stop = match end {
            EngineEnd::Paused | EngineEnd::Stopped(Stop::Paused) => {
                let kept = FIRST_SLICE.max(stage.worked / 8);
                stage.slice = if stage.keeps { kept } else { 2 * stage.slice };
                lane.stage = Some(stage);
                return Ok(false);
            }
            EngineEnd::Declined(declined) => {
                lock(&self.summary).declined.get_or_insert(declined);
                return Ok(true);
            }
            EngineEnd::Finished => None,
            EngineEnd::Stopped(stop) => Some(stop),
        };
        let mut summary = lock(&self.summary);
        summary.offered = true;
        summary.ran_out |= stop == Some(Stop::Time);
        summary.stop =
            summary.stop.or(stop.filter(|stop| matches!(stop, Stop::Memory | Stop::States)));
        drop(summary);
        ledger.note_stage(StageReport {
            lane: lane.lane.name,
            engine: stage.stage.engine.name(),
            begun: stage.begun,
            elapsed: stage.worked,
            work: stage.count,
            stop,
        });
        Ok(true)
    }

    /// Begins a stage, if it is of use.
    fn begin(&self, stage: &'a Stage) -> Option<RunningStage<'a>> {
        let Self { task, ledger, .. } = *self;
        if !is_of_use(stage, task, ledger) {
            return None;
        }
        if let Err(declined) = stage.engine.offers(task) {
            lock(&self.summary).declined.get_or_insert(declined);
            return None;
        }
        Some(RunningStage {
            stage,
            work: stage.engine.work(task),
            begun: ledger.elapsed(),
            worked: Duration::ZERO,
            time: stage.time(task),
            slice: FIRST_SLICE,
            keeps: false,
            count: 0,
        })
    }

    /// What a stage may use in a turn, within the limits of its lane.
    fn budget(&self, stage: &RunningStage<'_>, limits: Limits) -> Budget<'_> {
        let mut limits = limits.paused_after(stage.slice, self.wanted.clone());
        if let Some(time) = stage.time {
            limits = limits.within(time.saturating_sub(stage.worked));
        }
        if stage.stage.shares_memory {
            let part = self.task.request.tuning.search_memory;
            limits.memory = limits.memory.map(|memory| memory / 100 * part);
        }
        let all = self.task.request.threads.max(1);
        match stage.stage.threads.of(all) {
            Some(threads) => Budget::new(limits, threads),
            None => Budget::rest(limits, all, &self.taken),
        }
    }

    fn has_ended(&self, lane: &str) -> bool {
        self.ended[self.place(lane)].load(Ordering::Relaxed)
    }

    /// Whether a lane that waits is to begin. Where nothing else is done, none waits for its time.
    fn readiness(&self, waiting: &mut RunningLane<'_>, is_idle: bool) -> Readiness {
        let limits = self.limits(waiting.lane);
        if limits.reached().is_some() {
            return Readiness::IsOver;
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
        let is_due = is_idle || now >= due;
        let begins = match start {
            StartCondition::AfterOr(_, other) => is_due || self.has_ended(other),
            StartCondition::MemoryHigh(_) => {
                let most = limits.memory.filter(|_| self.task.counts());
                let Some(most) = most else { return Readiness::IsOver };
                let high = most / 100 * tuning.saving_from;
                is_due && resident_memory().is_none_or(|held| held >= high)
            }
            StartCondition::Overtaken(_, ahead, behind) => {
                // A tie-break is neither learned nor looked for around a plan, nor is what lies
                // within a horizon, and without features A* is the best that there is.
                let objective = self.task.objective();
                let features = self.task.instance.capability::<dyn SatisficingSearch>();
                let is_bounded = self.task.request.bounded().is_some();
                if objective.first() != objective || features.is_none() || is_bounded {
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
