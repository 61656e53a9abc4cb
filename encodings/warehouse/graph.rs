//! The warehouse as a graph: floor cells, berths for boxes, and what pushes what.

use super::vars::{Berth, Spot};
use itertools::Itertools;
use petgraph::graph::{NodeIndex, UnGraph};
use std::collections::HashMap;
use unstuck_puzzles::Direction;
use unstuck_puzzles::warehouse::{Place, State, Warehouse, WideBox};

/// Number of a floor cell.
pub(super) type CellId = usize;
/// Number of a berth.
pub(super) type BerthId = usize;

/// A place where a box of one width can stand.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub(super) wide: WideBox,
    pub(super) berth: Berth,
    /// The cells that it covers, from the left.
    pub(super) cells: Vec<CellId>,
    /// The berth next to it in each direction; `None` where a wall is in the way.
    pub(super) next: [Option<BerthId>; 4],
    /// The berths whose boxes a box from here pushes along, for each direction.
    pub(super) meets: [Vec<BerthId>; 4],
    /// The berths whose boxes push a box here along, for each direction.
    pub(super) met_by: [Vec<BerthId>; 4],
    /// The cells from which the robot pushes a box here, for each direction.
    pub(super) pushed_from: [Vec<CellId>; 4],
}

/// The building as the encodings see it.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Floor cells with their edges; node i is cell i.
    pub(super) floor: UnGraph<Place, ()>,
    pub(super) spots: Vec<Spot>,
    /// The floor cell next to each floor cell in each direction.
    pub(super) next: Vec<[Option<CellId>; 4]>,
    /// All berths for boxes of the widths that are in play.
    pub(super) berths: Vec<Standing>,
    /// The berths that cover each cell.
    pub(super) over: Vec<Vec<BerthId>>,
    cell_ids: HashMap<Place, CellId>,
    berth_ids: HashMap<WideBox, BerthId>,
}

impl Field {
    pub(super) fn new(warehouse: &Warehouse, start: &State) -> Self {
        let layout = warehouse.layout();
        let mut floor = UnGraph::default();
        let mut cell_ids = HashMap::new();
        for place in layout.floor() {
            cell_ids.insert(place, floor.add_node(place).index());
        }
        let next: Vec<[Option<CellId>; 4]> = layout
            .floor()
            .map(|place| {
                let near = |d| layout.next(place, d).and_then(|near| cell_ids.get(&near).copied());
                Direction::ALL.map(near)
            })
            .collect();
        for (cell, near) in next.iter().enumerate() {
            for direction in [Direction::Down, Direction::Right] {
                if let Some(near) = near[direction.index()] {
                    floor.add_edge(NodeIndex::new(cell), NodeIndex::new(near), ());
                }
            }
        }
        let spot = |place| Spot::at(layout.row_column(place));
        let spots = layout.floor().map(spot).collect();
        let mut field = Self {
            floor,
            spots,
            over: vec![Vec::new(); next.len()],
            next,
            berths: Vec::new(),
            cell_ids,
            berth_ids: HashMap::new(),
        };
        let widths = start.boxes.iter().map(|wide| wide.width).sorted().dedup();
        widths.for_each(|width| field.add_berths(width));
        field.link_berths();
        field
    }

    fn add_berths(&mut self, width: u32) {
        for left in 0..self.next.len() {
            let right = Direction::Right.index();
            let row = std::iter::successors(Some(left), |&cell| self.next[cell][right]);
            let cells: Vec<CellId> = row.take(width as usize).collect();
            if cells.len() == width as usize {
                let id = self.berths.len();
                let wide = WideBox { left: self.floor[NodeIndex::new(left)], width };
                cells.iter().for_each(|&cell| self.over[cell].push(id));
                self.berth_ids.insert(wide, id);
                self.berths.push(Standing {
                    wide,
                    berth: Berth { left: self.spots[left], width },
                    cells,
                    next: [None; 4],
                    meets: Default::default(),
                    met_by: Default::default(),
                    pushed_from: Default::default(),
                });
            }
        }
    }

    fn link_berths(&mut self) {
        for id in 0..self.berths.len() {
            for direction in Direction::ALL {
                let d = direction.index();
                let cells = self.berths[id].cells.clone();
                let entered: Option<Vec<CellId>> =
                    cells.iter().map(|&cell| self.next[cell][d]).collect();
                self.berths[id].next[d] = entered.as_ref().and_then(|entered| {
                    let left = self.floor[NodeIndex::new(entered[0])];
                    self.berth_ids.get(&WideBox { left, ..self.berths[id].wide }).copied()
                });
                let ahead = entered.into_iter().flatten().filter(|cell| !cells.contains(cell));
                let apart = |&other: &BerthId| {
                    !self.berths[other].cells.iter().any(|cell| cells.contains(cell))
                };
                let meets: Vec<BerthId> = ahead
                    .flat_map(|cell| self.over[cell].iter().copied())
                    .filter(apart)
                    .unique()
                    .collect();
                for &met in &meets {
                    self.berths[met].met_by[d].push(id);
                }
                self.berths[id].meets[d] = meets;
                let back = direction.opposite().index();
                self.berths[id].pushed_from[d] = cells
                    .iter()
                    .filter_map(|&cell| self.next[cell][back])
                    .filter(|cell| !cells.contains(cell))
                    .collect();
            }
        }
    }

    pub(super) fn cell(&self, place: Place) -> Option<CellId> {
        self.cell_ids.get(&place).copied()
    }

    pub(super) fn place(&self, cell: CellId) -> Place {
        self.floor[NodeIndex::new(cell)]
    }

    pub(super) fn berth(&self, wide: WideBox) -> Option<BerthId> {
        self.berth_ids.get(&wide).copied()
    }

    pub(super) fn cells(&self) -> std::ops::Range<CellId> {
        0..self.next.len()
    }

    /// Every cell and direction that lead to another floor cell, with that cell.
    pub(super) fn steps(&self) -> impl Iterator<Item = (CellId, Direction, CellId)> + '_ {
        self.cells().flat_map(move |cell| {
            Direction::ALL.into_iter().filter_map(move |direction| {
                let ahead = self.next[cell][direction.index()]?;
                Some((cell, direction, ahead))
            })
        })
    }
}
