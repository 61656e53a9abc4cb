//! Certificates in folders.

use super::MANIFEST;
use super::error::{CheckError, invalid};
use super::files::{FileReader, Files};
use crate::machine::regular::{self, Regular};
use std::io;
use std::path::Path;

/// Opens a plain file of a folder: no pipe, no device, no link that leads elsewhere.
///
/// # Errors
/// When it is missing, is something else, or cannot be read.
pub fn open(folder: &Path, name: &str) -> Result<FileReader<'static>, CheckError> {
    let full = folder.join(name);
    let unable = |error: io::Error| CheckError::Unable(format!("{}: {error}", full.display()));
    match full.symlink_metadata() {
        Ok(about) if about.is_file() => {
            let Regular { file, bytes } = regular::open(&full).map_err(unable)?;
            Ok(FileReader { input: Box::new(file), bytes })
        }
        Ok(_) => Err(invalid(format!("{name} is not a regular file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound && name != MANIFEST => {
            Err(invalid(format!("{name} is missing")))
        }
        Err(error) => Err(unable(error)),
    }
}

/// The files of a folder that is there.
impl Files for &Path {
    fn open(&self, name: &str) -> Result<FileReader<'_>, CheckError> {
        open(self, name)
    }

    fn folder(&self) -> Option<&Path> {
        Some(self)
    }
}
