//! Who may print now: one at a time, with the line of progress out of the way, and only the last
//! words once the process is about to end.

use indicatif::ProgressBar;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};
use std::thread::{self, ThreadId};
use std::time::Duration;
use unstuck::machine::lock;

/// Held while an answer is printed, perhaps into a pipe without a reader.
static PRINTING: Mutex<()> = Mutex::new(());

/// How many answers were printed.
static PRINTED: AtomicU64 = AtomicU64::new(0);

/// The thread that has the last word.
static LAST: OnceLock<ThreadId> = OnceLock::new();

/// The line that is on the terminal now: what is printed must not run into it.
pub(crate) static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The right to print, for as long as it lives.
pub(crate) struct Turn(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

/// Whether another thread has the last word, so that this one does nothing any more.
pub(crate) fn is_ending() -> bool {
    LAST.get().is_some_and(|last| *last != thread::current().id())
}

/// Waits for as long as another thread has the last word: then the process ends.
pub(crate) fn wait_for_end() {
    while is_ending() {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Prints an answer; not while the process is being ended.
pub(crate) fn printing<T>(print: impl FnOnce() -> T) -> T {
    let turn = loop {
        let turn = lock(&PRINTING);
        if !is_ending() {
            break turn;
        }
        drop(turn);
        wait_for_end();
    };
    let result = aside(print);
    PRINTED.fetch_add(1, Ordering::SeqCst);
    drop(turn);
    result
}

/// How many answers were printed by now.
pub(crate) fn printed() -> u64 {
    PRINTED.load(Ordering::SeqCst)
}

/// The right to print, unless another thread prints now.
pub(crate) fn turn() -> Option<Turn> {
    match PRINTING.try_lock() {
        Ok(held) => Some(Turn(held)),
        Err(TryLockError::Poisoned(held)) => Some(Turn(held.into_inner())),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Gives a thread the last word: from now on no other prints.
pub(crate) fn leave_to(thread: ThreadId, _turn: &Turn) {
    let _ = LAST.set(thread);
}

/// Prints something with the line of progress out of the way.
pub(crate) fn aside<T>(print: impl FnOnce() -> T) -> T {
    let line = LINE.lock().ok().and_then(|line| line.clone());
    match line {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}
