//! What lies at a path or is open, whatever it is called: which file, or a device, or a pipe.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file with content of its own, by any of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId {
    device: u64,
    number: u64,
}

impl FileId {
    /// The file that a path leads to; `None` for what is no regular file, or is not there.
    pub fn at(path: &Path) -> Option<Self> {
        system::at(path)
    }

    /// A file that is open; `None` for what is no regular file.
    pub fn of(file: &File) -> Option<Self> {
        system::of(file)
    }

    /// The file that standard input is, if it is one.
    pub fn of_stdin() -> Option<Self> {
        Self::of(&system::stdin().ok()?)
    }
}

/// Whether something lies at a path that is neither file nor folder, like `/dev/null` or a pipe.
pub fn is_device(path: &Path) -> bool {
    system::is_device(path)
}

/// Whether standard input is a file, a pipe or a socket, so that there may be something in it.
pub fn stdin_is_piped() -> bool {
    system::stdin().is_ok_and(|stdin| system::is_piped(&stdin))
}

#[cfg(unix)]
mod system {
    use super::{File, FileId, Path, io};
    use std::fs::Metadata;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    pub(super) fn at(path: &Path) -> Option<FileId> {
        id(&path.metadata().ok()?)
    }

    pub(super) fn of(file: &File) -> Option<FileId> {
        id(&file.metadata().ok()?)
    }

    fn id(about: &Metadata) -> Option<FileId> {
        about.is_file().then(|| FileId { device: about.dev(), number: about.ino() })
    }

    pub(super) fn is_device(path: &Path) -> bool {
        path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
    }

    pub(super) fn stdin() -> io::Result<File> {
        Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
    }

    pub(super) fn is_piped(stdin: &File) -> bool {
        let kind = stdin.metadata().map(|about| about.file_type());
        kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
    }
}

#[cfg(windows)]
mod system {
    use super::{File, FileId, Path, io};
    use std::os::windows::fs::OpenOptionsExt;
    use std::os::windows::io::AsHandle;
    use winapi_util::file;

    pub(super) fn at(path: &Path) -> Option<FileId> {
        let is_file = path.metadata().is_ok_and(|about| about.is_file());
        // Only to ask, which no other process can forbid.
        is_file.then(|| of(&File::options().access_mode(0).open(path).ok()?)).flatten()
    }

    pub(super) fn of(file: &File) -> Option<FileId> {
        let is_disk = file::typ(file).is_ok_and(|kind| kind.is_disk());
        let about = file::information(file).ok().filter(|_| is_disk)?;
        Some(FileId { device: about.volume_serial_number(), number: about.file_index() })
    }

    /// `NUL`, or the console. It has no metadata.
    pub(super) fn is_device(path: &Path) -> bool {
        let device = || File::options().write(true).open(path).and_then(file::typ);
        path.metadata().is_err() && device().is_ok_and(|kind| kind.is_char())
    }

    pub(super) fn stdin() -> io::Result<File> {
        Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
    }

    pub(super) fn is_piped(stdin: &File) -> bool {
        file::typ(stdin).is_ok_and(|kind| kind.is_disk() || kind.is_pipe())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_known_by_any_of_its_names() {
        let place = std::env::temp_dir().join(format!("file-ids-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let [one, link, other] = ["one", "link", "other"].map(|name| place.join(name));
        fs::write(&one, "text").unwrap();
        fs::write(&other, "text").unwrap();
        fs::hard_link(&one, &link).unwrap();
        let id = FileId::at(&one);
        assert!(id.is_some() && id == FileId::at(&link) && id != FileId::at(&other));
        assert_eq!(FileId::of(&File::open(&link).unwrap()), id);
        assert_eq!((FileId::at(&place), FileId::at(&place.join("none"))), (None, None));
        let null = Path::new(if cfg!(windows) { "NUL" } else { "/dev/null" });
        assert!(is_device(null) && !is_device(&one) && !is_device(&place));
        fs::remove_dir_all(&place).unwrap();
    }
}
