//! Boxes that can never be pushed again.

use super::field::{Field, NO_CELL};
use crate::bit_set::BitSet;

/// The boxes that are frozen because of the box on a cell: the greatest set, among the boxes
/// connected to it side by side, of boxes each held on both axes by walls, dead cells or boxes of
/// the set.
pub(super) fn frozen_at<const W: usize>(field: &Field, boxes: &BitSet<W>, at: usize) -> BitSet<W> {
    let mut crowd = BitSet::EMPTY.with(at);
    let mut fresh = crowd;
    while let Some(one) = fresh.first() {
        fresh.remove(one);
        for next in field.around(one).into_iter().filter(|&next| next != NO_CELL) {
            let next = usize::from(next);
            if boxes.has(next) && !crowd.has(next) {
                crowd.insert(next);
                fresh.insert(next);
            }
        }
    }
    settle(field, crowd)
}

/// The greatest frozen set among some boxes, ignoring the others.
pub(super) fn settle<const W: usize>(field: &Field, mut crowd: BitSet<W>) -> BitSet<W> {
    loop {
        let before = crowd;
        for one in before.iter() {
            if can_move(field, &crowd, one) {
                crowd.remove(one);
            }
        }
        if crowd == before {
            return crowd;
        }
    }
}

/// Whether a box can be pushed to where it is of use, with some boxes as walls.
fn can_move<const W: usize>(field: &Field, walls: &BitSet<W>, at: usize) -> bool {
    (0..4).any(|d| {
        let (front, behind) = (field.ahead(at, d), field.ahead(at, Field::opposite(d)));
        field.is_live(at, d) && !walls.has(usize::from(front)) && !walls.has(usize::from(behind))
    })
}
