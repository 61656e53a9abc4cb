//! Looking for models near a given one.

use super::Answer;
use crate::formula::{ClauseList, Clauses};
use unstuck_encodings::{Lit, Model};

/// A formula in which the variables that are true in a model are flipped, so that a solver
/// that tries *false* first begins near the model.
pub(super) struct PhaseFlip<'a> {
    near: &'a Model,
    pub(super) clauses: ClauseList,
}

impl<'a> PhaseFlip<'a> {
    pub(super) fn new(clauses: &dyn Clauses, near: &'a Model) -> Self {
        let mut list = ClauseList::default();
        for index in 0..clauses.len() {
            list.add(clauses.clause(index).iter().map(|&lit| flip(near, lit)));
        }
        Self { near, clauses: list.over(clauses.variables()) }
    }

    /// What an answer says of the original formula.
    pub(super) fn back(&self, answer: Answer) -> Answer {
        match answer {
            Answer::Sat(model) => {
                let lits = model.lits().map(|lit| flip(self.near, lit));
                Answer::Sat(Model::new(self.clauses.variables(), lits))
            }
            other => other,
        }
    }
}

/// The literal in place of another; flipping twice gives the literal itself.
fn flip(near: &Model, lit: Lit) -> Lit {
    let positive = if lit.is_positive() { lit } else { !lit };
    if near.holds(positive) { !lit } else { lit }
}
