//! Explicit search over a [`Space`]: A* with an admissible bound, breadth-first where the bound is
//! zero, weighted A* for a quick plan.
//!
//! Search finds; it proves nothing that a stranger could check by itself. What it closes becomes a
//! certificate elsewhere.
//!
//! Reference: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum
//! Cost Paths", 1968. States are reopened when a cheaper way to them is found, so an inconsistent
//! bound costs time but never correctness.

mod table;
mod workers;

use crate::limits::{Limits, Stop};
use crate::machine::{self, Instant};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use table::NO_PARENT;
use unstuck_encodings::{Cost, Space};
use workers::{SharedState, Worker, WorkersEnd, watch};

/// The cost of the best plan that anyone has found so far. Clones share it.
///
/// Search keeps no state that cannot lead to a cheaper plan, and ends as exhausted when no such
/// state is left: then that plan is a cheapest one.
#[derive(Clone, Debug)]
pub struct Incumbent(Arc<AtomicU64>);

impl Default for Incumbent {
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(Cost::MAX.to_bits())))
    }
}

impl Incumbent {
    /// Notes a plan of this cost.
    pub fn offer(&self, cost: Cost) {
        self.0.fetch_min(cost.to_bits(), Ordering::Relaxed);
    }

    /// The cost of the cheapest plan that was noted.
    pub fn known(&self) -> Option<Cost> {
        Some(Cost::from_bits(self.0.load(Ordering::Relaxed))).filter(|&cost| cost < Cost::MAX)
    }
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The bound counts this many tenths: 10 is A*, 20 is weighted A* with w = 2, whose plan need
    /// not be shortest.
    pub weight_tenths: u64,
    /// Ask for plans of at most this cost only. States that exceed it are not kept.
    pub cap: Option<Cost>,
    /// Ask for plans only that are cheaper than those that others find meanwhile.
    pub incumbent: Incumbent,
    /// Stop after this many states.
    pub max_states: Option<usize>,
    /// Search the plain space of the rules instead of the family's packed one: the oracle.
    pub plain: bool,
    /// Threads to search with when the search is not over soon.
    pub threads: usize,
}

impl Default for Strategy {
    fn default() -> Self {
        Self {
            weight_tenths: 10,
            cap: None,
            incumbent: Incumbent::default(),
            max_states: None,
            plain: false,
            threads: 1,
        }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchOutcome<S> {
    /// The states along a path from the start to a goal, the start first; a cheapest one unless
    /// weighted.
    Found(Vec<S>),
    /// Nothing is left to look at: there is no solution (within the cap, if one was given, and
    /// cheaper than the ceiling).
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// States whose successors were made.
    pub expanded: u64,
    /// Different states that may lead to a goal, as far as the bound shows.
    pub states: u64,
    /// No solution is cheaper than this (only for unweighted search).
    pub lower: Cost,
}

impl fmt::Display for SearchStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expanded, states, lower } = self;
        write!(f, "searching: at least {}, {expanded} of {states} states", lower.primary())
    }
}

/// Expansions by one thread before others join: most searches are over by then, and end the same
/// way in every run.
const SINGLE_THREAD_EXPANSIONS: u64 = 20_000;

/// Searches a space from its start. `progress` is called now and then.
pub fn search<S: Space>(
    space: &mut S,
    strategy: Strategy,
    limits: &Limits,
    progress: &mut dyn FnMut(SearchStats),
) -> (SearchOutcome<S::State>, SearchStats) {
    let workers = if machine::has_threads() { strategy.threads.max(1) } else { 1 };
    let common = SharedState::new(strategy);
    let mut last_report = Instant::now();
    let mut watch = || watch(&common, limits, progress, &mut last_report);
    let mut first = Worker::new(0, 1, space, &common);
    first.open_start();
    first.run(if workers > 1 { SINGLE_THREAD_EXPANSIONS } else { u64::MAX }, &mut watch);
    if common.ended().is_none() {
        let others: Vec<S> = (1..workers).map(|_| space.clone()).collect();
        machine::scope(|scope| {
            for (number, mut space) in (1..).zip(others) {
                let common = &common;
                scope.spawn(move || {
                    Worker::new(number, workers, &mut space, common).run(u64::MAX, &mut || None);
                });
            }
            Worker::new(0, workers, space, &common).run(u64::MAX, &mut watch);
        });
    }
    let end = match common.ended().expect("workers go on until the end") {
        WorkersEnd::Goal(id) => SearchOutcome::Found(path(&common, id)),
        WorkersEnd::Exhausted => SearchOutcome::Exhausted,
        WorkersEnd::Stopped(stop) => SearchOutcome::Stopped(stop),
    };
    (end, common.stats())
}

/// The states on the way to one.
fn path<T: Clone + Eq + std::hash::Hash>(common: &SharedState<T>, mut id: table::Id) -> Vec<T> {
    let mut path = Vec::new();
    while id != NO_PARENT {
        let (state, node) = common.table.get(id);
        path.push(state);
        id = node.parent;
    }
    path.reverse();
    path
}
