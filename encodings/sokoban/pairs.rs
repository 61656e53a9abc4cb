//! Two boxes alone on the floor: how much they must have wasted to be where they are, and how much
//! they must still waste before both are on goals.
//!
//! Exact searches over both cells and the player's component, in order of waste (Dijkstra 1959):
//! forwards from all pairs of the start, backwards from all pairs of goals. What two boxes cannot
//! do is not possible with more boxes either, so a pair whose two numbers exceed what may be
//! wasted in all does not occur in any plan.

use super::bounds::{Bounds, Potential};
use super::graph::Spot;
use itertools::Itertools;
use petgraph::unionfind::UnionFind;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More waste than any plan has: the pair cannot occur, or is lost.
pub(super) const DEAD: u32 = u32::MAX / 4;

/// The least waste before and after each pair of boxes.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    spots: usize,
    /// For each pair and spot the player's component, by one of its spots.
    component: Vec<u16>,
    /// For each pair and component the least waste so far.
    so_far: Vec<u32>,
    /// For each pair and component the least waste still to come.
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
        let spots = bounds.floor().len();
        if spots > Self::MAX_SPOTS {
            return None;
        }
        let size = spots * spots.saturating_sub(1) / 2 * spots;
        let component = vec![0; size];
        let mut pairs =
            Self { spots, component, so_far: vec![DEAD; size], to_come: vec![DEAD; size] };
        for [a, b] in (0..spots).array_combinations() {
            pairs.find_components(a, b, bounds);
        }
        pairs.so_far = pairs.search_forwards(bounds, potential);
        pairs.to_come = pairs.search_backwards(bounds, potential);
        Some(pairs)
    }

    /// The waste of two boxes with the player in one place.
    pub(super) fn waste(&self, one: Spot, other: Spot, player: Spot) -> Waste {
        let index = self.index(one, other, player);
        Waste { so_far: self.so_far[index], to_come: self.to_come[index] }
    }

    /// Where the table rows of a pair begin.
    fn row(&self, a: Spot, b: Spot) -> usize {
        let (a, b) = (a.min(b), a.max(b));
        (b * (b - 1) / 2 + a) * self.spots
    }

    fn index(&self, a: Spot, b: Spot, player: Spot) -> usize {
        let row = self.row(a, b);
        row + usize::from(self.component[row + player])
    }

    fn find_components(&mut self, a: Spot, b: Spot, bounds: &Bounds) {
        let floor = bounds.floor();
        let row = self.row(a, b);
        let mut joined = UnionFind::<u16>::new(self.spots);
        let free = |spot: Spot| spot != a && spot != b;
        for spot in (0..self.spots).filter(|&spot| free(spot)) {
            for next in floor.around(spot).filter(|&next| next > spot && free(next)) {
                joined.union(spot as u16, next as u16);
            }
        }
        self.component[row..row + self.spots].copy_from_slice(&joined.into_labeling());
    }

    fn search_forwards(&self, bounds: &Bounds, potential: &Potential) -> Vec<u32> {
        let floor = bounds.floor();
        let mut search = Search::new(self);
        for [&one, &other] in floor.boxes().iter().array_combinations() {
            search.improve(one, other, floor.player(), 0);
        }
        while let Some((waste, one, other, player)) = search.next() {
            for (pushed, stays) in [(one, other), (other, one)] {
                for push in bounds.pushes_from(pushed) {
                    let possible = push.to != stays
                        && push.behind != stays
                        && self.joins(one, other, push.behind, player);
                    if let (true, Some(more)) = (possible, potential.waste(push)) {
                        search.improve(push.to, stays, push.from, waste + more);
                    }
                }
            }
        }
        search.least
    }

    fn search_backwards(&self, bounds: &Bounds, potential: &Potential) -> Vec<u32> {
        let floor = bounds.floor();
        let mut search = Search::new(self);
        let goals = || floor.goals().iter().copied().enumerate();
        for [(first, one), (second, other)] in goals().array_combinations() {
            for player in (0..self.spots).filter(|&player| player != one && player != other) {
                let slack = [(first, one), (second, other)]
                    .map(|(goal, at)| potential.slack(goal, bounds.sides().slot(at, player)));
                search.improve(one, other, player, slack[0] + slack[1]);
            }
        }
        while let Some((waste, one, other, player)) = search.next() {
            for (pulled, stays) in [(one, other), (other, one)] {
                for push in bounds.pushes_to(pulled) {
                    let possible = push.from != stays
                        && push.behind != stays
                        && self.joins(one, other, push.from, player);
                    if let (true, Some(more)) = (possible, potential.waste(push)) {
                        search.improve(push.from, stays, push.behind, waste + more);
                    }
                }
            }
        }
        search.least
    }

    /// Whether the player can walk between two spots past two boxes.
    fn joins(&self, one: Spot, other: Spot, from: Spot, to: Spot) -> bool {
        self.index(one, other, from) == self.index(one, other, to)
    }
}

/// A search in order of waste.
struct Search<'a> {
    pairs: &'a Pairs,
    least: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, Spot, Spot, Spot)>>,
}

impl<'a> Search<'a> {
    fn new(pairs: &'a Pairs) -> Self {
        Self { pairs, least: vec![DEAD; pairs.component.len()], open: BinaryHeap::new() }
    }

    fn improve(&mut self, one: Spot, other: Spot, player: Spot, waste: u32) {
        let least = &mut self.least[self.pairs.index(one, other, player)];
        if waste < *least {
            *least = waste;
            self.open.push(Reverse((waste, one, other, player)));
        }
    }

    /// The open pair of least waste.
    fn next(&mut self) -> Option<(u32, Spot, Spot, Spot)> {
        loop {
            let Reverse(pair) = self.open.pop()?;
            let (waste, one, other, player) = pair;
            if self.least[self.pairs.index(one, other, player)] == waste {
                return Some(pair);
            }
        }
    }
}
