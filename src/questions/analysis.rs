//! A game as questions see it: its positions, and the solver.
//!
//! The solver answers what a first look at a few positions does not, and what it shows goes into the
//! atlas. What is left for a search of the atlas' own are ties, and games with constraints, of which
//! the solver knows nothing.

use crate::atlas::{Atlas, CostToGo, Id};
use crate::instance::{Instance, Verified, atlas};
use crate::limits::Limits;
use crate::solve::{Event, Outcome, Request, Verdict, first_plan, solve};
use unstuck_encodings::Cost;
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

/// A game that questions are asked about.
pub struct Analysis<'a> {
    /// Its positions.
    pub atlas: Box<dyn Atlas>,
    instance: &'a dyn Instance,
    /// Whether the solver can be asked: it knows no constraints.
    is_plain: bool,
    /// Positions that are looked at before the solver is asked.
    first_look: usize,
    /// Positions that the solver's search has looked at.
    searched: u64,
    progress: Box<dyn Fn(&Event) + Sync + 'a>,
}

/// What is known of the rest of a game.
#[derive(Clone, Debug)]
pub struct Rest {
    /// What it costs.
    pub cost: CostToGo,
    /// A plan, which need not be a shortest one.
    pub plan: Option<Verified>,
}

impl Rest {
    /// Whether the game can be solved; `None` when that is not known.
    pub fn is_solvable(&self) -> Option<bool> {
        match self.cost {
            CostToGo::Never => Some(false),
            CostToGo::Exactly(_) => Some(true),
            CostToGo::AtLeast(_) | CostToGo::Stopped(..) => self.plan.as_ref().map(|_| true),
        }
    }
}

/// Positions that are looked at before the solver is asked: where they suffice, what was learned of
/// them serves all later questions.
const FIRST_LOOK: usize = 2_000;

impl<'a> Analysis<'a> {
    /// The game of a puzzle, with constraints; `None` for families without moves.
    pub fn new(instance: &'a dyn Instance, constraints: &Constraints) -> Option<Self> {
        let atlas = atlas(instance, constraints)?;
        let is_plain = constraints.is_empty();
        let first_look = if is_plain { FIRST_LOOK } else { usize::MAX };
        let progress = Box::new(|_: &Event| {});
        Some(Self { atlas, instance, is_plain, first_look, searched: 0, progress })
    }

    /// The puzzle.
    pub fn instance(&self) -> &'a dyn Instance {
        self.instance
    }

    /// The same, with the solver, where it can be asked, asked after a look at so many positions.
    #[must_use]
    pub fn with_first_look(self, positions: usize) -> Self {
        let first_look = if self.is_plain { positions } else { self.first_look };
        Self { first_look, ..self }
    }

    /// The same, with the progress of the solver passed on.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(&Event) + Sync + 'a) -> Self {
        Self { progress: Box::new(progress), ..self }
    }

    /// What the rest of the game costs from the start.
    pub fn rest(&mut self, limits: &Limits) -> Rest {
        let start = self.atlas.start();
        self.rest_after("", start, false, limits)
    }

    /// What the rest of the game costs from the position `at`, to which these moves lead. For `any`
    /// plan the solver ends with the first.
    pub fn rest_after(&mut self, moves: &str, at: Id, any: bool, limits: &Limits) -> Rest {
        let seen = self.atlas.cost_to_go_within(at, None, self.first_look, limits);
        if !self.is_plain || seen.stop().is_none() {
            return Rest { cost: seen, plan: None };
        }
        let Some(outcome) = self.solved(moves, any, limits) else {
            return Rest { cost: self.atlas.cost_to_go(at, None, limits), plan: None };
        };
        self.learn(at, &outcome);
        let cost = match (self.atlas.cost_to_go_within(at, None, 0, &Limits::none()), outcome.stop)
        {
            (CostToGo::Stopped(_, lower), Some(stop)) => CostToGo::Stopped(stop, lower),
            // A plan that is not known to be shortest was not asked to be, or it has ties.
            (CostToGo::Stopped(_, lower), None) if outcome.best.is_some() => {
                CostToGo::AtLeast(lower)
            }
            (CostToGo::Stopped(..), None) => self.atlas.cost_to_go(at, None, limits),
            (cost, _) => cost,
        };
        Rest { cost, plan: outcome.best }
    }

    /// What the solver says after some moves; `None` where it cannot be asked.
    fn solved(&mut self, moves: &str, any: bool, limits: &Limits) -> Option<Outcome> {
        let later = match moves {
            "" => None,
            moves => Some(self.instance.continued(moves).ok()?),
        };
        let instance = later.as_deref().unwrap_or(self.instance);
        let request = Request::default().with_limits(limits.clone());
        let outcome = match any {
            true => first_plan(instance, &request, &self.progress),
            false => solve(instance, &request, &self.progress),
        };
        let outcome = outcome.ok()?;
        self.searched += outcome.stats.map_or(0, |stats| stats.states);
        Some(outcome)
    }

    /// Positions that search has looked at so far, the solver's included.
    pub fn seen(&self) -> u64 {
        self.atlas.seen() + self.searched
    }

    /// Takes note of what the solver has found in the position `at`.
    pub fn learn(&mut self, at: Id, outcome: &Outcome) {
        if outcome.verdict == Verdict::Unsolvable {
            return self.atlas.learn(at, None, None);
        }
        let (objective, best) = (self.instance.objective(), outcome.best.as_ref());
        let lower = match best.filter(|_| outcome.optimal && outcome.tie_optimal) {
            _ if objective == Objective::Any => Cost::ZERO,
            Some(best) => Cost::of(objective, best.tally()),
            None => Cost::new(outcome.lower, 0),
        };
        self.atlas.learn(at, best.map(Verified::text), Some(lower));
    }
}
