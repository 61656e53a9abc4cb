//! The positions of a game by number, with the cost of the way that is left from each of them:
//! what questions about a game are answered from.
//!
//! Who moves where is said by the rules ([`unstuck_puzzles::Moves`]); how far a position is from
//! the goal is found by search in the family's packed space and remembered, so that asking about
//! every position of a game takes little more than asking about the hardest one.

mod distances;
mod position_graph;

pub use distances::{CostToGo, Distances};
pub use position_graph::PositionGraph;

use crate::limits::Limits;
use std::collections::BTreeSet;
use unstuck_encodings::Cost;
use unstuck_puzzles::pieces::Coord;
use unstuck_puzzles::{Measures, Objective, ParseError, Style, Violation};

/// A position by its number.
pub type Id = u32;

/// A push by its number: see [`unstuck_puzzles::Moves::action`].
pub type ActionId = u32;

/// What a push leads to, with the shortest walk before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// What it changes. [`WALK`] for a last walk that reaches the goal without a push.
    pub name: ActionId,
    /// The position after it.
    pub to: Id,
    /// What it costs, the walk included.
    pub cost: Cost,
}

/// A move of a played game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedMove {
    /// The move in the family's notation.
    pub text: String,
    /// What it costs.
    pub cost: Cost,
    /// The position after it.
    pub to: Id,
    /// What it changed, when it was a push.
    pub action: Option<ActionId>,
}

/// A played game, as far as its moves are legal.
#[derive(Clone, Debug)]
pub struct Playthrough {
    /// The moves.
    pub moves: Vec<AppliedMove>,
    /// The first move that is not possible, if any.
    pub stop: Option<Violation>,
}

/// The positions of one game under one objective.
pub trait Atlas: Send {
    /// The objective. For [`Objective::Any`] questions count what the family counts first.
    fn objective(&self) -> Objective;

    /// What lengths are called in the family.
    fn measures(&self) -> Measures;

    /// Where the game begins.
    fn start(&mut self) -> Id;

    /// Whether a position is solved (where walking is free: after walking at most).
    fn is_goal(&self, id: Id) -> bool;

    /// What can be done in a position: every push, with the cheapest walk before it, in a fixed
    /// order. Where walking is free, a position stands for all to which the player can walk.
    fn actions(&mut self, id: Id) -> Vec<Action>;

    /// The words for a push.
    fn action_name(&self, action: ActionId) -> &str;

    /// What the rest of the game costs at least from a position, see [`Distances::cost_to_go`].
    fn cost_to_go(&mut self, id: Id, below: Option<Cost>, limits: &Limits) -> CostToGo {
        self.cost_to_go_within(id, below, usize::MAX, limits)
    }

    /// The same by a search that expands at most so many positions. With none it says what is known,
    /// and [`Stop::Memory`](crate::limits::Stop::Memory) where that is a lower bound.
    fn cost_to_go_within(
        &mut self,
        id: Id,
        below: Option<Cost>,
        most: usize,
        limits: &Limits,
    ) -> CostToGo;

    /// Takes note of what a solver has shown of a position: that the rest of the game costs at least
    /// `lower`, or that it cannot be solved (`None`); and a plan from there, whose positions are
    /// known with it.
    fn learn(&mut self, id: Id, plan: Option<&str>, lower: Option<Cost>);

    /// A bound on the same without search; `None` for a position that it shows to be lost.
    fn bound(&mut self, id: Id) -> Option<Cost>;

    /// Plays a text from the start.
    ///
    /// # Errors
    /// When it is no text of moves.
    fn play(&mut self, text: &str) -> Result<Playthrough, ParseError> {
        let start = self.start();
        self.play_from(start, text)
    }

    /// The same from another position.
    ///
    /// # Errors
    /// When it is no text of moves.
    fn play_from(&mut self, id: Id, text: &str) -> Result<Playthrough, ParseError>;

    /// The legal moves of a position, in a fixed order. Positions are distinguished by the player's
    /// place here, also where walking is free.
    fn steps(&mut self, id: Id) -> Vec<AppliedMove> {
        self.steps_with_rules(id).into_iter().map(|(step, _)| step).collect()
    }

    /// The same, with the lines of the rules that act in each.
    fn steps_with_rules(&mut self, id: Id) -> Vec<(AppliedMove, BTreeSet<usize>)>;

    /// The lines of the rules that have acted before the first move.
    fn starting(&self) -> BTreeSet<usize>;

    /// Where the player is.
    fn player(&self, id: Id) -> Coord;

    /// The moves of a plan that does these actions from the start, with shortest walks between, and
    /// to the goal where that takes a last walk. `None` when they are not possible one after the
    /// other.
    fn plan(&mut self, actions: &[Action]) -> Option<String>;

    /// Draws a position; `None` in a style that the family does not know.
    fn draw(&self, id: Id, style: Style) -> Option<String>;

    /// Positions that search has looked at so far.
    fn seen(&self) -> u64;
}

/// The name of a last walk without a push.
pub const WALK: ActionId = 0;
