//! Long work without Python's lock, which Ctrl-C ends.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use unstuck::limits::Limits;
use unstuck::machine::half_of_memory;

/// Time between two looks whether Python has had a signal.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The limits of a question: seconds, and bytes, of which half of the machine's memory is taken where
/// none are given.
pub(crate) fn limits(
    py: Python<'_>,
    timeout: Option<f64>,
    memory: Option<u64>,
) -> PyResult<Limits> {
    Ok(Limits::new(time(py, timeout)?, memory.or_else(half_of_memory)))
}

/// A time in seconds.
pub(crate) fn time(py: Python<'_>, timeout: Option<f64>) -> PyResult<Option<Duration>> {
    let time = timeout.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|error| super::fault::unfit(py, format!("timeout: {error}")))
}

/// Works in a thread of its own, while Python may do other things; what came out, and whether Ctrl-C
/// has ended it, which the flag tells the work.
///
/// # Errors
/// What a handler of another signal has raised.
pub(crate) fn working<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Arc<AtomicBool>) -> T + Send,
) -> PyResult<(T, bool)> {
    let flag = Arc::new(AtomicBool::new(false));
    let (mut is_interrupted, mut raised) = (false, None);
    let ended = py.detach(|| {
        let (send, receive) = channel();
        thread::scope(|scope| {
            let raise = flag.clone();
            scope.spawn(move || {
                let _ = send.send(work(flag));
            });
            loop {
                match receive.recv_timeout(SIGNAL_INTERVAL) {
                    Ok(ended) => return Some(ended),
                    // The scope passes the panic on.
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    raise.store(true, Ordering::Relaxed);
                    let is_key =
                        Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py));
                    is_interrupted |= is_key;
                    raised = raised.take().or((!is_key).then_some(error));
                }
            }
        })
    });
    match (raised, ended) {
        (Some(error), _) => Err(error),
        (None, Some(ended)) => Ok((ended, is_interrupted)),
        (None, None) => unreachable!("a panic has been passed on"),
    }
}
