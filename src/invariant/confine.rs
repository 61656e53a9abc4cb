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

use super::oracle::{Cube, Oracle, PaidTarget, Steps};
use super::pdr::InvariantError;
use super::states::{LitSet, States};
use crate::backend::Incremental;
use crate::limits::Monitor;
use crate::machine::Instant;
use crate::transition::{Budget, CubeList, TransitionRelation, counted};
use hashbrown::HashMap;
use unstuck_encodings::{Lit, StepCost, Transition};
use unstuck_puzzles::{Moves, Objective};

/// Questions after which it is foreseen how long the rest will take.
const FORECAST_QUESTIONS: usize = 64;

/// Literals that may say what is too far.
const MAX_FAR_LITERALS: usize = 10_000_000;

/// What is to be shown.
#[derive(Clone, Copy, Debug)]
pub struct ConfineTask {
    /// A cost in the objective's first count: that no plan has it, or less.
    pub budget: u32,
    /// What may be taken as known.
    pub known: Premises,
    /// How many classes may be asked about.
    pub most: usize,
}

/// What may be taken as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premises {
    /// Nothing: what is shown rests on single steps alone, and the list of it proves itself.
    Nothing,
    /// What is too far from the goal ([`Transition::too_far`]); and where every step is paid, that
    /// the last one must solve the puzzle. Fewer classes are to be asked about.
    TooFar,
}

/// What was shown of the start.
#[derive(Clone, Debug)]
pub struct ConfineResult {
    /// Classes that were asked about.
    pub classes: usize,
    /// What was shown of each, where nothing was taken as known: a list that proves itself (see
    /// [`crate::transition::Induction`]).
    pub list: Option<CubeList>,
}

/// Shows that the start cannot be finished within a budget.
///
/// # Errors
/// [`InvariantError::TooMany`] also where what is left of the time will not do. See [`InvariantError`].
pub fn confine<T: Transition>(
    puzzle: &T::Puzzle,
    objective: Objective,
    task: ConfineTask,
    backend: &dyn Incremental,
    monitor: &mut Monitor<'_>,
) -> Result<ConfineResult, InvariantError> {
    let ConfineTask { budget, known, most } = task;
    let limits = monitor.limits().clone();
    let mut step = TransitionRelation::<T>::new(puzzle, objective)?;
    let paid = step.paid();
    // Where a step is free, it may solve the puzzle when nothing is left to pay with.
    let last = u32::from(known == Premises::TooFar && matches!(paid, StepCost::Always));
    let far = match known {
        Premises::Nothing => FarCubes(Vec::new()),
        Premises::TooFar => FarCubes::new(&mut step, budget, monitor)?,
    };
    let oracle = Oracle::new(&mut step, &puzzle.start(), backend, &limits).ok_or_else(|| {
        InvariantError::Unfit("states are described by auxiliary variables".to_owned())
    })?;
    let states = States::new(puzzle, counted::<T::Puzzle>(objective), &mut step, &limits);
    let (left, order) = (HashMap::new(), Vec::new());
    let mut claims = Claims { states, oracle, far, paid, last, most, monitor, left, order };
    claims.spread(budget)?;
    let keep = known == Premises::Nothing;
    let cubes = claims.show(keep)?;
    let classes = claims.order.len();
    drop(claims);
    let cubes = cubes.iter().map(|(left, cube)| (Budget::Within(*left), &**cube));
    let list = keep.then(|| step.listed(Budget::Within(budget), cubes));
    Ok(ConfineResult { classes, list })
}

/// What is said of a class is true of states that are not in it.
fn loose() -> InvariantError {
    InvariantError::Unfit("the transition allows steps that the rules forbid".to_owned())
}

/// By what is left, from 1 upwards: what is too far from the goal for that.
struct FarCubes(Vec<Vec<(LitSet, Cube)>>);

impl FarCubes {
    /// What is known for less than `budget`, as far as that is not too much.
    fn new<T: Transition>(
        step: &mut TransitionRelation<T>,
        budget: u32,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self, InvariantError> {
        let (mut all, mut size) = (Vec::new(), 0);
        monitor.begin("what is too far from the goal", budget.into())?;
        for left in 1..budget {
            monitor.tick()?;
            let cubes = step.too_far(left);
            size += cubes.iter().map(|cube| cube.len()).sum::<usize>();
            // The more is left, the less is too far.
            if cubes.is_empty() || size > MAX_FAR_LITERALS {
                break;
            }
            all.push(cubes.into_iter().map(|cube| (LitSet::new(&cube), cube)).collect());
        }
        Ok(Self(all))
    }

    /// The most that is too little for a state, with the cube that says so.
    fn of(&self, bits: &LitSet) -> Option<(u32, &[Lit])> {
        let found = self.0.iter().map_while(|cubes| cubes.iter().find(|it| it.0.within(bits)));
        (1..).zip(found.map(|(_, cube)| &**cube)).last()
    }
}

struct Claims<'a, 'w, T: Transition> {
    states: States<'a, T>,
    oracle: Oracle<'a>,
    far: FarCubes,
    paid: StepCost,
    /// The least budget that is claimed.
    last: u32,
    most: usize,
    monitor: &'a mut Monitor<'w>,
    /// By class: the budget that it is claimed with.
    left: HashMap<u32, u32>,
    /// The classes that are claimed, those with the greatest budget first.
    order: Vec<u32>,
}

impl<T: Transition> Claims<'_, '_, T> {
    /// Claims all that a plan could pass through.
    fn spread(&mut self, budget: u32) -> Result<(), InvariantError> {
        self.monitor.begin("positions on the way to a shorter plan", self.most as u64)?;
        let start = self.states.start()?;
        self.claim(start, budget);
        let mut done = 0;
        while let Some(&class) = self.order.get(done) {
            let left = self.left[&class];
            done += 1;
            if left <= self.last {
                break;
            }
            for &next in self.states.successors(class)?.iter() {
                let bits = &self.states.node(next).bits;
                let is_far = || self.far.of(bits).is_some_and(|(far, _)| far + 1 >= left);
                if !self.left.contains_key(&next) && !is_far() {
                    self.claim(next, left - 1);
                }
            }
            if self.order.len() > self.most {
                return Err(InvariantError::TooMany(self.most));
            }
            self.monitor.tick()?;
        }
        Ok(())
    }

    /// Shows every claim: the cubes that hold the classes, with their budgets, if they are to be
    /// kept.
    fn show(&mut self, keep: bool) -> Result<Vec<(u32, Cube)>, InvariantError> {
        let classes = self.order.len();
        self.monitor.begin(format!("a step from each of {classes} positions"), classes as u64)?;
        let begun = Instant::now();
        let mut shown = Vec::new();
        for index in 0..classes {
            let class = self.order[index];
            let left = self.left[&class];
            let cube = self.shown(class, left)?;
            shown.extend(keep.then_some((left, cube)));
            self.monitor.tick()?;
            if index == FORECAST_QUESTIONS {
                let rest = ((classes - index) / FORECAST_QUESTIONS) as u32;
                let limits = self.monitor.limits();
                if limits.time_left().is_some_and(|time| begun.elapsed() * rest > time) {
                    return Err(InvariantError::TooMany(index));
                }
            }
        }
        Ok(shown)
    }

    /// What of a class's description no state can be finished with so much left from.
    fn shown(&mut self, class: u32, left: u32) -> Result<Cube, InvariantError> {
        let into = left > self.last;
        let successors = if into { self.states.successors(class)? } else { [].into() };
        let cube = &*self.states.node(class).cube;
        // The rules have seen that it is unsolved; its cube may say less.
        let unsolved = self.oracle.unsolved(cube)?.ok_or_else(loose)?;
        let beside = successors.iter().filter_map(|&next| {
            let node = self.states.node(next);
            let far = self.far.of(&node.bits).filter(|(far, _)| far + 1 >= left);
            // What nothing is known or claimed of the solver must not get to.
            let claimed = self.left.get(&next).filter(|&&claimed| claimed + 1 >= left);
            far.map(|(_, cube)| cube).or(claimed.map(|_| &*node.cube))
        });
        let beside: Vec<&[Lit]> = beside.collect();
        let may = match left {
            0 => PaidTarget::Anywhere,
            _ if into => PaidTarget::Into(&beside),
            _ => PaidTarget::Unsolved,
        };
        if self.oracle.is_stale() {
            self.oracle.renew(std::iter::empty());
        }
        match self.oracle.strays(cube, self.paid, may)? {
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
        self.left.insert(class, left);
        self.order.push(class);
    }
}
