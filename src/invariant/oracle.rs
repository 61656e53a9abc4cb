//! The questions of property-directed reachability, put to a solver that keeps formulas.

use crate::backend::{AssumptionAnswer, Incremental, Session, SessionError};
use crate::limits::Limits;
use crate::transition::TransitionRelation;
use hashbrown::HashMap;
use unstuck_encodings::{Lit, StepCost, Transition};
use unstuck_puzzles::Moves;

/// Questions after which the solver is replaced: each leaves a clause behind that is never used
/// again.
const QUESTIONS_PER_SOLVER: usize = 1000;

/// A cube, its literals in the order of their numbers.
pub type Cube = Box<[Lit]>;

/// Where a step may lead that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// States that may reach the goal within so many steps; with 0, solved states.
    Frame(usize),
    /// States that may reach the goal at all.
    Any,
}

/// Where a paid step may lead.
#[derive(Clone, Copy, Debug)]
pub enum PaidTarget<'a> {
    /// Anywhere: nothing is left to pay with.
    Anywhere,
    /// To states that are not solved.
    Unsolved,
    /// Into the cube that it comes from, and into these.
    Into(&'a [&'a [Lit]]),
}

/// An answer about the steps out of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// There is none: not from the smaller cube of these literals either.
    None(Cube),
    /// There is one, to this state (in literals of layer 0).
    To(Vec<Lit>),
}

/// The transition and the cubes taken away from frames, in a solver.
pub struct Oracle<'a> {
    backend: &'a dyn Incremental,
    limits: &'a Limits,
    clauses: Vec<Box<[Lit]>>,
    goal_after: Vec<Lit>,
    /// By variable of layer 0: its literal in layer 1.
    later: HashMap<u32, Lit>,
    /// By variable of layer 1: its literal in layer 0.
    earlier: HashMap<u32, Lit>,
    solver: Box<dyn Session + 'a>,
    solved: Box<dyn Session + 'a>,
    variables: usize,
    /// Variables in the solver.
    used: usize,
    /// By frame: assumed where its cubes are to count; the first one, where the goal is.
    guards: Vec<Lit>,
    asked: usize,
    /// Questions so far.
    pub questions: u64,
}

fn positive(number: usize) -> Lit {
    let number = i32::try_from(number).expect("fewer than 2^31 variables");
    Lit::from_dimacs(number).expect("numbers start at 1")
}

impl<'a> Oracle<'a> {
    /// An oracle for a transition; `None` when states are described by auxiliary variables.
    pub fn new<T: Transition>(
        step: &mut TransitionRelation<T>,
        start: &<T::Puzzle as Moves>::State,
        backend: &'a dyn Incremental,
        limits: &'a Limits,
    ) -> Option<Self> {
        let (mut later, mut earlier) = (HashMap::new(), HashMap::new());
        for lit in step.state_variables(start) {
            let after = step.later(lit)?;
            later.insert(lit.number(), after);
            earlier.insert(after.number(), lit);
        }
        let goal_after = step.goal_after();
        let clauses = step.step_clauses().chain(step.further_clauses());
        let clauses = clauses.map(Box::from).collect();
        let mut solved = backend.session(limits);
        step.goal_clauses().for_each(|clause| solved.add(clause));
        step.goal().iter().for_each(|&lit| solved.add(&[lit]));
        let variables = step.variables();
        let mut oracle = Self {
            backend,
            limits,
            clauses,
            goal_after,
            later,
            earlier,
            solver: backend.session(limits),
            solved,
            variables,
            used: variables,
            guards: Vec::new(),
            asked: 0,
            questions: 0,
        };
        oracle.load();
        Some(oracle)
    }

    /// The variables of layer 0 that describe states, in the order of their numbers.
    pub fn variables(&self) -> Vec<Lit> {
        let mut variables: Vec<Lit> =
            self.later.keys().map(|&number| positive(number as usize)).collect();
        variables.sort_unstable();
        variables
    }

    /// A new solver that holds the transition.
    pub fn transition(&self) -> Box<dyn Session + 'a> {
        let mut solver = self.backend.session(self.limits);
        self.clauses.iter().for_each(|clause| solver.add(clause));
        solver
    }

    fn load(&mut self) {
        self.solver = self.transition();
        self.used = self.variables;
        self.guards.clear();
        self.asked = 0;
        let goal = self.guard(0);
        for index in 0..self.goal_after.len() {
            self.solver.add(&[!goal, self.goal_after[index]]);
        }
    }

    fn fresh(&mut self) -> Lit {
        self.used += 1;
        positive(self.used)
    }

    fn guard(&mut self, frame: usize) -> Lit {
        while self.guards.len() <= frame {
            let guard = self.fresh();
            self.guards.push(guard);
        }
        self.guards[frame]
    }

    /// The negation of a cube in layer 1.
    pub fn outside(&self, cube: &[Lit]) -> Vec<Lit> {
        cube.iter().map(|&lit| self.after(!lit)).collect()
    }

    fn after(&self, lit: Lit) -> Lit {
        let later = self.later[&lit.number()];
        if lit.is_positive() { later } else { !later }
    }

    /// Takes a cube away from a frame and all frames before it, or from all.
    pub fn take(&mut self, cube: &[Lit], from: Target) {
        let mut clause = self.outside(cube);
        if let Target::Frame(frame) = from {
            clause.insert(0, !self.guard(frame));
        }
        self.solver.add(&clause);
    }

    /// Whether a new solver would be faster.
    pub fn is_stale(&self) -> bool {
        self.asked >= QUESTIONS_PER_SOLVER
    }

    /// Restarts with these cubes.
    pub fn renew<'c>(&mut self, cubes: impl Iterator<Item = (&'c [Lit], Target)>) {
        self.load();
        cubes.for_each(|(cube, from)| self.take(cube, from));
    }

    /// Whether a step leads from a cube to a state outside it.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub fn steps(&mut self, cube: &[Lit], into: Target) -> Result<Steps, SessionError> {
        let leaves = self.leaving(cube);
        let mut assumptions = vec![leaves];
        if let Target::Frame(frame) = into {
            self.guard(frame);
            assumptions.extend_from_slice(&self.guards[frame..]);
        }
        self.ask(leaves, assumptions, cube)
    }

    /// Whether a step leads from a cube to a state outside it, if it is not paid, or to where none
    /// may lead that is paid.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub fn strays(
        &mut self,
        cube: &[Lit],
        paid: StepCost,
        may: PaidTarget<'_>,
    ) -> Result<Steps, SessionError> {
        let leaves = self.leaving(cube);
        let mut unless = vec![!leaves];
        if let StepCost::If(paid) = paid {
            unless.push(!paid);
        }
        let clauses: Vec<Vec<Lit>> = match may {
            PaidTarget::Anywhere => vec![Vec::new()],
            PaidTarget::Unsolved => self.goal_after.iter().map(|&lit| vec![lit]).collect(),
            PaidTarget::Into(cubes) => cubes.iter().map(|cube| self.outside(cube)).collect(),
        };
        for clause in clauses {
            self.solver.add(&[&unless[..], &clause].concat());
        }
        self.ask(leaves, vec![leaves], cube)
    }

    /// A literal with which a step leads out of a cube.
    fn leaving(&mut self, cube: &[Lit]) -> Lit {
        let leaves = self.fresh();
        let mut clause = self.outside(cube);
        clause.insert(0, !leaves);
        self.solver.add(&clause);
        leaves
    }

    /// Asks for a step from a cube under assumptions, one of which is never used again.
    fn ask(
        &mut self,
        once: Lit,
        mut assumptions: Vec<Lit>,
        cube: &[Lit],
    ) -> Result<Steps, SessionError> {
        self.questions += 1;
        self.asked += 1;
        // What is true says more than what is not: it comes first, so that cores prefer it.
        assumptions.extend(cube.iter().filter(|lit| lit.is_positive()));
        assumptions.extend(cube.iter().filter(|lit| !lit.is_positive()));
        let answer = self.solver.ask(&assumptions)?;
        self.solver.add(&[!once]);
        Ok(match answer {
            AssumptionAnswer::Core(core) => {
                let kept = cube.iter().copied().filter(|lit| core.contains(lit));
                Steps::None(kept.collect())
            }
            AssumptionAnswer::Model(model) => {
                let back = |lit: &Lit| {
                    let earlier = *self.earlier.get(&lit.number())?;
                    Some(if lit.is_positive() { earlier } else { !earlier })
                };
                let mut state: Vec<Lit> = model.iter().filter_map(back).collect();
                state.sort_unstable_by_key(|lit| lit.number());
                Steps::To(state)
            }
        })
    }

    /// Literals of a cube that no solved state has; `None` when a solved state may be in it.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub fn unsolved(&mut self, cube: &[Lit]) -> Result<Option<Vec<Lit>>, SessionError> {
        Ok(match self.solved.ask(cube)? {
            AssumptionAnswer::Core(core) => Some(core),
            AssumptionAnswer::Model(_) => None,
        })
    }
}
