//! Who moves, without rotation: all in the direction of the player's move.
//!
//! The moving atoms are the least set that holds the player and is closed under bonds that are not
//! cut and under pushes. Any closed set would not do: a molecule could carry itself through its
//! own bonds. So the closure is unrolled: in round r the motion has gone r atoms far, and with n
//! atoms n - 1 rounds are enough. All of it is a function of the position and the direction.

use super::rules::{HOLD, MOTION, StepBuilder, WALL};
use super::vars::Var;
use crate::cnf::Lit;
use crate::logic::{define_and, define_or};
use petgraph::graph::{EdgeIndex, NodeIndex};
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::Modifier;

impl StepBuilder<'_> {
    /// All motion clauses of the step.
    pub fn motion(&mut self) {
        self.first_mover();
        for node in self.floor.nodes() {
            for (direction, next, edge) in self.floor.around(node) {
                self.draws(node, direction, next, edge);
            }
        }
        for round in 0..self.floor.rounds() {
            for node in self.floor.nodes() {
                self.closure_round(round, node);
            }
        }
        for node in self.floor.nodes() {
            self.leaving(node);
        }
    }

    /// The player moves unless the step is idle.
    pub fn first_mover(&mut self) {
        let idle = self.now(Var::Idle);
        for node in self.floor.nodes() {
            let at = self.floor.place(node);
            let (player, moving) = (self.now(Var::Player(at)), self.now(Var::Moving(0, at)));
            define_and(self.cnf, MOTION, moving, &[player, !idle]);
        }
    }

    /// A literal that says that the bond here carries the motion: it exists, and is not a single
    /// bond that `/` cuts.
    fn holds(&mut self, edge: EdgeIndex) -> Lit {
        let joint = self.floor.joint(edge);
        let bond = self.now(Var::Bond(joint.link, 1));
        let cuts = |&d: &Direction| joint.swept(d) == Some(Modifier::Weaken);
        let cut: Vec<Direction> = Direction::ALL.into_iter().filter(cuts).collect();
        if cut.is_empty() {
            return bond;
        }
        let known = self.cnf.get(self.t, Var::Holds(joint.link));
        let holds = self.now(Var::Holds(joint.link));
        if known.is_none() {
            let double = self.bond(edge, 2);
            let cut: Vec<Lit> = cut.into_iter().map(|direction| self.go(direction)).collect();
            self.implies(HOLD, &[holds], &[bond]);
            for &go in &cut {
                self.implies(HOLD, &[holds, go], double.as_slice());
            }
            self.implies(HOLD, &[bond], &[&cut[..], &[holds]].concat());
            if let Some(double) = double {
                self.implies(HOLD, &[double], &[holds]);
            }
        }
        holds
    }

    /// What makes a neighbour move with the atom of a cell: a bond, or being in front of it.
    fn draws(&mut self, node: NodeIndex, direction: Direction, next: NodeIndex, edge: EdgeIndex) {
        let holds = self.holds(edge);
        let (go, occupied) = (self.go(direction), self.occupied(next));
        let draws = self.now(Var::Draws(self.floor.place(node), direction));
        self.implies(MOTION, &[holds], &[draws]);
        self.implies(MOTION, &[go, occupied], &[draws]);
        self.implies(MOTION, &[draws], &[holds, go]);
        self.implies(MOTION, &[draws], &[holds, occupied]);
    }

    /// A cell moves after a round if it did before, or if it is drawn by a neighbour that did.
    fn closure_round(&mut self, round: u8, node: NodeIndex) {
        let at = self.floor.place(node);
        let (before, after) =
            (self.now(Var::Moving(round, at)), self.now(Var::Moving(round + 1, at)));
        let mut reasons = vec![before];
        for (direction, next, _) in self.floor.around(node) {
            let other = self.floor.place(next);
            let moving = self.now(Var::Moving(round, other));
            let draws = self.now(Var::Draws(other, direction.opposite()));
            let reached = self.now(Var::Reached(round, at, direction));
            define_and(self.cnf, MOTION, reached, &[moving, draws]);
            reasons.push(reached);
        }
        define_or(self.cnf, MOTION, after, &reasons);
    }

    /// What moves leaves its cell in the direction of the move, and cannot enter a wall.
    fn leaving(&mut self, node: NodeIndex) {
        let moves = self.moves(node);
        for direction in Direction::ALL {
            let go = self.go(direction);
            match self.leaves(node, direction) {
                Some(leaves) => define_and(self.cnf, MOTION, leaves, &[moves, go]),
                None => self.implies(WALL, &[moves, go], &[]),
            }
        }
    }
}
