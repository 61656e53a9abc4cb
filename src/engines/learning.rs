//! Learning dead patterns (see [`crate::learn`]).

use crate::instance::{LearnEnd, LearnReport, Relaxation};
use crate::learn::{LearnOptions, LearnStats};
use crate::ledger::{Engine, EngineEnd, Event, Justification, Ledger, SolveError, Task, Work};
use crate::limits::Stop;
use unstuck_puzzles::Objective;

/// Learning dead patterns, one waste after the other, until the plan of the least length is found
/// or there is none. A tie-break is not looked for.
#[derive(Clone, Copy, Debug)]
pub struct LearningEngine;

/// How the engine is called.
pub(crate) const LEARNING: &str = "learning";

impl Engine for LearningEngine {
    fn name(&self) -> &'static str {
        LEARNING
    }

    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        let dropping = task.instance.capability::<dyn Relaxation>();
        dropping.map(drop).ok_or_else(|| refusal(task))
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let (mut learning, mut nodes) = (None, 0);
        Box::new(move |ledger, budget| {
            let learning = learning.get_or_insert_with(|| {
                let learn_options = LearnOptions {
                    exclude: task.request.bounded(),
                    threads: budget.threads(),
                    max_states: task.request.states,
                    tuning: &task.request.tuning,
                    ..LearnOptions::default()
                };
                task.instance.capability::<dyn Relaxation>()?.begin_learning(learn_options)
            });
            let Some(learning) = learning else { return Ok(EngineEnd::Declined(refusal(task))) };
            // Until the rules have judged its patterns, a bound is only announced.
            let mut report = |stats: LearnStats| {
                ledger.announce(LEARNING, stats.lower);
                ledger.rule_out(LEARNING, stats.judged);
                ledger.note(&Event::Learning(stats));
            };
            let learned = learning(&budget.limits, &mut report);
            budget.count(learned.stats.nodes - nodes);
            nodes = learned.stats.nodes;
            take(task, ledger, learned)
        })
    }
}

fn refusal(task: Task<'_>) -> SolveError {
    SolveError::NoPieces(task.instance.family(), task.objective())
}

/// Writes down what learning has shown.
fn take(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    learned: LearnReport,
) -> Result<EngineEnd, SolveError> {
    let shown = Justification::Patterns(learned.list.patterns.len());
    ledger.raise(learned.stats.lower, shown.clone());
    match learned.end {
        LearnEnd::Found(plan, unjudged) => {
            ledger.offer(plan);
            return Ok(unjudged.filter(|_| task.objective() != Objective::Any).into());
        }
        LearnEnd::Lost => {
            ledger.note_lost(learned.lost);
            ledger.refute(None, shown);
        }
        LearnEnd::Excluded => ledger.refute(task.request.bounded(), shown),
        LearnEnd::Stopped(Stop::Paused) => return Ok(EngineEnd::Paused),
        LearnEnd::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
        LearnEnd::Fault(fault) => return Err(SolveError::refused(fault)),
    }
    Ok(EngineEnd::Finished)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{Goal, Request};
    use crate::limits::Limits;
    use crate::registry::sampled;

    /// A plan whose patterns could not be judged in time is kept, and called shortest only where
    /// the bound that was judged reaches it.
    #[test]
    fn a_plan_without_a_judgement_is_kept() {
        let (mut kept, mut shortest) = (0, 0);
        for seed in 0..300 {
            let instance = sampled("sokoban", Objective::Pushes, seed).remove(0);
            let request = Request::default();
            let task = Task { instance: instance.as_ref(), request: &request };
            let dropping = instance.capability::<dyn Relaxation>().expect("pieces");
            let learned = dropping.learn(LearnOptions::default(), &Limits::none(), &mut |_| {});
            let learned = learned.expect("pieces");
            let LearnEnd::Found(plan, None) = learned.end.clone() else { continue };
            let optimum = learned.stats.lower;
            for lower in [optimum / 2, optimum] {
                let mut cut = learned.clone();
                cut.end = LearnEnd::Found(plan.clone(), Some(Stop::Time));
                cut.stats.lower = lower;
                let ledger = Ledger::new(instance.as_ref(), Goal::Answer, &|_| {});
                let done = take(task, &ledger, cut).expect("no fault");
                assert!(matches!(done, EngineEnd::Stopped(Stop::Time)), "seed {seed}");
                let outcome = ledger.into_outcome(None).expect("no fault");
                assert_eq!(outcome.optimal, lower == optimum, "seed {seed}");
                assert!(outcome.best.is_some(), "seed {seed}");
                kept += usize::from(!outcome.optimal);
                shortest += usize::from(outcome.optimal);
            }
        }
        assert!(kept > 20 && shortest > 20, "{kept} {shortest}");
    }
}
