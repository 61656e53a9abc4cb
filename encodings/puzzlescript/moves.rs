//! The encoding of PuzzleScript: so far it refuses every level.

use crate::cnf::{Assignment, Cnf, Lit, Step};
use crate::encoding::{DecodeError, Encoding, StepCost, Transition};
use std::convert::Infallible;
use unstuck_puzzles::Objective;
use unstuck_puzzles::puzzlescript::{Input, Inputs, PuzzleScript, State};

/// A turn as clauses: of no level yet, so that there are no values of this type.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleScriptMoves {}

impl Encoding for PuzzleScriptMoves {
    type Puzzle = PuzzleScript;
    type Var = Infallible;
    const NAME: &'static str = "puzzlescript-moves";

    fn refusal(_: &PuzzleScript, _: Objective) -> Option<String> {
        Some("there are no clauses for PuzzleScript rules yet".to_owned())
    }

    fn new(_: &PuzzleScript, _: Objective) -> Self {
        unreachable!("every level is refused")
    }

    fn start(&self, _: &mut Cnf<Infallible>) {
        match *self {}
    }

    fn step(&self, _: Step, _: &mut Cnf<Infallible>) {
        match *self {}
    }

    fn goal(&self, _: Step, _: &mut Cnf<Infallible>) -> Vec<Lit> {
        match *self {}
    }

    fn decode(&self, _: Step, _: Assignment<'_, Infallible>) -> Result<Inputs, DecodeError> {
        match *self {}
    }
}

impl Transition for PuzzleScriptMoves {
    fn literals(&self, _: Step, _: &State, _: &mut Cnf<Infallible>) -> Vec<Lit> {
        match *self {}
    }

    fn move_literals(&self, _: Step, _: &State, _: Input, _: &mut Cnf<Infallible>) -> Vec<Lit> {
        match *self {}
    }

    fn actions(&self, _: Step, _: &mut Cnf<Infallible>) -> Vec<Lit> {
        match *self {}
    }

    fn paid(&self, _: Step, _: &mut Cnf<Infallible>) -> StepCost {
        match *self {}
    }
}
