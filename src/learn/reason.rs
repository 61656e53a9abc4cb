//! Why a state is ruled out.

use super::field_tables::plus;
use super::pack::pack;
use super::sets::{Id, SiteSet};
use super::store::Item;
use crate::tuning::Tuning;

/// Why a state is ruled out: these pieces, with these sites empty, waste at least `value`.
#[derive(Clone, Debug)]
pub(super) struct Reason<const W: usize> {
    pub pieces: u64,
    pub empties: SiteSet<W>,
    pub value: u32,
    /// The entries that show it: disjoint ones, or one that counts the waste of all pieces, alone or
    /// with disjoint ones that count other shoves.
    pub ids: Box<[Id]>,
    /// Whether the whole state wastes that much, rather than the pieces named.
    pub negative: bool,
}

impl<const W: usize> Reason<W> {
    /// Disjoint items that add up.
    fn of(items: &[Item]) -> Self {
        Self {
            pieces: items.iter().fold(0, |all, item| all | item.pieces),
            empties: SiteSet::EMPTY,
            value: items.iter().fold(0, |sum, item| plus(sum, item.value)),
            ids: items.iter().map(|item| item.id).collect(),
            negative: false,
        }
    }

    /// The item with the fewest pieces that wastes more than a budget.
    pub(super) fn single(items: impl Iterator<Item = Item>, budget: u32) -> Option<Self> {
        let enough = items.filter(|item| item.value > budget);
        enough.min_by_key(|item| item.pieces.count_ones()).map(|item| Self::of(&[item]))
    }

    /// Items that together waste more than a budget, where none does alone.
    pub(super) fn sum(
        items: impl Iterator<Item = Item>,
        budget: u32,
        tuning: &Tuning,
    ) -> Option<Self> {
        // Within a budget of 0 any item would have done alone.
        if budget == 0 {
            return None;
        }
        let items: Vec<Item> = items.collect();
        if items.len() < 2 {
            return None;
        }
        pack(items, budget + 1, tuning.learning_packing_steps).map(|items| Self::of(&items))
    }
}
