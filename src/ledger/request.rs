//! What is wanted, and with what means.

use crate::backend::varisat::Varisat;
use crate::backend::{Backend, Incremental};
use crate::limits::Limits;
use crate::machine;
use crate::tuning::Tuning;
use std::sync::Arc;
use unstuck_encodings::{Filter, Step};

/// Who answers: which schedule is worked through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// A short scout by explicit search, then all engines together.
    #[default]
    Auto,
    /// A SAT solver. Unless a horizon is named, a moment of search gives it a first plan: an upper
    /// bound, and nothing else.
    Sat,
    /// Explicit search alone.
    Search,
    /// Learning dead patterns alone.
    Learn,
}

impl EngineChoice {
    /// All choices, the usual one first.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Sat, Self::Search, Self::Learn];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sat => "sat",
            Self::Search => "search",
            Self::Learn => "learn",
        }
    }

    /// The choice of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// What is wanted, and with what means: the default, and what differs from it.
///
/// ```
/// use std::time::Duration;
/// use unstuck::limits::Limits;
/// use unstuck::solve::{EngineChoice, Request};
///
/// let limits = Limits::new(Some(Duration::from_secs(8)), None);
/// let request = Request::default().with_engine(EngineChoice::Search).with_limits(limits);
/// # assert_eq!(request.engine, EngineChoice::Search);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// Who answers.
    pub engine: EngineChoice,
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
    /// Work of one thread that is counted, so that the same comes out on every machine: states that
    /// each search looks at, conflicts of the embedded SAT solver. Threads and the clock then decide
    /// nothing, unless another limit strikes.
    pub states: Option<u64>,
    /// Limits of the whole run.
    pub limits: Limits,
    /// The numbers that were found by experiment.
    pub tuning: Tuning,
}

/// One solution, by all engines and rules, with the embedded solver and without limits.
impl Default for Request {
    fn default() -> Self {
        Self {
            engine: EngineChoice::default(),
            backend: Arc::new(Varisat),
            horizon: None,
            max_horizon: None,
            filter: Filter::everything(),
            solutions: 1,
            threads: machine::all_threads(),
            states: None,
            limits: Limits::none(),
            tuning: Tuning::default(),
        }
    }
}

impl Request {
    /// Asks this engine.
    #[must_use]
    pub fn with_engine(self, engine: EngineChoice) -> Self {
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

    /// Ends after so many states or conflicts of each engine, in one thread; for `None` never.
    #[must_use]
    pub fn with_states(self, states: impl Into<Option<u64>>) -> Self {
        Self { states: states.into(), ..self }
    }

    /// Ends by these limits at the latest.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Works with other numbers.
    #[must_use]
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// The greatest horizon that is asked about, where the question has one.
    pub fn bounded(&self) -> Option<Step> {
        self.horizon.or(self.max_horizon)
    }

    /// The solver for many small questions: the backend, where it keeps formulas, else the
    /// embedded one.
    pub fn incremental(&self) -> &dyn Incremental {
        self.backend.incremental().unwrap_or(&Varisat)
    }
}
