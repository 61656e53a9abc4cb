//! Games in which one player walks about on a grid.
//!
//! Where walking is free, it does not matter in which of the cells within reach the player stands:
//! these states are one class (see [`Classes::class`]).

use crate::game_extras::Classes;
use crate::grid::{Cell, Direction};
use crate::moves::{Moves, Successor};
use crate::objective::Objective;
use std::collections::BTreeSet;

/// What walking needs to know of a game.
pub(crate) trait Walks: Moves {
    /// Where the player is.
    fn player(state: &Self::State) -> Cell;

    /// The same state with the player elsewhere.
    fn with_player(state: &Self::State, player: Cell) -> Self::State;

    /// The cell ahead, unless a wall is there.
    fn ahead(&self, cell: Cell, direction: Direction) -> Option<Cell>;

    /// The cells that the player can walk to.
    fn within_reach(&self, state: &Self::State) -> BTreeSet<Cell>;
}

/// The classes of such a game. Where the player stands does not matter for whether it is won.
pub(crate) const fn classes<G: Walks>() -> Classes<G> {
    Classes {
        are_mutual: true,
        class,
        representative,
        departures,
        is_solved: |game, state, _| game.is_goal(state),
    }
}

/// The cells among which the player's place makes no difference.
fn alike<G: Walks>(game: &G, state: &G::State, objective: Objective) -> BTreeSet<Cell> {
    match objective.first() {
        Objective::Moves => BTreeSet::from([G::player(state)]),
        _ => game.within_reach(state),
    }
}

fn class<G: Walks>(game: &G, state: &G::State, objective: Objective) -> Vec<G::State> {
    let cells = alike(game, state, objective).into_iter();
    cells.map(|player| G::with_player(state, player)).collect()
}

fn representative<G: Walks>(game: &G, state: &G::State, objective: Objective) -> G::State {
    let first = alike(game, state, objective).first().copied();
    G::with_player(state, first.unwrap_or(G::player(state)))
}

/// Only from cells at the edge of what can be reached is anything possible
/// but walking.
fn departures<G: Walks>(
    game: &G,
    state: &G::State,
    objective: Objective,
) -> Vec<Successor<G::State>> {
    let reach = alike(game, state, objective);
    let mut found = Vec::new();
    for &cell in &reach {
        let mut near = Direction::ALL.into_iter().filter_map(|d| game.ahead(cell, d));
        if near.all(|cell| reach.contains(&cell)) {
            continue;
        }
        let from = G::with_player(state, cell);
        let stepped = game.moves(&from).into_iter().filter_map(|mv| game.step(&from, mv).ok());
        let departs = |it: &Successor<G::State>| {
            it.tally.pushes > 0 || !reach.contains(&G::player(&it.state))
        };
        found.extend(stepped.filter(departs));
    }
    found
}
