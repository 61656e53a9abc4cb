//! Lower bounds from one layer: every class of states that a plan within a budget could pass
//! through, and of each the solver's word that no step strays from them.
//!
//! A class with a budget is a claim: no state in it can be finished with that cost or less. The
//! start is claimed with the whole budget, and whatever a step leads to with what the step leaves,
//! unless it is known to be too far from the goal ([`Transition::too_far`]). All claims are taken
//! on trust while each is shown: by induction on the cost that is left, a claim may rest on any
//! other, because a paid step leaves less. So each class is asked about once, wherever it lies.
//!
//! Which classes these are the rules say; the solver is asked about one step from each and answers
//! with the part of the description that matters. Its answers are the proof: if the rules had
//! missed a step, it would find one that strays. Horizons are put to it the other way round: there
//! it finds the states itself, and finds them again on every way that leads to them.

use super::oracle::{Cube, Oracle, Paying, Steps};
use super::pdr::NotFound;
use super::states::{Bits, States};
use crate::backend::Incremental;
use crate::limits::Limits;
use crate::machine::Instant;
use crate::transition::{Budget, CubeList, NOT, OneStep, counted};
use hashbrown::HashMap;
use std::fmt;
use unstuck_encodings::{Lit, Paid, Transition};
use unstuck_puzzles::Objective;

/// Questions after which it is foreseen how long the rest will take.
const FORESEE: usize = 64;

/// Literals that may say what is too far.
const FAR: usize = 10_000_000;

/// Classes between two reports.
const REPORT: usize = 16;

/// What is to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// A cost in the objective's first count: that no plan has it, or less.
    pub budget: u32,
    /// What may be taken as known.
    pub known: Known,
    /// How many classes may be asked about.
    pub most: usize,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Classes that were asked about.
    pub asked: usize,
    /// Classes that are claimed.
    pub claimed: usize,
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, claimed } = self;
        write!(f, "a step from each of {claimed} positions: {asked} refuted")
    }
}

/// What may be taken as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing: what is shown rests on single steps alone, and the list of it proves itself.
    Nothing,
    /// What is too far from the goal ([`Transition::too_far`]); and where every step is paid, that
    /// the last one must solve the puzzle. Fewer classes are to be asked about.
    TooFar,
}

/// What was shown of the start.
#[derive(Clone, Debug)]
pub struct Confined {
    budget: u32,
    /// What was shown.
    cubes: Vec<(u32, Cube)>,
    /// Classes that were asked about.
    pub classes: usize,
    names: HashMap<u32, String>,
}

impl Confined {
    /// The claims as a list, which proves itself where nothing was taken as known (see
    /// [`crate::transition::Induction`]).
    pub fn list(&self) -> CubeList {
        let word = |lit: &Lit| {
            let name = self.names[&lit.number()].clone();
            if lit.is_positive() { name } else { format!("{NOT}{name}") }
        };
        let cubes = self.cubes.iter();
        let cubes =
            cubes.map(|(left, cube)| (Budget::Within(*left), cube.iter().map(word).collect()));
        CubeList { claim: Budget::Within(self.budget), cubes: cubes.collect() }
    }
}

/// Shows that the start cannot be finished within a budget.
///
/// # Errors
/// [`NotFound::TooMany`] also where what is left of the time will not do. See [`NotFound`].
pub fn confine<T: Transition>(
    puzzle: &T::Puzzle,
    objective: Objective,
    task: Task,
    backend: &dyn Incremental,
    limits: &Limits,
    progress: &mut dyn FnMut(Effort),
) -> Result<Confined, NotFound> {
    let Task { budget, known, most } = task;
    let mut step = OneStep::<T>::new(puzzle, objective);
    let paid = step.paid();
    // Where a step is free, it may solve the puzzle when nothing is left to pay with.
    let last = u32::from(known == Known::TooFar && matches!(paid, Paid::Always));
    let most_left = if known == Known::TooFar { budget } else { 0 };
    let far = Far::new(&mut step, most_left, limits)?;
    let oracle = Oracle::new(&mut step, &unstuck_puzzles::Moves::start(puzzle), backend, limits)
        .ok_or_else(|| NotFound::Unfit("states are described by auxiliary variables".to_owned()))?;
    let variables = oracle.variables();
    let names = variables.iter().filter_map(|&lit| Some((lit.number(), step.name(lit)?)));
    let names = names.collect();
    let states = States::new(puzzle, counted::<T::Puzzle>(objective), &mut step);
    let mut claims = Claims {
        states,
        oracle,
        far,
        paid,
        last,
        most,
        limits,
        progress,
        left: Vec::new(),
        order: Vec::new(),
    };
    claims.spread(budget)?;
    let cubes = claims.show()?;
    let classes = cubes.len();
    Ok(Confined { budget, cubes, classes, names })
}

/// What is said of a class is true of states that are not in it.
fn loose() -> NotFound {
    NotFound::Unfit("the transition allows steps that the rules forbid".to_owned())
}

/// By what is left, from 1 upwards: what is too far from the goal for that.
struct Far(Vec<Vec<(Bits, Cube)>>);

impl Far {
    /// What is known for less than `budget`, as far as that is not too much.
    fn new<T: Transition>(
        step: &mut OneStep<T>,
        budget: u32,
        limits: &Limits,
    ) -> Result<Self, NotFound> {
        let (mut all, mut size) = (Vec::new(), 0);
        for left in 1..budget {
            if let Some(stop) = limits.reached_any() {
                return Err(NotFound::Stopped(stop));
            }
            let cubes = step.too_far(left);
            size += cubes.iter().map(|cube| cube.len()).sum::<usize>();
            // The more is left, the less is too far.
            if cubes.is_empty() || size > FAR {
                break;
            }
            all.push(cubes.into_iter().map(|cube| (Bits::new(&cube), cube)).collect());
        }
        Ok(Self(all))
    }

    /// The most that is too little for a state, with what tells so.
    fn of(&self, bits: &Bits) -> Option<(u32, &Cube)> {
        let holds =
            |cubes: &'_ Vec<(Bits, Cube)>| cubes.iter().position(|(cube, _)| cube.within(bits));
        let found = self.0.iter().map_while(|cubes| Some(&cubes[holds(cubes)?].1));
        (1..).zip(found).last()
    }
}

struct Claims<'a, T: Transition> {
    states: States<'a, T>,
    oracle: Oracle<'a>,
    far: Far,
    paid: Paid,
    /// The least budget that is claimed.
    last: u32,
    most: usize,
    limits: &'a Limits,
    progress: &'a mut dyn FnMut(Effort),
    /// By class: the budget that it is claimed with.
    left: Vec<Option<u32>>,
    /// The classes that are claimed, those with the greatest budget first.
    order: Vec<u32>,
}

impl<T: Transition> Claims<'_, T> {
    /// Claims all that a plan could pass through.
    fn spread(&mut self, budget: u32) -> Result<(), NotFound> {
        let start = self.states.start()?;
        self.claim(start, budget);
        let mut done = 0;
        while done < self.order.len() {
            let class = self.order[done];
            let left = self.left(class).unwrap_or_default();
            done += 1;
            if left <= self.last {
                break;
            }
            for &next in self.states.successors(class)?.iter() {
                let is_far = || self.far_of(next).is_some_and(|(far, _)| far + 1 >= left);
                if self.left(next).is_none() && !is_far() {
                    self.claim(next, left - 1);
                }
            }
            if self.order.len() > self.most {
                return Err(NotFound::TooMany(self.most));
            }
            self.watch(done, 0)?;
        }
        Ok(())
    }

    /// Shows every claim: the cubes that hold the classes, with their budgets.
    fn show(&mut self) -> Result<Vec<(u32, Cube)>, NotFound> {
        let begun = Instant::now();
        let mut shown = Vec::with_capacity(self.order.len());
        for index in 0..self.order.len() {
            let class = self.order[index];
            let left = self.left(class).unwrap_or_default();
            shown.push((left, self.shown(class, left)?));
            self.watch(index, index)?;
            if index == FORESEE {
                let rest = (self.order.len() - index) as u32 / FORESEE as u32;
                if self.limits.time_left().is_some_and(|time| begun.elapsed() * rest > time) {
                    return Err(NotFound::TooMany(index));
                }
            }
        }
        Ok(shown)
    }

    /// What of a class's description no state can be finished with so much left from.
    fn shown(&mut self, class: u32, left: u32) -> Result<Cube, NotFound> {
        let cube = self.states.node(class).cube.clone();
        // The rules have seen that it is unsolved; its cube may say less.
        let unsolved = self.oracle.unsolved(&cube)?.ok_or_else(loose)?;
        let mut beside = Vec::new();
        if left > self.last {
            for &next in self.states.successors(class)?.iter() {
                match (self.far_of(next), self.left(next)) {
                    (Some((far, cube)), _) if far + 1 >= left => beside.push(cube.clone()),
                    (_, Some(claimed)) if claimed + 1 >= left => {
                        beside.push(self.states.node(next).cube[..].into());
                    }
                    // Nothing is claimed of it, so the solver must not get there.
                    _ => {}
                }
            }
        }
        if self.oracle.is_stale() {
            self.oracle.renew(std::iter::empty());
        }
        let beside: Vec<&[Lit]> = beside.iter().map(|cube| &**cube).collect();
        let may = match left {
            0 => Paying::Anywhere,
            _ if left > self.last => Paying::Into(&beside),
            _ => Paying::Unsolved,
        };
        match self.oracle.strays(&cube, self.paid, may)? {
            Steps::None(core) => {
                let kept = cube.iter().copied();
                Ok(kept.filter(|lit| core.contains(lit) || unsolved.contains(lit)).collect())
            }
            Steps::To(_) => {
                if left > 0 {
                    // The rules say whether a step solves it.
                    self.states.successors(class)?;
                }
                Err(loose())
            }
        }
    }

    fn claim(&mut self, class: u32, left: u32) {
        let index = class as usize;
        if self.left.len() <= index {
            self.left.resize(index + 1, None);
        }
        self.left[index] = Some(left);
        self.order.push(class);
    }

    fn left(&self, class: u32) -> Option<u32> {
        self.left.get(class as usize).copied().flatten()
    }

    fn far_of(&self, class: u32) -> Option<(u32, &Cube)> {
        self.far.of(&self.states.node(class).bits)
    }

    /// Looks at the limits and reports.
    fn watch(&mut self, done: usize, asked: usize) -> Result<(), NotFound> {
        if done.is_multiple_of(REPORT) {
            (self.progress)(Effort { asked, claimed: self.order.len() });
            if let Some(stop) = self.limits.reached_any() {
                return Err(NotFound::Stopped(stop));
            }
        }
        Ok(())
    }
}
