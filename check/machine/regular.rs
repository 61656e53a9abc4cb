//! The one door to a file that another file names, or that lies in a folder which came from
//! elsewhere: a lock, a store, a certificate, a log.
//!
//! Only regular files are opened. A pipe without a writer would block for ever, and a device such as
//! `/dev/zero` has no end; a file that is held in memory whole has a largest size; and a
//! name that a file gives leads nowhere but into the folder of that file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Most bytes of a file that is held in memory whole.
pub const MOST: u64 = 64 << 20;

/// An open regular file.
#[derive(Debug)]
pub struct Regular {
    /// The file.
    pub file: File,
    /// Its size in bytes when it was opened.
    pub bytes: u64,
}

/// Opens a regular file for reading.
///
/// # Errors
/// When it cannot be opened, or is something else: a folder, a pipe, a device, a socket.
pub fn open(path: &Path) -> io::Result<Regular> {
    opened(path, OpenOptions::new().read(true))
}

/// Opens a regular file for appending, or creates it.
///
/// # Errors
/// See [`open`].
pub fn append(path: &Path) -> io::Result<File> {
    Ok(opened(path, OpenOptions::new().append(true).create(true))?.file)
}

/// Cuts off what a regular file has behind its first so many bytes. Windows does that to files that
/// are open for writing at any place only, so here it is opened anew.
///
/// # Errors
/// See [`open`].
pub fn cut(path: &Path, bytes: u64) -> io::Result<()> {
    opened(path, OpenOptions::new().write(true))?.file.set_len(bytes)
}

/// Looks whether a path is that of a regular file, or of none.
///
/// # Errors
/// When it is something else.
pub fn looked_at(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(about) if !about.is_file() => Err(irregular()),
        _ => Ok(()),
    }
}

fn irregular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// Looks twice: before, because opening a device can have effects, and at what was opened, because
/// it may have taken the place of the other meanwhile.
fn opened(path: &Path, options: &mut OpenOptions) -> io::Result<Regular> {
    looked_at(path)?;
    let file = without_waiting(options).open(path)?;
    let about = file.metadata()?;
    if about.is_file() { Ok(Regular { file, bytes: about.len() }) } else { Err(irregular()) }
}

/// A pipe that takes the place of a file is opened without waiting for its other end.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
/// See [`open`]; also when the file is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let Regular { file, bytes } = open(path)?;
    let mut read = Vec::new();
    // What a file says of its size is no promise.
    if bytes <= most {
        file.take(most.saturating_add(1)).read_to_end(&mut read)?;
    }
    if bytes.max(read.len() as u64) > most {
        let reason = format!("larger than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(read)
}

/// Reads a regular file of at most so many bytes as UTF-8.
///
/// # Errors
/// See [`read`]; also when the file is no UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not valid UTF-8"))
}

/// The file or folder inside a folder that a relative name stands for.
///
/// # Errors
/// When there is none, or the name leads out of the folder: by `..`, by an absolute path, or by a
/// symbolic link.
pub fn inside(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let outside = || io::Error::new(io::ErrorKind::PermissionDenied, "leads out of the folder");
    let mut parts = Path::new(name).components();
    if name.is_empty() || !parts.all(|part| matches!(part, Component::Normal(_))) {
        return Err(outside());
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let here = here.canonicalize()?;
    let full = here.join(name).canonicalize()?;
    if full.starts_with(&here) { Ok(full) } else { Err(outside()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder that ends with the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn path(&self) -> &Path {
            &self.0
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn only_regular_files_of_the_right_size_are_read() {
        let folder = Scratch::new("regular-sizes");
        let file = folder.path().join("file");
        fs::write(&file, "abc").unwrap();
        assert_eq!(read(&file, 3).unwrap(), b"abc");
        assert_eq!(read(&file, 2).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(open(folder.path()).is_err() && append(folder.path()).is_err());
        assert_eq!(read(&folder.path().join("no"), 9).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(&file, [0xff]).unwrap();
        assert!(read_text(&file, 9).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_without_waiting() {
        let folder = Scratch::new("regular-pipes");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for path in [pipe.as_path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
            assert_eq!(open(path).unwrap_err().to_string(), "not a regular file");
            assert_eq!(append(path).unwrap_err().to_string(), "not a regular file");
        }
        // One that takes the place of a file between the two looks.
        let mut options = OpenOptions::new();
        let opened = without_waiting(options.read(true)).open(&pipe).unwrap();
        assert!(!opened.metadata().unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn names_lead_into_the_folder_only() {
        use std::os::unix::fs::symlink;
        let outer = Scratch::new("regular-names");
        let folder = outer.path().join("folder");
        fs::create_dir_all(folder.join("deep")).unwrap();
        fs::write(outer.path().join("secret"), "").unwrap();
        fs::write(folder.join("deep/file"), "").unwrap();
        symlink("deep/file", folder.join("link")).unwrap();
        symlink("./../secret", folder.join("out")).unwrap();
        symlink("..", folder.join("up")).unwrap();
        for name in ["deep/file", "link", "deep"] {
            assert!(inside(&folder, name).is_ok(), "{name}");
        }
        let secret = outer.path().join("secret").display().to_string();
        for name in ["", ".", "..", "./../secret", "deep/../../secret", "out", "up/secret", &secret]
        {
            let error = inside(&folder, name).unwrap_err();
            assert_eq!(error.to_string(), "leads out of the folder", "{name}");
        }
        assert_eq!(inside(&folder, "missing").unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
