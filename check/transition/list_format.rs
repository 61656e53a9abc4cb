//! Lists in certificates as text: a title, fields, the number of entries, then one entry a line.

use std::fmt;
use std::io::{BufRead, Lines};
use unstuck_encodings::EncodeError;
use unstuck_puzzles::canonical;

/// What is wrong with a list: where, and what, as one sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListError {
    /// Line of the text, from 1; `None` where no line is to blame.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl ListError {
    /// A fault that no line is to blame for.
    pub fn whole(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into() }
    }
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for ListError {}

impl From<EncodeError> for ListError {
    fn from(EncodeError(reason): EncodeError) -> Self {
        Self::whole(reason)
    }
}

/// Reads a list from its title to its last entry.
pub struct ListReader<R> {
    lines: Lines<R>,
    /// Number of the line that was read last.
    number: usize,
}

impl<R: BufRead> ListReader<R> {
    /// Reads the title.
    ///
    /// # Errors
    /// When another line stands there.
    pub fn new(input: R, title: &str) -> Result<Self, ListError> {
        Self::one_of(input, &[title]).map(|(reader, _)| reader)
    }

    /// Reads one of these titles.
    ///
    /// # Errors
    /// When another line stands there.
    pub fn one_of<'t>(input: R, titles: &[&'t str]) -> Result<(Self, &'t str), ListError> {
        let mut reader = Self { lines: input.lines(), number: 0 };
        let line = reader.next()?;
        let title = titles.iter().find(|title| line.as_deref() == Some(**title));
        match title {
            Some(title) => Ok((reader, title)),
            None => Err(reader.fault(format!("`{}` belongs here", titles[0]))),
        }
    }

    fn next(&mut self) -> Result<Option<String>, ListError> {
        self.number += 1;
        self.lines.next().transpose().map_err(|error| self.fault(error.to_string()))
    }

    /// What is wrong with the line that was read last.
    fn fault(&self, reason: String) -> ListError {
        ListError { line: Some(self.number), reason }
    }

    /// The value of the field in the next line.
    ///
    /// # Errors
    /// When the field does not stand there, or `read` cannot read it.
    pub fn field<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ListError> {
        let line = self.next()?.unwrap_or_default();
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        let value = value.ok_or_else(|| self.fault(format!("`{name} ...` belongs here")));
        read(value?).ok_or_else(|| self.fault(format!("what is this {name}?")))
    }

    /// The field of this name, which has the number of the entries, and these.
    ///
    /// # Errors
    /// When there are fewer or more, or `read` cannot read one.
    pub fn entries<T>(
        mut self,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, ListError> {
        let count: usize = self.field(name, canonical)?;
        let mut entries = Vec::new();
        while let Some(line) = self.next()? {
            if entries.len() == count {
                return Err(self.fault(format!("more {name} than announced")));
            }
            let entry = read(&line);
            entries.push(entry.ok_or_else(|| self.fault(format!("not one of the {name}")))?);
        }
        if entries.len() < count {
            let reason = format!("the list ends where one of the {name} belongs");
            return Err(ListError::whole(reason));
        }
        Ok(entries)
    }
}
