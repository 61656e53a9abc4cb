//! The work of `solve`: each level that is not known yet is solved, kept, and reported.

use crate::answer::json;
use crate::commands::solve::args::SolveCommand;
use crate::commands::solve::job::{BatchJob, BatchTask, Solved};
use crate::commands::solve::shown::{compared, rendered};
use crate::commands::solve::solved::SolvedLevel;
use crate::input::SelectedLevels;
use crate::store::derive::Recalled;
use crate::store::open_store::OpenStore;
use crate::store::pool::{JobEnd, Pool};
use crate::store::record::Record;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::retry::merged;
use crate::store::table;
use crate::store::threads::Threads;
use crate::terminal::failure::{CommandResult, Failure, of_several};
use crate::terminal::guard;
use crate::terminal::output;
use crate::terminal::text::one_line;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unstuck::instance::Verified;
use unstuck::machine::lock;
use unstuck::report::sentences;

/// What a level may take beyond its time limit before it is left to itself.
const GRACE_TIME: Duration = Duration::from_millis(2_500);

/// Solves all levels; a broken or unsolved level does not end the batch.
pub(super) fn all(args: &'static SolveCommand, found: SelectedLevels) -> CommandResult {
    let single = args.is_single(&found);
    let (silent, log) = (args.answer.output.json || args.answer.output.quiet, &args.kept.log);
    if let ([Err(read_failure)], true) = (found.as_slice(), single) {
        return Err(read_failure.failure.clone());
    }
    // A level that does not end in time is left to itself, and may look at all this to the end.
    let found: &'static SelectedLevels = Box::leak(Box::new(found));
    let (after, constraints) = (args.after.read()?, args.answer.constraints.read()?);
    let (items, known) = (Vec::new(), Mutex::default());
    let mut work = BatchJob { args, single, items, after, constraints, known };
    work.items = work.items(found)?;
    let log = log.as_deref().map(OpenStore::log).transpose()?;
    if let Some(log) = &log {
        work.recall(log)?;
    }
    let work: &'static BatchJob<'static> = Box::leak(Box::new(work));
    let rows: Arc<Mutex<Vec<table::Row>>> = Arc::default();
    let record = begun_record(work, found)?;
    let mut batch =
        Batch { work, log, record, rows: rows.clone(), ready: BTreeMap::new(), failure: None };
    let count = batch.items.len();
    guard::levels(count);
    if !single && !silent {
        rescue(rows.clone(), work);
    }
    if single {
        batch.advance(&|at, task| Some(work.solve(at, task, true)))?;
    } else {
        in_threads(&mut batch)?;
    }
    let done = lock(&rows).len();
    if let Some(log) = &batch.log {
        // Levels that an interruption left out may be known all the same.
        let known = (done..count).filter_map(|at| batch.known_row(at));
        lock(&rows).extend(known);
        log.tidy()?;
    }
    if let Some(record) = &mut batch.record {
        record.end()?;
    }
    let rows = std::mem::take(&mut *lock(&rows));
    let stopped = guard::is_interrupted();
    if let (true, Some(failure)) = (single, batch.failure) {
        return Err(failure);
    }
    let remembered = rows.iter().filter(|row| !row.from.is_empty()).count() as u32;
    if args.answer.output.quiet && remembered > 0 {
        let answers = sentences::count(remembered, "answers");
        output::say(format!("note: {answers} from the store, not found in this run"));
    }
    if !single && !silent {
        let end = if stopped {
            interrupted_at(done, count, args.kept.log.is_some())
        } else {
            String::new()
        };
        print_table(&rows, &end, work);
    }
    let counted = rows.iter().enumerate().filter(|(at, _)| !work.has_next_horizon(*at));
    let codes: Vec<u8> = counted.map(|(_, row)| row.exit).collect();
    let left_out = if stopped && done < count { 30 } else { 0 };
    Ok(guard::answered(of_several(&[codes, vec![left_out]].concat())))
}

/// Solves the levels that are not known in threads, and reports all of them in their order.
fn in_threads(batch: &mut Batch) -> Result<(), Failure> {
    let work = batch.work;
    let at_once = work.at_once();
    let runner = Threads::new(move |&at: &usize| match &work.items[at] {
        Ok(task) => Some(work.solve(at, task, at_once == 1)),
        Err(_) => None,
    });
    let is_open = |at: &usize| {
        let task = work.items[*at].as_ref().ok().filter(|task| task.instances.is_ok());
        task.is_some_and(|task| work.known(task).is_none())
    };
    let (fault, stopped) = (Mutex::new(None), AtomicBool::new(false));
    let limits = &work.args.answer.limits;
    let pool = Pool {
        runner: &runner,
        workers: at_once,
        patience: limits.timeout.map(|time| time + GRACE_TIME),
        memory: None,
        stop: &|| guard::is_interrupted() || stopped.load(Ordering::Relaxed),
    };
    // Each level keeps its time by itself, or is left.
    guard::idle();
    let batch = Mutex::new(batch);
    let report = |at: usize, end: Option<JobEnd<Option<Solved>>>| {
        let mut batch = lock(&batch);
        batch.ready.extend(end.map(|end| (at, end)));
        if let Err(failure) = batch.advance(&|_, _| None) {
            lock(&fault).get_or_insert(failure);
            stopped.store(true, Ordering::Relaxed);
        }
    };
    report(0, None);
    let mut open = (0..work.items.len()).filter(is_open);
    let ran = pool.run(&mut open, &|at, end| report(at, Some(end)), &mut || {});
    ran.map_err(|error| Failure::internal(format!("a thread cannot be started: {error}")))?;
    lock(&fault).take().map_or(Ok(()), Err)
}

/// Prints the table at the end of a batch, below the lines of its levels; not where these were all
/// that there is to say.
fn print_table(rows: &[table::Row], end: &str, work: &BatchJob<'_>) {
    work.lines().iter().for_each(|line| line(""));
    let table = if work.lines_are_all() { String::new() } else { table::table(rows) };
    let idle = table::idle_rules(rows);
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
fn rescue(rows: Arc<Mutex<Vec<table::Row>>>, work: &'static BatchJob<'static>) {
    guard::rescue(move |_| {
        let rows = lock(&rows);
        let end = interrupted_at(rows.len(), work.items.len(), work.args.kept.log.is_some());
        print_table(&rows, &end, work);
    });
}

/// The record of a batch, begun with what the log knows.
fn begun_record(work: &BatchJob<'_>, found: &SelectedLevels) -> Result<Option<Record>, Failure> {
    let Some(target) = work.args.kept.record.clone() else { return Ok(None) };
    let force = work.args.answer.force.force;
    let mut files: Vec<_> = found.iter().flatten().collect();
    files.dedup_by_key(|chosen| &chosen.source);
    let header = match files.as_slice() {
        [only] => Some(only.level.notes.file.as_str()),
        _ => None,
    };
    let mut record = Record::new(target, force, header, work.items.len());
    let mut names = BTreeSet::new();
    for (at, item) in work.items.iter().enumerate() {
        let Ok(task) = item else { continue };
        let Some(recalled) = &task.earlier else { continue };
        let block = recorded(&record, task, recalled);
        if block.is_some() {
            names.extend(task.chosen.id());
        }
        record.know(at, block);
    }
    record.begin(&names)?;
    Ok(Some(record))
}

/// A batch at work.
struct Batch {
    work: &'static BatchJob<'static>,
    log: Option<OpenStore>,
    record: Option<Record>,
    /// What was reported, in the order of the levels.
    rows: Arc<Mutex<Vec<table::Row>>>,
    /// What came of levels whose turn has not come.
    ready: BTreeMap<usize, JobEnd<Option<Solved>>>,
    /// Why the only level has no answer.
    failure: Option<Failure>,
}

impl Deref for Batch {
    type Target = BatchJob<'static>;

    fn deref(&self) -> &BatchJob<'static> {
        self.work
    }
}

/// What was reported of a level.
struct LevelReport {
    row: table::Row,
    failure: Option<Failure>,
}

impl Batch {
    /// Reports the levels from the next one on, as far as it is known what came of them.
    fn advance(
        &mut self,
        solve: &dyn Fn(usize, &BatchTask<'_>) -> Option<Solved>,
    ) -> Result<(), Failure> {
        loop {
            let at = lock(&self.rows).len();
            if at == self.items.len() {
                return Ok(());
            }
            let Some(LevelReport { row, failure }) = self.one(at, solve)? else { return Ok(()) };
            lock(&self.rows).push(row);
            self.failure = failure;
        }
    }

    /// Keeps and reports the result of a level, where there is one.
    fn one(
        &mut self,
        at: usize,
        solve: &dyn Fn(usize, &BatchTask<'_>) -> Option<Solved>,
    ) -> Result<Option<LevelReport>, Failure> {
        let work = self.work;
        let task = match &work.items[at] {
            Ok(task) => task,
            Err((source, failure)) => return Ok(Some(self.read_failure(at, source, failure))),
        };
        let chosen = task.chosen;
        let solved = match &task.instances {
            Err(failure) => Err(failure.clone()),
            Ok(_) => {
                guard::level(chosen.place(), &self.label(at, task));
                if let Some(recalled) = work.known(task) {
                    return self.resumed(at, task, recalled).map(Some);
                }
                match self.ready.remove(&at) {
                    Some(JobEnd::Answered(Some(solved))) => solved,
                    Some(JobEnd::Ended(stop)) => {
                        guard::say_left(stop, &self.label(at, task));
                        self.left(at, task, stop)
                    }
                    Some(JobEnd::Lost(how)) => {
                        let message = format!("{}: this level crashed: {how}", chosen.name());
                        Err(Failure::internal(message).help("please report it, with the level"))
                    }
                    Some(JobEnd::Answered(None)) | None => match solve(at, task) {
                        Some(solved) => solved,
                        None => return Ok(None),
                    },
                }
            }
        };
        lock(&self.known).remove(&at);
        let solved = match solved {
            Ok(solved) => solved,
            Err(failure) => return Ok(Some(self.failed(at, task, failure))),
        };
        let mut result = self.result(task, &solved);
        if self.args.solution.shown.compare {
            result.answer.recorded = compared(task.chosen, &solved).into();
        }
        let mut block = None;
        if let (Some(log), Some(key)) = (&self.log, task.key) {
            if let Some(earlier) = &task.earlier {
                result = merged(earlier.result.answer.clone(), result);
            }
            let mut kept = result.clone();
            kept.asked = kept.asked.in_store(chosen);
            log.keep(key, kept, &[])?;
        }
        if let (Some(record), Some(best)) = (&self.record, &solved.outcome.best) {
            block = record.block(task.chosen, solved.instance(), best, solved.outcome.elapsed);
        }
        result.answer = result.answer.with_stages(&solved.outcome);
        let row = self.printed(at, task, &solved, &result);
        if self.single {
            let (instance, force) = (solved.instance(), self.args.answer.force);
            self.args.pictures.write_outcome(force, task.chosen, instance, &solved.outcome)?;
        }
        // A plan that was known before stays, unless this one is at least as good.
        let best = solved.outcome.best.as_ref().map(Verified::text);
        let newer = best.is_some() && result.moves() == best;
        if let (Some(record), Some(block), true) = (&mut self.record, block, newer) {
            record.add(at, block)?;
        }
        Ok(Some(LevelReport { row, failure: None }))
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
            self.show_line(at, &row);
            let moves = solved.outcome.best.as_ref().filter(|_| shown.moves || shown.stages);
            if shown.stages || shown.compare {
                output::print(rendered(self.args, task.chosen, solved));
            } else if let Some(best) = moves {
                output::print(format!("{}\n", best.text()));
            }
        }
        row
    }

    /// Reports a level that the log knows, as one that was solved, and says so.
    fn resumed(
        &self,
        at: usize,
        task: &BatchTask<'_>,
        recalled: &Recalled,
    ) -> Result<LevelReport, Failure> {
        let (output, from) = (self.args.answer.output, recalled.sentence());
        let mut result = recalled.result.clone();
        let instances = self.work.instances(task.chosen, self.objective())?;
        let outcome = recalled.outcome.clone().expect("others are not taken");
        let solved = SolvedLevel::new(instances, outcome, None);
        if self.args.solution.shown.compare {
            result.answer.recorded = compared(task.chosen, &solved).into();
        }
        let row = self.printed(at, task, &solved, &result);
        if self.single {
            if !output.json && !output.quiet {
                output::print(from);
            }
            let (instance, force) = (solved.instance(), self.args.answer.force);
            self.args.pictures.write_outcome(force, task.chosen, instance, &solved.outcome)?;
        }
        Ok(LevelReport { row, failure: None })
    }

    /// The row of a level that was not looked at, if the log knows it.
    fn known_row(&self, at: usize) -> Option<table::Row> {
        let task = self.items[at].as_ref().ok()?;
        let recalled = task.earlier.as_ref()?;
        Some(table::Row::of(self.name(task), &recalled.result))
    }

    fn failed(&self, at: usize, task: &BatchTask<'_>, failure: Failure) -> LevelReport {
        let result = LevelResult::new(task.asked.clone(), failure.answer());
        let row = table::Row::of(self.name(task), &result);
        if !self.single {
            self.report(at, &failure, &result, &row);
        }
        LevelReport { row, failure: Some(failure) }
    }

    fn read_failure(&self, at: usize, source: &str, failure: &Failure) -> LevelReport {
        let value = json::of_file("solve", source, failure.answer());
        let name = Path::new(source).file_name().unwrap_or_default().to_string_lossy();
        let asked = LevelQuestion { file: source.to_owned(), ..LevelQuestion::default() };
        let result = LevelResult::new(asked, failure.answer());
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
            self.show_line(at, row);
        }
    }
}

/// What a record says of a level that the log knows.
fn recorded(record: &Record, task: &BatchTask<'_>, recalled: &Recalled) -> Option<String> {
    let outcome = recalled.outcome.as_ref()?;
    let (plan, reading) = (outcome.best.as_ref()?, outcome.reading);
    let instances = task.instances.as_ref().ok()?;
    let instance = instances.iter().find(|it| it.reading() == reading)?;
    record.block(task.chosen, instance.as_ref(), plan, recalled.elapsed())
}
