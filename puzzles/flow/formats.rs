//! Boards in the formats of others, where these can say them.

use super::board::{Board, Shape, Touch};
use super::print;
use crate::canonical::canonical;
use crate::text_format::TextFormat;
use itertools::Itertools;
use std::collections::HashMap;
use std::fmt::Write;

/// Our own format, a JSON graph, a drawing, and for plain boards those that know nothing else, where
/// they are played by the rules of the board.
pub(super) fn formats(board: &Board) -> Vec<TextFormat> {
    let own = TextFormat::new("unstuck's own format", "txt", print::print(board));
    if board.shape == Shape::Graph {
        return vec![TextFormat { name: "JSON graph", extension: "json", ..own }];
    }
    let mut formats = vec![own];
    formats.extend(cells(board).and_then(|cells| match (board.touch, board.cover) {
        (Touch::Allow, false) => {
            Some(TextFormat::new("puzz.link address", "link.txt", link(&cells)?))
        }
        (Touch::Auto, true) => {
            Some(TextFormat::new("rows with their size", "wh.txt", sized(&cells)?))
        }
        _ => None,
    }));
    formats.extend(print::drawn(board).map(|text| TextFormat::new("drawing", "drawing.txt", text)));
    formats.push(TextFormat::new("JSON graph", "json", print::graph(board)));
    formats
}

/// The labels of all cells, row by row, when the board is a rectangle with nothing but termini.
fn cells(board: &Board) -> Option<Vec<Vec<Option<&str>>>> {
    let (rows, columns) = board.extent()?;
    let sides = rows * (columns - 1) + columns * (rows - 1);
    let edges = print::cell_edges(board);
    let plain = board.shape == Shape::Square
        && board.cells.len() == rows * columns
        && board.cells.iter().all(|cell| !cell.is_bridge())
        && edges.len() == sides
        && edges.iter().all(|&(a, b)| print::is_side(board, a, b));
    plain.then(|| {
        let mut cells = vec![vec![None; columns]; rows];
        for pair in &board.pairs {
            for end in pair.ends {
                if let Some((row, column)) = board.cell_of(end).name.place() {
                    cells[row][column] = Some(pair.label.as_str());
                }
            }
        }
        cells
    })
}

/// An address of puzz.link, where labels are numbers: those of the board, or counted from 1.
fn link(cells: &[Vec<Option<&str>>]) -> Option<String> {
    let labels: Vec<&str> = cells.iter().flatten().flatten().copied().unique().collect();
    let numbers: Option<Vec<usize>> = labels.iter().map(|label| canonical(label)).collect();
    let numbers = numbers.unwrap_or_else(|| (1..=labels.len()).collect());
    let number_of: HashMap<&str, usize> = labels.into_iter().zip(numbers).collect();
    let mut body = String::new();
    let mut blank = 0_u8;
    let skip = |body: &mut String, blank: &mut u8| {
        if *blank > 0 {
            body.push(char::from(b'f' + *blank));
            *blank = 0;
        }
    };
    for cell in cells.iter().flatten() {
        let Some(label) = cell else {
            blank += 1;
            if blank == 20 {
                skip(&mut body, &mut blank);
            }
            continue;
        };
        skip(&mut body, &mut blank);
        let number = *number_of.get(label)?;
        match number {
            0..16 => write!(body, "{number:x}"),
            16..256 => write!(body, "-{number:x}"),
            256..4096 => write!(body, "+{number:x}"),
            _ => return None,
        }
        .ok()?;
    }
    skip(&mut body, &mut blank);
    let (rows, columns) = (cells.len(), cells.first()?.len());
    Some(format!("https://puzz.link/p?numlin/{columns}/{rows}/{body}\n"))
}

/// Rows of characters under a line `W H`, where each label is one character.
fn sized(cells: &[Vec<Option<&str>>]) -> Option<String> {
    let symbol = |cell: &Option<&str>| match cell {
        None => Some('.'),
        Some(label) => label.chars().exactly_one().ok().filter(|symbol| *symbol != '#'),
    };
    let rows: Option<Vec<String>> =
        cells.iter().map(|row| row.iter().map(symbol).collect()).collect();
    Some(format!("{} {}\n{}\n", cells.first()?.len(), cells.len(), rows?.join("\n")))
}
