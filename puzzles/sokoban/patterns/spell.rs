//! A list of patterns cell by cell, for those who put it into clauses.

use super::PatternError;
use super::ground::{Ground, Set, Spot};
use super::weights::{Push, Weights};
use crate::patterns::{PatternCoord, PatternExpansion, PatternList};

pub(super) fn spell_out(
    ground: &Ground,
    list: &PatternList,
) -> Result<PatternExpansion, PatternError> {
    let weights = Weights::new(ground, list)?;
    let mut out = PatternExpansion {
        cells: (0..ground.len()).map(|spot| ground.place(spot)).collect(),
        prices: weights.prices(ground),
        pieces: ground.boxes.len() as u32,
        start: (places(ground, ground.boxes.iter().copied()), ground.place(ground.player)),
        is_full: ground.goals.len() == ground.boxes.len(),
        ..PatternExpansion::default()
    };
    for pattern in &list.patterns {
        let spot = |place: &PatternCoord| {
            let none = || PatternError::because(format!("no cell {},{}", place.0, place.1));
            ground.spot(*place).ok_or_else(none)
        };
        let boxes: Vec<Spot> = pattern.pieces.iter().map(spot).collect::<Result<_, _>>()?;
        let part = ground.reach(&Set::of(&boxes), spot(&pattern.player)?);
        out.parts.push(places(ground, part.iter()));
    }
    for spot in 0..ground.len() {
        for push in ground.pushes(spot) {
            let waste = match weights.push(ground, &push) {
                Push::Wastes(waste) => Some(number(waste)?),
                Push::Loses => None,
            };
            out.pushes.push((ground.place(spot), push.direction, waste));
        }
        let mut potential = Vec::new();
        for (side, cells) in (0..).zip(sides(ground, spot)) {
            if let Some(number) = weights.number(spot, side) {
                potential.push((cells.clone(), number));
            }
            if weights.is_lost(spot, side) {
                out.lost.push((ground.place(spot), cells));
            } else if ground.is_goal(spot)
                && let waste = weights.end(spot, side)
                && waste > 0
            {
                out.ends.push((ground.place(spot), cells, number(waste)?));
            }
        }
        if !potential.is_empty() {
            out.potential.push((ground.place(spot), potential));
        }
    }
    for &goal in ground.goals.iter().filter(|&&goal| weights.unused(goal) > 0) {
        // Where every goal takes a box none stays empty.
        if ground.goals.len() > ground.boxes.len() {
            out.unused.push((ground.place(goal), number(weights.unused(goal))?));
        }
    }
    if let (Some(claim), Some(lower)) = (list.claim, weights.start(ground)) {
        let left = i64::from(claim) - lower;
        out.by_potential = left < 0;
        let units = left / i64::from(weights.unit());
        out.excluded = u64::try_from(units).ok().filter(|_| left >= 0).map(number).transpose()?;
    }
    Ok(out)
}

fn number(waste: u64) -> Result<u32, PatternError> {
    u32::try_from(waste).map_err(|_| PatternError::because("a waste that makes no sense"))
}

fn places(ground: &Ground, spots: impl Iterator<Item = Spot>) -> Vec<PatternCoord> {
    spots.map(|spot| ground.place(spot)).collect()
}

/// The sides of a cell, by number.
fn sides(ground: &Ground, spot: Spot) -> Vec<Vec<PatternCoord>> {
    let mut sides: Vec<Vec<PatternCoord>> = Vec::new();
    for other in (0..ground.len()).filter(|&other| other != spot) {
        let side = usize::from(ground.side(spot, other));
        if sides.len() <= side {
            sides.resize_with(side + 1, Vec::new);
        }
        sides[side].push(ground.place(other));
    }
    sides
}
