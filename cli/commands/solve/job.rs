//! The levels of a batch, as they are asked about, and the way from one to its result.

use crate::commands::query;
use crate::commands::solve::recalled::Recalled;
use crate::commands::solve::{
    ShownArgs, SolutionArgs, SolveCommand, SolvedLevel, as_given, improved, rendered, unique,
};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::store::log::Log;
use crate::store::question;
use crate::store::question::Search;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::retry::{Retry, should_retry};
use crate::store::table::Row;
use crate::terminal::failure::Failure;
use crate::terminal::progress;
use crate::terminal::progress::is_on_terminal;
use crate::terminal::text::Text;
use crate::terminal::{guard, output};
use std::sync::{Arc, Mutex, Weak};
use unstuck::instance::Instance;
use unstuck::limits::Stop;
use unstuck::machine::lock;
use unstuck::report::sentences;
use unstuck::solve::{Event, Outcome, SolveError, Verdict, explain, solve_readings};
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

/// One level and one horizon of a batch.
pub(super) struct BatchTask<'a> {
    pub chosen: &'a SelectedLevel,
    pub horizon: Option<u32>,
    /// Level, question, limits.
    pub asked: LevelQuestion,
    /// The readings; or what is wrong with the level.
    pub instances: Result<Vec<Box<dyn Instance>>, Failure>,
    /// Where the log has an earlier result.
    pub earlier: Option<usize>,
}

/// A task, or a file that could not be read.
pub(super) type Item<'a> = Result<BatchTask<'a>, (&'a str, &'a Failure)>;

/// What is to be done.
pub(super) struct BatchJob<'a> {
    pub args: &'a SolveCommand,
    pub single: bool,
    pub items: Vec<Item<'a>>,
    pub after: Option<String>,
    pub constraints: Constraints,
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
                let mut asked = self.asked(chosen, horizon)?;
                if self.args.solution.improve {
                    "improve".clone_into(&mut asked.question.engine);
                }
                asked.after.clone_from(&self.after);
                asked.wishes = Some(self.constraints.to_string()).filter(|it| !it.is_empty());
                let instances = self.instances(chosen, self.objective());
                items.push(Ok(BatchTask { chosen, horizon, asked, instances, earlier: None }));
            }
        }
        Ok(items)
    }

    fn asked(
        &self,
        chosen: &SelectedLevel,
        horizon: Option<u32>,
    ) -> Result<LevelQuestion, Failure> {
        let SolveCommand { solve, answer, .. } = self.args;
        let SolutionArgs { unique, rules, .. } = *self.args.solution;
        let search = Search { solutions: self.solutions(), unique, rules };
        question::asked(chosen, self.objective(), (solve, &answer.limits), search, horizon)
    }

    pub(super) fn objective(&self) -> Option<Objective> {
        self.args.levels.reading.objective
    }

    /// How many solutions are looked for, in families without moves.
    fn solutions(&self) -> usize {
        self.args.solution.count.map_or(question::SOLUTIONS, |count| count as usize)
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

    fn display(&self, name: &str) -> progress::Display {
        progress::Display::new(name, self.args.answer.output, self.args.answer.limits.timeout)
    }

    /// Shows a level while it is at work.
    pub(super) fn shown(&self, at: usize, task: &BatchTask<'_>) -> Arc<ShownLevel> {
        Arc::new(ShownLevel {
            display: self.display(&self.label(at, task)),
            known: Mutex::default(),
        })
    }

    /// What is known of a level that did not end in time.
    pub(super) fn left(
        &self,
        task: &BatchTask<'_>,
        shown: &ShownLevel,
        stop: Stop,
    ) -> Result<SolvedLevel, Failure> {
        let instances = self.instances(task.chosen, self.objective())?;
        let known = lock(&shown.known).take();
        let mut outcome = known.unwrap_or_else(|| Outcome::new(instances[0].as_ref()));
        outcome.stop = Some(stop);
        if let Verdict::Unknown(why) = &mut outcome.verdict {
            *why = Some(stop);
        }
        Ok(SolvedLevel { instances, outcome, begun: None, counted: None })
    }

    /// Prints the line of a level that has ended, where a batch has lines.
    pub(super) fn show_line(&self, at: usize, row: &Row) {
        if let Some(print) = self.lines() {
            print(&row.line(at + 1, self.items.len(), progress::columns()));
        }
    }

    /// Looks up all levels in the log. What it says and what cannot be is not taken.
    pub(super) fn recall(&mut self, log: &Log) {
        for task in self.items.iter_mut().flatten() {
            let Ok(instances) = &task.instances else { continue };
            let mut wrong = None;
            let earlier = log.find(&task.asked, |line| {
                let recalled = Recalled::of(task, instances, line);
                recalled.map_err(|failure| wrong = Some(failure)).is_ok()
            });
            if let (None, Some(wrong)) = (earlier, wrong) {
                let name = task.chosen.name();
                output::say(format!("warning: {name}: what the log says is not taken: {wrong}"));
            }
            task.earlier = earlier;
        }
    }

    /// What the log knows of a level.
    pub(super) fn earlier(&self, task: &BatchTask<'_>, log: Option<&Log>) -> Option<Recalled> {
        let (line, instances) = (log?.line(task.earlier?), task.instances.as_ref().ok()?);
        Recalled::of(task, instances, line).ok()
    }

    /// What the log knows of a level, unless it is to be solved again.
    pub(super) fn known(&self, task: &BatchTask<'_>, log: Option<&Log>) -> Option<Recalled> {
        let retry = self.args.kept.retry.unwrap_or(Retry::Unknown);
        let known = !should_retry(log?.line(task.earlier?), retry, task.asked.limits);
        if known { self.earlier(task, log) } else { None }
    }

    /// Whether other levels can be solved beside it: it is one of a batch, and has no moves, so that
    /// a solver in one thread answers it.
    pub(super) fn takes_one_thread(&self, task: &BatchTask<'_>) -> bool {
        let has_moves = task.chosen.family.has_moves;
        !self.single && !has_moves && task.instances.is_ok()
    }

    /// Solves a level, and passes on what goes on as long as somebody looks at it.
    pub(super) fn solve(
        &self,
        task: &BatchTask<'_>,
        shown: &Weak<ShownLevel>,
    ) -> Result<SolvedLevel, Failure> {
        let (args, chosen) = (self.args, task.chosen);
        let instances = self.instances(chosen, self.objective())?;
        if self.single && !args.answer.output.quiet && self.after.is_none() {
            as_given(chosen, &instances);
        }
        let mut request = args.solve.request(task.horizon, &args.answer.limits)?;
        request.solutions = self.solutions();
        let note = |event: &Event| match event {
            Event::Known(outcome) if self.single => self.know(task, outcome),
            event => {
                if self.single {
                    guard::hear(event, &instances);
                }
                shown.upgrade().iter().for_each(|shown| shown.note(event));
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
            0 if unique => unique::OPEN,
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

/// What is shown of a level while it is at work, and what is known of it by then.
pub(super) struct ShownLevel {
    display: progress::Display,
    known: Mutex<Option<Outcome>>,
}

impl ShownLevel {
    fn note(&self, event: &Event) {
        match event {
            Event::Known(outcome) => *lock(&self.known) = Some(outcome.as_ref().clone()),
            event => self.display.note(event),
        }
    }
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
