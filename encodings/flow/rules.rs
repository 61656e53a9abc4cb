//! The clauses.

use super::FlowEdges;
use super::cycles::short_cycles;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule};
use crate::logic;
use itertools::Itertools;
use std::collections::BTreeSet;

/// A path ends at its termini and nowhere else: one edge there, two or none elsewhere.
pub const DEGREE: Rule = Rule::defining("degree");

/// A terminus has the number of its pair.
pub const TERMINUS: Rule = Rule::defining("terminus");

/// Joined neighbours have one colour.
pub const ONE_COLOUR: Rule = Rule::defining("one-colour");

/// Neighbours of one colour are joined.
pub const NO_TOUCH: Rule = Rule::defining("no-touch");

/// A path does not run around a short cycle; where it may not touch itself it leaves out two of
/// the cycle's edges at least, because the last cells of the others would touch.
pub const SHORT_CYCLE: Rule = Rule::strengthening("short-cycle");

/// Up to this many edges at a node "at most two" is written out as triples.
const TRIPLES: usize = 6;

/// Longest cycles that get a clause when paths may not touch themselves.
const STRICT_CYCLES: usize = 4;

/// Longest cycles that get a clause when they may.
const LOOSE_CYCLES: usize = 8;

impl FlowEdges {
    pub(super) fn joined(&self, a: usize, b: usize, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(0, self.edge_var(a, b))
    }

    fn edges_at(&self, node: usize, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.board.neighbours(node).iter().map(|&other| self.joined(node, other, cnf)).collect()
    }

    pub(super) fn colour(&self, node: usize, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        (0..self.bits).map(|bit| cnf.lit(0, Var::Colour(self.sites[node], bit))).collect()
    }

    /// The colours of both ends of an edge, looked up once for each node.
    fn colours_of(
        &self,
        [a, b]: [usize; 2],
        known: &mut [Vec<Lit>],
        cnf: &mut Cnf<Var>,
    ) -> Vec<(Lit, Lit)> {
        for node in [a, b] {
            if known[node].is_empty() {
                known[node] = self.colour(node, cnf);
            }
        }
        known[a].iter().copied().zip(known[b].iter().copied()).collect()
    }

    /// The literal that says that a path passes a node; `None` where one always does.
    pub(super) fn used(&self, node: usize, cnf: &mut Cnf<Var>) -> Option<Lit> {
        let free = !self.board.cover() && self.termini[node].is_none();
        free.then(|| cnf.lit(0, Var::Used(self.sites[node])))
    }

    /// A path passes every node.
    pub(super) fn all_used(&self, cnf: &mut Cnf<Var>) {
        for node in 0..self.board.nodes() {
            if let Some(used) = self.used(node, cnf) {
                cnf.add(DEGREE, [used]);
            }
        }
    }

    pub(super) fn degrees(&self, cnf: &mut Cnf<Var>) {
        for node in 0..self.board.nodes() {
            let edges = self.edges_at(node, cnf);
            if self.termini[node].is_some() {
                logic::exactly_one(cnf, DEGREE, 0, &edges);
                continue;
            }
            let used = self.used(node, cnf);
            at_most_two(cnf, &edges);
            // Two of them hold if one of them holds whichever is left out.
            if edges.len() < 2 {
                cnf.add(DEGREE, used.map(|lit| !lit));
            }
            for skipped in &edges {
                let rest = edges.iter().copied().filter(|edge| edge != skipped);
                let clause: Vec<_> = rest.chain(used.map(|lit| !lit)).collect();
                cnf.add(DEGREE, clause);
                if let Some(used) = used {
                    cnf.add(DEGREE, [!*skipped, used]);
                }
            }
        }
    }

    pub(super) fn colours(&self, cnf: &mut Cnf<Var>) {
        for (node, pair) in self.termini.iter().enumerate() {
            if let Some(pair) = pair {
                for (bit, lit) in self.colour(node, cnf).into_iter().enumerate() {
                    cnf.add(TERMINUS, [lit.when(pair >> bit & 1 == 1)]);
                }
            }
        }
        let mut known = vec![Vec::new(); self.board.nodes()];
        for &[a, b] in self.board.edges() {
            let joined = self.joined(a, b, cnf);
            for (x, y) in self.colours_of([a, b], &mut known, cnf) {
                cnf.add(ONE_COLOUR, [!joined, !x, y]);
                cnf.add(ONE_COLOUR, [!joined, x, !y]);
            }
        }
    }

    /// Two neighbours are joined, or differ in a bit, or one of them is on no path; with what follows
    /// for short cycles.
    pub(super) fn no_touch(&self, cnf: &mut Cnf<Var>) {
        let mut known = vec![Vec::new(); self.board.nodes()];
        for &[a, b] in self.board.edges() {
            let mut clause = vec![self.joined(a, b, cnf)];
            for (bit, (x, y)) in (0..).zip(self.colours_of([a, b], &mut known, cnf)) {
                let differ = cnf.lit(0, Var::Differ(self.sites[a], self.sites[b], bit));
                cnf.add(NO_TOUCH, [!differ, x, y]);
                cnf.add(NO_TOUCH, [!differ, !x, !y]);
                clause.push(differ);
            }
            for node in [a, b] {
                clause.extend(self.used(node, cnf).map(|lit| !lit));
            }
            cnf.add(NO_TOUCH, clause);
        }
        self.strict_cycles(cnf);
    }

    /// Short cycles where paths may not touch themselves.
    fn strict_cycles(&self, cnf: &mut Cnf<Var>) {
        if !cnf.keeps(SHORT_CYCLE) {
            return;
        }
        for cycle in short_cycles(&self.graph, STRICT_CYCLES) {
            let edges = self.edges_of(&cycle, cnf);
            for left_out in &edges {
                cnf.add(SHORT_CYCLE, edges.iter().filter(|&e| e != left_out).map(|&e| !e));
            }
        }
    }

    /// Short cycles where they may.
    pub(super) fn loose_cycles(&self, cnf: &mut Cnf<Var>) {
        if !cnf.keeps(SHORT_CYCLE) {
            return;
        }
        let mut known = BTreeSet::new();
        for cycle in short_cycles(&self.graph, LOOSE_CYCLES) {
            // A path that ends on the cycle leaves out an edge there anyway.
            if cycle.iter().any(|&node| self.termini[node].is_some()) {
                continue;
            }
            let nodes: BTreeSet<usize> = cycle.iter().copied().collect();
            if self.board.cover() {
                if known.insert(nodes.clone()) {
                    let leaving = self.leaving(&nodes, cnf);
                    cnf.add(SHORT_CYCLE, leaving);
                }
            } else {
                let edges = self.edges_of(&cycle, cnf);
                cnf.add(SHORT_CYCLE, edges.into_iter().map(|edge| !edge));
            }
        }
    }

    fn edges_of(&self, cycle: &[usize], cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let steps = cycle.iter().circular_tuple_windows();
        steps.map(|(&a, &b)| self.joined(a, b, cnf)).collect()
    }

    /// The edges that leave a set of nodes.
    fn leaving(&self, nodes: &BTreeSet<usize>, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let mut leaving = Vec::new();
        for &node in nodes {
            for other in self.board.neighbours(node).iter().filter(|other| !nodes.contains(other)) {
                leaving.push(self.joined(node, *other, cnf));
            }
        }
        leaving
    }
}

/// At most two of the edges at a node hold.
fn at_most_two(cnf: &mut Cnf<Var>, edges: &[Lit]) {
    if edges.len() <= TRIPLES {
        for triple in edges.iter().copied().array_combinations::<3>() {
            cnf.add(DEGREE, triple.map(|edge| !edge));
        }
    } else {
        logic::at_most(cnf, DEGREE, 0, edges, 2);
    }
}
