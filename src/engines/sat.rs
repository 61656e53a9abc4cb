//! Questions put to a SAT solver, and what its answers mean.

use crate::backend::{Answer, Backend, BackendError, SolverResult};
use crate::formula::dimacs;
use crate::instance::{Formula, Instance, Question, Verified};
use crate::ledger::{Event, HorizonStats, Ledger, SolveError};
use crate::limits::{Limits, Stop};
use crate::machine::Instant;
use unstuck_encodings::Model;

/// How much work a question was, to compare questions to the same solver: counted where conflicts
/// are, each for as much as so many clauses, so that the same run asks the same questions; else by
/// the clock.
pub(super) fn work(asked: &HorizonStats, conflict_work: u64) -> u64 {
    match asked.conflicts {
        Some(conflicts) => asked.clauses as u64 + conflict_work * conflicts,
        None => u64::try_from(asked.elapsed.as_micros()).unwrap_or(u64::MAX),
    }
}

/// Notes a question that was asked from `begun` until now.
pub(super) fn note(
    question: &Question,
    formula: &dyn Formula,
    meaning: &SatOutcome,
    work: SolveStats,
    begun: Instant,
) -> HorizonStats {
    HorizonStats {
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

/// Puts one question to the solver; what it took, where there was time to ask it at all.
///
/// # Errors
/// Like [`answer`].
pub(super) fn ask(
    instance: &dyn Instance,
    question: &Question,
    backend: &dyn Backend,
    limits: &Limits,
    ledger: &Ledger<'_>,
) -> Result<(SatOutcome, Option<HorizonStats>), SolveError> {
    let begun = Instant::now();
    let mut formula = match instance.formula_within(question, limits) {
        Ok(formula) => formula,
        Err(error) => return Ok((SatOutcome::Stopped(SolveError::stopped(error)?), None)),
    };
    let (variables, clauses) = (formula.variables(), formula.len());
    ledger.note(&Event::Asking { horizon: question.horizon, variables, clauses });
    let mut work = SolveStats::default();
    let meaning = answer(formula.as_mut(), None, backend, limits, &mut work)?;
    let asked = note(question, formula.as_ref(), &meaning, work, begun);
    Ok((meaning, Some(asked)))
}
