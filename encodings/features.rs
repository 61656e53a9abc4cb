//! A game as feature-space search sees it: macro moves, features, advice.

use crate::space::PackingError;
use std::fmt::Debug;
use std::hash::Hash;
use unstuck_puzzles::Moves;

/// What a state looks like from afar. The first number counts most; less is better.
pub type Features = [u16; 4];

/// A macro move and what is known of the state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// The macro move.
    pub mv: M,
    /// Features of the state after it.
    pub features: Features,
    /// Which to take first among equals: less is better.
    pub tie: u32,
    /// Whether an advisor names it.
    pub advised: bool,
}

/// Whose turn it is in the feature space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnRule {
    /// The cells in turn, and in each the first moves from the start, so that none starves the
    /// others.
    Lines,
    /// Every other turn the cell with the least features, and else the cells in turn.
    BestCell,
    /// Always the cell with the least features, where a state is in the cell of its own features and
    /// not in the least on the way to it: greedy best-first search.
    Greedy,
}

/// A game with macro moves and features, for a search that finds plans and shows nothing else.
///
/// Unlike [`Space`](crate::Space), it may leave out moves and drop states for reasons that are only
/// likely to be good. So a search over it ends with a plan or without one, and no end of it means
/// that there is no plan.
pub trait FeatureSpace: Send {
    /// The family.
    type Puzzle: Moves;

    /// A state up to free moves, small and cheap to hash.
    type State: Clone + Eq + Hash + Send;

    /// How to get from one state to another: many moves at once.
    type Macro: Clone + Debug + Eq + Send;

    /// Whether moves are left out, or states given up that may lead to the end: else a search that has
    /// nothing left to try finds nothing in another variant.
    const LEAVES_OUT: bool = true;

    /// Prepares a puzzle. `variant` numbers different ways to look at it: other plans, other ties.
    /// Even numbers are for ways that find a plan early, or rarely at all.
    ///
    /// # Errors
    /// When its states do not fit into [`FeatureSpace::State`], or it cannot be looked at from here.
    fn new(puzzle: &Self::Puzzle, variant: u32) -> Result<Self, PackingError>
    where
        Self: Sized;

    /// How the search goes round the cells of the feature space.
    fn turns(&self) -> TurnRule;

    /// Where the search begins.
    fn start(&self) -> Self::State;

    /// Features of a state.
    fn features(&mut self, state: &Self::State) -> Features;

    /// Whether the search has come to its end.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Whether a state is given up, before its macro moves are made.
    fn is_doomed(&mut self, state: &Self::State) -> bool;

    /// Appends the macro moves that are worth making, in a fixed order.
    fn choices(&mut self, state: &Self::State, choices: &mut Vec<Choice<Self::Macro>>);

    /// The state after a macro move.
    fn after(&mut self, state: &Self::State, mv: Self::Macro) -> Self::State;

    /// The moves of a path: states from the start of the game to its goal, a macro move from one to
    /// the next.
    fn plan(&mut self, path: &[Self::State]) -> Vec<<Self::Puzzle as Moves>::Move>;
}
