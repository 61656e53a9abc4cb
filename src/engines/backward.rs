//! Search from the end of a game to its start, where the family can be played backwards.

use super::plans::strategy;
use crate::instance::{FromTheEnd, SearchEnd, SearchReport};
use crate::ledger::{
    Budget, Engine, EngineEnd, Event, Justification, Ledger, SolveError, Task, Work,
};
use crate::limits::Stop;
use crate::search::{SearchStats, Strategy};
use unstuck_puzzles::Objective;

/// A* over what leads to the goal; where any plan will do, greedy. A layer that it has finished is a
/// lower bound, and when nothing is left there is no solution.
#[derive(Clone, Copy, Debug)]
pub struct BackwardEngine;

/// How the engine is called.
pub(crate) const BACKWARD: &str = "backward";

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

    fn run(
        &self,
        task: Task<'_>,
        ledger: &Ledger<'_>,
        budget: &Budget<'_>,
    ) -> Result<EngineEnd, SolveError> {
        self.work(task)(ledger, budget)
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let (mut search, mut expanded) = (None, 0);
        Box::new(move |ledger, budget| {
            let mut report = |stats: SearchStats| {
                ledger.rule_out(BACKWARD, stats.lower.primary());
                ledger.note(&Event::Searching(stats));
            };
            let search = search.get_or_insert_with(|| {
                let threads = budget.threads();
                let game = task.instance.capability::<dyn FromTheEnd>();
                game?.begin_search(Strategy { threads, ..looking(task, ledger) })
            });
            let Some(search) = search else { return Ok(EngineEnd::Finished) };
            let SearchReport { end, stats, bound } = search(&budget.limits, &mut report);
            budget.count(stats.expanded - expanded);
            expanded = stats.expanded;
            ledger.note_search(stats);
            let shown = Justification::Backward { bound };
            ledger.raise(stats.lower.primary(), shown.clone());
            match end {
                // The walks of the plan need not be the shortest of all optimal plans.
                SearchEnd::Found(plan) if task.objective() != Objective::Pushes => {
                    ledger.offer(plan);
                }
                SearchEnd::Found(plan) => ledger.offer_cheapest(plan, shown),
                SearchEnd::Exhausted => ledger.exhaust(None, shown),
                SearchEnd::Stopped(Stop::Paused) => return Ok(EngineEnd::Paused),
                SearchEnd::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
                SearchEnd::Fault(fault) => return Err(SolveError::refused(fault)),
            }
            Ok(EngineEnd::Finished)
        })
    }
}

/// Greedy where any plan will do, with no end of states; else A*.
fn looking(task: Task<'_>, ledger: &Ledger<'_>) -> Strategy {
    let tuning = &task.request.tuning;
    let (weight_tenths, max_states) = if task.counts() {
        (tuning.backward_weight, usize::try_from(tuning.backward_states).ok())
    } else {
        (tuning.backward_greedy_weight, None)
    };
    Strategy { weight_tenths, max_states, ..strategy(task, ledger) }
}
