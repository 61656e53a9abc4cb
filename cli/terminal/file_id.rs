//! What was read: no output replaces it, whatever it is called.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use unstuck::machine::file_id::FileId;

/// What was read so far, each with the path that it was read from.
static INPUTS: Mutex<Vec<(FileId, PathBuf)>> = Mutex::new(Vec::new());

/// Takes note of a file that is read.
pub(crate) fn note_input(path: &Path) {
    if let (Some(id), Ok(mut inputs)) = (FileId::at(path), INPUTS.lock())
        && inputs.iter().all(|(known, _)| *known != id)
    {
        inputs.push((id, path.canonicalize().unwrap_or_else(|_| path.to_owned())));
    }
}

/// Takes note of all files of a folder that is read.
pub(crate) fn note_folder(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.for_each(|entry| note_input(&entry.path()));
}

/// Takes note of standard input, which may be a file.
pub(crate) fn note_stdin() {
    if let (Some(id), Ok(mut inputs)) = (FileId::of_stdin(), INPUTS.lock()) {
        inputs.push((id, PathBuf::new()));
    }
}

/// Whether a path leads to a file that was read.
pub(crate) fn is_input(path: &Path) -> bool {
    let id = FileId::at(path);
    let inputs = INPUTS.lock();
    id.is_some_and(|id| inputs.is_ok_and(|inputs| inputs.iter().any(|(known, _)| *known == id)))
}

/// Whether a file that was read lies in this folder.
pub(crate) fn has_input(folder: &Path) -> bool {
    let (Ok(folder), Ok(inputs)) = (folder.canonicalize(), INPUTS.lock()) else { return false };
    inputs.iter().any(|(_, path)| path.starts_with(&folder))
}
