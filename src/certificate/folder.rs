//! Folders that are there whole or not at all.
//!
//! Files are written into a hidden folder beside the target, `certificate.json` last, and the
//! folder is renamed when it is complete. A run that is interrupted, or a disk that is full, leaves
//! nothing that looks like a certificate.

use super::{MANIFEST, Manifest};
use crate::machine::leftovers::{self, Held};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A certificate in the making.
pub struct Draft {
    folder: TempDir,
    target: PathBuf,
    force: bool,
    files: BTreeMap<String, String>,
    /// The lock that tells other runs that somebody is at work here.
    _held: Held,
}

impl Draft {
    /// Begins a certificate that will be at `target`.
    ///
    /// # Errors
    /// When the target exists (with `force`: when it is something else than a certificate), or
    /// nothing can be written beside it.
    pub fn new(target: &Path, force: bool) -> io::Result<Self> {
        if target.symlink_metadata().is_ok() {
            if !force {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, "exists already"));
            }
            let empty = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
            if !target.join(MANIFEST).is_file() && !empty() {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "exists and is no certificate: it is not replaced",
                ));
            }
        }
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        leftovers::sweep(parent);
        let folder = tempfile::Builder::new().prefix(leftovers::PREFIX).tempdir_in(parent)?;
        let held = leftovers::hold(folder.path())?;
        let (target, files) = (target.to_path_buf(), BTreeMap::new());
        Ok(Self { folder, target, force, files, _held: held })
    }

    /// Where the files are now.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file; a second one of the same name replaces the first.
    ///
    /// # Errors
    /// When `write` fails or the file cannot be written.
    pub fn file<T, E: From<io::Error>>(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
    ) -> Result<T, E> {
        let file = File::create(self.folder.path().join(name))?;
        let mut out = BufWriter::with_capacity(1 << 16, Hashing { file, hash: Sha256::new() });
        let result = write(&mut out)?;
        let hashing = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.files.insert(name.to_owned(), hex(&hashing.hash.finalize()));
        Ok(result)
    }

    /// A file for what will not be kept: nobody sees it, and it ends with the run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn scratch(&self) -> io::Result<File> {
        tempfile::tempfile_in(self.folder.path())
    }

    /// Writes `certificate.json`, with the sums of the files so far.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn describe(&mut self, mut manifest: Manifest) -> io::Result<()> {
        self.files.remove(MANIFEST);
        manifest.files = self.files.clone();
        let mut file = File::create(self.folder.path().join(MANIFEST))?;
        writeln!(file, "{manifest}")?;
        file.sync_all()
    }

    /// Puts the certificate where it belongs.
    ///
    /// # Errors
    /// When the target cannot be replaced; what was there stays then.
    pub fn keep(self) -> io::Result<()> {
        share(self.folder.path())?;
        let parent = self.folder.path().parent().unwrap_or(Path::new(".")).to_path_buf();
        if self.force && self.target.exists() {
            let old = tempfile::Builder::new().prefix(leftovers::PREFIX).tempdir_in(parent)?;
            let aside = old.path().join("old");
            fs::rename(&self.target, &aside)?;
            if let Err(error) = fs::rename(self.folder.path(), &self.target) {
                fs::rename(&aside, &self.target)?;
                return Err(error);
            }
        } else {
            fs::rename(self.folder.path(), &self.target)?;
        }
        // The folder has moved: there is nothing left to clean up.
        let _ = self.folder.keep();
        Ok(())
    }
}

/// Temporary folders are private; certificates are not secrets.
#[cfg(unix)]
fn share(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn share(_: &Path) -> io::Result<()> {
    Ok(())
}

struct Hashing {
    file: File,
    hash: Sha256,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of all that can be read, in hexadecimal digits.
///
/// # Errors
/// When it cannot be read.
pub fn sum(mut input: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_that_is_dropped_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("certificate");
        let mut draft = Draft::new(&target, false).unwrap();
        let written = draft.file("a.txt", |out| out.write_all(b"abc"));
        written.unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        let failed: io::Result<()> = draft.file("b.txt", |_| Err(io::Error::other("full")));
        assert!(failed.is_err());
        drop(draft);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn sums_are_those_of_the_standard() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("certificate");
        let mut draft = Draft::new(&target, false).unwrap();
        draft.file("a.txt", |out| out.write_all(b"abc")).unwrap();
        let sum_of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(draft.files["a.txt"], sum_of_abc);
        assert_eq!(sum(File::open(draft.path().join("a.txt")).unwrap()).unwrap(), sum_of_abc);
        draft.keep().unwrap();
        assert!(target.join("a.txt").is_file());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn only_certificates_are_replaced() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("certificate");
        fs::create_dir(&target).unwrap();
        assert!(Draft::new(&target, false).is_err());
        fs::write(target.join("letter.txt"), "mine").unwrap();
        assert!(Draft::new(&target, true).is_err(), "a folder with other files");
        fs::write(target.join(MANIFEST), "{}").unwrap();
        let draft = Draft::new(&target, true).unwrap();
        draft.keep().unwrap();
        assert!(!target.join("letter.txt").exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
