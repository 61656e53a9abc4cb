//! SVG pictures: grass, snow, hedges, balls seen from above, the larger below the smaller.

use super::board::State;
use super::board::{Ground, Size, Snowman, Stack};
use crate::grid::Cell;
use crate::svg::{self, Point};

/// Side of a cell.
const SIDE: f64 = 40.0;

/// Draws a position.
pub(super) fn svg(level: &Snowman, state: &State) -> String {
    let ground = level.ground();
    let (width, height) = (ground.width() as f64 * SIDE, ground.height() as f64 * SIDE);
    let mut text = svg::open(width, height, "#4a5a4a");
    for cell in ground.cells() {
        let (row, column) = ground.place(cell);
        let corner = (column as f64 * SIDE, row as f64 * SIDE);
        let middle = (corner.0 + SIDE / 2.0, corner.1 + SIDE / 2.0);
        if level.is_open(cell) {
            text.push_str(&floor(level, state, cell, corner, middle));
        }
        if let Some(&stack) = state.stacks.get(&cell) {
            text.push_str(&balls(stack, middle));
        }
        if state.player == cell {
            text.push_str(&svg::disc(
                middle,
                11.0,
                "fill=\"#0072b2\" stroke=\"#ffffff\" stroke-width=\"2.5\"",
            ));
        }
    }
    text + svg::CLOSE
}

/// Ground or snow, with what is marked on it.
fn floor(level: &Snowman, state: &State, cell: Cell, corner: Point, middle: Point) -> String {
    let snow = state.snow.contains(&cell);
    let fill = if snow { "#ffffff" } else { "#b7c9a0" };
    let look = format!("fill=\"{fill}\" stroke=\"#8fa37c\" stroke-width=\"1\"");
    let mut text = svg::rect(corner, (SIDE, SIDE), &look);
    if snow {
        // Dots distinguish snow from ground without colours.
        for (x, y) in [(10.0, 10.0), (30.0, 14.0), (14.0, 30.0), (31.0, 32.0)] {
            text.push_str(&svg::disc((corner.0 + x, corner.1 + y), 1.8, "fill=\"#9ab7cf\""));
        }
    }
    match level.ground()[cell] {
        Ground::Target => {
            let look = "fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2.5\" \
                        stroke-dasharray=\"5 3\"";
            text.push_str(&svg::disc(middle, 17.5, look));
        }
        Ground::Teleporter => {
            for radius in [15.0, 9.0] {
                let look = "fill=\"none\" stroke=\"#56347a\" stroke-width=\"3\"";
                text.push_str(&svg::disc(middle, radius, look));
            }
        }
        Ground::Floor | Ground::Wall => {}
    }
    text
}

/// A stack of balls; a finished snowman has a nose and eyes.
fn balls(stack: Stack, (x, y): Point) -> String {
    let mut sizes: Vec<Size> = stack.balls().collect();
    sizes.reverse();
    let mut text = String::new();
    for size in sizes {
        let (radius, fill) = match size {
            Size::Large => (16.5, "#c9d9e6"),
            Size::Medium => (11.5, "#dfe9f1"),
            Size::Small => (6.5, "#ffffff"),
        };
        let look = format!("fill=\"{fill}\" stroke=\"#30455a\" stroke-width=\"2\"");
        text.push_str(&svg::disc((x, y), radius, &look));
    }
    if stack == Stack::SNOWMAN {
        let nose = [(x, y - 1.5), (x + 9.0, y + 1.0), (x, y + 2.5)];
        text.push_str(&svg::polygon(&nose, "fill=\"#e69f00\" stroke=\"#30455a\""));
        for dx in [-2.5, 2.0] {
            text.push_str(&svg::disc((x + dx, y - 3.2), 1.1, "fill=\"#000000\""));
        }
    }
    text
}
