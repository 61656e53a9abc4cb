//! A level as a file holds it.

use crate::error::ParseError;
use std::fmt;

/// One level of a file, readable or not.
///
/// A collection with one broken level is still a collection: the fault stays with its level.
#[derive(Clone, Debug)]
pub struct Level<P> {
    /// Title, where the file gives one.
    pub title: Option<String>,
    /// Line of the file at which the level's text begins, from 1.
    pub line: usize,
    /// The level's own text: reading it alone gives the same puzzle. Certificates keep it.
    pub text: String,
    /// The puzzle, or what is wrong with it (the lines of the fault are lines of the whole file).
    pub puzzle: Result<P, ParseError>,
    /// Solutions recorded in the file, as text for [`crate::Puzzle::read_solution`].
    pub solutions: Vec<String>,
    /// Things that were read in spite of a doubt, one sentence each.
    pub warnings: Vec<Warning>,
    /// What else the file says, kept word for word where the family can write it back.
    pub notes: Notes,
}

impl<P> Level<P> {
    /// A level of which the file says nothing else.
    pub fn new(line: usize, text: String, puzzle: Result<P, ParseError>) -> Self {
        let (solutions, warnings) = (Vec::new(), Vec::new());
        Self { title: None, line, text, puzzle, solutions, warnings, notes: Notes::default() }
    }

    /// The same level with something made of its puzzle.
    pub fn map<Q>(self, make: impl FnOnce(P) -> Q) -> Level<Q> {
        Level {
            title: self.title,
            line: self.line,
            text: self.text,
            puzzle: self.puzzle.map(make),
            solutions: self.solutions,
            warnings: self.warnings,
            notes: self.notes,
        }
    }
}

/// A doubt in spite of which a level was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The doubt, as a sentence.
    pub text: String,
    /// The option of the family that settles it, with a value: how it is written is up to whoever
    /// offers it.
    pub option: Option<(&'static str, &'static str)>,
    /// Whether it is about the whole file, of which it is said with the first level.
    pub of_file: bool,
}

impl Warning {
    /// A doubt about a whole file.
    pub fn of_file(text: String) -> Self {
        Self { of_file: true, ..text.into() }
    }

    /// The same with the option that settles it, and a value.
    #[must_use]
    pub fn settled_by(mut self, option: &'static str, value: &'static str) -> Self {
        self.option = Some((option, value));
        self
    }
}

impl From<String> for Warning {
    fn from(text: String) -> Self {
        Self { text, option: None, of_file: false }
    }
}

impl From<&str> for Warning {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match self.option {
            Some((option, value)) => write!(f, " (the option `{option}` settles that: {value})"),
            None => Ok(()),
        }
    }
}

/// What a file says beside its boards, in the family's own notation: empty where the family has no
/// such notes, or the file has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Of the file as a whole: the author of a collection, say.
    pub file: String,
    /// Of this level: author, comments, recorded and saved games.
    pub level: String,
}
