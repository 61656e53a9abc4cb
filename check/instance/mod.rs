//! One puzzle joined with its encoding and its rules, behind one object-safe trait.
//!
//! Only this module can make a [`Verified`] solution, and it makes one only after the rules crate
//! has replayed it; everything that is reported as a solution is one.

mod bounds;
mod capability;
mod clause_support;
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
pub use clause_support::{ClauseSupport, NoClauses, StepSupport};
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
use std::ops::Deref;
use unstuck_encodings::Filter;
use unstuck_encodings::laws::LawViolation;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{AnyPuzzle, FrameOptions, Objective, ParseError, Picture, Recording, Style};

/// One puzzle under one reading of its rules and one objective. What its rules say of it is read as
/// its own (`instance.measures()`).
pub trait Instance: Send + Sync {
    /// The puzzle.
    fn puzzle(&self) -> &(dyn AnyPuzzle + 'static);

    /// The objective.
    fn objective(&self) -> Objective;

    /// Name of the reading; empty where there is only one.
    fn reading(&self) -> &'static str;

    /// The whole question: all rules that an answer rests on.
    fn terms(&self) -> Terms;

    /// Name of the encoding.
    fn encoding(&self) -> &'static str;

    /// The puzzle in clauses.
    fn encoded(&self) -> &dyn EncodedPuzzle;

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

    /// The same puzzle without some of its parts: see
    /// [`Parts::without`](unstuck_puzzles::extras::Parts::without).
    fn without(&self, parts: &[usize]) -> Option<Box<dyn Instance>>;
}

impl<'a> Deref for dyn Instance + 'a {
    type Target = dyn AnyPuzzle;

    fn deref(&self) -> &Self::Target {
        self.puzzle()
    }
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

    /// The board, solved when a solution is given.
    pub fn picture(&self, solution: Option<&Verified>, style: Style) -> Option<Picture> {
        self.picture_of(solution.map(Verified::erased), style)
    }

    /// Level and solution in the family's own format: see
    /// [`Records`](unstuck_puzzles::extras::Records).
    pub fn record(&self, solution: &Verified, recording: Recording<'_>) -> Option<String> {
        self.record_of(solution.erased(), recording)
    }

    /// Reads and judges a solution.
    ///
    /// # Errors
    /// When the text is no solution text, or the solution is wrong.
    pub fn verify(&self, text: &str) -> Result<Verified, VerifyError> {
        let judged = self.judge(text).map_err(VerifyError::Unreadable)?;
        Verified::accepted(judged).map_err(VerifyError::Wrong)
    }

    /// Replays any solution text; stages only where `shots` asks for them. The last position is
    /// drawn in `style`.
    ///
    /// # Errors
    /// When the text is no solution text.
    pub fn replay(
        &self,
        text: &str,
        style: Style,
        shots: Option<FrameOptions>,
    ) -> Result<ReplayReport, ParseError> {
        let judged = self.judge(text)?;
        let solution = judged.solution.as_ref();
        Ok(ReplayReport {
            text: judged.text.clone(),
            frames: shots.map_or_else(Vec::new, |shots| self.frames_of(solution, shots)),
            last: self.picture_of(Some(solution), style),
            facts: judged.facts.clone(),
            verdict: Verified::accepted(judged),
        })
    }

    /// The encodings that formulas of certificates are compiled by, each with its
    /// [`Encoding::VERSION`](unstuck_encodings::Encoding::VERSION).
    pub fn encodings(&self) -> BTreeMap<String, u32> {
        let own = self.encoded().version().map(|version| (self.encoding(), version));
        let transition = self.moves().and_then(|game| game.transition());
        own.into_iter()
            .chain(transition)
            .map(|(name, version)| (name.to_owned(), version))
            .collect()
    }

    /// See [`EncodedPuzzle::formula_within`].
    ///
    /// # Errors
    /// The limit that struck, or why the encoding refuses the puzzle.
    pub fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, FormulaError> {
        limits.reached_any().map_or(Ok(()), Err)?;
        self.encoded().formula_within(question, limits)
    }

    /// The transition system, strengthening left out unless the filter keeps it; `None` for
    /// families without time, and where the encoding refuses the puzzle.
    pub fn layers(&self, filter: &Filter) -> Option<Layers> {
        self.moves()?;
        self.encoded().layers(filter)
    }

    /// Holds encoding and transition to the laws that look inside (see
    /// [`unstuck_encodings::laws`]); `seed` directs random walks.
    ///
    /// # Errors
    /// The law that is broken, and where.
    pub fn laws(&self, seed: u64) -> Result<(), LawViolation> {
        self.encoded().laws(self.moves().is_some())?;
        self.moves().map_or(Ok(()), |game| game.laws(seed))
    }

    /// Compiles a question, however long that takes.
    ///
    /// # Panics
    /// Where the encoding refuses the puzzle ([`EncodedPuzzle::refusal`]).
    pub fn formula(&self, question: &Question) -> Box<dyn Formula + '_> {
        self.formula_within(question, &Limits::none()).unwrap_or_else(|error| panic!("{error}"))
    }
}
