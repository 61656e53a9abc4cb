//! Budgets: how much cost a state still cannot be finished with.

use std::cmp::Ordering;
use unstuck_puzzles::{Moves, Objective, Tally, canonical};

/// What a state can still not be finished with: a cost, or anything at all. The larger, the more
/// it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Budget {
    /// So much or less in the objective's first count, whatever its tie-break.
    Within(u32),
    /// Less than the first number in the objective's first count, or as much as that and no more
    /// than the second number in its tie-break.
    Tied(u32, u32),
    /// Any cost: the state is lost.
    Any,
}

impl Budget {
    /// What is left after a move of this length under an objective; `None` when it is more than
    /// there is.
    #[must_use]
    pub fn less(self, objective: Objective, tally: Tally) -> Option<Self> {
        let cost = objective.primary(tally);
        match self {
            Self::Within(budget) => budget.checked_sub(cost).map(Self::Within),
            Self::Tied(budget, tie) => {
                let budget = budget.checked_sub(cost)?;
                match tie.checked_sub(objective.secondary(tally)) {
                    Some(tie) => Some(Self::Tied(budget, tie)),
                    // As much in the first count is too much already: it must be less.
                    None => budget.checked_sub(1).map(Self::Within),
                }
            }
            Self::Any => Some(Self::Any),
        }
    }

    /// The most that it says anything of, in the first count; `None` for any cost.
    pub fn first(self) -> Option<u32> {
        match self {
            Self::Within(budget) | Self::Tied(budget, _) => Some(budget),
            Self::Any => None,
        }
    }

    /// The same of the tie-break, where that is counted.
    pub fn second(self) -> Option<u32> {
        match self {
            Self::Tied(_, tie) => Some(tie),
            _ => None,
        }
    }

    /// By what costs it excludes, in their order: those of a first count, then those of the
    /// tie-break, with no limit at last.
    fn rank(self) -> (u64, u64) {
        match self {
            Self::Within(budget) => (budget.into(), u64::MAX),
            Self::Tied(budget, tie) => (budget.into(), tie.into()),
            Self::Any => (u64::MAX, u64::MAX),
        }
    }

    pub(crate) fn write(self) -> String {
        match self {
            Self::Within(budget) => budget.to_string(),
            Self::Tied(budget, tie) => format!("{budget},{tie}"),
            Self::Any => "*".to_owned(),
        }
    }

    /// Reads a budget of lists that know no tie-break.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text == "*" { Some(Self::Any) } else { canonical(text).map(Self::Within) }
    }

    /// Reads a budget of lists that may count a tie-break.
    pub(crate) fn read_tied(text: &str) -> Option<Self> {
        match text.split_once(',') {
            None => Self::read(text),
            Some((budget, tie)) => Some(Self::Tied(canonical(budget)?, canonical(tie)?)),
        }
    }
}

impl Ord for Budget {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Budget {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What a list for an objective counts where no tie-break is claimed: the first number alone,
/// because a tie-break would only split the classes. Where any plan will do, walking is free if the
/// family has pushes and walks lead back.
pub fn counted<P: Moves>(objective: Objective) -> Objective {
    let has_pushes = P::OBJECTIVES.contains(&Objective::Pushes);
    match objective.first() {
        Objective::Any if has_pushes && P::GAME.classes.are_mutual => Objective::Pushes,
        Objective::Any => Objective::Moves,
        first => first,
    }
}

/// What a list with this claim counts: the tie-break too if the claim is about it.
pub fn counted_for<P: Moves>(objective: Objective, claim: Budget) -> Objective {
    if claim.second().is_some() { objective } else { counted::<P>(objective) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a budget says of a plan's cost, in words of its own.
    fn excludes(budget: Budget, (first, second): (u32, u32)) -> bool {
        match budget {
            Budget::Within(most) => first <= most,
            Budget::Tied(most, tie) => first < most || first == most && second <= tie,
            Budget::Any => true,
        }
    }

    fn budgets() -> Vec<Budget> {
        let within = (0..4).map(Budget::Within);
        let tied = (0..4).flat_map(|first| (0..4).map(move |second| Budget::Tied(first, second)));
        within.chain(tied).chain([Budget::Any]).collect()
    }

    /// Costs as far as they make a difference to budgets of this size.
    fn costs() -> impl Iterator<Item = (u32, u32)> {
        (0..6).flat_map(|first| (0..9).map(move |second| (first, second)))
    }

    #[test]
    fn what_is_left_excludes_exactly_what_the_whole_excludes_behind_the_move() {
        for budget in budgets() {
            for (moves, pushes) in [(1, 0), (1, 1), (0, 1)] {
                let tally = Tally { moves, pushes };
                let left = budget.less(Objective::PushesMoves, tally);
                for (first, second) in costs() {
                    let whole = excludes(budget, (first + pushes, second + moves));
                    let behind = left.is_some_and(|left| excludes(left, (first, second)));
                    assert_eq!(whole, behind, "{budget:?}, {tally:?}, {first}, {second}");
                }
            }
        }
    }

    #[test]
    fn the_larger_budget_excludes_more() {
        for one in budgets() {
            for other in budgets() {
                let more = costs().all(|cost| excludes(one, cost) || !excludes(other, cost));
                assert_eq!(one >= other, more, "{one:?}, {other:?}");
            }
        }
    }

    #[test]
    fn budgets_read_back() {
        for budget in budgets() {
            assert_eq!(Budget::read_tied(&budget.write()), Some(budget));
        }
        for broken in ["", ",", "1,", ",1", "01,2", "1,02", "1,2,3", "*,1", "1,*", "-1,2", "+1,2"] {
            assert_eq!(Budget::read_tied(broken), None, "{broken}");
        }
        assert_eq!(Budget::read("1,2"), None);
    }
}
