//! Single steps: a lower bound by questions to a SAT solver about one move each (see
//! [`crate::invariant::confine`]).
//!
//! A formula with all layers looks for states and a plan through them at once, and refuting it
//! means to rule out the same state again on every way that leads there. Where the states that a
//! plan below the best one known could pass through can be counted, one question about a step from
//! each is the shorter proof; where there are too many, none is asked.

use crate::instance::SingleSteps;
use crate::invariant::confine::{ConfineTask, Premises};
use crate::invariant::pdr::InvariantError;
use crate::ledger::{
    Budget, Engine, EngineEnd, Event, Justification, Ledger, SolveError, Task, Work,
};
use crate::limits::{Monitor, Stop};
use unstuck_encodings::Filter;
use unstuck_puzzles::Objective;

/// Questions about single steps, below the best plan.
#[derive(Clone, Copy, Debug)]
pub struct StepEngine;

impl Engine for StepEngine {
    fn name(&self) -> &'static str {
        "steps"
    }

    /// Not where the question is about horizons or the rules of their formulas; nor where walking
    /// is free, because classes of states take a hundred times as long to list, and there are
    /// mostly too many.
    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.searched::<dyn SingleSteps>()?;
        task.unbounded()?;
        let request = task.request;
        let offered = request.filter == Filter::everything()
            && request.backend.incremental().is_some()
            && request.tuning.steps_states > 0
            && task.objective().first() == Objective::Moves;
        offered.then_some(()).ok_or(SolveError::NoSteps)
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        Box::new(move |ledger, budget| confine(task, ledger, budget))
    }
}

/// Asks about the steps of plans that are one shorter than the best one, then of shorter ones.
fn confine(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget<'_>,
) -> Result<EngineEnd, SolveError> {
    let Some(upper) = ledger.upper() else { return Ok(EngineEnd::Finished) };
    let (steps, backend) = (task.searched::<dyn SingleSteps>()?, task.request.incremental());
    let most = usize::try_from(task.request.tuning.steps_states).unwrap_or(usize::MAX);
    let mut say = |text: &str| ledger.note(&Event::Confining(text.to_owned()));
    let mut monitor = Monitor::new(&budget.limits, &mut say);
    for budget in (ledger.lower()..upper).rev() {
        let task = ConfineTask { budget, known: Premises::TooFar, most };
        match steps.confine(task, backend, &mut monitor) {
            Ok(confined) => {
                let (backend, classes) = (backend.name(), confined.classes);
                ledger.raise(budget + 1, Justification::Steps { backend, classes });
                break;
            }
            // A plan of this length is there: horizons will find it.
            Err(InvariantError::Solvable) => {}
            Err(InvariantError::Stopped(stop)) => return Ok(EngineEnd::Stopped(stop)),
            Err(InvariantError::TooMany(_)) => return Ok(EngineEnd::Stopped(Stop::Memory)),
            Err(InvariantError::Unfit(_)) => break,
        }
    }
    Ok(EngineEnd::Finished)
}
