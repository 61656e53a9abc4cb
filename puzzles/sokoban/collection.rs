//! Collections: many levels in one text, as XSB or SOK.
//!
//! A collection is notes about the whole, then for each level a heading, the board, and notes:
//! metadata, comments, recorded solutions. What we do not know we keep and write back.

use super::board::Sokoban;
use super::gather::{self, gather};
use super::lurd::Solution;
use super::note::{Line, Note, Record, classify};
use super::pddl;
use super::rows::{self, Shape};
use super::scan::scan;
use super::slc;
use crate::error::ParseError;
use crate::level::{Level, Notes};
use crate::moves::Moves;
use crate::play::Play;
use crate::puzzle::{Puzzle, Recording};
use itertools::Itertools;
use std::fmt;
use std::time::Duration;

/// A file of levels. [`fmt::Display`] writes it as SOK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// Notes about the collection as a whole.
    pub notes: Vec<Note>,
    /// The levels in their order.
    pub entries: Vec<Entry>,
}

/// One level of a collection with everything that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line of text above the board, which is its title unless a `Title:` says otherwise.
    pub heading: Option<String>,
    /// Line at which the board begins, from 1.
    pub line: usize,
    /// The lines of the board as they stand in the file.
    pub text: String,
    /// The level, or what is wrong with it.
    pub puzzle: Result<Sokoban, ParseError>,
    /// Metadata, comments and recorded games.
    pub notes: Vec<Note>,
}

impl Collection {
    /// Reads a collection.
    ///
    /// # Errors
    /// When there is no board in the text. Faults of single boards stay with their entries.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        // Byte-order marks have no width; files glued together have them inside as well.
        let text = text.replace('\u{feff}', "");
        if slc::is_slc(&text) {
            return Self::read(&slc::plain_text(&text)?).map(|read| read.without_places(false));
        }
        if pddl::is_pddl(&text) {
            return match pddl::plain_text(&text)? {
                Some(text) => Self::read(&text).map(|read| read.without_places(true)),
                // A domain has no levels.
                None => Ok(Self { notes: Vec::new(), entries: Vec::new() }),
            };
        }
        let lines: Vec<&str> = text.lines().collect();
        let mut collection = gather(scan(&lines));
        if collection.entries.is_empty() {
            return Err(refusal(&collection.notes).unwrap_or_else(|| {
                ParseError::whole("no Sokoban board in this text")
                    .help("a board is drawn with walls `#`, a player `@`, boxes `$` and goals `.`")
            }));
        }
        let general = refusal(&collection.notes);
        for entry in &mut collection.entries {
            if let Some(refusal) = refusal(&entry.notes).or_else(|| general.clone()) {
                entry.puzzle = Err(ParseError { line: entry.line, ..refusal });
            }
        }
        Ok(collection)
    }

    /// The same where the text was another one: its columns mean nothing there, and its lines may not
    /// either.
    fn without_places(mut self, nor_lines: bool) -> Self {
        for entry in &mut self.entries {
            if let Err(error) = &mut entry.puzzle {
                error.column = 0;
                error.line = if nor_lines { 0 } else { error.line };
            }
        }
        self
    }
}

impl Entry {
    /// The title: what `Title:` says, otherwise the line of text above the board.
    pub fn title(&self) -> Option<&str> {
        key(&self.notes, "Title").or(self.heading.as_deref())
    }

    /// The recorded solutions as move strings, not checked.
    pub fn solutions(&self) -> Vec<String> {
        let records = self.notes.iter().filter_map(|note| match note {
            Note::Record(record) if record.is_solution() => Some(record.moves.join("\n")),
            _ => None,
        });
        records.collect()
    }

    /// The level as every family presents it, in a file with these notes of its own.
    pub(super) fn level(self, file: &str) -> Level<Sokoban> {
        let mut warnings = Vec::new();
        if self.puzzle.as_ref().is_ok_and(|puzzle| puzzle.boxes().is_empty()) {
            warnings.push("there is no box, so the level is solved from the start".into());
        }
        if self.text.contains('\t') {
            warnings.push("tabs were read as spaces up to every eighth column".into());
        }
        Level {
            title: self.title().map(str::to_owned),
            line: self.line,
            solutions: self.solutions(),
            text: self.text,
            notes: Notes { file: file.to_owned(), level: note_lines(&self.notes) },
            puzzle: self.puzzle,
            warnings,
        }
    }
}

/// Level and solution as a collection of one, with what its file says of it.
pub(super) fn recorded(
    puzzle: &Sokoban,
    solution: &Solution,
    recording: Recording<'_>,
) -> Collection {
    let said = |text: &str| gather::notes(scan(&text.lines().collect_vec()));
    let kept = recording.notes.map_or_else(Vec::new, |notes| {
        let mut kept = said(&notes.level);
        let general = said(&notes.file).into_iter().filter(
            |note| matches!(note, Note::Key(name, _) if key(&kept, name).is_none() && !name.eq_ignore_ascii_case("title")),
        );
        let general = general.collect_vec();
        kept.extend(general);
        kept
    });
    let moves = solution.to_string();
    let known = |note: &Note| matches!(note, Note::Record(it) if it.moves.concat() == moves);
    let mut notes = kept;
    if !notes.iter().any(known) {
        notes.extend(solution_record(puzzle, solution, recording.elapsed));
    }
    let entry = Entry {
        heading: recording.title.map(str::to_owned),
        line: 1,
        text: puzzle.print(),
        puzzle: Ok(puzzle.clone()),
        notes,
    };
    Collection { notes: Vec::new(), entries: vec![entry] }
}

/// Notes as they stand in a file, with a blank line before each recorded game.
pub(super) fn note_lines<'a>(notes: impl IntoIterator<Item = &'a Note>) -> String {
    let lines = notes.into_iter().enumerate().map(|(index, note)| {
        let above = if index > 0 && matches!(note, Note::Record(_)) { "\n" } else { "" };
        format!("{above}{note}")
    });
    lines.collect()
}

/// The record of a solution, for the notes of an [`Entry`]: title, moves, and who found them in
/// what time.
pub fn solution_record(puzzle: &Sokoban, solution: &Solution, time: Duration) -> Vec<Note> {
    let tally = puzzle.replay(&puzzle.plan(solution)).tally;
    let moves = solution.to_string().chars().collect_vec();
    let seconds = time.as_secs();
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let program = concat!("unstuck ", env!("CARGO_PKG_VERSION"));
    vec![
        Note::Record(Record {
            heading: format!("Solution {}/{} (unstuck)", tally.moves, tally.pushes),
            moves: moves.chunks(RECORD_WIDTH).map(|line| line.iter().collect()).collect(),
        }),
        Note::Key("Solver".to_owned(), program.to_owned()),
        Note::Key("Solver time".to_owned(), clock),
    ]
}

/// Moves on a line of a solution record.
const RECORD_WIDTH: usize = 76;

/// The value of a metadata key, in whatever case it is written; an empty value is none.
fn key<'a>(notes: &'a [Note], name: &str) -> Option<&'a str> {
    let mut values = notes.iter().filter_map(|note| match note {
        Note::Key(key, value) if key.eq_ignore_ascii_case(name) => Some(value.as_str()),
        _ => None,
    });
    values.find(|value| !value.is_empty())
}

/// Why levels with these notes are not for us: they belong to another game.
fn refusal(notes: &[Note]) -> Option<ParseError> {
    if let Some(game) = key(notes, "Game").filter(|game| !game.eq_ignore_ascii_case("sokoban")) {
        let message = format!("this level is for {game}, a variant of Sokoban with its own rules");
        return Some(ParseError::whole(message).help("only plain Sokoban is read"));
    }
    ["boxorder", "goalorder"].into_iter().find(|order| key(notes, order).is_some()).map(|order| {
        let message = format!("this level is for Sokoban+: `{order}` says which box goes where");
        ParseError::whole(message)
            .help("only plain Sokoban is read; without that line this would be a plain level")
    })
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&note_lines(&self.notes))?;
        for (index, entry) in self.entries.iter().enumerate() {
            if index > 0 || !self.notes.is_empty() {
                writeln!(f)?;
            }
            write!(f, "{entry}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heading = self.heading.as_ref().filter(|_| key(&self.notes, "Title").is_none());
        let (above, below) = match heading {
            Some(heading) if is_plain(heading) => (Some(heading), None),
            other => (None, other),
        };
        if let Some(heading) = above {
            writeln!(f, "{heading}\n")?;
        }
        match &self.puzzle {
            Ok(puzzle) => f.write_str(&puzzle.print())?,
            Err(_) => writeln!(f, "{}", self.text)?,
        }
        let title = below.map(|heading| Note::Key("Title".to_owned(), heading.clone()));
        let notes: Vec<&Note> = title.iter().chain(&self.notes).collect();
        if !notes.is_empty() {
            writeln!(f)?;
        }
        f.write_str(&note_lines(notes))
    }
}

/// Whether a title can stand above a board without being taken for something else.
fn is_plain(heading: &str) -> bool {
    classify(heading) == Line::Text(heading.to_owned())
        && matches!(rows::shape(heading), Shape::Text | Shape::Loose)
}
