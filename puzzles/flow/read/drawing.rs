//! Drawings: cells on even rows and columns, connectors between those that are neighbours.

use super::super::board::{Board, Heading, Name, Shape};
use super::super::builder::{BoardError, Builder};
use super::draft::{Draft, Header, Line, split_directives};
use crate::error::ParseError;
use std::collections::HashMap;

const KINDS: [&str; 4] = ["STANDARD", "BRIDGES", "HEX", "WARPS"];

/// Whether a first line announces a drawing.
pub(super) fn is_drawing(first: &str) -> bool {
    KINDS.contains(&first.trim())
}

type Coord = (usize, usize);

/// Reads a drawing; `odd_low` is what a header line said about the lower columns of hexagons.
pub(super) fn read(
    body: &[Line<'_>],
    odd_low: Option<bool>,
    header: &Header,
) -> Result<Board, ParseError> {
    let first = body.first().map_or(0, |line| line.number);
    let announced = body.first().filter(|line| is_drawing(line.text));
    let is_hex = odd_low.is_some() || announced.is_some_and(|line| line.text.trim() == "HEX");
    let (rows, directives) = split_directives(&body[usize::from(announced.is_some())..]);
    let marks = marks(rows)?;
    let shape = match is_hex {
        true => Shape::Hex { odd_low: odd_low.unwrap_or_else(|| guess_low(&marks)) },
        false => Shape::Square,
    };
    let cells = marks.iter().filter(|mark| mark.is_cell());
    let builder = Builder::loose(shape, cells.map(|mark| mark.place))
        .map_err(|fault| ParseError::at(first, 0, fault.message))?;
    let mut draft = Draft { builder, places: HashMap::new() };
    for mark in &marks {
        if mark.is_cell() {
            draft.places.insert(Name::from(mark.place), (mark.line, mark.column));
        }
    }
    for mark in &marks {
        add(&mut draft.builder, shape, mark, &marks)
            .map_err(|fault| fault.at(mark.line, mark.column))?;
    }
    draft.finish(directives, header, first)
}

/// A character of the drawing: a cell at its place, or a connector; the place of a connector is
/// that of the cell above, to the left, or both.
struct Mark {
    symbol: char,
    place: Coord,
    kind: Kind,
    line: usize,
    column: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cell,
    Across,
    Down,
    Diagonal,
}

impl Mark {
    fn is_cell(&self) -> bool {
        self.kind == Kind::Cell
    }
}

fn marks(rows: &[Line<'_>]) -> Result<Vec<Mark>, ParseError> {
    let mut marks = Vec::new();
    for (r, line) in rows.iter().enumerate() {
        for (c, symbol) in line.text.chars().enumerate().filter(|(_, symbol)| *symbol != ' ') {
            let (kind, allowed) = match (r % 2, c % 2) {
                (0, 0) => (Kind::Cell, "a cell: `.`, `*` (bridge) or a label"),
                (0, _) => (Kind::Across, "`-`"),
                (_, 0) => (Kind::Down, "`|`"),
                _ => (Kind::Diagonal, "`/`, `\\` or `X`"),
            };
            let fits = match kind {
                Kind::Cell => !matches!(symbol, '-' | '|' | '/' | '\\') && !symbol.is_whitespace(),
                Kind::Across => symbol == '-',
                Kind::Down => symbol == '|',
                Kind::Diagonal => matches!(symbol, '/' | '\\' | 'X'),
            };
            if !fits {
                let message = format!("`{symbol}` cannot stand here");
                let help = format!(
                    "cells stand on odd lines and columns of the drawing; here is room for {allowed}"
                );
                return Err(ParseError::at(line.number, c + 1, message).help(help));
            }
            let place = (r / 2, c / 2);
            marks.push(Mark { symbol, place, kind, line: line.number, column: c + 1 });
        }
    }
    Ok(marks)
}

/// The first diagonal shows which columns of hexagons lie lower; the odd ones if there is none.
fn guess_low(marks: &[Mark]) -> bool {
    let diagonal = marks.iter().find(|mark| matches!(mark.symbol, '/' | '\\') && !mark.is_cell());
    diagonal.is_none_or(|mark| (mark.place.1 % 2 == 0) == (mark.symbol == '/'))
}

fn add(builder: &mut Builder, shape: Shape, mark: &Mark, marks: &[Mark]) -> Result<(), BoardError> {
    let (row, column) = mark.place;
    let is_cell = |place: Coord| builder.has(&Name::from(place));
    match (mark.kind, mark.symbol) {
        (Kind::Cell, '.') => return Ok(()),
        (Kind::Cell, '*') => builder.bridge(mark.place)?,
        (Kind::Cell, label) => builder.terminus(label, mark.place)?,
        (Kind::Across, _)
            if !is_cell((row, column + 1)) && past(marks, |m| m.place.1 <= column) =>
        {
            builder.warp_row(row)?
        }
        (Kind::Across, _) => {
            let heading = match shape {
                Shape::Hex { .. } if shape.is_low(column) => Heading::NE,
                Shape::Hex { .. } => Heading::SE,
                _ => Heading::E,
            };
            builder.side(mark.place, heading, (row, column + 1))?
        }
        (Kind::Down, _) if !is_cell((row + 1, column)) && past(marks, |m| m.place.0 <= row) => {
            builder.warp_column(column)?
        }
        (Kind::Down, _) => builder.side(mark.place, Heading::S, (row + 1, column))?,
        (Kind::Diagonal, symbol) => {
            if symbol != '/' {
                diagonal(builder, shape, mark.place, Heading::SE, (row + 1, column + 1))?;
            }
            if symbol != '\\' {
                diagonal(builder, shape, (row, column + 1), Heading::SW, (row + 1, column))?;
            }
            return Ok(());
        }
    };
    Ok(())
}

/// Whether the board ends here, so that a connector without a second cell is a warp.
fn past(marks: &[Mark], inside: impl Fn(&Mark) -> bool) -> bool {
    marks.iter().filter(|mark| mark.is_cell()).all(inside)
}

/// A diagonal is a side of a hexagon where the lattice has one, else a link.
fn diagonal(
    builder: &mut Builder,
    shape: Shape,
    from: Coord,
    heading: Heading,
    to: Coord,
) -> Result<(), BoardError> {
    if shape.beside(from, heading) == Some(to) {
        builder.side(from, heading, to)?;
    } else {
        builder.link(from, to)?;
    }
    Ok(())
}
