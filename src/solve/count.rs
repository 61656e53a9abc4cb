//! Families without time: one question, and how many answers it has, each found by forbidding
//! those before it.

use super::sat::{Asked, Meaning, Work, answer};
use super::{Event, Outcome, Progress, Request, Shown, SolveError, Verdict};
use crate::instance::{Instance, Question, Verified};
use std::time::Instant;
use unstuck_encodings::Step;

/// The solutions of a puzzle without time that were looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solutions {
    /// Solutions beside the first one.
    pub others: Vec<Verified>,
    /// Whether there are no more: the last question was refuted.
    pub complete: bool,
}

/// Looks for up to `request.solutions` different solutions.
pub(super) fn solve(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let question = Question { filter: request.filter.clone(), ..Question::default() };
    let mut formula = instance.formula(&question);
    let mut solutions = Solutions::default();
    let mut found: Step = 0;
    let mut stop = None;
    while (found as usize) < request.solutions.max(1) {
        let begun = Instant::now();
        let (variables, clauses) = (formula.variables(), formula.len());
        progress(&Event::Asking { horizon: 0, variables, clauses });
        let mut work = Work::default();
        let meaning =
            answer(formula.as_mut(), request.backend.as_ref(), &request.limits, &mut work)?;
        outcome.asked.push(Asked {
            horizon: 0,
            secondary: None,
            variables,
            clauses: formula.len(),
            answer: meaning.name(),
            conflicts: work.conflicts,
            rounds: work.rounds,
            elapsed: begun.elapsed(),
        });
        match meaning {
            Meaning::Solution { plan, model } => {
                found += 1;
                match outcome.best {
                    None => outcome.best = Some(plan),
                    Some(_) => solutions.others.push(plan),
                }
                if !formula.exclude(&model) {
                    break;
                }
            }
            Meaning::Refuted => {
                solutions.complete = true;
                break;
            }
            Meaning::Stopped(reason) => {
                stop = Some(reason);
                break;
            }
        }
    }
    if outcome.best.is_none() && solutions.complete {
        outcome.verdict = Verdict::Unsolvable;
        outcome.shown = Some(Shown::Refutation { backend: request.backend.name(), horizon: 0 });
        return Ok(());
    }
    outcome.solutions = Some(solutions);
    outcome.conclude(instance.objective(), stop);
    Ok(())
}
