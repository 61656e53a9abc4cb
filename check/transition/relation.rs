//! The one-move transition, compiled once: the layers 0 and 1, and what their literals mean.

use super::{Budget, CubeList, NOT, counted};
use hashbrown::HashMap;
use std::ops::Range;
use unstuck_encodings::{
    Cnf, EncodeError, Filter, Lit, Name, PieceLiterals, Step, StepCost, Transition,
};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::patterns::PatternCoord;
use unstuck_puzzles::{Moves, Objective};

/// The defining clauses of one step, of the start and of the goal, in this order.
pub struct TransitionRelation<T: Transition> {
    transition: T,
    cnf: Cnf<T::Var>,
    step_end: usize,
    start_end: usize,
    goal_end: usize,
    goal: Vec<Lit>,
    paid: StepCost,
    /// Whether the step counts in the tie-break, and all moves as actions: where that is counted.
    tie: Option<(StepCost, Vec<Lit>)>,
}

/// By number, the atom before its negation.
fn order(lit: &Lit) -> (u32, bool) {
    (lit.number(), !lit.is_positive())
}

impl<T: Transition> TransitionRelation<T> {
    /// Compiles the transition of a puzzle, for an objective without its tie-break.
    ///
    /// # Errors
    /// Why the puzzle cannot be put into clauses.
    pub fn new(puzzle: &T::Puzzle, objective: Objective) -> Result<Self, EncodeError> {
        Self::with_tie(puzzle, objective, false)
    }

    /// The same for a list with this claim, which may count the tie-break too.
    ///
    /// # Errors
    /// See [`TransitionRelation::new`].
    pub fn counting(
        puzzle: &T::Puzzle,
        objective: Objective,
        claim: Budget,
    ) -> Result<Self, EncodeError> {
        Self::with_tie(puzzle, objective, claim.second().is_some())
    }

    fn with_tie(puzzle: &T::Puzzle, objective: Objective, tied: bool) -> Result<Self, EncodeError> {
        let transition = T::new(puzzle, counted::<T::Puzzle>(objective))?;
        let mut cnf: Cnf<T::Var> = Cnf::new(Filter::defining());
        transition.step(0, &mut cnf);
        let paid = transition.paid(0, &mut cnf);
        let second = match objective {
            Objective::PushesMoves => Some(Objective::Moves),
            Objective::MovesPushes => Some(Objective::Pushes),
            _ => None,
        };
        let tie = second.filter(|_| tied).map(|second| -> Result<_, EncodeError> {
            // What a tie-break counts is what counts where it is the objective.
            let paid = T::new(puzzle, second)?.paid(0, &mut cnf);
            Ok((paid, T::new(puzzle, Objective::Moves)?.actions(0, &mut cnf)))
        });
        let tie = tie.transpose()?;
        let step_end = cnf.len();
        transition.start(&mut cnf);
        let start_end = cnf.len();
        let goal = transition.goal(0, &mut cnf);
        let goal_end = cnf.len();
        Ok(Self { transition, cnf, step_end, start_end, goal_end, goal, paid, tie })
    }

    /// See [`Transition::actions`], of layer 0.
    pub fn actions(&mut self) -> Vec<Lit> {
        self.transition.actions(0, &mut self.cnf)
    }

    /// See [`Transition::too_far`], of layer 0, in the order of their numbers.
    pub fn too_far(&mut self, left: Step) -> Vec<Box<[Lit]>> {
        let mut cubes = self.transition.too_far(0, left, &mut self.cnf);
        cubes.iter_mut().for_each(|cube| cube.sort_unstable_by_key(order));
        cubes.into_iter().map(Vec::into_boxed_slice).collect()
    }

    /// The literals of layer 0 that describe a state, in the order of their numbers.
    pub fn literals(&mut self, state: &<T::Puzzle as Moves>::State) -> Vec<Lit> {
        let mut lits = self.transition.literals(0, state, &mut self.cnf);
        lits.sort_unstable_by_key(order);
        lits.dedup();
        lits
    }

    /// What all these states have in common, in the order of the numbers; `look` is called for each
    /// state.
    ///
    /// # Errors
    /// What `look` says.
    pub fn common<E>(
        &mut self,
        states: &[<T::Puzzle as Moves>::State],
        mut look: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<Lit>, E> {
        let Some((first, rest)) = states.split_first() else { return Ok(Vec::new()) };
        let mut common = self.literals(first);
        for state in rest {
            look()?;
            let lits = self.literals(state);
            common.retain(|lit| lits.binary_search_by_key(&order(lit), order).is_ok());
        }
        Ok(common)
    }

    /// The literal of layer 1 that says the same as a literal of layer 0; `None` for auxiliaries,
    /// which mean nothing beyond their own layer.
    pub fn later(&mut self, lit: Lit) -> Option<Lit> {
        match self.cnf.atom(lit.number())?.name {
            Name::Aux(..) => None,
            Name::Of(variable) => {
                let later = self.cnf.lit(1, variable);
                Some(if lit.is_positive() { later } else { !later })
            }
        }
    }

    /// The variables of layer 0 that describe states, in the order of their numbers.
    pub fn state_variables(&mut self, start: &<T::Puzzle as Moves>::State) -> Vec<Lit> {
        let lits = self.literals(start);
        lits.into_iter().map(|lit| if lit.is_positive() { lit } else { !lit }).collect()
    }

    /// The name of the variable of a literal, without its layer; `None` for auxiliaries.
    pub fn name(&self, lit: Lit) -> Option<String> {
        match self.cnf.atom(lit.number())?.name {
            Name::Of(variable) => Some((T::EXTRAS.name)(&self.transition, &variable)),
            Name::Aux(..) => None,
        }
    }

    /// Cubes of literals of layer 0 with their budgets as text.
    pub fn listed<'c>(
        &self,
        claim: Budget,
        cubes: impl Iterator<Item = (Budget, &'c [Lit])>,
    ) -> CubeList {
        let word = |&lit: &Lit| {
            let name = self.name(lit).unwrap_or_default();
            if lit.is_positive() { name } else { format!("{NOT}{name}") }
        };
        let cubes = cubes.map(|(budget, cube)| (budget, cube.iter().map(word).collect()));
        CubeList { claim, cubes: cubes.collect() }
    }

    /// The names of all variables so far, in the order of their numbers.
    pub fn names(&self) -> Vec<String> {
        let named = |variable: &T::Var| (T::EXTRAS.name)(&self.transition, variable);
        self.cnf.atoms().map(|atom| atom.named(named)).collect()
    }

    /// The literals of the goal in layer 1; what defines them follows the clauses so far.
    pub fn goal_after(&mut self) -> Vec<Lit> {
        self.transition.goal(1, &mut self.cnf)
    }

    /// The goal in layer 0.
    pub fn goal(&self) -> &[Lit] {
        &self.goal
    }

    /// Whether the step counts.
    pub fn paid(&self) -> StepCost {
        self.paid
    }

    /// Whether the step counts in the tie-break; `None` where that is not counted.
    pub fn paid_tie(&self) -> Option<StepCost> {
        self.tie.as_ref().map(|(paid, _)| *paid)
    }

    /// All moves, walks too, as actions; none where no tie-break is counted.
    pub fn all_moves(&self) -> &[Lit] {
        self.tie.as_ref().map_or(&[], |(_, moves)| moves)
    }

    /// Number of variables so far.
    pub fn variables(&self) -> usize {
        self.cnf.variables()
    }

    /// The clauses between the two layers.
    pub fn step_clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses(0..self.step_end)
    }

    /// The clauses of the start.
    pub fn start_clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses(self.step_end..self.start_end)
    }

    /// The clauses that define the goal of layer 0.
    pub fn goal_clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses(self.start_end..self.goal_end)
    }

    /// The clauses that were added since: what defines the goal of layer 1.
    pub fn further_clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses(self.goal_end..self.cnf.len())
    }

    fn clauses(&self, range: Range<usize>) -> impl Iterator<Item = &[Lit]> {
        range.map(|index| self.cnf.clause(index))
    }
}

impl<T: PieceLiterals> TransitionRelation<T> {
    /// See [`PieceLiterals::piece`], of layer 0.
    pub fn piece(&mut self, at: PatternCoord) -> Lit {
        self.transition.piece(0, at, &mut self.cnf)
    }

    /// See [`PieceLiterals::player`], of layer 0.
    pub fn player(&mut self, at: PatternCoord) -> Lit {
        self.transition.player(0, at, &mut self.cnf)
    }

    /// See [`PieceLiterals::pushed`], of step 0.
    pub fn pushed(&mut self, from: PatternCoord, direction: Direction) -> Lit {
        self.transition.pushed(0, from, direction, &mut self.cnf)
    }
}

/// The literal of a variable by its number.
pub(crate) fn literal(number: usize) -> Lit {
    let number = i32::try_from(number).expect("fewer than 2^31 variables");
    Lit::from_dimacs(number).expect("numbers start at 1")
}

/// What says the same in a layer as a literal of layer 0.
pub(super) fn shifted(later: &HashMap<u32, Lit>, layer: Step, lit: Lit) -> Lit {
    match (layer, later[&lit.number()], lit.is_positive()) {
        (0, ..) => lit,
        (_, later, true) => later,
        (_, later, false) => !later,
    }
}
