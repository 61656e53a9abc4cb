//! How many moves are left from every state of a small level, by retrograde analysis: from the solved
//! states back, a move at a time.
//!
//! All places of the player beside the same boxes are looked at together, as bits of the grid. So the
//! table of a level of Boxoban takes some ten milliseconds, which is less than searches from a few
//! hundred of its positions do; and it knows all that are lost.

use super::bit_floor::BitFloor;
use crate::bit_set::BitSet;
use crate::sokoban::bounds::Bounds;
use crate::sokoban::graph::Spot;
use itertools::Itertools;
use unstuck_puzzles::grid::Direction;

/// The most states of a table, of two bytes each.
const MAX_STATES: usize = 1 << 23;

/// Stands for a state from which no moves lead to the end.
const LOST: u16 = u16::MAX;

/// Sets of so many boxes on the spots from which one alone can come to a goal, numbered from 0: by
/// the sum of binomial coefficients, of the spot's place in their list over the place of the box in
/// the set (the combinatorial number system).
#[derive(Clone, Debug)]
struct BoxSets {
    /// By spot its place in the list.
    places: Vec<Option<usize>>,
    /// What a box adds to the number, by its place in the set and its spot's in the list.
    summands: Vec<Vec<usize>>,
    count: usize,
}

impl BoxSets {
    /// The sets of a level; `None` where there are more than `most`.
    fn new(bounds: &Bounds, most: usize) -> Option<Self> {
        let boxes = bounds.floor().boxes().len();
        let mut live = 0;
        let place = |spot| {
            let is_live = !bounds.is_dead_spot(spot);
            live += usize::from(is_live);
            is_live.then(|| live - 1)
        };
        let places = bounds.floor().spots().map(place).collect();
        // Pascal's triangle: of how many things in how many ways some are chosen.
        let mut chosen = vec![1; live + 1];
        let mut summands = Vec::new();
        for _ in 0..boxes {
            let sums = chosen.iter().scan(0usize, |sum, &next| {
                let before = *sum;
                *sum = sum.saturating_add(next);
                Some(before)
            });
            chosen = sums.collect();
            summands.push(chosen.clone());
        }
        let count = chosen[live];
        (count <= most).then_some(Self { places, summands, count })
    }

    /// The number of a set of spots in increasing order; `None` where one of them is dead.
    #[inline]
    fn number(&self, boxes: impl Iterator<Item = Spot>) -> Option<usize> {
        let mut boxes = boxes.zip(&self.summands);
        boxes.try_fold(0, |sum, (spot, summands)| Some(sum + summands[self.places[spot]?]))
    }
}

/// The table.
#[derive(Clone, Debug)]
pub(in crate::sokoban) struct MovesLeft {
    sets: BoxSets,
    spots: usize,
    /// By the number of the set of boxes, and then by the spot of the player.
    left: Vec<u16>,
}

impl MovesLeft {
    /// The table of a level; `None` where it has more than `most` states or is too large a board, or
    /// is not `wanted` any more.
    pub(in crate::sokoban) fn new(
        bounds: &Bounds,
        most: usize,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let spots = bounds.floor().len();
        let sets = BoxSets::new(bounds, most.min(MAX_STATES) / spots)?;
        let left = vec![LOST; sets.count * spots];
        let mut table = Self { sets, spots, left };
        let filled = match BitFloor::<2>::new(bounds.floor()) {
            Ok(floor) => table.fill(bounds, &floor, wanted),
            Err(_) => table.fill(bounds, &BitFloor::<4>::new(bounds.floor()).ok()?, wanted),
        };
        filled.then_some(table)
    }

    /// Moves from a state with boxes on these spots, in increasing order; `None` where it is lost.
    #[inline]
    pub(in crate::sokoban) fn get(
        &self,
        boxes: impl Iterator<Item = Spot>,
        player: Spot,
    ) -> Option<u16> {
        let left = self.left[self.sets.number(boxes)? * self.spots + player];
        (left != LOST).then_some(left)
    }

    /// Looks at the states layer by layer: those from which one move less leads to the end first.
    fn fill<const W: usize>(
        &mut self,
        bounds: &Bounds,
        floor: &BitFloor<W>,
        wanted: &mut dyn FnMut() -> bool,
    ) -> bool {
        let Self { sets, spots, left } = self;
        let is_live = |spot: &Spot| sets.places[*spot].is_some();
        let live: BitSet<W> =
            bounds.floor().spots().filter(is_live).map(|spot| floor.bit(spot)).collect();
        let number = |boxes: &BitSet<W>| {
            let number = sets.number(boxes.iter().map(|bit| floor.spot(bit)));
            number.expect("boxes are on live spots")
        };
        let around = |cells: &BitSet<W>| {
            let ahead = Direction::ALL.map(|direction| floor.ahead(cells, direction));
            ahead.iter().fold(BitSet::EMPTY, |all, some| all.or(some))
        };
        // Where the player has been beside each set of boxes, and where it is in the next layer.
        let mut seen = vec![BitSet::<W>::EMPTY; sets.count];
        let mut next = seen.clone();
        let goals = bounds.floor().goals().iter().filter(|spot| is_live(spot));
        let ends = goals.map(|&spot| floor.bit(spot)).combinations(bounds.floor().boxes().len());
        let end = |bits: Vec<usize>| {
            let boxes: BitSet<W> = bits.into_iter().collect();
            (number(&boxes), boxes, floor.without(&boxes))
        };
        let mut layer: Vec<(usize, BitSet<W>, BitSet<W>)> = ends.map(end).collect();
        for moves in 0..LOST {
            let mut later = Vec::new();
            let mut add = |set: usize, boxes, players: BitSet<W>, seen: &[BitSet<W>]| {
                let players = players.minus(&seen[set]);
                if !players.is_empty() {
                    if next[set].is_empty() {
                        later.push((set, boxes));
                    }
                    next[set] = next[set].or(&players);
                }
            };
            for (set, boxes, players) in layer.drain(..) {
                if !wanted() {
                    return false;
                }
                // Another set may have come to these since they were noted.
                let players = players.minus(&seen[set]);
                seen[set] = seen[set].or(&players);
                players.iter().for_each(|bit| left[set * *spots + floor.spot(bit)] = moves);
                let free = floor.without(&boxes);
                add(set, boxes, around(&players).and(&free), &seen);
                // Who has just pushed stands where the box was, and came from the free cell behind.
                for direction in Direction::ALL {
                    let pulled = floor.ahead(&boxes, direction.opposite());
                    let pulled = pulled.and(&floor.ahead(&free, direction));
                    for to in players.and(&live).and(&pulled).iter() {
                        let from = floor.next(to, direction);
                        let player = floor.next(to, direction.opposite());
                        let boxes = boxes.without(from).with(to);
                        add(number(&boxes), boxes, BitSet::EMPTY.with(player), &seen);
                    }
                }
            }
            if later.is_empty() {
                return true;
            }
            let noted =
                |(set, boxes)| (set, boxes, std::mem::replace(&mut next[set], BitSet::EMPTY));
            layer.extend(later.into_iter().map(noted));
        }
        // So long ways do not fit.
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use unstuck_puzzles::sokoban::{Sokoban, State};
    use unstuck_puzzles::{Moves, Options, Puzzle};

    /// What is left from a state is nothing at the end, else a move and the least that is left after
    /// one: by the rules, from all states that the start leads to. Nothing else has this property.
    #[test]
    fn a_state_needs_a_move_more_than_the_best_after_it() {
        let (mut boards, mut solvable, mut lost) = (0, 0, 0);
        for seed in 0..300 {
            let puzzle = Sokoban::sample(seed);
            let bounds = Bounds::new(&puzzle);
            let table = MovesLeft::new(&bounds, usize::MAX, &mut || true).expect("it is small");
            let floor = bounds.floor();
            let left = |state: &State| {
                let boxes = state.boxes.iter().filter_map(|&cell| floor.spot(cell));
                table.get(boxes, floor.spot(state.player).expect("where it can walk"))
            };
            let mut open = vec![puzzle.start()];
            let mut known: HashSet<State> = open.iter().cloned().collect();
            while let Some(state) = open.pop().filter(|_| known.len() < 4_000) {
                let steps = Direction::ALL.map(|step| puzzle.step(&state, step));
                let after: Vec<State> = steps.into_iter().flatten().map(|it| it.state).collect();
                let best = after.iter().filter_map(left).min();
                let expected = if puzzle.is_goal(&state) { Some(0) } else { best.map(|it| it + 1) };
                assert_eq!(left(&state), expected, "seed {seed}: {state:?}");
                solvable += u32::from(expected.is_some());
                lost += u32::from(expected.is_none());
                open.extend(after.into_iter().filter(|it| known.insert(it.clone())));
            }
            boards += u32::from(open.is_empty());
        }
        assert!(boards > 200 && solvable > 10_000 && lost > 50_000, "{boards} {solvable} {lost}");
    }

    #[test]
    fn there_is_no_table_of_too_many_states() {
        let text = "#######\n#@ $ .#\n#######\n";
        let level = Sokoban::read(text, &Options::default()).expect("a level").remove(0);
        let bounds = Bounds::new(&level.puzzle.expect("a level"));
        let table = MovesLeft::new(&bounds, usize::MAX, &mut || true).expect("it is small");
        let states = table.left.len();
        assert!(MovesLeft::new(&bounds, states, &mut || true).is_some());
        assert!(MovesLeft::new(&bounds, states - 1, &mut || true).is_none());
        assert!(MovesLeft::new(&bounds, states, &mut || false).is_none());
    }
}
