//! Regions that the player cannot enter, and pushes that can wait for those into them.
//!
//! Boxes shut the player out of a region. If every push of the boxes around it that can come first
//! leads into the region, and the player can make all of these now, and the region is not finished,
//! then every solution makes one of them at some time, and could make it at once: the pushes before
//! it happen outside and are not hindered. So only these need be tried (a *PI-corral*, after the
//! Sokoban wiki), and where there are none, the position is lost. Nothing of this asks which boxes
//! are meant, so a box that keeps one of them from being pushed elsewhere may be counted among
//! them.

use super::field::Field;
use super::frozen::settle;
use super::survey::{beside, flood, regions_with};
use crate::bit_set::BitSet;

/// A region whose pushes come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Corral<const W: usize> {
    pub region: BitSet<W>,
    /// Boxes beside it, and those that stand in the way of these.
    pub boxes: BitSet<W>,
    /// Cells of boxes and directions.
    pub pushes: Vec<(u16, u8)>,
}

impl<const W: usize> Corral<W> {
    /// The directions in which the first push of a box may go.
    pub(super) fn first(&self, at: usize) -> [bool; 4] {
        std::array::from_fn(|d| self.pushes.contains(&(at as u16, d as u8)))
    }
}

/// The corral with the fewest pushes, if there is one.
pub(super) fn find<const W: usize>(
    field: &Field,
    boxes: &BitSet<W>,
    reach: &BitSet<W>,
) -> Option<Corral<W>> {
    let goals = field.goals::<W>();
    let frozen = settle(field, *boxes);
    let rest = field.all::<W>().minus(boxes).minus(reach);
    let mut best: Option<Corral<W>> = None;
    for region in regions_with(field, boxes, rest) {
        let Some(corral) = grown(field, boxes, reach, &frozen, region) else { continue };
        let empty = field.fills_all_goals() && corral.region.meets(&goals);
        let finished = !empty && corral.boxes.is_within(&goals);
        let fewer = |best: &Corral<W>| corral.pushes.len() < best.pushes.len();
        if !finished && best.as_ref().is_none_or(fewer) {
            best = Some(corral);
        }
    }
    best
}

/// The least corral around a region, other regions and boxes taken in where pushes need them.
fn grown<const W: usize>(
    field: &Field,
    boxes: &BitSet<W>,
    reach: &BitSet<W>,
    frozen: &BitSet<W>,
    mut region: BitSet<W>,
) -> Option<Corral<W>> {
    let mut pushes = Vec::new();
    let mut border = BitSet::<W>::EMPTY;
    'grow: loop {
        pushes.clear();
        border = border.or(&beside(field, &region).and(boxes));
        let fixed = border.or(frozen);
        for at in border.minus(frozen).iter() {
            for d in 0..4 {
                if !field.is_live(at, d) {
                    continue;
                }
                let front = usize::from(field.ahead(at, d));
                let behind = usize::from(field.ahead(at, Field::opposite(d)));
                if region.has(behind) || fixed.has(behind) || fixed.has(front) {
                    continue;
                }
                // Now it can be made before any other push of these boxes, sooner or later.
                let missing = if !region.has(front) {
                    front
                } else if !reach.has(behind) {
                    behind
                } else {
                    pushes.push((at as u16, d as u8));
                    continue;
                };
                if reach.has(missing) {
                    return None;
                }
                if boxes.has(missing) {
                    border.insert(missing);
                } else {
                    region = region.or(&flood(field, boxes, missing));
                }
                continue 'grow;
            }
        }
        return Some(Corral { region, boxes: border, pushes });
    }
}
