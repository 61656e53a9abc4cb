//! What is asked of a level, and with what means: from arguments to a question, from a question to
//! the request of a solver. What a worker is sent is a question, and nothing else.

use crate::answer::json::SCHEMA;
use crate::input::args::{SolveArgs, TuneArgs, backend_of};
use crate::input::{self, SelectedLevel};
use crate::store::result::{GivenLimits, LevelQuestion, Question};
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use unstuck::registry::by_name;
use unstuck::solve::{EngineChoice, Request};
use unstuck_encodings::Filter;
use unstuck_puzzles::{Objective, Options};

/// How many solutions are looked for, in families without moves, where nothing else is said.
pub(crate) const SOLUTIONS: usize = 2;

/// What is asked of a level.
///
/// # Errors
/// When the family does not know the objective.
pub(crate) fn asked(
    command: &str,
    chosen: &SelectedLevel,
    objective: Option<Objective>,
    (solve, limits): (&SolveArgs, GivenLimits),
    horizon: Option<u32>,
) -> Result<LevelQuestion, Failure> {
    let objective = chosen.objective(objective)?.name().to_owned();
    let Filter { defining_only, without } = solve.filter.filter();
    let question = Question {
        objective: objective.clone(),
        horizon,
        max_horizon: solve.engine.max_horizon,
        count: (!chosen.family.has_moves).then_some(SOLUTIONS),
        engine: solve.engine.engine.unwrap_or_default().name().to_owned(),
        backend: solve.solver.name().to_owned(),
        without: without.into_iter().collect(),
        defining_only,
        options: input::options(&chosen.options),
        tune: solve.threads.tune.tune.join(","),
        ..Question::default()
    };
    Ok(LevelQuestion {
        schema: SCHEMA,
        command: command.to_owned(),
        file: chosen.source.clone(),
        number: Some(chosen.number as u64),
        title: chosen.level.title.clone(),
        puzzle: Some(chosen.family.name.to_owned()),
        id: chosen.id(),
        objective: Some(objective),
        question,
        limits,
        ..LevelQuestion::default()
    })
}

impl Question {
    /// The request for these threads; its limits count from now.
    ///
    /// # Errors
    /// When a part of it is none of this program's.
    pub(crate) fn request(&self, threads: usize, limits: &LimitArgs) -> Result<Request, Failure> {
        let engine = EngineChoice::from_name(&self.engine);
        let engine = engine
            .ok_or_else(|| Failure::usage(format!("there is no engine `{}`", self.engine)))?;
        let tune = Some(self.tune.clone()).filter(|tune| !tune.is_empty());
        let filter = Filter {
            defining_only: self.defining_only,
            without: self.without.iter().cloned().collect(),
        };
        let mut request = Request::default()
            .with_engine(engine)
            .with_backend(backend_of(&self.backend)?)
            .with_horizon(self.horizon)
            .with_max_horizon(self.max_horizon)
            .with_filter(filter)
            .with_threads(threads)
            .with_states(self.states)
            .with_limits(limits.begin())
            .with_tuning(TuneArgs { tune: tune.into_iter().collect() }.tuning()?);
        request.solutions = self.count.unwrap_or(SOLUTIONS);
        Ok(request)
    }
}

impl LevelQuestion {
    /// The level that a question of a store is about, read from its text.
    ///
    /// # Errors
    /// When the text is no level, or the family or one of its options is none.
    pub(crate) fn level(&self) -> Result<SelectedLevel, Failure> {
        let name = match self.number {
            Some(number) => format!("{} #{number}", self.file),
            None => self.file.clone(),
        };
        let family = self.puzzle.as_deref().and_then(by_name);
        let family = family.ok_or_else(|| Failure::usage(format!("{name}: no such family")))?;
        let given = self.question.options.iter().filter_map(|(name, value)| {
            let spec = family.options.iter().find(|spec| spec.name == name)?;
            Some((spec.name, value.as_str()))
        });
        let options = Options::new(family.options, given);
        let options = options.map_err(|error| Failure::parse(&name, &error, ""))?;
        let text = self.text.as_deref().unwrap_or_default();
        let mut chosen = SelectedLevel::of_text(&name, family, options, text)?;
        chosen.level.title.clone_from(&self.title);
        Ok(chosen)
    }
}
