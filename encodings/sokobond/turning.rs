//! Who moves, and where, when vertices turn bonds.
//!
//! The motion now carries a direction. A round follows the bonds of what moves; when no bond
//! carries the motion further ("quiet"), a round pushes what stands in front. Each round reaches
//! an atom that was still, or is the last, so that n - 1 rounds are enough for n atoms.
//!
//! A bond that turns is one-way: the motion never goes back through it. If its far end is reached
//! on another way too, the rules send the motion back and it meets itself with another direction:
//! the move is illegal. Which is to say: behind a turned bond every atom must be reached exactly
//! once. "Behind" is passed on along the first arrivals; a second arrival there is forbidden.

use super::rules::{CLASH, MOTION, StepBuilder, WALL};
use super::vars::Var;
use crate::cnf::Lit;
use crate::logic::{at_most_one, define_and, define_or};
use petgraph::graph::{EdgeIndex, NodeIndex};
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::Modifier;

/// How a bond passes motion in one direction on to its other end.
struct Passage {
    /// Multiplicity that the bond needs: 2 where `/` cuts a single one.
    level: u8,
    /// Direction in which the other end moves.
    direction: Direction,
    /// Whether the bond turns.
    turns: bool,
}

impl StepBuilder<'_> {
    /// All motion clauses of the step.
    pub fn turning_motion(&mut self) {
        self.first_mover();
        for node in self.floor.nodes() {
            let at = self.floor.place(node);
            let moving = self.now(Var::Moving(0, at));
            for direction in Direction::ALL {
                let (go, heading) = (self.go(direction), self.now(Var::Heading(0, at, direction)));
                define_and(self.cnf, MOTION, heading, &[moving, go]);
            }
        }
        for round in 0..self.floor.rounds() {
            self.turning_round(round);
        }
        for node in self.floor.nodes() {
            self.headings_to_leaves(node);
            self.first_arrivals(node);
        }
        for edge in self.floor.edges() {
            let joint = self.floor.joint(edge);
            self.second_arrivals(edge, joint.first, joint.second);
            self.second_arrivals(edge, joint.second, joint.first);
        }
        for node in self.floor.nodes() {
            self.collisions(node);
        }
    }

    /// What the bond at `edge` does with motion of its end `from` in `direction`.
    fn passage(&self, edge: EdgeIndex, from: NodeIndex, direction: Direction) -> Passage {
        let joint = self.floor.joint(edge);
        let other = if from == joint.first { joint.second } else { joint.first };
        let back = self.floor.toward(other, from);
        match joint.swept(direction) {
            Some(Modifier::Weaken) => Passage { level: 2, direction, turns: false },
            Some(Modifier::Rotate) => Passage { level: 1, direction: back, turns: true },
            _ => Passage { level: 1, direction, turns: false },
        }
    }

    fn turning_round(&mut self, round: u8) {
        let quiet = self.now(Var::Quiet(round));
        let mut carried = Vec::new();
        for node in self.floor.nodes() {
            let at = self.floor.place(node);
            let moving = self.now(Var::Moving(round, at));
            let mut reasons = vec![moving];
            for (toward, next, edge) in self.floor.around(node) {
                let reached = self.now(Var::Reached(round, at, toward));
                self.reach(round, node, next, edge, reached);
                reasons.push(reached);
                carried.push(reached);
            }
            let pushed = self.now(Var::Pushed(round, at));
            self.push(round, node, pushed);
            reasons.push(pushed);
            let after = self.now(Var::Moving(round + 1, at));
            define_or(self.cnf, MOTION, after, &reasons);
            self.keep_heading(round, node);
        }
        define_and(self.cnf, MOTION, quiet, &carried.iter().map(|&lit| !lit).collect::<Vec<_>>());
    }

    /// `reached`: the cell is still, and a bond from its moving neighbour `from` carries the
    /// motion to it.
    fn reach(
        &mut self,
        round: u8,
        node: NodeIndex,
        from: NodeIndex,
        edge: EdgeIndex,
        reached: Lit,
    ) {
        let (at, other) = (self.floor.place(node), self.floor.place(from));
        let moving = self.now(Var::Moving(round, at));
        let source = self.now(Var::Moving(round, other));
        self.implies(MOTION, &[reached], &[!moving]);
        self.implies(MOTION, &[reached], &[source]);
        for direction in Direction::ALL {
            let passage = self.passage(edge, from, direction);
            let heading = self.now(Var::Heading(round, other, direction));
            let next = self.now(Var::Heading(round + 1, at, passage.direction));
            let bond = self.bond(edge, passage.level);
            self.implies(MOTION, &[reached, heading], bond.as_slice());
            self.implies(MOTION, &[reached, heading], &[next]);
            if let Some(bond) = bond {
                self.implies(MOTION, &[heading, bond], &[moving, reached]);
            }
        }
    }

    /// `pushed`: the cell's atom is still, no bond carries the motion further, and something
    /// moves towards it.
    fn push(&mut self, round: u8, node: NodeIndex, pushed: Lit) {
        let at = self.floor.place(node);
        let moving = self.now(Var::Moving(round, at));
        let (occupied, quiet) = (self.occupied(node), self.now(Var::Quiet(round)));
        for condition in [!moving, occupied, quiet] {
            self.implies(MOTION, &[pushed], &[condition]);
        }
        let mut pushers = Vec::new();
        for (toward, from, _) in self.floor.around(node) {
            let direction = toward.opposite();
            let heading = self.now(Var::Heading(round, self.floor.place(from), direction));
            let next = self.now(Var::Heading(round + 1, at, direction));
            self.implies(MOTION, &[heading, occupied, quiet], &[moving, pushed]);
            self.implies(MOTION, &[pushed, heading], &[next]);
            pushers.push(heading);
        }
        self.implies(MOTION, &[pushed], &pushers);
    }

    /// A direction once taken stays, and is the only one.
    fn keep_heading(&mut self, round: u8, node: NodeIndex) {
        let at = self.floor.place(node);
        let after = self.now(Var::Moving(round + 1, at));
        let mut headings = Vec::new();
        for direction in Direction::ALL {
            let before = self.now(Var::Heading(round, at, direction));
            let heading = self.now(Var::Heading(round + 1, at, direction));
            self.implies(MOTION, &[before], &[heading]);
            self.implies(MOTION, &[heading], &[after]);
            headings.push(heading);
        }
        self.implies(MOTION, &[after], &headings);
        at_most_one(self.cnf, CLASH, self.t, &headings);
    }

    /// The directions of the last round are those of the move, and none leads into a wall.
    fn headings_to_leaves(&mut self, node: NodeIndex) {
        let (at, rounds) = (self.floor.place(node), self.floor.rounds());
        for direction in Direction::ALL {
            let heading = self.now(Var::Heading(rounds, at, direction));
            match self.leaves(node, direction) {
                Some(leaves) => define_and(self.cnf, MOTION, leaves, &[heading]),
                None => self.implies(WALL, &[heading], &[]),
            }
        }
    }

    /// From where the motion reached a cell first, and whether its way has turned.
    fn first_arrivals(&mut self, node: NodeIndex) {
        let at = self.floor.place(node);
        let turned = self.now(Var::Turned(at));
        let mut arrivals: Vec<Lit> = Vec::new();
        for (toward, from, edge) in self.floor.around(node) {
            let other = self.floor.place(from);
            let arrival = self.now(Var::From(at, toward));
            let rounds: Vec<Lit> = (0..self.floor.rounds())
                .map(|round| self.now(Var::Reached(round, at, toward)))
                .collect();
            define_or(self.cnf, MOTION, arrival, &rounds);
            let turned_before = self.now(Var::Turned(other));
            self.implies(CLASH, &[arrival, turned_before], &[turned]);
            for direction in Direction::ALL {
                if self.passage(edge, from, direction).turns
                    && let Some(leaves) = self.leaves(from, direction)
                {
                    self.implies(CLASH, &[arrival, leaves], &[turned]);
                }
            }
            for &other in &arrivals {
                self.implies(CLASH, &[turned, arrival], &[!other]);
            }
            arrivals.push(arrival);
        }
    }

    /// Motion through a bond that was not the first to bring it to either end: both ends must
    /// agree, and neither may lie behind a turned bond.
    fn second_arrivals(&mut self, edge: EdgeIndex, from: NodeIndex, to: NodeIndex) {
        let (at, other) = (self.floor.place(from), self.floor.place(to));
        let toward = self.floor.toward(from, to);
        let first = self.now(Var::From(other, toward.opposite()));
        let back = self.now(Var::From(at, toward));
        for direction in Direction::ALL {
            let passage = self.passage(edge, from, direction);
            let (Some(leaves), Some(bond)) =
                (self.leaves(from, direction), self.bond(edge, passage.level))
            else {
                continue;
            };
            let second = [leaves, bond];
            let unless = [first, back];
            if passage.turns {
                self.implies(CLASH, &second, &unless);
                continue;
            }
            let same = self.leaves(to, direction);
            self.implies(CLASH, &second, &[&unless[..], same.as_slice()].concat());
            for end in [at, other] {
                let turned = self.now(Var::Turned(end));
                self.implies(CLASH, &second, &[first, back, !turned]);
            }
        }
    }

    /// No two atoms enter a cell, and neighbours do not change places.
    fn collisions(&mut self, node: NodeIndex) {
        let mut entries = Vec::new();
        for (toward, from, _) in self.floor.around(node) {
            entries.extend(self.leaves(from, toward.opposite()));
            let (out, back) = (self.leaves(node, toward), self.leaves(from, toward.opposite()));
            if let (Some(out), Some(back)) = (out, back) {
                self.implies(CLASH, &[out], &[!back]);
            }
        }
        at_most_one(self.cnf, CLASH, self.t, &entries);
    }
}
