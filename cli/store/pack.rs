//! Certificates packed: the files of one as a piece of a tar archive, compressed by itself.
//!
//! The pieces of a shard one after the other are one compressed archive, which `tar -xzf` unpacks
//! into folders that are certificates; each piece can be read alone.

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};
use std::path::Path;
use tar::{Archive, Builder, Header};
use unstuck::certificate::files::MemoryFiles;
use unstuck::limits::Monitor;

/// How hard it is compressed. A higher level takes longer and saves little.
const LEVEL: u32 = 4;

/// What an archive ends with: it is left out, so that another piece can follow.
const END: usize = 1024;

/// Packs the files of a certificate into a folder of this name.
///
/// # Errors
/// When a name is too long for an archive.
pub fn pack(folder: &str, certificate: &MemoryFiles) -> io::Result<Vec<u8>> {
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

/// Most files of a certificate.
const MOST_FILES: u64 = 1_000;

/// The files that were packed into a folder of this name, at most so many bytes of them: no more is
/// read than the headers of the archive say, and nothing when these say too much.
///
/// # Errors
/// When it is no such piece; of the kind [`io::ErrorKind::StorageFull`] when there is more in it. A
/// limit that strikes is what `monitor` says.
pub fn unpack(
    packed: &[u8],
    folder: &str,
    most: u64,
    monitor: &mut Monitor<'_>,
) -> io::Result<MemoryFiles> {
    let full = || io::Error::from(io::ErrorKind::StorageFull);
    monitor.begin("unpacking", 0).map_err(|stop| io::Error::other(stop.to_string()))?;
    let mut rest = packed;
    // Headers and what fills up blocks have no other bound.
    let all = most.saturating_add(MOST_FILES * END as u64);
    let unpacked = GzDecoder::new(&mut rest).take(all);
    let mut archive = Archive::new(monitor.over(unpacked));
    let mut certificate = MemoryFiles::new(usize::try_from(most).unwrap_or(usize::MAX));
    let mut room = most;
    // Raw: names of any length, sparse files and other extensions are nothing that is written here.
    for (entry, number) in archive.entries()?.raw(true).zip(0..) {
        let mut entry = entry?;
        let size = entry.size();
        if number == MOST_FILES || size > room {
            return Err(full());
        }
        room -= size;
        let path = entry.path()?.into_owned();
        let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
        let name = name.filter(|name| Path::new(name).file_name() == Some(name.as_ref()));
        let name = name.filter(|_| entry.header().entry_type().is_file());
        let name = name.ok_or_else(|| io::Error::other("something else than a file"))?.to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if certificate.files.insert(name, bytes).is_some() {
            return Err(io::Error::other("two files of one name"));
        }
    }
    drop(archive);
    if !rest.is_empty() {
        return Err(io::Error::other("something follows it"));
    }
    Ok(certificate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tar::EntryType;
    use unstuck::limits::{Limits, Stop};

    fn some() -> MemoryFiles {
        let mut files = MemoryFiles::new(1 << 20);
        files.files.insert("a.txt".to_owned(), b"abc".to_vec());
        files.files.insert("b.txt".to_owned(), vec![b'x'; 100_000]);
        files
    }

    fn unpacked(packed: &[u8], most: u64) -> io::Result<MemoryFiles> {
        unpack(packed, "one", most, &mut Monitor::silent(&Limits::none()))
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let packed = pack("one", &some()).unwrap();
        let size = some().files.values().map(|bytes| bytes.len() as u64).sum();
        assert_eq!(unpacked(&packed, size).unwrap().files, some().files);
        assert_eq!(unpacked(&packed, size - 1).unwrap_err().kind(), io::ErrorKind::StorageFull);
        for end in 0..packed.len() {
            assert!(unpacked(&packed[..end], size).is_err(), "{end}");
        }
        assert!(unpacked(b"nonsense", size).is_err());
        assert!(unpacked(&[packed.as_slice(), b"x"].concat(), size).is_err());
        assert!(unpack(&packed, "two", size, &mut Monitor::silent(&Limits::none())).is_err());
        let late = Limits::new(Some(std::time::Duration::ZERO), None);
        let mut monitor = Monitor::silent(&late);
        assert!(unpack(&packed, "one", size, &mut monitor).is_err());
        assert_eq!(monitor.stopped(), Some(Stop::Time));
    }

    /// An archive of one entry, compressed.
    fn forged(path: &str, kind: EntryType, size: u64, content: &[u8]) -> Vec<u8> {
        let mut header = Header::new_gnu();
        let name = &mut header.as_old_mut().name;
        name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(size);
        header.set_cksum();
        let mut packed = GzEncoder::new(Vec::new(), Compression::new(9));
        packed.write_all(header.as_bytes()).unwrap();
        packed.write_all(content).unwrap();
        packed.write_all(&vec![0; content.len().next_multiple_of(512) - content.len()]).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn forged_archives_are_refused() {
        let good = forged("one/a", EntryType::Regular, 3, b"abc");
        assert_eq!(unpacked(&good, 3).unwrap().files["a"], b"abc");
        for path in ["a", "two/a", "one", "one/", "one/..", "one/b/a", "./../one/a", "/one/a"] {
            let packed = forged(path, EntryType::Regular, 3, b"abc");
            assert!(unpacked(&packed, 99).is_err(), "{path}");
        }
        for kind in [EntryType::Symlink, EntryType::Directory, EntryType::GNUSparse] {
            assert!(unpacked(&forged("one/a", kind, 3, b"abc"), 99).is_err(), "{kind:?}");
        }
        // The content of extensions is read without a bound by those who look for a name there.
        for kind in [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader] {
            let packed = forged("one/a", kind, 1 << 20, &vec![b'x'; 1 << 20]);
            let told = unpacked(&packed, 99).unwrap_err();
            assert_eq!(told.kind(), io::ErrorKind::StorageFull, "{kind:?}");
        }
        // More is said than is there; more is there than is said.
        assert!(unpacked(&forged("one/a", EntryType::Regular, 4_000, b"abc"), 9_999).is_err());
        assert!(unpacked(&forged("one/a", EntryType::Regular, 3, &[b'x'; 4_000]), 9_999).is_err());
        assert!(unpacked(&forged("one/a", EntryType::Regular, u64::MAX, b"abc"), 99).is_err());
        let many = (0..MOST_FILES + 1).map(|number| (number.to_string(), Vec::new())).collect();
        let packed = pack("one", &MemoryFiles { files: many, most: 0 }).unwrap();
        assert_eq!(unpacked(&packed, 99).unwrap_err().kind(), io::ErrorKind::StorageFull);
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
