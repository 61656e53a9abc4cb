//! Questions put to a SAT solver, and what its answers mean.

use super::{Event, Progress, SolveError};
use crate::backend::{Answer, Backend, BackendError, SolverResult};
use crate::formula::dimacs;
use crate::instance::{Formula, Instance, Question, Verified};
use crate::limits::{Limits, Stop};
use crate::machine::Instant;
use std::time::Duration;
use unstuck_encodings::{Model, Step};

/// A conflict counts for as much work as so many clauses.
const CLAUSES_PER_CONFLICT: u64 = 64;

/// A horizon that was put to a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HorizonStats {
    /// The horizon.
    pub horizon: Step,
    /// The cap on the tie-break, if there was one.
    pub secondary: Option<u32>,
    /// Number of variables.
    pub variables: usize,
    /// Number of clauses.
    pub clauses: usize,
    /// `sat`, `unsat` or the limit that struck.
    pub answer: &'static str,
    /// Conflicts, where the solver reports them.
    pub conflicts: Option<u64>,
    /// Rounds in which clauses were found missing and added.
    pub rounds: usize,
    /// Wall-clock time of building and solving.
    pub elapsed: Duration,
}

impl HorizonStats {
    /// How much work it was, to compare questions to the same solver: counted where conflicts are,
    /// so that the same run asks the same questions, else by the clock.
    pub(super) fn work(&self) -> u64 {
        match self.conflicts {
            Some(conflicts) => self.clauses as u64 + CLAUSES_PER_CONFLICT * conflicts,
            None => u64::try_from(self.elapsed.as_micros()).unwrap_or(u64::MAX),
        }
    }

    /// Whether no limit struck first.
    pub(super) fn is_answered(&self) -> bool {
        ["sat", "unsat"].contains(&self.answer)
    }

    /// Notes a question that was asked from `begun` until now.
    pub(crate) fn note(
        question: &Question,
        formula: &dyn Formula,
        meaning: &SatOutcome,
        work: SolveStats,
        begun: Instant,
    ) -> Self {
        Self {
            horizon: question.horizon,
            secondary: question.secondary,
            variables: formula.variables(),
            clauses: formula.len(),
            answer: meaning.name(),
            conflicts: work.conflicts,
            rounds: work.rounds,
            elapsed: begun.elapsed(),
        }
    }
}

/// What a formula's answer means.
#[derive(Clone, Debug)]
pub(crate) enum SatOutcome {
    Solution { plan: Verified, model: Model },
    Refuted,
    Stopped(Stop),
}

impl SatOutcome {
    /// The word for reports.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Solution { .. } => "sat",
            Self::Refuted => "unsat",
            Self::Stopped(stop) => stop.name(),
        }
    }
}

/// What answering a question took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolveStats {
    pub(crate) conflicts: Option<u64>,
    pub(crate) rounds: usize,
}

/// Solves a formula, adding the clauses that [`Formula::refine`] finds missing until none is.
/// Models near a given one are looked for first.
///
/// # Errors
/// When the solver fails or its model means no solution.
pub(crate) fn answer(
    formula: &mut dyn Formula,
    near: Option<&Model>,
    backend: &dyn Backend,
    limits: &Limits,
    work: &mut SolveStats,
) -> Result<SatOutcome, SolveError> {
    answer_by(formula, work, |formula| backend.decide(formula, near, limits))
}

/// Like [`answer`], by whatever decides a formula that has grown since it was last asked.
pub(super) fn answer_by(
    formula: &mut dyn Formula,
    work: &mut SolveStats,
    mut decide: impl FnMut(&dyn Formula) -> Result<SolverResult, BackendError>,
) -> Result<SatOutcome, SolveError> {
    loop {
        let SolverResult { answer, conflicts } = decide(formula).map_err(SolveError::Backend)?;
        if let Some(conflicts) = conflicts {
            *work.conflicts.get_or_insert(0) += conflicts;
        }
        let model = match answer {
            Answer::Unsat => return Ok(SatOutcome::Refuted),
            Answer::Stopped(stop) => return Ok(SatOutcome::Stopped(stop)),
            Answer::Sat(model) => model,
        };
        if formula.refine(&model) > 0 {
            work.rounds += 1;
            continue;
        }
        return match formula.read(&model) {
            Ok(plan) => Ok(SatOutcome::Solution { plan, model }),
            Err(fault) => {
                let mut text = Vec::new();
                let written = dimacs::write_cnf(&mut text, formula, []);
                let text = written.map(|()| String::from_utf8_lossy(&text).into_owned());
                let values: Vec<_> = model.lits().map(|lit| lit.to_string()).collect();
                let formula = text.ok().map(|text| (text, values.join(" ")));
                Err(SolveError::Fault { fault, formula })
            }
        };
    }
}

/// Puts one question to the solver.
///
/// # Errors
/// Like [`answer`].
pub(super) fn ask(
    instance: &dyn Instance,
    question: &Question,
    backend: &dyn Backend,
    limits: &Limits,
    progress: Progress<'_>,
) -> Result<(SatOutcome, Option<HorizonStats>), SolveError> {
    let begun = Instant::now();
    let mut formula = match instance.formula_within(question, limits) {
        Ok(formula) => formula,
        Err(stop) => return Ok((SatOutcome::Stopped(stop), None)),
    };
    let (variables, clauses) = (formula.variables(), formula.len());
    progress(&Event::Asking { horizon: question.horizon, variables, clauses });
    let mut work = SolveStats::default();
    let meaning = answer(formula.as_mut(), None, backend, limits, &mut work)?;
    let asked = HorizonStats::note(question, formula.as_ref(), &meaning, work, begun);
    Ok((meaning, Some(asked)))
}
