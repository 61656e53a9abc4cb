//! What a game with moves has beyond its formulas.

use super::capability::Capabilities;
use super::states::StateSpace;
use super::steps::SingleSteps;
use std::collections::BTreeSet;
use unstuck_puzzles::Objective;
use unstuck_puzzles::session::GameSession;

/// A game with moves. Only such puzzles have one ([`super::Instance::moves`]).
pub trait Game: Send + Sync {
    /// A session at the start of the game.
    fn session(&self) -> Box<dyn GameSession>;

    /// The objective that questions about the game count: where any plan will do, the family's first.
    fn asked(&self) -> Objective;

    /// The lines that have rules, where the rules of the game are written in a file.
    fn rule_lines(&self) -> Option<BTreeSet<usize>>;

    /// Whether what was concluded from refused moves is doubtful: see
    /// [`unstuck_puzzles::Moves::met_unknown_move`].
    fn met_unknown_move(&self) -> bool;

    /// Its states, to be searched and closed under moves.
    fn states(&self) -> &dyn StateSpace;

    /// Its single steps, to be said in formulas.
    fn steps(&self) -> &dyn SingleSteps;

    /// What else the family has.
    fn capabilities(&self) -> &Capabilities;
}
