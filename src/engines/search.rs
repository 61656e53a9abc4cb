//! A* over the family's space: a shortest plan, or that there is none.

use super::plans::{searching, strategy};
use crate::instance::StateSpace;
use crate::ledger::{Budget, Engine, Justification, Ledger, Task, Work};
use crate::search::Strategy;
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

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let begin = move |ledger: &Ledger<'_>, budget: &Budget<'_>| {
            let weight_tenths = match task.objective() {
                Objective::Any => task.request.tuning.greedy_weight,
                _ => 10,
            };
            let threads = budget.threads();
            let strategy = Strategy { weight_tenths, threads, ..strategy(task, ledger) };
            Some(task.searched::<dyn StateSpace>().ok()?.begin_search(strategy))
        };
        searching(task, SEARCH, begin, |bound| Justification::Search { bound }, true)
    }
}
