//! A certificate in which one file was replaced, and its sum forged.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use unstuck::certificate::{MANIFEST, Manifest};

/// What is found in a folder while one of its files has this text; everything is put back.
pub(crate) fn with_forged<T>(folder: &Path, name: &str, text: &str, look: impl FnOnce() -> T) -> T {
    let paths = [folder.join(name), folder.join(MANIFEST)];
    let before = paths.each_ref().map(|path| fs::read_to_string(path).expect("a file"));
    fs::write(&paths[0], text).expect("a writable file");
    if name != MANIFEST {
        let mut manifest = Manifest::read(&before[1]).expect("a description");
        let sum = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        manifest.files.insert(name.to_owned(), sum);
        fs::write(&paths[1], manifest.to_string()).expect("a writable file");
    }
    let found = look();
    for (path, text) in paths.iter().zip(&before) {
        fs::write(path, text).expect("a writable file");
    }
    found
}
