//! Finding closed sets.
//!
//! Classes are visited by the rules, move by move, in the order of their budgets (Dijkstra's
//! algorithm, counted downwards), so that each is visited once, with the largest budget that
//! anything leaves it. That is slower than search over packed states and their macro moves, but
//! no slower than the check that must follow, and it lists exactly what that check asks for.

use super::{Bound, ClosedSet};
use crate::limits::{Limits, Stop};
use crate::search::Effort;
use crate::transition::{Budget, counted};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::fmt;
use unstuck_puzzles::{Moves, Objective};

/// What to close, and with what means.
#[derive(Clone, Copy, Debug)]
pub struct Closing {
    /// What is to be shown of the start.
    pub claim: Budget,
    /// Whether the family's admissible bound may leave states out. The certificate then rests on
    /// that bound, and names it.
    pub use_bound: bool,
    /// Give up above this many states.
    pub max_states: Option<usize>,
}

/// Why there is no closed set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotClosed {
    /// A limit struck.
    Stopped(Stop),
    /// There is a solution within the budget: the claim is false.
    Solvable,
    /// The puzzle does not fit into the family's packed states, and without them there is no
    /// bound to use.
    NoBound,
}

impl fmt::Display for NotClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => write!(f, "closing was stopped: {stop}"),
            Self::Solvable => f.write_str("there is a solution within the budget"),
            Self::NoBound => f.write_str("the family has no bound to use"),
        }
    }
}

impl std::error::Error for NotClosed {}

/// The closed set of a puzzle; `bound` is the family's, where it has one and the puzzle fits.
///
/// # Errors
/// See [`NotClosed`].
pub fn close<P: Moves>(
    puzzle: &P,
    objective: Objective,
    closing: Closing,
    bound: Option<Bound<'_, P>>,
    limits: &Limits,
    progress: &mut dyn FnMut(Effort),
) -> Result<ClosedSet, NotClosed> {
    let mut bound = match (closing.use_bound, bound) {
        (false, _) => None,
        (true, None) => return Err(NotClosed::NoBound),
        (true, bound) => bound,
    };
    let name = bound.as_ref().map(Bound::name);
    let objective = counted::<P>(objective);
    let mut hopeless = |state: &P::State, budget: Budget| {
        bound.as_mut().is_some_and(|bound| bound.excludes(state, budget))
    };
    let mut visit = Visit {
        puzzle,
        objective,
        budgets: HashMap::new(),
        open: BTreeMap::new(),
        effort: Effort::default(),
    };
    visit.reach(&puzzle.start(), closing.claim, &mut hopeless);
    while let Some((state, budget)) = visit.pop() {
        visit.expand(&state, budget, &mut hopeless)?;
        if visit.effort.expanded.is_multiple_of(256) {
            progress(visit.effort);
            let full = closing.max_states.is_some_and(|most| visit.budgets.len() > most);
            if let Some(stop) = limits.reached_any().or(full.then_some(Stop::Memory)) {
                return Err(NotClosed::Stopped(stop));
            }
        }
    }
    drop(visit.open);
    let mut states: Vec<_> = visit.budgets.into_iter().collect();
    states.sort_unstable_by(|(a, r), (b, s)| s.cmp(r).then_with(|| a.cmp(b)));
    let mut entries = Vec::with_capacity(states.len());
    for (state, budget) in states {
        if entries.len().is_multiple_of(4096)
            && let Some(stop) = limits.reached_any()
        {
            return Err(NotClosed::Stopped(stop));
        }
        entries.push((budget, puzzle.write_state(&state)));
    }
    Ok(ClosedSet { claim: closing.claim, bound: name.map(str::to_owned), entries })
}

/// Classes seen so far, by their least states.
struct Visit<'a, P: Moves> {
    puzzle: &'a P,
    objective: Objective,
    budgets: HashMap<P::State, Budget>,
    open: BTreeMap<Budget, Vec<P::State>>,
    effort: Effort,
}

impl<P: Moves> Visit<'_, P> {
    /// Notes that a state is reached with a budget.
    fn reach(
        &mut self,
        state: &P::State,
        budget: Budget,
        hopeless: &mut dyn FnMut(&P::State, Budget) -> bool,
    ) {
        let least = self.puzzle.representative(state, self.objective);
        if self.budgets.get(&least).is_some_and(|&known| known >= budget) || hopeless(state, budget)
        {
            return;
        }
        self.budgets.insert(least.clone(), budget);
        self.open.entry(budget).or_default().push(least);
        self.effort.states = self.budgets.len() as u64;
    }

    /// The class with the largest budget that is not expanded yet.
    fn pop(&mut self) -> Option<(P::State, Budget)> {
        loop {
            let mut last = self.open.last_entry()?;
            let budget = *last.key();
            match last.get_mut().pop() {
                None => drop(last.remove()),
                // Reached again with a larger budget: expanded already.
                Some(state) if self.budgets[&state] > budget => {}
                Some(state) => return Some((state, budget)),
            }
        }
    }

    fn expand(
        &mut self,
        least: &P::State,
        budget: Budget,
        hopeless: &mut dyn FnMut(&P::State, Budget) -> bool,
    ) -> Result<(), NotClosed> {
        self.effort.expanded += 1;
        if self.puzzle.is_solved_class(least, self.objective) {
            return Err(NotClosed::Solvable);
        }
        for stepped in self.puzzle.departures(least, self.objective) {
            if let Some(left) = budget.less(self.objective.primary(stepped.tally)) {
                self.reach(&stepped.state, left, hopeless);
            }
        }
        Ok(())
    }
}
