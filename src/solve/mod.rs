//! From questions to verdicts: which engine is asked what, and what its answers show.
//!
//! * Where any plan will do and the family has features, feature-space search goes first; its plan
//!   is made shorter for a moment. [`improve`] does that for as long as one likes.
//! * `search`: A* over the family's space, to the end; when it holds much memory, beside a thread
//!   that looks for plans with weighted A*, so that states that cannot beat them need not be kept.
//! * `sat`: a plan that search finds in a moment is the upper bound; then horizons, from the one
//!   just below it and from the admissible lower bound upwards. By law 4 (a horizon permits every
//!   shorter plan) a refutation just below a plan shows that it is shortest. When that takes longer,
//!   several horizons are asked at the same time, one for each thread; and where the positions
//!   that a shorter plan could pass through are few enough, each is asked about by itself.
//! * `learn`: dead patterns, one waste after the other (see [`crate::learn`]).
//! * `auto`: search alone for a moment, then for a short time with reverse reachability beside it,
//!   which may show that there is no solution; if that does not settle it, search goes on beside a
//!   second thread that looks for plans with weighted A* and then refutes horizons, each using the
//!   bounds that the other has shown. Where pieces may be dropped, learning goes on beside all
//!   that; if it has shown more than search after a while, all others give way to the search for
//!   better plans, until the two bounds meet.

mod any;
mod confinement;
mod count;
mod gap;
mod horizons;
mod improvement;
mod initial_plan;
mod learning;
mod outcome;
mod portfolio;
mod sat;

use crate::advice::Advice;
use crate::backend::varisat::Varisat;
use crate::backend::{Backend, BackendError, Incremental};
use crate::improve as improve_plans;
use crate::instance::{Formula, Game, Instance, RejectedAnswerError, SearchEnd, SearchReport};
use crate::learn;
use crate::limits::{Limits, Stop};
use crate::machine::{self, Instant};
use crate::search::{SearchStats, Strategy};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use unstuck_encodings::{Cost, Filter, Step};
use unstuck_puzzles::Objective;

pub use count::Solutions;
pub use improvement::improve;
pub use learning::explain;
pub use outcome::{Justification, Outcome, Verdict};
#[cfg(feature = "cli")]
pub(crate) use portfolio::settles;
pub use sat::HorizonStats;
pub(crate) use sat::{SatOutcome, SolveStats, answer};

/// Who answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// A short scout by explicit search, then both.
    #[default]
    Auto,
    /// A SAT solver. Unless a horizon is named, a moment of search gives it a first plan: an upper
    /// bound, and nothing else.
    Sat,
    /// The same without questions about single steps: horizons alone, to compare rules of formulas.
    Horizons,
    /// Explicit search alone.
    Search,
    /// Learning dead patterns alone.
    Learn,
}

impl Engine {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sat => "sat",
            Self::Horizons => "horizons",
            Self::Search => "search",
            Self::Learn => "learn",
        }
    }
}

/// What is wanted, and with what means: the default, and what differs from it.
///
/// ```
/// use std::time::Duration;
/// use unstuck::limits::Limits;
/// use unstuck::solve::{Engine, Request};
///
/// let limits = Limits::new(Some(Duration::from_secs(8)), None);
/// let request = Request::default().with_engine(Engine::Search).with_limits(limits);
/// # assert_eq!(request.engine, Engine::Search);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Request {
    /// Who answers.
    pub engine: Engine,
    /// The SAT solver.
    pub backend: Arc<dyn Backend>,
    /// Ask this one horizon only.
    pub horizon: Option<Step>,
    /// Give up above this horizon.
    pub max_horizon: Option<Step>,
    /// Rules that are left out.
    pub filter: Filter,
    /// How many solutions to look for, where a family has no time (else one is enough).
    pub solutions: usize,
    /// Threads that search expands with, and horizons that are asked at the same time.
    pub threads: usize,
    /// Limits of the whole run.
    pub limits: Limits,
}

/// One solution, by all engines and rules, with the embedded solver and without limits.
impl Default for Request {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            backend: Arc::new(Varisat),
            horizon: None,
            max_horizon: None,
            filter: Filter::everything(),
            solutions: 1,
            threads: machine::all_threads(),
            limits: Limits::none(),
        }
    }
}

impl Request {
    /// Asks this engine.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// Asks this SAT solver.
    #[must_use]
    pub fn with_backend(self, backend: Arc<dyn Backend>) -> Self {
        Self { backend, ..self }
    }

    /// Asks this horizon only; all that are needed for `None`.
    #[must_use]
    pub fn with_horizon(self, horizon: impl Into<Option<Step>>) -> Self {
        Self { horizon: horizon.into(), ..self }
    }

    /// Gives up above this horizon; never for `None`.
    #[must_use]
    pub fn with_max_horizon(self, horizon: impl Into<Option<Step>>) -> Self {
        Self { max_horizon: horizon.into(), ..self }
    }

    /// Leaves rules out.
    #[must_use]
    pub fn with_filter(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// Looks for so many solutions, where a family has no time.
    #[must_use]
    pub fn with_solutions(self, solutions: usize) -> Self {
        Self { solutions, ..self }
    }

    /// Uses so many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Ends by these limits at the latest.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The solver for many small questions: the backend, where it keeps formulas, else the
    /// embedded one.
    pub fn incremental(&self) -> &dyn Incremental {
        self.backend.incremental().unwrap_or(&Varisat)
    }
}

/// Something that happened on the way: for progress displays.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Explicit search goes on.
    Searching(SearchStats),
    /// Single steps are asked about.
    Confining(String),
    /// Learning goes on.
    Learning(learn::LearnStats),
    /// A plan is being made shorter.
    Improving(improve_plans::ImproveStats),
    /// A horizon is about to be solved.
    Asking {
        /// The horizon.
        horizon: Step,
        /// Number of variables.
        variables: usize,
        /// Number of clauses.
        clauses: usize,
    },
    /// A horizon was answered.
    Answered(HorizonStats),
    /// A plan was found: the upper bound (in the objective's primary count).
    Plan(u32),
    /// Search has ended: what it showed, though others may still be at work.
    Known(Box<Outcome>),
}

impl Event {
    /// What is known now: no solution is cheaper, and one of this cost is there.
    pub fn bounds(&self) -> (Option<u32>, Option<u32>) {
        match self {
            Self::Searching(stats) => (Some(stats.lower.primary()), None),
            Self::Learning(stats) => (Some(stats.lower), None),
            Self::Improving(stats) => (None, Some(stats.cost.primary())),
            Self::Plan(length) => (None, Some(*length)),
            // A horizon that is asked is not refuted yet; it need not be the lowest one.
            Self::Confining(_) | Self::Asking { .. } | Self::Answered(_) | Self::Known(_) => {
                (None, None)
            }
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Searching(stats) => stats.fmt(f),
            Self::Confining(text) => f.write_str(text),
            Self::Learning(stats) => stats.fmt(f),
            Self::Improving(stats) => stats.fmt(f),
            Self::Asking { horizon, clauses, .. } => {
                write!(f, "asking for a solution within {horizon}: {clauses} clauses")
            }
            Self::Answered(asked) => write!(f, "horizon {}: {}", asked.horizon, asked.answer),
            Self::Plan(length) => write!(f, "a solution of {length} was found"),
            Self::Known(_) => f.write_str("search has ended"),
        }
    }
}

/// Where events go. It may be called from several threads.
pub type Progress<'a> = &'a (dyn Fn(&Event) + Sync);

/// Why there is no verdict at all.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// The solver could not run, or contradicted itself.
    Backend(BackendError),
    /// An internal error. The formula and the model are kept for a report, as DIMACS.
    Fault {
        /// What the check said.
        fault: RejectedAnswerError,
        /// The formula as DIMACS text and the model's literals, when a model was refused.
        formula: Option<(String, String)>,
    },
    /// A family without moves, named here, cannot be searched.
    NoMoves(&'static str),
    /// There are no pieces that may be dropped, or too many, in this family and under this
    /// objective.
    NoPieces(&'static str, Objective),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backend(error) => error.fmt(f),
            Self::Fault { fault, .. } => write!(f, "internal error: {fault}"),
            Self::NoPieces(family, objective) => {
                let objective = objective.name();
                write!(f, "{family} under `{objective}` has no pieces to drop, or too many")
            }
            Self::NoMoves(family) => write!(f, "{family} has no moves to search through"),
        }
    }
}

impl std::error::Error for SolveError {}

impl SolveError {
    /// The way out, where there is one.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::Backend(_) | Self::Fault { .. } => None,
            Self::NoMoves(_) | Self::NoPieces(..) => Some(Advice::SatEngine),
        }
    }
}

/// Solves one puzzle under one reading.
///
/// # Errors
/// See [`SolveError`]. A limit that strikes is no error: the outcome then has the best bounds.
pub fn solve(
    instance: &dyn Instance,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, SolveError> {
    let begun = Instant::now();
    let mut outcome = Outcome::new(instance);
    if request.horizon.is_some() || !unsolvable_reason(instance, &mut outcome) {
        match (request.engine, instance.moves()) {
            (Engine::Learn, game) => {
                learning::solve(instance, game, request, progress, &mut outcome)?;
            }
            (Engine::Search, None) => {
                return Err(SolveError::NoMoves(instance.family()));
            }
            (Engine::Sat | Engine::Horizons | Engine::Auto, None) => {
                count::solve(instance, request, progress, &mut outcome)?;
            }
            (Engine::Horizons, Some(game)) => {
                initial_plan::initial_plan(instance, game, request, progress, &mut outcome)?;
                horizons::solve(instance, request, progress, &mut outcome)?;
            }
            (Engine::Sat, Some(game)) => {
                initial_plan::initial_plan(instance, game, request, progress, &mut outcome)?;
                confinement::solve(instance, game, request, progress, &mut outcome)?;
            }
            (Engine::Search | Engine::Auto, Some(game)) if wants_any(instance, game, request) => {
                any::solve(instance, game, request, progress, &mut outcome)?;
            }
            (Engine::Auto, Some(game)) => {
                learning::beside(instance, game, request, progress, &mut outcome)?;
            }
            (Engine::Search, Some(game)) => {
                portfolio::solve(instance, game, request, progress, &mut outcome)?;
            }
        }
    }
    outcome.elapsed = begun.elapsed();
    Ok(outcome)
}

/// Solves a puzzle under its readings, in order, until one has a solution. The outcomes of the
/// readings that were tried, the one that counts last.
///
/// A reading that is not the last gets three quarters of the time that is left, so that the next
/// one has a chance too; once it has a plan, no other reading is asked, and it has all the time.
///
/// # Errors
/// Like [`solve`].
pub fn solve_readings(
    instances: &[Box<dyn Instance>],
    request: &Request,
    progress: Progress<'_>,
) -> Result<Vec<Outcome>, SolveError> {
    let mut outcomes = Vec::new();
    for (index, instance) in instances.iter().enumerate() {
        let mut request = request.clone();
        let has_plan = Arc::new(AtomicBool::new(false));
        if let (true, Some(left)) = (index + 1 < instances.len(), request.limits.time_left()) {
            request.limits = request.limits.within_until(left / 4 * 3, has_plan.clone());
        }
        let note = |event: &Event| {
            if let (_, Some(_)) = event.bounds() {
                has_plan.store(true, Ordering::Relaxed);
            }
            progress(event);
        };
        let outcome = solve(instance.as_ref(), &request, &note)?;
        let done = outcome.best.is_some() || outcome.stop == Some(Stop::Interrupted);
        outcomes.push(outcome);
        if done {
            break;
        }
    }
    Ok(outcomes)
}

/// Adds the clauses that models of a formula show to be missing (see [`Formula::refine`]) until a
/// model needs none or there is no model; the limit that struck before.
///
/// # Errors
/// Like [`solve`].
pub fn complete(
    formula: &mut dyn Formula,
    backend: &dyn Backend,
    limits: &Limits,
) -> Result<Option<Stop>, SolveError> {
    let meaning = sat::answer(formula, None, backend, limits, &mut sat::SolveStats::default())?;
    Ok(match meaning {
        sat::SatOutcome::Stopped(stop) => Some(stop),
        sat::SatOutcome::Solution { .. } | sat::SatOutcome::Refuted => None,
    })
}

/// Whether a plan of any length will do, and the family has features to look for one.
fn wants_any(instance: &dyn Instance, game: &dyn Game, request: &Request) -> bool {
    let unbounded = request.horizon.or(request.max_horizon).is_none();
    instance.objective() == Objective::Any && unbounded && game.attempts().is_some()
}

/// Whether the bound alone shows that there is no solution.
fn unsolvable_reason(instance: &dyn Instance, outcome: &mut Outcome) -> bool {
    if instance.lower_bound().is_some() {
        return false;
    }
    let reason = instance.unsolvable_reason().unwrap_or_else(|| "the admissible bound".to_owned());
    outcome.verdict = Verdict::Unsolvable;
    outcome.shown = Some(Justification::Bound(reason));
    true
}

/// How to search: for the cheapest plan, or any plan quickly.
pub(crate) fn strategy(request: &Request, objective: Objective) -> Strategy {
    let weight_tenths = if objective == Objective::Any { GREEDY_WEIGHT } else { 10 };
    let cap = request.horizon.or(request.max_horizon).map(Cost::up_to);
    Strategy { weight_tenths, cap, threads: request.threads, ..Strategy::default() }
}

/// Weight of the bound, in tenths, where any plan will do.
pub(crate) const GREEDY_WEIGHT: u64 = 30;

/// Notes what an unweighted search without a ceiling showed, or any such search that left nothing
/// to look at; the limit that ended it, if one did.
fn take_search(
    instance: &dyn Instance,
    searched: SearchReport,
    request: &Request,
    outcome: &mut Outcome,
) -> Result<Option<Stop>, SolveError> {
    let objective = instance.objective();
    let within = request.horizon.or(request.max_horizon);
    let shown = Justification::Search { bound: searched.bound };
    outcome.stats = Some(searched.stats);
    let counts = objective != Objective::Any;
    if counts {
        outcome.raise(searched.stats.lower.primary(), shown.clone());
    }
    match searched.end {
        SearchEnd::Found(plan) => {
            if counts {
                outcome.raise(objective.primary(plan.tally()), shown);
                outcome.optimal = true;
                outcome.tie_optimal = true;
            }
            outcome.offer(objective, plan);
            Ok(None)
        }
        SearchEnd::Exhausted => {
            outcome.verdict = match within {
                Some(horizon) => {
                    outcome.raise(horizon + 1, shown.clone());
                    Verdict::NoSolutionWithin(horizon)
                }
                None => Verdict::Unsolvable,
            };
            outcome.shown = Some(shown);
            Ok(None)
        }
        SearchEnd::Stopped(stop) => Ok(Some(stop)),
        SearchEnd::Fault(fault) => Err(SolveError::Fault { fault, formula: None }),
    }
}

/// The readings of a random small board of a family, for tests.
#[cfg(test)]
fn sampled(family: &str, objective: Objective, seed: u64) -> Vec<Box<dyn Instance>> {
    let family = crate::registry::by_name(family).expect("it is registered");
    (family.sample)(seed).instances(objective).expect("a known objective")
}
