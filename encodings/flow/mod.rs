//! Flow as clauses: which neighbours are joined, and which pair each node belongs to.
//!
//! One variable for each edge, and the number of its pair in binary for each node. The degree of
//! each node makes paths and loops; equal numbers along joined edges keep paths apart; where paths
//! may not touch themselves, neighbours that are not joined differ in a bit. Loops are left open
//! and cut when a model has one ([`Encoding::refine`]). There is no time: everything is layer 0.
//!
//! What clauses on cycles of three and four edges gain, and how this compares with one variable
//! for each node and colour, is measured in the chapter on Flow of the book.

mod bounds;
mod cycles;
mod decode;
mod rules;
#[cfg(test)]
mod tests;
mod vars;

pub use bounds::{Obstacle, obstacle};
pub use rules::{DEGREE, NO_TOUCH, ONE_COLOUR, SHORT_CYCLE, TERMINUS};
pub use vars::{Site, Var};

use crate::cnf::{Assignment, Cnf, Lit, Step};
use crate::encoding::{DecodeError, Encoding};
use petgraph::graph::UnGraph;
use unstuck_puzzles::flow::{Board, Solution, Touch};
use unstuck_puzzles::{Facts, Objective};

/// The encoding of a board under one rule on touching; [`Touch::Auto`] is taken as
/// [`Touch::Allow`].
pub struct FlowEncoding {
    board: Board,
    graph: UnGraph<(), ()>,
    sites: Vec<Site>,
    termini: Vec<Option<usize>>,
    /// Bits of the number of a pair.
    bits: u8,
    strict: bool,
    obstacle: Option<Obstacle>,
}

impl FlowEncoding {
    fn edge_var(&self, a: usize, b: usize) -> Var {
        Var::Joined(self.sites[a.min(b)], self.sites[a.max(b)])
    }
}

impl Encoding for FlowEncoding {
    type Puzzle = Board;
    type Var = Var;

    const NAME: &'static str = "edges and binary colours";

    fn new(board: &Board, _objective: Objective) -> Self {
        let mut graph = UnGraph::with_capacity(board.nodes(), board.edges().len());
        let nodes: Vec<_> = (0..board.nodes()).map(|_| graph.add_node(())).collect();
        for &[a, b] in board.edges() {
            graph.add_edge(nodes[a], nodes[b], ());
        }
        Self {
            sites: (0..board.nodes()).map(|node| Site::new(board, node)).collect(),
            termini: board.termini(),
            bits: board.pairs().len().next_power_of_two().trailing_zeros() as u8,
            strict: board.touch() == Touch::Never,
            obstacle: obstacle(board, &graph),
            board: board.clone(),
            graph,
        }
    }

    fn lower_bound(&self) -> Option<Step> {
        self.obstacle.is_none().then_some(0)
    }

    fn hopeless(&self) -> Option<String> {
        let Obstacle { check, reason } = self.obstacle.as_ref()?;
        Some(format!("{check}: {reason}"))
    }

    fn looser(&self) -> Vec<(&'static str, &'static str)> {
        let (touch, cover) = (self.board.touch(), self.board.cover());
        let mut options = Vec::new();
        if cover {
            let board = self.board.under(touch, false);
            options.push((board, ("--cover no", "cells may be on no path")));
        }
        if self.strict {
            let board = self.board.under(Touch::Allow, cover);
            options.push((board, ("--touch allow", "a path may lie beside itself")));
        }
        options.retain(|(board, _)| obstacle(board, &self.graph).is_none());
        options.into_iter().map(|(_, option)| option).collect()
    }

    fn enough(&self) -> Option<Step> {
        Some(0)
    }

    fn facts(&self) -> Facts {
        vec![("colour bits", self.bits.into()), ("edges", self.board.edges().len().into())]
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        self.degrees(cnf);
        self.colours(cnf);
        if self.strict {
            self.no_touch(cnf);
            self.strict_cycles(cnf);
        } else {
            self.loose_cycles(cnf);
        }
    }

    fn step(&self, _t: Step, _cnf: &mut Cnf<Var>) {}

    fn goal(&self, _t: Step, _cnf: &mut Cnf<Var>) -> Vec<Lit> {
        Vec::new()
    }

    fn decode(
        &self,
        _horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Solution, DecodeError> {
        self.paths(assignment)
    }

    fn refine(&self, assignment: Assignment<'_, Var>) -> Vec<(String, Vec<Lit>)> {
        self.loop_cuts(assignment)
    }

    fn is_cut(&self, clause: &[Lit], cnf: &Cnf<Var>) -> bool {
        self.separates(clause, cnf)
    }

    /// Solutions that do not touch themselves: the clauses for them propagate much more.
    fn prefer(&self, cnf: &mut Cnf<Var>) -> bool {
        if !self.strict {
            self.no_touch(cnf);
            self.strict_cycles(cnf);
        }
        !self.strict
    }

    fn distinguish(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        self.edges_on(assignment)
    }
}
