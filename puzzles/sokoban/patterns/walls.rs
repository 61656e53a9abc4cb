//! Distances around boxes that stand still.

use super::ground::{Ground, Set, Spot};
use super::weights::{INFINITE_COST, Push, Weights};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

/// Least waste to a goal by cell and side, goal by goal.
type Distances = Vec<Vec<[u64; 4]>>;

/// Distances around boxes that stand still, by their cells.
#[derive(Default)]
pub(super) struct Walls(HashMap<Set, Rc<Distances>>);

/// Tables that are kept.
const MAX_TABLES: usize = 1000;

impl Walls {
    pub(super) fn around(
        &mut self,
        ground: &Ground,
        weights: &Weights,
        still: &Set,
    ) -> Rc<Distances> {
        if self.0.len() > MAX_TABLES {
            self.0.clear();
        }
        let table = self.0.entry(still.clone()).or_insert_with(|| {
            let goals = ground.goals.iter();
            Rc::new(goals.map(|&goal| to_goal(ground, weights, still, goal)).collect())
        });
        table.clone()
    }
}

/// Pulls backwards from a goal, in order of waste.
fn to_goal(ground: &Ground, weights: &Weights, still: &Set, goal: Spot) -> Vec<[u64; 4]> {
    let mut least = vec![[INFINITE_COST; 4]; ground.len()];
    let mut open = BinaryHeap::new();
    if still.has(goal) {
        return least;
    }
    for side in (0..4).filter(|&side| !weights.is_lost(goal, side)) {
        let waste = weights.end(goal, side);
        least[goal][usize::from(side)] = waste;
        open.push(Reverse((waste, goal, side)));
    }
    while let Some(Reverse((waste, at, side))) = open.pop() {
        if least[at][usize::from(side)] < waste {
            continue;
        }
        for push in ground.pushes_to(at) {
            // The player is on the box's old cell afterwards.
            let before = ground.side(push.from, push.behind);
            if ground.side(at, push.from) != side || still.has(push.from) || still.has(push.behind)
            {
                continue;
            }
            if let Push::Wastes(more) = weights.push(ground, &push) {
                let least = &mut least[push.from][usize::from(before)];
                if waste + more < *least {
                    *least = waste + more;
                    open.push(Reverse((waste + more, push.from, before)));
                }
            }
        }
    }
    least
}
