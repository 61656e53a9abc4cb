//! A game with constraints, as far as it is judged: by the rules alone.

use super::bounds::constrained_bound;
use super::game::ConstrainedGame;
use super::verified::{Verified, VerifyError, judged};
use crate::closed::ClosedSet;
use crate::closed::check::{self, ClosedSetError, ClosedSetStats};
use crate::limits::Monitor;
use std::marker::PhantomData;
use unstuck_encodings::Space;
use unstuck_puzzles::constrained::ConstrainedPuzzle;
use unstuck_puzzles::{Moves, Objective, Puzzle, Violation};

/// A game with constraints whose bound is that of the game, from one of two spaces.
pub(super) struct BoundedConstrainedGame<P: Moves, S, L> {
    puzzle: ConstrainedPuzzle<P>,
    objective: Objective,
    spaces: PhantomData<fn(S, L)>,
}

impl<P: Moves, S, L> BoundedConstrainedGame<P, S, L> {
    /// A game with constraints, for an objective.
    pub(super) fn new(puzzle: ConstrainedPuzzle<P>, objective: Objective) -> Self {
        Self { puzzle, objective, spaces: PhantomData }
    }
}

impl<P, S, L> ConstrainedGame for BoundedConstrainedGame<P, S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn verify(&self, text: &str) -> Result<Verified, VerifyError> {
        let puzzle = &self.puzzle.puzzle;
        let solution = puzzle.read_solution(text).map_err(VerifyError::Unreadable)?;
        let verified = judged(puzzle, &solution).map_err(VerifyError::Wrong)?;
        let tally = self.puzzle.check(&solution).map_err(VerifyError::Wrong)?;
        if tally == verified.tally() {
            return Ok(verified);
        }
        let message = "with the constraints the moves have another length";
        Err(VerifyError::Wrong(Violation::whole("wishes", message)))
    }

    fn check_closed(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<ClosedSetStats, ClosedSetError> {
        let bound = set
            .bound
            .as_ref()
            .and_then(|_| constrained_bound::<S, L>(&self.puzzle, self.objective));
        check::check(&self.puzzle, self.objective, set, bound, monitor)
    }
}
