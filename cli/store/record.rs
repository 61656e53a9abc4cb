//! Levels with their solutions in the family's interchange format, written as they are found.
//!
//! What is recorded is always what the log (where there is one) knows, in the order of the batch: a
//! run that goes on after an interruption rewrites the record from the log before its first level,
//! appends what it finds, and puts everything in order at the end. A kill loses at most the level
//! in progress. A file is held (see [`LockedFile`]) as long as the run lasts.

use crate::input::{self, SelectedLevel};
use crate::store::locked_file::LockedFile;
use crate::terminal::failure::Failure;
use crate::terminal::output::{self, Target};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use unstuck::instance::{Instance, Verified};
use unstuck::registry::{FAMILIES, ParsedPuzzle};
use unstuck_puzzles::{Level, Notes, Options, RecordSupport, Recording};

/// A record in the making.
pub(crate) struct Record {
    target: Target,
    force: bool,
    /// What the one file of the batch says about itself; empty where several files take part.
    header: String,
    /// For each level of the batch what is recorded of it.
    blocks: Vec<Option<String>>,
    /// The text that the file has now.
    written: String,
    /// The file, from the first look at it on.
    held: Option<LockedFile>,
}

impl Record {
    /// A record of a batch of so many levels. `header` is what their one file says about itself;
    /// none where they come from several.
    pub(crate) fn new(target: Target, force: bool, header: Option<&str>, levels: usize) -> Self {
        let (header, blocks) = (header.unwrap_or_default().to_owned(), vec![None; levels]);
        Self { target, force, header, blocks, written: String::new(), held: None }
    }

    /// What is recorded of a level; `None` where the format has no place for solutions.
    pub(crate) fn block(
        &self,
        chosen: &SelectedLevel,
        instance: &dyn Instance,
        plan: &Verified,
        elapsed: Duration,
    ) -> Option<String> {
        let of_file = self.header.is_empty();
        let file = if of_file { chosen.level.notes.file.clone() } else { String::new() };
        let notes = Notes { file, level: chosen.level.notes.level.clone() };
        let title = chosen.level.title.as_deref();
        instance.record(plan, Recording { title, notes: Some(&notes), elapsed })
    }

    /// Takes what the log knows of a level, before the work begins.
    pub(crate) fn know(&mut self, at: usize, block: Option<String>) {
        self.blocks[at] = block;
    }

    /// Begins the record with what is known. An existing file is rewritten when all its levels are
    /// known (`names`: those of the levels with a solution), for then nothing is lost.
    ///
    /// # Errors
    /// When a file is there that has more than what is known, or it cannot be written.
    pub(crate) fn begin(&mut self, names: &BTreeSet<String>) -> Result<(), Failure> {
        let text = self.text();
        let Target::File(path) = &self.target else { return self.replace(text) };
        output::writable(path, true)?;
        let held = LockedFile::open(path, "record")?;
        if !self.force && !held.is_empty() && !output::is_device(path) && !is_known(path, names) {
            let shown = path.display();
            let message = format!("{shown}: already exists, with more than the log knows");
            return Err(Failure::usage(message).help("`--force` replaces it"));
        }
        // What is there is replaced in any case.
        let stale = !held.is_empty();
        self.held = Some(held);
        if stale && text.is_empty() { self.put(text) } else { self.replace(text) }
    }

    /// Adds what was found of a level.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn add(&mut self, at: usize, block: String) -> Result<(), Failure> {
        let mut piece = String::new();
        if self.written.is_empty() {
            piece.push_str(&self.header);
        }
        if !(self.written.is_empty() && piece.is_empty()) {
            piece.push('\n');
        }
        piece.push_str(&block);
        self.blocks[at] = Some(block);
        match &self.target {
            Target::Stdout => self.target.write(true, |out| out.write_all(piece.as_bytes()))?,
            Target::File(_) => {
                let held = self.held.as_mut().expect("the record was begun");
                let shown = held.path().display().to_string();
                let added = held.append(piece.as_bytes());
                added.map_err(|error| Failure::file(&shown, &error))?;
            }
        }
        self.written.push_str(&piece);
        Ok(())
    }

    /// Ends the record: everything stands in the order of the batch.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        let text = self.text();
        match self.target {
            // What went out is out.
            Target::Stdout => Ok(()),
            Target::File(_) => self.replace(text),
        }
    }

    fn text(&self) -> String {
        let blocks: Vec<&str> = self.blocks.iter().flatten().map(String::as_str).collect();
        if blocks.is_empty() {
            return String::new();
        }
        let header = (!self.header.is_empty()).then_some(self.header.as_str());
        header.into_iter().chain(blocks).collect::<Vec<_>>().join("\n")
    }

    fn replace(&mut self, text: String) -> Result<(), Failure> {
        if text != self.written { self.put(text) } else { Ok(()) }
    }

    /// Puts this text in the place of what is there.
    fn put(&mut self, text: String) -> Result<(), Failure> {
        match &mut self.held {
            Some(held) => held.replace(|out| out.write_all(text.as_bytes()))?,
            None => self.target.write(true, |out| out.write_all(text.as_bytes()))?,
        }
        self.written = text;
        Ok(())
    }
}

/// An empty record is no record.
impl Drop for Record {
    fn drop(&mut self) {
        if let Some(held) = self.held.as_ref().filter(|held| held.is_empty()) {
            let _ = std::fs::remove_file(held.path());
        }
    }
}

/// Whether all levels of a record are among those of these names.
fn is_known(path: &Path, names: &BTreeSet<String>) -> bool {
    let Ok(source) = input::source_of_output(path) else { return false };
    if source.text.trim().is_empty() {
        return true;
    }
    FAMILIES.iter().filter(|family| family.records != RecordSupport::Nothing).any(|family| {
        let options = Options::new(family.options, []).expect("defaults fit");
        (family.read)(&source.text, &options).is_ok_and(|levels| {
            let known = |level: &Level<ParsedPuzzle>| {
                level.puzzle.as_ref().is_ok_and(|puzzle| names.contains(&puzzle.identity()))
            };
            levels.iter().all(known)
        })
    })
}
