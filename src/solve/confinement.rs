//! A SAT solver in two ways: by horizons, and by single steps (see [`crate::invariant::confine`]).
//!
//! A formula with all layers looks for states and a plan through them at once, and refuting it
//! means to rule out the same state again on every way that leads there. Where the states that a
//! plan below the best one known could pass through can be counted, one question about a step from
//! each is the shorter proof; where there are too many, none is asked. With a second thread both
//! ways are gone side by side, else one after the other.

use super::horizons::{self, ExternalBounds};
use super::portfolio::settles;
use super::{Event, Justification, Outcome, Progress, Request, SolveError};
use crate::instance::{Game, Instance};
use crate::invariant::confine::{ConfineTask, Premises};
use crate::invariant::pdr::InvariantError;
use crate::limits::{Limits, Monitor};
use crate::machine::{self, lock};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unstuck_encodings::Filter;
use unstuck_puzzles::Objective;

/// How long horizons are asked alone: most puzzles are solved by then.
const SOLO_TIME: Duration = Duration::from_secs(1);

/// States that may be asked about. They take 0.05 to 0.5 milliseconds each, and a kilobyte.
const MAX_STATES: usize = 500_000;

/// The part of a time limit that is left to them where nothing goes on beside.
const TIME_SHARE: f64 = 0.6;

/// Horizons and steps between the bounds of the outcome.
pub(super) fn solve(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let steps = Steps { instance, game, request, progress };
    if steps.upper(outcome).is_some() {
        let limits = request.limits.within(SOLO_TIME);
        let alone = Request { threads: 1, limits, ..request.clone() };
        horizons::solve(instance, &alone, progress, outcome)?;
        if settles(instance.objective(), outcome) || request.limits.reached_any().is_some() {
            return Ok(());
        }
        outcome.stop = None;
        outcome.asked.retain(|asked| asked.is_answered());
    }
    match steps.upper(outcome) {
        Some(upper) if request.threads > 1 && machine::has_threads() => {
            steps.beside(upper, outcome)
        }
        Some(upper) => {
            let limits = request.limits.share(TIME_SHARE);
            if let Some((lower, shown)) = steps.refute(upper, outcome.lower, &limits) {
                outcome.raise(lower, shown);
            }
            horizons::solve(instance, request, progress, outcome)
        }
        None => horizons::solve(instance, request, progress, outcome),
    }
}

/// No plan is shorter than this, and what showed it.
type RaisedBound = (u32, Justification);

#[derive(Clone, Copy)]
struct Steps<'a> {
    instance: &'a dyn Instance,
    game: &'a dyn Game,
    request: &'a Request,
    progress: Progress<'a>,
}

impl Steps<'_> {
    /// The length of the best plan, where steps are to be asked about below it: not where the
    /// question is about horizons or the rules of their formulas; nor where walking is free, because
    /// classes of states take a hundred times as long to list, and there are mostly too many.
    fn upper(self, outcome: &Outcome) -> Option<u32> {
        let objective = self.instance.objective();
        let is_free = self.request.horizon.or(self.request.max_horizon).is_none()
            && self.request.filter == Filter::everything()
            && self.request.backend.incremental().is_some();
        let best =
            outcome.best.as_ref().filter(|_| is_free && objective.first() == Objective::Moves)?;
        Some(objective.primary(best.tally())).filter(|&upper| upper > outcome.lower)
    }

    /// Shows a lower bound by steps, as high as it can be below a plan of this length.
    fn refute(self, upper: u32, lower: u32, limits: &Limits) -> Option<RaisedBound> {
        let backend = self.request.incremental();
        let mut say = |text: &str| (self.progress)(&Event::Confining(text.to_owned()));
        let mut monitor = Monitor::new(limits, &mut say);
        for budget in (lower..upper).rev() {
            let task = ConfineTask { budget, known: Premises::TooFar, most: MAX_STATES };
            match self.game.confine(task, backend, &mut monitor) {
                Ok(confined) => {
                    let (backend, classes) = (backend.name(), confined.classes);
                    return Some((budget + 1, Justification::Steps { backend, classes }));
                }
                // A plan of this length is there: horizons will find it.
                Err(InvariantError::Solvable) => {}
                Err(
                    InvariantError::Stopped(_)
                    | InvariantError::TooMany(_)
                    | InvariantError::Unfit(_),
                ) => break,
            }
        }
        None
    }

    /// Both ways side by side.
    fn beside(self, upper: u32, outcome: &mut Outcome) -> Result<(), SolveError> {
        let Self { instance, request, progress, .. } = self;
        let known = Mutex::new(ExternalBounds { threads: 1, ..ExternalBounds::default() });
        let over = Arc::new(AtomicBool::new(false));
        let limits = request.limits.clone().with_flag(over.clone());
        let lower = outcome.lower;
        machine::scope(|scope| {
            scope.spawn(|| {
                let raised = self.refute(upper, lower, &limits);
                let (lower, shown) = raised.unzip();
                let lower = lower.unwrap_or(0);
                *lock(&known) = ExternalBounds { lower, shown, threads: 0 };
            });
            let elsewhere = || lock(&known).clone();
            let ended = horizons::deepen(instance, request, progress, outcome, &elsewhere);
            over.store(true, Ordering::Relaxed);
            ended
        })
    }
}
