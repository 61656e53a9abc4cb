//! A game as explicit search sees it: packed states, macro moves, an admissible bound.

use crate::cost::Cost;
use std::fmt;
use std::hash::Hash;
use unstuck_puzzles::{Moves, Objective, Play};

/// Why a puzzle cannot be packed: search falls back to [`PlainSpace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackingError(pub String);

impl fmt::Display for PackingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PackingError {}

/// What is left from each state of a space; `None` where it is lost.
pub type CostTable<S> = Box<dyn Fn(&S) -> Option<Cost> + Send>;

/// The state space that the search engine explores.
///
/// A state stands for a whole class of game states ([`Play::class`]) where walking is free.
/// [`Space::expand`] gives **every** legal successor; everything that is pruned is pruned by
/// [`Space::bound`], and so by the state alone: what it says may be more if more was asked before,
/// but [`Space::is_dead`] says as much of each state. So a closed set can be checked by someone who
/// knows only the rules and that bound.
pub trait Space: Clone + Send {
    /// The family.
    type Puzzle: Moves;

    /// A packed state, small and cheap to hash.
    type State: Clone + Eq + Hash + Send;

    /// Name of the bound, as certificates and reports show it; `None` when it is always zero.
    const BOUND: Option<&'static str>;

    /// Prepares the space of a puzzle.
    ///
    /// # Errors
    /// When its states do not fit into [`Space::State`].
    fn new(puzzle: &Self::Puzzle, objective: Objective) -> Result<Self, PackingError>;

    /// Where the game begins.
    fn start(&self) -> Self::State;

    /// Where search begins, at no cost: the start, or in a space of the reversed game every end.
    fn starts(&self) -> Vec<Self::State> {
        vec![self.start()]
    }

    /// Whether a state is solved.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Appends all successors with the cost of getting there (none for a walk where walking is free).
    fn expand(&mut self, state: &Self::State, successors: &mut Vec<(Self::State, Cost)>);

    /// An admissible bound on the cost still to come; `None` when the state is dead.
    fn bound(&mut self, state: &Self::State) -> Option<Cost>;

    /// Whether a state is dead by a dearer look than [`Space::bound`] has at each. Where the bound has
    /// learned of other states that this one is dead, this says so, too.
    fn is_dead(&mut self, _state: &Self::State) -> bool {
        false
    }

    /// What is left from every state, found for all at once: where there is a way to do that, and
    /// there are at most so many states, as long as it is `wanted`.
    fn table(
        &self,
        _most: usize,
        _wanted: &mut dyn FnMut() -> bool,
    ) -> Option<CostTable<Self::State>> {
        None
    }

    /// Appends a number for each piece that can be elsewhere (boxes, not the player): what it is and
    /// where. States that differ in few of these are near each other. Where there are no numbers, all
    /// states are.
    fn pieces(&mut self, _state: &Self::State, _pieces: &mut Vec<u32>) {}

    /// The packed state of a game state; `None` when it does not fit.
    fn pack(&self, state: &<Self::Puzzle as Moves>::State) -> Option<Self::State>;

    /// A game state of a packed one (any member of its class).
    fn unpack(&self, state: &Self::State) -> <Self::Puzzle as Moves>::State;

    /// See [`Play::met_unknown_move`].
    fn met_unknown_move(&self) -> bool {
        false
    }

    /// The moves along a path of states from the start, with shortest walks between.
    fn plan(&mut self, path: &[Self::State]) -> Vec<<Self::Puzzle as Moves>::Move>;
}

/// The space that needs no family code: states of the rules, one move an edge, no bound.
///
/// The simplest correct version; oracle of the others and fallback where they do not fit.
#[derive(Clone, Debug)]
pub struct PlainSpace<P> {
    puzzle: P,
    objective: Objective,
}

impl<P: Moves> PlainSpace<P> {
    /// The space of a puzzle: none is too large.
    pub fn of(puzzle: &P, objective: Objective) -> Self {
        Self { puzzle: puzzle.clone(), objective }
    }
}

impl<P: Moves> Space for PlainSpace<P> {
    type Puzzle = P;
    type State = P::State;
    const BOUND: Option<&'static str> = None;

    fn new(puzzle: &P, objective: Objective) -> Result<Self, PackingError> {
        Ok(Self::of(puzzle, objective))
    }

    fn start(&self) -> P::State {
        self.puzzle.start()
    }

    fn is_goal(&self, state: &P::State) -> bool {
        self.puzzle.is_goal(state)
    }

    fn expand(&mut self, state: &P::State, successors: &mut Vec<(P::State, Cost)>) {
        for mv in self.puzzle.moves(state) {
            if let Ok(stepped) = self.puzzle.step(state, mv) {
                successors.push((stepped.state, Cost::of(self.objective, stepped.tally)));
            }
        }
    }

    fn bound(&mut self, _state: &P::State) -> Option<Cost> {
        Some(Cost::ZERO)
    }

    fn pack(&self, state: &P::State) -> Option<P::State> {
        Some(state.clone())
    }

    fn unpack(&self, state: &P::State) -> P::State {
        state.clone()
    }

    fn met_unknown_move(&self) -> bool {
        self.puzzle.met_unknown_move()
    }

    fn plan(&mut self, path: &[P::State]) -> Vec<P::Move> {
        let leads = |from: &P::State, to: &P::State| {
            self.puzzle
                .moves(from)
                .into_iter()
                .find(|&mv| self.puzzle.step(from, mv).is_ok_and(|stepped| stepped.state == *to))
        };
        path.windows(2)
            .map(|pair| leads(&pair[0], &pair[1]).expect("a path follows the edges of expand"))
            .collect()
    }
}
