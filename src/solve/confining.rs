//! A SAT solver in two ways: by horizons, and by single steps (see [`crate::invariant::confine`]).
//!
//! A formula with all layers looks for states and a plan through them at once, and refuting it means
//! to rule out the same state again on every way that leads there. Where the states that a plan below
//! the best one known could pass through can be counted, one question about a step from each is the
//! shorter proof; where there are too many, nobody is asked. With a second thread both ways are gone
//! side by side, else one after the other.

use super::portfolio::settles;
use super::{Engine, Event, Outcome, Progress, Request, Shown, SolveError, horizons};
use crate::instance::{Game, Instance};
use crate::invariant::confine::{Known, Task};
use crate::invariant::pdr::NotFound;
use crate::limits::Limits;
use crate::machine;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use unstuck_encodings::Filter;
use unstuck_puzzles::Objective;

/// How long horizons are asked alone: most puzzles are solved by then.
const ALONE: Duration = Duration::from_secs(1);

/// States that may be asked about. They take 0.05 to 0.5 milliseconds each, and a kilobyte.
const STATES: usize = 500_000;

/// The part of a time limit that is left to them where nothing goes on beside.
const SHARE: f64 = 0.6;

/// Horizons and steps between the bounds of the outcome.
pub(super) fn solve(
    instance: &dyn Instance,
    game: &dyn Game,
    request: &Request,
    progress: Progress<'_>,
    outcome: &mut Outcome,
) -> Result<(), SolveError> {
    let steps = Steps { instance, game, request, progress };
    let Some(upper) = steps.upper(outcome) else {
        return horizons::solve(instance, request, progress, outcome);
    };
    let limits = request.limits.within(ALONE);
    let alone = Request { threads: 1, limits, ..request.clone() };
    horizons::solve(instance, &alone, progress, outcome)?;
    if settles(instance.objective(), outcome) || request.limits.reached_any().is_some() {
        return Ok(());
    }
    outcome.stop = None;
    outcome.asked.retain(|asked| asked.is_answered());
    let upper = steps.upper(outcome).unwrap_or(upper);
    let shown = if request.threads > 1 && machine::has_threads() {
        steps.beside(upper, outcome)?
    } else {
        let shown = steps.refute(upper, outcome.lower, &request.limits.share(SHARE));
        if let Some((lower, shown)) = shown {
            outcome.raise(lower, shown);
        }
        // What is left: the tie-break, or all of it.
        horizons::solve(instance, request, progress, outcome)?;
        None
    };
    let Some((lower, shown)) = shown else { return Ok(()) };
    outcome.raise(lower, shown);
    outcome.stop = None;
    horizons::solve(instance, request, progress, outcome)
}

/// No plan is shorter than this, and what showed it.
type Raised = (u32, Shown);

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
        let is_free = self.request.engine == Engine::Sat
            && self.request.horizon.or(self.request.max_horizon).is_none()
            && self.request.filter == Filter::everything()
            && self.request.backend.incremental().is_some();
        let best =
            outcome.best.as_ref().filter(|_| is_free && objective.first() == Objective::Moves)?;
        Some(objective.primary(best.tally())).filter(|&upper| upper > outcome.lower)
    }

    /// Shows a lower bound by steps, as high as it can be below a plan of this length.
    fn refute(self, upper: u32, lower: u32, limits: &Limits) -> Option<Raised> {
        let backend = self.request.incremental();
        let mut say = |effort| (self.progress)(&Event::Confining(effort));
        for budget in (lower..upper).rev() {
            let task = Task { budget, known: Known::TooFar, most: STATES };
            match self.game.confine(task, backend, limits, &mut say) {
                Ok(confined) => {
                    let backend = self.request.incremental().name();
                    let shown = Shown::Steps { backend, classes: confined.classes };
                    return Some((budget + 1, shown));
                }
                // A plan of this length is there: horizons will find it.
                Err(NotFound::Solvable) => {}
                Err(NotFound::Stopped(_) | NotFound::TooMany(_) | NotFound::Unfit(_)) => break,
            }
        }
        None
    }

    /// Both ways side by side; what the steps have shown, if it settled the question.
    fn beside(self, upper: u32, outcome: &mut Outcome) -> Result<Option<Raised>, SolveError> {
        let Self { instance, request, progress, .. } = self;
        let (known, busy) = (AtomicU32::new(0), AtomicU32::new(1));
        let over = Arc::new(AtomicBool::new(false));
        let limits = request.limits.clone().with_flag(over.clone());
        let lower = outcome.lower;
        machine::scope(|scope| {
            let steps = scope.spawn(|| {
                let raised = self.refute(upper, lower, &limits);
                if let Some((lower, _)) = &raised {
                    known.store(*lower, Ordering::Relaxed);
                }
                busy.store(0, Ordering::Relaxed);
                raised
            });
            let elsewhere = || horizons::Elsewhere {
                lower: known.load(Ordering::Relaxed),
                threads: busy.load(Ordering::Relaxed) as usize,
            };
            let ended = horizons::deepen(instance, request, progress, outcome, &elsewhere);
            over.store(true, Ordering::Relaxed);
            let raised = steps.join();
            ended?;
            Ok(raised.filter(|(lower, _)| *lower > outcome.lower))
        })
    }
}
