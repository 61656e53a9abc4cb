//! What the workers of a search share, and what each of them does.
//!
//! The search goes through the estimates in increasing order, all workers at the same one: the
//! *layer*. Each worker has open states of its own and takes some from another one when it has
//! none left in the layer. The next layer begins when all workers are idle, so that no open state
//! is below it: the plan that an unweighted search finds first is a cheapest one, as with one
//! worker.

use super::strategy::{SearchStats, Strategy};
use super::table::{Id, MAX_STATES, NO_PARENT, SearchNode, StateTable, TableAccess};
use crate::limits::{Limits, Stop};
use crate::machine::{Instant, lock};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use unstuck_encodings::{Cost, Space};

/// Expansions after which a worker adds to the common counts and looks whether to go on.
const STATES_PER_ROUND: u64 = 256;
/// A round lasts no longer than this, however long its expansions are.
const TICK_INTERVAL: Duration = Duration::from_millis(20);
/// Time between two looks at memory, and between two reports.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Open states that a worker has to have in the layer before it shares them.
const MIN_SHARED_STATES: usize = 64;
/// How long an idle worker sleeps unless it is woken.
const IDLE_SLEEP: Duration = Duration::from_millis(20);

/// Open states by their estimates; the latest of an estimate comes first.
#[derive(Debug, Default)]
struct OpenList(BTreeMap<Cost, Vec<Id>>);

impl OpenList {
    fn push(&mut self, estimate: Cost, id: Id) {
        self.0.entry(estimate).or_default().push(id);
    }

    /// Moves states with the least estimates to others, up to `most`, if they are in the layer.
    fn pop(&mut self, layer: Cost, most: usize, to: &mut Vec<Id>) {
        while to.len() < most {
            let first = self.0.first_entry().filter(|first| *first.key() <= layer);
            let Some(mut first) = first else { return };
            let ids = first.get_mut();
            to.extend(ids.drain(ids.len().saturating_sub(most - to.len())..).rev());
            if ids.is_empty() {
                first.remove();
            }
        }
    }

    /// Half of the states with the least estimate, if there are many of them in the layer.
    fn split(&mut self, layer: Cost) -> Option<(Cost, Vec<Id>)> {
        let mut first = self.0.first_entry().filter(|first| *first.key() <= layer)?;
        let (estimate, ids) = (*first.key(), first.get_mut());
        (ids.len() >= MIN_SHARED_STATES).then(|| (estimate, ids.split_off(ids.len() / 2)))
    }

    fn has_many(&self, layer: Cost) -> bool {
        let first = self.0.first_key_value();
        first.is_some_and(|(&estimate, ids)| estimate <= layer && ids.len() >= MIN_SHARED_STATES)
    }

    /// Forgets all from an estimate upwards.
    fn cut(&mut self, estimate: Cost) -> impl Iterator<Item = Id> + use<> {
        self.0.split_off(&estimate).into_values().flatten()
    }

    fn least(&self) -> Option<Cost> {
        self.0.first_key_value().map(|(&estimate, _)| estimate)
    }
}

/// How the workers ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum WorkersEnd {
    /// A goal was taken for expansion.
    Goal(Id),
    /// No state is open.
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
}

/// What the workers share.
#[derive(Debug)]
pub(super) struct SharedState<T> {
    pub(super) table: StateTable<T>,
    strategy: Strategy,
    opens: Vec<Mutex<OpenList>>,
    /// The estimate that all work at, as bits of a cost.
    layer: AtomicU64,
    expanded: AtomicU64,
    states: AtomicU64,
    /// Workers with nothing to do. Who is counted here holds no open state of the layer.
    idle: Mutex<usize>,
    /// The same number, for a look without the lock.
    napping: AtomicUsize,
    work: Condvar,
    over: AtomicBool,
    ended: Mutex<Option<WorkersEnd>>,
}

impl<T: Clone + Eq + std::hash::Hash> SharedState<T> {
    pub(super) fn new(strategy: Strategy) -> Self {
        let workers = strategy.threads.max(1);
        Self {
            table: StateTable::new(),
            strategy,
            opens: (0..workers).map(|_| Mutex::default()).collect(),
            layer: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            states: AtomicU64::new(0),
            idle: Mutex::new(0),
            napping: AtomicUsize::new(0),
            work: Condvar::new(),
            over: AtomicBool::new(false),
            ended: Mutex::new(None),
        }
    }

    pub(super) fn stats(&self) -> SearchStats {
        let lower = match (self.ended(), self.strategy.incumbent.known()) {
            // Whatever the weights, no state is left that could lead to a cheaper plan.
            (Some(WorkersEnd::Exhausted), Some(incumbent)) => {
                self.strategy.cap.map_or(incumbent, |cap| incumbent.min(cap.successor()))
            }
            _ if self.is_exact() => self.layer(),
            _ => Cost::ZERO,
        };
        SearchStats {
            expanded: self.expanded.load(Relaxed),
            states: self.states.load(Relaxed),
            lower,
        }
    }

    /// The most states that may be expanded.
    pub(super) fn max_expanded(&self) -> u64 {
        self.strategy.max_expanded.unwrap_or(u64::MAX)
    }

    /// States that were expanded, as far as workers have counted them.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded.load(Relaxed)
    }

    /// Ends a search that has expanded so many states.
    pub(super) fn stop_after(&self, most: u64) {
        if self.expanded() >= most && self.ended().is_none() {
            self.end(WorkersEnd::Stopped(Stop::States));
        }
    }

    fn layer(&self) -> Cost {
        Cost::from_bits(self.layer.load(Relaxed))
    }

    /// Whether estimates are costs that no plan undercuts.
    fn is_exact(&self) -> bool {
        !self.strategy.greedy && self.strategy.weight_tenths <= 10
    }

    /// Whether a plan of this cost is still of use.
    fn is_wanted(&self, cost: Cost) -> bool {
        self.strategy.greedy
            || self.strategy.cap.is_none_or(|cap| cost <= cap)
                && self.strategy.incumbent.known().is_none_or(|incumbent| cost < incumbent)
    }

    /// Lets a search that a limit has stopped go on.
    pub(super) fn resume(&self) {
        let mut ended = lock(&self.ended);
        if matches!(*ended, Some(WorkersEnd::Stopped(_))) {
            *ended = None;
            self.over.store(false, Relaxed);
        }
    }

    /// How the search ended; `None` while it has not.
    pub(super) fn ended(&self) -> Option<WorkersEnd> {
        *lock(&self.ended)
    }

    /// Ends the search; the first reason counts.
    fn end(&self, ended: WorkersEnd) {
        lock(&self.ended).get_or_insert(ended);
        self.over.store(true, Relaxed);
        self.work.notify_all();
    }

    /// Goes to the next layer; ends the search when nothing is open.
    fn advance(&self) {
        match self.opens.iter().filter_map(|open| lock(open).least()).min() {
            Some(least) if !self.is_exact() || self.is_wanted(least) => {
                self.layer.store(least.to_bits(), Relaxed);
            }
            _ => self.end(WorkersEnd::Exhausted),
        }
    }

    /// Waits for work, or goes to the next layer when all `workers` wait.
    fn rest(&self, workers: usize) {
        let mut idle = lock(&self.idle);
        *idle += 1;
        self.napping.store(*idle, Relaxed);
        if *idle == workers {
            self.advance();
        } else if !self.over.load(Relaxed) {
            let woken = self.work.wait_timeout(idle, IDLE_SLEEP);
            idle = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        *idle -= 1;
        self.napping.store(*idle, Relaxed);
    }
}

/// One of the workers of a search.
pub(super) struct Worker<'a, S: Space> {
    number: usize,
    /// How many there are.
    workers: usize,
    space: &'a mut S,
    common: &'a SharedState<S::State>,
    table: TableAccess<'a, S::State>,
    /// What is expanded together.
    taken: Vec<Id>,
    /// The same with costs, and how many successors there are up to each.
    batch: Vec<(Id, S::State, Cost)>,
    ends: Vec<usize>,
    successors: Vec<(S::State, Cost)>,
    hashes: Vec<u64>,
    /// Estimates and numbers of states that the last expansion opened.
    opened: Vec<(Cost, Id)>,
    expanded: u64,
    states: u64,
    /// The ceiling that was last looked at.
    incumbent: Option<Cost>,
}

impl<'a, S: Space> Worker<'a, S> {
    pub(super) fn new(
        number: usize,
        workers: usize,
        space: &'a mut S,
        common: &'a SharedState<S::State>,
    ) -> Self {
        Self {
            number,
            workers,
            space,
            common,
            table: common.table.access(workers == 1),
            taken: Vec::new(),
            batch: Vec::new(),
            ends: Vec::new(),
            successors: Vec::new(),
            hashes: Vec::new(),
            opened: Vec::new(),
            expanded: 0,
            states: 0,
            incumbent: None,
        }
    }

    /// Opens the starts of the space.
    pub(super) fn open_starts(&mut self) {
        for start in self.space.starts() {
            let hash = self.table.look_up(&start);
            self.reach(start, hash, Cost::ZERO, NO_PARENT);
        }
        self.hand_over();
        self.count();
    }

    /// Notes that a state can be reached at a cost, and opens it when that is news.
    fn reach(&mut self, state: S::State, hash: u64, cost: Cost, parent: Id) {
        let Self { space, common, table, .. } = self;
        if !SearchNode::holds(cost) {
            common.end(WorkersEnd::Stopped(Stop::Memory));
            return;
        }
        let within = |bound: &Cost| common.is_wanted(cost + *bound);
        let bound = |state: &S::State| space.bound(state).filter(within);
        let Strategy { weight_tenths, greedy, .. } = common.strategy;
        let reached = table.reach(state, hash, cost, parent, !greedy, bound);
        let Some((id, new, bound)) = reached else { return };
        self.states += u64::from(new);
        // Rounding down keeps an unweighted estimate exact.
        let estimate = if greedy { bound } else { cost + bound.weighted(weight_tenths) };
        self.opened.push((estimate, id));
    }

    /// Puts what was opened with the open states.
    fn hand_over(&mut self) {
        let mut open = lock(&self.common.opens[self.number]);
        for (estimate, id) in self.opened.drain(..) {
            open.push(estimate, id);
        }
    }

    /// Adds to the common counts.
    fn count(&mut self) {
        self.common.expanded.fetch_add(std::mem::take(&mut self.expanded), Relaxed);
        self.common.states.fetch_add(std::mem::take(&mut self.states), Relaxed);
    }

    /// Takes up to `most` states of the layer: one's own, or some of those that another worker has many
    /// of; whether there are any.
    fn take(&mut self, most: usize) -> bool {
        let (common, layer) = (self.common, self.common.layer());
        lock(&common.opens[self.number]).pop(layer, most, &mut self.taken);
        let others = (1..self.workers).map(|step| (self.number + step) % self.workers);
        for other in others {
            if !self.taken.is_empty() {
                break;
            }
            let half = lock(&common.opens[other]).split(layer);
            if let Some((estimate, ids)) = half {
                let mut open = lock(&common.opens[self.number]);
                open.0.entry(estimate).or_default().extend(ids);
                open.pop(layer, most, &mut self.taken);
            }
        }
        !self.taken.is_empty()
    }

    /// Wakes another worker when there is work for it.
    fn share(&self) {
        let common = self.common;
        let layer = common.layer();
        if common.napping.load(Relaxed) > 0 && lock(&common.opens[self.number]).has_many(layer) {
            common.work.notify_one();
        }
    }

    /// Expands what was taken; ends the search at a goal.
    fn expand(&mut self) {
        let Self { space, table, taken, batch, ends, successors, hashes, .. } = self;
        let closed = taken.drain(..).filter_map(|id| table.close(id).map(|(at, c)| (id, at, c)));
        batch.extend(closed);
        for (id, state, _) in &*batch {
            if space.is_goal(state) {
                self.common.end(WorkersEnd::Goal(*id));
                return;
            }
            space.expand(state, successors);
            ends.push(successors.len());
        }
        self.expanded += batch.len() as u64;
        hashes.extend(successors.iter().map(|(state, _)| table.look_up(state)));
        let (mut successors, mut begin) = (std::mem::take(successors), 0);
        let mut next = successors.drain(..);
        for at in 0..self.batch.len() {
            let (id, _, cost) = self.batch[at];
            for number in begin..self.ends[at] {
                let (state, step) = next.next().expect("there is one up to the end");
                self.reach(state, self.hashes[number], cost + step, id);
            }
            begin = self.ends[at];
        }
        drop(next);
        self.successors = successors;
        self.batch.clear();
        self.ends.clear();
        self.hashes.clear();
        self.hand_over();
    }

    /// Drops what can no longer beat the best plan; ends the search when nothing can.
    fn heed_ceiling(&mut self) {
        let common = self.common;
        let incumbent = common.strategy.incumbent.known();
        if !common.is_exact() || incumbent == self.incumbent {
            return;
        }
        self.incumbent = incumbent;
        if !common.is_wanted(common.layer()) {
            common.end(WorkersEnd::Exhausted);
        } else if let Some(incumbent) = incumbent {
            let cut = lock(&common.opens[self.number]).cut(incumbent);
            cut.for_each(|id| self.table.drop(id));
        }
    }

    /// Works until the search is over, or `most` states are expanded. `watch` says after every
    /// round whether a limit struck.
    pub(super) fn run(&mut self, most: u64, watch: &mut dyn FnMut() -> Option<Stop>) {
        let (mut begun, mut since, mut expanded) = (Instant::now(), 0, 0);
        while !self.common.over.load(Relaxed) && expanded < most {
            let batch = self.common.strategy.batch.min((most - expanded) as usize);
            match self.take(batch) {
                true => {
                    expanded += self.taken.len() as u64;
                    since += self.taken.len() as u64;
                    self.expand();
                    self.share();
                }
                false => {
                    self.count();
                    self.common.rest(self.workers);
                    // A nap takes as long as a good part of a round.
                    since += if self.workers > 1 { STATES_PER_ROUND / 4 } else { 0 };
                }
            }
            if since >= STATES_PER_ROUND || (since > 0 && begun.elapsed() >= TICK_INTERVAL) {
                (begun, since) = (Instant::now(), 0);
                self.count();
                self.heed_ceiling();
                if let Some(stop) = watch() {
                    self.common.end(WorkersEnd::Stopped(stop));
                }
            }
        }
        self.count();
    }
}

/// What the first worker does after a round: looks at the limits, reports how far the search is,
/// and remembers when.
pub(super) fn watch<T: Clone + Eq + std::hash::Hash>(
    common: &SharedState<T>,
    limits: &Limits,
    progress: &mut dyn FnMut(SearchStats),
    last_report: &mut Instant,
) -> Option<Stop> {
    let stats = common.stats();
    let most = common.strategy.max_states.map_or(MAX_STATES, |most| most as u64);
    if stats.states >= most.min(MAX_STATES) {
        return Some(Stop::Memory);
    }
    if last_report.elapsed() >= POLL_INTERVAL {
        *last_report = Instant::now();
        progress(stats);
        return limits.reached_any();
    }
    limits.reached()
}
