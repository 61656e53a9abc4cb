//! What the objects that commands print with `--json` have in common.
//!
//! `docs/schema.json` describes every object; the tests hold every command's output to it. Names are
//! words joined by underscores.

use super::input::{ReadFailure, SelectedLevel};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;

/// Version of the JSON that commands print; it changes when a field changes its meaning.
pub(super) const SCHEMA: u32 = 2;

/// An object of a command with these fields.
pub(super) fn object(command: &str, fields: impl Serialize) -> Value {
    let mut value = json!({ "schema": SCHEMA, "command": command });
    extend(&mut value, fields);
    value
}

/// An object of a command about one level, with these fields.
pub(super) fn of_level(command: &str, chosen: &SelectedLevel, fields: impl Serialize) -> Value {
    let level = json!({
        "file": chosen.source,
        "number": chosen.number,
        "title": chosen.level.title,
        "puzzle": chosen.family.name,
        "id": chosen.id(),
    });
    let mut value = object(command, level);
    extend(&mut value, fields);
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
        Ok(chosen) => of_level(command, chosen, ()),
        Err(read_failure) => object(command, json!({ "file": read_failure.source })),
    }
}

/// What is wrong with an object, with the field in which it is.
#[derive(Debug)]
pub(super) struct FieldError(serde_path_to_error::Error<serde_json::Error>);

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, fault) = (self.0.path().to_string(), self.0.inner().to_string());
        match field.as_str() {
            "." => f.write_str(&fault),
            field if fault.starts_with("unknown field") => write!(f, "unknown field `{field}`"),
            field => write!(f, "`{field}` cannot be what it is: {fault}"),
        }
    }
}

impl std::error::Error for FieldError {}

/// Reads an object that was written by this program, or by a person.
///
/// # Errors
/// The first field that is not as it should be.
pub(super) fn read<'a, T: Deserialize<'a>>(value: &'a Value) -> Result<T, FieldError> {
    serde_path_to_error::deserialize(value).map_err(FieldError)
}
