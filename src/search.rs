//! Explicit search over a [`Space`]: A* with an admissible bound, breadth-first where the bound is
//! zero, weighted A* for a quick plan.
//!
//! Search finds; it proves nothing that a stranger could check by itself. What it closes becomes a
//! certificate elsewhere.
//!
//! Reference: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum
//! Cost Paths", 1968. States are reopened when a cheaper way to them is found, so an inconsistent
//! bound costs time but never correctness.

use crate::limits::{Limits, Stop};
use hashbrown::HashTable;
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use unstuck_encodings::{Cost, Space};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// The bound counts this many tenths: 10 is A*, 20 is weighted A* with w = 2, whose plan need
    /// not be shortest.
    pub weight_tenths: u64,
    /// Ask for plans of at most this cost only. States that exceed it are not kept.
    pub cap: Option<Cost>,
    /// Whether the bound is used at all; a closed set without it needs no trust in it.
    pub use_bound: bool,
    /// Stop after this many states.
    pub max_states: Option<usize>,
    /// Search the plain space of the rules instead of the family's packed one: the oracle.
    pub plain: bool,
    /// Go on after a plan is found until nothing within the cap is open: for closed sets.
    pub exhaust: bool,
}

impl Default for Strategy {
    fn default() -> Self {
        Self {
            weight_tenths: 10,
            cap: None,
            use_bound: true,
            max_states: None,
            plain: false,
            exhaust: false,
        }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End<S> {
    /// A path from the start to a goal and its cost; a cheapest one unless weighted.
    Found {
        /// The states along the path, the start first.
        path: Vec<S>,
        /// Its cost.
        cost: Cost,
    },
    /// Nothing is left to look at: there is no solution (within the cap, if one was given).
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// States whose successors were made.
    pub expanded: u64,
    /// Different states seen.
    pub states: u64,
    /// No solution is cheaper than this (only for unweighted search).
    pub lower: Cost,
}

const NO_PARENT: u32 = u32::MAX;

/// Costs are kept in 32 bits: 16 for each half. Plans of 65,535 moves are far beyond search.
fn squeeze(cost: Cost) -> u32 {
    let (high, low) = ((cost >> 32).min(0xFFFF), (cost & 0xFFFF_FFFF).min(0xFFFF));
    (high << 16 | low) as u32
}

fn widen(squeezed: u32) -> Cost {
    Cost::from(squeezed >> 16) << 32 | Cost::from(squeezed & 0xFFFF)
}

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    cost: u32,
    closed: bool,
    dead: bool,
}

/// A search in progress: kept after its end, because its closed set is worth something.
pub struct Search<'a, S: Space> {
    space: &'a mut S,
    strategy: Strategy,
    states: Vec<S::State>,
    nodes: Vec<Node>,
    table: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
    open: BTreeMap<Cost, Vec<u32>>,
    effort: Effort,
}

impl<'a, S: Space> Search<'a, S> {
    /// A search from the start of a space.
    pub fn new(space: &'a mut S, strategy: Strategy) -> Self {
        let mut search = Self {
            space,
            strategy,
            states: Vec::new(),
            nodes: Vec::new(),
            table: HashTable::new(),
            hasher: hashbrown::DefaultHashBuilder::default(),
            open: BTreeMap::new(),
            effort: Effort::default(),
        };
        let start = search.space.start();
        search.reach(start, 0, NO_PARENT);
        search
    }

    /// What has been done so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// States that were expanded, with the cost of the cheapest way to them.
    pub fn closed(&self) -> impl Iterator<Item = (&S::State, Cost)> {
        let nodes = self.states.iter().zip(&self.nodes);
        nodes.filter(|(_, node)| node.closed).map(|(state, node)| (state, widen(node.cost)))
    }

    fn bound(&mut self, state: &S::State) -> Option<Cost> {
        if self.strategy.use_bound { self.space.bound(state) } else { Some(0) }
    }

    /// Notes that a state can be reached at a cost, and opens it when that is news.
    fn reach(&mut self, state: S::State, cost: Cost, parent: u32) {
        let hash = self.hasher.hash_one(&state);
        let known = self.table.find(hash, |&index| self.states[index as usize] == state).copied();
        if let Some(index) = known {
            let node = self.nodes[index as usize];
            if node.dead || widen(node.cost) <= cost {
                return;
            }
        }
        let bound = self.bound(&state);
        if let (Some(bound), Some(cap)) = (bound, self.strategy.cap)
            && cost + bound > cap
        {
            return;
        }
        let node = Node { parent, cost: squeeze(cost), closed: false, dead: bound.is_none() };
        let index = match known {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                let index = self.states.len() as u32;
                self.states.push(state);
                self.nodes.push(node);
                let (states, hasher) = (&self.states, &self.hasher);
                self.table.insert_unique(hash, index, |&i| hasher.hash_one(&states[i as usize]));
                self.effort.states += 1;
                index
            }
        };
        if let Some(bound) = bound {
            // Rounding down keeps an unweighted estimate exact.
            let estimate = cost + bound * self.strategy.weight_tenths / 10;
            self.open.entry(estimate).or_default().push(index);
        }
    }

    fn pop(&mut self) -> Option<(Cost, u32)> {
        loop {
            let mut entry = self.open.first_entry()?;
            let estimate = *entry.key();
            match entry.get_mut().pop() {
                Some(index) => return Some((estimate, index)),
                None => drop(entry.remove()),
            }
        }
    }

    fn path(&self, mut index: u32) -> Vec<S::State> {
        let mut path = Vec::new();
        while index != NO_PARENT {
            path.push(self.states[index as usize].clone());
            index = self.nodes[index as usize].parent;
        }
        path.reverse();
        path
    }

    /// Searches until the end. `progress` is called now and then.
    pub fn run(&mut self, limits: &Limits, progress: &mut dyn FnMut(Effort)) -> End<S::State> {
        let mut successors = Vec::new();
        let mut best: Option<u32> = None;
        while let Some((estimate, index)) = self.pop() {
            let node = self.nodes[index as usize];
            if node.closed {
                continue;
            }
            if self.strategy.weight_tenths == 10 {
                self.effort.lower = self.effort.lower.max(estimate);
            }
            self.nodes[index as usize].closed = true;
            let state = self.states[index as usize].clone();
            if self.space.is_goal(&state) {
                if !self.strategy.exhaust {
                    return End::Found { path: self.path(index), cost: widen(node.cost) };
                }
                best = best.or(Some(index));
            }
            self.effort.expanded += 1;
            successors.clear();
            self.space.expand(&state, &mut successors);
            for (next, cost) in successors.drain(..) {
                self.reach(next, widen(node.cost) + cost, index);
            }
            if self.effort.expanded.is_multiple_of(256)
                && let Some(stop) = self.stop(limits, progress)
            {
                return End::Stopped(stop);
            }
        }
        match best {
            Some(index) => {
                End::Found { path: self.path(index), cost: widen(self.nodes[index as usize].cost) }
            }
            None => End::Exhausted,
        }
    }

    fn stop(&mut self, limits: &Limits, progress: &mut dyn FnMut(Effort)) -> Option<Stop> {
        let full = self.strategy.max_states.is_some_and(|most| self.states.len() >= most)
            || self.states.len() >= NO_PARENT as usize - (1 << 20);
        if full {
            return Some(Stop::Memory);
        }
        if self.effort.expanded.is_multiple_of(16 * 1024) {
            progress(self.effort);
            return limits.reached_any();
        }
        limits.reached()
    }
}
