//! Which file a path leads to, whatever it is called: so that no output replaces an input.

use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A file with content of its own, by any of its names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg(unix)]
pub(super) struct FileId(u64, u64);

/// A file with content of its own, by the name that symbolic links lead to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg(not(unix))]
pub(super) struct FileId(PathBuf);

impl FileId {
    /// The file that a path leads to; `None` for what is no file, or is not there.
    pub(super) fn of(path: &Path) -> Option<Self> {
        Self::from(path, &path.metadata().ok()?)
    }

    /// An open file that was opened under this path.
    pub(super) fn of_open(path: &Path, file: &File) -> Option<Self> {
        Self::from(path, &file.metadata().ok()?)
    }

    #[cfg(unix)]
    fn from(_: &Path, about: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        about.is_file().then(|| Self(about.dev(), about.ino()))
    }

    #[cfg(not(unix))]
    fn from(path: &Path, about: &Metadata) -> Option<Self> {
        let path = path.canonicalize().ok()?;
        about.is_file().then_some(Self(path))
    }
}

/// What was read so far, each with the path that it was read from.
static INPUTS: Mutex<Vec<(FileId, PathBuf)>> = Mutex::new(Vec::new());

/// Takes note of a file that is read.
pub(super) fn note_input(path: &Path) {
    if let (Some(id), Ok(mut inputs)) = (FileId::of(path), INPUTS.lock())
        && inputs.iter().all(|(known, _)| *known != id)
    {
        inputs.push((id, path.canonicalize().unwrap_or_else(|_| path.to_owned())));
    }
}

/// Takes note of all files of a folder that is read.
pub(super) fn note_folder(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.for_each(|entry| note_input(&entry.path()));
}

/// Takes note of standard input, which may be a file.
pub(super) fn note_stdin() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let open = std::io::stdin().as_fd().try_clone_to_owned().map(File::from);
        let id = open.ok().and_then(|file| FileId::of_open(Path::new("-"), &file));
        if let (Some(id), Ok(mut inputs)) = (id, INPUTS.lock()) {
            inputs.push((id, PathBuf::new()));
        }
    }
}

/// Whether a path leads to a file that was read.
pub(super) fn is_input(path: &Path) -> bool {
    let id = FileId::of(path);
    let inputs = INPUTS.lock();
    id.is_some_and(|id| inputs.is_ok_and(|inputs| inputs.iter().any(|(known, _)| *known == id)))
}

/// Whether a file that was read lies in this folder.
pub(super) fn has_input(folder: &Path) -> bool {
    let (Ok(folder), Ok(inputs)) = (folder.canonicalize(), INPUTS.lock()) else { return false };
    inputs.iter().any(|(_, path)| path.starts_with(&folder))
}
