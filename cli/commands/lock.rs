//! `unstuck lock`: a store beside a collection, with all that is known of its levels and a certificate
//! of each, so that `check` finds what a change has broken.
//!
//! The levels are solved into one store, out of order; the lock is another one, written at the end in
//! the order of the levels. What an earlier lock shows is taken over.

pub(crate) mod check;
mod matching;

use crate::answer::Answer;
use crate::commands::check::store::Judge;
use crate::commands::fill::{Asked, Fill, Workers};
use crate::driver::{self, Run, Watched, failed, sum_up};
use crate::input::args::{ForceArgs, LevelsArgs, Named, SolveArgs, long_help};
use crate::input::{self, SelectedLevel, SelectedLevels, applies};
use crate::store::open_store::OpenStore;
use crate::store::question;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::store::retry::Retry;
use crate::store::shards::{MAX_CERTIFICATE_BYTES, PackLocation, Store};
use crate::terminal::failure::{CommandResult, Failure, of_several};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::progress::Display;
use crate::terminal::text::one_line;
use clap::Args;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use unstuck::certificate::folder::UnfinishedFolder;
use unstuck::machine::{all_threads, regular};
use unstuck::report::{Field, LevelAnswer, sentences};

/// The name of a lock beside its collection.
pub(crate) const LOCK: &str = "unstuck.lock";

const LONG_HELP: &str = "\
The lock is a store: for each level its text, its verdict, a solution, and a
certificate. `unstuck check` judges it without searching, and compares it with
the level files, which must lie in the folder that the lock is in, or below it. A
level is known by its rules and its board: titles, comments and places may change.
What an earlier lock has is judged and taken over, with `--force`.

Exit codes: 0 all levels are in the lock; 2 wrong usage, or one could not be
read; 20 with --solvable: one has no solution; 30 a limit struck before a
verdict or before its certificate; 70 internal error.";

const EXAMPLES: &str = "\
Examples:
  unstuck lock collection.xsb --timeout 60
  unstuck lock mine.xsb others.xsb -o puzzles.lock --force
  unstuck lock collection.xsb --solvable        fails where one is broken
  unstuck check unstuck.lock                    finds what has changed since";

/// Record verdicts and certificates of a collection beside it
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct LockCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    solve: SolveArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    shown: OutputArgs,
    /// The folder of the lock [default: unstuck.lock beside the first file]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Fail with code 20 where a level has no solution
    #[arg(long)]
    solvable: bool,
}

impl Run for LockCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.shown.json, limits: Some(self.limits) }
    }

    fn run(&'static self) -> CommandResult {
        let mut found = self.levels.found()?;
        applies::solving(&self.solve, self.levels.reading.objective, &found)?;
        self.solve.solver.check()?;
        let horizon = self.solve.horizon()?;
        if let Some(chosen) = found.iter().flatten().find(|chosen| chosen.source.starts_with('<')) {
            return Err(Failure::usage(format!("{}: a lock needs a file", chosen.source)));
        }
        let Some(first) = found.iter().flatten().map(|chosen| chosen.source.clone()).next() else {
            let failures = found.into_iter().filter_map(Result::err);
            let failure = failures.map(|unread| unread.failure).next();
            return Err(failure.unwrap_or_else(|| Failure::usage("no level to lock")));
        };
        let beside = || Path::new(&first).parent().unwrap_or(Path::new("")).join(LOCK);
        let path = self.output.clone().unwrap_or_else(beside);
        let earlier = replaced(&path, self.force.force)?;
        let folder = output::parent(&path);
        let files = files(&found, folder)?;
        input::note_duplicates(&found);
        // A level that is named twice is one level.
        let mut known = HashSet::new();
        found.retain(|one| {
            let Ok(chosen) = one else { return true };
            let is_new = known.insert((&files[&chosen.source], chosen.number));
            if !is_new {
                output::say(format!("warning: {}: named twice, locked once", chosen.name()));
            }
            is_new
        });
        let fail = |error: io::Error| Failure::file(&path.display().to_string(), &error);
        let unfinished = || UnfinishedFolder::beside(&path).map_err(fail);
        let (scratch, whole) = (unfinished()?, unfinished()?);
        let solved = OpenStore::open(Store::make(scratch.path(), 1, false)?)?;
        let limits = self.limits;
        let (count, threads) = (all_threads(), self.solve.threads.threads);
        let threads = threads.map_or(1, |threads| threads.get().into());
        let workers = Workers { count, threads, prove: true, once: false, limits };
        guard::signals_only();
        let mut asked: Vec<(&SelectedLevel, LevelQuestion)> = Vec::new();
        let mut codes = Vec::new();
        for one in &found {
            let opened = one.as_ref().map_err(|unread| unread.failure.clone());
            let asking = opened.and_then(|chosen| {
                chosen.opened()?;
                let means = (&self.solve, workers.given());
                let objective = self.levels.reading.objective;
                let asked = question::asked("lock", chosen, objective, means, horizon)?;
                let file = files[&chosen.source].clone();
                Ok((chosen, LevelQuestion { file, ..asked.in_store(chosen) }))
            });
            match asking {
                Err(failure) => codes.push(failed(&failure, "lock", one.as_ref(), self.shown.json)),
                Ok(question) => asked.push(question),
            }
        }
        if let Some(earlier) = &earlier {
            let limits = LimitArgs { timeout: None, ..limits }.begin();
            take_over(&Judge::new(earlier, &limits), &asked, &solved)?;
        }
        let fill = Fill::new(Some(solved), workers, Retry::Unknown);
        let waiting = asked.iter().filter(|(chosen, asked)| fill.known(asked, chosen).is_none());
        let waiting: Vec<_> =
            waiting.map(|(_, asked)| Asked { question: asked.clone(), place: () }).collect();
        let display = Display::new(&path.display().to_string(), self.shown, None);
        let (all, done) = (waiting.len(), AtomicUsize::new(0));
        let take = |(), _: LevelResult, _| {
            done.fetch_add(1, Ordering::Relaxed);
        };
        let interrupted = fill.run(&mut waiting.into_iter(), &take, &mut || {
            let done = done.load(Ordering::Relaxed);
            display.say(&format!("{done} of {all} levels"));
        })?;
        drop(display);
        let lock = OpenStore::open(Store::make(whole.path(), 1, true)?)?;
        let mut locked = 0_u32;
        for (chosen, question) in asked {
            if let Some((line, packed)) = line(question, &fill)? {
                locked += 1;
                codes.push(self.keep(chosen, line, &packed, &lock)?);
            }
        }
        lock.sync()?;
        drop((lock, fill, scratch));
        whole.put(&path, self.force.force).map_err(fail)?;
        if interrupted {
            output::say(format!("interrupted: {locked} of {} levels are in the lock", found.len()));
            codes.push(30);
        }
        let count = sentences::count(locked, "levels");
        let text = format!("{}: {count}\n", one_line(&path.display().to_string()));
        sum_up(self.shown, text);
        Ok(of_several(&codes))
    }
}

/// What was found of a level, with the place that the lock shows it by, and its packed certificate.
fn line(asked: LevelQuestion, fill: &Fill) -> Result<Option<(LevelResult, Vec<u8>)>, Failure> {
    let (Some(store), Some(key)) = (&fill.store, asked.stored_key()) else { return Ok(None) };
    let Some(LevelResult { asked: before, answer, .. }) = store.find(key)? else { return Ok(None) };
    let packed = match &*before.certificate {
        Some(place) => packed(&store.store, place)?,
        None => Vec::new(),
    };
    let LevelQuestion { objective, limits, version, .. } = before;
    let asked = LevelQuestion { objective, limits, version, ..asked };
    // What another run takes says nothing of the level.
    let (seconds, peak_memory_bytes) = Default::default();
    let (search, horizons) = Default::default();
    let answer = LevelAnswer { seconds, peak_memory_bytes, search, horizons, ..answer };
    Ok(Some((LevelResult::new(asked, answer), packed)))
}

impl LockCommand {
    /// Writes and reports the result of a level; gives its exit code.
    fn keep(
        &self,
        chosen: &SelectedLevel,
        line: LevelResult,
        packed: &[u8],
        lock: &OpenStore,
    ) -> CommandResult {
        let answer = &line.answer;
        let wanted = !self.solvable || answer.verdict == "solved";
        let open = packed.is_empty() && self.lacks(chosen, &line);
        let code = match *answer.exit {
            Some(0 | 20 | 21) if open => 30,
            Some(0 | 20 | 21) if !wanted => 20,
            Some(0 | 20 | 21) => 0,
            other => other.unwrap_or(2),
        };
        let words = answer.sentence.as_deref().unwrap_or_default();
        let end = match (&*answer.not_certified, packed.is_empty()) {
            (_, false) => "certified".to_owned(),
            (Some(reason), true) => format!("no certificate: {reason}"),
            (None, true) => "no certificate".to_owned(),
        };
        let text = format!("{}: {}\n", chosen.name(), one_line(&format!("{words}; {end}")));
        let mut shown = line.clone();
        (shown.asked.text, shown.answer.exit) = (None, code.into());
        let answer = Answer::new(code, shown).saying(text).quietly("");
        driver::show(&answer, answer.printed_alone(self.shown), self.shown);
        let key = line.asked.stored_key().expect("it was found by its key");
        lock.keep(key, line, packed)?;
        Ok(code)
    }

    /// Whether a certificate could show more than the solutions of a result do.
    fn lacks(&self, chosen: &SelectedLevel, line: &LevelResult) -> bool {
        let several = line.answer.others.as_ref().is_some_and(|others| !others.is_empty());
        let any = line.asked.question.objective == "any";
        let is_shown = if chosen.family.has_moves { any } else { several };
        line.answer.verdict != "solved" || !is_shown
    }
}

/// The packed certificate at a place of a store.
fn packed(store: &Store, place: &PackLocation) -> Result<Vec<u8>, Failure> {
    let packed = store.packed(place, MAX_CERTIFICATE_BYTES as u64);
    packed.map_err(|error| Failure::internal(format!("{error:?}")))
}

/// Takes what an earlier lock has about these questions, where a certificate shows all that it says.
/// What cannot be read of it is solved again.
///
/// # Errors
/// When something cannot be written.
fn take_over(
    judge: &Judge<'_>,
    asked: &[(&SelectedLevel, LevelQuestion)],
    into: &OpenStore,
) -> Result<(), Failure> {
    let wanted: HashSet<_> = asked.iter().filter_map(|(_, asked)| asked.stored_key()).collect();
    let mut kept = Ok(());
    let _ = judge.store.visit_all(&mut |key, line: Value| {
        let judged = wanted.contains(&key).then(|| judge.result(key, &line));
        let Some(Ok(right)) = judged else { return Ok(()) };
        let mut line = LevelResult::deserialize(line).unwrap_or_default();
        if let (Some(place), false) = (&*line.asked.certificate, right.is_open()) {
            let packed = packed(judge.store, place)?;
            line.asked.certificate = Field::null();
            kept = into.keep(key, line, &packed);
        }
        // After a fault nothing more is to be read.
        if kept.is_ok() { Ok(()) } else { Err(Failure::internal("the lock cannot be written")) }
    });
    Ok(kept?)
}

/// The lock that is replaced, where there is one.
fn replaced(path: &Path, force: bool) -> Result<Option<Store>, Failure> {
    let shown = path.display();
    output::not_input(path)?;
    let Ok(about) = path.symlink_metadata() else { return Ok(None) };
    if !force {
        let message = format!("{shown}: already exists");
        return Err(Failure::usage(message).help("`--force` replaces it"));
    }
    let (what, earlier) = match about.is_dir() {
        true => ("folder", Store::open(path).ok().filter(Store::is_lock)),
        false => ("file", None),
    };
    // A file may be a lock of an earlier version.
    if earlier.is_none() && (about.is_dir() || !is_old(path)) {
        let message = format!("{shown}: a {what} that is no lock is not replaced");
        return Err(Failure::usage(message).help("name another one with `-o`"));
    }
    Ok(earlier)
}

/// Whether a file is a lock as versions before this one wrote it.
pub(crate) fn is_old(path: &Path) -> bool {
    let text = regular::read_text(path, regular::MOST).unwrap_or_default();
    let lock: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    lock["format"] == 1 && lock["levels"].is_array()
}

/// The files of all levels as the lock names them.
fn files(found: &SelectedLevels, folder: &Path) -> Result<HashMap<String, String>, Failure> {
    let mut files = HashMap::new();
    for chosen in found.iter().flatten() {
        if files.contains_key(&chosen.source) {
            continue;
        }
        let name = relative(&chosen.source, folder).and_then(|name| {
            // It must be what a check will read.
            let path = regular::inside(folder, &name)?;
            let bytes = regular::open(&path)?.bytes;
            match bytes > regular::MOST {
                true => Err(io::ErrorKind::FileTooLarge.into()),
                false => Ok(name),
            }
        });
        let name = name.map_err(|error| {
            let message = format!("{}: cannot be locked: {error}", chosen.source);
            Failure::usage(message)
                .help("a lock names files in its folder or below it: choose it with `-o`")
        })?;
        files.insert(chosen.source.clone(), name);
    }
    Ok(files)
}

/// A file as the lock names it: relative to the folder that the lock is in.
fn relative(source: &str, folder: &Path) -> io::Result<String> {
    let path = Path::new(source);
    let lexical = path.strip_prefix(folder).ok().filter(|path| path.is_relative());
    let lexical =
        lexical.and_then(Path::to_str).filter(|name| regular::inside(folder, name).is_ok());
    // Locks are for all systems: Windows reads both slashes.
    let portable = |name: &str| match cfg!(windows) {
        true => name.replace('\\', "/"),
        false => name.to_owned(),
    };
    if let Some(name) = lexical {
        return Ok(portable(name));
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (full, here) = (path.canonicalize()?, here.canonicalize()?);
    let inside = full.strip_prefix(here).ok().and_then(Path::to_str);
    let outside = || io::Error::other("it is not in the folder of the lock");
    Ok(portable(inside.ok_or_else(outside)?))
}
