//! What is claimed, and of which puzzles it can be claimed.
//!
//! A description names a [`Claim`]. Nothing is proved or judged before it has become a
//! [`PuzzleClaim`], and that cannot hold a game with one solution, or a cost where nothing is
//! counted: whatever comes after needs no condition for it.

use crate::instance::{Formula, Instance, Verified};
use crate::transition::Budget;
use std::fmt;
use unstuck_encodings::Model;
use unstuck_puzzles::{Measure, Measures, Objective, Tally};

/// What a certificate claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The plan has this cost, in the objective's primary count, and none is cheaper.
    Optimal(u32),
    /// The plan has this cost in the objective's first count and in its tie-break, and none is
    /// cheaper, in this order.
    OptimalTied(u32, u32),
    /// There is no solution of at most this cost.
    NothingWithin(u32),
    /// There is no solution.
    Unsolvable,
    /// There is exactly one solution.
    Unique,
}

impl Claim {
    /// That a plan of this length is optimal; `tie` says whether the tie-break, where there is
    /// one, is claimed too.
    pub fn optimal(objective: Objective, tally: Tally, tie: bool) -> Self {
        let cost = objective.primary(tally);
        if tie && objective != objective.first() {
            Self::OptimalTied(cost, objective.secondary(tally))
        } else {
            Self::Optimal(cost)
        }
    }

    /// The same without what it says of the tie-break.
    #[must_use]
    pub fn untied(self) -> Self {
        match self {
            Self::OptimalTied(cost, _) => Self::Optimal(cost),
            other => other,
        }
    }

    /// What the evidence must exclude; `None` when there is nothing to exclude, because a cost
    /// below 0 is impossible.
    pub fn excluded(self) -> Option<Budget> {
        match self {
            // No tie-break is below 0.
            Self::Optimal(cost) | Self::OptimalTied(cost, 0) => {
                cost.checked_sub(1).map(Budget::Within)
            }
            Self::OptimalTied(cost, tie) => Some(Budget::Tied(cost, tie - 1)),
            Self::NothingWithin(cost) => Some(Budget::Within(cost)),
            Self::Unsolvable | Self::Unique => Some(Budget::Any),
        }
    }

    /// Whether a solution belongs to the certificate.
    pub fn has_solution(self) -> bool {
        matches!(self, Self::Optimal(_) | Self::OptimalTied(..) | Self::Unique)
    }

    /// The claim with the puzzle that it is made of; refused where its family cannot make it. A game
    /// with moves has no single solution, since any plan can be made longer; a puzzle without moves
    /// has no cost; and where any plan will do nothing is counted.
    ///
    /// # Errors
    /// Why not.
    pub fn of(self, instance: &dyn Instance) -> Result<PuzzleClaim<'_>, ClaimError> {
        let (family, claim) = (instance.family(), self.name());
        let counted = || match (instance.moves(), CountedGame::of(instance)) {
            (_, Some(counted)) => Ok(counted),
            (None, None) => Err(ClaimError::NoMoves { family, claim }),
            (Some(_), None) => Err(ClaimError::NoCost { claim }),
        };
        match self {
            Self::Optimal(cost) => Ok(PuzzleClaim::Optimal(counted()?, cost, None)),
            Self::OptimalTied(..) if instance.objective() == instance.objective().first() => {
                Err(ClaimError::NoTieBreak { objective: instance.objective().name() })
            }
            Self::OptimalTied(cost, tie) => Ok(PuzzleClaim::Optimal(counted()?, cost, Some(tie))),
            Self::NothingWithin(cost) => Ok(PuzzleClaim::NothingWithin(counted()?, cost)),
            Self::Unsolvable => Ok(PuzzleClaim::Unsolvable),
            Self::Unique => NoMovesToken::of(instance)
                .map(PuzzleClaim::Unique)
                .ok_or(ClaimError::Moves { family, claim }),
        }
    }

    /// One sentence, in the words of a family.
    pub fn sentence(self, measures: Measures, objective: Objective) -> String {
        let unit = measures.first(objective);
        match self {
            Self::Optimal(cost) => {
                let tie_break = match measures.second(objective) {
                    Some(second) => format!(" (the tie-break by {} is not certified)", second.many),
                    None => String::new(),
                };
                format!("solvable with {}, and not with fewer{tie_break}", unit.count(cost))
            }
            Self::OptimalTied(cost, tie) => {
                let second = measures.second(objective).unwrap_or(Measure::STEPS);
                let (first, tie) = (unit.count(cost), second.count(tie));
                let (one, other) = (unit.many, second.many);
                format!(
                    "solvable with {first} and {tie}, and not with fewer {one}, nor with {first} \
                     and fewer {other}"
                )
            }
            Self::NothingWithin(cost) => format!("no solution within {}", unit.count(cost)),
            Self::Unsolvable => "unsolvable".to_owned(),
            Self::Unique => "exactly one solution".to_owned(),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Optimal(_) | Self::OptimalTied(..) => "optimal",
            Self::NothingWithin(_) => "nothing-within",
            Self::Unsolvable => "unsolvable",
            Self::Unique => "unique",
        }
    }

    pub(super) fn cost(self) -> Option<u32> {
        match self {
            Self::Optimal(cost) | Self::OptimalTied(cost, _) | Self::NothingWithin(cost) => {
                Some(cost)
            }
            Self::Unsolvable | Self::Unique => None,
        }
    }

    pub(super) fn tie(self) -> Option<u32> {
        match self {
            Self::OptimalTied(_, tie) => Some(tie),
            _ => None,
        }
    }

    pub(super) fn read(name: &str, cost: Option<u32>, tie: Option<u32>) -> Option<Self> {
        match (name, cost, tie) {
            ("optimal", Some(cost), None) => Some(Self::Optimal(cost)),
            ("optimal", Some(cost), Some(tie)) => Some(Self::OptimalTied(cost, tie)),
            ("nothing-within", Some(cost), None) => Some(Self::NothingWithin(cost)),
            ("unsolvable", None, None) => Some(Self::Unsolvable),
            ("unique", None, None) => Some(Self::Unique),
            _ => None,
        }
    }
}

/// Why a claim cannot be made of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimError {
    /// The claim is about a cost, and the family has no moves.
    NoMoves {
        /// Name of the family.
        family: &'static str,
        /// Name of the claim.
        claim: &'static str,
    },
    /// The claim is about a cost, and the objective counts nothing.
    NoCost {
        /// Name of the claim.
        claim: &'static str,
    },
    /// The claim is about a tie-break, and the objective has none.
    NoTieBreak {
        /// Name of the objective.
        objective: &'static str,
    },
    /// The claim is about a single solution, and the family has moves.
    Moves {
        /// Name of the family.
        family: &'static str,
        /// Name of the claim.
        claim: &'static str,
    },
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMoves { family, claim } => write!(
                f,
                "{family} has no moves, so `{claim}`, which is about a cost, cannot be claimed"
            ),
            Self::NoCost { claim } => write!(
                f,
                "the objective `any` counts nothing, so `{claim}`, which is about a cost, cannot \
                 be claimed"
            ),
            Self::NoTieBreak { objective } => {
                write!(f, "the objective `{objective}` has no tie-break to claim anything of")
            }
            Self::Moves { family, claim } => write!(
                f,
                "{family} is a game with moves, of which `{claim}` cannot be claimed: plans can \
                 always be made longer"
            ),
        }
    }
}

impl std::error::Error for ClaimError {}

/// A claim that can be made of one puzzle.
#[derive(Clone, Copy)]
pub enum PuzzleClaim<'a> {
    /// See [`Claim::Optimal`], and [`Claim::OptimalTied`] where the tie-break is claimed too.
    Optimal(CountedGame<'a>, u32, Option<u32>),
    /// See [`Claim::NothingWithin`].
    NothingWithin(CountedGame<'a>, u32),
    /// See [`Claim::Unsolvable`].
    Unsolvable,
    /// See [`Claim::Unique`].
    Unique(NoMovesToken),
}

/// A game with moves, under an objective that counts something.
#[derive(Clone, Copy)]
pub struct CountedGame<'a>(&'a dyn Instance);

impl<'a> CountedGame<'a> {
    fn of(instance: &'a dyn Instance) -> Option<Self> {
        let counts = instance.moves().is_some() && instance.objective() != Objective::Any;
        counts.then_some(Self(instance))
    }

    /// What a plan costs, in the objective's primary count.
    pub fn cost(self, plan: &Verified) -> u32 {
        self.0.objective().primary(plan.tally())
    }

    /// What breaks ties between plans of that cost.
    pub fn tie(self, plan: &Verified) -> u32 {
        self.0.objective().secondary(plan.tally())
    }

    /// A number of the tie-break in the words of the family: "23 moves".
    pub fn tie_words(self, tie: u32) -> String {
        let second = self.0.measures().second(self.0.objective());
        second.unwrap_or(Measure::STEPS).count(tie)
    }

    /// A cost in the words of the family: "7 pushes".
    pub fn words(self, cost: u32) -> String {
        self.0.measures().first(self.0.objective()).count(cost)
    }
}

/// That a puzzle has no moves: only of such solutions can be counted.
#[derive(Clone, Copy)]
pub struct NoMovesToken(());

impl NoMovesToken {
    fn of(instance: &dyn Instance) -> Option<Self> {
        instance.moves().is_none().then_some(Self(()))
    }

    /// Forbids the solution that a model means; what it must mean is `one`.
    ///
    /// # Errors
    /// What the model lacks.
    pub fn block(
        self,
        formula: &mut dyn Formula,
        model: &Model,
        one: &Verified,
    ) -> Result<(), BlockingError> {
        let meant =
            formula.read(model).map_err(|fault| BlockingError::Meaningless(fault.to_string()))?;
        if meant.text() != one.text() {
            return Err(BlockingError::Another);
        }
        if formula.block(model) { Ok(()) } else { Err(BlockingError::Inseparable) }
    }
}

/// Why a formula cannot be made to exclude a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockingError {
    /// The model means no solution.
    Meaningless(String),
    /// The model means another solution.
    Another,
    /// The solution cannot be distinguished from others.
    Inseparable,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_says_whether_the_tie_break_is_claimed() {
        let plain = "solvable with 7 pushes, and not with fewer";
        assert_eq!(Claim::Optimal(7).sentence(Measures::PLAIN, Objective::Pushes), plain);
        let with = Claim::Optimal(7).sentence(Measures::PLAIN, Objective::PushesMoves);
        assert_eq!(with, format!("{plain} (the tie-break by moves is not certified)"));
        assert_eq!(
            Claim::OptimalTied(7, 1).sentence(Measures::PLAIN, Objective::PushesMoves),
            "solvable with 7 pushes and 1 move, and not with fewer pushes, nor with 7 pushes and \
             fewer moves"
        );
    }
}
