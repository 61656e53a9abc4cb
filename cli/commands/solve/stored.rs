//! `solve --store`: very many levels on all cores, with a store that survives the loss of any
//! process. Levels are streamed, and what came out of them is counted: the store has the rest.

use crate::answer::Answer;
use crate::commands::fill::{Fill, Workers, opened};
use crate::commands::solve::args::SolveCommand;
use crate::input::applies::{self, Demand};
use crate::input::{Levels, ReadFailure, SelectedLevel};
use crate::store::question;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::retry::Retry;
use crate::store::shards::{Key, Store};
use crate::store::summary::Summary;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::progress::Display;
use crate::terminal::{guard, values};
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
    let levels = &args.levels;
    let source = match &levels.selection.level {
        None => Source::Streamed(Box::new(Levels::of(&levels.files, &levels.reading.family)?)),
        Some(_) => Source::Read(levels.found()?.into()),
    };
    let store = Store::begin(folder, kept.shards)?;
    // The time limit is that of a level, and workers keep it.
    guard::signals_only();
    let store = opened(&store, kept.part.is_some())?;
    let fill = Fill::new(Some(store), workers, kept.retry.unwrap_or(Retry::None));
    let counts = Mutex::new(Counts::default());
    let (families, seen) = (BTreeSet::new(), HashSet::new());
    let mut work = Pending {
        args,
        fill: &fill,
        source,
        ready: VecDeque::new(),
        families,
        seen,
        counts: &counts,
    };
    let begun = Instant::now();
    let output = args.answer.output;
    let display = Display::new(&folder.display().to_string(), output, None);
    let mut shown = Instant::now();
    let take = |line: LevelResult, bytes: u64| {
        let certificate = Some(bytes).filter(|&bytes| bytes > 0);
        lock(&counts).answered.add(&line.answer, certificate);
    };
    let interrupted = fill.run(&mut work, &take, &mut || {
        if shown.elapsed() > DISPLAY_INTERVAL {
            shown = Instant::now();
            display.say(&lock(&counts).progress(begun.elapsed()));
        }
    })?;
    drop(display);
    let passed = work.source.passed_over();
    let counts = lock(&counts).clone();
    Ok(counts.tell(output, folder, passed, begun.elapsed(), interrupted))
}

/// Where levels come from.
enum Source<'a> {
    /// As they are read.
    Streamed(Box<Levels<'a>>),
    /// Those that were selected.
    Read(VecDeque<Result<SelectedLevel, ReadFailure>>),
}

impl Source<'_> {
    fn next(&mut self) -> Option<Result<SelectedLevel, ReadFailure>> {
        match self {
            Self::Streamed(levels) => levels.next(),
            Self::Read(levels) => levels.pop_front(),
        }
    }

    /// The part of all files that has been read, where that can be known.
    fn part(&self) -> Option<f64> {
        match self {
            Self::Streamed(levels) => levels.part(),
            Self::Read(_) => None,
        }
    }

    fn passed_over(&self) -> Option<String> {
        match self {
            Self::Streamed(levels) => levels.passed_over(),
            Self::Read(_) => None,
        }
    }
}

/// What has come of the levels.
#[derive(Clone, Debug, Default)]
struct Counts {
    /// Questions about levels that were read.
    read: u64,
    /// Those about a level that came before.
    duplicates: u64,
    /// Levels and files that could not be read.
    unread: u64,
    /// The part of all files that was read, where that can be known.
    part: Option<f64>,
    /// What came out in this run.
    answered: Summary,
    /// What the store had.
    remembered: Summary,
}

/// What has no answer yet, each as what is asked.
struct Pending<'a> {
    args: &'a SolveCommand,
    fill: &'a Fill,
    source: Source<'a>,
    /// What is asked of the level that was read last.
    ready: VecDeque<LevelQuestion>,
    families: BTreeSet<&'static str>,
    /// What was asked already.
    seen: HashSet<Key>,
    counts: &'a Mutex<Counts>,
}

impl Iterator for Pending<'_> {
    type Item = LevelQuestion;

    fn next(&mut self) -> Option<LevelQuestion> {
        loop {
            if self.fill.is_stopped() {
                return None;
            }
            if let Some(asked) = self.ready.pop_front() {
                return Some(asked);
            }
            let one = self.source.next()?;
            lock(self.counts).part = self.source.part();
            let kept = &self.args.kept;
            let id = || one.as_ref().ok().and_then(SelectedLevel::id);
            if kept.part.is_some_and(|part| !part.has(id().as_deref())) {
                continue;
            }
            let read = match one {
                Ok(chosen) => self.ask(chosen),
                Err(unread) => Err(unread.failure),
            };
            if let Err(failure) = read {
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
    fn check(&self, one: &Vec<Result<SelectedLevel, ReadFailure>>) -> Result<(), Failure> {
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
    fn ask(&mut self, chosen: SelectedLevel) -> Result<(), Failure> {
        let family = chosen.family.name;
        let one = vec![Ok(chosen)];
        if self.families.insert(family)
            && let Err(failure) = self.check(&one)
        {
            // That ends everything.
            self.fill.fail(failure);
            return Ok(());
        }
        let chosen = one.into_iter().flatten().next().expect("one level was put in");
        chosen.opened()?;
        let SolveCommand { solve, levels, .. } = self.args;
        let means = (&**solve, self.fill.workers.given());
        for horizon in solve.horizons() {
            let (objective, search) = (levels.reading.objective, self.args.solution.search());
            let asked = question::asked("solve", &chosen, objective, means, search, horizon)?;
            let asked = asked.in_store(&chosen);
            let is_new = asked.stored_key().is_none_or(|key| self.seen.insert(key));
            let known = if is_new { self.fill.known(&asked, &chosen) } else { None };
            let mut counts = lock(self.counts);
            counts.read += 1;
            match known {
                Some(known) => {
                    // Its certificate was not judged now.
                    counts.remembered.add(&known.answer, None);
                }
                None if is_new => self.ready.push_back(asked),
                None => counts.duplicates += 1,
            }
        }
        Ok(())
    }
}

/// A run that fills a store.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StoredAnswer<'a> {
    /// The folder of the store.
    store: &'a str,
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
}

impl Counts {
    /// How far it is: rate, and what remains where that can be known.
    fn progress(&self, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64().max(0.001);
        let rate = self.answered.levels as f64 / seconds;
        let mut text = format!("{}, {rate:.0} a second", self.answered.text());
        if self.remembered.levels > 0 {
            text.push_str(&format!(", {} from the store", self.remembered.levels));
        }
        if let Some(part) = self.part.filter(|&part| part > 0.0) {
            let left = Duration::try_from_secs_f64(seconds * (1.0 - part) / part);
            let left = values::shown_time(left.unwrap_or(Duration::MAX));
            text.push_str(&format!("; {:.0} % read, {left} left", 100.0 * part));
        }
        text
    }

    /// Prints the result, and returns the exit code.
    fn tell(
        self,
        output: OutputArgs,
        store: &Path,
        passed: Option<String>,
        elapsed: Duration,
        interrupted: bool,
    ) -> u8 {
        let code = match self.answered.exit().max(self.remembered.exit()) {
            70 => 70,
            _ if self.unread > 0
                || [&self.answered, &self.remembered].iter().any(|it| it.exit() == 2) =>
            {
                2
            }
            _ if interrupted => 30,
            other => other,
        };
        let (store, seconds) = (store.display().to_string(), elapsed.as_secs_f64());
        let mut text = format!("{}\n", self.answered.text());
        if self.remembered.levels > 0 {
            let known = self.remembered.text();
            text.push_str(&format!("from the store, not found in this run: {known}\n"));
        }
        for (count, what) in
            [(self.duplicates, "the same as one before"), (self.unread, "not read")]
        {
            if count > 0 {
                text.push_str(&format!("{what}: {count}\n"));
            }
        }
        passed.into_iter().for_each(|passed| text.push_str(&format!("{passed}\n")));
        let rate = self.answered.levels as f64 / seconds.max(0.001);
        let time = values::shown_seconds(seconds);
        text.push_str(&format!("{time}, {rate:.0} levels a second; store: {store}\n"));
        if interrupted {
            text.push_str("interrupted: repeat the command to resume\n");
        }
        let fields = StoredAnswer {
            store: &store,
            read: self.read,
            duplicates: self.duplicates,
            unread: self.unread,
            answered: self.answered,
            from_store: self.remembered,
            interrupted,
            seconds,
            peak_memory_bytes: peak_memory(),
            exit: code,
        };
        let answer = Answer::new(code, fields).saying(text).quietly("");
        output::print(answer.printed("solve", None, output));
        code
    }
}
