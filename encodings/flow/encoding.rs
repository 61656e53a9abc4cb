//! The encoding: what it keeps of a board, and which clauses it asks for.

use super::bounds::{Obstacle, obstacle};
use super::vars::{Site, Var};
use crate::cnf::{Assignment, Cnf, Lit, Step};
use crate::encoding::{Cuts, DecodeError, EncodeError, Encoding, EncodingExtras, Reduction};
use petgraph::graph::UnGraph;
use unstuck_puzzles::flow::{Board, Name, Solution, Touch};
use unstuck_puzzles::{Facts, Objective};

/// The encoding of a board under one rule on touching; [`Touch::Auto`] is taken as
/// [`Touch::Allow`].
pub struct FlowEdges {
    pub(super) board: Board,
    pub(super) graph: UnGraph<(), ()>,
    pub(super) sites: Vec<Site>,
    pub(super) termini: Vec<Option<usize>>,
    /// Bits of the number of a pair.
    pub(super) bits: u8,
    pub(super) strict: bool,
    obstacle: Option<Obstacle>,
}

impl FlowEdges {
    /// The name that a graph gives to a cell, where it is a word.
    fn cell_name(&self, nth: u32) -> Option<&str> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        match &self.board.cells().get(nth as usize)?.name {
            Name::Id(id) if !id.is_empty() && id.chars().all(is_word) => Some(id),
            _ => None,
        }
    }

    fn relaxing_options(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        let (touch, cover) = (self.board.touch(), self.board.cover());
        let mut options = Vec::new();
        if cover {
            let board = self.board.under(touch, false);
            options.push((board, ("cover", "no", "cells may be on no path")));
        }
        if self.strict {
            let board = self.board.under(Touch::Allow, cover);
            options.push((board, ("touch", "allow", "a path may lie beside itself")));
        }
        options.retain(|(board, _)| obstacle(board, &self.graph).is_none());
        options.into_iter().map(|(_, option)| option).collect()
    }

    /// Solutions that do not touch themselves and leave no cell empty: the clauses for them
    /// propagate much more, and most published boards have one, whatever rule they are played by.
    fn prefer(&self, cnf: &mut Cnf<Var>) -> bool {
        if !self.strict {
            self.no_touch(cnf);
        }
        let covered = self.board.under(self.board.touch(), true);
        let fills = !self.board.cover() && obstacle(&covered, &self.graph).is_none();
        if fills {
            self.all_used(cnf);
        }
        !self.strict || fills
    }

    pub(super) fn edge_var(&self, a: usize, b: usize) -> Var {
        Var::Joined(self.sites[a.min(b)], self.sites[a.max(b)])
    }
}

impl Encoding for FlowEdges {
    type Puzzle = Board;
    type Var = Var;

    const NAME: &'static str = "flow-edges";
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        // Graphs name their own cells; names that could be mistaken for something else do not serve.
        name: |encoding, variable| variable.named(|site| site.named(|nth| encoding.cell_name(nth))),
        completeness_threshold: |_| Some(0),
        relaxing_options: Self::relaxing_options,
        cuts: Some(Cuts { missing: Self::loop_cuts, is_cut: Self::separates }),
        // Edges: the colours follow from them, and what follows from one lies near it.
        is_probe_candidate: |_, variable| matches!(variable, Var::Joined(..)),
        prefer: Self::prefer,
        reduction: Some(Reduction { reduce: Self::reduce, is_rigid: Self::is_rigid }),
        ..EncodingExtras::NONE
    };

    fn new(board: &Board, _objective: Objective) -> Result<Self, EncodeError> {
        let graph = graph(board);
        Ok(Self {
            sites: Site::all(board),
            termini: board.termini(),
            bits: board.pairs().len().next_power_of_two().trailing_zeros() as u8,
            strict: board.touch() == Touch::Never,
            obstacle: obstacle(board, &graph),
            board: board.clone(),
            graph,
        })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.obstacle.is_none().then_some(0)
    }

    fn unsolvable_reason(&self) -> Option<String> {
        let Obstacle { check, reason } = self.obstacle.as_ref()?;
        Some(format!("{check}: {reason}"))
    }

    fn facts(&self) -> Facts {
        vec![("colour bits", self.bits.into()), ("edges", self.board.edges().len().into())]
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        self.degrees(cnf);
        self.colours(cnf);
        self.constraints(cnf);
        if self.strict {
            self.no_touch(cnf);
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

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        self.edges_on(assignment)
    }
}

/// The graph of a board: nodes are where paths pass, edges join neighbours, numbered as there.
fn graph(board: &Board) -> UnGraph<(), ()> {
    let mut graph = UnGraph::with_capacity(board.nodes(), board.edges().len());
    let nodes: Vec<_> = (0..board.nodes()).map(|_| graph.add_node(())).collect();
    for &[a, b] in board.edges() {
        graph.add_edge(nodes[a], nodes[b], ());
    }
    graph
}
