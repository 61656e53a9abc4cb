//! Where a cell is, as the names of variables say it.

use std::fmt;
use unstuck_puzzles::patterns;

/// Row and column of a cell, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellCoord {
    /// The row, from the top.
    pub row: u32,
    /// The column, from the left.
    pub column: u32,
}

impl CellCoord {
    /// The place in a row and a column.
    pub fn at((row, column): (usize, usize)) -> Self {
        Self { row: row as u32, column: column as u32 }
    }

    /// The place that a list of patterns names.
    pub fn named((row, column): patterns::PatternCoord) -> Self {
        Self { row: row.into(), column: column.into() }
    }

    /// Whether row and column have an odd sum: the colour of the cell on a chessboard.
    pub fn is_odd(self) -> bool {
        (self.row ^ self.column) & 1 == 1
    }

    /// Row and column as indices.
    pub fn indices(self) -> (usize, usize) {
        (self.row as usize, self.column as usize)
    }
}

impl fmt::Display for CellCoord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.column)
    }
}
