//! What the objects that commands print with `--json` have in common.
//!
//! `docs/schema.json` describes every object; it is made from the types, and the tests hold every
//! command's output to it. Names are words joined by underscores.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// Version of the JSON that commands print; it changes when a field changes its meaning.
pub(crate) const SCHEMA: u32 = 2;

/// An object of a command; it is printed on a line of its own.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Object<'a, T> {
    /// Version of the objects.
    schema: u32,
    /// The command.
    command: &'a str,
    #[serde(flatten)]
    fields: T,
}

/// An object of a command with these fields.
pub(crate) fn object<T>(command: &str, fields: T) -> Object<'_, T> {
    Object { schema: SCHEMA, command, fields }
}

impl<T: Serialize> fmt::Display for Object<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(self))
    }
}

/// An object on one line.
pub(crate) fn line(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("its keys are texts")
}

/// What is wrong with an object, with the field in which it is.
pub(crate) type FieldError = serde_path_to_error::Error<serde_json::Error>;

/// Reads an object that was written by this program, or by a person.
///
/// # Errors
/// The first field that is not as it should be.
pub(crate) fn read<'a, T: Deserialize<'a>>(value: &'a Value) -> Result<T, FieldError> {
    serde_path_to_error::deserialize(value)
}
