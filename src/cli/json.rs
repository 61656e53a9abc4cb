//! What the objects that commands print with `--json` have in common.
//!
//! `docs/schema.json` describes every object; the tests hold every command's output to it. Names are
//! words joined by underscores.

use super::input::Chosen;
use crate::instance::Verified;
use serde_json::{Map, Value, json};
use unstuck_puzzles::{Facts, Tally};

/// Version of the JSON that commands print; it changes when a field changes its meaning.
pub const SCHEMA: u32 = 2;

/// An object of a command, with nothing else in it yet.
pub fn object(command: &str) -> Value {
    json!({ "schema": SCHEMA, "command": command })
}

/// An object of a command about one level.
pub fn of_level(command: &str, chosen: &Chosen) -> Value {
    let mut value = object(command);
    value["file"] = json!(chosen.source);
    value["number"] = json!(chosen.number);
    value["title"] = json!(chosen.level.title);
    value["puzzle"] = json!(chosen.family.name);
    value["id"] = json!(chosen.id());
    value
}

/// A fact's name for programs: words joined by underscores.
pub fn name(name: &str) -> String {
    name.replace([' ', '-'], "_").to_lowercase()
}

/// Facts as an object.
pub fn facts(facts: &Facts) -> Value {
    let named = facts.iter().map(|(fact, value)| (name(fact), value.clone()));
    Value::Object(named.collect::<Map<_, _>>())
}

/// Length of a plan.
pub fn length(tally: Tally) -> Value {
    json!({ "moves": tally.moves, "pushes": tally.pushes })
}

/// A solution: its moves, its length (absent where a family has no moves), and facts about it.
pub fn solution(plan: &Verified, has_moves: bool) -> Value {
    let mut value = json!({ "moves": plan.text() });
    if has_moves {
        value["length"] = length(plan.tally());
    }
    if !plan.facts().is_empty() {
        value["facts"] = facts(plan.facts());
    }
    value
}
