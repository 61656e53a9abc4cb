//! Positions as Unicode and as SVG.

use super::Warehouse;
use super::board::{Cell, State};

const WALL: char = '█';
const FLOOR: char = '·';
const WANTED: char = '○';
const ROBOT: char = '@';

/// Side of a cell of the SVG picture in its own units.
const SIDE: usize = 20;

pub(super) fn unicode(warehouse: &Warehouse, state: &State, color: bool) -> String {
    let layout = warehouse.layout();
    let mut letters = vec![WALL; layout.len()];
    for cell in layout.floor() {
        letters[cell.index()] = FLOOR;
    }
    for cell in wanted(warehouse) {
        letters[cell.index()] = WANTED;
    }
    for &wide in &state.boxes {
        for (cell, letter) in wide.cells().zip(wide.letters()) {
            letters[cell.index()] = match letter {
                'O' => '■',
                '[' => '▐',
                ']' => '▌',
                _ => '█',
            };
        }
    }
    letters[state.robot.index()] = ROBOT;
    let mut text = String::new();
    for (number, &letter) in (0..).zip(&letters) {
        let cell = Cell(number);
        let code = if cell == state.robot {
            Some(36)
        } else if state.box_at(cell).is_some() {
            Some(33)
        } else {
            None
        };
        match code.filter(|_| color) {
            Some(code) => text.push_str(&format!("\x1b[{code}m{letter}\x1b[0m")),
            None => text.push(letter),
        }
        if (cell.index() + 1).is_multiple_of(layout.width()) {
            text.push('\n');
        }
    }
    text
}

pub(super) fn svg(warehouse: &Warehouse, state: &State) -> String {
    let layout = warehouse.layout();
    let (width, height) = (layout.width() * SIDE, layout.height() * SIDE);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#444\"/>\n"
    );
    let mut rect = |cell: Cell, cells: usize, inset: usize, look: &str| {
        let (row, column) = layout.place(cell);
        text.push_str(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {look}/>\n",
            column * SIDE + inset,
            row * SIDE + inset,
            cells * SIDE - 2 * inset,
            SIDE - 2 * inset,
        ));
    };
    for cell in layout.floor() {
        rect(cell, 1, 0, "fill=\"#eee\"");
    }
    for cell in wanted(warehouse) {
        rect(cell, 1, 7, "fill=\"#c33\"");
    }
    for wide in &state.boxes {
        rect(wide.left, wide.width as usize, 2, "fill=\"#c93\" stroke=\"#742\"");
    }
    rect(state.robot, 1, 4, "rx=\"6\" fill=\"#36c\"");
    text.push_str("</svg>\n");
    text
}

/// The cells on which boxes are asked for.
fn wanted(warehouse: &Warehouse) -> impl Iterator<Item = Cell> + '_ {
    let arrangement = warehouse.goal().arrangement();
    arrangement.into_iter().flat_map(|asked| &asked.boxes).flat_map(|wide| wide.cells())
}
