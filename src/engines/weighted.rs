//! Weighted A*: a plan soon, and not much worse than a shortest one.

use super::plans::{offer_polished, strategy};
use crate::instance::{ResumableSearch, SearchEnd, SearchReport, StateSpace};
use crate::ledger::{
    Budget, Engine, EngineEnd, Event, Justification, Ledger, SolveError, Task, Work,
};
use crate::limits::Stop;
use crate::search::Strategy;
use crate::tuning::Tuning;
use std::collections::VecDeque;

/// Weighted A*, again and again with smaller weights: each search looks for a plan that is better
/// than all known ones.
#[derive(Clone, Copy, Debug)]
pub struct WeightedEngine(pub WeightedAttempts);

/// How often, with which weights, and how far weighted A* looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightedAttempts {
    /// Once, beside A*.
    Once,
    /// Before the first horizon: short looks that show nothing, so that SAT shows it.
    Short,
    /// A first plan to improve.
    First,
    /// As long as plans get better, for they save A* memory.
    Saving,
}

/// The weight of the bound in tenths, and the states that may be kept.
type Look = (u64, u64);

impl WeightedAttempts {
    fn list(self, tuning: &Tuning) -> Vec<Look> {
        match self {
            Self::Once => vec![(tuning.greedy_weight, tuning.greedy_states)],
            Self::Short => vec![
                (tuning.greedy_weight, tuning.first_states),
                (tuning.first_second_weight, tuning.first_shorter_states),
                (tuning.first_third_weight, tuning.first_shorter_states),
            ],
            Self::First => vec![(tuning.greedy_weight, tuning.improving_first_states)],
            Self::Saving => vec![
                (tuning.saving_weight, tuning.saving_states),
                (tuning.saving_last_weight, tuning.saving_last_states),
            ],
        }
    }
}

impl Engine for WeightedEngine {
    fn name(&self) -> &'static str {
        "weighted"
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let mut looks = VecDeque::from(self.0.list(&task.request.tuning));
        let mut search: Option<(ResumableSearch<'a>, u64)> = None;
        Box::new(move |ledger, budget| {
            let states = task.searched::<dyn StateSpace>()?;
            let mut done = EngineEnd::Finished;
            while let Some(&look) = looks.front() {
                let (begun, expanded) = search.get_or_insert_with(|| {
                    (states.begin_search(self.strategy(look, task, ledger, budget)), 0)
                });
                let mut report = |stats| {
                    if self.0 == WeightedAttempts::First {
                        ledger.note(&Event::Searching(stats));
                    }
                };
                let searched = begun(&budget.limits, &mut report);
                budget.count(searched.stats.expanded - *expanded);
                *expanded = searched.stats.expanded;
                if matches!(searched.end, SearchEnd::Stopped(Stop::Paused)) {
                    return Ok(EngineEnd::Paused);
                }
                search = None;
                done = self.take(searched, task, ledger, budget)?;
                let has_found = matches!(done, EngineEnd::Finished);
                if !has_found || self.0 != WeightedAttempts::Saving || ledger.is_over() {
                    looks.pop_front();
                }
            }
            if let (WeightedAttempts::Short, Some(best)) = (self.0, ledger.best()) {
                offer_polished(task, ledger, budget, best)?;
            }
            Ok(done)
        })
    }
}

impl WeightedEngine {
    /// How one look searches.
    fn strategy(
        self,
        (weight_tenths, states): Look,
        task: Task<'_>,
        ledger: &Ledger<'_>,
        budget: &Budget<'_>,
    ) -> Strategy {
        let max_states = Some(usize::try_from(states).unwrap_or(usize::MAX));
        let threads = if self.0 == WeightedAttempts::First { budget.threads() } else { 1 };
        Strategy { weight_tenths, max_states, threads, ..strategy(task, ledger) }
    }

    /// What a look has found: finished when that is a plan, or that there is none.
    fn take(
        self,
        searched: SearchReport,
        task: Task<'_>,
        ledger: &Ledger<'_>,
        budget: &Budget<'_>,
    ) -> Result<EngineEnd, SolveError> {
        match searched.end {
            SearchEnd::Found(plan) if self.0 == WeightedAttempts::Short => {
                ledger.offer(plan);
            }
            SearchEnd::Found(plan) => offer_polished(task, ledger, budget, plan)?,
            // That is for the solver to show.
            SearchEnd::Exhausted if self.0 == WeightedAttempts::Short => {}
            SearchEnd::Exhausted => {
                let shown = Justification::Search { bound: searched.bound };
                ledger.exhaust(task.request.bounded(), shown);
            }
            SearchEnd::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
            SearchEnd::Fault(fault) => return Err(SolveError::refused(fault)),
        }
        Ok(EngineEnd::Finished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{Goal, Request, Verdict};
    use crate::limits::Limits;
    use crate::registry::sampled;
    use unstuck_encodings::Cost;
    use unstuck_puzzles::Objective;

    /// A search that leaves nothing to look at means "unsolvable" only while no plan is known; and
    /// before the first horizon it shows nothing at all.
    #[test]
    fn nothing_cheaper_is_not_unsolvable() {
        let (mut solvable, mut unsolvable) = (0, 0);
        for seed in 0..60 {
            let instance = sampled("sokoban", Objective::Pushes, seed).remove(0);
            let request = Request::default();
            let task = Task { instance: instance.as_ref(), request: &request };
            let budget = Budget::new(Limits::none(), 1);
            let ledger = Ledger::new(instance.as_ref(), Goal::Answer, &|_| {});
            let short = Ledger::new(instance.as_ref(), Goal::Answer, &|_| {});
            let saving = WeightedEngine(WeightedAttempts::Saving);
            saving.work(task)(&ledger, &budget).expect("no fault");
            let looks = WeightedEngine(WeightedAttempts::Short);
            looks.work(task)(&short, &budget).expect("no fault");
            let best = ledger.best();
            assert_eq!(best.is_some(), short.best().is_some(), "seed {seed}");
            let known = ledger.incumbent().known();
            let outcome = ledger.into_outcome(None).expect("no fault");
            let short = short.into_outcome(None).expect("no fault");
            assert_eq!(short.lower, 0, "seed {seed}");
            match best {
                // It went on until nothing cheaper was left.
                Some(best) => {
                    solvable += 1;
                    assert_eq!(outcome.verdict, Verdict::Solved, "seed {seed}");
                    assert!(outcome.optimal, "seed {seed}");
                    assert_eq!(known, Some(Cost::of(Objective::Pushes, best.tally())));
                }
                None => {
                    unsolvable += 1;
                    assert_eq!(outcome.verdict, Verdict::Unsolvable, "seed {seed}");
                    assert_eq!(short.verdict, Verdict::Unknown(None), "seed {seed}");
                }
            }
        }
        assert!(solvable > 10 && unsolvable > 3, "{solvable} {unsolvable}");
    }
}
