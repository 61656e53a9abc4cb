//! The level as a graph: nodes are cells, edges are the places where a bond can be.

use super::degrees::never_bonded;
use super::pair_distance::PairDistance;
use super::vars::{CellCoord, Link};
use petgraph::graph::{EdgeIndex, NodeIndex, UnGraph};
use petgraph::visit::{Bfs, EdgeRef};
use std::collections::HashMap;
use std::sync::Arc;
use unstuck_puzzles::sokobond::{Bonding, Element, Modifier, Sokobond, State};
use unstuck_puzzles::{Cell, Direction};

/// The part of a level that the player can reach, and what the rules need to know of it.
///
/// Atoms elsewhere never move and never bond: they are left out.
#[derive(Clone, Debug)]
pub struct Floor {
    /// Cells, and the links between them.
    pub graph: UnGraph<Cell, Joint>,
    /// Row and column of each node.
    pub places: Vec<CellCoord>,
    /// Neighbour in each direction, with the edge to it.
    near: Vec<[Option<(NodeIndex, EdgeIndex)>; 4]>,
    /// Elements that occur, in increasing order.
    pub elements: Vec<Element>,
    /// The greatest multiplicity that a bond can have.
    pub levels: u8,
    /// Whether some vertex turns bonds.
    pub rotates: bool,
    /// Whether some vertex weakens bonds.
    pub weakens: bool,
    /// Whether a move whose bonds depend on the order of bonding is forbidden.
    pub strict: bool,
    /// Number of atoms within reach.
    pub atoms: usize,
    /// Whether an atom out of reach has a free electron: then there is no solution.
    pub stranded: Option<Cell>,
    /// Moves that the player needs at least to each node.
    pub distance: Vec<u32>,
    /// Pairs of elements, in both orders, that must not bond, since bonds are single and for ever;
    /// none known where they are not.
    pub never_bonded: Vec<(Element, Element)>,
    /// How far atoms in two nodes are from being neighbours.
    pub pair_distance: Arc<PairDistance>,
    nodes: HashMap<Cell, NodeIndex>,
}

/// What the graph knows of a link, the place of a bond.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// Its name.
    pub link: Link,
    /// The left or upper end.
    pub first: NodeIndex,
    /// The right or lower end.
    pub second: NodeIndex,
    /// What the bond sweeps when it moves in each direction.
    swept: [Option<Modifier>; 4],
}

impl Joint {
    /// What a bond here sweeps when it moves in a direction; nothing along its own axis.
    pub fn swept(&self, direction: Direction) -> Option<Modifier> {
        self.swept[direction.index()]
    }
}

impl Floor {
    /// The graph of a level.
    pub fn new(puzzle: &Sokobond) -> Self {
        let walls = &puzzle.board.walls;
        let start = &puzzle.start;
        let player = start.atoms.iter().find(|atom| atom.player).expect("a level has a player");
        let mut all = UnGraph::<Cell, ()>::new_undirected();
        let index: HashMap<Cell, NodeIndex> = walls
            .iter()
            .filter(|(_, wall)| !**wall)
            .map(|(cell, _)| (cell, all.add_node(cell)))
            .collect();
        for (&cell, &node) in &index {
            for direction in [Direction::Right, Direction::Down] {
                let next = walls.next(cell, direction).and_then(|next| index.get(&next));
                if let Some(&next) = next {
                    all.add_edge(node, next, ());
                }
            }
        }
        let mut reach: Vec<Cell> = Vec::new();
        let mut walk = Bfs::new(&all, index[&player.cell]);
        while let Some(node) = walk.next(&all) {
            reach.push(all[node]);
        }
        reach.sort_unstable();
        let mut floor = Self::of_cells(puzzle, &reach);
        floor.distance =
            petgraph::algo::dijkstra(&floor.graph, floor.nodes[&player.cell], None, |_| 1u32)
                .into_iter()
                .fold(vec![0; reach.len()], |mut all, (node, distance)| {
                    all[node.index()] = distance;
                    all
                });
        floor
    }

    fn of_cells(puzzle: &Sokobond, cells: &[Cell]) -> Self {
        let walls = &puzzle.board.walls;
        let mut graph = UnGraph::new_undirected();
        let nodes: HashMap<Cell, NodeIndex> =
            cells.iter().map(|&cell| (cell, graph.add_node(cell))).collect();
        let place = |cell| CellCoord::at(walls.place(cell));
        let places: Vec<CellCoord> = cells.iter().map(|&cell| place(cell)).collect();
        for &cell in cells {
            for direction in [Direction::Right, Direction::Down] {
                let Some(other) = walls.next(cell, direction) else { continue };
                let Some(&second) = nodes.get(&other) else { continue };
                let link = Link(place(cell), place(other));
                let mut swept = [None; 4];
                for across in Direction::ALL {
                    if across != direction && across != direction.opposite() {
                        swept[across.index()] = vertex(puzzle, link, across);
                    }
                }
                let first = nodes[&cell];
                graph.add_edge(first, second, Joint { link, first, second, swept });
            }
        }
        let mut near = vec![[None; 4]; cells.len()];
        for edge in graph.edge_references() {
            let Joint { link: Link(a, b), first, second, .. } = *edge.weight();
            let direction = if a.row == b.row { Direction::Right } else { Direction::Down };
            near[first.index()][direction.index()] = Some((second, edge.id()));
            near[second.index()][direction.opposite().index()] = Some((first, edge.id()));
        }
        let within = |cell: &Cell| nodes.contains_key(cell);
        let atoms = puzzle.start.atoms.iter().filter(|atom| within(&atom.cell));
        let mut elements: Vec<Element> = atoms.clone().map(|atom| atom.element).collect();
        let kinds = elements.clone();
        let mut valences: Vec<u8> = elements.iter().map(|element| element.valence()).collect();
        valences.sort_unstable();
        elements.sort_unstable();
        elements.dedup();
        let has = |wanted| puzzle.board.modifiers.iter().any(|(_, &m)| m == Some(wanted));
        // The two ends of a bond share its multiplicity: the second largest valence is the most.
        let strongest = valences.iter().rev().nth(1).copied().unwrap_or(0).max(1);
        let rotates = has(Modifier::Rotate);
        let next = |cell: usize, direction: Direction| {
            let near: Option<(NodeIndex, EdgeIndex)> = near[cell][direction.index()];
            near.map(|(next, _)| next.index())
        };
        let pair_distance = Arc::new(PairDistance::new(places.clone(), rotates, next));
        let simple = !has(Modifier::Weaken) && !has(Modifier::Strengthen);
        let never_bonded = if simple { never_bonded(&kinds) } else { Vec::new() };
        let outside = |atom: &&unstuck_puzzles::sokobond::Atom| !within(&atom.cell);
        let open = puzzle.start.atoms.iter().filter(outside);
        let stranded =
            open.clone().find(|&&atom| puzzle.start.free(atom) > 0).map(|atom| atom.cell);
        Self {
            graph,
            places,
            near,
            elements,
            levels: if has(Modifier::Strengthen) { strongest } else { 1 },
            rotates,
            weakens: has(Modifier::Weaken),
            strict: puzzle.bonding == Bonding::Strict,
            atoms: atoms.count(),
            stranded,
            distance: Vec::new(),
            never_bonded,
            pair_distance,
            nodes,
        }
    }

    /// Rounds after which the motion has reached all that it will reach.
    pub fn rounds(&self) -> u8 {
        self.atoms.saturating_sub(1) as u8
    }

    /// All nodes.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeIndex> + use<> {
        (0..self.places.len()).map(NodeIndex::new)
    }

    /// All places of bonds.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeIndex> + use<> {
        (0..self.graph.edge_count()).map(EdgeIndex::new)
    }

    /// Row and column of a node.
    pub fn place(&self, node: NodeIndex) -> CellCoord {
        self.places[node.index()]
    }

    /// The place of a bond.
    pub fn joint(&self, edge: EdgeIndex) -> Joint {
        self.graph[edge]
    }

    /// The node of a cell, if it is within reach.
    pub fn node(&self, cell: Cell) -> Option<NodeIndex> {
        self.nodes.get(&cell).copied()
    }

    /// The next node in a direction.
    pub fn next(&self, node: NodeIndex, direction: Direction) -> Option<NodeIndex> {
        self.near[node.index()][direction.index()].map(|(next, _)| next)
    }

    /// The direction from a node to a neighbour.
    pub fn toward(&self, node: NodeIndex, neighbour: NodeIndex) -> Direction {
        let mut around = self.around(node);
        around.find(|it| it.1 == neighbour).expect("an edge joins neighbours").0
    }

    /// Neighbours of a node: direction, node, edge.
    pub fn around(
        &self,
        node: NodeIndex,
    ) -> impl Iterator<Item = (Direction, NodeIndex, EdgeIndex)> + use<> {
        let near = self.near[node.index()];
        Direction::ALL.into_iter().filter_map(move |d| near[d.index()].map(|(n, e)| (d, n, e)))
    }

    /// The edge from a node in a direction.
    pub fn edge(&self, node: NodeIndex, direction: Direction) -> Option<EdgeIndex> {
        self.near[node.index()][direction.index()].map(|(_, edge)| edge)
    }

    /// The place one cell further in a direction.
    pub fn shifted(&self, edge: EdgeIndex, direction: Direction) -> Option<EdgeIndex> {
        let Joint { first, second, .. } = self.joint(edge);
        let (first, second) = (self.next(first, direction)?, self.next(second, direction)?);
        self.graph.find_edge(first, second)
    }

    /// Whether a bond can arrive here over a `+`.
    pub fn is_strengthened(&self, edge: EdgeIndex) -> bool {
        self.arrivals_over(edge, Modifier::Strengthen).next().is_some()
    }

    /// Directions in which a bond can arrive here over a modifier, with the place it comes from.
    pub fn arrivals_over(
        &self,
        edge: EdgeIndex,
        modifier: Modifier,
    ) -> impl Iterator<Item = (Direction, EdgeIndex)> {
        Direction::ALL.into_iter().filter_map(move |direction| {
            let from = self.shifted(edge, direction.opposite())?;
            (self.joint(from).swept(direction) == Some(modifier)).then_some((direction, from))
        })
    }

    /// The multiplicity of the bond of a state at a place.
    pub fn multiplicity(&self, state: &State, edge: EdgeIndex) -> u8 {
        let Joint { first, second, .. } = self.joint(edge);
        state.multiplicity(self.graph[first], self.graph[second])
    }
}

/// The modifier that a bond meets when it moves across its axis: the vertex between the old and
/// the new place of its middle.
fn vertex(puzzle: &Sokobond, Link(first, second): Link, across: Direction) -> Option<Modifier> {
    // The vertex is named after the cell to its upper left.
    let (row, column) = match across {
        Direction::Up => (first.row.checked_sub(1)?, first.column),
        Direction::Down => (first.row, first.column),
        Direction::Left => (first.row, first.column.checked_sub(1)?),
        Direction::Right => (first.row, first.column),
    };
    debug_assert!(first <= second);
    let modifiers = &puzzle.board.modifiers;
    modifiers.cell(row as usize, column as usize).and_then(|cell| modifiers[cell])
}
