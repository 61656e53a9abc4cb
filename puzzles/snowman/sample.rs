//! Small random levels for laws and oracle tests.

use super::board::{Ground, Pieces, Snowman, Stack};
use crate::grid::{Cell, Grid};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// A level of at most 5 by 4 cells with three to six balls, now and then with walls, targets,
/// teleporters, stacks, finished snowmen, too little snow or too few balls.
pub(super) fn board(seed: u64) -> Snowman {
    let mut rng = Rng::with_seed(seed);
    loop {
        if let Some(level) = attempt(&mut rng) {
            return level;
        }
    }
}

fn attempt(rng: &mut Rng) -> Option<Snowman> {
    let (width, height) = (rng.usize(2..=5), rng.usize(2..=4));
    let mut ground = Grid::filled(width, height, Ground::Floor)?;
    let walls = [0.0, 0.1, 0.25][rng.usize(0..3)];
    for cell in ground.cells() {
        if rng.f64() < walls {
            ground[cell] = Ground::Wall;
        }
    }
    let mut floor: Vec<Cell> = ground.cells().filter(|&c| ground[c] == Ground::Floor).collect();
    rng.shuffle(&mut floor);
    if rng.u8(0..3) == 0 {
        for _ in 0..rng.usize(2..=3) {
            ground[floor.pop()?] = Ground::Teleporter;
        }
    }
    // The player now and then begins on a teleporter.
    let teleporters: Vec<Cell> =
        ground.cells().filter(|&c| ground[c] == Ground::Teleporter).collect();
    let player = match teleporters.first() {
        Some(&teleporter) if rng.u8(0..4) == 0 => teleporter,
        _ => *floor.last()?,
    };
    if rng.u8(0..3) == 0 {
        for _ in 0..rng.usize(1..=3) {
            ground[*rng.choice(&floor)?] = Ground::Target;
        }
    }
    floor.retain(|&cell| cell != player);
    let stacks = stacks(rng, &mut floor)?;
    let density = rng.f64();
    let mut snow: BTreeSet<Cell> = floor.into_iter().filter(|_| rng.f64() < density).collect();
    if ground[player] != Ground::Teleporter && rng.u8(0..4) == 0 {
        snow.insert(player);
    }
    Snowman::new(ground, Pieces { snow, stacks, player }, rng.u8(0..3) == 0).ok()
}

/// Three balls, seldom six or some other number, some of them in stacks.
fn stacks(rng: &mut Rng, floor: &mut Vec<Cell>) -> Option<BTreeMap<Cell, Stack>> {
    let balls = [3, 3, 3, 3, 3, 3, 3, 6, 6, 4][rng.usize(0..10)];
    let mut stacks = BTreeMap::new();
    let mut placed = 0;
    while placed < balls {
        let stack = match rng.u8(0..10) {
            0..5 => 1,
            5 | 6 => 2,
            7 => 4,
            _ => rng.u8(1..=7),
        };
        let stack = Stack::from_number(stack)?;
        if placed + stack.balls().count() <= balls {
            placed += stack.balls().count();
            stacks.insert(floor.pop()?, stack);
        }
    }
    Some(stacks)
}
