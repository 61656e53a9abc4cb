//! What every puzzle family can do.

use crate::error::{ParseError, Violation};
use crate::level::Level;
use crate::options::{OptionSpec, Options};
use std::fmt::{Debug, Display};
use std::time::Duration;

/// Facts about a puzzle or an answer, in the order in which they should be shown.
pub type Facts = Vec<(&'static str, serde_json::Value)>;

/// How long a solution is. Families without moves leave it at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Player moves, pushes included (for the warehouse: instructions).
    pub moves: u32,
    /// Moves that push (for the snowman: ball actions).
    pub pushes: u32,
}

impl std::ops::Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { moves: self.moves + other.moves, pushes: self.pushes + other.pushes }
    }
}

/// What a shortest solution is shortest in.
///
/// The names are those of the solver statistics of the Sokoban community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Objective {
    /// Any solution will do.
    Any,
    /// Fewest pushes.
    Pushes,
    /// Fewest pushes, and among those fewest moves.
    PushesMoves,
    /// Fewest moves.
    Moves,
    /// Fewest moves, and among those fewest pushes.
    MovesPushes,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Self; 5] =
        [Self::Any, Self::Pushes, Self::PushesMoves, Self::Moves, Self::MovesPushes];

    /// The name on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Pushes => "pushes",
            Self::PushesMoves => "pushes,moves",
            Self::Moves => "moves",
            Self::MovesPushes => "moves,pushes",
        }
    }

    /// The objective of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|objective| objective.name() == name)
    }

    /// The number that the objective counts first; 0 for [`Objective::Any`].
    pub fn primary(self, tally: Tally) -> u32 {
        match self {
            Self::Any => 0,
            Self::Pushes | Self::PushesMoves => tally.pushes,
            Self::Moves | Self::MovesPushes => tally.moves,
        }
    }

    /// The tie-break; 0 where there is none.
    pub fn secondary(self, tally: Tally) -> u32 {
        match self {
            Self::PushesMoves => tally.moves,
            Self::MovesPushes => tally.pushes,
            _ => 0,
        }
    }

    /// The objective without its tie-break.
    #[must_use]
    pub fn first(self) -> Self {
        match self {
            Self::PushesMoves => Self::Pushes,
            Self::MovesPushes => Self::Moves,
            other => other,
        }
    }
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Letters only, in the family's own file format where that can show the board.
    Plain,
    /// Box drawing and other Unicode, with ANSI colour when `color` is set.
    Unicode {
        /// Whether ANSI colour codes may be used.
        color: bool,
    },
    /// A picture as SVG text.
    Svg,
}

/// A drawn board.
pub type Picture = String;

/// One stage of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Moves made so far.
    pub moves: u32,
    /// What has just been done, as a word or a piece of the move string; empty for the start.
    pub label: String,
    /// The board.
    pub board: Picture,
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

    /// Objectives that the family knows, the default first.
    const OBJECTIVES: &'static [Objective];

    /// An answer. [`Display`] gives the text that [`Puzzle::read_solution`] reads.
    type Solution: Clone + Debug + PartialEq + Display + Send + Sync;

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

    /// The readings to try, in order; just the puzzle itself where the rules leave nothing open.
    fn readings(&self) -> Vec<Reading<Self>> {
        vec![Reading { name: "", puzzle: self.clone() }]
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

    /// The board stage by stage, the start first: after each push, or after each move with
    /// `every_move`. Stops before the first illegal move. Empty for families without moves.
    fn frames(&self, _solution: &Self::Solution, _every_move: bool) -> Vec<Frame> {
        Vec::new()
    }

    /// Level and solution in the family's interchange format, so that other programs of the
    /// community can import it; `elapsed` is the time that solving took. Records joined by blank
    /// lines make a collection. `None` where the family has no such format.
    fn record(
        &self,
        _title: Option<&str>,
        _solution: &Self::Solution,
        _elapsed: Duration,
    ) -> Option<String> {
        None
    }

    /// Facts for `info` that need no encoding: size, pieces, identifiers.
    fn facts(&self) -> Facts {
        Vec::new()
    }

    /// Facts about a solution beside its length: a score, say. Also for solutions that do not
    /// solve the puzzle, as far as they go.
    fn solution_facts(&self, _solution: &Self::Solution) -> Facts {
        Vec::new()
    }
}
