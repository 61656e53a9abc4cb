//! Budgets: how much cost a state still cannot be finished with.

use unstuck_puzzles::{Objective, Puzzle};

/// What a state can still not be finished with: a cost, or anything at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Budget {
    /// Cost of this much or less.
    Within(u32),
    /// Any cost: the state is lost.
    Any,
}

impl Budget {
    /// What is left after a cost; `None` when it is more than there is.
    #[must_use]
    pub fn less(self, cost: u32) -> Option<Self> {
        match self {
            Self::Within(budget) => budget.checked_sub(cost).map(Self::Within),
            Self::Any => Some(Self::Any),
        }
    }

    /// The number; `None` for any cost.
    pub fn number(self) -> Option<u32> {
        match self {
            Self::Within(budget) => Some(budget),
            Self::Any => None,
        }
    }

    pub(crate) fn write(self) -> String {
        self.number().map_or_else(|| "*".to_owned(), |number| number.to_string())
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::Any);
        }
        let number: u32 = text.parse().ok()?;
        (number.to_string() == text).then_some(Self::Within(number))
    }
}

/// What a closed set for an objective counts: its primary number alone, because a tie-break would
/// only split the classes. Where any plan will do, walking is free if the family has pushes.
pub fn counted<P: Puzzle>(objective: Objective) -> Objective {
    match objective.first() {
        Objective::Any if P::OBJECTIVES.contains(&Objective::Pushes) => Objective::Pushes,
        Objective::Any => Objective::Moves,
        first => first,
    }
}
