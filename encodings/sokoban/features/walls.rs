//! Frozen boxes are walls: whether the others can still come to the goals that are left.

use super::alone::sources;
use super::field::{Field, NO_CELL};
use super::survey::flood;
use crate::bit_set::BitSet;
use crate::matching::{INFINITE_COST, Matching};

/// Whether all goals can be reached in the end: with all of them full and the frozen boxes as
/// walls, the others can be pulled away one by one until only boxes are left that stand there now.
/// Where they cannot, the position is lost.
pub(super) fn can_be_filled<const W: usize>(
    field: &Field,
    goals: &BitSet<W>,
    boxes: &BitSet<W>,
    frozen: &BitSet<W>,
) -> bool {
    let mut rest = field.all::<W>().minus(goals).minus(frozen);
    while let Some(player) = rest.first() {
        let mut full = goals.or(frozen);
        rest = rest.minus(&flood(field, &full, player));
        let reach = |full: &BitSet<W>| flood(field, full, player);
        let can_go = |full: &BitSet<W>, reach: &BitSet<W>, at: usize| {
            (0..4).any(|d| {
                let beside = field.ahead(at, d);
                if beside == NO_CELL || !reach.has(beside.into()) {
                    return false;
                }
                let next = field.ahead(beside.into(), d);
                next != NO_CELL && !full.has(next.into())
            })
        };
        loop {
            if full.is_within(boxes) {
                return true;
            }
            let reach = reach(&full);
            let gone = full.minus(frozen).iter().find(|&at| can_go(&full, &reach, at));
            let Some(gone) = gone else { break };
            full.remove(gone);
        }
    }
    goals.or(frozen).is_within(boxes)
}

/// Whether each box that is not frozen can come to a goal of its own, with the frozen ones as walls.
pub(super) fn can_be_matched<const W: usize>(
    field: &Field,
    goals: &BitSet<W>,
    boxes: &BitSet<W>,
    frozen: &BitSet<W>,
    matching: &mut Matching,
) -> bool {
    let free: Vec<usize> = boxes.minus(frozen).iter().collect();
    let open = goals.minus(frozen).iter();
    let comes: Vec<BitSet<W>> =
        open.map(|goal| sources(field, frozen, BitSet::EMPTY.with(goal))).collect();
    let cost = |row: usize, column: usize| {
        let comes = comes.get(column).is_some_and(|from| from.has(free[row]));
        if comes { 0 } else { INFINITE_COST }
    };
    matching.least(free.len(), cost).is_some()
}
