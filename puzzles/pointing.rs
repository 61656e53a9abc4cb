//! Moves that a person means who points: "go there", "this one to there".
//!
//! Found by breadth-first search over the rules, so the shortest, in moves.

use crate::moves::Moves;
use crate::objective::Tally;
use crate::pieces::Coord;
use std::collections::{HashMap, VecDeque};

/// States after which a search gives up: a person who points does not wait.
const MAX_STATES: usize = 200_000;

/// The shortest walk, without pushes, after which the player is at a place; `None` when there is
/// none, or finding it would take long.
pub fn walk<P: Moves>(puzzle: &P, from: &P::State, to: Coord) -> Option<Vec<P::Move>> {
    let arrived = |state: &P::State, (): &()| puzzle.pieces(state).player == to;
    let step =
        |_: &P::State, (): &(), _: &P::State, tally: Tally| (tally.pushes == 0).then_some(());
    search(puzzle, (from.clone(), ()), arrived, step)
}

/// The shortest moves that bring the piece on one place to another and move no other piece;
/// `None` when there are none, or finding them would take long.
pub fn drag<P: Moves>(
    puzzle: &P,
    from: &P::State,
    piece: Coord,
    to: Coord,
) -> Option<Vec<P::Move>> {
    let covers = |piece: &Vec<Coord>, place| piece.contains(&place);
    let others = puzzle.pieces(from).others;
    let dragged = others.into_iter().find(|other| covers(other, piece))?;
    let step = |before: &P::State, dragged: &Vec<Coord>, after: &P::State, tally: Tally| {
        if tally.pushes == 0 {
            return Some(dragged.clone());
        }
        // The only piece that is gone is the dragged one; the only new one is where it is now.
        let (before, after) = (puzzle.pieces(before).others, puzzle.pieces(after).others);
        let mut gone = before.iter().filter(|piece| !after.contains(piece));
        let mut come = after.iter().filter(|piece| !before.contains(piece));
        let moved = gone.next() == Some(dragged) && gone.next().is_none();
        come.next().filter(|_| moved && come.next().is_none()).cloned()
    };
    let begun = (from.clone(), dragged);
    search(puzzle, begun, |_, dragged| covers(dragged, to), step)
}

/// Breadth-first search over states with something that is tracked along the way; `step` gives
/// what is tracked after a move, or forbids it.
fn search<P: Moves, T: Clone>(
    puzzle: &P,
    begun: (P::State, T),
    arrived: impl Fn(&P::State, &T) -> bool,
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
            if from.contains_key(&next) || from.len() >= MAX_STATES {
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
