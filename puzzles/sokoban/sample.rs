//! Small random levels for tests.

use super::board::{Sokoban, Tile};
use crate::grid::{Cell, Direction, Grid};
use fastrand::Rng;

/// A random level of at most 6 by 6 cells inside its outer wall, with one to three boxes.
pub(super) fn board(seed: u64) -> Sokoban {
    let mut rng = Rng::with_seed(seed);
    loop {
        if let Some(level) = attempt(&mut rng) {
            return level;
        }
    }
}

/// Throws walls, goals, boxes and the player onto a rectangle; `None` when that is no level.
fn attempt(rng: &mut Rng) -> Option<Sokoban> {
    let (width, height) = (rng.usize(4..=8), rng.usize(4..=8));
    let mut grid = Grid::filled(width, height, Tile::Wall)?;
    let density = rng.f32() * 0.35;
    let inner = |grid: &Grid<Tile>, cell| grid.neighbours(cell).count() == 4;
    for cell in grid.cells() {
        if inner(&grid, cell) && rng.f32() >= density {
            grid[cell] = Tile::Floor;
        }
    }
    let mut floor: Vec<Cell> = grid.cells().filter(|&cell| grid[cell] == Tile::Floor).collect();
    let count = rng.usize(1..=3);
    let spare = if rng.u8(0..4) == 0 { rng.usize(1..=2) } else { 0 };
    if floor.len() < 2 * (count + spare) + 1 {
        return None;
    }
    rng.shuffle(&mut floor);
    let goals: Vec<Cell> = floor.split_off(floor.len() - count - spare);
    goals.iter().for_each(|&goal| grid[goal] = Tile::Goal);
    let player = if rng.u8(0..8) == 0 { goals[0] } else { floor.pop()? };
    // Boxes thrown anywhere are mostly lost from the start; in half of the levels none is.
    if rng.bool() {
        floor.retain(|&cell| can_be_pushed(&grid, cell));
    }
    // Now and then boxes start on goals, in some levels all of them.
    let homely = [0.0, 0.0, 0.3, 1.0][rng.usize(0..4)];
    let mut free_goals = goals.into_iter().filter(|&goal| goal != player);
    let mut boxes = Vec::new();
    for _ in 0..count {
        let at_home = if rng.f32() < homely { free_goals.next() } else { None };
        boxes.push(at_home.or_else(|| floor.pop())?);
    }
    Sokoban::new(grid, boxes, player).ok()
}

/// Whether a box here has room on two opposite sides, walls considered.
fn can_be_pushed(grid: &Grid<Tile>, cell: Cell) -> bool {
    let open = |direction| grid.next(cell, direction).is_some_and(|at| grid[at] != Tile::Wall);
    [Direction::Up, Direction::Left].into_iter().any(|way| open(way) && open(way.opposite()))
}
