//! The variables and their names.

use std::fmt;
use unstuck_puzzles::flow::{Board, Cell, Name};

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
    At(u32, u32),
    /// The number of the cell in the list of a graph, from 0.
    Nth(u32),
}

impl Site {
    /// The sites of all nodes.
    pub(super) fn all(board: &Board) -> Vec<Self> {
        let sites = |(nth, cell): (u32, &Cell)| {
            let name = match cell.name {
                Name::At(row, column) => CellName::At(row as u32, column as u32),
                Name::Id(_) => CellName::Nth(nth),
            };
            let lane = |node| board.lane(node).map(|lane| lane as u16);
            cell.nodes.clone().map(move |node| Self { cell: name, lane: lane(node) })
        };
        (0..).zip(board.cells()).flat_map(sites).collect()
    }

    /// The site as text, with the cells of a graph as `name` calls them, else by their numbers.
    pub(super) fn named<'a>(&self, name: impl FnOnce(u32) -> Option<&'a str>) -> String {
        let cell = match self.cell {
            CellName::At(row, column) => format!("{row},{column}"),
            CellName::Nth(number) => {
                name(number).map_or_else(|| format!("#{number}"), str::to_owned)
            }
        };
        match self.lane {
            Some(lane) => format!("{cell}/{lane}"),
            None => cell,
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(|_| None))
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

impl Var {
    /// The variable as text, with its sites as `site` calls them.
    pub(super) fn named(&self, site: impl Fn(&Site) -> String) -> String {
        match self {
            Self::Joined(a, b) => format!("joined({};{})", site(a), site(b)),
            Self::Colour(node, bit) => format!("colour({};{bit})", site(node)),
            Self::Differ(a, b, bit) => format!("differ({};{};{bit})", site(a), site(b)),
            Self::Used(node) => format!("used({})", site(node)),
        }
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(Site::to_string))
    }
}
