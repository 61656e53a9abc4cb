//! Rectangles of cells and the four directions, shared by the families that live on a grid.

use std::fmt;
use std::ops::{Index, IndexMut};

/// Place of a cell in its [`Grid`], counted row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u16);

impl Cell {
    /// The cell's number as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One of the four directions of a square grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards row 0.
    Up,
    /// Towards column 0.
    Left,
    /// Towards the last row.
    Down,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// All four, in a fixed order: up, left, down, right (W A S D).
    pub const ALL: [Direction; 4] = [Self::Up, Self::Left, Self::Down, Self::Right];

    /// Where an arrow points, as of a keyboard (`^ v < >`) or of Unicode.
    pub fn of_arrow(symbol: char) -> Option<Self> {
        match symbol {
            '^' | '↑' => Some(Self::Up),
            '<' | '←' => Some(Self::Left),
            'v' | '↓' => Some(Self::Down),
            '>' | '→' => Some(Self::Right),
            _ => None,
        }
    }

    /// The key of a keyboard: `W` up, `A` left, `S` down, `D` right.
    pub fn key(self) -> char {
        match self {
            Self::Up => 'W',
            Self::Left => 'A',
            Self::Down => 'S',
            Self::Right => 'D',
        }
    }

    /// The direction of a key, in either case, or of an arrow.
    pub fn of_key(key: char) -> Option<Self> {
        let known = Self::ALL.into_iter().find(|it| it.key() == key.to_ascii_uppercase());
        known.or_else(|| Self::of_arrow(key))
    }

    /// The direction back.
    pub fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Down => Self::Up,
            Self::Right => Self::Left,
        }
    }

    /// Place in [`Direction::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Change of (row, column).
    pub fn delta(self) -> (isize, isize) {
        match self {
            Self::Up => (-1, 0),
            Self::Left => (0, -1),
            Self::Down => (1, 0),
            Self::Right => (0, 1),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Up => "up",
            Self::Left => "left",
            Self::Down => "down",
            Self::Right => "right",
        })
    }
}

/// A rectangle of values, at most 65,535 cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    values: Vec<T>,
}

impl<T: Clone> Grid<T> {
    /// The largest number of cells that a grid can hold.
    pub const MAX_CELLS: usize = u16::MAX as usize;

    /// A rectangle filled with one value; `None` when it has more than [`Grid::MAX_CELLS`] cells.
    pub fn filled(width: usize, height: usize, value: T) -> Option<Self> {
        let cells = width.checked_mul(height).filter(|&n| n <= Self::MAX_CELLS)?;
        Some(Self { width, height, values: vec![value; cells] })
    }

    /// Rows of any length, made rectangular with `filler` on the right; `None` when too large.
    pub fn from_rows(rows: &[Vec<T>], filler: T) -> Option<Self> {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut grid = Self::filled(width, rows.len(), filler)?;
        for (row, values) in rows.iter().enumerate() {
            grid.values[row * width..row * width + values.len()].clone_from_slice(values);
        }
        Some(grid)
    }
}

impl<T> Grid<T> {
    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + use<T> {
        (0..self.values.len() as u16).map(Cell)
    }

    /// All cells with their values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.values.iter().enumerate().map(|(index, value)| (Cell(index as u16), value))
    }

    /// The cell at a row and column (from 0), if it is inside.
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        (row < self.height && column < self.width).then(|| Cell((row * self.width + column) as u16))
    }

    /// Row and column of a cell, from 0.
    pub fn place(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.width, cell.index() % self.width)
    }

    /// Row and column of a cell for people, from 1: `(2,3)`.
    pub fn words(&self, cell: Cell) -> String {
        let (row, column) = self.place(cell);
        format!("({},{})", row + 1, column + 1)
    }

    /// The next cell in a direction, if it is inside.
    pub fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let (row, column) = self.place(cell);
        let (down, right) = direction.delta();
        self.cell(row.checked_add_signed(down)?, column.checked_add_signed(right)?)
    }

    /// The next cells in all directions that are inside.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = (Direction, Cell)> + '_ {
        Direction::ALL.into_iter().filter_map(move |d| Some((d, self.next(cell, d)?)))
    }

    /// The rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.values.chunks(self.width.max(1))
    }

    /// A rectangle of the same size with other values.
    pub fn map<U>(&self, change: impl FnMut(&T) -> U) -> Grid<U> {
        let values = self.values.iter().map(change).collect();
        Grid { width: self.width, height: self.height, values }
    }
}

impl<T> Index<Cell> for Grid<T> {
    type Output = T;

    fn index(&self, cell: Cell) -> &T {
        &self.values[cell.index()]
    }
}

impl<T> IndexMut<Cell> for Grid<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.values[cell.index()]
    }
}
