//! Verifying a closed set from the rules.

use super::{ClosedSet, states};
use crate::limits::{Stop, Watch};
use crate::transition::{Budget, counted};
use std::fmt;
use unstuck_encodings::Space;
use unstuck_puzzles::{Moves, Objective};

/// Why a list proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotProved {
    /// It is not closed, or says nothing of the start, or is no list of this puzzle.
    Refused(String),
    /// A limit struck.
    Stopped(Stop),
}

impl fmt::Display for NotProved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) => f.write_str(reason),
            Self::Stopped(stop) => write!(f, "checking the closed set was stopped: {stop}"),
        }
    }
}

impl From<Stop> for NotProved {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Classes of states.
    pub classes: u64,
    /// States in them.
    pub states: u64,
    /// Legal moves from these.
    pub moves: u64,
    /// Moves to states that the bound rules out.
    pub bounded: u64,
}

/// A bound that a list names: the least cost from a state, `None` for a dead one.
pub type Bound<'a, P> = dyn FnMut(&<P as Moves>::State) -> Option<Budget> + 'a;

/// Verifies a closed set; the bound that it names is computed again by the family's space `S`.
///
/// # Errors
/// What is missing from the list.
pub fn check<S: Space>(
    puzzle: &S::Puzzle,
    objective: Objective,
    set: &ClosedSet,
    watch: &mut Watch<'_>,
) -> Result<Looked, NotProved> {
    let refuse = |reason: String| NotProved::Refused(reason);
    let Some(name) = &set.bound else {
        return verify(puzzle, objective, set, None, watch);
    };
    if S::BOUND != Some(name) {
        return Err(refuse(format!("the list names the bound {name}, which is not known here")));
    }
    let mut space = S::new(puzzle, counted::<S::Puzzle>(objective))
        .map_err(|error| refuse(format!("the bound {name} cannot be computed: {error}")))?;
    // The bound b says: nothing cheaper than b, so not within b - 1.
    let mut bound = |state: &<S::Puzzle as Moves>::State| match space.pack(state) {
        None => Some(Budget::Within(0)),
        Some(packed) => space.bound(&packed).map(|least| Budget::Within(least.primary())),
    };
    verify(puzzle, objective, set, Some(&mut bound), watch)
}

/// Verifies a closed set by the rules (and the bound, where the list may use one).
///
/// # Errors
/// What is missing from the list.
pub fn verify<P: Moves>(
    puzzle: &P,
    objective: Objective,
    set: &ClosedSet,
    mut bound: Option<&mut Bound<'_, P>>,
    watch: &mut Watch<'_>,
) -> Result<Looked, NotProved> {
    let refuse = |reason: String| NotProved::Refused(reason);
    let objective = counted::<P>(objective);
    let listed = states(puzzle, objective, set, watch)?;
    let mut looked = Looked::default();
    // Whether it is shown that a state cannot finish within a budget.
    let mut covered = |state: &P::State, budget: Budget, looked: &mut Looked| {
        let least = puzzle.representative(state, objective);
        if listed.get(&least).is_some_and(|&(_, listed)| listed >= budget) {
            return true;
        }
        let ruled_out = bound.as_mut().is_some_and(|bound| bound(state).is_none_or(|b| b > budget));
        looked.bounded += u64::from(ruled_out);
        ruled_out
    };
    if !covered(&puzzle.start(), set.claim, &mut looked) {
        return Err(refuse("the start is not listed with the budget of the claim".to_owned()));
    }
    watch.begin("verifying the entries by the rules", set.entries.len() as u64)?;
    for (budget, text) in &set.entries {
        watch.step()?;
        let entry = puzzle.read_state(text).expect("read before");
        let class = puzzle.class(&entry, objective);
        looked.classes += 1;
        for state in &class {
            looked.states += 1;
            watch.look()?;
            if puzzle.is_goal(state) {
                return Err(refuse(format!("entry `{text}` has a solved state")));
            }
            for mv in puzzle.moves(state) {
                let stepped = puzzle.step(state, mv).map_err(|rule| {
                    refuse(format!("the rules list {mv:?} as legal but refuse it ({rule})"))
                })?;
                looked.moves += 1;
                let Some(left) = budget.less(objective.primary(stepped.tally)) else { continue };
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
