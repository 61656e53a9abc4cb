//! Turns pushes into moves: the walks between them are shortest ones.

use super::bounds::Push;
use super::graph::{Floor, Spot};
use std::collections::VecDeque;
use unstuck_puzzles::grid::Direction;

/// A player that makes pushes one after the other.
#[derive(Clone, Debug)]
pub(super) struct Walker<'a> {
    floor: &'a Floor,
    boxes: Vec<Spot>,
    player: Spot,
    plan: Vec<Direction>,
}

impl<'a> Walker<'a> {
    /// A player at the start of a level.
    pub(super) fn new(floor: &'a Floor) -> Self {
        Self { floor, boxes: floor.boxes().to_vec(), player: floor.player(), plan: Vec::new() }
    }

    /// Walks behind a box and pushes it; `None` when there is no box or no way.
    pub(super) fn push(&mut self, push: &Push) -> Option<()> {
        let walk = self.walk(push.behind)?;
        self.plan.extend(walk);
        self.plan.push(push.direction);
        *self.boxes.iter_mut().find(|at| **at == push.from)? = push.to;
        self.player = push.from;
        Some(())
    }

    /// All moves so far.
    pub(super) fn into_plan(self) -> Vec<Direction> {
        self.plan
    }

    /// A shortest walk to a spot.
    fn walk(&self, to: Spot) -> Option<Vec<Direction>> {
        // Backwards from the end, so that the way is read off forwards.
        let mut onward: Vec<Option<(Spot, Direction)>> = vec![None; self.floor.len()];
        let mut queue = VecDeque::from([to]);
        while let Some(at) = queue.pop_front() {
            for direction in Direction::ALL {
                let Some(back) = self.floor.ahead(at, direction.opposite()) else { continue };
                if onward[back].is_none() && back != to && !self.boxes.contains(&back) {
                    onward[back] = Some((at, direction));
                    queue.push_back(back);
                }
            }
        }
        let mut walk = Vec::new();
        let mut at = self.player;
        while at != to {
            let (next, direction) = onward[at]?;
            walk.push(direction);
            at = next;
        }
        Some(walk)
    }
}
