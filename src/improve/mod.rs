//! Making a plan cheaper: a search that stays near it.
//!
//! The states of the plan are known with what it costs to get there. From them states are looked at
//! that differ from some state of the plan in few pieces, those in the fewest first. Among these
//! come in turn those by which the cheapest plan may lead, by the admissible bound, and those that
//! are fewest steps away: each order finds what the other misses. When a cheaper way to a state is found, all that was
//! reached from it becomes cheaper, the rest of the plan too. Once the plan has become cheaper, it
//! restarts around the better one. A state from which no cheaper plan can come, by the admissible
//! bound, is left out.
//!
//! That a plan cannot be made cheaper in this way shows nothing about shorter plans.
//!
//! References: Nakhost and Müller, "Action Elimination and Plan Neighborhood Graph Search", 2010;
//! Furcy, "ITSA*: Iterative Tunneling Search with A*", 2006. Nearness by pieces is that of the
//! vicinity search of Sokoban programs.

mod near;

use crate::limits::{Limits, Stop};
use hashbrown::{DefaultHashBuilder, HashTable};
use near::NearbyStates;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::hash::BuildHasher;
use unstuck_encodings::{Cost, Space};

/// How an improvement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImproveOutcome {
    /// Nothing that can be reached makes it cheaper.
    Settled,
    /// The states that were granted are used up.
    UsedUp,
    /// A limit struck.
    Stopped(Stop),
}

/// What an improvement has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImproveStats {
    /// States whose successors were made.
    pub expanded: u64,
    /// What the best plan costs.
    pub cost: Cost,
}

impl fmt::Display for ImproveStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "improving: at most {}, {} states", self.cost.primary(), self.expanded)
    }
}

/// States that are expanded before the search restarts around a better plan. It looks whether there
/// is one after so many, twice as many, and so on.
const FIRST_ROUND_STATES: u64 = 1_000;

/// States between two looks at the limits.
const STATES_PER_ROUND: u64 = 256;

/// Rounds between two looks at memory, and two reports.
const ROUNDS_PER_REPORT: u64 = 16;

/// States that are kept at a time.
const MAX_STATES: usize = 10_000_000;

/// The states of a plan in a space, the start first, with the cost of getting from each to the
/// next; `None` when the space does not know some step.
///
/// `passed` are the states of the space on the way, one for each move. What lies within one edge of
/// the space, a walk before a push, say, is skipped.
pub fn edges<S: Space>(space: &mut S, passed: &[S::State]) -> Option<Vec<(S::State, Cost)>> {
    let mut path = vec![(space.start(), Cost::ZERO)];
    let mut successors = Vec::new();
    let mut at = 0;
    while at < passed.len() {
        let (last, _) = path.last().expect("the start is there");
        successors.clear();
        space.expand(last, &mut successors);
        let next = |state: &S::State| successors.iter().find(|(other, _)| other == state);
        let found = (at..passed.len()).find_map(|place| Some((place, next(&passed[place])?)));
        let Some((place, edge)) = found else { break };
        path.push(edge.clone());
        at = place + 1;
    }
    let (last, _) = path.last().expect("the start is there");
    space.is_goal(last).then_some(path)
}

/// Makes a plan cheaper, within so many expanded states: its states from the start, and how it
/// ended. `progress` is called now and then.
pub fn improve<S: Space>(
    space: &mut S,
    path: Vec<(S::State, Cost)>,
    most: u64,
    limits: &Limits,
    progress: &mut dyn FnMut(ImproveStats),
) -> (Vec<S::State>, ImproveOutcome, ImproveStats) {
    let mut path = path;
    let mut stats = ImproveStats::default();
    loop {
        let mut around = Neighbourhood::new(space, &path);
        let end = around.run(&mut stats, most, limits, progress);
        let better = around.path();
        let same = better.len() == path.len() && better.iter().zip(&path).all(|(a, b)| a == b);
        path = better;
        match end {
            Some(end) if same || end != ImproveOutcome::Settled => {
                return (path.into_iter().map(|(state, _)| state).collect(), end, stats);
            }
            _ => {}
        }
    }
}

/// No node.
const NONE: u32 = u32::MAX;

struct ImproveNode<S> {
    state: S,
    /// Of getting there.
    cost: Cost,
    parent: u32,
    /// Of the last edge.
    edge: Cost,
    /// In how many pieces it differs from a state of the plan.
    far: u8,
    /// How many steps it is away from the plan.
    steps: u32,
    /// Of getting from there to a goal, at least; a guess until the bound is asked. Zero on the
    /// plan, which is looked at whatever the bound says.
    to_come: Cost,
    is_judged: bool,
    is_expanded: bool,
}

/// What lies around a plan.
struct Neighbourhood<'a, S: Space> {
    space: &'a mut S,
    near: NearbyStates,
    nodes: Vec<ImproveNode<S::State>>,
    known: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Nodes that may be expanded: by how far they are from the plan and what a plan by them costs,
    /// the newest first.
    cheap: BinaryHeap<(Reverse<(u8, Cost)>, u32)>,
    /// The same nodes, by how far they are in pieces and steps, the oldest first.
    close: BinaryHeap<Reverse<((u8, u32), u32)>>,
    /// Whose turn it is.
    is_close_next: bool,
    /// Nodes that were, and have become cheaper, by cost.
    again: BinaryHeap<Reverse<(Cost, u32)>>,
    /// The last state of the cheapest plan.
    goal: u32,
    successors: Vec<(S::State, Cost)>,
}

impl<'a, S: Space> Neighbourhood<'a, S> {
    fn new(space: &'a mut S, path: &[(S::State, Cost)]) -> Self {
        let near = NearbyStates::new(space, path.iter().map(|(state, _)| state));
        let mut around = Self {
            space,
            near,
            nodes: Vec::new(),
            known: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            cheap: BinaryHeap::new(),
            close: BinaryHeap::new(),
            is_close_next: false,
            again: BinaryHeap::new(),
            goal: NONE,
            successors: Vec::new(),
        };
        let mut cost = Cost::ZERO;
        let mut parent = NONE;
        for (state, edge) in path {
            cost = cost + *edge;
            let known = around.find(state);
            // A plan that comes by a place twice is cheaper without what is between.
            parent = match known {
                Some(id) => id,
                None => around.add(ImproveNode {
                    state: state.clone(),
                    cost,
                    parent,
                    edge: *edge,
                    far: 0,
                    steps: 0,
                    to_come: Cost::ZERO,
                    is_judged: true,
                    is_expanded: false,
                }),
            };
            cost = around.nodes[parent as usize].cost;
            if around.space.is_goal(state) {
                break;
            }
        }
        around.goal = parent;
        around
    }

    fn find(&self, state: &S::State) -> Option<u32> {
        let hash = self.hasher.hash_one(state);
        self.known.find(hash, |&id| self.nodes[id as usize].state == *state).copied()
    }

    fn add(&mut self, node: ImproveNode<S::State>) -> u32 {
        let id = self.nodes.len() as u32;
        let hash = self.hasher.hash_one(&node.state);
        self.nodes.push(node);
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        self.known.insert_unique(hash, id, |&id| hasher.hash_one(&nodes[id as usize].state));
        self.enqueue(id);
        id
    }

    /// Has a node looked at when its turn comes.
    fn enqueue(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        self.cheap.push((Reverse((node.far, node.cost + node.to_come)), id));
        self.close.push(Reverse(((node.far, node.steps), id)));
    }

    /// What the cheapest plan costs.
    fn best(&self) -> Cost {
        self.nodes[self.goal as usize].cost
    }

    /// Looks around the plan. `None` when it was made cheaper, and it is time to restart.
    fn run(
        &mut self,
        stats: &mut ImproveStats,
        most: u64,
        limits: &Limits,
        progress: &mut dyn FnMut(ImproveStats),
    ) -> Option<ImproveOutcome> {
        let before = self.best();
        let (mut looked_at, mut expanded, mut pause) = (0_u64, 0, FIRST_ROUND_STATES);
        while let Some(id) = self.next() {
            looked_at += 1;
            if looked_at.is_multiple_of(STATES_PER_ROUND) {
                let long = (looked_at / STATES_PER_ROUND).is_multiple_of(ROUNDS_PER_REPORT);
                if long {
                    progress(*stats);
                }
                if let Some(stop) = if long { limits.reached_any() } else { limits.reached() } {
                    return Some(ImproveOutcome::Stopped(stop));
                }
            }
            if !self.is_promising(id) {
                continue;
            }
            self.expand(id);
            expanded += 1;
            stats.expanded += 1;
            stats.cost = self.best();
            if self.again.is_empty() && (stats.expanded >= most || self.nodes.len() >= MAX_STATES) {
                return Some(ImproveOutcome::UsedUp);
            }
            if expanded >= pause && self.again.is_empty() {
                if self.best() < before {
                    return None;
                }
                pause *= 2;
            }
        }
        stats.cost = self.best();
        Some(ImproveOutcome::Settled)
    }

    /// The node that is to be expanded next.
    fn next(&mut self) -> Option<u32> {
        if let Some(Reverse((_, id))) = self.again.pop() {
            return Some(id);
        }
        self.is_close_next = !self.is_close_next;
        if self.is_close_next {
            self.close.pop().map(|Reverse((_, id))| id)
        } else {
            self.cheap.pop().map(|(_, id)| id)
        }
    }

    /// Whether a node is to be expanded now: a cheaper plan can lead by it, and when it was taken
    /// for cheap, it is as cheap as it was taken for.
    fn is_promising(&mut self, id: u32) -> bool {
        let (best, node) = (self.best(), &self.nodes[id as usize]);
        if id == self.goal || node.is_expanded || node.cost + node.to_come >= best {
            return false;
        }
        if node.is_judged {
            return true;
        }
        let state = node.state.clone();
        if self.space.is_goal(&state) {
            return false;
        }
        let bound = self.space.bound(&state);
        let node = &mut self.nodes[id as usize];
        node.is_judged = true;
        let guess = std::mem::replace(&mut node.to_come, bound.unwrap_or(best));
        let (is_promising, is_as_guessed) =
            (node.cost + node.to_come < best, node.to_come <= guess);
        if is_promising && !is_as_guessed && !self.is_close_next {
            let rank = (node.far, node.cost + node.to_come);
            self.cheap.push((Reverse(rank), id));
            return false;
        }
        is_promising
    }

    /// Goes on from a node.
    fn expand(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        node.is_expanded = true;
        let state = node.state.clone();
        let mut successors = std::mem::take(&mut self.successors);
        self.space.expand(&state, &mut successors);
        for (next, edge) in successors.drain(..) {
            self.reach(next, edge, id);
        }
        self.successors = successors;
    }

    /// Takes note of an edge to a state.
    fn reach(&mut self, state: S::State, edge: Cost, parent: u32) {
        let from = &self.nodes[parent as usize];
        let cost = from.cost + edge;
        if cost >= self.best() {
            return;
        }
        // By the bound of its parent, as far as that says anything.
        let to_come = from.to_come.after(edge).unwrap_or(Cost::ZERO);
        let from_steps = from.steps;
        let id = match self.find(&state) {
            Some(id) => {
                let node = &mut self.nodes[id as usize];
                if cost >= node.cost {
                    return;
                }
                (node.cost, node.parent, node.edge) = (cost, parent, edge);
                if std::mem::take(&mut node.is_expanded) {
                    self.again.push(Reverse((cost, id)));
                } else {
                    // It may have been left out because it was expensive.
                    self.enqueue(id);
                }
                id
            }
            None => {
                let far = self.near.far(self.space, &state);
                let (steps, is_judged, is_expanded) = (from_steps + 1, false, false);
                self.add(ImproveNode {
                    state,
                    cost,
                    parent,
                    edge,
                    far,
                    steps,
                    to_come,
                    is_judged,
                    is_expanded,
                })
            }
        };
        if self.space.is_goal(&self.nodes[id as usize].state) {
            self.goal = id;
        }
    }

    /// The cheapest plan.
    fn path(&self) -> Vec<(S::State, Cost)> {
        let mut path = Vec::new();
        let mut id = self.goal;
        while id != NONE {
            let node = &self.nodes[id as usize];
            path.push((node.state.clone(), node.edge));
            id = node.parent;
        }
        path.reverse();
        path
    }
}
