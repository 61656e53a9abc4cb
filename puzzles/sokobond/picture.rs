//! Pictures: atoms in their cells, bonds between the cells, modifiers on the corners.

use super::state::{Atom, Element, Modifier, State, StaticBoard};
use crate::grid::{Cell, Direction};
use crate::svg;

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
pub(super) fn plain(board: &StaticBoard, state: &State) -> String {
    lines(board, state, &PLAIN, |atom| atom.letter().to_string())
}

/// Box drawing, with one colour for each element when `color` is set and the player reversed.
pub(super) fn unicode(board: &StaticBoard, state: &State, color: bool) -> String {
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
fn bond(board: &StaticBoard, state: &State, cell: Cell, direction: Direction) -> u8 {
    board.walls.next(cell, direction).map_or(0, |other| state.multiplicity(cell, other))
}

/// Rows of cells and rows of what is between them, in turns.
fn lines(
    board: &StaticBoard,
    state: &State,
    signs: &Signs,
    paint: impl Fn(Atom) -> String,
) -> String {
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

/// Side of a cell in the SVG picture.
const SIDE: f64 = 40.0;

/// A picture as SVG.
pub(super) fn svg(board: &StaticBoard, state: &State) -> String {
    let walls = &board.walls;
    let (width, height) = (walls.width() as f64 * SIDE, walls.height() as f64 * SIDE);
    let mut text = svg::open(width, height, "#f4f1ea");
    let corner = |cell| {
        let (y, x) = walls.place(cell);
        (x as f64 * SIDE, y as f64 * SIDE)
    };
    let middle = |cell| {
        let (x, y) = corner(cell);
        (x + SIDE / 2.0, y + SIDE / 2.0)
    };
    for (cell, &wall) in walls.iter() {
        let look = match wall {
            true => "fill=\"#4d4d4d\"",
            false => "fill=\"none\" stroke=\"#dcd6c6\"",
        };
        text.push_str(&svg::rect(corner(cell), (SIDE, SIDE), look));
    }
    for bond in &state.bonds {
        let ((x1, y1), (x2, y2)) = (middle(bond.first), middle(bond.second));
        for line in 0..bond.multiplicity {
            // Parallel lines, side by side around the line between the middles.
            let shift = 6.0 * f64::from(line) - 3.0 * (f64::from(bond.multiplicity) - 1.0);
            let (dx, dy) = if y1 == y2 { (0.0, shift) } else { (shift, 0.0) };
            let ends = [(x1 + dx, y1 + dy), (x2 + dx, y2 + dy)];
            text.push_str(&svg::polygon(&ends, "stroke=\"#222222\" stroke-width=\"3\""));
        }
    }
    for &atom in &state.atoms {
        let middle = middle(atom.cell);
        let stroke = if atom.player { 4.5 } else { 1.5 };
        let fill = fill(atom.element);
        let look = format!("fill=\"{fill}\" stroke=\"#222222\" stroke-width=\"{stroke}\"");
        text.push_str(&svg::disc(middle, 14.0, &look));
        text.push_str(&svg::label(symbol(atom.element), middle, 12.0, "#111111"));
        text.push_str(&electrons(state.free(atom), middle));
    }
    for (cell, modifier) in board.modifiers.iter() {
        if let Some(modifier) = modifier {
            let (x, y) = middle(cell);
            let at = (x + SIDE / 2.0, y + SIDE / 2.0);
            text.push_str(&modifier_mark(*modifier, at));
        }
    }
    text + svg::CLOSE
}

/// The symbol of an element.
fn symbol(element: Element) -> &'static str {
    match element {
        Element::Hydrogen => "H",
        Element::Helium => "HE",
        Element::Oxygen => "O",
        Element::Nitrogen => "N",
        Element::Carbon => "C",
    }
}

/// A dot on the rim of an atom for each free electron.
fn electrons(free: u8, (x, y): svg::Point) -> String {
    let angle = |n: u8| f64::from(n) * std::f64::consts::FRAC_PI_2 + std::f64::consts::FRAC_PI_4;
    let dot = |n: u8| {
        let at = (x + 15.0 * angle(n).cos(), y + 15.0 * angle(n).sin());
        svg::disc(at, 2.6, "fill=\"#d55e00\" stroke=\"#ffffff\" stroke-width=\"0.8\"")
    };
    (0..free).map(dot).collect()
}

/// The mark of a modifier: a cut, a plus, or a ring.
fn modifier_mark(modifier: Modifier, (x, y): svg::Point) -> String {
    let look = "fill=\"#ffffff\" stroke=\"#a8327e\" stroke-width=\"1.5\"";
    let ground = svg::disc((x, y), 7.5, look);
    let sign = match modifier.sign() {
        '@' => svg::disc((x, y), 3.5, "fill=\"none\" stroke=\"#a8327e\" stroke-width=\"2\""),
        sign => svg::label(&sign.to_string(), (x, y), 8.0, "#a8327e"),
    };
    ground + &sign
}

/// The colour of an element in the SVG picture; its letter says the same.
fn fill(element: Element) -> &'static str {
    match element {
        Element::Hydrogen => "#f0b8a0",
        Element::Helium => "#e0e0e0",
        Element::Oxygen => "#8fc7f0",
        Element::Nitrogen => "#7fd1b9",
        Element::Carbon => "#f0e08a",
    }
}
