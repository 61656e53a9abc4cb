//! The work of `solve`: each level that is not known yet is solved, kept, and reported.

use crate::answer::json;
use crate::commands::solve::job::{BatchJob, BatchTask};
use crate::commands::solve::recalled::Recalled;
use crate::commands::solve::{SolveCommand, SolvedLevel, compared, rendered};
use crate::input::SelectedLevels;
use crate::store::log;
use crate::store::log::Log;
use crate::store::record::Record;
use crate::store::result::{KeptAnswer, LevelQuestion, LevelResult};
use crate::store::table;
use crate::terminal::failure::{CommandResult, Failure, of_several};
use crate::terminal::text::one_line;
use crate::terminal::{guard, output};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Display;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle};
use unstuck::instance::Verified;
use unstuck::machine::lock;
use unstuck::report::sentences;

/// Solves all levels; a broken or unsolved level does not end the batch.
pub(super) fn all(args: &SolveCommand, found: SelectedLevels) -> CommandResult {
    let single = args.is_single(&found);
    let (silent, log) = (args.answer.output.json || args.answer.output.quiet, &args.kept.log);
    if let ([Err(read_failure)], true) = (found.as_slice(), single) {
        return Err(read_failure.failure.clone());
    }
    // A level that does not end in time is left to itself, and may look at all this to the end.
    let (args, found): (&'static SolveCommand, &'static SelectedLevels) =
        (Box::leak(Box::new(args.clone())), Box::leak(Box::new(found)));
    let (after, constraints) = (args.after.read()?, args.answer.constraints.read()?);
    let mut work = BatchJob { args, single, items: Vec::new(), after, constraints };
    work.items = work.items(found)?;
    let mut log = log.as_deref().map(Log::open).transpose()?;
    if let Some(log) = &log {
        work.recall(log);
    }
    let work: &'static BatchJob<'static> = Box::leak(Box::new(work));
    let mut batch = Batch { work, record: None };
    batch.begin_record(log.as_ref(), found)?;
    let rows: Arc<Mutex<Vec<table::Row>>> = Arc::default();
    guard::levels(work.items.len());
    if !single && !silent {
        rescue(rows.clone(), work.items.len(), log.is_some(), work.lines());
    }
    let mut passed = BTreeSet::new();
    let mut failure = None;
    let count = batch.items.len();
    let mut ahead = Prefetch::new(work);
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
    let remembered = rows.iter().filter(|row| !row.from.is_empty()).count() as u32;
    if args.answer.output.quiet && remembered > 0 {
        let answers = sentences::count(remembered, "answers");
        output::say(format!("note: {answers} from the log, not found in this run"));
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

/// A batch at work.
struct Batch {
    work: &'static BatchJob<'static>,
    record: Option<Record>,
}

impl Deref for Batch {
    type Target = BatchJob<'static>;

    fn deref(&self) -> &BatchJob<'static> {
        self.work
    }
}

/// Levels that take one thread each, begun while those before them are at work: as many at once as
/// there are threads. They are reported and kept in their order.
struct Prefetch {
    work: &'static BatchJob<'static>,
    running: VecDeque<(usize, JoinHandle<Result<SolvedLevel, Failure>>)>,
    /// The first level that was not looked at.
    next: usize,
    /// How many are at work at once.
    most: usize,
}

impl Prefetch {
    fn new(work: &'static BatchJob<'static>) -> Self {
        let request = work.args.solve.request(None, &work.args.answer.limits);
        let most = request.map_or(1, |it| it.threads.min(it.backend.at_once()));
        let most = if most > 1 { most } else { 0 };
        Self { work, running: VecDeque::new(), next: 0, most }
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
                let solving = thread::spawn(move || work.solve(task, &Weak::new()));
                self.running.push_back((at, solving));
            }
        }
    }

    /// Whether a level was begun.
    fn has_begun(&self, at: usize) -> bool {
        self.running.front().is_some_and(|(first, _)| *first == at)
    }

    /// The work on a level, if it was begun.
    fn take(&mut self, at: usize) -> Option<JoinHandle<Result<SolvedLevel, Failure>>> {
        let begun = if self.has_begun(at) { self.running.pop_front() } else { None };
        begun.map(|(_, solving)| solving)
    }
}

/// What was reported of a level.
struct LevelReport {
    row: table::Row,
    failure: Option<Failure>,
}

impl Batch {
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
            let Some(recalled) = self.work.earlier(task, Some(log)) else { continue };
            let block = recorded(&record, task, &recalled);
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
        ahead: &mut Prefetch,
    ) -> Result<LevelReport, Failure> {
        let work = self.work;
        let task = match &work.items[at] {
            Ok(task) => task,
            Err((source, failure)) => return Ok(self.read_failure(at, source, failure)),
        };
        guard::level(task.chosen.place(), &self.label(at, task));
        if let Some(recalled) = self.work.known(task, log.as_ref()) {
            return self.resumed(at, task, recalled);
        }
        let solved = match &task.instances {
            Ok(_) => {
                let shown = self.shown(at, task);
                let (begun, heard) = (ahead.take(at), Arc::downgrade(&shown));
                let solve = move || match begun {
                    Some(solving) => solving.join().unwrap_or_else(|panic| resume_unwind(panic)),
                    None => work.solve(task, &heard),
                };
                let solved = if self.single { Ok(solve()) } else { guard::apart(solve) };
                solved.unwrap_or_else(|stop| {
                    guard::say_left(stop, &self.label(at, task));
                    self.left(task, &shown, stop)
                })
            }
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
            if let Some(earlier) = self.work.earlier(task, Some(log)) {
                result = log::merged(earlier.result.answer, result);
            }
            log.append(&result, task.earlier)?;
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
        recalled: Recalled,
    ) -> Result<LevelReport, Failure> {
        let (output, from) = (self.args.answer.output, recalled.sentence());
        let Recalled { outcome, mut result } = recalled;
        let instances = self.work.instances(task.chosen, self.objective())?;
        let solved = SolvedLevel { instances, outcome, begun: None, counted: None };
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
    fn known_row(&self, at: usize, log: &Log) -> Option<table::Row> {
        let task = self.items[at].as_ref().ok()?;
        let recalled = self.work.earlier(task, Some(log))?;
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

    /// Whether the next task is the same level in a larger horizon.
    fn has_next_horizon(&self, at: usize) -> bool {
        match (&self.items[at], self.items.get(at + 1)) {
            (Ok(task), Some(Ok(next))) => std::ptr::eq(task.chosen, next.chosen),
            _ => false,
        }
    }
}

/// What a record says of a level that the log knows.
fn recorded(record: &Record, task: &BatchTask<'_>, recalled: &Recalled) -> Option<String> {
    let (plan, reading) = (recalled.outcome.best.as_ref()?, recalled.outcome.reading);
    let instances = task.instances.as_ref().ok()?;
    let instance = instances.iter().find(|it| it.reading() == reading)?;
    record.block(task.chosen, instance.as_ref(), plan, recalled.elapsed())
}
