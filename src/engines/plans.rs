//! What several engines do to have a plan: none of them is asked by another for it.

use crate::feature_search::Attempt;
use crate::instance::{AttemptEnd, SatisficingSearch, Verified};
use crate::ledger::{Budget, Ledger, SolveError, Task};
use crate::search::Strategy;
use unstuck_encodings::Cost;

/// Offers a plan, and what a short look around it makes of it. A limit that strikes meanwhile has
/// left the plan.
pub(super) fn offer_polished(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget<'_>,
    plan: Verified,
) -> Result<(), SolveError> {
    ledger.offer(plan.clone());
    let states = task.request.tuning.improving_quick_states;
    let limits = budget.limits.without_pauses();
    let improved = task.game()?.states().improve(&plan, states, &limits, &mut |_| {});
    budget.count(improved.stats.expanded);
    ledger.offer(improved.plan.map_err(SolveError::refused)?);
    Ok(())
}

/// A search within the horizon that was asked about, for plans that are better than all known ones.
pub(super) fn strategy(task: Task<'_>, ledger: &Ledger<'_>) -> Strategy {
    let cap = task.request.bounded().map(Cost::up_to);
    Strategy { cap, incumbent: ledger.incumbent().clone(), ..Strategy::default() }
}

/// One attempt of feature-space search from the start, without a pause, if the family has features.
pub(super) fn once(
    task: Task<'_>,
    variant: u32,
    most: u64,
    budget: &Budget<'_>,
) -> Result<Option<Verified>, SolveError> {
    let Some(features) = task.instance.capability::<dyn SatisficingSearch>() else {
        return Ok(None);
    };
    let slice = Attempt { variant, most };
    let limits = budget.limits.without_pauses();
    let tried = features.look(slice, &limits, &mut |_| {});
    budget.count(tried.as_ref().map_or(0, |tried| tried.stats.states));
    match tried.map(|tried| tried.end) {
        Some(AttemptEnd::Found(plan)) => Ok(Some(plan)),
        Some(AttemptEnd::Fault(fault)) => Err(SolveError::refused(fault)),
        Some(AttemptEnd::GaveUp | AttemptEnd::Stopped(_)) | None => Ok(None),
    }
}
