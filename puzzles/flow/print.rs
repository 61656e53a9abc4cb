//! Boards as text that reads back as the same board.

use super::board::{Board, Heading, Name, Shape, Touch};
use serde_json::json;
use std::fmt::Write;

/// The board in the family's own format: a grid, a drawing of hexagons, or a JSON graph.
pub(super) fn print(board: &Board) -> String {
    let body = match board.shape {
        Shape::Graph => return graph(board),
        Shape::Square => format!("{}{}", grid(board), directives(board)),
        Shape::Hex { .. } => format!("{}{}", drawing(board), directives(board)),
    };
    let shape = match board.shape {
        Shape::Hex { odd_low: true } => "hex",
        Shape::Hex { odd_low: false } => "hex-even-low",
        _ => "square",
    };
    format!("shape: {shape}\n{}\n{body}", rules(board))
}

/// The label as one character, where the format of the shape can show it in a cell.
fn symbol(shape: Shape, label: &str) -> Option<char> {
    let mut chars = label.chars();
    let symbol = chars.next().filter(|_| chars.next().is_none())?;
    let reserved = match shape {
        Shape::Square => ".#+",
        _ => ".*-|/\\",
    };
    (!reserved.contains(symbol)).then_some(symbol)
}

/// Whether the lanes of a bridge are those that it has unless the file lists others.
fn is_straight(board: &Board, cell: usize) -> bool {
    let sorted = |[a, b]: [usize; 2]| [a.min(b), a.max(b)];
    let lanes = lanes(board, cell).into_iter().map(sorted);
    lanes.eq(board.straight_lanes(cell).into_iter().map(sorted))
}

/// The ends of each lane of a bridge, as cells.
fn lanes(board: &Board, cell: usize) -> Vec<[usize; 2]> {
    let ends = |node| board.lane_ends(node).map(|end| board.owners[end]);
    board.cells[cell].nodes.clone().map(ends).collect()
}

/// The rows of a lattice: each cell as its character, `hole` where there is none.
pub(super) fn characters(board: &Board, bridge: char, hole: char) -> Vec<Vec<char>> {
    let (rows, columns) = board.extent().unwrap_or_default();
    let mut grid = vec![vec![hole; columns]; rows];
    for (number, cell) in board.cells.iter().enumerate() {
        if let Some((row, column)) = cell.name.place() {
            let straight = cell.is_bridge() && is_straight(board, number);
            grid[row][column] = if straight { bridge } else { '.' };
        }
    }
    for pair in &board.pairs {
        for end in pair.ends {
            if let (Some((row, column)), Some(symbol)) =
                (board.cell_of(end).name.place(), symbol(board.shape, &pair.label))
            {
                grid[row][column] = symbol;
            }
        }
    }
    grid
}

fn grid(board: &Board) -> String {
    let rows = characters(board, '+', '#');
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

/// Cells on even rows and columns, connectors between them where the lattice has a side.
fn drawing(board: &Board) -> String {
    let cells = characters(board, '*', ' ');
    let (rows, columns) = board.extent().unwrap_or_default();
    let mut canvas = vec![vec![' '; 2 * columns]; 2 * rows];
    for (row, line) in cells.iter().enumerate() {
        for (column, &symbol) in line.iter().enumerate() {
            canvas[2 * row][2 * column] = symbol;
        }
    }
    for (a, b) in cell_edges(board).into_iter().filter(|&(a, b)| is_side(board, a, b)) {
        let [(row, column), (below, beside)] = [a, b].map(|c| place(board, c));
        let symbol = match (below == row, beside.cmp(&column)) {
            (true, _) => '-',
            (false, std::cmp::Ordering::Equal) => '|',
            (false, std::cmp::Ordering::Less) => '/',
            (false, std::cmp::Ordering::Greater) => '\\',
        };
        canvas[row + below][column + beside] = symbol;
    }
    let line = |row: Vec<char>| row.into_iter().collect::<String>().trim_end().to_owned() + "\n";
    let text: String = canvas.into_iter().map(line).collect();
    format!("{}\n", text.trim_end())
}

pub(super) fn place(board: &Board, cell: usize) -> (usize, usize) {
    board.cells[cell].name.place().unwrap_or_default()
}

/// Neighbouring cells, the smaller number first, in increasing order.
pub(super) fn cell_edges(board: &Board) -> Vec<(usize, usize)> {
    let owners = board.edges.iter().map(|edge| edge.map(|node| board.owners[node]));
    let mut edges: Vec<_> = owners.map(|[a, b]| (a.min(b), a.max(b))).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The side of a cell on which another one lies.
pub(super) fn side(board: &Board, cell: usize, other: usize) -> Option<Heading> {
    let (cell, other) = (place(board, cell), place(board, other));
    let mut headings = board.shape.headings().iter().copied();
    headings.find(|&heading| board.shape.beside(cell, heading) == Some(other))
}

/// Whether two cells share a side of the lattice.
pub(super) fn is_side(board: &Board, a: usize, b: usize) -> bool {
    side(board, a, b).is_some()
}

/// Sides of squares between two cells that are not joined.
pub(super) fn walls(board: &Board) -> Vec<(usize, usize)> {
    if board.shape != Shape::Square {
        return Vec::new();
    }
    let mut walls = Vec::new();
    for a in 0..board.cells.len() {
        for &heading in &board.shape.headings()[1..3] {
            let beside = board.shape.beside(place(board, a), heading).map(Name::from);
            let beside = beside.and_then(|name| board.cell_named(&name));
            walls.extend(beside.filter(|&b| !board.joins(a, b)).map(|b| (a, b)));
        }
    }
    walls
}

/// What the rows cannot show, one directive a line.
fn directives(board: &Board) -> String {
    let mut out = String::new();
    let name = |cell: usize| &board.cells[cell].name;
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(out, "{text}").expect("writing to a string cannot fail");
    };
    for (a, b) in walls(board) {
        line(format_args!("WALL {} {}", name(a), name(b)));
    }
    let (rows, columns) = board.extent().unwrap_or_default();
    let torus = is_torus(board);
    if torus {
        line(format_args!("WARP all"));
    }
    for (a, b) in cell_edges(board).into_iter().filter(|&(a, b)| !is_side(board, a, b)) {
        let (from, to) = (place(board, a), place(board, b));
        let square = board.shape == Shape::Square;
        if torus && (rim(from, to, columns) || rim(flip(from), flip(to), rows)) {
            continue;
        }
        if square && rim(from, to, columns) {
            line(format_args!("WARP row {}", from.0));
        } else if square && rim(flip(from), flip(to), rows) {
            line(format_args!("WARP column {}", from.1));
        } else {
            line(format_args!("LINK {} {}", name(a), name(b)));
        }
    }
    let bridges = board.cells.iter().enumerate().filter(|(_, cell)| cell.is_bridge());
    for (number, cell) in bridges.filter(|&(number, _)| !is_straight(board, number)) {
        let ends = lanes(board, number).into_iter().flatten();
        let ends: Vec<_> = ends.map(|cell| name(cell).to_string()).collect();
        line(format_args!("BRIDGE {} {}", cell.name, ends.join(" ")));
    }
    for pair in board.pairs.iter().filter(|pair| symbol(board.shape, &pair.label).is_none()) {
        let [a, b] = pair.ends.map(|end| &board.cell_of(end).name);
        line(format_args!("PAIR {} {a} {b}", pair.label));
    }
    out
}

/// Whether two places are the ends of a row of this length.
fn rim(from: (usize, usize), to: (usize, usize), length: usize) -> bool {
    from.0 == to.0 && (from.1, to.1 + 1) == (0, length)
}

fn flip((row, column): (usize, usize)) -> (usize, usize) {
    (column, row)
}

/// Whether every row and column whose first and last cell are there warps.
fn is_torus(board: &Board) -> bool {
    let (rows, columns) = board.extent().unwrap_or_default();
    let cell = |row, column| board.cell_named(&Name::At(row, column));
    let warps = |ends: (Option<usize>, Option<usize>)| match ends {
        (Some(a), Some(b)) => board.joins(a, b),
        _ => true,
    };
    board.shape == Shape::Square
        && rows.min(columns) > 2
        && (0..rows).all(|row| warps((cell(row, 0), cell(row, columns - 1))))
        && (0..columns).all(|column| warps((cell(0, column), cell(rows - 1, column))))
}

/// A board of squares as a drawing, where that can show everything; of hexagons our own format is
/// one.
pub(super) fn drawn(board: &Board) -> Option<String> {
    let simple = board.shape == Shape::Square
        && cell_edges(board).into_iter().all(|(a, b)| is_side(board, a, b))
        && (0..board.cells.len())
            .all(|cell| !board.cells[cell].is_bridge() || is_straight(board, cell))
        && board
            .pairs
            .iter()
            .all(|pair| symbol(Shape::Hex { odd_low: true }, &pair.label).is_some());
    simple.then(|| format!("{}BRIDGES\n{}", rules(board), drawing(board)))
}

/// The header lines that say by which rules a board is played.
fn rules(board: &Board) -> String {
    let touch = match board.touch {
        Touch::Auto => String::new(),
        touch => format!("touch: {}\n", touch.word()),
    };
    touch + if board.cover { "" } else { "cover: no\n" }
}

pub(super) fn graph(board: &Board) -> String {
    let name = |cell: usize| board.cells[cell].name.to_string();
    let node_name = |node: usize| name(board.owners[node]);
    let nodes: Vec<_> = (0..board.cells.len()).map(name).collect();
    let edges: Vec<_> = cell_edges(board).into_iter().map(|(a, b)| [name(a), name(b)]).collect();
    let pairs = board.pairs.iter().map(|pair| {
        let [a, b] = pair.ends.map(node_name);
        [a, b, pair.label.clone()]
    });
    let pairs: Vec<_> = pairs.collect();
    let bridges = board.cells.iter().enumerate().filter(|(_, cell)| cell.is_bridge());
    let bridges = bridges.map(|(number, cell)| {
        let lanes: Vec<_> = lanes(board, number).into_iter().map(|lane| lane.map(name)).collect();
        json!({ "node": cell.name.to_string(), "lanes": lanes })
    });
    let bridges: Vec<_> = bridges.collect();
    let mut fields =
        vec![("nodes", json!(nodes)), ("edges", json!(edges)), ("pairs", json!(pairs))];
    if !bridges.is_empty() {
        fields.push(("bridges", json!(bridges)));
    }
    fields.push(("cover", json!(board.cover)));
    fields.push(("touch", json!(board.touch.word())));
    let fields: Vec<_> =
        fields.iter().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
    format!("{{\n{}\n}}\n", fields.join(",\n"))
}
