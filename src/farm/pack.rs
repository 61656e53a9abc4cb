//! Certificates packed: the files of one as a piece of a tar archive, compressed by itself.
//!
//! The pieces of a shard one after the other are one compressed archive, which `tar -xzf` unpacks
//! into folders that are certificates; each piece can be read alone.

use crate::certificate::files::InMemory;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};
use tar::{Archive, Builder, Header};

/// How hard it is compressed. A higher level takes longer and saves little.
const LEVEL: u32 = 4;

/// What an archive ends with: it is left out, so that another piece can follow.
const END: usize = 1024;

/// Packs the files of a certificate into a folder of this name.
///
/// # Errors
/// When a name is too long for an archive.
pub fn pack(folder: &str, certificate: &InMemory) -> io::Result<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    for (name, bytes) in &certificate.files {
        let mut header = Header::new_gnu();
        header.set_size(bytes.len() as u64);
        // Nothing that another run would write otherwise: no owner, no time.
        header.set_mode(0o644);
        header.set_mtime(0);
        archive.append_data(&mut header, format!("{folder}/{name}"), bytes.as_slice())?;
    }
    let mut archive = archive.into_inner()?;
    archive.truncate(archive.len().saturating_sub(END));
    let mut packed = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    packed.write_all(&archive)?;
    packed.finish()
}

/// The files that were packed, at most so many bytes of them.
///
/// # Errors
/// When it is no such piece, or there is more in it.
pub fn unpack(packed: &[u8], most: usize) -> io::Result<InMemory> {
    let mut certificate = InMemory::new(most);
    let mut archive = Archive::new(GzDecoder::new(packed));
    let mut room = most as u64;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.filter(|_| entry.header().entry_type().is_file());
        let name = name.ok_or_else(|| io::Error::other("something else than a file"))?;
        let mut bytes = Vec::new();
        entry.by_ref().take(room.saturating_add(1)).read_to_end(&mut bytes)?;
        let left = room.checked_sub(bytes.len() as u64);
        room = left.ok_or_else(|| io::Error::other("more than there is room for"))?;
        if certificate.files.insert(name, bytes).is_some() {
            return Err(io::Error::other("two files of one name"));
        }
    }
    Ok(certificate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> InMemory {
        let mut files = InMemory::new(1 << 20);
        files.files.insert("a.txt".to_owned(), b"abc".to_vec());
        files.files.insert("b.txt".to_owned(), vec![b'x'; 100_000]);
        files
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let packed = pack("one", &some()).unwrap();
        assert_eq!(unpack(&packed, 1 << 20).unwrap().files, some().files);
        assert!(unpack(&packed, 1_000).is_err(), "more than there is room for");
        for end in 0..packed.len() {
            assert_ne!(
                unpack(&packed[..end], 1 << 20).ok().map(|it| it.files),
                Some(some().files),
                "{end}"
            );
        }
        assert!(unpack(b"nonsense", 1 << 20).is_err());
    }

    #[test]
    fn pieces_one_after_the_other_are_an_archive() {
        let whole = [pack("one", &some()).unwrap(), pack("two", &some()).unwrap()].concat();
        let mut plain = Archive::new(flate2::read::MultiGzDecoder::new(whole.as_slice()));
        let paths: Vec<String> = plain
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().path().unwrap().display().to_string())
            .collect();
        assert_eq!(paths, ["one/a.txt", "one/b.txt", "two/a.txt", "two/b.txt"]);
    }
}
