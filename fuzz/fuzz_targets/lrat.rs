//! LRAT proofs that are well formed, so that the checker is reached at every run: a formula over
//! four variables and steps with hints. What is accepted is refuted by trying all assignments, and
//! so is what the forward checker makes of the same lemmas without hints.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fmt::Write;
use unstuck::formula::ClauseList;
use unstuck::limits::Limits;
use unstuck::proof::{drat, lrat};
use unstuck_encodings::Lit;

type Clause = Vec<i8>;

fn number(byte: i8) -> i32 {
    let variable = i32::from(byte.unsigned_abs() % 4) + 1;
    if byte < 0 { -variable } else { variable }
}

fn words(clause: &[i8]) -> String {
    clause.iter().map(|&byte| format!("{} ", number(byte))).collect()
}

fn has_model(clauses: &[Clause]) -> bool {
    let holds = |lit: i32, values: i32| (values >> (lit.abs() - 1) & 1 == 1) == (lit > 0);
    (0..16).any(|values| {
        clauses.iter().all(|clause| clause.iter().any(|&byte| holds(number(byte), values)))
    })
}

fuzz_target!(|input: (Vec<Clause>, Vec<(bool, Clause, Vec<u8>)>)| {
    let (clauses, steps) = input;
    let mut formula = ClauseList::default();
    for clause in &clauses {
        formula.add(clause.iter().filter_map(|&byte| Lit::from_dimacs(number(byte))));
    }
    let (mut with_hints, mut without) = (String::new(), String::new());
    let mut id = clauses.len();
    for (delete, lemma, hints) in &steps {
        let hints: String =
            hints.iter().map(|&hint| format!("{} ", usize::from(hint) % id.max(1) + 1)).collect();
        if *delete {
            let _ = writeln!(with_hints, "{id} d {hints}0");
            let _ = writeln!(without, "d {}0", words(lemma));
        } else {
            id += 1;
            let _ = writeln!(with_hints, "{id} {}0 {hints}0", words(lemma));
            let _ = writeln!(without, "{}0", words(lemma));
        }
    }
    let limits = Limits::none();
    let accepted = lrat::check(&formula, with_hints.as_bytes(), &limits).is_ok()
        || drat::convert(&formula, without.as_bytes(), false, &limits).is_ok();
    assert!(!accepted || !has_model(&clauses), "{clauses:?}\n{with_hints}\n{without}");
});
