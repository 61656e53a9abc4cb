//! The moves of a path of positions, each a macro move away from the one before.

use super::field::Field;
use super::macros::{Stop, Ways};
use super::state::FeatureState;
use super::survey::flood;
use crate::sokoban::walker::Walker;
use unstuck_puzzles::grid::Direction;

/// The moves; the first position is the start of the level.
pub(super) fn moves<const W: usize>(
    field: &Field,
    ways: &mut Ways,
    path: &[FeatureState<W>],
) -> Vec<Direction> {
    let floor = field.bounds().floor().clone();
    let mut walker = Walker::new(&floor);
    for pair in path.windows(2) {
        let pushes = pushes(field, ways, pair[0], pair[1]).expect("a macro move leads there");
        for (at, d) in pushes {
            let push = field.bounds().push(at, Direction::ALL[d]);
            push.and_then(|push| walker.push(push)).expect("the push was made before");
        }
    }
    walker.into_plan()
}

/// The pushes of one box that lead from a position to another one: its cells and directions.
fn pushes<const W: usize>(
    field: &Field,
    ways: &mut Ways,
    before: FeatureState<W>,
    after: FeatureState<W>,
) -> Option<Vec<(usize, usize)>> {
    let reach = flood(field, &before.boxes, usize::from(before.player));
    let gone = before.boxes.minus(&after.boxes);
    // A box that comes back to its cell from another side is none that has gone.
    let moved = if gone.is_empty() { before.boxes } else { gone };
    moved.iter().find_map(|from| {
        let to = after.boxes.minus(&before.boxes).first().unwrap_or(from);
        let stops = ways.of(field, &before.boxes, &reach, from, [true; 4]);
        let ends = |stop: &Stop| {
            let position = || FeatureState::new(field, after.boxes, usize::from(stop.player));
            usize::from(stop.cell) == to && position().player == after.player
        };
        let number = stops.iter().position(ends)?;
        Some(ways.pushes_to(number))
    })
}
