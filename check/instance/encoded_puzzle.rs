//! An encoding with its types erased: what it knows of a puzzle, and the formulas that it compiles.

use super::question::{CompiledQuestion, Formula, FormulaError, Question};
use crate::formula::GOAL;
use crate::formula::dimspec::{self, Layers};
use crate::limits::Limits;
use std::sync::Arc;
use unstuck_encodings::laws::{self, LawViolation};
use unstuck_encodings::{Cnf, EncodeError, Encoding, Filter, Step};
use unstuck_puzzles::Facts;

/// What an [`Encoding`] knows of its puzzle; where nothing else is said, each method is that of the
/// same name, or of what the encoding lists beside it
/// ([`EncodingExtras`](unstuck_encodings::EncodingExtras)).
/// Of a puzzle that its encoding refuses nothing is known.
pub trait EncodedPuzzle: Send + Sync {
    /// Why the puzzle cannot be put into clauses: see [`Encoding::new`].
    fn refusal(&self) -> Option<&str> {
        None
    }

    /// See [`Encoding::VERSION`]; `None` where there are no clauses.
    fn version(&self) -> Option<u32> {
        None
    }

    /// See [`Encoding::lower_bound`].
    fn lower_bound(&self) -> Option<Step> {
        Some(0)
    }

    /// See [`Encoding::unsolvable_reason`].
    fn unsolvable_reason(&self) -> Option<String> {
        None
    }

    /// See [`EncodingExtras::after`](unstuck_encodings::EncodingExtras::after).
    fn after(&self, refuted: Step) -> Step {
        refuted + 1
    }

    /// See [`EncodingExtras::completeness_threshold`](unstuck_encodings::EncodingExtras::completeness_threshold).
    fn completeness_threshold(&self) -> Option<Step> {
        None
    }

    /// See [`EncodingExtras::relaxing_options`](unstuck_encodings::EncodingExtras::relaxing_options).
    fn relaxing_options(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        Vec::new()
    }

    /// See [`Encoding::facts`].
    fn facts(&self) -> Facts {
        Facts::new()
    }

    /// Compiles a question within limits: on large levels with far horizons that takes longer
    /// than a short time limit.
    ///
    /// # Errors
    /// The limit that struck, or why the encoding refuses the puzzle.
    fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, FormulaError>;

    /// The transition system, strengthening left out unless the filter keeps it; `None` where the
    /// encoding refuses the puzzle.
    fn layers(&self, _filter: &Filter) -> Option<Layers> {
        None
    }

    /// Holds the encoding to the laws that look inside (see [`unstuck_encodings::laws`]).
    ///
    /// # Errors
    /// The law that is broken, and where.
    fn laws(&self, _has_steps: bool) -> Result<(), LawViolation> {
        Ok(())
    }
}

/// A puzzle and its encoding.
pub(super) struct PuzzleClauses<E: Encoding> {
    pub(super) puzzle: Arc<E::Puzzle>,
    pub(super) encoding: E,
}

impl<E: Encoding> EncodedPuzzle for PuzzleClauses<E> {
    fn version(&self) -> Option<u32> {
        Some(E::VERSION)
    }

    fn lower_bound(&self) -> Option<Step> {
        self.encoding.lower_bound()
    }

    fn unsolvable_reason(&self) -> Option<String> {
        self.encoding.unsolvable_reason()
    }

    fn after(&self, refuted: Step) -> Step {
        (E::EXTRAS.after)(&self.encoding, refuted)
    }

    fn completeness_threshold(&self) -> Option<Step> {
        (E::EXTRAS.completeness_threshold)(&self.encoding)
    }

    fn relaxing_options(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        (E::EXTRAS.relaxing_options)(&self.encoding)
    }

    fn facts(&self) -> Facts {
        self.encoding.facts()
    }

    fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, FormulaError> {
        let go_on = || limits.reached_any().map_or(Ok(()), Err);
        go_on()?;
        let Self { puzzle, encoding } = self;
        let mut cnf = Cnf::new(question.filter.clone());
        encoding.start(&mut cnf);
        for t in 0..question.horizon {
            go_on()?;
            encoding.step(t, &mut cnf);
        }
        for lit in encoding.goal(question.horizon, &mut cnf) {
            cnf.add(GOAL, [lit]);
        }
        go_on()?;
        let least = question.at_least.min(question.horizon);
        encoding.within(least, question.horizon, &mut cnf);
        if let Some(cap) = question.secondary {
            let cap_secondary = E::EXTRAS.cap_secondary.expect("the objective has a tie-break");
            cap_secondary(encoding, question.horizon, cap, &mut cnf);
        }
        go_on()?;
        Ok(Box::new(CompiledQuestion::new(puzzle.as_ref(), encoding, cnf, question.horizon)))
    }

    fn layers(&self, filter: &Filter) -> Option<Layers> {
        Some(dimspec::layers(&self.encoding, filter))
    }

    fn laws(&self, has_steps: bool) -> Result<(), LawViolation> {
        laws::numbering(&self.encoding)?;
        if has_steps { laws::layers(&self.encoding) } else { Ok(()) }
    }
}

/// A puzzle without clauses.
impl EncodedPuzzle for EncodeError {
    fn refusal(&self) -> Option<&str> {
        Some(&self.0)
    }

    fn formula_within(
        &self,
        _: &Question,
        _: &Limits,
    ) -> Result<Box<dyn Formula + '_>, FormulaError> {
        Err(FormulaError::Refused(self.0.clone()))
    }
}
