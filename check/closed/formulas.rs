//! A closed set as three formulas, and where its steps lead.
//!
//! An entry is a cube (a conjunction of literals of one layer: those that all states of its class
//! share) with a budget, or two where the budget counts a tie-break;
//! [`crate::transition::Induction`] describes what the three formulas say of these. From each entry
//! the actions lead into the entries that the moves lead to by the rules; without any action the
//! state stays in its class.

use super::check::ClosedSetError;
use super::{ClosedSet, ListEntries, states};
use crate::limits::Monitor;
use crate::transition::{
    Budget, Induction, StepGuide, TransitionRelation, WriteError, counted_for,
};
use hashbrown::HashMap;
use unstuck_encodings::{Lit, Transition};
use unstuck_puzzles::{Moves, Objective, Play};

impl From<ClosedSetError> for WriteError {
    fn from(error: ClosedSetError) -> Self {
        match error {
            ClosedSetError::Refused(reason) => Self::Unfit(reason),
            ClosedSetError::Stopped(stop) => Self::Stopped(stop),
        }
    }
}

/// A closed set compiled over the one-move transition.
pub struct CompiledSet<T: Transition> {
    puzzle: T::Puzzle,
    objective: Objective,
    /// What leads out of a class.
    actions: Vec<Lit>,
    /// All moves: what leads away from a single state.
    moves: Vec<Lit>,
    /// Names of the actions and of the moves.
    names: HashMap<Lit, String>,
    cubes: Induction,
    listed: ListEntries<<T::Puzzle as Moves>::State>,
    /// By entry, the number of its first cube.
    first: Vec<usize>,
    /// By cube, the state of its entry, and whether that is a single one.
    order: Vec<(<T::Puzzle as Moves>::State, bool)>,
}

impl<T: Transition> CompiledSet<T> {
    /// Compiles a list.
    ///
    /// # Errors
    /// When the list is none of this puzzle, or rests on a bound, which the formulas do not know.
    pub fn new(
        puzzle: &T::Puzzle,
        objective: Objective,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self, WriteError> {
        let objective = counted_for::<T::Puzzle>(objective, set.claim);
        let mut step = TransitionRelation::<T>::counting(puzzle, objective, set.claim)?;
        if let Some(bound) = &set.bound {
            return Err(WriteError::Unfit(format!(
                "the list rests on the bound {bound}, which the formulas do not know"
            )));
        }
        let listed = states(puzzle, objective, set, monitor)?;
        let actions = step.actions();
        let moves = step.all_moves().to_vec();
        let named = actions.iter().chain(&moves);
        let names = named.filter_map(|&action| Some((action, step.name(action)?))).collect();
        let mut entries: Vec<_> = vec![None; listed.classes.len() + listed.single.len()];
        for (state, &(index, budget)) in listed.classes.iter().chain(&listed.single) {
            entries[index as usize] = Some((state.clone(), budget));
        }
        let (mut first, mut order, mut cubes) = (Vec::new(), Vec::new(), Vec::new());
        monitor.begin("writing the entries as cubes", entries.len() as u64)?;
        for (state, budget) in entries.into_iter().flatten() {
            monitor.tick()?;
            let single = budget.second().is_some();
            let class = match single {
                true => vec![state.clone()],
                false => puzzle.class(&state, objective.first()),
            };
            let cube = step.common(&class, || monitor.poll())?.into_boxed_slice();
            first.push(cubes.len());
            for budget in said_of(budget) {
                order.push((state.clone(), single));
                cubes.push((budget, cube.clone()));
            }
        }
        let cubes = Induction::new(step, set.claim, cubes)
            .map_err(|error| WriteError::Unfit(error.to_string()))?;
        let puzzle = puzzle.clone();
        Ok(Self { puzzle, objective, actions, moves, names, cubes, listed, first, order })
    }

    /// The cubes of the entries that speak of a state.
    fn cubes_of(&self, state: &<T::Puzzle as Moves>::State) -> impl Iterator<Item = usize> {
        let least = self.puzzle.representative(state, self.objective.first());
        self.listed.of(state, &least).flat_map(|(entry, budget)| {
            let first = self.first[entry as usize];
            first..first + said_of(budget).count()
        })
    }
}

/// What is said of an entry with a budget, as conjunctions: with a tie-break, that less of the first
/// count is too little, and that both counts together are.
fn said_of(budget: Budget) -> impl Iterator<Item = Budget> {
    let less = budget.second().and(budget.first()).and_then(|most| most.checked_sub(1));
    less.map(Budget::Within).into_iter().chain([budget])
}

impl<T: Transition> StepGuide for CompiledSet<T> {
    fn cubes(&self) -> &Induction {
        &self.cubes
    }

    fn actions(&self, index: usize) -> &[Lit] {
        if self.order[index].1 { &self.moves } else { &self.actions }
    }

    fn after(&self, index: usize) -> Vec<usize> {
        let (state, single) = &self.order[index];
        let steps = match single {
            true => {
                let moves = self.puzzle.moves(state).into_iter();
                moves.filter_map(|mv| self.puzzle.step(state, mv).ok()).collect()
            }
            false => self.puzzle.departures(state, self.objective.first()),
        };
        let mut found = Vec::new();
        for stepped in steps {
            for next in self.cubes_of(&stepped.state) {
                if !found.contains(&next) {
                    found.push(next);
                }
            }
        }
        found.push(index);
        found
    }

    fn name(&self, index: usize) -> String {
        format!("entry `{}`", self.puzzle.write_state(&self.order[index].0))
    }

    fn action_name(&self, action: Lit) -> String {
        self.names.get(&action).cloned().unwrap_or_default()
    }
}
