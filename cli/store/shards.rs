//! Results on disk: lines of JSON that are only appended to. A store is a folder of shards, each with
//! packed certificates beside it, or a log: one file of results alone.
//!
//! A result has a key, which says what was asked of which level; its shard follows from it. Where
//! several lines have one key the last counts. The writer of a shard holds a lock on it, which ends
//! with the process however that ends. A process that is killed leaves at most the beginning of a
//! line, and certificates that no line speaks of: the next one that writes there cuts both off.

use crate::store::lines::{Line, WholeLines};
use crate::store::pack;
use crate::store::result::LevelQuestion;
use crate::terminal::failure::Failure;
use hashbrown::HashMap;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::files::hex;
use unstuck::certificate::folder::write_whole;
use unstuck::limits::{Monitor, Stop};
use unstuck::machine::regular::{self, Regular};
use unstuck::machine::stale_files;
use unstuck::strict_json;

/// The file that says that a folder is a store.
const ABOUT: &str = "store.json";

/// Version of the layout; it changes when a file changes its meaning.
const SCHEMA: u64 = 2;

/// Shards of a store unless another number is given.
pub(crate) const SHARDS: u32 = 16;

/// The most shards.
pub(crate) const MAX_SHARDS: u32 = 100_000;

/// Most bytes of the files of one certificate.
pub(crate) const MAX_CERTIFICATE_BYTES: usize = 2 << 30;

/// What was asked of which level, as a number.
pub(crate) type Key = u64;

/// A key as results show it.
pub(crate) fn shown(key: Key) -> String {
    format!("{key:016x}")
}

/// The key that results show as this text.
pub(crate) fn key_of(text: &str) -> Option<Key> {
    Key::from_str_radix(Some(text).filter(|text| text.len() == 16)?, 16).ok()
}

/// Why a store cannot be used.
#[derive(Debug)]
pub(crate) enum StoreError {
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

/// Why a store cannot be used, and the way out.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (path, what, help) = match error {
            StoreError::Io(path, error) => {
                return Self::usage(format!("{}: {error}", path.display()));
            }
            StoreError::Shards { has, wanted } => {
                let message = format!("the store has {has} shards, not {wanted}");
                return Self::usage(message).help("remove `--shards`");
            }
            StoreError::NoResult(path, line) => {
                let message = format!("{}:{line}: not a result of unstuck", path.display());
                return Self::usage(message).help(
                    "name a new file, or the store of an earlier run; after a disk fault, remove \
                     this line",
                );
            }
            StoreError::Missing(path) => {
                (path, "no store here", "`unstuck solve LEVELS --store DIR` makes one")
            }
            StoreError::Foreign(path) => {
                let help = "name a new folder, or one of an earlier run";
                (path, "a folder with other files is no store", help)
            }
            StoreError::Later(path) => {
                let help = "read it with the version that it names as `tool`";
                (path, "not a store of this version", help)
            }
            StoreError::Busy(path) => {
                let help = "wait for it, or name another one";
                (path, "another run is writing this store", help)
            }
        };
        Self::usage(format!("{}: {what}", path.display())).help(help)
    }
}

impl From<StoreError> for io::Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io(_, error) => error,
            error => Self::other(Failure::from(error).message),
        }
    }
}

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
    /// Whether it is a lock: all that was known of the level files beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lock: bool,
}

/// A folder of results, or a file of them.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    place: PathBuf,
    /// None where it is a file.
    pub(super) shards: Option<u32>,
    lock: bool,
}

impl Store {
    /// Whether there is a store at a path.
    pub(crate) fn is_at(path: &Path) -> bool {
        let begins = || {
            let mut start = Vec::new();
            let file = regular::open(path).ok()?.file;
            file.take(LINE_START.len() as u64).read_to_end(&mut start).ok()?;
            Some(start == LINE_START)
        };
        path.join(ABOUT).symlink_metadata().is_ok() || begins().unwrap_or(false)
    }

    /// Opens the store at a path: a folder, or a file of results.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn at(path: &Path) -> Result<Self, StoreError> {
        if path.is_file() { Ok(Self::log(path)) } else { Self::open(path) }
    }

    /// The store of one file.
    pub(crate) fn log(path: &Path) -> Self {
        Self { place: path.to_owned(), shards: None, lock: false }
    }

    /// Whether it is a lock.
    pub(crate) fn is_lock(&self) -> bool {
        self.lock
    }

    /// Opens the store of a folder.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(ABOUT);
        let read = regular::inside(folder, ABOUT);
        let text = match read.and_then(|path| regular::read_text(&path, regular::MOST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::Missing(folder.to_owned()));
            }
            other => other.map_err(at(&path))?,
        };
        match serde_json::from_str(&text) {
            Ok(About { schema: SCHEMA, shards: shards @ 1..=MAX_SHARDS, lock, .. }) => {
                Ok(Self { place: folder.to_owned(), shards: Some(shards), lock })
            }
            _ => Err(StoreError::Later(path)),
        }
    }

    /// Opens the store of a folder, or begins one there with so many shards.
    ///
    /// # Errors
    /// When the folder has other files, or the store a different number of shards.
    pub(crate) fn begin(folder: &Path, wanted: Option<u32>) -> Result<Self, StoreError> {
        match (Self::open(folder), wanted) {
            (Err(StoreError::Missing(_)), _) => Self::make(folder, wanted.unwrap_or(SHARDS), false),
            (Ok(store), Some(wanted)) if store.shards() != wanted => {
                Err(StoreError::Shards { has: store.shards(), wanted })
            }
            (other, _) => other,
        }
    }

    /// Makes the store of a folder, where there is none.
    ///
    /// # Errors
    /// When the folder has other files, or cannot be written.
    pub(crate) fn make(folder: &Path, shards: u32, lock: bool) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let name = entry.map_err(at(folder))?.file_name();
            if !name.to_string_lossy().starts_with(stale_files::PREFIX) {
                return Err(StoreError::Foreign(folder.to_owned()));
            }
        }
        let shards = shards.clamp(1, MAX_SHARDS);
        let tool = format!("unstuck {}", env!("CARGO_PKG_VERSION"));
        let about = json!(About { schema: SCHEMA, tool, shards, lock });
        let path = folder.join(ABOUT);
        write_whole(&path, |out| writeln!(out, "{about:#}")).map_err(at(&path))?;
        Self::open(folder)
    }

    /// Its folder, or its file.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    /// How many shards there are; a log is one.
    pub(crate) fn shards(&self) -> u32 {
        self.shards.unwrap_or(1)
    }

    /// The shard of a key.
    pub(crate) fn shard_of(&self, key: Key) -> u32 {
        (key % Key::from(self.shards())) as u32
    }

    /// The results of a shard.
    pub(crate) fn results(&self, shard: u32) -> PathBuf {
        match self.shards {
            None => self.place.clone(),
            Some(_) => self.place.join(format!("results-{shard:05}.jsonl")),
        }
    }

    /// The packed certificates of a shard.
    pub(crate) fn certificates(&self, shard: u32) -> PathBuf {
        self.place.join(format!("certificates-{shard:05}.tar.gz"))
    }

    /// Visits all results that count, shard by shard.
    ///
    /// # Errors
    /// When one cannot be read, or `visit` fails.
    pub(crate) fn visit_all<T: DeserializeOwned, E: From<StoreError>>(
        &self,
        visit: &mut dyn FnMut(Key, T) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..self.shards()).try_for_each(|shard| self.visit(shard, visit))
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
        let end = scan(&path, &mut |start, key, _: IgnoredAny| {
            last.insert(key, start);
            Ok::<(), StoreError>(())
        })?;
        scan(&path, &mut |start, key, line| {
            if start < end && last.get(&key) == Some(&start) { visit(key, line) } else { Ok(()) }
        })?;
        Ok(())
    }

    /// Where a file of the store is, if it is there.
    pub(super) fn there(&self, path: &Path) -> Result<Option<PathBuf>, StoreError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = match self.shards {
            // A file that was named may be a link.
            None => path.metadata().map(|_| path.to_owned()),
            Some(_) => regular::inside(&self.place, &name),
        };
        match found {
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
    ) -> Result<Option<MemoryFiles>, CheckFailure> {
        let Some(place) = &*result.certificate else { return Ok(None) };
        let room = room.min(MAX_CERTIFICATE_BYTES as u64);
        let packed = self.packed(place, room)?;
        let folder = result.key.as_deref().unwrap_or_default();
        let left = room - packed.len() as u64;
        pack::unpack(&packed, folder, left, monitor).map(Some).map_err(|error| {
            match monitor.stopped() {
                Some(stop) => CheckFailure::Stopped(stop),
                None if error.kind() == io::ErrorKind::StorageFull => no_room(room),
                None => {
                    let reason = format!("the certificate cannot be unpacked: {error}");
                    CheckFailure::Fault(reason)
                }
            }
        })
    }

    /// The packed certificate at a place, of so many bytes at most.
    ///
    /// # Errors
    /// What is wrong with it: it is not there, or has another sum; or there is no room for it.
    pub(crate) fn packed(&self, place: &PackLocation, room: u64) -> Result<Vec<u8>, CheckFailure> {
        let path = self.certificates(place.shard);
        let fail = |error: io::Error| format!("{}: {error}", path.display());
        let missing =
            || CheckFailure::Missing(format!("{}: the certificate is not there", path.display()));
        let found = self.there(&path).map_err(|error| Failure::from(error).message)?;
        let found = found.ok_or_else(missing)?;
        let Regular { mut file, bytes } = regular::open(&found).map_err(fail)?;
        if place.end() > bytes {
            return Err(missing());
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

/// Why a statement is not found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CheckFailure {
    /// What is wrong.
    Fault(String),
    /// The certificate that is named is not there.
    Missing(String),
    /// A limit struck before it was judged.
    Stopped(Stop),
}

impl fmt::Display for CheckFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) | Self::Missing(fault) => f.write_str(fault),
            Self::Stopped(stop) => write!(f, "not judged: {stop}"),
        }
    }
}

impl<T: Into<String>> From<T> for CheckFailure {
    fn from(fault: T) -> Self {
        Self::Fault(fault.into())
    }
}

/// There is more than there is room for. What no store has is wrong; else the memory limit is too
/// small.
fn no_room(room: u64) -> CheckFailure {
    if room >= MAX_CERTIFICATE_BYTES as u64 {
        CheckFailure::Fault(format!("the certificate is larger than {MAX_CERTIFICATE_BYTES} bytes"))
    } else {
        CheckFailure::Stopped(Stop::Memory)
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
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }
}

/// How every result begins.
const LINE_START: &[u8] = b"{\"schema\":";

/// What all results have.
#[derive(Deserialize)]
struct Keyed<'a> {
    key: &'a str,
}

/// Visits the lines of a shard, with the place of each; gives the place behind the last whole one.
pub(super) fn scan<T: DeserializeOwned, E: From<StoreError>>(
    path: &Path,
    visit: &mut dyn FnMut(u64, Key, T) -> Result<(), E>,
) -> Result<u64, E> {
    let file = regular::open(path).map_err(at(path))?.file;
    let mut lines = WholeLines::new(BufReader::with_capacity(1 << 16, file));
    let no_result = |number| StoreError::NoResult(path.to_owned(), number);
    let mut next = 1;
    while let Some(Line { start, number, text }) = lines.advance().map_err(at(path))? {
        next = number + 1;
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let value = str::from_utf8(text).ok().and_then(|line| strict_json::parse(line).ok());
        let keyed = value.and_then(|value| {
            let Keyed { key } = Keyed::deserialize(&value).ok()?;
            Some((key_of(key)?, T::deserialize(value).ok()?))
        });
        let (key, result) = keyed.ok_or_else(|| no_result(number))?;
        visit(start, key, result)?;
    }
    // What a killed run leaves is the beginning of a line: nothing else is cut off.
    let torn = &lines.torn()[..lines.torn().len().min(LINE_START.len())];
    match LINE_START.starts_with(torn) {
        true => Ok(lines.end()),
        false => Err(no_result(next).into()),
    }
}

#[cfg(test)]
mod tests;
