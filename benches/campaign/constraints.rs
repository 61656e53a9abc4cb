//! Random constraints about a game.

use crate::game::Chart;
use unstuck_puzzles::Moves;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::pieces::Coord;

fn words((row, column): Coord) -> String {
    format!("{},{}", row + 1, column + 1)
}

/// One or two constraints that mean something: about places where the player or a piece can be,
/// moves that can be made, bonds that can form.
pub(crate) fn random<P: Moves>(
    chart: &Chart<P>,
    text: &str,
    rng: &mut fastrand::Rng,
) -> Result<Constraints, String> {
    let puzzle = &chart.game.puzzle;
    let mut constraints = Constraints::default();
    for _ in 0..rng.usize(1..=2) {
        let at = &chart.positions[rng.usize(..chart.positions.len())];
        let pieces = puzzle.pieces(&at.0);
        let other = rng.choice(&pieces.others).and_then(|piece| rng.choice(piece)).copied();
        let place = other.filter(|_| rng.bool()).unwrap_or(pieces.player);
        let steps = chart.game.steps(at);
        let step = rng.choice(&steps);
        let (forbidden, constraint) = match rng.u8(..10) {
            // Where pieces turn around each other, nothing says from outside which one is which.
            0 if P::NAME != "sokobond" || !text.contains('@') => {
                let first = puzzle.pieces(&chart.game.start).others;
                let piece = rng.choice(&first).and_then(|piece| rng.choice(piece));
                (true, piece.map(|&piece| format!("box {}", words(piece))))
            }
            0 | 1 => (true, Some(format!("cell {}", words(place)))),
            2 => (true, Some(format!("player {}", words(pieces.player)))),
            3 => (true, other.map(|piece| format!("pushed {}", words(piece)))),
            4 => {
                let key = step.map(|(mv, ..)| chart.game.key(&at.0, *mv));
                (true, key.map(|key| format!("move {key}")))
            }
            5 => {
                let push = step.filter(|(.., tally)| tally.pushes > 0);
                let push = push.map(|(_, to, _)| puzzle.action(&at.0, &to.0));
                (true, push.map(|push| format!("push {push}")))
            }
            6 => {
                let corner = (rng.usize(..8), rng.usize(..8));
                let is_one = P::GAME.modifiers.is_some_and(|it| (it.stands)(puzzle, corner));
                (true, is_one.then(|| format!("modifier {}", words(corner))))
            }
            7 => {
                let all: Vec<Coord> =
                    pieces.others.iter().flatten().copied().chain([pieces.player]).collect();
                let (one, two) = (all[rng.usize(..all.len())], all[rng.usize(..all.len())]);
                let bond = P::GAME.bonds.is_some_and(|joined| joined(puzzle, &at.0, one, two));
                (false, bond.then(|| format!("bond {} {}", words(one), words(two))))
            }
            8 => (false, Some(format!("player {}", words(pieces.player)))),
            _ => (false, other.map(|piece| format!("box {}", words(piece)))),
        };
        let Some(constraint) = constraint else { continue };
        let put = if forbidden { Constraints::forbid } else { Constraints::require };
        put(&mut constraints, &constraint).map_err(|error| format!("{constraint}: {error}"))?;
    }
    Ok(constraints)
}
