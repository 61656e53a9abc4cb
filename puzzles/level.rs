//! A level as a file holds it.

use crate::error::ParseError;

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
    pub warnings: Vec<String>,
    /// What else the file says, kept word for word where the family can write it back.
    pub notes: Notes,
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
