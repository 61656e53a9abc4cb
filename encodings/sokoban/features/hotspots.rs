//! Boxes that stand in the way of others.

use super::alone::sources;
use super::field::Field;
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
        let free = by_goal::<W>(field, None);
        let hindered = (0..field.len()).map(|cell| {
            if floor.is_goal(cell) {
                return BitSet::EMPTY;
            }
            let walled = by_goal::<W>(field, Some(cell));
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
fn by_goal<const W: usize>(field: &Field, wall: Option<usize>) -> Vec<BitSet<W>> {
    let walls = wall.into_iter().collect();
    let goals = field.bounds().floor().goals().iter();
    goals.map(|&goal| sources(field, &walls, BitSet::EMPTY.with(goal))).collect()
}
