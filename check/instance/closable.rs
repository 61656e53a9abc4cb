//! What can be shown of a game by the rules alone, with constraints or without.

use super::verified::{Verified, VerifyError};
use crate::closed::ClosedSet;
use crate::closed::check::{ClosedSetError, ClosedSetStats};
use crate::closed::close::{ClosureError, ClosureTask};
use crate::limits::{Limits, Monitor};
use crate::search::SearchStats;

/// What can be closed under its moves.
pub trait Closable {
    /// Finds a closed set (see [`crate::closed`]).
    ///
    /// # Errors
    /// When a limit strikes, or the claim is false.
    fn close(
        &self,
        closing: ClosureTask,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> Result<ClosedSet, ClosureError>;

    /// Verifies a closed set from the rules.
    ///
    /// # Errors
    /// What is missing from the list.
    fn check_closed(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<ClosedSetStats, ClosedSetError>;
}

/// A game with constraints (see [`unstuck_puzzles::constraints`]). There are no encodings of
/// constraints, so what is shown of it rests on closed sets.
pub trait ConstrainedGame: Closable + Send + Sync {
    /// Reads and judges a solution, which must keep all constraints.
    ///
    /// # Errors
    /// When the text is no solution text, or the solution is wrong.
    fn verify(&self, text: &str) -> Result<Verified, VerifyError>;
}
