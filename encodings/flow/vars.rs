//! The variables and their names.

use std::fmt;
use unstuck_puzzles::flow::{Board, Name};

/// A node of the board, named for people: a cell, or one lane of a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    cell: CellName,
    /// Number of the lane, from 0.
    lane: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum CellName {
    /// Row and column.
    At(u16, u16),
    /// The number of the cell in the list of a graph, from 0.
    Nth(u32),
}

impl Site {
    /// The site of a node.
    pub(super) fn new(board: &Board, node: usize) -> Self {
        let cell = match board.cell_of(node).name {
            Name::At(row, column) => CellName::At(row as u16, column as u16),
            Name::Id(_) => {
                let nth = board.cells().iter().position(|cell| cell.nodes.contains(&node));
                CellName::Nth(nth.unwrap_or(node) as u32)
            }
        };
        Self { cell, lane: board.lane(node).map(|lane| lane as u16) }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cell {
            CellName::At(row, column) => write!(f, "{row},{column}")?,
            CellName::Nth(number) => write!(f, "#{number}")?,
        }
        match self.lane {
            Some(lane) => write!(f, "/{lane}"),
            None => Ok(()),
        }
    }
}

/// What an atom says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// The path goes from one node straight to the other.
    Joined(Site, Site),
    /// A bit of the number of the pair whose path passes the node, from the lowest.
    Colour(Site, u8),
    /// The numbers of two neighbours differ in a bit (implied only: true means different).
    Differ(Site, Site, u8),
    /// A path passes the node.
    Used(Site),
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joined(a, b) => write!(f, "joined({a};{b})"),
            Self::Colour(node, bit) => write!(f, "colour({node};{bit})"),
            Self::Differ(a, b, bit) => write!(f, "differ({a};{b};{bit})"),
            Self::Used(node) => write!(f, "used({node})"),
        }
    }
}
