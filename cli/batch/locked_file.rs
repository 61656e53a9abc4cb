//! A file to which one run alone appends, as long as it holds it.

use crate::file_id::FileId;
use crate::{Failure, output};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is open for appending; no other run can open it meanwhile.
pub(super) struct LockedFile {
    file: File,
    path: PathBuf,
}

impl LockedFile {
    /// Opens a file, or makes it; `what` says what it is to users.
    ///
    /// # Errors
    /// When it cannot be opened, is an input, or another run holds it.
    pub(super) fn open(path: &Path, what: &str) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        if path.is_dir() {
            return Err(Failure::usage(format!("{shown}: is a folder")).help("name a file"));
        }
        // Opening a pipe would wait for its reader, and it keeps nothing.
        if is_pipe(path) {
            return Err(Failure::usage(format!("{shown}: not a regular file")).help("name a file"));
        }
        output::not_input(path)?;
        for last in [false, false, false, true] {
            let file = OpenOptions::new().append(true).create(true).open(path);
            let file = file.map_err(|error| Failure::file(&shown, &error))?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                let message = format!("{shown}: another run is writing this {what}");
                return Err(Failure::usage(message).help("wait for it, or name another file"));
            }
            // Some file systems have no locks; then other processes are not kept out. Where a run
            // before this one put another file in the place of the one that was opened, that is the
            // one to hold; but some file systems do not know their files again.
            if last || FileId::of_open(path, &file) == FileId::of(path) {
                return Ok(Self { file, path: path.to_owned() });
            }
        }
        unreachable!("the last of them is taken")
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.file.metadata().is_ok_and(|about| about.is_file() && about.len() == 0)
    }

    /// Appends a text, all of it or nothing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn append(&mut self, text: &str) -> Result<(), Failure> {
        let whole = self.file.metadata().ok().filter(|about| about.is_file());
        // What was put in place of the file is not open for appending only.
        let _ = self.file.seek(SeekFrom::End(0));
        // One write: a run that is killed leaves whole lines.
        self.file.write_all(text.as_bytes()).map_err(|error| {
            if let Some(about) = whole {
                let _ = self.file.set_len(about.len());
            }
            Failure::file(&self.path.display().to_string(), &error)
        })
    }

    /// Puts other content in its place, and holds that. A device keeps what it was given.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn replace(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if !output::is_device(&self.path) {
            let lock = |file: &File| match file.try_lock() {
                Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
                Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
            };
            self.file = output::put(&self.path, true, lock, write)?;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    path.metadata().is_ok_and(|about| about.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}
