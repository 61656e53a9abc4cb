//! The fast replay: one array of cells, every instruction in time linear in what it pushes.
//!
//! [`super::rules`] says the same in a simpler and slower way; the two are tested against each
//! other.

use super::Warehouse;
use super::board::{Cell, Instructions, Layout, State, WideBox};
use crate::grid::Direction;
use crate::objective::Tally;

/// A cell with nothing in it.
const FREE: u32 = u32::MAX;
/// A cell of wall.
const WALL: u32 = u32::MAX - 1;

/// What an instruction did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionEffect {
    /// Nothing: a wall stood in the way of the robot or of something that it would have pushed.
    Blocked,
    /// The robot moved.
    Walked,
    /// The robot moved and pushed.
    Pushed,
}

/// A position that obeys instructions in place.
#[derive(Clone, Debug)]
pub struct FastState<'a> {
    layout: &'a Layout,
    /// Cells in a row with the wall that ends it, so that a row's end borders on wall.
    stride: usize,
    /// For each cell [`FREE`], [`WALL`] or the number of the box on it; with a row of wall above
    /// and below.
    cells: Vec<u32>,
    /// Left cell and width of each box, as indices into `cells`.
    boxes: Vec<(usize, usize)>,
    robot: usize,
    /// The boxes of the push at hand; kept to save allocations.
    pushed: Vec<u32>,
    tally: Tally,
}

impl<'a> FastState<'a> {
    /// The start of a warehouse.
    pub fn new(warehouse: &'a Warehouse) -> Self {
        Self::at(warehouse.layout(), &warehouse.start)
    }

    pub(super) fn at(layout: &'a Layout, state: &State) -> Self {
        let stride = layout.width() + 1;
        let mut cells = vec![WALL; stride * (layout.height() + 2)];
        let index = |cell: Cell| {
            let (row, column) = layout.place(cell);
            (row + 1) * stride + column
        };
        for cell in layout.floor() {
            cells[index(cell)] = FREE;
        }
        let boxes: Vec<_> =
            state.boxes.iter().map(|wide| (index(wide.left), wide.width as usize)).collect();
        for (number, &(left, width)) in (0..).zip(&boxes) {
            cells[left..left + width].fill(number);
        }
        let robot = index(state.robot);
        Self { layout, stride, cells, boxes, robot, pushed: Vec::new(), tally: Tally::default() }
    }

    /// Obeys one instruction. A set of boxes moves as a whole or not at all.
    pub fn obey(&mut self, direction: Direction) -> InstructionEffect {
        self.tally.moves += 1;
        let ahead = self.shifted(self.robot, direction);
        let met = self.cells[ahead];
        let effect = match met {
            FREE => InstructionEffect::Walked,
            WALL => InstructionEffect::Blocked,
            _ if self.gather(met, direction) => {
                self.shift_gathered(direction);
                self.tally.pushes += 1;
                InstructionEffect::Pushed
            }
            _ => InstructionEffect::Blocked,
        };
        if effect != InstructionEffect::Blocked {
            self.robot = ahead;
        }
        effect
    }

    /// Obeys a list of instructions.
    pub fn obey_all(&mut self, instructions: &Instructions) {
        for &direction in &instructions.0 {
            self.obey(direction);
        }
    }

    /// Instructions and pushes so far; blocked instructions count as moves.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The sum over all boxes of 100 times the row plus the column of the left cell.
    pub fn score(&self) -> u64 {
        self.boxes.iter().map(|&(left, _)| self.layout.worth(self.cell(left))).sum()
    }

    /// The position.
    pub fn state(&self) -> State {
        let boxes = self.boxes.iter();
        let mut boxes: Vec<_> = boxes
            .map(|&(left, width)| WideBox { left: self.cell(left), width: width as u32 })
            .collect();
        boxes.sort_unstable();
        State { robot: self.cell(self.robot), boxes }
    }

    fn cell(&self, index: usize) -> Cell {
        let (row, column) = (index / self.stride - 1, index % self.stride);
        Cell((row * self.layout.width() + column) as u32)
    }

    fn shifted(&self, index: usize, direction: Direction) -> usize {
        match direction {
            Direction::Up => index - self.stride,
            Direction::Left => index - 1,
            Direction::Down => index + self.stride,
            Direction::Right => index + 1,
        }
    }

    /// Collects in `pushed` every box that moves when the box `first` is pushed; false when one of
    /// them meets a wall.
    ///
    /// Boxes are found line by line away from the robot, and in each line from left to right, so
    /// a box that two others push is the last of the list when it is found again.
    fn gather(&mut self, first: u32, direction: Direction) -> bool {
        self.pushed.clear();
        self.pushed.push(first);
        let mut next = 0;
        while let Some(&number) = self.pushed.get(next) {
            next += 1;
            let (left, width) = self.boxes[number as usize];
            let front = match direction {
                Direction::Up => left - self.stride..left - self.stride + width,
                Direction::Left => left - 1..left,
                Direction::Down => left + self.stride..left + self.stride + width,
                Direction::Right => left + width..left + width + 1,
            };
            for &met in &self.cells[front] {
                match met {
                    FREE => {}
                    WALL => return false,
                    other if self.pushed.last() == Some(&other) => {}
                    other => self.pushed.push(other),
                }
            }
        }
        true
    }

    /// Moves the gathered boxes, the farthest first, each into cells that are free by then.
    fn shift_gathered(&mut self, direction: Direction) {
        for &number in self.pushed.iter().rev() {
            let (left, width) = self.boxes[number as usize];
            let to = self.shifted(left, direction);
            self.cells[left..left + width].fill(FREE);
            self.cells[to..to + width].fill(number);
            self.boxes[number as usize].0 = to;
        }
    }
}
