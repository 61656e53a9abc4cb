//! Frozen boxes are walls: whether the others can still come to the goals that are left.

use super::field::{Field, NO_CELL};
use super::macros::Ways;
use super::state::FeatureState;
use super::survey::{flood, regions_with};
use crate::bit_set::BitSet;
use crate::matching::{INFINITE_COST, Matching};
use std::collections::HashMap;

/// Whether all goals can be reached in the end: with all of them full and the frozen boxes as
/// walls, the others can be pulled away one by one until only boxes are left that stand there now.
/// Where they cannot, the position is lost.
pub(super) fn can_be_filled<const W: usize>(
    field: &Field,
    goals: &BitSet<W>,
    boxes: &BitSet<W>,
    frozen: &BitSet<W>,
) -> bool {
    let all = goals.or(frozen);
    for region in regions_with(field, &all, field.all::<W>().minus(&all)) {
        let mut full = all;
        let Some(player) = region.first() else { continue };
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
    all.is_within(boxes)
}

/// Cells to which boxes can be pushed that are remembered.
const MAX_REACHES: usize = 1 << 16;

/// Where single boxes can be pushed past frozen ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Reaches<const W: usize> {
    /// By the frozen boxes, the box, and the least cell of the player's part of the floor.
    known: HashMap<(BitSet<W>, u16, u16), BitSet<W>>,
}

impl<const W: usize> Reaches<W> {
    /// Whether each box that is not frozen can come to a goal of its own, with the frozen ones as
    /// walls: pushed alone by a player who begins where he is.
    pub(super) fn can_be_matched(
        &mut self,
        field: &Field,
        ways: &mut Ways,
        goals: &BitSet<W>,
        state: &FeatureState<W>,
        frozen: &BitSet<W>,
        matching: &mut Matching,
    ) -> bool {
        let open: Vec<usize> = goals.minus(frozen).iter().collect();
        let free = state.boxes.minus(frozen);
        let comes: Vec<BitSet<W>> =
            free.iter().map(|at| self.cells(field, ways, state.player, frozen, at)).collect();
        let cost = |row: usize, column: usize| {
            let comes = open.get(column).is_some_and(|&goal| comes[row].has(goal));
            if comes { 0 } else { INFINITE_COST }
        };
        matching.least(comes.len(), cost).is_some()
    }

    fn cells(
        &mut self,
        field: &Field,
        ways: &mut Ways,
        player: u16,
        frozen: &BitSet<W>,
        at: usize,
    ) -> BitSet<W> {
        let walls = frozen.with(at);
        let reach = flood(field, &walls, player.into());
        let side = reach.first().unwrap_or(player.into());
        let key = (*frozen, at as u16, side as u16);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let stops = ways.of(field, &walls, &reach, at, [true; 4]);
        let cells = stops.iter().map(|stop| usize::from(stop.cell)).collect::<BitSet<W>>().with(at);
        if self.known.len() < MAX_REACHES {
            self.known.insert(key, cells);
        }
        cells
    }
}
