//! Small random levels for laws and oracle tests.

use super::board::State;
use super::board::{Ground, Pieces, Size, Snowman, Stack};
use super::solution::Move;
use crate::grid::{Cell, Direction, Grid};
use crate::moves::Moves;
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// A level of at most 5 by 4 cells with three to six balls, now and then with walls, targets,
/// teleporters, stacks, finished snowmen, too little snow or too few balls.
///
/// Few levels that are thrown together can be solved; so every other one is a solved position
/// from which some ball actions were taken back.
pub(super) fn board(seed: u64) -> Snowman {
    let mut rng = Rng::with_seed(seed);
    loop {
        let level = if seed.is_multiple_of(2) { thrown(&mut rng) } else { scrambled(&mut rng) };
        if let Some(level) = level {
            return level;
        }
    }
}

/// Ground and the floor cells that nothing lies on yet, in random order.
struct Bare {
    ground: Grid<Ground>,
    free: Vec<Cell>,
}

fn bare(rng: &mut Rng) -> Option<Bare> {
    let mut ground = Grid::filled(rng.usize(3..=5), rng.usize(2..=4), Ground::Floor)?;
    let walls = [0.0, 0.0, 0.1, 0.25][rng.usize(0..4)];
    for cell in ground.cells() {
        if rng.f64() < walls {
            ground[cell] = Ground::Wall;
        }
    }
    let mut free: Vec<Cell> = ground.cells().filter(|&c| ground[c] == Ground::Floor).collect();
    rng.shuffle(&mut free);
    if rng.u8(0..4) == 0 {
        for _ in 0..rng.usize(2..=3) {
            ground[free.pop()?] = Ground::Teleporter;
        }
    }
    Some(Bare { ground, free })
}

impl Bare {
    /// Snow on some of the free cells.
    fn snow(&self, rng: &mut Rng) -> BTreeSet<Cell> {
        let density = rng.f64();
        self.free.iter().copied().filter(|_| rng.f64() < density).collect()
    }

    /// Where the player begins: now and then on a teleporter.
    fn player(&mut self, rng: &mut Rng) -> Option<Cell> {
        let teleporter = self.ground.cells().find(|&c| self.ground[c] == Ground::Teleporter);
        match teleporter.filter(|_| rng.u8(0..4) == 0) {
            Some(teleporter) => Some(teleporter),
            None => self.free.pop(),
        }
    }
}

/// A level whose balls lie anywhere.
fn thrown(rng: &mut Rng) -> Option<Snowman> {
    let mut bare = bare(rng)?;
    if rng.u8(0..3) == 0 {
        for _ in 0..rng.usize(1..=3) {
            bare.ground[*rng.choice(&bare.free)?] = Ground::Target;
        }
    }
    let player = bare.player(rng)?;
    let stacks = stacks(rng, &mut bare.free)?;
    let mut snow = bare.snow(rng);
    if bare.ground[player] != Ground::Teleporter && rng.u8(0..4) == 0 {
        snow.insert(player);
    }
    Snowman::new(bare.ground, Pieces { snow, stacks, player }, rng.u8(0..3) == 0).ok()
}

/// Three balls, seldom six or some other number, some of them in stacks.
fn stacks(rng: &mut Rng, free: &mut Vec<Cell>) -> Option<BTreeMap<Cell, Stack>> {
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
            stacks.insert(free.pop()?, stack);
        }
    }
    Some(stacks)
}

/// A solved position from which ball actions were taken back.
fn scrambled(rng: &mut Rng) -> Option<Snowman> {
    let mut bare = bare(rng)?;
    let targets = rng.u8(0..3) == 0;
    let mut stacks = BTreeMap::new();
    for _ in 0..[1, 1, 1, 2][rng.usize(0..4)] {
        let base = bare.free.pop()?;
        stacks.insert(base, Stack::SNOWMAN);
        if targets {
            bare.ground[base] = Ground::Target;
        }
    }
    if targets && rng.bool() {
        bare.ground[*rng.choice(&bare.free)?] = Ground::Target;
    }
    let player = bare.player(rng)?;
    let snow = if rng.bool() { BTreeSet::new() } else { bare.snow(rng) };
    let (ground, dismantle) = (bare.ground, rng.u8(0..3) == 0);
    let level = |pieces| Snowman::new(ground.clone(), pieces, dismantle).ok();
    let game = level(Pieces { snow, stacks, player })?;
    let mut state = game.start();
    for _ in 0..rng.usize(2..=9) {
        let walked = Vec::from_iter(game.reach(&state));
        state.player = *rng.choice(&walked)?;
        let before: Vec<State> = walked
            .iter()
            .flat_map(|&player| undone(&game, &State { player, ..state.clone() }))
            .collect();
        let Some(earlier) = rng.choice(&before) else { break };
        state = earlier.clone();
    }
    let State { stacks, snow, player } = state;
    level(Pieces { snow, stacks, player })
}

/// The positions from which one ball action leads to this one.
fn undone(game: &Snowman, after: &State) -> Vec<State> {
    let mut before = Vec::new();
    for (&landed, stack) in &after.stacks {
        for direction in Direction::ALL {
            let back = direction.opposite();
            let Some(from) = game.open_next(landed, back) else { continue };
            let Some(behind) = game.open_next(from, back) else { continue };
            for size in Size::ALL {
                let mut state = State { player: behind, ..after.clone() };
                match stack.without_top() {
                    Some(rest) => state.stacks.insert(landed, rest),
                    None => state.stacks.remove(&landed),
                };
                if size != stack.top() {
                    state.snow.insert(landed);
                }
                let onto = state.stacks.get(&from);
                let Some(lifted) = onto.map_or(Some(Stack::single(size)), |on| on.with(size))
                else {
                    continue;
                };
                state.stacks.insert(from, lifted);
                // The rules judge whether this is how it was.
                let free = !state.stacks.contains_key(&behind) && !state.snow.contains(&from);
                let mv = Move { direction, exit: None };
                if free && game.step(&state, mv).is_ok_and(|stepped| stepped.state == *after) {
                    before.push(state);
                }
            }
        }
    }
    before
}
