//! Corridors: a box in one is of use at one place only.

use super::field::{Field, NO_CELL};
use crate::bit_set::BitSet;

/// Cells within corridors on which it makes no sense to leave a box: it shuts off the same as at
/// the beginning of the corridor. Plans are lost by it where the player must get behind it.
#[derive(Clone, Debug)]
pub(super) struct Passages<const W: usize>(BitSet<W>);

impl<const W: usize> Passages<W> {
    pub(super) fn new(field: &Field) -> Self {
        let goals = field.goals::<W>();
        let mut all = BitSet::EMPTY;
        for ahead in [1, 2] {
            let sides = [(ahead + 1) % 4, (ahead + 3) % 4];
            let is_narrow = |cell: usize| sides.iter().all(|&d| field.ahead(cell, d) == NO_CELL);
            let narrow = |cell: u16| cell != NO_CELL && is_narrow(cell.into());
            let begins = |&cell: &usize| {
                is_narrow(cell) && !narrow(field.ahead(cell, Field::opposite(ahead)))
            };
            for begin in (0..field.len()).filter(begins) {
                let mut run = vec![begin];
                while let Some(next) =
                    run.last().map(|&last| field.ahead(last, ahead)).filter(|&next| narrow(next))
                {
                    run.push(next.into());
                }
                // Where there is a goal boxes stand there rather than at the beginning.
                let has_goal = run.iter().any(|&cell| goals.has(cell));
                let useless = if run.len() > 1 && has_goal { &run[..] } else { &run[1..] };
                all = all.or(&useless.iter().copied().collect());
            }
        }
        Self(all.minus(&goals))
    }

    /// Whether no box should be left on a cell.
    pub(super) fn blocked(&self, cell: usize) -> bool {
        self.0.has(cell)
    }
}
