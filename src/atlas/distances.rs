//! Costs from positions to the goal, by searches that learn from each other.
//!
//! After A* from a position has found that the goal is C away, every position at distance g that
//! it looked at is at least C - g away from the goal. These bounds are kept and serve the next
//! search, together with the exact costs on the plans found and with positions known to be lost.
//! So the positions of one game are asked about at little more than the price of the first.
//!
//! Where searches have taken longer than a table of all states would, and the space has one, it
//! answers from then on.
//!
//! Reference: Koenig, Likhachev, "Adaptive A*", 2005. Bounds that were learned need not be
//! consistent, therefore positions are opened again when a cheaper way to them is found.

use crate::limits::{Limits, Monitor, Stop};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use unstuck_encodings::{Cost, CostTable, Space};

/// Whenever searches have expanded so many states more, a table is thought of.
const TABLE_INTERVAL: usize = 256;

/// States of a table that are made in the time in which a search expands one.
const TABLE_STATES_A_STATE: usize = 256;

/// The bound of a lost position.
const INFINITE_COST: Cost = Cost::MAX;

/// What is known of the cost of the way to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostToGo {
    /// The cheapest way costs this.
    Exactly(Cost),
    /// It costs this or more; nothing was asked beyond.
    AtLeast(Cost),
    /// There is no way.
    Never,
    /// A limit struck; so far it is known that it costs at least this.
    Stopped(Stop, Cost),
}

impl CostToGo {
    /// The cost, when it is known.
    pub fn exactly(self) -> Option<Cost> {
        match self {
            Self::Exactly(cost) => Some(cost),
            _ => None,
        }
    }

    /// What it costs at least; `None` where there is no way.
    pub fn at_least(self) -> Option<Cost> {
        match self {
            Self::Exactly(cost) | Self::AtLeast(cost) | Self::Stopped(_, cost) => Some(cost),
            Self::Never => None,
        }
    }

    /// The limit that struck, if one did.
    pub fn stop(self) -> Option<Stop> {
        match self {
            Self::Stopped(stop, _) => Some(stop),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct DistanceNode {
    /// The way to the goal costs at least this, [`INFINITE_COST`] when there is none.
    lower: Cost,
    /// Whether it costs exactly that.
    exact: bool,
    /// The search in which `reached` and `parent` were written.
    run: u32,
    reached: Cost,
    parent: u32,
}

/// Costs to the goal in a space, as far as they have been asked for.
pub struct Distances<S: Space> {
    space: S,
    numbers: HashMap<S::State, u32>,
    states: Vec<S::State>,
    nodes: Vec<DistanceNode>,
    run: u32,
    /// States that searches have expanded.
    expanded: usize,
    table: Option<CostTable<S::State>>,
}

impl<S: Space> Distances<S> {
    /// Nothing is known yet.
    pub fn new(space: S) -> Self {
        let (numbers, states) = (HashMap::new(), Vec::new());
        Self { space, numbers, states, nodes: Vec::new(), run: 0, expanded: 0, table: None }
    }

    /// The space.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Number of states that were looked at.
    pub fn seen(&self) -> usize {
        self.states.len()
    }

    fn number(&mut self, state: S::State) -> u32 {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let number = self.states.len() as u32;
        let goal = self.space.is_goal(&state);
        let lower =
            if goal { Cost::ZERO } else { self.space.bound(&state).unwrap_or(INFINITE_COST) };
        self.nodes.push(DistanceNode {
            lower,
            exact: goal,
            run: 0,
            reached: Cost::ZERO,
            parent: u32::MAX,
        });
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    /// What is known already: a lower bound (`None`: there is no way), and whether it is exact.
    pub fn known(&mut self, state: &S::State) -> (Option<Cost>, bool) {
        let number = self.number(state.clone());
        let node = self.nodes[number as usize];
        (Some(node.lower).filter(|&lower| lower != INFINITE_COST), node.exact)
    }

    /// Takes note of what others have shown: the way from a state to the goal costs at least, or
    /// `exact`ly, this; there is none for `None`.
    pub fn learn(&mut self, state: &S::State, lower: Option<Cost>, exact: bool) {
        let number = self.number(state.clone());
        let node = &mut self.nodes[number as usize];
        if !node.exact {
            node.lower = node.lower.max(lower.unwrap_or(INFINITE_COST));
            node.exact = exact;
        }
    }

    /// The cost of the cheapest way from a state to the goal, if it is less than `below`, by a
    /// search that expands at most so many states: then [`Stop::Memory`] ends it.
    pub fn cost_to_go(
        &mut self,
        state: &S::State,
        below: Option<Cost>,
        most: usize,
        limits: &Limits,
    ) -> CostToGo {
        let below = below.unwrap_or(INFINITE_COST);
        if let Some(found) = self.look_up(state, below) {
            return found;
        }
        let start = self.number(state.clone());
        let node = &mut self.nodes[start as usize];
        if node.lower == INFINITE_COST {
            return CostToGo::Never;
        }
        if node.lower >= below {
            return CostToGo::AtLeast(node.lower);
        }
        if node.exact {
            return CostToGo::Exactly(node.lower);
        }
        self.run += 1;
        (node.run, node.reached, node.parent) = (self.run, Cost::ZERO, u32::MAX);
        let ended = self.search(start, below, most, limits);
        if let Some(found) = self.look_up(state, below) {
            return found;
        }
        if self.space.met_unknown_move() {
            // Nothing is learned from such a search.
            return CostToGo::Stopped(Stop::UnknownMove, Cost::ZERO);
        }
        match ended.goal {
            Some(goal) => self.mark_path(goal, ended.shown),
            None => self.raise(&ended.looked_at, ended.shown),
        }
        if ended.goal.is_some() {
            self.raise(&ended.looked_at, ended.shown);
        }
        match (ended.goal, ended.stop) {
            (Some(_), _) => CostToGo::Exactly(ended.shown),
            (None, Some(stop)) => CostToGo::Stopped(stop, ended.shown),
            (None, None) if ended.shown == INFINITE_COST => CostToGo::Never,
            (None, None) => CostToGo::AtLeast(below),
        }
    }

    /// The answer of the table, where there is one.
    fn look_up(&self, state: &S::State, below: Cost) -> Option<CostToGo> {
        let left = self.table.as_ref()?(state);
        Some(match left {
            None => CostToGo::Never,
            Some(left) if left >= below => CostToGo::AtLeast(left),
            Some(left) => CostToGo::Exactly(left),
        })
    }

    /// A* from a state that this run has reached; it ends as soon as there is a table.
    fn search(&mut self, start: u32, below: Cost, most: usize, limits: &Limits) -> DistanceResult {
        let mut open: BTreeMap<Cost, Vec<(u32, Cost)>> = BTreeMap::new();
        open.insert(self.nodes[start as usize].lower, vec![(start, Cost::ZERO)]);
        let mut looked_at = Vec::new();
        let mut successors = Vec::new();
        let mut cut = false;
        // A single expansion takes long where there are many pieces: each successor is looked at.
        let mut monitor = Monitor::silent(limits);
        while let Some(mut first) = open.first_entry() {
            let estimate = *first.key();
            let Some((number, cost)) = first.get_mut().pop() else {
                first.remove();
                continue;
            };
            let node = self.nodes[number as usize];
            if node.reached < cost {
                continue;
            }
            if node.exact {
                return DistanceResult {
                    goal: Some(number),
                    stop: None,
                    shown: estimate,
                    looked_at,
                };
            }
            let stop = (looked_at.len() == most).then_some(Stop::Memory);
            if let Some(stop) = stop.or(monitor.poll().err()) {
                return DistanceResult { goal: None, stop: Some(stop), shown: estimate, looked_at };
            }
            looked_at.push(number);
            self.expanded += 1;
            if self.expanded.is_multiple_of(TABLE_INTERVAL) {
                let most = self.expanded.saturating_mul(TABLE_STATES_A_STATE);
                self.table = self.space.table(most, &mut || monitor.poll().is_ok());
                if self.table.is_some() {
                    let (goal, stop, shown) = (None, None, estimate);
                    return DistanceResult { goal, stop, shown, looked_at };
                }
            }
            successors.clear();
            let state = self.states[number as usize].clone();
            self.space.expand(&state, &mut successors);
            for (next, step) in successors.drain(..) {
                if let Err(stop) = monitor.poll() {
                    return DistanceResult {
                        goal: None,
                        stop: Some(stop),
                        shown: estimate,
                        looked_at,
                    };
                }
                let next = self.number(next);
                let run = self.run;
                let node = &mut self.nodes[next as usize];
                let reached = cost + step;
                if node.lower == INFINITE_COST || node.run == run && node.reached <= reached {
                    continue;
                }
                (node.run, node.reached, node.parent) = (run, reached, number);
                // The bound of the state before holds for this one, less the step.
                let estimate = (reached + node.lower).max(estimate);
                if estimate >= below {
                    cut = true;
                    continue;
                }
                open.entry(estimate).or_default().push((next, reached));
            }
        }
        DistanceResult {
            goal: None,
            stop: None,
            shown: if cut { below } else { INFINITE_COST },
            looked_at,
        }
    }

    /// Raises the bounds of states that a search looked at which showed that the goal is at least
    /// `shown` from its start.
    fn raise(&mut self, looked_at: &[u32], shown: Cost) {
        for &number in looked_at {
            let node = &mut self.nodes[number as usize];
            if !node.exact {
                let rest = if shown == INFINITE_COST {
                    Some(INFINITE_COST)
                } else {
                    shown.after(node.reached)
                };
                node.lower = rest.map_or(node.lower, |rest| node.lower.max(rest));
            }
        }
    }

    /// The states on a cheapest way are as far from the goal as the way is long.
    fn mark_path(&mut self, goal: u32, total: Cost) {
        let mut number = goal;
        while number != u32::MAX {
            let node = &mut self.nodes[number as usize];
            let left = total.after(node.reached).expect("a way is as long as its parts");
            (node.lower, node.exact) = (left, true);
            number = node.parent;
        }
    }
}

/// How a search ended.
struct DistanceResult {
    /// The state with a known cost at which it ended.
    goal: Option<u32>,
    stop: Option<Stop>,
    /// The goal is at least this far from the start; exactly, when one was found.
    shown: Cost,
    /// The states whose successors were made, some of them several times.
    looked_at: Vec<u32>,
}
