//! The plan that a file gives away.

use unstuck_puzzles::Tally;
use unstuck_puzzles::warehouse::{FastState, Goal, InstructionEffect, Warehouse};

/// Length of a plan that the file itself gives away: its instructions without the blocked ones,
/// when the same boxes are asked for.
pub(super) fn known_plan(warehouse: &Warehouse) -> Option<Tally> {
    match warehouse.goal() {
        Goal::Anything => Some(Tally::default()),
        Goal::Same(_) => {
            let mut board = FastState::new(warehouse);
            let given = warehouse.instructions().0.iter();
            let moves = given.filter(|&&d| board.obey(d) != InstructionEffect::Blocked).count();
            Some(Tally { moves: moves as u32, pushes: board.tally().pushes })
        }
        Goal::Map(_) | Goal::Score(_) => None,
    }
}
