//! Puzzles that are filled in rather than played: a drawing under a person's hand.

use crate::error::ParseError;
use crate::picture::{Picture, Style};
use std::fmt;

/// Where an arrow points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column on the left; on hexagons down and left, else up and left.
    Left,
    /// To the column on the right; on hexagons down and right, else up and right.
    Right,
}

/// Where something stands in a drawing made of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Line, from 0.
    pub line: usize,
    /// Column of its first letter, from 0.
    pub column: usize,
    /// Number of letters.
    pub width: usize,
}

/// Why a drawing does not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawError {
    /// The board is a graph without rows and columns.
    NoArrows,
    /// No way leads in that direction from the end of the path.
    NoWay,
    /// There is no cell in that direction.
    NoCell,
    /// No way has that number.
    NoSuchWay,
    /// The path of this label ends there.
    EndOf(String),
    /// There is neither an end of a path nor a path under the cursor.
    NothingToDraw,
    /// There is no path under the cursor.
    NoPath,
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoArrows => "no arrows on a graph: type the number of a way",
            Self::NoWay => "there is no way",
            Self::NoCell => "there is no cell",
            Self::NoSuchWay => "there is no such way",
            Self::EndOf(label) => return write!(f, "{label} ends there"),
            Self::NothingToDraw => "nothing to draw on: begin at a letter or on a path",
            Self::NoPath => "no path here",
        })
    }
}

impl std::error::Error for DrawError {}

/// A drawing: paths between cells, a cursor on a cell, and a pen that draws where the cursor goes.
pub trait Sketch: Send {
    /// Moves the cursor; draws when the pen is down.
    ///
    /// # Errors
    /// When there is no way.
    fn go(&mut self, towards: Arrow) -> Result<(), DrawError>;

    /// The cells to which a way leads from the cursor, for boards on which arrows do not reach all.
    fn ways(&self) -> Vec<String>;

    /// Goes one of the [`Sketch::ways`].
    ///
    /// # Errors
    /// When there is no such way.
    fn take(&mut self, way: usize) -> Result<(), DrawError>;

    /// Moves the cursor to the next place where something is still to be begun.
    fn skip(&mut self);

    /// Puts the pen down, or lifts it.
    ///
    /// # Errors
    /// When there is nothing to draw here.
    fn pen(&mut self) -> Result<(), DrawError>;

    /// Rubs out the path under the cursor.
    ///
    /// # Errors
    /// When there is none.
    fn rub(&mut self) -> Result<(), DrawError>;

    /// Goes one step nearer to a solution; `false` when nothing is left to do.
    fn approach(&mut self, solution: &str) -> bool;

    /// The drawing as a solution text, as far as it goes.
    fn text(&self) -> String;

    /// Replaces the drawing by a text of it.
    ///
    /// # Errors
    /// When it is none.
    fn set(&mut self, text: &str) -> Result<(), ParseError>;

    /// How far it is, in a few words.
    fn progress(&self) -> String;

    /// Whether the drawing joins two cells, by their names in solutions.
    fn joins(&self, one: &str, other: &str) -> bool;

    /// The drawing as letters.
    fn draw(&self, style: Style) -> Picture;

    /// Where the cursor stands in that drawing.
    fn cursor(&self, style: Style) -> Option<Span>;

    /// Where a cell of this name stands in that drawing.
    fn span(&self, name: &str, style: Style) -> Option<Span>;
}
