//! Puzzles that are filled in rather than played: a drawing under a person's hand.

use crate::error::ParseError;
use crate::puzzle::{Picture, Style};

/// Where an arrow points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Towards {
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

/// A drawing: paths between cells, a cursor on a cell, and a pen that draws where the cursor goes.
///
/// What cannot be done is refused with the reason as one short sentence.
pub trait Sketch: Send {
    /// Moves the cursor; draws when the pen is down.
    ///
    /// # Errors
    /// When there is no way.
    fn go(&mut self, towards: Towards) -> Result<(), String>;

    /// The cells to which a way leads from the cursor, for boards on which arrows do not reach all.
    fn ways(&self) -> Vec<String>;

    /// Goes one of the [`Sketch::ways`].
    ///
    /// # Errors
    /// When there is no such way.
    fn take(&mut self, way: usize) -> Result<(), String>;

    /// Moves the cursor to the next place where something is still to be begun.
    fn skip(&mut self);

    /// Puts the pen down, or lifts it.
    ///
    /// # Errors
    /// When there is nothing to draw here.
    fn pen(&mut self) -> Result<(), String>;

    /// Rubs out the path under the cursor.
    ///
    /// # Errors
    /// When there is none.
    fn rub(&mut self) -> Result<(), String>;

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
