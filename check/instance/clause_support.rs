//! What puts the puzzles of a family into clauses: nothing, or its encoding.

use super::encoded_puzzle::{EncodedPuzzle, PuzzleClauses};
use crate::closed::ClosedSet;
use crate::closed::formulas::CompiledSet;
use crate::limits::Monitor;
use crate::transition::list_format::ListError;
use crate::transition::{CubeList, Induction, StepGuide, WriteError};
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::laws::{self, LawViolation};
use unstuck_encodings::{EncodeError, Encoding, Transition};
use unstuck_puzzles::{Moves, Objective, Puzzle};

/// What puts the puzzles of a family into clauses: an [`Encoding`], or [`NoClauses`].
pub trait ClauseSupport: 'static {
    /// The family.
    type Puzzle: Puzzle;

    /// Name of the encoding.
    const NAME: &'static str;

    /// A puzzle in clauses.
    ///
    /// # Errors
    /// Why there are none.
    fn encode(
        puzzle: &Arc<Self::Puzzle>,
        objective: Objective,
    ) -> Result<Box<dyn EncodedPuzzle>, EncodeError>;
}

/// What puts single moves into clauses: a [`Transition`], or [`NoClauses`].
pub trait StepSupport: ClauseSupport<Puzzle: Moves> {
    /// Its version; `None` where a puzzle cannot be put into clauses.
    fn version(_: &Self::Puzzle, _: Objective) -> Option<u32> {
        None
    }

    /// The formulas of a closed set.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn closed_formulas(
        _: &Self::Puzzle,
        _: Objective,
        _: &ClosedSet,
        _: &mut Monitor<'_>,
    ) -> Result<Box<dyn StepGuide>, WriteError> {
        Err(no_clauses::<Self::Puzzle>().into())
    }

    /// The formulas of a list of cubes.
    ///
    /// # Errors
    /// What is no list of this puzzle.
    fn induction(_: &Self::Puzzle, _: Objective, _: &CubeList) -> Result<Induction, ListError> {
        Err(no_clauses::<Self::Puzzle>().into())
    }

    /// Holds the transition to the laws that look inside; `seed` directs random walks.
    ///
    /// # Errors
    /// The law that is broken, and where.
    fn laws(_: &Self::Puzzle, _: Objective, _seed: u64) -> Result<(), LawViolation> {
        Ok(())
    }
}

/// A family without clauses: its games are searched and closed by their rules.
pub struct NoClauses<P>(PhantomData<fn(P)>);

fn no_clauses<P: Puzzle>() -> EncodeError {
    EncodeError(format!("{} has no clauses", P::NAME))
}

impl<P: Puzzle> ClauseSupport for NoClauses<P> {
    type Puzzle = P;
    const NAME: &'static str = "none";

    fn encode(_: &Arc<P>, _: Objective) -> Result<Box<dyn EncodedPuzzle>, EncodeError> {
        Err(no_clauses::<P>())
    }
}

impl<P: Moves> StepSupport for NoClauses<P> {}

impl<E: Encoding + 'static> ClauseSupport for E {
    type Puzzle = E::Puzzle;
    const NAME: &'static str = E::NAME;

    fn encode(
        puzzle: &Arc<E::Puzzle>,
        objective: Objective,
    ) -> Result<Box<dyn EncodedPuzzle>, EncodeError> {
        let (encoding, puzzle) = (E::new(puzzle, objective)?, puzzle.clone());
        Ok(Box::new(PuzzleClauses { encoding, puzzle }))
    }
}

impl<T: Transition + 'static> StepSupport for T {
    fn version(puzzle: &T::Puzzle, objective: Objective) -> Option<u32> {
        T::new(puzzle, objective).ok().map(|_| T::VERSION)
    }

    fn closed_formulas(
        puzzle: &T::Puzzle,
        objective: Objective,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn StepGuide>, WriteError> {
        Ok(Box::new(CompiledSet::<T>::new(puzzle, objective, set, monitor)?))
    }

    fn induction(
        puzzle: &T::Puzzle,
        objective: Objective,
        list: &CubeList,
    ) -> Result<Induction, ListError> {
        Induction::of_list::<T>(puzzle, objective, list)
    }

    fn laws(puzzle: &T::Puzzle, objective: Objective, seed: u64) -> Result<(), LawViolation> {
        let Ok(transition) = T::new(puzzle, objective) else { return Ok(()) };
        laws::numbering(&transition)?;
        laws::layers(&transition)?;
        laws::states(&transition, puzzle, seed)
    }
}
