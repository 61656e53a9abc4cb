//! What can be wrong with the text of a game.

use std::fmt;

/// A fault in a text, with its place and the way out.
///
/// Lines and columns count from 1; columns count characters, not bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line of the fault; 0 when there is no single place.
    pub line: usize,
    /// Column of the fault; 0 when the whole line is meant.
    pub column: usize,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// What to do about it, as one sentence without a full stop.
    pub help: Option<String>,
}

impl ParseError {
    pub(crate) fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into(), help: None }
    }

    /// A fault of the text as a whole.
    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self::at(0, 0, message)
    }

    /// The same fault with advice on the way out.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => f.write_str(&self.message),
            (line, 0) => write!(f, "line {line}: {}", self.message),
            (line, column) => write!(f, "line {line}, column {column}: {}", self.message),
        }
    }
}

impl std::error::Error for ParseError {}
