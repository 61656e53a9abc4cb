//! A replay of given moves, as an object for programs.

use super::{Field, Length, facts};
use crate::instance::{Instance, ReplayReport, Terms};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use unstuck_puzzles::{Frame, Part, Violation};

/// What the moves are, and where they lead.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReplayAnswer {
    /// Under which rules.
    #[serde(flatten)]
    pub terms: Terms,
    /// `valid`, `not-solved` or `invalid`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["valid", "not-solved", "invalid"])))]
    pub verdict: &'static str,
    /// The moves in the family's own notation.
    pub moves: String,
    /// The last position, as far as the moves go.
    pub board: Option<String>,
    /// What else is to be said of it.
    pub facts: Map<String, Value>,
    /// The length of a solution, in families with moves.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub length: Field<Length>,
    /// The rule that is broken.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub fault: Field<ViolationAnswer>,
    /// The stages, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<FrameAnswer>,
}

/// A stage of a replay.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FrameAnswer {
    /// Moves made so far.
    pub moves: u32,
    /// What has just been done; empty for the start.
    pub label: String,
    /// The board.
    pub board: String,
}

/// A move that the rules refuse.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct ViolationAnswer {
    /// Which move, from 1; `null` where only the end is wrong.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    pub at: Option<usize>,
    /// The name of the rule.
    pub rule: &'static str,
    /// One sentence without a full stop.
    pub message: String,
}

/// A part of a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct PartAnswer {
    /// What it is, in one word.
    pub kind: &'static str,
    /// What it is and where, for people.
    pub name: String,
    /// Row and column of its cells, from 1.
    #[cfg_attr(feature = "schema", schemars(inner(inner(range(min = 1)))))]
    pub cells: Vec<[usize; 2]>,
}

impl ReplayAnswer {
    /// A replay under a reading.
    pub fn of(instance: &dyn Instance, replayed: &ReplayReport) -> Self {
        let (length, fault) = match &replayed.verdict {
            Ok(plan) if instance.moves().is_some() => {
                (Length::from(plan.tally()).into(), Field::default())
            }
            Ok(_) => Default::default(),
            Err(violation) => (Field::default(), ViolationAnswer::from(violation).into()),
        };
        Self {
            terms: instance.terms(),
            verdict: replayed.verdict_name(),
            moves: replayed.text.clone(),
            board: replayed.last.clone(),
            facts: facts(&replayed.facts),
            length,
            fault,
            frames: replayed.frames.iter().map(FrameAnswer::from).collect(),
        }
    }
}

impl From<&Frame> for FrameAnswer {
    fn from(frame: &Frame) -> Self {
        Self { moves: frame.moves, label: frame.label.clone(), board: frame.board.clone() }
    }
}

impl From<&Violation> for ViolationAnswer {
    fn from(violation: &Violation) -> Self {
        Self { at: violation.at, rule: violation.rule, message: violation.message.clone() }
    }
}

impl From<&Part> for PartAnswer {
    fn from(part: &Part) -> Self {
        let cells = part.places.iter().map(|&(row, column)| [row + 1, column + 1]);
        Self { kind: part.kind, name: part.name.clone(), cells: cells.collect() }
    }
}

/// Writes a part of a level.
pub(crate) fn part<S: Serializer>(part: &Part, to: S) -> Result<S::Ok, S::Error> {
    PartAnswer::from(part).serialize(to)
}

/// Writes parts of a level.
pub(crate) fn parts<S: Serializer>(parts: &[Part], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(parts.iter().map(PartAnswer::from))
}

/// Writes a move that the rules refuse, if there is one.
pub(crate) fn violation<S: Serializer>(
    violation: &Option<Violation>,
    to: S,
) -> Result<S::Ok, S::Error> {
    violation.as_ref().map(ViolationAnswer::from).serialize(to)
}
