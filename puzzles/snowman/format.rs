//! Level files: one character a cell, header lines that begin with `;`, levels apart by blank
//! lines.

use super::board::State;
use super::board::{Ground, Legend, LevelError, Pieces, Snowman, Stack};
use super::solution::Solution;
use crate::error::ParseError;
use crate::grid::{Cell, Grid};
use crate::level::{Level, Notes, Warning};
use crate::moves::Moves;
use crate::options::Options;
use crate::puzzle::Recording;
use std::collections::{BTreeMap, BTreeSet};

/// What a character of a level file says about its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Content {
    ground: Ground,
    snow: bool,
    player: bool,
    stack: Option<Stack>,
}

impl Content {
    const fn on(ground: Ground) -> Self {
        Self { ground, snow: false, player: false, stack: None }
    }

    const fn snowy(self) -> Self {
        Self { snow: true, ..self }
    }

    const fn player(self) -> Self {
        Self { player: true, ..self }
    }
}

const WALL: Content = Content::on(Ground::Wall);
const FLOOR: Content = Content::on(Ground::Floor);
const TARGET: Content = Content::on(Ground::Target);
const TELEPORTER: Content = Content::on(Ground::Teleporter);

/// The published legend. The last five and the letters for stacks on targets (`a` to `g` for 1 to
/// 7) are ours: every position of the game can be written.
const PUBLISHED: [(char, Content); 11] = [
    ('X', WALL),
    ('-', FLOOR),
    ('*', FLOOR.snowy()),
    ('#', FLOOR.player()),
    ('+', TARGET),
    ('=', TARGET.snowy()),
    ('T', TELEPORTER),
    ('%', FLOOR.snowy().player()),
    ('@', TARGET.player()),
    ('&', TARGET.snowy().player()),
    ('U', TELEPORTER.player()),
];

/// The legend of the planning papers.
const RESEARCH: [(char, Content); 6] = [
    ('x', WALL),
    ('#', WALL),
    ('\'', FLOOR),
    ('.', FLOOR.snowy()),
    ('q', FLOOR.player()),
    ('p', FLOOR.snowy().player()),
];

/// Symbols of stacks on a target, in the order of their numbers.
const ON_TARGET: [char; 7] = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/// What a character means; `None` when the legend does not know it.
fn meaning(legend: Legend, symbol: char) -> Option<Content> {
    let digit = symbol.to_digit(10).and_then(|digit| Stack::from_number(digit as u8));
    if digit.is_some() {
        return Some(Content { stack: digit, ..FLOOR });
    }
    let table: &[_] = if legend == Legend::Research { &RESEARCH } else { &PUBLISHED };
    if legend != Legend::Research
        && let Some(index) = ON_TARGET.iter().position(|&it| it == symbol)
    {
        return Some(Content { stack: Stack::from_number(index as u8 + 1), ..TARGET });
    }
    let symbol = match (legend, symbol) {
        (Legend::Author, '+') => '=',
        (Legend::Author, '=') => '+',
        _ => symbol,
    };
    table.iter().find(|(known, _)| *known == symbol).map(|&(_, content)| content)
}

/// The character of a cell in the published legend.
fn symbol(content: Content) -> char {
    if let Some(stack) = content.stack {
        return match content.ground {
            Ground::Target => ON_TARGET[usize::from(stack.number()) - 1],
            _ => char::from(b'0' + stack.number()),
        };
    }
    let found = PUBLISHED.iter().find(|(_, known)| *known == content);
    found.expect("every cell of a position has a character").0
}

impl Snowman {
    /// The board in a state, in the published legend.
    pub(super) fn drawing(&self, state: &State) -> String {
        let content = |cell: Cell| Content {
            ground: self.ground()[cell],
            snow: state.snow.contains(&cell),
            player: state.player == cell,
            stack: state.stacks.get(&cell).copied(),
        };
        let cells: Vec<Cell> = self.ground().cells().collect();
        let rows = cells.chunks(self.ground().width());
        rows.map(|row| {
            row.iter().map(|&cell| symbol(content(cell))).chain(['\n']).collect::<String>()
        })
        .collect()
    }

    /// The level in the published legend, with a header that says so.
    pub(super) fn printed(&self) -> String {
        self.headed("published", &self.drawing(&self.start()))
    }

    /// The same in the legend of the author's level files.
    pub(super) fn printed_as_author(&self) -> String {
        let swapped = |symbol| match symbol {
            '+' => '=',
            '=' => '+',
            other => other,
        };
        let rows: String = self.drawing(&self.start()).chars().map(swapped).collect();
        self.headed("author", &rows)
    }

    fn headed(&self, legend: &str, rows: &str) -> String {
        let rules = if self.dismantle() { "; rules: dismantle\n" } else { "" };
        format!("; legend: {legend}\n{rules}{rows}")
    }
}

/// Level and solution: what the file says of the level, the solution as a header line, the board.
pub(super) fn recorded(puzzle: &Snowman, solution: &Solution, recording: Recording<'_>) -> String {
    let title = recording.title.map(|title| format!("; title: {title}\n")).unwrap_or_default();
    let notes = recording.notes.map_or("", |notes| notes.level.as_str());
    let line = format!("; solution: {solution}\n");
    let new = if notes.contains(&line) { "" } else { line.as_str() };
    format!("{title}{notes}{new}{}", puzzle.printed())
}

/// What the header lines of a level say.
#[derive(Clone, Debug, Default)]
struct Header {
    title: Option<String>,
    legend: Option<Legend>,
    dismantle: bool,
    solutions: Vec<String>,
    /// Remarks and solutions, word for word.
    notes: String,
}

impl Header {
    /// Takes in a line that begins with `;`. Lines that are no `key: value` with a known key are
    /// remarks.
    fn line(&mut self, number: usize, line: &str) -> Result<(), ParseError> {
        let said = line.trim_start_matches(';').split_once(':');
        let name = said.map(|(key, _)| key.trim().to_ascii_lowercase()).unwrap_or_default();
        if !["title", "legend", "rules"].contains(&name.as_str()) {
            self.notes.extend([line, "\n"]);
        }
        let Some((_, value)) = said else { return Ok(()) };
        let value = value.trim();
        match name.as_str() {
            "title" => self.title = Some(value.to_owned()),
            "solution" => self.solutions.push(value.to_owned()),
            "legend" => {
                let legend = Legend::from_name(value);
                self.legend = Some(legend.ok_or_else(|| {
                    ParseError::at(number, 0, "unknown legend")
                        .help("a legend is `published`, `author` or `research`")
                })?);
            }
            "rules" => match value {
                "dismantle" => self.dismantle = true,
                "game" => self.dismantle = false,
                _ => {
                    let fault = ParseError::at(number, 0, "unknown rules");
                    return Err(fault.help("the rules are `game` or `dismantle`"));
                }
            },
            _ => {}
        }
        Ok(())
    }
}

/// The lines of one level, with their numbers.
type Lines<'a> = Vec<(usize, &'a str)>;

/// The text cut into levels: header lines and what follows them up to a blank line or the next
/// header.
fn cut(text: &str) -> Vec<Lines<'_>> {
    let mut levels: Vec<Lines<'_>> = vec![Vec::new()];
    let mut in_board = false;
    for (index, line) in text.lines().enumerate() {
        let (blank, header) = (line.trim().is_empty(), line.starts_with(';'));
        if in_board && (blank || header) {
            levels.push(Vec::new());
        }
        in_board = !blank && !header;
        if !blank && let Some(level) = levels.last_mut() {
            level.push((index + 1, line.trim_end()));
        }
    }
    levels.retain(|lines| lines.iter().any(|(_, line)| !line.starts_with(';')));
    levels
}

/// Reads all levels of a text.
pub(super) fn read(text: &str, options: &Options) -> Result<Vec<Level<Snowman>>, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let levels = cut(text);
    if levels.is_empty() {
        let help = "a level has one character a cell, such as X for walls and # for the player";
        return Err(ParseError::whole("no level in this text").help(help));
    }
    Ok(levels.into_iter().map(|lines| read_level(&lines, options)).collect())
}

fn read_level(lines: &Lines<'_>, options: &Options) -> Level<Snowman> {
    let mut header = Header::default();
    let mut fault = None;
    for &(number, line) in lines.iter().filter(|(_, line)| line.starts_with(';')) {
        fault = fault.or(header.line(number, line).err());
    }
    let rows: Lines<'_> =
        lines.iter().copied().filter(|(_, line)| !line.starts_with(';')).collect();
    let chosen = Legend::from_name(options.get("legend")).or(header.legend);
    let legend = chosen.unwrap_or_else(|| likely(&rows));
    let dismantle = header.dismantle || options.flag("dismantle");
    let puzzle = match fault {
        Some(fault) => Err(fault),
        None => board(&rows, legend, dismantle),
    };
    let mut warnings = Vec::new();
    if let Ok(puzzle) = &puzzle {
        if chosen.is_none() && puzzle.targets().count() > 0 {
            let text = "targets are read by the published legend (`+` bare, `=` snow), though the \
                        file may have them the other way round";
            warnings.push(Warning::from(text).settled_by("legend", "author"));
        }
        warnings.extend(puzzle.unsolvable_reason().map(Warning::from));
    }
    Level {
        title: header.title,
        line: lines.first().map_or(0, |&(number, _)| number),
        text: lines.iter().flat_map(|&(_, line)| [line, "\n"]).collect(),
        puzzle,
        solutions: header.solutions,
        warnings,
        notes: Notes { file: String::new(), level: header.notes },
    }
}

/// The legend to which all characters belong; the published one where both would do.
fn likely(rows: &Lines<'_>) -> Legend {
    let all = |legend| {
        rows.iter().flat_map(|(_, row)| row.chars()).all(|it| meaning(legend, it).is_some())
    };
    if !all(Legend::Published) && all(Legend::Research) {
        Legend::Research
    } else {
        Legend::Published
    }
}

/// Reads the rows of a board.
fn board(rows: &Lines<'_>, legend: Legend, dismantle: bool) -> Result<Snowman, ParseError> {
    let contents: Vec<Vec<Content>> = rows
        .iter()
        .map(|&(number, row)| {
            let known = |(column, symbol)| {
                meaning(legend, symbol).ok_or_else(|| unknown(legend, number, column + 1, symbol))
            };
            row.chars().enumerate().map(known).collect::<Result<_, _>>()
        })
        .collect::<Result<_, _>>()?;
    let board = Grid::from_rows(&contents, WALL).ok_or_else(|| {
        let line = rows.first().map_or(0, |&(number, _)| number);
        ParseError::at(line, 0, "the board is too large").help("a board has at most 65535 cells")
    })?;
    let place = |cell: Cell| {
        let (row, column) = board.place(cell);
        (rows[row].0, column + 1)
    };
    let fault = |cell: Cell, message: &str| {
        let (line, column) = place(cell);
        ParseError::at(line, column, message)
    };
    let mut players = board.cells().filter(|&cell| board[cell].player);
    let player = players.next().ok_or_else(|| no_player(legend, rows))?;
    if let Some(second) = players.next() {
        let (line, column) = place(player);
        let help = format!("the first one is in line {line}, column {column}: take one away");
        return Err(fault(second, "a second player").help(help));
    }
    let snow: BTreeSet<Cell> = board.cells().filter(|&cell| board[cell].snow).collect();
    let stacks: BTreeMap<Cell, Stack> =
        board.iter().filter_map(|(cell, content)| Some((cell, content.stack?))).collect();
    let ground = board.map(|content| content.ground);
    let pieces = Pieces { snow, stacks, player };
    let puzzle = Snowman::new(ground, pieces, dismantle).map_err(|flaw| {
        let LevelError { cell, message, help } = flaw;
        let whole = || ParseError::at(rows.first().map_or(0, |&(number, _)| number), 0, message);
        cell.map_or_else(whole, |cell| fault(cell, message)).help(help)
    })?;
    Ok(puzzle.read_by(legend))
}

fn no_player(legend: Legend, rows: &Lines<'_>) -> ParseError {
    let help = match legend {
        Legend::Research => "put the player on the board: q on bare ground, p on snow",
        _ => "put the player on the board: # on bare ground, % on snow, @ on a target",
    };
    ParseError::at(rows.first().map_or(0, |&(number, _)| number), 0, "no player on the board")
        .help(help)
}

fn unknown(legend: Legend, line: usize, column: usize, symbol: char) -> ParseError {
    let help = match legend {
        Legend::Research => "the research legend has x # ' . q p and the digits 1 to 7",
        _ => "a level has X - * # + = T and the digits 1 to 7, and for rarer things % @ & U a to g",
    };
    let message = format!("`{}` is unknown in the {} legend", symbol.escape_debug(), legend.name());
    ParseError::at(line, column, message).help(help)
}
