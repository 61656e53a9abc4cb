//! Reverse reachability: an invariant that shows that there is no solution.

use crate::backend::Answer;
use crate::instance::SingleSteps;
use crate::invariant::pdr::InvariantError;
use crate::ledger::{Budget, Engine, EngineEnd, Justification, Ledger, SolveError, Task, Work};
use crate::limits::Monitor;
use crate::transition::Obligation;

/// Property-directed reachability. It shows in seconds that there is no solution, or hardly ever.
#[derive(Clone, Copy, Debug)]
pub struct InvariantEngine;

impl Engine for InvariantEngine {
    fn name(&self) -> &'static str {
        "invariant"
    }

    /// Not within a horizon: it says nothing of longer plans.
    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.searched::<dyn SingleSteps>()?;
        task.unbounded()
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        Box::new(move |ledger, budget| invariant(task, ledger, budget))
    }
}

/// Looks for an invariant, and has it refuted afresh.
fn invariant(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget<'_>,
) -> Result<EngineEnd, SolveError> {
    let (request, limits) = (task.request, &budget.limits);
    let list = match task.searched::<dyn SingleSteps>()?.invariant(
        request.incremental(),
        limits,
        &mut |_| {},
    ) {
        Ok(list) => list,
        Err(InvariantError::Stopped(stop)) => return Ok(EngineEnd::Stopped(stop)),
        Err(_) => return Ok(EngineEnd::Finished),
    };
    // It counts only after its formulas were refuted afresh.
    let induction = task.instance.moves().map(|game| game.induction(&list));
    let Some(Ok(induction)) = induction else { return Ok(EngineEnd::Finished) };
    for part in Obligation::ALL {
        let Ok(formula) = induction.formula(part, &mut Monitor::silent(limits)) else {
            return Ok(limits.reached().into());
        };
        match request.backend.solve(&formula, limits) {
            Ok(Answer::Unsat) => {}
            Ok(Answer::Stopped(stop)) => return Ok(EngineEnd::Stopped(stop)),
            Ok(Answer::Sat(_)) | Err(_) => return Ok(EngineEnd::Finished),
        }
    }
    ledger.refute(None, Justification::Invariant(list.cubes.len()));
    Ok(EngineEnd::Finished)
}
