//! Any text as the two texts of our own in a certificate: its description, and a closed set.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::certificate::Manifest;
use unstuck::closed::ClosedSet;

fuzz_target!(|input: (bool, &str)| {
    let (list, text) = input;
    if list {
        let Ok(set) = ClosedSet::read(text.as_bytes()) else { return };
        let mut written = Vec::new();
        set.write(&mut written).expect("memory takes it");
        assert_eq!(ClosedSet::read(written.as_slice()), Ok(set));
    } else if let Ok(manifest) = Manifest::read(text) {
        assert_eq!(Manifest::read(&manifest.to_string()), Ok(manifest));
    }
});
