//! Any text as Flow boards in grids, token grids and collections, with headers and directives.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;

const HEADS: [&str; 4] = ["", "shape: square\n\n", "shape: hex\n\n", "4 4\n"];

fuzz_target!(|input: (u8, &str)| {
    let (head, text) = input;
    common::flow(&format!("{}{text}", HEADS[usize::from(head) % HEADS.len()]));
});
