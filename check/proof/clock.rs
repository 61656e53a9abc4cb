//! Limits that are looked at by the work that was done, not by a count of steps: one step of a
//! proof may be as long as its file.

use super::ProofError;
use crate::limits::Limits;

/// Work (literals looked at) between two looks at the limits: some milliseconds.
const LITERALS_PER_POLL: u64 = 1 << 20;

/// Counts work, and looks at the limits from time to time.
pub struct Clock<'a> {
    limits: &'a Limits,
    work: u64,
    next: u64,
}

impl<'a> Clock<'a> {
    /// A clock that looks at these limits.
    pub fn new(limits: &'a Limits) -> Self {
        Self { limits, work: 0, next: 0 }
    }

    /// So much work was done.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn spend(&mut self, work: usize) -> Result<(), ProofError> {
        self.work += work as u64;
        if self.work < self.next {
            return Ok(());
        }
        self.next = self.work + LITERALS_PER_POLL;
        self.limits.reached_any().map_or(Ok(()), |stop| Err(ProofError::Stopped(stop)))
    }
}
