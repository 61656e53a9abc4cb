//! The board as a graph: nodes are where paths pass, edges join neighbours.

use petgraph::graph::UnGraph;
use unstuck_puzzles::flow::Board;

/// The graph of a board. Nodes and edges are numbered as on the board.
pub(super) fn of_board(board: &Board) -> UnGraph<(), ()> {
    let mut graph = UnGraph::with_capacity(board.nodes(), board.edges().len());
    let nodes: Vec<_> = (0..board.nodes()).map(|_| graph.add_node(())).collect();
    for &[a, b] in board.edges() {
        graph.add_edge(nodes[a], nodes[b], ());
    }
    graph
}
