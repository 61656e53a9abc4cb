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

use super::sat::{HorizonStats, SatOutcome, ask};
use super::{Event, Justification, Outcome, Progress, Request, SolveError, Verdict};
use crate::instance::{Instance, Question};
use crate::limits::Stop;
use crate::machine::{self, Instant, Scope};
use std::iter::successors;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;
use unstuck_encodings::Step;
use unstuck_puzzles::Objective;

/// How long the least horizon is asked alone: most puzzles are solved by then, in the same way in
/// every run.
const SOLO_TIME: Duration = Duration::from_secs(1);

/// Time between two looks at what others have shown meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// No more than this part of a horizon is skipped.
const SKIPPED: Step = 8;

/// The lower bound is far from a plan when more than this part of its length is open.
const FAR: Step = 8;

/// Horizons between the bounds of the outcome.
pub(super) fn solve(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    deepen(instance, request, progress, outcome, &ExternalBounds::default)
}

/// What other threads do meanwhile.
#[derive(Clone, Debug, Default)]
pub(super) struct ExternalBounds {
    /// A lower bound that was shown there.
    pub(super) lower: u32,
    /// What showed it; `None` where others say so.
    pub(super) shown: Option<Justification>,
    /// How many of the threads work there.
    pub(super) threads: usize,
}

/// Horizons between the bounds of the outcome; `elsewhere` says what other threads do meanwhile.
pub(super) fn deepen(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
    elsewhere: &dyn Fn() -> ExternalBounds,
) -> Result<(), SolveError> {
    let objective = instance.objective();
    match Deepening::new(instance, request, progress, outcome).finish(elsewhere)? {
        Some(verdict @ Verdict::Unknown(stop)) => {
            outcome.verdict = verdict;
            outcome.conclude(objective, Some(stop));
        }
        Some(verdict) => outcome.verdict = verdict,
        None => {
            outcome.conclude(objective, None);
            if outcome.optimal && objective.first() != objective && !outcome.tie_optimal {
                outcome.stop = tighten(instance, request, progress, outcome)?;
            }
        }
    }
    Ok(())
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
    instance: &'a dyn Instance,
    request: &'a Request,
    progress: Progress<'a>,
    outcome: &'a mut Outcome,
    /// Whether horizons are lengths of plans.
    counts: bool,
    /// The least horizon that is open.
    least: Step,
    /// Plans of at most so many steps were ruled out by someone.
    ruled_out: u32,
    /// The work of all refutations so far.
    spent: u64,
    /// The work of the last one.
    last: u64,
    running: Vec<RunningQuestion>,
    /// How many questions may be asked at once, by all who ask.
    threads: usize,
    /// How many of them others ask.
    elsewhere: usize,
    begun: Instant,
    /// How long only one is.
    alone: Duration,
}

impl<'a> Deepening<'a> {
    fn new(
        instance: &'a dyn Instance,
        request: &'a Request,
        progress: Progress<'a>,
        outcome: &'a mut Outcome,
    ) -> Self {
        let counts = instance.objective() != Objective::Any;
        let least = request.horizon.unwrap_or_else(|| {
            let lower = instance.lower_bound().unwrap_or(0);
            if counts {
                outcome.raise(lower, Justification::Bound("the admissible bound".to_owned()));
            }
            lower.max(if counts { outcome.lower } else { 0 })
        });
        let threads = request.threads.min(request.backend.at_once()).max(1);
        Self {
            instance,
            request,
            progress,
            outcome,
            counts,
            least,
            ruled_out: 0,
            spent: 0,
            last: 0,
            running: Vec::new(),
            threads: if machine::has_threads() { threads } else { 1 },
            elsewhere: 0,
            begun: Instant::now(),
            alone: SOLO_TIME,
        }
    }

    /// Asks until the question is settled or a limit strikes, and stops all that is asked then.
    fn finish(
        mut self,
        elsewhere: &dyn Fn() -> ExternalBounds,
    ) -> Result<Option<Verdict>, SolveError> {
        machine::scope(|scope| {
            let end = self.run(scope, elsewhere);
            self.halt(|_| true);
            end
        })
    }

    /// Asks until the question is settled or a limit strikes; `None` when the best plan is as short
    /// as the lower bound (or any plan was enough).
    fn run<'scope>(
        &mut self,
        scope: Scope<'scope, '_>,
        elsewhere: &dyn Fn() -> ExternalBounds,
    ) -> Result<Option<Verdict>, SolveError>
    where
        'a: 'scope,
    {
        let (send, answers) = mpsc::channel();
        loop {
            let ExternalBounds { lower, shown, threads } = elsewhere();
            self.elsewhere = threads;
            self.learn(lower, shown);
            if self.is_settled() {
                return Ok(None);
            }
            if let Some(most) = self.request.max_horizon.filter(|&most| self.least > most) {
                return Ok(Some(Verdict::NoSolutionWithin(most)));
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

    /// Takes in a lower bound from elsewhere.
    fn learn(&mut self, lower: u32, shown: Option<Justification>) {
        if self.counts && self.request.horizon.is_none() {
            if let Some(shown) = shown {
                self.outcome.raise(lower, shown);
            }
            self.ruled_out = self.ruled_out.max(lower);
            if lower > self.least {
                self.least = lower;
                self.halt(|horizon| horizon < lower);
            }
        }
    }

    /// The length of the best plan, where lengths count.
    fn upper(&self) -> Option<u32> {
        let objective = self.instance.objective();
        let best = self.outcome.best.as_ref().filter(|_| self.counts)?;
        Some(objective.primary(best.tally()))
    }

    fn is_settled(&self) -> bool {
        match self.upper() {
            Some(upper) => self.least >= upper,
            None => !self.counts && self.outcome.best.is_some(),
        }
    }

    /// The next horizon to ask, if another one should be asked now.
    fn next(&self) -> Option<Step> {
        let alone = self.begun.elapsed() < self.alone;
        let most = self.threads.saturating_sub(self.elsewhere).max(1);
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
            horizon = self.skipping(self.instance.after(horizon));
        }
        let is_wanted = self.upper().is_none_or(|upper| horizon < upper)
            && self.request.max_horizon.is_none_or(|most| horizon <= most);
        is_wanted.then_some(horizon)
    }

    /// The horizons to ask where there is a plan.
    fn below_plan(&self) -> Option<BelowPlan> {
        let upper = self.upper().filter(|_| self.request.horizon.is_none())?;
        let is_open = |&horizon: &Step| horizon < upper && !self.max_horizon_is_below(horizon);
        let after = |&horizon: &Step| Some(self.instance.after(horizon));
        let open: Vec<Step> = successors(Some(self.least), after).take_while(is_open).collect();
        let &top = open.last()?;
        let is_far = self.spent == 0 && top - self.least > upper / FAR;
        Some(BelowPlan { top, near: if is_far { open[open.len() / 2] } else { top } })
    }

    /// Whether a refutation of this horizon says all.
    fn is_last(&self, horizon: Step) -> bool {
        self.request.horizon.is_some()
            || self.request.max_horizon.is_some_and(|most| horizon >= most)
            || self.instance.completeness_threshold().is_some_and(|enough| horizon >= enough)
    }

    /// A horizon, or a later one when refutations grow slowly. With work that grows by a factor r
    /// from one to the next, all so far took r / (r - 1) times the last one; skipping half as many
    /// makes the next one less than twice as expensive.
    fn skipping(&self, from: Step) -> Step {
        let most = (from / SKIPPED).min(Step::try_from(self.stride()).unwrap_or(Step::MAX));
        let mut horizon = from;
        for _ in 1..most {
            let next = self.instance.after(horizon);
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
        self.request.max_horizon.is_some_and(|most| horizon > most)
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
            filter: self.request.filter.clone(),
            secondary: None,
            at_least: if self.counts { self.outcome.lower.max(self.ruled_out) } else { 0 },
        };
        let halt = Arc::new(AtomicBool::new(false));
        let limits = self.request.limits.clone().with_flag(halt.clone());
        let (instance, request, progress) = (self.instance, self.request, self.progress);
        let send = send.clone();
        scope.spawn(move || {
            let answer = ask(instance, &question, request.backend.as_ref(), &limits, progress);
            // The receiver is gone when the question is settled.
            let _ = send.send((horizon, answer));
        });
        self.running.push(RunningQuestion { horizon, halt, shared: self.threads > 1 });
    }

    /// Stops the questions of these horizons.
    fn halt(&self, idle: impl Fn(Step) -> bool) {
        for running in self.running.iter().filter(|running| idle(running.horizon)) {
            running.halt.store(true, Ordering::Relaxed);
        }
    }

    /// What an answer means for the others; the verdict if it ends them all.
    fn take(
        &mut self,
        horizon: Step,
        (meaning, asked): (SatOutcome, Option<HorizonStats>),
    ) -> Option<Verdict> {
        let index = self.running.iter().position(|running| running.horizon == horizon)?;
        let running = self.running.remove(index);
        if matches!(meaning, SatOutcome::Stopped(_)) && running.is_halted() {
            return None;
        }
        if let Some(asked) = asked {
            if matches!(meaning, SatOutcome::Refuted) {
                self.last = asked.work();
                self.spent += self.last;
            }
            (self.progress)(&Event::Answered(asked.clone()));
            self.outcome.asked.push(asked);
        }
        match meaning {
            SatOutcome::Stopped(Stop::Memory) if running.shared => {
                // Too much together: the least horizon goes on alone.
                self.threads = 1;
                let least = self.least;
                self.halt(|horizon| horizon > least);
                None
            }
            SatOutcome::Stopped(stop) => Some(Verdict::Unknown(stop)),
            SatOutcome::Solution { plan, .. } => {
                let objective = self.instance.objective();
                let length = objective.primary(plan.tally());
                (self.progress)(&Event::Plan(length));
                self.outcome.offer(objective, plan);
                self.halt(|horizon| horizon >= length);
                None
            }
            SatOutcome::Refuted => self.refuted(horizon),
        }
    }

    /// No plan has at most so many steps.
    fn refuted(&mut self, horizon: Step) -> Option<Verdict> {
        if horizon < self.least {
            return None;
        }
        let backend = self.request.backend.name();
        let shown = Justification::Refutation { backend, horizon: Some(horizon) };
        self.least = self.instance.after(horizon);
        self.halt(|other| other <= horizon);
        if self.counts {
            self.outcome.raise(self.least, shown.clone());
        }
        let verdict =
            if self.instance.completeness_threshold().is_some_and(|enough| horizon >= enough) {
                Verdict::Unsolvable
            } else {
                self.request.horizon.map(|_| Verdict::NoSolutionWithin(horizon))?
            };
        self.outcome.shown = Some(shown);
        Some(verdict)
    }
}

/// Lowers the tie-break of an optimal plan until a refutation shows that it is least; the limit
/// that struck before.
fn tighten(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<Option<Stop>, SolveError> {
    let objective = instance.objective();
    while let Some(best) = &outcome.best {
        let tally = best.tally();
        let Some(cap) = objective.secondary(tally).checked_sub(1) else { break };
        let question = Question {
            horizon: objective.primary(tally),
            filter: request.filter.clone(),
            secondary: Some(cap),
            at_least: objective.primary(tally),
        };
        let backend = request.backend.as_ref();
        let (meaning, asked) = ask(instance, &question, backend, &request.limits, progress)?;
        if let Some(asked) = asked {
            progress(&Event::Answered(asked.clone()));
            outcome.asked.push(asked);
        }
        match meaning {
            SatOutcome::Stopped(stop) => return Ok(Some(stop)),
            SatOutcome::Solution { plan, .. } => outcome.offer(objective, plan),
            SatOutcome::Refuted => break,
        }
    }
    outcome.tie_optimal = true;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::varisat::Varisat;
    use crate::backend::{Answer, Backend, BackendError, SolverResult};
    use crate::formula::Clauses;
    use crate::instance::SearchEnd;
    use crate::limits::Limits;
    use crate::machine::ThreadId;
    use crate::search::Strategy;
    use crate::solve::sampled;
    use std::collections::{BTreeSet, HashMap};
    use std::sync::{Condvar, Mutex, MutexGuard};
    use unstuck_encodings::Model;

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
            "told".to_owned()
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
        let game = instance.moves().expect("it has moves");
        let SearchEnd::Found(plan) = game.search(strategy, &Limits::none(), &mut |_| {}).end else {
            return None;
        };
        let length = objective.primary(plan.tally());
        let lower = instance.lower_bound()?;
        if length > 12 {
            return None;
        }
        // All horizons up to the first one beyond the plan, at once; where so many are enough to
        // show that there is no plan, no more are asked.
        let threads = (length - lower) as usize + 2;
        let further = |&horizon: &Step| {
            let is_last = instance.completeness_threshold().is_some_and(|enough| horizon >= enough);
            (!is_last).then(|| instance.after(horizon))
        };
        let together = std::iter::successors(Some(lower), further).take(threads).count();
        let solver = Arc::new(ScriptedSolver::new(order, together));
        let request = Request { threads, backend: solver.clone(), ..Request::default() };
        let mut outcome = Outcome::new(instance);
        let progress = |event: &Event| solver.note(event);
        let mut deepening = Deepening::new(instance, &request, &progress, &mut outcome);
        deepening.alone = Duration::ZERO;
        assert_eq!(
            deepening.finish(&ExternalBounds::default).expect("varisat works"),
            None,
            "{what}"
        );
        outcome.conclude(objective, None);
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
    fn a_bound_from_elsewhere_halts_what_it_settles() {
        let instances = sampled("sokoban", Objective::Moves, 3);
        let request = Request { threads: 2, max_horizon: Some(400), ..Request::default() };
        let mut outcome = Outcome::new(instances[0].as_ref());
        let deepening = Deepening::new(instances[0].as_ref(), &request, &|_| {}, &mut outcome);
        let end = deepening
            .finish(&|| ExternalBounds { lower: 401, ..ExternalBounds::default() })
            .expect("nothing is asked");
        assert_eq!(end, Some(Verdict::NoSolutionWithin(400)));
        assert!(outcome.asked.is_empty());
    }
}
