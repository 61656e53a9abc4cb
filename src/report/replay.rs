//! A replay of given moves, as an object for programs.

use super::{Field, Length, facts};
use crate::instance::{Instance, ReplayReport, Terms};
use serde::Serialize;
use serde_json::{Map, Value};
use unstuck_puzzles::{Frame, Violation};

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
    pub fault: Field<Violation>,
    /// The stages, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
}

impl ReplayAnswer {
    /// A replay under a reading.
    pub fn of(instance: &dyn Instance, replayed: &ReplayReport) -> Self {
        let (length, fault) = match &replayed.verdict {
            Ok(plan) if instance.moves().is_some() => {
                (Length::from(plan.tally()).into(), Field::default())
            }
            Ok(_) => Default::default(),
            Err(violation) => (Field::default(), violation.clone().into()),
        };
        Self {
            terms: instance.terms(),
            verdict: replayed.verdict_name(),
            moves: replayed.text.clone(),
            board: replayed.last.clone(),
            facts: facts(&replayed.facts),
            length,
            fault,
            frames: replayed.frames.clone(),
        }
    }
}
