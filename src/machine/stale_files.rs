//! What interrupted runs left behind.
//!
//! Whatever is written appears under its name only when it is complete; until then it lies beside
//! that place under a name that begins with [`PREFIX`]. Who writes holds a lock on it, which ends
//! with the process however that ends, so a later run can tell which files will never be finished.

use super::locks::{self, Lock};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// How the names of unfinished files and folders begin.
pub const PREFIX: &str = ".unstuck-";

/// What is younger stays: a process may be about to take its lock.
const MIN_AGE: Duration = Duration::from_secs(60);

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    super::lock(&UNFINISHED)
}

/// A file or folder is in use as long as this lives.
#[derive(Debug)]
pub struct WorkLock {
    path: PathBuf,
    /// None where nothing can be locked: there nothing is swept either.
    _lock: Option<Lock>,
}

impl Drop for WorkLock {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.path);
    }
}

/// Takes the lock of an unfinished file or folder.
pub fn hold(path: &Path) -> WorkLock {
    held(path, locks::at(path).ok())
}

/// Takes the lock of an unfinished file that is open already, and stays so as long as the lock is
/// needed.
pub fn hold_open(path: &Path, file: &File) -> WorkLock {
    held(path, locks::open_file(path, file).ok())
}

fn held(path: &Path, lock: Option<Lock>) -> WorkLock {
    unfinished().push(path.to_path_buf());
    WorkLock { path: path.to_path_buf(), _lock: lock }
}

/// Removes all that this process has not finished. For a process that is about to end itself.
pub fn remove_unfinished() {
    unfinished().drain(..).for_each(|path| remove(&path));
}

fn remove(path: &Path) {
    // Not removable, then it stays: that is no reason not to go on.
    let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
}

/// Removes unfinished files and folders that are no longer locked, and not quite new.
pub fn sweep(folder: &Path) {
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
        let Ok(_lock) = locks::at(&path) else { continue };
        remove(&path);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::time::SystemTime;

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
        let lock = hold(&held);
        sweep(&place);
        assert!(!left.exists() && held.exists() && young.exists() && other.exists());
        drop(lock);
        sweep(&place);
        assert!(!held.exists());
        fs::remove_dir_all(&place).unwrap();
    }
}
