//! One puzzle joined with its encoding and with what plays it.

use super::encoded_puzzle::EncodedPuzzle;
use super::verified::ContinueError;
use super::{ClauseSupport, Game, Instance, MoveSupport, Terms};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{AnyPuzzle, Objective, Options, ParseError, PuzzleExt, Reading};

/// The one implementation of [`Instance`]: a puzzle, what puts it into clauses, `E`, and what plays
/// it, `X`.
pub struct PuzzleInstance<E: ClauseSupport, X> {
    /// Name of the reading of the rules.
    reading: &'static str,
    /// The options that were given when the puzzle was read.
    options: Arc<Options>,
    puzzle: Arc<E::Puzzle>,
    objective: Objective,
    /// Made when first needed: a replay needs none.
    encoded: OnceLock<Box<dyn EncodedPuzzle>>,
    game: Option<Box<dyn Game>>,
    plays: PhantomData<fn(X)>,
}

impl<E: ClauseSupport, X: MoveSupport<E::Puzzle>> PuzzleInstance<E, X> {
    /// Joins a puzzle with its encoding and with what plays it.
    pub fn new(reading: Reading<E::Puzzle>, objective: Objective) -> Self {
        let (reading, puzzle) = (reading.name, Arc::new(reading.puzzle));
        let game = X::game(&puzzle, objective);
        let (encoded, options) = (OnceLock::new(), Arc::default());
        Self { reading, options, puzzle, objective, encoded, game, plays: PhantomData }
    }

    /// The same, read with options that were given.
    #[must_use]
    pub fn read_with(self, options: Arc<Options>) -> Self {
        Self { options, ..self }
    }

    /// Another puzzle under the same reading and objective.
    fn another(&self, puzzle: E::Puzzle) -> Self {
        let reading = Reading { name: self.reading, puzzle };
        Self::new(reading, self.objective).read_with(self.options.clone())
    }
}

impl<E, X> Instance for PuzzleInstance<E, X>
where
    E: ClauseSupport,
    X: MoveSupport<E::Puzzle> + 'static,
{
    fn puzzle(&self) -> &(dyn AnyPuzzle + 'static) {
        self.puzzle.as_ref()
    }

    fn objective(&self) -> Objective {
        self.objective
    }

    fn reading(&self) -> &'static str {
        self.reading
    }

    fn terms(&self) -> Terms {
        Terms::of(self.puzzle.as_ref(), self.objective, self.reading, &self.options)
    }

    fn encoding(&self) -> &'static str {
        E::NAME
    }

    fn encoded(&self) -> &dyn EncodedPuzzle {
        let encode =
            || E::encode(&self.puzzle, self.objective).unwrap_or_else(|error| Box::new(error));
        self.encoded.get_or_init(encode).as_ref()
    }

    fn moves(&self) -> Option<&dyn Game> {
        self.game.as_deref()
    }

    fn continued(&self, moves: &str) -> Result<Box<dyn Instance>, ContinueError> {
        let puzzle = X::continued(&self.puzzle, moves)?;
        Ok(Box::new(self.another(puzzle)))
    }

    fn constrained(&self, constraints: &Constraints) -> Result<Box<dyn Instance>, ParseError> {
        let puzzle = X::constrained(&self.puzzle, constraints)?;
        Ok(Box::new(self.another(puzzle)))
    }

    fn without(&self, parts: &[usize]) -> Option<Box<dyn Instance>> {
        let puzzle = self.puzzle.without(parts)?;
        Some(Box::new(self.another(puzzle)))
    }
}
