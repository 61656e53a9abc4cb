//! What a plan costs: two counts in one number.

use serde::Serialize;
use std::fmt;
use std::ops::Add;
use unstuck_puzzles::{Objective, Tally};

/// Length under an objective: the primary count, then the tie-break. Costs are compared, added and
/// kept by the million, so both share one word, the primary count in its upper half. Programs read
/// the primary count.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "u32")]
pub struct Cost(u64);

impl Cost {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// More than any plan costs.
    pub const MAX: Self = Self(u64::MAX);

    /// A cost of two counts.
    pub const fn new(primary: u32, secondary: u32) -> Self {
        Self((primary as u64) << 32 | secondary as u64)
    }

    /// The cost of a tally under an objective. `any` counts moves, so that search has something
    /// to be guided by.
    pub fn of(objective: Objective, tally: Tally) -> Self {
        let counted = if objective == Objective::Any { Objective::Moves } else { objective };
        Self::new(counted.primary(tally), counted.secondary(tally))
    }

    /// The largest cost of this primary count.
    pub const fn up_to(primary: u32) -> Self {
        Self::new(primary, u32::MAX)
    }

    /// What the objective asks to be least.
    pub const fn primary(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// What breaks ties.
    pub const fn secondary(self) -> u32 {
        self.0 as u32
    }

    /// The least cost above this one.
    #[must_use]
    pub const fn successor(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// What is left of it after a part of it; `None` when the part is larger.
    ///
    /// Also where the tie-break of the part is larger than that of the whole, the part and what is
    /// left add up to the whole, and what is left is in its place in the order of costs.
    pub const fn after(self, part: Self) -> Option<Self> {
        match self.0.checked_sub(part.0) {
            Some(left) => Some(Self(left)),
            None => None,
        }
    }

    /// So many tenths of it, rounded down: for estimates. The fraction of the primary count goes
    /// into the other half, so only the order of such numbers means something.
    #[must_use]
    pub const fn weighted(self, tenths: u64) -> Self {
        Self(self.0 * tenths / 10)
    }

    /// The word that holds both, in the order of the costs: for atomic variables.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The cost of [`Cost::to_bits`].
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl From<Cost> for u32 {
    fn from(cost: Cost) -> Self {
        cost.primary()
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cost({}, {})", self.primary(), self.secondary())
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_apart_and_compared_in_order() {
        let cost = Cost::new(3, 5) + Cost::new(1, 7);
        assert_eq!((cost.primary(), cost.secondary()), (4, 12));
        assert!(Cost::new(3, u32::MAX) < Cost::new(4, 0) && Cost::new(4, 0) < Cost::new(4, 1));
        assert_eq!(Cost::up_to(3).successor(), Cost::new(4, 0));
        assert_eq!(Cost::from_bits(cost.to_bits()), cost);
        assert_eq!(cost.weighted(10), cost);
        assert_eq!(Cost::new(4, 8).weighted(25), Cost::new(10, 20));
        assert_eq!(Cost::MAX.successor(), Cost::MAX);
    }

    #[test]
    fn any_counts_moves() {
        let tally = Tally { moves: 9, pushes: 2 };
        assert_eq!(Cost::of(Objective::Any, tally), Cost::new(9, 0));
        assert_eq!(Cost::of(Objective::PushesMoves, tally), Cost::new(2, 9));
    }
}
