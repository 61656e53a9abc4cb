//! Boards as data, for programs that draw them by themselves.

use crate::grid::Grid;
use crate::pieces::Coord;
use serde::Serialize;

/// What of a board never changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// Squares on which pieces move.
    Squares(SquareGround),
    /// Cells of any shape, between which paths are drawn.
    Paths(PathGround),
}

/// A rectangle of squares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SquareGround {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// What each square is, row by row: a word such as `wall`.
    pub squares: Vec<&'static str>,
    /// What stands on the lower right corner of a square.
    pub corners: Vec<(Coord, &'static str)>,
    /// How figures look, by their numbers, where the text of a level says so.
    pub sprites: Vec<Sprite>,
}

impl SquareGround {
    /// The squares of a grid, by a word for each.
    pub fn of<T>(grid: &Grid<T>, word: impl Fn(crate::Cell, &T) -> &'static str) -> Self {
        let squares = grid.iter().map(|(cell, content)| word(cell, content)).collect();
        let (rows, columns) = (grid.height(), grid.width());
        Self { rows, columns, squares, ..Self::default() }
    }
}

/// How a thing looks that its author has drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sprite {
    /// What the author calls it.
    pub name: String,
    /// What is not transparent.
    pub runs: Vec<Run>,
}

/// Dots of one colour side by side; a square has five rows and columns of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Row of the dots, from 0.
    pub row: usize,
    /// Column of the first one, from 0.
    pub column: usize,
    /// How many there are.
    pub length: usize,
    /// `#rgb` or `#rrggbb`.
    pub colour: String,
}

/// Something that moves or changes, on one square or on several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS))]
pub struct Figure {
    /// What it is: a word such as `box`.
    pub kind: &'static str,
    /// The squares that it covers, or the two that it joins.
    pub places: Vec<Coord>,
    /// What its kind counts: the electrons that an atom has free, the lines of a bond, the sum of
    /// a stack of balls; on ground with sprites, which of them it has; else 0.
    pub number: u16,
}

impl Figure {
    /// Something on a square that counts nothing.
    pub fn at(kind: &'static str, place: Coord) -> Self {
        Self { kind, places: vec![place], number: 0 }
    }
}

/// Cells and the ways between them.
#[derive(Clone, Debug, PartialEq)]
pub struct PathGround {
    /// Whether the cells are squares in rows and columns; else they are round.
    pub is_square: bool,
    /// Width and height, in widths of a cell.
    pub size: (f64, f64),
    /// The cells.
    pub cells: Vec<PathCell>,
    /// Pairs of cells between which a path may go, by their numbers.
    pub ways: Vec<[usize; 2]>,
    /// Pairs of cells that lie side by side without a way.
    pub walls: Vec<[usize; 2]>,
    /// What is to be joined.
    pub ends: Vec<PathPair>,
}

/// A cell that paths may pass.
#[derive(Clone, Debug, PartialEq)]
pub struct PathCell {
    /// Its name in solutions.
    pub name: String,
    /// Its middle: across and down, in widths of a cell.
    pub middle: (f64, f64),
    /// Whether paths cross here.
    pub is_bridge: bool,
}

/// Two cells that a path is to join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPair {
    /// The letter on both.
    pub label: String,
    /// Red, green and blue of it and of its path.
    pub colour: (u8, u8, u8),
    /// The numbers of the cells.
    pub cells: [usize; 2],
}
