//! Finding closed sets.
//!
//! Classes (and single states, where a tie-break is counted) are visited by the rules, move by
//! move, in the order of their budgets (Dijkstra's algorithm, counted downwards), so that each is
//! visited once, with the largest budget that anything leaves it. That is slower than search over
//! packed states and their macro moves, but no slower than the check that must follow, and it lists
//! exactly what that check asks for.

use super::goal_distances::GoalDistances;
use super::{Bound, ClosedSet};
use crate::limits::{Limits, Stop};
use crate::search::SearchStats;
use crate::transition::{Budget, counted_for};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::fmt;
use unstuck_puzzles::{Moves, Objective, Play};

/// Why there is no closed set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClosureError {
    /// A limit struck.
    Stopped(Stop),
    /// There is a solution within the budget: the claim is false.
    Solvable,
    /// The puzzle does not fit into the family's packed states, and without them there is no
    /// bound to use.
    NoBound,
}

impl fmt::Display for ClosureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => write!(f, "closing was stopped: {stop}"),
            Self::Solvable => f.write_str("there is a solution within the budget"),
            Self::NoBound => f.write_str("the family has no bound to use"),
        }
    }
}

impl std::error::Error for ClosureError {}

impl From<Stop> for ClosureError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// What to close, and with what means.
#[derive(Clone, Copy, Debug)]
pub struct ClosureTask {
    /// What is to be shown of the start.
    pub claim: Budget,
    /// Whether the family's admissible bound may leave states out. The certificate then rests on
    /// that bound, and names it.
    pub use_bound: bool,
    /// Give up above this many states.
    pub max_states: Option<usize>,
}

/// The closed set of a puzzle; `bound` is the family's, where it has one and the puzzle fits.
///
/// # Errors
/// See [`ClosureError`].
pub fn close<P: Moves>(
    puzzle: &P,
    objective: Objective,
    closing: ClosureTask,
    bound: Option<Bound<'_, P>>,
    limits: &Limits,
    progress: &mut dyn FnMut(SearchStats),
) -> Result<ClosedSet, ClosureError> {
    let mut bound = match (closing.use_bound, bound) {
        (false, _) => None,
        (true, None) => return Err(ClosureError::NoBound),
        (true, bound) => bound,
    };
    let name = bound.as_ref().map(Bound::name);
    let objective = counted_for::<P>(objective, closing.claim);
    let mut ahead = None;
    if let (Some(_), Some(most)) = (closing.claim.second(), closing.claim.first()) {
        let look = |classes: usize| {
            let stats = SearchStats { states: classes as u64, ..SearchStats::default() };
            progress(stats);
            full(classes, &closing, limits)
        };
        ahead = Some(GoalDistances::new(puzzle, objective, most, bound.as_mut(), look)?);
    }
    let mut visit = Visit {
        puzzle,
        objective,
        bound,
        ahead,
        classes: HashMap::new(),
        single: HashMap::new(),
        open: BTreeMap::new(),
        stats: SearchStats::default(),
    };
    visit.reach(&puzzle.start(), closing.claim);
    while let Some((state, budget)) = visit.pop() {
        visit.expand(&state, budget)?;
        if visit.stats.expanded.is_multiple_of(256) {
            progress(visit.stats);
            full(visit.len(), &closing, limits)?;
        }
    }
    if puzzle.met_unknown_move() {
        return Err(ClosureError::Stopped(Stop::UnknownMove));
    }
    drop(visit.open);
    let mut states: Vec<_> = visit.classes.into_iter().chain(visit.single).collect();
    states.sort_unstable_by(|(a, r), (b, s)| s.cmp(r).then_with(|| a.cmp(b)));
    let mut entries = Vec::with_capacity(states.len());
    for (state, budget) in states {
        if entries.len().is_multiple_of(4096)
            && let Some(stop) = limits.reached_any()
        {
            return Err(ClosureError::Stopped(stop));
        }
        entries.push((budget, puzzle.write_state(&state)));
    }
    Ok(ClosedSet { claim: closing.claim, bound: name.map(str::to_owned), entries })
}

/// Whether there are too many entries, or a limit strikes; the latter is asked now and then.
fn full(entries: usize, closing: &ClosureTask, limits: &Limits) -> Result<(), Stop> {
    let full = closing.max_states.is_some_and(|most| entries > most);
    let asked = entries.is_multiple_of(64).then(|| limits.reached_any()).flatten();
    asked.or(full.then_some(Stop::Memory)).map_or(Ok(()), Err)
}

/// What was seen so far.
struct Visit<'a, 'b, P: Moves> {
    puzzle: &'a P,
    objective: Objective,
    bound: Option<Bound<'b, P>>,
    /// Where the tie-break is counted: which classes need it.
    ahead: Option<GoalDistances<P::State>>,
    /// Classes, by their least states.
    classes: HashMap<P::State, Budget>,
    /// Single states, whose budgets count the tie-break.
    single: HashMap<P::State, Budget>,
    /// What is still to be expanded, by its budget.
    open: BTreeMap<Budget, Vec<P::State>>,
    stats: SearchStats,
}

impl<P: Moves> Visit<'_, '_, P> {
    fn len(&self) -> usize {
        self.classes.len() + self.single.len()
    }

    /// Notes that a state is reached with a budget.
    fn reach(&mut self, state: &P::State, budget: Budget) {
        let least = self.puzzle.representative(state, self.objective.first());
        let mut budget = budget;
        if let (Budget::Tied(most, _), Some(ahead)) = (budget, &self.ahead)
            && ahead.excludes(&least, most)
        {
            budget = Budget::Within(most);
        }
        let known = self.classes.get(&least).max(self.single.get(state));
        if known.is_some_and(|&known| known >= budget)
            || self.bound.as_mut().is_some_and(|bound| bound.excludes(state, budget))
        {
            return;
        }
        let (among, key) = match budget.second() {
            None => (&mut self.classes, least),
            Some(_) => (&mut self.single, state.clone()),
        };
        among.insert(key.clone(), budget);
        self.open.entry(budget).or_default().push(key);
        self.stats.states = self.len() as u64;
    }

    /// The class or state with the largest budget that is not expanded yet.
    fn pop(&mut self) -> Option<(P::State, Budget)> {
        loop {
            let mut last = self.open.last_entry()?;
            let budget = *last.key();
            let among = if budget.second().is_some() { &self.single } else { &self.classes };
            match last.get_mut().pop() {
                None => drop(last.remove()),
                // Reached again with a larger budget: expanded already.
                Some(state) if among[&state] > budget => {}
                Some(state) => return Some((state, budget)),
            }
        }
    }

    fn expand(&mut self, state: &P::State, budget: Budget) -> Result<(), ClosureError> {
        self.stats.expanded += 1;
        let (puzzle, objective) = (self.puzzle, self.objective);
        let single = budget.second().is_some();
        let solved = match single {
            true => puzzle.is_goal(state),
            false => puzzle.is_solved_class(state, objective.first()),
        };
        if solved {
            return Err(ClosureError::Solvable);
        }
        let steps = match single {
            true => {
                let moves = puzzle.moves(state).into_iter();
                moves.filter_map(|mv| puzzle.step(state, mv).ok()).collect()
            }
            false => puzzle.departures(state, objective.first()),
        };
        for stepped in steps {
            if let Some(left) = budget.less(objective, stepped.tally) {
                self.reach(&stepped.state, left);
            }
        }
        Ok(())
    }
}
