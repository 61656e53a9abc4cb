//! Names for levels that do not depend on how a file shows them.
//!
//! A level is cut down to what the player could reach without boxes and the walls around that,
//! turned and mirrored in all eight ways, and printed; the least of the eight texts is its normal
//! form, and the first 16 hexadecimal digits of its SHA-256 are its id. The *exact* id keeps the
//! player's cell. The *push* id puts the player on the first cell of the region in which the player
//! can walk: two levels with the same push id have the same solutions in pushes, but perhaps not
//! in moves.

use super::board::{Sokoban, Tile};
use crate::grid::Cell;
use crate::moves::Moves;
use crate::puzzle::short_hash;
use itertools::Itertools;

/// Row and column.
type Coord = (usize, usize);

impl Sokoban {
    /// The id of the level with its player where it stands.
    pub fn exact_id(&self) -> String {
        short_hash(&self.normal_form(false))
    }

    /// The id of the level when walking does not matter.
    pub fn push_id(&self) -> String {
        short_hash(&self.normal_form(true))
    }

    /// The least of the eight pictures of the level; with `free` the player stands on the first
    /// cell (row by row in that picture) that can be walked to.
    pub fn normal_form(&self, free: bool) -> String {
        let reach = if free {
            self.reach(&self.start()).into_iter().collect()
        } else {
            vec![self.player()]
        };
        (0..8).map(|symmetry| self.turned(symmetry, &reach)).min().unwrap_or_default()
    }

    /// The playable area in one of its eight positions, the player on the first of these cells.
    fn turned(&self, symmetry: u8, players: &[Cell]) -> String {
        let grid = self.grid();
        let (last_row, last_column) = (grid.height() - 1, grid.width() - 1);
        let turn = |cell: Cell| -> Coord {
            let (mut row, mut column) = grid.place(cell);
            if symmetry & 1 > 0 {
                row = last_row - row;
            }
            if symmetry & 2 > 0 {
                column = last_column - column;
            }
            if symmetry & 4 > 0 { (column, row) } else { (row, column) }
        };
        let inside = grid.cells().filter(|&cell| self.is_inside(cell));
        let floor: Vec<(Coord, Cell)> = inside.map(|cell| (turn(cell), cell)).collect();
        let player = players.iter().map(|&cell| turn(cell)).min();
        // Inside cells never touch the edge, so there is a cell before the first.
        let (top, bottom) = span(floor.iter().map(|(place, _)| place.0));
        let (left, right) = span(floor.iter().map(|(place, _)| place.1));
        let mut rows = vec![vec![' '; right - left + 1]; bottom - top + 1];
        for &((row, column), _) in &floor {
            for (row, column) in (row - 1..=row + 1).cartesian_product(column - 1..=column + 1) {
                rows[row - top][column - left] = '#';
            }
        }
        for &(place, cell) in &floor {
            let goal = grid[cell] == Tile::Goal;
            let stands = self.boxes().binary_search(&cell).is_ok();
            rows[place.0 - top][place.1 - left] = match (Some(place) == player, stands, goal) {
                (true, _, true) => '+',
                (true, _, false) => '@',
                (_, true, true) => '*',
                (_, true, false) => '$',
                (_, _, true) => '.',
                _ => '-',
            };
        }
        rows.iter().map(|row| row.iter().collect::<String>()).join("\n")
    }
}

/// From one before the least to one after the greatest.
fn span(numbers: impl Iterator<Item = usize>) -> (usize, usize) {
    let (least, greatest) = numbers.minmax().into_option().unwrap_or((1, 1));
    (least - 1, greatest + 1)
}
