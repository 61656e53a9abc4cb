//! Results on disk: lines of JSON that are only appended to. A store is a folder of shards, each with
//! packed certificates beside it, or a log: one file of results alone.
//!
//! A result has a key, which says what was asked of which level; its shard follows from it. Where
//! several lines have one key the last counts. The writer of a shard holds a lock on it, which ends
//! with the process however that ends. A process that is killed leaves at most the beginning of a
//! line, and certificates that no line speaks of: the next one that writes there cuts both off.

use crate::store::lines::{Line, MAX_LINE_BYTES, WholeLines};
use crate::store::locked_file::{HoldError, LockedFile, append_whole};
use crate::store::pack;
use crate::store::result::{LevelQuestion, LevelResult};
use crate::terminal::failure::Failure;
use crate::terminal::{file_id, output};
use hashbrown::HashMap;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::folder::write_whole;
use unstuck::limits::{Monitor, Stop};
use unstuck::machine::regular::{self, Regular};
use unstuck::machine::{lock, stale_files};
use unstuck::strict_json;

/// The file that says that a folder is a store.
const ABOUT: &str = "store.json";

/// Version of the layout; it changes when a file changes its meaning.
const SCHEMA: u64 = 2;

/// Shards of a store unless another number is given.
pub const SHARDS: u32 = 16;

/// The most shards.
pub const MAX_SHARDS: u32 = 100_000;

/// Most bytes of the files of one certificate.
pub const MAX_CERTIFICATE_BYTES: usize = 2 << 30;

/// What was asked of which level, as a number.
pub type Key = u64;

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
            Self::NoResult(path, line) => {
                write!(f, "{}:{line}: not a result of unstuck", path.display())
            }
            Self::Busy(path) => write!(f, "{}: another run is writing this store", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

/// Why a store cannot be used, and the way out.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let failure = Failure::usage(error.to_string());
        match error {
            StoreError::Missing(_) => failure.help("`unstuck solve LEVELS --store DIR` makes one"),
            StoreError::Foreign(_) => failure.help("name a new folder, or one of an earlier run"),
            StoreError::Shards { .. } => failure.help("remove `--shards`"),
            StoreError::Later(_) => failure.help("read it with the version that it names as `tool`"),
            StoreError::NoResult(..) => failure
                .help("name a new file, or the store of an earlier run; after a disk fault, remove this line"),
            StoreError::Busy(_) => failure.help("wait for it, or name another one"),
            StoreError::Io(..) => failure,
        }
    }
}

impl From<StoreError> for io::Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io(_, error) => error,
            error => Self::other(error),
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
pub struct Store {
    place: PathBuf,
    /// None where it is a file.
    shards: Option<u32>,
    lock: bool,
}

impl Store {
    /// Whether there is a store at a path.
    pub fn is_at(path: &Path) -> bool {
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
    pub fn at(path: &Path) -> Result<Self, StoreError> {
        if path.is_file() { Ok(Self::log(path)) } else { Self::open(path) }
    }

    /// The store of one file.
    pub fn log(path: &Path) -> Self {
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
    pub fn begin(folder: &Path, wanted: Option<u32>) -> Result<Self, StoreError> {
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
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// How many shards there are; a log is one.
    pub fn shards(&self) -> u32 {
        self.shards.unwrap_or(1)
    }

    /// The shard of a key.
    pub fn shard_of(&self, key: Key) -> u32 {
        (key % Key::from(self.shards())) as u32
    }

    /// The results of a shard.
    pub fn results(&self, shard: u32) -> PathBuf {
        match self.shards {
            None => self.place.clone(),
            Some(_) => self.place.join(format!("results-{shard:05}.jsonl")),
        }
    }

    /// The packed certificates of a shard.
    pub fn certificates(&self, shard: u32) -> PathBuf {
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
        let end = scan(&path, 0, &mut |start, key, _: IgnoredAny| {
            last.insert(key, start);
            Ok::<(), StoreError>(())
        })?;
        scan(&path, 0, &mut |start, key, line| {
            if start < end && last.get(&key) == Some(&start) { visit(key, line) } else { Ok(()) }
        })?;
        Ok(())
    }

    /// Where a file of the store is, if it is there.
    fn there(&self, path: &Path) -> Result<Option<PathBuf>, StoreError> {
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
    /// What is wrong with it: it is not there, or has another sum; or there is no room for it.
    pub(crate) fn packed(&self, place: &PackLocation, room: u64) -> Result<Vec<u8>, NoCertificate> {
        let path = self.certificates(place.shard);
        let fail = |error: io::Error| format!("{}: {error}", path.display());
        let missing =
            || NoCertificate::Missing(format!("{}: the certificate is not there", path.display()));
        let found = self.there(&path).map_err(|error| error.to_string())?;
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

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCertificate {
    /// What is wrong with it, in words.
    Wrong(String),
    /// It is not there; where.
    Missing(String),
    /// A limit struck.
    Stopped(Stop),
}

impl fmt::Display for NoCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(reason) | Self::Missing(reason) => f.write_str(reason),
            Self::Stopped(stop) => stop.fmt(f),
        }
    }
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

/// How every result begins.
const LINE_START: &[u8] = b"{\"schema\":";

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

/// A store that is open for writing; no other process can open it so meanwhile.
#[derive(Debug)]
pub(crate) struct OpenStore {
    pub store: Store,
    shards: Vec<Mutex<Shard>>,
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
        let mut lines = WholeLines::new(BufReader::with_capacity(1 << 12, file), start);
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
struct Shard {
    number: u32,
    results: LockedFile,
    /// Where the results end.
    end: u64,
    certificates: (PathBuf, Option<File>),
    /// How many bytes of certificates there are.
    packed: u64,
    /// For each key where the line that counts begins.
    known: HashMap<Key, u64>,
    /// Where the first line of a key began that a later one replaced.
    firsts: HashMap<Key, u64>,
}

impl Shard {
    /// Opens a shard, and cuts off what a killed process has left half done. A line whose
    /// certificate is not there does not count.
    fn open(store: &Store, number: u32) -> Result<Self, StoreError> {
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
        let end = scan(&path, 0, &mut |start, key, line: LevelResult| {
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

    fn append(
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

    fn sync(&self) -> Result<(), StoreError> {
        let (path, file) = &self.certificates;
        if let Some(file) = file {
            file.sync_data().map_err(at(path))?;
        }
        self.results.sync().map_err(at(self.results.path()))
    }
}

#[cfg(test)]
mod tests;
