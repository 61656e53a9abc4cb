//! Locks on files and folders. A lock ends with the process that has it, however that ends.
//!
//! On Unix the lock is on the open file, and others can read the file meanwhile. Windows has no such
//! locks: where it locks a file nobody else can read it, and folders, and files that are open for
//! appending only, cannot be locked at all. There the lock is a hidden file beside the other that one
//! process alone can open, and that is gone when this process closes it or ends.

use std::fs::{File, TryLockError};
use std::path::Path;

/// A lock, for as long as this lives and, where [`open_file`] took it, the file is open.
#[derive(Debug)]
pub struct Lock {
    _file: Option<File>,
}

/// Takes the lock of a file that is open; `path` is where it was opened.
///
/// # Errors
/// When another has it, or the file system has no locks.
pub fn open_file(path: &Path, file: &File) -> Result<Lock, TryLockError> {
    system::open_file(path, file)
}

/// Takes the lock of the file or folder at a path.
///
/// # Errors
/// When another has it, it cannot be opened, or the file system has no locks.
pub fn at(path: &Path) -> Result<Lock, TryLockError> {
    system::at(path)
}

impl Lock {
    /// Has the lock hold for another file, too, that is about to take the place of the first.
    ///
    /// # Errors
    /// See [`open_file`].
    pub fn extend(&self, file: &File) -> Result<(), TryLockError> {
        system::extend(file)
    }
}

#[cfg(unix)]
mod system {
    use super::{File, Lock, Path, TryLockError};

    pub(super) fn open_file(_path: &Path, file: &File) -> Result<Lock, TryLockError> {
        file.try_lock().map(|()| Lock { _file: None })
    }

    pub(super) fn at(path: &Path) -> Result<Lock, TryLockError> {
        let file = File::open(path).map_err(TryLockError::Error)?;
        file.try_lock().map(|()| Lock { _file: Some(file) })
    }

    pub(super) fn extend(file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }
}

#[cfg(windows)]
mod system {
    use super::{File, Lock, Path, TryLockError};
    use crate::machine::stale_files::PREFIX;
    use std::ffi::OsString;
    use std::os::windows::fs::OpenOptionsExt;

    // Names of the system's interface.
    const FILE_ATTRIBUTE_HIDDEN: u32 = 2;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    pub(super) fn open_file(path: &Path, _file: &File) -> Result<Lock, TryLockError> {
        at(path)
    }

    pub(super) fn at(path: &Path) -> Result<Lock, TryLockError> {
        // One lock, by whatever links the path leads there.
        let path = path.canonicalize().map_err(TryLockError::Error)?;
        let mut name = OsString::from(PREFIX);
        name.push(path.file_name().unwrap_or_default());
        name.push(".lock");
        let file = File::options()
            .write(true)
            .create(true)
            .share_mode(0)
            .attributes(FILE_ATTRIBUTE_HIDDEN)
            .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
            .open(path.with_file_name(name));
        match file {
            Ok(file) => Ok(Lock { _file: Some(file) }),
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => {
                Err(TryLockError::WouldBlock)
            }
            Err(error) => Err(TryLockError::Error(error)),
        }
    }

    /// It is a lock on the place.
    pub(super) fn extend(_file: &File) -> Result<(), TryLockError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_alone_has_a_lock_and_others_read_meanwhile() {
        let place = std::env::temp_dir().join(format!("locks-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let path = place.join("file");
        let open = || File::options().append(true).create(true).open(&path).unwrap();
        let file = open();
        let lock = open_file(&path, &file).unwrap();
        assert!(matches!(open_file(&path, &open()), Err(TryLockError::WouldBlock)));
        fs::write(&path, "text").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"text");
        drop((lock, file));
        assert!(open_file(&path, &open()).is_ok());
        let held = at(&place).unwrap();
        assert!(matches!(at(&place), Err(TryLockError::WouldBlock)));
        drop(held);
        assert!(at(&place).is_ok());
        // Locks leave nothing behind.
        assert_eq!(fs::read_dir(&place).unwrap().count(), 1);
        fs::remove_dir_all(&place).unwrap();
    }
}
