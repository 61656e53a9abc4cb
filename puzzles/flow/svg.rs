//! Boards as SVG pictures.

use super::board::{Board, Name, Shape};
use super::check::Solution;
use super::picture::{Step, hue, rim, steps};
use super::print::{cell_edges, walls};
use crate::scene::{PathCell, PathGround, PathPair};
use crate::svg::{self, Point};
use std::f64::consts::TAU;

/// Side of a square, and distance of the centres of hexagons, in the units of the picture.
pub(super) const SIZE: f64 = 40.0;

/// The board as SVG text, with its paths where a solution is given.
pub(super) fn svg(board: &Board, solution: Option<&Solution>) -> String {
    let centres: Vec<Point> = (0..board.cells.len()).map(|cell| centre(board, cell)).collect();
    let most = |of: fn(&Point) -> f64| centres.iter().map(of).fold(0.0, f64::max) + SIZE * 0.5;
    let (width, height) = (most(|p| p.0).ceil(), most(|p| p.1).ceil());
    let mut out = svg::open(width, height, "#202024");
    ground(board, &centres, &mut out);
    let steps = solution.map(|solution| steps(board, solution)).unwrap_or_default();
    for step in &steps {
        for (a, b) in strokes(board, &centres, step) {
            out += &line(a, b, &colour(step.pair), 14.0);
        }
    }
    // Each cell of a path says whose it is: there are too many colours to distinguish.
    for step in &steps {
        for cell in [step.from, step.to].into_iter().filter(|&cell| !board.cells[cell].is_bridge())
        {
            let label = &board.pairs[step.pair].label;
            out += &svg::label(label, centres[cell], 7.0, "#101010");
        }
    }
    for (number, pair) in board.pairs.iter().enumerate() {
        for end in pair.ends {
            let (x, y) = centres[board.owners[end]];
            let look = format!("fill=\"{}\" stroke=\"#ffffff\"", colour(number));
            out += &svg::disc((x, y), 14.0, &look);
            out += &svg::label(&pair.label, (x, y), 13.0, "#101010");
        }
    }
    out + svg::CLOSE
}

/// The board as data: the same cells, walls and colours.
pub(super) fn ground_data(board: &Board) -> PathGround {
    let centres = (0..board.cells.len()).map(|cell| centre(board, cell));
    let middles: Vec<Point> = centres.map(|(x, y)| (x / SIZE, y / SIZE)).collect();
    let most = |of: fn(&Point) -> f64| middles.iter().map(of).fold(0.0, f64::max) + 0.5;
    let cells = board.cells.iter().zip(&middles).map(|(cell, &middle)| PathCell {
        name: cell.name.to_string(),
        middle,
        is_bridge: cell.is_bridge(),
    });
    let ends = board.pairs.iter().enumerate().map(|(number, pair)| PathPair {
        label: pair.label.clone(),
        colour: hue(number),
        cells: pair.ends.map(|end| board.owners[end]),
    });
    PathGround {
        is_square: board.shape == Shape::Square,
        size: (most(|middle| middle.0), most(|middle| middle.1)),
        cells: cells.collect(),
        ways: cell_edges(board).into_iter().map(|(a, b)| [a, b]).collect(),
        walls: walls(board).into_iter().map(|(a, b)| [a, b]).collect(),
        ends: ends.collect(),
    }
}

/// The middle of a cell.
pub(super) fn centre(board: &Board, cell: usize) -> Point {
    let half = SIZE / 2.0;
    match (board.shape, &board.cells[cell].name) {
        (Shape::Square, Name::At(row, column)) => {
            (*column as f64 * SIZE + half, *row as f64 * SIZE + half)
        }
        (shape, Name::At(row, column)) => {
            let low = if shape.is_low(*column) { half } else { 0.0 };
            (*column as f64 * SIZE * 0.866 + half, *row as f64 * SIZE + half + low)
        }
        // A graph without places: its cells in a circle.
        (_, Name::Id(_)) => {
            let radius = (board.cells.len() as f64 * SIZE / TAU).max(SIZE);
            let angle = cell as f64 * TAU / board.cells.len() as f64;
            (radius * (1.0 + angle.sin()) + half, radius * (1.0 - angle.cos()) + half)
        }
    }
}

/// Cells, walls, bridges, and the edges of a graph.
fn ground(board: &Board, centres: &[Point], out: &mut String) {
    if board.shape == Shape::Graph {
        for (a, b) in cell_edges(board) {
            *out += &line(centres[a], centres[b], "#55555c", 2.0);
        }
    }
    for (cell, &(x, y)) in board.cells.iter().zip(centres) {
        let r = SIZE / 2.0 - 1.5;
        *out += &match board.shape {
            Shape::Square => {
                let side = 2.0 * r;
                let (left, top) = (x - r, y - r);
                format!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" \
                     height=\"{side:.1}\" fill=\"#37373d\"/>\n"
                )
            }
            _ => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"#37373d\"/>\n"),
        };
        if cell.is_bridge() {
            *out += &line((x - r, y), (x + r, y), "#8a8a94", 3.0);
            *out += &line((x, y - r), (x, y + r), "#8a8a94", 3.0);
        }
    }
    for (a, b) in walls(board) {
        let ((ax, ay), (bx, by)) = (centres[a], centres[b]);
        let (x, y) = ((ax + bx) / 2.0, (ay + by) / 2.0);
        // The wall stands across the line between the two centres.
        let (dx, dy) = ((by - ay) / 2.0, (bx - ax) / 2.0);
        *out += &line((x - dx, y - dy), (x + dx, y + dy), "#f0f0f0", 4.0);
    }
}

/// The lines of a step: one, or two stubs where it leaves over the rim.
fn strokes(board: &Board, centres: &[Point], step: &Step) -> Vec<(Point, Point)> {
    let (a, b) = (centres[step.from], centres[step.to]);
    let (dx, dy) = match rim(board, step) {
        Some(_) if board.joins(step.from, step.to) && far(a, b) => {
            ((a.0 - b.0).signum(), (a.1 - b.1).signum())
        }
        _ => return vec![(a, b)],
    };
    let reach = SIZE / 2.0;
    let stub = |(x, y): Point, way: f64| {
        let flat = f64::from(u8::from(a.1 == b.1));
        ((x, y), (x + way * dx * reach * flat, y + way * dy * reach * (1.0 - flat)))
    };
    vec![stub(a, 1.0), stub(b, -1.0)]
}

fn far(a: Point, b: Point) -> bool {
    (a.0 - b.0).abs() + (a.1 - b.1).abs() > 1.5 * SIZE
}

fn line((ax, ay): Point, (bx, by): Point, stroke: &str, width: f64) -> String {
    format!(
        "<line x1=\"{ax:.1}\" y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"{stroke}\" \
         stroke-width=\"{width}\" stroke-linecap=\"round\"/>\n"
    )
}

fn colour(pair: usize) -> String {
    let (r, g, b) = hue(pair);
    format!("#{r:02x}{g:02x}{b:02x}")
}
