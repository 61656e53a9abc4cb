//! One puzzle joined with its encoding and its rules, behind one object-safe trait.
//!
//! Only this module can make a [`Verified`] solution, and it makes one only after the rules crate
//! has replayed it; everything that is reported as a solution is one.

mod bounds;
mod capability;
mod encoded_puzzle;
mod game;
mod move_game;
mod pattern_judge;
mod puzzle_instance;
mod question;
mod terms;
mod verified;

pub use bounds::{bound, constrained_bound};
pub use capability::{Capabilities, Capability};
pub use encoded_puzzle::EncodedPuzzle;
pub use game::{Game, asked};
pub use move_game::{MoveGame, MoveSupport, NoMoves};
pub use pattern_judge::{PatternClauses, PatternJudge};
pub use puzzle_instance::PuzzleInstance;
pub use question::{Formula, FormulaError, Question};
pub use terms::{Term, Terms, in_brackets, not_asked_for};
pub use verified::{
    ContinueError, RejectedAnswerError, ReplayReport, Verified, VerifyError, judged_plan,
};

use crate::formula::dimspec::Layers;
use crate::limits::Limits;
use std::collections::BTreeMap;
use std::fmt;
use unstuck_encodings::Filter;
use unstuck_encodings::laws::LawViolation;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::pieces::{Coord, Squares};
use unstuck_puzzles::scene::Ground;
use unstuck_puzzles::sketch::{Sketch, Span};
use unstuck_puzzles::svg::Point;
use unstuck_puzzles::{
    Facts, FrameOptions, Measures, Objective, ParseError, Part, Picture, Recording, Style,
};

/// One puzzle under one reading of its rules and one objective.
pub trait Instance: Send + Sync {
    /// Name of the family.
    fn family(&self) -> &'static str;

    /// The objective.
    fn objective(&self) -> Objective;

    /// See [`Puzzle::MEASURES`](unstuck_puzzles::Puzzle::MEASURES).
    fn measures(&self) -> Measures;

    /// Name of the reading; empty where there is only one.
    fn reading(&self) -> &'static str;

    /// The whole question: all rules that an answer rests on.
    fn terms(&self) -> Terms;

    /// Name of the encoding.
    fn encoding(&self) -> &'static str;

    /// The encodings that formulas of certificates are compiled by, each with its
    /// [`Encoding::VERSION`](unstuck_encodings::Encoding::VERSION).
    fn encodings(&self) -> BTreeMap<String, u32>;

    /// What the encoding knows of the puzzle.
    fn encoded(&self) -> &dyn EncodedPuzzle;

    /// The puzzle in its own format.
    fn text(&self) -> String;

    /// See [`Puzzle::canonical_text`](unstuck_puzzles::Puzzle::canonical_text).
    fn canonical_text(&self) -> String;

    /// Facts about the puzzle.
    fn facts(&self) -> Facts;

    /// See [`Puzzle::record`](unstuck_puzzles::Puzzle::record); `None` where the family has no
    /// interchange format.
    fn record(&self, solution: &Verified, recording: Recording<'_>) -> Option<String>;

    /// The board, solved when a solution is given.
    fn picture(&self, solution: Option<&Verified>, style: Style) -> Option<Picture>;

    /// Reads and judges a solution.
    ///
    /// # Errors
    /// When the text is no solution text, or the solution is wrong.
    fn verify(&self, text: &str) -> Result<Verified, VerifyError>;

    /// Replays any solution text; stages only where `shots` asks for them. The last position is
    /// drawn in `style`.
    ///
    /// # Errors
    /// When the text is no solution text.
    fn replay(
        &self,
        text: &str,
        style: Style,
        shots: Option<FrameOptions>,
    ) -> Result<ReplayReport, ParseError>;

    /// See [`Puzzle::squares`](unstuck_puzzles::Puzzle::squares).
    fn squares(&self) -> Option<Squares>;

    /// See [`Puzzle::ground`](unstuck_puzzles::Puzzle::ground).
    fn ground(&self) -> Option<Ground>;

    /// See [`Puzzle::middle`](unstuck_puzzles::Puzzle::middle).
    fn middle(&self, place: Coord) -> Option<(Point, f64)>;

    /// See [`Puzzle::span`](unstuck_puzzles::Puzzle::span).
    fn span(&self, place: Coord, style: Style) -> Span;

    /// See [`Puzzle::sketch`](unstuck_puzzles::Puzzle::sketch).
    fn sketch(&self) -> Option<Box<dyn Sketch>>;

    /// Compiles a question within limits: on large levels with far horizons that takes longer
    /// than a short time limit.
    ///
    /// # Errors
    /// The limit that struck, or why the encoding refuses the puzzle.
    fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, FormulaError>;

    /// The transition system, strengthening left out unless the filter keeps it; `None` for
    /// families without time, and where the encoding refuses the puzzle.
    fn layers(&self, filter: &Filter) -> Option<Layers>;

    /// The puzzle as a game with moves; `None` for families without.
    fn moves(&self) -> Option<&dyn Game>;

    /// The same puzzle as it stands after some moves, or in a position that is drawn as a level of
    /// its format.
    ///
    /// # Errors
    /// When the text is neither legal moves nor a position of this level.
    fn continued(&self, moves: &str) -> Result<Box<dyn Instance>, ContinueError>;

    /// The same puzzle with constraints. Where there are no moves they become rules of its own; a
    /// game keeps its rules, and the constraints are passed along with every question.
    ///
    /// # Errors
    /// The first constraint that means nothing here.
    fn constrained(&self, constraints: &Constraints) -> Result<Box<dyn Instance>, ParseError>;

    /// See [`Puzzle::parts`](unstuck_puzzles::Puzzle::parts).
    fn parts(&self) -> Vec<Part>;

    /// See [`Puzzle::without`](unstuck_puzzles::Puzzle::without).
    fn without(&self, parts: &[usize]) -> Option<Box<dyn Instance>>;

    /// Holds encoding and transition to the laws that look inside (see
    /// [`unstuck_encodings::laws`]); `seed` directs random walks.
    ///
    /// # Errors
    /// The law that is broken, and where.
    fn laws(&self, seed: u64) -> Result<(), LawViolation>;
}

impl fmt::Debug for dyn Instance + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance")
            .field("family", &self.family())
            .field("reading", &self.reading())
            .field("objective", &self.objective())
            .finish_non_exhaustive()
    }
}

impl dyn Instance + '_ {
    /// What the family has that answers to the trait `C`, such as `dyn PatternJudge`.
    pub fn capability<C: ?Sized + 'static>(&self) -> Option<&C> {
        self.moves()?.capabilities().get()
    }

    /// The objective that questions count: see [`Game::asked`].
    pub fn asked(&self) -> Objective {
        self.moves().map_or(self.objective(), |game| game.asked())
    }

    /// Compiles a question, however long that takes.
    ///
    /// # Panics
    /// Where the encoding refuses the puzzle ([`EncodedPuzzle::refusal`]).
    pub fn formula(&self, question: &Question) -> Box<dyn Formula + '_> {
        self.formula_within(question, &Limits::none()).unwrap_or_else(|error| panic!("{error}"))
    }
}
