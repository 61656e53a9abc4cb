//! A plan of the packing alone: boxes come from where boxes stand at the start, but none of those
//! that wait is in the way.
//!
//! Found backwards: all goals are full, boxes are pulled, and a box on a cell where one stands at
//! the start vanishes. A box that cannot come so far may be *parked* on the way. Reversed, the plan
//! says which cells hold boxes after each of its steps.

use super::field::Field;
use super::macros::Ways;
use super::survey::flood;
use crate::bit_set::BitSet;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// States that are looked at.
const MAX_STATES: usize = 20_000;

/// The cells that the plan holds boxes on, after each step: at first none, at the end all goals.
#[derive(Clone, Debug)]
pub(super) struct RelaxedPlan<const W: usize> {
    pub stages: Vec<BitSet<W>>,
    /// Whether a box is moved again after it came.
    pub parks: bool,
}

impl<const W: usize> RelaxedPlan<W> {
    /// How many steps are left once boxes stand on all cells of the stage that has come furthest.
    pub(super) fn steps_left(&self, boxes: &BitSet<W>) -> u16 {
        let left = self.stages.iter().rev().position(|stage| stage.is_within(boxes));
        left.unwrap_or(self.stages.len()) as u16
    }
}

/// A state of the backward search.
struct RelaxedNode<const W: usize> {
    boxes: BitSet<W>,
    player: usize,
    parent: usize,
    pulls: u32,
    parks: bool,
}

/// The backward search.
struct Search<'a, const W: usize> {
    field: &'a Field,
    ways: &'a mut Ways,
    starts: BitSet<W>,
    nodes: Vec<RelaxedNode<W>>,
    known: HashSet<(BitSet<W>, usize)>,
    open: BinaryHeap<Reverse<(usize, u32, u64, usize)>>,
    seed: u64,
}

impl<const W: usize> RelaxedPlan<W> {
    /// A plan; `None` when none was found. `seed` chooses among equals.
    pub(super) fn new(field: &Field, ways: &mut Ways, seed: u32) -> Option<Self> {
        let mut search = Search {
            field,
            ways,
            starts: field.boxes(),
            nodes: Vec::new(),
            known: HashSet::new(),
            open: BinaryHeap::new(),
            seed: u64::from(seed),
        };
        let goals = field.goals::<W>();
        let mut rest = field.all::<W>().minus(&goals);
        while let Some(player) = rest.first() {
            rest = rest.minus(&flood(field, &goals, player));
            search.add(goals, player, usize::MAX, 0, false);
        }
        search.run()
    }
}

impl<const W: usize> Search<'_, W> {
    fn run(mut self) -> Option<RelaxedPlan<W>> {
        while let Some(Reverse((left, .., node))) = self.open.pop() {
            if left == 0 {
                return Some(self.plan(node));
            }
            if self.nodes.len() > MAX_STATES {
                return None;
            }
            self.expand(node);
        }
        None
    }

    fn add(&mut self, boxes: BitSet<W>, player: usize, parent: usize, pulls: u32, parks: bool) {
        let player = flood(self.field, &boxes, player).first().unwrap_or(player);
        if self.known.insert((boxes, player)) {
            let id = self.nodes.len();
            self.nodes.push(RelaxedNode { boxes, player, parent, pulls, parks });
            let tie = mixed(self.seed, id as u64);
            self.open.push(Reverse((boxes.len(), pulls, tie, id)));
        }
    }

    fn expand(&mut self, parent: usize) {
        let RelaxedNode { boxes, player, pulls, parks, .. } = self.nodes[parent];
        let reach = flood(self.field, &boxes, player);
        let mut vanished = false;
        let mut parked = Vec::new();
        for from in boxes.iter() {
            let others = boxes.without(from);
            let stops = self.ways.pulled(self.field, &boxes, &reach, from).to_vec();
            for (number, stop) in stops.into_iter().enumerate() {
                let (to, player) = (usize::from(stop.cell), usize::from(stop.player));
                let pulls = pulls + u32::from(stop.pushes);
                if self.starts.has(to) {
                    vanished = true;
                    self.add(others, player, parent, pulls, parks);
                } else if number > 0 {
                    parked.push((others.with(to), player, pulls));
                }
            }
        }
        if !vanished {
            for (boxes, player, pulls) in parked {
                self.add(boxes, player, parent, pulls, true);
            }
        }
    }

    fn plan(&self, mut node: usize) -> RelaxedPlan<W> {
        let parks = self.nodes[node].parks;
        let mut stages = Vec::new();
        while let Some(at) = self.nodes.get(node) {
            stages.push(at.boxes);
            node = at.parent;
        }
        RelaxedPlan { stages, parks }
    }
}

/// A number that depends on both and on nothing else; that of seed 0 keeps the order.
fn mixed(seed: u64, number: u64) -> u64 {
    if seed == 0 {
        return number;
    }
    let mut word = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number;
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}
