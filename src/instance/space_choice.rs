//! Which space a puzzle is looked at in: the smallest that has room for it.

use unstuck_encodings::{PlainSpace, Space};
use unstuck_puzzles::{Moves, Objective};

/// What is done with a space, whichever it is.
pub(super) trait SpaceVisitor<P: Moves> {
    type Output;

    fn visit<X: Space<Puzzle = P> + 'static>(self, space: X) -> Self::Output;
}

/// Shows a visitor the first space that has room for a puzzle: `S`, else `L`; or, if neither has,
/// gives it back.
pub(super) fn with_packed_space<S, L, V>(
    puzzle: &S::Puzzle,
    objective: Objective,
    visitor: V,
) -> Result<V::Output, V>
where
    S: Space + 'static,
    L: Space<Puzzle = S::Puzzle> + 'static,
    V: SpaceVisitor<S::Puzzle>,
{
    if let Ok(space) = S::new(puzzle, objective) {
        return Ok(visitor.visit(space));
    }
    match L::new(puzzle, objective) {
        Ok(space) => Ok(visitor.visit(space)),
        Err(_) => Err(visitor),
    }
}

/// Shows a visitor the first space that has room for a puzzle; [`PlainSpace`] always has.
pub(super) fn with_space<S, L, V>(puzzle: &S::Puzzle, objective: Objective, visitor: V) -> V::Output
where
    S: Space + 'static,
    L: Space<Puzzle = S::Puzzle> + 'static,
    V: SpaceVisitor<S::Puzzle>,
{
    with_packed_space::<S, L, V>(puzzle, objective, visitor)
        .unwrap_or_else(|visitor| visitor.visit(PlainSpace::of(puzzle, objective)))
}
