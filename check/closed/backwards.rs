//! What leads to the end, found anew: lower bounds and unsolvability where the game can be played
//! backwards.
//!
//! All classes from which the game can be won within a budget of pushes are found layer by layer,
//! from all that is won. When the start is in none of them, it cannot be won within that budget. A
//! list of them would have to be looked at class by class, too; so a certificate says no more than
//! how many they are.

use super::error::ClosedSetError;
use crate::limits::Monitor;
use crate::transition::{Budget, counted};
use hashbrown::HashSet;
use unstuck_puzzles::{Moves, Objective, Play};

/// Counts the classes from which the game can be won within a budget; `claimed` is how many there
/// should be, where that is known: no more are looked at.
///
/// # Errors
/// When the start is one of them, when their number is not the one claimed, or when the game cannot
/// be played backwards under this objective.
pub fn check<P: Moves>(
    puzzle: &P,
    objective: Objective,
    excluded: Budget,
    claimed: Option<u32>,
    monitor: &mut Monitor<'_>,
) -> Result<u32, ClosedSetError> {
    let objective = counted::<P>(objective);
    let Some(backwards) = P::GAME.backwards.filter(|_| objective != Objective::Moves) else {
        return refused("this game cannot be played backwards under this objective");
    };
    if excluded.second().is_some() {
        return refused("what leads to the end says nothing of a tie-break");
    }
    let most = claimed.unwrap_or(u32::MAX);
    let start = puzzle.representative(&puzzle.start(), objective);
    monitor.begin("going back from the end", claimed.unwrap_or_default().into())?;
    let mut found = HashSet::new();
    let mut layer: Vec<P::State> = Vec::new();
    let mut keep = |state: &P::State, layer: &mut Vec<P::State>| {
        let class = puzzle.representative(state, objective);
        if class == start {
            return refused("the start leads to the end within the budget");
        }
        if found.insert(class.clone()) {
            layer.push(class);
        }
        match found.len() > most as usize {
            true => refused("more classes lead to the end than are claimed"),
            false => Ok(()),
        }
    };
    for end in (backwards.ends)(puzzle) {
        monitor.tick()?;
        keep(&end, &mut layer)?;
    }
    let mut pushes = 0;
    while !layer.is_empty() && excluded.first().is_none_or(|most| pushes < most) {
        pushes += 1;
        for state in std::mem::take(&mut layer) {
            monitor.tick()?;
            for (before, mv) in (backwards.before)(puzzle, &state) {
                let push = puzzle.step(&before, mv).map(|push| objective.primary(push.tally));
                if !push.is_ok_and(|cost| cost == 1) {
                    return refused("what leads to a state is no push");
                }
                keep(&before, &mut layer)?;
            }
        }
    }
    let count = found.len() as u32;
    match claimed.is_none_or(|claimed| claimed == count) {
        true => Ok(count),
        false => refused("fewer classes lead to the end than are claimed"),
    }
}

fn refused<T>(reason: &str) -> Result<T, ClosedSetError> {
    Err(ClosedSetError::Refused(reason.to_owned()))
}
