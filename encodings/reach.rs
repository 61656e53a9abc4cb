//! A walk inside a step: reachability by counting neighbours.
//!
//! The player walks over free nodes of a graph from where the last action left it to where the
//! next one needs it. One variable a node says "the walk passes here", and only degrees are
//! constrained:
//!
//! * a node where the walk begins or ends, but not both, has exactly one neighbour on the walk;
//! * a node where it both begins and ends has none;
//! * every other node on the walk has exactly two.
//!
//! Nothing orders the nodes. In a finite graph the number of nodes of odd degree is even in each
//! component (the handshake lemma), so the component of the beginning holds the end, too: a true
//! path. Cycles elsewhere are harmless, and since a shortest path has no chords, nothing is lost.
//! The size is linear in the graph, against the square or worse of encodings with an order.
//!
//! Reference: Espasa, Bofill, Borralleras, Coll, Villaret, "On Grid Graph Reachability and Puzzle
//! Games", 2023. There the degrees are written out for grids; here a node may have any degree (a
//! whole region merged into one node, say): above `MAX_WRITTEN_OUT` neighbours they are counted.

use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::logic::count;
use itertools::Itertools;
use petgraph::graph::{IndexType, UnGraph};
use std::hash::Hash;

/// The nodes at both ends of the walk are on it.
pub const WALK_ENDS: Rule = Rule::defining("walk-ends");
/// How many neighbours of a node on the walk are on it.
pub const WALK_DEGREE: Rule = Rule::defining("walk-degree");

/// Up to this many neighbours the degree constraints are written out; above, they are counted.
const MAX_WRITTEN_OUT: usize = 5;

/// The literals of one walk; node i of the graph is entry i of each list.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The walk passes the node.
    pub on: Vec<Lit>,
    /// The walk begins at the node; `None` where it cannot.
    pub from: Vec<Option<Lit>>,
    /// The walk ends at the node; `None` where it cannot.
    pub to: Vec<Option<Lit>>,
}

impl Walk {
    /// Adds the clauses of the walk to layer `t`. When exactly one `from` and exactly one `to`
    /// hold, they can be met exactly when a path leads from the one to the other over nodes whose
    /// `on` the caller does not forbid. When no `from` and no `to` hold, the walk is empty (or
    /// idle cycles). Exactly one of each kind without the other is impossible.
    pub fn connect<V, N, E, Ix>(&self, graph: &UnGraph<N, E, Ix>, t: Step, cnf: &mut Cnf<V>)
    where
        V: Copy + Eq + Hash,
        Ix: IndexType,
    {
        for node in graph.node_indices() {
            let i = node.index();
            let near: Vec<Lit> =
                graph.neighbors(node).map(|next| self.on[next.index()]).unique().collect();
            let degree = Degree::of(near, t, cnf);
            let ends = [self.from[i], self.to[i]];
            for end in ends.into_iter().flatten() {
                cnf.add(WALK_ENDS, [!end, self.on[i]]);
            }
            // An inner node has two neighbours, any node two at most.
            degree.at_most(2, &[!self.on[i]], cnf);
            let inner: Vec<Lit> =
                [!self.on[i]].into_iter().chain(ends.into_iter().flatten()).collect();
            degree.at_least(2, &inner, cnf);
            // An end has one neighbour, or none when it is both ends.
            for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                let Some(end) = end else { continue };
                degree.at_most(1, &[!end], cnf);
                let single: Vec<Lit> = [!end].into_iter().chain(other).collect();
                degree.at_least(1, &single, cnf);
            }
            if let [Some(from), Some(to)] = ends {
                degree.at_most(0, &[!from, !to], cnf);
            }
        }
    }
}

/// How many of the neighbours of a node are on the walk.
enum Degree {
    /// The neighbours themselves.
    Written(Vec<Lit>),
    /// At least one, two, three of them.
    Counted(Vec<Lit>),
}

impl Degree {
    fn of<V: Copy + Eq + Hash>(near: Vec<Lit>, t: Step, cnf: &mut Cnf<V>) -> Self {
        if near.len() <= MAX_WRITTEN_OUT {
            Self::Written(near)
        } else {
            Self::Counted(count(cnf, WALK_DEGREE, t, &near, 3))
        }
    }

    /// At least `least` (1 or 2) neighbours, unless one of `unless` holds.
    fn at_least<V: Copy + Eq + Hash>(&self, least: usize, unless: &[Lit], cnf: &mut Cnf<V>) {
        match self {
            // Of any n - least + 1 neighbours one is on the walk.
            Self::Written(near) => {
                for some in near.iter().combinations((near.len() + 1).saturating_sub(least)) {
                    cnf.add(WALK_DEGREE, unless.iter().chain(some).copied());
                }
            }
            Self::Counted(more) => {
                cnf.add(WALK_DEGREE, unless.iter().copied().chain([more[least - 1]]));
            }
        }
    }

    /// At most `most` (0 to 2) neighbours, unless one of `unless` holds.
    fn at_most<V: Copy + Eq + Hash>(&self, most: usize, unless: &[Lit], cnf: &mut Cnf<V>) {
        match self {
            // Of any most + 1 neighbours one is not on the walk.
            Self::Written(near) => {
                for some in near.iter().combinations(most + 1) {
                    let some = some.into_iter().map(|&lit| !lit);
                    cnf.add(WALK_DEGREE, unless.iter().copied().chain(some));
                }
            }
            Self::Counted(more) => {
                cnf.add(WALK_DEGREE, unless.iter().copied().chain([!more[most]]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::algo::has_path_connecting;
    use petgraph::graph::NodeIndex;
    use proptest::prelude::*;

    /// Whether clauses can be met: propagation and splitting, the shortest way to say it.
    fn satisfiable(clauses: &[Vec<Lit>]) -> bool {
        let Some(shortest) = clauses.iter().min_by_key(|clause| clause.len()) else { return true };
        let Some(&choice) = shortest.first() else { return false };
        let choices = if shortest.len() == 1 { vec![choice] } else { vec![choice, !choice] };
        choices.into_iter().any(|lit| {
            let open = clauses.iter().filter(|clause| !clause.contains(&lit));
            let rest = open.map(|clause| clause.iter().copied().filter(|&l| l != !lit).collect());
            satisfiable(&rest.collect::<Vec<Vec<Lit>>>())
        })
    }

    /// Whether the clauses allow a walk from `from` to `to` (either may be missing) that avoids
    /// the blocked nodes.
    fn walkable(
        graph: &UnGraph<(), ()>,
        from: Option<usize>,
        to: Option<usize>,
        blocked: &[bool],
    ) -> bool {
        let mut cnf: Cnf<(u8, usize)> = Cnf::default();
        let n = graph.node_count();
        let on: Vec<Lit> = (0..n).map(|i| cnf.lit(0, (0, i))).collect();
        let begin: Vec<Lit> = (0..n).map(|i| cnf.lit(0, (1, i))).collect();
        let end: Vec<Lit> = (0..n).map(|i| cnf.lit(0, (2, i))).collect();
        let some = |lits: &[Lit]| lits.iter().copied().map(Some).collect();
        Walk { on: on.clone(), from: some(&begin), to: some(&end) }.connect(graph, 0, &mut cnf);
        for i in 0..n {
            cnf.add(WALK_ENDS, [if from == Some(i) { begin[i] } else { !begin[i] }]);
            cnf.add(WALK_ENDS, [if to == Some(i) { end[i] } else { !end[i] }]);
            if blocked[i] {
                cnf.add(WALK_ENDS, [!on[i]]);
            }
        }
        satisfiable(&cnf.iter().map(|(_, clause)| clause.to_vec()).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn a_walk_exists_exactly_when_a_path_does(
            n in 1usize..9,
            edges in proptest::collection::vec((0usize..9, 0usize..9), 0..16),
            hub in any::<bool>(),
            blocked in proptest::collection::vec(proptest::bool::weighted(0.3), 9),
            from in 0usize..9,
            to in 0usize..9,
        ) {
            let (from, to) = (from % n, to % n);
            let mut graph: UnGraph<(), ()> = UnGraph::default();
            let nodes: Vec<NodeIndex> = (0..n).map(|_| graph.add_node(())).collect();
            for (a, b) in edges.into_iter().map(|(a, b)| (a % n, b % n)).filter(|(a, b)| a != b) {
                graph.update_edge(nodes[a], nodes[b], ());
            }
            if hub {
                // One node of high degree, so that its neighbours are counted.
                (1..n).for_each(|i| { graph.update_edge(nodes[0], nodes[i], ()); });
            }
            let free = graph.filter_map(|i, ()| (!blocked[i.index()]).then_some(i), |_, ()| Some(()));
            let place = |i: usize| free.node_indices().find(|&f| free[f] == nodes[i]);
            let expected = match (place(from), place(to)) {
                (Some(a), Some(b)) => has_path_connecting(&free, a, b, None),
                _ => false,
            };
            prop_assert_eq!(walkable(&graph, Some(from), Some(to), &blocked), expected);
            prop_assert!(walkable(&graph, None, None, &blocked));
            prop_assert!(!walkable(&graph, Some(from), None, &blocked));
            prop_assert!(!walkable(&graph, None, Some(to), &blocked));
        }
    }
}
