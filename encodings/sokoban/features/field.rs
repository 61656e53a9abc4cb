//! The floor as tables that are quick to read.

use crate::bit_set::BitSet;
use crate::sokoban::bounds::{Bounds, Push};
use crate::sokoban::graph::Spot;
use crate::space::PackingError;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::Sokoban;

/// No cell: a wall.
pub(super) const NO_CELL: u16 = u16::MAX;

/// Floor, pushes and distances.
#[derive(Clone, Debug)]
pub(super) struct Field {
    bounds: Bounds,
    ahead: Vec<[u16; 4]>,
    /// Whether a box may be pushed from a cell in a direction by one who stands behind it, as far
    /// as walls and dead slots go.
    live: Vec<[bool; 4]>,
    /// The same for pulls: whether the push that it undoes may be made.
    live_pull: Vec<[bool; 4]>,
    /// Pushes to the nearest goal, by slot.
    nearest: Vec<u32>,
}

impl Field {
    /// The floor of a level of at most `64 * W` cells.
    pub(super) fn fitting<const W: usize>(puzzle: &Sokoban) -> Result<Self, PackingError> {
        let field = Self::new(puzzle);
        if field.len() > BitSet::<W>::CAPACITY {
            let message = format!("{} cells, at most {} fit", field.len(), BitSet::<W>::CAPACITY);
            return Err(PackingError(message));
        }
        Ok(field)
    }

    fn new(puzzle: &Sokoban) -> Self {
        let bounds = Bounds::new(puzzle);
        let floor = bounds.floor();
        let cells = 0..floor.len();
        let next = |at, d| floor.ahead(at, d).map_or(NO_CELL, |next| next as u16);
        let ahead = cells.clone().map(|at| Direction::ALL.map(|d| next(at, d))).collect();
        let live_push = |push: &Push| bounds.is_live(push.after);
        let live = |at| Direction::ALL.map(|d| bounds.push(at, d).is_some_and(live_push));
        let live = cells.clone().map(live).collect();
        let live_pull = |at, d: Direction| {
            let before = floor.ahead(at, d).and_then(|from| bounds.push(from, d.opposite()));
            before
                .is_some_and(|push| bounds.is_reachable(push.before) && bounds.is_live(push.after))
        };
        let live_pull = cells.map(|at| Direction::ALL.map(|d| live_pull(at, d))).collect();
        let nearest = (0..bounds.sides().slots()).map(|slot| bounds.nearest(slot)).collect();
        Self { ahead, live, live_pull, nearest, bounds }
    }

    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Number of cells.
    pub(super) fn len(&self) -> usize {
        self.ahead.len()
    }

    /// The next cell in a direction, [`NO_CELL`] for a wall.
    #[inline]
    pub(super) fn ahead(&self, cell: usize, direction: usize) -> u16 {
        self.ahead[cell][direction]
    }

    /// The next cells in all directions, [`NO_CELL`] for walls.
    #[inline]
    pub(super) fn around(&self, cell: usize) -> [u16; 4] {
        self.ahead[cell]
    }

    /// The direction back, by number.
    pub(super) fn opposite(direction: usize) -> usize {
        (direction + 2) % 4
    }

    /// Whether a push of a box alone on the floor leads anywhere.
    #[inline]
    pub(super) fn is_live(&self, cell: usize, direction: usize) -> bool {
        self.live[cell][direction]
    }

    /// Whether a pull of a box alone on the floor undoes a push that leads anywhere.
    #[inline]
    pub(super) fn is_live_pull(&self, cell: usize, direction: usize) -> bool {
        self.live_pull[cell][direction]
    }

    /// Least pushes of a box alone to any goal.
    pub(super) fn nearest(&self, at: Spot, player: Spot) -> u32 {
        self.nearest[self.bounds.sides().slot(at, player)]
    }

    /// Whether every goal takes a box.
    pub(super) fn fills_all_goals(&self) -> bool {
        self.bounds.fills_all_goals()
    }

    /// All cells.
    pub(super) fn all<const W: usize>(&self) -> BitSet<W> {
        (0..self.len()).collect()
    }

    /// The goals.
    pub(super) fn goals<const W: usize>(&self) -> BitSet<W> {
        self.bounds.floor().goals().iter().copied().collect()
    }

    /// Where the boxes stand at the start.
    pub(super) fn boxes<const W: usize>(&self) -> BitSet<W> {
        self.bounds.floor().boxes().iter().copied().collect()
    }
}
