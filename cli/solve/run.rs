//! The work of `solve`: each level that is not known yet is solved, kept, and reported.

use super::{
    ShownArgs, SolutionArgs, SolveCommand, SolvedLevel, as_given, compared, improved, rendered,
    unique,
};
use crate::batch::{self, Record, Search, table};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::output;
use crate::progress::{self, is_on_terminal};
use crate::runs::log::{self, Log};
use crate::runs::result::{Answer, KeptAnswer, LevelQuestion, LevelResult};
use crate::runs::retry::{Retry, should_retry};
use crate::text::{Text, one_line};
use crate::{CommandResult, Failure, guard, json as objects, of_several, query};
use serde_json::json;
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Display;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unstuck::instance::{Instance, Verified};
use unstuck::machine::{self, has_threads, lock};
use unstuck::report::{self, sentences};
use unstuck::solve::{Event, Outcome, SolveError, explain, solve_readings};
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

/// One level and one horizon of a batch.
struct BatchTask<'a> {
    chosen: &'a SelectedLevel,
    horizon: Option<u32>,
    /// Level, question, limits.
    asked: LevelQuestion,
    /// The readings; or what is wrong with the level.
    instances: Result<Vec<Box<dyn Instance>>, Failure>,
    /// Where the log has an earlier result.
    earlier: Option<usize>,
}

/// A task, or a file that could not be read.
type Item<'a> = Result<BatchTask<'a>, (&'a str, &'a Failure)>;

/// Solves all levels; a broken or unsolved level does not end the batch.
pub(super) fn all(args: &SolveCommand, found: SelectedLevels) -> CommandResult {
    let single = args.is_single(&found);
    let (silent, log) = (args.answer.output.json || args.answer.output.quiet, &args.kept.log);
    if let ([Err(read_failure)], true) = (found.as_slice(), single) {
        return Err(read_failure.failure.clone());
    }
    let (after, constraints) = (args.after.read()?, args.answer.constraints.read()?);
    let mut work = BatchJob { args, single, items: Vec::new(), after, constraints };
    work.items = work.items(&found)?;
    let mut log = log.as_deref().map(Log::open).transpose()?;
    if let Some(log) = &log {
        work.recall(log);
    }
    let mut batch = Batch { work: &work, record: None };
    batch.begin_record(log.as_ref(), &found)?;
    let rows: Arc<Mutex<Vec<table::Row>>> = Arc::default();
    guard::levels(work.items.len());
    if !single && !silent {
        rescue(rows.clone(), work.items.len(), log.is_some(), work.lines());
    }
    let mut passed = BTreeSet::new();
    let mut failure = None;
    let count = batch.items.len();
    machine::scope(|scope| {
        let mut ahead = Prefetch::new(&work, scope);
        for at in 0..count {
            if !guard::is_interrupted() {
                ahead.go_on(at, log.as_ref());
            } else if !ahead.has_begun(at) {
                break;
            }
            let printed = batch.one(at, &mut log, &mut ahead)?;
            lock(&rows).push(printed.row);
            if batch.has_next_horizon(at) {
                // Of a sweep the largest horizon decides.
                passed.insert(at);
            }
            failure = printed.failure;
        }
        Ok::<(), Failure>(())
    })?;
    let mut rows = std::mem::take(&mut *lock(&rows));
    let done = rows.len();
    if let Some(log) = &mut log {
        // Levels that an interruption left out may be known all the same.
        for at in done..count {
            let Some(row) = batch.known_row(at, log) else { continue };
            if batch.has_next_horizon(at) {
                passed.insert(rows.len());
            }
            rows.push(row);
        }
        log.tidy()?;
    }
    if let Some(record) = &mut batch.record {
        record.end()?;
    }
    let stopped = guard::is_interrupted();
    if let (true, Some(failure)) = (single, failure) {
        return Err(failure);
    }
    if !single && !silent {
        let end = if stopped { interrupted_at(done, count, log.is_some()) } else { String::new() };
        print_table(&rows, &end, work.lines());
    }
    let counted = rows.iter().enumerate().filter(|(at, _)| !passed.contains(at));
    let codes: Vec<u8> = counted.map(|(_, row)| row.exit).collect();
    let left_out = if stopped && done < count { 30 } else { 0 };
    Ok(guard::answered(of_several(&[codes, vec![left_out]].concat())))
}

/// Prints the table at the end of a batch, below the lines of its levels.
fn print_table(rows: &[table::Row], end: &str, lines: Option<fn(&str)>) {
    lines.iter().for_each(|line| line(""));
    let (table, idle) = (table::table(rows), table::idle_rules(rows));
    output::print(format!("{table}{}{idle}{end}", table::totals(rows, rows.len())));
}

fn interrupted_at(done: usize, count: usize, has_log: bool) -> String {
    let way = match has_log {
        true => "; repeat the command to resume",
        false => "; with `--log FILE` the same command would go on from there",
    };
    format!("interrupted: {done} of {count} were looked at{way}\n")
}

/// Has the table of a batch printed when the process is ended in the middle of it.
fn rescue(rows: Arc<Mutex<Vec<table::Row>>>, count: usize, has_log: bool, lines: Option<fn(&str)>) {
    guard::rescue(move |_| {
        let rows = lock(&rows);
        let end = interrupted_at(rows.len(), count, has_log);
        print_table(&rows, &end, lines);
    });
}

/// What is to be done.
struct BatchJob<'a> {
    args: &'a SolveCommand,
    single: bool,
    items: Vec<Item<'a>>,
    after: Option<String>,
    constraints: Constraints,
}

/// A batch at work.
struct Batch<'a> {
    work: &'a BatchJob<'a>,
    record: Option<Record>,
}

impl<'a> Deref for Batch<'a> {
    type Target = BatchJob<'a>;

    fn deref(&self) -> &BatchJob<'a> {
        self.work
    }
}

/// Levels that take one thread each, begun while those before them are at work: as many at once as
/// there are threads. They are reported and kept in their order.
struct Prefetch<'scope, 'env> {
    work: &'scope BatchJob<'scope>,
    scope: machine::Scope<'scope, 'env>,
    running: VecDeque<(usize, machine::JoinHandle<'scope, Result<SolvedLevel, Failure>>)>,
    /// The first level that was not looked at.
    next: usize,
    /// How many are at work at once.
    most: usize,
}

impl<'scope, 'env> Prefetch<'scope, 'env> {
    fn new(work: &'scope BatchJob<'scope>, scope: machine::Scope<'scope, 'env>) -> Self {
        let request = work.args.solve.request(None, &work.args.answer.limits);
        let most = request.map_or(1, |it| it.threads.min(it.backend.at_once()));
        let most = if has_threads() && most > 1 { most } else { 0 };
        Self { work, scope, running: VecDeque::new(), next: 0, most }
    }

    /// Begins levels from this one on.
    fn go_on(&mut self, at: usize, log: Option<&Log>) {
        let work = self.work;
        self.next = self.next.max(at);
        while self.running.len() < self.most
            && let Some(Ok(task)) = work.items.get(self.next)
            && work.takes_one_thread(task)
        {
            let at = self.next;
            self.next += 1;
            if work.known(task, log).is_none() {
                let solved = self.scope.spawn(move || work.solve(at, task, true));
                self.running.push_back((at, solved));
            }
        }
    }

    /// Whether a level was begun.
    fn has_begun(&self, at: usize) -> bool {
        self.running.front().is_some_and(|(first, _)| *first == at)
    }

    /// The work on a level, if it was begun.
    fn take(
        &mut self,
        at: usize,
    ) -> Option<machine::JoinHandle<'scope, Result<SolvedLevel, Failure>>> {
        let begun = if self.has_begun(at) { self.running.pop_front() } else { None };
        begun.map(|(_, solving)| solving)
    }
}

/// What was reported of a level.
struct LevelReport {
    row: table::Row,
    failure: Option<Failure>,
}

impl<'a> BatchJob<'a> {
    /// All levels in all horizons.
    fn items(&self, found: &'a SelectedLevels) -> Result<Vec<Item<'a>>, Failure> {
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
        batch::asked(chosen, self.objective(), (solve, &answer.limits), search, horizon)
    }

    fn objective(&self) -> Option<Objective> {
        self.args.levels.reading.objective
    }

    /// How many solutions are looked for, in families without moves.
    fn solutions(&self) -> usize {
        self.args.solution.count.map_or(batch::SOLUTIONS, |count| count as usize)
    }

    /// The readings of a level, as it is asked about.
    fn instances(
        &self,
        chosen: &SelectedLevel,
        objective: Option<Objective>,
    ) -> Result<Vec<Box<dyn Instance>>, Failure> {
        query::asked(chosen, objective, self.after.as_deref(), &self.constraints)
    }

    /// How the line of a level is printed: over moves or boards; else as progress on a terminal, for
    /// the table at the end says the same.
    fn lines(&self) -> Option<fn(&str)> {
        let ShownArgs { stages, moves, compare } = self.args.solution.shown;
        match stages || moves || compare {
            true => Some(|line| output::print(format!("{line}\n"))),
            false => is_on_terminal().then_some(|line| output::say(line)),
        }
    }

    fn display(&self, name: &str) -> progress::Display {
        progress::Display::new(name, self.args.answer.output, self.args.answer.limits.timeout)
    }

    /// Looks up all levels in the log.
    fn recall(&mut self, log: &Log) {
        for task in self.items.iter_mut().flatten() {
            if let Ok(instances) = &task.instances {
                task.earlier = log.find(&task.asked, instances);
            }
        }
    }

    /// What the log knows of a level, unless it is to be solved again.
    fn known<'l>(&self, task: &BatchTask<'_>, log: Option<&'l Log>) -> Option<&'l LevelResult> {
        let line = log?.line(task.earlier?);
        let retry = self.args.kept.retry.unwrap_or(Retry::Unknown);
        (!should_retry(line, retry, task.asked.limits)).then_some(line)
    }

    /// Whether other levels can be solved beside it: it is one of a batch, and has no moves, so that
    /// a solver in one thread answers it.
    fn takes_one_thread(&self, task: &BatchTask<'_>) -> bool {
        let has_moves = task.chosen.family.has_moves;
        !self.single && !has_moves && task.instances.is_ok()
    }

    /// Solves a level; one that is begun `ahead` shows no line of its own on the terminal.
    fn solve(&self, at: usize, task: &BatchTask<'_>, ahead: bool) -> Result<SolvedLevel, Failure> {
        let (args, chosen) = (self.args, task.chosen);
        let instances = self.instances(chosen, self.objective())?;
        if self.single && !args.answer.output.quiet && self.after.is_none() {
            as_given(chosen, &instances);
        }
        let mut request = args.solve.request(task.horizon, &args.answer.limits)?;
        request.solutions = self.solutions();
        let name = self.label(at, task);
        let display = match ahead {
            true => progress::Display::silent(),
            false => self.display(&name),
        };
        let note = |event: &Event| match event {
            Event::Known(outcome) if self.single => self.know(task, outcome),
            event => {
                if self.single {
                    guard::hear(event, &instances);
                }
                display.note(event);
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
        drop(display);
        for earlier in outcomes {
            if self.single && !args.answer.output.quiet && !args.answer.output.json {
                let verdict = sentences::verdict(instances[0].as_ref(), &earlier);
                output::say(format!("{}: {verdict}", chosen.name()));
            }
        }
        Ok(SolvedLevel { instances, outcome, begun: None, counted })
    }

    /// Takes note of what search has found, while others may still be at work.
    fn know(&self, task: &BatchTask<'_>, outcome: &Outcome) {
        let objective = task.asked.objective.as_deref().and_then(Objective::from_name);
        let Ok(instances) = self.instances(task.chosen, objective) else { return };
        let outcome = outcome.clone();
        let solved = SolvedLevel { instances, outcome, begun: None, counted: None };
        let (outcome, unique) = (&solved.outcome, self.args.solution.unique);
        let instance = solved.instance();
        let text = if self.args.answer.output.json {
            let mut result = self.result(task, &solved);
            result.answer.stages = report::stages(outcome).into();
            Text::from(&format!("{result}\n"))
        } else {
            rendered(self.args, task.chosen, &solved)
        };
        // Files that were asked for are written at the end.
        let kept = &self.args.kept;
        let files = self.args.pictures.wanted() || kept.record.is_some() || kept.log.is_some();
        let settled = outcome.is_settled(instance.objective()) && solved.instances.len() == 1;
        let code = match outcome.verdict.exit_code() {
            0 if unique => unique::OPEN,
            code => code,
        };
        guard::know(text, code, settled && !files && !unique);
    }

    /// What came out of a level.
    fn result(&self, task: &BatchTask<'_>, solved: &SolvedLevel) -> LevelResult {
        let mut result = LevelResult::of(task.asked.clone(), solved.instance(), &solved.outcome);
        if self.args.solution.unique {
            unique::complete(&mut result.answer, solved);
        }
        result
    }

    /// What a row calls a level: in a sweep with the horizon.
    fn name(&self, task: &BatchTask<'_>) -> String {
        let name = task.chosen.short_name();
        match task.horizon.filter(|_| self.args.solve.horizons().len() > 1) {
            Some(horizon) => format!("{name} in {horizon}"),
            None => name,
        }
    }

    /// What the display calls a level.
    fn label(&self, at: usize, task: &BatchTask<'_>) -> String {
        match self.single {
            true => task.chosen.name(),
            false => format!("[{}/{}] {}", at + 1, self.items.len(), self.name(task)),
        }
    }
}

impl Batch<'_> {
    fn begin_record(&mut self, log: Option<&Log>, found: &SelectedLevels) -> Result<(), Failure> {
        let Some(target) = self.args.kept.record.clone() else { return Ok(()) };
        let force = self.args.answer.force.force;
        let mut files: Vec<_> = found.iter().flatten().collect();
        files.dedup_by_key(|chosen| &chosen.source);
        let header = match files.as_slice() {
            [only] => Some(only.level.notes.file.as_str()),
            _ => None,
        };
        let mut record = Record::new(target, force, header, self.items.len());
        let mut names = BTreeSet::new();
        for (at, item) in self.items.iter().enumerate() {
            let (Ok(task), Some(log)) = (item, log) else { continue };
            let Some(line) = task.earlier.map(|at| log.line(at)) else { continue };
            let block = recorded(&record, task, line);
            if block.is_some() {
                names.extend(task.chosen.id());
            }
            record.know(at, block);
        }
        record.begin(&names)?;
        self.record = Some(record);
        Ok(())
    }

    /// Solves a level, unless it is known; keeps and reports the result.
    fn one(
        &mut self,
        at: usize,
        log: &mut Option<Log>,
        ahead: &mut Prefetch<'_, '_>,
    ) -> Result<LevelReport, Failure> {
        let task = match &self.work.items[at] {
            Ok(task) => task,
            Err((source, failure)) => return Ok(self.read_failure(at, source, failure)),
        };
        guard::subject(&self.label(at, task));
        if let Some(line) = self.work.known(task, log.as_ref()) {
            return Ok(self.resumed(task, line));
        }
        let solved = match &task.instances {
            Ok(_) => match ahead.take(at) {
                Some(solving) => {
                    // The progress of the level that is waited for.
                    let _display = self.display(&self.label(at, task));
                    solving.join()
                }
                None => self.solve(at, task, false),
            },
            Err(failure) => Err(failure.clone()),
        };
        let solved = match solved {
            Ok(solved) => solved,
            Err(failure) => return Ok(self.failed(at, task, failure)),
        };
        let mut result = self.result(task, &solved);
        if self.args.solution.shown.compare {
            result.answer.recorded = compared(task.chosen, &solved).into();
        }
        let mut block = None;
        if let Some(log) = log {
            if let Some(place) = task.earlier {
                result = log::merged(log.line(place), result);
            }
            log.append(&result, task.earlier)?;
        }
        if let (Some(record), Some(best)) = (&self.record, &solved.outcome.best) {
            block = record.block(task.chosen, solved.instance(), best, solved.outcome.elapsed);
        }
        result.answer.stages = report::stages(&solved.outcome).into();
        let row = self.printed(at, task, &solved, &result);
        if self.single {
            let (instance, force) = (solved.instance(), self.args.answer.force);
            self.args.pictures.write_outcome(force, task.chosen, instance, &solved.outcome)?;
        }
        // A plan that was known before stays, unless this one is at least as good.
        let best = solved.outcome.best.as_ref().map(Verified::text);
        let newer = best.is_some() && result.answer.moves() == best;
        if let (Some(record), Some(block), true) = (&mut self.record, block, newer) {
            record.add(at, block)?;
        }
        Ok(LevelReport { row, failure: None })
    }

    /// Reports a level that was just solved.
    fn printed(
        &self,
        at: usize,
        task: &BatchTask<'_>,
        solved: &SolvedLevel,
        result: &LevelResult,
    ) -> table::Row {
        let row = table::Row::of(self.name(task), result);
        let (output, shown) = (self.args.answer.output, &self.args.solution.shown);
        if output.json {
            output::print(format!("{result}\n"));
        } else if self.single {
            output::print(rendered(self.args, task.chosen, solved));
        } else if output.quiet {
            let answer = rendered(self.args, task.chosen, solved);
            output::print(format!("{}: {}\n", task.chosen.name(), answer.as_str().trim_end()));
        } else {
            let line = self.lines();
            line.iter().for_each(|line| line(&row.line(at + 1, self.items.len())));
            let moves = solved.outcome.best.as_ref().filter(|_| shown.moves || shown.stages);
            if shown.stages || shown.compare {
                output::print(rendered(self.args, task.chosen, solved));
            } else if let Some(best) = moves {
                output::print(format!("{}\n", best.text()));
            }
        }
        row
    }

    /// Reports a level that the log knows.
    fn resumed(&self, task: &BatchTask<'_>, line: &LevelResult) -> LevelReport {
        // The file may have another name today, and the level another place.
        let mut line = line.clone();
        let LevelQuestion { file, number, title, .. } = task.asked.clone();
        line.asked = LevelQuestion { file, number, title, ..line.asked };
        let output = self.args.answer.output;
        if output.json {
            output::print(format!("{line}\n"));
        } else if self.single || self.args.solution.shown.moves || output.quiet {
            if let Some(moves) = line.answer.moves() {
                output::print(format!("{moves}\n"));
            }
            if self.single && !output.quiet {
                let sentence = one_line(line.answer.sentence.as_deref().unwrap_or_default());
                output::print(format!("{sentence}\nas the log says\n"));
            }
        }
        LevelReport { row: table::Row::of(self.name(task), &line), failure: None }
    }

    /// The row of a level that was not looked at, if the log knows it.
    fn known_row(&self, at: usize, log: &Log) -> Option<table::Row> {
        let task = self.items[at].as_ref().ok()?;
        let line = log.line(task.earlier?);
        Some(table::Row::of(self.name(task), line))
    }

    fn failed(&self, at: usize, task: &BatchTask<'_>, failure: Failure) -> LevelReport {
        let result = LevelResult::new(task.asked.clone(), Answer::failed(&failure));
        let row = table::Row::of(self.name(task), &result);
        if !self.single {
            self.report(at, &failure, &result, &row);
        }
        LevelReport { row, failure: Some(failure) }
    }

    fn read_failure(&self, at: usize, source: &str, failure: &Failure) -> LevelReport {
        let mut value = failure.object("solve");
        objects::extend(&mut value, json!({ "file": source }));
        let name = Path::new(source).file_name().unwrap_or_default().to_string_lossy();
        let asked = LevelQuestion { file: source.to_owned(), ..LevelQuestion::default() };
        let result = LevelResult::new(asked, Answer::failed(failure));
        let row = table::Row::of(one_line(&name), &result);
        self.report(at, failure, &value, &row);
        LevelReport { row, failure: None }
    }

    fn report(&self, at: usize, failure: &Failure, object: &dyn Display, row: &table::Row) {
        output::complain(failure);
        let output = self.args.answer.output;
        if output.json {
            output::print(format!("{object}\n"));
        } else if !output.quiet {
            let line = self.lines();
            line.iter().for_each(|line| line(&row.line(at + 1, self.items.len())));
        }
    }

    /// Whether the next task is the same level in a larger horizon.
    fn has_next_horizon(&self, at: usize) -> bool {
        match (&self.items[at], self.items.get(at + 1)) {
            (Ok(task), Some(Ok(next))) => std::ptr::eq(task.chosen, next.chosen),
            _ => false,
        }
    }
}

/// What a record says of a level that the log knows.
fn recorded(record: &Record, task: &BatchTask<'_>, line: &LevelResult) -> Option<String> {
    let moves = line.answer.moves()?;
    let elapsed = Duration::try_from_secs_f64((*line.answer.seconds)?).ok()?;
    let instances = task.instances.as_ref().ok()?;
    let verified = instances.iter().find_map(|instance| {
        let plan = instance.verify(moves).ok()?;
        Some((instance, plan))
    });
    let (instance, plan) = verified?;
    record.block(task.chosen, instance.as_ref(), &plan, elapsed)
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
