//! A plan before the first horizon is asked: search looks for one for a moment, and then at what
//! lies around it.
//!
//! It shows an upper bound and nothing else. That is much: where the plan is optimal, as it mostly
//! is, the question at the optimum is never asked, which is often more expensive than all
//! refutations together, and one refutation is left. What search might show about shorter plans is
//! not used.

use super::improvement::{self, QUICK_STATES};
use super::{GREEDY_WEIGHT, Outcome, Progress, Request, SolveError, any, strategy};
use crate::instance::{Game, Instance, SearchEnd, Verified};
use crate::limits::Limits;
use crate::search::{Incumbent, Strategy};
use unstuck_encodings::Cost;
use unstuck_puzzles::Objective;

/// Weights of A*, where features find nothing, each with the states that it may keep.
const WEIGHTED_ATTEMPTS: [(u64, usize); 3] = [(GREEDY_WEIGHT, 100_000), (20, 10_000), (15, 10_000)];

/// The part of a time limit after which horizons are asked in any case.
const TIME_SHARE: f64 = 0.125;

/// Offers a plan, where one is found in a moment. Who names a horizon wants the solver alone, and
/// where any plan will do, it is the solver that is asked for it.
pub(super) fn initial_plan(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let is_bounded = request.horizon.or(request.max_horizon).is_some();
    if is_bounded || instance.objective() == Objective::Any {
        return Ok(());
    }
    let limits = request.limits.share(TIME_SHARE);
    let plan = match any::once(game, 0, &limits)? {
        Some(plan) => Some(plan),
        None => greedy(instance, game, request, &limits)?,
    };
    if let Some(plan) = plan {
        // A limit that strikes now has left a plan.
        improvement::improve_once(instance, game, plan, QUICK_STATES, &limits, progress, outcome)?;
    }
    Ok(())
}

/// A plan by weighted A*: any at first, then, by smaller weights and with a short look each, better
/// ones.
fn greedy(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    limits: &Limits,
) -> Result<Option<Verified>, SolveError> {
    let (incumbent, mut best) = (Incumbent::default(), None);
    for (weight_tenths, states) in WEIGHTED_ATTEMPTS {
        let strategy = Strategy {
            weight_tenths,
            max_states: Some(states),
            threads: 1,
            incumbent: incumbent.clone(),
            ..strategy(request, instance.objective())
        };
        match game.search(strategy, limits, &mut |_| {}).end {
            SearchEnd::Found(plan) => {
                incumbent.offer(Cost::of(instance.objective(), plan.tally()));
                best = Some(plan);
            }
            SearchEnd::Exhausted | SearchEnd::Stopped(_) => {}
            SearchEnd::Fault(fault) => return Err(SolveError::Fault { fault, formula: None }),
        }
    }
    Ok(best)
}
