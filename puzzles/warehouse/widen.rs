//! Widening: the second half of the published task, and beyond.

use super::board::{Cell, State, WideBox};
use super::goal::Arrangement;

/// What becomes of a box when the map is made twice as wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Boxes {
    /// Each cell of it becomes a box of width two, as the published program has it.
    Double,
    /// It stays one box, twice as wide.
    Grow,
}

impl Boxes {
    fn widened(self, boxes: &[WideBox]) -> Vec<WideBox> {
        match self {
            Self::Double => boxes
                .iter()
                .flat_map(|wide| wide.cells())
                .map(|cell| WideBox { left: left_half(cell), width: 2 })
                .collect(),
            Self::Grow => boxes
                .iter()
                .map(|wide| WideBox { left: left_half(wide.left), width: wide.width * 2 })
                .collect(),
        }
    }

    /// A position on the widened map: the robot keeps its size and stands on the left half.
    pub(super) fn state(self, state: &State) -> State {
        State { robot: left_half(state.robot), boxes: self.widened(&state.boxes) }
    }

    /// An arrangement on the widened map.
    pub(super) fn arrangement(self, asked: &Arrangement) -> Arrangement {
        let halves = |&cell: &Cell| [left_half(cell), Cell(left_half(cell).0 + 1)];
        Arrangement {
            boxes: self.widened(&asked.boxes),
            clear: asked.clear.iter().flat_map(halves).collect(),
            robot: asked.robot.map(left_half),
        }
    }
}

/// The left one of the two cells that a cell becomes. (Row r and column c of a map of width w have
/// the number r w + c; on the widened map row r and column 2c have r 2w + 2c.)
fn left_half(cell: Cell) -> Cell {
    Cell(cell.0 * 2)
}
