//! Levels that can be solved, made backwards.
//!
//! Boxes stand on goals in a random room; then the player, walking at random, pulls them away. A
//! pull is a push seen backwards, so the level has a solution. Whether it is a good one is for a
//! solver to say.

use super::board::{Sokoban, Tile};
use crate::error::ParseError;
use crate::grid::{Cell, Direction, Grid};
use crate::options::{OptionSpec, Options, Values};
use crate::puzzle::Puzzle;
use fastrand::Rng;

/// What a level should be like, as options of a command.
pub const OPTIONS: &[OptionSpec] = &[
    number("width", "8", "Number of columns, the walls around included"),
    number("height", "8", "Number of rows, the walls around included"),
    number("boxes", "3", "Number of boxes, and of goals"),
    OptionSpec {
        name: "walls",
        values: Values::Number(0, 60),
        default: "20",
        help: "How many of a hundred cells inside are walls",
    },
];

const fn number(name: &'static str, default: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec { name, values: Values::Number(1, 60), default, help }
}

/// The level of a seed; none when the seed leads nowhere.
///
/// # Errors
/// Never: any size that the options allow is one.
pub fn draft_text(options: &Options, seed: u64) -> Result<Option<String>, ParseError> {
    let size = |name| options.number(name) as usize;
    let mut rng = Rng::with_seed(seed);
    let level = draft(
        (size("width"), size("height")),
        size("boxes"),
        options.number("walls") as u32,
        &mut rng,
    );
    Ok(level.map(|level| level.print()))
}

fn draft(
    (width, height): (usize, usize),
    boxes: usize,
    walls: u32,
    rng: &mut Rng,
) -> Option<Sokoban> {
    let mut grid = Grid::filled(width, height, Tile::Wall)?;
    for cell in grid.cells() {
        if grid.neighbours(cell).count() == 4 && rng.u32(0..100) >= walls {
            grid[cell] = Tile::Floor;
        }
    }
    let mut room = largest_room(&grid);
    for cell in grid.cells().filter(|cell| !room.contains(cell)) {
        grid[cell] = Tile::Wall;
    }
    if room.len() < 2 * boxes + 1 {
        return None;
    }
    rng.shuffle(&mut room);
    let mut at: Vec<Cell> = room[..boxes].to_vec();
    for &goal in &at {
        grid[goal] = Tile::Goal;
    }
    let mut player = room[boxes];
    for _ in 0..(room.len() * boxes * 20) {
        let Some(&direction) = rng.choice(&Direction::ALL) else { continue };
        let open = |cell: Cell| grid.next(cell, direction).filter(|&to| grid[to] != Tile::Wall);
        let Some(to) = open(player).filter(|to| !at.contains(to)) else { continue };
        let behind = grid.next(player, direction.opposite());
        let pulled = behind.and_then(|behind| at.iter().position(|&cell| cell == behind));
        if let Some(pulled) = pulled.filter(|_| rng.u8(0..4) != 0) {
            at[pulled] = player;
        }
        player = to;
    }
    let away = at.iter().filter(|&&cell| grid[cell] != Tile::Goal).count();
    (away > 0).then(|| Sokoban::new(grid, at, player).ok()).flatten()
}

/// The cells of the largest connected part of the floor.
fn largest_room(grid: &Grid<Tile>) -> Vec<Cell> {
    let mut seen = grid.map(|_| false);
    let mut best = Vec::new();
    for start in grid.cells() {
        if grid[start] == Tile::Wall || seen[start] {
            continue;
        }
        seen[start] = true;
        let (mut room, mut done) = (vec![start], 0);
        while let Some(&cell) = room.get(done) {
            done += 1;
            for (_, next) in grid.neighbours(cell) {
                if grid[next] != Tile::Wall && !seen[next] {
                    seen[next] = true;
                    room.push(next);
                }
            }
        }
        if room.len() > best.len() {
            best = room;
        }
    }
    best
}
