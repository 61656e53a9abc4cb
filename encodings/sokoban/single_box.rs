//! How many moves one box needs when it is alone on the floor with the player.
//!
//! Other boxes are only in the way, so nothing of this is ever too much. It is exact for the pair of
//! player and box: every position of both, forwards from the start and backwards from the goals.

use super::graph::{Floor, Spot};
use crate::cnf::Step;
use std::collections::VecDeque;
use unstuck_puzzles::grid::Direction;

/// Floors with more positions of player and box are left alone.
const MAX_POSITIONS: usize = 1 << 20;

/// Marks positions that are not reached.
const UNREACHABLE: u32 = u32::MAX;

/// Moves of one box and the player, by the box's spot and then the player's.
#[derive(Clone, Debug)]
pub(super) struct SingleBoxMoves {
    spots: usize,
    /// Moves until some box of the start can be here and the player there.
    early: Vec<u32>,
    /// Moves from there until the box is on a goal.
    left: Vec<u32>,
}

impl SingleBoxMoves {
    /// The tables of a floor; `None` when they would be too large.
    pub(super) fn new(floor: &Floor) -> Option<Self> {
        let spots = floor.len();
        if spots * spots > MAX_POSITIONS {
            return None;
        }
        let start = floor.boxes().iter().map(|&at| at * spots + floor.player());
        let solved = floor.goals().iter().flat_map(|&goal| {
            (0..spots)
                .filter(move |&player| player != goal)
                .map(move |player| goal * spots + player)
        });
        let early = breadth_first(spots, start, |from, to| forwards(floor, from, to));
        let left = breadth_first(spots, solved, |from, to| backwards(floor, from, to));
        Some(Self { spots, early, left })
    }

    /// The moves that the slowest box needs alone; `None` when it cannot come to any goal.
    pub(super) fn moves(&self, floor: &Floor) -> Option<u32> {
        let start = floor.boxes().iter().map(|&at| self.left[at * self.spots + floor.player()]);
        Some(start.max().unwrap_or(0)).filter(|&moves| moves != UNREACHABLE)
    }

    /// For each layer of a plan of at most `horizon` moves whether a box can be on a spot.
    pub(super) fn window(&self, spot: Spot, horizon: Step) -> Vec<bool> {
        let mut may = vec![false; horizon as usize + 1];
        let row = spot * self.spots..(spot + 1) * self.spots;
        for (&early, &left) in self.early[row.clone()].iter().zip(&self.left[row]) {
            let late = if left == UNREACHABLE { None } else { horizon.checked_sub(left) };
            if let Some(late) = late.filter(|&late| early <= late) {
                may[early as usize..=late as usize].fill(true);
            }
        }
        may
    }
}

/// Moves from the nearest source to every position, by the positions that one move leads to.
fn breadth_first(
    spots: usize,
    sources: impl Iterator<Item = usize>,
    near: impl Fn((Spot, Spot), &mut dyn FnMut((Spot, Spot))),
) -> Vec<u32> {
    let mut moves = vec![UNREACHABLE; spots * spots];
    let mut queue: VecDeque<usize> = VecDeque::new();
    for source in sources {
        moves[source] = 0;
        queue.push_back(source);
    }
    while let Some(position) = queue.pop_front() {
        near((position / spots, position % spots), &mut |(boxed, player)| {
            let next = boxed * spots + player;
            if moves[next] == UNREACHABLE {
                moves[next] = moves[position] + 1;
                queue.push_back(next);
            }
        });
    }
    moves
}

/// Where one move leads.
fn forwards(floor: &Floor, (boxed, player): (Spot, Spot), to: &mut dyn FnMut((Spot, Spot))) {
    for direction in Direction::ALL {
        let Some(next) = floor.ahead(player, direction) else { continue };
        if next != boxed {
            to((boxed, next));
        } else if let Some(pushed) = floor.ahead(boxed, direction) {
            to((pushed, next));
        }
    }
}

/// Where one move can have come from.
fn backwards(floor: &Floor, (boxed, player): (Spot, Spot), to: &mut dyn FnMut((Spot, Spot))) {
    for direction in Direction::ALL {
        let Some(before) = floor.ahead(player, direction.opposite()) else { continue };
        if before != boxed {
            to((boxed, before));
            if floor.ahead(player, direction) == Some(boxed) {
                to((player, before));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::Bounds;
    use unstuck_puzzles::sokoban::Sokoban;
    use unstuck_puzzles::{Options, Puzzle, PuzzleExt};

    #[test]
    fn one_box_turns_a_corner() {
        // Right behind the box, two pushes to the right, round it, one push up.
        let level = "######\n#   .#\n#@$  #\n#    #\n######\n";
        let options = Options::new(Sokoban::OPTIONS, []).expect("defaults");
        let puzzle = Sokoban::parse(level, &options).expect("a level");
        let bounds = Bounds::new(&puzzle);
        let floor = bounds.floor();
        let alone = SingleBoxMoves::new(floor).expect("a small floor");
        assert_eq!(bounds.lower_bound(), Some(3));
        assert_eq!(alone.moves(floor), Some(5));
        let at = floor.boxes()[0];
        assert_eq!(alone.window(at, 4), [false; 5]);
        assert_eq!(alone.window(at, 5)[..2], [true, false]);
        // A detour of two moves may be made at any time.
        assert_eq!(alone.window(at, 7)[..4], [true, true, true, false]);
    }
}
