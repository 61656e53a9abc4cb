//! A file to which one run alone appends, as long as it holds it.

use crate::{Failure, output};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use unstuck::machine::file_id::FileId;
use unstuck::machine::locks::{self, Lock};
use unstuck::machine::regular;

/// A file that is open for appending; no other run can open it meanwhile.
pub(crate) struct LockedFile {
    /// None when it was closed to be replaced, and was not.
    file: Option<File>,
    path: PathBuf,
    /// None where the file system has no locks: there other processes are not kept out.
    lock: Option<Lock>,
}

impl LockedFile {
    /// Opens a file, or makes it; `what` says what it is to users.
    ///
    /// # Errors
    /// When it cannot be opened, is an input, or another run holds it.
    pub(crate) fn open(path: &Path, what: &str) -> Result<Self, Failure> {
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
            let file = appending(path).map_err(|error| Failure::file(&shown, &error))?;
            let lock = match locks::open_file(path, &file) {
                Err(TryLockError::WouldBlock) => {
                    let message = format!("{shown}: another run is writing this {what}");
                    return Err(Failure::usage(message).help("wait for it, or name another file"));
                }
                lock => lock.ok(),
            };
            // Where a run before this one put another file in the place of the one that was opened,
            // that is the one to hold; but some file systems do not know their files again.
            if last || FileId::of(&file) == FileId::at(path) {
                return Ok(Self { file: Some(file), path: path.to_owned(), lock });
            }
        }
        unreachable!("the last of them is taken")
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        let about = self.file.as_ref().and_then(|file| file.metadata().ok());
        about.is_some_and(|about| about.is_file() && about.len() == 0)
    }

    /// Appends a text, all of it or nothing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn append(&mut self, text: &str) -> Result<(), Failure> {
        let fail = |error: io::Error| Failure::file(&self.path.display().to_string(), &error);
        let file = match &mut self.file {
            Some(file) => file,
            closed => closed.insert(appending(&self.path).map_err(fail)?),
        };
        let whole = file.metadata().ok().filter(|about| about.is_file());
        // What was put in place of the file is not open for appending only.
        let _ = file.seek(SeekFrom::End(0));
        // One write: a run that is killed leaves whole lines.
        file.write_all(text.as_bytes()).map_err(|error| {
            if let Some(about) = whole {
                let _ = regular::cut(&self.path, about.len());
            }
            fail(error)
        })
    }

    /// Puts other content in its place, and holds that. A device keeps what it was given.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn replace(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Self { file, path, lock } = self;
        if !output::is_device(path) {
            let extend = |new: &File| match lock.as_ref().map(|lock| lock.extend(new)) {
                Some(Err(TryLockError::WouldBlock)) => Err(io::ErrorKind::WouldBlock.into()),
                _ => Ok(()),
            };
            let put = output::put(path, true, extend, |out| {
                write(out)?;
                // Windows does not replace what is open; the lock outlives the file there.
                if cfg!(windows) {
                    *file = None;
                }
                Ok(())
            });
            *file = Some(put?);
        }
        Ok(())
    }
}

fn appending(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
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
