//! `solve --store`: very many levels on all cores, with a store that survives the loss of any
//! process. Levels are streamed, and what came out of them is counted: the store has the rest.

use crate::answer::Answer;
use crate::commands::fill::{Asked, Fill, Workers, opened};
use crate::commands::solve::args::SolveCommand;
use crate::driver;
use crate::input::applies::{self, Demand};
use crate::input::args::Named;
use crate::input::{Levels, SelectedLevel, SelectedLevels};
use crate::store::result::LevelResult;
use crate::store::retry::Retry;
use crate::store::shards::{Key, Store};
use crate::store::summary::Summary;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::progress::Display;
use crate::terminal::{guard, output, values};
use hashbrown::HashSet;
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use unstuck::machine::{all_threads, lock, peak_memory};

/// Time between two changes of what is shown.
const DISPLAY_INTERVAL: Duration = Duration::from_millis(500);

/// Fills the store of a folder.
pub(super) fn run(args: &SolveCommand, folder: &Path) -> CommandResult {
    args.solve.solver.check()?;
    let kept = &args.kept;
    let workers = Workers {
        count: kept.workers.map_or_else(all_threads, Into::into),
        threads: args.solve.threads.threads.map_or(1, |threads| threads.get().into()),
        prove: kept.prove,
        once: false,
        limits: args.answer.limits,
    };
    let (levels, family) = (&args.levels, &args.levels.reading.family);
    let source = match &levels.selection.level {
        None => Levels::of(&levels.files, family)?,
        Some(_) => Levels::read(levels.found()?, family)?,
    };
    let store = Store::begin(folder, kept.shards)?;
    // The time limit is that of a level, and workers keep it.
    guard::signals_only();
    let store = opened(&store, kept.part.is_some())?;
    let fill = Fill::new(Some(store), workers, kept.retry.unwrap_or(Retry::None));
    let (begun, store) = (Instant::now(), folder.display().to_string());
    let output = args.answer.output;
    let display = Display::new(&store, output, None);
    let counts = Mutex::new(StoredAnswer { store, ..StoredAnswer::default() });
    let (ready, families, seen) = (VecDeque::new(), BTreeSet::new(), HashSet::new());
    let mut work = Pending { args, fill: &fill, source, ready, families, seen, counts: &counts };
    let mut shown = Instant::now();
    let take = |(), line: LevelResult, bytes: u64| {
        let certificate = Some(bytes).filter(|&bytes| bytes > 0);
        lock(&counts).answered.add(&line, certificate);
    };
    let interrupted = fill.run(&mut work, &take, &mut || {
        if shown.elapsed() > DISPLAY_INTERVAL {
            shown = Instant::now();
            display.say(&lock(&counts).progress(begun.elapsed()));
        }
    })?;
    drop(display);
    let passed = work.source.passed_over();
    let mut counts = std::mem::take(&mut *lock(&counts));
    (counts.interrupted, counts.seconds) = (interrupted, begun.elapsed().as_secs_f64());
    (counts.peak_memory_bytes, counts.exit) = (peak_memory(), counts.code());
    let (code, text) = (counts.exit, counts.text(passed));
    let answer = Answer::new(code, counts).saying(text).quietly("");
    driver::show(&answer, answer.printed("solve", None, output), output);
    Ok(code)
}

/// What has no answer yet, each as what is asked.
struct Pending<'a> {
    args: &'a SolveCommand,
    fill: &'a Fill,
    source: Levels<'a>,
    /// What is asked of the level that was read last.
    ready: VecDeque<Asked<()>>,
    families: BTreeSet<&'static str>,
    /// What was asked already.
    seen: HashSet<Key>,
    counts: &'a Mutex<StoredAnswer>,
}

impl Iterator for Pending<'_> {
    type Item = Asked<()>;

    fn next(&mut self) -> Option<Asked<()>> {
        loop {
            if self.fill.is_stopped() {
                return None;
            }
            if let Some(asked) = self.ready.pop_front() {
                return Some(asked);
            }
            let one = self.source.next()?;
            lock(self.counts).part = self.source.part();
            let id = || one.as_ref().ok().and_then(SelectedLevel::id);
            if self.args.kept.part.is_some_and(|part| !part.has(id().as_deref())) {
                continue;
            }
            let one = vec![one];
            let read = match one.iter().flatten().next().map(|chosen| chosen.family.name) {
                Some(family) if self.families.insert(family) => self.check(&one),
                _ => Ok(()),
            };
            if let Err(failure) = read {
                // That ends everything.
                self.fill.fail(failure);
                continue;
            }
            let asked = one.into_iter().map(|one| self.ask(&one.map_err(|unread| unread.failure)?));
            if let Err(failure) = asked.collect::<Result<(), Failure>>() {
                let mut counts = lock(self.counts);
                (counts.read, counts.unread) = (counts.read + 1, counts.unread + 1);
                drop(counts);
                output::complain(&failure);
            }
        }
    }
}

impl Pending<'_> {
    /// Refuses options that a family has no use for.
    fn check(&self, one: &SelectedLevels) -> Result<(), Failure> {
        let SolveCommand { solve, solution, levels, .. } = self.args;
        let several = "is played in moves: one shortest solution is looked for";
        let demands = [
            Demand::no_moves("count", solution.count.is_some(), several),
            Demand::moves("rules", solution.rules, applies::REMOVE),
        ];
        applies::check(one, demands)?;
        applies::solving(solve, levels.reading.objective, one)
    }

    /// Asks about a level what is not known.
    fn ask(&mut self, chosen: &SelectedLevel) -> Result<(), Failure> {
        chosen.opened()?;
        for horizon in self.args.solve.horizons() {
            let asked = self.args.question(chosen, horizon, self.fill.workers.given())?;
            let asked = asked.in_store(chosen);
            let is_new = asked.stored_key().is_none_or(|key| self.seen.insert(key));
            let known = if is_new { self.fill.known(&asked, chosen) } else { None };
            let mut counts = lock(self.counts);
            counts.read += 1;
            match known {
                // Its certificate was not judged now.
                Some(known) => counts.from_store.add(&known, None),
                None if is_new => self.ready.push_back(Asked { question: asked, place: () }),
                None => counts.duplicates += 1,
            }
        }
        Ok(())
    }
}

/// A run that fills a store.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StoredAnswer {
    /// The folder of the store.
    store: String,
    /// Levels that were read, each with each horizon.
    read: u64,
    /// Those that are the same as one before.
    duplicates: u64,
    /// Levels and files that cannot be read.
    unread: u64,
    /// What came out in this run.
    answered: Summary,
    /// What the store had before: remembered, not found in this run.
    from_store: Summary,
    /// Whether something is left to do.
    interrupted: bool,
    /// Wall-clock time.
    seconds: f64,
    /// The most memory that the process itself has held, without its workers.
    peak_memory_bytes: Option<u64>,
    /// The exit code.
    exit: u8,
    /// The part of all files that was read, where that can be known.
    #[serde(skip)]
    part: Option<f64>,
}

impl StoredAnswer {
    /// How far it is: rate, and what remains where that can be known.
    fn progress(&self, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64().max(0.001);
        let rate = self.answered.levels as f64 / seconds;
        let mut text = format!("{}, {rate:.0} a second", self.answered.text());
        if self.from_store.levels > 0 {
            text.push_str(&format!(", {} from the store", self.from_store.levels));
        }
        if let Some(part) = self.part.filter(|&part| part > 0.0) {
            let left = Duration::try_from_secs_f64(seconds * (1.0 - part) / part);
            let left = values::shown_time(left.unwrap_or(Duration::MAX));
            text.push_str(&format!("; {:.0} % read, {left} left", 100.0 * part));
        }
        text
    }

    fn code(&self) -> u8 {
        let codes = [self.answered.exit(), self.from_store.exit()];
        match codes.into_iter().max() {
            Some(70) => 70,
            _ if self.unread > 0 || codes.contains(&2) => 2,
            _ if self.interrupted => 30,
            other => other.unwrap_or(0),
        }
    }

    fn text(&self, passed: Option<String>) -> String {
        let mut lines = vec![self.answered.text()];
        if self.from_store.levels > 0 {
            let known = self.from_store.text();
            lines.push(format!("from the store, not found in this run: {known}"));
        }
        for (count, what) in
            [(self.duplicates, "the same as one before"), (self.unread, "not read")]
        {
            lines.extend((count > 0).then(|| format!("{what}: {count}")));
        }
        lines.extend(passed);
        let rate = self.answered.levels as f64 / self.seconds.max(0.001);
        let (time, store) = (values::shown_seconds(self.seconds), &self.store);
        lines.push(format!("{time}, {rate:.0} levels a second; store: {store}"));
        if self.interrupted {
            lines.push("interrupted: repeat the command to resume".to_owned());
        }
        lines.join("\n") + "\n"
    }
}
