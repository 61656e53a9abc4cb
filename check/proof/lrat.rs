//! The checker for LRAT: each lemma names the clauses that imply it, so checking is linear.
//!
//! A lemma is accepted when its negation, propagated through the named clauses in their order, runs
//! into a conflict: each of these is a unit clause there, or false, which ends it. Thus every lemma
//! is a consequence of the formula. That is LRAT without resolution asymmetric tautologies (RAT),
//! which are no consequences: nothing here needs them, and a step of that kind is refused.
//!
//! Reference: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, "Efficient Certified RAT
//! Verification", CADE 2017.

use super::clock::Clock;
use super::tokens::Tokens;
use super::{ProofError, ProofStats, TRACED};
use crate::formula::Clauses;
use crate::limits::Limits;
use hashbrown::HashMap;
use std::io::BufRead;
use unstuck_encodings::Lit;

/// Where the literals of a clause lie in the arena.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    len: u32,
}

/// The clauses that are alive, by their numbers.
#[derive(Default)]
struct Store {
    arena: Vec<Lit>,
    spans: HashMap<u64, Span>,
    dead: usize,
}

impl Store {
    fn get(&self, id: u64) -> Option<&[Lit]> {
        let span = self.spans.get(&id)?;
        Some(&self.arena[span.start..span.start + span.len as usize])
    }

    /// Adds a clause under a number that no other has.
    fn add(&mut self, id: u64, lits: &[Lit]) {
        let span = Span { start: self.arena.len(), len: lits.len() as u32 };
        self.arena.extend_from_slice(lits);
        self.spans.insert(id, span);
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
struct Values {
    /// By variable: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    trail: Vec<Lit>,
}

impl Values {
    fn new(variables: usize) -> Self {
        Self { values: vec![0; variables + 1], trail: Vec::new() }
    }

    /// 1 true, -1 false, 0 open.
    fn of(&self, lit: Lit) -> i8 {
        let value = self.values[lit.number() as usize];
        if lit.is_positive() { value } else { -value }
    }

    fn set(&mut self, lit: Lit) {
        self.values[lit.number() as usize] = if lit.is_positive() { 1 } else { -1 };
        self.trail.push(lit);
    }

    fn clear(&mut self) {
        for lit in self.trail.drain(..) {
            self.values[lit.number() as usize] = 0;
        }
    }
}

/// A step of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Number of the lemma.
    pub id: u64,
    /// Its literals.
    pub lits: Vec<Lit>,
    /// The clauses that imply it; of a deletion, the clauses that are deleted.
    pub hints: Vec<u64>,
}

/// Checks that a proof refutes the clauses, which have the numbers from 1.
///
/// # Errors
/// The first step that does not hold.
pub fn check(
    clauses: &dyn Clauses,
    proof: impl BufRead,
    limits: &Limits,
) -> Result<ProofStats, ProofError> {
    check_each(clauses, proof, limits, &mut |_| {})
}

/// Like [`check`]; `each` is shown every lemma that was accepted.
///
/// # Errors
/// The first step that does not hold.
pub fn check_each(
    clauses: &dyn Clauses,
    proof: impl BufRead,
    limits: &Limits,
    each: &mut dyn FnMut(&Step),
) -> Result<ProofStats, ProofError> {
    let mut clock = Clock::new(limits);
    let mut store = Store::default();
    for index in 0..clauses.len() {
        clock.spend(1 + clauses.clause(index).len())?;
        store.add(index as u64 + 1, clauses.clause(index));
    }
    let mut values = Values::new(clauses.variables());
    let mut tokens = Tokens::new(proof, false, clauses.variables());
    let binary = tokens.looks_binary()?;
    tokens.set_binary(binary);
    let mut last = clauses.len() as u64;
    let mut step = Step::default();
    let mut accepted = ProofStats::default();
    loop {
        tokens.step = accepted.steps + 1;
        let Some(kind) = read_step(&mut tokens, &mut step)? else {
            return Err(ProofError::Unfinished { steps: accepted.steps });
        };
        clock.spend(1 + step.lits.len() + step.hints.len())?;
        accepted.steps += 1;
        if kind == Kind::Deletion {
            for &id in &step.hints {
                if !store.delete(id) {
                    return Err(tokens.refuse(format!("deletes clause {id}, which is not there")));
                }
            }
            continue;
        }
        if step.id <= last {
            let reason = format!("the number {} is not above those before it", step.id);
            return Err(tokens.refuse(reason));
        }
        last = step.id;
        implied(&store, &mut values, &step, &mut clock).map_err(|fault| match fault {
            StepFault::Wrong(reason) => {
                let refused = tokens.refuse(format!("lemma {}: {reason}", step.id));
                refused.traced(trace(&store, &values, &step))
            }
            StepFault::Stopped(stopped) => stopped,
        })?;
        values.clear();
        each(&step);
        accepted.lemmas += 1;
        if step.lits.is_empty() {
            return Ok(accepted);
        }
        store.add(step.id, &step.lits);
    }
}

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Lemma,
    Deletion,
}

/// Reads a step; `None` at the end.
pub(super) fn read_step<R: BufRead>(
    tokens: &mut Tokens<R>,
    step: &mut Step,
) -> Result<Option<Kind>, ProofError> {
    step.lits.clear();
    step.hints.clear();
    let kind = if tokens.is_binary() {
        let kind = match tokens.byte()? {
            None => return Ok(None),
            Some(b'a') => Kind::Lemma,
            Some(b'd') => Kind::Deletion,
            Some(byte) => return Err(tokens.refuse(format!("byte {byte} where a step begins"))),
        };
        if kind == Kind::Lemma {
            step.id = clause_number(tokens)?;
        }
        kind
    } else {
        if tokens.skip_space()?.is_none() {
            return Ok(None);
        }
        step.id = clause_number(tokens)?;
        let deletes = tokens.skip_space()? == Some(b'd');
        if deletes {
            tokens.byte()?;
        }
        if deletes { Kind::Deletion } else { Kind::Lemma }
    };
    if kind == Kind::Lemma {
        tokens.literals(&mut step.lits)?;
    }
    loop {
        match tokens.number()? {
            0 => return Ok(Some(kind)),
            number => match u64::try_from(number) {
                Ok(id) => step.hints.push(id),
                Err(_) => {
                    return Err(tokens.refuse(
                        "a RAT step, which is no consequence of the formula and is not accepted; \
                         have the solver write a proof without new definitions (CaDiCaL: \
                         `--no-factor`)",
                    ));
                }
            },
        }
    }
}

fn clause_number<R: BufRead>(tokens: &mut Tokens<R>) -> Result<u64, ProofError> {
    let number = tokens.number()?;
    let id = u64::try_from(number).ok().filter(|&id| id > 0);
    id.ok_or_else(|| tokens.refuse(format!("{number} is no clause number")))
}

enum StepFault {
    Wrong(String),
    Stopped(ProofError),
}

/// Whether the hints show that the lemma follows.
fn implied(
    store: &Store,
    values: &mut Values,
    step: &Step,
    clock: &mut Clock<'_>,
) -> Result<(), StepFault> {
    for &lit in &step.lits {
        match values.of(lit) {
            1 => return Ok(()), // A clause with a literal and its negation is always true.
            0 => values.set(!lit),
            _ => {}
        }
    }
    for &hint in &step.hints {
        let clause = store.get(hint);
        let clause = clause.ok_or_else(|| {
            StepFault::Wrong(format!("its hint {hint} is no clause that is there"))
        })?;
        clock.spend(clause.len()).map_err(StepFault::Stopped)?;
        let mut open = clause.iter().copied().filter(|&lit| values.of(lit) >= 0);
        let Some(unit) = open.next() else { return Ok(()) };
        if open.any(|other| other != unit) {
            return Err(StepFault::Wrong(format!("its hint {hint} is not a unit clause there")));
        }
        if values.of(unit) == 0 {
            values.set(unit);
        }
    }
    Err(StepFault::Wrong("its hints end without a conflict".to_owned()))
}

/// A lemma that its hints do not show, these, and what is true after them.
fn trace(store: &Store, values: &Values, step: &Step) -> String {
    let shown = |lits: &[Lit]| {
        lits.iter().map(|lit| format!(" {}", lit.to_dimacs())).collect::<String>() + " 0\n"
    };
    let mut lines = format!("lemma {}:{}", step.id, shown(&step.lits));
    for &hint in step.hints.iter().take(TRACED) {
        let clause = store.get(hint).map_or(" is not there\n".to_owned(), shown);
        lines.push_str(&format!("hint {hint}:{clause}"));
    }
    lines + "true by then:" + &shown(&values.trail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::ClauseList;

    /// All four clauses over two variables.
    fn square() -> ClauseList {
        ClauseList::numbered(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]])
    }

    fn accepts(clauses: &ClauseList, proof: &[u8]) -> Result<ProofStats, ProofError> {
        check(clauses, proof, &Limits::none())
    }

    #[test]
    fn a_refutation_in_text_and_in_binary_is_accepted() {
        let text = b"c comment\n5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n";
        assert_eq!(accepts(&square(), text), Ok(ProofStats { lemmas: 2, steps: 3 }));
        let binary = [b'a', 10, 2, 0, 2, 4, 0, b'd', 2, 4, 0, b'a', 12, 0, 10, 6, 8, 0];
        assert_eq!(accepts(&square(), &binary), Ok(ProofStats { lemmas: 2, steps: 3 }));
    }

    #[test]
    fn what_does_not_hold_is_refused_with_its_line() {
        let cases: [(&[u8], &str); 17] = [
            (b"", "after 0 steps without the empty clause"),
            (b"5 1 0 1 2 0\n", "without the empty clause"),
            (b"5 0 1 2 3 4 0\n", "line 1: lemma 5: its hint 1 is not a unit clause there"),
            (b"5 1 0 1 2 0\n6 0 5 3 0\n", "line 2: lemma 6: its hints end without a conflict"),
            (b"5 1 0 1 9 0\n", "its hint 9 is no clause that is there"),
            (b"5 1 0 5 0\n", "its hint 5 is no clause that is there"),
            (
                b"c 1\n5 1 0 1 2 0\n5 d 1 0\n6 0 5 3 1 0\n",
                "line 4: lemma 6: its hint 1 is no clause",
            ),
            (b"5 1 0 1 2 0\n5 d 1 0\n6 2 0 1 5 0\n", "line 3: lemma 6: its hint 1 is no clause"),
            (b"5 1 0 1 2", "ends in the middle of a step"),
            (b"5 1 0 x 2 0", "`x` where a number belongs"),
            (b"0 d 1 0\n", "0 is no clause number"),
            (b"5 1 0 1 2 0\n5 d 9 0\n", "deletes clause 9, which is not there"),
            (b"4 1 0 1 2 0\n", "the number 4 is not above those before it"),
            (b"5 1 3 0 1 2 0\n", "3 is no literal of a formula of 2 variables"),
            (b"5 -2 0 -1 3 0\n", "line 1: a RAT step"),
            (b"a\x0a\x02\0\x02\x04\0", "after 1 steps without the empty clause"),
            (b"a\x0a\x02\0\x02\x04\0x", "byte 120 where a step begins"),
        ];
        for (proof, reason) in cases {
            let error = accepts(&square(), proof).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}: {reason}");
        }
    }

    #[test]
    fn a_step_that_does_not_hold_is_shown_with_its_hints() {
        let Err(ProofError::Refused { trace, .. }) = accepts(&square(), b"5 1 0 1 9 0\n") else {
            panic!("it is refused")
        };
        assert_eq!(
            trace,
            "lemma 5: 1 0\nhint 1: 1 2 0\nhint 9: is not there\ntrue by then: -1 2 0\n"
        );
        let Err(ProofError::Refused { trace, .. }) = accepts(&square(), b"5 x\n") else {
            panic!("it is refused")
        };
        assert_eq!(trace, "");
    }

    #[test]
    fn a_lemma_that_only_keeps_satisfiability_is_refused() {
        // No clause has -3, so that 3 is a resolution asymmetric tautology, but no consequence.
        let open = ClauseList::numbered(&[&[1, 2], &[1, 3]]);
        for proof in [&b"3 3 0 0\n"[..], b"3 3 0 -2 0\n", b"3 3 0 2 0\n", b"2 d 2 0\n3 -3 0 0\n"] {
            assert!(accepts(&open, proof).is_err());
        }
    }

    #[test]
    fn literals_that_are_said_twice_count_once() {
        let twice = ClauseList::numbered(&[&[1, 1], &[-1, 2, 2], &[-2]]);
        assert_eq!(accepts(&twice, b"4 0 1 2 3 0\n").map(|a| a.lemmas), Ok(1));
        // A clause with a literal and its negation says nothing, as a hint and as a lemma.
        let both = ClauseList::numbered(&[&[1, -1], &[1, 2]]);
        assert!(accepts(&both, b"3 1 0 1 2 0\n").is_err());
        assert!(accepts(&both, b"3 1 -1 0 0\n4 1 0 3 0\n").is_err());
    }

    #[test]
    fn a_hint_as_long_as_the_file_is_stopped_by_time() {
        let long: Vec<i32> = (1..=1000).collect();
        let formula = ClauseList::numbered(&[&long]);
        let lemma = (1..=1000).map(|lit| format!("{lit} ")).collect::<String>();
        let hints = "1 ".repeat(1000);
        let proof = format!("2 {lemma}0 {hints}0\n");
        assert!(accepts(&formula, proof.as_bytes()).is_err_and(|e| e.to_string().contains("ends")));
        let at_once = Limits::new(Some(std::time::Duration::ZERO), None);
        assert!(matches!(check(&formula, proof.as_bytes(), &at_once), Err(ProofError::Stopped(_))));
    }

    #[test]
    fn the_arena_is_compacted_without_harm() {
        let mut store = Store::default();
        let long: Vec<Lit> = (1..=300_000).filter_map(Lit::from_dimacs).collect();
        for id in 1..=8 {
            store.add(id, &long[..long.len() - id as usize]);
        }
        for id in 1..=7 {
            assert!(store.delete(id));
        }
        assert!(store.arena.len() < 8 * 300_000 && !store.delete(3));
        assert_eq!(store.get(8).map(<[Lit]>::len), Some(300_000 - 8));
        assert_eq!(store.get(8).map(|clause| clause[0]), Lit::from_dimacs(1));
    }
}
