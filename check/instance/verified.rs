//! Solutions that the rules have accepted, and replays of those that they may refuse.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use unstuck_puzzles::{
    Facts, Frame, Judgement, Moves, ParseError, Picture, Puzzle, Tally, Violation,
};

/// A solution that the rules crate has replayed and accepted.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The family's own type.
    solution: Arc<dyn Any + Send + Sync>,
    text: String,
    tally: Tally,
    facts: Facts,
}

/// The text says all there is of a solution.
impl PartialEq for Verified {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.tally, &self.facts) == (&other.text, other.tally, &other.facts)
    }
}

impl Verified {
    /// The solution itself, for those who know the family's type for it
    /// ([`Puzzle::Solution`]); `None` when it is another one.
    pub fn solution<S: 'static>(&self) -> Option<&S> {
        self.solution.downcast_ref()
    }

    /// The solution itself, of whatever type.
    pub(super) fn erased(&self) -> &dyn Any {
        self.solution.as_ref()
    }

    /// What the rules have judged, if they accept it: the one place where a `Verified` is made.
    pub(super) fn accepted(judged: Judgement) -> Result<Self, Violation> {
        let Judgement { solution, text, facts, verdict } = judged;
        Ok(Self { tally: verdict?, solution, text, facts })
    }

    /// The solution in the family's notation.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its length.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// What else is to be said of it: a score, say.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }
}

/// Why a text is not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// It is not a solution text at all.
    Unreadable(ParseError),
    /// It breaks a rule, or does not solve the puzzle.
    Wrong(Violation),
}

impl std::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::Unreadable(error) => error,
            Self::Wrong(violation) => violation,
        })
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Wrong(violation) => violation.fmt(f),
        }
    }
}

/// Why a game cannot be taken up after some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContinueError {
    /// It is not a text of moves.
    Unreadable(ParseError),
    /// A move is not possible.
    Impossible(Violation),
    /// The family, which is named, has no moves.
    NoMoves(&'static str),
    /// It is a level of the family, but not a position of this one.
    OtherLevel,
    /// It is a level of the family, which is named, but its format cannot say all of a position.
    NotDrawn(&'static str),
}

impl fmt::Display for ContinueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Impossible(violation) => violation.fmt(f),
            Self::NoMoves(family) => write!(f, "{family} has no moves"),
            Self::OtherLevel => {
                f.write_str("a position of another level: its ground or its pieces differ")
            }
            Self::NotDrawn(family) => {
                write!(f, "a level of {family} does not say all of a position: give the moves")
            }
        }
    }
}

impl std::error::Error for ContinueError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::Impossible(violation) => Some(violation),
            _ => None,
        }
    }
}

/// A replay of any solution text, right or wrong.
#[derive(Clone, Debug)]
pub struct ReplayReport {
    /// The judge's word.
    pub verdict: Result<Verified, Violation>,
    /// The text in the family's own notation.
    pub text: String,
    /// The stages, when they were asked for.
    pub frames: Vec<Frame>,
    /// The last position, as far as the moves go.
    pub last: Option<Picture>,
    /// What else is to be said of it.
    pub facts: Facts,
}

impl ReplayReport {
    /// The word for what the moves are: they solve the level, they are legal, or one is not.
    pub fn verdict_name(&self) -> &'static str {
        match &self.verdict {
            Ok(_) => "valid",
            Err(violation) if violation.rule == "not-solved" => "not-solved",
            Err(_) => "invalid",
        }
    }
}

/// An answer of a solver that the rules crate refuses: an internal error, never shown as a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedAnswerError(pub String);

impl RejectedAnswerError {
    /// The rules refuse what should be a solution.
    pub(super) fn refused(solution: &impl fmt::Display, violation: &Violation) -> Self {
        Self(format!("the plan {solution} is refused: {violation}"))
    }
}

impl fmt::Display for RejectedAnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RejectedAnswerError {}

/// Has a plan of a solver judged, which the rules should accept.
///
/// # Errors
/// When they do not.
pub fn judged_plan<P: Moves>(
    puzzle: &P,
    plan: &[P::Move],
) -> Result<Verified, RejectedAnswerError> {
    let solution = puzzle.solution(plan);
    judged(puzzle, &solution)
        .map_err(|violation| RejectedAnswerError::refused(&solution, &violation))
}

/// Has a solution judged by the rules.
pub(super) fn judged<P: Puzzle>(puzzle: &P, solution: &P::Solution) -> Result<Verified, Violation> {
    Verified::accepted(Judgement::of(puzzle, solution))
}
