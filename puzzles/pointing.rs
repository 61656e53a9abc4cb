//! Moves that a person means who points: "go there", "this one to there".
//!
//! Found by breadth-first search over the rules, so the shortest, in moves.

use crate::moves::Moves;
use crate::objective::Tally;
use crate::pieces::Coord;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// States after which a search gives up: a person who points does not wait.
const MAX_STATES: usize = 200_000;
/// The same where a person has only touched a piece.
const MAX_SHOWN: usize = 20_000;

/// The shortest walk, without pushes, after which the player is at a place; `None` when there is
/// none, or finding it would take long.
pub fn walk<P: Moves>(puzzle: &P, from: &P::State, to: Coord) -> Option<Vec<P::Move>> {
    let arrived = |state: &P::State, (): &()| puzzle.pieces(state).player == to;
    let step =
        |_: &P::State, (): &(), _: &P::State, tally: Tally| (tally.pushes == 0).then_some(());
    search(puzzle, (from.clone(), ()), MAX_STATES, arrived, step)
}

/// The shortest moves that bring the piece on one place to another and move no other piece;
/// `None` when there are none, or finding them would take long.
pub fn drag<P: Moves>(
    puzzle: &P,
    from: &P::State,
    piece: Coord,
    to: Coord,
) -> Option<Vec<P::Move>> {
    let dragged = touched(puzzle, from, piece)?;
    let arrived = |_: &P::State, dragged: &Vec<Coord>| dragged.contains(&to);
    search(puzzle, (from.clone(), dragged), MAX_STATES, arrived, dragging(puzzle))
}

/// The places to which [`drag`] brings a piece, without those where it is; on boards where finding
/// all of them would take long, the nearest.
pub fn reached<P: Moves>(puzzle: &P, from: &P::State, piece: Coord) -> Vec<Coord> {
    let Some(dragged) = touched(puzzle, from, piece) else { return Vec::new() };
    let mut places = BTreeSet::new();
    let collect = |_: &P::State, now: &Vec<Coord>| {
        places.extend(now.iter().copied().filter(|place| !dragged.contains(place)));
        false
    };
    search(puzzle, (from.clone(), dragged.clone()), MAX_SHOWN, collect, dragging(puzzle));
    places.into_iter().collect()
}

/// The piece on a place.
fn touched<P: Moves>(puzzle: &P, state: &P::State, place: Coord) -> Option<Vec<Coord>> {
    puzzle.pieces(state).others.into_iter().find(|piece| piece.contains(&place))
}

/// Where a piece is after a move; `None` after one that moves another piece.
fn dragging<P: Moves>(
    puzzle: &P,
) -> impl Fn(&P::State, &Vec<Coord>, &P::State, Tally) -> Option<Vec<Coord>> {
    move |before, dragged, after, tally| {
        if tally.pushes == 0 {
            return Some(dragged.clone());
        }
        // The only piece that is gone is the dragged one; the only new one is where it is now.
        let (before, after) = (puzzle.pieces(before).others, puzzle.pieces(after).others);
        let mut gone = before.iter().filter(|piece| !after.contains(piece));
        let mut come = after.iter().filter(|piece| !before.contains(piece));
        let moved = gone.next() == Some(dragged) && gone.next().is_none();
        come.next().filter(|_| moved && come.next().is_none()).cloned()
    }
}

/// Breadth-first search over states with something that is tracked along the way; `step` gives
/// what is tracked after a move, or forbids it.
fn search<P: Moves, T: Clone>(
    puzzle: &P,
    begun: (P::State, T),
    most: usize,
    mut arrived: impl FnMut(&P::State, &T) -> bool,
    step: impl Fn(&P::State, &T, &P::State, Tally) -> Option<T>,
) -> Option<Vec<P::Move>> {
    // The state before each state, and the move that led from there.
    let mut from = HashMap::from([(begun.0.clone(), None)]);
    let mut open = VecDeque::from([begun]);
    while let Some((state, tracked)) = open.pop_front() {
        if arrived(&state, &tracked) {
            let mut plan = Vec::new();
            let mut at = state;
            while let Some(Some((before, mv))) = from.remove(&at) {
                plan.push(mv);
                at = before;
            }
            plan.reverse();
            return Some(plan);
        }
        for mv in puzzle.moves(&state) {
            let Ok(stepped) = puzzle.step(&state, mv) else { continue };
            let next = stepped.state;
            if from.contains_key(&next) || from.len() >= most {
                continue;
            }
            if let Some(tracked) = step(&state, &tracked, &next, stepped.tally) {
                from.insert(next.clone(), Some((state.clone(), mv)));
                open.push_back((next, tracked));
            }
        }
    }
    None
}
