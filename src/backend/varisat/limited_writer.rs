//! A writer through which limits reach varisat.

use super::lemmas::Lemmas;
use crate::limits::{Limits, Stop};
use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

/// A proof writer that fails when a limit strikes.
pub(super) struct LimitedWriter<'a, W> {
    pub(super) proof: W,
    pub(super) limits: &'a Limits,
    pub(super) stop: Rc<Cell<Option<Stop>>>,
    pub(super) failed: Rc<Cell<Option<io::ErrorKind>>>,
    pub(super) writes: u32,
    /// What is written, where conflicts are limited.
    pub(super) lemmas: Lemmas,
}

impl<W> LimitedWriter<'_, W> {
    /// Fails when a limit has struck.
    pub(super) fn poll(&mut self) -> io::Result<()> {
        self.writes = self.writes.wrapping_add(1);
        let stop = if self.writes.is_multiple_of(64) {
            self.limits.reached_any()
        } else {
            self.limits.reached()
        };
        self.failed_by(stop)
    }

    fn failed_by(&self, stop: Option<Stop>) -> io::Result<()> {
        if stop.is_none() {
            return Ok(());
        }
        self.stop.set(stop);
        Err(io::Error::other("a limit was reached"))
    }
}

impl<W: Write> Write for LimitedWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.poll()?;
        if self.limits.counts_conflicts() {
            let before = self.lemmas.count;
            self.lemmas.read(bytes);
            let stop = self.limits.spend_conflicts(self.lemmas.count - before);
            self.failed_by(stop)?;
        }
        self.proof.write(bytes).inspect_err(|error| self.failed.set(Some(error.kind())))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.proof.flush().inspect_err(|error| self.failed.set(Some(error.kind())))
    }
}
