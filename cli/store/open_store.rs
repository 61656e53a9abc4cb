//! A store that is written to: what killed processes left half done is cut off, results are found by
//! their keys, and appended.

use crate::store::lines::{MAX_LINE_BYTES, WholeLines};
use crate::store::locked_file::{HoldError, LockedFile, append_whole};
use crate::store::result::LevelResult;
use crate::store::shards::{Key, PackLocation, Store, StoreError, at, scan};
use crate::terminal::failure::Failure;
use crate::terminal::{file_id, output};
use hashbrown::HashMap;
use serde_json::Map;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use unstuck::certificate::files::hex;
use unstuck::machine::{lock, regular};

/// A store that is open for writing; no other process can open it so meanwhile.
#[derive(Debug)]
pub(crate) struct OpenStore {
    pub store: Store,
    pub(super) shards: Vec<Mutex<Shard>>,
}

impl OpenStore {
    /// Opens a store.
    ///
    /// # Errors
    /// When it cannot be written, another process is writing it, or a line is no result.
    pub(crate) fn open(store: Store) -> Result<Self, StoreError> {
        let shards = (0..store.shards()).map(|number| Shard::open(&store, number).map(Mutex::new));
        let shards = shards.collect::<Result<_, _>>()?;
        Ok(Self { store, shards })
    }

    /// Opens a log, or begins one.
    ///
    /// # Errors
    /// When it cannot be read or written, another run writes it, or it is no log.
    pub(crate) fn log(path: &Path) -> Result<Self, Failure> {
        if output::is_device(path) || path.is_dir() {
            let message = format!("{}: a log is a file", path.display());
            return Err(Failure::usage(message).help("name a file"));
        }
        output::not_input(path)?;
        let log = Self::open(Store::log(path))?;
        file_id::note_input(path);
        log.tidy()?;
        Ok(log)
    }

    fn shard(&self, key: Key) -> MutexGuard<'_, Shard> {
        lock(&self.shards[self.store.shard_of(key) as usize])
    }

    /// The result that counts, where there is one.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn find(&self, key: Key) -> Result<Option<LevelResult>, StoreError> {
        let shard = self.shard(key);
        let Some(&start) = shard.known.get(&key) else { return Ok(None) };
        let path = shard.results.path();
        let fail = |error| at(path)(error);
        let mut file = regular::open(path).map_err(fail)?.file;
        file.seek(SeekFrom::Start(start)).map_err(fail)?;
        let mut lines = WholeLines::new(BufReader::with_capacity(1 << 12, file));
        let line = lines.advance().map_err(fail)?;
        let result = line.and_then(|line| serde_json::from_slice::<LevelResult>(line.text).ok());
        result.map(Some).ok_or_else(|| StoreError::NoResult(path.to_owned(), 0))
    }

    /// Appends a result that has a key, and its packed certificate before it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(
        &self,
        key: Key,
        line: LevelResult,
        certificate: &[u8],
    ) -> Result<(), StoreError> {
        self.shard(key).append(key, line, certificate)
    }

    /// Sees to it that what was appended outlives a loss of power too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        self.shards.iter().try_for_each(|shard| lock(shard).sync())
    }

    /// Rewrites a log without lines that later ones replaced, each result in the place of the first
    /// line of its key: an interrupted run that was resumed leaves the log of an uninterrupted one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn tidy(&self) -> Result<(), Failure> {
        let shard = lock(&self.shards[0]);
        if self.store.shards.is_some() || shard.firsts.is_empty() {
            return Ok(());
        }
        let first = |(&key, &start)| (*shard.firsts.get(&key).unwrap_or(&start), key);
        let mut keys: Vec<(u64, Key)> = shard.known.iter().map(first).collect();
        keys.sort_unstable();
        drop(shard);
        let lines = keys.into_iter().map(|(_, key)| Ok((key, self.find(key)?)));
        let lines: Vec<(Key, Option<LevelResult>)> = lines.collect::<Result<_, StoreError>>()?;
        let mut shard = lock(&self.shards[0]);
        let mut text = String::new();
        for (key, line) in lines {
            shard.known.insert(key, text.len() as u64);
            line.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
        shard.results.replace(|out| out.write_all(text.as_bytes()))?;
        shard.end = text.len() as u64;
        shard.firsts.clear();
        file_id::note_input(shard.results.path());
        Ok(())
    }
}

/// A shard that is open for appending.
#[derive(Debug)]
pub(super) struct Shard {
    number: u32,
    results: LockedFile,
    /// Where the results end.
    end: u64,
    certificates: (PathBuf, Option<File>),
    /// How many bytes of certificates there are.
    packed: u64,
    /// For each key where the line that counts begins.
    pub(super) known: HashMap<Key, u64>,
    /// Where the first line of a key began that a later one replaced.
    firsts: HashMap<Key, u64>,
}

impl Shard {
    /// Opens a shard, and cuts off what a killed process has left half done. A line whose
    /// certificate is not there does not count.
    pub(super) fn open(store: &Store, number: u32) -> Result<Self, StoreError> {
        let path = store.results(number);
        store.there(&path)?;
        let certificates = store.certificates(number);
        if store.shards.is_some() {
            store.there(&certificates)?;
        }
        let results = LockedFile::hold(&path).map_err(|error| match error {
            HoldError::Io(error) => at(&path)(error),
            HoldError::Busy => StoreError::Busy(path.clone()),
        })?;
        let there = certificates.metadata().map_or(0, |about| about.len());
        let (mut packed, mut known, mut firsts) = (0, HashMap::new(), HashMap::new());
        let end = scan(&path, &mut |start, key, line: LevelResult| {
            let place = line.asked.certificate.as_ref().filter(|place| place.shard == number);
            let end = place.map_or(0, PackLocation::end);
            if end <= there {
                packed = end.max(packed);
                if let Some(before) = known.insert(key, start) {
                    firsts.entry(key).or_insert(before);
                }
            }
            Ok::<(), StoreError>(())
        })?;
        results.cut(end).map_err(at(&path))?;
        if there > packed {
            regular::cut(&certificates, packed).map_err(at(&certificates))?;
        }
        let certificates = (certificates, None);
        Ok(Self { number, results, end, certificates, packed, known, firsts })
    }

    pub(super) fn append(
        &mut self,
        key: Key,
        mut line: LevelResult,
        certificate: &[u8],
    ) -> Result<(), StoreError> {
        if !certificate.is_empty() {
            let (path, file) = &mut self.certificates;
            let file = match file {
                Some(file) => file,
                None => file.insert(regular::append(path).map_err(at(path))?),
            };
            append_whole(path, file, certificate).map_err(at(path))?;
            let bytes = certificate.len() as u64;
            let sha256 = hex(&Sha256::digest(certificate));
            let (shard, offset, more) = (self.number, self.packed, Map::new());
            line.asked.certificate = PackLocation { shard, offset, bytes, sha256, more }.into();
            self.packed += bytes;
        }
        let (path, text) = (self.results.path().to_owned(), format!("{line}\n"));
        if text.len() as u64 > MAX_LINE_BYTES {
            let reason = format!("a result has more than {MAX_LINE_BYTES} bytes");
            return Err(at(&path)(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
        }
        self.results.append(text.as_bytes()).map_err(at(&path))?;
        if let Some(before) = self.known.insert(key, self.end) {
            self.firsts.entry(key).or_insert(before);
        }
        self.end += text.len() as u64;
        Ok(())
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        let (path, file) = &self.certificates;
        if let Some(file) = file {
            file.sync_data().map_err(at(path))?;
        }
        self.results.sync().map_err(at(self.results.path()))
    }
}
