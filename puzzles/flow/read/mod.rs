//! The readers: which format a text is in, the header lines, the directives after a board.
//!
//! All formats and their grammar stand in the chapter on Flow of the book.

mod drawing;
mod graph;
mod grid;
mod link;

use super::board::{Board, Heading, Name, Touch};
use super::builder::{BoardError, Builder};
use crate::error::ParseError;
use crate::level::{Level, Notes};
use crate::options::Options;
use std::collections::HashMap;

/// A line of the text with its number, from 1.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

/// What header lines say about all boards of a text.
#[derive(Clone, Debug, Default)]
struct Header {
    shape: Option<ShapeWord>,
    touch: Option<Touch>,
    cover: Option<bool>,
    title: Option<String>,
}

/// The values of the header `shape`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapeWord {
    /// A grid of single characters in which `#` is a hole and `+` a bridge.
    Square,
    /// A drawing of hexagons; the field says whether the odd columns lie lower.
    Hex(bool),
}

/// Reads all boards of a text in any of the formats.
pub(super) fn read(text: &str, options: &Options) -> Result<Vec<Level<Board>>, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut levels = if graph::is_graph(text) {
        vec![graph::read(text)]
    } else if link::is_link(text) {
        link::read(text)
    } else {
        read_lines(text)?
    };
    for level in &mut levels {
        if let Ok(board) = &mut level.puzzle {
            *board = with_options(board, options);
        }
    }
    Ok(levels)
}

/// The rules that the command line gives go before those of the file.
fn with_options(board: &Board, options: &Options) -> Board {
    let touch = Touch::from_word(options.get("touch")).unwrap_or(board.touch);
    let cover = match options.get("cover") {
        "yes" => true,
        "no" => false,
        _ => board.cover,
    };
    board.under(touch, cover)
}

fn read_lines(text: &str) -> Result<Vec<Level<Board>>, ParseError> {
    let numbered = text.lines().enumerate();
    let lines: Vec<_> = numbered.map(|(index, text)| Line { number: index + 1, text }).collect();
    let (header, rest) = read_header(&lines)?;
    let end = rest.iter().rposition(|line| !line.text.trim().is_empty()).map_or(0, |last| last + 1);
    let body = &rest[..end];
    let Some(first) = body.first() else {
        let message = "no board in this text";
        return Err(
            ParseError::whole(message).help("the simplest format is a grid of letters and dots")
        );
    };
    let head = &lines[..lines.len() - rest.len()];
    let single = |board: Result<Board, ParseError>| {
        vec![Level {
            title: header.title.clone(),
            line: head.first().unwrap_or(first).number,
            text: text.to_owned(),
            puzzle: board,
            solutions: Vec::new(),
            warnings: Vec::new(),
            notes: Notes::default(),
        }]
    };
    Ok(match header.shape {
        Some(ShapeWord::Square) => single(grid::read(body, grid::Style::Marked, &header)),
        Some(ShapeWord::Hex(odd_low)) => single(drawing::read(body, Some(odd_low), &header)),
        None if drawing::is_drawing(first.text) => single(drawing::read(body, None, &header)),
        None => match grid::sized(body) {
            Some(body) => grid::read_sized(body, head, &header),
            None => single(grid::read(body, grid::Style::guess(body), &header)),
        },
    })
}

const KEYS: [&str; 6] = ["shape", "touch", "cover", "title", "author", "note"];

/// Splits off the header lines and the blank lines after them.
fn read_header<'a, 'b>(lines: &'b [Line<'a>]) -> Result<(Header, &'b [Line<'a>]), ParseError> {
    let mut header = Header::default();
    let mut rest = lines;
    let mut seen = false;
    while let [line, after @ ..] = rest {
        let Some((key, value)) = line.text.split_once(':') else { break };
        if !KEYS.contains(&key) {
            break;
        }
        read_key(&mut header, line, key, value.trim())?;
        (rest, seen) = (after, true);
    }
    // Without a header a blank first line may be the first row of a grid in which blanks are blank
    // cells; no such grid has an empty line.
    let skip = |line: &&Line<'_>| line.text.trim().is_empty() && (seen || line.text.is_empty());
    let blank = match header.shape {
        // One blank line ends the header: a drawing may begin with an empty row.
        Some(ShapeWord::Hex(_)) => rest.iter().take(1).take_while(skip).count(),
        _ => rest.iter().take_while(skip).count(),
    };
    Ok((header, &rest[blank..]))
}

fn read_key(
    header: &mut Header,
    line: &Line<'_>,
    key: &str,
    value: &str,
) -> Result<(), ParseError> {
    let bad = |allowed: &str| {
        let message = format!("`{key}` cannot be `{value}`");
        Err(ParseError::at(line.number, 0, message).help(format!("it is one of: {allowed}")))
    };
    match (key, value) {
        ("shape", "square") => header.shape = Some(ShapeWord::Square),
        ("shape", "hex") => header.shape = Some(ShapeWord::Hex(true)),
        ("shape", "hex-even-low") => header.shape = Some(ShapeWord::Hex(false)),
        ("shape", _) => return bad("square, hex, hex-even-low"),
        ("touch", word) => match Touch::from_word(word) {
            Some(touch) => header.touch = Some(touch),
            None => return bad("auto, never, allow"),
        },
        ("cover", "yes") => header.cover = Some(true),
        ("cover", "no") => header.cover = Some(false),
        ("cover", _) => return bad("yes, no"),
        ("title", title) => header.title = Some(title.to_owned()).filter(|title| !title.is_empty()),
        _ => {}
    }
    Ok(())
}

/// A board in the making, with the places in the text that its cells came from.
struct Draft {
    builder: Builder,
    places: HashMap<Name, (usize, usize)>,
}

impl Draft {
    /// The fault of a builder step as a fault of the text: at the cell, else at the given line.
    fn fault(&self, fault: BoardError, line: usize) -> ParseError {
        let place = fault.cell.as_ref().and_then(|cell| self.places.get(cell));
        let (line, column) = place.copied().unwrap_or((line, 0));
        ParseError { line, column, message: fault.message, help: fault.help }
    }

    /// Reads the directives, applies the header's rules and builds.
    fn finish(
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
fn is_directive(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| DIRECTIVES.contains(&word)) && words.next().is_some()
}

/// Splits the lines of a board into its rows and the directives after them.
fn split_directives<'a, 'b>(body: &'b [Line<'a>]) -> (&'b [Line<'a>], &'b [Line<'a>]) {
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
    outcome.map(drop).map_err(|fault| ParseError {
        line: line.number,
        column: 0,
        message: fault.message,
        help: fault.help,
    })
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
fn column_of(word: &str, line: &Line<'_>) -> usize {
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
