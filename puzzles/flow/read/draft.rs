//! A board in the making, as the readers of lines build it: the header, the rows, the directives
//! after them.

use super::super::board::{Board, Heading, Name, Touch};
use super::super::builder::{BoardError, Builder};
use crate::error::ParseError;
use std::collections::HashMap;

/// A line of the text with its number, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
}

/// What header lines say about all boards of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    pub(super) shape: Option<ShapeWord>,
    pub(super) touch: Option<Touch>,
    pub(super) cover: Option<bool>,
    pub(super) title: Option<String>,
}

/// The values of the header `shape`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShapeWord {
    /// A grid of single characters in which `#` is a hole and `+` a bridge.
    Square,
    /// A drawing of hexagons; the field says whether the odd columns lie lower.
    Hex(bool),
}

/// A board in the making, with the places in the text that its cells came from.
pub(super) struct Draft {
    pub(super) builder: Builder,
    pub(super) places: HashMap<Name, (usize, usize)>,
}

impl Draft {
    /// The fault of a builder step as a fault of the text: at the cell, else at the given line.
    pub(super) fn fault(&self, fault: BoardError, line: usize) -> ParseError {
        let place = fault.cell.as_ref().and_then(|cell| self.places.get(cell));
        let (line, column) = place.copied().unwrap_or((line, 0));
        fault.at(line, column)
    }

    /// Reads the directives, applies the header's rules and builds.
    pub(super) fn finish(
        mut self,
        directives: &[Line<'_>],
        header: &Header,
        line: usize,
    ) -> Result<Board, ParseError> {
        for line in directives {
            if !line.text.trim().is_empty() && !line.text.starts_with("//") {
                directive(&mut self.builder, line)?;
            }
        }
        self.builder.touch(header.touch.unwrap_or(Touch::Auto));
        self.builder.cover(header.cover.unwrap_or(true));
        self.builder.build().map_err(|fault| self.fault(fault, line))
    }
}

const DIRECTIVES: [&str; 7] = ["WALL", "HOLE", "BRIDGE", "LINK", "SEAM", "WARP", "PAIR"];

/// Whether a line is a directive and not a row of a board: a known word, then more words.
pub(super) fn is_directive(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| DIRECTIVES.contains(&word)) && words.next().is_some()
}

/// Splits the lines of a board into its rows and the directives after them.
pub(super) fn split_directives<'a, 'b>(body: &'b [Line<'a>]) -> (&'b [Line<'a>], &'b [Line<'a>]) {
    let rows = body.iter().take_while(|line| !is_directive(line.text)).count();
    let (rows, directives) = body.split_at(rows);
    let end = rows.iter().rposition(|line| !line.text.trim().is_empty()).map_or(0, |last| last + 1);
    (&rows[..end], directives)
}

/// The words before a comment. A label is a word whatever is in it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        match word.split_once("//") {
            Some((before, _)) if words != ["PAIR"] => {
                words.extend(Some(before).filter(|before| !before.is_empty()));
                break;
            }
            _ => words.push(word),
        }
    }
    words
}

/// Applies one directive.
fn directive(builder: &mut Builder, line: &Line<'_>) -> Result<(), ParseError> {
    let words = words(line.text);
    let fail = |message: String, help: &str| {
        Err(ParseError::at(line.number, 0, message).help(help.to_owned()))
    };
    let places = |words: &[&str]| -> Result<Vec<Name>, ParseError> {
        words.iter().map(|word| place(word, line)).collect()
    };
    let outcome = match words[..] {
        ["WALL", a, b] => builder.wall(place(a, line)?, place(b, line)?),
        ["HOLE", a] => builder.hole(place(a, line)?),
        ["BRIDGE", a] => builder.bridge(place(a, line)?),
        ["BRIDGE", a, ref ends @ ..] if ends.len() % 2 == 0 => {
            let ends = places(ends)?;
            let lanes: Vec<[Name; 2]> =
                ends.chunks(2).map(|lane| [lane[0].clone(), lane[1].clone()]).collect();
            builder.bridge_between(place(a, line)?, &lanes)
        }
        ["LINK" | "SEAM", a, b] => builder.link(place(a, line)?, place(b, line)?),
        ["SEAM", a, b, a_side, b_side] => match (side(a_side), side(b_side)) {
            (Some(a_side), Some(b_side)) => {
                builder.seam((place(a, line)?, a_side), (place(b, line)?, b_side))
            }
            _ => return fail(format!("no sides `{a_side} {b_side}`"), "sides are U, D, L and R"),
        },
        ["WARP", "all"] => builder.warp_all(),
        ["WARP", "row", n] => builder.warp_row(number(n, line)?),
        ["WARP", "col" | "column", n] => builder.warp_column(number(n, line)?),
        ["PAIR", label, a, b] => builder.pair(label, place(a, line)?, place(b, line)?),
        _ => {
            let help = "WALL a b, HOLE a, BRIDGE a [ends of lanes], LINK a b, SEAM a b [sides], \
                        WARP row n, WARP column n, WARP all, PAIR label a b; cells are row,column";
            return fail(format!("cannot read the directive `{}`", line.text.trim()), help);
        }
    };
    outcome.map(drop).map_err(|fault| fault.at(line.number, 0))
}

fn side(word: &str) -> Option<Heading> {
    match word {
        "U" => Some(Heading::N),
        "D" => Some(Heading::S),
        "L" => Some(Heading::W),
        "R" => Some(Heading::E),
        _ => None,
    }
}

/// The column, from 1, at which a word of a line begins.
pub(super) fn column_of(word: &str, line: &Line<'_>) -> usize {
    let bytes = word.as_ptr() as usize - line.text.as_ptr() as usize;
    line.text[..bytes].chars().count() + 1
}

fn number(word: &str, line: &Line<'_>) -> Result<usize, ParseError> {
    word.parse().map_err(|_| {
        let message = format!("`{word}` is no number of a row or column");
        ParseError::at(line.number, column_of(word, line), message).help("they count from 0")
    })
}

fn place(word: &str, line: &Line<'_>) -> Result<Name, ParseError> {
    let place = word
        .split_once(',')
        .and_then(|(row, column)| Some(Name::At(row.parse().ok()?, column.parse().ok()?)));
    place.ok_or_else(|| {
        let message = format!("`{word}` is no place of a cell");
        ParseError::at(line.number, column_of(word, line), message)
            .help("places are `row,column` and count from 0")
    })
}
