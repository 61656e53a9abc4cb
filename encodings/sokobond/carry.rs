//! Where atoms and bonds are after the motion, and what the modifiers leave of the bonds.

use super::rules::{ARRIVAL, CARRY, FRAME, PLAYER, STRENGTHEN, StepBuilder};
use super::vars::Var;
use crate::cnf::Lit;
use crate::logic::{at_most_one, define_and, define_or};
use petgraph::graph::{EdgeIndex, NodeIndex};
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::Modifier;

/// A way in which a bond can come to a place when bonds turn: the literal that says it does, where
/// from, and whether over `/`.
struct Source {
    selector: Lit,
    edge: EdgeIndex,
    weakens: bool,
}

impl StepBuilder<'_> {
    /// The player's cell and the contents of all cells after the step.
    pub fn contents(&mut self) {
        for node in self.floor.nodes() {
            self.player(node);
            self.content(node);
        }
    }

    fn player(&mut self, node: NodeIndex) {
        let at = self.floor.place(node);
        let (player, idle) = (self.now(Var::Player(at)), self.now(Var::Idle));
        let after = self.then(Var::Player(at));
        self.implies(PLAYER, &[player, idle], &[after]);
        self.implies(PLAYER, &[after, idle], &[player]);
        for direction in Direction::ALL {
            let go = self.go(direction);
            if let Some(next) = self.floor.next(node, direction) {
                let next = self.then(Var::Player(self.floor.place(next)));
                self.implies(PLAYER, &[player, go], &[next]);
            }
            let from = self.floor.next(node, direction.opposite());
            let from = from.map(|from| self.now(Var::Player(self.floor.place(from))));
            self.implies(PLAYER, &[after, go], from.as_slice());
        }
    }

    fn content(&mut self, node: NodeIndex) {
        let at = self.floor.place(node);
        let (occupied, moves) = (self.occupied(node), self.moves(node));
        let mut entries = Vec::new();
        for (toward, from, _) in self.floor.around(node) {
            let Some(entry) = self.leaves(from, toward.opposite()) else { continue };
            for &element in &self.floor.elements {
                let (atom, after) = (self.atom(from, element), self.then(Var::Atom(at, element)));
                self.implies(ARRIVAL, &[entry, atom], &[after]);
            }
            entries.push(entry);
        }
        let mut kinds = Vec::new();
        for &element in &self.floor.elements {
            let (atom, after) = (self.atom(node, element), self.then(Var::Atom(at, element)));
            self.implies(FRAME, &[atom], &[moves, after]);
            kinds.push(after);
        }
        let after = self.then(Var::Occupied(at));
        self.implies(FRAME, &[after], &[&entries[..], &[occupied]].concat());
        self.implies(FRAME, &[after], &[&entries[..], &[!moves]].concat());
        define_or(self.cnf, ARRIVAL, after, &kinds);
        at_most_one(self.cnf, ARRIVAL, self.t + 1, &kinds);
        if !self.floor.strict {
            let arrived = self.then(Var::Arrived(at));
            define_or(self.cnf, ARRIVAL, arrived, &entries);
        }
    }

    /// The bonds after the motion, where all bonds move in the direction of the move.
    pub fn carry(&mut self) {
        for edge in self.floor.edges() {
            for level in 1..=self.floor.levels {
                self.carry_level(edge, level);
            }
        }
    }

    fn carry_level(&mut self, edge: EdgeIndex, level: u8) {
        let joint = self.floor.joint(edge);
        let ends = [self.moves(joint.first), self.moves(joint.second)];
        let idle = self.now(Var::Idle);
        let bond = self.bond(edge, level);
        let after = self.weakened(edge, level);
        if let Some(bond) = bond {
            self.implies(CARRY, &[bond], &[ends[0], ends[1], after]);
        }
        self.implies(CARRY, &[after, idle], bond.as_slice());
        for direction in Direction::ALL {
            let go = self.go(direction);
            let Some(from) = self.floor.shifted(edge, direction.opposite()) else {
                self.implies(CARRY, &[after, go], bond.as_slice());
                ends.iter().for_each(|&end| self.implies(CARRY, &[after, go], &[!end]));
                continue;
            };
            let source = self.floor.joint(from);
            let weakens = source.swept(direction) == Some(Modifier::Weaken);
            let moves = self.moves(source.first);
            let before = self.bond(from, level + u8::from(weakens));
            // A bond with a moving end arrives here, and nothing else does.
            if let Some(before) = before {
                self.implies(CARRY, &[go, moves, before], &[after]);
            }
            self.implies(CARRY, &[after, go, moves], before.as_slice());
            // Where nothing arrives, only a bond at rest is left.
            self.implies(CARRY, &[after, go], &[bond.as_slice(), &[moves]].concat());
            ends.iter().for_each(|&end| self.implies(CARRY, &[after, go], &[moves, !end]));
        }
    }

    /// The bonds after the motion, where each bond moves in its own direction and some turn.
    pub fn carry_turning(&mut self) {
        for edge in self.floor.edges() {
            let sources = self.sources(edge);
            let selectors: Vec<Lit> = sources.iter().map(|source| source.selector).collect();
            let single = self.weakened(edge, 1);
            self.implies(CARRY, &[single], &selectors);
            for level in 1..=self.floor.levels {
                let after = self.weakened(edge, level);
                for source in &sources {
                    let before = self.bond(source.edge, level + u8::from(source.weakens));
                    if let Some(before) = before {
                        self.implies(CARRY, &[source.selector, before], &[after]);
                    }
                    self.implies(CARRY, &[source.selector, after], before.as_slice());
                }
                if level > 1 {
                    let lower = self.weakened(edge, level - 1);
                    self.implies(CARRY, &[after], &[lower]);
                }
            }
        }
    }

    /// All ways in which a bond can come to a place.
    fn sources(&mut self, edge: EdgeIndex) -> Vec<Source> {
        let joint = self.floor.joint(edge);
        let mut sources = Vec::new();
        let ends = [self.moves(joint.first), self.moves(joint.second)];
        let bond = self.now(Var::Bond(joint.link, 1));
        let stays = self.now(Var::Stays(joint.link));
        define_and(self.cnf, CARRY, stays, &[bond, !ends[0], !ends[1]]);
        sources.push(Source { selector: stays, edge, weakens: false });
        for direction in Direction::ALL {
            let Some(from) = self.floor.shifted(edge, direction.opposite()) else { continue };
            let source = self.floor.joint(from);
            let weakens = source.swept(direction) == Some(Modifier::Weaken);
            let bond = self.now(Var::Bond(source.link, 1));
            let ends = [source.first, source.second].map(|end| self.leaves(end, direction));
            let [Some(first), Some(second)] = ends else { continue };
            let selector = self.now(Var::Shifts(source.link, direction));
            define_and(self.cnf, CARRY, selector, &[bond, first, second]);
            sources.push(Source { selector, edge: from, weakens });
        }
        // One end has gone to the other side of this edge, the other end has followed into its
        // cell.
        for (old, new) in [(joint.first, joint.second), (joint.second, joint.first)] {
            let direction = self.floor.toward(old, new);
            for (toward, partner, from) in self.floor.around(old) {
                if self.floor.joint(from).swept(direction) != Some(Modifier::Rotate) {
                    continue;
                }
                let bond = self.now(Var::Bond(self.floor.joint(from).link, 1));
                let ends = [self.leaves(old, direction), self.leaves(partner, toward.opposite())];
                let [Some(leads), Some(follows)] = ends else { continue };
                let selector = self.now(Var::Turns(self.floor.place(old), direction, toward));
                define_and(self.cnf, CARRY, selector, &[bond, leads, follows]);
                sources.push(Source { selector, edge: from, weakens: false });
            }
        }
        sources
    }

    /// What `+` adds to the bonds that sweep over it. If one electron is wanted twice, the valence
    /// is exceeded: the move is forbidden.
    pub fn strengthen(&mut self) {
        let touched: Vec<EdgeIndex> =
            self.floor.edges().filter(|&edge| self.floor.is_strengthened(edge)).collect();
        let mut cells: Vec<NodeIndex> = Vec::new();
        for &edge in &touched {
            let joint = self.floor.joint(edge);
            cells.extend([joint.first, joint.second]);
        }
        cells.sort_unstable();
        cells.dedup();
        for node in cells {
            let used = self.electrons(node, Self::weakened);
            let spared = self.then(Var::Spared(self.floor.place(node)));
            self.define_spare(STRENGTHEN, node, &used, 1, spared);
        }
        for edge in touched {
            self.strengthened(edge);
        }
    }

    fn strengthened(&mut self, edge: EdgeIndex) {
        let joint = self.floor.joint(edge);
        let ends = [joint.first, joint.second];
        let [first, second] = ends.map(|end| self.then(Var::Spared(self.floor.place(end))));
        let single = self.weakened(edge, 1);
        let plus = self.then(Var::Strengthened(joint.link));
        let over: Vec<_> = self.floor.arrivals_over(edge, Modifier::Strengthen).collect();
        let mut sweeps = Vec::new();
        for (direction, from) in over {
            let source = self.floor.joint(from);
            let arrives = if self.floor.rotates {
                self.now(Var::Shifts(source.link, direction))
            } else {
                self.now(Var::Leaves(self.floor.place(source.first), direction))
            };
            let sweep = self.then(Var::Sweeps(joint.link, direction));
            define_and(self.cnf, STRENGTHEN, sweep, &[arrives, single]);
            self.implies(STRENGTHEN, &[sweep, first, second], &[plus]);
            sweeps.push(sweep);
        }
        self.implies(STRENGTHEN, &[plus], &sweeps);
        self.implies(STRENGTHEN, &[plus], &[first]);
        self.implies(STRENGTHEN, &[plus], &[second]);
        for level in 1..=self.floor.levels {
            let (before, after) = (self.weakened(edge, level), self.carried(edge, level));
            self.implies(STRENGTHEN, &[before], &[after]);
            if level == 1 {
                self.implies(STRENGTHEN, &[after], &[before]);
            } else {
                let lower = self.weakened(edge, level - 1);
                self.implies(STRENGTHEN, &[plus, lower], &[after]);
                self.implies(STRENGTHEN, &[after], &[before, plus]);
                self.implies(STRENGTHEN, &[after], &[before, lower]);
            }
        }
    }
}
