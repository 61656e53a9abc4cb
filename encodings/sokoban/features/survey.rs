//! Connected cells: floods, and what removing one cell separates.

use super::field::{Field, NO_CELL};
use crate::bit_set::BitSet;

/// No side: a wall or a box.
pub(super) const NO_SIDE: u8 = u8::MAX;

/// The side on which the walk of the survey came.
const UP: u8 = 4;

/// Labels that are not known yet.
const UNKNOWN: [u8; 4] = [NO_SIDE - 1; 4];

/// The component of a cell on a floor with walls, walked once in depth first order (Tarjan 1972),
/// which determines for each of its cells what its removal separates.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    root: usize,
    /// When a cell was entered, from 1; 0 outside the component.
    entered: Vec<u16>,
    /// When the last cell below it was entered.
    left: Vec<u16>,
    /// The first entered cell that the cells below it touch.
    low: Vec<u16>,
    /// The direction back, for all cells but the root.
    back: Vec<u8>,
    /// What [`Survey::sides`] said before.
    sides: Vec<[u8; 4]>,
    stack: Vec<(u16, u8)>,
}

impl Survey {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            root: 0,
            entered: vec![0; cells],
            left: vec![0; cells],
            low: vec![0; cells],
            back: vec![UP; cells],
            sides: vec![UNKNOWN; cells],
            stack: Vec::with_capacity(cells),
        }
    }

    /// Walks the component of a cell.
    pub(super) fn walk<const W: usize>(&mut self, field: &Field, walls: &BitSet<W>, root: usize) {
        self.entered.fill(0);
        self.sides.fill(UNKNOWN);
        self.root = root;
        let mut clock = 1;
        (self.entered[root], self.low[root], self.back[root]) = (clock, clock, UP);
        self.stack.clear();
        self.stack.push((root as u16, 0));
        while let Some((cell, direction)) = self.stack.last_mut() {
            let (at, d) = (usize::from(*cell), usize::from(*direction));
            if d == 4 {
                self.left[at] = clock;
                self.stack.pop();
                if let Some(&(above, _)) = self.stack.last() {
                    let above = usize::from(above);
                    self.low[above] = self.low[above].min(self.low[at]);
                }
                continue;
            }
            *direction += 1;
            let next = field.ahead(at, d);
            if next == NO_CELL || walls.has(usize::from(next)) {
                continue;
            }
            let to = usize::from(next);
            if self.entered[to] == 0 {
                clock += 1;
                (self.entered[to], self.low[to]) = (clock, clock);
                self.back[to] = Field::opposite(d) as u8;
                self.stack.push((next, 0));
            } else {
                self.low[at] = self.low[at].min(self.entered[to]);
            }
        }
    }

    /// For each direction from a cell of the component the side that lies there: two directions
    /// have the same label if they are connected without the cell.
    pub(super) fn sides(&mut self, field: &Field, cell: usize) -> [u8; 4] {
        if self.sides[cell] == UNKNOWN {
            self.sides[cell] = self.find_sides(field, cell);
        }
        self.sides[cell]
    }

    fn find_sides(&self, field: &Field, cell: usize) -> [u8; 4] {
        let mut sides = [NO_SIDE; 4];
        for (d, side) in sides.iter_mut().enumerate() {
            let next = field.ahead(cell, d);
            if next == NO_CELL || self.entered[usize::from(next)] == 0 {
                continue;
            }
            let entered = self.entered[usize::from(next)];
            *side = if entered < self.entered[cell] {
                UP
            } else {
                self.branch(field, cell, entered).unwrap_or(UP)
            };
        }
        sides
    }

    /// The branch below a cell that holds the cell entered at a time, unless it is connected to
    /// what is above.
    fn branch(&self, field: &Field, cell: usize, entered: u16) -> Option<u8> {
        (0..4).find_map(|d| {
            let child = usize::from(Some(field.ahead(cell, d)).filter(|&child| child != NO_CELL)?);
            let below = self.entered[child] > self.entered[cell]
                && usize::from(self.back[child]) == Field::opposite(d);
            let holds = below && (self.entered[child]..=self.left[child]).contains(&entered);
            (holds && (cell == self.root || self.low[child] >= self.entered[cell]))
                .then_some(d as u8)
        })
    }

    /// How many parts the component falls into without a cell of it.
    pub(super) fn parts(&mut self, field: &Field, cell: usize) -> u16 {
        let sides = self.sides(field, cell);
        let first = |d: usize| sides[d] != NO_SIDE && !sides[..d].contains(&sides[d]);
        (0..4).filter(|&d| first(d)).count() as u16
    }
}

/// The cells next to those of a set, and some of the set.
pub(super) fn beside<const W: usize>(field: &Field, set: &BitSet<W>) -> BitSet<W> {
    let around = set.iter().flat_map(|at| field.around(at));
    around.filter(|&next| next != NO_CELL).map(usize::from).collect()
}

/// The cells that can be walked to from a cell past the blocked ones, the cell included.
pub(super) fn flood<const W: usize>(field: &Field, blocked: &BitSet<W>, from: usize) -> BitSet<W> {
    let mut reached = BitSet::EMPTY.with(from);
    let mut stack = [0u16; 1024];
    stack[0] = from as u16;
    let mut open = 1;
    while open > 0 {
        open -= 1;
        let at = usize::from(stack[open]);
        for next in field.around(at) {
            let to = usize::from(next);
            if next != NO_CELL && !reached.has(to) && !blocked.has(to) {
                reached.insert(to);
                stack[open] = next;
                open += 1;
            }
        }
    }
    reached
}

/// The regions between the blocked cells that hold some of these cells.
pub(super) fn regions_with<const W: usize>(
    field: &Field,
    blocked: &BitSet<W>,
    cells: BitSet<W>,
) -> impl Iterator<Item = BitSet<W>> {
    let mut rest = cells;
    std::iter::from_fn(move || {
        let region = flood(field, blocked, rest.first()?);
        rest = rest.minus(&region);
        Some(region)
    })
}

/// How many regions the floor falls into between the blocked cells.
pub(super) fn regions<const W: usize>(field: &Field, blocked: &BitSet<W>) -> u16 {
    regions_with(field, blocked, field.all::<W>().minus(blocked)).count() as u16
}
