//! The two file formats, v1 (a grid) and v2 (a grid with modifiers between the cells).
//!
//! `docs/sokobond.md` describes both.

use super::state::{Atom, Bond, Element, Modifier, State, StaticBoard};
use super::{Bonding, Sokobond};
use crate::error::ParseError;
use crate::grid::{Cell, Direction, Grid};
use crate::level::{Level, Warning};

/// More atoms than any real level has by far; keeps hostile files from being slow.
pub(super) const MAX_ATOMS: usize = 255;

/// The levels of a file: one, or several of which each but the last ends with a solution.
pub(super) fn read(text: &str, bonding: Bonding) -> Result<Vec<Level<Sokobond>>, ParseError> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut levels = Vec::new();
    let mut begin = 0;
    while begin < lines.len() {
        let end = end_of_level(&lines, begin);
        if lines[begin..end].iter().any(|line| !line.is_empty()) {
            levels.push(read_level(&lines[..end], begin, bonding));
        }
        begin = end;
    }
    if levels.is_empty() {
        let help = "a level is a grid of `x` (wall), `-` (floor) and letters h o n c e (atoms)";
        return Err(ParseError::whole("there is no level in this text").help(help));
    }
    Ok(levels)
}

/// Behind the last solution of the level that begins here.
fn end_of_level(lines: &[&str], begin: usize) -> usize {
    let is_solution = |line: &&str| line.starts_with('=');
    let Some(first) = lines[begin..].iter().position(is_solution) else { return lines.len() };
    let rest = &lines[begin + first..];
    let next = rest.iter().position(|line| !line.is_empty() && !is_solution(line));
    next.map_or(lines.len(), |next| begin + first + next)
}

/// The level in the lines from `begin` on.
fn read_level(lines: &[&str], begin: usize, bonding: Bonding) -> Level<Sokobond> {
    let own = &lines[begin..];
    let first = begin + own.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let own = &lines[first..];
    let end = own.iter().rposition(|line| !line.is_empty() && !line.starts_with('='));
    let grid = &own[..end.map_or(0, |last| last + 1)];
    let solutions = own.iter().filter_map(|line| line.strip_prefix('=')).map(str::to_owned);
    let mut warnings = Vec::new();
    let puzzle = read_grid(grid, bonding, &mut warnings);
    let text = grid.iter().map(|line| format!("{line}\n")).collect();
    let level = Level::new(first + 1, text, puzzle.map_err(|fault| fault.below(first)));
    Level { solutions: solutions.collect(), warnings, ..level }
}

/// What a level file says about one cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Square {
    Wall,
    Floor,
    Atom(Element, bool),
}

impl Square {
    fn of(letter: char) -> Option<Self> {
        match letter {
            'x' | 'X' => Some(Self::Wall),
            '-' => Some(Self::Floor),
            _ => {
                let element = Element::from_letter(letter.to_ascii_lowercase())?;
                Some(Self::Atom(element, letter.is_ascii_uppercase()))
            }
        }
    }
}

fn read_grid(
    lines: &[&str],
    bonding: Bonding,
    warnings: &mut Vec<Warning>,
) -> Result<Sokobond, ParseError> {
    let mut multiple = false;
    let mut signs = Vec::new();
    let rows = match lines.first().and_then(|line| line.strip_prefix("v2")) {
        Some(options) => {
            multiple = read_options(options)?;
            let mut rows = Vec::new();
            for (index, line) in lines.iter().enumerate().skip(1) {
                // Cells and modifiers take turns.
                if index % 2 == 1 {
                    rows.push(read_spaced_row(index + 1, line)?);
                } else {
                    read_modifiers(index + 1, line, rows.len() - 1, &mut signs)?;
                }
            }
            rows
        }
        None => read_rows(lines)?,
    };
    let Some(squares) = Grid::from_rows(&rows, Square::Wall) else {
        let message = format!("a level has at most {} cells", Grid::<Square>::MAX_CELLS);
        return Err(ParseError::whole(message).help("split the level or remove outer walls"));
    };
    let mut modifiers = squares.map(|_| None);
    for Sign { line, column, row, place, modifier } in signs {
        let inside = row + 1 < squares.height() && place + 1 < squares.width();
        let Some(vertex) = squares.cell(row, place).filter(|_| inside) else {
            let message = "a modifier on the edge of the level touches no bond";
            return Err(ParseError::at(line, column, message).help("leave it out"));
        };
        if modifiers[vertex].replace(modifier).is_some() {
            let message = "two modifiers for one vertex";
            let help = "one of the two columns right of a cell's own column is enough";
            return Err(ParseError::at(line, column, message).help(help));
        }
    }
    let heads = usize::from(lines.first().is_some_and(|line| line.starts_with("v2")));
    if lines.iter().skip(heads).any(|line| line.contains('X')) {
        warnings.push("`X` was read as a wall, like `x`".into());
    }
    let atoms = read_atoms(&squares, warnings)?;
    let board = StaticBoard { walls: squares.map(|&square| square == Square::Wall), modifiers };
    let bonds = initial_bonds(&board, &atoms);
    Ok(Sokobond { board, start: State { atoms, bonds }, multiple, bonding })
}

fn read_options(text: &str) -> Result<bool, ParseError> {
    let mut multiple = false;
    for word in text.split_whitespace() {
        if word != "multiple" || !text.starts_with(char::is_whitespace) {
            let message = format!("unknown word `{word}` after `v2`");
            return Err(ParseError::at(1, 0, message).help("the only option is `multiple`"));
        }
        multiple = true;
    }
    Ok(multiple)
}

fn square(line: usize, column: usize, letter: char) -> Result<Square, ParseError> {
    Square::of(letter).ok_or_else(|| {
        let help =
            "cells are `x` (wall), `-` (floor) and h o n c e (atoms, the player's a capital)";
        ParseError::at(line, column, format!("`{}` is no cell", letter.escape_default())).help(help)
    })
}

/// Rows of the v1 format, one letter a cell.
fn read_rows(lines: &[&str]) -> Result<Vec<Vec<Square>>, ParseError> {
    let row = |(index, line): (usize, &&str)| {
        if line.is_empty() {
            let help = "with modifiers between the rows, the first line must be `v2`";
            return Err(ParseError::at(index + 1, 0, "an empty line in the grid").help(help));
        }
        line.chars().enumerate().map(|(x, letter)| square(index + 1, x + 1, letter)).collect()
    };
    lines.iter().enumerate().map(row).collect()
}

/// A row of the v2 format: cells in the columns 1, 3, 5 ..., blanks between.
fn read_spaced_row(line: usize, text: &str) -> Result<Vec<Square>, ParseError> {
    let mut row = Vec::new();
    for (x, letter) in text.chars().enumerate() {
        match (x % 2, letter) {
            (0, _) => row.push(square(line, x + 1, letter)?),
            (_, ' ') => {}
            (_, _) => {
                let message = format!("`{}` between two cells", letter.escape_default());
                let help = "after `v2` the cells of a row are separated by single blanks";
                return Err(ParseError::at(line, x + 1, message).help(help));
            }
        }
    }
    if row.is_empty() {
        let help = "after `v2` rows of cells and rows of modifiers take turns";
        return Err(ParseError::at(line, 0, "a row of cells is missing").help(help));
    }
    Ok(row)
}

/// A modifier of the v2 format and where it stands.
struct Sign {
    line: usize,
    column: usize,
    /// Row and column of the cell to the upper left of the vertex.
    row: usize,
    place: usize,
    modifier: Modifier,
}

fn read_modifiers(
    line: usize,
    text: &str,
    row: usize,
    signs: &mut Vec<Sign>,
) -> Result<(), ParseError> {
    for (x, sign) in text.chars().enumerate().filter(|&(_, sign)| sign != ' ') {
        let Some(modifier) = Modifier::from_sign(sign) else {
            let message = format!("`{}` is no modifier", sign.escape_default());
            let help =
                "between two rows of cells stand `/` (weaken), `+` (strengthen), `@` (rotate)";
            return Err(ParseError::at(line, x + 1, message).help(help));
        };
        signs.push(Sign { line, column: x + 1, row, place: x / 2, modifier });
    }
    Ok(())
}

/// The atoms in reading order. When several are in upper case, the last is the player.
fn read_atoms(
    squares: &Grid<Square>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Atom>, ParseError> {
    let mut atoms: Vec<Atom> = Vec::new();
    let mut capitals = 0;
    for (cell, &square) in squares.iter() {
        if let Square::Atom(element, player) = square {
            if player {
                atoms.iter_mut().for_each(|atom| atom.player = false);
                capitals += 1;
            }
            atoms.push(Atom { cell, element, player });
        }
    }
    if capitals == 0 {
        let help = "write the letter of the player's atom in upper case";
        return Err(ParseError::whole("there is no player").help(help));
    }
    if capitals > 1 {
        warnings.push(format!("{capitals} atoms are in upper case: the last is the player").into());
    }
    if atoms.len() > MAX_ATOMS {
        let message = format!("{} atoms, at most {MAX_ATOMS} are read", atoms.len());
        return Err(ParseError::whole(message).help("split the level"));
    }
    Ok(atoms)
}

/// The bonds at the start, which no file holds: the molecule of the player first, then the others
/// in reading order, each takes in the first molecule that it can bond with, until none can.
fn initial_bonds(board: &StaticBoard, atoms: &[Atom]) -> Vec<Bond> {
    let mut order: Vec<usize> = (0..atoms.len()).collect();
    order.sort_by_key(|&atom| !atoms[atom].player);
    let mut free: Vec<u8> = atoms.iter().map(|atom| atom.element.valence()).collect();
    let mut molecules: Vec<Vec<usize>> = order.into_iter().map(|atom| vec![atom]).collect();
    let mut bonds = Vec::new();
    let touch = |a: usize, b: usize| {
        let towards = |d| board.walls.next(atoms[a].cell, d) == Some(atoms[b].cell);
        Direction::ALL.into_iter().any(towards)
    };
    let mut joined = true;
    while joined {
        joined = false;
        'pairs: for i in 0..molecules.len() {
            for j in i + 1..molecules.len() {
                let before = bonds.len();
                for (&a, &b) in itertools::iproduct!(&molecules[i], &molecules[j]) {
                    if free[a] > 0 && free[b] > 0 && touch(a, b) {
                        free[a] -= 1;
                        free[b] -= 1;
                        let (a, b) = (atoms[a].cell, atoms[b].cell);
                        bonds.push(Bond { first: a.min(b), second: a.max(b), multiplicity: 1 });
                    }
                }
                if bonds.len() > before {
                    let other = molecules.remove(j);
                    molecules[i].extend(other);
                    joined = true;
                    break 'pairs;
                }
            }
        }
    }
    bonds.sort_unstable();
    bonds
}

/// The level in the format that it needs: v1 where that can say all.
pub(super) fn print(puzzle: &Sokobond) -> String {
    let StaticBoard { walls, modifiers } = &puzzle.board;
    if puzzle.multiple || modifiers.iter().any(|(_, modifier)| modifier.is_some()) {
        return print_spaced(puzzle);
    }
    let row = |y: usize| (0..walls.width()).filter_map(move |x| walls.cell(y, x));
    let line = |y: usize| row(y).map(|cell| letter(puzzle, cell)).chain(['\n']).collect::<String>();
    (0..walls.height()).map(line).collect()
}

fn letter(puzzle: &Sokobond, cell: Cell) -> char {
    match puzzle.start.at(cell) {
        Some(atom) => atom.letter(),
        None if puzzle.board.walls[cell] => 'x',
        None => '-',
    }
}

/// The level in v2.
pub(super) fn print_spaced(puzzle: &Sokobond) -> String {
    let StaticBoard { walls, modifiers } = &puzzle.board;
    let row = |y: usize| (0..walls.width()).filter_map(move |x| walls.cell(y, x));
    let mut text = String::from(if puzzle.multiple { "v2 multiple\n" } else { "v2\n" });
    for y in 0..walls.height() {
        text.push_str(&itertools::join(row(y).map(|cell| letter(puzzle, cell)), " "));
        text.push('\n');
        if y + 1 < walls.height() {
            let signs = row(y).map(|cell| modifiers[cell].map_or(' ', Modifier::sign));
            let line: String = signs.flat_map(|sign| [' ', sign]).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Reads a move string; blanks are left out, letters may be in either case.
pub(super) fn read_keys(text: &str) -> Result<super::Keys, ParseError> {
    let mut keys = Vec::new();
    for (line, row) in text.lines().enumerate() {
        for (x, letter) in row.chars().enumerate().filter(|(_, letter)| !letter.is_whitespace()) {
            let Some(direction) = Direction::of_key(letter) else {
                let message = format!("`{}` is no move", letter.escape_default());
                let help = "moves are W (up), A (left), S (down), D (right)";
                return Err(ParseError::at(line + 1, x + 1, message).help(help));
            };
            keys.push(direction);
        }
    }
    Ok(super::Keys(keys))
}

/// A position as one line: each atom as letter and cell, then each bond.
pub(super) fn write_state(state: &State) -> String {
    let atoms = state.atoms.iter().map(|atom| format!("{}{}", atom.letter(), atom.cell.0));
    let bonds =
        state.bonds.iter().map(|b| format!("{}-{}*{}", b.first.0, b.second.0, b.multiplicity));
    itertools::join(atoms.chain(bonds), " ")
}

/// Reads what [`write_state`] wrote, if it is a position of this puzzle.
pub(super) fn read_state(puzzle: &Sokobond, text: &str) -> Option<State> {
    let mut state = State { atoms: Vec::new(), bonds: Vec::new() };
    let walls = &puzzle.board.walls;
    let cell = |text: &str| {
        let cell = Cell(text.parse().ok()?);
        (cell.index() < walls.len() && !walls[cell]).then_some(cell)
    };
    for word in text.split_whitespace() {
        if let Some((pair, multiplicity)) = word.split_once('*') {
            let (first, second) = pair.split_once('-')?;
            let (first, second) = (cell(first)?, cell(second)?);
            state.bonds.push(Bond { first, second, multiplicity: multiplicity.parse().ok()? });
        } else {
            let letter = word.chars().next()?;
            let element = Element::from_letter(letter.to_ascii_lowercase())?;
            let player = letter.is_ascii_uppercase();
            state.atoms.push(Atom { cell: cell(&word[1..])?, element, player });
        }
    }
    (is_position(puzzle, &state) && write_state(&state) == text).then_some(state)
}

/// Whether atoms and bonds fit the puzzle and each other.
fn is_position(puzzle: &Sokobond, state: &State) -> bool {
    let kinds = |state: &State| {
        let mut kinds: Vec<_> =
            state.atoms.iter().map(|atom| (atom.element, atom.player)).collect();
        kinds.sort_unstable();
        kinds
    };
    let used = |cell: Cell| {
        let bonds = state.bonds.iter().filter(|bond| bond.first == cell || bond.second == cell);
        bonds.map(|bond| usize::from(bond.multiplicity)).sum::<usize>()
    };
    let bond_fits = |bond: &Bond| {
        let neighbours = puzzle.board.walls.neighbours(bond.first);
        let near = neighbours.into_iter().any(|(_, cell)| cell == bond.second);
        let ends = state.at(bond.first).is_some() && state.at(bond.second).is_some();
        near && ends && bond.first < bond.second && bond.multiplicity > 0
    };
    kinds(state) == kinds(&puzzle.start)
        && state.atoms.is_sorted_by_key(|atom| atom.cell)
        && state.atoms.windows(2).all(|pair| pair[0].cell != pair[1].cell)
        && state.bonds.windows(2).all(|b| (b[0].first, b[0].second) < (b[1].first, b[1].second))
        && state.bonds.iter().all(bond_fits)
        && state.atoms.iter().all(|atom| used(atom.cell) <= usize::from(atom.element.valence()))
}
