//! The admissible bounds of a family, for closed sets that rest on them.

use super::space_choice::{SpaceVisitor, with_packed_space, with_space};
use crate::closed::Bound;
use crate::transition::counted;
use unstuck_encodings::{ConstrainedSpace, PackingError, Space};
use unstuck_puzzles::constrained::ConstrainedPuzzle;
use unstuck_puzzles::{Moves, Objective};

/// The bound of the first space that has room for a puzzle; none where it is always zero.
///
/// # Errors
/// When no space has room for it.
pub fn bound<S, L>(
    puzzle: &S::Puzzle,
    objective: Objective,
) -> Result<Option<Bound<'static, S::Puzzle>>, PackingError>
where
    S: Space + 'static,
    L: Space<Puzzle = S::Puzzle> + 'static,
{
    let objective = counted::<S::Puzzle>(objective);
    with_packed_space::<S, L, _>(puzzle, objective, BoundVisitor).map_err(|(error, _)| error)
}

/// The bound of a game with constraints, which is that of the game: constraints only take solutions
/// away.
pub fn constrained_bound<S, L>(
    puzzle: &ConstrainedPuzzle<S::Puzzle>,
    objective: Objective,
) -> Option<Bound<'static, ConstrainedPuzzle<S::Puzzle>>>
where
    S: Space + 'static,
    L: Space<Puzzle = S::Puzzle> + 'static,
{
    let objective = counted::<S::Puzzle>(objective);
    with_space::<S, L, _>(&puzzle.puzzle, objective, ConstrainedBound { puzzle, objective })
}

struct BoundVisitor;

impl<P: Moves> SpaceVisitor<P> for BoundVisitor {
    type Output = Option<Bound<'static, P>>;

    fn visit<X: Space<Puzzle = P> + 'static>(self, space: X) -> Self::Output {
        Bound::of(space)
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
