//! Results on disk: shards of JSON lines that are only appended to, and packed certificates beside
//! them.
//!
//! A result has a key, which says what was asked of which level; its shard follows from it. Where
//! several lines have one key the last counts. The writer of a shard holds a lock on it, which ends
//! with the process however that ends. A process that is killed leaves at most the beginning of a
//! line, and certificates that no line speaks of: the next one that writes there cuts both off.

use crate::store::lines::{Line, MAX_LINE_BYTES, WholeLines};
use crate::store::locked_file::{HoldError, LockedFile, append_whole};
use crate::store::pack;
use crate::store::result::{LevelQuestion, LevelResult};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::folder::write_whole;
use unstuck::limits::{Monitor, Stop};
use unstuck::machine::regular::{self, Regular};
use unstuck::machine::stale_files;
use unstuck::strict_json;

/// The file that says that a folder is a store.
const ABOUT: &str = "store.json";

/// Version of the layout; it changes when a file changes its meaning.
const SCHEMA: u64 = 1;

/// Shards of a store unless another number is given.
pub const SHARDS: u32 = 16;

/// The most shards.
pub const MAX_SHARDS: u32 = 100_000;

/// Most bytes of the files of one certificate.
pub const MAX_CERTIFICATE_BYTES: usize = 2 << 30;

/// What was asked of which level, as a number.
pub type Key = u64;

/// The key of a level with this text and what is asked of it.
pub(crate) fn key(asked: &LevelQuestion, text: &str) -> Key {
    let known = json!([asked.puzzle, text, asked.question.sorted()]);
    let sum = Sha256::digest(known.to_string().as_bytes());
    sum.iter().take(8).fold(0, |key, &byte| key << 8 | Key::from(byte))
}

/// A key as results show it.
pub fn shown(key: Key) -> String {
    format!("{key:016x}")
}

/// The key that results show as this text.
pub fn key_of(text: &str) -> Option<Key> {
    Key::from_str_radix(Some(text).filter(|text| text.len() == 16)?, 16).ok()
}

/// Why a store cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// There is no store in this folder.
    Missing(PathBuf),
    /// The folder has other files.
    Foreign(PathBuf),
    /// The store has another number of shards.
    Shards {
        /// What it has.
        has: u32,
        /// What was requested.
        wanted: u32,
    },
    /// It was written by a later version of the program.
    Later(PathBuf),
    /// A line, from 1, that is no result.
    NoResult(PathBuf, usize),
    /// Another process is writing there.
    Busy(PathBuf),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Missing(path) => write!(f, "{}: no store here", path.display()),
            Self::Foreign(path) => {
                write!(f, "{}: a folder with other files is no store", path.display())
            }
            Self::Shards { has, wanted } => {
                write!(f, "the store has {has} shards, not {wanted}")
            }
            Self::Later(path) => {
                write!(f, "{}: not a store of this version", path.display())
            }
            Self::NoResult(path, line) => write!(f, "{}:{line}: no result", path.display()),
            Self::Busy(path) => {
                write!(f, "{}: another process is writing this shard", path.display())
            }
        }
    }
}

impl std::error::Error for StoreError {}

/// Reports an error with the path where it is.
pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| StoreError::Io(path.to_owned(), error)
}

/// What the file says that says that a folder is a store.
#[derive(Serialize, Deserialize)]
struct About {
    schema: u64,
    #[serde(default)]
    tool: String,
    shards: u32,
}

/// A folder of results.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    shards: u32,
}

impl Store {
    /// Whether a folder says that it is a store.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(ABOUT).symlink_metadata().is_ok()
    }

    /// Opens the store of a folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(ABOUT);
        let read = regular::inside(folder, ABOUT);
        let text = match read.and_then(|path| regular::read_text(&path, regular::MOST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::Missing(folder.to_owned()));
            }
            other => other.map_err(at(&path))?,
        };
        match serde_json::from_str(&text) {
            Ok(About { schema: SCHEMA, shards: shards @ 1..=MAX_SHARDS, .. }) => {
                Ok(Self { folder: folder.to_owned(), shards })
            }
            _ => Err(StoreError::Later(path)),
        }
    }

    /// Opens the store of a folder, or begins one there with so many shards.
    ///
    /// # Errors
    /// When the folder has other files, or the store a different number of shards.
    pub fn begin(folder: &Path, wanted: Option<u32>) -> Result<Self, StoreError> {
        match (Self::open(folder), wanted) {
            (Err(StoreError::Missing(_)), _) => {}
            (Ok(store), Some(wanted)) if store.shards != wanted => {
                return Err(StoreError::Shards { has: store.shards, wanted });
            }
            (other, _) => return other,
        }
        fs::create_dir_all(folder).map_err(at(folder))?;
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let name = entry.map_err(at(folder))?.file_name();
            if !name.to_string_lossy().starts_with(stale_files::PREFIX) {
                return Err(StoreError::Foreign(folder.to_owned()));
            }
        }
        let shards = wanted.unwrap_or(SHARDS).clamp(1, MAX_SHARDS);
        let tool = format!("unstuck {}", env!("CARGO_PKG_VERSION"));
        let about = json!(About { schema: SCHEMA, tool, shards });
        let path = folder.join(ABOUT);
        write_whole(&path, |out| writeln!(out, "{about:#}")).map_err(at(&path))?;
        Self::open(folder)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many shards there are.
    pub fn shards(&self) -> u32 {
        self.shards
    }

    /// The shard of a key.
    pub fn shard_of(&self, key: Key) -> u32 {
        (key % Key::from(self.shards)) as u32
    }

    /// The results of a shard.
    pub fn results(&self, shard: u32) -> PathBuf {
        self.folder.join(format!("results-{shard:05}.jsonl"))
    }

    /// The packed certificates of a shard.
    pub fn certificates(&self, shard: u32) -> PathBuf {
        self.folder.join(format!("certificates-{shard:05}.tar.gz"))
    }

    /// Visits the results of a shard that count, in the order in which they were written: by their
    /// fields, or as the values that are there. A shard that is being written to is read as far as
    /// it is whole.
    ///
    /// # Errors
    /// When it cannot be read, or a line is no result, or `visit` fails.
    pub(crate) fn visit<T: DeserializeOwned, E: From<StoreError>>(
        &self,
        shard: u32,
        visit: &mut dyn FnMut(Key, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(path) = self.there(&self.results(shard))? else { return Ok(()) };
        let mut last: HashMap<Key, u64> = HashMap::new();
        let end = scan(&path, 0, &mut |start, key, _: IgnoredAny| {
            last.insert(key, start);
            Ok::<(), StoreError>(())
        })?;
        scan(&path, 0, &mut |start, key, line| {
            if start < end && last.get(&key) == Some(&start) { visit(key, line) } else { Ok(()) }
        })?;
        Ok(())
    }

    /// Visits what was appended to a shard behind a place, whether or not it counts; gives the place
    /// behind the last whole line.
    ///
    /// # Errors
    /// When it cannot be read, or a line is no result, or `visit` fails.
    pub(crate) fn visit_from<E: From<StoreError>>(
        &self,
        shard: u32,
        place: u64,
        visit: &mut dyn FnMut(Key, LevelResult) -> Result<(), E>,
    ) -> Result<u64, E> {
        let Some(path) = self.there(&self.results(shard))? else { return Ok(place) };
        scan(&path, place, &mut |_, key, line| visit(key, line))
    }

    /// Where a file of the store is, if it is there.
    fn there(&self, path: &Path) -> Result<Option<PathBuf>, StoreError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match regular::inside(&self.folder, &name) {
            // A link to a file that is not there yet leads somewhere, too.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() =>
            {
                Ok(None)
            }
            found => {
                let found = found.and_then(|found| regular::looked_at(&found).map(|()| found));
                found.map(Some).map_err(at(path))
            }
        }
    }

    /// The files of the certificate that a result speaks of; `None` when it has none. It may hold so
    /// many bytes, packed and unpacked together.
    ///
    /// # Errors
    /// What is wrong with it, or that there is no room for it, or that a limit of `monitor` struck.
    pub(crate) fn certificate(
        &self,
        result: &LevelQuestion,
        room: u64,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<MemoryFiles>, NoCertificate> {
        let Some(place) = &*result.certificate else { return Ok(None) };
        let room = room.min(MAX_CERTIFICATE_BYTES as u64);
        let packed = self.packed(place, room)?;
        let folder = result.key.as_deref().unwrap_or_default();
        let left = room - packed.len() as u64;
        pack::unpack(&packed, folder, left, monitor).map(Some).map_err(|error| {
            match monitor.stopped() {
                Some(stop) => NoCertificate::Stopped(stop),
                None if error.kind() == io::ErrorKind::StorageFull => no_room(room),
                None => {
                    let reason = format!("the certificate cannot be unpacked: {error}");
                    NoCertificate::Wrong(reason)
                }
            }
        })
    }

    /// The packed certificate at a place, of so many bytes at most.
    ///
    /// # Errors
    /// What is wrong with it, in words: it is not there, or has another sum.
    pub(crate) fn packed(&self, place: &PackLocation, room: u64) -> Result<Vec<u8>, NoCertificate> {
        let path = self.certificates(place.shard);
        let fail = |error: io::Error| format!("{}: {error}", path.display());
        let missing = || format!("{}: the certificate is not there", path.display());
        let found = self.there(&path).map_err(|error| error.to_string())?.ok_or_else(missing)?;
        let Regular { mut file, bytes } = regular::open(&found).map_err(fail)?;
        if place.end() > bytes {
            return Err(missing().into());
        }
        if place.bytes > room {
            return Err(no_room(room));
        }
        file.seek(SeekFrom::Start(place.offset)).map_err(fail)?;
        let mut packed = Vec::new();
        file.take(place.bytes).read_to_end(&mut packed).map_err(fail)?;
        if place.sha256 != hex(&Sha256::digest(&packed)) {
            return Err("the packed certificate has another checksum".to_owned().into());
        }
        Ok(packed)
    }
}

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCertificate {
    /// What is wrong with it, in words.
    Wrong(String),
    /// A limit struck.
    Stopped(Stop),
}

impl From<String> for NoCertificate {
    fn from(reason: String) -> Self {
        Self::Wrong(reason)
    }
}

/// There is more than there is room for. What no store has is wrong; else the memory limit is too
/// small.
fn no_room(room: u64) -> NoCertificate {
    if room >= MAX_CERTIFICATE_BYTES as u64 {
        NoCertificate::Wrong(format!(
            "the certificate is larger than {MAX_CERTIFICATE_BYTES} bytes"
        ))
    } else {
        NoCertificate::Stopped(Stop::Memory)
    }
}

/// Where a packed certificate is: the field `certificate` of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PackLocation {
    /// The shard, which has a file of them.
    pub shard: u32,
    /// Where in that file it begins.
    pub offset: u64,
    /// How long it is there.
    pub bytes: u64,
    /// Its sum.
    pub sha256: String,
    /// Nothing, where a store has written it.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl PackLocation {
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }
}

/// A sum in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What all results have.
#[derive(Deserialize)]
struct Keyed<'a> {
    key: &'a str,
}

/// Visits the lines of a shard from a place on, with the place of each; gives the place behind the
/// last whole one.
fn scan<T: DeserializeOwned, E: From<StoreError>>(
    path: &Path,
    from: u64,
    visit: &mut dyn FnMut(u64, Key, T) -> Result<(), E>,
) -> Result<u64, E> {
    let mut file = regular::open(path).map_err(at(path))?.file;
    file.seek(SeekFrom::Start(from)).map_err(at(path))?;
    let mut lines = WholeLines::new(BufReader::with_capacity(1 << 16, file), from);
    while let Some(Line { start, number, text }) = lines.advance().map_err(at(path))? {
        let value = str::from_utf8(text).ok().and_then(|line| strict_json::parse(line).ok());
        let keyed = value.and_then(|value| {
            let Keyed { key } = Keyed::deserialize(&value).ok()?;
            Some((key_of(key)?, T::deserialize(value).ok()?))
        });
        let (key, result) = keyed.ok_or_else(|| StoreError::NoResult(path.to_owned(), number))?;
        visit(start, key, result)?;
    }
    Ok(lines.end())
}

/// A shard that is open for appending; no other process can open it so meanwhile.
#[derive(Debug)]
pub struct Shard {
    number: u32,
    results: LockedFile,
    certificates: (PathBuf, Option<File>),
    /// How many bytes of certificates there are.
    packed: u64,
}

impl Shard {
    /// Opens a shard, cuts off what a killed process has left half done, and shows all its lines
    /// whose certificates are there. A later line of a key replaces an earlier one.
    ///
    /// # Errors
    /// When it cannot be written, another process is writing it, or a line is no result.
    pub(crate) fn open(
        store: &Store,
        number: u32,
        visit: &mut dyn FnMut(Key, &LevelResult),
    ) -> Result<Self, StoreError> {
        let path = store.results(number);
        store.there(&path)?;
        store.there(&store.certificates(number))?;
        let results = LockedFile::hold(&path).map_err(|error| match error {
            HoldError::Io(error) => at(&path)(error),
            HoldError::Busy => StoreError::Busy(path.clone()),
        })?;
        let certificates = store.certificates(number);
        let there = certificates.metadata().map_or(0, |about| about.len());
        let mut packed = 0;
        let end = scan(&path, 0, &mut |_, key, line: LevelResult| {
            let place = line.asked.certificate.as_ref().filter(|place| place.shard == number);
            let end = place.map_or(0, PackLocation::end);
            if end <= there {
                packed = end.max(packed);
                visit(key, &line);
            }
            Ok::<(), StoreError>(())
        })?;
        results.cut(end).map_err(at(&path))?;
        if there > packed {
            regular::cut(&certificates, packed).map_err(at(&certificates))?;
        }
        Ok(Self { number, results, certificates: (certificates, None), packed })
    }

    /// Appends a result, and its packed certificate before it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn append(
        &mut self,
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
        self.results.append(text.as_bytes()).map_err(at(&path))
    }

    /// Sees to it that what was appended outlives a loss of power too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn sync(&self) -> Result<(), StoreError> {
        let (path, file) = &self.certificates;
        if let Some(file) = file {
            file.sync_data().map_err(at(path))?;
        }
        self.results.sync().map_err(at(self.results.path()))
    }
}

#[cfg(test)]
mod tests;
