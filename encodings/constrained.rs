//! The space of a game with constraints: positions of the rules, the bound of the game without
//! them.
//!
//! Constraints only ever take moves and solutions away, so what bounds the game bounds the
//! constrained one.

use crate::{Cost, PackingError, Space};
use unstuck_puzzles::constrained::{ConstrainedPuzzle, ConstrainedState};
use unstuck_puzzles::{Moves, Objective, Play};

/// The space of a game with constraints, over the space `S` of the game.
#[derive(Clone)]
pub struct ConstrainedSpace<S: Space> {
    puzzle: ConstrainedPuzzle<S::Puzzle>,
    objective: Objective,
    /// Where the bound comes from; `None` when the game does not fit.
    game: Option<S>,
}

type ConstrainedPosition<S> = ConstrainedState<<<S as Space>::Puzzle as Moves>::State>;

impl<S: Space> ConstrainedSpace<S> {
    /// The space of a game with constraints, over that of the game where it has one.
    pub fn of(
        puzzle: &ConstrainedPuzzle<S::Puzzle>,
        objective: Objective,
        game: Option<S>,
    ) -> Self {
        Self { puzzle: puzzle.clone(), objective, game }
    }

    fn walks_are_free(&self) -> bool {
        self.objective == Objective::Pushes
    }

    /// The position that stands for its class, where walking is free.
    fn standing_for(&self, state: ConstrainedPosition<S>) -> ConstrainedPosition<S> {
        if self.walks_are_free() {
            self.puzzle.representative(&state, self.objective)
        } else {
            state
        }
    }
}

impl<S: Space> Space for ConstrainedSpace<S> {
    type Puzzle = ConstrainedPuzzle<S::Puzzle>;
    type State = ConstrainedPosition<S>;
    const BOUND: Option<&'static str> = S::BOUND;

    fn new(puzzle: &Self::Puzzle, objective: Objective) -> Result<Self, PackingError> {
        Ok(Self::of(puzzle, objective, S::new(&puzzle.puzzle, objective).ok()))
    }

    fn start(&self) -> Self::State {
        self.standing_for(self.puzzle.start())
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        if self.walks_are_free() {
            self.puzzle.is_solved_class(state, self.objective)
        } else {
            self.puzzle.is_goal(state)
        }
    }

    fn expand(&mut self, state: &Self::State, successors: &mut Vec<(Self::State, Cost)>) {
        let steps = if self.walks_are_free() {
            self.puzzle.departures(state, self.objective)
        } else {
            let steps = self.puzzle.moves(state).into_iter();
            steps.filter_map(|mv| self.puzzle.step(state, mv).ok()).collect()
        };
        successors.extend(steps.into_iter().map(|stepped| {
            let cost = Cost::of(self.objective, stepped.tally);
            (self.standing_for(stepped.state), cost)
        }));
    }

    fn bound(&mut self, state: &Self::State) -> Option<Cost> {
        let Some(game) = &mut self.game else { return Some(Cost::ZERO) };
        match game.pack(&state.position) {
            Some(packed) => game.bound(&packed),
            None => Some(Cost::ZERO),
        }
    }

    fn is_dead(&mut self, state: &Self::State) -> bool {
        let Some(game) = &mut self.game else { return false };
        game.pack(&state.position).is_some_and(|packed| game.is_dead(&packed))
    }

    fn pack(&self, state: &Self::State) -> Option<Self::State> {
        Some(self.standing_for(state.clone()))
    }

    fn unpack(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    fn met_unknown_move(&self) -> bool {
        self.puzzle.met_unknown_move()
    }

    fn plan(&mut self, path: &[Self::State]) -> Vec<<Self::Puzzle as Moves>::Move> {
        let mut state = self.puzzle.start();
        let mut plan = Vec::new();
        for next in path.iter().skip(1) {
            let (moves, reached) = self.way(&state, next).expect("a path follows the edges");
            plan.extend(moves);
            state = reached;
        }
        plan
    }
}

type Way<S> = (Vec<<<S as Space>::Puzzle as Moves>::Move>, ConstrainedPosition<S>);

impl<S: Space> ConstrainedSpace<S> {
    /// The shortest moves of which only the last leaves a class, into that of `next`.
    fn way(&self, from: &ConstrainedPosition<S>, next: &ConstrainedPosition<S>) -> Option<Way<S>> {
        let mut known = vec![from.clone()];
        let mut open: Vec<Way<S>> = vec![(Vec::new(), from.clone())];
        let home = self.standing_for(from.clone());
        while !open.is_empty() {
            let mut further = Vec::new();
            for (moves, state) in open {
                for mv in self.puzzle.moves(&state) {
                    let Ok(stepped) = self.puzzle.step(&state, mv) else { continue };
                    let longer: Vec<_> = moves.iter().copied().chain([mv]).collect();
                    let class = self.standing_for(stepped.state.clone());
                    if class == *next {
                        return Some((longer, stepped.state));
                    }
                    if self.walks_are_free() && class == home && !known.contains(&stepped.state) {
                        known.push(stepped.state.clone());
                        further.push((longer, stepped.state));
                    }
                }
            }
            open = further;
        }
        None
    }
}
