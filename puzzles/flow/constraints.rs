//! Constraints for paths: what must not be drawn, and what must, beyond the rules.
//!
//! A board with constraints is a board of its own: the judge and the encoding know them as they
//! know the rules. The format has no place for them.

use super::board::{Board, Name, PathConstraint, PathFact, Walk};
use crate::constraints::{Constraints, Prohibition, Requirement};
use crate::error::{ParseError, Violation};
use crate::pieces::Coord;
use std::fmt;

impl Board {
    /// The constraints that belong to the board's rules.
    pub fn path_constraints(&self) -> &[PathConstraint] {
        &self.path_constraints
    }

    /// The pairs of neighbouring nodes of two cells.
    pub fn edges_between(&self, one: usize, other: usize) -> impl Iterator<Item = [usize; 2]> {
        let nodes = self.cells[one].nodes.clone();
        nodes.flat_map(move |a| {
            let beside = self.neighbours[a].iter().filter(move |&&b| self.owners[b] == other);
            beside.map(move |&b| [a, b])
        })
    }

    /// The board with constraints as rules of its own.
    ///
    /// # Errors
    /// The first constraint that means nothing here.
    pub(super) fn constrained(&self, constraints: &Constraints) -> Result<Self, ParseError> {
        let mut board = self.clone();
        for constraint in &constraints.forbidden {
            let drawn =
                self.forbidden(constraint).map_err(|fault| fault.of(constraint.to_string()))?;
            board.path_constraints.push(PathConstraint { drawn, wanted: false });
        }
        for constraint in &constraints.required {
            let drawn =
                self.required(constraint).map_err(|fault| fault.of(constraint.to_string()))?;
            board.path_constraints.push(PathConstraint { drawn, wanted: true });
        }
        Ok(board)
    }

    fn forbidden(&self, constraint: &Prohibition) -> Result<PathFact, Unfit> {
        match constraint {
            Prohibition::Cell(at) => Ok(PathFact::Cell(self.cell_at(*at)?)),
            Prohibition::Colour(at, label) => self.coloured(*at, label),
            Prohibition::Edge(one, other) => self.side(*one, *other),
            _ => Err(Unfit::NothingMoves),
        }
    }

    fn required(&self, constraint: &Requirement) -> Result<PathFact, Unfit> {
        match constraint {
            Requirement::Cell(at) => Ok(PathFact::Cell(self.cell_at(*at)?)),
            Requirement::Colour(at, label) => self.coloured(*at, label),
            Requirement::Edge(one, other) => self.side(*one, *other),
            _ => Err(Unfit::NothingMoves),
        }
    }

    fn cell_at(&self, (row, column): Coord) -> Result<usize, Unfit> {
        if self.extent().is_none() {
            return Err(Unfit::NoRows);
        }
        let cell = self.cell_named(&Name::At(row, column));
        cell.ok_or(Unfit::NoCell(row, column))
    }

    fn coloured(&self, at: Coord, label: &str) -> Result<PathFact, Unfit> {
        let cell = self.cell_at(at)?;
        if self.pairs.iter().any(|pair| pair.label == label) {
            return Ok(PathFact::Colour(cell, label.to_owned()));
        }
        let labels = self.pairs.iter().map(|pair| pair.label.clone()).collect();
        Err(Unfit::NoPair(label.to_owned(), labels))
    }

    fn side(&self, one: Coord, other: Coord) -> Result<PathFact, Unfit> {
        let (one, other) = (self.cell_at(one)?, self.cell_at(other)?);
        match self.edges_between(one, other).next() {
            Some(_) => Ok(PathFact::Edge(one, other)),
            None => Err(Unfit::NotAdjacent),
        }
    }
}

/// Why a constraint means nothing on a board.
enum Unfit {
    NothingMoves,
    NoRows,
    /// Row and column, from 0.
    NoCell(usize, usize),
    /// A label, and those of the board.
    NoPair(String, Vec<String>),
    NotAdjacent,
}

impl Unfit {
    /// The error about this constraint.
    fn of(self, constraint: String) -> ParseError {
        let help = "constraints on paths are `cell R,C`, `colour R,C LABEL` and `edge R,C R,C`, rows \
                    and columns from 1";
        ParseError::whole(format!("`{constraint}`: {self}")).help(help)
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NothingMoves => "flow draws paths: nothing moves there",
            Self::NoRows => "the cells of a graph have no rows and columns",
            Self::NoCell(row, column) => {
                return write!(f, "there is no cell in row {}, column {}", row + 1, column + 1);
            }
            Self::NoPair(label, labels) => {
                return write!(f, "there is no pair {label}; there are: {}", labels.join(", "));
            }
            Self::NotAdjacent => "no path can go straight from one to the other",
        })
    }
}

/// The first constraint that paths do not keep.
pub(super) fn broken(board: &Board, walk: &Walk) -> Option<Violation> {
    let broken =
        board.path_constraints.iter().find(|it| holds(board, walk, &it.drawn) != it.wanted)?;
    let name = |cell: &usize| board.cells[*cell].name.for_people();
    let what = match &broken.drawn {
        PathFact::Cell(cell) => format!("a path on {}", name(cell)),
        PathFact::Colour(cell, label) => format!("the path of {label} on {}", name(cell)),
        PathFact::Edge(a, b) => format!("a path between {} and {}", name(a), name(b)),
    };
    let word = if broken.wanted { "there is not" } else { "against the constraints there is" };
    Some(Violation::whole("wish", format!("{word} {what}")))
}

fn holds(board: &Board, walk: &Walk, drawn: &PathFact) -> bool {
    let on = |cell: usize, fits: &dyn Fn(usize) -> bool| {
        board.cells[cell].nodes.clone().any(|node| walk[node].is_some_and(|(pair, _)| fits(pair)))
    };
    match drawn {
        PathFact::Cell(cell) => on(*cell, &|_| true),
        PathFact::Colour(cell, label) => on(*cell, &|pair| board.pairs[pair].label == *label),
        PathFact::Edge(one, other) => board.edges_between(*one, *other).any(|[a, b]| {
            let steps = walk[a].zip(walk[b]);
            steps.is_some_and(|((p, i), (q, j))| p == q && i.abs_diff(j) == 1)
        }),
    }
}
