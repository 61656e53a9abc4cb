//! Board rows: which lines of a text are rows, and what board a run of rows makes.
//!
//! | cell | symbols |
//! | --- | --- |
//! | wall | `#` `w` `W` |
//! | player | `@` `p`, on a goal `+` `P` |
//! | box | `$` `b`, on a goal `*` `B` |
//! | goal | `.` |
//! | floor | space, tab, `-`, `_` |
//!
//! `|` separates rows on one line; see `runlength` for the digits and brackets.

use super::board::{LevelError, Sokoban, Tile};
use super::runlength::{self, RunLengthError};
use crate::error::ParseError;
use crate::grid::{Cell, Grid};

/// Line and column, from 1.
type TextCoord = (usize, usize);

/// What a line looks like by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A board row with a wall.
    Row,
    /// Board symbols without a wall: a row where rows are, otherwise text.
    Loose,
    /// A row with a wall whose run lengths are wrong.
    Broken,
    /// Between walls, but with a character that no board has.
    Odd,
    /// Something else.
    Text,
}

const LETTERS: &str = "wWpPbB";
const FLOOR: &str = " \t-_";

fn is_wall(symbol: char) -> bool {
    matches!(symbol, '#' | 'w' | 'W')
}

fn is_counting(symbol: char) -> bool {
    symbol.is_ascii_digit() || matches!(symbol, '(' | ')')
}

fn is_board_symbol(symbol: char) -> bool {
    is_wall(symbol) || "@+$*.|pPbB".contains(symbol) || FLOOR.contains(symbol)
}

/// Looks at a line without its neighbours.
pub(super) fn shape(line: &str) -> Shape {
    let line = line.trim();
    let fenced = line.len() > 2 && line.starts_with('#') && line.ends_with('#');
    if !line.chars().all(|symbol| is_board_symbol(symbol) || is_counting(symbol)) {
        return if fenced { Shape::Odd } else { Shape::Text };
    }
    // Letters are board symbols only where no word could be meant.
    let solid = |symbol: &char| !FLOOR.contains(*symbol) && *symbol != '|' && !is_counting(*symbol);
    let mut ends = line.chars().find(solid).into_iter().chain(line.chars().rfind(solid));
    if line.chars().any(|symbol| LETTERS.contains(symbol)) && !ends.all(is_wall) {
        return Shape::Text;
    }
    let expanded = runlength::expand(line.chars().map(|symbol| (symbol, ())), growth(line));
    let sound = matches!(expanded, Ok(_) | Err(RunLengthError::TooLong(())));
    if line.chars().any(is_wall) {
        return if sound { Shape::Row } else { Shape::Broken };
    }
    let counted = line.chars().any(is_counting);
    let floor = line.chars().all(|symbol| is_counting(symbol) || FLOOR.contains(symbol));
    if sound && (floor || !counted) && !line.is_empty() { Shape::Loose } else { Shape::Text }
}

/// How long a line may become when its run lengths are written out. In proportion to the line, so
/// that a small file cannot ask for much work.
fn growth(line: &str) -> usize {
    1000 + 100 * line.len()
}

/// Whether rows show anything but walls and floor; lines of `#` are also used as rulers.
pub(super) fn has_pieces(rows: &[&str]) -> bool {
    rows.iter().any(|row| row.contains(|symbol| "@+$*.pPbB".contains(symbol)))
}

/// The board that a run of lines draws; `first` is the number of the first line.
pub(super) fn board(lines: &[&str], first: usize) -> Result<Sokoban, ParseError> {
    let rows = crop(written_out(lines, first)?);
    let mut tiles = Vec::new();
    let mut players = Vec::new();
    let mut boxes = Vec::new();
    for (row, symbols) in rows.iter().enumerate() {
        for (column, &(symbol, place)) in symbols.iter().enumerate() {
            match symbol {
                '@' | '+' | 'p' | 'P' => players.push(((row, column), place)),
                '$' | '*' | 'b' | 'B' => boxes.push((row, column)),
                _ => {}
            }
        }
        tiles.push(symbols.iter().map(|&(symbol, _)| tile(symbol)).collect());
    }
    let grid = Grid::from_rows(&tiles, Tile::Floor).ok_or_else(|| too_large(first))?;
    let player = match *players {
        [(at, _)] => at,
        [] => {
            return Err(ParseError::at(first, 0, "this board has no player")
                .help("put the player on it: `@`, or `+` on a goal"));
        }
        [_, (_, (line, column)), ..] => {
            return Err(ParseError::at(line, column, "a second player on this board")
                .help("leave one player; Multiban, where there are several, is another game"));
        }
    };
    let cell = |(row, column)| grid.cell(row, column);
    let (Some(player), Some(boxes)) = (cell(player), boxes.into_iter().map(cell).collect()) else {
        return Err(too_large(first));
    };
    let width = grid.width();
    Sokoban::new(grid, boxes, player).map_err(|flaw| placed(flaw, &rows, width, first))
}

fn tile(symbol: char) -> Tile {
    match symbol {
        '.' | '+' | '*' | 'P' | 'B' => Tile::Goal,
        _ if is_wall(symbol) => Tile::Wall,
        _ => Tile::Floor,
    }
}

fn too_large(line: usize) -> ParseError {
    let message = format!("this board has more than {} cells", Grid::<Tile>::MAX_CELLS);
    ParseError::at(line, 0, message).help("only smaller boards are read")
}

/// A flaw of the board with its place in the text.
fn placed(flaw: LevelError, rows: &[Row], width: usize, first: usize) -> ParseError {
    let place = |cell: Cell| {
        let row = rows.get(cell.index() / width)?;
        // A ragged row ends before the rectangle does.
        let &(_, place) = row.get(cell.index() % width).or(row.last())?;
        Some(place)
    };
    let (line, column) = flaw.cell.and_then(place).unwrap_or((first, 0));
    ParseError::at(line, column, flaw.message).help(flaw.help)
}

/// A row, each symbol with its place in the text.
type Row = Vec<(char, TextCoord)>;

/// All rows with run lengths written out and `|` turned into new rows.
fn written_out(lines: &[&str], first: usize) -> Result<Vec<Row>, ParseError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut cells = 0;
    for (index, line) in lines.iter().enumerate() {
        let number = first + index;
        let symbols = without_tabs(line.trim_end(), number);
        if let Some(&(symbol, (line, column))) =
            symbols.iter().find(|(symbol, _)| !is_board_symbol(*symbol) && !is_counting(*symbol))
        {
            let message = match symbol.is_whitespace() {
                true => format!("the blank U+{:04X} is not on Sokoban boards", u32::from(symbol)),
                false => format!("`{symbol}` is not on Sokoban boards"),
            };
            return Err(ParseError::at(line, column, message).help(match symbol {
                'X' | '&' => {
                    "where B, X and & are a box, a box on a goal and the player, write $, * and @"
                }
                _ => "boards are drawn with # @ + $ * . and spaces, - or _",
            }));
        }
        let symbols = runlength::expand(symbols, growth(line)).map_err(|fault| {
            let (line, column) = fault.place();
            ParseError::at(line, column, fault.message())
                .help("run lengths are written `3#` or `2(3(#-)#)`")
        })?;
        cells += symbols.len();
        if cells > Grid::<Tile>::MAX_CELLS {
            return Err(too_large(number));
        }
        let mut pieces: Vec<Row> =
            symbols.split(|&(symbol, _)| symbol == '|').map(<[_]>::to_vec).collect();
        if pieces.len() > 1 && pieces.last().is_some_and(Vec::is_empty) {
            pieces.pop();
        }
        rows.append(&mut pieces);
    }
    Ok(rows)
}

/// The symbols of a line with tabs as spaces up to every eighth column.
fn without_tabs(line: &str, number: usize) -> Row {
    let mut row = Row::new();
    for (column, symbol) in line.chars().enumerate() {
        let place = (number, column + 1);
        if symbol == '\t' {
            let width = 8 - row.len() % 8;
            row.extend(std::iter::repeat_n((' ', place), width));
        } else {
            row.push((symbol, place));
        }
    }
    row
}

/// Cuts away margins in which there is only floor, and what is above the uppermost wall.
fn crop(mut rows: Vec<Row>) -> Vec<Row> {
    let is_floor = |&(symbol, _): &(char, TextCoord)| FLOOR.contains(symbol);
    let indent = |row: &Row| row.iter().position(|it| !is_floor(it));
    let has_wall = |row: &Row| row.iter().any(|&(symbol, _)| is_wall(symbol));
    rows.drain(..rows.iter().position(has_wall).unwrap_or(rows.len()));
    let left = rows.iter().filter_map(indent).min().unwrap_or(0);
    let last = rows.iter().rposition(|row| indent(row).is_some()).map_or(0, |last| last + 1);
    let cut = |row: &Row| {
        let right = row.iter().rposition(|it| !is_floor(it)).map_or(0, |right| right + 1);
        row.get(left..right).unwrap_or_default().to_vec()
    };
    rows[..last].iter().map(cut).collect()
}
