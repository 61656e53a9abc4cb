//! Results of earlier runs in a file of JSON lines, to which each new result is appended as soon as
//! it is there.
//!
//! A result is known by the level's own name (its exact id, or the hash of its text), its family and
//! the question that was asked (objective, horizons, engine, solver, rules, options of the family):
//! not by the name of a file or a place in it. Where several lines answer one question the last
//! counts; lines that a later one replaces are dropped when the log is opened and closed, so an
//! interrupted run that was continued leaves the log of an uninterrupted one.

use crate::store::lines::{Line, WholeLines};
use crate::store::locked_file::LockedFile;
use crate::store::result::{KeptAnswer, LevelQuestion, LevelResult};
use crate::terminal::failure::Failure;
use crate::terminal::{file_id, output};
use std::collections::BTreeMap;
use std::path::Path;
use unstuck::machine::regular;
use unstuck::report::{Length, LevelAnswer};
use unstuck_puzzles::Objective;

/// A log that is open for appending; no other process can open it meanwhile.
pub(crate) struct Log<A = LevelAnswer> {
    file: LockedFile,
    /// The results, each in the place of the first line that answered its question.
    lines: Vec<LevelResult<A>>,
    /// For each key the results with it.
    places: BTreeMap<String, Vec<usize>>,
    /// Whether the file has lines that are not among the results.
    has_more: bool,
}

impl<A: KeptAnswer> Log<A> {
    /// Opens a log, or begins one.
    ///
    /// # Errors
    /// When it cannot be read or written, another run writes it, or it is no log.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        if output::is_device(path) {
            return Err(Failure::usage(format!("{shown}: a log is a file")).help("name a file"));
        }
        let file = LockedFile::open(path, "log")?;
        let bytes = regular::read(path, u64::MAX).map_err(|error| Failure::file(&shown, &error))?;
        let (lines, torn) = read(&bytes).map_err(|number| {
            Failure::usage(format!("{shown}:{number}: not an unstuck log"))
                .help("name a new file, or the log of an earlier run")
        })?;
        file_id::note_input(path);
        let places = BTreeMap::new();
        let mut log = Self { file, lines: Vec::new(), places, has_more: torn };
        for line in lines {
            let (file, number) = (&line.asked.file, line.asked.number);
            let same = |known: &LevelQuestion| known.file == *file && known.number == number;
            let replaces = log.having(&line.asked).rfind(|&at| same(&log.lines[at].asked));
            log.take(line, replaces);
        }
        log.tidy()?;
        Ok(log)
    }

    fn having(&self, asked: &LevelQuestion) -> impl DoubleEndedIterator<Item = usize> + use<A> {
        let places = asked.log_key().and_then(|key| self.places.get(&key));
        places.cloned().unwrap_or_default().into_iter()
    }

    /// Where the answer to this question is: the last that fits (turned and mirrored levels share
    /// their names).
    pub(crate) fn find(
        &self,
        asked: &LevelQuestion,
        mut fits: impl FnMut(&LevelResult<A>) -> bool,
    ) -> Option<usize> {
        self.having(asked).rfind(|&at| fits(&self.lines[at]))
    }

    /// A result.
    pub(crate) fn line(&self, at: usize) -> &LevelResult<A> {
        &self.lines[at]
    }

    /// Appends a result, which replaces an earlier one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn append(
        &mut self,
        line: &LevelResult<A>,
        replaces: Option<usize>,
    ) -> Result<(), Failure> {
        let added = self.file.append(format!("{line}\n").as_bytes());
        added.map_err(|error| Failure::file(&self.file.path().display().to_string(), &error))?;
        self.take(line.clone(), replaces);
        Ok(())
    }

    fn take(&mut self, line: LevelResult<A>, replaces: Option<usize>) {
        if let Some(at) = replaces {
            self.lines[at] = line;
            self.has_more = true;
            return;
        }
        if let Some(key) = line.asked.log_key() {
            self.places.entry(key).or_default().push(self.lines.len());
        }
        self.lines.push(line);
    }

    /// Rewrites the log when it has lines that later ones replaced, or a torn one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn tidy(&mut self) -> Result<(), Failure> {
        if !self.has_more {
            return Ok(());
        }
        let lines = &self.lines;
        self.file.replace(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
        file_id::note_input(self.file.path());
        self.has_more = false;
        Ok(())
    }
}

/// The results of a log, and whether the last line was torn off; else the line that is none.
fn read<A: KeptAnswer>(bytes: &[u8]) -> Result<(Vec<LevelResult<A>>, bool), usize> {
    let result = |line: &[u8]| {
        let read = serde_json::from_slice::<LevelResult<A>>(line).ok();
        read.filter(|result| result.asked.schema > 0)
    };
    let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    let (mut lines, mut results, mut next) = (WholeLines::new(bytes, 0), Vec::new(), 1);
    while let Ok(Some(Line { number, text, .. })) = lines.advance() {
        next = number + 1;
        if !is_blank(text) {
            results.push(result(text).ok_or(number)?);
        }
    }
    let torn = lines.torn();
    match result(torn) {
        Some(whole) => results.push(whole),
        // What a killed run leaves is the beginning of a line.
        None if is_blank(torn) || begins_line(torn) => {}
        None => return Err(next),
    }
    Ok((results, !torn.is_empty()))
}

/// Whether these bytes can be the beginning of a log's line.
fn begins_line(line: &[u8]) -> bool {
    let start = b"{\"schema\":";
    let length = line.len().min(start.len());
    line[..length] == start[..length]
}

/// The new result of a level that was tried again, with what the old answer knew and the new one does
/// not: the better plan and the higher bound.
pub(crate) fn merged(old: LevelAnswer, mut new: LevelResult) -> LevelResult {
    if new.answer.is_settled() || new.answer.verdict == "error" {
        return new;
    }
    let objective = Objective::from_name(&new.asked.question.objective);
    let counted = objective.is_some_and(|objective| objective != Objective::Any);
    let answer = &mut new.answer;
    let is_higher = *old.lower > *answer.lower;
    if is_higher {
        (answer.lower, answer.shown_by) = (old.lower, old.shown_by);
    }
    let length = |length: Option<Length>| {
        let (moves, pushes) = length.map(|it| (it.moves, it.pushes)).unzip();
        let by_moves = objective.is_some_and(|it| it.first() == Objective::Moves);
        if by_moves { (moves, pushes) } else { (pushes, moves) }
    };
    let is_better = match (&*old.solution, &*answer.solution) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(old), Some(new)) => counted && length(old.length) < length(new.length),
    };
    if is_better {
        new.answer = LevelAnswer {
            solution: old.solution,
            upper: old.upper,
            verdict: old.verdict,
            exit: old.exit,
            reading: old.reading,
            optimal: old.optimal,
            tie_break_optimal: old.tie_break_optimal,
            sentence: old.sentence,
            ..new.answer
        };
    }
    if is_higher || is_better {
        new.answer.from_store = true.into();
    }
    if counted && new.answer.upper.is_some() && *new.answer.upper == *new.answer.lower {
        new.answer.optimal = true.into();
    }
    new
}
