//! Sets of cells of a board, as bits in the order of the judge: column by column.

use unstuck_puzzles::puzzlescript::{Direction, bits};

/// All directions, in the order of the bits of a movement.
pub(crate) const DIRECTIONS: [Direction; 4] =
    [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// A set of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cells(Box<[u64]>);

impl Cells {
    /// The bits, the first cell lowest.
    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(crate) fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    pub(crate) fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    pub(crate) fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds the cells of another set; whether that is news.
    pub(crate) fn add(&mut self, other: &Self) -> bool {
        let mut news = 0;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            news |= other & !*word;
            *word |= other;
        }
        news != 0
    }

    /// Keeps the cells that are in another set too.
    pub(crate) fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    /// The cells that are in both sets.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.keep(other);
        both
    }

    /// The cells, in increasing order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        bits(&self.0)
    }

    /// The set in which each cell is moved by some places towards 0.
    fn lowered(&self, by: usize) -> Self {
        let word = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let lowered = |at| match by % 64 {
            0 => word(at + by / 64),
            shift => word(at + by / 64) >> shift | word(at + by / 64 + 1) << (64 - shift),
        };
        Self((0..self.0.len()).map(lowered).collect())
    }

    /// The set in which each cell is moved by some places away from 0.
    fn raised(&self, by: usize) -> Self {
        let word = |at: usize, back: usize| at.checked_sub(back).map_or(0, |at| self.0[at]);
        let raised = |at| match by % 64 {
            0 => word(at, by / 64),
            shift => word(at, by / 64) << shift | word(at, by / 64 + 1) >> (64 - shift),
        };
        Self((0..self.0.len()).map(raised).collect())
    }
}

/// The cells of a board and which lie side by side.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Cells with a neighbour in each direction.
    inner: [Cells; 4],
    all: Cells,
}

impl Grid {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let empty = Cells(vec![0; (width * height).div_ceil(64)].into());
        let mut inner = std::array::from_fn(|_| empty.clone());
        for cell in 0..width * height {
            let (column, row) = (cell / height, cell % height);
            let has = [row > 0, row + 1 < height, column > 0, column + 1 < width];
            inner.iter_mut().zip(has).filter(|(_, has)| *has).for_each(|(it, _)| it.insert(cell));
        }
        let mut all = empty;
        (0..width * height).for_each(|cell| all.insert(cell));
        Self { width, height, inner, all }
    }

    pub(crate) fn len(&self) -> usize {
        self.width * self.height
    }

    /// No cell.
    pub(crate) fn none(&self) -> Cells {
        Cells(vec![0; self.len().div_ceil(64)].into())
    }

    /// All cells.
    pub(crate) fn all(&self) -> Cells {
        self.all.clone()
    }

    /// How far the next cell in a direction is.
    pub(crate) fn step(&self, direction: Direction) -> isize {
        match direction {
            Direction::Up => -1,
            Direction::Down => 1,
            Direction::Left => -(self.height as isize),
            Direction::Right => self.height as isize,
        }
    }

    /// The neighbour of a cell in a direction.
    pub(crate) fn next(&self, cell: usize, direction: Direction) -> Option<usize> {
        let inner = self.inner[direction as usize].has(cell);
        inner.then(|| cell.wrapping_add_signed(self.step(direction)))
    }

    /// The cells whose neighbours in a direction are in a set.
    pub(crate) fn before(&self, set: &Cells, direction: Direction) -> Cells {
        let step = self.step(direction);
        let by = step.unsigned_abs();
        let mut cells = if step > 0 { set.lowered(by) } else { set.raised(by) };
        cells.keep(&self.inner[direction as usize]);
        cells
    }

    /// The neighbours in a direction of the cells of a set.
    pub(crate) fn after(&self, set: &Cells, direction: Direction) -> Cells {
        let step = self.step(direction);
        let by = step.unsigned_abs();
        let set = set.and(&self.inner[direction as usize]);
        if step > 0 { set.raised(by) } else { set.lowered(by) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_sets_are_those_of_their_cells() {
        let mut rng = fastrand::Rng::with_seed(1);
        for (width, height) in [(1, 1), (5, 4), (13, 10), (3, 70), (70, 3), (2, 64), (9, 64)] {
            let grid = Grid::new(width, height);
            let mut set = grid.none();
            (0..grid.len()).filter(|_| rng.bool()).for_each(|cell| set.insert(cell));
            for direction in DIRECTIONS {
                let (mut before, mut after) = (grid.none(), grid.none());
                for cell in 0..grid.len() {
                    let Some(next) = grid.next(cell, direction) else { continue };
                    if set.has(next) {
                        before.insert(cell);
                    }
                    if set.has(cell) {
                        after.insert(next);
                    }
                }
                assert_eq!(grid.before(&set, direction), before);
                assert_eq!(grid.after(&set, direction), after);
            }
        }
    }
}
