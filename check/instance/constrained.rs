//! A game with constraints, as far as it is judged and proved: by the rules alone.

use super::closable::{Closable, ConstrainedGame};
use super::space_choice::{SpaceVisitor, with_space};
use super::verified::{Verified, VerifyError, judged};
use crate::atlas::ConstrainedSpace;
use crate::closed::check::{ClosedSetError, ClosedSetStats};
use crate::closed::close::{ClosureError, ClosureTask};
use crate::closed::{self, Bound, ClosedSet};
use crate::limits::{Limits, Monitor};
use crate::search::SearchStats;
use crate::transition::counted;
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

impl<P, S, L> BoundedConstrainedGame<P, S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    /// A game with constraints, for an objective.
    pub(super) fn new(puzzle: ConstrainedPuzzle<P>, objective: Objective) -> Self {
        Self { puzzle, objective, spaces: PhantomData }
    }

    /// The bound of the first space that has room for the game; constraints only take solutions
    /// away.
    fn bound(&self) -> Option<Bound<'static, ConstrainedPuzzle<P>>> {
        let objective = counted::<P>(self.objective);
        let visitor = ConstrainedBound { puzzle: &self.puzzle, objective };
        with_space::<S, L, _>(&self.puzzle.puzzle, objective, visitor)
    }
}

/// Takes the bound of a game as that of the game with constraints.
struct ConstrainedBound<'a, P: Moves> {
    puzzle: &'a ConstrainedPuzzle<P>,
    objective: Objective,
}

impl<P: Moves> SpaceVisitor<P> for ConstrainedBound<'_, P> {
    type Output = Option<Bound<'static, ConstrainedPuzzle<P>>>;

    fn visit<X: Space<Puzzle = P> + 'static>(self, space: X) -> Self::Output {
        Bound::of(ConstrainedSpace::of(self.puzzle, self.objective, Some(space)))
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
}

impl<P, S, L> Closable for BoundedConstrainedGame<P, S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn close(
        &self,
        closing: ClosureTask,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> Result<ClosedSet, ClosureError> {
        let bound = if closing.use_bound { self.bound() } else { None };
        closed::close::close(&self.puzzle, self.objective, closing, bound, limits, progress)
    }

    fn check_closed(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<ClosedSetStats, ClosedSetError> {
        let bound = if set.bound.is_some() { self.bound() } else { None };
        closed::check::check(&self.puzzle, self.objective, set, bound, monitor)
    }
}
