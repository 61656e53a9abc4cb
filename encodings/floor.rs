//! The floor of a level as a graph: what every family with a board of cells asks of it.

use crate::cell_coord::CellCoord;
use petgraph::graph::{NodeIndex, UnGraph};
use unstuck_puzzles::Direction;

/// A node of the floor, by its number.
pub type Spot = usize;

/// A wall in the tables of [`FloorGraph`].
const WALL: u32 = u32::MAX;

/// A cell as the judge numbers it, row by row from 0.
pub trait CellNumber: Copy {
    /// The number.
    fn number(self) -> usize;
}

impl CellNumber for unstuck_puzzles::Cell {
    fn number(self) -> usize {
        self.index()
    }
}

/// Cells of a board as nodes, with an edge between neighbours.
///
/// The floor of each family holds one of these and what else its game needs to know of a node.
#[derive(Clone, Debug)]
pub struct FloorGraph<C> {
    graph: UnGraph<C, ()>,
    /// For each cell of the board its node.
    spots: Vec<u32>,
    ahead: Vec<[u32; 4]>,
    places: Vec<CellCoord>,
}

impl<C: CellNumber> FloorGraph<C> {
    /// The graph of some cells of a board, in this order. `next` gives the neighbour of a cell in a
    /// direction, on the floor or not, and `place` its row and column.
    pub fn new(
        cells: &[C],
        next: impl Fn(C, Direction) -> Option<C>,
        place: impl Fn(C) -> (usize, usize),
    ) -> Self {
        let last = cells.iter().map(|cell| cell.number() + 1).max().unwrap_or(0);
        let mut spots = vec![WALL; last];
        for (number, cell) in (0..).zip(cells) {
            spots[cell.number()] = number;
        }
        let neighbour = |cell, direction| {
            next(cell, direction).and_then(|next| spots.get(next.number())).copied().unwrap_or(WALL)
        };
        let around = |&cell: &C| Direction::ALL.map(|direction| neighbour(cell, direction));
        let ahead: Vec<[u32; 4]> = cells.iter().map(around).collect();
        let mut graph = UnGraph::with_capacity(cells.len(), 2 * cells.len());
        cells.iter().for_each(|&cell| {
            graph.add_node(cell);
        });
        for (from, ahead) in ahead.iter().enumerate() {
            for to in [Direction::Down, Direction::Right].map(|d| ahead[d.index()]) {
                if to != WALL {
                    graph.add_edge(NodeIndex::new(from), NodeIndex::new(to as usize), ());
                }
            }
        }
        let places = cells.iter().map(|&cell| CellCoord::at(place(cell))).collect();
        Self { graph, spots, ahead, places }
    }

    /// The cells as nodes, numbered by [`Spot`], with an edge between neighbours.
    pub fn graph(&self) -> &UnGraph<C, ()> {
        &self.graph
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.ahead.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.ahead.is_empty()
    }

    /// All nodes.
    pub fn spots(&self) -> std::ops::Range<Spot> {
        0..self.len()
    }

    /// The cell of a node.
    pub fn cell(&self, spot: Spot) -> C {
        self.graph[NodeIndex::new(spot)]
    }

    /// The node of a cell; `None` where there is no floor.
    pub fn spot(&self, cell: C) -> Option<Spot> {
        self.spots.get(cell.number()).filter(|&&spot| spot != WALL).map(|&spot| spot as usize)
    }

    /// Row and column of a node.
    pub fn place(&self, spot: Spot) -> CellCoord {
        self.places[spot]
    }

    /// Row and column of all nodes.
    pub fn places(&self) -> &[CellCoord] {
        &self.places
    }

    /// The next node in a direction, unless a wall is there.
    pub fn ahead(&self, spot: Spot, direction: Direction) -> Option<Spot> {
        Some(self.ahead[spot][direction.index()]).filter(|&next| next != WALL).map(|n| n as usize)
    }

    /// The next nodes in all directions.
    #[inline]
    pub fn around(&self, spot: Spot) -> impl Iterator<Item = Spot> + '_ {
        let mut ahead = self.ahead[spot].iter();
        // Without adapters, whose closures are not always compiled into the loop around them.
        std::iter::from_fn(move || {
            loop {
                let &next = ahead.next()?;
                if next != WALL {
                    return Some(next as usize);
                }
            }
        })
    }

    /// The next nodes in all directions, each with its direction.
    pub fn ways(&self, spot: Spot) -> impl Iterator<Item = (Direction, Spot)> + '_ {
        Direction::ALL.into_iter().filter_map(move |d| Some((d, self.ahead(spot, d)?)))
    }

    /// Every node and direction that lead to another node, with that node.
    pub fn steps(&self) -> impl Iterator<Item = (Spot, Direction, Spot)> + '_ {
        self.spots().flat_map(|spot| self.ways(spot).map(move |(d, ahead)| (spot, d, ahead)))
    }
}
