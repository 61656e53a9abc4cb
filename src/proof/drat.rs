//! Reading DRAT, in text and in the compact binary form, and finding the hints of its lemmas.
//!
//! Of DRAT only what follows by unit propagation is taken (DRUP). A lemma that merely keeps
//! satisfiability (RAT) is refused: such a step is sound only with regard to the clauses that are
//! there, which deletions change, and none of our formulas needs one.
//!
//! Reference: Wetzler, Heule, Hunt, "DRAT-trim: Efficient Checking and Trimming Using Expressive
//! Clausal Proofs", SAT 2014.

use super::ProofError;
use super::derivation::Derivation;
use super::forward::ForwardChecker;
use super::tokens::Tokens;
use crate::formula::Clauses;
use crate::limits::Limits;
use std::io::BufRead;
use unstuck_encodings::Lit;

/// What a lemma that does not follow is refused for.
const RAT: &str = "the lemma does not follow by unit propagation from the clauses there (a RAT step \
                   is not accepted: have the solver write a proof without new definitions, as \
                   CaDiCaL does with `--no-factor`)";

/// Turns a refutation into one with hints, checking it from its beginning.
///
/// # Errors
/// The first step that does not hold.
pub fn convert(
    clauses: &dyn Clauses,
    proof: impl BufRead,
    binary: bool,
    limits: &Limits,
) -> Result<Derivation, ProofError> {
    let mut forward = ForwardChecker::new(clauses, limits)?;
    let mut tokens = Tokens::new(proof, binary, clauses.variables());
    let mut clause = Vec::new();
    loop {
        tokens.step += 1;
        let Some(deletes) = read_step(&mut tokens, &mut clause)? else {
            return Err(ProofError::Unfinished { steps: tokens.step - 1 });
        };
        // The empty clause must be said, even where propagation alone has found it.
        match (deletes, clause.is_empty(), forward.is_refuted()) {
            (true, ..) => forward.delete(&clause),
            (false, true, true) => return Ok(forward.finish()),
            (false, false, true) => {}
            (false, ..) => {
                if !forward.add(&clause)? {
                    return Err(tokens.refuse(RAT));
                }
            }
        }
    }
}

/// Reads a step; whether it deletes, `None` at the end. Literals that are said twice count once.
fn read_step<R: BufRead>(
    tokens: &mut Tokens<R>,
    clause: &mut Vec<Lit>,
) -> Result<Option<bool>, ProofError> {
    clause.clear();
    let deletes = if tokens.is_binary() {
        match tokens.byte()? {
            None => return Ok(None),
            Some(b'a') => false,
            Some(b'd') => true,
            Some(byte) => return Err(tokens.refuse(format!("byte {byte} where a step begins"))),
        }
    } else {
        let Some(byte) = tokens.skip_space()? else { return Ok(None) };
        if byte == b'd' {
            tokens.byte()?;
        }
        byte == b'd'
    };
    tokens.literals(clause)?;
    clause.sort_unstable();
    clause.dedup();
    Ok(Some(deletes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::ClauseList;
    use crate::proof::{ProofStats, lrat};

    /// All four clauses over two variables.
    fn square() -> ClauseList {
        ClauseList::numbered(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]])
    }

    /// Converts a proof, and has the outcome checked.
    fn accepts(clauses: &ClauseList, proof: &[u8], binary: bool) -> Result<ProofStats, ProofError> {
        let mut written = Vec::new();
        convert(clauses, proof, binary, &Limits::none())?.write(&mut written).expect("memory");
        let accepted = lrat::check(clauses, written.as_slice(), &Limits::none());
        Ok(accepted
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&written))))
    }

    #[test]
    fn a_refutation_in_text_and_in_binary_is_accepted() {
        let text = b"c comment\n1 0\nd 1 2 0\n0\n";
        assert_eq!(accepts(&square(), text, false), Ok(ProofStats { lemmas: 3, steps: 3 }));
        let binary = [b'a', 2, 0, b'd', 2, 4, 0, b'a', 0];
        assert_eq!(accepts(&square(), &binary, true), Ok(ProofStats { lemmas: 3, steps: 3 }));
    }

    #[test]
    fn what_does_not_hold_is_refused_with_its_line() {
        let open = ClauseList::numbered(&[&[1, 2], &[1, -2], &[-1, 2]]);
        let cases: [(&ClauseList, &[u8], &str); 6] = [
            (&square(), b"", "after 0 steps without the empty clause"),
            (&square(), b"1 0\n", "after 1 steps without the empty clause"),
            (&open, b"c\n1 0\n0\n", "line 3: the lemma does not follow"),
            (&square(), b"1 0\n0x\n", "line 2: `x` where a number belongs"),
            (&square(), b"1 0\n99999999999 0\n", "line 2: 99999999999 is no literal"),
            (&square(), b"3 0\n0\n", "line 1: 3 is no literal of a formula of 2 variables"),
        ];
        for (clauses, proof, reason) in cases {
            let error = accepts(clauses, proof, false).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}: {reason}");
        }
        assert!(accepts(&square(), b"1 0\n0\n", true).is_err(), "text read as binary");
    }

    /// The checking crate that was used before (dratify 0.1.10) kept what a deleted clause had
    /// propagated and looked for resolvents among the stored clauses only; it took this.
    #[test]
    fn a_satisfiable_formula_is_not_refuted_by_deleting_what_propagated() {
        let satisfiable = ClauseList::numbered(&[&[-1], &[1, 2]]);
        let error = accepts(&satisfiable, b"d 1 2 0\n-2 0\n0\n", false).unwrap_err().to_string();
        assert!(error.contains("line 2: the lemma does not follow by unit propagation"), "{error}");
        let binary = [b'd', 2, 4, 0, b'a', 5, 0, b'a', 0];
        let error = accepts(&satisfiable, &binary, true).unwrap_err().to_string();
        assert!(error.contains("step 2: "), "{error}");
        // A lemma that no clause can be resolved with, and one that could be.
        for proof in
            [&b"d 1 2 0\n-1 -2 0\n0\n"[..], b"d -1 0\n1 0\n0\n", b"d -1 0\nd 1 2 0\n1 0\n0\n"]
        {
            assert!(accepts(&satisfiable, proof, false).is_err());
        }
    }

    #[test]
    fn deletions_take_clauses_away_but_not_what_they_had_shown() {
        // After the unit 1 the clause (1 2) is of no use; its deletion changes nothing.
        let chain = ClauseList::numbered(&[
            &[1],
            &[-1, 2],
            &[-2, 3],
            &[-3, 4, 5],
            &[-3, 4, -5],
            &[-4, 5],
            &[-4, -5],
        ]);
        let proof = b"d -1 2 0\nd -2 3 0\nd 1 0\n4 0\n0\n";
        assert!(accepts(&chain, proof, false).is_ok());
        // A clause that has not propagated is really gone.
        let proof = b"d -3 4 5 0\n4 0\n0\n";
        assert!(accepts(&chain, proof, false).is_err());
        // One of two equal clauses stays, and an unknown one harms nothing.
        let twice = ClauseList::numbered(&[&[1, 2], &[2, 1], &[1, -2], &[-1, 2], &[-1, -2]]);
        assert!(accepts(&twice, b"d 1 2 0\nd 1 -1 0\n1 0\n0\n", false).is_ok());
        assert!(accepts(&twice, b"d 1 2 0\nd 2 1 0\n1 0\n0\n", false).is_err());
    }

    #[test]
    fn a_formula_with_the_empty_clause_still_needs_a_proof_that_says_so() {
        let empty = ClauseList::numbered(&[&[]]);
        assert!(accepts(&empty, b"", false).is_err());
        assert_eq!(accepts(&empty, b"0\n", false), Ok(ProofStats { lemmas: 1, steps: 1 }));
    }
}
