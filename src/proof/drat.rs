//! A checker for DRAT, in text and in the compact binary form, as a stream.
//!
//! Reading is ours, checking is done by the crate `dratify`: a forward checker without
//! dependencies that shares no code with any solver. Each lemma is checked where it stands, so a
//! corrupted step is named even when the rest of the proof would not need it.
//!
//! Reference: Wetzler, Heule, Hunt, "DRAT-trim: Efficient Checking and Trimming Using Expressive
//! Clausal Proofs", SAT 2014. Deletions of unit clauses are ignored, as drat-trim does.

use super::{Accepted, ProofError, Tokens, WATCH, literal};
use crate::formula::Clauses;
use crate::limits::Limits;
use dratify::Checker;
use std::io::BufRead;

/// dratify's literals: variable v (from 0) is 2v, its negation 2v + 1.
fn doubled(lit: i32) -> u32 {
    (lit.unsigned_abs() - 1) * 2 + u32::from(lit < 0)
}

/// Checks that a proof refutes the clauses.
///
/// # Errors
/// The first step that does not hold.
pub fn check(
    clauses: &dyn Clauses,
    proof: impl BufRead,
    binary: bool,
    limits: &Limits,
) -> Result<Accepted, ProofError> {
    let lits = |index| clauses.clause(index).iter().map(|lit| doubled(lit.to_dimacs())).collect();
    let formula: Vec<Vec<u32>> = (0..clauses.len()).map(lits).collect();
    let mut checker = Checker::new(clauses.variables() as u32, &formula, true, true);
    drop(formula);
    let mut tokens = Tokens::new(proof);
    let mut clause = Vec::new();
    let mut accepted = Accepted::default();
    loop {
        tokens.step = accepted.steps + 1;
        if accepted.steps.is_multiple_of(WATCH)
            && let Some(stop) = limits.reached_any()
        {
            return Err(ProofError::Stopped(stop));
        }
        let Some(deletes) = read_step(&mut tokens, binary, &mut clause)? else {
            return Err(ProofError::Unfinished { steps: accepted.steps });
        };
        if !checker.check_step(deletes, &clause) {
            return Err(tokens.refuse("the lemma does not follow from the clauses there"));
        }
        accepted.steps += 1;
        accepted.lemmas += u64::from(!deletes);
        if !deletes && clause.is_empty() {
            return Ok(accepted);
        }
    }
}

/// Reads a step; whether it deletes, `None` at the end.
fn read_step<R: BufRead>(
    tokens: &mut Tokens<R>,
    binary: bool,
    clause: &mut Vec<u32>,
) -> Result<Option<bool>, ProofError> {
    clause.clear();
    let deletes = if binary {
        match tokens.next()? {
            None => return Ok(None),
            Some(b'a') => false,
            Some(b'd') => true,
            Some(byte) => return Err(tokens.refuse(format!("byte {byte} where a step begins"))),
        }
    } else {
        match tokens.skip_space()? {
            None => return Ok(None),
            Some(b'd') => {
                tokens.next()?;
                true
            }
            Some(_) => false,
        }
    };
    loop {
        match if binary { tokens.packed()? } else { tokens.decimal()? } {
            0 => return Ok(Some(deletes)),
            number => {
                let lit = literal(number);
                let lit = lit.ok_or_else(|| tokens.refuse(format!("{number} is no literal")))?;
                clause.push(doubled(lit));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::ClauseList;
    use crate::proof::tests::{listed, square};

    fn accepts(clauses: &ClauseList, proof: &[u8], binary: bool) -> Result<Accepted, ProofError> {
        check(clauses, proof, binary, &Limits::none())
    }

    #[test]
    fn a_refutation_in_text_and_in_binary_is_accepted() {
        let text = b"c comment\n1 0\nd 1 2 0\n0\n";
        assert_eq!(accepts(&square(), text, false), Ok(Accepted { lemmas: 2, steps: 3 }));
        let binary = [b'a', 2, 0, b'd', 2, 4, 0, b'a', 0];
        assert_eq!(accepts(&square(), &binary, true), Ok(Accepted { lemmas: 2, steps: 3 }));
    }

    #[test]
    fn what_does_not_hold_is_refused_with_its_step() {
        let open = listed(&[&[1, 2], &[1, -2], &[-1, 2]]);
        let cases: [(&ClauseList, &[u8], &str); 5] = [
            (&square(), b"", "after 0 steps without the empty clause"),
            (&square(), b"1 0\n", "after 1 steps without the empty clause"),
            (&open, b"1 0\n0\n", "step 2: the lemma does not follow"),
            (&square(), b"1 0\n0x\n", "step 2: `x` where a number belongs"),
            (&square(), b"1 0\n99999999999 0\n", "step 2: 99999999999 is no literal"),
        ];
        for (clauses, proof, reason) in cases {
            let error = accepts(clauses, proof, false).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}: {reason}");
        }
        assert!(accepts(&square(), b"1 0\n0\n", true).is_err(), "text read as binary");
    }

    #[test]
    fn a_formula_with_the_empty_clause_still_needs_a_proof_that_says_so() {
        let empty = listed(&[&[]]);
        assert!(accepts(&empty, b"", false).is_err());
        assert_eq!(accepts(&empty, b"0\n", false), Ok(Accepted { lemmas: 1, steps: 1 }));
    }
}
