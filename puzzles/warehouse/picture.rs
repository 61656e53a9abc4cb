//! Positions as Unicode and as SVG.

use super::Warehouse;
use super::board::{Cell, State};
use crate::svg;

const WALL: char = '█';
const FLOOR: char = '·';
const WANTED: char = '○';
const ROBOT: char = '@';

/// Side of a cell of the SVG picture in its own units.
const SIDE: f64 = 20.0;

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
    let size = |cells: usize| cells as f64 * SIDE;
    let mut text = svg::open(size(layout.width()), size(layout.height()), "#4d4d4d");
    let mut rect = |cell: Cell, cells: usize, inset: f64, look: &str| {
        let (row, column) = layout.place(cell);
        let corner = (size(column) + inset, size(row) + inset);
        text.push_str(&svg::rect(corner, (size(cells) - 2.0 * inset, SIDE - 2.0 * inset), look));
    };
    // Cells side by side are one stripe of floor.
    let floor: Vec<Cell> = layout.floor().collect();
    let beside =
        |a: &Cell, b: &Cell| a.index() + 1 == b.index() && layout.place(*a).0 == layout.place(*b).0;
    for stripe in floor.chunk_by(beside) {
        // Small pictures show no seams between stripes whose edges are sharp.
        let look = "fill=\"#f1ece0\" shape-rendering=\"crispEdges\"";
        rect(stripe[0], stripe.len(), 0.0, look);
    }
    for cell in wanted(warehouse) {
        rect(cell, 1, 2.5, "fill=\"none\" stroke=\"#a8327e\" stroke-width=\"2.5\"");
    }
    for wide in &state.boxes {
        // A box where one is asked for is dark and has a stripe.
        let at_home = wide.cells().all(|cell| wanted(warehouse).any(|asked| asked == cell));
        let fill = if at_home { "#00785a" } else { "#e69f00" };
        let look = format!("rx=\"2\" fill=\"{fill}\" stroke=\"#4a3200\" stroke-width=\"1.5\"");
        rect(wide.left, wide.width as usize, 2.0, &look);
        if at_home {
            rect(wide.left, wide.width as usize, 8.0, "fill=\"#ffffff\"");
        }
    }
    let look = "rx=\"7\" fill=\"#0072b2\" stroke=\"#ffffff\" stroke-width=\"2\"";
    rect(state.robot, 1, 3.0, look);
    text + svg::CLOSE
}

/// The cells on which boxes are asked for.
pub(super) fn wanted(warehouse: &Warehouse) -> impl Iterator<Item = Cell> + '_ {
    let arrangement = warehouse.goal().arrangement();
    arrangement.into_iter().flat_map(|asked| &asked.boxes).flat_map(|wide| wide.cells())
}
