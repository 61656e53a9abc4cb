//! Whether a region that the player cannot enter can be opened at all.
//!
//! Only the boxes around the region are looked at: all others are taken away, and so is each box
//! that leaves the neighbourhood. What the level allows, this game allows too, and a solution of the
//! level leaves all boxes on goals: where that cannot be had here, the level is lost as well. The
//! search ends sooner where it is no longer about the region, when the player can walk to all of it.
//! A box that can leave does so first: what can be done with it there can be done without it.

use super::field::Field;
use super::frozen::{frozen_at, settle};
use super::macros::Ways;
use super::pairs::Pairs;
use super::state::FeatureState;
use super::survey::{beside, flood, regions_with};
use crate::bit_set::BitSet;
use std::collections::{HashMap, HashSet};

/// States after which a region is given the benefit of the doubt.
const MAX_STATES: usize = 60;

/// Verdicts that are remembered.
const MAX_VERDICTS: usize = 1 << 16;

/// What was found out about regions, each with its boxes and the player's part of the floor.
#[derive(Clone, Debug, Default)]
pub(super) struct Sieges<const W: usize> {
    is_lost: HashMap<(FeatureState<W>, BitSet<W>), bool>,
}

/// The parts of a level that a siege needs.
pub(super) struct SiegeGround<'a, const W: usize> {
    pub field: &'a Field,
    pub goals: &'a BitSet<W>,
    pub pairs: Option<&'a Pairs>,
    pub ways: &'a mut Ways,
}

impl<const W: usize> Sieges<W> {
    /// Whether one of the regions, or two that share a box, can never be opened.
    pub(super) fn are_lost(
        &mut self,
        mut ground: SiegeGround<'_, W>,
        state: &FeatureState<W>,
    ) -> bool {
        let field = ground.field;
        let reach = flood(field, &state.boxes, state.player.into());
        let rest = field.all::<W>().minus(&state.boxes).minus(&reach);
        let regions = regions_with(field, &state.boxes, rest);
        let regions: Vec<(BitSet<W>, BitSet<W>)> =
            regions.map(|region| (region, beside(field, &region).and(&state.boxes))).collect();
        let mut groups: Vec<BitSet<W>> = regions.iter().map(|&(region, _)| region).collect();
        for (number, (region, border)) in regions.iter().enumerate() {
            let sharing = regions[..number].iter().filter(|(_, other)| other.meets(border));
            groups.extend(sharing.map(|(other, _)| region.or(other)));
        }
        let frozen = settle(field, state.boxes);
        groups.iter().any(|group| self.is_lost(&mut ground, state, &frozen, group))
    }

    fn is_lost(
        &mut self,
        ground: &mut SiegeGround<'_, W>,
        state: &FeatureState<W>,
        frozen: &BitSet<W>,
        region: &BitSet<W>,
    ) -> bool {
        let border = beside(ground.field, region).and(&state.boxes);
        let near = beside(ground.field, &border).or(&border).or(region);
        let boxes = near.and(&state.boxes).or(frozen);
        if boxes == state.boxes {
            return false;
        }
        let key = (FeatureState::new(ground.field, boxes, state.player.into()), *region);
        if let Some(&known) = self.is_lost.get(&key) {
            return known;
        }
        let is_lost = besieged(ground, key.0, region, &near);
        if self.is_lost.len() < MAX_VERDICTS {
            self.is_lost.insert(key, is_lost);
        }
        is_lost
    }
}

/// Whether no sequence of pushes opens all of a region or leaves all boxes near it on goals.
fn besieged<const W: usize>(
    ground: &mut SiegeGround<'_, W>,
    start: FeatureState<W>,
    region: &BitSet<W>,
    near: &BitSet<W>,
) -> bool {
    let field = ground.field;
    let mut known = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let reach = flood(field, &state.boxes, state.player.into());
        let is_open = region.minus(&state.boxes).is_within(&reach);
        if is_open || state.boxes.is_within(ground.goals) {
            return false;
        }
        if let Some(next) = leaving(ground, &state, &reach, near) {
            if known.insert(next) {
                open.push(next);
            }
            continue;
        }
        for from in state.boxes.iter() {
            let others = state.boxes.without(from);
            let stops = ground.ways.of(field, &state.boxes, &reach, from, [true; 4]).len();
            for number in 1..stops {
                let stop = ground.ways.stop(number);
                let (to, player) = (usize::from(stop.cell), usize::from(stop.player));
                let boxes = others.with(to);
                if !frozen_at(field, &boxes, to).is_within(ground.goals)
                    || ground.pairs.is_some_and(|pairs| !pairs.permit(&others, to, player))
                {
                    continue;
                }
                let next = FeatureState::new(field, boxes, player);
                if known.insert(next) {
                    open.push(next);
                }
            }
        }
        if known.len() > MAX_STATES {
            return false;
        }
    }
    true
}

/// The state after a box has left the neighbourhood; `None` where none can.
fn leaving<const W: usize>(
    ground: &mut SiegeGround<'_, W>,
    state: &FeatureState<W>,
    reach: &BitSet<W>,
    near: &BitSet<W>,
) -> Option<FeatureState<W>> {
    let (field, boxes) = (ground.field, &state.boxes);
    boxes.iter().find_map(|from| {
        let stops = ground.ways.of(field, boxes, reach, from, [true; 4]);
        let out = stops.iter().skip(1).find(|stop| !near.has(stop.cell.into()))?;
        Some(FeatureState::new(field, boxes.without(from), out.player.into()))
    })
}
