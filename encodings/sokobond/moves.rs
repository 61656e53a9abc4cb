//! One move a step: the encoding of every objective, and the transition on which closed-set
//! certificates rest.

use super::graph::Floor;
use super::rules::{BOND_ENDS, CHOICE, DEAD_BOND, IDLE, START, STRANDED, StepBuilder};
use super::space::SokobondSpace;
use super::vars::Var;
use super::{horizon, mirror};
use crate::cnf::{Assignment, Cnf, Lit, Step};
use crate::cost::Cost;
use crate::encoding::{DecodeError, EncodeError, Encoding, StepCost, Transition};
use crate::logic::exactly_one;
use crate::space::Space;
use crate::steps::{chosen_direction, not_shorter};
use unstuck_puzzles::sokobond::{Keys, Sokobond, State};
use unstuck_puzzles::{Direction, Moves, Objective};

/// One move a step.
#[derive(Clone, Debug)]
pub struct SokobondMoves {
    pub(super) puzzle: Sokobond,
    floor: Floor,
}

impl Encoding for SokobondMoves {
    type Puzzle = Sokobond;
    type Var = Var;
    const NAME: &'static str = "sokobond-moves";

    fn new(puzzle: &Sokobond, _objective: Objective) -> Result<Self, EncodeError> {
        Ok(Self { puzzle: puzzle.clone(), floor: Floor::new(puzzle) })
    }

    fn lower_bound(&self) -> Option<Step> {
        match SokobondSpace::new(&self.puzzle, Objective::Moves) {
            Ok(mut space) => {
                let start = space.start();
                space.bound(&start).map(Cost::primary)
            }
            Err(_) => self.floor.stranded.is_none().then_some(0),
        }
    }

    fn unsolvable_reason(&self) -> Option<String> {
        if let Some(cell) = self.floor.stranded {
            let (row, column) = self.puzzle.board.walls.place(cell);
            let (row, column) = (row + 1, column + 1);
            return Some(format!(
                "the atom in row {row}, column {column} has a free electron, and the player \
                 cannot get there"
            ));
        }
        self.lower_bound().is_none().then(|| "the free electrons can never all pair".to_owned())
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        for lit in self.literals(0, &self.puzzle.start(), cnf) {
            cnf.add(START, [lit]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let mut build = StepBuilder { floor: &self.floor, t, cnf };
        let mut choices: Vec<Lit> = Direction::ALL.into_iter().map(|d| build.go(d)).collect();
        choices.push(build.now(Var::Idle));
        exactly_one(build.cnf, CHOICE, t, &choices);
        if self.floor.rotates {
            build.turning_motion();
        } else {
            build.motion();
        }
        build.contents();
        if self.floor.rotates {
            build.carry_turning();
        } else {
            build.carry();
        }
        build.strengthen();
        build.bonding();
        build.consequences();
        build.canonical_order();
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        if self.floor.stranded.is_some() {
            cnf.add(STRANDED, []);
        }
        self.floor.nodes().map(|node| !cnf.lit(t, Var::Free(self.floor.place(node)))).collect()
    }

    fn within(&self, least: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        horizon::player_reach(&self.floor, horizon, cnf);
        horizon::partner_reach(&self.floor, horizon, cnf);
        let images = mirror::images(&self.floor, &self.puzzle.start);
        mirror::first_of_images(&images, horizon, cnf);
        not_shorter(least, cnf, |t, cnf| [!cnf.lit(t, Var::Idle)]);
    }

    fn decode(&self, horizon: Step, assignment: Assignment<'_, Var>) -> Result<Keys, DecodeError> {
        let mut plan = Vec::new();
        for t in 0..horizon {
            match (chosen_direction(t, assignment, Var::Go)?, assignment.holds(t, Var::Idle)) {
                (Some(direction), false) => plan.push(direction),
                (None, true) => {}
                _ => return Err(DecodeError(format!("step {t} is not one move"))),
            }
        }
        Ok(self.puzzle.solution(&plan))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|variable| matches!(variable, Var::Go(_) | Var::Idle))
    }
}

impl Transition for SokobondMoves {
    fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let floor = &self.floor;
        let mut lits = Vec::new();
        let mut say = |variable, holds: bool| {
            let lit = cnf.lit(t, variable);
            lits.push(lit.when(holds));
        };
        for node in floor.nodes() {
            let at = floor.place(node);
            let atom = state.at(floor.graph[node]);
            for &element in &floor.elements {
                say(Var::Atom(at, element), atom.is_some_and(|atom| atom.element == element));
            }
            say(Var::Occupied(at), atom.is_some());
            say(Var::Player(at), atom.is_some_and(|atom| atom.player));
            say(Var::Free(at), atom.is_some_and(|atom| state.free(atom) > 0));
        }
        for edge in floor.edges() {
            let multiplicity = floor.multiplicity(state, edge);
            for level in 1..=floor.levels {
                say(Var::Bond(floor.joint(edge).link, level), multiplicity >= level);
            }
        }
        lits
    }

    fn move_literals(
        &self,
        t: Step,
        _state: &State,
        mv: Direction,
        cnf: &mut Cnf<Var>,
    ) -> Vec<Lit> {
        let mut lits: Vec<Lit> = Direction::ALL
            .into_iter()
            .map(|direction| {
                let lit = cnf.lit(t, Var::Go(direction));
                lit.when(direction == mv)
            })
            .collect();
        lits.push(!cnf.lit(t, Var::Idle));
        lits
    }

    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        Direction::ALL.into_iter().map(|direction| cnf.lit(t, Var::Go(direction))).collect()
    }

    fn paid(&self, _t: Step, _cnf: &mut Cnf<Var>) -> StepCost {
        StepCost::Always
    }

    fn too_far(&self, t: Step, left: Step, cnf: &mut Cnf<Var>) -> Vec<Vec<Lit>> {
        horizon::alone(&self.floor, t, left, cnf)
    }
}

impl StepBuilder<'_> {
    /// Clauses that follow from the others or from asking for a shortest plan.
    fn consequences(&mut self) {
        for edge in self.floor.edges() {
            let joint = self.floor.joint(edge);
            let bond = self.then(Var::Bond(joint.link, 1));
            for end in [joint.first, joint.second] {
                let occupied = self.then(Var::Occupied(self.floor.place(end)));
                self.implies(BOND_ENDS, &[bond], &[occupied]);
            }
            for &(a, b) in &self.floor.never_bonded {
                let first = self.then(Var::Atom(self.floor.place(joint.first), a));
                let second = self.then(Var::Atom(self.floor.place(joint.second), b));
                self.implies(DEAD_BOND, &[first, second, bond], &[]);
            }
        }
        let idle = self.now(Var::Idle);
        let always = self.then(Var::Idle);
        self.implies(IDLE, &[idle], &[always]);
        let mut unsolved = Vec::new();
        for node in self.floor.nodes() {
            let free = self.now(Var::Free(self.floor.place(node)));
            self.implies(IDLE, &[idle], &[!free]);
            unsolved.push(free);
        }
        self.implies(IDLE, &[], &[&unsolved[..], &[idle]].concat());
    }
}
