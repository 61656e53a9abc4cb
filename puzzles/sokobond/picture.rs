//! Pictures: atoms in their cells, bonds between the cells, modifiers on the corners.

use super::state::{Atom, Board, Element, Modifier, State};
use crate::grid::{Cell, Direction};
use std::fmt::Write;

/// The signs of a drawing style.
struct Signs {
    wall: char,
    floor: char,
    /// A single, double, triple and quadruple bond from left to right.
    across: [char; 4],
    /// The same from top to bottom.
    down: [char; 4],
}

const PLAIN: Signs =
    Signs { wall: 'x', floor: '.', across: ['-', '=', '3', '4'], down: ['|', '2', '3', '4'] };

const UNICODE: Signs =
    Signs {
        wall: '█', floor: '·', across: ['─', '═', '≡', '4'], down: ['│', '║', '⦀', '4']
    };

/// Letters and ASCII signs.
pub fn plain(board: &Board, state: &State) -> String {
    lines(board, state, &PLAIN, |atom| atom.letter().to_string())
}

/// Box drawing, with one colour for each element when `color` is set and the player reversed.
pub fn unicode(board: &Board, state: &State, color: bool) -> String {
    lines(board, state, &UNICODE, |atom| {
        let letter = atom.letter();
        if !color {
            return letter.to_string();
        }
        let reverse = if atom.player { "7;" } else { "" };
        format!("\u{1b}[{reverse}1;{}m{letter}\u{1b}[0m", ansi(atom.element))
    })
}

/// The ANSI colour of an element.
fn ansi(element: Element) -> u8 {
    match element {
        Element::Hydrogen => 31,
        Element::Helium => 37,
        Element::Oxygen => 34,
        Element::Nitrogen => 32,
        Element::Carbon => 33,
    }
}

/// The multiplicity of the bond from a cell to the next one in a direction.
fn bond(board: &Board, state: &State, cell: Cell, direction: Direction) -> u8 {
    board.walls.next(cell, direction).map_or(0, |other| state.multiplicity(cell, other))
}

/// Rows of cells and rows of what is between them, in turns.
fn lines(board: &Board, state: &State, signs: &Signs, paint: impl Fn(Atom) -> String) -> String {
    let walls = &board.walls;
    let sign = |signs: &[char; 4], multiplicity: u8| match usize::from(multiplicity) {
        0 => ' ',
        known => signs[known.min(signs.len()) - 1],
    };
    let mut text = String::new();
    for y in 0..walls.height() {
        let (mut cells, mut between) = (String::new(), String::new());
        for cell in (0..walls.width()).filter_map(|x| walls.cell(y, x)) {
            match state.at(cell) {
                Some(atom) => cells.push_str(&paint(atom)),
                None => cells.push(if walls[cell] { signs.wall } else { signs.floor }),
            }
            cells.push(sign(&signs.across, bond(board, state, cell, Direction::Right)));
            between.push(sign(&signs.down, bond(board, state, cell, Direction::Down)));
            between.push(board.modifiers[cell].map_or(' ', Modifier::sign));
        }
        text.push_str(cells.trim_end());
        text.push('\n');
        if y + 1 < walls.height() {
            text.push_str(between.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Width of a cell in the SVG picture.
const CELL: usize = 40;

/// A picture as SVG.
pub fn svg(board: &Board, state: &State) -> String {
    let walls = &board.walls;
    let (width, height) = (walls.width() * CELL, walls.height() * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f4f1ea\"/>\n"
    );
    let middle = |cell| {
        let (y, x) = walls.place(cell);
        (x * CELL + CELL / 2, y * CELL + CELL / 2)
    };
    // Writing to a string cannot fail.
    for (cell, _) in walls.iter().filter(|(_, wall)| **wall) {
        let (x, y) = middle(cell);
        let (x, y) = (x - CELL / 2, y - CELL / 2);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#555\"/>"
        );
    }
    for bond in &state.bonds {
        let ((x1, y1), (x2, y2)) = (middle(bond.first), middle(bond.second));
        for line in 0..usize::from(bond.multiplicity) {
            // Parallel lines, side by side around the line between the middles.
            let shift = (6 * line) as isize - 3 * (isize::from(bond.multiplicity as i8) - 1);
            let (dx, dy) = if y1 == y2 { (0, shift) } else { (shift, 0) };
            let at = |value: usize, change: isize| value as isize + change;
            let _ = writeln!(
                svg,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#222\" stroke-width=\"3\"/>",
                at(x1, dx),
                at(y1, dy),
                at(x2, dx),
                at(y2, dy)
            );
        }
    }
    for &atom in &state.atoms {
        let (x, y) = middle(atom.cell);
        let stroke = if atom.player { 4 } else { 1 };
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{}\" stroke=\"#222\" \
             stroke-width=\"{stroke}\"/>\n<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" \
             font-family=\"sans-serif\" font-size=\"16\">{}</text>",
            fill(atom.element),
            y + 6,
            atom.letter()
        );
    }
    for (cell, modifier) in board.modifiers.iter() {
        if let Some(modifier) = modifier {
            let (x, y) = middle(cell);
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-family=\"monospace\" \
                 font-size=\"16\" fill=\"#b00\">{}</text>",
                x + CELL / 2,
                y + CELL / 2 + 5,
                modifier.sign()
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The colour of an element in the SVG picture.
fn fill(element: Element) -> &'static str {
    match element {
        Element::Hydrogen => "#f3a6a0",
        Element::Helium => "#ddd",
        Element::Oxygen => "#a0c4f3",
        Element::Nitrogen => "#a8e0a0",
        Element::Carbon => "#f3e0a0",
    }
}
