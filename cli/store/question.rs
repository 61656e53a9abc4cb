//! What is asked of a level, and with what means: the key under which logs know an answer.

use crate::answer::json::SCHEMA;
use crate::input;
use crate::input::SelectedLevel;
use crate::input::args::SolveArgs;
use crate::store::result::{GivenLimits, LevelQuestion, Question};
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use unstuck_puzzles::Objective;

/// How many solutions are looked for, in families without moves, where nothing else is said.
pub(crate) const SOLUTIONS: usize = 2;

/// What is looked for beyond a solution.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    /// How many solutions, in families without moves.
    pub solutions: usize,
    /// Whether there is no other shortest one.
    pub unique: bool,
    /// Which rules act in shortest ones.
    pub rules: bool,
}

/// A question about a level, within limits.
pub(crate) fn about(
    command: &str,
    chosen: &SelectedLevel,
    question: Question,
    limits: GivenLimits,
) -> LevelQuestion {
    LevelQuestion {
        schema: SCHEMA,
        command: command.to_owned(),
        file: chosen.source.clone(),
        number: Some(chosen.number as u64),
        title: chosen.level.title.clone(),
        puzzle: Some(chosen.family.name.to_owned()),
        id: chosen.id(),
        question,
        limits,
        ..LevelQuestion::default()
    }
}

/// What is asked of a level.
///
/// # Errors
/// When the family does not know the objective, or a part of the request is wrong.
pub(crate) fn asked(
    chosen: &SelectedLevel,
    objective: Option<Objective>,
    (solve, time): (&SolveArgs, &LimitArgs),
    search: Search,
    horizon: Option<u32>,
) -> Result<LevelQuestion, Failure> {
    let objective = chosen.objective(objective)?.name().to_owned();
    let request = solve.request(horizon, time)?;
    let question = Question {
        objective: objective.clone(),
        horizon,
        max_horizon: request.max_horizon,
        count: (!chosen.family.has_moves).then_some(search.solutions),
        engine: request.engine.name().to_owned(),
        backend: solve.solver.name().to_owned(),
        without: request.filter.without.iter().cloned().collect(),
        defining_only: request.filter.defining_only,
        options: input::options(&chosen.options),
        unique: search.unique,
        rules: search.rules,
        tune: solve.threads.tune.tune.join(","),
        ..Question::default()
    };
    let limits = GivenLimits::new(time.timeout, request.limits.memory);
    let asked = about("solve", chosen, question, limits);
    Ok(LevelQuestion { objective: Some(objective), ..asked })
}
