//! The variables of one layer.

pub use crate::cell_coord::CellCoord;

use std::fmt;
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::Element;

/// The place of a bond: a cell and its right or lower neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link(pub CellCoord, pub CellCoord);

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

/// A variable of one layer. The first five describe the position, [`Var::Go`] and [`Var::Idle`]
/// choose the step that follows it, and all others are functions of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// An atom of this element is in the cell.
    Atom(CellCoord, Element),
    /// The player is in the cell.
    Player(CellCoord),
    /// Some atom is in the cell.
    Occupied(CellCoord),
    /// A bond of at least this multiplicity is here.
    Bond(Link, u8),
    /// The atom in the cell has a free electron.
    Free(CellCoord),
    /// The step is a move in this direction.
    Go(Direction),
    /// The step changes nothing.
    Idle,
    /// The motion has reached the cell after so many rounds of the closure.
    Moving(u8, CellCoord),
    /// The motion has reached the cell, with this direction, after so many rounds.
    Heading(u8, CellCoord, Direction),
    /// In this round the motion first reaches the cell, from its neighbour in this direction.
    Reached(u8, CellCoord, Direction),
    /// In this round the motion first reaches the cell, by a push.
    Pushed(u8, CellCoord),
    /// In this round no bond carries the motion further.
    Quiet(u8),
    /// The bond here carries the motion: it exists and is not cut.
    Holds(Link),
    /// What moves in the cell takes its neighbour in this direction along.
    Draws(CellCoord, Direction),
    /// The atom in the cell moves in this direction.
    Leaves(CellCoord, Direction),
    /// The motion reached the cell first from its neighbour in this direction.
    From(CellCoord, Direction),
    /// The way of the motion to the cell has turned.
    Turned(CellCoord),
    /// The atom in the cell has moved in the step before.
    Arrived(CellCoord),
    /// A bond stays where it is.
    Stays(Link),
    /// A bond moves as a whole in this direction.
    Shifts(Link, Direction),
    /// A bond turns: the end in the cell moves in the first direction, and the other end, its
    /// neighbour in the second direction, steps into the cell.
    Turns(CellCoord, Direction, Direction),
    /// The bond that arrives here has swept `+`, moving in this direction.
    Sweeps(Link, Direction),
    /// A bond was cut while both its ends moved here in this direction.
    Cut(Link, Direction),
    /// A bond of at least this multiplicity has arrived here, `/` done.
    Weakened(Link, u8),
    /// The atom in the cell has a free electron, `/` done.
    Spared(CellCoord),
    /// `+` strengthens the bond that arrives here.
    Strengthened(Link),
    /// A bond has arrived or stayed here, all modifiers done.
    Carried(Link),
    /// The atom in the cell has so many free electrons, all modifiers done.
    Spare(CellCoord, u8),
    /// A bond could form here.
    Candidate(Link),
    /// A bond forms here.
    New(Link),
    /// Of the neighbours in two directions, the atom in the cell is matched with the first one
    /// earlier.
    Earlier(CellCoord, Direction, Direction),
    /// The bond that forms with the neighbour in the first direction takes an electron before the
    /// neighbour in the second direction is looked at.
    Taken(CellCoord, Direction, Direction),
    /// When its neighbour in this direction is looked at, the atom still has an electron.
    Left(CellCoord, Direction),
    /// The step does more than to carry the player's molecule on.
    Event,
    /// A bond sweeps a modifier, moving in this direction.
    Sweeping(Link, Direction),
    /// The atom in the cell pushes another one in this direction.
    Pushes(CellCoord, Direction),
    /// A step in the second direction cannot come before the step in the first.
    InTheWay(Direction, Direction),
    /// In this direction the moving atom would push one at rest.
    Hits(CellCoord, Direction),
    /// In the first direction the moving atom would get a neighbour, in the second direction, with
    /// which it could bond.
    Meets(CellCoord, Direction, Direction),
    /// The bond belongs to what moves.
    MovingBond(Link),
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(at, element) => write!(f, "{}({at})", element.letter()),
            Self::Player(at) => write!(f, "player({at})"),
            Self::Occupied(at) => write!(f, "occupied({at})"),
            Self::Bond(link, level) => write!(f, "bond({link})>={level}"),
            Self::Free(at) => write!(f, "free({at})"),
            Self::Go(direction) => write!(f, "go({direction})"),
            Self::Idle => write!(f, "idle"),
            Self::Moving(round, at) => write!(f, "moving({at})#{round}"),
            Self::Heading(round, at, d) => write!(f, "heading({at},{d})#{round}"),
            Self::Reached(round, at, d) => write!(f, "reached({at},{d})#{round}"),
            Self::Pushed(round, at) => write!(f, "pushed({at})#{round}"),
            Self::Quiet(round) => write!(f, "quiet#{round}"),
            Self::Holds(link) => write!(f, "holds({link})"),
            Self::Draws(at, d) => write!(f, "draws({at},{d})"),
            Self::Leaves(at, d) => write!(f, "leaves({at},{d})"),
            Self::From(at, d) => write!(f, "from({at},{d})"),
            Self::Turned(at) => write!(f, "turned({at})"),
            Self::Arrived(at) => write!(f, "arrived({at})"),
            Self::Stays(link) => write!(f, "stays({link})"),
            Self::Shifts(link, d) => write!(f, "shifts({link},{d})"),
            Self::Turns(at, d, other) => write!(f, "turns({at},{d},{other})"),
            Self::Sweeps(link, d) => write!(f, "sweeps({link},{d})"),
            Self::Cut(link, d) => write!(f, "cut({link},{d})"),
            Self::Weakened(link, level) => write!(f, "weakened({link})>={level}"),
            Self::Spared(at) => write!(f, "spared({at})"),
            Self::Strengthened(link) => write!(f, "strengthened({link})"),
            Self::Carried(link) => write!(f, "carried({link})"),
            Self::Spare(at, count) => write!(f, "spare({at})>={count}"),
            Self::Candidate(link) => write!(f, "candidate({link})"),
            Self::New(link) => write!(f, "new({link})"),
            Self::Earlier(at, d, other) => write!(f, "earlier({at},{d},{other})"),
            Self::Taken(at, d, other) => write!(f, "taken({at},{d},{other})"),
            Self::Left(at, d) => write!(f, "left({at},{d})"),
            Self::Event => write!(f, "event"),
            Self::Sweeping(link, d) => write!(f, "sweeping({link},{d})"),
            Self::Pushes(at, d) => write!(f, "pushes({at},{d})"),
            Self::InTheWay(d, side) => write!(f, "in-the-way({d},{side})"),
            Self::Hits(at, d) => write!(f, "hits({at},{d})"),
            Self::Meets(at, d, other) => write!(f, "meets({at},{d},{other})"),
            Self::MovingBond(link) => write!(f, "moving-bond({link})"),
        }
    }
}
