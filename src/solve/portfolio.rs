//! Search first, soon with others beside it: reverse reachability, a search for any plan, a SAT
//! solver, and, when memory runs short, a search for better and better plans.

use super::improvement::QUICK_STATES;
use super::{
    Engine, Event, GREEDY_WEIGHT, Justification, Outcome, Progress, Request, SolveError, Verdict,
    any, horizons, strategy, take_search,
};
use crate::backend::Answer;
use crate::instance::{Game, Instance, SearchEnd, SearchReport, Verified};
use crate::limits::{Limits, Monitor, Stop};
use crate::machine::{self, resident_memory};
use crate::search::{Incumbent, SearchStats, Strategy};
use crate::transition::Obligation;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use unstuck_encodings::Cost;
use unstuck_puzzles::Objective;

/// How long search goes before others join it for good, unless a time limit leaves less.
const SCOUT_TIME: Duration = Duration::from_secs(8);

/// How much of that search is alone: it settles most levels sooner. For the rest of it reverse
/// reachability runs beside it, which shows in seconds that there is no solution, or hardly ever.
const SOLO_TIME: Duration = Duration::from_secs(1);

/// Memory that search may take when a solver runs beside it, as a part of the limit.
const SEARCH_SHARE: (u64, u64) = (3, 4);

/// Priority of the solver beside search: with as many search threads as cores it has about an
/// eighth of the machine.
const COMPANION_NICENESS: i32 = 5;

/// States that the search for any plan may keep.
const MAX_ANY_STATES: usize = 20_000_000;

/// When the process holds this part of the memory limit, plans are looked for that save memory.
const HIGH_MEMORY_SHARE: u64 = 4;

/// How plans that save memory are looked for: the weight of the bound, in tenths, and the states
/// that may be kept. A smaller weight takes longer and finds shorter plans.
const LOW_MEMORY_ATTEMPTS: [(u64, usize); 2] = [(20, 6_000_000), (15, 25_000_000)];

/// Time between two looks at memory.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// What search and the thread beside it share.
struct PortfolioState {
    /// Lower bound that search has shown, in the primary count.
    lower: AtomicU32,
    /// Cost of the best plan.
    incumbent: Incumbent,
    /// Raised when some search has shown that nothing is cheaper than the ceiling.
    least: AtomicBool,
    /// Raised when one of the two has settled the question.
    settled: Arc<AtomicBool>,
}

/// Answers by explicit search, and under `auto` by the other engines too.
pub(super) fn solve(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    if !machine::has_threads() {
        return in_turn(instance, game, request, progress, outcome);
    }
    let auto = request.engine == Engine::Auto;
    let shared = PortfolioState {
        lower: AtomicU32::new(0),
        incumbent: Incumbent::default(),
        least: AtomicBool::new(false),
        settled: Arc::new(AtomicBool::new(false)),
    };
    let mut limits = request.limits.clone().with_flag(shared.settled.clone());
    if auto {
        limits.memory = limits.memory.map(|m| m / SEARCH_SHARE.1 * SEARCH_SHARE.0);
    }
    let (send, scout) = mpsc::channel();
    // Raised by search's end.
    let ended = Arc::new(AtomicBool::new(false));
    machine::scope(|scope| {
        scope.spawn(|| {
            let mut report = |stats: SearchStats| {
                shared.lower.fetch_max(stats.lower.primary(), Ordering::Relaxed);
                progress(&Event::Searching(stats));
            };
            let incumbent = shared.incumbent.clone();
            let strategy = Strategy { incumbent, ..strategy(request, instance.objective()) };
            let searched = game.search(strategy, &limits, &mut report);
            ended.store(true, Ordering::Relaxed);
            if let Some(known) = known(instance, request, &searched, &shared) {
                progress(&Event::Known(Box::new(known)));
            }
            // The receiver lives until the scope ends.
            let _ = send.send(searched);
        });
        let patience =
            request.limits.time_left().map_or(SCOUT_TIME, |left| SCOUT_TIME.min(left / 4));
        let alone = SOLO_TIME.min(patience / 2);
        let mut searched = machine::recv_timeout(&scout, alone).ok();
        let unbounded = request.horizon.or(request.max_horizon).is_none();
        if searched.is_none() && auto && unbounded {
            let limits = request.limits.within(patience - alone).with_flag(ended.clone());
            if let Some(cubes) = invariant(game, request, &limits) {
                shared.settled.store(true, Ordering::Relaxed);
                outcome.stats = scout.recv().ok().map(|searched| searched.stats);
                outcome.unsolvable_by_invariant(cubes);
                return Ok(());
            }
            searched = machine::recv_timeout(&scout, limits.time_left().unwrap_or_default()).ok();
        } else if searched.is_none() {
            searched = machine::recv_timeout(&scout, patience - alone).ok();
        }
        let result = match searched {
            Some(searched) => after_search(instance, request, progress, outcome, searched),
            None => {
                let beside = Companions { instance, game, request, progress, shared: &shared };
                let over = StopFlags { search: ended.clone(), all: Arc::default() };
                both(beside, outcome, &over, &scout)
            }
        };
        shared.settled.store(true, Ordering::Relaxed);
        result
    })
}

/// Without threads: search, and when it takes too long, reverse reachability for a while, then SAT
/// from the bound of the search.
fn in_turn(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let auto = request.engine == Engine::Auto;
    let patience = request.limits.time_left().map_or(SCOUT_TIME, |left| SCOUT_TIME.min(left / 4));
    let limits = if auto { request.limits.within(patience) } else { request.limits.clone() };
    let strategy = Strategy { threads: 1, ..strategy(request, instance.objective()) };
    let report = &mut |stats| progress(&Event::Searching(stats));
    let searched = game.search(strategy, &limits, report);
    let in_time = request.limits.reached().is_none();
    if auto && in_time && matches!(searched.end, SearchEnd::Stopped(Stop::Time)) {
        let unbounded = request.horizon.or(request.max_horizon).is_none();
        // Reverse reachability has as long again.
        let limits = request.limits.within(patience);
        if let Some(cubes) = unbounded.then(|| invariant(game, request, &limits)).flatten() {
            outcome.stats = Some(searched.stats);
            outcome.unsolvable_by_invariant(cubes);
            return Ok(());
        }
        take_search(instance, searched, request, outcome)?;
        return horizons::solve(instance, request, progress, outcome);
    }
    after_search(instance, request, progress, outcome, searched)
}

/// What search has shown by itself, for threads that cannot wait for the others.
fn known(
    instance: &dyn Instance,
    request: &Request,
    searched: &SearchReport,
    shared: &PortfolioState,
) -> Option<Outcome> {
    // Nothing cheaper than a plan that another thread has: that is for both to say.
    if matches!(searched.end, SearchEnd::Exhausted) && shared.incumbent.known().is_some() {
        return None;
    }
    let mut known = Outcome::new(instance);
    let stop = take_search(instance, searched.clone(), request, &mut known).ok()?;
    known.conclude(instance.objective(), stop);
    Some(known)
}

/// Search has ended while it was alone: take its answer, or go on with SAT from its bound.
fn after_search(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
    searched: SearchReport,
) -> Result<(), SolveError> {
    match take_search(instance, searched, request, outcome)? {
        // Search ran out of memory: SAT has the rest of the time.
        Some(Stop::Memory) if request.engine == Engine::Auto => {
            horizons::solve(instance, request, progress, outcome)
        }
        stop => {
            outcome.conclude(instance.objective(), stop);
            Ok(())
        }
    }
}

/// What those who work beside search need.
#[derive(Clone, Copy)]
struct Companions<'a> {
    instance: &'a dyn Instance,
    game: &'a dyn Game,
    request: &'a Request,
    progress: Progress<'a>,
    shared: &'a PortfolioState,
}

/// What ends those who work beside search.
struct StopFlags {
    /// Search has ended.
    search: Arc<AtomicBool>,
    /// Nothing is left to find out.
    all: Arc<AtomicBool>,
}

/// Search goes on in its thread, others beside it.
fn both(
    beside: Companions<'_>,
    outcome: &mut Outcome,
    over: &StopFlags,
    scout: &mpsc::Receiver<SearchReport>,
) -> Result<(), SolveError> {
    let Companions { instance, request, .. } = beside;
    let objective = instance.objective();
    let [mut own, mut saving] = [(); 2].map(|()| Outcome::new(instance));
    let mut searched = None;
    machine::scope(|scope| {
        let limits = request.limits.clone().with_flag(over.all.clone());
        let worker = scope.spawn(|| beside.refute(limits, &mut own));
        let limits = request.limits.clone().with_flag(over.search.clone());
        let saver = scope.spawn(|| beside.save_memory(limits, &mut saving));
        // Search ends by its answer, by a limit, or because someone settled the question.
        searched = scout.recv().ok();
        let memory =
            |searched: &SearchReport| matches!(searched.end, SearchEnd::Stopped(Stop::Memory));
        if !searched.as_ref().is_some_and(memory) {
            over.all.store(true, Ordering::Relaxed);
        }
        worker.join().and(saver.join())
    })?;
    let mut stop = own.stop;
    merge(outcome, objective, saving);
    merge(outcome, objective, own);
    let bound = searched.as_ref().and_then(|searched| searched.bound);
    if let Some(searched) = searched {
        outcome.stats = Some(searched.stats);
        let ended = beside.take(searched, outcome)?;
        stop = if request.engine == Engine::Search { ended } else { ended.and(stop) };
    }
    if let (true, Some(incumbent)) =
        (beside.shared.least.load(Ordering::Relaxed), beside.shared.incumbent.known())
    {
        // The plan of this cost came with one of the merged outcomes.
        outcome.raise(incumbent.primary(), Justification::Search { bound });
        outcome.optimal = true;
        outcome.tie_optimal = true;
    }
    if !matches!(outcome.verdict, Verdict::Unsolvable | Verdict::NoSolutionWithin(_)) {
        // Our own flag is not a request by the user: the limits say why the run ended.
        let stop = stop.map(|stop| request.limits.reached_any().unwrap_or(stop));
        let complete = outcome.optimal && outcome.tie_optimal;
        outcome.conclude(objective, stop.filter(|_| !complete));
    }
    Ok(())
}

impl Companions<'_> {
    /// Under `auto`: looks for any plan, then refutes horizons.
    fn refute(self, limits: Limits, own: &mut Outcome) -> Result<(), SolveError> {
        if self.request.engine != Engine::Auto {
            return Ok(());
        }
        machine::lower_priority(COMPANION_NICENESS);
        let objective = self.instance.objective();
        let beside = Request { limits, threads: 1, ..self.request.clone() };
        // Where any plan will do, search itself looks for nothing else.
        if objective != Objective::Any {
            let share = beside.limits.time_left().map_or(SCOUT_TIME, |left| left / 4);
            let limits = beside.limits.within(share);
            self.look(&limits, own)?;
            self.plan(GREEDY_WEIGHT, MAX_ANY_STATES, &limits, own)?;
        }
        if !self.shared.least.load(Ordering::Relaxed) && !settles(objective, own) {
            let shown = || self.shared.lower.load(Ordering::Relaxed);
            let known = || horizons::ExternalBounds { lower: shown(), ..Default::default() };
            horizons::deepen(self.instance, &beside, self.progress, own, &known)?;
        }
        self.settle(own);
        Ok(())
    }

    /// When search holds much memory: looks for better and better plans, so that states that
    /// cannot beat them need not be kept.
    fn save_memory(self, limits: Limits, own: &mut Outcome) -> Result<(), SolveError> {
        let Some(most) = limits.memory.filter(|_| self.instance.objective() != Objective::Any)
        else {
            return Ok(());
        };
        while resident_memory().is_some_and(|held| held < most / HIGH_MEMORY_SHARE) {
            if limits.reached().is_some() {
                return Ok(());
            }
            machine::sleep(POLL_INTERVAL);
        }
        for (weight, states) in LOW_MEMORY_ATTEMPTS {
            while self.plan(weight, states, &limits, own)? {}
            if self.shared.least.load(Ordering::Relaxed) {
                break;
            }
        }
        self.settle(own);
        Ok(())
    }

    /// A short feature-space search, if the family has features: its plan is the first ceiling.
    fn look(self, limits: &Limits, own: &mut Outcome) -> Result<(), SolveError> {
        if self.request.horizon.or(self.request.max_horizon).is_some() {
            return Ok(());
        }
        match any::once(self.game, 0, limits)? {
            Some(plan) => self.found(plan, limits, own),
            None => Ok(()),
        }
    }

    /// Publishes a plan, and a cheaper one around it.
    fn found(self, plan: Verified, limits: &Limits, own: &mut Outcome) -> Result<(), SolveError> {
        self.note(plan.clone(), own);
        let improved = self.game.improve(&plan, QUICK_STATES, limits, &mut |_| {});
        let better = improved.plan.map_err(|fault| SolveError::Fault { fault, formula: None })?;
        self.note(better, own);
        Ok(())
    }

    /// Publishes a plan.
    fn note(self, plan: Verified, own: &mut Outcome) {
        let objective = self.instance.objective();
        (self.progress)(&Event::Plan(objective.primary(plan.tally())));
        self.shared.incumbent.offer(Cost::of(objective, plan.tally()));
        own.offer(objective, plan);
    }

    /// Weighted A* for a plan that is cheaper than all before; whether there was one.
    fn plan(
        self,
        weight_tenths: u64,
        states: usize,
        limits: &Limits,
        own: &mut Outcome,
    ) -> Result<bool, SolveError> {
        let objective = self.instance.objective();
        let incumbent = self.shared.incumbent.clone();
        let max_states = Some(states);
        let strategy = strategy(self.request, objective);
        let strategy = Strategy { weight_tenths, max_states, incumbent, threads: 1, ..strategy };
        let searched = self.game.search(strategy, limits, &mut |_| {});
        match searched.end {
            SearchEnd::Found(plan) => {
                self.found(plan, limits, own)?;
                return Ok(true);
            }
            SearchEnd::Stopped(_) => {}
            SearchEnd::Exhausted | SearchEnd::Fault(_) => {
                self.take(searched, own)?;
            }
        }
        Ok(false)
    }

    /// Notes what a search showed; the limit that ended it, if one did. One that left nothing to
    /// look at has shown that there is no solution, or, if a plan is known, that none is cheaper.
    fn take(self, searched: SearchReport, own: &mut Outcome) -> Result<Option<Stop>, SolveError> {
        if matches!(searched.end, SearchEnd::Exhausted) && self.shared.incumbent.known().is_some() {
            self.shared.least.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        take_search(self.instance, searched, self.request, own)
    }

    /// Stops search when there is nothing left to find out.
    fn settle(self, own: &Outcome) {
        let least = self.shared.least.load(Ordering::Relaxed);
        if least || settles(self.instance.objective(), own) {
            self.shared.settled.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether an outcome needs no other engine.
pub(crate) fn settles(objective: Objective, outcome: &Outcome) -> bool {
    match (&outcome.best, outcome.verdict) {
        (_, Verdict::Unsolvable | Verdict::NoSolutionWithin(_)) => true,
        (Some(_), _) if objective == Objective::Any => true,
        (best, _) => best.is_some() && outcome.optimal && outcome.tie_optimal,
    }
}

/// Looks for an invariant that shows that there is no solution; the number of its cubes. It counts
/// only after its formulas were refuted afresh.
fn invariant(game: &dyn Game, request: &Request, limits: &Limits) -> Option<usize> {
    let list = game.invariant(request.incremental(), limits, &mut |_| {}).ok()?;
    let induction = game.induction(&list).ok()?;
    let refuted = |part| {
        let formula = induction.formula(part, &mut Monitor::silent(limits)).ok()?;
        let answer = request.backend.solve(&formula, limits).ok()?;
        (answer == Answer::Unsat).then_some(())
    };
    Obligation::ALL.into_iter().all(|part| refuted(part).is_some()).then_some(list.cubes.len())
}

/// Adds what one of those beside search knows.
fn merge(outcome: &mut Outcome, objective: Objective, own: Outcome) {
    if own.lower > outcome.lower {
        outcome.lower = own.lower;
        outcome.shown = own.shown.clone();
    }
    if matches!(own.verdict, Verdict::Unsolvable | Verdict::NoSolutionWithin(_))
        && outcome.best.is_none()
    {
        outcome.verdict = own.verdict;
        outcome.shown = own.shown.or_else(|| Some(Justification::Bound("the bound".to_owned())));
    }
    outcome.optimal |= own.optimal;
    outcome.tie_optimal |= own.tie_optimal;
    if let Some(plan) = own.best {
        outcome.offer(objective, plan);
    }
    outcome.asked.extend(own.asked);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::sampled;

    /// A search that leaves nothing to look at means "unsolvable" only while no plan is known.
    #[test]
    fn nothing_cheaper_is_not_unsolvable() {
        let (mut solvable, mut unsolvable) = (0, 0);
        for seed in 0..60 {
            let instances = sampled("sokoban", Objective::Pushes, seed);
            let instance = instances[0].as_ref();
            let request = Request::default();
            let shared = PortfolioState {
                lower: AtomicU32::new(0),
                incumbent: Incumbent::default(),
                least: AtomicBool::new(false),
                settled: Arc::default(),
            };
            let game = instance.moves().expect("a game");
            let (request, progress) = (&request, &|_: &Event| {});
            let beside = Companions { instance, game, request, progress, shared: &shared };
            let [mut first, mut second] = [(); 2].map(|()| Outcome::new(instance));
            let plan = |own: &mut Outcome| beside.plan(10, 30_000, &Limits::none(), own);
            if plan(&mut first).expect("no fault") {
                solvable += 1;
                // Another search goes on from there and knows of no plan.
                assert!(!plan(&mut second).expect("no fault"));
                assert!(matches!(second.verdict, Verdict::Unknown(_)), "seed {seed}");
                assert!(shared.least.load(Ordering::Relaxed), "seed {seed}");
                assert_eq!(shared.incumbent.known(), {
                    let best = first.best.as_ref().expect("a plan");
                    Some(Cost::of(Objective::Pushes, best.tally()))
                });
            } else if first.verdict == Verdict::Unsolvable {
                unsolvable += 1;
                assert!(!shared.least.load(Ordering::Relaxed), "seed {seed}");
            }
        }
        assert!(solvable > 10 && unsolvable > 3, "{solvable} {unsolvable}");
    }
}
