//! A game from its end: what leads to the goal, looked for by moves undone.

use super::space_choice::{SpaceVisitor, with_packed_space};
use super::states::{ResumableSearch, SearchVisitor};
use crate::search::Strategy;
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_check::instance::{Capabilities, Capability, asked};
use unstuck_encodings::Space;
use unstuck_puzzles::{Moves, Objective};

/// The same game from its end. What search shows of it holds of the game: its shortest plan, that
/// there is none, and a lower bound.
pub trait FromTheEnd: Send + Sync {
    /// An explicit search, which may be asked to go on after a limit has struck; `None` when the
    /// puzzle is too large or has too many ends.
    fn begin_search(&self, strategy: Strategy) -> Option<ResumableSearch<'_>>;

    /// Whether this is likely the easier end: where it is looked from when lengths count.
    fn leads(&self) -> bool;
}

/// A family with a space `S` of the reversed game, and another one `L` for puzzles that are too large
/// for it. The starts of the space are the ends of the game, and its plan is one of the game.
pub struct ReversedGame<S: Space, L = S> {
    puzzle: Arc<S::Puzzle>,
    objective: Objective,
    larger: PhantomData<fn(L)>,
}

impl<P, S, L> Capability<P> for ReversedGame<S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities) {
        let reversed = Self { puzzle: puzzle.clone(), objective, larger: PhantomData };
        all.add::<dyn FromTheEnd>(Box::new(reversed));
    }
}

impl<P, S, L> FromTheEnd for ReversedGame<S, L>
where
    P: Moves,
    S: Space<Puzzle = P> + 'static,
    L: Space<Puzzle = P> + 'static,
{
    fn begin_search(&self, strategy: Strategy) -> Option<ResumableSearch<'_>> {
        let puzzle = self.puzzle.as_ref();
        let visitor = SearchVisitor { puzzle, strategy };
        with_packed_space::<S, L, _>(puzzle, self.objective, visitor).ok()
    }

    fn leads(&self) -> bool {
        let objective = asked::<P>(self.objective);
        with_packed_space::<S, L, _>(self.puzzle.as_ref(), objective, Fits).is_ok()
    }
}

/// Asks no more of a space than whether a puzzle fits.
struct Fits;

impl<P: Moves> SpaceVisitor<P> for Fits {
    type Output = ();

    fn visit<X: Space<Puzzle = P> + 'static>(self, _: X) {}
}
