//! What the parts of the judge share.

use super::ground::{Ground, Set, Spot};
use super::walls::Walls;
use super::weights::Weights;
use crate::patterns::{PatternReason, PatternStats};

/// A pattern in the judge's own numbers.
pub(super) struct Entry<'a> {
    pub(super) boxes: Vec<Spot>,
    pub(super) empty: Set,
    pub(super) player: Spot,
    /// The player's part of the floor without the boxes.
    pub(super) part: Set,
    pub(super) value: u64,
    pub(super) why: &'a PatternReason,
}

impl Entry<'_> {
    /// Whether it speaks of the waste of all boxes.
    pub(super) fn is_total(&self) -> bool {
        matches!(
            self.why,
            PatternReason::Total(_) | PatternReason::Unserved(..) | PatternReason::Zone(_)
        )
    }

    /// The zone outside which it counts pushes, if it is of that kind.
    pub(super) fn outside(&self) -> Option<u32> {
        match self.why {
            PatternReason::Outside(zone, _) => Some(*zone),
            _ => None,
        }
    }
}

/// Whose waste is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// That of the boxes named.
    Own,
    /// That of all boxes.
    All,
    /// That of the boxes named, by pushes that neither begin nor end in a zone (by its number).
    Outside(u32),
}

/// A position that patterns are to cover: these boxes at least, no box on the cells known to be
/// empty, the player here.
pub(super) struct Target<'a> {
    pub(super) boxes: &'a [Spot],
    pub(super) empty: &'a Set,
    pub(super) player: Spot,
}

/// The judge of one list.
pub(super) struct Judge<'a> {
    pub(super) ground: Ground,
    pub(super) weights: Weights,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) zones: Vec<Set>,
    pub(super) walls: Walls,
    pub(super) judged: PatternStats,
}
