//! Levels thrown together at random, with as many balls and as much snow as snowmen take. Most of
//! them have no solution: that is for a solver to say.

use super::board::{Ground, Pieces, Size, Snowman, Stack};
use crate::error::ParseError;
use crate::grid::{Cell, Grid};
use crate::options::{OptionSpec, Options};
use crate::puzzle::Puzzle;
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// What a level should be like, as options of a command.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec::number("width", 1, 20, "6", "Number of columns"),
    OptionSpec::number("height", 1, 20, "5", "Number of rows"),
    OptionSpec::number("snowmen", 1, 4, "1", "Number of snowmen: three balls each"),
    OptionSpec::number("walls", 0, 60, "15", "How many of a hundred cells are walls"),
    OptionSpec::number("snow", 0, 100, "30", "How many of a hundred free cells have snow"),
];

/// The level of a seed; none when the seed leads nowhere.
///
/// # Errors
/// Never: any size that the options allow is one.
pub fn draft_text(options: &Options, seed: u64) -> Result<Option<String>, ParseError> {
    Ok(draft(options, &mut Rng::with_seed(seed)).map(|level| level.print()))
}

fn draft(options: &Options, rng: &mut Rng) -> Option<Snowman> {
    let size = |name| options.number(name) as usize;
    let mut ground = Grid::filled(size("width"), size("height"), Ground::Floor)?;
    for cell in ground.cells() {
        if rng.u64(0..100) < options.number("walls") {
            ground[cell] = Ground::Wall;
        }
    }
    let mut free: Vec<Cell> = ground.cells().filter(|&c| ground[c] == Ground::Floor).collect();
    rng.shuffle(&mut free);
    let player = free.pop()?;
    let mut stacks = BTreeMap::new();
    for _ in 0..size("snowmen") {
        // A snowman can be made of three small balls, if there is snow enough.
        let sizes = [[Size::Small; 3], [Size::Small, Size::Small, Size::Medium]];
        let sizes = sizes[rng.usize(0..2)];
        for size in sizes {
            stacks.insert(free.pop()?, Stack::single(size));
        }
    }
    let snow: BTreeSet<Cell> =
        free.iter().copied().filter(|_| rng.u64(0..100) < options.number("snow")).collect();
    let level = Snowman::new(ground, Pieces { snow, stacks, player }, false).ok()?;
    level.unsolvable_reason().is_none().then_some(level)
}
