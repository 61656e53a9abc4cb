//! What is asked: an arrangement of boxes, a score, or nothing.

use super::board::{Cell, Layout, State, WideBox};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// When the work is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Nothing is asked: every position will do.
    Anything,
    /// The boxes stand as the goal map of the file says.
    Map(Arrangement),
    /// The boxes stand as the instructions of the file leave them.
    Same(Arrangement),
    /// The score is as asked.
    Score(ScoreGoal),
}

impl Goal {
    /// The arrangement that is asked for, if one is.
    pub fn arrangement(&self) -> Option<&Arrangement> {
        match self {
            Self::Map(arrangement) | Self::Same(arrangement) => Some(arrangement),
            Self::Anything | Self::Score(_) => None,
        }
    }

    /// The same where no instructions of the file say it.
    pub(super) fn without_instructions(&self) -> Self {
        match self {
            Self::Same(arrangement) => Self::Map(arrangement.clone()),
            other => other.clone(),
        }
    }

    /// What is still wrong with a position, as one sentence; `None` when the goal is met.
    pub fn fault(&self, layout: &Layout, state: &State) -> Option<String> {
        match self {
            Self::Anything => None,
            Self::Map(arrangement) | Self::Same(arrangement) => arrangement.fault(layout, state),
            Self::Score(goal) => {
                let score = state.score(layout);
                (!goal.accepts(score)).then(|| format!("the score is {score}, asked is {goal}"))
            }
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anything => f.write_str("nothing"),
            Self::Map(_) => f.write_str("goal map"),
            Self::Same(_) => f.write_str("the boxes as the instructions leave them"),
            Self::Score(goal) => write!(f, "score {goal}"),
        }
    }
}

/// Where boxes must stand and must not, and where the robot must end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Boxes that must stand exactly here, from the top left.
    pub boxes: Vec<WideBox>,
    /// Cells that no box may cover, in increasing order.
    pub clear: Vec<Cell>,
    /// Where the robot must end, if that is asked.
    pub robot: Option<Cell>,
}

impl Arrangement {
    /// Exactly these boxes, the robot anywhere.
    pub(super) fn exactly(layout: &Layout, boxes: Vec<WideBox>) -> Self {
        let mut covered = vec![false; layout.len()];
        for cell in boxes.iter().flat_map(|wide| wide.cells()) {
            covered[cell.index()] = true;
        }
        let clear = layout.floor().filter(|cell| !covered[cell.index()]).collect();
        Self { boxes, clear, robot: None }
    }

    fn fault(&self, layout: &Layout, state: &State) -> Option<String> {
        let at = |cell| {
            let (row, column) = layout.place(cell);
            format!("row {row}, column {column}")
        };
        let missing = self.boxes.iter().find(|wide| state.boxes.binary_search(wide).is_err());
        if let Some(wide) = missing {
            return Some(format!("no box of width {} stands at {}", wide.width, at(wide.left)));
        }
        let covered = state.boxes.iter().flat_map(|wide| wide.cells());
        let unwanted = |cell: &Cell| self.clear.binary_search(cell).is_ok();
        if let Some(cell) = covered.into_iter().find(unwanted) {
            return Some(format!("a box stands at {}, where none may", at(cell)));
        }
        let robot = self.robot.filter(|&robot| robot != state.robot)?;
        Some(format!("the robot stands at {}, not at {}", at(state.robot), at(robot)))
    }
}

/// A demand on the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreGoal {
    /// How the score may compare with [`ScoreGoal::value`].
    pub relation: Relation,
    /// The number to compare with.
    pub value: u64,
}

/// How a score may compare with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Not above the number.
    AtMost,
    /// Exactly the number.
    Exactly,
    /// Not below the number.
    AtLeast,
}

impl ScoreGoal {
    /// Whether a score is as asked.
    pub fn accepts(self, score: u64) -> bool {
        match score.cmp(&self.value) {
            Ordering::Less => self.relation == Relation::AtMost,
            Ordering::Equal => true,
            Ordering::Greater => self.relation == Relation::AtLeast,
        }
    }

    /// How a score goal is written, for help texts.
    pub(super) const HELP: &'static str =
        "write `=2028` (or `2028`) for exactly, `<=900` for at most, `>=1200` for at least";
}

impl fmt::Display for ScoreGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.relation {
            Relation::AtMost => "<=",
            Relation::Exactly => "=",
            Relation::AtLeast => ">=",
        };
        write!(f, "{sign}{}", self.value)
    }
}

/// A text that is not a demand on the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreGoalError(String);

impl fmt::Display for ScoreGoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a demand on the score", self.0)
    }
}

impl std::error::Error for ScoreGoalError {}

impl FromStr for ScoreGoal {
    type Err = ScoreGoalError;

    fn from_str(text: &str) -> Result<Self, ScoreGoalError> {
        let text = text.trim();
        let signs = [("<=", Relation::AtMost), (">=", Relation::AtLeast), ("=", Relation::Exactly)];
        let (relation, number) = signs
            .into_iter()
            .find_map(|(sign, relation)| Some((relation, text.strip_prefix(sign)?)))
            .unwrap_or((Relation::Exactly, text));
        let number = number.trim();
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let value = digits.then(|| number.parse().ok()).flatten();
        let value = value.ok_or_else(|| ScoreGoalError(text.to_owned()))?;
        Ok(Self { relation, value })
    }
}
