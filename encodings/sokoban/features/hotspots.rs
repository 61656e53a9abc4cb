//! Boxes that stand in the way of others.

use super::field::{Field, NO_CELL};
use crate::bit_set::BitSet;

/// For each cell the cells from which a box reaches fewer goals when the cell is walled up.
#[derive(Clone, Debug)]
pub(super) struct Hotspots<const W: usize> {
    /// Empty for goals.
    hindered: Vec<BitSet<W>>,
}

impl<const W: usize> Hotspots<W> {
    pub(super) fn new(field: &Field) -> Self {
        let floor = field.bounds().floor();
        let free = sources::<W>(field, None);
        let hindered = (0..field.len()).map(|cell| {
            if floor.is_goal(cell) {
                return BitSet::EMPTY;
            }
            let walled = sources::<W>(field, Some(cell));
            let pairs = free.iter().zip(&walled);
            pairs.fold(BitSet::EMPTY, |all, (before, now)| all.or(&before.minus(now))).without(cell)
        });
        Self { hindered: hindered.collect() }
    }

    /// How many boxes off goal hinder another one.
    pub(super) fn count(&self, boxes: &BitSet<W>) -> u16 {
        boxes.iter().filter(|&at| self.hindered[at].meets(boxes)).count() as u16
    }
}

/// For each goal the cells from which a box alone can come to it, the player being anywhere.
fn sources<const W: usize>(field: &Field, wall: Option<usize>) -> Vec<BitSet<W>> {
    let is_free = |cell: u16| cell != NO_CELL && Some(usize::from(cell)) != wall;
    let from_goal = |&goal: &usize| {
        let mut found = BitSet::EMPTY.with(goal);
        let mut open = vec![goal];
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
    };
    field.bounds().floor().goals().iter().map(from_goal).collect()
}
