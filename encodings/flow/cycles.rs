//! Short cycles of the graph.

use petgraph::graph::{NodeIndex, UnGraph};

/// At most this many cycles for each edge of the graph are listed, so that dense graphs do not
/// drown in clauses that only help.
const CYCLES_PER_EDGE: usize = 16;

/// The simple cycles of at most `longest` nodes, each once, as lists of nodes in their order. On
/// dense graphs not all of them.
pub(super) fn short_cycles(graph: &UnGraph<(), ()>, longest: usize) -> Vec<Vec<usize>> {
    let mut finder =
        Finder { graph, longest, most: CYCLES_PER_EDGE * graph.edge_count(), cycles: Vec::new() };
    for root in graph.node_indices() {
        finder.extend(&mut vec![root]);
    }
    finder.cycles
}

struct Finder<'a> {
    graph: &'a UnGraph<(), ()>,
    longest: usize,
    most: usize,
    cycles: Vec<Vec<usize>>,
}

impl Finder<'_> {
    /// Extends a path whose first node is its smallest. Each cycle is closed once: in the direction
    /// in which its second node is smaller than its last.
    fn extend(&mut self, path: &mut Vec<NodeIndex>) {
        let (root, last) = (path[0], path[path.len() - 1]);
        let mut next: Vec<_> = self.graph.neighbors(last).collect();
        next.sort_unstable();
        for node in next {
            if self.cycles.len() >= self.most {
                return;
            }
            if node == root && path.len() > 2 && path[1] < last {
                self.cycles.push(path.iter().map(|node| node.index()).collect());
            } else if node > root && path.len() < self.longest && !path.contains(&node) {
                path.push(node);
                self.extend(path);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cycle_is_found_once() {
        // A 3 x 3 grid: four squares, four 2 x 3 rectangles, one ring around the centre and four
        // corners of three squares.
        let edges = (0..9u32).flat_map(|n| {
            let right = (n % 3 < 2).then_some((n, n + 1));
            let down = (n < 6).then_some((n, n + 3));
            right.into_iter().chain(down)
        });
        let grid = UnGraph::from_edges(edges);
        assert_eq!(short_cycles(&grid, 4).len(), 4);
        assert_eq!(short_cycles(&grid, 6).len(), 8);
        assert_eq!(short_cycles(&grid, 8).len(), 13);
        let triangle = UnGraph::from_edges([(0, 1), (1, 2), (2, 0)]);
        assert_eq!(short_cycles(&triangle, 4), [[0, 1, 2]]);
    }
}
