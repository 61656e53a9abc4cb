//! Long work that can be stopped and reports its progress.

use super::{Limits, Stop};
use crate::machine::Instant;
use std::io::{self, Read, Write};
use std::time::Duration;

/// Calls between two looks at the clock, at most.
const CALLS_PER_POLL: u32 = 256;

/// Calls between two looks take about so long: where each takes long, every one is a look.
const QUICK: Duration = Duration::from_millis(2);
const SLOW: Duration = Duration::from_millis(20);

/// A piece of a stream of so many bytes takes as long as several calls.
const LARGE_CHUNK_BYTES: usize = 1 << 14;

/// Time between two looks at memory, and between two reports.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Watches over the limits while work is done, and reports on it.
pub struct Monitor<'a> {
    limits: Limits,
    say: Option<&'a mut dyn FnMut(&str)>,
    task: String,
    total: u64,
    done: u64,
    calls: u32,
    /// Calls between two looks.
    pace: u32,
    looked: Instant,
    reported: Instant,
    stopped: Option<Stop>,
}

impl<'a> Monitor<'a> {
    /// A watch over the limits that reports to `say`.
    pub fn new(limits: &Limits, say: &'a mut dyn FnMut(&str)) -> Self {
        Self { say: Some(say), ..Self::silent(limits) }
    }

    /// A watch over the limits that does not report.
    pub fn silent(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            say: None,
            task: String::new(),
            total: 0,
            done: 0,
            calls: 0,
            pace: 1,
            looked: Instant::now(),
            reported: Instant::now(),
            stopped: None,
        }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Begins a task of so many steps.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn begin(&mut self, task: impl Into<String>, total: u64) -> Result<(), Stop> {
        self.task = task.into();
        self.total = total;
        self.done = 0;
        if let Some(say) = &mut self.say {
            say(&self.task);
        }
        self.reported = Instant::now();
        self.verdict(self.limits.reached_any())
    }

    /// One step of the task is done.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.done += 1;
        self.poll()
    }

    /// Looks at the limits inside a step, often enough to stop soon and seldom enough to cost
    /// nothing.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn poll(&mut self) -> Result<(), Stop> {
        self.calls += 1;
        if self.calls < self.pace {
            return Ok(());
        }
        self.poll_now()
    }

    fn poll_now(&mut self) -> Result<(), Stop> {
        self.calls = 0;
        let time = self.looked.elapsed();
        if time < QUICK {
            self.pace = (2 * self.pace).min(CALLS_PER_POLL);
        } else if time > SLOW {
            self.pace = 1;
        }
        self.looked = Instant::now();
        if self.reported.elapsed() < POLL_INTERVAL {
            return self.verdict(self.limits.reached());
        }
        self.reported = Instant::now();
        if let Some(say) = &mut self.say {
            say(&match (100 * self.done).checked_div(self.total) {
                Some(percent) => format!("{}: {} %", self.task, percent.min(100)),
                // The total is unknown.
                None if self.done > 0 => format!("{}: {}", self.task, self.done),
                None => self.task.clone(),
            });
        }
        self.verdict(self.limits.reached_any())
    }

    fn verdict(&mut self, stop: Option<Stop>) -> Result<(), Stop> {
        self.stopped = self.stopped.or(stop);
        self.stopped.map_or(Ok(()), Err)
    }

    /// The limit that struck, if one did: whatever failed since then failed because of it.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// A stream whose bytes are the steps of the task; it fails when a limit strikes.
    pub fn over<T>(&mut self, stream: T) -> MonitoredStream<'_, 'a, T> {
        MonitoredStream { stream, monitor: self }
    }
}

/// A stream under a [`Monitor`].
pub struct MonitoredStream<'w, 'a, T> {
    stream: T,
    monitor: &'w mut Monitor<'a>,
}

impl<T> MonitoredStream<'_, '_, T> {
    /// Large pieces deserve a look each.
    fn passed(&mut self, bytes: usize) -> io::Result<usize> {
        self.monitor.done += bytes as u64;
        let look =
            if bytes < LARGE_CHUNK_BYTES { self.monitor.poll() } else { self.monitor.poll_now() };
        // Not `Interrupted`, which readers take for a request to retry.
        look.map_err(|stop| io::Error::other(stop.to_string()))?;
        Ok(bytes)
    }
}

impl<T: Read> Read for MonitoredStream<'_, '_, T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.stream.read(buffer)?;
        self.passed(bytes)
    }
}

impl<T: Write> Write for MonitoredStream<'_, '_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = self.stream.write(bytes)?;
        self.passed(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn work_stops_soon_after_a_limit_strikes_and_remembers_why() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().with_flag(flag.clone());
        let mut monitor = Monitor::silent(&limits);
        assert_eq!(monitor.begin("work", 10), Ok(()));
        assert!((0..2 * CALLS_PER_POLL).all(|_| monitor.tick().is_ok()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!((0..CALLS_PER_POLL).find_map(|_| monitor.tick().err()), Some(Stop::Interrupted));
        assert_eq!(monitor.begin("more work", 10), Err(Stop::Interrupted));
        assert_eq!(monitor.stopped(), Some(Stop::Interrupted));
    }

    #[test]
    fn streams_fail_when_a_limit_strikes() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().with_flag(flag.clone());
        let mut monitor = Monitor::silent(&limits);
        let text = [b'x'; LARGE_CHUNK_BYTES];
        let mut buffer = [0; LARGE_CHUNK_BYTES];
        assert_eq!(monitor.over(text.as_slice()).read(&mut buffer).ok(), Some(LARGE_CHUNK_BYTES));
        assert_eq!(monitor.over(Vec::new()).write(&text).ok(), Some(LARGE_CHUNK_BYTES));
        flag.store(true, Ordering::Relaxed);
        assert!(monitor.over(text.as_slice()).read(&mut buffer).is_err());
        assert!(monitor.over(Vec::new()).write(&text).is_err());
        assert_eq!(monitor.stopped(), Some(Stop::Interrupted));
    }

    #[test]
    fn progress_is_reported_in_percent() {
        let mut reports = Vec::new();
        let mut say = |text: &str| reports.push(text.to_owned());
        let mut monitor = Monitor::new(&Limits::none(), &mut say);
        monitor.begin("counting", 4).unwrap();
        monitor.tick().unwrap();
        crate::machine::sleep(POLL_INTERVAL);
        monitor.poll_now().unwrap();
        assert_eq!(reports, ["counting", "counting: 25 %"]);
    }
}
