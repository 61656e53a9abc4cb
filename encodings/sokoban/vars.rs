//! The typed variables of the Sokoban encodings.

pub use crate::cell_coord::CellCoord;

use std::fmt;
use unstuck_puzzles::grid::Direction;

/// A statement about one layer, or about the step from it to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// A box stands here.
    Box(CellCoord),
    /// The player stands here (where a step is a push: stands here since the last push).
    Player(CellCoord),
    /// In this step a box is pushed from here in this direction.
    Push(CellCoord, Direction),
    /// In this step the player goes, or pushes, in this direction.
    Go(Direction),
    /// Something happens in this step: it is not idle.
    Busy,
    /// In this step a box is pushed (where steps are moves).
    Pushing,
    /// The walk before the push passes here.
    Walk(CellCoord),
    /// The walk before the push ends here.
    To(CellCoord),
    /// In this step the player reaches this cell within so many cells of walking.
    Reach(u32, CellCoord),
    /// The pushes before this layer wasted at least so many units.
    Wasted(u32),
    /// The push of this step wastes at least so many units.
    Wastes(u32),
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Box(place) => write!(f, "box({place})"),
            Self::Player(place) => write!(f, "player({place})"),
            Self::Push(place, direction) => write!(f, "push({place},{direction})"),
            Self::Go(direction) => write!(f, "go({direction})"),
            Self::Busy => f.write_str("busy"),
            Self::Pushing => f.write_str("pushing"),
            Self::Walk(place) => write!(f, "walk({place})"),
            Self::To(place) => write!(f, "to({place})"),
            Self::Reach(depth, place) => write!(f, "reach{depth}({place})"),
            Self::Wasted(units) => write!(f, "wasted({units})"),
            Self::Wastes(units) => write!(f, "wastes({units})"),
        }
    }
}
