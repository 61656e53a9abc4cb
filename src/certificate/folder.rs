//! Folders that are there whole or not at all.
//!
//! Files are written into a hidden folder beside the target, `certificate.json` last, and the
//! folder is renamed when it is complete. A run that is interrupted, or a disk that is full, leaves
//! nothing that looks like a certificate.

use super::MANIFEST;
use super::check::CheckError;
use super::files::{Destination, FileReader, Files, Scratch};
use crate::machine::sleep;
use crate::machine::stale_files::{self, WorkLock};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use unstuck_check::certificate::folder::open;

/// How often a folder that is in use is tried to be renamed, and the time between two tries.
const RENAME_LOOKS: u32 = 40;
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A folder that has no name yet: hidden, in use by this process, and removed unless it is put in its
/// place.
#[derive(Debug)]
pub struct UnfinishedFolder {
    folder: TempDir,
    /// The lock that tells other runs that this folder is in use.
    _held: WorkLock,
}

impl UnfinishedFolder {
    /// Makes one beside `target`.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn beside(target: &Path) -> io::Result<Self> {
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        stale_files::sweep(parent);
        let folder = tempfile::Builder::new().prefix(stale_files::PREFIX).tempdir_in(parent)?;
        let held = stale_files::hold(folder.path());
        Ok(Self { folder, _held: held })
    }

    /// Where it is now.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts it in its place. With `force` that may be taken by a file or a folder, which is removed
    /// once this one is there.
    ///
    /// # Errors
    /// When it cannot be put there; what was there stays then.
    pub fn put(self, target: &Path, force: bool) -> io::Result<()> {
        share(self.path(), 0o755)?;
        if force && target.symlink_metadata().is_ok() {
            let old = Self::beside(self.path())?;
            let aside = old.path().join("old");
            rename(target, &aside)?;
            if let Err(error) = rename(self.path(), target) {
                rename(&aside, target)?;
                return Err(error);
            }
        } else {
            rename(self.path(), target)?;
        }
        // The folder has moved: there is nothing left to clean up.
        let _ = self.folder.keep();
        Ok(())
    }
}

/// A certificate in the making.
pub struct Folder {
    folder: UnfinishedFolder,
    target: PathBuf,
    force: bool,
}

impl Files for Folder {
    fn open(&self, name: &str) -> Result<FileReader<'_>, CheckError> {
        open(self.folder.path(), name)
    }

    fn folder(&self) -> Option<&Path> {
        Some(self.folder.path())
    }
}

impl Destination for Folder {
    /// On the disk that the folder is on, which has room for it.
    fn scratch(&self) -> io::Result<Box<dyn Scratch>> {
        Ok(Box::new(tempfile::tempfile_in(self.folder.path())?))
    }

    fn create(&mut self, name: &str) -> io::Result<Box<dyn Write + Send + '_>> {
        Ok(Box::new(File::create(self.folder.path().join(name))?))
    }
}

impl Folder {
    /// Begins a folder that will be at `target`.
    ///
    /// # Errors
    /// When the target exists (with `force`: when it is something else than a certificate), or
    /// nothing can be written beside it.
    pub fn new(target: &Path, force: bool) -> io::Result<Self> {
        if target.symlink_metadata().is_ok() {
            if !force {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, "already exists"));
            }
            let empty = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
            if !target.join(MANIFEST).is_file() && !empty() {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "already exists and is not a certificate: it is not replaced",
                ));
            }
        }
        let folder = UnfinishedFolder::beside(target)?;
        Ok(Self { folder, target: target.to_path_buf(), force })
    }

    /// Puts the certificate where it belongs.
    ///
    /// # Errors
    /// When the target cannot be replaced; what was there stays then.
    pub fn keep(self) -> io::Result<()> {
        // Windows syncs what is open for writing only.
        File::options().write(true).open(self.folder.path().join(MANIFEST))?.sync_all()?;
        self.folder.put(&self.target, self.force)
    }
}

/// Renames a folder. Windows refuses that while anything in it is open, as new files often are for
/// a moment, to a virus scanner say.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let looks = if cfg!(windows) { RENAME_LOOKS } else { 1 };
    for _ in 1..looks {
        match fs::rename(from, to) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => sleep(POLL_INTERVAL),
            done => return done,
        }
    }
    fs::rename(from, to)
}

/// Writes a file whole or not at all, over one of its name.
///
/// # Errors
/// Those of the file system, and those of `write`.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut draft = tempfile::Builder::new().prefix(stale_files::PREFIX).tempfile_in(folder)?;
    let mut out = io::BufWriter::new(draft.as_file_mut());
    write(&mut out).and_then(|()| out.flush())?;
    drop(out);
    share(draft.path(), 0o644)?;
    draft.persist(path).map(drop).map_err(|error| error.error)
}

/// What is temporary is private; certificates and stores are not secrets.
#[cfg(unix)]
fn share(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn share(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &mut Folder, name: &str) {
        folder.create(name).unwrap().write_all(b"abc").unwrap();
    }

    #[test]
    fn a_folder_that_is_not_kept_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::new(&place.path().join("certificate"), false).unwrap();
        write(&mut folder, "a.txt");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        assert!(folder.open("a.txt").is_ok() && folder.open("b.txt").is_err());
        drop(folder);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_is_kept_is_whole() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("certificate");
        let mut folder = Folder::new(&target, false).unwrap();
        write(&mut folder, "a.txt");
        write(&mut folder, MANIFEST);
        folder.keep().unwrap();
        assert!(target.join("a.txt").is_file());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_takes_the_place_of_another_or_of_a_file_with_force_only() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("target");
        let put = |text: &str, force| {
            let folder = UnfinishedFolder::beside(&target).unwrap();
            fs::write(folder.path().join("a.txt"), text).unwrap();
            folder.put(&target, force)
        };
        let there = || fs::read_to_string(target.join("a.txt"));
        fs::write(&target, "a file").unwrap();
        assert!(put("one", false).is_err());
        assert_eq!(fs::read_to_string(&target).unwrap(), "a file");
        put("one", true).unwrap();
        assert_eq!(there().unwrap(), "one");
        assert!(put("two", false).is_err());
        assert_eq!(there().unwrap(), "one");
        put("two", true).unwrap();
        assert_eq!(there().unwrap(), "two");
        // Neither what was there nor what was not put is left beside it.
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_written_whole_can_be_read_by_all() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("store.json");
        write_whole(&path, |out| out.write_all(b"{}")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o444, 0o444);
    }

    #[test]
    fn only_certificates_are_replaced() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("certificate");
        fs::create_dir(&target).unwrap();
        assert!(Folder::new(&target, false).is_err());
        fs::write(target.join("letter.txt"), "mine").unwrap();
        assert!(Folder::new(&target, true).is_err(), "a folder with other files");
        fs::write(target.join(MANIFEST), "{}").unwrap();
        let mut folder = Folder::new(&target, true).unwrap();
        write(&mut folder, MANIFEST);
        folder.keep().unwrap();
        assert!(!target.join("letter.txt").exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
