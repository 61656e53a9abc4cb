//! The files of a certificate, as its description lists them.

use super::MANIFEST;
use super::error::{CheckError, invalid};
use super::files::{self, FileReader};
use crate::limits::{Monitor, MonitoredStream};
use std::collections::BTreeMap;
use std::io::{BufReader, Read};

/// Most bytes of a file that is held in memory whole: descriptions, puzzles, plans.
const MAX_BYTES_IN_MEMORY: u64 = 64 << 20;

/// The files of a certificate: plain ones that its description lists, and nothing beyond them.
#[derive(Clone, Copy)]
pub(super) struct ManifestFiles<'a> {
    pub place: &'a dyn files::Files,
    pub listed: &'a BTreeMap<String, String>,
}

/// Reads a file that is held in memory whole.
pub(super) fn read_small(place: &dyn files::Files, name: &str) -> Result<String, CheckError> {
    let mut text = String::new();
    let read = place.open(name)?.input.take(MAX_BYTES_IN_MEMORY + 1).read_to_string(&mut text);
    read.map_err(|error| invalid(format!("{name}: {error}")))?;
    if text.len() as u64 > MAX_BYTES_IN_MEMORY {
        return Err(invalid(format!("{name} is larger than {} MiB", MAX_BYTES_IN_MEMORY >> 20)));
    }
    Ok(text)
}

/// A file that is read under a watch.
pub(super) type Input<'f, 'w, 'a> = BufReader<MonitoredStream<'w, 'a, Box<dyn Read + 'f>>>;

impl<'f> ManifestFiles<'f> {
    pub(super) fn open(self, name: &str) -> Result<FileReader<'f>, CheckError> {
        if !self.listed.contains_key(name) {
            return Err(invalid(format!("{name} is not listed in {MANIFEST}")));
        }
        self.place.open(name)
    }

    pub(super) fn read_text(self, name: &str) -> Result<String, CheckError> {
        self.open(name)?;
        read_small(self.place, name)
    }

    /// Opens a file for a task that reads it whole.
    pub(super) fn watched<'w, 'a>(
        self,
        name: &str,
        task: &str,
        monitor: &'w mut Monitor<'a>,
    ) -> Result<Input<'f, 'w, 'a>, CheckError> {
        let file = self.open(name)?;
        monitor.begin(format!("{task} {name}"), file.bytes)?;
        Ok(BufReader::with_capacity(1 << 16, monitor.over(file.input)))
    }

    /// Compares all files with the list.
    pub(super) fn sums(self, monitor: &mut Monitor<'_>) -> Result<(), CheckError> {
        for (name, expected) in self.listed {
            if name.contains(['/', '\\']) || name.starts_with('.') {
                return Err(invalid(format!("{name:?}: invalid file name")));
            }
            let sum = files::sum(self.watched(name, "comparing the checksum of", monitor)?);
            let sum = sum.map_err(|error| match monitor.stopped() {
                Some(stop) => CheckError::Stopped(stop),
                None => CheckError::Unable(format!("{name}: {error}")),
            })?;
            if sum != *expected {
                let reason = format!("{name} is not the file that {MANIFEST} lists (SHA-256)");
                return Err(invalid(reason));
            }
        }
        Ok(())
    }
}
