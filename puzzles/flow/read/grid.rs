//! Grids: single characters, `W H` files of many boards, and tokens between blanks.

use super::super::board::{Board, Name};
use super::super::builder::{BoardError, Builder, fits};
use super::draft::{Draft, Header, Line, column_of, is_directive, split_directives};
use crate::error::ParseError;
use crate::level::Level;
use std::collections::HashMap;

/// Texts of more bytes are looked through before a board is built.
const LARGE_TEXT_BYTES: usize = 10_000;

/// How the rows of a grid are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// One character a cell; `.` and the blank are blank cells, all others are labels.
    Characters,
    /// One character a cell; `#` is a hole, `+` a bridge, `.` a blank cell.
    Marked,
    /// Tokens between blanks; `#` is a hole, `+` a bridge, `.` and `-` are blank cells.
    Tokens,
}

impl Style {
    /// Tokens, if every row has equally many of them, at least two; but blanks in a row between
    /// single characters are blank cells.
    pub(super) fn guess(body: &[Line<'_>]) -> Self {
        let (rows, _) = split_directives(body);
        let counts: Vec<usize> =
            rows.iter().map(|row| row.text.split_whitespace().count()).collect();
        let even = counts.iter().all(|&count| count == counts[0] && count > 1);
        let long =
            rows.iter().any(|row| row.text.split_whitespace().any(|t| t.chars().count() > 1));
        let gaps = rows.iter().any(|row| row.text.trim().contains("  "));
        if even && !counts.is_empty() && (long || !gaps) { Self::Tokens } else { Self::Characters }
    }

    fn is_blank(self, token: &str) -> bool {
        match self {
            Self::Characters => matches!(token, "." | " "),
            Self::Marked => token == ".",
            Self::Tokens => matches!(token, "." | "-"),
        }
    }

    fn is_marked(self) -> bool {
        self != Self::Characters
    }
}

/// The text of one cell with the column that it stands in, from 1.
struct Token<'a> {
    text: &'a str,
    column: usize,
}

fn characters(text: &str) -> Vec<Token<'_>> {
    let ends = text.char_indices().map(|(start, c)| &text[start..start + c.len_utf8()]);
    ends.enumerate().map(|(index, text)| Token { text, column: index + 1 }).collect()
}

fn tokens<'a>(line: &Line<'a>) -> Vec<Token<'a>> {
    let words = line.text.split_whitespace();
    words.map(|text| Token { text, column: column_of(text, line) }).collect()
}

/// Reads one board: rows, then directives.
pub(super) fn read(body: &[Line<'_>], style: Style, header: &Header) -> Result<Board, ParseError> {
    let (rows, directives) = split_directives(body);
    if rows.iter().map(|row| row.text.len()).sum::<usize>() > LARGE_TEXT_BYTES {
        crowded(rows, style)?;
    }
    let cells: Vec<Vec<Token<'_>>> = match style {
        Style::Tokens => rows.iter().map(tokens).collect(),
        Style::Marked => rows.iter().map(|row| characters(row.text.trim_end())).collect(),
        Style::Characters => padded(rows)?,
    };
    board(rows, cells, style, directives, header)
}

/// Rows of characters. Where blanks stand inside rows they are blank cells, and rows that lost
/// them at the end get them back.
fn padded<'a>(rows: &[Line<'a>]) -> Result<Vec<Vec<Token<'a>>>, ParseError> {
    let blanks = rows.iter().any(|row| row.text.trim_end().contains(' '));
    if !blanks {
        return Ok(rows.iter().map(|row| characters(row.text.trim_end())).collect());
    }
    let width = rows.iter().map(|row| row.text.chars().count()).max().unwrap_or(0);
    // One long row makes all rows long.
    fits(width, rows.len()).map_err(|fault| refused(rows, fault))?;
    let mut cells: Vec<_> = rows.iter().map(|row| characters(row.text)).collect();
    for row in &mut cells {
        while row.len() < width {
            row.push(Token { text: " ", column: row.len() + 1 });
        }
    }
    Ok(cells)
}

fn board(
    rows: &[Line<'_>],
    cells: Vec<Vec<Token<'_>>>,
    style: Style,
    directives: &[Line<'_>],
    header: &Header,
) -> Result<Board, ParseError> {
    let width = cells.first().map_or(0, Vec::len);
    for (line, row) in rows.iter().zip(&cells) {
        if row.len() != width {
            let (number, count) = (line.number, row.len());
            let message = format!("this row has {count} cells, the first row has {width}");
            let help = "all rows have equally many cells; `.` is a blank cell";
            return Err(ParseError::at(number, count.min(width) + 1, message).help(help));
        }
    }
    let builder = Builder::square(width, rows.len()).map_err(|fault| refused(rows, fault))?;
    let mut draft = Draft { builder, places: HashMap::new() };
    for (r, (line, row)) in rows.iter().zip(&cells).enumerate() {
        for (c, token) in row.iter().enumerate() {
            draft.places.insert(Name::At(r, c), (line.number, token.column));
            let outcome = match token.text {
                text if style.is_blank(text) => continue,
                "#" if style.is_marked() => draft.builder.hole((r, c)),
                "+" if style.is_marked() => draft.builder.bridge((r, c)),
                label => draft.builder.terminus(label, (r, c)),
            };
            if let Err(fault) = outcome.map(drop) {
                return Err(draft.fault(fault, line.number));
            }
        }
    }
    draft.finish(directives, header, first_of(rows))
}

/// Refuses a label that stands on more than two cells. On small boards building them gives better
/// errors; but whatever is asked what it may be, a collection of another game, say, is read as a
/// board.
fn crowded(rows: &[Line<'_>], style: Style) -> Result<(), ParseError> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for line in rows {
        let cells = match style {
            Style::Tokens => tokens(line),
            Style::Marked | Style::Characters => characters(line.text),
        };
        for Token { text, column } in cells {
            if style.is_blank(text) || (style.is_marked() && ["#", "+"].contains(&text)) {
                continue;
            }
            let count = counts.entry(text).or_insert(0);
            *count += 1;
            if *count > 2 {
                let message = format!("the label {text} stands on more than two cells");
                let help = "each label needs exactly two cells; upper and lower case differ";
                return Err(ParseError::at(line.number, column, message).help(help));
            }
        }
    }
    Ok(())
}

fn first_of(rows: &[Line<'_>]) -> usize {
    rows.first().map_or(0, |row| row.number)
}

/// A rectangle that is refused: a fault of the first row.
fn refused(rows: &[Line<'_>], fault: BoardError) -> ParseError {
    fault.at(first_of(rows), 0)
}

/// Width and height, if a line is nothing but these two numbers.
fn size(text: &str) -> Option<(usize, usize)> {
    let mut words = text.split_whitespace().map(|word| word.parse().ok());
    match (words.next(), words.next(), words.next()) {
        (Some(Some(width)), Some(Some(height)), None) => Some((width, height)),
        _ => None,
    }
}

/// The lines, if they begin with `W H`, comments (`#`) aside.
pub(super) fn sized<'a, 'b>(body: &'b [Line<'a>]) -> Option<&'b [Line<'a>]> {
    let skip = |line: &Line<'_>| line.text.starts_with('#') || line.text.trim().is_empty();
    let start = body.iter().position(|line| !skip(line))?;
    size(body[start].text)?;
    // A grid of tokens with two numbers in its first row looks the same, but goes on so.
    let pair = |line: &Line<'_>| line.text.split_whitespace().count() == 2;
    (!body[start..].iter().all(pair) || body.len() == start + 1).then_some(body)
}

/// Reads boards that each begin with a line `W H`; `#` begins a comment line before it.
pub(super) fn read_sized(
    mut body: &[Line<'_>],
    head: &[Line<'_>],
    header: &Header,
) -> Vec<Level<Board>> {
    let mut levels = Vec::new();
    // The last comment before a board is its title.
    let mut title = header.title.clone();
    while let [line, after @ ..] = body {
        let text = line.text.trim();
        if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
            let comment = text.trim_start_matches(['#', '/', ' ']);
            title = Some(comment.to_owned()).filter(|title| !title.is_empty()).or(title);
            body = after;
            continue;
        }
        let Some((width, height)) = size(text) else {
            let message = "expected the width and height of a board";
            let help = "each board begins with a line such as `5 5`, then its rows";
            let fault = ParseError::at(line.number, 1, message).help(help);
            levels.push(level(line, Err(fault), head, &body[..1], title.take()));
            // The rest cannot be split into boards.
            break;
        };
        if (width, height) == (0, 0) {
            break;
        }
        let rows = &after[..height.min(after.len())];
        let directives = after[rows.len()..].iter();
        let directives = directives.take_while(|line| is_directive(line.text)).count();
        let all = rows.len() + directives;
        let board = sized_board(line, (width, height), &after[..all], rows.len(), header);
        levels.push(level(line, board, head, &body[..=all], title.take()));
        body = &after[all..];
    }
    levels
}

fn sized_board(
    line: &Line<'_>,
    (width, height): (usize, usize),
    body: &[Line<'_>],
    rows: usize,
    header: &Header,
) -> Result<Board, ParseError> {
    let (rows, directives) = body.split_at(rows);
    if rows.len() < height || height == 0 {
        let message = format!("{} rows follow, not {height}", rows.len());
        return Err(ParseError::at(line.number, 1, message).help("the line says `width height`"));
    }
    let tight = |row: &Line<'_>| row.text.chars().count() == width;
    let loose = |row: &Line<'_>| row.text.trim_end().chars().count() == width;
    let tokenized = |row: &Line<'_>| row.text.split_whitespace().count() == width;
    let (style, cells): (_, Vec<Vec<Token<'_>>>) = if rows.iter().all(tight) {
        (Style::Characters, rows.iter().map(|row| characters(row.text)).collect())
    } else if rows.iter().all(tokenized) && width > 1 {
        (Style::Tokens, rows.iter().map(tokens).collect())
    } else if rows.iter().all(loose) {
        (Style::Characters, rows.iter().map(|row| characters(row.text.trim_end())).collect())
    } else {
        let wrong = rows.iter().find(|row| !tight(row) && !loose(row)).unwrap_or(line);
        let count = wrong.text.trim_end().chars().count();
        let message = format!("this row has {count} cells, the board is {width} wide");
        let help = format!("line {} says `width height`; `.` is a blank cell", line.number);
        return Err(ParseError::at(wrong.number, count.min(width) + 1, message).help(help));
    };
    board(rows, cells, style, directives, header)
}

fn level(
    line: &Line<'_>,
    puzzle: Result<Board, ParseError>,
    head: &[Line<'_>],
    body: &[Line<'_>],
    title: Option<String>,
) -> Level<Board> {
    let lines = head.iter().chain(body).map(|line| line.text);
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    Level { title, ..Level::new(line.number, text, puzzle) }
}
