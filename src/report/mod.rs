//! What came out, as objects for programs and sentences for people: the same on the command line and
//! wherever else the library is asked.

mod answer;
mod field;
pub mod marks;
mod replay;
pub mod sentences;

pub use answer::{
    ErrorReport, HorizonReport, Length, LevelAnswer, LostPieces, RecordedReport, RuleUse,
    SearchCounts, SolutionReport, StageReport,
};
pub(crate) use field::in_64_bits;
pub use field::{Field, seconds};
pub use replay::ReplayAnswer;

use serde_json::{Map, Value};
use unstuck_puzzles::Facts;

/// A fact's name for programs: words joined by underscores.
pub fn name(name: &str) -> String {
    name.replace(' ', "_").to_lowercase()
}

/// Facts as an object.
pub fn facts(facts: &Facts) -> Map<String, Value> {
    facts.iter().map(|(fact, value)| (name(fact), value.clone())).collect()
}
