//! The typed variables of the warehouse encodings.

pub use crate::cell_coord::CellCoord;

use std::fmt;
use unstuck_puzzles::Direction;

/// A place for a box: its left cell and its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Berth {
    /// The left cell.
    pub left: CellCoord,
    /// Number of cells.
    pub width: u32,
}

/// A variable of one layer. Boxes have no identity: a box variable says that *some* box is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// The robot stands here.
    Robot(CellCoord),
    /// A box stands here.
    Box(Berth),
    /// The step goes in this direction (when steps are pushes: pushes in this direction).
    Go(Direction),
    /// The robot pushes from this cell in this direction.
    Push(CellCoord, Direction),
    /// The box that stands here is pushed in this direction.
    Moved(Berth, Direction),
    /// The step pushes.
    Pushing,
    /// The step is not idle.
    Busy,
    /// The walk before the push begins here.
    Begin(CellCoord),
    /// The walk before the push passes here.
    Walk(CellCoord),
    /// The walk before the push ends here.
    End(CellCoord),
    /// The robot can walk to where it must end.
    Home,
    /// The walk after the last push begins here.
    HomeBegin(CellCoord),
    /// The walk after the last push passes here.
    HomeWalk(CellCoord),
}

impl fmt::Display for Berth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.width {
            1 => self.left.fmt(f),
            width => write!(f, "{}x{width}", self.left),
        }
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(place) => write!(f, "robot({place})"),
            Self::Box(berth) => write!(f, "box({berth})"),
            Self::Go(direction) => write!(f, "go({direction})"),
            Self::Push(place, direction) => write!(f, "push({place},{direction})"),
            Self::Moved(berth, direction) => write!(f, "moved({berth},{direction})"),
            Self::Pushing => f.write_str("pushing"),
            Self::Busy => f.write_str("busy"),
            Self::Begin(place) => write!(f, "begin({place})"),
            Self::Walk(place) => write!(f, "walk({place})"),
            Self::End(place) => write!(f, "end({place})"),
            Self::Home => f.write_str("home"),
            Self::HomeBegin(place) => write!(f, "home-begin({place})"),
            Self::HomeWalk(place) => write!(f, "home-walk({place})"),
        }
    }
}
