//! The board as a graph: where the player can walk and where balls can be.

use crate::cell_coord::CellCoord;
use crate::floor::FloorGraph;
use std::collections::HashMap;
use std::ops::Deref;
use unstuck_puzzles::grid::{Cell, Direction};
use unstuck_puzzles::snowman::{Ground, Move, Snowman};

pub use crate::floor::Spot;

/// A ball: where it is (a spot that takes balls), and its size from 0 (small) to 2 (large).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ball {
    /// Its spot.
    pub spot: u8,
    /// Its size.
    pub size: u8,
}

/// One ball action: the player on the spot behind pushes what stands at `at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Push {
    /// Where the ball or stack is that is pushed.
    pub at: Spot,
    /// The direction of the push.
    pub direction: Direction,
}

/// The open cells of a level: first the ground for balls, row by row, then the teleporters.
#[derive(Clone, Debug)]
pub struct Floor {
    graph: FloorGraph<Cell>,
    /// Spots below this number take balls; the others are teleporters.
    grounds: usize,
    targets: Vec<bool>,
}

impl Deref for Floor {
    type Target = FloorGraph<Cell>;

    fn deref(&self) -> &FloorGraph<Cell> {
        &self.graph
    }
}

impl Floor {
    /// The floor of a level.
    pub fn new(puzzle: &Snowman) -> Self {
        let grid = puzzle.ground();
        let (grounds, others): (Vec<Cell>, Vec<Cell>) = grid
            .cells()
            .filter(|&cell| puzzle.is_open(cell))
            .partition(|&cell| puzzle.takes_balls(cell));
        let cells: Vec<Cell> = grounds.iter().chain(&others).copied().collect();
        let next = |cell, direction| grid.next(cell, direction);
        Self {
            graph: FloorGraph::new(&cells, next, |cell| grid.place(cell)),
            grounds: grounds.len(),
            targets: cells.iter().map(|&cell| grid[cell] == Ground::Target).collect(),
        }
    }

    /// Number of spots that take balls; they are the first ones.
    pub fn grounds(&self) -> usize {
        self.grounds
    }

    /// The spots of the teleporters, in the order of their numbers in move strings.
    pub fn teleporters(&self) -> std::ops::Range<Spot> {
        self.grounds..self.len()
    }

    /// Whether balls can be at a spot.
    pub fn takes_balls(&self, spot: Spot) -> bool {
        spot < self.grounds
    }

    /// The targets; none when snowmen may stand anywhere.
    pub fn targets(&self) -> impl Iterator<Item = Spot> + '_ {
        (0..self.grounds).filter(|&spot| self.targets[spot])
    }

    /// Whether a snowman may stand at a spot in the end.
    pub fn is_base(&self, spot: Spot) -> bool {
        self.takes_balls(spot) && (self.targets[spot] || self.targets().next().is_none())
    }

    /// The spot from which a push is made; `None` when the ground does not allow it.
    pub fn behind(&self, push: Push) -> Option<Spot> {
        self.ahead(push.at, push.direction.opposite())
    }

    /// The spot to which the ball goes; `None` when the ground does not allow it.
    pub fn beyond(&self, push: Push) -> Option<Spot> {
        self.ahead(push.at, push.direction).filter(|&spot| self.takes_balls(spot))
    }

    /// All pushes that the ground allows.
    pub fn pushes(&self) -> impl Iterator<Item = Push> + '_ {
        let all = |at| Direction::ALL.map(|direction| Push { at, direction });
        let allowed = |push: &Push| self.behind(*push).is_some() && self.beyond(*push).is_some();
        (0..self.grounds).flat_map(all).filter(allowed)
    }

    /// Where the player can come to by one move that pushes nothing, from `from` past the blocked
    /// spots.
    pub fn strolls(
        &self,
        from: Spot,
        blocked: impl Fn(Spot) -> bool,
    ) -> impl Iterator<Item = (Move, Spot)> {
        self.ways(from).filter(move |&(_, next)| !blocked(next)).flat_map(
            move |(direction, next)| {
                let steps: Vec<(Move, Spot)> = if self.takes_balls(next) {
                    vec![(Move { direction, exit: None }, next)]
                } else {
                    let outs = (1u16..).zip(self.teleporters());
                    outs.filter(|&(_, out)| out != next && out != from)
                        .map(|(number, out)| (Move { direction, exit: Some(number) }, out))
                        .collect()
                };
                steps
            },
        )
    }

    /// A shortest walk past the blocked spots; `None` when there is none.
    pub fn walk(&self, from: Spot, to: Spot, blocked: impl Fn(Spot) -> bool) -> Option<Vec<Move>> {
        let mut came: Vec<Option<(Spot, Move)>> = vec![None; self.len()];
        let mut open = std::collections::VecDeque::from([from]);
        while let Some(spot) = open.pop_front() {
            if spot == to {
                break;
            }
            for (mv, next) in self.strolls(spot, &blocked) {
                if next != from && came[next].is_none() {
                    came[next] = Some((spot, mv));
                    open.push_back(next);
                }
            }
        }
        let mut moves = Vec::new();
        let mut spot = to;
        while spot != from {
            let (before, mv) = came[spot]?;
            moves.push(mv);
            spot = before;
        }
        moves.reverse();
        Some(moves)
    }

    /// The rectangle around the open cells: first row, first column, cells a row with a gap between
    /// rows, cells in all.
    pub(super) fn frame(&self) -> (usize, usize, usize, usize) {
        let places = || self.places().iter().map(|place| place.indices());
        let rows = || places().map(|(row, _)| row);
        let columns = || places().map(|(_, column)| column);
        let (top, bottom) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
        let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        let stride = right - left + 2;
        (top, left, stride, (bottom - top + 1) * stride)
    }

    /// The symmetries of the floor as images of spots, the identity first. Targets and teleporters
    /// stay what they are.
    pub(super) fn symmetries(&self) -> impl Iterator<Item = Vec<Spot>> {
        let (top, left, stride, size) = self.frame();
        let (width, height) = (stride - 1, size / stride);
        let spots: HashMap<CellCoord, Spot> =
            (0..self.len()).map(|spot| (self.place(spot), spot)).collect();
        let kind = |spot: Spot| (self.takes_balls(spot), self.targets[spot]);
        let maps = (0..8).filter(move |map| map & 4 == 0 || width == height);
        maps.filter_map(move |map| {
            let image = |spot| {
                let (row, column) = self.place(spot).indices();
                let (mut row, mut column) = (row - top, column - left);
                if map & 1 != 0 {
                    row = height - 1 - row;
                }
                if map & 2 != 0 {
                    column = width - 1 - column;
                }
                if map & 4 != 0 {
                    (row, column) = (column, row);
                }
                let there = spots.get(&CellCoord::at((row + top, column + left)));
                there.copied().filter(|&it| kind(it) == kind(spot))
            };
            (0..self.len()).map(image).collect()
        })
    }
}
