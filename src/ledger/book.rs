//! The ledger itself: what is known of a task while engines work on it.

use super::error::SolveError;
use super::event::{Event, Progress};
use super::outcome::{HorizonStats, Justification, Outcome, Solutions, StageReport, Verdict};
use crate::instance::{DeadPieces, Instance, Verified};
use crate::limits::{Limits, Stop};
use crate::machine::{Instant, lock, wait_timeout};
use crate::search::{Incumbent, SearchStats};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use unstuck_encodings::{Cost, Step};
use unstuck_puzzles::Objective;

/// What a run is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// A cheapest plan, or that there is none: where any plan will do, any.
    #[default]
    Answer,
    /// The first plan, however long it is, or that there is none.
    FirstPlan,
    /// Better and better plans.
    BetterPlans,
    /// As many different solutions as are wanted.
    Solutions,
}

impl Goal {
    /// What is asked of a puzzle, unless something else is said.
    pub fn of(instance: &dyn Instance) -> Self {
        if instance.moves().is_some() { Self::Answer } else { Self::Solutions }
    }

    /// Whether nothing is left to find out.
    fn is_met(self, objective: Objective, outcome: &Outcome) -> bool {
        let has_plan = outcome.best.is_some();
        match self {
            Self::Answer => outcome.is_settled(objective),
            Self::FirstPlan => has_plan || outcome.is_settled(objective),
            Self::BetterPlans => outcome.refuted() || outcome.optimal && outcome.tie_optimal,
            Self::Solutions => outcome.refuted(),
        }
    }
}

/// The only place where bounds, plans, the verdict and cancellation meet.
///
/// What is written is never taken back: lower bounds rise, the best plan gets cheaper, a verdict
/// stays. So the order in which engines write does not matter for what is known in the end.
pub struct Ledger<'a> {
    objective: Objective,
    /// What makes one plan better than another: where any plan will do, the family's own objective.
    order: Objective,
    goal: Goal,
    progress: Progress<'a>,
    begun: Instant,
    known: Mutex<Known>,
    changed: Condvar,
    over: Arc<AtomicBool>,
    incumbent: Incumbent,
    instance: &'a dyn Instance,
}

struct Known {
    outcome: Outcome,
    /// No plan is cheaper, as has been shown; the reason may still have to be written down.
    ruled_out: u32,
    /// What engines have announced to have shown.
    announced: Vec<(&'static str, u32)>,
    /// What each engine has searched.
    searched: BTreeMap<&'static str, SearchStats>,
    error: Option<SolveError>,
}

impl<'a> Ledger<'a> {
    /// Nothing is known of a puzzle.
    pub fn new(instance: &'a dyn Instance, goal: Goal, progress: Progress<'a>) -> Self {
        let objective = instance.objective();
        let family = instance.moves().map_or(objective, |game| game.asked());
        let known = Known {
            outcome: Outcome::new(instance),
            ruled_out: 0,
            announced: Vec::new(),
            searched: BTreeMap::new(),
            error: None,
        };
        Self {
            objective,
            order: if objective == Objective::Any { family } else { objective },
            goal,
            progress,
            begun: Instant::now(),
            known: Mutex::new(known),
            changed: Condvar::new(),
            over: Arc::default(),
            incumbent: Incumbent::default(),
            instance,
        }
    }

    // What is written.

    /// No plan is cheaper than this, in the objective's primary count, and this shows it.
    pub fn raise(&self, lower: u32, shown: Justification) {
        if self.counts() {
            self.change(|known| known.raise(lower, shown));
        }
    }

    /// No plan is cheaper than this, as an engine has shown; why stands here when it ends.
    pub fn rule_out(&self, engine: &'static str, lower: u32) {
        if self.counts() {
            self.change(|known| {
                known.ruled_out = known.ruled_out.max(lower);
                known.announce(engine, lower);
            });
        }
    }

    /// An engine expects that no plan is cheaper than this, and has yet to let its proof be judged.
    pub fn announce(&self, engine: &'static str, lower: u32) {
        if self.counts() {
            self.change(|known| known.announce(engine, lower));
        }
    }

    /// A plan. Whether it is better than all before.
    pub fn offer(&self, plan: Verified) -> bool {
        let length = self.objective.primary(plan.tally());
        let is_better = self.change(|known| known.offer(self.order, plan));
        if is_better {
            (self.progress)(&Event::Plan(length));
            self.tell();
        }
        is_better
    }

    /// A cheapest plan, tie-break included, and what shows it.
    pub fn offer_cheapest(&self, plan: Verified, shown: Justification) {
        let lower = self.objective.primary(plan.tally());
        self.change(|known| {
            if self.counts() {
                known.raise(lower, shown);
                known.outcome.optimal = true;
                known.outcome.tie_optimal = true;
            }
            known.offer(self.order, plan);
        });
        (self.progress)(&Event::Plan(lower));
        self.tell();
    }

    /// There is no solution, or none within a horizon.
    pub fn refute(&self, within: Option<Step>, shown: Justification) {
        self.change(|known| known.refute(within, shown));
        self.tell();
    }

    /// Nothing is left that could be cheaper than the best plan: so it is a cheapest one, or, where
    /// there is none, there is no solution (within a horizon).
    pub fn exhaust(&self, within: Option<Step>, shown: Justification) {
        self.change(|known| {
            let Some(best) = known.outcome.best.as_ref() else {
                return known.refute(within, shown);
            };
            if self.counts() {
                let lower = self.objective.primary(best.tally());
                known.raise(lower, shown);
                known.outcome.optimal = true;
                known.outcome.tie_optimal = true;
            }
        });
        self.tell();
    }

    /// No optimal plan has a smaller tie-break than the best one.
    pub fn settle_tie(&self) {
        self.change(|known| known.outcome.tie_optimal = known.outcome.optimal);
        self.tell();
    }

    /// These pieces are lost from the start.
    pub fn note_lost(&self, lost: Vec<DeadPieces>) {
        self.change(|known| known.outcome.lost = lost);
    }

    /// A horizon was answered.
    pub fn note_asked(&self, asked: HorizonStats) {
        self.note(&Event::Answered(asked.clone()));
        self.change(|known| known.outcome.asked.push(asked));
    }

    /// What an engine has searched so far. What all have searched is counted together.
    pub fn note_search(&self, engine: &'static str, stats: SearchStats) {
        self.change(|known| {
            known.searched.insert(engine, stats);
            known.outcome.stats = known.searched.values().copied().reduce(SearchStats::with);
        });
    }

    /// The solutions of a puzzle without time.
    pub fn note_solutions(&self, solutions: Solutions) {
        self.change(|known| known.outcome.solutions = Some(solutions));
    }

    /// A stage has ended.
    pub fn note_stage(&self, stage: StageReport) {
        self.change(|known| known.outcome.stages.push(stage));
    }

    /// An engine has failed: nothing else counts any more.
    pub fn fail(&self, error: SolveError) {
        self.change(|known| {
            known.error.get_or_insert(error);
        });
    }

    /// Something for the display that changes nothing.
    pub fn note(&self, event: &Event) {
        (self.progress)(event);
    }

    // What is read.

    /// The best plan.
    pub fn best(&self) -> Option<Verified> {
        lock(&self.known).outcome.best.clone()
    }

    /// Its length, where lengths count.
    pub fn upper(&self) -> Option<u32> {
        let known = lock(&self.known);
        let best = known.outcome.best.as_ref().filter(|_| self.counts())?;
        Some(self.objective.primary(best.tally()))
    }

    /// No plan is cheaper than this: zero where nothing counts.
    pub fn lower(&self) -> u32 {
        let known = lock(&self.known);
        known.outcome.lower.max(known.ruled_out)
    }

    /// What has shown the lower bound, or that there is no solution.
    pub fn shown(&self) -> Option<Justification> {
        lock(&self.known).outcome.shown.clone()
    }

    /// What an engine has announced.
    pub fn announced(&self, engine: &str) -> u32 {
        lock(&self.known).announced_by(engine)
    }

    /// Whether a plan of this length would be a cheapest one, by what was announced.
    pub fn expects(&self, length: u32) -> bool {
        lock(&self.known).expects(self.objective, length)
    }

    /// Whether the best plan is as short as can be, while shorter tie-breaks may be there.
    pub fn is_tie_open(&self) -> bool {
        let known = lock(&self.known);
        known.outcome.optimal && !known.outcome.tie_optimal
    }

    /// The cost of the best plan, for search, which keeps nothing that is not cheaper.
    pub fn incumbent(&self) -> &Incumbent {
        &self.incumbent
    }

    /// Whether nothing is left to look for.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// These limits, which strike, too, when nothing is left to look for.
    pub fn limits(&self, limits: &Limits) -> Limits {
        limits.clone().cancelled_by(self.over.clone())
    }

    /// The time since the run began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Waits for a change, at most so long.
    pub fn wait(&self, most: Duration) {
        let known = lock(&self.known);
        if !self.is_over() {
            drop(wait_timeout(&self.changed, known, most));
        }
    }

    /// What is known at the end of a run; `stop` is what ended it early, if nothing was settled.
    ///
    /// # Errors
    /// The error of an engine that failed.
    pub fn into_outcome(self, stop: Option<Stop>) -> Result<Outcome, SolveError> {
        let elapsed = self.elapsed();
        let Known { mut outcome, error, .. } =
            self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = error {
            return Err(error);
        }
        let stop = stop.filter(|_| !self.goal.is_met(self.objective, &outcome));
        conclude(&mut outcome, self.instance, stop);
        outcome.elapsed = elapsed;
        Ok(outcome)
    }

    /// Passes on what is known now.
    fn tell(&self) {
        let mut outcome = lock(&self.known).outcome.clone();
        conclude(&mut outcome, self.instance, None);
        outcome.elapsed = self.elapsed();
        (self.progress)(&Event::Known(Box::new(outcome)));
    }

    fn counts(&self) -> bool {
        self.objective != Objective::Any
    }

    fn change<T>(&self, change: impl FnOnce(&mut Known) -> T) -> T {
        let mut known = lock(&self.known);
        let result = change(&mut known);
        known.meet(self.objective);
        if let Some(best) = known.outcome.best.as_ref().filter(|_| self.counts()) {
            self.incumbent.offer(Cost::of(self.objective, best.tally()));
        }
        if known.is_over(self.objective, self.goal) {
            self.over.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
        result
    }
}

/// Draws the conclusion: where a move was met whose result is not known, only the plan is left.
fn conclude(outcome: &mut Outcome, instance: &dyn Instance, stop: Option<Stop>) {
    let is_doubtful = instance.moves().is_some_and(|game| game.met_unknown_move());
    if is_doubtful {
        outcome.withdraw();
    }
    outcome.conclude(stop.or(is_doubtful.then_some(Stop::UnknownMove)));
}

impl Known {
    fn raise(&mut self, lower: u32, shown: Justification) {
        let outcome = &mut self.outcome;
        if outcome.refuted() {
            return;
        }
        if lower > outcome.lower || outcome.shown.is_none() {
            outcome.lower = outcome.lower.max(lower);
            outcome.shown = Some(shown);
        }
    }

    fn announce(&mut self, engine: &'static str, lower: u32) {
        match self.announced.iter_mut().find(|(name, _)| *name == engine) {
            Some((_, known)) => *known = lower.max(*known),
            None => self.announced.push((engine, lower)),
        }
    }

    fn announced_by(&self, engine: &str) -> u32 {
        self.announced.iter().find(|(name, _)| *name == engine).map_or(0, |(_, lower)| *lower)
    }

    fn offer(&mut self, order: Objective, plan: Verified) -> bool {
        let key = |plan: &Verified| (order.primary(plan.tally()), order.secondary(plan.tally()));
        let is_better = self.outcome.best.as_ref().is_none_or(|best| key(&plan) < key(best));
        if is_better {
            // That a tie-break is least is said of the plan that was there.
            self.outcome.best = Some(plan);
        }
        is_better
    }

    fn refute(&mut self, within: Option<Step>, shown: Justification) {
        if self.outcome.refuted() || self.outcome.best.is_some() {
            return;
        }
        self.outcome.verdict = match within {
            Some(horizon) => {
                self.outcome.lower = self.outcome.lower.max(horizon.saturating_add(1));
                Verdict::NoSolutionWithin(horizon)
            }
            None => Verdict::Unsolvable,
        };
        self.outcome.shown = Some(shown);
    }

    /// Where the bound reaches the plan, the plan is optimal.
    fn meet(&mut self, objective: Objective) {
        let outcome = &mut self.outcome;
        if let Some(best) = outcome.best.as_ref().filter(|_| objective != Objective::Any) {
            outcome.optimal |= objective.primary(best.tally()) <= outcome.lower;
            outcome.tie_optimal |= outcome.optimal && objective.first() == objective;
        }
    }

    fn is_over(&self, objective: Objective, goal: Goal) -> bool {
        if self.error.is_some() || goal.is_met(objective, &self.outcome) {
            return true;
        }
        let best = self.outcome.best.as_ref();
        best.is_some_and(|best| self.expects(objective, objective.primary(best.tally())))
    }

    /// What was announced will be shown. A tie-break is not announced.
    fn expects(&self, objective: Objective, length: u32) -> bool {
        let announced = self.announced.iter().map(|(_, lower)| *lower).max();
        let counts = objective != Objective::Any && objective.first() == objective;
        counts && announced.is_some_and(|announced| length <= announced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{SearchEnd, StateSpace};
    use crate::machine;
    use crate::registry::sampled;
    use crate::search::Strategy;

    /// A board whose cheapest plan has some moves, with that plan and longer ones.
    fn board(seed: u64, objective: Objective) -> Option<(Box<dyn Instance>, Vec<Verified>)> {
        let instance = sampled("sokoban", objective, seed).remove(0);
        let states = instance.capability::<dyn StateSpace>()?;
        let searched = states.search(Strategy::default(), &Limits::none(), &mut |_| {});
        let SearchEnd::Found(best) = searched.end else { return None };
        objective.primary(best.tally()).checked_sub(2)?;
        // To and fro before the first move.
        let text = best.text().to_owned();
        let detour = ["lr", "rl", "ud", "du"]
            .into_iter()
            .find(|detour| instance.verify(&format!("{detour}{text}")).is_ok())?;
        let longer = |times: usize| instance.verify(&format!("{}{text}", detour.repeat(times)));
        let plans = (1..4).map(|times| longer(times).ok()).collect::<Option<Vec<_>>>()?;
        Some((instance, [vec![best], plans].concat()))
    }

    type Write<'a> = Box<dyn Fn(&Ledger<'_>) + Sync + 'a>;

    /// True things to say of a board, each of which may be said at any time.
    fn writes<'a>(plans: &'a [Verified], objective: Objective) -> Vec<Write<'a>> {
        let optimum = objective.primary(plans[0].tally());
        let mut writes: Vec<Write<'a>> = Vec::new();
        for lower in [optimum / 2, optimum.saturating_sub(1), optimum] {
            writes.push(Box::new(move |it| it.raise(lower, Justification::FailedLiterals)));
            writes.push(Box::new(move |it| it.rule_out("one", lower)));
            writes.push(Box::new(move |it| it.announce("another", lower)));
        }
        for plan in plans {
            writes.push(Box::new(|it| {
                it.offer(plan.clone());
            }));
        }
        let (best, shown) = (&plans[0], Justification::FailedLiterals);
        writes.push(Box::new(move |it| it.offer_cheapest(best.clone(), shown.clone())));
        writes
    }

    /// In whatever order three threads write, what is known only ever grows, and is the same at the
    /// end.
    #[test]
    fn all_interleavings_are_monotone_and_end_alike() {
        let mut boards = 0;
        for seed in 0..600 {
            let objective = [Objective::Moves, Objective::Pushes][seed as usize % 2];
            let Some((instance, plans)) = board(seed, objective) else { continue };
            boards += 1;
            if boards > 30 {
                break;
            }
            let writes = writes(&plans, objective);
            let optimum = objective.primary(plans[0].tally());
            for order in 0..6 {
                let ledger = Ledger::new(instance.as_ref(), Goal::Answer, &|_| {});
                let mut rng = fastrand::Rng::with_seed(seed * 6 + order);
                let mut parts: [Vec<&Write<'_>>; 3] = Default::default();
                for write in &writes {
                    parts[rng.usize(..3)].push(write);
                }
                parts.iter_mut().for_each(|part| rng.shuffle(part));
                machine::scope(|scope| {
                    for part in &parts {
                        let ledger = &ledger;
                        scope.spawn(move || {
                            let mut before = (0, u32::MAX, false);
                            for write in part {
                                write(ledger);
                                let upper = ledger.upper().unwrap_or(u32::MAX);
                                let now = (ledger.lower(), upper, ledger.is_over());
                                assert!(now.0 >= before.0 && now.1 <= before.1, "{now:?}");
                                assert!(now.2 || !before.2, "{now:?} after {before:?}");
                                assert!(now.0 <= optimum && now.1 >= optimum, "{now:?}");
                                before = now;
                            }
                        });
                    }
                });
                assert!(ledger.is_over());
                assert_eq!((ledger.lower(), ledger.upper()), (optimum, Some(optimum)));
                let cost = Cost::of(objective, plans[0].tally());
                assert_eq!(ledger.incumbent().known(), Some(cost));
                let outcome = ledger.into_outcome(None).expect("no engine failed");
                assert_eq!((outcome.verdict, outcome.stop), (Verdict::Solved, None));
                assert!(outcome.optimal && outcome.tie_optimal && outcome.shown.is_some());
            }
        }
        assert!(boards > 30, "{boards}");
    }

    #[test]
    fn a_run_is_over_when_a_plan_is_as_cheap_as_what_is_announced() {
        let (instance, plans) = (0..).find_map(|seed| board(seed, Objective::Moves)).expect("one");
        let optimum = Objective::Moves.primary(plans[0].tally());
        let ledger = Ledger::new(instance.as_ref(), Goal::Answer, &|_| {});
        ledger.offer(plans[1].clone());
        ledger.announce("learning", optimum);
        assert!(!ledger.is_over() && ledger.expects(optimum) && !ledger.expects(optimum + 1));
        ledger.offer(plans[0].clone());
        assert!(ledger.is_over());
        // An announcement shows nothing.
        let outcome = ledger.into_outcome(None).expect("no engine failed");
        assert_eq!((outcome.lower, outcome.optimal), (0, false));

        // Of tie-breaks nothing is announced.
        let found = (0..).find_map(|seed| board(seed, Objective::PushesMoves));
        let (instance, plans) = found.expect("one");
        let ledger = Ledger::new(instance.as_ref(), Goal::Answer, &|_| {});
        ledger.offer(plans[0].clone());
        let lower = Objective::PushesMoves.primary(plans[0].tally());
        ledger.announce("learning", lower);
        assert!(!ledger.is_over());
        ledger.raise(lower, Justification::FailedLiterals);
        assert!(!ledger.is_over() && ledger.is_tie_open());
        ledger.settle_tie();
        assert!(ledger.is_over());
    }

    /// What an invariant shows does not depend on who worked beside it, and for how long.
    #[test]
    fn an_invariant_brings_no_bound() {
        let (instance, _) = (0..).find_map(|seed| board(seed, Objective::Moves)).expect("one");
        for lower in [0, 33] {
            let ledger = Ledger::new(instance.as_ref(), Goal::Answer, &|_| {});
            ledger.raise(lower, Justification::FailedLiterals);
            ledger.refute(None, Justification::Invariant(2));
            let outcome = ledger.into_outcome(None).expect("no engine failed");
            assert_eq!((outcome.verdict, outcome.lower), (Verdict::Unsolvable, 0));
        }
    }

    #[test]
    fn goals_are_met_by_different_things() {
        let (instance, plans) = (0..).find_map(|seed| board(seed, Objective::Moves)).expect("one");
        let found = |goal| {
            let ledger = Ledger::new(instance.as_ref(), goal, &|_| {});
            ledger.offer(plans[1].clone());
            let is_over = ledger.is_over();
            let outcome = ledger.into_outcome(Some(Stop::Time)).expect("no engine failed");
            (is_over, outcome.stop)
        };
        assert_eq!(found(Goal::Answer), (false, Some(Stop::Time)));
        assert_eq!(found(Goal::FirstPlan), (true, None));
        assert_eq!(found(Goal::BetterPlans), (false, Some(Stop::Time)));
        assert_eq!(found(Goal::Solutions), (false, Some(Stop::Time)));
        for goal in [Goal::Answer, Goal::FirstPlan, Goal::BetterPlans, Goal::Solutions] {
            let ledger = Ledger::new(instance.as_ref(), goal, &|_| {});
            ledger.exhaust(Some(3), Justification::FailedLiterals);
            assert!(ledger.is_over());
            // What is settled stays so.
            ledger.refute(None, Justification::Invariant(1));
            let outcome = ledger.into_outcome(Some(Stop::Time)).expect("no engine failed");
            let nothing = (Verdict::NoSolutionWithin(3), None, 4);
            assert_eq!((outcome.verdict, outcome.stop, outcome.lower), nothing);
        }
    }
}
