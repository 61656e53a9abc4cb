//! Pictures: XSB, Unicode for terminals, SVG.

use super::board::{Sokoban, State, Tile};
use crate::grid::Cell;
use crate::picture::Style;
use crate::svg;
use itertools::Itertools;
use std::fmt::Write;

/// What there is to see in a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    Wall,
    Ground { goal: bool },
    Box { goal: bool },
    Player { goal: bool },
}

/// Draws a position.
pub(super) fn draw(puzzle: &Sokoban, state: &State, style: Style) -> String {
    match style {
        Style::Plain => puzzle.drawing(&state.boxes, state.player),
        Style::Unicode { color } => unicode(puzzle, state, color),
        Style::Svg => svg(puzzle, state),
    }
}

fn sight(puzzle: &Sokoban, state: &State, cell: Cell) -> Sight {
    let goal = puzzle.is_goal_cell(cell);
    match puzzle.grid()[cell] {
        _ if state.player == cell => Sight::Player { goal },
        _ if state.has_box(cell) => Sight::Box { goal },
        Tile::Wall if !puzzle.is_blank(cell) => Sight::Wall,
        _ => Sight::Ground { goal },
    }
}

/// Two columns a cell, so that cells are square.
fn unicode(puzzle: &Sokoban, state: &State, color: bool) -> String {
    let mut text = String::new();
    for row in &puzzle.grid().cells().chunks(puzzle.grid().width()) {
        let mut line = String::new();
        for cell in row {
            let (symbol, code) = match sight(puzzle, state, cell) {
                Sight::Wall => ("██", "90"),
                Sight::Ground { goal: false } => ("  ", ""),
                Sight::Ground { goal: true } => ("··", "35"),
                Sight::Box { goal: false } => ("▐▌", "33"),
                Sight::Box { goal: true } => ("▓▓", "32"),
                Sight::Player { goal: false } => ("◖◗", "36"),
                Sight::Player { goal: true } => ("◖◗", "1;35"),
            };
            if color && !code.is_empty() {
                let _ = write!(line, "\u{1b}[{code}m{symbol}\u{1b}[0m");
            } else {
                line.push_str(symbol);
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Side of a cell in an SVG picture.
const SIDE: f64 = 24.0;

/// Boxes, goals and boxes on goals differ in shape as well as in colour.
fn svg(puzzle: &Sokoban, state: &State) -> String {
    let grid = puzzle.grid();
    let (width, height) = (grid.width() as f64 * SIDE, grid.height() as f64 * SIDE);
    let mut text = svg::open(width, height, "#ffffff");
    for cell in grid.cells() {
        let (row, column) = grid.place(cell);
        let (x, y) = (column as f64 * SIDE, row as f64 * SIDE);
        let middle = (x + SIDE / 2.0, y + SIDE / 2.0);
        let sight = sight(puzzle, state, cell);
        if sight == Sight::Wall {
            let look = "fill=\"#4d4d4d\" stroke=\"#3a3a3a\" stroke-width=\"1\"";
            text.push_str(&svg::rect((x, y), (SIDE, SIDE), look));
            continue;
        }
        if puzzle.is_inside(cell) {
            text.push_str(&svg::rect((x, y), (SIDE, SIDE), "fill=\"#f1ece0\""));
        }
        match sight {
            Sight::Ground { goal } | Sight::Player { goal } => {
                if goal {
                    text.push_str(&goal_mark(middle));
                }
                if matches!(sight, Sight::Player { .. }) {
                    let look = "fill=\"#0072b2\" stroke=\"#ffffff\" stroke-width=\"2\"";
                    text.push_str(&svg::disc(middle, SIDE * 0.33, look));
                }
            }
            Sight::Box { goal } => text.push_str(&crate_of(x, y, goal)),
            Sight::Wall => {}
        }
    }
    text + svg::CLOSE
}

/// A box: on a goal dark with a diamond, elsewhere light with a cross.
fn crate_of(x: f64, y: f64, goal: bool) -> String {
    let margin = 2.5;
    let (left, top, side) = (x + margin, y + margin, SIDE - 2.0 * margin);
    let fill = if goal { "#00785a" } else { "#e69f00" };
    let look = format!("rx=\"2\" fill=\"{fill}\" stroke=\"#4a3200\" stroke-width=\"1.5\"");
    let mut text = svg::rect((left, top), (side, side), &look);
    if goal {
        let (cx, cy, r) = (x + SIDE / 2.0, y + SIDE / 2.0, SIDE * 0.22);
        let corners = [(cx, cy - r), (cx + r, cy), (cx, cy + r), (cx - r, cy)];
        text.push_str(&svg::polygon(&corners, "fill=\"#ffffff\""));
    } else {
        let (right, bottom) = (left + side, top + side);
        let strokes = [[(left, top), (right, bottom)], [(left, bottom), (right, top)]];
        for stroke in strokes {
            text.push_str(&svg::polygon(&stroke, "fill=\"none\" stroke=\"#4a3200\""));
        }
    }
    text
}

/// The mark of a goal: a diamond.
fn goal_mark((x, y): svg::Point) -> String {
    let r = SIDE * 0.3;
    let corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
    svg::polygon(&corners, "fill=\"none\" stroke=\"#a8327e\" stroke-width=\"2.5\"")
}
