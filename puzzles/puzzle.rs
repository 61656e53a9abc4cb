//! What every puzzle family can do.

use crate::error::{ParseError, Violation};
use crate::extras::Extras;
use crate::level::{Level, Notes};
use crate::objective::{Measures, Objective, Tally};
use crate::options::{OptionSpec, Options};
use crate::picture::{Picture, Style};
use sha2::{Digest, Sha256};
use std::fmt::{Debug, Display, Write};
use std::time::Duration;

/// Facts about a puzzle or an answer, in the order in which they should be shown.
pub type Facts = Vec<(&'static str, serde_json::Value)>;

/// What a file of a family can record of solutions: see [`Records`](crate::extras::Records).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordSupport {
    /// The format has no place for solutions.
    Nothing,
    /// One level with its solution.
    OneLevel,
    /// A collection of levels with their solutions.
    Levels,
}

/// What belongs to a solution when it is recorded beside its level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recording<'a> {
    /// Title of the level, where it has one.
    pub title: Option<&'a str>,
    /// What the file says of the level; kept. The notes of the file are merged into those of the
    /// level, as far as the level does not say otherwise: leave them empty where they stand in
    /// the record already.
    pub notes: Option<&'a Notes>,
    /// The time that solving took.
    pub elapsed: Duration,
}

/// The first 16 hexadecimal digits of the SHA-256 of a text: a name for what the text says.
pub fn short_hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).fold(String::new(), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}

/// A puzzle under one reading of its rules.
///
/// Some games leave a rule open (may a flow touch itself? in what order do bonds form?). A family
/// that lets the user say "try the strict reading first" returns several readings, and the answer
/// names the one under which it holds.
#[derive(Clone, Debug)]
pub struct Reading<P> {
    /// Name of the reading, as the answer shows it; empty when there is only one.
    pub name: &'static str,
    /// The puzzle under this reading.
    pub puzzle: P,
}

/// A puzzle family: its format, its rules as a judge, its pictures.
pub trait Puzzle: Clone + Debug + Send + Sync + Sized + 'static {
    /// Name of the family on the command line, in lower case.
    const NAME: &'static str;

    /// Options of the family, offered by every command.
    const OPTIONS: &'static [OptionSpec] = &[];

    /// Objectives that the family knows, the default first. A puzzle without moves has
    /// [`Objective::Any`] alone: it is asked whether it has a solution, and how many.
    const OBJECTIVES: &'static [Objective];

    /// What lengths are called, in every sentence and table.
    const MEASURES: Measures = Measures::PLAIN;

    /// What the family has that others need not have.
    const EXTRAS: Extras<Self> = Extras::NONE;

    /// An answer. [`Display`] gives the text that [`Puzzle::read_solution`] reads.
    type Solution: Clone + Debug + PartialEq + Display + Send + Sync + 'static;

    /// Reads all levels of a text.
    ///
    /// # Errors
    /// When the text as a whole cannot be read. Faults of single levels are kept in
    /// [`Level::puzzle`]. Never panics, whatever the text.
    fn read(text: &str, options: &Options) -> Result<Vec<Level<Self>>, ParseError>;

    /// The puzzle as text in the family's format (rules that came from options included where the
    /// format can say them). Reading it gives the same puzzle.
    fn print(&self) -> String;

    /// A small random puzzle, the same for the same seed: solvable or not, with every feature of
    /// the family now and then, small enough for exhaustive search. Laws and oracle tests run on
    /// these, so their variety is what the tests are worth.
    fn sample(seed: u64) -> Self;

    /// Reads an answer.
    ///
    /// # Errors
    /// With the place in `text` of what is not a solution text.
    fn read_solution(&self, text: &str) -> Result<Self::Solution, ParseError>;

    /// The judge: accepts a solution and says how long it is, or names the first fault.
    ///
    /// # Errors
    /// The first move that breaks a rule, or what is wrong with the end.
    fn check(&self, solution: &Self::Solution) -> Result<Tally, Violation>;

    /// Draws the board, solved when a solution is given (for move games: its last position).
    /// `None` when the family has no such style.
    fn picture(&self, solution: Option<&Self::Solution>, style: Style) -> Option<Picture>;

    /// Facts for `list` that need no encoding: size, pieces, identifiers.
    fn facts(&self) -> Facts {
        Facts::new()
    }
}
