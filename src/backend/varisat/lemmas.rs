//! How many lemmas a proof has.

use std::io::{self, Write};

/// Counts the lemmas of a binary DRAT proof and keeps nothing. Varisat reports no conflicts, but it
/// learns one clause from each, and few otherwise.
#[derive(Default)]
pub(super) struct Lemmas {
    pub(super) count: u64,
    /// Whether the next byte is in the middle of a step. A zero byte ends each, and is found
    /// nowhere else in it.
    inside: bool,
}

impl Lemmas {
    /// Reads on in a proof.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.count += u64::from(!self.inside && byte == b'a');
            self.inside = byte != 0;
        }
    }
}

impl Write for Lemmas {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.read(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
