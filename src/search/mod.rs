//! Explicit search over a [`Space`]: A* with an admissible bound, breadth-first where the bound is
//! zero, weighted A* for a quick plan.
//!
//! Search finds; it proves nothing that a stranger could check by itself. What it closes becomes a
//! certificate elsewhere.
//!
//! Reference: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum
//! Cost Paths", 1968. States are reopened when a cheaper way to them is found, so an inconsistent
//! bound costs time but never correctness.

mod strategy;
mod table;
mod workers;

pub use strategy::{Incumbent, SearchStats, Strategy};

use crate::limits::{Limits, Stop};
use crate::machine::{self, Instant};
use table::NO_PARENT;
use unstuck_encodings::Space;
use workers::{SharedState, Worker, WorkersEnd, watch};

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchOutcome<S> {
    /// The states along a path from a start to a goal, the start first; a cheapest one unless
    /// weighted.
    Found(Vec<S>),
    /// Nothing is left to look at: there is no solution (within the cap, if one was given, and
    /// cheaper than the ceiling).
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
}

/// Expansions by one thread before others join: most searches are over by then, and end the same
/// way in every run.
const SINGLE_THREAD_EXPANSIONS: u64 = 20_000;

/// A search of a space from its starts, which a limit may interrupt: asked again, it goes on where it
/// was.
#[derive(Debug)]
pub struct Search<S: Space> {
    /// One for each worker; the others are copies of the first, made when they are needed.
    spaces: Vec<S>,
    common: SharedState<S::State>,
    workers: usize,
    reported: Instant,
}

impl<S: Space> Search<S> {
    /// A search that has not begun.
    pub fn new(space: S, strategy: Strategy) -> Self {
        let workers = if machine::has_threads() { strategy.threads.max(1) } else { 1 };
        let common = SharedState::new(strategy);
        Self { spaces: vec![space], common, workers, reported: Instant::now() }
    }

    /// The space that is searched.
    pub fn space(&mut self) -> &mut S {
        &mut self.spaces[0]
    }

    /// Searches until the end, or until a limit strikes. `progress` is called now and then.
    pub fn run(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> (SearchOutcome<S::State>, SearchStats) {
        let Self { spaces, common, workers, reported } = self;
        let (common, workers) = (&*common, *workers);
        common.resume();
        let mut watch = || watch(common, limits, progress, reported);
        let mut first = Worker::new(0, 1, &mut spaces[0], common);
        if common.stats().states == 0 {
            first.open_starts();
        }
        let most = common.max_expanded();
        let alone = if workers > 1 { SINGLE_THREAD_EXPANSIONS.min(most) } else { most };
        // What has been opened again is no expansion more.
        while common.expanded() < alone && common.ended().is_none() {
            first.run(alone - common.expanded(), &mut watch);
        }
        drop(first);
        common.stop_after(most);
        if common.ended().is_none() {
            while spaces.len() < workers {
                spaces.push(spaces[0].clone());
            }
            machine::scope(|scope| {
                let mut spaces = (0..).zip(spaces.iter_mut());
                let first = spaces.next().map(|(_, space)| space).expect("there is a space");
                for (number, space) in spaces {
                    scope.spawn(move || {
                        Worker::new(number, workers, space, common).run(u64::MAX, &mut || None);
                    });
                }
                Worker::new(0, workers, first, common).run(u64::MAX, &mut watch);
            });
        }
        let end = match common.ended().expect("workers go on until the end") {
            WorkersEnd::Goal(id) => SearchOutcome::Found(path(common, id)),
            WorkersEnd::Exhausted => SearchOutcome::Exhausted,
            WorkersEnd::Stopped(stop) => SearchOutcome::Stopped(stop),
        };
        (end, common.stats())
    }
}

/// The states on the way to one.
fn path<T: Clone + Eq + std::hash::Hash>(common: &SharedState<T>, mut id: table::Id) -> Vec<T> {
    let (mut path, mut table) = (Vec::new(), common.table.access(true));
    while id != NO_PARENT {
        let (state, node) = table.get(id);
        path.push(state);
        id = node.parent;
    }
    path.reverse();
    path
}
