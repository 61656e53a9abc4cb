//! The one loop that has many pieces of work done. A worker is given one piece after the other; one
//! that dies is replaced, and what it was working on is tried again by another. One that does not
//! end in time is ended, and its work alone is given up.
//!
//! Memory is shared: as long as all together hold no more than the limit each may take what it needs.
//! Beyond it the one that holds most is ended, and what it was working on is tried again by a worker
//! alone, when all else is done: what that cannot do no worker can.
//!
//! Work is anything that a worker takes: `processes` and `threads` are workers of two kinds, `frame`
//! is what goes between this process and its workers.

pub(crate) mod frame;
pub(crate) mod processes;
pub(crate) mod threads;

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unstuck::limits::Stop;
use unstuck::machine::{self, Instant, lock};

/// Pieces of work that a quick worker is sent before it has answered the first of them.
const MAX_JOBS_AHEAD: usize = 4;

/// Bytes of work that are sent ahead: what fits into a pipe, so that neither side waits for the
/// other.
const MAX_BYTES_AHEAD: usize = 1 << 14;

/// A worker is quick when an answer takes less.
const QUICK_ANSWER_TIME: Duration = Duration::from_millis(20);

/// Time between two looks at the workers.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How long workers may take to end when they are asked to.
const GRACE_TIME: Duration = Duration::from_millis(1_500);

/// Time between two looks at what the workers hold.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How a piece of work ended.
#[derive(Debug)]
pub(crate) enum JobEnd<A> {
    /// The answer.
    Answered(A),
    /// Every worker that was given it died; how the last one did.
    Lost(String),
    /// It took longer than is allowed, or alone more memory than all together may, and its worker
    /// was ended.
    Ended(Stop),
}

/// Starts workers: processes or threads.
pub(crate) trait Runner<J, A>: Sync {
    /// Starts one.
    ///
    /// # Errors
    /// When it cannot be started.
    fn start(&self) -> io::Result<Box<dyn Worker<J, A>>>;

    /// How often work is tried whose worker dies.
    fn tries(&self) -> u32;
}

/// A worker, as the one sees it that feeds it.
pub(crate) trait Worker<J, A> {
    /// Sends it work; how many bytes of it may wait in front of the worker. Where it is gone, its
    /// answer will be missing.
    fn send(&mut self, job: &J) -> usize;

    /// Waits for its next answer, and whether it ends after that; `None` when it is gone.
    fn receive(&mut self) -> Option<(A, bool)>;

    /// The way to it for others.
    fn handle(&self) -> Arc<dyn Handle>;
}

/// A way to a worker from another thread.
pub(crate) trait Handle: Send + Sync {
    /// Asks it to end soon with what it knows.
    fn interrupt(&self);

    /// Ends it, which wakes who waits for it: at once, or when it had time to end by itself. Gives how
    /// it ended, where it was not ended before.
    fn end(&self, at_once: bool) -> Option<String>;

    /// The memory that it holds by itself, where that can be known.
    fn held(&self) -> Option<u64>;
}

/// What all workers may hold together.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    /// In bytes.
    pub limit: u64,
    /// How long a worker may hold too much, once it was asked to make room or should see it by
    /// itself.
    pub room_time: Duration,
    /// Whether all of them are one process, which each of them reports.
    pub is_one: bool,
}

/// Who works, and how.
pub(crate) struct Pool<'a, J, A> {
    /// Starts workers.
    pub runner: &'a dyn Runner<J, A>,
    /// How many workers there are.
    pub workers: usize,
    /// How long a piece of work may take.
    pub patience: Option<Duration>,
    /// What they may hold together. One that works alone is expected to keep the limit by itself.
    pub memory: Option<Memory>,
    /// Whether to stop: workers are interrupted then, and what they answer to that is taken.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// A piece of work at a worker, or one that waits for another try.
#[derive(Debug)]
struct Job<J> {
    job: J,
    deaths: u32,
    /// Bytes that wait in front of the worker.
    bytes: usize,
}

/// What all workers share.
struct PoolState<'a, J, A> {
    pool: &'a Pool<'a, J, A>,
    work: Mutex<&'a mut (dyn Iterator<Item = J> + Send)>,
    again: Mutex<Vec<Job<J>>>,
    /// What there was no room for beside others.
    alone: Mutex<Vec<J>>,
    take: &'a (dyn Fn(J, JobEnd<A>) + Sync),
    /// Whether there is one worker only.
    is_single: bool,
    /// Why no worker could be started.
    fault: Mutex<Option<io::Error>>,
}

/// The place of a worker.
#[derive(Default)]
struct Slot {
    worker: Mutex<Option<Arc<dyn Handle>>>,
    /// Since when it works on something.
    since: Mutex<Option<Instant>>,
    late: AtomicBool,
    /// Since when it has been asked to make room, or has taken too much where nothing else can.
    crowded: Mutex<Option<Instant>>,
}

impl<J: Send + Sync, A> Pool<'_, J, A> {
    /// Has all the work done. `take` receives how each piece ended, by several threads; `tick` is
    /// called now and then.
    ///
    /// # Errors
    /// When a worker cannot be started.
    pub(crate) fn run(
        &self,
        work: &mut (dyn Iterator<Item = J> + Send),
        take: &(dyn Fn(J, JobEnd<A>) + Sync),
        tick: &mut dyn FnMut(),
    ) -> io::Result<()> {
        let alone = self.phase(self.workers, work, take, tick)?;
        if alone.is_empty() || (self.stop)() {
            return Ok(());
        }
        // Each by itself: what is crowded then is too large.
        self.phase(1, &mut alone.into_iter(), take, tick).map(drop)
    }

    /// The work of these many workers; what there was no room for.
    fn phase(
        &self,
        workers: usize,
        work: &mut (dyn Iterator<Item = J> + Send),
        take: &(dyn Fn(J, JobEnd<A>) + Sync),
        tick: &mut dyn FnMut(),
    ) -> io::Result<Vec<J>> {
        let shared = PoolState {
            pool: self,
            work: Mutex::new(work),
            again: Mutex::default(),
            alone: Mutex::default(),
            take,
            is_single: workers <= 1,
            fault: Mutex::default(),
        };
        let slots: Vec<Slot> = (0..workers.max(1)).map(|_| Slot::default()).collect();
        let working = AtomicUsize::new(slots.len());
        machine::scope(|scope| {
            for slot in &slots {
                scope.spawn(|| {
                    let _leaves = LeaveGuard(&working);
                    shared.serve(slot);
                });
            }
            let mut stopped: Option<Instant> = None;
            let mut looked = Instant::now();
            while working.load(Ordering::Acquire) > 0 {
                machine::sleep(POLL_INTERVAL);
                tick();
                match stopped {
                    None if (self.stop)() => {
                        stopped = Some(Instant::now());
                        slots.iter().for_each(Slot::interrupt);
                    }
                    Some(since) if since.elapsed() > GRACE_TIME => slots.iter().for_each(Slot::end),
                    _ => {}
                }
                if let Some(memory) =
                    self.memory.filter(|_| looked.elapsed() > MEMORY_POLL_INTERVAL)
                {
                    looked = Instant::now();
                    memory.keep(&slots);
                }
                let Some(patience) = self.patience else { continue };
                slots.iter().for_each(|slot| slot.end_if_late(patience));
            }
        });
        match lock(&shared.fault).take() {
            Some(fault) => Err(fault),
            None => Ok(std::mem::take(&mut *lock(&shared.alone))),
        }
    }
}

impl Memory {
    /// Where all together hold too much, has the one make room that holds most, one at a time.
    fn keep(&self, slots: &[Slot]) {
        let held = |slot: &Slot| lock(&slot.worker).as_ref().and_then(|worker| worker.held());
        let held: Vec<u64> = slots.iter().map(|slot| held(slot).unwrap_or_default()).collect();
        let all = if self.is_one { held.iter().copied().max() } else { Some(held.iter().sum()) };
        if all.unwrap_or_default() <= self.limit {
            return;
        }
        let asked = |slot: &&Slot| lock(&slot.worker).is_some() && lock(&slot.crowded).is_some();
        if let Some(slot) = slots.iter().find(asked) {
            let since = *lock(&slot.crowded);
            if since.is_some_and(|since| since.elapsed() > self.room_time) {
                slot.end();
            }
            return;
        }
        let works = |at: &usize| lock(&slots[*at].since).is_some();
        let Some(most) = (0..slots.len()).filter(works).max_by_key(|&at| held[at]) else { return };
        *lock(&slots[most].crowded) = Some(Instant::now());
        // A worker alone keeps the limit by itself, and has bounds to report.
        if slots.len() > 1 {
            slots[most].interrupt();
        }
    }
}

/// Counts a thread down, however it ends.
struct LeaveGuard<'a>(&'a AtomicUsize);

impl Drop for LeaveGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl Slot {
    fn interrupt(&self) {
        lock(&self.worker).iter().for_each(|worker| worker.interrupt());
    }

    fn end(&self) {
        lock(&self.worker).iter().for_each(|worker| drop(worker.end(true)));
    }

    fn end_if_late(&self, patience: Duration) {
        let since = *lock(&self.since);
        if since.is_some_and(|since| since.elapsed() > patience) {
            self.late.store(true, Ordering::Relaxed);
            self.end();
        }
    }

    /// Sees to it that a worker has ended; how it did.
    fn bury(&self) -> String {
        let worker = lock(&self.worker).take();
        worker.and_then(|worker| worker.end(false)).unwrap_or_else(|| "it was gone".to_owned())
    }
}

impl<J: Send, A> PoolState<'_, J, A> {
    fn stopped(&self) -> bool {
        (self.pool.stop)() || lock(&self.fault).is_some()
    }

    fn next(&self) -> Option<Job<J>> {
        if self.stopped() {
            return None;
        }
        let again = lock(&self.again).pop();
        again.or_else(|| Some(Job { job: lock(&self.work).next()?, deaths: 0, bytes: 0 }))
    }

    /// Does work in one place until there is none, by as many workers as it takes.
    fn serve(&self, slot: &Slot) {
        let mut worker: Option<Box<dyn Worker<J, A>>> = None;
        let mut flight: VecDeque<Job<J>> = VecDeque::new();
        let mut quick = false;
        loop {
            self.fill(slot, &mut worker, &mut flight, quick);
            let (false, Some(own)) = (flight.is_empty(), &mut worker) else { break };
            let begun = Instant::now();
            *lock(&slot.since) = Some(begun);
            let answer = own.receive();
            *lock(&slot.since) = None;
            quick = begun.elapsed() < QUICK_ANSWER_TIME;
            let crowded = lock(&slot.crowded).take().is_some();
            let mut done = flight.pop_front().expect("it is at work");
            match answer {
                // It was interrupted, perhaps in something that it had just begun.
                _ if crowded && !self.is_single => lock(&self.alone).push(done.job),
                None if crowded => (self.take)(done.job, JobEnd::Ended(Stop::Memory)),
                Some((answer, last)) => {
                    (self.take)(done.job, JobEnd::Answered(answer));
                    if !last {
                        continue;
                    }
                }
                None => {
                    done.deaths += 1;
                    flight.push_front(done);
                }
            }
            worker = None;
            let how = slot.bury();
            self.settle(slot, &mut flight, &how);
        }
        // Without an input a worker ends.
        drop(worker);
        slot.bury();
    }

    /// Sends work, ahead too where the worker is quick.
    fn fill(
        &self,
        slot: &Slot,
        worker: &mut Option<Box<dyn Worker<J, A>>>,
        flight: &mut VecDeque<Job<J>>,
        quick: bool,
    ) {
        let ahead = if quick { MAX_JOBS_AHEAD } else { 1 };
        let waiting = |flight: &VecDeque<Job<J>>| {
            flight.iter().fold(0_usize, |bytes, job| bytes.saturating_add(job.bytes))
        };
        while flight.is_empty() || (flight.len() < ahead && waiting(flight) < MAX_BYTES_AHEAD) {
            let Some(mut job) = self.next() else { return };
            let own = match worker {
                Some(own) => own,
                None => match self.pool.runner.start() {
                    Ok(started) => {
                        *lock(&slot.worker) = Some(started.handle());
                        worker.insert(started)
                    }
                    Err(error) => {
                        *lock(&self.fault) = Some(error);
                        return;
                    }
                },
            };
            job.bytes = own.send(&job.job);
            flight.push_back(job);
        }
    }

    /// After the end of a worker: what it was working on is given up or tried again, and what it had
    /// not begun goes to another.
    fn settle(&self, slot: &Slot, flight: &mut VecDeque<Job<J>>, how: &str) {
        let late = slot.late.swap(false, Ordering::Relaxed);
        for work in flight.drain(..) {
            match work.deaths {
                1.. if late => (self.take)(work.job, JobEnd::Ended(Stop::Time)),
                deaths if deaths >= self.pool.runner.tries() => {
                    (self.take)(work.job, JobEnd::Lost(how.to_owned()))
                }
                _ if self.stopped() => {}
                _ => lock(&self.again).push(work),
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
