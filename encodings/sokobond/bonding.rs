//! Which bonds form after the motion, and the electrons that are free in the end.
//!
//! A candidate is a pair of neighbours, both with a free electron, that is not bonded and was not
//! cut in this step. Strictly, all candidates bond, and the valence refuses the step when an atom
//! has too few electrons for that. Ordered, the pairs are asked one after the other: the variable
//! `left` says that an atom still has an electron when a neighbour's turn comes.

use super::rules::{BONDING, ORDER, StepBuilder, VALENCE};
use super::vars::Var;
use crate::cnf::Lit;
use crate::logic::{define_and, define_or};
use itertools::Itertools;
use petgraph::graph::{EdgeIndex, NodeIndex};
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::Modifier;

/// The order in which an atom looks for partners.
const PARTNERS: [Direction; 4] =
    [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

impl StepBuilder<'_> {
    /// New bonds, and the bonds of the next layer.
    pub fn bonding(&mut self) {
        for node in self.floor.nodes() {
            self.spare_electrons(node);
        }
        for edge in self.floor.edges() {
            self.candidate(edge);
        }
        if !self.floor.strict {
            for node in self.floor.nodes() {
                self.order(node);
            }
        }
        for edge in self.floor.edges() {
            self.new_bond(edge);
        }
        for node in self.floor.nodes() {
            self.free_electrons(node);
        }
    }

    fn spare_electrons(&mut self, node: NodeIndex) {
        let used = self.electrons(node, Self::carried);
        // Strictly it is enough to know of one.
        let most = if self.floor.strict { 1 } else { 4 };
        for count in 1..=most {
            let spare = self.then(Var::Spare(self.floor.place(node), count));
            self.define_spare(BONDING, node, &used, count, spare);
        }
    }

    /// A candidate for a new bond.
    fn candidate(&mut self, edge: EdgeIndex) {
        let joint = self.floor.joint(edge);
        let [first, second] =
            [joint.first, joint.second].map(|end| self.then(Var::Spare(self.floor.place(end), 1)));
        let carried = self.carried(edge, 1);
        let idle = self.now(Var::Idle);
        let mut conditions = vec![first, second, !carried, !idle];
        conditions.extend(self.cuts(edge).into_iter().map(|cut| !cut));
        let candidate = self.then(Var::Candidate(joint.link));
        define_and(self.cnf, BONDING, candidate, &conditions);
    }

    /// For each direction in which a pair can come here whose bond is cut on the way.
    fn cuts(&mut self, edge: EdgeIndex) -> Vec<Lit> {
        let link = self.floor.joint(edge).link;
        let over: Vec<_> = self.floor.arrivals_over(edge, Modifier::Weaken).collect();
        let mut cuts = Vec::new();
        for (direction, from) in over {
            let source = self.floor.joint(from);
            let bond = self.now(Var::Bond(source.link, 1));
            let ends = [source.first, source.second].map(|end| self.leaves(end, direction));
            let [Some(first), Some(second)] = ends else { continue };
            let cut = self.then(Var::Cut(link, direction));
            let double = self.bond(from, 2).map(|double| !double);
            let conditions: Vec<Lit> = [bond, first, second].into_iter().chain(double).collect();
            define_and(self.cnf, BONDING, cut, &conditions);
            cuts.push(cut);
        }
        cuts
    }

    fn new_bond(&mut self, edge: EdgeIndex) {
        let joint = self.floor.joint(edge);
        let candidate = self.then(Var::Candidate(joint.link));
        let new = if self.floor.strict {
            candidate
        } else {
            let new = self.then(Var::New(joint.link));
            let left = |build: &mut Self, end, other| {
                let toward = build.floor.toward(end, other);
                build.then(Var::Left(build.floor.place(end), toward))
            };
            let first = left(self, joint.first, joint.second);
            let second = left(self, joint.second, joint.first);
            define_and(self.cnf, ORDER, new, &[candidate, first, second]);
            new
        };
        let (carried, bond) = (self.carried(edge, 1), self.then(Var::Bond(joint.link, 1)));
        define_or(self.cnf, BONDING, bond, &[carried, new]);
    }

    /// In which order an atom's neighbours have their turn, and what is left for each.
    fn order(&mut self, node: NodeIndex) {
        let at = self.floor.place(node);
        let near: Vec<(Direction, NodeIndex)> =
            self.floor.around(node).map(|(direction, next, _)| (direction, next)).collect();
        for [(d, next), (e, other)] in near.iter().copied().array_combinations() {
            self.earlier(node, (d, next), (e, other));
            let earlier = self.then(Var::Earlier(at, d, e));
            self.taken(node, d, e, earlier);
            self.taken(node, e, d, !earlier);
        }
        for &(toward, _) in &near {
            let taken: Vec<Lit> = near
                .iter()
                .filter(|&&(other, _)| other != toward)
                .map(|&(other, _)| self.then(Var::Taken(at, other, toward)))
                .collect();
            self.left(node, toward, &taken);
        }
    }

    /// Which of two neighbours has its turn first depends on which of the three have moved: atoms
    /// that moved ask first, in reading order, then the others.
    fn earlier(
        &mut self,
        node: NodeIndex,
        (d, next): (Direction, NodeIndex),
        (e, other): (Direction, NodeIndex),
    ) {
        let cells = [node, next, other];
        let arrived = cells.map(|cell| self.then(Var::Arrived(self.floor.place(cell))));
        let earlier = self.then(Var::Earlier(self.floor.place(node), d, e));
        let turn = |moved: [bool; 3], partner: usize, toward: Direction| {
            let rank = |d| PARTNERS.iter().position(|&partner| partner == d);
            let own = (!moved[0], cells[0], rank(toward));
            own.min((!moved[partner], cells[partner], rank(toward.opposite())))
        };
        for moved in (0..3).map(|_| [false, true]).multi_cartesian_product() {
            let moved = [moved[0], moved[1], moved[2]];
            let premises: Vec<Lit> =
                arrived.iter().zip(moved).map(|(&lit, yes)| lit.when(yes)).collect();
            let first = turn(moved, 1, d) < turn(moved, 2, e);
            self.implies(ORDER, &premises, &[earlier.when(first)]);
        }
    }

    /// The bond with the neighbour in direction `d` takes an electron before the turn of the one
    /// in direction `e`.
    fn taken(&mut self, node: NodeIndex, d: Direction, e: Direction, earlier: Lit) {
        let Some(edge) = self.floor.edge(node, d) else { return };
        let new = self.then(Var::New(self.floor.joint(edge).link));
        let taken = self.then(Var::Taken(self.floor.place(node), d, e));
        define_and(self.cnf, ORDER, taken, &[new, earlier]);
    }

    /// An electron is left exactly when more are spare than have been taken.
    fn left(&mut self, node: NodeIndex, toward: Direction, taken: &[Lit]) {
        let at = self.floor.place(node);
        let left = self.then(Var::Left(at, toward));
        for count in 0..=taken.len() {
            let spare = self.then(Var::Spare(at, count as u8 + 1));
            for some in taken.iter().copied().combinations(count) {
                // All of these taken, and no more than these spare.
                self.implies(ORDER, &some, &[spare, !left]);
                // None but these taken, and more than these spare.
                let others: Vec<Lit> =
                    taken.iter().filter(|lit| !some.contains(lit)).copied().collect();
                self.implies(ORDER, &[spare], &[&others[..], &[left]].concat());
            }
        }
    }

    /// The valence, and what is free at the end of the step.
    fn free_electrons(&mut self, node: NodeIndex) {
        let at = self.floor.place(node);
        let used = self.electrons(node, |build, edge, level| {
            build.then(Var::Bond(build.floor.joint(edge).link, level))
        });
        for &element in &self.floor.elements {
            let atom = self.then(Var::Atom(at, element));
            self.if_more(VALENCE, atom, &used, element.valence().into(), None);
        }
        let free = self.then(Var::Free(at));
        self.define_spare(VALENCE, node, &used, 1, free);
    }
}
