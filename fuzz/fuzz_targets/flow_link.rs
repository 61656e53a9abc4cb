//! Any text as the cells of a puzz.link address of a small Flow board.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, &str)| {
    let (width, height, text) = input;
    common::flow(&format!("https://puzz.link/p?numlin/{}/{}/{text}", width % 16, height % 16));
});
