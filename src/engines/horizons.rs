//! Horizons between the lower bound and the best plan, put to a SAT solver.
//!
//! Each horizon is a question of its own. By law 4 (a horizon permits every shorter plan) a refuted
//! horizon refutes all below it, and a plan makes the horizons from its length upwards idle:
//! threads that work on those are stopped. So with a plan the horizon just below it says all if the
//! plan is optimal, and a better plan follows if it is not: it is asked first, or second, after one
//! half way, where the bound is far. Without a plan the least horizon that is open decides. On a
//! machine with more cores others are asked beside it: the one below the plan, then those from the
//! lower bound upwards.
//!
//! Where refutations become expensive only slowly, as where moves are counted and the bound is far
//! from the truth, horizons are skipped: a refutation shows as much as all those below it.

use super::sat::{SatOutcome, ask, work};
use crate::instance::{Question, StateSpace};
use crate::ledger::{
    Budget, Engine, EngineEnd, HorizonStats, Justification, Ledger, SolveError, Task, Work,
};
use crate::limits::Stop;
use crate::machine::{self, Instant, Scope};
use crate::tuning::milliseconds;
use std::iter::successors;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;
use unstuck_encodings::Step;

/// Time between two looks at what others have shown meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Horizons between the bounds of the ledger, then the tie-break of an optimal plan.
#[derive(Clone, Copy, Debug)]
pub struct HorizonEngine;

impl Engine for HorizonEngine {
    fn name(&self) -> &'static str {
        "horizons"
    }

    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        task.searched::<dyn StateSpace>()?;
        task.encoded()
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        Box::new(move |ledger, budget| match Deepening::new(task, ledger, budget).finish()? {
            Some(done) => Ok(done),
            None if ledger.is_tie_open() => tighten(task, ledger, budget),
            None => Ok(EngineEnd::Finished),
        })
    }
}

/// An answer to the question of a horizon.
type HorizonAnswer = (Step, Result<(SatOutcome, Option<HorizonStats>), SolveError>);

/// A question that a thread works on.
struct RunningQuestion {
    horizon: Step,
    /// Raised to stop it.
    halt: Arc<AtomicBool>,
    /// Whether others could be asked beside it.
    shared: bool,
}

impl RunningQuestion {
    fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }
}

/// What is asked where there is a plan.
struct BelowPlan {
    /// The greatest horizon below the plan: its refutation says that the plan is shortest.
    top: Step,
    /// Where the lower bound is far and nothing was refuted yet, one that is refuted sooner, so that
    /// a limit that strikes leaves a bound; else the same.
    near: Step,
}

struct Deepening<'a> {
    task: Task<'a>,
    ledger: &'a Ledger<'a>,
    budget: &'a Budget<'a>,
    /// Whether horizons are lengths of plans.
    counts: bool,
    /// The least horizon that is open.
    least: Step,
    /// The work of all refutations so far.
    spent: u64,
    /// The work of the last one.
    last: u64,
    running: Vec<RunningQuestion>,
    /// The most questions that may be asked at once.
    at_once: usize,
    begun: Instant,
    /// How long only one is.
    alone: Duration,
}

impl<'a> Deepening<'a> {
    fn new(task: Task<'a>, ledger: &'a Ledger<'a>, budget: &'a Budget<'a>) -> Self {
        let (request, counts) = (task.request, task.counts());
        let least = request.horizon.unwrap_or_else(|| {
            let lower = task.instance.encoded().lower_bound().unwrap_or(0);
            ledger.raise(lower, Justification::Bound("the admissible bound".to_owned()));
            lower.max(ledger.lower())
        });
        let at_once = if machine::has_threads() { request.backend.at_once() } else { 1 };
        Self {
            task,
            ledger,
            budget,
            counts,
            least,
            spent: 0,
            last: 0,
            running: Vec::new(),
            at_once,
            begun: Instant::now(),
            alone: milliseconds(request.tuning.horizons_solo),
        }
    }

    /// Asks until the question is settled or a limit strikes, and stops all that is asked then.
    fn finish(mut self) -> Result<Option<EngineEnd>, SolveError> {
        machine::scope(|scope| {
            let end = self.run(scope);
            self.halt(|_| true);
            end
        })
    }

    /// Asks until a refutation settles the question or a limit strikes; `None` when the best plan is
    /// as short as the lower bound (or any plan was enough).
    fn run<'scope>(&mut self, scope: Scope<'scope, '_>) -> Result<Option<EngineEnd>, SolveError>
    where
        'a: 'scope,
    {
        let (send, answers) = mpsc::channel();
        loop {
            self.learn(self.ledger.lower());
            if self.is_settled() {
                return Ok(None);
            }
            if let Some(most) = self.task.request.max_horizon.filter(|&most| self.least > most) {
                let shown = Justification::Bound("the admissible bound".to_owned());
                self.ledger.refute(Some(most), self.ledger.shown().unwrap_or(shown));
                return Ok(Some(EngineEnd::Finished));
            }
            while let Some(horizon) = self.next() {
                self.start(scope, horizon, &send);
            }
            let (horizon, answer) = match machine::recv_timeout(&answers, POLL_INTERVAL) {
                Ok(answered) => answered,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => unreachable!("a sender is kept"),
            };
            if let Some(end) = self.take(horizon, answer?) {
                return Ok(Some(end));
            }
        }
    }

    /// Takes in the lower bound and the plan that the ledger has.
    fn learn(&mut self, lower: u32) {
        if self.counts && self.task.request.horizon.is_none() && lower > self.least {
            self.least = lower;
            self.halt(|horizon| horizon < lower);
        }
        if let Some(upper) = self.upper() {
            self.halt(|horizon| horizon >= upper);
        }
    }

    /// The length of the best plan, where lengths count.
    fn upper(&self) -> Option<u32> {
        self.ledger.upper()
    }

    fn is_settled(&self) -> bool {
        match self.upper() {
            Some(upper) => self.least >= upper,
            None => !self.counts && self.ledger.best().is_some(),
        }
    }

    /// The next horizon to ask, if another one should be asked now.
    fn next(&self) -> Option<Step> {
        let alone = self.begun.elapsed() < self.alone;
        let most = self.budget.threads().min(self.at_once);
        if self.running.len() >= if alone { 1 } else { most } {
            return None;
        }
        let is_running =
            |horizon| self.running.iter().any(|it| it.horizon == horizon && !it.is_halted());
        let mut horizon = match self.below_plan() {
            Some(below) if self.running.is_empty() => below.near,
            Some(below) if !is_running(below.top) => below.top,
            _ => self.skipping(self.least),
        };
        while is_running(horizon) {
            if self.is_last(horizon) {
                return None;
            }
            horizon = self.skipping(self.task.instance.encoded().after(horizon));
        }
        let is_wanted = self.upper().is_none_or(|upper| horizon < upper)
            && self.task.request.max_horizon.is_none_or(|most| horizon <= most);
        is_wanted.then_some(horizon)
    }

    /// The horizons to ask where there is a plan.
    fn below_plan(&self) -> Option<BelowPlan> {
        let upper = self.upper().filter(|_| self.task.request.horizon.is_none())?;
        let is_open = |&horizon: &Step| horizon < upper && !self.max_horizon_is_below(horizon);
        let after = |&horizon: &Step| Some(self.task.instance.encoded().after(horizon));
        let open: Vec<Step> = successors(Some(self.least), after).take_while(is_open).collect();
        let &top = open.last()?;
        let far = Step::try_from(self.task.request.tuning.horizons_far).unwrap_or(Step::MAX);
        let is_far = self.spent == 0 && top - self.least > upper / far;
        Some(BelowPlan { top, near: if is_far { open[open.len() / 2] } else { top } })
    }

    /// Whether a refutation of this horizon says all.
    fn is_last(&self, horizon: Step) -> bool {
        self.task.request.horizon.is_some()
            || self.task.request.max_horizon.is_some_and(|most| horizon >= most)
            || self
                .task
                .instance
                .encoded()
                .completeness_threshold()
                .is_some_and(|enough| horizon >= enough)
    }

    /// A horizon, or a later one when refutations grow slowly. With work that grows by a factor r
    /// from one to the next, all so far took r / (r - 1) times the last one; skipping half as many
    /// makes the next one less than twice as expensive.
    fn skipping(&self, from: Step) -> Step {
        let skipped = self.task.request.tuning.horizons_skipped;
        let skipped = Step::try_from(skipped).unwrap_or(Step::MAX);
        let most = (from / skipped).min(Step::try_from(self.stride()).unwrap_or(Step::MAX));
        let mut horizon = from;
        for _ in 1..most {
            let next = self.task.instance.encoded().after(horizon);
            let is_known = self.upper().is_some_and(|upper| next >= upper);
            if self.is_last(horizon) || is_known || self.max_horizon_is_below(next) {
                break;
            }
            horizon = next;
        }
        horizon
    }

    /// How many horizons one refutation may stand for.
    fn stride(&self) -> u64 {
        if self.counts { self.spent / (2 * self.last).max(1) } else { 1 }
    }

    fn max_horizon_is_below(&self, horizon: Step) -> bool {
        self.task.request.max_horizon.is_some_and(|most| horizon > most)
    }

    fn start<'scope>(
        &mut self,
        scope: Scope<'scope, '_>,
        horizon: Step,
        send: &Sender<HorizonAnswer>,
    ) where
        'a: 'scope,
    {
        let question = Question {
            horizon,
            filter: self.task.request.filter.clone(),
            secondary: None,
            at_least: self.ledger.lower(),
        };
        let halt = Arc::new(AtomicBool::new(false));
        let limits = self.budget.limits.clone().cancelled_by(halt.clone());
        let (Task { instance, request }, ledger) = (self.task, self.ledger);
        let send = send.clone();
        scope.spawn(move || {
            let answer = ask(instance, &question, request.backend.as_ref(), &limits, ledger);
            // The receiver is gone when the question is settled.
            let _ = send.send((horizon, answer));
        });
        self.running.push(RunningQuestion { horizon, halt, shared: self.at_once > 1 });
    }

    /// Stops the questions of these horizons.
    fn halt(&self, idle: impl Fn(Step) -> bool) {
        for running in self.running.iter().filter(|running| idle(running.horizon)) {
            running.halt.store(true, Ordering::Relaxed);
        }
    }

    /// What an answer means for the others; how all end, if it ends them.
    fn take(
        &mut self,
        horizon: Step,
        (meaning, asked): (SatOutcome, Option<HorizonStats>),
    ) -> Option<EngineEnd> {
        let index = self.running.iter().position(|running| running.horizon == horizon)?;
        let running = self.running.remove(index);
        let conflicts = asked.as_ref().and_then(|asked| asked.conflicts);
        self.budget.count(conflicts.unwrap_or(0));
        if matches!(meaning, SatOutcome::Stopped(_)) && running.is_halted() {
            return None;
        }
        if let Some(asked) = asked {
            if matches!(meaning, SatOutcome::Refuted) {
                self.last = work(&asked, self.task.request.tuning.conflict_work);
                self.spent += self.last;
            }
            self.ledger.note_asked(asked);
        }
        match meaning {
            SatOutcome::Stopped(Stop::Memory) if running.shared => {
                // Too much together: the least horizon goes on alone.
                self.at_once = 1;
                let least = self.least;
                self.halt(|horizon| horizon > least);
                None
            }
            SatOutcome::Stopped(stop) => Some(EngineEnd::Stopped(stop)),
            SatOutcome::Solution { plan, .. } => {
                let length = self.task.objective().primary(plan.tally());
                self.ledger.offer(plan);
                self.halt(|horizon| horizon >= length);
                None
            }
            SatOutcome::Refuted => self.refuted(horizon),
        }
    }

    /// No plan has at most so many steps.
    fn refuted(&mut self, horizon: Step) -> Option<EngineEnd> {
        if horizon < self.least {
            return None;
        }
        let Task { instance, request } = self.task;
        let backend = request.backend.name();
        let shown = Justification::Refutation { backend, horizon: Some(horizon) };
        self.least = instance.encoded().after(horizon);
        self.halt(|other| other <= horizon);
        self.ledger.raise(self.least, shown.clone());
        let says_all =
            instance.encoded().completeness_threshold().is_some_and(|enough| horizon >= enough);
        if !says_all && request.horizon.is_none() {
            return None;
        }
        self.ledger.refute(request.horizon.filter(|_| !says_all), shown);
        Some(EngineEnd::Finished)
    }
}

/// Lowers the tie-break of an optimal plan until a refutation shows that it is least.
fn tighten(
    task: Task<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget<'_>,
) -> Result<EngineEnd, SolveError> {
    let (Task { instance, request }, objective) = (task, task.objective());
    while let Some(best) = ledger.best() {
        let tally = best.tally();
        let Some(cap) = objective.secondary(tally).checked_sub(1) else { break };
        let question = Question {
            horizon: objective.primary(tally),
            filter: request.filter.clone(),
            secondary: Some(cap),
            at_least: objective.primary(tally),
        };
        let backend = request.backend.as_ref();
        let (meaning, asked) = ask(instance, &question, backend, &budget.limits, ledger)?;
        if let Some(asked) = asked {
            budget.count(asked.conflicts.unwrap_or(0));
            ledger.note_asked(asked);
        }
        match meaning {
            SatOutcome::Stopped(stop) => return Ok(EngineEnd::Stopped(stop)),
            SatOutcome::Solution { plan, .. } => {
                ledger.offer(plan);
            }
            SatOutcome::Refuted => break,
        }
    }
    ledger.settle_tie();
    Ok(EngineEnd::Finished)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::varisat::Varisat;
    use crate::backend::{Answer, Backend, BackendError, SolverResult};
    use crate::formula::Clauses;
    use crate::instance::{SearchEnd, StateSpace};
    use crate::ledger::{Event, Goal, Request, Verdict};
    use crate::limits::Limits;
    use crate::machine::ThreadId;
    use crate::registry::sampled;
    use crate::search::Strategy;
    use std::collections::{BTreeSet, HashMap};
    use std::sync::{Condvar, Mutex, MutexGuard};
    use unstuck_encodings::Model;
    use unstuck_puzzles::Objective;

    /// Which of the questions that wait is answered next.
    type Order = fn(&BTreeSet<Step>) -> Option<Step>;

    /// The solver of the tests, which gives its answers in a scripted order: the first one when as
    /// many questions wait as are asked at once, each other one when the answer before it was
    /// heard.
    struct ScriptedSolver {
        order: Order,
        /// Questions that are asked before one is answered.
        together: usize,
        state: Mutex<State>,
        changed: Condvar,
    }

    #[derive(Default)]
    struct State {
        /// The horizons of the threads that ask.
        asking: HashMap<ThreadId, Step>,
        waiting: BTreeSet<Step>,
        /// The horizon whose answer is on its way.
        current: Option<Step>,
        has_begun: bool,
        /// The horizons in the order in which their answers were heard.
        answered: Vec<Step>,
    }

    impl ScriptedSolver {
        fn new(order: Order, together: usize) -> Self {
            let (state, changed) = (Mutex::default(), Condvar::new());
            Self { order, together, state, changed }
        }

        fn state(&self) -> MutexGuard<'_, State> {
            self.state.lock().expect("no thread of the test panics")
        }

        /// Learns who asks what, and which answers were heard.
        fn note(&self, event: &Event) {
            let mut state = self.state();
            match event {
                Event::Asking { horizon, .. } => {
                    state.asking.insert(machine::thread_id(), *horizon);
                }
                Event::Answered(asked) => {
                    state.answered.push(asked.horizon);
                    state.current = None;
                }
                _ => {}
            }
            self.changed.notify_all();
        }
    }

    impl Backend for ScriptedSolver {
        fn name(&self) -> String {
            "scripted".to_owned()
        }

        fn decide(
            &self,
            clauses: &dyn Clauses,
            near: Option<&Model>,
            limits: &Limits,
        ) -> Result<SolverResult, BackendError> {
            let mut state = self.state();
            let horizon = state.asking[&machine::thread_id()];
            state.waiting.insert(horizon);
            loop {
                state.has_begun |= state.waiting.len() >= self.together;
                if let Some(stop) = limits.reached() {
                    state.waiting.remove(&horizon);
                    self.changed.notify_all();
                    return Ok(SolverResult { answer: Answer::Stopped(stop), conflicts: None });
                }
                let is_free = state.current.is_none();
                if state.has_begun && is_free && (self.order)(&state.waiting) == Some(horizon) {
                    break;
                }
                // A limit sends no message when it strikes.
                state = self.changed.wait_timeout(state, POLL_INTERVAL / 20).expect("no panic").0;
            }
            state.waiting.remove(&horizon);
            state.current = Some(horizon);
            drop(state);
            Varisat.decide(clauses, near, &Limits::none())
        }
    }

    /// What is said of a random level when the answers come in an order; the horizons in that of
    /// their answers, and the length of a shortest plan. `None` where that is unknown or long.
    fn race(
        family: &str,
        objective: Objective,
        seed: u64,
        order: Order,
    ) -> Option<(Vec<Step>, u32)> {
        let instances = sampled(family, objective, seed);
        let instance = instances[0].as_ref();
        let what = format!("{family} {seed}");
        let strategy = Strategy { max_states: Some(30_000), ..Strategy::default() };
        let states = instance.capability::<dyn StateSpace>().expect("it has moves");
        let SearchEnd::Found(plan) = states.search(strategy, &Limits::none(), &mut |_| {}).end
        else {
            return None;
        };
        let length = objective.primary(plan.tally());
        let lower = instance.encoded().lower_bound()?;
        if length > 12 {
            return None;
        }
        // All horizons up to the first one beyond the plan, at once; where so many are enough to
        // show that there is no plan, no more are asked.
        let threads = (length - lower) as usize + 2;
        let further = |&horizon: &Step| {
            let is_last =
                instance.encoded().completeness_threshold().is_some_and(|enough| horizon >= enough);
            (!is_last).then(|| instance.encoded().after(horizon))
        };
        let together = std::iter::successors(Some(lower), further).take(threads).count();
        let solver = Arc::new(ScriptedSolver::new(order, together));
        let mut request = Request { backend: solver.clone(), ..Request::default() };
        request.tuning.horizons_solo = 0;
        let progress = |event: &Event| solver.note(event);
        let ledger = Ledger::new(instance, Goal::Answer, &progress);
        let (task, budget) =
            (Task { instance, request: &request }, Budget::new(Limits::none(), threads));
        let done = HorizonEngine.work(task)(&ledger, &budget).expect("varisat works");
        assert!(matches!(done, EngineEnd::Finished), "{what}: {done:?}");
        let outcome = ledger.into_outcome(None).expect("no fault");
        let best = outcome.best.as_ref().expect("a plan");
        assert_eq!(objective.primary(best.tally()), length, "{what}");
        assert_eq!(outcome.lower, length, "{what}");
        assert!(outcome.optimal, "{what}");
        let answered = std::mem::take(&mut solver.state().answered);
        Some((answered, length))
    }

    #[test]
    fn horizons_asked_together_agree_with_search_in_whatever_order_they_are_answered() {
        let least: Order = |waiting| waiting.first().copied();
        let greatest: Order = |waiting| waiting.last().copied();
        let middle: Order = |waiting| waiting.iter().copied().nth(waiting.len() / 2);
        let (mut upwards, mut beyond) = (0, 0);
        for seed in 0..50 {
            for (family, objective) in [
                ("sokoban", Objective::Pushes),
                ("sokobond", Objective::Moves),
                ("snowman", Objective::Pushes),
                ("warehouse", Objective::Moves),
            ] {
                let race = |order| race(family, objective, seed, order);
                let Some((answered, length)) = race(least) else { continue };
                assert!(
                    answered.is_sorted() && answered.contains(&length),
                    "{answered:?} {length}"
                );
                upwards += 1;
                let (answered, length) = race(greatest).expect("the same level");
                assert!(answered.is_sorted_by(|a, b| a >= b), "{answered:?}");
                assert!(answered[0] >= length, "{answered:?} {length}");
                beyond += usize::from(answered[0] > length);
                race(middle).expect("the same level");
            }
        }
        assert!(upwards > 10 && beyond > 10, "{upwards} {beyond}");
    }

    #[test]
    fn a_bound_from_elsewhere_settles_what_is_asked() {
        let instances = sampled("sokoban", Objective::Moves, 3);
        let instance = instances[0].as_ref();
        let request = Request { max_horizon: Some(400), ..Request::default() };
        let ledger = Ledger::new(instance, Goal::Answer, &|_| {});
        ledger.rule_out("another engine", 401);
        let (task, budget) = (Task { instance, request: &request }, Budget::new(Limits::none(), 2));
        HorizonEngine.work(task)(&ledger, &budget).expect("nothing is asked");
        let outcome = ledger.into_outcome(None).expect("no fault");
        assert_eq!(outcome.verdict, Verdict::NoSolutionWithin(400));
        assert!(outcome.asked.is_empty());
    }
}
