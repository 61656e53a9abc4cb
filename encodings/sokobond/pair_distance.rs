//! How many moves bring two atoms side by side, walls alone considered.
//!
//! Whatever moves in a move, moves by one cell, and, unless bonds turn, all of it in one direction.
//! So a breadth-first search over pairs of cells, backwards from the neighbours, gives a number
//! that no plan undercuts: one of the two goes on, or the other, or both.

use super::vars::CellCoord;
use std::collections::VecDeque;
use unstuck_puzzles::Direction;

/// Boards with more cells know rows and columns only: pairs are many.
const MAX_CELLS: usize = 255;

/// There is no way.
const UNREACHABLE: u8 = u8::MAX;

/// For each two cells the least moves after which atoms there can be neighbours.
#[derive(Clone, Debug)]
pub struct PairDistance {
    places: Vec<CellCoord>,
    rotates: bool,
    /// Row by row, numbers cut to what a byte holds; empty for large boards.
    moves: Vec<u8>,
}

impl PairDistance {
    /// From the places of all cells and the next cell in each direction.
    pub fn new(
        places: Vec<CellCoord>,
        rotates: bool,
        next: impl Fn(usize, Direction) -> Option<usize>,
    ) -> Self {
        let cells = places.len();
        if cells > MAX_CELLS {
            return Self { places, rotates, moves: Vec::new() };
        }
        let neighbours = |cell: usize| Direction::ALL.map(|direction| next(cell, direction));
        let next: Vec<[Option<usize>; 4]> = (0..cells).map(neighbours).collect();
        let mut moves = vec![UNREACHABLE; cells * cells];
        let mut open = VecDeque::new();
        for (a, around) in next.iter().enumerate() {
            for &b in around.iter().flatten() {
                moves[a * cells + b] = 0;
                open.push_back((a, b));
            }
        }
        while let Some((a, b)) = open.pop_front() {
            let known = (moves[a * cells + b] + 1).min(UNREACHABLE - 1);
            let mut reach = |a: Option<usize>, b: Option<usize>| {
                if let (Some(a), Some(b)) = (a, b)
                    && moves[a * cells + b] == UNREACHABLE
                {
                    moves[a * cells + b] = known;
                    open.push_back((a, b));
                }
            };
            for direction in 0..4 {
                reach(next[a][direction], Some(b));
                reach(Some(a), next[b][direction]);
                let together = if rotates { 0..4 } else { direction..direction + 1 };
                together.for_each(|other| reach(next[a][direction], next[b][other]));
            }
        }
        Self { places, rotates, moves }
    }

    /// Least moves after which atoms in these cells can be neighbours; `None` when they never can.
    pub fn moves(&self, a: usize, b: usize) -> Option<u32> {
        let cells = self.places.len();
        if let Some(&moves) = self.moves.get(a * cells + b) {
            return (moves != UNREACHABLE).then_some(moves.into());
        }
        let (a, b) = (self.places[a], self.places[b]);
        let steps = (a.row.abs_diff(b.row) + a.column.abs_diff(b.column)).saturating_sub(1);
        Some(if self.rotates { steps.div_ceil(2) } else { steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corridor of five cells, a room of two beside its end, and a cell that is shut in.
    #[test]
    fn walls_keep_atoms_apart() {
        let at =
            [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (9, 9)].map(CellCoord::at);
        let find = |row, column| at.iter().position(|&place| place == CellCoord { row, column });
        let next = |cell: usize, direction| {
            let CellCoord { row, column } = at[cell];
            match direction {
                Direction::Up => find(row.checked_sub(1)?, column),
                Direction::Left => find(row, column.checked_sub(1)?),
                Direction::Down => find(row + 1, column),
                Direction::Right => find(row, column + 1),
            }
        };
        for rotates in [false, true] {
            let pair_distance = PairDistance::new(at.to_vec(), rotates, next);
            assert_eq!(pair_distance.moves(0, 1), Some(0));
            // Five cells between them; if bonds turn, both can come nearer at once.
            assert_eq!(pair_distance.moves(0, 6), Some(if rotates { 3 } else { 5 }));
            assert_eq!(pair_distance.moves(0, 7), None);
        }
        let wide: Vec<CellCoord> = (0..300).map(|column| CellCoord::at((0, column))).collect();
        assert_eq!(PairDistance::new(wide.clone(), false, |_, _| None).moves(0, 299), Some(298));
        assert_eq!(PairDistance::new(wide, true, |_, _| None).moves(299, 0), Some(149));
    }
}
