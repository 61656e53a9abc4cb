//! The admissible bounds of a family, for closed sets that rest on them.

use crate::closed::Bound;
use crate::transition::counted;
use unstuck_encodings::{ConstrainedSpace, PackingError, Space};
use unstuck_puzzles::Objective;
use unstuck_puzzles::constrained::ConstrainedPuzzle;

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
    match S::new(puzzle, objective) {
        Ok(space) => Ok(Bound::of(space)),
        Err(_) => L::new(puzzle, objective).map(Bound::of),
    }
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
    match S::new(&puzzle.puzzle, objective) {
        Ok(space) => Bound::of(ConstrainedSpace::of(puzzle, objective, Some(space))),
        Err(_) => {
            let space = L::new(&puzzle.puzzle, objective).ok()?;
            Bound::of(ConstrainedSpace::of(puzzle, objective, Some(space)))
        }
    }
}
