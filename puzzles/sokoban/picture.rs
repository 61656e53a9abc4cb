//! Pictures: XSB, Unicode for terminals, SVG.

use super::board::{Sokoban, Tile};
use super::rules::State;
use crate::grid::Cell;
use crate::puzzle::Style;
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

/// Width of a cell in an SVG picture.
const CELL: usize = 20;

fn svg(puzzle: &Sokoban, state: &State) -> String {
    let grid = puzzle.grid();
    let (width, height) = (grid.width() * CELL, grid.height() * CELL);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n"
    );
    for cell in grid.cells() {
        let (row, column) = grid.place(cell);
        let (x, y) = (column * CELL, row * CELL);
        let (goal, piece) = match sight(puzzle, state, cell) {
            Sight::Wall => (false, square(x, y, 0, "#555")),
            Sight::Ground { goal } => (goal, String::new()),
            Sight::Box { goal: false } => (false, square(x, y, 2, "#d9a441")),
            Sight::Box { goal: true } => (true, square(x, y, 2, "#4f9d4f")),
            Sight::Player { goal } => (goal, disc(x, y, 7, "#3b7dd8")),
        };
        if goal {
            text.push_str(&disc(x, y, 4, "#c2478f"));
        }
        text.push_str(&piece);
    }
    text.push_str("</svg>\n");
    text
}

fn square(x: usize, y: usize, margin: usize, fill: &str) -> String {
    let (x, y, side) = (x + margin, y + margin, CELL - 2 * margin);
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\"/>\n")
}

fn disc(x: usize, y: usize, radius: usize, fill: &str) -> String {
    let (x, y) = (x + CELL / 2, y + CELL / 2);
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>\n")
}
