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

    /// Boxes on goals outside the floor: nobody can reach them, they stay.
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
#[derive(Clone, Debug)]
pub struct Sides {
    /// For a cell that splits the floor: the side of every other cell; else empty.
    sides: Vec<Vec<u8>>,
    /// The first slot of each cell, and the number of slots at the end.
    first: Vec<Slot>,
}

impl Sides {
    /// The sides of a floor.
    pub fn new(floor: &Floor) -> Self {
        let mut sides = Vec::with_capacity(floor.len());
        let mut first = vec![0];
        for spot in 0..floor.len() {
            let (table, count) = sides_of(floor, spot);
            sides.push(table);
            first.push(first[spot] + count);
        }
        Self { sides, first }
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
    pub fn table(&self, at: Spot) -> &[u8] {
        &self.sides[at]
    }

    /// The slot of a box when the player is somewhere else on the floor.
    pub fn slot(&self, at: Spot, player: Spot) -> Slot {
        debug_assert_ne!(at, player, "box and player on one cell");
        let side = self.sides[at].get(player).copied().unwrap_or(0);
        self.first[at] + usize::from(side)
    }

    /// The cell of a slot.
    pub fn spot(&self, slot: Slot) -> Spot {
        self.first.partition_point(|&first| first <= slot) - 1
    }
}

/// The side of every cell as seen from one, empty if there is one side only; and how many sides
/// there are (one at least, so that every cell has a slot).
fn sides_of(floor: &Floor, spot: Spot) -> (Vec<u8>, usize) {
    let around: Vec<Spot> = floor.around(spot).collect();
    let mut table = vec![0; floor.len()];
    let mut count = 0;
    for &next in &around {
        if table[next] == 0 {
            count += 1;
            let reached = floor.flood(next, |other| other == spot);
            for (side, _) in table.iter_mut().zip(reached).filter(|(_, reached)| *reached) {
                *side = count;
            }
        }
    }
    if count <= 1 {
        return (Vec::new(), 1);
    }
    // Counted from 1 above, so that 0 could mean "not yet".
    (table.into_iter().map(|side: u8| side.saturating_sub(1)).collect(), usize::from(count))
}
