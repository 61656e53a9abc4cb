//! What is asked of a level, and with what means: the key under which logs know an answer.

use crate::args::{LimitArgs, SolveArgs};
use crate::input::SelectedLevel;
use crate::{Failure, json as objects};
use serde_json::{Value, json};
use std::time::Duration;
use unstuck::solve::Request;
use unstuck_puzzles::Objective;

/// Everything beside the level that an answer depends on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// What a shortest solution is shortest in.
    pub objective: Objective,
    /// The one horizon that is asked, the horizon above which we give up, and how many solutions
    /// are looked for.
    pub horizon: Option<u32>,
    /// The horizon above which we give up.
    pub max_horizon: Option<u32>,
    /// How many solutions are looked for, in families without moves.
    pub count: Option<usize>,
    /// Name of the engine.
    pub engine: String,
    /// Name or command of the solver.
    pub backend: String,
    /// Rules that are left out.
    pub without: Vec<String>,
    /// Whether all strengthening rules are.
    pub defining_only: bool,
}

impl Question {
    /// The question that a request asks.
    pub(crate) fn of(
        request: &Request,
        objective: Objective,
        backend: &str,
        count: Option<usize>,
    ) -> Self {
        Self {
            objective,
            horizon: request.horizon,
            max_horizon: request.max_horizon,
            count,
            engine: request.engine.name().to_owned(),
            backend: backend.to_owned(),
            without: request.filter.without.iter().cloned().collect(),
            defining_only: request.filter.defining_only,
        }
    }

    /// The question as the field `question` of an object, with the family's options.
    pub(crate) fn to_json(&self, chosen: &SelectedLevel) -> Value {
        let options: serde_json::Map<String, Value> =
            chosen.options.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        json!({
            "objective": self.objective.name(),
            "horizon": self.horizon,
            "max_horizon": self.max_horizon,
            "count": self.count,
            "engine": self.engine,
            "backend": self.backend,
            "without": self.without,
            "defining_only": self.defining_only,
            "options": options,
        })
    }
}

/// How many solutions are looked for, in families without moves, where nothing else is said.
pub(crate) const SOLUTIONS: usize = 2;

/// The object of a level with what is asked of it, before there is an answer.
///
/// # Errors
/// When the family does not know the objective, or a part of the request is wrong.
pub(crate) fn asked(
    chosen: &SelectedLevel,
    objective: Option<Objective>,
    (solve, time): (&SolveArgs, &LimitArgs),
    solutions: usize,
    horizon: Option<u32>,
) -> Result<Value, Failure> {
    let objective = chosen.objective(objective)?;
    let request = solve.request(horizon, time)?;
    let count = (!chosen.family.has_moves).then_some(solutions);
    let question = Question::of(&request, objective, solve.solver.name(), count);
    let mut asked = objects::of_level("solve", chosen);
    asked["objective"] = json!(objective.name());
    asked["question"] = question.to_json(chosen);
    asked["limits"] = limits(time.timeout, request.limits.memory);
    Ok(asked)
}

/// The limits of a run as the field `limits` of an object.
pub(crate) fn limits(time: Option<Duration>, memory: Option<u64>) -> Value {
    json!({ "seconds": time.map(|time| time.as_secs_f64()), "memory_bytes": memory })
}
