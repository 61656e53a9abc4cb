//! Constraints as clauses.

use super::FlowEdges;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule};
use itertools::Itertools;
use unstuck_puzzles::flow::PathFact;

/// What must not be drawn, and what must, beyond the rules.
pub const PATH_CONSTRAINT: Rule = Rule::defining("wish");

impl FlowEdges {
    /// A requirement says that one of several facts holds, each of them a few literals: an edge of
    /// several between two cells, a lane of a bridge in a colour. Wanted, it is one clause for each
    /// choice of a literal from each thing; unwanted, one clause for each thing.
    pub(super) fn constraints(&self, cnf: &mut Cnf<Var>) {
        for demand in self.board.path_constraints() {
            let things = self.things(&demand.drawn, cnf);
            if demand.wanted {
                if things.is_empty() {
                    cnf.add(PATH_CONSTRAINT, []);
                    continue;
                }
                for clause in things.into_iter().multi_cartesian_product() {
                    cnf.add(PATH_CONSTRAINT, clause);
                }
            } else {
                for thing in things {
                    cnf.add(PATH_CONSTRAINT, thing.into_iter().map(|lit| !lit));
                }
            }
        }
    }

    fn things(&self, drawn: &PathFact, cnf: &mut Cnf<Var>) -> Vec<Vec<Lit>> {
        let nodes = |cell: &usize| self.board.cells()[*cell].nodes.clone();
        match drawn {
            PathFact::Edge(one, other) => {
                let edges: Vec<[usize; 2]> = self.board.edges_between(*one, *other).collect();
                edges.into_iter().map(|[a, b]| vec![self.joined(a, b, cnf)]).collect()
            }
            PathFact::Cell(cell) => {
                nodes(cell).map(|node| self.used(node, cnf).into_iter().collect()).collect()
            }
            PathFact::Colour(cell, label) => {
                let pairs = self.board.pairs();
                let Some(pair) = pairs.iter().position(|pair| pair.label == *label) else {
                    return Vec::new();
                };
                let thing = |node| {
                    let colour = self.colour(node, cnf).into_iter().enumerate();
                    let bits = colour.map(|(bit, lit)| lit.when(pair >> bit & 1 == 1));
                    let bits: Vec<Lit> = bits.collect();
                    self.used(node, cnf).into_iter().chain(bits).collect()
                };
                nodes(cell).map(thing).collect()
            }
        }
    }
}
