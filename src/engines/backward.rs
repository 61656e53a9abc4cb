//! Search from the end of a game to its start, where the family can be played backwards.

use super::plans::{searching, strategy};
use crate::instance::FromTheEnd;
use crate::ledger::{Budget, Engine, Justification, Ledger, SolveError, Task, Work};
use crate::search::Strategy;
use unstuck_puzzles::Objective;

/// A* over what leads to the goal; where any plan will do, greedy. A layer that it has finished is a
/// lower bound, and when nothing is left there is no solution.
#[derive(Clone, Copy, Debug)]
pub struct BackwardEngine;

/// How the engine is called.
pub(crate) const BACKWARD: &str = "backward";

/// States that are expanded together: with one the search waits for memory most of its time.
const BATCH: usize = 64;

impl BackwardEngine {
    /// Whether the end of a game is likely the easier one.
    pub(crate) fn leads(task: Task<'_>) -> bool {
        task.instance.capability::<dyn FromTheEnd>().is_some_and(|game| game.leads())
    }
}

impl Engine for BackwardEngine {
    fn name(&self) -> &'static str {
        BACKWARD
    }

    /// Not where moves count first: how far a walk is shows only from the start.
    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.unbounded()?;
        let has_end = task.instance.capability::<dyn FromTheEnd>().is_some()
            && task.objective().first() != Objective::Moves;
        has_end.then_some(()).ok_or(SolveError::NoEnd(task.instance.family(), task.objective()))
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let begin = move |ledger: &Ledger<'_>, budget: &Budget<'_>| {
            // Where any plan will do, there is no end of states.
            let tuning = &task.request.tuning;
            let most = usize::try_from(tuning.backward_states).ok();
            let strategy = Strategy {
                weight_tenths: tuning.backward_weight,
                greedy: !task.counts(),
                max_states: most.filter(|_| task.counts()),
                batch: BATCH,
                threads: budget.threads(),
                ..strategy(task, ledger)
            };
            task.instance.capability::<dyn FromTheEnd>()?.begin_search(strategy)
        };
        // The walks of a plan need not be the shortest of all plans with as many pushes.
        let is_cheapest = task.objective() == task.objective().first();
        searching(task, BACKWARD, begin, |bound| Justification::Backward { bound }, is_cheapest)
    }
}
