//! Lists in certificates as text: a title, fields, the number of entries, then one entry a line.

use std::io::{BufRead, Lines};

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
    pub fn new(input: R, title: &str) -> Result<Self, String> {
        let mut reader = Self { lines: input.lines(), number: 0 };
        if reader.next()?.as_deref() != Some(title) {
            return Err(format!("line 1: `{title}` belongs here"));
        }
        Ok(reader)
    }

    fn next(&mut self) -> Result<Option<String>, String> {
        self.number += 1;
        self.lines.next().transpose().map_err(|error| format!("line {}: {error}", self.number))
    }

    /// The value of the field in the next line.
    ///
    /// # Errors
    /// When the field does not stand there, or `read` cannot read it.
    pub fn field<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, String> {
        let line = self.next()?.unwrap_or_default();
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        let value = value.ok_or_else(|| format!("line {}: `{name} ...` belongs here", self.number));
        read(value?).ok_or_else(|| format!("line {}: what is this {name}?", self.number))
    }

    /// The field of this name, which has the number of the entries, and these.
    ///
    /// # Errors
    /// When there are fewer or more, or `read` cannot read one.
    pub fn entries<T>(
        mut self,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, String> {
        let count: usize = self.field(name, |number| number.parse().ok())?;
        let mut entries = Vec::new();
        while let Some(line) = self.next()? {
            if entries.len() == count {
                return Err(format!("line {}: more {name} than announced", self.number));
            }
            let entry = read(&line);
            entries
                .push(entry.ok_or_else(|| format!("line {}: not one of the {name}", self.number))?);
        }
        if entries.len() < count {
            return Err(format!("the list ends where one of the {name} belongs"));
        }
        Ok(entries)
    }
}
