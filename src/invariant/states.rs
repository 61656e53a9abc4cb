//! States that can really be reached, found by the rules, with the cubes that describe them.

use super::error::InvariantError;
use crate::limits::Limits;
use crate::transition::TransitionRelation;
use hashbrown::HashMap;
use std::rc::Rc;
use unstuck_encodings::{Lit, Transition};
use unstuck_puzzles::{Moves, Objective, Play};

/// A set of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LitSet(Box<[u64]>);

impl LitSet {
    /// The set of these literals.
    pub fn new(lits: &[Lit]) -> Self {
        let length = lits.iter().map(|lit| lit.code() / 64 + 1).max().unwrap_or(0);
        let mut words = vec![0u64; length];
        for lit in lits {
            words[lit.code() / 64] |= 1 << (lit.code() % 64);
        }
        Self(words.into_boxed_slice())
    }

    /// Whether all literals of this set are in the other.
    pub fn within(&self, other: &Self) -> bool {
        let others = other.0.iter().chain(std::iter::repeat(&0));
        self.0.iter().zip(others).all(|(own, other)| own & !other == 0)
    }
}

/// A class of states (see [`Play::class`]).
pub struct StateNode {
    /// What all its states have in common.
    pub cube: Rc<[Lit]>,
    /// The same as a set.
    pub bits: LitSet,
    successors: Option<Rc<[u32]>>,
}

/// The classes met so far, none of them solved.
pub struct States<'a, T: Transition> {
    puzzle: &'a T::Puzzle,
    /// What makes states one class: all that can be reached for nothing under this objective.
    classes: Objective,
    step: &'a mut TransitionRelation<T>,
    /// A class has as many states as there are places to walk to, and takes long to describe.
    limits: &'a Limits,
    nodes: Vec<StateNode>,
    least: Vec<<T::Puzzle as Moves>::State>,
    numbers: HashMap<<T::Puzzle as Moves>::State, u32>,
}

impl<'a, T: Transition> States<'a, T> {
    /// No states yet.
    pub fn new(
        puzzle: &'a T::Puzzle,
        classes: Objective,
        step: &'a mut TransitionRelation<T>,
        limits: &'a Limits,
    ) -> Self {
        let (nodes, least, numbers) = (Vec::new(), Vec::new(), HashMap::new());
        Self { puzzle, classes, step, limits, nodes, least, numbers }
    }

    /// The start.
    ///
    /// # Errors
    /// When it is solved, or a limit struck.
    pub fn start(&mut self) -> Result<u32, InvariantError> {
        self.number(&self.puzzle.start())
    }

    /// Number of classes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// A class by its number.
    pub fn node(&self, number: u32) -> &StateNode {
        &self.nodes[number as usize]
    }

    /// The classes to which one move leads, without the class itself.
    ///
    /// # Errors
    /// When one of them is solved, or a limit struck.
    pub fn successors(&mut self, number: u32) -> Result<Rc<[u32]>, InvariantError> {
        if let Some(known) = &self.nodes[number as usize].successors {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        for stepped in self.puzzle.departures(&self.least[number as usize], self.classes) {
            found.push(self.number(&stepped.state)?);
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&next| next != number);
        let found: Rc<[u32]> = found.into();
        self.nodes[number as usize].successors = Some(found.clone());
        Ok(found)
    }

    fn number(&mut self, state: &<T::Puzzle as Moves>::State) -> Result<u32, InvariantError> {
        let least = self.puzzle.representative(state, self.classes);
        if let Some(&number) = self.numbers.get(&least) {
            return Ok(number);
        }
        let class = self.puzzle.class(&least, self.classes);
        let look =
            || self.limits.reached().map_or(Ok(()), |stop| Err(InvariantError::Stopped(stop)));
        look()?;
        if class.iter().any(|member| self.puzzle.is_goal(member)) {
            return Err(InvariantError::Solvable);
        }
        let cube: Rc<[Lit]> = self.step.common(&class, look)?.into();
        let number = self.nodes.len() as u32;
        self.nodes.push(StateNode { bits: LitSet::new(&cube), cube, successors: None });
        self.least.push(least.clone());
        self.numbers.insert(least, number);
        Ok(number)
    }
}
