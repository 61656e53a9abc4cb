//! Any bytes as proofs: an LRAT proof, and a DRAT proof in text and in binary form. A formula that
//! has a model is never refuted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::formula::Clauses;
use unstuck::limits::Limits;
use unstuck::proof::{drat, lrat};
use unstuck_encodings::Lit;

struct Satisfiable(Vec<Vec<Lit>>);

impl Clauses for Satisfiable {
    fn variables(&self) -> usize {
        3
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn clause(&self, index: usize) -> &[Lit] {
        &self.0[index]
    }
}

fuzz_target!(|proof: &[u8]| {
    let clauses = [[1, 2], [-1, 2], [-2, 3], [-3, 1]];
    let lits = clauses.map(|clause| clause.into_iter().filter_map(Lit::from_dimacs).collect());
    let formula = Satisfiable(lits.to_vec());
    let limits = Limits::none();
    assert!(lrat::check(&formula, proof, &limits).is_err());
    assert!(drat::convert(&formula, proof, false, &limits).is_err());
    assert!(drat::convert(&formula, proof, true, &limits).is_err());
});
