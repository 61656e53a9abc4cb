//! The floor as a graph, and what a single box can do on it.

use crate::floor::FloorGraph;
use std::collections::VecDeque;
use std::ops::Deref;
use unstuck_puzzles::grid::Cell;
use unstuck_puzzles::sokoban::Sokoban;

pub use crate::floor::Spot;

/// The part of a level in which something can happen: the cells that the player could reach if
/// there were no boxes. Boxes and goals outside are scenery.
#[derive(Clone, Debug)]
pub struct Floor {
    graph: FloorGraph<Cell>,
    boxes: Vec<Spot>,
    goals: Vec<Spot>,
    is_goal: Vec<bool>,
    player: Spot,
    odd: Vec<bool>,
    scenery: Vec<Cell>,
}

impl Deref for Floor {
    type Target = FloorGraph<Cell>;

    fn deref(&self) -> &FloorGraph<Cell> {
        &self.graph
    }
}

impl Floor {
    /// The floor of a level.
    pub fn new(puzzle: &Sokoban) -> Self {
        let grid = puzzle.grid();
        let inside: Vec<Cell> = grid.cells().filter(|&cell| puzzle.is_inside(cell)).collect();
        let next = |cell, direction| grid.next(cell, direction);
        let graph = FloorGraph::new(&inside, next, |cell| grid.place(cell));
        let spot = |&cell: &Cell| graph.spot(cell);
        let goals: Vec<Spot> = puzzle.goals().iter().filter_map(spot).collect();
        let mut is_goal = vec![false; inside.len()];
        goals.iter().for_each(|&goal| is_goal[goal] = true);
        Self {
            boxes: puzzle.boxes().iter().filter_map(spot).collect(),
            scenery: puzzle.boxes().iter().copied().filter(|at| spot(at).is_none()).collect(),
            player: spot(&puzzle.player()).expect("the player is where it can walk"),
            odd: graph.places().iter().map(|place| place.is_odd()).collect(),
            graph,
            goals,
            is_goal,
        }
    }

    /// Where the boxes stand at the start, in increasing order.
    pub fn boxes(&self) -> &[Spot] {
        &self.boxes
    }

    /// The goals, in increasing order.
    pub fn goals(&self) -> &[Spot] {
        &self.goals
    }

    /// Whether a spot is a goal.
    pub fn is_goal(&self, spot: Spot) -> bool {
        self.is_goal[spot]
    }

    /// Where the player stands at the start.
    pub fn player(&self) -> Spot {
        self.player
    }

    /// Whether row and column of a spot have an odd sum: its colour on a chessboard.
    pub fn is_odd(&self, spot: Spot) -> bool {
        self.odd[spot]
    }

    /// Boxes on goals outside the floor: they cannot be reached and stay.
    pub fn scenery(&self) -> &[Cell] {
        &self.scenery
    }

    /// Steps of the shortest walk to each spot past the blocked ones.
    pub fn steps(&self, from: Spot, blocked: impl Fn(Spot) -> bool) -> Vec<Option<u32>> {
        let mut steps = vec![None; self.len()];
        steps[from] = Some(0);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((spot, walked)) = queue.pop_front() {
            for next in self.around(spot) {
                if steps[next].is_none() && !blocked(next) {
                    steps[next] = Some(walked + 1);
                    queue.push_back((next, walked + 1));
                }
            }
        }
        steps
    }

    /// The spots that can be walked to from `from` past the blocked ones, `from` included.
    pub fn flood(&self, from: Spot, blocked: impl Fn(Spot) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        reached[from] = true;
        let mut open = vec![from];
        while let Some(spot) = open.pop() {
            for next in self.around(spot) {
                if !reached[next] && !blocked(next) {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        reached
    }
}

/// A box's cell together with the side of it on which the player is.
///
/// The sides of a cell are the components of the floor without it. As long as the box is not
/// pushed, the player cannot change sides; so for one box alone the slot is all that matters.
pub type Slot = usize;

/// The sides of all cells, and the slots numbered through.
///
/// Found by one depth-first walk over the floor (Hopcroft, Tarjan, "Algorithm 447: efficient
/// algorithms for graph manipulation", 1973): a subtree of the walk is cut off by its root's parent
/// when nothing in it is next to anything before that parent. Cells are numbered as the walk meets
/// them, so a subtree is a range of numbers, and time and memory stay linear on any floor.
#[derive(Clone, Debug)]
pub struct Sides {
    /// For each cell its number in the walk.
    numbers: Vec<u32>,
    /// For each cell the ranges of numbers that it cuts off, with their sides; and the side of all
    /// other cells.
    parts: Vec<Parts>,
    /// The first slot of each cell, and the number of slots at the end.
    first: Vec<Slot>,
}

/// What the floor falls into without one of its cells.
#[derive(Clone, Debug, Default)]
struct Parts {
    cut_off: Vec<(u32, u32, u8)>,
    rest: u8,
}

impl Parts {
    fn side(&self, number: u32) -> u8 {
        let within = |&&(from, to, _): &&(u32, u32, u8)| (from..to).contains(&number);
        self.cut_off.iter().find(within).map_or(self.rest, |&(.., side)| side)
    }
}

impl Sides {
    /// The sides of a floor.
    pub fn new(floor: &Floor) -> Self {
        let (numbers, mut parts) = walk(floor);
        let mut first = vec![0];
        for (spot, parts) in parts.iter_mut().enumerate() {
            // Sides are counted in the order in which the neighbours meet them.
            let met: Vec<u8> = floor.around(spot).map(|next| parts.side(numbers[next])).collect();
            let mut order: Vec<u8> = Vec::new();
            met.into_iter().for_each(|side| {
                if !order.contains(&side) {
                    order.push(side);
                }
            });
            let place = |side: u8| order.iter().position(|&other| other == side).unwrap_or(0) as u8;
            parts.rest = place(parts.rest);
            parts.cut_off.iter_mut().for_each(|(.., side)| *side = place(*side));
            if order.len() <= 1 {
                *parts = Parts::default();
            }
            // One at least, so that every cell has a slot.
            first.push(first[spot] + order.len().max(1));
        }
        Self { numbers, parts, first }
    }

    /// Number of slots of all cells.
    pub fn slots(&self) -> usize {
        self.first[self.first.len() - 1]
    }

    /// The slots of one cell.
    pub fn of(&self, spot: Spot) -> std::ops::Range<Slot> {
        self.first[spot]..self.first[spot + 1]
    }

    /// The side of every other cell as seen from one, counted from 0; empty where there is one side
    /// only.
    pub fn table(&self, at: Spot) -> Vec<u8> {
        let parts = &self.parts[at];
        if parts.cut_off.is_empty() {
            return Vec::new();
        }
        self.numbers.iter().map(|&number| parts.side(number)).collect()
    }

    /// The slot of a box when the player is somewhere else on the floor.
    pub fn slot(&self, at: Spot, player: Spot) -> Slot {
        debug_assert_ne!(at, player, "box and player on one cell");
        self.first[at] + usize::from(self.parts[at].side(self.numbers[player]))
    }

    /// The cell of a slot.
    pub fn spot(&self, slot: Slot) -> Spot {
        self.first.partition_point(|&first| first <= slot) - 1
    }
}

/// Numbers the cells in the order of a depth-first walk, and finds for each what it cuts off, with
/// sides counted from 1; the rest has side 0.
fn walk(floor: &Floor) -> (Vec<u32>, Vec<Parts>) {
    const UNSEEN: u32 = u32::MAX;
    let mut numbers = vec![UNSEEN; floor.len()];
    let mut parts = vec![Parts::default(); floor.len()];
    // The least number that a neighbour of the subtree has.
    let mut low = vec![UNSEEN; floor.len()];
    let mut next_number = 0;
    for root in 0..floor.len() {
        if numbers[root] != UNSEEN {
            continue;
        }
        let mut path: Vec<(Spot, Vec<Spot>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(spot) = enter.take() {
                (numbers[spot], low[spot]) = (next_number, next_number);
                next_number += 1;
                path.push((spot, floor.around(spot).collect()));
            }
            let Some((spot, left)) = path.last_mut() else { break };
            let spot = *spot;
            if let Some(other) = left.pop() {
                if numbers[other] == UNSEEN {
                    enter = Some(other);
                } else {
                    low[spot] = low[spot].min(numbers[other]);
                }
                continue;
            }
            path.pop();
            let Some(&(parent, _)) = path.last() else { break };
            low[parent] = low[parent].min(low[spot]);
            if low[spot] >= numbers[parent] {
                let cut_off = &mut parts[parent].cut_off;
                cut_off.push((numbers[spot], next_number, cut_off.len() as u8 + 1));
            }
        }
    }
    (numbers, parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck_puzzles::Puzzle;

    /// Floods for each cell, as plainly as can be.
    fn sides_by_flood(floor: &Floor, spot: Spot) -> (Vec<u8>, usize) {
        let mut table = vec![0; floor.len()];
        let mut count = 0;
        for next in floor.around(spot) {
            if table[next] == 0 {
                count += 1;
                let reached = floor.flood(next, |other| other == spot);
                for (side, _) in table.iter_mut().zip(reached).filter(|(_, reached)| *reached) {
                    *side = count;
                }
            }
        }
        (table.into_iter().map(|side: u8| side.saturating_sub(1)).collect(), usize::from(count))
    }

    #[test]
    fn sides_are_those_that_floods_find() {
        let mut split = 0;
        for seed in 0..300 {
            let floor = Floor::new(&Sokoban::sample(seed));
            let sides = Sides::new(&floor);
            for at in 0..floor.len() {
                let (table, count) = sides_by_flood(&floor, at);
                assert_eq!(sides.of(at).len(), count.max(1), "seed {seed}, cell {at}");
                split += usize::from(count > 1);
                for player in (0..floor.len()).filter(|&player| player != at) {
                    let expected = sides.of(at).start + usize::from(table[player]);
                    assert_eq!(sides.slot(at, player), expected, "seed {seed}: {at}, {player}");
                }
            }
        }
        assert!(split > 300, "only {split} cells split a floor");
    }
}
