//! Any text as the output of a SAT solver, and as a DIMACS formula.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::dimacs;

fuzz_target!(|text: &str| {
    let _ = dimacs::read_output(text);
    let _ = dimacs::read_cnf(text.as_bytes());
});
