//! The floor in numbers: cells, pushes, what can be walked to, sides of cells.

use crate::grid::{Direction, Grid};
use crate::patterns::PatternCoord;
use crate::sokoban::board::Sokoban;

/// A cell of the floor by its number.
pub(super) type Spot = usize;

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn of(spots: &[Spot]) -> Self {
        let mut set = Self::default();
        spots.iter().for_each(|&spot| set.insert(spot));
        set
    }

    pub(super) fn has(&self, spot: Spot) -> bool {
        self.0.get(spot / 64).is_some_and(|word| word >> (spot % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, spot: Spot) {
        if self.0.len() <= spot / 64 {
            self.0.resize(spot / 64 + 1, 0);
        }
        self.0[spot / 64] |= 1 << (spot % 64);
    }

    pub(super) fn remove(&mut self, spot: Spot) {
        if let Some(word) = self.0.get_mut(spot / 64) {
            *word &= !(1 << (spot % 64));
        }
        // One set, one form: it is a key of tables.
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    pub(super) fn minus(mut self, other: &Self) -> Self {
        other.iter().for_each(|spot| self.remove(spot));
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn first(&self) -> Option<Spot> {
        self.iter().next()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Spot> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * index + bit)
        })
    }
}

/// A push as the walls allow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    pub from: Spot,
    pub direction: Direction,
    pub to: Spot,
    /// Where the player must be.
    pub behind: Spot,
}

/// The cells that the player could walk to if there were no boxes, numbered.
pub(super) struct Ground {
    places: Vec<PatternCoord>,
    spots: Grid<Option<Spot>>,
    next: Vec<[Option<Spot>; 4]>,
    /// The side of each cell (second) as seen from each cell (first), counted from 0.
    sides: Vec<Vec<u8>>,
    goal: Vec<bool>,
    pub goals: Vec<Spot>,
    pub boxes: Vec<Spot>,
    pub player: Spot,
}

impl Ground {
    pub(super) fn new(level: &Sokoban) -> Self {
        let grid = level.grid();
        let cells: Vec<_> = grid.cells().filter(|&cell| level.is_inside(cell)).collect();
        let mut spots = grid.map(|_| None);
        for (spot, &cell) in cells.iter().enumerate() {
            spots[cell] = Some(spot);
        }
        let next = cells
            .iter()
            .map(|&cell| Direction::ALL.map(|direction| spots[grid.next(cell, direction)?]));
        let place = |&cell| {
            let (row, column) = grid.place(cell);
            (row as u16, column as u16)
        };
        let inside = |cells: &[_]| cells.iter().filter_map(|&cell| spots[cell]).collect();
        let goals: Vec<Spot> = inside(level.goals());
        let mut ground = Self {
            places: cells.iter().map(place).collect(),
            next: next.collect(),
            sides: Vec::new(),
            goal: vec![false; cells.len()],
            boxes: inside(level.boxes()),
            player: spots[level.player()].unwrap_or(0),
            goals,
            spots,
        };
        ground.goals.iter().for_each(|&goal| ground.goal[goal] = true);
        ground.sides = (0..cells.len()).map(|spot| ground.sides_of(spot)).collect();
        ground
    }

    fn sides_of(&self, spot: Spot) -> Vec<u8> {
        let mut sides = vec![u8::MAX; self.places.len()];
        let around = Set::of(&[spot]);
        let mut count = 0;
        for other in 0..self.places.len() {
            if other != spot && sides[other] == u8::MAX {
                self.reach(&around, other).iter().for_each(|reached| sides[reached] = count);
                count += 1;
            }
        }
        sides
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn all(&self) -> Set {
        Set::of(&(0..self.len()).collect::<Vec<_>>())
    }

    pub(super) fn place(&self, spot: Spot) -> PatternCoord {
        self.places[spot]
    }

    pub(super) fn spot(&self, (row, column): PatternCoord) -> Option<Spot> {
        self.spots[self.spots.cell(usize::from(row), usize::from(column))?]
    }

    pub(super) fn is_goal(&self, spot: Spot) -> bool {
        self.goal[spot]
    }

    /// The side of a cell on which another lies. A cell has at most four.
    pub(super) fn side(&self, spot: Spot, other: Spot) -> u8 {
        self.sides[spot][other]
    }

    /// The cells that can be walked to past some boxes.
    pub(super) fn reach(&self, boxes: &Set, from: Spot) -> Set {
        let mut reached = Set::of(&[from]);
        let mut open = vec![from];
        while let Some(spot) = open.pop() {
            for next in self.next[spot].into_iter().flatten() {
                if !boxes.has(next) && !reached.has(next) {
                    reached.insert(next);
                    open.push(next);
                }
            }
        }
        reached
    }

    fn push(&self, from: Spot, direction: Direction) -> Option<Push> {
        let to = self.next[from][direction.index()]?;
        let behind = self.next[from][direction.opposite().index()]?;
        Some(Push { from, direction, to, behind })
    }

    /// The pushes of a box on a cell that the walls allow.
    pub(super) fn pushes(&self, from: Spot) -> impl Iterator<Item = Push> + '_ {
        Direction::ALL.into_iter().filter_map(move |direction| self.push(from, direction))
    }

    /// The pushes that bring a box to a cell.
    pub(super) fn pushes_to(&self, to: Spot) -> impl Iterator<Item = Push> + '_ {
        Direction::ALL.into_iter().filter_map(move |direction| {
            self.push(self.next[to][direction.opposite().index()]?, direction)
        })
    }
}
