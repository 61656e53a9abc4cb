//! Moves that a person means who points: "go there", "this one to there".
//!
//! Found by breadth-first search over the rules, so the shortest, in moves.

use crate::moves::Moves;
use crate::puzzle::Tally;
use std::collections::HashMap;
use std::collections::VecDeque;

/// Row and column, from 0.
pub type Place = (usize, usize);

/// What a person sees of a state: where the player is, and the pieces that can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The player's place.
    pub player: Place,
    /// The places that each piece covers, in increasing order.
    pub others: Vec<Vec<Place>>,
}

/// States after which a search gives up: a person who points does not wait.
const MOST: usize = 200_000;

/// The shortest walk, without pushes, after which the player is at a place; `None` when there is
/// none, or finding it would take long.
pub fn walk<P: Moves>(puzzle: &P, from: &P::State, to: Place) -> Option<Vec<P::Move>> {
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
    piece: Place,
    to: Place,
) -> Option<Vec<P::Move>> {
    let covers = |piece: &Vec<Place>, place| piece.contains(&place);
    let others = puzzle.pieces(from).others;
    let dragged = others.into_iter().find(|other| covers(other, piece))?;
    let step = |before: &P::State, dragged: &Vec<Place>, after: &P::State, tally: Tally| {
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
            if from.contains_key(&next) || from.len() >= MOST {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::puzzle::Puzzle;
    use crate::snowman::Snowman;
    use crate::sokoban::Sokoban;
    use crate::sokobond::Sokobond;
    use crate::warehouse::Warehouse;

    fn sokoban(text: &str) -> Sokoban {
        Sokoban::parse(text, &Options::new(Sokoban::OPTIONS, []).expect("defaults"))
            .expect("a level")
    }

    #[test]
    fn a_walk_goes_round_boxes_and_gives_up_behind_them() {
        let level = sokoban("#######\n#@    #\n# $$$ #\n#  .. #\n#    .#\n#######\n");
        let start = level.start();
        let plan = walk(&level, &start, (3, 3)).expect("a way round");
        assert_eq!(plan.len(), 4);
        assert!(walk(&level, &start, (2, 3)).is_none(), "a box stands there");
        let shut = sokoban("#####\n#@$.#\n#####\n");
        assert!(walk(&shut, &shut.start(), (1, 3)).is_none());
    }

    #[test]
    fn a_drag_moves_that_piece_and_no_other() {
        let level = sokoban("########\n#@     #\n# $ $  #\n#   .. #\n#      #\n########\n");
        let plan = drag(&level, &level.start(), (2, 2), (3, 3)).expect("a way");
        let replay = level.replay(&plan);
        let last = level.pieces(replay.states.last().expect("the start at least"));
        assert_eq!(last.others, [vec![(2, 4)], vec![(3, 3)]]);
        assert!(drag(&level, &level.start(), (2, 3), (3, 3)).is_none(), "nothing is there");
    }

    /// Every walk and drag on random boards plays by the rules and does what was asked.
    fn holds<P: Moves>() {
        let mut ways = 0;
        for seed in 0..60 {
            let puzzle = P::sample(seed);
            let start = puzzle.start();
            let pieces = puzzle.pieces(&start);
            for to in (0..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
                if let Some(plan) = walk(&puzzle, &start, to) {
                    let replay = puzzle.replay(&plan);
                    assert_eq!((replay.stop.is_none(), replay.tally.pushes), (true, 0));
                    let last = replay.states.last().expect("the start at least");
                    assert_eq!(puzzle.pieces(last).player, to);
                    ways += 1;
                }
            }
            for piece in pieces.others.iter().filter_map(|piece| piece.first()) {
                for to in [(piece.0 + 1, piece.1), (piece.0, piece.1 + 1)] {
                    let Some(plan) = drag(&puzzle, &start, *piece, to) else { continue };
                    let replay = puzzle.replay(&plan);
                    let last = puzzle.pieces(replay.states.last().expect("the start at least"));
                    assert!(last.others.iter().any(|piece| piece.contains(&to)));
                    let moved =
                        last.others.iter().filter(|piece| !pieces.others.contains(piece)).count();
                    assert!(moved <= 1, "{plan:?}");
                    ways += 1;
                }
            }
        }
        assert!(ways > 60, "hardly a way in {ways}");
    }

    #[test]
    fn ways_do_what_was_asked_in_every_family() {
        holds::<Sokoban>();
        holds::<Sokobond>();
        holds::<Snowman>();
        holds::<Warehouse>();
    }
}
