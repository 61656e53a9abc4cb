//! Levels one after the other, as many as there may be: no more than a piece of a file is held in
//! memory.
//!
//! A large file of a collection is read in pieces. What belongs to a level stands around its board,
//! and how titles stand in a file can be seen at its beginning: so a piece is read with the first
//! level of the file before it and with the last level of the piece before as its neighbour, and the
//! last levels of a piece wait for the next. Files whose titles stand below their boards are read
//! whole. Where the neighbour does not come out as before, the format is another than those in which
//! that works, and the file is refused.

use crate::input::families::FamilyArgs;
use crate::input::files::{self, STDIN, Siblings, Source, decoded};
use crate::input::{ReadFailure, SelectedLevel};
use crate::terminal::failure::Failure;
use crate::terminal::file_id;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;
use unstuck::registry::{Family, ParsedPuzzle};
use unstuck::report::sentences;
use unstuck_puzzles::{Level, Lines, Options, ParseError, RecordSupport};

/// Files up to this size are read whole; larger ones in pieces of about this size.
const CHUNK_BYTES: u64 = 1 << 17;

/// Levels of a piece that wait for the next: what stands behind the last but one is known.
const LEVELS_HELD_BACK: usize = 2;

/// A file that waits for its turn.
struct QueuedFile {
    path: String,
    turn: Turn,
}

/// Whether a file must be a level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// It was named, so it must be one.
    Named,
    /// It stands below a folder that was named.
    Below,
    /// It looks like no family's: when all others are read, those beside it say whether it is a level
    /// with a fault. Otherwise it is skipped.
    Unknown,
}

/// The levels of files and folders.
pub(crate) struct Levels<'a> {
    args: &'a FamilyArgs,
    files: VecDeque<QueuedFile>,
    ready: VecDeque<Result<SelectedLevel, ReadFailure>>,
    pieces: Option<ChunkedFile>,
    siblings: Siblings,
    /// Files that were skipped.
    passed: u32,
    /// Bytes of all files, where that is known.
    total: Option<u64>,
    read: u64,
}

impl<'a> Levels<'a> {
    /// The levels of these files and folders.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub(crate) fn of(paths: &[String], args: &'a FamilyArgs) -> Result<Self, Failure> {
        let mut named = VecDeque::new();
        files::exist(paths.iter().map(String::as_str))?;
        for path in paths {
            if path != "-" && Path::new(path).is_dir() {
                let below = files::below(Path::new(path))?;
                named.extend(below.into_iter().map(|file| QueuedFile {
                    path: file.display().to_string(),
                    turn: Turn::Below,
                }));
            } else {
                named.push_back(QueuedFile { path: path.clone(), turn: Turn::Named });
            }
        }
        let bytes = |named: &QueuedFile| match named.path.as_str() {
            "-" => None,
            path => Some(Path::new(path).metadata().map_or(0, |about| about.len())),
        };
        let total = named.iter().map(bytes).sum();
        let (ready, pieces) = (VecDeque::new(), None);
        let siblings = Siblings::default();
        Ok(Self { args, files: named, ready, pieces, siblings, passed: 0, total, read: 0 })
    }

    /// The part of all files that has been read, where that can be known.
    pub(crate) fn part(&self) -> Option<f64> {
        let total = self.total.filter(|&total| total > 0)?;
        let waiting = self.pieces.as_ref().map_or(0, |pieces| pieces.read);
        Some(((self.read + waiting) as f64 / total as f64).min(1.0))
    }

    /// How many files in folders were skipped because they are not levels.
    pub(crate) fn passed_over(&self) -> Option<String> {
        let files = sentences::count(self.passed, "files");
        (self.passed > 0).then(|| format!("{files} skipped: not level files"))
    }

    fn begin(&mut self, named: &QueuedFile) {
        match self.opened(named) {
            Ok(()) => {}
            Err(None) if named.turn == Turn::Unknown => self.passed += 1,
            Err(None) => {
                self.files.push_back(QueuedFile { path: named.path.clone(), turn: Turn::Unknown })
            }
            Err(Some(failure)) => {
                let source = named.path.clone();
                self.ready.push_back(Err(ReadFailure { source, failure }));
            }
        }
    }

    /// Opens a file; `None` where it is no level.
    fn opened(&mut self, named: &QueuedFile) -> Result<(), Option<Failure>> {
        let path = named.path.as_str();
        let name = if path == "-" { STDIN } else { path };
        let fail = |error: io::Error| Some(Failure::file(name, &error));
        let mut input: Box<dyn BufRead + Send> = if path == "-" {
            file_id::note_stdin();
            Box::new(BufReader::new(io::stdin()))
        } else {
            file_id::note_input(Path::new(path));
            Box::new(BufReader::new(File::open(path).map_err(fail)?))
        };
        let mut first = Vec::new();
        input.by_ref().take(CHUNK_BYTES).read_to_end(&mut first).map_err(fail)?;
        let is_whole = (first.len() as u64) < CHUNK_BYTES;
        if !is_whole {
            input.read_until(b'\n', &mut first).map_err(fail)?;
        }
        let source = Source { name: name.to_owned(), text: decoded(first) };
        let wanted = self.args.puzzle;
        let family = match named.turn {
            Turn::Named => files::family_of(wanted, &source)?,
            Turn::Below => files::family_below(wanted, &source).ok_or(None)?,
            Turn::Unknown => {
                let siblings = self.siblings.of(Path::new(path));
                files::family_of_faulty(wanted, siblings, &source.text).ok_or(None)?
            }
        };
        self.siblings.note(Path::new(path), family);
        let options = self.args.of(family)?;
        let in_pieces = family.records == RecordSupport::Levels
            && !source.text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        let mut pieces = ChunkedFile::new(input, source, family, options);
        if is_whole || !in_pieces {
            pieces.read_rest().map_err(fail)?;
        }
        self.pieces = Some(pieces);
        Ok(())
    }
}

impl Iterator for Levels<'_> {
    type Item = Result<SelectedLevel, ReadFailure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(one) = self.ready.pop_front() {
                return Some(one);
            }
            if let Some(pieces) = &mut self.pieces {
                match pieces.next() {
                    Some(levels) => self.ready.extend(levels),
                    None => {
                        self.read += pieces.read;
                        self.pieces = None;
                    }
                }
                continue;
            }
            let named = self.files.pop_front()?;
            self.begin(&named);
        }
    }
}

/// Levels as a family reads them.
type ParsedLevels = Vec<Level<Box<dyn ParsedPuzzle>>>;

/// A file that is read in pieces.
struct ChunkedFile {
    input: Box<dyn BufRead + Send>,
    name: String,
    family: &'static Family,
    options: Options,
    /// What has been read and is not among the levels yet.
    text: String,
    /// The text up to the second level of the file.
    head: Option<String>,
    /// The neighbour at the beginning of the text.
    neighbour: Option<String>,
    /// Lines of the file before the text.
    before: usize,
    /// Levels that were handed out.
    given: usize,
    /// Bytes that were read.
    read: u64,
    ended: bool,
    over: bool,
}

impl ChunkedFile {
    fn new(
        input: Box<dyn BufRead + Send>,
        first: Source,
        family: &'static Family,
        options: Options,
    ) -> Self {
        let read = first.text.len() as u64;
        let (name, text) = (first.name, first.text);
        let (head, neighbour) = (None, None);
        let (before, given, ended, over) = (0, 0, false, false);
        Self {
            input,
            name,
            family,
            options,
            text,
            head,
            neighbour,
            before,
            given,
            read,
            ended,
            over,
        }
    }

    fn read_rest(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.input.read_to_end(&mut bytes)?;
        self.read += bytes.len() as u64;
        self.text.push_str(&decoded(bytes));
        self.ended = true;
        Ok(())
    }

    fn read_more(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        // As much again as there is: what is larger than a piece is not read over and over.
        let most = CHUNK_BYTES.max(self.text.len() as u64);
        self.input.by_ref().take(most).read_to_end(&mut bytes)?;
        self.ended = (bytes.len() as u64) < most;
        self.input.read_until(b'\n', &mut bytes)?;
        self.read += bytes.len() as u64;
        self.text.push_str(&decoded(bytes));
        Ok(())
    }

    /// The next levels; `None` at the end.
    fn next(&mut self) -> Option<Vec<Result<SelectedLevel, ReadFailure>>> {
        if self.over {
            return None;
        }
        loop {
            let levels = self.levels();
            if let (false, None, Ok((levels, _))) = (self.ended, &self.head, &levels)
                && may_have_titles_below(levels, &self.text)
            {
                match self.read_rest() {
                    Ok(()) => continue,
                    Err(error) => {
                        return Some(vec![self.read_failure(Failure::file(&self.name, &error))]);
                    }
                }
            }
            let enough =
                levels.as_ref().is_ok_and(|(levels, _)| levels.len() >= LEVELS_HELD_BACK + 2);
            if !self.ended && !enough {
                // A level may be larger than a piece.
                match self.read_more() {
                    Ok(()) => continue,
                    Err(error) => {
                        return Some(vec![self.read_failure(Failure::file(&self.name, &error))]);
                    }
                }
            }
            return Some(match levels {
                Ok((levels, fits)) if fits => self.hand_out(levels),
                Ok(_) => {
                    let message = format!("{}: this file cannot be read in pieces", self.name);
                    let failure = Failure::usage(message).help("cut it into smaller files");
                    vec![self.read_failure(failure)]
                }
                Err(error) => {
                    let failure = Failure::parse(&self.name, &error, &self.text);
                    vec![self.read_failure(failure)]
                }
            });
        }
    }

    fn read_failure(&mut self, failure: Failure) -> Result<SelectedLevel, ReadFailure> {
        self.over = true;
        Err(ReadFailure { source: self.name.clone(), failure })
    }

    /// The levels of the text behind the neighbour, their lines counted in the text; and whether the
    /// neighbour came out as before.
    fn levels(&self) -> Result<(ParsedLevels, bool), ParseError> {
        let Some(head) = &self.head else {
            return (self.family.read)(&self.text, &self.options).map(|levels| (levels, true));
        };
        let lines = head.lines().count() + 1;
        let mut levels = (self.family.read)(&format!("{head}\n{}", self.text), &self.options)?;
        levels.retain_mut(|level| {
            let own = level.line > lines;
            level.line = level.line.saturating_sub(lines);
            if let Err(error) = &mut level.puzzle {
                error.line = error.line.saturating_sub(lines);
            }
            own
        });
        let first = if levels.is_empty() { None } else { Some(levels.remove(0)) };
        Ok((levels, first.map(|level| level.text) == self.neighbour))
    }

    /// Hands out the levels behind which enough is known, and keeps the text of the others.
    fn hand_out(&mut self, mut levels: ParsedLevels) -> Vec<Result<SelectedLevel, ReadFailure>> {
        if self.ended {
            self.over = true;
            if levels.is_empty() && self.given == 0 {
                let failure = Failure::usage(format!("{}: no level in this file", self.name));
                return vec![self.read_failure(failure)];
            }
        } else {
            levels.truncate(levels.len() - LEVELS_HELD_BACK);
        }
        let of = if self.head.is_none() && self.over { levels.len() } else { usize::MAX };
        // Where a file is whole its faults are shown with their lines.
        let whole = if self.head.is_none() && self.over { self.text.as_str() } else { "" };
        let shown = Arc::new(Lines::new(whole));
        let lines: Vec<usize> = levels.iter().map(|level| level.line).collect();
        let last = levels.last().map(|level| level.text.clone());
        let (first, before) = (self.given + 1, self.before);
        self.given += levels.len();
        let chosen = (first..).zip(levels).map(|(number, mut level)| {
            level.line += before;
            if let Err(error) = &mut level.puzzle
                && error.line > 0
            {
                error.line += before;
            }
            Ok(SelectedLevel {
                source: self.name.clone(),
                number,
                of,
                family: self.family,
                options: self.options.clone(),
                level,
                lines: shown.clone(),
            })
        });
        let chosen: Vec<_> = chosen.collect();
        if let (false, [first, .., last_line]) = (self.over, lines.as_slice()) {
            let second = lines.get(1).copied().unwrap_or(*first);
            if self.head.is_none() {
                self.head = Some(self.text[..place(&self.text, second)].to_owned());
            }
            self.before += last_line - 1;
            self.text.drain(..place(&self.text, *last_line));
            self.neighbour = last;
        }
        chosen
    }
}

/// Whether titles may stand below their boards: that shows only at the end of a file.
fn may_have_titles_below(levels: &[Level<Box<dyn ParsedPuzzle>>], text: &str) -> bool {
    let first = levels.first().map_or(1, |level| level.line);
    let head = &text[..place(text, first)];
    head.trim().is_empty() && levels.iter().any(|level| level.title.is_some())
}

/// Where a line, from 1, begins.
fn place(text: &str, line: usize) -> usize {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    if line <= 1 { 0 } else { ends.nth(line - 2).unwrap_or(text.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::args::LevelsArgs;
    use clap::{Args, Command, FromArgMatches};

    fn board(number: usize) -> String {
        let gap = " ".repeat(1 + number % 7);
        let wall = "#".repeat(6 + number % 7);
        format!("{wall}\n#@ $.{}#\n#{gap}    #\n{wall}", &gap[1..])
    }

    /// The levels of a text as pieces give them are those of the whole text.
    fn same(name: &str, text: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let given = LevelsArgs::augment_args(Command::new("levels"));
        let given = given.try_get_matches_from(["levels", path.to_str().unwrap()]).unwrap();
        let given = LevelsArgs::from_arg_matches(&given).unwrap();
        let known = |one: &Result<SelectedLevel, ReadFailure>| {
            let chosen =
                one.as_ref().map_err(|read_failure| read_failure.failure.to_string()).unwrap();
            let level = &chosen.level;
            let fault = level.puzzle.as_ref().err().map(|error| (error.line, error.column));
            let about = (level.title.clone(), level.line, level.text.clone());
            (chosen.number, about, level.solutions.clone(), level.notes.level.clone(), fault)
        };
        let whole: Vec<_> = given.found().unwrap().iter().map(known).collect();
        let mut levels = Levels::of(&given.files, &given.reading.family).unwrap();
        let mut parts = Vec::new();
        let streamed: Vec<_> = std::iter::from_fn(|| {
            let one = levels.next()?;
            parts.push(levels.part().unwrap());
            Some(known(&one))
        })
        .collect();
        assert_eq!(streamed.len(), whole.len(), "{name}");
        for (streamed, whole) in streamed.iter().zip(&whole) {
            assert_eq!(streamed, whole, "{name}");
        }
        let pieces = text.len() as u64 > CHUNK_BYTES && name != "below.xsb";
        assert_eq!(parts[0] < 0.9, pieces, "{name}: {}", parts[0]);
        assert!(parts.is_sorted() && parts.last() == Some(&1.0), "{name}");
    }

    #[test]
    fn levels_in_pieces_are_those_of_the_whole_file() {
        let all = |one: &dyn Fn(usize) -> String| (0..6_000).map(one).collect::<String>();
        same("few.xsb", &format!("{}\n", board(1)));
        same("numbers.txt", &all(&|n| format!("; {n}\n{}\n\n", board(n))));
        same("above.xsb", &all(&|n| format!("Level {n}\n\n{}\n\n", board(n))));
        same("bare.xsb", &all(&|n| format!("{}\n\n", board(n))));
        same("below.xsb", &all(&|n| format!("{}\nTitle {n}\n\n", board(n))));
        let head = "Collection: Many\nAuthor: Somebody\n\n";
        let sok = all(&|n| {
            let moves = "rR".repeat(1 + n % 40);
            let (board, width) = (board(n), 1 + n % 3);
            let comment = "Comment:\nA line\n\nof two\nComment-End:\n".repeat(n % width % 2);
            format!("{n}\n\n{board}\nAuthor: No {n}\n{comment}\nSolution {n}/1\n{moves}\n\n")
        });
        same("many.sok", &format!("{head}{sok}"));
        // A broken level stays where it is, with its own line.
        let broken = all(&|n| {
            let board = board(n);
            format!("; {n}\n{}\n\n", if n % 700 == 9 { board.replace('@', " ") } else { board })
        });
        same("broken.xsb", &broken);
    }
}
