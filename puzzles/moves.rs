//! Games in which a player moves step by step.

use crate::game_extras::GameExtras;
use crate::objective::Tally;
use crate::picture::Style;
use crate::pieces::Pieces;
use crate::puzzle::Puzzle;
use std::fmt::{self, Debug};
use std::hash::Hash;

/// A move that was made: what it leads to and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor<S> {
    /// The state after the move.
    pub state: S,
    /// Its length: one move (`moves` is 1), and one push if it pushes.
    pub tally: Tally,
}

/// Why a move is not made. A word becomes one that makes a solution invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// Name of the rule that forbids it.
    pub rule: &'static str,
    /// Its length where it may stand in a solution all the same, and changes nothing; `None` where it
    /// makes a solution invalid.
    pub idle: Option<Tally>,
}

impl From<&'static str> for MoveError {
    fn from(rule: &'static str) -> Self {
        Self { rule, idle: None }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule)
    }
}

impl std::error::Error for MoveError {}

/// The rules of a game as a state machine, written to be read: the simplest correct version.
///
/// It judges solutions, drives exhaustive search in tests, and verifies closed-set certificates.
/// Each player move is one step; walking is free when pushes are counted, and costs a move when
/// moves are counted. What follows from the rules of every game is in [`Play`](crate::Play).
pub trait Moves: Puzzle {
    /// What the game has that others need not have.
    const GAME: GameExtras<Self> = GameExtras::NONE;

    /// Everything that the future depends on, and nothing else. Ordered so that a class of states
    /// has a least member.
    type State: Clone + Eq + Ord + Hash + Debug + Send + Sync;

    /// One move.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Where the game begins.
    fn start(&self) -> Self::State;

    /// The legal moves that change the state, in a fixed order.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;

    /// Makes a move.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn step(
        &self,
        state: &Self::State,
        mv: Self::Move,
    ) -> Result<Successor<Self::State>, MoveError>;

    /// Whether the game is won.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// A plan as a solution.
    fn solution(&self, plan: &[Self::Move]) -> Self::Solution;

    /// The moves of a solution, in order.
    fn plan(&self, solution: &Self::Solution) -> Vec<Self::Move>;

    /// Where the player and the pieces that can be moved are: what a person can point at.
    fn pieces(&self, state: &Self::State) -> Pieces;

    /// The same game begun in a position of it.
    ///
    /// Its text need not say all of the position: where a family's format has no place for
    /// something (bonds, say), reading [`Puzzle::print`] gives another game.
    #[must_use]
    fn begun_at(&self, state: &Self::State) -> Self;

    /// What a move has changed beside the place of the player, for people: `box (2,3) to (2,4)`,
    /// rows and columns from 1. Moves that change the same pieces in the same way say the same,
    /// whatever else stands on the board; so pushes can be recognised in another order.
    fn action(&self, before: &Self::State, after: &Self::State) -> String;

    /// Draws a state. Only [`Style::Plain`] must be known.
    fn draw(&self, state: &Self::State, style: Style) -> Option<String>;

    /// A state as one line of printable text without line breaks, for certificates.
    fn write_state(&self, state: &Self::State) -> String;

    /// Reads what [`Moves::write_state`] wrote; `None` for anything that is not a state of this
    /// puzzle. Never panics.
    fn read_state(&self, text: &str) -> Option<Self::State>;
}

/// [`GameExtras::says`] for what [`action_of`] makes: whether the things that are gone, and those that have
/// come, are named as these functions allow.
pub(crate) fn says_of(
    shape: &str,
    gone: impl Fn(&[&str]) -> bool,
    come: impl Fn(&[&str]) -> bool,
) -> bool {
    let fits =
        |list: &str, fits: &dyn Fn(&[&str]) -> bool| fits(&list.split(' ').collect::<Vec<_>>());
    if let Some(list) = shape.strip_suffix(" away") {
        fits(list, &gone)
    } else if let Some(list) = shape.strip_prefix("new ") {
        fits(list, &come)
    } else {
        let parts = shape.split_once(" to ");
        parts.is_some_and(|(first, second)| fits(first, &gone) && fits(second, &come))
    }
}

/// Whether a list names things as a kind and a place each: `box @ box @`.
pub(crate) fn are_placed(words: &[&str], is_kind: impl Fn(&str) -> bool) -> bool {
    let pairs = words.chunks(2);
    pairs.into_iter().all(|pair| matches!(pair, [kind, "@"] if is_kind(kind)))
}

/// [`Moves::action`] from the things that are gone after a move and those that have come.
pub(crate) fn action_of(
    gone: impl IntoIterator<Item = String>,
    come: impl IntoIterator<Item = String>,
) -> String {
    let listed = |things: &mut dyn Iterator<Item = String>| itertools::join(things, " ");
    let (gone, come) = (listed(&mut gone.into_iter()), listed(&mut come.into_iter()));
    match (gone.is_empty(), come.is_empty()) {
        (true, true) => "nothing".to_owned(),
        (false, true) => format!("{gone} away"),
        (true, false) => format!("new {come}"),
        (false, false) => format!("{gone} to {come}"),
    }
}
