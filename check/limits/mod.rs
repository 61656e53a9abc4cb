//! Limits of a run: time, memory, and requests to stop; and long work that keeps them.

mod monitor;

pub use monitor::{Monitor, MonitoredStream};

use crate::machine::{Instant, resident_memory};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Why work ended before its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The time limit.
    Time,
    /// The memory limit, or the engine's own limit on states.
    Memory,
    /// The limit on work that is counted: states, conflicts.
    States,
    /// A move was met whose result is not known.
    UnknownMove,
    /// The user asked for it (Ctrl-C, or a flag of the caller's).
    Interrupted,
    /// Other work of the same run has made this work needless: nobody asked for it, and no run as a
    /// whole ends so.
    Cancelled,
    /// Other work of the same run has its turn: see [`Limits::paused_after`]. No run as a whole ends
    /// so, either.
    Paused,
}

impl Stop {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::States => "states",
            Self::UnknownMove => "unknown-move",
            Self::Interrupted => "interrupted",
            Self::Cancelled => "cancelled",
            Self::Paused => "paused",
        }
    }

    /// The limit of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let ends = [Self::Time, Self::Memory, Self::States, Self::UnknownMove];
        let mut all = ends.into_iter().chain([Self::Interrupted, Self::Cancelled]);
        all.find(|stop| stop.name() == name)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time limit",
            Self::Memory => "memory limit",
            Self::States => "limit of states",
            Self::UnknownMove => "a move without a known end",
            Self::Interrupted => "interrupted",
            Self::Cancelled => "cancelled",
            Self::Paused => "paused",
        })
    }
}

/// When to stop. Clones share the interrupt flags.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The moment at which time is up.
    pub deadline: Option<Instant>,
    /// The most memory that the process may hold, in bytes.
    pub memory: Option<u64>,
    interrupts: Vec<Arc<AtomicBool>>,
    /// Raised by other work of the same run.
    cancels: Vec<Arc<AtomicBool>>,
    /// Moments before the deadline, each of which counts until its flag is raised.
    sooner: Vec<(Instant, Arc<AtomicBool>)>,
    pauses: Vec<Pause>,
    /// Conflicts that a SAT solver may still have, where they are limited.
    conflicts: Option<Arc<AtomicU64>>,
}

/// A moment from which on work is paused when others want to go on.
#[derive(Clone, Debug)]
struct Pause {
    from: Instant,
    wanted: Arc<AtomicBool>,
    /// A pause that has struck stays, so that whoever looks again sees the same.
    has_struck: Arc<AtomicBool>,
}

impl Pause {
    fn strikes(&self) -> bool {
        let strikes = self.has_struck.load(Ordering::Relaxed)
            || self.wanted.load(Ordering::Relaxed) && Instant::now() >= self.from;
        if strikes {
            self.has_struck.store(true, Ordering::Relaxed);
        }
        strikes
    }
}

impl Limits {
    /// No limits at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// Limits from a time budget that starts now and a memory budget in bytes.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, memory, ..Self::default() }
    }

    /// The same limits, which also end when the user raises `flag`.
    #[must_use]
    pub fn with_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupts.push(flag);
        self
    }

    /// The same limits, which also end when other work of the same run raises `flag`.
    #[must_use]
    pub fn cancelled_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancels.push(flag);
        self
    }

    /// The same limits with at most so many conflicts of the embedded SAT solver, in all questions
    /// together: a limit that is the same on every machine.
    #[must_use]
    pub fn with_conflicts(self, most: u64) -> Self {
        Self { conflicts: Some(Arc::new(AtomicU64::new(most))), ..self }
    }

    /// Whether conflicts are limited.
    pub fn counts_conflicts(&self) -> bool {
        self.conflicts.is_some()
    }

    /// Takes note of conflicts; the limit where there were too many.
    pub fn spend_conflicts(&self, conflicts: u64) -> Option<Stop> {
        let left = self.conflicts.as_ref()?;
        let before = left.load(Ordering::Relaxed);
        left.store(before.saturating_sub(conflicts), Ordering::Relaxed);
        (conflicts > before || before == 0).then_some(Stop::States)
    }

    /// The same limits with at most `time` from now.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let mut limits = self.clone();
        let sooner = Instant::now().checked_add(time);
        limits.deadline = match (self.deadline, sooner) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        limits
    }

    /// The same limits with this part of the time that is left; without a limit of time there is
    /// none.
    #[must_use]
    pub fn share(&self, part: f64) -> Self {
        self.time_left().map_or_else(|| self.clone(), |left| self.within(left.mul_f64(part)))
    }

    /// The same limits with at most `time` from now until `flag` is raised, which gives back all
    /// the time.
    #[must_use]
    pub fn within_until(&self, time: Duration, flag: Arc<AtomicBool>) -> Self {
        let mut limits = self.clone();
        limits.sooner.extend(Instant::now().checked_add(time).map(|moment| (moment, flag)));
        limits
    }

    /// The same limits, which also pause the work: `time` from now at the earliest, and while
    /// `wanted` is raised. Who is paused may be asked to go on.
    #[must_use]
    pub fn paused_after(&self, time: Duration, wanted: Arc<AtomicBool>) -> Self {
        let mut limits = self.clone();
        let from = Instant::now().checked_add(time);
        limits.pauses.extend(from.map(|from| Pause { from, wanted, has_struck: Arc::default() }));
        limits
    }

    /// The same limits without pauses, for work that would be lost in one.
    #[must_use]
    pub fn without_pauses(&self) -> Self {
        Self { pauses: Vec::new(), ..self.clone() }
    }

    /// When time is up, as it stands now.
    fn end(&self) -> Option<Instant> {
        let sooner = self.sooner.iter().filter(|(_, flag)| !flag.load(Ordering::Relaxed));
        sooner.map(|(moment, _)| *moment).chain(self.deadline).min()
    }

    /// Time left; `None` when there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.end().map(|end| end.duration_since(Instant::now()))
    }

    /// Whether time is up or a stop was requested: cheap enough for every few thousand steps.
    pub fn reached(&self) -> Option<Stop> {
        let is_raised =
            |flags: &[Arc<AtomicBool>]| flags.iter().any(|it| it.load(Ordering::Relaxed));
        if is_raised(&self.interrupts) {
            return Some(Stop::Interrupted);
        }
        if is_raised(&self.cancels) {
            return Some(Stop::Cancelled);
        }
        let is_late = self.end().is_some_and(|end| Instant::now() >= end);
        let is_paused = || self.pauses.iter().any(Pause::strikes);
        is_late.then_some(Stop::Time).or_else(|| is_paused().then_some(Stop::Paused))
    }

    /// Like [`Limits::reached`], and whether the process holds too much memory. Reads a file of
    /// the system: ask a few times a second, not more.
    pub fn reached_any(&self) -> Option<Stop> {
        self.reached().or_else(|| {
            let limit = self.memory?;
            (resident_memory()? > limit).then_some(Stop::Memory)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_end_by_time_flag_and_memory() {
        assert_eq!(Limits::none().reached_any(), None);
        assert_eq!(Limits::new(Some(Duration::ZERO), None).reached(), Some(Stop::Time));
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().with_flag(flag.clone());
        assert_eq!(limits.reached(), None);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(limits.within(Duration::from_secs(9)).reached(), Some(Stop::Interrupted));
        if resident_memory().is_some() {
            assert_eq!(Limits::new(None, Some(1)).reached_any(), Some(Stop::Memory));
        }
    }

    /// The user's word is heard first, whatever else has been called off.
    #[test]
    fn cancelled_work_is_not_interrupted() {
        let [user, other] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let limits = Limits::new(Some(Duration::ZERO), None);
        let limits = limits.with_flag(user.clone()).cancelled_by(other.clone());
        assert_eq!(limits.reached(), Some(Stop::Time));
        other.store(true, Ordering::Relaxed);
        assert_eq!(limits.reached(), Some(Stop::Cancelled));
        user.store(true, Ordering::Relaxed);
        assert_eq!(limits.reached(), Some(Stop::Interrupted));
    }

    /// A pause needs its time and somebody who wants it, stays once it has struck, and is no limit.
    #[test]
    fn a_pause_strikes_when_it_is_wanted_and_stays() {
        let wanted = Arc::new(AtomicBool::new(false));
        let limits = Limits::new(Some(Duration::from_secs(100)), None);
        let later = limits.paused_after(Duration::from_secs(50), wanted.clone());
        let now = limits.paused_after(Duration::ZERO, wanted.clone());
        assert_eq!((now.reached(), later.reached()), (None, None));
        wanted.store(true, Ordering::Relaxed);
        assert_eq!((now.reached(), later.reached()), (Some(Stop::Paused), None));
        assert!(now.time_left() > Some(Duration::from_secs(50)));
        wanted.store(false, Ordering::Relaxed);
        assert_eq!(now.clone().reached(), Some(Stop::Paused));
        assert_eq!(now.without_pauses().reached(), None);
        assert_eq!(now.within(Duration::ZERO).reached(), Some(Stop::Time));
    }

    #[test]
    fn a_raised_flag_gives_back_all_the_time() {
        let flag = Arc::new(AtomicBool::new(false));
        let whole = Limits::new(Some(Duration::from_secs(100)), None);
        let limits = whole.within_until(Duration::ZERO, flag.clone());
        assert_eq!(limits.reached(), Some(Stop::Time));
        assert_eq!(limits.within(Duration::from_secs(9)).reached(), Some(Stop::Time));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(limits.reached(), None);
        assert!(limits.time_left() > Some(Duration::from_secs(50)));
        assert!(limits.within(Duration::from_secs(9)).time_left() < Some(Duration::from_secs(10)));
    }
}
