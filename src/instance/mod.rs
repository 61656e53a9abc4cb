//! One puzzle joined with its encoding and with what searches it.
//!
//! The trait [`Instance`] and its one implementation are in the crate `unstuck-check`, with all that a
//! verdict rests on. Search is a list of capabilities beside it: a [`MoveGame`] of this crate has a
//! [`StateSpace`] and [`SingleSteps`], and what else its family lists.

mod from_end;
pub mod readings;
mod relaxation;
mod satisficing;
mod space_choice;
mod states;
mod steps;

pub use from_end::{FromTheEnd, ReversedGame};
pub use relaxation::{
    DeadPieces, DroppedPieces, LearnEnd, LearnReport, Relaxation, ResumableLearning,
};
pub use satisficing::{
    AttemptEnd, AttemptReport, FeatureGuidance, ResumableAttempt, SatisficingSearch,
};
pub use states::{
    ImproveReport, ResumableSearch, SearchEnd, SearchReport, SearchedStates, StateSpace, atlas,
};
pub use steps::{SingleSteps, TransitionSteps};
pub use unstuck_check::instance::*;

use unstuck_check::instance::MoveGame as JudgedGame;
use unstuck_encodings::{Space, Transition};

/// A game with moves that is searched: its one-move transition `T`, its search space `S`, another one
/// `L` for puzzles that are too large for `S`, and what else the family has: a [`Capability`], or a
/// tuple of them.
pub type MoveGame<T, S, L = S, C = ()> = Searched<JudgedGame<T, S, L, C>>;

/// The same without clauses: it is searched and closed by its rules.
pub type SearchedGame<S, L = S, C = ()> =
    JudgedGame<NoClauses<<S as Space>::Puzzle>, S, L, (SearchedStates<S, L>, C)>;

/// A game of the checker with search.
pub type Searched<G> = <G as Searchable>::Game;

/// A game of the checker, to which search is added.
pub trait Searchable {
    /// The game with search.
    type Game;
}

impl<T: Transition, S: Space, L, C> Searchable for JudgedGame<T, S, L, C> {
    type Game = JudgedGame<T, S, L, (SearchedStates<S, L>, TransitionSteps<T>, C)>;
}
