//! Why a game is lost, as a person can see it on the board.

use super::diagnose::Diagnosis;
use super::explain::explain;
use super::hint::{piece_of, places};
use crate::atlas::{Atlas, Playthrough};
use crate::instance::Instance;
use crate::limits::Limits;
use crate::report::marks::{Mark, MarkStyle};
use serde::Serialize;
use unstuck_puzzles::Part;
use unstuck_puzzles::constraints::Constraints;

/// Why a game is lost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct Reason {
    /// What shows it: `bound`, `parts` or `search`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["bound", "parts", "search"])))]
    pub kind: &'static str,
    /// One sentence without a full stop.
    pub text: String,
    /// The parts that are lost by themselves, where that is the reason.
    pub parts: Vec<Part>,
}

/// Why the game is lost after the fatal move, or from the start.
pub fn reason(
    instance: &dyn Instance,
    answer: &Diagnosis,
    constraints: &Constraints,
    limits: &Limits,
) -> Option<Reason> {
    let later = instance.continued(&answer.losing_moves()?).ok()?;
    if let Some(text) = later.encoded().unsolvable_reason() {
        return Some(Reason { kind: "bound", text, parts: Vec::new() });
    }
    let all = later.parts();
    let may_go = |it: &&Part| constraints.allow_without(it) && it.kind != Part::WALL;
    let pieces: Vec<&Part> = all.iter().filter(may_go).collect();
    let kinds: Vec<&str> = pieces.iter().map(|part| part.kind).collect();
    let explained = match kinds.as_slice() {
        [] => None,
        kinds => explain(later.as_ref(), kinds, 1, constraints, limits).ok(),
    };
    let core = explained.as_ref().and_then(|answer| answer.cores.first());
    let Some(core) = core.filter(|core| (1..pieces.len()).contains(&core.parts.len())) else {
        let text = "every position that can still be reached was searched, and none is solved";
        return Some(Reason { kind: "search", text: text.to_owned(), parts: Vec::new() });
    };
    let parts = core.named.clone();
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    let text = match names.as_slice() {
        [only] => format!("even alone, with no other of its kind on the board, {only} is lost"),
        [first @ .., last] => {
            format!("even alone on the board, {} and {last} are lost together", first.join(", "))
        }
        [] => unreachable!("there is at least one"),
    };
    Some(Reason { kind: "parts", text, parts })
}

/// What is drawn on the position that is shown: what the fatal move pushes, and the reason.
pub fn marks(atlas: &dyn Atlas, game: &Playthrough, answer: &Diagnosis) -> Vec<Mark> {
    let fatal = answer.fatal.and_then(|fatal| game.moves[fatal - 1].action);
    let pushed = fatal.map_or("", |action| atlas.action_name(action));
    let rings =
        places(piece_of(pushed)).into_iter().map(|it| Mark::new(it, MarkStyle::Pointed, ""));
    let parts = answer.reason.iter().flat_map(|reason| &reason.parts);
    rings.chain(parts.flat_map(|part| Mark::part(part, MarkStyle::Lost, ""))).collect()
}
