//! Horizons, one after the other, put to a SAT solver.

use super::{Event, Outcome, Progress, Request, Shown, SolveError, Verdict};
use crate::backend::{Answer, Backend};
use crate::dimacs;
use crate::instance::{Formula, Instance, Question, Verified};
use crate::limits::{Limits, Stop};
use std::time::{Duration, Instant};
use unstuck_encodings::{Model, Step};
use unstuck_puzzles::Objective;

/// A horizon that was put to a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
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
    /// Conflicts, where the solver tells.
    pub conflicts: Option<u64>,
    /// Rounds in which clauses were found missing and added.
    pub rounds: usize,
    /// Wall-clock time of building and solving.
    pub elapsed: Duration,
}

impl Asked {
    /// Notes a question that was asked from `begun` until now.
    pub(crate) fn note(
        question: &Question,
        formula: &dyn Formula,
        meaning: &Meaning,
        work: Work,
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
pub(crate) enum Meaning {
    Solution { plan: Verified, model: Model },
    Refuted,
    Stopped(Stop),
}

impl Meaning {
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
pub(crate) struct Work {
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
    work: &mut Work,
) -> Result<Meaning, SolveError> {
    loop {
        let solved = match near {
            Some(near) => backend.solve_near(formula, near, limits),
            None => backend.solve_counting(formula, limits),
        };
        let (answer, conflicts) = solved.map_err(SolveError::Backend)?;
        if let Some(conflicts) = conflicts {
            *work.conflicts.get_or_insert(0) += conflicts;
        }
        let model = match answer {
            Answer::Unsat => return Ok(Meaning::Refuted),
            Answer::Stopped(stop) => return Ok(Meaning::Stopped(stop)),
            Answer::Sat(model) => model,
        };
        if formula.refine(&model) > 0 {
            work.rounds += 1;
            continue;
        }
        return match formula.read(&model) {
            Ok(plan) => Ok(Meaning::Solution { plan, model }),
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

/// Puts one question to the solver and notes it in the outcome.
///
/// # Errors
/// Like [`answer`].
fn ask(
    instance: &dyn Instance,
    question: &Question,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<Result<Option<Verified>, Stop>, SolveError> {
    let begun = Instant::now();
    let mut formula = match instance.formula_within(question, &request.limits) {
        Ok(formula) => formula,
        Err(stop) => return Ok(Err(stop)),
    };
    let (variables, clauses) = (formula.variables(), formula.len());
    progress(&Event::Asking { horizon: question.horizon, variables, clauses });
    let mut work = Work::default();
    let meaning =
        answer(formula.as_mut(), None, request.backend.as_ref(), &request.limits, &mut work)?;
    let asked = Asked::note(question, formula.as_ref(), &meaning, work, begun);
    progress(&Event::Answered(asked.clone()));
    outcome.asked.push(asked);
    Ok(match meaning {
        Meaning::Solution { plan, .. } => Ok(Some(plan)),
        Meaning::Refuted => Ok(None),
        Meaning::Stopped(stop) => Err(stop),
    })
}

/// Horizons from the lower bound upwards.
pub(super) fn solve(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    deepen(instance, request, progress, outcome, &|| 0)
}

/// Horizons from the lower bound upwards; `known` is a lower bound that someone else raises
/// meanwhile.
pub(super) fn deepen(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
    known: &dyn Fn() -> u32,
) -> Result<(), SolveError> {
    let objective = instance.objective();
    let counts = objective != Objective::Any;
    let mut horizon = match request.horizon {
        Some(horizon) => horizon,
        None => {
            let lower = instance.lower_bound().unwrap_or(0);
            if counts {
                outcome.raise(lower, Shown::Bound("the admissible bound".to_owned()));
            }
            lower.max(if counts { outcome.lower } else { 0 })
        }
    };
    loop {
        if request.horizon.is_none() && counts {
            horizon = horizon.max(known());
        }
        let upper = outcome.best.as_ref().map(|plan| objective.primary(plan.tally()));
        if let (true, Some(upper)) = (counts, upper)
            && horizon >= upper
        {
            // The plan in hand is as short as the lower bound.
            break;
        }
        if let Some(most) = request.max_horizon.filter(|&most| horizon > most) {
            outcome.verdict = Verdict::NoSolutionWithin(most);
            return Ok(());
        }
        let question = Question {
            horizon,
            filter: request.filter.clone(),
            secondary: None,
            at_least: if counts { outcome.lower } else { 0 },
        };
        match ask(instance, &question, request, progress, outcome)? {
            Err(stop) => {
                outcome.conclude(objective, Some(stop));
                return Ok(());
            }
            Ok(Some(plan)) => {
                progress(&Event::Plan(objective.primary(plan.tally())));
                outcome.offer(objective, plan);
                break;
            }
            Ok(None) => {
                let backend = request.backend.name();
                let shown = Shown::Refutation { backend, horizon };
                let after = instance.after(horizon);
                if counts {
                    outcome.raise(after, shown.clone());
                }
                if instance.enough().is_some_and(|enough| horizon >= enough) {
                    outcome.verdict = Verdict::Unsolvable;
                    outcome.shown = Some(shown);
                    return Ok(());
                }
                if request.horizon.is_some() {
                    outcome.verdict = Verdict::NoSolutionWithin(horizon);
                    outcome.shown = Some(shown);
                    return Ok(());
                }
                horizon = after;
            }
        }
    }
    outcome.conclude(objective, None);
    if outcome.optimal && objective.first() != objective && !outcome.tie_optimal {
        let stop = tighten(instance, request, progress, outcome)?;
        outcome.stop = stop;
    }
    Ok(())
}

/// Lowers the tie-break of an optimal plan until a refutation shows that it is least.
fn tighten(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<Option<Stop>, SolveError> {
    let objective = instance.objective();
    while let Some(best) = &outcome.best {
        let tally = best.tally();
        let Some(cap) = objective.secondary(tally).checked_sub(1) else { break };
        let question = Question {
            horizon: objective.primary(tally),
            filter: request.filter.clone(),
            secondary: Some(cap),
            at_least: objective.primary(tally),
        };
        match ask(instance, &question, request, progress, outcome)? {
            Err(stop) => return Ok(Some(stop)),
            Ok(Some(plan)) => outcome.offer(objective, plan),
            Ok(None) => break,
        }
    }
    outcome.tie_optimal = true;
    Ok(None)
}
