//! What a game with moves has beyond its formulas: a state space and a transition.

use super::relaxation::LearnReport;
use super::satisficing::Attempts;
use super::verified::{RejectedAnswerError, Verified, VerifyError};
use crate::atlas::Atlas;
use crate::backend::Incremental;
use crate::closed::ClosedSet;
use crate::closed::check::{ClosedSetError, ClosedSetStats};
use crate::closed::close::{ClosureError, ClosureTask};
use crate::improve;
use crate::invariant::confine::{self, ConfineResult};
use crate::invariant::pdr::{self, InvariantError};
use crate::laws::LawViolation;
use crate::learn;
use crate::limits::{Limits, Monitor, Stop};
use crate::patterns::Counts;
use crate::search::{SearchStats, Strategy};
use crate::transition::list_format::ListError;
use crate::transition::lrat::{Formulas, WriteError};
use crate::transition::{CubeList, Induction};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::patterns::{PatternError, PatternList, PatternStats};
use unstuck_puzzles::pieces::Coord;
use unstuck_puzzles::{Objective, ParseError, Tally, Violation};

/// How an explicit search ended, with its plan judged.
#[derive(Clone, Debug)]
pub enum SearchEnd {
    /// A plan; a shortest one unless the search was weighted.
    Found(Verified),
    /// There is none (within the cap, if there was one).
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
    /// The search found a plan that the rules refuse: an internal error.
    Fault(RejectedAnswerError),
}

/// An explicit search that has ended.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// How it ended.
    pub end: SearchEnd,
    /// What it took, and the lower bound that it showed.
    pub stats: SearchStats,
    /// The bound that pruned, by name.
    pub bound: Option<&'static str>,
}

/// A plan that was worked on, judged again.
#[derive(Clone, Debug)]
pub struct ImproveReport {
    /// The best plan known, or one that the rules refuse: an internal error.
    pub plan: Result<Verified, RejectedAnswerError>,
    /// How it ended.
    pub end: improve::ImproveOutcome,
    /// What it took.
    pub stats: improve::ImproveStats,
}

/// Where a game stands after some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    /// The legal moves, in the family's notation.
    pub moves: String,
    /// Their length.
    pub tally: Tally,
    /// Whether the game is won here.
    pub solved: bool,
    /// The first move that is not possible, if any.
    pub stop: Option<Violation>,
}

/// What a person points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerTarget {
    /// A place to walk to.
    Walk(Coord),
    /// A piece, and the place to which it is dragged.
    Drag(Coord, Coord),
}

/// What can be closed under its moves.
pub trait Closable {
    /// Finds a closed set (see [`crate::closed`]).
    ///
    /// # Errors
    /// When a limit strikes, or the claim is false.
    fn close(
        &self,
        closing: ClosureTask,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> Result<ClosedSet, ClosureError>;

    /// Verifies a closed set from the rules.
    ///
    /// # Errors
    /// What is missing from the list.
    fn check_closed(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<ClosedSetStats, ClosedSetError>;
}

/// A game with constraints (see [`unstuck_puzzles::constraints`]). There are no encodings of
/// constraints, so what is shown of it rests on closed sets.
pub trait ConstrainedGame: Closable + Send + Sync {
    /// Reads and judges a solution, which must keep all constraints.
    ///
    /// # Errors
    /// When the text is no solution text, or the solution is wrong.
    fn verify(&self, text: &str) -> Result<Verified, VerifyError>;
}

/// A game with moves: one puzzle that can be searched, closed under its moves, and said in
/// one-move formulas. Only such puzzles have one ([`super::Instance::moves`]).
pub trait Game: Closable + Send + Sync {
    /// Name and [version](unstuck_encodings::Encoding::VERSION) of the encoding that is the
    /// one-move transition.
    fn transition(&self) -> (&'static str, u32);

    /// Plays moves as far as they are legal.
    ///
    /// # Errors
    /// When the text is no list of moves.
    fn position(&self, moves: &str) -> Result<GamePosition, ParseError>;

    /// Moves that a person means who points, after the moves of a position; `None` when there is
    /// no way, or finding it would take long.
    fn ways(&self, position: &GamePosition, pointed: PointerTarget) -> Option<String>;

    /// The objective that questions about the game count: where any plan will do, the family's first.
    fn asked(&self) -> Objective;

    /// The positions of the game with constraints, to ask questions about.
    fn atlas(&self, constraints: &Constraints) -> Box<dyn Atlas>;

    /// The game with constraints, to judge and to prove.
    fn constrained(&self, constraints: &Constraints) -> Box<dyn ConstrainedGame>;

    /// Searches explicitly.
    fn search(
        &self,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(SearchStats),
    ) -> SearchReport;

    /// Tries to find any plan by feature-space search (see [`crate::feature_search`]); `None` when
    /// the family has no features.
    fn attempts(&self) -> Option<Box<dyn Attempts + '_>>;

    /// Makes a plan cheaper by what lies around it (see [`crate::improve`]), within so many states;
    /// under `any` in the family's own objective. The plan itself when its steps are not those of
    /// the search space, or nothing better was found.
    fn improve(
        &self,
        plan: &Verified,
        most: u64,
        limits: &Limits,
        progress: &mut dyn FnMut(improve::ImproveStats),
    ) -> ImproveReport;

    /// Looks for a plan of the least length, learning dead patterns (see [`crate::learn`]); `None`
    /// where pieces cannot be dropped under this objective, or there are too many of them. What it
    /// shows rests on a list that the rules have judged.
    fn learn(
        &self,
        learn_options: learn::LearnOptions,
        limits: &Limits,
        progress: &mut dyn FnMut(learn::LearnStats),
    ) -> Option<LearnReport>;

    /// Judges a list of dead patterns from the rules.
    ///
    /// # Errors
    /// When the list proves nothing.
    fn judge_patterns(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternStats, PatternError>;

    /// The formulas of a list of dead patterns.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn pattern_formulas(
        &self,
        list: &PatternList,
        counts: Counts,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError>;

    /// How many lemmas these take, about, to show that the potential of a list is one.
    fn potential_lemmas(&self, list: &PatternList) -> u64;

    /// The formulas of a closed set.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn closed_formulas(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError>;

    /// Finds an invariant that shows that there is no solution (see [`crate::invariant`]), by
    /// questions to a solver.
    ///
    /// # Errors
    /// When a limit strikes, or there is a solution.
    fn invariant(
        &self,
        backend: &dyn Incremental,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::PdrStats),
    ) -> Result<CubeList, InvariantError>;

    /// Shows that no plan is as cheap as a budget, by questions to a solver about single steps (see
    /// [`crate::invariant::confine`]).
    ///
    /// # Errors
    /// When a limit strikes, there is a plan, or there are too many classes.
    fn confine(
        &self,
        task: confine::ConfineTask,
        backend: &dyn Incremental,
        monitor: &mut Monitor<'_>,
    ) -> Result<ConfineResult, InvariantError>;

    /// The formulas of a list of cubes.
    ///
    /// # Errors
    /// What is no list of this puzzle.
    fn induction(&self, list: &CubeList) -> Result<Induction, ListError>;

    /// Holds transition and states to the laws that look inside (see [`crate::laws`]); `seed`
    /// directs random walks.
    ///
    /// # Errors
    /// The law that is broken, and where.
    fn laws(&self, seed: u64) -> Result<(), LawViolation>;
}
