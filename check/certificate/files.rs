//! The files of a certificate, wherever they are: in a folder, or in memory where there are none.

use super::error::{CheckError, invalid};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

/// A file that is read.
pub struct FileReader<'a> {
    /// What it holds.
    pub input: Box<dyn Read + 'a>,
    /// How many bytes that is.
    pub bytes: u64,
}

/// Where the files of a certificate are.
pub trait Files {
    /// Opens a plain file.
    ///
    /// # Errors
    /// When it is missing, is something else, or cannot be read.
    fn open(&self, name: &str) -> Result<FileReader<'_>, CheckError>;

    /// The folder in which other programs find the files, where there is one.
    fn folder(&self) -> Option<&Path> {
        None
    }
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of all that can be read, in hexadecimal digits.
pub(super) fn sum(mut input: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// Files in memory.
#[derive(Clone, Debug)]
pub struct MemoryFiles {
    /// What each holds, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The most bytes that they may hold together.
    pub most: usize,
}

impl MemoryFiles {
    /// No files, and room for at most `most` bytes.
    pub fn new(most: usize) -> Self {
        Self { files: BTreeMap::new(), most }
    }
}

impl Files for MemoryFiles {
    fn open(&self, name: &str) -> Result<FileReader<'_>, CheckError> {
        let missing = || invalid(format!("{name} is missing"));
        let bytes = self.files.get(name).ok_or_else(missing)?;
        Ok(FileReader { input: Box::new(bytes.as_slice()), bytes: bytes.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        let sum_of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sum(&b"abc"[..]).unwrap(), sum_of_abc);
    }
}
