//! How far boxes are from their goals: push distances, the matching bound, potential and waste.
//!
//! Definitions, for one box alone on the floor:
//!
//! * A **slot** is the box's cell and the side of it on which the player is ([`Sides`]).
//! * `d(slot, goal)` is the least number of pushes that bring the box from the slot to the goal,
//!   found by pulling backwards from the goal.
//! * A slot is **dead** when no goal can be reached from it.
//!
//! Boxes only hinder each other, so the cheapest matching of boxes to goals by these distances
//! never exceeds the pushes still to come: the bound of the search and the first horizon of the
//! encodings. Its dual gives a **potential** ([`Potential`]) and with it the waste of every push.

use super::graph::{Floor, Sides, Slot, Spot};
use crate::matching::{INFINITE_COST, Matching};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{IntoNeighbors, Reversed};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::Sokoban;

/// A push of one box on a floor without others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Push {
    /// Where the box is; the player is there afterwards.
    pub from: Spot,
    /// The way it goes.
    pub direction: Direction,
    /// Where the box comes to.
    pub to: Spot,
    /// Where the player must be.
    pub behind: Spot,
    /// The slot before the push.
    pub before: Slot,
    /// The slot after it.
    pub after: Slot,
}

/// Marks a slot into which no box can come.
const UNREACHABLE: u32 = u32::MAX;

/// Distances of single boxes.
#[derive(Clone, Debug)]
pub struct Bounds {
    floor: Floor,
    sides: Sides,
    pushes: Vec<Push>,
    /// Pushes by slot-independent place: index into `pushes` by spot and direction.
    push_at: Vec<[Option<u32>; 4]>,
    /// Least pushes from a slot to a goal, slot by slot; [`INFINITE_COST`] where there is no way.
    distances: Vec<i32>,
    /// Least pushes that bring a box of the start, alone, into a slot; [`UNREACHABLE`] if none do.
    earliest: Vec<u32>,
    /// Whether moreover a goal can be reached from it.
    live: Vec<bool>,
}

impl Bounds {
    /// The distances of a level.
    pub fn new(puzzle: &Sokoban) -> Self {
        let floor = Floor::new(puzzle);
        let sides = Sides::new(&floor);
        let pushes = pushes(&floor, &sides);
        let mut push_at = vec![[None; 4]; floor.len()];
        for (number, push) in (0u32..).zip(&pushes) {
            push_at[push.from][push.direction.index()] = Some(number);
        }
        let graph = graph(&sides, &pushes);
        let distances = distances(&floor, &sides, &graph);
        let earliest = earliest(&floor, &sides, &graph);
        let goals = floor.goals().len();
        let live = (0..sides.slots())
            .map(|slot| {
                let to_goals = &distances[slot * goals..(slot + 1) * goals];
                earliest[slot] != UNREACHABLE
                    && to_goals.iter().any(|&distance| distance < INFINITE_COST)
            })
            .collect();
        Self { floor, sides, pushes, push_at, distances, earliest, live }
    }

    /// The floor.
    pub fn floor(&self) -> &Floor {
        &self.floor
    }

    /// The sides of its cells.
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    /// Every push that the walls allow.
    pub fn pushes(&self) -> &[Push] {
        &self.pushes
    }

    /// The push of a box on a spot in a direction, if the walls allow it.
    pub fn push(&self, from: Spot, direction: Direction) -> Option<&Push> {
        self.push_at[from][direction.index()].map(|number| &self.pushes[number as usize])
    }

    /// The pushes of a box on a spot.
    pub fn pushes_from(&self, from: Spot) -> impl Iterator<Item = &Push> {
        Direction::ALL.into_iter().filter_map(move |direction| self.push(from, direction))
    }

    /// The pushes that bring a box to a spot.
    pub fn pushes_to(&self, to: Spot) -> impl Iterator<Item = &Push> {
        Direction::ALL.into_iter().filter_map(move |direction| {
            self.push(self.floor.ahead(to, direction.opposite())?, direction)
        })
    }

    /// The least number of pushes from a slot to a goal (by its number), [`INFINITE_COST`] if there is no
    /// way.
    pub fn distance(&self, slot: Slot, goal: usize) -> i32 {
        self.distances[slot * self.floor.goals().len() + goal]
    }

    /// Least pushes that bring a box of the start, alone, into a slot; `u32::MAX` if none do.
    pub fn earliest(&self, slot: Slot) -> u32 {
        self.earliest[slot]
    }

    /// Whether some box, alone on the floor, could come into this slot.
    pub fn is_reachable(&self, slot: Slot) -> bool {
        self.earliest[slot] != UNREACHABLE
    }

    /// Whether a box in this slot is worth having: it can come there and can go on to a goal.
    pub fn is_live(&self, slot: Slot) -> bool {
        self.live[slot]
    }

    /// Whether a box, alone on the floor, could come to a spot.
    pub fn may_hold_box(&self, spot: Spot) -> bool {
        self.sides.of(spot).any(|slot| self.is_reachable(slot))
    }

    /// Whether no box is worth having on a spot, wherever the player is: it could not go on to a
    /// goal, or no box of the start can come there.
    pub fn is_dead_spot(&self, spot: Spot) -> bool {
        !self.sides.of(spot).any(|slot| self.live[slot])
    }

    /// The slots of the boxes at the start.
    pub fn start(&self) -> impl Iterator<Item = Slot> + '_ {
        let floor = &self.floor;
        floor.boxes().iter().map(|&at| self.sides.slot(at, floor.player()))
    }

    /// The cheapest matching of boxes in these slots to goals: never more than the pushes still
    /// to come. `None` when there is no matching at all, so that the position is lost.
    pub fn pushes_to_come(&self, slots: &[Slot], matching: &mut Matching) -> Option<u32> {
        if !slots.iter().all(|&slot| self.live[slot]) {
            return None;
        }
        matching.least_of(slots, |slot, goal| self.distance(slot, goal))
    }

    /// The bound of the start.
    pub fn lower_bound(&self) -> Option<u32> {
        let slots: Vec<Slot> = self.start().collect();
        self.pushes_to_come(&slots, &mut Matching::new(self.floor.goals().len()))
    }

    /// Why there is no bound, in words; `None` when there is one.
    pub fn unsolvable_reason(&self) -> Option<String> {
        if self.lower_bound().is_some() {
            return None;
        }
        let floor = &self.floor;
        let lost = floor.boxes().iter().zip(self.start()).find(|&(_, slot)| !self.live[slot]);
        Some(match lost {
            Some((&at, _)) => {
                let (row, column) = floor.place(at).indices();
                let (row, column) = (row + 1, column + 1);
                format!("the box in row {row}, column {column} cannot be pushed to any goal")
            }
            None => "there is no way to give each box a goal of its own that it can be pushed to"
                .to_owned(),
        })
    }

    /// The first and the last layer, in a plan of at most `horizon` pushes or moves, in which a
    /// box can be on a spot; an empty range when never.
    pub fn window(&self, spot: Spot, horizon: u32) -> (u32, u32) {
        let slots = self.sides.of(spot).filter(|&slot| self.live[slot]);
        let early = slots.clone().map(|slot| self.earliest[slot]).min();
        let late = slots.map(|slot| self.nearest(slot)).min();
        match (early, late.and_then(|pushes| horizon.checked_sub(pushes))) {
            (Some(early), Some(late)) => (early, late),
            _ => (1, 0),
        }
    }

    /// The least number of pushes from a live slot to any goal.
    pub fn nearest(&self, slot: Slot) -> u32 {
        let to_goals = (0..self.floor.goals().len()).map(|goal| self.distance(slot, goal));
        to_goals.min().and_then(|least| u32::try_from(least).ok()).unwrap_or(u32::MAX)
    }

    /// Whether every goal takes a box. Then every push changes the colour of one box on the
    /// chessboard, the colours at the end are known, and all plans have lengths of one parity.
    pub fn fills_all_goals(&self) -> bool {
        self.floor.boxes().len() == self.floor.goals().len()
    }
}

fn pushes(floor: &Floor, sides: &Sides) -> Vec<Push> {
    let mut pushes = Vec::new();
    for from in 0..floor.len() {
        for direction in Direction::ALL {
            let ends = floor.ahead(from, direction).zip(floor.ahead(from, direction.opposite()));
            if let Some((to, behind)) = ends {
                let (before, after) = (sides.slot(from, behind), sides.slot(to, from));
                pushes.push(Push { from, direction, to, behind, before, after });
            }
        }
    }
    pushes
}

/// Where a push takes a box alone: from slot to slot.
fn graph(sides: &Sides, pushes: &[Push]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    (0..sides.slots()).for_each(|_| {
        graph.add_node(());
    });
    for push in pushes {
        graph.add_edge(NodeIndex::new(push.before), NodeIndex::new(push.after), ());
    }
    graph
}

/// Pulls backwards from each goal, from all its sides at once.
fn distances(floor: &Floor, sides: &Sides, graph: &DiGraph<(), ()>) -> Vec<i32> {
    let goals = floor.goals().len();
    let mut distances = vec![INFINITE_COST; sides.slots() * goals];
    for (number, &goal) in floor.goals().iter().enumerate() {
        for (slot, distance) in steps(Reversed(graph), sides.slots(), sides.of(goal)) {
            distances[slot * goals + number] = distance;
        }
    }
    distances
}

/// The nodes that can be reached from some of them, each with the least number of edges.
fn steps(
    graph: impl IntoNeighbors<NodeId = NodeIndex>,
    nodes: usize,
    from: impl Iterator<Item = usize>,
) -> Vec<(usize, i32)> {
    let mut reached: Vec<(usize, i32)> = from.map(|node| (node, 0)).collect();
    let mut known = vec![false; nodes];
    reached.iter().for_each(|&(node, _)| known[node] = true);
    let mut done = 0;
    while let Some(&(node, steps)) = reached.get(done) {
        done += 1;
        for next in graph.neighbors(NodeIndex::new(node)) {
            if !std::mem::replace(&mut known[next.index()], true) {
                reached.push((next.index(), steps + 1));
            }
        }
    }
    reached
}

/// The least number of pushes into each slot from the boxes of the start, each alone.
fn earliest(floor: &Floor, sides: &Sides, graph: &DiGraph<(), ()>) -> Vec<u32> {
    let mut earliest = vec![UNREACHABLE; sides.slots()];
    let starts = floor.boxes().iter().map(|&at| sides.slot(at, floor.player()));
    for (slot, pushes) in steps(graph, sides.slots(), starts) {
        earliest[slot] = pushes.unsigned_abs();
    }
    earliest
}

/// A potential on slots from the dual of the matching at the start, and what each push wastes.
///
/// With the prices v of the goals, phi(slot) = min over goals of d(slot, goal) - v(goal). A push
/// lowers phi by one at most, so its **waste** 1 + phi(after) - phi(before) is never negative.
/// Summed over a plan of N pushes the potentials telescope:
///
/// N = lower bound + total waste + slack of the end, with a slack of at least 0.
///
/// So a plan of at most h pushes wastes at most h - lower bound. When every goal takes a box, the
/// prices can be chosen (by colours of the chessboard) so that all waste is even; it is then
/// counted in units of two pushes.
#[derive(Clone, Debug)]
pub struct Potential {
    lower: u32,
    unit: u32,
    prices: Vec<i32>,
    phi: Vec<Option<i32>>,
}

impl Potential {
    /// The potential of a level; `None` when no matching exists, so that it is unsolvable.
    pub fn new(bounds: &Bounds) -> Option<Self> {
        let floor = bounds.floor();
        let slots: Vec<Slot> = bounds.start().collect();
        let mut matching = Matching::new(floor.goals().len());
        let lower = bounds.pushes_to_come(&slots, &mut matching)?;
        let halved = bounds.fills_all_goals();
        if halved {
            // Distance and colours of both ends have an even sum; half of it is whole, and so are
            // the dual prices of the halves.
            matching = Matching::new(floor.goals().len());
            matching.least(slots.len(), |row, goal| match bounds.distance(slots[row], goal) {
                INFINITE_COST => INFINITE_COST,
                distance => {
                    let spot = bounds.sides().spot(slots[row]);
                    let odd = [spot, floor.goals()[goal]].map(|spot| i32::from(floor.is_odd(spot)));
                    (distance + odd[0] + odd[1]) / 2
                }
            })?;
        }
        let prices: Vec<i32> = matching
            .prices(slots.len())
            .into_iter()
            .zip(floor.goals())
            .map(
                |(price, &goal)| {
                    if halved { 2 * price - i32::from(floor.is_odd(goal)) } else { price }
                },
            )
            .collect();
        let phi = (0..bounds.sides().slots())
            .map(|slot| {
                let to_goals = prices.iter().enumerate().filter_map(|(goal, price)| {
                    let distance = bounds.distance(slot, goal);
                    (distance < INFINITE_COST).then_some(distance - price)
                });
                to_goals.min()
            })
            .collect();
        Some(Self { lower, unit: if halved { 2 } else { 1 }, prices, phi })
    }

    /// The potential without prices, the distance to the nearest goal: it serves where no matching
    /// exists, and says which slots are dead.
    pub fn plain(bounds: &Bounds) -> Self {
        let goals = bounds.floor().goals().len();
        let phi = (0..bounds.sides().slots())
            .map(|slot| {
                let nearest = (0..goals).map(|goal| bounds.distance(slot, goal)).min()?;
                (nearest < INFINITE_COST).then_some(nearest)
            })
            .collect();
        Self { lower: 0, unit: 1, prices: vec![0; goals], phi }
    }

    /// The least number of pushes by this potential: the matching bound of the start.
    pub fn lower_bound(&self) -> u32 {
        self.lower
    }

    /// How many pushes one unit of waste stands for: 2 when every goal takes a box, else 1.
    pub fn unit(&self) -> u32 {
        self.unit
    }

    /// The potential of a slot; `None` when it is dead.
    pub fn phi(&self, slot: Slot) -> Option<i32> {
        self.phi[slot]
    }

    /// The price of a goal, by its number.
    pub fn price(&self, goal: usize) -> i32 {
        self.prices[goal]
    }

    /// The waste of a push in units; `None` when it makes the box dead.
    pub fn waste(&self, push: &Push) -> Option<u32> {
        let waste = 1 + self.phi[push.after]? - self.phi[push.before]?;
        let waste = u32::try_from(waste).expect("a push lowers the potential by one at most");
        debug_assert!(waste.is_multiple_of(self.unit));
        Some(waste / self.unit)
    }

    /// What a box loses, in units, by ending on a goal (by its number) in this slot of it: the
    /// goal's price asks for more pushes than the potential of the slot.
    pub fn slack(&self, goal: usize, slot: Slot) -> u32 {
        let slack = -self.prices[goal] - self.phi[slot].unwrap_or_default();
        let slack =
            u32::try_from(slack).expect("the potential at a goal is at most minus its price");
        slack / self.unit
    }

    /// What is lost, in units, when a goal (by its number) stays empty.
    pub fn spare(&self, goal: usize) -> u32 {
        u32::try_from(-self.prices[goal]).unwrap_or(0) / self.unit
    }

    /// The total waste, in units, that a plan of at most this many pushes can have; `None` when it
    /// is less than the lower bound.
    pub fn allowance(&self, pushes: u32) -> Option<u32> {
        Some(pushes.checked_sub(self.lower)? / self.unit)
    }
}
