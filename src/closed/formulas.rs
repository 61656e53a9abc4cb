//! A closed set as three formulas, and where its steps lead.
//!
//! An entry is a cube (a conjunction of literals of one layer: those that all states of its class
//! share) with a budget; [`crate::transition::Induction`] tells what the three formulas say of these,
//! and [`crate::transition::lrat`] proves them. From each entry the actions lead into the entries that
//! the moves lead to by the rules; without any action the state stays in its class.

use super::check::NotProved;
use super::{ClosedSet, states};
use crate::limits::Watch;
use crate::transition::lrat::{Guide, NotWritten};
use crate::transition::{Budget, Induction, OneStep, counted};
use hashbrown::HashMap;
use unstuck_encodings::{Lit, Transition};
use unstuck_puzzles::{Moves, Objective};

impl From<NotProved> for NotWritten {
    fn from(error: NotProved) -> Self {
        match error {
            NotProved::Refused(reason) => Self::Unfit(reason),
            NotProved::Stopped(stop) => Self::Stopped(stop),
        }
    }
}

/// A closed set compiled over the one-move transition.
pub struct Compiled<T: Transition> {
    puzzle: T::Puzzle,
    objective: Objective,
    actions: Vec<Lit>,
    /// Names of the actions.
    names: Vec<String>,
    cubes: Induction,
    listed: HashMap<<T::Puzzle as Moves>::State, (u32, Budget)>,
    order: Vec<<T::Puzzle as Moves>::State>,
}

impl<T: Transition> Compiled<T> {
    /// Compiles a list.
    ///
    /// # Errors
    /// When the list is none of this puzzle, or rests on a bound, which the formulas do not know.
    pub fn new(
        puzzle: &T::Puzzle,
        objective: Objective,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Self, NotWritten> {
        if let Some(bound) = &set.bound {
            return Err(NotWritten::Unfit(format!(
                "the list rests on the bound {bound}, which the formulas do not know"
            )));
        }
        let objective = counted::<T::Puzzle>(objective);
        let listed = states(puzzle, objective, set, watch)?;
        let mut step = OneStep::<T>::new(puzzle, objective);
        let actions = step.actions();
        let names = actions.iter().filter_map(|&action| step.name(action)).collect();
        let mut order: Vec<_> = vec![None; listed.len()];
        for (state, &(index, _)) in &listed {
            order[index as usize] = Some(state.clone());
        }
        let order: Vec<_> = order.into_iter().flatten().collect();
        let mut cubes = Vec::with_capacity(order.len());
        watch.begin("writing the entries as cubes", order.len() as u64)?;
        for state in &order {
            watch.step()?;
            let class = puzzle.class(state, objective);
            let cube = step.common(&class, || watch.look())?;
            cubes.push((listed[state].1, cube.into_boxed_slice()));
        }
        let cubes = Induction::new(step, set.claim, cubes)
            .map_err(|error| NotWritten::Unfit(error.to_string()))?;
        let puzzle = puzzle.clone();
        Ok(Self { puzzle, objective, actions, names, cubes, listed, order })
    }
}

impl<T: Transition> Guide for Compiled<T> {
    fn cubes(&self) -> &Induction {
        &self.cubes
    }

    fn actions(&self, _: usize) -> &[Lit] {
        &self.actions
    }

    fn after(&self, index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for stepped in self.puzzle.departures(&self.order[index], self.objective) {
            let least = self.puzzle.representative(&stepped.state, self.objective);
            if let Some(&(next, _)) = self.listed.get(&least)
                && !found.contains(&(next as usize))
            {
                found.push(next as usize);
            }
        }
        found.push(index);
        found
    }

    fn name(&self, index: usize) -> String {
        format!("entry `{}`", self.puzzle.write_state(&self.order[index]))
    }

    fn action_name(&self, action: Lit) -> String {
        let at = self.actions.iter().position(|&other| other == action);
        at.and_then(|at| self.names.get(at)).cloned().unwrap_or_default()
    }
}
