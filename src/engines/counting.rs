//! Families without time: one question, and how many answers it has, each found by forbidding
//! those before it.
//!
//! A solver that can keeps the formula: whether there is another solution is then a matter of what
//! it has learnt already. It is given what trying single literals (`proof::probing`) has left open.
//! Where the first solution was one of the kind that the encoding prefers, the formula of all is new
//! to the solver, and is asked for a model near that solution.

use super::sat::{SatOutcome, SolveStats, answer_by, note};
use crate::backend::{Answer, AssumptionAnswer, BackendError, Session, SessionError, SolverResult};
use crate::instance::{Formula, Question};
use crate::ledger::{
    Budget, Engine, EngineEnd, Event, Justification, Ledger, Request, Solutions, SolveError, Task,
    Work,
};
use crate::limits::{Limits, Stop};
use crate::machine::Instant;
use crate::proof::probing::ForcedLits;
use crate::tuning::thousandths;
use unstuck_encodings::Model;

/// One question about a puzzle without time, and how many answers it has.
#[derive(Clone, Copy, Debug)]
pub struct CountingEngine;

impl Engine for CountingEngine {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.encoded()
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        Box::new(move |ledger, budget| count(task, ledger, budget))
    }
}

/// Looks for as many different solutions as are wanted.
fn count(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget<'_>,
) -> Result<EngineEnd, SolveError> {
    let (Task { instance, request }, limits) = (task, &budget.limits);
    let question = Question { filter: request.filter.clone(), ..Question::default() };
    let asking = CountingRun { question: &question, request, budget, ledger };
    let compile = || instance.formula_within(&question, limits);
    let mut known = None;
    let mut formula = compile();
    if let Ok(narrowed) = &mut formula
        && narrowed.prefer()
    {
        known = asking.preferred(narrowed.as_mut())?;
        formula = compile();
    }
    let prepared = formula.and_then(|formula| {
        let forced = forced(formula.as_ref(), limits)?;
        Ok((formula, forced))
    });
    let mut solutions = Solutions::default();
    let (mut formula, forced) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            let stop = SolveError::stopped(error)?;
            ledger.note_solutions(solutions);
            if let Some(SatOutcome::Solution { plan, .. }) = known {
                ledger.offer(plan);
            }
            return Ok(EngineEnd::Stopped(stop));
        }
    };
    let mut near = None;
    let mut kept = match known {
        Some(_) => None,
        None => ReducedFormula::new(request, limits, &forced),
    };
    let mut found = 0;
    let mut stop = None;
    while found < request.solutions.max(1) {
        let meaning = match known.take() {
            Some(meaning) => meaning,
            None => match &mut kept {
                Some(kept) => asking.ask_kept(formula.as_mut(), kept)?,
                None => asking.ask(formula.as_mut(), &forced, near.as_ref(), limits)?,
            },
        };
        match meaning {
            SatOutcome::Solution { plan, model } => {
                found += 1;
                match found {
                    1 => {
                        ledger.offer(plan);
                    }
                    _ => solutions.others.push(plan),
                }
                if !formula.block(&model) {
                    break;
                }
                near = Some(model);
            }
            SatOutcome::Refuted => {
                solutions.complete = true;
                break;
            }
            SatOutcome::Stopped(reason) => {
                stop = Some(reason);
                break;
            }
        }
    }
    if found == 0 && solutions.complete {
        let backend = request.backend.name();
        let shown = match forced.is_refuted() {
            true => Justification::FailedLiterals,
            false => Justification::Refutation { backend, horizon: None },
        };
        ledger.refute(None, shown);
    } else {
        ledger.note_solutions(solutions);
    }
    Ok(stop.into())
}

/// What a formula forces, as far as single literals show it.
fn forced(formula: &dyn Formula, limits: &Limits) -> Result<ForcedLits, Stop> {
    ForcedLits::find(formula, &formula.probe_candidates(), limits)
}

/// A formula of which the solver keeps what is not forced.
struct ReducedFormula<'a> {
    session: Box<dyn Session + 'a>,
    forced: &'a ForcedLits,
    /// How many of its clauses were looked at.
    loaded: usize,
}

impl<'a> ReducedFormula<'a> {
    /// Nothing is gained where one solution is enough, nor possible with a solver that forgets.
    fn new(request: &'a Request, limits: &'a Limits, forced: &'a ForcedLits) -> Option<Self> {
        // A solver that keeps formulas counts no conflicts.
        let keeps = request.solutions > 1 && !limits.counts_conflicts();
        let backend = request.backend.incremental().filter(|_| keeps)?;
        let mut session = backend.session(limits);
        if forced.is_refuted() {
            session.add(&[]);
        }
        Some(Self { session, forced, loaded: 0 })
    }

    fn decide(&mut self, formula: &dyn Formula) -> Result<SolverResult, BackendError> {
        let new = (self.loaded..formula.len()).map(|index| formula.clause(index));
        new.filter_map(|clause| self.forced.rest_of(clause)).for_each(|it| self.session.add(&it));
        self.loaded = formula.len();
        let variables = formula.variables();
        let answer = match self.session.ask(&[]) {
            Ok(AssumptionAnswer::Model(lits)) => {
                Answer::Sat(self.forced.complete(variables, &Model::new(variables, lits)))
            }
            Ok(AssumptionAnswer::Core(_)) => Answer::Unsat,
            Err(SessionError::Stopped(stop)) => Answer::Stopped(stop),
            Err(SessionError::Failed(error)) => return Err(error),
        };
        Ok(SolverResult { answer, conflicts: None })
    }
}

/// What every question of a run shares.
struct CountingRun<'a> {
    question: &'a Question,
    request: &'a Request,
    budget: &'a Budget<'a>,
    ledger: &'a Ledger<'a>,
}

impl CountingRun<'_> {
    fn ask(
        &self,
        formula: &mut dyn Formula,
        forced: &ForcedLits,
        near: Option<&Model>,
        limits: &Limits,
    ) -> Result<SatOutcome, SolveError> {
        let backend = self.request.backend.as_ref();
        let decide = |formula: &dyn Formula| {
            let Some(rest) = forced.rest(formula) else {
                return Ok(SolverResult { answer: Answer::Unsat, conflicts: None });
            };
            let mut decided = backend.decide(&rest, near, limits)?;
            if let Answer::Sat(model) = &mut decided.answer {
                *model = forced.complete(formula.variables(), model);
            }
            Ok(decided)
        };
        self.noted(formula, |formula, work| answer_by(formula, work, decide))
    }

    fn ask_kept(
        &self,
        formula: &mut dyn Formula,
        kept: &mut ReducedFormula<'_>,
    ) -> Result<SatOutcome, SolveError> {
        self.noted(formula, |formula, work| answer_by(formula, work, |it| kept.decide(it)))
    }

    /// Asks, and keeps a note of it.
    fn noted(
        &self,
        formula: &mut dyn Formula,
        ask: impl FnOnce(&mut dyn Formula, &mut SolveStats) -> Result<SatOutcome, SolveError>,
    ) -> Result<SatOutcome, SolveError> {
        let begun = Instant::now();
        let (variables, clauses) = (formula.variables(), formula.len());
        self.ledger.note(&Event::Asking { horizon: 0, variables, clauses });
        let mut work = SolveStats::default();
        let meaning = ask(formula, &mut work)?;
        self.budget.count(work.conflicts.unwrap_or(0));
        self.ledger.note_asked(note(self.question, formula, &meaning, work, begun));
        Ok(meaning)
    }

    /// A solution of the kind that a formula was narrowed to, if there is one and it is found soon.
    fn preferred(&self, narrowed: &mut dyn Formula) -> Result<Option<SatOutcome>, SolveError> {
        let limits = self.budget.limits.share(thousandths(self.request.tuning.preferred_share));
        let Ok(forced) = forced(narrowed, &limits) else { return Ok(None) };
        let meaning = self.ask(narrowed, &forced, None, &limits)?;
        Ok(matches!(meaning, SatOutcome::Solution { .. }).then_some(meaning))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Backend;
    use crate::backend::varisat::Varisat;
    use crate::instance::Instance;
    use crate::ledger::Goal;
    use crate::registry::sampled;
    use std::sync::Arc;
    use unstuck_puzzles::Objective;

    /// The embedded solver without its memory.
    struct Forgetful;

    impl Backend for Forgetful {
        fn name(&self) -> String {
            Varisat.name()
        }

        fn decide(
            &self,
            clauses: &dyn crate::formula::Clauses,
            near: Option<&Model>,
            limits: &Limits,
        ) -> Result<SolverResult, BackendError> {
            Varisat.decide(clauses, near, limits)
        }
    }

    #[test]
    fn an_incremental_formula_has_as_many_solutions_as_a_fresh_one() {
        let count = |seed: u64, backend: Arc<dyn Backend>| -> Vec<Option<(usize, bool)>> {
            let instances = sampled("flow", Objective::Any, seed);
            let request = Request { backend, solutions: 40, ..Request::default() };
            let outcome = |instance: &dyn Instance| {
                let (task, budget) =
                    (Task { instance, request: &request }, Budget::new(Limits::none(), 1));
                let ledger = Ledger::new(instance, Goal::Solutions, &|_| {});
                CountingEngine.work(task)(&ledger, &budget).expect("an answer");
                let outcome = ledger.into_outcome(None).expect("no fault");
                outcome.solutions.map(|solutions| (solutions.others.len(), solutions.complete))
            };
            instances.iter().map(|instance| outcome(instance.as_ref())).collect()
        };
        let mut several = 0;
        for seed in 0..300 {
            let kept = count(seed, Arc::new(Varisat));
            assert_eq!(kept, count(seed, Arc::new(Forgetful)), "sample {seed}");
            several += kept.iter().flatten().filter(|&&(others, _)| others > 1).count();
        }
        assert!(several > 10, "{several}");
    }
}
