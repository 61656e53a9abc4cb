//! What the objects that commands print with `--json` have in common.
//!
//! `docs/schema.json` describes every object; the tests hold every command's output to it. Names are
//! words joined by underscores.

use super::input::{ReadFailure, SelectedLevel};
use serde::Serialize;
use serde_json::{Value, json};

/// Version of the JSON that commands print; it changes when a field changes its meaning.
pub(super) const SCHEMA: u32 = 2;

/// An object of a command, with nothing else in it yet.
pub(super) fn object(command: &str) -> Value {
    json!({ "schema": SCHEMA, "command": command })
}

/// An object of a command about one level.
pub(super) fn of_level(command: &str, chosen: &SelectedLevel) -> Value {
    let mut value = object(command);
    value["file"] = json!(chosen.source);
    value["number"] = json!(chosen.number);
    value["title"] = json!(chosen.level.title);
    value["puzzle"] = json!(chosen.family.name);
    value["id"] = json!(chosen.id());
    value
}

/// Completes an object with the fields of another.
pub(super) fn extend(value: &mut Value, fields: impl Serialize) {
    let fields = serde_json::to_value(fields).unwrap_or_default();
    if let (Value::Object(all), Value::Object(more)) = (value, fields) {
        all.extend(more);
    }
}

/// An object of a command about what the arguments name: a level, or a file of which there is none.
pub(super) fn of_one(command: &str, one: &Result<SelectedLevel, ReadFailure>) -> Value {
    match one {
        Ok(chosen) => of_level(command, chosen),
        Err(read_failure) => {
            let mut value = object(command);
            value["file"] = json!(read_failure.source);
            value
        }
    }
}
