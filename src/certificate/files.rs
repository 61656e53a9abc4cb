//! Where the files of a new certificate are put: in a folder, or in memory where there are none.

use super::proof_task::ProveError;
use super::readme::readme;
use super::{LRAT, MANIFEST, Manifest, README};
use crate::limits::Limits;
use crate::proof::{ProofError, veripb};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Cursor, Read, Seek, Write};
pub use unstuck_check::certificate::files::*;

/// Room for what will not be kept.
pub trait Scratch: Read + Write + Seek + Send {}

impl<T: Read + Write + Seek + Send> Scratch for T {}

/// Where the files of a new certificate are put.
pub trait Destination: Files {
    /// Private scratch space that is removed at the end of the run.
    ///
    /// # Errors
    /// When there is none.
    fn scratch(&self) -> io::Result<Box<dyn Scratch>>;

    /// Begins a file; a second one of the same name replaces the first.
    ///
    /// # Errors
    /// When it cannot be written.
    fn create(&mut self, name: &str) -> io::Result<Box<dyn Write + Send + '_>>;
}

/// A certificate in the making: files with their sums.
pub(super) struct CertificateWriter<'a> {
    place: &'a mut dyn Destination,
    sums: BTreeMap<String, String>,
}

impl<'a> CertificateWriter<'a> {
    pub(super) fn new(place: &'a mut dyn Destination) -> Self {
        Self { place, sums: BTreeMap::new() }
    }

    /// Writes a file.
    pub(super) fn file<T, E: From<io::Error>>(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
    ) -> Result<T, E> {
        let hashing = HashingWriter { file: self.place.create(name)?, hash: Sha256::new() };
        let mut out = BufWriter::with_capacity(1 << 16, hashing);
        let result = write(&mut out)?;
        let hashing = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.sums.insert(name.to_owned(), hex(&hashing.hash.finalize()));
        Ok(result)
    }

    /// Writes each proof in VeriPB's format, too.
    pub(super) fn veripb(&mut self, limits: &Limits) -> Result<(), ProveError> {
        let extension = format!(".{LRAT}");
        let names = self.sums.keys().filter_map(|name| name.strip_suffix(&extension));
        for name in names.map(str::to_owned).collect::<Vec<_>>() {
            // While a file is read no other can be begun.
            let mut scratch = self.place.scratch()?;
            let open = |name: String| {
                let file = self.place.open(&name);
                let file = file.map_err(|error| ProveError::Fault(error.to_string()))?;
                Ok::<_, ProveError>(BufReader::with_capacity(1 << 16, file.input))
            };
            let (formula, proof) =
                (open(format!("{name}.cnf"))?, open(format!("{name}{extension}"))?);
            let mut out = BufWriter::with_capacity(1 << 16, &mut scratch);
            veripb::translate(formula, proof, &mut out, limits).map_err(|error| match error {
                ProofError::Stopped(stop) => ProveError::Stopped(stop),
                error => ProveError::Fault(error.to_string()),
            })?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?;
            scratch.rewind()?;
            self.file(&format!("{name}.{}", veripb::EXTENSION), |out| {
                io::copy(&mut scratch, out)?;
                Ok::<_, ProveError>(())
            })?;
        }
        Ok(())
    }

    /// Writes what a stranger should know, who judges the certificate by another checker.
    pub(super) fn readme(&mut self, manifest: &mut Manifest) -> io::Result<()> {
        manifest.files.clone_from(&self.sums);
        let text = readme(manifest);
        self.file(README, |out| out.write_all(text.as_bytes()))
    }

    /// See [`Destination::scratch`].
    pub(super) fn scratch(&self) -> io::Result<Box<dyn Scratch>> {
        self.place.scratch()
    }

    /// Writes `certificate.json`, with the sums of the files so far.
    pub(super) fn describe(self, mut manifest: Manifest) -> io::Result<()> {
        manifest.files = self.sums;
        let mut file = self.place.create(MANIFEST)?;
        writeln!(file, "{manifest}")?;
        file.flush()
    }
}

struct HashingWriter<W> {
    file: W,
    hash: Sha256,
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Destination for MemoryFiles {
    fn scratch(&self) -> io::Result<Box<dyn Scratch>> {
        Ok(Box::new(Cursor::new(Vec::new())))
    }

    fn create(&mut self, name: &str) -> io::Result<Box<dyn Write + Send + '_>> {
        self.files.remove(name);
        let used: usize = self.files.values().map(Vec::len).sum();
        let file = self.files.entry(name.to_owned()).or_default();
        Ok(Box::new(BoundedWriter { file, room: self.most.saturating_sub(used) }))
    }
}

/// A file that fails with [`io::ErrorKind::StorageFull`] when there is no room for more.
struct BoundedWriter<'a> {
    file: &'a mut Vec<u8>,
    room: usize,
}

impl Write for BoundedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = self.room.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::check::CheckError;

    #[test]
    fn sums_are_those_of_the_standard() {
        let mut files = MemoryFiles::new(8);
        let mut draft = CertificateWriter::new(&mut files);
        draft.file("a.txt", |out| out.write_all(b"first")).unwrap();
        draft.file("a.txt", |out| out.write_all(b"abc")).unwrap();
        let sum_of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(draft.sums["a.txt"], sum_of_abc);
        assert!(matches!(files.open("b.txt"), Err(CheckError::Invalid { .. })));
        let full = files.create("b.txt").unwrap().write_all(b"123456").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    }
}
