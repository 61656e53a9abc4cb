//! Lists of dead patterns: judged by the rules, and said in formulas.

use super::capability::{Capabilities, Capability};
use crate::limits::Monitor;
use crate::patterns::{CompiledPatterns, Counts, PatternSums, potential_lemmas};
use crate::transition::{StepGuide, WriteError};
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::PieceLiterals;
use unstuck_puzzles::Objective;
use unstuck_puzzles::patterns::{PatternError, PatternList, PatternRules, PatternStats};

/// What families have whose pieces may be dropped.
pub trait PatternJudge: Send + Sync {
    /// Judges a list of dead patterns from the rules.
    ///
    /// # Errors
    /// When the list proves nothing.
    fn judge_patterns(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternStats, PatternError>;

    /// The formulas of a list of dead patterns.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn pattern_formulas(
        &self,
        list: &PatternList,
        counts: Counts,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn StepGuide>, WriteError>;

    /// The pseudo-Boolean formulas of a list of dead patterns.
    ///
    /// # Errors
    /// When its patterns do not add up.
    fn pattern_sums(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternSums, WriteError>;

    /// How many lemmas the clauses take, about, to show that the potential of a list is one.
    fn potential_lemmas(&self, list: &PatternList) -> u64;
}

/// The pieces may be dropped; `T` is the transition in which patterns are said.
pub struct PatternClauses<T: PieceLiterals> {
    puzzle: Arc<T::Puzzle>,
    objective: Objective,
    transition: PhantomData<fn(T)>,
}

impl<P: PatternRules, T: PieceLiterals<Puzzle = P> + 'static> Capability<P> for PatternClauses<T> {
    fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities) {
        let judge = Self { puzzle: puzzle.clone(), objective, transition: PhantomData };
        all.add::<dyn PatternJudge>(Box::new(judge));
    }
}

impl<P: PatternRules, T: PieceLiterals<Puzzle = P> + 'static> PatternJudge for PatternClauses<T> {
    fn judge_patterns(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternStats, PatternError> {
        if self.objective.first() == Objective::Moves {
            return Err(PatternError::because("patterns count pushes, the claim counts moves"));
        }
        self.puzzle.judge_patterns(list, &mut || monitor.poll().is_ok())
    }

    fn pattern_formulas(
        &self,
        list: &PatternList,
        counts: Counts,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn StepGuide>, WriteError> {
        let (puzzle, objective) = (self.puzzle.as_ref(), self.objective);
        Ok(Box::new(CompiledPatterns::new::<T>(puzzle, objective, list, counts, monitor)?))
    }

    fn pattern_sums(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternSums, WriteError> {
        PatternSums::new::<T>(self.puzzle.as_ref(), self.objective, list, monitor)
    }

    fn potential_lemmas(&self, list: &PatternList) -> u64 {
        potential_lemmas(self.puzzle.as_ref(), list)
    }
}
