//! A file to which one run alone appends, as long as it holds it.

use crate::terminal::failure::Failure;
use crate::terminal::output;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use unstuck::machine::file_id::FileId;
use unstuck::machine::locks::{self, Lock};
use unstuck::machine::{self, regular};

/// How often a lock is looked at before it counts as held, and the time between two looks.
const LOCK_POLLS: u32 = 25;
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A file that is open for appending; no other run can open it meanwhile.
#[derive(Debug)]
pub(crate) struct LockedFile {
    /// None when it was closed to be replaced, and was not.
    file: Option<File>,
    path: PathBuf,
    /// None where the file system has no locks: there other processes are not kept out.
    lock: Option<Lock>,
}

/// Why a file is not held.
#[derive(Debug)]
pub(crate) enum HoldError {
    /// It cannot be opened.
    Io(io::Error),
    /// Another process holds it.
    Busy,
}

impl LockedFile {
    /// Opens a file that a user has named, or makes it; `what` says what it is.
    ///
    /// # Errors
    /// When it cannot be opened, is an input, or another run holds it.
    pub(crate) fn open(path: &Path, what: &str) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        if path.is_dir() {
            return Err(Failure::usage(format!("{shown}: is a folder")).help("name a file"));
        }
        output::not_input(path)?;
        Self::hold(path).map_err(|error| match error {
            HoldError::Io(error) => Failure::file(&shown, &error),
            HoldError::Busy => {
                let message = format!("{shown}: another run is writing this {what}");
                Failure::usage(message).help("wait for it, or name another file")
            }
        })
    }

    /// Opens a file, or makes it.
    ///
    /// # Errors
    /// When it cannot be opened, or another process holds it.
    pub(super) fn hold(path: &Path) -> Result<Self, HoldError> {
        for last in [false, false, false, true] {
            let file = appending(path).map_err(HoldError::Io)?;
            let lock = locked(path, &file).ok_or(HoldError::Busy)?;
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

    /// Appends bytes, all of them or nothing.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            closed => closed.insert(appending(&self.path)?),
        };
        // What was put in place of the file is not open for appending only.
        let _ = file.seek(SeekFrom::End(0));
        append_whole(&self.path, file, bytes)
    }

    /// Cuts off what is behind its first so many bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn cut(&self, bytes: u64) -> io::Result<()> {
        if self.path.metadata()?.len() > bytes { regular::cut(&self.path, bytes) } else { Ok(()) }
    }

    /// Sees to it that what was appended outlives a loss of power too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), File::sync_data)
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

/// Appends bytes in one write: a process that is killed leaves whole lines. What of them was written
/// when that failed is cut off.
pub(super) fn append_whole(path: &Path, file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let before = file.metadata().ok().filter(|about| about.is_file());
    file.write_all(bytes).inspect_err(|_| {
        if let Some(before) = before {
            let _ = regular::cut(path, before.len());
        }
    })
}

/// Opens a file or a device. Opening a pipe would wait for its reader, and it keeps nothing.
fn appending(path: &Path) -> io::Result<File> {
    match output::is_device(path) && !is_pipe(path) {
        true => OpenOptions::new().append(true).open(path),
        false => regular::append(path),
    }
}

/// Takes the lock of a file; `None` when another process has it. One that was let go just now may
/// still be held for a moment, by a process that is about to become another program. Some file
/// systems have no locks; then other processes are not kept out.
fn locked(path: &Path, file: &File) -> Option<Option<Lock>> {
    (0..LOCK_POLLS).find_map(|look| {
        if look > 0 {
            machine::sleep(POLL_INTERVAL);
        }
        match locks::open_file(path, file) {
            Err(TryLockError::WouldBlock) => None,
            lock => Some(lock.ok()),
        }
    })
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
