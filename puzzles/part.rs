//! Parts of a level that can be left out: walls, boxes, atoms, snow, pairs.

use serde::{Serialize, Serializer};

/// A part of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Part {
    /// What it is, in one word: `wall`, `box`.
    pub kind: &'static str,
    /// What it is and where, for people: `box (2,3)`, rows and columns from 1.
    pub name: String,
    /// Row and column of its cells: from 0 here, from 1 where they are written.
    #[serde(rename = "cells", serialize_with = "from_one")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Vec<[usize; 2]>", inner(inner(range(min = 1)))),
        ts(as = "Vec<[usize; 2]>")
    )]
    pub places: Vec<(usize, usize)>,
    /// Whether a level without it is never harder: every solution of the level, with the moves of
    /// this part left out, is one of the level without it, and no longer.
    #[serde(skip)]
    pub loosens: bool,
}

fn from_one<S: Serializer>(places: &[(usize, usize)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(places.iter().map(|&(row, column)| [row + 1, column + 1]))
}

impl Part {
    /// The kind of walls.
    pub const WALL: &str = "wall";

    /// The kind of a rule such as Flow's that every cell is on a path.
    pub const RULE: &str = "cover";

    /// A part on one cell of a grid.
    pub(crate) fn at(kind: &'static str, (row, column): (usize, usize), loosens: bool) -> Self {
        let name = format!("{kind} ({},{})", row + 1, column + 1);
        Self { kind, name, places: vec![(row, column)], loosens }
    }
}
