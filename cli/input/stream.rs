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
use crate::input::{ReadFailure, SelectedLevel, SelectedLevels};
use crate::terminal::failure::Failure;
use crate::terminal::text::one_line;
use crate::terminal::{file_id, output};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
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
    /// Whether files are read whole: then faults are shown with their lines, and it is known how many
    /// levels there are.
    whole: bool,
    files: VecDeque<QueuedFile>,
    ready: VecDeque<Result<SelectedLevel, ReadFailure>>,
    pieces: Option<ChunkedFile>,
    siblings: Siblings,
    /// How many files were skipped, and the names of the first of them.
    skipped: (u32, Vec<String>),
    /// The families' options as they were given, where a family does not have them: no level is read.
    misfit: Option<Failure>,
    /// Bytes of all files, where that is known.
    total: Option<u64>,
    read: u64,
}

/// How many of the skipped files are named.
const NAMED_SKIPPED: usize = 5;

impl<'a> Levels<'a> {
    /// The levels of these files and folders, however many there are.
    ///
    /// # Errors
    /// When a file is not there, a folder cannot be read, or there is no file in it.
    pub(crate) fn of(paths: &[String], args: &'a FamilyArgs) -> Result<Self, Failure> {
        let mut files = VecDeque::new();
        files::exist(paths.iter().map(String::as_str))?;
        for path in paths {
            if path == "-" || !Path::new(path).is_dir() {
                files.push_back(QueuedFile { path: path.clone(), turn: Turn::Named });
                continue;
            }
            let below = files::below(Path::new(path))?;
            if below.is_empty() {
                return Err(Failure::usage(format!("{path}: no level in this folder")));
            }
            let below = below.into_iter().map(|file| file.display().to_string());
            files.extend(below.map(|path| QueuedFile { path, turn: Turn::Below }));
        }
        let bytes = |file: &QueuedFile| match file.path.as_str() {
            "-" => None,
            path => Some(Path::new(path).metadata().map_or(0, |about| about.len())),
        };
        let total = files.iter().map(bytes).sum();
        let (ready, pieces, misfit) = (VecDeque::new(), None, None);
        let (siblings, skipped) = (Siblings::default(), (0, Vec::new()));
        let whole = false;
        Ok(Self { args, whole, files, ready, pieces, siblings, skipped, misfit, total, read: 0 })
    }

    /// All of the levels.
    ///
    /// # Errors
    /// Like [`Self::of`]; also when a family does not have the options that were given, or there is
    /// no level in folders.
    pub(super) fn all(paths: &[String], args: &'a FamilyArgs) -> Result<SelectedLevels, Failure> {
        let mut levels = Self { whole: true, ..Self::of(paths, args)? };
        let all: SelectedLevels = levels.by_ref().collect();
        if let Some(misfit) = levels.misfit {
            return Err(misfit);
        }
        levels.passed_over().iter().for_each(|skipped| output::say(format!("note: {skipped}")));
        if all.is_empty() {
            let is_folder = paths.iter().any(|path| Path::new(path).is_dir());
            let kind = if is_folder { "folder" } else { "file" };
            return Err(Failure::usage(format!("{}: no level in this {kind}", paths.join(", "))));
        }
        Ok(all)
    }

    /// Levels that were read before.
    ///
    /// # Errors
    /// Like [`Self::of`].
    pub(crate) fn read(levels: SelectedLevels, args: &'a FamilyArgs) -> Result<Self, Failure> {
        Ok(Self { ready: levels.into(), ..Self::of(&[], args)? })
    }

    /// The part of all files that has been read, where that can be known.
    pub(crate) fn part(&self) -> Option<f64> {
        let total = self.total.filter(|&total| total > 0)?;
        let waiting = self.pieces.as_ref().map_or(0, |pieces| pieces.read);
        Some(((self.read + waiting) as f64 / total as f64).min(1.0))
    }

    /// Which files in folders were skipped because they are not levels.
    pub(crate) fn passed_over(&self) -> Option<String> {
        let (count, names) = &self.skipped;
        let files = sentences::count(*count, "files");
        let dots = if *count as usize > names.len() { ", ..." } else { "" };
        let kind = self.args.puzzle.map_or(String::new(), |it| format!(" of {}", it.name));
        (*count > 0)
            .then(|| format!("{files} skipped: not level files{kind}: {}{dots}", names.join(", ")))
    }

    fn begin(&mut self, file: QueuedFile) {
        match self.opened(&file) {
            Ok(()) => {}
            Err(None) if file.turn == Turn::Unknown => {
                self.skipped.0 += 1;
                if let Some(name) = Path::new(&file.path).file_name()
                    && self.skipped.1.len() < NAMED_SKIPPED
                {
                    self.skipped.1.push(one_line(&name.to_string_lossy()));
                }
            }
            Err(None) => self.files.push_back(QueuedFile { turn: Turn::Unknown, ..file }),
            Err(Some(failure)) => {
                self.ready.push_back(Err(ReadFailure { source: file.path, failure }));
            }
        }
    }

    /// Opens a file; `None` where it is no level.
    fn opened(&mut self, file: &QueuedFile) -> Result<(), Option<Failure>> {
        let path = file.path.as_str();
        // What comes along is in no file; what is no regular file is read once and kept.
        let at_once = self.whole || path != "-" && !Path::new(path).is_file();
        let (source, rest) = if at_once { (files::source(path)?, None) } else { begun(path)? };
        let wanted = self.args.puzzle;
        let family = match file.turn {
            Turn::Named => files::family_of(wanted, &source)?,
            Turn::Below => files::family_below(wanted, &source).ok_or(None)?,
            Turn::Unknown => {
                let siblings = self.siblings.of(Path::new(path));
                files::family_of_faulty(wanted, siblings, &source.text).ok_or(None)?
            }
        };
        self.siblings.note(Path::new(path), family);
        let options = self.args.of(family).inspect_err(|misfit| {
            // No other file has them either.
            self.misfit = Some(misfit.clone());
            self.files.clear();
        })?;
        let in_pieces = family.records == RecordSupport::Levels
            && !source.text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        let name = source.name.clone();
        if rest.is_none() && source.text.trim().is_empty() {
            return Err(Some(Failure::usage(format!("{name}: the file is empty"))));
        }
        let mut pieces = ChunkedFile::new(source, rest, family, options);
        if !in_pieces {
            pieces.read_more(u64::MAX).map_err(|error| Failure::file(&name, &error))?;
        }
        self.pieces = Some(pieces);
        Ok(())
    }
}

/// What is left of a file that was begun.
type Rest = Option<Box<dyn BufRead + Send>>;

/// The first piece of a file, and the rest where there is more.
fn begun(path: &str) -> Result<(Source, Rest), Failure> {
    let name = if path == "-" { STDIN } else { path };
    let fail = |error: io::Error| Failure::file(name, &error);
    let mut input: Box<dyn BufRead + Send> = if path == "-" {
        file_id::note_stdin();
        Box::new(BufReader::new(io::stdin()))
    } else {
        file_id::note_input(Path::new(path));
        Box::new(BufReader::new(File::open(path).map_err(fail)?))
    };
    let (first, is_whole) = piece(&mut input, CHUNK_BYTES).map_err(fail)?;
    let source = Source { name: name.to_owned(), text: decoded(first) };
    Ok((source, (!is_whole).then_some(input)))
}

/// At most so many bytes of a file and what their last line has behind them, and whether that is all.
fn piece(input: &mut dyn BufRead, most: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    Read::take(&mut *input, most).read_to_end(&mut bytes)?;
    let is_all = (bytes.len() as u64) < most;
    if !is_all {
        input.read_until(b'\n', &mut bytes)?;
    }
    Ok((bytes, is_all))
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
            let file = self.files.pop_front()?;
            self.begin(file);
        }
    }
}

/// Levels as a family reads them.
type ParsedLevels = Vec<Level<ParsedPuzzle>>;

/// A file that is read in pieces.
struct ChunkedFile {
    /// What is still to be read.
    rest: Rest,
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
    over: bool,
}

impl ChunkedFile {
    fn new(first: Source, rest: Rest, family: &'static Family, options: Options) -> Self {
        let Source { name, text } = first;
        let read = text.len() as u64;
        let (head, neighbour, before, given, over) = (None, None, 0, 0, false);
        Self { rest, name, family, options, text, head, neighbour, before, given, read, over }
    }

    /// Reads at most this many bytes, and on to the end of their last line.
    fn read_more(&mut self, most: u64) -> io::Result<()> {
        let Some(input) = &mut self.rest else { return Ok(()) };
        let (bytes, ended) = piece(input, most)?;
        self.read += bytes.len() as u64;
        self.text.push_str(&decoded(bytes));
        if ended {
            self.rest = None;
        }
        Ok(())
    }

    /// The next levels; `None` at the end.
    fn next(&mut self) -> Option<Vec<Result<SelectedLevel, ReadFailure>>> {
        if self.over {
            return None;
        }
        loop {
            let levels = self.levels();
            if self.rest.is_some() {
                let enough =
                    |(levels, _): &(ParsedLevels, bool)| levels.len() >= LEVELS_HELD_BACK + 2;
                let more = match &levels {
                    Ok((levels, _))
                        if self.head.is_none() && may_have_titles_below(levels, &self.text) =>
                    {
                        Some(u64::MAX)
                    }
                    Ok(read) if enough(read) => None,
                    // A level may be larger than a piece. As much again as there is: what is larger
                    // is not read over and over.
                    _ => Some(CHUNK_BYTES.max(self.text.len() as u64)),
                };
                match more.map(|most| self.read_more(most)) {
                    None => {}
                    Some(Ok(())) => continue,
                    Some(Err(error)) => {
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
        if self.rest.is_none() {
            self.over = true;
            if levels.is_empty() && self.given == 0 {
                // Such as the domain of planning tasks: named beside these it is no fault.
                output::say(format!("note: {}: no level in this file", self.name));
                return Vec::new();
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
fn may_have_titles_below(levels: &[Level<ParsedPuzzle>], text: &str) -> bool {
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
    use crate::input::args::{LevelsArgs, Named};
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
