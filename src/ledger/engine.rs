//! What an engine is: something that works on a task, and writes what it finds to the ledger.

use super::book::Ledger;
use super::error::SolveError;
use super::request::Request;
use crate::instance::{Instance, StateSpace};
use crate::limits::{Limits, Stop};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use unstuck_puzzles::Objective;

/// A request about a puzzle under one reading.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The puzzle.
    pub instance: &'a dyn Instance,
    /// What is wanted of it.
    pub request: &'a Request,
}

impl<'a> Task<'a> {
    /// What all games that are searched have under the trait `C`: a `dyn StateSpace`, say.
    ///
    /// # Errors
    /// Where the family has no moves, or nothing of the kind.
    pub fn searched<C: ?Sized + 'static>(self) -> Result<&'a C, SolveError> {
        let family = self.instance.family();
        self.instance.capability().ok_or(match self.instance.moves() {
            Some(_) => SolveError::NotSearched(family),
            None => SolveError::NoMoves(family),
        })
    }

    /// Demands that no horizon is asked about.
    ///
    /// # Errors
    /// Where one is.
    pub fn unbounded(self) -> Result<(), SolveError> {
        self.request.bounded().map_or(Ok(()), |_| Err(SolveError::Bounded))
    }

    /// Demands that there are formulas of the puzzle.
    ///
    /// # Errors
    /// Where the encoding refuses it.
    pub fn encoded(self) -> Result<(), SolveError> {
        let refusal = self.instance.encoded().refusal();
        refusal.map_or(Ok(()), |reason| Err(SolveError::NotEncoded(reason.to_owned())))
    }

    /// What counts.
    pub fn objective(self) -> Objective {
        self.instance.objective()
    }

    /// Whether lengths count: not where any plan will do.
    pub fn counts(self) -> bool {
        self.objective() != Objective::Any
    }
}

/// What an engine may use.
pub struct Budget<'a> {
    /// When to end: the limits of the run, those of the stage, and what others have found out.
    pub limits: Limits,
    threads: Threads<'a>,
    work: AtomicU64,
}

enum Threads<'a> {
    Fixed(usize),
    /// What the others leave of so many.
    Rest(usize, &'a AtomicUsize),
}

impl<'a> Budget<'a> {
    /// So many threads and these limits.
    pub fn new(limits: Limits, threads: usize) -> Self {
        Self { limits, threads: Threads::Fixed(threads.max(1)), work: AtomicU64::new(0) }
    }

    /// What is left of `all` threads by those who have `taken` theirs, which changes meanwhile.
    pub fn rest(limits: Limits, all: usize, taken: &'a AtomicUsize) -> Self {
        Self { limits, threads: Threads::Rest(all, taken), work: AtomicU64::new(0) }
    }

    /// Notes work that was done, in what the engine counts: states, nodes, conflicts.
    pub fn count(&self, work: u64) {
        self.work.fetch_add(work, Ordering::Relaxed);
    }

    /// The work that was noted.
    pub fn counted(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    /// The threads that may be used now: at least one.
    pub fn threads(&self) -> usize {
        match self.threads {
            Threads::Fixed(threads) => threads,
            Threads::Rest(all, taken) => all.saturating_sub(taken.load(Ordering::Relaxed)).max(1),
        }
    }
}

/// How an engine ended. What it found stands in the ledger.
#[derive(Clone, Debug)]
pub enum EngineEnd {
    /// It has nothing left to say.
    Finished,
    /// It can say nothing about this puzzle, and why, which it found out by looking.
    Declined(SolveError),
    /// A limit struck: the run's, or the engine's own limit on states ([`Stop::Memory`]). After
    /// [`Stop::Paused`] it has to begin again.
    Stopped(Stop),
    /// Others have their turn; asked again, it goes on where it was.
    Paused,
}

impl From<Option<Stop>> for EngineEnd {
    fn from(stop: Option<Stop>) -> Self {
        stop.map_or(Self::Finished, Self::Stopped)
    }
}

/// A way to find something out. To add one, see `docs/engines.md`.
pub trait Engine: Send + Sync {
    /// Its name, as schedules and reports have it.
    fn name(&self) -> &'static str;

    /// Whether it can say anything about a task: unless it says otherwise, about all games with
    /// moves.
    ///
    /// # Errors
    /// Why it cannot: the message for a user who asks for this engine alone.
    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.searched::<dyn StateSpace>().map(drop)
    }

    /// Its work on a task, which is called again after each pause. An engine that keeps where it was
    /// goes on there, and says [`EngineEnd::Paused`]; others begin again.
    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a>;
}

/// Works until nothing is left to say, or the budget's limits strike. They do so, too, when the
/// ledger has the answer. See [`SolveError`] for errors; a limit that strikes is none.
pub type Work<'a> =
    Box<dyn FnMut(&Ledger<'_>, &Budget<'_>) -> Result<EngineEnd, SolveError> + Send + 'a>;
