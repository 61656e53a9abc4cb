//! Families without time: one question, and how many answers it has, each found by forbidding
//! those before it.
//!
//! A solver that can keeps the formula: whether there is another solution is then a matter of what
//! it has learnt already. It is given what trying single literals (`proof::probing`) has left open.
//! Where solutions were found in another formula, this one is new to the solver, and is asked for a
//! model near the last of them.

use super::sat::{SatOutcome, SolveStats, answer_by, note};
use crate::backend::{Answer, AssumptionAnswer, BackendError, Session, SessionError, SolverResult};
use crate::instance::{Formula, Question, Verified};
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
    let question = Question { filter: task.request.filter.clone(), ..Question::default() };
    let run = CountingRun { question: &question, task, budget, ledger };
    let mut found = Found { wanted: task.request.solutions.max(1), ..Found::default() };
    let end = run.look_for(&mut found)?;
    let (complete, stop) = match end {
        CountingEnd::Refuted(shown) if found.models.is_empty() => {
            ledger.refute(None, shown);
            return Ok(EngineEnd::Finished);
        }
        CountingEnd::Refuted(_) => (true, None),
        CountingEnd::Stopped(stop) => (false, Some(stop)),
        CountingEnd::Enough => (false, None),
    };
    ledger.note_solutions(Solutions { others: found.others, complete });
    Ok(stop.into())
}

/// What was found so far.
#[derive(Default)]
struct Found {
    wanted: usize,
    models: Vec<Model>,
    /// The solutions beside the first.
    others: Vec<Verified>,
}

impl Found {
    fn is_enough(&self) -> bool {
        self.models.len() >= self.wanted
    }

    /// Whether the solutions that allow no step show if there are others.
    fn can_be_reduced(&self, formula: &dyn Formula) -> bool {
        match &self.models[..] {
            [] => true,
            [model] => formula.is_rigid(model),
            _ => false,
        }
    }

    fn add(&mut self, plan: Verified, model: Model, ledger: &Ledger<'_>) {
        if self.models.is_empty() {
            ledger.offer(plan);
        } else {
            self.others.push(plan);
        }
        self.models.push(model);
    }
}

/// Why no more was looked for.
enum CountingEnd {
    /// As many as were wanted are found, or the encoding cannot exclude those that are.
    Enough,
    /// There are no more, shown so.
    Refuted(Justification),
    /// A limit.
    Stopped(Stop),
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
    task: Task<'a>,
    budget: &'a Budget<'a>,
    ledger: &'a Ledger<'a>,
}

impl CountingRun<'_> {
    /// Looks for solutions: first one of the kind that the encoding prefers; then those that allow
    /// no step, which stand for all until a step leads to one that was found; then all.
    fn look_for(&self, found: &mut Found) -> Result<CountingEnd, SolveError> {
        let compile = || self.task.instance.formula_within(self.question, &self.budget.limits);
        let mut compiled = Some(compile());
        if let Some(Ok(narrowed)) = &mut compiled
            && narrowed.prefer()
        {
            self.preferred(narrowed.as_mut(), found)?;
            compiled = None;
        }
        while !found.is_enough() {
            let mut formula = match compiled.take().unwrap_or_else(compile) {
                Ok(formula) => formula,
                Err(error) => return SolveError::stopped(error).map(CountingEnd::Stopped),
            };
            let reduced = found.can_be_reduced(formula.as_ref()) && formula.reduce();
            if let Some(end) = self.look_in(formula.as_mut(), reduced, found)? {
                return Ok(end);
            }
        }
        Ok(CountingEnd::Enough)
    }

    /// Looks for solutions in a formula; `None` when the others have to be looked for in another one.
    fn look_in(
        &self,
        formula: &mut dyn Formula,
        reduced: bool,
        found: &mut Found,
    ) -> Result<Option<CountingEnd>, SolveError> {
        let limits = &self.budget.limits;
        let forced = match forced(formula, limits) {
            Ok(forced) => forced,
            Err(stop) => return Ok(Some(CountingEnd::Stopped(stop))),
        };
        let mut kept = match found.models.is_empty() {
            true => ReducedFormula::new(self.task.request, limits, &forced),
            false => None,
        };
        if !found.models.iter().all(|model| formula.block(model)) {
            return Ok(Some(CountingEnd::Enough));
        }
        loop {
            let meaning = match &mut kept {
                Some(kept) => self.ask_kept(formula, kept)?,
                None => self.ask(formula, &forced, found.models.last(), limits)?,
            };
            match meaning {
                SatOutcome::Solution { plan, model } => found.add(plan, model, self.ledger),
                SatOutcome::Refuted => {
                    let backend = self.task.request.backend.name();
                    return Ok(Some(CountingEnd::Refuted(match forced.is_refuted() {
                        true => Justification::FailedLiterals,
                        false => Justification::Refutation { backend, horizon: None },
                    })));
                }
                SatOutcome::Stopped(stop) => return Ok(Some(CountingEnd::Stopped(stop))),
            }
            let is_excluded = found.models.last().is_some_and(|model| formula.block(model));
            if found.is_enough() || !is_excluded {
                return Ok(Some(CountingEnd::Enough));
            }
            if reduced && !found.can_be_reduced(formula) {
                return Ok(None);
            }
        }
    }

    fn ask(
        &self,
        formula: &mut dyn Formula,
        forced: &ForcedLits,
        near: Option<&Model>,
        limits: &Limits,
    ) -> Result<SatOutcome, SolveError> {
        let backend = self.task.request.backend.as_ref();
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
    fn preferred(&self, narrowed: &mut dyn Formula, found: &mut Found) -> Result<(), SolveError> {
        let share = thousandths(self.task.request.tuning.preferred_share);
        let limits = self.budget.limits.share(share);
        if let Ok(forced) = forced(narrowed, &limits)
            && let SatOutcome::Solution { plan, model } =
                self.ask(narrowed, &forced, None, &limits)?
        {
            found.add(plan, model, self.ledger);
        }
        Ok(())
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
