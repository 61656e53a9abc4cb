//! What can be wrong with a text, and what can be wrong with a solution.

use serde::Serialize;
use std::fmt;

/// A fault in an input text, with its place and the way out.
///
/// Lines and columns count from 1; columns count characters, not bytes. Line 0 means that the
/// fault has no single place (an empty file, say).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line of the fault, from 1; 0 when there is no single place.
    pub line: usize,
    /// Column of the fault in characters, from 1; 0 when the whole line is meant.
    pub column: usize,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// What to do about it, as one sentence without a full stop.
    pub help: Option<String>,
}

impl ParseError {
    /// A fault at a line and column (both from 1).
    pub fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into(), help: None }
    }

    /// A fault of the text as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        Self::at(0, 0, message)
    }

    /// The same fault with advice on the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same fault, `lines` further down: for parsers that see only a part of the file.
    #[must_use]
    pub fn below(mut self, lines: usize) -> Self {
        if self.line > 0 {
            self.line += lines;
        }
        self
    }

    /// The fault as a person wants to see it: place, sentence, the line with a caret, advice.
    ///
    /// `source` names the file; `text` is its whole content, which is looked through for the line:
    /// for many faults of one file there is [`Lines`].
    pub fn render(&self, source: &str, text: &str) -> String {
        let index = self.line.checked_sub(1);
        self.render_line(source, index.and_then(|index| text.lines().nth(index)))
    }

    /// Like [`render`](Self::render), with the one line of the file that the fault is in.
    pub fn render_line(&self, source: &str, line: Option<&str>) -> String {
        let mut out = match (self.line, self.column) {
            (0, _) => format!("{source}: {}", self.message),
            (line, 0) => format!("{source}:{line}: {}", self.message),
            (line, column) => format!("{source}:{line}:{column}: {}", self.message),
        };
        if let (Some(line), true) = (line, self.column > 0) {
            let shown: String = line.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
            out.push_str(&format!("\n  | {shown}\n  | {}^", " ".repeat(self.column - 1)));
        }
        if let Some(help) = &self.help {
            out.push_str(&format!("\n  = help: {help}"));
        }
        out
    }
}

/// A text in which each line is found at once, however many errors are reported in it.
#[derive(Debug)]
pub struct Lines {
    text: String,
    /// Where each line begins, in bytes.
    starts: Vec<usize>,
}

impl Lines {
    /// Looks through a text once.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        Self { starts: starts.collect(), text }
    }

    /// A line by its number, from 1, without its end; as [`str::lines`] has it.
    pub fn line(&self, number: usize) -> Option<&str> {
        let start = *self.starts.get(number.checked_sub(1)?)?;
        self.text[start..].lines().next()
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}", self.message),
            (line, 0) => write!(f, "line {line}: {}", self.message),
            (line, column) => write!(f, "line {line}, column {column}: {}", self.message),
        }
    }
}

impl std::error::Error for ParseError {}

/// Why a solution is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Violation {
    /// Number of the first move that breaks a rule, from 1; `None` when all moves are legal and
    /// only the end is wrong (or when the family has no moves).
    #[serde(rename = "move")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    pub at: Option<usize>,
    /// Name of the rule, the same word that the documentation uses (`"wall"`, `"not-solved"`).
    pub rule: &'static str,
    /// One sentence without a full stop.
    pub message: String,
}

impl Violation {
    /// A move (from 1) that breaks a rule.
    pub fn at(number: usize, rule: &'static str, message: impl Into<String>) -> Self {
        Self { at: Some(number), rule, message: message.into() }
    }

    /// A fault of the result as a whole.
    pub fn whole(rule: &'static str, message: impl Into<String>) -> Self {
        Self { at: None, rule, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(number) => write!(f, "move {number}: {} ({})", self.message, self.rule),
            None => write!(f, "{} ({})", self.message, self.rule),
        }
    }
}

impl std::error::Error for Violation {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_standard_library() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..300 {
            let length = random.usize(..12);
            let text: String =
                (0..length).map(|_| random.choice(['a', 'ß', '\r', '\n']).unwrap()).collect();
            let lines = Lines::new(text.as_str());
            assert_eq!(lines.line(0), None);
            for number in 1..length + 3 {
                assert_eq!(lines.line(number), text.lines().nth(number - 1), "{text:?}, {number}");
            }
        }
    }
}
