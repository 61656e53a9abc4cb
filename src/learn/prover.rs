//! The search: is there a plan that wastes at most so much? If not, why not?
//!
//! Depth first, one closure of shoves at a time (see [`super::closure`]). Everything refuted leaves
//! an entry behind. A shove without waste lowers the sum of potentials and any other the budget, so
//! no state can come twice on one way, and no check for cycles is needed.
//!
//! A search that takes long restarts, with another order of shoves and all that was learned.

use super::closure::{Closure, ClosureNode, Seed};
use super::cover::KnowledgeBase;
use super::dead_states::{DeadCheck, DeadStates};
use super::exchange::{Cursor, Exchange};
use super::field_tables::{DEAD, State, plus};
use super::reason::Reason;
use super::sets::SiteSet;
use super::store::{ContainedEntries, Entry, EntryReason};
use crate::limits::{Limits, Stop};
use crate::machine::{Instant, has_threads};
use crate::tuning::Tuning;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use unstuck_encodings::bit_set::ones;
use unstuck_encodings::pieces::Site;

/// What the search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LearnStats {
    /// The waste that is being refuted, in units of the potential.
    pub cap: u32,
    /// Patterns learned.
    pub patterns: u64,
    /// States whose shoves were looked at.
    pub nodes: u64,
    /// Restarts.
    pub restarts: u64,
    /// No plan is shorter than this.
    pub lower: u32,
    /// No plan is shorter than this, as the rules have judged by now.
    pub judged: u32,
}

impl fmt::Display for LearnStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judged, cap, patterns, nodes, .. } = self;
        f.write_str("learning: ")?;
        if *judged > 0 {
            write!(f, "at least {judged}, ")?;
        }
        write!(f, "waste {cap}, {patterns} patterns, {nodes} nodes")
    }
}

/// How the search ended.
#[derive(Clone, Debug)]
pub enum LearnOutcome {
    /// A shortest plan, as shoves by site and way.
    Solved(Vec<(Site, usize)>),
    /// There is none.
    Lost,
    /// The waste that was asked for is refuted.
    Refuted,
    /// A limit struck.
    Stopped(Stop),
}

/// How one run ended.
enum RunEnd<const W: usize> {
    Solved(Vec<(Site, usize)>),
    Refuted(Reason<W>),
    /// It took long: the next order may be luckier.
    BudgetExhausted,
    /// Another thread has refuted the cap.
    Superseded,
    Stopped(Stop),
}

/// How the runs for one cap ended.
enum CapEnd<const W: usize> {
    Solved(Vec<(Site, usize)>),
    Refuted(Reason<W>),
    Stopped(Stop),
}

/// What is to be done at a node.
enum Step<const W: usize> {
    Refuted(Reason<W>),
    Search(usize),
}

/// The search over a field.
pub(super) struct Prover<'a, const W: usize> {
    pub known: KnowledgeBase<'a, W>,
    /// Those that nothing is resumed after.
    limits: Limits,
    /// Nodes after which it ends.
    most: u64,
    /// Where several threads meet.
    exchange: Option<Arc<Exchange<W>>>,
    cursor: Cursor,
    rng: fastrand::Rng,
    nodes: u64,
    stats: LearnStats,
    reported: Instant,
    /// What looks at all states have found out.
    lost: DeadStates<W>,
    /// Those that are still to come: from which waste on, and at how many states.
    looks: VecDeque<(u32, usize)>,
    /// Runs for the present cap that have ended.
    runs: usize,
    /// The run that a limit has stopped.
    stopped: Option<Run<W>>,
    /// Why nothing within `stats.cap` is possible, once that is shown.
    pub root: Option<Reason<W>>,
}

/// A run, as far as it has come.
struct Run<const W: usize> {
    /// The nodes on the way.
    stack: Vec<ClosureNode<W>>,
    /// What coming to the state after them has given.
    entered: EntryResult<W>,
    /// The number of nodes at which it ends.
    until: u64,
}

/// Time between two reports.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl<'a, const W: usize> Prover<'a, W> {
    pub(super) fn new(
        known: KnowledgeBase<'a, W>,
        limits: Limits,
        max_states: Option<u64>,
        exchange: Option<Arc<Exchange<W>>>,
    ) -> Self {
        let lower = known.board.field.lower;
        let looks = looks(known.tuning);
        let looks = looks.filter(|&(_, most)| max_states.is_none_or(|max| most as u64 <= max));
        let share = known.tuning.learning_outside_share.max(1);
        let rng = fastrand::Rng::with_seed(known.thread as u64);
        Self {
            known,
            limits,
            most: max_states.map_or(u64::MAX, |states| states / share),
            exchange,
            cursor: Cursor::default(),
            rng,
            nodes: 0,
            stats: LearnStats { lower, ..LearnStats::default() },
            reported: Instant::now(),
            lost: DeadStates::default(),
            looks: looks.collect(),
            runs: 0,
            stopped: None,
            root: None,
        }
    }

    /// What was done so far.
    pub(super) fn stats(&mut self) -> LearnStats {
        self.stats.patterns = self.known.store.len() as u64;
        self.stats.nodes = match &self.exchange {
            Some(exchange) => exchange.count(&mut self.cursor, self.nodes),
            None => self.nodes,
        };
        self.stats
    }

    /// Refutes one waste after the other until there is a plan, or all up to `enough` are refuted.
    pub(super) fn run(
        &mut self,
        enough: Option<u32>,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> LearnOutcome {
        let field = self.known.board.field;
        let start = State::new(&field.pieces, field.walker);
        loop {
            if enough.is_some_and(|enough| self.stats.cap > enough) {
                return LearnOutcome::Refuted;
            }
            // One thread looks for all.
            if let Some(&(cap, most)) = self.looks.front().filter(|_| self.known.thread == 0)
                && self.stats.cap >= cap
            {
                self.looks.pop_front();
                match self.lost.show(&mut self.known, most, &self.limits) {
                    DeadCheck::Lost(reason) => {
                        self.root = Some(reason);
                        return LearnOutcome::Lost;
                    }
                    DeadCheck::Solvable => self.looks.clear(),
                    DeadCheck::Unknown => {}
                }
            }
            match self.refute(&start, limits, progress) {
                CapEnd::Refuted(reason) => {
                    let value = reason.value;
                    (self.root, self.runs) = (Some(reason), 0);
                    if value >= DEAD {
                        return LearnOutcome::Lost;
                    }
                    self.stats.cap = value;
                    self.stats.lower = field.lower + field.unit * value;
                }
                CapEnd::Solved(plan) => return LearnOutcome::Solved(plan),
                CapEnd::Stopped(stop) => return LearnOutcome::Stopped(stop),
            }
        }
    }

    /// Looks at ever more states, for as long as it is not known whether there is a plan.
    pub(super) fn look(&mut self) -> LearnOutcome {
        while let Some((_, most)) = self.looks.pop_front() {
            match self.lost.show(&mut self.known, most, &self.limits) {
                DeadCheck::Lost(reason) => {
                    self.root = Some(reason);
                    return LearnOutcome::Lost;
                }
                DeadCheck::Solvable => break,
                DeadCheck::Unknown => {}
            }
            if let Some(stop) = self.limits.reached_any() {
                return LearnOutcome::Stopped(stop);
            }
        }
        LearnOutcome::Stopped(Stop::Memory)
    }

    /// Meets the other threads; why the cap is refuted, if one of them has shown it.
    fn meet(&mut self, refuted: Option<&Reason<W>>) -> Option<Reason<W>> {
        let exchange = self.exchange.as_ref()?;
        let (cap, root) = exchange.meet(&mut self.known, &mut self.cursor, refuted);
        root.filter(|_| cap > self.stats.cap)
    }

    /// Refutes the present cap, or finds a plan, in as many runs as it takes.
    fn refute(
        &mut self,
        start: &State,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> CapEnd<W> {
        loop {
            let run = match self.stopped.take() {
                Some(stopped) => stopped,
                None => self.begin_run(start),
            };
            let end = self.search(run, limits, progress);
            self.runs += usize::from(matches!(end, RunEnd::BudgetExhausted));
            match end {
                RunEnd::Solved(plan) => return CapEnd::Solved(plan),
                RunEnd::Refuted(reason) => {
                    // Another thread may have shown more meanwhile.
                    let better = self.meet(Some(&reason));
                    return CapEnd::Refuted(better.unwrap_or(reason));
                }
                RunEnd::Superseded => {
                    let reason = self.meet(None).expect("another thread has refuted the cap");
                    return CapEnd::Refuted(reason);
                }
                RunEnd::Stopped(stop) => return CapEnd::Stopped(stop),
                RunEnd::BudgetExhausted => self.stats.restarts += 1,
            }
        }
    }

    /// The next run for the present cap.
    fn begin_run(&mut self, start: &State) -> Run<W> {
        let (cap, run) = (self.stats.cap, self.runs);
        // Each thread has an order of its own.
        let turn = 3 * self.known.thread;
        let tuning = self.known.tuning;
        let nodes = &tuning.learning_restart_nodes;
        let unit = nodes[self.known.thread % nodes.len()];
        let orders = &tuning.learning_orders;
        // Each thread has zones of its own.
        let has_memory = has_threads() && self.known.thread < 2;
        let most = if has_memory { tuning.learning_contents } else { tuning.learning_few_contents };
        let grown = tuning.learning_zone_share * self.nodes;
        let contents = grown.max(tuning.learning_first_contents).min(most);
        self.known.extend_zones(cap, contents as usize / W.div_ceil(4), &self.limits);
        let means = &mut self.known.means;
        means.order = orders[(run + turn) % orders.len()];
        means.from_goals = means.additive && (run + turn) % 2 == 1;
        let round = run / orders.len();
        means.leaves = round % 4 != 3;
        let until = self.nodes + unit * luby(round as u64 + 1);
        let entered = self.enter(*start, cap, None);
        Run { stack: Vec::new(), entered, until }
    }

    /// Goes on with a run.
    fn search(
        &mut self,
        run: Run<W>,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> RunEnd<W> {
        let Run { mut stack, mut entered, until } = run;
        loop {
            let mut refuted = match entered {
                EntryResult::Solved => {
                    let plan = stack.iter().map(|node| {
                        let chosen = &node.options[node.chosen];
                        (chosen.from, chosen.way)
                    });
                    return RunEnd::Solved(plan.collect());
                }
                EntryResult::Refuted(reason) => Some(reason),
                EntryResult::Node(node) => {
                    stack.push(*node);
                    None
                }
            };
            if let Some(end) = self.look_up(limits, progress) {
                if let RunEnd::Stopped(_) = end {
                    let entered = match refuted {
                        Some(reason) => EntryResult::Refuted(reason),
                        None => EntryResult::Node(Box::new(stack.pop().expect("it was entered"))),
                    };
                    self.stopped = Some(Run { stack, entered, until });
                }
                return end;
            }
            if self.nodes > until {
                return RunEnd::BudgetExhausted;
            }
            // A reason goes up as long as it settles what is there.
            loop {
                let Some(node) = stack.last_mut() else {
                    return RunEnd::Refuted(refuted.expect("an empty stack has an answer"));
                };
                if let Some(reason) = refuted.take() {
                    if let Some(reason) = node.receive(reason) {
                        stack.pop();
                        refuted = Some(reason);
                        continue;
                    }
                    node.refresh(&self.known);
                }
                match self.step(stack.last_mut().expect("there is one")) {
                    Step::Refuted(reason) => {
                        stack.pop();
                        refuted = Some(reason);
                    }
                    Step::Search(index) => {
                        let node = stack.last_mut().expect("there is one");
                        node.chosen = index;
                        let option = &node.options[index];
                        let state = node.state.shoved(option.piece, option.shove.to);
                        let budget = node.budget - option.shove.waste;
                        entered = self.enter(state, budget, Some(node));
                        break;
                    }
                }
            }
        }
    }

    /// Now and then: looks at the limits, meets the other threads, reports.
    fn look_up(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> Option<RunEnd<W>> {
        if self.nodes >= self.most {
            return Some(RunEnd::Stopped(Stop::States));
        }
        if !self.nodes.is_multiple_of(64) {
            // A node of a large level takes milliseconds.
            return limits.reached().map(RunEnd::Stopped);
        }
        self.stats();
        if self.meet(None).is_some() {
            return Some(RunEnd::Superseded);
        }
        if self.reported.elapsed() < POLL_INTERVAL {
            return limits.reached().map(RunEnd::Stopped);
        }
        self.reported = Instant::now();
        progress(self.stats);
        limits.reached_any().map(RunEnd::Stopped)
    }

    /// Comes to a state, from the one `before` by its chosen option: is it ruled out, is it solved?
    fn enter(
        &mut self,
        state: State,
        budget: u32,
        mut before: Option<&mut ClosureNode<W>>,
    ) -> EntryResult<W> {
        self.nodes += 1;
        self.known.allowance += self.known.tuning.learning_outside_share as i64;
        let known = &mut self.known;
        let found = match &mut before {
            Some(before) => before.found_next(known),
            None => known.store.everything(&state),
        };
        let sites: SiteSet<W> = state.sites(state.all());
        let nothing = ContainedEntries::default();
        let lists = [(&found, state.all()), (&nothing, 0)];
        if let Some(reason) = known.rules_out(&state, &sites, lists, budget, before.is_none()) {
            return EntryResult::Refuted(reason);
        }
        if known.board.finished(&sites, state.walker).is_some_and(|slack| slack <= budget) {
            return EntryResult::Solved;
        }
        let last = before.as_ref().map(|before| before.options[before.chosen].piece);
        let mut node = ClosureNode::new(known, state, budget, last);
        node.found = found;
        node.seen = known.store.news();
        if let Some(before) = before {
            node.inherit(known, before);
        }
        node.look_ahead(known);
        EntryResult::Node(Box::new(node))
    }

    /// The next thing to do at a node: learn, or search an open shove.
    fn step(&mut self, node: &mut ClosureNode<W>) -> Step<W> {
        let closure = self.best_closure(node);
        if closure.open == 0 {
            return Step::Refuted(self.learn(node, closure));
        }
        Step::Search(self.choose(node, &closure))
    }

    /// The closure with the fewest open shoves, then the fewest pieces.
    fn best_closure(&mut self, node: &mut ClosureNode<W>) -> Closure<W> {
        let goals = self.known.board.goals;
        let off = node.state.all() & !node.state.on(&goals);
        if off == 0 {
            let seed = Seed { pieces: node.state.all(), empties: SiteSet::EMPTY };
            let closure = node.close(&mut self.known, &seed, usize::MAX);
            return closure.expect("any number of open shoves will do");
        }
        let mut best: Option<Closure<W>> = None;
        let offer = |closure: Option<Closure<W>>, best: &mut Option<Closure<W>>| {
            let rank = |closure: &Closure<W>| (closure.open, closure.pieces.count_ones());
            if let Some(closure) = closure
                && best.as_ref().is_none_or(|best| rank(&closure) < rank(best))
            {
                *best = Some(closure);
            }
        };
        let open = |best: &Option<Closure<W>>| best.as_ref().map_or(usize::MAX, |best| best.open);
        let mut seeds: Vec<usize> = ones(off).collect();
        if matches!(self.known.means.order, 2 | 5) {
            let first = self.rng.usize(0..seeds.len());
            seeds.rotate_left(first);
        }
        for piece in seeds {
            let seed = Seed { pieces: 1 << piece, empties: SiteSet::EMPTY };
            offer(node.close(&mut self.known, &seed, open(&best)), &mut best);
        }
        if self.known.means.from_goals && self.known.board.is_full() {
            for goal in goals.minus(&node.sites).iter() {
                if open(&best) == 0 {
                    break;
                }
                let seed = Seed { pieces: 0, empties: SiteSet::EMPTY.with(goal) };
                offer(node.close(&mut self.known, &seed, open(&best)), &mut best);
            }
        }
        best.expect("a piece off goal is a seed")
    }

    /// Keeps a closure without open shoves as an entry.
    fn learn(&mut self, node: &ClosureNode<W>, closure: Closure<W>) -> Reason<W> {
        let Self { known, .. } = self;
        let state = &node.state;
        let (pieces, all) = (closure.pieces, state.all());
        let sites: SiteSet<W> = state.sites(pieces);
        let mut value = closure.value;
        let ended = if pieces == all {
            known.board.finished(&sites, state.walker)
        } else if closure.empties.meets(&known.board.goals) {
            None
        } else {
            known.board.slack(&sites, state.walker)
        };
        if let Some(slack) = ended {
            value = value.min(slack);
        }
        assert!(value > node.budget, "a closed set wastes more than the budget");
        let is_whole = pieces == all && all.count_ones() > MAX_INDEXED_PIECES;
        let negative = closure.negative && !is_whole;
        let entry = Entry {
            sites,
            part: known.board.part(&sites, state.walker),
            empties: if is_whole { SiteSet::EMPTY } else { closure.empties },
            value,
            negative,
            why: EntryReason::Shoves(closure.hints),
        };
        let id = if is_whole { known.store.add_whole(entry) } else { known.store.add(entry) };
        let kept = known.store.entry(id);
        let empties = if negative { kept.empties } else { SiteSet::EMPTY };
        Reason { pieces, empties, value: kept.value.max(value), ids: Box::new([id]), negative }
    }

    /// Which open shove of a closure is searched next: one that wastes little, then by the order
    /// of the run.
    fn choose(&mut self, node: &ClosureNode<W>, closure: &Closure<W>) -> usize {
        let field = self.known.board.field;
        let mut rank = |index: usize| {
            let option = &node.options[index];
            let slot = field.slot(option.shove.to, option.from);
            let far = i64::from(field.potential[slot].unwrap_or(0));
            let again = node.last == Some(option.piece);
            let first = |bonus: i64| if again { 0 } else { bonus };
            let by_order = match self.known.means.order {
                0 => index as i64,
                1 => first(1000) + index as i64,
                2 => self.rng.i64(0..1000),
                3 => far,
                4 => -far,
                5 => first(2000) + self.rng.i64(0..1000),
                _ => -(index as i64),
            };
            (option.shove.waste, by_order)
        };
        let open = |&index: &usize| {
            let option = &node.options[index];
            option.refuted.is_none() && closure.pieces >> option.piece & 1 == 1
        };
        let best = (0..node.options.len()).filter(open).min_by_key(|&index| rank(index));
        best.expect("a closure that is not closed has an open shove")
    }
}

/// Up to this many pieces a state that is named whole is indexed like any other.
const MAX_INDEXED_PIECES: u32 = 3;

/// What coming to a state gave.
enum EntryResult<const W: usize> {
    Solved,
    Refuted(Reason<W>),
    Node(Box<ClosureNode<W>>),
}

impl<const W: usize> ClosureNode<W> {
    /// Takes the reason why the chosen shove is refuted; gives it back if it refutes this state,
    /// too: when it does not need the piece that was shoved.
    fn receive(&mut self, reason: Reason<W>) -> Option<Reason<W>> {
        let budget = self.budget;
        let option = &mut self.options[self.chosen];
        let needs_piece = reason.pieces >> option.piece & 1 == 1;
        let needs_gap = reason.negative && reason.empties.has(option.from);
        if !needs_piece && !needs_gap && reason.value > budget {
            return Some(reason);
        }
        debug_assert!(plus(option.shove.waste, reason.value) > budget);
        option.refuted = Some(reason);
        None
    }
}

/// When all states are looked at, in case there is no plan: from which waste on, and how many. A
/// field with a plan gives one soon, and is never looked at again.
fn looks(tuning: &Tuning) -> impl Iterator<Item = (u32, usize)> {
    let looks = tuning.learning_look_wastes.iter().zip(&tuning.learning_look_states);
    looks.map(|(&waste, &states)| (waste as u32, states as usize))
}

/// The sequence of Luby, Sinclair and Zuckerman, from 1 on.
fn luby(mut index: u64) -> u64 {
    loop {
        let size = (index + 1).next_power_of_two();
        if size == index + 1 {
            return size / 2;
        }
        index -= size / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_grow_as_luby_says() {
        let lengths: Vec<u64> = (1..16).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
