//! Objects about levels and files.

use crate::input::SelectedLevel;
pub(crate) use crate::terminal::json::*;
use serde::Serialize;

/// What an object about a level has beside its own fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OfLevel<'a, T> {
    /// The file of the level.
    file: &'a str,
    /// Its number in the file, from 1.
    #[cfg_attr(test, schemars(extend("minimum" = 1)))]
    number: usize,
    /// Its title.
    title: Option<&'a str>,
    /// The family.
    puzzle: &'a str,
    /// The same for the same level, wherever it is.
    id: Option<String>,
    #[serde(flatten)]
    fields: T,
}

/// What an object about a file without levels has beside its own fields.
#[derive(Serialize)]
pub(crate) struct OfFile<'a, T> {
    /// The file.
    file: &'a str,
    #[serde(flatten)]
    fields: T,
}

/// An object of a command about one level.
pub(crate) fn of_level<'a, T>(
    command: &'a str,
    chosen: &'a SelectedLevel,
    fields: T,
) -> Object<'a, OfLevel<'a, T>> {
    let fields = OfLevel {
        file: &chosen.source,
        number: chosen.number,
        title: chosen.level.title.as_deref(),
        puzzle: chosen.family.name,
        id: chosen.id(),
        fields,
    };
    object(command, fields)
}

/// An object of a command about a file of which there are no levels.
pub(crate) fn of_file<'a, T>(
    command: &'a str,
    file: &'a str,
    fields: T,
) -> Object<'a, OfFile<'a, T>> {
    object(command, OfFile { file, fields })
}
