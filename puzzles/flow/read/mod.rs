//! The readers: which format a text is in, the header lines, the directives after a board.
//!
//! All formats and their grammar stand in the chapter on Flow of the book.

mod draft;
mod drawing;
mod graph;
mod grid;
mod link;
mod numbers;

pub(crate) use link::is_link;

use super::board::{Board, Touch};
use crate::error::ParseError;
use crate::level::Level;
use crate::options::Options;
use draft::{Header, Line, ShapeWord};

/// Reads all boards of a text in any of the formats.
pub(super) fn read(text: &str, options: &Options) -> Result<Vec<Level<Board>>, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let numbers = numbers::rewritten(text)?;
    let (text, notes) = numbers.as_ref().map_or((text, &[][..]), |(text, notes)| (text, notes));
    let is_link = link::is_link(text);
    let mut levels = if graph::is_graph(text) {
        vec![graph::read(text)]
    } else if is_link {
        link::read(text)
    } else {
        read_lines(text)?
    };
    for level in &mut levels {
        level.warnings.extend_from_slice(notes);
        if let Ok(board) = &mut level.puzzle {
            *board = with_options(board, options, !is_link);
        }
    }
    Ok(levels)
}

/// The rules that the command line gives go before those of the board. `file` asks for what the file
/// says, and has the rules of Flow Free where its format says nothing (`states`): so it was before
/// each format brought the rules of its game, and in certificates of then it means that still.
fn with_options(board: &Board, options: &Options, states: bool) -> Board {
    let touch = match options.get("touch") {
        "file" if !states => Touch::Auto,
        word => Touch::from_word(word).unwrap_or(board.touch),
    };
    let cover = match options.get("cover") {
        "yes" => true,
        "no" => false,
        "file" if !states => true,
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
        let line = head.first().unwrap_or(first).number;
        vec![Level { title: header.title.clone(), ..Level::new(line, text.to_owned(), board) }]
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
