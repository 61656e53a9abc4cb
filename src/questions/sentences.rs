//! What sentences of answers have in common: they have no full stop, and are the same for the
//! program, for the objects that it prints, and for the page.

use crate::limits::Stop;
use unstuck_encodings::Cost;
use unstuck_puzzles::{Measures, Objective};

/// The board of a diagnosis, where a move lost the game.
pub const BEFORE_IT: &str = "the position before it can be solved";

/// A cost with what the objective counts first.
pub fn cost(measures: Measures, objective: Objective, cost: Cost) -> String {
    measures.first(objective).count(cost.primary())
}

/// What is known of a cost when a limit has struck, to be put behind what is not known.
pub fn at_least(measures: Measures, objective: Objective, least: Option<Cost>) -> String {
    let known = least.filter(|&least| least.primary() > 0);
    known.map_or(String::new(), |least| {
        format!("; lower bound {}", cost(measures, objective, least))
    })
}

/// That a limit has left something open.
pub fn incomplete(stop: Stop) -> String {
    format!("incomplete: {stop}")
}
