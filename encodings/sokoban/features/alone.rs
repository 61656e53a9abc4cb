//! Where one box can be pushed past some walls by a player who can be anywhere.

use super::field::{Field, NO_CELL};
use crate::bit_set::BitSet;
use std::collections::VecDeque;

/// No way.
pub(super) const NEVER: u16 = u16::MAX;

/// The cells from which a box can be pushed to one of these, themselves included.
pub(super) fn sources<const W: usize>(
    field: &Field,
    walls: &BitSet<W>,
    to: BitSet<W>,
) -> BitSet<W> {
    let is_free = |cell: u16| cell != NO_CELL && !walls.has(usize::from(cell));
    let mut found = to;
    let mut open: Vec<usize> = to.iter().collect();
    while let Some(at) = open.pop() {
        for d in 0..4 {
            let before = field.ahead(at, d);
            if !is_free(before) || found.has(usize::from(before)) {
                continue;
            }
            if is_free(field.ahead(usize::from(before), d)) {
                found.insert(usize::from(before));
                open.push(usize::from(before));
            }
        }
    }
    found
}

/// Least pushes of a box from one of these cells to every cell; [`NEVER`] where there is no way.
pub(super) fn pushes<const W: usize>(
    field: &Field,
    walls: &BitSet<W>,
    from: BitSet<W>,
) -> Vec<u16> {
    let is_free = |cell: u16| cell != NO_CELL && !walls.has(usize::from(cell));
    let mut least = vec![NEVER; field.len()];
    let mut open: VecDeque<usize> = from.iter().collect();
    open.iter().for_each(|&at| least[at] = 0);
    while let Some(at) = open.pop_front() {
        for d in 0..4 {
            let (front, behind) = (field.ahead(at, d), field.ahead(at, Field::opposite(d)));
            if !is_free(front) || !is_free(behind) || least[usize::from(front)] != NEVER {
                continue;
            }
            least[usize::from(front)] = least[at] + 1;
            open.push_back(front.into());
        }
    }
    least
}

/// The cells to which a box can be pushed from a cell, itself included.
pub(super) fn targets<const W: usize>(field: &Field, walls: &BitSet<W>, from: usize) -> BitSet<W> {
    let least = pushes(field, walls, BitSet::EMPTY.with(from));
    (0..least.len()).filter(|&cell| least[cell] != NEVER).collect()
}

/// Steps from a cell to every cell past no boxes; [`NEVER`] where there is no way.
pub(super) fn steps(field: &Field, from: usize) -> Vec<u16> {
    let mut least = vec![NEVER; field.len()];
    least[from] = 0;
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for next in field.around(at).into_iter().filter(|&next| next != NO_CELL) {
            if least[usize::from(next)] == NEVER {
                least[usize::from(next)] = least[at] + 1;
                open.push_back(next.into());
            }
        }
    }
    least
}
