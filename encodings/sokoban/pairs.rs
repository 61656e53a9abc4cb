//! Two boxes alone on the floor: how much they must have wasted to be where they are, and how much
//! they must still waste before both are on goals.
//!
//! Exact searches over both cells and the player's part of the floor, in order of waste: forwards
//! from all pairs of the start, backwards from all pairs of goals. A pair whose two numbers exceed
//! what may be wasted in all does not occur in any plan.

use super::bounds::{Bounds, Potential, Push};
use super::graph::Spot;
use crate::pair_table::{PairMove, PairTable};
use itertools::Itertools;

/// The least waste before and after each pair of boxes.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    table: PairTable,
    /// For each pair and part of the floor the least waste so far.
    so_far: Vec<u32>,
    /// For each pair and part of the floor the least waste still to come.
    to_come: Vec<u32>,
}

/// Waste so far and waste to come, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waste {
    pub so_far: u32,
    pub to_come: u32,
}

impl Pairs {
    /// Floors of more spots than this are not searched: the tables grow with the third power.
    const MAX_SPOTS: usize = 128;

    /// Searches all pairs; `None` when the floor is too large.
    pub(super) fn new(bounds: &Bounds, potential: &Potential) -> Option<Self> {
        let floor = bounds.floor();
        if floor.len() > Self::MAX_SPOTS {
            return None;
        }
        let table = PairTable::new(floor.len(), |boxes, from| {
            let reached = floor.flood(from, |spot| boxes.contains(&spot));
            reached.into_iter().positions(|is_reached| is_reached)
        });
        let boxes = floor.boxes().iter().array_combinations();
        let start = boxes.map(|[&one, &other]| ([one, other, floor.player()], 0));
        let waste = |push: &Push| potential.waste(push);
        let so_far = table.least(start, |at| {
            let pushes = bounds.pushes_from(at).filter_map(|push| Some((push, waste(push)?)));
            pushes.map(|(push, cost)| PairMove {
                to: push.to,
                before: push.behind,
                after: push.from,
                cost,
            })
        });
        let goals = || floor.goals().iter().copied().enumerate().array_combinations();
        let ends = goals().flat_map(|[(first, one), (second, other)]| {
            let players = (0..floor.len()).filter(move |player| ![one, other].contains(player));
            players.map(move |player| {
                let slack = [(first, one), (second, other)]
                    .map(|(goal, at)| potential.slack(goal, bounds.sides().slot(at, player)));
                ([one, other, player], slack[0] + slack[1])
            })
        });
        let to_come = table.least(ends, |at| {
            let pulls = bounds.pushes_to(at).filter_map(|push| Some((push, waste(push)?)));
            pulls.map(|(push, cost)| PairMove {
                to: push.from,
                before: push.from,
                after: push.behind,
                cost,
            })
        });
        Some(Self { table, so_far, to_come })
    }

    /// The waste of two boxes with the player in one place.
    pub(super) fn waste(&self, one: Spot, other: Spot, player: Spot) -> Waste {
        let id = self.table.id(one, other, player) as usize;
        Waste { so_far: self.so_far[id], to_come: self.to_come[id] }
    }
}
