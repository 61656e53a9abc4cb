//! A certificate in a folder, and ways to spoil it.

use super::Case;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use unstuck::certificate::check::{CheckError, Report};
use unstuck::certificate::files::hex;
use unstuck::certificate::prove::ProofOptions;
use unstuck::certificate::{MANIFEST, Manifest};
use unstuck::limits::Limits;

/// The sum of a file, as certificates have it.
pub(crate) fn sum(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Changes what a certificate says of itself.
pub(crate) fn change_manifest(folder: &Path, change: impl FnOnce(&mut Manifest)) {
    let path = folder.join(MANIFEST);
    let text = fs::read_to_string(&path).expect("a description");
    let mut manifest = Manifest::read(&text).expect("a description");
    change(&mut manifest);
    fs::write(path, manifest.to_string()).expect("a writable file");
}

/// Writes a file and forges its sum, so that only the real checks are left.
pub(crate) fn put(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).expect("a writable file");
    if name != MANIFEST {
        change_manifest(folder, |it| drop(it.files.insert(name.to_owned(), sum(bytes))));
    }
}

/// What is found in a folder while one of its files has this text; everything is put back.
pub(crate) fn with_forged<T>(folder: &Path, name: &str, text: &str, look: impl FnOnce() -> T) -> T {
    let paths = [folder.join(name), folder.join(MANIFEST)];
    let before = paths.each_ref().map(|path| fs::read_to_string(path).expect("a file"));
    put(folder, name, text.as_bytes());
    let found = look();
    for (path, text) in paths.iter().zip(&before) {
        fs::write(path, text).expect("a writable file");
    }
    found
}

/// A certificate to spoil.
pub(crate) struct Sample {
    place: tempfile::TempDir,
}

impl Sample {
    pub(crate) fn new(case: &Case<'_>, options: &ProofOptions) -> Self {
        let sample = Self { place: tempfile::tempdir().expect("a temporary folder") };
        case.prove(options, Limits::none(), &sample.path())
            .unwrap_or_else(|error| panic!("{error}"));
        sample
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.place.path().join("certificate")
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a file of the certificate")
    }

    /// See [`put`].
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        put(&self.path(), name, bytes);
    }

    /// Changes a file and forges its sum.
    pub(crate) fn change(&self, name: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
        let before = fs::read(self.path().join(name)).expect("a file of the certificate");
        let after = change(before.clone());
        assert_ne!(before, after, "{name} should change");
        self.put(name, &after);
    }

    pub(crate) fn change_text(&self, name: &str, from: &str, to: &str) {
        self.change(name, |bytes| {
            String::from_utf8(bytes).expect("text").replacen(from, to, 1).into_bytes()
        });
    }

    /// What is said of it where it is accepted, as it must be.
    #[track_caller]
    pub(crate) fn report(&self) -> Report {
        super::checked(&self.path()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// It is refused for this reason.
    #[track_caller]
    pub(crate) fn refused(&self, reason: &str) {
        match super::checked(&self.path()) {
            Err(CheckError::Invalid { reason: given, .. }) => {
                assert!(given.contains(reason), "refused, but because: {given}");
            }
            Err(other) => panic!("{other:?}"),
            Ok(_) => panic!("a forged certificate was accepted"),
        }
    }
}
