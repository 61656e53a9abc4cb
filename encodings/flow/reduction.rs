//! Smaller solutions where cells may stay empty and paths may touch themselves.
//!
//! Two steps make another solution of one. A *shortcut*: where two neighbours on one path are not
//! joined, they are, and what was between them is left empty. A *flip*: where a path turns in a
//! node of a square whose opposite node is empty and has a lower number, it turns there instead. A
//! shortcut leaves fewer edges, a flip as many and a lower sum of numbers, so steps come to an end:
//! if there is a solution, there is one that allows no step, and these alone can be looked for.
//!
//! They also show that a solution S is the only one. If there is another one that allows no step,
//! it is found. Else steps lead from any other solution to S, and the last of them can be taken
//! back: around an edge of S through empty nodes, or across a square to an empty node. Where S
//! allows neither, it is the only one.

use super::FlowEdges;
use super::cycles::short_cycles;
use super::vars::Var;
use crate::cnf::{Assignment, Cnf, Rule};
use petgraph::unionfind::UnionFind;

/// Where a path may as well turn in an empty node with a lower number, it does.
pub const FLIP: Rule = Rule::strengthening("flip");

impl FlowEdges {
    /// Whether steps lead from solutions to solutions.
    fn has_steps(&self) -> bool {
        !self.strict && !self.board.cover() && self.board.path_constraints().is_empty()
    }

    /// Leaves only solutions that allow no step.
    pub(super) fn reduce(&self, cnf: &mut Cnf<Var>) -> bool {
        if !self.has_steps() {
            return false;
        }
        self.no_touch(cnf);
        for [before, node, after, opposite] in self.corners() {
            let empty = self.used(opposite, cnf).filter(|_| opposite < node);
            if let (Some(used), true) = (empty, self.termini[node].is_none()) {
                let joined = [before, after].map(|other| !self.joined(other, node, cnf));
                cnf.add(FLIP, joined.into_iter().chain([used]));
            }
        }
        true
    }

    /// Whether there are steps, and none leads to the solution of a model.
    pub(super) fn is_rigid(&self, assignment: Assignment<'_, Var>) -> bool {
        if !self.has_steps() {
            return false;
        }
        let joints = self.joints(assignment);
        let is_empty = |node: usize| joints[node].is_empty();
        let mut empty = UnionFind::new(joints.len());
        for &[a, b] in self.board.edges() {
            if is_empty(a) && is_empty(b) {
                empty.union(a, b);
            }
        }
        let beside = |node: usize| {
            let others = self.board.neighbours(node).iter().filter(|&&other| is_empty(other));
            others.map(|&other| empty.find(other)).collect::<Vec<_>>()
        };
        let has_way_around = |&[a, b]: &[usize; 2]| {
            let parts = beside(a);
            joints[a].contains(&b) && beside(b).iter().any(|part| parts.contains(part))
        };
        let can_flip = |[before, node, after, opposite]: [usize; 4]| {
            is_empty(opposite) && [before, after].iter().all(|other| joints[node].contains(other))
        };
        !self.board.edges().iter().any(has_way_around) && !self.corners().any(can_flip)
    }

    /// The corners of squares: a node between two others, and the one opposite to it.
    fn corners(&self) -> impl Iterator<Item = [usize; 4]> {
        let squares = short_cycles(&self.graph, 4).into_iter();
        squares.filter_map(|cycle| <[usize; 4]>::try_from(cycle).ok()).flat_map(|square| {
            let corner = move |at| [0usize, 1, 2, 3].map(|nth| square[(at + nth) % 4]);
            (0..4).map(corner)
        })
    }
}
