//! Any text as the output of a SAT solver, and as a DIMACS formula.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::formula::dimacs::{self, CnfReader};

fuzz_target!(|text: &str| {
    let _ = dimacs::read_output(text);
    let Ok(mut formula) = CnfReader::new(text.as_bytes()) else { return };
    while let Ok(Some(_)) = formula.next_clause() {}
});
