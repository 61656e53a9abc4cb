//! Sokoban from its end: boxes on goals are pulled back to where they stood.
//!
//! Every state that pulls reach can be solved, so there is no deadlock to recognise: where levels
//! are small and dense, that makes this the easier end. What pulls can reach beside that are states
//! to which the start does not lead; of these only boxes on cells that no box of the start can come
//! to are pruned.

mod bit_floor;
pub(super) mod moves_left;

use super::bounds::Bounds;
use super::walker::Walker;
use crate::bit_set::BitSet;
use crate::cost::Cost;
use crate::space::{PackingError, Space};
use bit_floor::BitFloor;
use itertools::Itertools;
use unstuck_puzzles::grid::{Cell, Direction};
use unstuck_puzzles::sokoban::{Sokoban, State};
use unstuck_puzzles::{Objective, Tally};

/// Boxes, and the least cell that the player can walk to, as bits of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PulledState<const W: usize> {
    boxes: BitSet<W>,
    player: u16,
}

/// The most cells of a level where lengths count: on larger ones A* from the start shows more. Where
/// there are many boxes, more than one in five cells, it shows little, and the limit is higher.
const MAX_COUNTED_CELLS: usize = 80;
const MAX_DENSE_CELLS: usize = 90;

/// The most ways to put the boxes on the goals that are looked back from.
const MAX_ENDS: usize = 100_000;

/// The state space of a level from its end, in rows that together have at most `64 * W` cells.
///
/// It begins in every position with all boxes on goals, and its goal is where the level begins. An
/// edge is a pull together with the walk to it.
#[derive(Clone, Debug)]
pub struct SokobanPulls<const W: usize> {
    bounds: Bounds,
    objective: Objective,
    floor: BitFloor<W>,
    /// Cells that some box of the start, alone, can come to.
    live: BitSet<W>,
    /// Least pushes that bring a box of the start, alone, to a cell, by its bit.
    nearest: Vec<u32>,
    /// Where the level begins.
    begun: PulledState<W>,
}

impl<const W: usize> SokobanPulls<W> {
    /// The goals that a box can come to.
    fn goals(&self) -> Vec<usize> {
        let goals = self.bounds.floor().goals().iter().map(|&goal| self.floor.bit(goal));
        goals.filter(|&goal| self.live.has(goal)).collect()
    }

    /// The state of boxes with the player on a cell.
    #[inline]
    fn state(&self, boxes: BitSet<W>, player: usize) -> PulledState<W> {
        let reached = self.floor.flood(player, &self.floor.without(&boxes));
        PulledState { boxes, player: reached.first().unwrap_or(player) as u16 }
    }

    /// The states of boxes, one for each part of the floor that the player can be in.
    fn parts(&self, boxes: BitSet<W>) -> Vec<PulledState<W>> {
        let mut parts = Vec::new();
        let mut left = self.floor.without(&boxes);
        while let Some(player) = left.first() {
            parts.push(PulledState { boxes, player: player as u16 });
            left = left.minus(&self.floor.flood(player, &left));
        }
        parts
    }
}

impl<const W: usize> Space for SokobanPulls<W> {
    type Puzzle = Sokoban;
    type State = PulledState<W>;
    const BOUND: Option<&'static str> = Some("nearest-start");

    fn new(puzzle: &Sokoban, objective: Objective) -> Result<Self, PackingError> {
        let bounds = Bounds::new(puzzle);
        let cells = bounds.floor().len();
        let is_dense = 5 * bounds.floor().boxes().len() > cells;
        let most = if is_dense { MAX_DENSE_CELLS } else { MAX_COUNTED_CELLS };
        if objective != Objective::Any && cells > most {
            return Err(PackingError(format!("{cells} cells, more than {most}")));
        }
        let floor = BitFloor::new(bounds.floor())?;
        let mut nearest = vec![u32::MAX; BitSet::<W>::CAPACITY];
        for spot in bounds.floor().spots() {
            let slots = bounds.sides().of(spot).map(|slot| bounds.earliest(slot));
            nearest[floor.bit(spot)] = slots.min().unwrap_or(u32::MAX);
        }
        let live = (0..nearest.len()).filter(|&bit| nearest[bit] < u32::MAX).collect();
        let begun = PulledState { boxes: BitSet::EMPTY, player: 0 };
        let mut space = Self { bounds, objective, floor, live, nearest, begun };
        let at = space.bounds.floor();
        let boxes = at.boxes().iter().map(|&spot| space.floor.bit(spot)).collect();
        space.begun = space.state(boxes, space.floor.bit(at.player()));
        let (goals, boxes) = (space.goals().len(), at.boxes().len());
        // Each factor makes a binomial coefficient of the product so far.
        let more = |ends: usize, n| ends.saturating_mul(goals.saturating_sub(n)) / (n + 1);
        if (0..boxes.min(goals.saturating_sub(boxes))).fold(1, more) > MAX_ENDS {
            let message = format!("{boxes} boxes on {goals} goals: more than {MAX_ENDS} ends");
            return Err(PackingError(message));
        }
        Ok(space)
    }

    fn start(&self) -> Self::State {
        self.begun
    }

    fn starts(&self) -> Vec<Self::State> {
        let ends = self.goals().into_iter().combinations(self.begun.boxes.len());
        ends.flat_map(|goals| self.parts(goals.into_iter().collect())).collect()
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        *state == self.begun
    }

    fn expand(&mut self, state: &Self::State, successors: &mut Vec<(Self::State, Cost)>) {
        let PulledState { boxes, player } = *state;
        let reached = self.floor.flood(player.into(), &self.floor.without(&boxes));
        let cost = Cost::of(self.objective, Tally { moves: 1, pushes: 1 });
        for direction in Direction::ALL {
            // The player is ahead of the box, and has a free cell ahead.
            let back = |cells| self.floor.ahead(&cells, direction.opposite());
            let beside = back(reached);
            let pulled = boxes.and(&beside).and(&back(beside)).and(&back(self.live));
            for from in pulled.iter() {
                let to = self.floor.next(from, direction);
                let player = self.floor.next(to, direction);
                successors.push((self.state(boxes.without(from).with(to), player), cost));
            }
        }
    }

    fn bound(&mut self, state: &Self::State) -> Option<Cost> {
        let boxes = state.boxes.iter();
        let pushes = boxes.map(|at| self.nearest[at]).fold(0, u32::saturating_add);
        let tally = Tally { moves: pushes, pushes };
        (pushes < u32::MAX).then(|| Cost::of(self.objective, tally))
    }

    fn pack(&self, state: &State) -> Option<Self::State> {
        let floor = self.bounds.floor();
        let inside = state.boxes.iter().filter_map(|&at| floor.spot(at));
        let boxes = inside.map(|spot| self.floor.bit(spot)).collect();
        Some(self.state(boxes, self.floor.bit(floor.spot(state.player)?)))
    }

    fn unpack(&self, state: &Self::State) -> State {
        let floor = self.bounds.floor();
        let cell = |bit| floor.cell(self.floor.spot(bit));
        let scenery = floor.scenery().iter().copied();
        let mut boxes: Vec<Cell> = state.boxes.iter().map(cell).chain(scenery).collect();
        boxes.sort_unstable();
        State { boxes, player: cell(state.player.into()) }
    }

    fn plan(&mut self, path: &[Self::State]) -> Vec<Direction> {
        let mut walker = Walker::new(self.bounds.floor());
        for pair in path.windows(2).rev() {
            let [to, from] = [[0, 1], [1, 0]].map(|[here, there]| {
                let moved = pair[here].boxes.minus(&pair[there].boxes).first();
                self.floor.spot(moved.expect("every edge pulls one box"))
            });
            let mut pushes = self.bounds.pushes_from(from);
            let push = pushes.find(|push| push.to == to);
            push.and_then(|push| walker.push(push)).expect("a pull undoes a push");
        }
        walker.into_plan()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::SokobanSpace;
    use crate::sokoban::graph::Spot;
    use std::collections::BTreeSet;
    use unstuck_puzzles::{Moves, Puzzle};

    type Small = SokobanPulls<1>;

    fn boards(count: u64) -> impl Iterator<Item = (u64, Sokoban, Small)> {
        (0..count).filter_map(|seed| {
            let puzzle = Sokoban::sample(seed);
            let space = Small::new(&puzzle, Objective::Pushes).ok()?;
            Some((seed, puzzle, space))
        })
    }

    #[test]
    fn bits_flood_as_the_graph_does() {
        let mut cut = 0;
        for (seed, _, space) in boards(300) {
            let floor = space.bounds.floor();
            let reached = floor.flood(floor.player(), |spot| floor.boxes().contains(&spot));
            let player = space.floor.bit(floor.player());
            let bits = space.floor.flood(player, &space.floor.without(&space.begun.boxes));
            let set: BTreeSet<Spot> = bits.iter().map(|bit| space.floor.spot(bit)).collect();
            let expected: BTreeSet<Spot> = floor.spots().filter(|&spot| reached[spot]).collect();
            assert_eq!(set, expected, "seed {seed}");
            cut += u32::from(bits.len() + space.begun.boxes.len() < floor.len());
        }
        assert!(cut > 30, "{cut}");
    }

    /// By all states of small boards: every push is undone by a pull, and by the rules every pull by a
    /// push.
    #[test]
    fn pulls_undo_pushes() {
        let mut undone = 0;
        for (seed, puzzle, mut back) in boards(300) {
            let mut space =
                SokobanSpace::<2>::new(&puzzle, Objective::Pushes).expect("it is small");
            let mut states = vec![space.start()];
            let mut known: BTreeSet<_> = states.iter().copied().collect();
            while let Some(state) = states.pop().filter(|_| known.len() < 400) {
                let mut next = Vec::new();
                space.expand(&state, &mut next);
                let before = back.pack(&space.unpack(&state)).expect("it has all floor");
                for (state, _) in next {
                    let after = back.pack(&space.unpack(&state)).expect("it has all floor");
                    let mut pulled = Vec::new();
                    back.expand(&after, &mut pulled);
                    let pulled: Vec<_> = pulled.into_iter().map(|(state, _)| state).collect();
                    assert!(pulled.contains(&before), "seed {seed}: a push is not undone");
                    assert!(back.bound(&after).is_some(), "seed {seed}: it came from the start");
                    undone += 1;
                    let later = back.unpack(&after);
                    let around = puzzle.reach(&later);
                    for pulled in pulled {
                        let State { boxes, player } = back.unpack(&pulled);
                        let earlier = State { boxes: boxes.clone(), player };
                        let leads = puzzle.reach(&earlier).into_iter().any(|player| {
                            let state = State { boxes: boxes.clone(), player };
                            let steps = Direction::ALL.map(|step| puzzle.step(&state, step));
                            steps.into_iter().flatten().any(|next| {
                                next.state.boxes == later.boxes
                                    && around.contains(&next.state.player)
                            })
                        });
                        assert!(leads, "seed {seed}: what was pulled cannot be pushed back");
                    }
                    if known.insert(state) {
                        states.push(state);
                    }
                }
            }
        }
        assert!(undone > 5_000, "{undone}");
    }

    /// With more goals than boxes there are many ends, and with very many none is looked at.
    #[test]
    fn every_end_is_a_start() {
        let mut several = 0;
        for (seed, puzzle, space) in boards(400) {
            let ends: BTreeSet<Vec<usize>> =
                space.starts().iter().map(|state| state.boxes.iter().collect()).collect();
            for end in &ends {
                assert_eq!(end.len(), puzzle.boxes().len() - space.bounds.floor().scenery().len());
                let on_goal = |&bit: &usize| space.bounds.floor().is_goal(space.floor.spot(bit));
                assert!(end.iter().all(on_goal), "seed {seed}");
            }
            several += u32::from(ends.len() > 1);
        }
        assert!(several > 20, "{several}");
        let row = |middle: &str| format!("#{middle}#\n");
        let wide = [row(&"#".repeat(24)), row(&".".repeat(24)), row("  $ $ $ $ $ $ $ $ $ $ @  ")];
        let text = wide.concat() + &row(&" ".repeat(24)) + &row(&"#".repeat(24));
        let level = Sokoban::read(&text, &unstuck_puzzles::Options::default()).unwrap().remove(0);
        let refused = SokobanPulls::<4>::new(&level.puzzle.unwrap(), Objective::Any).unwrap_err();
        assert!(refused.0.contains("more than 100000 ends"), "{refused}");
    }
}
