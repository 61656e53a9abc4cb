//! Two boxes of which one can no longer come to a goal because of the other.

use super::field::{Field, NO_CELL};
use super::survey::flood;
use crate::bit_set::BitSet;

/// The component that a box or too many components have.
const ANY_COMPONENT: u8 = 63;

/// For each pair of cells, and each component of the floor without them, whether two boxes there,
/// alone on the floor, can both be pushed to goals by a player in that component.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    cells: usize,
    /// For each pair and cell.
    component: Vec<u8>,
    /// For each pair the components with a way.
    ways: Vec<u64>,
}

impl Pairs {
    /// Searches backwards from all pairs of goals.
    pub(super) fn new<const W: usize>(field: &Field) -> Self {
        let cells = field.len();
        let rows = cells * cells.saturating_sub(1) / 2;
        let mut pairs =
            Self { cells, component: vec![ANY_COMPONENT; rows * cells], ways: vec![0; rows] };
        for b in 1..cells {
            for a in 0..b {
                pairs.find_components(field, BitSet::<W>::EMPTY.with(a).with(b), row(a, b));
            }
        }
        let goals: Vec<usize> = field.goals::<W>().iter().collect();
        let mut open = Vec::new();
        for (index, &a) in goals.iter().enumerate() {
            for &b in &goals[index + 1..] {
                for player in (0..cells).filter(|&player| player != a && player != b) {
                    pairs.note(a, b, player, &mut open);
                }
            }
        }
        while let Some((a, b, player)) = open.pop() {
            for (pulled, stays) in [(a, b), (b, a)] {
                for d in 0..4 {
                    pairs.pull(field, (pulled, stays), d, player, &mut open);
                }
            }
        }
        pairs
    }

    fn find_components<const W: usize>(&mut self, field: &Field, boxes: BitSet<W>, row: usize) {
        let mut rest = field.all::<W>().minus(&boxes);
        let mut number = 0;
        while let Some(from) = rest.first() {
            let region = flood(field, &boxes, from);
            rest = rest.minus(&region);
            for cell in region.iter() {
                self.component[row * self.cells + cell] = number;
            }
            number = (number + 1).min(ANY_COMPONENT);
        }
    }

    fn note(&mut self, a: usize, b: usize, player: usize, open: &mut Vec<(usize, usize, usize)>) {
        let row = row(a, b);
        let way = 1 << self.component[row * self.cells + player];
        if self.ways[row] & way == 0 {
            self.ways[row] |= way;
            open.push((a, b, player));
        }
    }

    /// The pull of a box towards a direction: the push that it undoes goes the other way.
    fn pull(
        &mut self,
        field: &Field,
        (from, stays): (usize, usize),
        d: usize,
        player: usize,
        open: &mut Vec<(usize, usize, usize)>,
    ) {
        let before = field.ahead(from, d);
        if before == NO_CELL || usize::from(before) == stays {
            return;
        }
        let before = usize::from(before);
        let behind = field.ahead(before, d);
        if behind == NO_CELL || usize::from(behind) == stays {
            return;
        }
        // After the push the player stands where the box was.
        let row = row(from, stays) * self.cells;
        if self.component[row + before] == self.component[row + player] {
            self.note(before, stays, usize::from(behind), open);
        }
    }

    /// Whether a box and each of the others can come to goals with no further box around.
    pub(super) fn permit<const W: usize>(
        &self,
        others: &BitSet<W>,
        at: usize,
        player: usize,
    ) -> bool {
        others.iter().all(|other| {
            let row = row(at, other);
            self.ways[row] >> self.component[row * self.cells + player] & 1 != 0
        })
    }
}

fn row(a: usize, b: usize) -> usize {
    let (a, b) = (a.min(b), a.max(b));
    b * (b - 1) / 2 + a
}
