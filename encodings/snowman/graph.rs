//! The board as a graph: where the player can walk and where balls can be.

use crate::floor::FloorGraph;
use std::ops::Deref;
use unstuck_puzzles::grid::{Cell, Direction};
use unstuck_puzzles::snowman::{Ground, Move, Snowman};

pub use crate::floor::Spot;

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
}
