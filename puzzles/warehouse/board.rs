//! The building and what stands in it: cells, walls, boxes of any width, positions.

use crate::grid::Direction;
use std::fmt;

/// A cell of a [`Layout`] by its number, counted row by row from 0.
///
/// Wider than [`crate::Cell`]: warehouses may have millions of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u32);

impl Cell {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The building: a rectangle of cells, each wall or floor. Outside everything is wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    width: usize,
    walls: Vec<bool>,
}

impl Layout {
    /// The largest number of cells of a building.
    pub const MAX_CELLS: usize = 1 << 26;

    /// A building from its rows, whose lengths may differ: what is missing on the right is wall.
    /// `None` when it has more than [`Layout::MAX_CELLS`] cells.
    pub fn from_rows(rows: &[Vec<bool>]) -> Option<Self> {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        width.checked_mul(rows.len()).filter(|&cells| cells <= Self::MAX_CELLS)?;
        let mut walls = Vec::with_capacity(width * rows.len());
        for row in rows {
            walls.extend_from_slice(row);
            walls.resize(walls.len() + width - row.len(), true);
        }
        Some(Self { width, walls })
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.walls.len().checked_div(self.width).unwrap_or(0)
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.walls.len()
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.walls.is_empty()
    }

    /// Whether a cell is wall.
    pub fn is_wall(&self, cell: Cell) -> bool {
        self.walls[cell.index()]
    }

    /// All cells that are not wall, row by row.
    pub fn floor(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..).zip(&self.walls).filter(|&(_, &wall)| !wall).map(|(number, _)| Cell(number))
    }

    /// The cell at a row and column (from 0), if it is inside.
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        let inside = row < self.height() && column < self.width;
        inside.then(|| Cell((row * self.width + column) as u32))
    }

    /// Row and column of a cell, from 0.
    pub fn place(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.width, cell.index() % self.width)
    }

    /// The next cell in a direction, if it is inside.
    pub fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let (row, column) = self.place(cell);
        let (down, right) = direction.delta();
        self.cell(row.checked_add_signed(down)?, column.checked_add_signed(right)?)
    }

    /// The next cell in a direction, if it is inside and not wall.
    pub fn next_floor(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.next(cell, direction).filter(|&next| !self.is_wall(next))
    }

    /// What a box with its left cell here adds to the score.
    pub fn worth(&self, left: Cell) -> u64 {
        let (row, column) = self.place(left);
        100 * row as u64 + column as u64
    }

    /// The building with floor instead of some walls.
    pub(super) fn opened(&self, cells: &[Cell]) -> Self {
        let mut opened = self.clone();
        cells.iter().for_each(|cell| opened.walls[cell.index()] = false);
        opened
    }

    /// Every cell twice as wide; `None` when that is too large.
    pub(super) fn widened(&self) -> Option<Self> {
        self.walls.len().checked_mul(2).filter(|&cells| cells <= Self::MAX_CELLS)?;
        let walls = self.walls.iter().flat_map(|&wall| [wall, wall]).collect();
        Some(Self { width: self.width * 2, walls })
    }
}

/// A box: its left cell and how many cells it covers to the right. An ordinary box has width 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WideBox {
    /// The leftmost cell.
    pub left: Cell,
    /// Number of cells, at least 1.
    pub width: u32,
}

impl WideBox {
    /// The cells that the box covers, from the left.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        (self.left.0..self.left.0 + self.width).map(Cell)
    }

    /// Whether the box covers a cell.
    pub fn covers(self, cell: Cell) -> bool {
        (self.left.0..self.left.0 + self.width).contains(&cell.0)
    }

    /// How the box is written: `O`, `[]`, `[=]`, `[==]` and so on.
    pub(super) fn letters(self) -> impl Iterator<Item = char> {
        let last = self.width - 1;
        (0..self.width).map(move |index| match index {
            0 if last == 0 => 'O',
            0 => '[',
            _ if index == last => ']',
            _ => '=',
        })
    }
}

/// A position: everything that changes in the game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Where the robot stands.
    pub robot: Cell,
    /// The boxes, from the top left to the bottom right.
    pub boxes: Vec<WideBox>,
}

impl State {
    /// The box on a cell, if there is one.
    pub fn box_at(&self, cell: Cell) -> Option<WideBox> {
        self.boxes.iter().copied().find(|wide| wide.covers(cell))
    }

    /// The score of the published task: 100 times the row plus the column of each box's left cell.
    pub fn score(&self, layout: &Layout) -> u64 {
        self.boxes.iter().map(|wide| layout.worth(wide.left)).sum()
    }
}

/// A list of instructions: the answer of the family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instructions(pub Vec<Direction>);

/// The letter of an instruction.
pub(super) fn letter(direction: Direction) -> char {
    match direction {
        Direction::Up => '^',
        Direction::Left => '<',
        Direction::Down => 'v',
        Direction::Right => '>',
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.0.iter().map(|&direction| letter(direction)).collect();
        f.write_str(&text)
    }
}
