//! One move a step: the encoding of every objective, and the transition on which closed-set
//! certificates rest.

use super::graph::Model;
use super::rules::{BOND_ENDS, Build, CHOICE, DEAD_BOND, IDLE, NOT_SHORTER, START, STRANDED};
use super::space::SokobondSpace;
use super::vars::Var;
use super::{horizon, mirror};
use crate::cnf::{Assignment, Cnf, Lit, Step};
use crate::cost::Cost;
use crate::encoding::{DecodeError, Encoding, Paid, Transition};
use crate::logic::exactly_one;
use crate::space::Space;
use unstuck_puzzles::sokobond::{Keys, Sokobond, State};
use unstuck_puzzles::{Direction, Moves, Objective};

/// One move a step.
#[derive(Clone, Debug)]
pub struct SokobondMoves {
    pub(super) puzzle: Sokobond,
    model: Model,
}

impl SokobondMoves {
    /// The literals of a position in a layer.
    fn position(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let model = &self.model;
        let mut lits = Vec::new();
        let mut say = |variable, holds: bool| {
            let lit = cnf.lit(t, variable);
            lits.push(if holds { lit } else { !lit });
        };
        for node in model.nodes() {
            let at = model.at(node);
            let atom = state.at(model.graph[node]);
            for &element in &model.elements {
                say(Var::Atom(at, element), atom.is_some_and(|atom| atom.element == element));
            }
            say(Var::Occupied(at), atom.is_some());
            say(Var::Player(at), atom.is_some_and(|atom| atom.player));
            say(Var::Free(at), atom.is_some_and(|atom| state.free(atom) > 0));
        }
        for edge in model.edges() {
            let multiplicity = model.multiplicity(state, edge);
            for level in 1..=model.levels {
                say(Var::Bond(model.place(edge).link, level), multiplicity >= level);
            }
        }
        lits
    }
}

impl Encoding for SokobondMoves {
    type Puzzle = Sokobond;
    type Var = Var;
    const NAME: &'static str = "one-move";

    fn new(puzzle: &Sokobond, _objective: Objective) -> Self {
        Self { puzzle: puzzle.clone(), model: Model::new(puzzle) }
    }

    fn lower_bound(&self) -> Option<Step> {
        match SokobondSpace::new(&self.puzzle, Objective::Moves) {
            Ok(mut space) => {
                let start = space.start();
                space.bound(&start).map(Cost::primary)
            }
            Err(_) => self.model.stranded.is_none().then_some(0),
        }
    }

    fn hopeless(&self) -> Option<String> {
        if let Some(cell) = self.model.stranded {
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
        for lit in self.position(0, &self.puzzle.start(), cnf) {
            cnf.add(START, [lit]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let mut build = Build { model: &self.model, t, cnf };
        let mut choices: Vec<Lit> = Direction::ALL.into_iter().map(|d| build.go(d)).collect();
        choices.push(build.now(Var::Idle));
        exactly_one(build.cnf, CHOICE, t, &choices);
        if self.model.rotates {
            build.turning_motion();
        } else {
            build.motion();
        }
        build.contents();
        if self.model.rotates {
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
        if self.model.stranded.is_some() {
            cnf.add(STRANDED, []);
        }
        self.model.nodes().map(|node| !cnf.lit(t, Var::Free(self.model.at(node)))).collect()
    }

    fn windows(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        horizon::player_reach(&self.model, horizon, cnf);
        horizon::partner_reach(&self.model, horizon, cnf);
        let images = mirror::images(&self.model, &self.puzzle.start);
        mirror::first_of_images(&images, horizon, cnf);
    }

    fn at_least(&self, least: Step, cnf: &mut Cnf<Var>) {
        for t in 0..least {
            let idle = cnf.lit(t, Var::Idle);
            cnf.add(NOT_SHORTER, [!idle]);
        }
    }

    fn decode(&self, horizon: Step, assignment: Assignment<'_, Var>) -> Result<Keys, DecodeError> {
        let mut plan = Vec::new();
        for t in 0..horizon {
            let holds = |&direction: &Direction| assignment.holds(t, Var::Go(direction));
            let choices: Vec<Direction> = Direction::ALL.into_iter().filter(holds).collect();
            match (choices[..].first(), assignment.holds(t, Var::Idle)) {
                (Some(&direction), false) if choices.len() == 1 => plan.push(direction),
                (None, true) => {}
                _ => return Err(DecodeError(format!("step {t} is not one move"))),
            }
        }
        Ok(self.puzzle.solution(&plan))
    }

    fn distinguish(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        let chosen = |(_, variable): &(Step, Var)| matches!(variable, Var::Go(_) | Var::Idle);
        let lit = |(t, variable)| assignment.cnf.get(t, variable);
        assignment.true_variables().filter(chosen).filter_map(lit).collect()
    }
}

impl Transition for SokobondMoves {
    fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.position(t, state, cnf)
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
                if direction == mv { lit } else { !lit }
            })
            .collect();
        lits.push(!cnf.lit(t, Var::Idle));
        lits
    }

    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        Direction::ALL.into_iter().map(|direction| cnf.lit(t, Var::Go(direction))).collect()
    }

    fn paid(&self, _t: Step, _cnf: &mut Cnf<Var>) -> Paid {
        Paid::Always
    }
}

impl Build<'_> {
    /// Clauses that follow from the others or from the wish for a shortest plan.
    fn consequences(&mut self) {
        for edge in self.model.edges() {
            let place = self.model.place(edge);
            let bond = self.then(Var::Bond(place.link, 1));
            for end in [place.first, place.second] {
                let occupied = self.then(Var::Occupied(self.model.at(end)));
                self.implies(BOND_ENDS, &[bond], &[occupied]);
            }
            for &(a, b) in &self.model.never_bonded {
                let first = self.then(Var::Atom(self.model.at(place.first), a));
                let second = self.then(Var::Atom(self.model.at(place.second), b));
                self.implies(DEAD_BOND, &[first, second, bond], &[]);
            }
        }
        let idle = self.now(Var::Idle);
        let always = self.then(Var::Idle);
        self.implies(IDLE, &[idle], &[always]);
        let mut unsolved = Vec::new();
        for node in self.model.nodes() {
            let free = self.now(Var::Free(self.model.at(node)));
            self.implies(IDLE, &[idle], &[!free]);
            unsolved.push(free);
        }
        self.implies(IDLE, &[], &[&unsolved[..], &[idle]].concat());
    }
}
