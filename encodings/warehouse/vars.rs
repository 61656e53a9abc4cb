//! The typed variables of the warehouse encodings.

pub use crate::place::Place as Spot;

use std::fmt;
use unstuck_puzzles::Direction;

/// A place for a box: its left cell and its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Berth {
    /// The left cell.
    pub left: Spot,
    /// Number of cells.
    pub width: u32,
}

/// A variable of one layer. Boxes have no identity: a box variable says that *some* box is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// The robot stands here.
    Robot(Spot),
    /// A box stands here.
    Box(Berth),
    /// The step goes in this direction (when steps are pushes: pushes in this direction).
    Go(Direction),
    /// The robot pushes from this cell in this direction.
    Push(Spot, Direction),
    /// The box that stands here is pushed in this direction.
    Moved(Berth, Direction),
    /// The step pushes.
    Pushing,
    /// The step is not idle.
    Busy,
    /// The walk before the push begins here.
    Begin(Spot),
    /// The walk before the push passes here.
    Walk(Spot),
    /// The walk before the push ends here.
    End(Spot),
    /// The robot can walk to where it must end.
    Home,
    /// The walk after the last push begins here.
    HomeBegin(Spot),
    /// The walk after the last push passes here.
    HomeWalk(Spot),
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
            Self::Robot(spot) => write!(f, "robot({spot})"),
            Self::Box(berth) => write!(f, "box({berth})"),
            Self::Go(direction) => write!(f, "go({direction})"),
            Self::Push(spot, direction) => write!(f, "push({spot},{direction})"),
            Self::Moved(berth, direction) => write!(f, "moved({berth},{direction})"),
            Self::Pushing => f.write_str("pushing"),
            Self::Busy => f.write_str("busy"),
            Self::Begin(spot) => write!(f, "begin({spot})"),
            Self::Walk(spot) => write!(f, "walk({spot})"),
            Self::End(spot) => write!(f, "end({spot})"),
            Self::Home => f.write_str("home"),
            Self::HomeBegin(spot) => write!(f, "home-begin({spot})"),
            Self::HomeWalk(spot) => write!(f, "home-walk({spot})"),
        }
    }
}
