//! Positions of feature-space search.

use super::field::Field;
use super::macros::Macro;
use super::survey::flood;
use crate::bit_set::BitSet;

/// A position: the boxes, and the least cell of the player's region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureState<const W: usize> {
    pub(super) boxes: BitSet<W>,
    pub(super) player: u16,
}

impl<const W: usize> FeatureState<W> {
    pub(super) fn new(field: &Field, boxes: BitSet<W>, player: usize) -> Self {
        let least = flood(field, &boxes, player).first().unwrap_or(player);
        Self { boxes, player: least as u16 }
    }

    pub(super) fn after(&self, field: &Field, mv: Macro) -> Self {
        let boxes = self.boxes.without(usize::from(mv.from)).with(usize::from(mv.to));
        Self::new(field, boxes, usize::from(mv.player))
    }
}
