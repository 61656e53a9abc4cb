//! From models back to paths, and the loops that models may contain.

use super::FlowEdges;
use super::vars::Var;
use crate::cnf::{Assignment, Cnf, Lit, Name};
use crate::encoding::DecodeError;
use std::collections::{BTreeSet, HashSet};
use unstuck_puzzles::flow::{Flow, Solution};

impl FlowEdges {
    /// For each node the nodes that the model joins it to.
    pub(super) fn joints(&self, assignment: Assignment<'_, Var>) -> Vec<Vec<usize>> {
        let mut joints = vec![Vec::new(); self.board.nodes()];
        for &[a, b] in self.board.edges() {
            if assignment.holds(0, self.edge_var(a, b)) {
                joints[a].push(b);
                joints[b].push(a);
            }
        }
        joints
    }

    pub(super) fn paths(&self, assignment: Assignment<'_, Var>) -> Result<Solution, DecodeError> {
        let joints = self.joints(assignment);
        let flows = self.board.pairs().iter().map(|pair| {
            let [start, end] = pair.ends;
            let path = walk(&joints, start);
            if path.last() != Some(&end) {
                let label = &pair.label;
                return Err(DecodeError(format!("the path of {label} does not reach its end")));
            }
            let cells = path.iter().map(|&node| self.board.cell_of(node).name.clone()).collect();
            Ok(Flow { label: pair.label.clone(), cells })
        });
        Ok(Solution { flows: flows.collect::<Result<_, _>>()? })
    }

    /// For each loop that no terminus lies on: a path that passes here leaves the loop's nodes.
    pub(super) fn loop_cuts(&self, assignment: Assignment<'_, Var>) -> Vec<(String, Vec<Lit>)> {
        let joints = self.joints(assignment);
        let mut seen = vec![false; joints.len()];
        for node in (0..joints.len()).filter(|&node| self.termini[node].is_some()) {
            walk(&joints, node).into_iter().for_each(|node| seen[node] = true);
        }
        let mut cuts = Vec::new();
        for start in 0..joints.len() {
            if seen[start] || joints[start].is_empty() {
                continue;
            }
            let nodes: BTreeSet<usize> = walk(&joints, start).into_iter().collect();
            nodes.iter().for_each(|&node| seen[node] = true);
            let name = format!("loop({};{})", self.sites[start], nodes.len());
            cuts.push((name, self.cut(start, &nodes, assignment)));
        }
        cuts
    }

    fn cut(
        &self,
        start: usize,
        nodes: &BTreeSet<usize>,
        assignment: Assignment<'_, Var>,
    ) -> Vec<Lit> {
        let get = |variable| assignment.cnf.get(0, variable);
        let outside = |node: usize| {
            let others = self.board.neighbours(node).iter();
            others.filter(|other| !nodes.contains(other)).map(move |&other| (node, other))
        };
        let leaving = nodes.iter().flat_map(|&node| outside(node));
        let mut clause: Vec<Lit> =
            leaving.filter_map(|(node, other)| get(self.edge_var(node, other))).collect();
        if !self.board.cover() {
            clause.extend(get(Var::Used(self.sites[start])).map(|lit| !lit));
        }
        clause
    }

    /// Whether a clause says that one of some edges is on (or a node is not used), where without
    /// these edges no terminus can be reached from a node that must be used (from that node): then
    /// a path passes there only by one of them.
    pub(super) fn separates(&self, clause: &[Lit], cnf: &Cnf<Var>) -> bool {
        let mut away = HashSet::new();
        let mut used = None;
        for lit in clause {
            match cnf.atom(lit.number()).map(|atom| atom.name) {
                Some(Name::Of(joined @ Var::Joined(..))) if lit.is_positive() => {
                    away.insert(joined);
                }
                Some(Name::Of(Var::Used(site))) if !lit.is_positive() && used.is_none() => {
                    used = Some(site);
                }
                _ => return false,
            }
        }
        let mut reached: Vec<bool> = self.termini.iter().map(Option::is_some).collect();
        let mut open: Vec<usize> = (0..reached.len()).filter(|&node| reached[node]).collect();
        while let Some(node) = open.pop() {
            for &other in self.board.neighbours(node) {
                if !reached[other] && !away.contains(&self.edge_var(node, other)) {
                    reached[other] = true;
                    open.push(other);
                }
            }
        }
        let mut lost = (0..reached.len()).filter(|&node| !reached[node]);
        match used {
            Some(site) => lost.any(|node| self.sites[node] == site),
            None => self.board.cover() && lost.next().is_some(),
        }
    }

    /// The edges that are on: with the same ends no other solution has them all.
    pub(super) fn edges_on(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        let on = |&&[a, b]: &&[usize; 2]| assignment.holds(0, self.edge_var(a, b));
        let edges = self.board.edges().iter().filter(on);
        edges.filter_map(|&[a, b]| assignment.cnf.get(0, self.edge_var(a, b))).collect()
    }
}

/// Follows the joints from a node until a path ends or comes back.
fn walk(joints: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut path = vec![start];
    let (mut before, mut here) = (start, start);
    while let Some(&next) = joints[here].iter().find(|&&next| next != before) {
        if next == start {
            break;
        }
        path.push(next);
        (before, here) = (here, next);
    }
    path
}
