//! What a game with moves has beyond its formulas.

use super::capability::Capabilities;
use super::verified::{Verified, VerifyError};
use crate::closed::ClosedSet;
use crate::closed::check::{ClosedSetError, ClosedSetStats};
use crate::limits::Monitor;
use crate::transition::list_format::ListError;
use crate::transition::{Budget, CubeList, Induction, StepGuide, WriteError};
use std::collections::BTreeSet;
use unstuck_encodings::laws::LawViolation;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::session::GameSession;
use unstuck_puzzles::{Moves, Objective};

/// A game with moves. Only such puzzles have one ([`super::Instance::moves`]).
pub trait Game: Send + Sync {
    /// A session at the start of the game.
    fn session(&self) -> Box<dyn GameSession>;

    /// The objective that questions about the game count: where any plan will do, the family's first.
    fn asked(&self) -> Objective;

    /// The lines that have rules, where the rules of the game are written in a file.
    fn rule_lines(&self) -> Option<BTreeSet<usize>>;

    /// Whether what was concluded from refused moves is doubtful: see
    /// [`unstuck_puzzles::GameExtras::met_unknown_move`].
    fn met_unknown_move(&self) -> bool;

    /// Reads and judges a solution, which must keep all constraints (see
    /// [`unstuck_puzzles::constraints`]). There are no encodings of constraints, so what is shown of
    /// a game with some rests on closed sets.
    ///
    /// # Errors
    /// When the text is no solution text, or the solution is wrong.
    fn verify(&self, constraints: &Constraints, text: &str) -> Result<Verified, VerifyError>;

    /// Verifies a closed set from the rules and the constraints.
    ///
    /// # Errors
    /// What is missing from the list.
    fn check_closed(
        &self,
        constraints: &Constraints,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<ClosedSetStats, ClosedSetError>;

    /// Counts the classes from which the game can be won within a budget: see
    /// [`crate::closed::backwards`].
    ///
    /// # Errors
    /// When the start is one of them, or they are not as many as claimed.
    fn check_backwards(
        &self,
        excluded: Budget,
        claimed: Option<u32>,
        monitor: &mut Monitor<'_>,
    ) -> Result<u32, ClosedSetError>;

    /// Name and [version](unstuck_encodings::Encoding::VERSION) of the encoding that is the
    /// one-move transition; `None` where it refuses the puzzle.
    fn transition(&self) -> Option<(&'static str, u32)>;

    /// The formulas of a closed set.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn closed_formulas(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn StepGuide>, WriteError>;

    /// The formulas of a list of cubes.
    ///
    /// # Errors
    /// What is no list of this puzzle.
    fn induction(&self, list: &CubeList) -> Result<Induction, ListError>;

    /// Holds transition and states to the laws that look inside (see [`unstuck_encodings::laws`]);
    /// `seed` directs random walks.
    ///
    /// # Errors
    /// The law that is broken, and where.
    fn laws(&self, seed: u64) -> Result<(), LawViolation>;

    /// What else the family has.
    fn capabilities(&self) -> &Capabilities;
}

/// The objective that questions count: where any plan will do, the family's first.
pub fn asked<P: Moves>(objective: Objective) -> Objective {
    if objective == Objective::Any { P::OBJECTIVES[0] } else { objective }
}
