//! Any text as a drawing of a Flow board.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;

const HEADS: [&str; 4] = ["STANDARD\n", "BRIDGES\n", "HEX\n", "WARPS\n"];

fuzz_target!(|input: (u8, &str)| {
    let (head, text) = input;
    common::flow(&format!("{}{text}", HEADS[usize::from(head) % HEADS.len()]));
});
