//! Better plans: what lies around a known one is searched, whichever engine found it.

use super::plans::once;
use crate::improve::{ImproveOutcome, ImproveStats};
use crate::instance::{StateSpace, Verified};
use crate::ledger::{
    Budget, Engine, EngineEnd, Event, Justification, Ledger, SolveError, Task, Work,
};
use crate::limits::Stop;
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

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let tuning = &task.request.tuning;
        let mut rounds = Rounds { task, round: 0, variant: 0 };
        Box::new(move |ledger, budget| {
            let Some(best) = ledger.best() else { return Ok(EngineEnd::Finished) };
            let around = |most| around(task, ledger, budget, &best, most).map(ended);
            match self {
                Self::Quick => around(tuning.improving_quick_states),
                Self::Whole => {
                    let has_deadline = task.request.limits.deadline.is_some();
                    let done = match has_deadline {
                        true => rounds.run(ledger, budget)?,
                        false => around(tuning.improving_states)?,
                    };
                    if let Some(lower) = task.instance.encoded().lower_bound() {
                        let shown = Justification::Bound("the admissible bound".to_owned());
                        ledger.raise(lower, shown);
                    }
                    Ok(done)
                }
                Self::InRounds => rounds.run(ledger, budget),
            }
        })
    }
}

/// Looks around the best plan ever further, and in between for as long around others, which
/// feature-space search finds in other ways.
struct Rounds<'a> {
    task: Task<'a>,
    round: u32,
    /// The variant of feature-space search that was used last.
    variant: u32,
}

impl Rounds<'_> {
    /// Goes on with the round that has not ended.
    fn run(&mut self, ledger: &Ledger<'_>, budget: &Budget<'_>) -> Result<EngineEnd, SolveError> {
        let Self { task, round, variant } = self;
        let tuning = &task.request.tuning;
        while *round < tuning.improving_rounds as u32 {
            let most = tuning.improving_round_states << *round;
            if let Some(best) = ledger.best() {
                match around(*task, ledger, budget, &best, most)? {
                    // Nothing is left to look at.
                    ImproveOutcome::Settled => break,
                    ImproveOutcome::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
                    ImproveOutcome::UsedUp => {}
                }
            }
            for _ in 0..most.div_ceil(tuning.improving_quick_states) {
                match budget.limits.reached() {
                    Some(Stop::Paused) => return Ok(EngineEnd::Paused),
                    Some(stop) => return Ok(EngineEnd::Stopped(stop)),
                    None => {}
                }
                *variant += 1;
                let other = once(*task, *variant, tuning.features_single_states, budget)?;
                if let Some(plan) = other {
                    around(*task, ledger, budget, &plan, tuning.improving_quick_states)?;
                }
            }
            *round += 1;
        }
        Ok(EngineEnd::Finished)
    }
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
    let improved = task.searched::<dyn StateSpace>()?.improve(plan, most, &limits, &mut report);
    budget.count(improved.stats.expanded);
    ledger.offer(improved.plan.map_err(SolveError::refused)?);
    Ok(improved.end)
}

fn ended(end: ImproveOutcome) -> EngineEnd {
    match end {
        ImproveOutcome::Stopped(stop) => EngineEnd::Stopped(stop),
        ImproveOutcome::Settled | ImproveOutcome::UsedUp => EngineEnd::Finished,
    }
}
