//! What is searched for, and how far a search is.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use unstuck_encodings::Cost;

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
    /// The bound counts this many tenths: 0 is breadth first, 10 is A*, 20 is weighted A* with w = 2, whose plan need
    /// not be shortest.
    pub weight_tenths: u64,
    /// Go by the bound alone, the latest of equals first, and keep the first way to a state: for any
    /// plan at all. Neither `cap` nor `incumbent` counts then.
    pub greedy: bool,
    /// Ask for plans of at most this cost only. States that exceed it are not kept.
    pub cap: Option<Cost>,
    /// Ask for plans only that are cheaper than those that others find meanwhile.
    pub incumbent: Incumbent,
    /// Stop after this many states.
    pub max_states: Option<usize>,
    /// Stop after the expansion of this many states.
    pub max_expanded: Option<u64>,
    /// Search the plain space of the rules instead of the family's packed one: the oracle.
    pub plain: bool,
    /// States that are expanded together. Where that is cheap, most of the time goes into waiting for
    /// memory, and the successors of several are looked up in about the time of one.
    pub batch: usize,
    /// Threads to search with when the search is not over soon.
    pub threads: usize,
}

impl Default for Strategy {
    fn default() -> Self {
        Self {
            weight_tenths: 10,
            greedy: false,
            cap: None,
            incumbent: Incumbent::default(),
            max_states: None,
            max_expanded: None,
            plain: false,
            batch: 1,
            threads: 1,
        }
    }
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

impl SearchStats {
    /// What two searches of the same have done together.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            expanded: self.expanded + other.expanded,
            states: self.states + other.states,
            lower: self.lower.max(other.lower),
        }
    }
}

impl fmt::Display for SearchStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expanded, states, lower } = self;
        write!(f, "searching: at least {}, {expanded} of {states} states", lower.primary())
    }
}
