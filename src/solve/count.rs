//! Families without time: one question, and how many answers it has, each found by forbidding
//! those before it.

use super::sat::{Asked, Meaning, Work, answer};
use super::{Event, Outcome, Progress, Request, Shown, SolveError, Verdict};
use crate::instance::{Formula, Instance, Question, Verified};
use crate::limits::Limits;
use crate::machine::Instant;
use unstuck_encodings::Model;

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
    let mut asking = Asking { question: &question, request, progress, outcome };
    let mut known = asking.preferred(instance)?;
    let mut near = None;
    let mut found = 0;
    let mut stop = None;
    while found < request.solutions.max(1) {
        let meaning = match known.take() {
            Some(meaning) => meaning,
            None => asking.ask(formula.as_mut(), near.as_ref(), &request.limits)?,
        };
        match meaning {
            Meaning::Solution { plan, model } => {
                found += 1;
                match asking.outcome.best {
                    None => asking.outcome.best = Some(plan),
                    Some(_) => solutions.others.push(plan),
                }
                if !formula.exclude(&model) {
                    break;
                }
                near = Some(model);
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
        outcome.shown = Some(Shown::Refutation { backend: request.backend.name(), horizon: None });
        return Ok(());
    }
    outcome.solutions = Some(solutions);
    outcome.conclude(instance.objective(), stop);
    Ok(())
}

/// Preferred solutions get one of this many parts of the time that is left.
const PREFERRED_SHARE: u32 = 4;

/// What every question of a run shares.
struct Asking<'a> {
    question: &'a Question,
    request: &'a Request,
    progress: Progress<'a>,
    outcome: &'a mut Outcome,
}

impl Asking<'_> {
    fn ask(
        &mut self,
        formula: &mut dyn Formula,
        near: Option<&Model>,
        limits: &Limits,
    ) -> Result<Meaning, SolveError> {
        let begun = Instant::now();
        let (variables, clauses) = (formula.variables(), formula.len());
        (self.progress)(&Event::Asking { horizon: 0, variables, clauses });
        let mut work = Work::default();
        let meaning = answer(formula, near, self.request.backend.as_ref(), limits, &mut work)?;
        self.outcome.asked.push(Asked::note(self.question, formula, &meaning, work, begun));
        Ok(meaning)
    }

    /// A solution of the kind that the encoding prefers, if there is one and it is found soon.
    fn preferred(&mut self, instance: &dyn Instance) -> Result<Option<Meaning>, SolveError> {
        let mut narrowed = instance.formula(self.question);
        if !narrowed.prefer() {
            return Ok(None);
        }
        let mut limits = self.request.limits.clone();
        if let Some(left) = limits.time_left() {
            limits = limits.within(left / PREFERRED_SHARE);
        }
        let meaning = self.ask(narrowed.as_mut(), None, &limits)?;
        Ok(matches!(meaning, Meaning::Solution { .. }).then_some(meaning))
    }
}
