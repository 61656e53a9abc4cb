//! What every puzzle family can do.

use crate::constraints::Constraints;
use crate::error::{ParseError, Violation};
use crate::level::{Level, Notes};
use crate::objective::{Measures, Objective, Tally};
use crate::options::{OptionSpec, Options, Term};
use crate::part::Part;
use crate::picture::{Frame, FrameOptions, Picture, Style};
use crate::pieces::{Coord, Squares};
use crate::scene::Ground;
use crate::sketch::{Sketch, Span};
use crate::svg::Point;
use crate::text_format::TextFormat;
use sha2::{Digest, Sha256};
use std::fmt::{Debug, Display, Write};
use std::time::Duration;

/// Facts about a puzzle or an answer, in the order in which they should be shown.
pub type Facts = Vec<(&'static str, serde_json::Value)>;

/// What a file of a family can record of solutions.
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

    /// What a file of the family can record: see [`Puzzle::record`].
    const RECORDS: RecordSupport = RecordSupport::Nothing;

    /// An answer. [`Display`] gives the text that [`Puzzle::read_solution`] reads.
    type Solution: Clone + Debug + PartialEq + Display + Send + Sync + 'static;

    /// Reads all levels of a text.
    ///
    /// # Errors
    /// When the text as a whole cannot be read. Faults of single levels are kept in
    /// [`Level::puzzle`]. Never panics, whatever the text.
    fn read(text: &str, options: &Options) -> Result<Vec<Level<Self>>, ParseError>;

    /// Reads a text that holds one level.
    ///
    /// # Errors
    /// Like [`Puzzle::read`]; also when the text holds no level or more than one.
    fn parse(text: &str, options: &Options) -> Result<Self, ParseError> {
        let mut levels = Self::read(text, options)?;
        match (levels.pop(), levels.len()) {
            (Some(level), 0) => level.puzzle,
            (None, _) => Err(ParseError::whole("no level in this text")),
            (Some(_), more) => {
                Err(ParseError::whole(format!("{} levels in a text for one", more + 1)))
            }
        }
    }

    /// The puzzle as text in the family's format (rules that came from options included where the
    /// format can say them). Reading it gives the same puzzle.
    fn print(&self) -> String;

    /// The puzzle in every format that is written and can say it, that of [`Puzzle::print`] first.
    /// Reading any of them gives the same puzzle, with other labels where a format has none.
    fn formats(&self) -> Vec<TextFormat> {
        vec![TextFormat::new("unstuck's own format", Self::NAME, self.print())]
    }

    /// The readings to try, in order; just the puzzle itself where the rules leave nothing open.
    fn readings(&self) -> Vec<Reading<Self>> {
        vec![Reading { name: "", puzzle: self.clone() }]
    }

    /// What an option comes to for this puzzle, whether it was given as `given` or left to the file;
    /// of a puzzle with several [`Puzzle::readings`], for one of these. Every answer names it.
    fn term(&self, _option: &str, given: &str) -> Term {
        Term { value: given.to_owned(), ..Term::default() }
    }

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

    /// The board stage by stage, the start first. Stops before the first illegal move. Empty for
    /// families without moves.
    fn frames(&self, _solution: &Self::Solution, _shots: FrameOptions) -> Vec<Frame> {
        Vec::new()
    }

    /// Level and solution in the family's own file format, which [`Puzzle::read`] reads and, where
    /// there is such a thing, other programs of the community can import. Records joined by blank
    /// lines make a collection, where [`Puzzle::RECORDS`] says that there are any. `None` where the
    /// format has no place for solutions.
    fn record(&self, _solution: &Self::Solution, _recording: Recording<'_>) -> Option<String> {
        None
    }

    /// The rules and the board as text, and nothing else: two puzzles with one canonical text have
    /// the same plays and the same solutions, letter for letter. Title, author, colours and comments
    /// are not in it. Evidence about one puzzle counts for another one with the same text.
    fn canonical_text(&self) -> String {
        self.print()
    }

    /// A name for the puzzle that does not depend on its file, title or place in a collection:
    /// the same puzzle has the same name. Families whose levels are turned and mirrored freely
    /// give one name to all positions.
    fn identity(&self) -> String {
        short_hash(&self.canonical_text())
    }

    /// The squares of the SVG picture, for those who point at it; `None` where the picture does not
    /// consist of squares.
    fn squares(&self) -> Option<Squares> {
        None
    }

    /// What of the board never changes, as data; `None` where there is only the picture.
    fn ground(&self) -> Option<Ground> {
        None
    }

    /// The middle of a cell in the SVG picture, and how wide cells are there, where the picture does
    /// not consist of [`Puzzle::squares`].
    fn middle(&self, _place: Coord) -> Option<(Point, f64)> {
        None
    }

    /// Where the cell of a row and a column (from 0) stands in a drawing made of letters.
    fn span(&self, (row, column): Coord, _style: Style) -> Span {
        Span { line: row, column, width: 1 }
    }

    /// The empty board under a person's hand; `None` where a player moves instead.
    fn sketch(&self) -> Option<Box<dyn Sketch>> {
        None
    }

    /// The parts that can be left out, in a fixed order.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// The puzzle without some of its parts (places in [`Puzzle::parts`]); `None` when what is
    /// left is no level. Its moves mean the same, its cells may have other numbers.
    fn without(&self, _parts: &[usize]) -> Option<Self> {
        None
    }

    /// The puzzle with constraints (see [`crate::constraints`]) as rules of its own, for families
    /// without moves.
    ///
    /// # Errors
    /// The first constraint that means nothing here.
    fn constrained(&self, _constraints: &Constraints) -> Result<Self, ParseError> {
        Err(ParseError::whole(format!("{} takes no constraints", Self::NAME)))
    }

    /// Facts for `list` that need no encoding: size, pieces, identifiers.
    fn facts(&self) -> Facts {
        Vec::new()
    }

    /// Facts about a solution beside its length: a score, say. Also for solutions that do not
    /// solve the puzzle, as far as they go.
    fn solution_facts(&self, _solution: &Self::Solution) -> Facts {
        Vec::new()
    }
}
