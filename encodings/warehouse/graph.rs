//! The warehouse as a graph: floor cells, berths for boxes, and what pushes what.

use super::vars::Berth;
use crate::floor::{CellNumber, FloorGraph, Spot};
use itertools::Itertools;
use std::collections::HashMap;
use std::ops::Deref;
use unstuck_puzzles::Direction;
use unstuck_puzzles::warehouse::{Cell, State, Warehouse, WideBox};

/// Number of a berth.
pub(super) type BerthId = usize;

/// A place where a box of one width can stand.
#[derive(Clone, Debug)]
pub(super) struct BerthInfo {
    pub(super) wide: WideBox,
    pub(super) berth: Berth,
    /// The spots that it covers, from the left.
    pub(super) spots: Vec<Spot>,
    /// The berth next to it in each direction; `None` where a wall is in the way.
    pub(super) next: [Option<BerthId>; 4],
    /// The berths whose boxes a box from here pushes along, for each direction.
    pub(super) meets: [Vec<BerthId>; 4],
    /// The berths whose boxes push a box here along, for each direction.
    pub(super) met_by: [Vec<BerthId>; 4],
    /// The spots from which the robot pushes a box here, for each direction.
    pub(super) pushed_from: [Vec<Spot>; 4],
}

impl CellNumber for Cell {
    fn number(self) -> usize {
        self.index()
    }
}

/// The building as the encodings see it.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    graph: FloorGraph<Cell>,
    /// All berths for boxes of the widths that are in play.
    pub(super) berths: Vec<BerthInfo>,
    /// The berths that cover each spot.
    pub(super) over: Vec<Vec<BerthId>>,
    berth_ids: HashMap<WideBox, BerthId>,
}

impl Deref for Floor {
    type Target = FloorGraph<Cell>;

    fn deref(&self) -> &FloorGraph<Cell> {
        &self.graph
    }
}

impl Floor {
    pub(super) fn new(warehouse: &Warehouse, start: &State) -> Self {
        let layout = warehouse.layout();
        let cells = layout.floor().collect_vec();
        let next = |cell, direction| layout.next(cell, direction);
        let graph = FloorGraph::new(&cells, next, |cell| layout.place(cell));
        let over = vec![Vec::new(); graph.len()];
        let mut floor = Self { graph, berths: Vec::new(), over, berth_ids: HashMap::new() };
        let widths = start.boxes.iter().map(|wide| wide.width).sorted().dedup();
        widths.for_each(|width| floor.add_berths(width));
        floor.link_berths();
        floor
    }

    fn add_berths(&mut self, width: u32) {
        for left in self.graph.spots() {
            let right = |&spot: &Spot| self.graph.ahead(spot, Direction::Right);
            let row = std::iter::successors(Some(left), right);
            let spots: Vec<Spot> = row.take(width as usize).collect();
            if spots.len() == width as usize {
                let id = self.berths.len();
                let wide = WideBox { left: self.graph.cell(left), width };
                spots.iter().for_each(|&spot| self.over[spot].push(id));
                self.berth_ids.insert(wide, id);
                self.berths.push(BerthInfo {
                    wide,
                    berth: Berth { left: self.graph.place(left), width },
                    spots,
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
                let spots = self.berths[id].spots.clone();
                let ahead = |&spot: &Spot| self.graph.ahead(spot, direction);
                let entered: Option<Vec<Spot>> = spots.iter().map(ahead).collect();
                self.berths[id].next[d] = entered.as_ref().and_then(|entered| {
                    let left = self.graph.cell(entered[0]);
                    self.berth_ids.get(&WideBox { left, ..self.berths[id].wide }).copied()
                });
                let ahead = entered.into_iter().flatten().filter(|spot| !spots.contains(spot));
                let apart = |&other: &BerthId| {
                    !self.berths[other].spots.iter().any(|spot| spots.contains(spot))
                };
                let meets: Vec<BerthId> = ahead
                    .flat_map(|spot| self.over[spot].iter().copied())
                    .filter(apart)
                    .unique()
                    .collect();
                for &met in &meets {
                    self.berths[met].met_by[d].push(id);
                }
                self.berths[id].meets[d] = meets;
                let behind = |&spot: &Spot| self.graph.ahead(spot, direction.opposite());
                let pushed_from = spots.iter().filter_map(behind);
                self.berths[id].pushed_from[d] =
                    pushed_from.filter(|spot| !spots.contains(spot)).collect();
            }
        }
    }

    pub(super) fn berth(&self, wide: WideBox) -> Option<BerthId> {
        self.berth_ids.get(&wide).copied()
    }
}
