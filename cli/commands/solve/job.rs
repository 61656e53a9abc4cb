//! The levels of a batch, as they are asked about, and the way from one to its result.

use crate::commands::fill::say_untaken;
use crate::commands::query::{self, AnswerArgs};
use crate::commands::replay;
use crate::commands::solve::args::{ShownArgs, SolveCommand};
use crate::commands::solve::shown::rendered;
use crate::commands::solve::solved::SolvedLevel;
use crate::commands::solve::{improved, unique};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::store::derive::{OPEN, Recalled};
use crate::store::open_store::OpenStore;
use crate::store::question;
use crate::store::result::{GivenLimits, LevelQuestion, LevelResult};
use crate::store::retry::{Retry, should_retry};
use crate::store::shards::Key;
use crate::store::table::Row;
use crate::terminal::failure::Failure;
use crate::terminal::progress::{self, Display, is_on_terminal};
use crate::terminal::text::Text;
use crate::terminal::{guard, output};
use std::collections::BTreeMap;
use std::sync::Mutex;
use unstuck::instance::Instance;
use unstuck::limits::Stop;
use unstuck::machine::lock;
use unstuck::report::sentences;
use unstuck::solve::{Event, Outcome, SolveError, Verdict, explain, solve_readings};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Objective, Style};

/// One level and one horizon of a batch.
pub(super) struct BatchTask<'a> {
    pub chosen: &'a SelectedLevel,
    pub horizon: Option<u32>,
    /// Level, question, limits.
    pub asked: LevelQuestion,
    /// The readings; or what is wrong with the level.
    pub instances: Result<Vec<Box<dyn Instance>>, Failure>,
    /// Its key in the log, where there is one, and what that says of it.
    pub key: Option<Key>,
    pub earlier: Option<Recalled>,
}

/// What came of a level.
pub(super) type Solved = Result<SolvedLevel, Failure>;

/// A task, or a file that could not be read.
pub(super) type Item<'a> = Result<BatchTask<'a>, (&'a str, &'a Failure)>;

/// What is to be done.
pub(super) struct BatchJob<'a> {
    pub args: &'a SolveCommand,
    pub single: bool,
    pub items: Vec<Item<'a>>,
    pub after: Option<String>,
    pub constraints: Constraints,
    /// What search has found of levels that are at work.
    pub known: Mutex<BTreeMap<usize, Outcome>>,
}

impl<'a> BatchJob<'a> {
    /// All levels in all horizons.
    pub(super) fn items(&self, found: &'a SelectedLevels) -> Result<Vec<Item<'a>>, Failure> {
        let mut items = Vec::new();
        for one in found {
            let chosen = match one {
                Ok(chosen) => chosen,
                Err(read_failure) => {
                    items.push(Err((read_failure.source.as_str(), &read_failure.failure)));
                    continue;
                }
            };
            for horizon in self.args.solve.horizons() {
                let SolveCommand { solve, answer: AnswerArgs { limits, .. }, .. } = self.args;
                let (objective, search) = (self.objective(), self.args.solution.search());
                let means = (&**solve, GivenLimits::new(limits.timeout, limits.memory()));
                let mut asked =
                    question::asked("solve", chosen, objective, means, search, horizon)?;
                if self.args.solution.improve {
                    "improve".clone_into(&mut asked.question.engine);
                }
                asked.after.clone_from(&self.after);
                asked.wishes = Some(self.constraints.to_string()).filter(|it| !it.is_empty());
                let instances = self.instances(chosen, self.objective());
                items.push(Ok(BatchTask {
                    chosen,
                    horizon,
                    asked,
                    instances,
                    key: None,
                    earlier: None,
                }));
            }
        }
        Ok(items)
    }

    pub(super) fn objective(&self) -> Option<Objective> {
        self.args.levels.reading.objective
    }

    /// The readings of a level, as it is asked about.
    pub(super) fn instances(
        &self,
        chosen: &SelectedLevel,
        objective: Option<Objective>,
    ) -> Result<Vec<Box<dyn Instance>>, Failure> {
        query::asked(chosen, objective, self.after.as_deref(), &self.constraints)
    }

    /// How the line of a level is printed: over moves or boards; else as progress on a terminal, for
    /// the table at the end says the same.
    pub(super) fn lines(&self) -> Option<fn(&str)> {
        let ShownArgs { stages, moves, compare } = self.args.solution.shown;
        match stages || moves || compare {
            true => Some(|line| output::print(format!("{line}\n"))),
            false => is_on_terminal().then_some(|line| output::say(line)),
        }
    }

    /// Whether the lines on a terminal have said all that the table would say.
    pub(super) fn lines_are_all(&self) -> bool {
        let ShownArgs { stages, moves, compare } = self.args.solution.shown;
        is_on_terminal() && output::is_on_terminal() && !(stages || moves || compare)
    }

    /// What is known of a level that did not end in time.
    pub(super) fn left(&self, at: usize, task: &BatchTask<'_>, stop: Stop) -> Solved {
        let instances = self.instances(task.chosen, self.objective())?;
        let known = lock(&self.known).remove(&at);
        let mut outcome = known.unwrap_or_else(|| Outcome::new(instances[0].as_ref()));
        outcome.stop = Some(stop);
        if let Verdict::Unknown(why) = &mut outcome.verdict {
            *why = Some(stop);
        }
        Ok(SolvedLevel::new(instances, outcome, None))
    }

    /// Prints the line of a level that has ended, where a batch has lines.
    pub(super) fn show_line(&self, at: usize, row: &Row) {
        if let Some(print) = self.lines() {
            print(&row.line(at + 1, self.items.len(), progress::columns()));
        }
    }

    /// Looks up all levels in the log. What it says and what cannot be is not taken.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn recall(&mut self, log: &OpenStore) -> Result<(), Failure> {
        for task in self.items.iter_mut().flatten() {
            let Ok(instances) = &task.instances else { continue };
            task.key = task.asked.clone().in_store(task.chosen).stored_key();
            let line = task.key.map(|key| log.find(key)).transpose()?.flatten();
            let Some(line) = line else { continue };
            match Recalled::of(&task.asked, instances, &line) {
                Ok(recalled) => task.earlier = Some(recalled).filter(|it| it.outcome.is_some()),
                Err(wrong) => say_untaken(&task.chosen.name(), &wrong.to_string()),
            }
        }
        Ok(())
    }

    /// What the log knows of a level, unless it is to be solved again.
    pub(super) fn known<'b>(&self, task: &'b BatchTask<'_>) -> Option<&'b Recalled> {
        let retry = self.args.kept.retry.unwrap_or(Retry::Unknown);
        let earlier = task.earlier.as_ref()?;
        (!should_retry(&earlier.result, retry, task.asked.limits)).then_some(earlier)
    }

    /// How many levels are solved at once: as many as there are threads where none has moves, for
    /// a solver in one thread answers these; else one that takes all threads.
    pub(super) fn at_once(&self) -> usize {
        let has_moves = |item: &Item<'_>| item.as_ref().is_ok_and(|it| it.chosen.family.has_moves);
        if self.single || self.items.iter().any(has_moves) {
            return 1;
        }
        let backend = self.args.solve.solver.open();
        let most = backend.map_or(1, |backend| backend.at_once());
        self.args.solve.threads.count().min(most).max(1)
    }

    /// Solves a level, and shows what goes on where it is the only one at work.
    pub(super) fn solve(&self, at: usize, task: &BatchTask<'_>, alone: bool) -> Solved {
        let (args, chosen) = (self.args, task.chosen);
        let limit = args.answer.limits.timeout;
        let show = || Display::new(&self.label(at, task), args.answer.output, limit);
        let display = alone.then(show);
        let instances = self.instances(chosen, self.objective())?;
        if self.single && !args.answer.output.quiet && self.after.is_none() {
            as_given(chosen, &instances);
        }
        let mut request = args.solve.request(task.horizon, &args.answer.limits)?;
        request.solutions = args.solution.search().solutions;
        let note = |event: &Event| match event {
            Event::Known(outcome) if self.single => self.know(task, outcome),
            Event::Known(outcome) => {
                lock(&self.known).insert(at, outcome.as_ref().clone());
            }
            event => {
                if self.single {
                    guard::hear(event, &instances);
                }
                display.iter().for_each(|display| display.note(event));
            }
        };
        if args.solution.improve {
            let given = args.solution.from_solution.as_ref();
            let begun = improved::begun(given, chosen, &instances)?;
            let known = begun.as_ref().map(|(_, plan)| plan.clone());
            let outcome = improved::solve(&instances, begun, &request, &note);
            let outcome = outcome.map_err(|error| failure(chosen, &error))?;
            return Ok(SolvedLevel { instances, outcome, begun: known, counted: None });
        }
        let outcomes = solve_readings(&instances, &request, &note);
        let mut outcomes = outcomes.map_err(|error| failure(chosen, &error))?;
        let mut outcome = outcomes.pop().expect("every puzzle has a reading");
        let instance = instances[outcomes.len()].as_ref();
        explain(instance, &request, &mut outcome);
        let mut counted = None;
        if args.solution.unique {
            if self.single {
                self.know(task, &outcome);
            }
            let rules = args.solution.rules;
            counted = unique::counted(instance, &outcome, rules, &request.limits)?;
        }
        for earlier in outcomes {
            if self.single && !args.answer.output.quiet && !args.answer.output.json {
                let verdict = sentences::verdict(instances[0].as_ref(), &earlier);
                output::say(format!("{}: {verdict}", chosen.name()));
            }
        }
        Ok(SolvedLevel { instances, outcome, begun: None, counted })
    }

    /// Takes note of what search has found, while others may still be at work.
    pub(super) fn know(&self, task: &BatchTask<'_>, outcome: &Outcome) {
        let objective = task.asked.objective.as_deref().and_then(Objective::from_name);
        let Ok(instances) = self.instances(task.chosen, objective) else { return };
        let outcome = outcome.clone();
        let solved = SolvedLevel { instances, outcome, begun: None, counted: None };
        let (outcome, unique) = (&solved.outcome, self.args.solution.unique);
        let instance = solved.instance();
        let text = if self.args.answer.output.json {
            let mut result = self.result(task, &solved);
            result.answer = result.answer.with_stages(outcome);
            Text::from(&format!("{result}\n"))
        } else {
            rendered(self.args, task.chosen, &solved)
        };
        // Files that were asked for are written at the end.
        let kept = &self.args.kept;
        let files = self.args.pictures.wanted() || kept.record.is_some() || kept.log.is_some();
        let settled = outcome.is_final(instance.objective()) && solved.instances.len() == 1;
        let code = match outcome.verdict.exit_code() {
            0 if unique => OPEN,
            code => code,
        };
        guard::know(text, code, settled && !files && !unique);
    }

    /// What came out of a level.
    pub(super) fn result(&self, task: &BatchTask<'_>, solved: &SolvedLevel) -> LevelResult {
        let mut result = LevelResult::of(task.asked.clone(), solved.instance(), &solved.outcome);
        if self.args.solution.unique {
            unique::complete(&mut result.answer, solved);
        }
        result
    }

    /// Whether the next task is the same level in a larger horizon: of a sweep the largest decides.
    pub(super) fn has_next_horizon(&self, at: usize) -> bool {
        match (self.items.get(at), self.items.get(at + 1)) {
            (Some(Ok(task)), Some(Ok(next))) => std::ptr::eq(task.chosen, next.chosen),
            _ => false,
        }
    }

    /// What a row calls a level: in a sweep with the horizon.
    pub(super) fn name(&self, task: &BatchTask<'_>) -> String {
        let name = task.chosen.short_name();
        match task.horizon.filter(|_| self.args.solve.horizons().len() > 1) {
            Some(horizon) => format!("{name} in {horizon}"),
            None => name,
        }
    }

    /// What the display calls a level.
    pub(super) fn label(&self, at: usize, task: &BatchTask<'_>) -> String {
        match self.single {
            true => task.chosen.name(),
            false => format!("[{}/{}] {}", at + 1, self.items.len(), self.name(task)),
        }
    }
}

/// Says which numbers the recorded solution of a level leads to: some files ask for those alone,
/// and no shorter solution answers them.
fn as_given(chosen: &SelectedLevel, instances: &[Box<dyn Instance>]) {
    let Some(given) = chosen.level.solutions.first() else { return };
    let replayed = instances.iter().find_map(|it| it.replay(given, Style::Plain, None).ok());
    let facts = replayed.map(|replayed| replay::numbers(&replayed.facts)).unwrap_or_default();
    if facts.is_empty() {
        return;
    }
    let words: Vec<String> = facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
    output::say(format!(
        "note: as recorded in the file: {}; `unstuck replay` shows the end",
        words.join(", ")
    ));
}

/// What to report when there is no outcome. A refused model is saved for a report.
fn failure(chosen: &SelectedLevel, error: &SolveError) -> Failure {
    let message = format!("{}: {error}", chosen.name());
    let SolveError::Fault { formula, .. } = error else {
        return Failure::usage(message).advised(error.advice());
    };
    let mut help = "this is an internal error: please report it".to_owned();
    let folder = tempfile::Builder::new().prefix("unstuck-fault-").tempdir();
    if let Ok(folder) = folder {
        let folder = folder.keep();
        let mut files = vec![("level.txt", chosen.level.text.as_str())];
        if let Some((cnf, model)) = formula {
            files.extend([("formula.cnf", cnf.as_str()), ("model.txt", model.as_str())]);
        }
        let saved =
            files.iter().all(|(name, text)| std::fs::write(folder.join(name), text).is_ok());
        if saved {
            help.push_str(&format!(" with the files in {}", folder.display()));
        }
    }
    Failure::internal(message).help(help)
}
