//! Making a plan cheaper: a search that stays near it.
//!
//! The states of the plan are known with what it costs to get there. From them states are looked at
//! that differ from some state of the plan in few pieces, those in the fewest first, and among
//! these those that are fewest steps away. When a cheaper way to a state is found, all that was
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
    /// How far from the plan: pieces, steps.
    far: (u8, u16),
    expanded: bool,
}

/// What lies around a plan.
struct Neighbourhood<'a, S: Space> {
    space: &'a mut S,
    near: NearbyStates,
    nodes: Vec<ImproveNode<S::State>>,
    known: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Nodes that were not expanded yet, by how far they are.
    open: BinaryHeap<Reverse<((u8, u16), u32)>>,
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
            open: BinaryHeap::new(),
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
                None => around.add(state.clone(), cost, parent, *edge, (0, 0)),
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

    fn add(&mut self, state: S::State, cost: Cost, parent: u32, edge: Cost, far: (u8, u16)) -> u32 {
        let id = self.nodes.len() as u32;
        let hash = self.hasher.hash_one(&state);
        self.nodes.push(ImproveNode { state, cost, parent, edge, far, expanded: false });
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        self.known.insert_unique(hash, id, |&id| hasher.hash_one(&nodes[id as usize].state));
        self.open.push(Reverse((far, id)));
        id
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
        let (mut expanded, mut pause) = (0, FIRST_ROUND_STATES);
        while let Some(id) = self.next() {
            if !self.expand(id) {
                continue;
            }
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
            if stats.expanded.is_multiple_of(STATES_PER_ROUND) {
                let long = (stats.expanded / STATES_PER_ROUND).is_multiple_of(ROUNDS_PER_REPORT);
                if long {
                    progress(*stats);
                }
                if let Some(stop) = if long { limits.reached_any() } else { limits.reached() } {
                    return Some(ImproveOutcome::Stopped(stop));
                }
            }
        }
        stats.cost = self.best();
        Some(ImproveOutcome::Settled)
    }

    fn next(&mut self) -> Option<u32> {
        let again = self.again.pop().map(|Reverse((_, id))| id);
        again.or_else(|| self.open.pop().map(|Reverse((_, id))| id))
    }

    /// Goes on from a node, unless no cheaper plan can come from it.
    fn expand(&mut self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        let (cost, far) = (node.cost, node.far);
        let state = node.state.clone();
        if id == self.goal || self.space.is_goal(&state) {
            return false;
        }
        let to_come = self.space.bound(&state);
        if to_come.is_none_or(|to_come| cost + to_come >= self.best()) && far != (0, 0) {
            return false;
        }
        self.nodes[id as usize].expanded = true;
        let mut successors = std::mem::take(&mut self.successors);
        self.space.expand(&state, &mut successors);
        for (next, edge) in successors.drain(..) {
            self.reach(next, cost + edge, id, edge, far);
        }
        self.successors = successors;
        true
    }

    /// Takes note of a way to a state.
    fn reach(&mut self, state: S::State, cost: Cost, parent: u32, edge: Cost, far: (u8, u16)) {
        if cost >= self.best() {
            return;
        }
        let id = match self.find(&state) {
            Some(id) => {
                let node = &mut self.nodes[id as usize];
                if cost >= node.cost {
                    return;
                }
                (node.cost, node.parent, node.edge) = (cost, parent, edge);
                if node.expanded {
                    self.again.push(Reverse((cost, id)));
                } else {
                    // It may have been left out because it was expensive.
                    self.open.push(Reverse((node.far, id)));
                }
                id
            }
            None => {
                let pieces = self.near.far(self.space, &state);
                self.add(state, cost, parent, edge, (pieces, far.1.saturating_add(1)))
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
