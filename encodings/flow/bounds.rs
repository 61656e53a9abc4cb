//! Exact checks before any solving: why some boards cannot have a solution.
//!
//! Each check is a proof in a sentence. They find what clause learning is bad at: a wrong number
//! of cells of the chequer colours and two pairs that cross take exponentially many conflicts.

use petgraph::graph::UnGraph;
use petgraph::unionfind::UnionFind;
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, BTreeSet};
use unstuck_puzzles::flow::{Board, Pair};

/// Why a board has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Name of the check: `dead-end`, `separated`, `unreached`, `crossing` or `parity`.
    pub check: &'static str,
    /// One sentence without a full stop that names the cells.
    pub reason: String,
}

/// The first check that shows that a board has no solution, whatever its rule on touching.
pub fn obstacle(board: &Board, graph: &UnGraph<(), ()>) -> Option<Obstacle> {
    dead_end(board)
        .or_else(|| separated(board, graph))
        .or_else(|| unreached(board, graph))
        .or_else(|| crossing(board))
        .or_else(|| parity(board, graph))
}

fn name(board: &Board, node: usize) -> String {
    board.cell_of(node).name.for_people()
}

fn ends(board: &Board, pair: &Pair) -> String {
    let [a, b] = pair.ends.map(|end| name(board, end));
    format!("{} at {a} and {b}", pair.label)
}

/// A path needs one way out of a terminus, and two ways through a cell that must be on a path.
fn dead_end(board: &Board) -> Option<Obstacle> {
    let termini = board.termini();
    let ways = |node: usize| board.neighbours(node).len();
    let stuck = |&node: &usize| match termini[node] {
        Some(_) => ways(node) == 0,
        None => board.cover() && ways(node) < 2,
    };
    let node = (0..board.nodes()).find(stuck)?;
    let cell = name(board, node);
    let reason = match (termini[node], ways(node)) {
        (Some(_), _) => format!("the terminus {cell} has no neighbour"),
        (None, 0) => format!("the cell {cell} has no neighbour, but must be on a path"),
        (None, _) => format!("the cell {cell} has one neighbour only, but no path ends there"),
    };
    Some(Obstacle { check: "dead-end", reason })
}

fn components(graph: &UnGraph<(), ()>) -> UnionFind<usize> {
    let mut components = UnionFind::new(graph.node_count());
    for edge in graph.edge_references() {
        components.union(edge.source().index(), edge.target().index());
    }
    components
}

fn separated(board: &Board, graph: &UnGraph<(), ()>) -> Option<Obstacle> {
    let components = components(graph);
    let apart = |pair: &&Pair| !components.equiv(pair.ends[0], pair.ends[1]);
    let pair = board.pairs().iter().find(apart)?;
    let reason = format!("nothing connects the termini of {}", ends(board, pair));
    Some(Obstacle { check: "separated", reason })
}

fn unreached(board: &Board, graph: &UnGraph<(), ()>) -> Option<Obstacle> {
    let components = components(graph);
    let reached: BTreeSet<usize> =
        board.pairs().iter().map(|pair| components.find(pair.ends[0])).collect();
    let node = (0..board.nodes()).find(|&node| !reached.contains(&components.find(node)))?;
    let cell = name(board, node);
    board.cover().then(|| Obstacle {
        check: "unreached",
        reason: format!("no terminus is connected with the cell {cell}, but it must be on a path"),
    })
}

/// On a bipartite part of the board (think of a chessboard) a path alternates between black and
/// white. With both ends black it has one black node more, with both ends white one white node
/// more, else equally many. If every node is on a path, this must add up.
fn parity(board: &Board, graph: &UnGraph<(), ()>) -> Option<Obstacle> {
    if !board.cover() {
        return None;
    }
    // Node n + v stands for "v has the other colour": neighbours differ.
    let n = graph.node_count();
    let mut sides = UnionFind::new(2 * n);
    for edge in graph.edge_references() {
        let (a, b) = (edge.source().index(), edge.target().index());
        sides.union(a, b + n);
        sides.union(a + n, b);
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let components = components(graph);
    for node in 0..n {
        parts.entry(components.find(node)).or_default().push(node);
    }
    for part in parts.values().filter(|part| !sides.equiv(part[0], part[0] + n)) {
        let black = |node: usize| sides.equiv(part[0], node);
        let blacks = part.iter().filter(|&&node| black(node)).count() as i64;
        let surplus = 2 * blacks - part.len() as i64;
        let pairs = board.pairs().iter().filter(|pair| components.equiv(part[0], pair.ends[0]));
        let wanted: i64 = pairs
            .map(|pair| match pair.ends.map(black) {
                [true, true] => 1,
                [false, false] => -1,
                _ => 0,
            })
            .sum();
        if surplus != wanted {
            let (cell, whites) = (name(board, part[0]), part.len() as i64 - blacks);
            let reason = format!(
                "coloured like a chessboard, the part of the board with {cell} has {blacks} cells \
                 of its colour and {whites} of the other; paths between these termini cover \
                 {wanted} more of its colour than of the other, not {surplus}"
            );
            return Some(Obstacle { check: "parity", reason });
        }
    }
    None
}

/// On a board in the plane, two pairs whose termini alternate around a face (the outside is one,
/// a hole another) cross. Otherwise a point in the face, joined to the four termini, these joined
/// around it, and the two paths would be a drawing in the plane of the complete graph on five
/// points.
fn crossing(board: &Board) -> Option<Obstacle> {
    if !board.is_planar() {
        return None;
    }
    let termini = board.termini();
    faces(board).iter().find_map(|face| {
        let stops: Vec<(usize, usize)> =
            face.iter().filter_map(|&node| Some((termini[node]?, node))).collect();
        let (p, q) = alternating(board, &stops)?;
        let [p, q] = [p, q].map(|pair| ends(board, &board.pairs()[pair]));
        let reason =
            format!("the termini of {p} and of {q} alternate around a face: the paths would cross");
        Some(Obstacle { check: "crossing", reason })
    })
}

/// The nodes around each face of a drawing in the plane, as one walks along its rim.
fn faces(board: &Board) -> Vec<Vec<usize>> {
    let mut walked = BTreeSet::new();
    let mut faces = Vec::new();
    for &[a, b] in board.edges() {
        for start in [(a, b), (b, a)] {
            let mut face = Vec::new();
            let mut step = start;
            while walked.insert(step) {
                let (from, to) = step;
                face.push(from);
                // The next way after the one that the walk came by, clockwise.
                let ways = board.neighbours(to);
                let came = ways.iter().position(|&way| way == from).unwrap_or(0);
                step = (to, ways[(came + 1) % ways.len()]);
            }
            if !face.is_empty() {
                faces.push(face);
            }
        }
    }
    faces
}

/// Two pairs of which one has an end on either side of the ends of the other.
fn alternating(board: &Board, stops: &[(usize, usize)]) -> Option<(usize, usize)> {
    for (i, &(p, first)) in stops.iter().enumerate() {
        for (j, &(other, second)) in stops.iter().enumerate().skip(i + 1) {
            if p != other || first == second {
                continue;
            }
            let within: BTreeSet<usize> = stops[i + 1..j].iter().map(|stop| stop.1).collect();
            let outside = stops[..i].iter().chain(&stops[j + 1..]);
            for &(q, end) in outside.filter(|(q, _)| *q != p) {
                let [a, b] = board.pairs()[q].ends;
                let partner = if end == a { b } else { a };
                if within.contains(&partner) {
                    return Some((p, q));
                }
            }
        }
    }
    None
}
