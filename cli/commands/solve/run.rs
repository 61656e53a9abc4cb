//! The work of `solve`: each level that is not known yet is solved, kept, and reported.

use crate::commands::solve::args::{ShownArgs, SolveCommand};
use crate::commands::solve::job::{Job, Solved, Task};
use crate::commands::solve::shown::compared;
use crate::commands::solve::solved::SolvedLevel;
use crate::driver::{self, Work};
use crate::input::SelectedLevels;
use crate::runner::JobEnd;
use crate::store::open_store::OpenStore;
use crate::store::record::Record;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::retry::merged;
use crate::store::table::{self, Reported};
use crate::terminal::failure::{CommandResult, Failure, of_several};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output;
use crate::terminal::progress::{self, is_on_terminal};
use crate::terminal::text::{Text, one_line};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unstuck::limits::Stop;
use unstuck::machine::lock;
use unstuck::report::sentences;

/// Solves all levels; a broken or unsolved level does not end the batch.
pub(super) fn all(args: &'static SolveCommand, found: SelectedLevels) -> CommandResult {
    let output = args.answer.output;
    if let ([Err(unread)], true) = (found.as_slice(), args.is_single(&found)) {
        return Err(unread.failure.clone());
    }
    // A level that does not end in time is left to itself, and may look at all this to the end.
    let found: &'static SelectedLevels = Box::leak(Box::new(found));
    let mut job = Job::new(args, found)?;
    let log = args.kept.log.as_deref().map(OpenStore::log).transpose()?;
    if let Some(log) = &log {
        job.recall(log)?;
    }
    let job: &'static Job = Box::leak(Box::new(job));
    let record = begun_record(job, found)?;
    let reported: Arc<Mutex<Reported>> = Arc::default();
    let mut round = Round { time: job.goes_in_rounds().then_some(FIRST_ROUND), open: None };
    let mut batch = Batch { job, log, record, reported: reported.clone(), open: BTreeMap::new() };
    if !job.single {
        let reported = reported.clone();
        guard::rescue(move |_| {
            let reported = lock(&reported);
            driver::sum_up(output, summed_up(job, &reported, Some(reported.len())));
        });
    }
    loop {
        let limits = round.limits(args.answer.limits);
        let turns = job.turns().into_iter().enumerate();
        let turns = turns.map(|(at, turn)| turn.filter(|_| round.has(at))).collect();
        let at_once = job.at_once();
        let work = Work { command: "solve", output, limits: Some(limits), at_once, turns };
        let mut take = |at, end| match round.has(at) {
            true => batch.take(at, end, round.time.is_some()),
            false => Ok(()),
        };
        driver::in_turn(work, move |subject| job.solve(subject, &limits), &mut take)?;
        if guard::is_interrupted() || batch.open.is_empty() {
            break;
        }
        round = round.next(batch.open.keys().copied().collect());
    }
    batch.report_open()?;
    let done = lock(&reported).len();
    if let Some(log) = &batch.log {
        // Levels that an interruption left out may be known all the same.
        for (at, item) in job.items.iter().enumerate().skip(done) {
            if let Ok(task @ Task { earlier: Some(earlier), .. }) = item {
                lock(&reported).add(at, job.name(task), &earlier.result);
            }
        }
        log.tidy()?;
    }
    if let Some(record) = &mut batch.record {
        record.end()?;
    }
    let reported = std::mem::take(&mut *lock(&reported));
    let remembered = reported.remembered();
    if output.quiet && remembered > 0 {
        let answers = sentences::count(remembered, "answers");
        output::say(format!("note: {answers} from the store, not found in this run"));
    }
    let interrupted = guard::is_interrupted();
    if !job.single {
        driver::sum_up(output, summed_up(job, &reported, interrupted.then_some(done)));
    }
    let counted = reported.exits().filter(|&(at, _)| !job.has_next_horizon(at));
    let mut codes: Vec<u8> = counted.map(|(_, exit)| exit).collect();
    codes.extend((interrupted && done < job.items.len()).then_some(30));
    Ok(guard::answered(of_several(&codes)))
}

/// The first limit of a level, where none is given and there are several levels, and by how much it
/// grows from round to round.
const FIRST_ROUND: Duration = Duration::from_secs(2);
const ROUND_GROWTH: u32 = 4;

/// A round through the levels that are open. Where no limit of time is given there are rounds with
/// ever longer ones, so that no level is kept waiting for a harder one.
struct Round {
    time: Option<Duration>,
    /// The levels that are open; nothing in the first round, which is of all levels.
    open: Option<BTreeSet<usize>>,
}

impl Round {
    fn has(&self, at: usize) -> bool {
        self.open.as_ref().is_none_or(|open| open.contains(&at))
    }

    /// What a level may take in it.
    fn limits(&self, given: LimitArgs) -> LimitArgs {
        LimitArgs { timeout: given.timeout.or(self.time), ..given }
    }

    /// The next round, through the levels that this one has left open: a single one keeps none
    /// waiting, and has all the time.
    fn next(self, open: BTreeSet<usize>) -> Self {
        let longer = |time: Duration| time.saturating_mul(ROUND_GROWTH);
        let time = self.time.filter(|_| open.len() > 1).map(longer);
        Self { time, open: Some(open) }
    }
}

/// Whether more time may bring more.
fn is_open(solved: &SolvedLevel) -> bool {
    let (instance, outcome) = (solved.instance(), &solved.outcome);
    let is_settled = instance.moves().is_some() && outcome.is_settled(instance.objective());
    outcome.stop == Some(Stop::Time) && !is_settled
}

/// How the line of a level is shown: over moves or boards; else as progress on a terminal, for the
/// table at the end says the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Nowhere,
    AmongAnswers,
    AsProgress,
}

impl Lines {
    fn of(job: &Job) -> Self {
        let ShownArgs { stages, moves, compare, .. } = job.args.solution.shown;
        match stages || moves || compare {
            true => Self::AmongAnswers,
            false if is_on_terminal() => Self::AsProgress,
            false => Self::Nowhere,
        }
    }

    fn show(self, mut line: Text) {
        match self {
            Self::Nowhere => {}
            Self::AmongAnswers => {
                line.push_str("\n");
                output::print(line);
            }
            Self::AsProgress => output::say(line),
        }
    }
}

/// The table of a batch, below the lines of its levels (without it where these have said all), its
/// totals, and after how many it was interrupted, if it was; nothing with `--quiet`.
fn summed_up(job: &Job, reported: &Reported, interrupted: Option<usize>) -> Text {
    if !job.args.answer.output.talks() {
        return Text::default();
    }
    let (lines, rows) = (Lines::of(job), reported.rows());
    lines.show(Text::default());
    // In rounds there is more than one line of a level.
    let is_once = !job.goes_in_rounds();
    let lines_are_all = is_once && lines == Lines::AsProgress && output::is_on_terminal();
    let table = if lines_are_all { String::new() } else { table::table(&rows) };
    let mut text = Text::drawing(&table);
    text.push_str(&reported.totals());
    text.push_str(&table::idle_rules(&rows));
    if let Some(done) = interrupted {
        let way = match job.args.kept.log.is_some() {
            true => "; repeat the command to resume",
            false => "; with `--log FILE` the same command would go on from there",
        };
        let count = job.items.len();
        text.push_str(&format!("interrupted: {done} of {count} were looked at{way}\n"));
    }
    text
}

/// The record of a batch, begun with what the log knows.
fn begun_record(job: &Job, found: &SelectedLevels) -> Result<Option<Record>, Failure> {
    let Some(target) = job.args.kept.record.clone() else { return Ok(None) };
    let force = job.args.answer.force.force;
    let mut files: Vec<_> = found.iter().flatten().collect();
    files.dedup_by_key(|chosen| &chosen.source);
    let header = match files.as_slice() {
        [only] => Some(only.level.notes.file.as_str()),
        _ => None,
    };
    let mut record = Record::new(target, force, header, job.items.len());
    let mut names = BTreeSet::new();
    for (at, item) in job.items.iter().enumerate() {
        let Ok(task) = item else { continue };
        let Some(recalled) = &task.earlier else { continue };
        let solved = job.remembered(task, recalled)?;
        let best = solved.outcome.best.as_ref();
        let block = best.and_then(|best| {
            record.block(task.chosen, solved.instance(), best, recalled.elapsed())
        });
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
    job: &'static Job,
    log: Option<OpenStore>,
    record: Option<Record>,
    reported: Arc<Mutex<Reported>>,
    /// What is known of levels that a round has left open, until the next one comes to them.
    open: BTreeMap<usize, SolvedLevel>,
}

impl Batch {
    /// Keeps and reports what came of a level whose turn it is; nothing came of one that is known or
    /// broken. What a round leaves open goes into the table alone, for there is another round.
    fn take(
        &mut self,
        at: usize,
        end: Option<JobEnd<Solved>>,
        is_round: bool,
    ) -> Result<(), Failure> {
        let job = self.job;
        let as_json = job.args.answer.output.json;
        let before = self.open.remove(&at);
        let task = match &job.items[at] {
            Ok(task) => task,
            Err(unread) => {
                let name = Path::new(&unread.source).file_name().unwrap_or_default();
                let asked = LevelQuestion { file: unread.source.clone(), ..Default::default() };
                driver::failed(&unread.failure, "solve", Err(unread), as_json);
                let result = LevelResult::new(asked, unread.failure.answer());
                self.report(at, one_line(&name.to_string_lossy()), &result);
                return Ok(());
            }
        };
        let mut remembered = None;
        let solved = match (&task.instances, end) {
            (Err(failure), _) => Err(failure.clone()),
            (_, Some(JobEnd::Answered(solved))) => solved,
            (_, Some(JobEnd::Ended(stop))) => {
                guard::say_left(stop, &job.label(at, task));
                job.left(at, task, stop)
            }
            (_, Some(JobEnd::Lost(how))) => Err(driver::crashed(task.chosen, &how)),
            (_, None) => {
                remembered = job.known(task);
                job.remembered(task, remembered.expect("others have their turn"))
            }
        };
        // A turn that was cut short may know less than the one before it, but what ended it.
        let solved = match (solved, before) {
            (Ok(now), Some(mut before))
                if now.outcome.stop.is_some() && now.knowledge() < before.knowledge() =>
            {
                before.outcome.stop = now.outcome.stop;
                Ok(before)
            }
            (solved, _) => solved,
        };
        match solved {
            Err(failure) if job.single => return Err(failure),
            Err(failure) => {
                let result = LevelResult::new(task.asked.clone(), failure.answer());
                driver::report(&failure, &result, as_json);
                self.report(at, job.name(task), &result);
            }
            Ok(solved) if is_round && is_open(&solved) => {
                let result = solved.result(task.asked.clone());
                self.report(at, job.name(task), &result);
                self.open.insert(at, solved);
            }
            Ok(solved) => {
                let result = match remembered {
                    Some(recalled) => recalled.result.clone(),
                    None => solved.result(task.asked.clone()),
                };
                self.solved(at, task, &solved, result, remembered.is_some())?;
            }
        }
        Ok(())
    }

    /// Reports what is known of levels that were left open, when there is no other round.
    fn report_open(&mut self) -> Result<(), Failure> {
        for (at, solved) in std::mem::take(&mut self.open) {
            if let Ok(task) = &self.job.items[at] {
                let result = solved.result(task.asked.clone());
                self.solved(at, task, &solved, result, false)?;
            }
        }
        Ok(())
    }

    /// Keeps and reports a result, unless it is remembered: then it is kept already.
    fn solved(
        &mut self,
        at: usize,
        task: &Task,
        solved: &SolvedLevel,
        mut result: LevelResult,
        is_known: bool,
    ) -> Result<(), Failure> {
        let (job, chosen) = (self.job, task.chosen);
        let ShownArgs { stages, compare, .. } = job.args.solution.shown;
        if compare {
            result.answer.recorded = compared(chosen, solved).into();
        }
        let mut block = None;
        if !is_known {
            if let (Some(log), Some(key)) = (&self.log, task.key) {
                if let Some(earlier) = &task.earlier {
                    result = merged(earlier.result.answer.clone(), result);
                }
                let mut kept = result.clone();
                kept.asked = kept.asked.in_store(chosen);
                log.keep(key, kept, &[])?;
            }
            // A plan that was known before stays, unless this one is at least as good.
            let best = solved.outcome.best.as_ref();
            let best = best.filter(|best| result.moves() == Some(best.text()));
            if let (Some(record), Some(best)) = (&self.record, best) {
                block = record.block(chosen, solved.instance(), best, solved.outcome.elapsed);
            }
            result.answer = result.answer.with_stages(&solved.outcome);
        }
        self.report(at, job.name(task), &result);
        let mut answer = job.answer(task, solved, result);
        let output = job.args.answer.output;
        if !job.single {
            let said = std::mem::take(&mut answer.text);
            let whole = format!("{}: {}\n", chosen.name(), said.as_str().trim_end());
            answer.quiet = Text::from(&whole);
            if Lines::of(job) == Lines::AmongAnswers {
                let plan = solved.outcome.best.as_ref().map(|best| format!("{}\n", best.text()));
                answer.text =
                    if stages || compare { said } else { plan.unwrap_or_default().into() };
            }
        } else if let (true, Some(recalled)) = (is_known, &task.earlier) {
            answer.text.push_str(&recalled.sentence());
        }
        driver::show(&answer, answer.printed_alone(output), output);
        if job.single {
            let (instance, force) = (solved.instance(), job.args.answer.force);
            job.args.pictures.write_outcome(force, chosen, instance, &solved.outcome)?;
        }
        if let (Some(record), Some(block)) = (&mut self.record, block) {
            record.add(at, block)?;
        }
        Ok(())
    }

    /// Adds the row of a level that has ended, and shows its line where a batch has lines.
    fn report(&self, at: usize, name: String, result: &LevelResult) {
        let job = self.job;
        let row = lock(&self.reported).add(at, name, result).clone();
        if !job.single && job.args.answer.output.talks() {
            let line = row.line(at + 1, job.items.len(), progress::columns());
            Lines::of(job).show(Text::drawing(&line));
        }
    }
}
