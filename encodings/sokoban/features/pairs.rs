//! Two boxes of which one can no longer come to a goal because of the other.

use super::field::{Field, NO_CELL};
use super::survey::flood;
use crate::bit_set::BitSet;
use crate::pair_table::{DEAD, PairMove, PairTable};
use itertools::Itertools;

/// Which two boxes, alone on the floor, can both be pushed to goals.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    table: PairTable,
    /// For each pair and part of the floor.
    is_possible: Vec<bool>,
}

impl Pairs {
    /// Searches backwards from all pairs of goals.
    pub(super) fn new<const W: usize>(field: &Field) -> Self {
        let boxes = |pair: [usize; 2]| pair.into_iter().collect::<BitSet<W>>();
        let table =
            PairTable::new(field.len(), |pair, from| flood(field, &boxes(pair), from).iter());
        let goals = field.goals::<W>();
        let ends = goals.iter().array_combinations().flat_map(|pair: [usize; 2]| {
            let players = field.all::<W>().minus(&boxes(pair));
            players.iter().map(move |player| ([pair[0], pair[1], player], 0))
        });
        // The pull of a box towards a direction: the push that it undoes goes the other way. After
        // the push the player stands where the box was.
        let pull = |(at, d): (usize, usize)| {
            let to = Some(field.ahead(at, d)).filter(|&to| to != NO_CELL)?.into();
            let after = Some(field.ahead(to, d)).filter(|&to| to != NO_CELL)?.into();
            Some(PairMove { to, before: to, after, cost: 0 })
        };
        let pulls = |at: usize| (0..4).filter_map(move |d| pull((at, d)));
        let is_possible = table.least(ends, pulls).into_iter().map(|cost| cost < DEAD).collect();
        Self { table, is_possible }
    }

    /// Whether a box and each of the others can come to goals with no further box around.
    pub(super) fn permit<const W: usize>(
        &self,
        others: &BitSet<W>,
        at: usize,
        player: usize,
    ) -> bool {
        others.iter().all(|other| self.is_possible[self.table.id(at, other, player) as usize])
    }
}
