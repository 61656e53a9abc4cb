//! Any text as a Flow board in JSON, most often one that begins well.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;

const HEADS: [&str; 3] = [
    "{",
    "{\"nodes\":",
    "{\"nodes\":[\"a\",\"b\",\"c\",\"d\"],\"edges\":[[\"a\",\"b\"],[\"b\",\"c\"]],\"pairs\":",
];

fuzz_target!(|input: (u8, &str)| {
    let (head, text) = input;
    common::flow(&format!("{}{text}", HEADS[usize::from(head) % HEADS.len()]));
});
