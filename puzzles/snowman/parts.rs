//! Walls, snow, balls and targets that can be left out.

use super::board::{Ground, Pieces, Snowman};
use crate::grid::Cell;
use crate::part::Part;

fn listed(level: &Snowman) -> Vec<(&'static str, Cell)> {
    let ground = level.ground();
    let beside = |&cell: &Cell| {
        !level.is_open(cell) && ground.neighbours(cell).any(|(_, next)| level.is_open(next))
    };
    let balls = level.stacks().keys().map(|&cell| ("ball", cell));
    let snow = level.snow().iter().map(|&cell| ("snow", cell));
    let targets = level.targets().map(|cell| ("target", cell));
    let walls = ground.cells().filter(beside).map(|cell| ("wall", cell));
    balls.chain(snow).chain(targets).chain(walls).collect()
}

/// Balls (a stack counts as one), snow, targets, and walls beside open cells. Only without a wall
/// a level is never harder.
pub(super) fn parts(level: &Snowman) -> Vec<Part> {
    let part = |(kind, cell)| Part::at(kind, level.ground().place(cell), kind == "wall");
    listed(level).into_iter().map(part).collect()
}

/// The level without some of its parts.
pub(super) fn without(level: &Snowman, left_out: &[usize]) -> Option<Snowman> {
    let parts = listed(level);
    let mut ground = level.ground().clone();
    let (mut snow, mut stacks) = (level.snow().clone(), level.stacks().clone());
    for &part in left_out {
        let &(kind, cell) = parts.get(part)?;
        match kind {
            "ball" => drop(stacks.remove(&cell)),
            "snow" => drop(snow.remove(&cell)),
            _ => ground[cell] = Ground::Floor,
        }
    }
    let pieces = Pieces { snow, stacks, player: level.player() };
    let legend = level.legend();
    Snowman::new(ground, pieces, level.dismantle()).ok().map(|it| it.read_by(legend))
}
