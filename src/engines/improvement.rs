//! Better plans: what lies around a known one is searched, whichever engine found it.

use super::plans::once;
use crate::improve::{ImproveOutcome, ImproveStats};
use crate::instance::Verified;
use crate::ledger::{Budget, Engine, EngineEnd, Event, Justification, Ledger, SolveError, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Searches around the best plan. It shows nothing of shorter plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImprovementEngine {
    /// For a moment.
    Quick,
    /// Until a time limit strikes, in rounds; without one around one plan only.
    Whole,
    /// With ever more states, and in between around another plan, which feature-space search finds
    /// in another way.
    InRounds,
}

impl Engine for ImprovementEngine {
    fn name(&self) -> &'static str {
        "improvement"
    }

    fn run(
        &self,
        task: Task<'_>,
        ledger: &Ledger<'_>,
        budget: &Budget<'_>,
    ) -> Result<EngineEnd, SolveError> {
        let tuning = &task.request.tuning;
        let Some(best) = ledger.best() else { return Ok(EngineEnd::Finished) };
        match self {
            Self::Quick => {
                around(task, ledger, budget, &best, tuning.improving_quick_states).map(ended)
            }
            Self::Whole => {
                let has_deadline = task.request.limits.deadline.is_some();
                let done = if has_deadline {
                    in_rounds(task, ledger, budget)?
                } else {
                    ended(around(task, ledger, budget, &best, tuning.improving_states)?)
                };
                if let Some(lower) = task.instance.encoded().lower_bound() {
                    ledger.raise(lower, Justification::Bound("the admissible bound".to_owned()));
                }
                Ok(done)
            }
            Self::InRounds => in_rounds(task, ledger, budget),
        }
    }
}

/// Looks around the best plan ever further, and in between for as long around others, which
/// feature-space search finds in other ways.
fn in_rounds(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget<'_>,
) -> Result<EngineEnd, SolveError> {
    let tuning = &task.request.tuning;
    let mut variant = 0;
    for round in 0..tuning.improving_rounds as u32 {
        let most = tuning.improving_round_states << round;
        if let Some(best) = ledger.best() {
            // Nothing is left to look at.
            if around(task, ledger, budget, &best, most)? == ImproveOutcome::Settled {
                break;
            }
        }
        for _ in 0..most.div_ceil(tuning.improving_quick_states) {
            if let Some(stop) = budget.limits.reached() {
                return Ok(EngineEnd::Stopped(stop));
            }
            variant += 1;
            let other = once(task, variant, tuning.features_single_states, &budget.limits)?;
            if let Some(plan) = other {
                around(task, ledger, budget, &plan, tuning.improving_quick_states)?;
            }
        }
    }
    Ok(EngineEnd::Finished)
}

/// Looks around a plan, within so many states.
fn around(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget<'_>,
    plan: &Verified,
    most: u64,
) -> Result<ImproveOutcome, SolveError> {
    // Raised when the plan is as short as engines have announced that a plan can be.
    let enough = Arc::new(AtomicBool::new(false));
    let limits = budget.limits.clone().cancelled_by(enough.clone());
    let mut report = |stats: ImproveStats| {
        if ledger.expects(stats.cost.primary()) {
            enough.store(true, Ordering::Relaxed);
        }
        ledger.note(&Event::Improving(stats));
    };
    let improved = task.game()?.states().improve(plan, most, &limits, &mut report);
    ledger.offer(improved.plan.map_err(SolveError::refused)?);
    Ok(improved.end)
}

fn ended(end: ImproveOutcome) -> EngineEnd {
    match end {
        ImproveOutcome::Stopped(stop) => EngineEnd::Stopped(stop),
        ImproveOutcome::Settled | ImproveOutcome::UsedUp => EngineEnd::Finished,
    }
}
