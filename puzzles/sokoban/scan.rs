//! Cuts a text into boards and what stands between them.

use super::board::Sokoban;
use super::note::{Line, Note, Record, classify, is_moves, key_and_value};
use super::rows::{self, Shape};
use crate::error::ParseError;

/// A piece of a collection's text.
pub(super) enum Item {
    /// A blank line.
    Blank,
    /// A line of text, which may turn out to be a title.
    Text(String),
    /// The same behind a `;`: no part of a paragraph.
    Aside(String),
    /// Anything else that is no board.
    Note(Note),
    /// A board.
    Board {
        /// Number of its first line, from 1.
        line: usize,
        /// Its lines as they are.
        text: String,
        /// What it shows.
        puzzle: Result<Sokoban, ParseError>,
    },
}

/// Cuts the lines into pieces.
pub(super) fn scan(lines: &[&str]) -> Vec<Item> {
    let shapes: Vec<Shape> = lines.iter().map(|line| rows::shape(line)).collect();
    let mut items = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let run = run_of_rows(&shapes[at..]);
        if run > 0 {
            items.extend(board(&lines[at..at + run], at + 1));
            at += run;
        } else {
            let (item, read) = other(lines, &shapes, at);
            items.extend(item);
            at += read;
        }
    }
    items
}

/// How many lines from the first on make a board.
fn run_of_rows(shapes: &[Shape]) -> usize {
    let begins = match shapes {
        [Shape::Row, ..] => true,
        // A line that is nearly a row counts only in company.
        [Shape::Broken, next, ..] => *next == Shape::Row,
        _ => false,
    };
    if !begins {
        return 0;
    }
    let run = shapes.iter().take_while(|shape| **shape != Shape::Text).count();
    let sound = |shape: &Shape| matches!(shape, Shape::Row | Shape::Loose);
    shapes[..run].iter().rposition(sound).map_or(0, |last| last + 1)
}

/// The board of these lines; rulers of walls only become remarks.
fn board(lines: &[&str], first: usize) -> Vec<Item> {
    if !rows::has_pieces(lines) {
        let remark = |line: &&str| Item::Note(Note::Remark(line.trim().to_owned()));
        return lines.iter().map(remark).collect();
    }
    let text: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    vec![Item::Board { line: first, text: text.join("\n"), puzzle: rows::board(lines, first) }]
}

/// The piece that begins at a line which is no board row, and how many lines it has.
fn other(lines: &[&str], shapes: &[Shape], at: usize) -> (Option<Item>, usize) {
    match classify(lines[at]) {
        Line::Blank => (Some(Item::Blank), 1),
        Line::Remark(text) => (Some(Item::Note(Note::Remark(text))), 1),
        Line::Text(text) if lines[at].trim_start().starts_with(';') => (Some(Item::Aside(text)), 1),
        Line::Text(text) => (Some(Item::Text(text)), 1),
        Line::Key(key, value) => metadata(key, value, lines, shapes, at),
        Line::Heading(heading) => record(heading, lines, at),
        Line::Moves(_) => {
            let (moves, read) = moves(&lines[at..]);
            // Words like "dull" are made of the same letters.
            if moves.iter().map(String::len).sum::<usize>() < 8 {
                return (Some(Item::Text(lines[at].trim().to_owned())), 1);
            }
            let record = Record { heading: "Solution".to_owned(), moves };
            (Some(Item::Note(Note::Record(record))), read)
        }
    }
}

/// A `key: value` line, or a whole comment.
fn metadata(
    key: String,
    value: String,
    lines: &[&str],
    shapes: &[Shape],
    at: usize,
) -> (Option<Item>, usize) {
    if key.eq_ignore_ascii_case("comment-end") {
        // The end of a comment that never began.
        return (None, 1);
    }
    if key.eq_ignore_ascii_case("comment")
        && let Some(length) = comment_length(lines, shapes, at, !value.is_empty())
    {
        let first = Some(value).filter(|value| !value.is_empty());
        let rest = lines[at + 1..at + length].iter().map(|line| line.trim_end().to_owned());
        let comment = Note::Comment(first.into_iter().chain(rest).collect());
        return (Some(Item::Note(comment)), length + 1);
    }
    (Some(Item::Note(Note::Key(key, value))), 1)
}

/// The distance from a `Comment:` line to its `Comment-End:`, if it has one. A comment that starts
/// on the line of its key may be all there is; such a one does not reach over boards.
fn comment_length(lines: &[&str], shapes: &[Shape], at: usize, started: bool) -> Option<usize> {
    for (distance, line) in lines[at..].iter().enumerate().skip(1) {
        if is_key(line, "comment-end") {
            return Some(distance);
        }
        if is_key(line, "comment") || started && shapes[at + distance] == Shape::Row {
            return None;
        }
    }
    None
}

fn is_key(line: &str, name: &str) -> bool {
    matches!(classify(line), Line::Key(key, _) if key.eq_ignore_ascii_case(name))
}

/// A recorded game: its title and the moves below; without moves just text.
fn record(heading: String, lines: &[&str], at: usize) -> (Option<Item>, usize) {
    if let Some((key, value)) = key_and_value(&heading)
        && is_moves(value)
    {
        let (more, read) = moves(&lines[at + 1..]);
        let moves = std::iter::once(value.to_owned()).chain(more).collect();
        let record = Record { heading: key.to_owned(), moves };
        return (Some(Item::Note(Note::Record(record))), 1 + read);
    }
    let blank = lines[at + 1..].iter().take_while(|line| line.trim().is_empty()).count();
    let (moves, read) = moves(&lines[at + 1 + blank..]);
    if !moves.is_empty() {
        let record = Record { heading, moves };
        return (Some(Item::Note(Note::Record(record))), 1 + blank + read);
    }
    // A level that is solved from the start has a solution without moves.
    if heading.split_whitespace().nth(1) == Some("0/0") {
        return (Some(Item::Note(Note::Record(Record { heading, moves }))), 1);
    }
    let item = match key_and_value(&heading) {
        Some((key, value)) => Item::Note(Note::Key(key.to_owned(), value.to_owned())),
        None => Item::Text(heading),
    };
    (Some(item), 1)
}

/// The lines of moves at the start of these lines.
fn moves(lines: &[&str]) -> (Vec<String>, usize) {
    let lines = lines.iter().take_while(|line| is_moves(line.trim()));
    let moves: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
    let read = moves.len();
    (moves, read)
}
