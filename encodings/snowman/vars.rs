//! The typed variables of the snowman encodings.

pub use crate::cell_coord::CellCoord;

use std::fmt;
use unstuck_puzzles::grid::Direction;

/// Names of the sizes, the smallest first.
const SIZES: [&str; 3] = ["small", "medium", "large"];

/// What a ball lies on before a push or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placement {
    /// On all larger sizes.
    Correct,
    /// Not on all larger sizes.
    Misplaced,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Correct => "well",
            Self::Misplaced => "amiss",
        })
    }
}

/// A statement about one layer, or about the step from it to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// A ball of this size (0 to 2) is here.
    Ball(CellCoord, u8),
    /// Snow lies here.
    Snow(CellCoord),
    /// The player is here (where a step is a ball action: since the last one, or in the part of
    /// the floor that is joined with this cell).
    Player(CellCoord),
    /// In this step the player pushes what is here, in this direction.
    Push(CellCoord, Direction),
    /// In this step a ball leaves this cell.
    Leave(CellCoord),
    /// In this step a ball comes to this cell.
    Enter(CellCoord),
    /// In this step a ball of this size is pushed.
    Moved(u8),
    /// In this step the top is pushed off a stack, and the player stays.
    Drops,
    /// In this step the player goes, or pushes, in this direction.
    Go(Direction),
    /// In this step the player goes into this teleporter.
    Into(CellCoord),
    /// In this step the player comes out at this teleporter.
    Exit(CellCoord),
    /// In this step the player steps off this teleporter in this direction.
    Off(CellCoord, Direction),
    /// Something happens in this step: it is not idle.
    Busy,
    /// In this step a ball is pushed.
    Pushing,
    /// All balls are in snowmen that stand where they should.
    Solved,
    /// The walk before the push passes here; the number counts the teleporters used before.
    Walk(u8, CellCoord),
    /// That part of the walk ends here.
    To(u8, CellCoord),
    /// The push is made from here.
    At(CellCoord),
    /// The walk uses at least so many teleporters.
    Hops(u8),
    /// The n-th teleporter of the walk is entered here.
    HopIn(u8, CellCoord),
    /// The n-th teleporter of the walk is left here.
    HopOut(u8, CellCoord),
    /// At least so many cells of snow have been wasted on large balls.
    Wasted(u32),
    /// In the end there is a base at most so many pushes from here.
    Near(CellCoord, u32),
    /// In the end there is a base at most so many pushes from here, one push at least.
    NearMisplaced(CellCoord, u32),
    /// A push from here in this direction brings a ball nearer to its nearest base, if it lies so
    /// before and so afterwards.
    Nearer(CellCoord, Direction, Placement, Placement),
    /// A push from here in this direction takes a ball away from its nearest base, if it lies so
    /// before and so afterwards.
    Farther(CellCoord, Direction, Placement, Placement),
    /// The ball that is pushed in this step lay on all larger sizes.
    LiesWell,
    /// The ball that is pushed in this step does not come to lie on all larger sizes.
    LandsMisplaced,
    /// In this step no ball comes nearer to its nearest base.
    Idles,
    /// In this step a ball is taken away from its nearest base.
    Harms,
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ball(place, size) => write!(f, "{}({place})", SIZES[usize::from(*size)]),
            Self::Snow(place) => write!(f, "snow({place})"),
            Self::Player(place) => write!(f, "player({place})"),
            Self::Push(place, direction) => write!(f, "push({place},{direction})"),
            Self::Leave(place) => write!(f, "leave({place})"),
            Self::Enter(place) => write!(f, "enter({place})"),
            Self::Moved(size) => write!(f, "moved({})", SIZES[usize::from(*size)]),
            Self::Drops => f.write_str("drops"),
            Self::Go(direction) => write!(f, "go({direction})"),
            Self::Into(place) => write!(f, "into({place})"),
            Self::Exit(place) => write!(f, "exit({place})"),
            Self::Off(place, direction) => write!(f, "off({place},{direction})"),
            Self::Busy => f.write_str("busy"),
            Self::Pushing => f.write_str("pushing"),
            Self::Solved => f.write_str("solved"),
            Self::Walk(leg, place) => write!(f, "walk({leg},{place})"),
            Self::To(leg, place) => write!(f, "to({leg},{place})"),
            Self::At(place) => write!(f, "at({place})"),
            Self::Hops(count) => write!(f, "hops({count})"),
            Self::HopIn(count, place) => write!(f, "hop-in({count},{place})"),
            Self::HopOut(count, place) => write!(f, "hop-out({count},{place})"),
            Self::Wasted(count) => write!(f, "wasted({count})"),
            Self::Near(place, pushes) => write!(f, "near({place},{pushes})"),
            Self::NearMisplaced(place, pushes) => write!(f, "near-amiss({place},{pushes})"),
            Self::Nearer(place, direction, before, after) => {
                write!(f, "nearer({place},{direction},{before},{after})")
            }
            Self::Farther(place, direction, before, after) => {
                write!(f, "farther({place},{direction},{before},{after})")
            }
            Self::LiesWell => f.write_str("lies-well"),
            Self::LandsMisplaced => f.write_str("lands-amiss"),
            Self::Idles => f.write_str("idles"),
            Self::Harms => f.write_str("harms"),
        }
    }
}
