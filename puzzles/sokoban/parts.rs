//! Boxes and walls that can be left out.
//!
//! A level without a box keeps all its goals, so that any of them may stay empty. A wall that is
//! left out becomes floor. Walls on the rim of the board stay.

use super::board::{Sokoban, Tile};
use crate::grid::Cell;
use crate::part::Part;

/// The boxes that are no scenery, then the walls beside cells that the player could come to.
pub(super) fn parts(level: &Sokoban) -> Vec<Part> {
    let grid = level.grid();
    let part = |kind, cell| Part::at(kind, grid.place(cell), true);
    let boxes = boxes(level).map(|cell| part("box", cell));
    boxes.chain(walls(level).map(|cell| part("wall", cell))).collect()
}

fn boxes(level: &Sokoban) -> impl Iterator<Item = Cell> {
    level.boxes().iter().copied().filter(|&cell| level.is_inside(cell))
}

fn walls(level: &Sokoban) -> impl Iterator<Item = Cell> {
    let grid = level.grid();
    let beside = |&cell: &Cell| {
        let mut around = grid.neighbours(cell);
        !level.is_open(cell)
            && grid.neighbours(cell).count() == 4
            && around.any(|(_, next)| level.is_inside(next))
    };
    grid.cells().filter(beside)
}

/// The level without some of its parts.
pub(super) fn without(level: &Sokoban, left_out: &[usize]) -> Option<Sokoban> {
    let parts: Vec<Cell> = boxes(level).chain(walls(level)).collect();
    let gone = left_out.iter().map(|&part| parts.get(part).copied());
    let gone: Vec<Cell> = gone.collect::<Option<_>>()?;
    let mut grid = level.grid().clone();
    for &cell in gone.iter().filter(|&&cell| !level.is_open(cell)) {
        grid[cell] = Tile::Floor;
    }
    let boxes = level.boxes().iter().copied().filter(|cell| !gone.contains(cell)).collect();
    Sokoban::new(grid, boxes, level.player()).ok()
}
