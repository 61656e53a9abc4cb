//! A checker for LRAT: each lemma names the clauses that imply it, so checking is linear.
//!
//! A lemma is accepted when its negation, propagated through the named clauses in their order,
//! runs into a conflict (reverse unit propagation); or, when the hints say so, when it is a
//! resolution asymmetric tautology on its first literal, with one group of hints for every clause
//! that contains the negation of that literal.
//!
//! Reference: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, "Efficient Certified RAT
//! Verification", CADE 2017.

use super::{Accepted, ProofError, Tokens, WATCH, literal};
use crate::formula::Clauses;
use crate::limits::Limits;
use hashbrown::HashMap;
use std::io::BufRead;

/// Where the literals of a clause lie in the arena.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    len: u32,
}

/// The clauses that are alive, by their numbers.
struct Store {
    arena: Vec<i32>,
    spans: HashMap<u64, Span>,
    dead: usize,
}

impl Store {
    fn get(&self, id: u64) -> Option<&[i32]> {
        let span = self.spans.get(&id)?;
        Some(&self.arena[span.start..span.start + span.len as usize])
    }

    /// Adds a clause; `false` when the number is taken.
    fn add(&mut self, id: u64, lits: &[i32]) -> bool {
        let span = Span { start: self.arena.len(), len: lits.len() as u32 };
        self.arena.extend_from_slice(lits);
        self.spans.insert(id, span).is_none()
    }

    /// Deletes a clause; `false` when there is none of this number.
    fn delete(&mut self, id: u64) -> bool {
        let Some(span) = self.spans.remove(&id) else { return false };
        self.dead += span.len as usize;
        if self.dead > 1 << 20 && self.dead > self.arena.len() / 2 {
            self.compact();
        }
        true
    }

    fn compact(&mut self) {
        let mut spans: Vec<&mut Span> = self.spans.values_mut().collect();
        spans.sort_unstable_by_key(|span| span.start);
        let mut end = 0;
        for span in spans {
            self.arena.copy_within(span.start..span.start + span.len as usize, end);
            span.start = end;
            end += span.len as usize;
        }
        self.arena.truncate(end);
        self.dead = 0;
    }
}

/// A partial assignment: a lemma's negation and what follows from it.
#[derive(Default)]
struct Values {
    values: Vec<i8>,
    trail: Vec<i32>,
}

impl Values {
    /// 1 true, -1 false, 0 open.
    fn of(&self, lit: i32) -> i8 {
        let value = self.values.get(lit.unsigned_abs() as usize).copied().unwrap_or(0);
        if lit > 0 { value } else { -value }
    }

    fn set(&mut self, lit: i32) {
        let variable = lit.unsigned_abs() as usize;
        if variable >= self.values.len() {
            self.values.resize(variable + 1, 0);
        }
        self.values[variable] = if lit > 0 { 1 } else { -1 };
        self.trail.push(lit);
    }

    /// Assumes literals; `true` when they contradict each other or what is assumed already.
    fn assume(&mut self, lits: impl IntoIterator<Item = i32>) -> bool {
        for lit in lits {
            match self.of(lit) {
                -1 => return true,
                0 => self.set(lit),
                _ => {}
            }
        }
        false
    }

    fn undo(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.values[lit.unsigned_abs() as usize] = 0;
        }
    }
}

/// The lemma under check and its hints.
#[derive(Default)]
struct Lemma {
    id: u64,
    lits: Vec<i32>,
    hints: Vec<i64>,
}

/// Checks that a proof refutes the clauses, which have the numbers from 1.
///
/// # Errors
/// The first step that does not hold.
pub fn check(
    clauses: &dyn Clauses,
    proof: impl BufRead,
    limits: &Limits,
) -> Result<Accepted, ProofError> {
    let mut store = Store { arena: Vec::new(), spans: HashMap::new(), dead: 0 };
    let mut buffer = Vec::new();
    for index in 0..clauses.len() {
        if index.is_multiple_of(1 << 16)
            && let Some(stop) = limits.reached_any()
        {
            return Err(ProofError::Stopped(stop));
        }
        buffer.clear();
        buffer.extend(clauses.clause(index).iter().map(|lit| lit.to_dimacs()));
        store.add(index as u64 + 1, &buffer);
    }
    let mut tokens = Tokens::new(proof);
    let binary = matches!(tokens.peek()?, Some(b'a' | b'd'));
    let mut values = Values::default();
    let mut lemma = Lemma::default();
    let mut accepted = Accepted::default();
    loop {
        tokens.step = accepted.steps + 1;
        if accepted.steps.is_multiple_of(WATCH)
            && let Some(stop) = limits.reached_any()
        {
            return Err(ProofError::Stopped(stop));
        }
        match read_step(&mut tokens, binary, &mut lemma)? {
            None => return Err(ProofError::Unfinished { steps: accepted.steps }),
            Some(Kind::Delete) => {
                for &id in &lemma.hints {
                    let known = u64::try_from(id).is_ok_and(|id| store.delete(id));
                    if !known {
                        return Err(
                            tokens.refuse(format!("deletes clause {id}, which is not there"))
                        );
                    }
                }
            }
            Some(Kind::Lemma) => {
                let fine = implied(&store, &mut values, &lemma);
                values.undo(0);
                fine.map_err(|reason| tokens.refuse(format!("lemma {}: {reason}", lemma.id)))?;
                accepted.lemmas += 1;
                if lemma.lits.is_empty() {
                    accepted.steps += 1;
                    return Ok(accepted);
                }
                if !store.add(lemma.id, &lemma.lits) {
                    return Err(tokens.refuse(format!("the number {} is taken", lemma.id)));
                }
            }
        }
        accepted.steps += 1;
    }
}

enum Kind {
    Lemma,
    Delete,
}

/// Reads a step into `lemma` (a deletion leaves its numbers in the hints); `None` at the end.
fn read_step<R: BufRead>(
    tokens: &mut Tokens<R>,
    binary: bool,
    lemma: &mut Lemma,
) -> Result<Option<Kind>, ProofError> {
    lemma.lits.clear();
    lemma.hints.clear();
    let deletes;
    if binary {
        deletes = match tokens.next()? {
            None => return Ok(None),
            Some(b'a') => false,
            Some(b'd') => true,
            Some(byte) => return Err(tokens.refuse(format!("byte {byte} where a step begins"))),
        };
        if !deletes {
            lemma.id = number_of(tokens, Tokens::packed)?;
        }
    } else {
        if tokens.skip_space()?.is_none() {
            return Ok(None);
        }
        lemma.id = number_of(tokens, Tokens::decimal)?;
        deletes = tokens.skip_space()? == Some(b'd');
        if deletes {
            tokens.next()?;
        }
    }
    let read = if binary { Tokens::packed } else { Tokens::decimal };
    if !deletes {
        loop {
            match read(tokens)? {
                0 => break,
                number => {
                    let lit = literal(number);
                    let lit =
                        lit.ok_or_else(|| tokens.refuse(format!("{number} is no literal")))?;
                    lemma.lits.push(lit);
                }
            }
        }
    }
    loop {
        match read(tokens)? {
            0 => return Ok(Some(if deletes { Kind::Delete } else { Kind::Lemma })),
            number => lemma.hints.push(number),
        }
    }
}

fn number_of<R: BufRead>(
    tokens: &mut Tokens<R>,
    read: fn(&mut Tokens<R>) -> Result<i64, ProofError>,
) -> Result<u64, ProofError> {
    let number = read(tokens)?;
    let id = u64::try_from(number).ok().filter(|&id| id > 0);
    id.ok_or_else(|| tokens.refuse(format!("{number} is no clause number")))
}

/// Whether the hints show that the lemma follows.
fn implied(store: &Store, values: &mut Values, lemma: &Lemma) -> Result<(), String> {
    if values.assume(lemma.lits.iter().map(|lit| -lit)) {
        return Ok(()); // A clause with a literal and its negation is always true.
    }
    let group = lemma.hints.iter().position(|&hint| hint < 0).unwrap_or(lemma.hints.len());
    let (plain, groups) = lemma.hints.split_at(group);
    if propagated(store, values, plain)? {
        return Ok(());
    }
    let Some(&pivot) = lemma.lits.first() else {
        return Err("its hints end without a conflict".to_owned());
    };
    let resolved = resolution_groups(groups);
    for (&id, span) in &store.spans {
        let clause = &store.arena[span.start..span.start + span.len as usize];
        if !clause.contains(&-pivot) {
            continue;
        }
        let length = values.trail.len();
        let others = clause.iter().filter(|&&lit| lit != -pivot).map(|lit| -lit);
        let fine = values.assume(others)
            || match resolved.get(&id) {
                Some(hints) => propagated(store, values, hints)?,
                None => false,
            };
        values.undo(length);
        if !fine && groups.is_empty() {
            return Err("its hints end without a conflict".to_owned());
        }
        if !fine {
            return Err(format!("nothing shows its resolvent with clause {id}"));
        }
    }
    Ok(())
}

/// Groups of hints by the clause that they resolve with.
fn resolution_groups(hints: &[i64]) -> HashMap<u64, &[i64]> {
    let starts: Vec<usize> = (0..hints.len()).filter(|&index| hints[index] < 0).collect();
    let ends = starts.iter().skip(1).copied().chain([hints.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| (hints[start].unsigned_abs(), &hints[start + 1..end]))
        .collect()
}

/// Propagates through the named clauses in their order; whether a conflict was met.
fn propagated(store: &Store, values: &mut Values, hints: &[i64]) -> Result<bool, String> {
    for &hint in hints {
        let clause = u64::try_from(hint).ok().and_then(|id| store.get(id));
        let clause = clause.ok_or_else(|| format!("its hint {hint} is no clause that is there"))?;
        let mut open = clause.iter().filter(|&&lit| values.of(lit) >= 0);
        match (open.next(), open.next()) {
            (None, _) => return Ok(true),
            (Some(&unit), None) => {
                if values.of(unit) == 0 {
                    values.set(unit);
                }
            }
            _ => return Err(format!("its hint {hint} is not a unit clause there")),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::ClauseList;
    use crate::proof::tests::{listed, square};

    fn accepts(clauses: &ClauseList, proof: &[u8]) -> Result<Accepted, ProofError> {
        check(clauses, proof, &Limits::none())
    }

    #[test]
    fn a_refutation_in_text_and_in_binary_is_accepted() {
        let text = b"c comment\n5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n";
        assert_eq!(accepts(&square(), text), Ok(Accepted { lemmas: 2, steps: 3 }));
        let binary = [b'a', 10, 2, 0, 2, 4, 0, b'd', 2, 4, 0, b'a', 12, 0, 10, 6, 8, 0];
        assert_eq!(accepts(&square(), &binary), Ok(Accepted { lemmas: 2, steps: 3 }));
    }

    #[test]
    fn what_does_not_hold_is_refused_with_its_step() {
        let cases: [(&[u8], &str); 9] = [
            (b"", "without the empty clause"),
            (b"5 1 0 1 2 0\n", "without the empty clause"),
            (b"5 0 1 2 3 4 0\n", "step 1: lemma 5: its hint 1 is not a unit clause there"),
            (b"5 1 0 1 2 0\n6 0 5 3 0\n", "step 2: lemma 6: its hints end without a conflict"),
            (b"5 1 0 1 9 0\n", "its hint 9 is no clause that is there"),
            (b"5 1 0 1 2 0\n5 d 1 0\n6 0 5 3 1 0\n", "step 3"),
            (b"5 1 0 1 2", "ends in the middle of a step"),
            (b"5 1 0 x 2 0", "`x` where a number belongs"),
            (b"4 1 0 1 2 0\n", "the number 4 is taken"),
        ];
        for (proof, reason) in cases {
            let error = accepts(&square(), proof).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}: {reason}");
        }
    }

    #[test]
    fn a_resolution_asymmetric_tautology_needs_a_group_for_each_resolvent() {
        let clauses = square();
        // No clause has -4: any lemma on 4 holds vacuously, and is then of no use.
        let vacuous = b"5 4 1 0 0\n6 1 0 1 2 0\n7 0 6 3 4 0\n";
        assert_eq!(accepts(&clauses, vacuous).map(|a| a.lemmas), Ok(3));
        // Clause 5 has 4; a lemma on -4 must deal with it, and here it can: 1 or 2 is clause 1.
        let dealt = b"5 4 1 0 0\n6 -4 2 0 -5 1 0\n7 1 0 1 2 0\n8 0 7 3 4 0\n";
        assert_eq!(accepts(&clauses, dealt).map(|a| a.lemmas), Ok(4));
        let missing = b"5 4 1 0 0\n6 -4 2 0 -1 0\n";
        let error = accepts(&clauses, missing).unwrap_err().to_string();
        assert!(error.contains("its resolvent with clause 5"), "{error}");
        let open = listed(&[&[1, 2], &[-1, 2]]);
        assert!(accepts(&open, b"3 -2 0 -1 0\n").is_err(), "1 or -2 is not shown");
    }

    #[test]
    fn the_arena_is_compacted_without_harm() {
        let mut store = Store { arena: Vec::new(), spans: HashMap::new(), dead: 0 };
        let long: Vec<i32> = (1..=300_000).collect();
        for id in 1..=8 {
            assert!(store.add(id, &long[..long.len() - id as usize]));
        }
        for id in 1..=7 {
            assert!(store.delete(id));
        }
        assert!(store.arena.len() < 8 * 300_000 && !store.delete(3));
        assert_eq!(store.get(8).map(<[i32]>::len), Some(300_000 - 8));
        assert_eq!(store.get(8).map(|clause| clause[0]), Some(1));
    }
}
