//! What interrupted runs left behind.
//!
//! Whatever is written appears under its name only when it is complete; until then it lies beside
//! that place under a name that begins with [`PREFIX`]. Who writes holds a lock on it, which ends
//! with the process however that ends, so a later run can tell which files will never be finished.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// How the names of unfinished files and folders begin.
pub const PREFIX: &str = ".unstuck-";

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    super::lock(&UNFINISHED)
}

/// A file or folder is in use as long as this lives.
#[derive(Debug)]
pub struct WorkLock {
    path: PathBuf,
    /// The lock, where there are such locks.
    _file: Option<File>,
}

impl Drop for WorkLock {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.path);
    }
}

/// Takes the lock of an unfinished file or folder.
///
/// # Errors
/// When it cannot be opened.
pub fn hold(path: &Path) -> io::Result<WorkLock> {
    let file = lock(path)?;
    unfinished().push(path.to_path_buf());
    Ok(WorkLock { path: path.to_path_buf(), _file: file })
}

/// Takes the lock of an unfinished file that is open already. Whoever has this open file has the
/// lock, also when the file is finished, until it is closed everywhere.
///
/// # Errors
/// When the file cannot be shared.
pub fn hold_open(path: &Path, file: &File) -> io::Result<WorkLock> {
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        // Where nothing can be locked nothing is swept either.
        let _ = flock(file, FlockOperation::NonBlockingLockExclusive);
    }
    let file = file.try_clone()?;
    unfinished().push(path.to_path_buf());
    Ok(WorkLock { path: path.to_path_buf(), _file: Some(file) })
}

/// Removes all that this process has not finished. For a process that is about to end itself.
pub fn remove_unfinished() {
    unfinished().drain(..).for_each(|path| remove(&path));
}

fn remove(path: &Path) {
    // Not removable, then it stays: that is no reason not to go on.
    let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
}

#[cfg(unix)]
fn lock(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    let file = File::open(path)?;
    // Where nothing can be locked nothing is swept either.
    let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
    Ok(Some(file))
}

#[cfg(not(unix))]
fn lock(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Removes unfinished files and folders that are no longer locked. Those that are younger than a
/// minute stay: a process may be about to take the lock.
#[cfg(unix)]
pub fn sweep(folder: &Path) {
    use rustix::fs::{FlockOperation, flock};
    use std::time::Duration;
    const MIN_AGE: Duration = Duration::from_secs(60);
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|e| e.file_name().to_string_lossy().starts_with(PREFIX)) {
        let path = entry.path();
        let about = path.symlink_metadata();
        let Ok(about) = about else { continue };
        let age = about.modified().ok().and_then(|time| time.elapsed().ok());
        // What is neither file nor folder was not made here, and opening a pipe would wait.
        let ours = about.is_file() || about.is_dir();
        if !ours || age.is_none_or(|age| age < MIN_AGE) {
            continue;
        }
        let Ok(file) = File::open(&path) else { continue };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            continue;
        }
        remove(&path);
    }
}

/// Elsewhere it is unknown which process holds what.
#[cfg(not(unix))]
pub fn sweep(_: &Path) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::time::{Duration, SystemTime};

    #[test]
    fn only_old_unlocked_ones_are_removed() {
        let place = std::env::temp_dir().join(format!("leftovers-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let old = SystemTime::now() - Duration::from_secs(3600);
        let make = |name: &str, age: SystemTime| {
            let path = place.join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "text").unwrap();
            File::open(&path).unwrap().set_modified(age).unwrap();
            path
        };
        let left = make(".unstuck-left", old);
        let held = make(".unstuck-held", old);
        let young = make(".unstuck-young", SystemTime::now());
        let other = make(".other", old);
        let lock = hold(&held).unwrap();
        sweep(&place);
        assert!(!left.exists() && held.exists() && young.exists() && other.exists());
        drop(lock);
        sweep(&place);
        assert!(!held.exists());
        fs::remove_dir_all(&place).unwrap();
    }
}
