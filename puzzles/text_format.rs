//! A puzzle written down: the same puzzle in several formats.

use serde::Serialize;

/// A puzzle as text in one format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(rename = "Written"))]
pub struct TextFormat {
    /// What people call the format.
    pub name: &'static str,
    /// How the names of such files end, without the dot.
    pub extension: &'static str,
    /// The puzzle; reading it gives the same puzzle.
    pub text: String,
}

impl TextFormat {
    /// A puzzle in a format.
    pub fn new(name: &'static str, extension: &'static str, text: impl Into<String>) -> Self {
        Self { name, extension, text: text.into() }
    }
}
