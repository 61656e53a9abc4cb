//! What is asked of a level, and with what means: the key under which logs know an answer.

use crate::args::{LimitArgs, SolveArgs};
use crate::input::SelectedLevel;
use crate::{Failure, json as objects};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use unstuck_puzzles::Objective;

/// Everything beside the level that an answer depends on: the field `question` of an object.
#[derive(Serialize)]
pub(crate) struct Question<'a> {
    /// What a shortest solution is shortest in.
    pub objective: &'static str,
    /// The one horizon that is asked.
    pub horizon: Option<u32>,
    /// The horizon above which we give up.
    pub max_horizon: Option<u32>,
    /// How many solutions are looked for, in families without moves.
    pub count: Option<usize>,
    /// Name of the engine.
    pub engine: &'a str,
    /// Name or command of the solver.
    pub backend: &'a str,
    /// Rules that are left out.
    pub without: Vec<String>,
    /// Whether all strengthening rules are.
    pub defining_only: bool,
    /// Those of the family.
    pub options: BTreeMap<&'a str, &'a str>,
    /// Whether it is asked if there is no other shortest solution.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unique: bool,
    /// Whether it is asked which rules act in shortest solutions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rules: bool,
    /// Numbers that are changed for an experiment.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub tune: &'a str,
}

/// How many solutions are looked for, in families without moves, where nothing else is said.
pub(crate) const SOLUTIONS: usize = 2;

/// The object of a level with what is asked of it, before there is an answer.
///
/// `unique` asks whether there is no other shortest one, `rules` which rules act in them.
///
/// # Errors
/// When the family does not know the objective, or a part of the request is wrong.
pub(crate) fn asked(
    chosen: &SelectedLevel,
    objective: Option<Objective>,
    (solve, time): (&SolveArgs, &LimitArgs),
    (solutions, unique, rules): (usize, bool, bool),
    horizon: Option<u32>,
) -> Result<Value, Failure> {
    let objective = chosen.objective(objective)?.name();
    let request = solve.request(horizon, time)?;
    let question = Question {
        objective,
        horizon,
        max_horizon: request.max_horizon,
        count: (!chosen.family.has_moves).then_some(solutions),
        engine: request.engine.name(),
        backend: solve.solver.name(),
        without: request.filter.without.iter().cloned().collect(),
        defining_only: request.filter.defining_only,
        options: chosen.options.iter().collect(),
        unique,
        rules,
        tune: &solve.threads.tune.tune.join(","),
    };
    let limits = limits(time.timeout, request.limits.memory);
    let fields = json!({ "objective": objective, "question": question, "limits": limits });
    Ok(objects::of_level("solve", chosen, fields))
}

/// The limits of a run as the field `limits` of an object.
pub(crate) fn limits(time: Option<Duration>, memory: Option<u64>) -> Value {
    json!({ "seconds": time.map(|time| time.as_secs_f64()), "memory_bytes": memory })
}
