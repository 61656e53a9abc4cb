//! What several engines do to have a plan: none of them is asked by another for it.

use crate::feature_search::Attempt;
use crate::instance::{
    AttemptEnd, ResumableSearch, SatisficingSearch, SearchEnd, SearchReport, StateSpace, Verified,
};
use crate::ledger::{Budget, EngineEnd, Event, Justification, Ledger, SolveError, Task, Work};
use crate::limits::Stop;
use crate::search::{SearchStats, Strategy};
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
    let states = task.request.states.map_or(states, |most| states.min(most));
    let limits = budget.limits.without_pauses();
    let improved = task.searched::<dyn StateSpace>()?.improve(&plan, states, &limits, &mut |_| {});
    budget.count(improved.stats.expanded);
    ledger.offer(improved.plan.map_err(SolveError::refused)?);
    Ok(())
}

/// A search within the horizon that was asked about, for plans that are better than all known ones.
pub(super) fn strategy(task: Task<'_>, ledger: &Ledger<'_>) -> Strategy {
    let cap = task.request.bounded().map(Cost::up_to);
    let (incumbent, max_expanded) = (ledger.incumbent().clone(), task.request.states);
    Strategy { cap, incumbent, max_expanded, ..Strategy::default() }
}

/// Work of an engine by one search that the ledger hears of: `begin` begins it, `justify` says what
/// shows a bound. Where the plan that it finds need not be a cheapest one, it is only offered.
pub(super) fn searching<'a>(
    task: Task<'a>,
    engine: &'static str,
    mut begin: impl FnMut(&Ledger<'_>, &Budget<'_>) -> Option<ResumableSearch<'a>> + Send + 'a,
    justify: impl Fn(Option<&'static str>) -> Justification + Send + 'a,
    is_cheapest: bool,
) -> Work<'a> {
    let (mut search, mut expanded) = (None, 0);
    Box::new(move |ledger, budget| {
        let mut report = |stats: SearchStats| {
            ledger.rule_out(engine, stats.lower.primary());
            ledger.note(&Event::Searching(stats));
        };
        let search = search.get_or_insert_with(|| begin(ledger, budget));
        let Some(search) = search else { return Ok(EngineEnd::Finished) };
        let SearchReport { end, stats, bound } = search(&budget.limits, &mut report);
        budget.count(stats.expanded - expanded);
        expanded = stats.expanded;
        ledger.note_search(engine, stats);
        let shown = justify(bound);
        ledger.raise(stats.lower.primary(), shown.clone());
        match end {
            SearchEnd::Found(plan) if is_cheapest => ledger.offer_cheapest(plan, shown),
            SearchEnd::Found(plan) => drop(ledger.offer(plan)),
            SearchEnd::Exhausted => ledger.exhaust(task.request.bounded(), shown),
            SearchEnd::Stopped(Stop::Paused) => return Ok(EngineEnd::Paused),
            SearchEnd::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
            SearchEnd::Fault(fault) => return Err(SolveError::refused(fault)),
        }
        Ok(EngineEnd::Finished)
    })
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
        Some(AttemptEnd::GaveUp | AttemptEnd::NothingLeft | AttemptEnd::Stopped(_)) | None => {
            Ok(None)
        }
    }
}
