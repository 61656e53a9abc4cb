//! What the checker asks of the machine that it runs on: the time, threads, memory. No other module of
//! this crate asks for them.
//!
//! The WebAssembly of a browser has neither clock nor threads, and there the standard library's
//! panic when they are used. So time comes from a clock that the page sets ([`set_clock`]), and
//! what would have a thread of its own is done at once, by the caller.

mod figures;
#[cfg(feature = "files")]
pub mod regular;

pub use figures::{
    half_of_memory, peak_memory, processor_time, resident_memory, resident_memory_of, total_memory,
};

use std::cell::Cell;
use std::num::NonZero;
use std::ops::{Add, Sub};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
pub use std::thread::ThreadId;
use std::time::Duration;

/// Locks, even when another thread panicked meanwhile: that panic ends the work anyway.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a change of what a lock guards, at most so long; without threads nothing can change.
pub fn wait_timeout<'a, T>(
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    most: Duration,
) -> MutexGuard<'a, T> {
    if !has_threads() {
        return guard;
    }
    changed.wait_timeout(guard, most).unwrap_or_else(PoisonError::into_inner).0
}

/// The clock that was set, if one was.
static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Takes the time from a function: how long ago some moment is that never changes. Needed where
/// there is no clock, before anything else; without it time stands still there. `false` when a
/// clock was set before, which then stays.
pub fn set_clock(clock: fn() -> Duration) -> bool {
    CLOCK.set(clock).is_ok()
}

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// The moment of the call.
    #[must_use]
    pub fn now() -> Self {
        Self(CLOCK.get().map_or_else(own_clock, |clock| clock()))
    }

    /// The time since then; none when the clock went back.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        Self::now().duration_since(self)
    }

    /// The time since an earlier moment; none when it is a later one.
    #[must_use]
    pub fn duration_since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment so much later, if it can be said.
    #[must_use]
    pub fn checked_add(self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}

#[cfg(not(target_family = "wasm"))]
fn own_clock() -> Duration {
    static FIRST: OnceLock<std::time::Instant> = OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(target_family = "wasm")]
fn own_clock() -> Duration {
    Duration::ZERO
}

thread_local! {
    static ALONE: Cell<bool> = const { Cell::new(cfg!(target_family = "wasm")) };
}

/// Whether work can be given to other threads.
pub fn has_threads() -> bool {
    !ALONE.get()
}

/// Does something as on a machine without threads: what would have a thread of its own is done at
/// once.
pub fn without_threads<T>(work: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _restore = Restore(ALONE.replace(true));
    work()
}

/// Which thread calls.
pub fn thread_id() -> ThreadId {
    thread::current().id()
}

/// As many threads as the machine runs at once.
pub fn all_threads() -> usize {
    if has_threads() { thread::available_parallelism().map_or(1, NonZero::get) } else { 1 }
}

/// Where threads are started that end before it: see [`scope`].
#[derive(Clone, Copy, Debug)]
pub struct Scope<'scope, 'env>(Option<&'scope thread::Scope<'scope, 'env>>);

/// Work that was given to a thread.
#[derive(Debug)]
pub struct JoinHandle<'scope, T>(Handle<'scope, T>);

#[derive(Debug)]
enum Handle<'scope, T> {
    Thread(thread::ScopedJoinHandle<'scope, T>),
    Done(T),
}

impl<'scope> Scope<'scope, '_> {
    /// Starts a thread; without threads, does its work now.
    pub fn spawn<T: Send + 'scope>(
        self,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> JoinHandle<'scope, T> {
        JoinHandle(match self.0 {
            Some(scope) => Handle::Thread(scope.spawn(work)),
            None => Handle::Done(work()),
        })
    }
}

impl<T> JoinHandle<'_, T> {
    /// What came of it; a panic goes on here.
    pub fn join(self) -> T {
        match self.0 {
            Handle::Thread(thread) => {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
            Handle::Done(done) => done,
        }
    }
}

/// Like [`std::thread::scope`]: threads that are started inside end before it returns.
pub fn scope<'env, T>(work: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> T) -> T {
    if has_threads() { thread::scope(|scope| work(Scope(Some(scope)))) } else { work(Scope(None)) }
}

/// Waits for a message; without threads none could be sent meanwhile.
///
/// # Errors
/// When none came in time, or none can come any more.
pub fn recv_timeout<T>(messages: &Receiver<T>, time: Duration) -> Result<T, RecvTimeoutError> {
    if has_threads() {
        return messages.recv_timeout(time);
    }
    messages.try_recv().map_err(|error| match error {
        std::sync::mpsc::TryRecvError::Empty => RecvTimeoutError::Timeout,
        std::sync::mpsc::TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
    })
}

/// Waits.
pub fn sleep(time: Duration) {
    if has_threads() {
        thread::sleep(time);
    }
}

/// Lets other threads go first, where threads have priorities (Linux): 0 is the usual one, 19 the
/// least.
pub fn lower_priority(priority: i32) {
    #[cfg(target_os = "linux")]
    {
        // Refused or not, the work is the same.
        let _ = rustix::process::setpriority_process(None, priority);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = priority;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on() {
        let begun = Instant::now();
        sleep(Duration::from_millis(2));
        assert!(begun.elapsed() >= Duration::from_millis(2));
        assert_eq!(begun.duration_since(Instant::now()), Duration::ZERO);
    }

    #[test]
    fn without_threads_work_is_done_at_once() {
        let (send, messages) = std::sync::mpsc::channel();
        without_threads(|| {
            assert_eq!((has_threads(), all_threads()), (false, 1));
            let result = scope(|scope| {
                let here = thread_id();
                let work = scope.spawn(move || thread_id() == here);
                let sent = send.send(7);
                sent.is_ok() && work.join()
            });
            assert!(result);
            assert_eq!(recv_timeout(&messages, Duration::from_secs(1_000)), Ok(7));
            let none = recv_timeout(&messages, Duration::from_secs(1_000));
            assert_eq!(none, Err(RecvTimeoutError::Timeout));
        });
        assert!(has_threads());
        assert!(scope(|scope| {
            let here = thread_id();
            scope.spawn(move || thread_id() != here).join()
        }));
    }
}
