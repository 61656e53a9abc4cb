//! Strengthening: plans in a canonical order.
//!
//! A step is *free* when it only carries the player's molecule one cell further: it pushes
//! nothing, no bond forms, and no bond sweeps a modifier; every other step is an *event*. Two free
//! steps in opposite directions lead back. A free step up or down and then a free step to a side
//! can be exchanged, unless something is in the way there: of all shortest plans the first one in
//! alphabetical order (sides before up and down) does no such thing, and it never turns back.

use super::rules::StepBuilder;
use super::vars::Var;
use crate::cnf::{Lit, Rule};
use petgraph::graph::NodeIndex;
use unstuck_puzzles::Direction;

/// Free steps do not lead back.
pub(super) const TURN_BACK: Rule = Rule::strengthening("turn-back");
/// Free steps to a side come before free steps up and down.
pub(super) const SIDE_FIRST: Rule = Rule::strengthening("side-first");
/// What makes a step an event, or an exchange impossible.
pub(super) const EVENT: Rule = Rule::strengthening("event");

impl StepBuilder<'_> {
    /// The canonical order of two steps that follow each other.
    pub fn canonical_order(&mut self) {
        self.event();
        let events = [self.now(Var::Event), self.then(Var::Event)];
        for first in Direction::ALL {
            let go = self.go(first);
            let back = self.then(Var::Go(first.opposite()));
            self.implies(TURN_BACK, &[go, back], &events);
        }
        for first in [Direction::Up, Direction::Down] {
            for side in [Direction::Left, Direction::Right] {
                let (go, then) = (self.go(first), self.then(Var::Go(side)));
                let [event, next] = events;
                let in_the_way = self.now(Var::InTheWay(first, side));
                self.implies(SIDE_FIRST, &[go, then], &[event, next, in_the_way]);
                self.in_the_way(first, side, in_the_way);
            }
        }
    }

    /// A step is an event only if something makes it one.
    fn event(&mut self) {
        let mut signs = Vec::new();
        for edge in self.floor.edges() {
            let joint = self.floor.joint(edge);
            let new = if self.floor.strict { Var::Candidate } else { Var::New };
            signs.push(self.then(new(joint.link)));
            for direction in Direction::ALL.into_iter().filter(|&d| joint.swept(d).is_some()) {
                let bond = self.now(Var::Bond(joint.link, 1));
                let ends = [joint.first, joint.second].map(|end| self.leaves(end, direction));
                let sweeping = self.now(Var::Sweeping(joint.link, direction));
                self.implies(EVENT, &[sweeping], &[bond]);
                self.implies(EVENT, &[sweeping], &ends.into_iter().flatten().collect::<Vec<_>>());
                signs.push(sweeping);
            }
        }
        for node in self.floor.nodes() {
            for (direction, next, edge) in self.floor.around(node) {
                let Some(leaves) = self.leaves(node, direction) else { continue };
                let pushes = self.now(Var::Pushes(self.floor.place(node), direction));
                let (occupied, bond) =
                    (self.occupied(next), self.now(Var::Bond(self.floor.joint(edge).link, 1)));
                self.implies(EVENT, &[pushes], &[leaves]);
                self.implies(EVENT, &[pushes], &[occupied]);
                self.implies(EVENT, &[pushes], &[!bond]);
                signs.push(pushes);
            }
        }
        let event = self.now(Var::Event);
        self.implies(EVENT, &[event], &signs);
    }

    /// A step to a side instead of a free step up or down would do more than to move the
    /// molecule, or the step after it would.
    fn in_the_way(&mut self, first: Direction, side: Direction, in_the_way: Lit) {
        let mut signs = Vec::new();
        for node in self.floor.nodes() {
            let at = self.floor.place(node);
            let moves = self.moves(node);
            let Some(beside) = self.floor.next(node, side) else {
                signs.push(moves);
                continue;
            };
            let (occupied, moving) = (self.occupied(beside), self.moves(beside));
            let hits = self.now(Var::Hits(at, side));
            self.implies(EVENT, &[hits], &[moves]);
            self.implies(EVENT, &[hits], &[occupied]);
            self.implies(EVENT, &[hits], &[!moving]);
            signs.push(hits);
            for (toward, partner, _) in self.floor.around(beside) {
                if partner != node {
                    signs.push(self.would_bond(node, side, toward, partner));
                }
            }
        }
        for edge in self.floor.edges() {
            let joint = self.floor.joint(edge);
            let shifted = self.floor.shifted(edge, side).map(|edge| self.floor.joint(edge));
            let later = shifted.is_some_and(|joint| joint.swept(first).is_some());
            if later || joint.swept(side).is_some() {
                let carried = self.now(Var::MovingBond(joint.link));
                let bond = self.now(Var::Bond(joint.link, 1));
                let moves = self.moves(joint.first);
                self.implies(EVENT, &[carried], &[bond]);
                self.implies(EVENT, &[carried], &[moves]);
                signs.push(carried);
            }
        }
        self.implies(EVENT, &[in_the_way], &signs);
    }

    /// After a step to a side, the atom of a cell would have a partner for a bond.
    fn would_bond(
        &mut self,
        node: NodeIndex,
        side: Direction,
        toward: Direction,
        partner: NodeIndex,
    ) -> Lit {
        let (at, other) = (self.floor.place(node), self.floor.place(partner));
        let meets = self.now(Var::Meets(at, side, toward));
        let conditions = [
            self.moves(node),
            self.now(Var::Free(at)),
            !self.moves(partner),
            self.now(Var::Free(other)),
        ];
        conditions.into_iter().for_each(|lit| self.implies(EVENT, &[meets], &[lit]));
        meets
    }
}
