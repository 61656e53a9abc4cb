//! What classes of states are away from the goal, in the first count of an objective.
//!
//! Where a tie-break is counted, only states on plans that are cheapest in the first count need
//! entries of their own: from all others as much in the first count is too little, whatever the
//! tie-break, so that one entry speaks of their whole class.

use super::Bound;
use super::close::ClosureError;
use crate::limits::Stop;
use crate::transition::Budget;
use hashbrown::HashMap;
use std::collections::BTreeMap;
use unstuck_puzzles::{Moves, Objective, Play};

/// From which class, at what cost.
type Edge = (usize, u32);

/// The least first count from each class to the goal, as far as plans within a cost go.
pub(super) struct GoalDistances<S> {
    least: HashMap<S, u32>,
}

impl<S: Clone + Eq + std::hash::Hash> GoalDistances<S> {
    /// Looks at all classes that the start reaches within a cost, apart from those that the bound
    /// rules out; `look` is called for each with their number so far.
    pub(super) fn new<P: Moves<State = S>>(
        puzzle: &P,
        objective: Objective,
        most: u32,
        mut bound: Option<&mut Bound<'_, P>>,
        mut look: impl FnMut(usize) -> Result<(), Stop>,
    ) -> Result<Self, ClosureError> {
        let objective = objective.first();
        let mut numbers: HashMap<S, usize> = HashMap::new();
        // By class: what is left when it is reached, and from which classes it is, at what cost.
        let mut left: Vec<u32> = Vec::new();
        let mut from: Vec<Vec<Edge>> = Vec::new();
        let mut open: BTreeMap<u32, Vec<(S, Option<Edge>)>> = BTreeMap::new();
        open.entry(most).or_default().push((puzzle.start(), None));
        let mut solved = Vec::new();
        while let Some(mut last) = open.last_entry() {
            let budget = *last.key();
            let Some((state, edge)) = last.get_mut().pop() else {
                last.remove();
                continue;
            };
            let class = puzzle.representative(&state, objective);
            if let Some(&number) = numbers.get(&class) {
                from[number].extend(edge);
                continue;
            }
            let excluded =
                |bound: &mut &mut Bound<'_, P>| bound.excludes(&state, Budget::Within(budget));
            if bound.as_mut().is_some_and(excluded) {
                continue;
            }
            let number = left.len();
            look(number)?;
            numbers.insert(class.clone(), number);
            left.push(budget);
            from.push(edge.into_iter().collect());
            if puzzle.is_solved_class(&class, objective) {
                solved.push(number);
            }
            for stepped in puzzle.departures(&class, objective) {
                let cost = objective.primary(stepped.tally);
                if let Some(rest) = budget.checked_sub(cost) {
                    open.entry(rest).or_default().push((stepped.state, Some((number, cost))));
                }
            }
        }
        let least = backwards(&from, solved);
        let least = numbers.into_iter().filter_map(|(class, at)| Some((class, least[at]?)));
        Ok(Self { least: least.collect() })
    }

    /// Whether a class cannot be finished with as much as this.
    pub(super) fn excludes(&self, class: &S, budget: u32) -> bool {
        self.least.get(class).is_none_or(|&least| least > budget)
    }
}

/// The least costs from all classes to the solved ones, against the edges.
fn backwards(from: &[Vec<Edge>], solved: Vec<usize>) -> Vec<Option<u32>> {
    let mut least = vec![None; from.len()];
    let mut open = BTreeMap::from([(0, solved)]);
    while let Some((cost, classes)) = open.pop_first() {
        for class in classes {
            if least[class].is_some_and(|known| known <= cost) {
                continue;
            }
            least[class] = Some(cost);
            for &(before, step) in &from[class] {
                open.entry(cost + step).or_default().push(before);
            }
        }
    }
    least
}
