//! Verifying a closed set from the rules.

pub use super::error::ClosedSetError;
use super::{Bound, ClosedSet, states};
use crate::limits::Monitor;
use crate::transition::{Budget, counted_for};
use unstuck_puzzles::{Moves, Objective, Play};

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClosedSetStats {
    /// Classes of states.
    pub classes: u64,
    /// States in them.
    pub states: u64,
    /// Legal moves from these.
    pub moves: u64,
    /// Moves to states that the bound rules out.
    pub bounded: u64,
}

/// Verifies a closed set; `bound` is the family's, where the list may name one.
///
/// # Errors
/// What is missing from the list.
pub fn check<P: Moves>(
    puzzle: &P,
    objective: Objective,
    set: &ClosedSet,
    bound: Option<Bound<'_, P>>,
    monitor: &mut Monitor<'_>,
) -> Result<ClosedSetStats, ClosedSetError> {
    let bound = match &set.bound {
        None => None,
        Some(name) => Some(bound.filter(|bound| bound.name() == name).ok_or_else(|| {
            let reason = format!("the list names the bound {name}, which is not known here");
            ClosedSetError::Refused(reason)
        })?),
    };
    verify(puzzle, objective, set, bound, monitor)
}

/// Verifies a closed set by the rules (and the bound, where the list may use one).
///
/// # Errors
/// What is missing from the list.
fn verify<P: Moves>(
    puzzle: &P,
    objective: Objective,
    set: &ClosedSet,
    mut bound: Option<Bound<'_, P>>,
    monitor: &mut Monitor<'_>,
) -> Result<ClosedSetStats, ClosedSetError> {
    let refuse = |reason: String| ClosedSetError::Refused(reason);
    let objective = counted_for::<P>(objective, set.claim);
    let listed = states(puzzle, objective, set, monitor)?;
    let mut looked = ClosedSetStats::default();
    // Whether it is shown that a state cannot finish within a budget.
    let mut covered = |state: &P::State, budget: Budget, looked: &mut ClosedSetStats| {
        let least = puzzle.representative(state, objective.first());
        if listed.of(state, &least).any(|(_, listed)| listed >= budget) {
            return true;
        }
        let ruled_out = bound
            .as_mut()
            .is_some_and(|bound| bound.excludes(state, budget) || bound.is_dead(state));
        looked.bounded += u64::from(ruled_out);
        ruled_out
    };
    if !covered(&puzzle.start(), set.claim, &mut looked) {
        return Err(refuse("the start is not listed with the budget of the claim".to_owned()));
    }
    monitor.begin("verifying the entries by the rules", set.entries.len() as u64)?;
    for (budget, text) in &set.entries {
        monitor.tick()?;
        let entry = puzzle.read_state(text).expect("read before");
        let class = match budget.second() {
            None => puzzle.class(&entry, objective.first()),
            Some(_) => vec![entry],
        };
        looked.classes += 1;
        for state in &class {
            looked.states += 1;
            monitor.poll()?;
            if puzzle.is_goal(state) {
                return Err(refuse(format!("entry `{text}` has a solved state")));
            }
            for mv in puzzle.moves(state) {
                let stepped = puzzle.step(state, mv).map_err(|rule| {
                    refuse(format!("the rules list {mv:?} as legal but refuse it ({rule})"))
                })?;
                looked.moves += 1;
                let Some(left) = budget.less(objective, stepped.tally) else { continue };
                // A walk within the class needs no look at the list.
                let walk = left == *budget && class.binary_search(&stepped.state).is_ok();
                if !walk && !covered(&stepped.state, left, &mut looked) {
                    return Err(refuse(format!(
                        "after {mv:?} from `{}` of the entry `{} {text}`, the state `{}` is not \
                         listed with budget {}",
                        puzzle.write_state(state),
                        budget.write(),
                        puzzle.write_state(&stepped.state),
                        left.write(),
                    )));
                }
            }
        }
    }
    Ok(looked)
}
