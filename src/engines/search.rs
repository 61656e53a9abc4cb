//! A* over the family's space: a shortest plan, or that there is none.

use super::plans::strategy;
use crate::instance::{SearchEnd, SearchReport};
use crate::ledger::{
    Budget, Engine, EngineEnd, Event, Justification, Ledger, SolveError, Task, Work,
};
use crate::limits::Stop;
use crate::search::{SearchStats, Strategy};
use unstuck_puzzles::Objective;

/// A*; where any plan will do, weighted. It keeps no state that cannot beat the best plan known.
#[derive(Clone, Copy, Debug)]
pub struct SearchEngine;

/// How the engine is called.
pub(crate) const SEARCH: &str = "search";

impl Engine for SearchEngine {
    fn name(&self) -> &'static str {
        SEARCH
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
                ledger.rule_out(SEARCH, stats.lower.primary());
                ledger.note(&Event::Searching(stats));
            };
            let game = task.game()?;
            let search = search.get_or_insert_with(|| {
                let weight_tenths = match task.objective() {
                    Objective::Any => task.request.tuning.greedy_weight,
                    _ => 10,
                };
                let threads = budget.threads();
                let strategy = Strategy { weight_tenths, threads, ..strategy(task, ledger) };
                game.states().begin_search(strategy)
            });
            let SearchReport { end, stats, bound } = search(&budget.limits, &mut report);
            budget.count(stats.expanded - expanded);
            expanded = stats.expanded;
            ledger.note_search(stats);
            let shown = Justification::Search { bound };
            ledger.raise(stats.lower.primary(), shown.clone());
            match end {
                SearchEnd::Found(plan) => ledger.offer_cheapest(plan, shown),
                SearchEnd::Exhausted => ledger.exhaust(task.request.bounded(), shown),
                SearchEnd::Stopped(Stop::Paused) => return Ok(EngineEnd::Paused),
                SearchEnd::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
                SearchEnd::Fault(fault) => return Err(SolveError::refused(fault)),
            }
            Ok(EngineEnd::Finished)
        })
    }
}
