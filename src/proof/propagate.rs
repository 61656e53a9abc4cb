//! Unit propagation that remembers why, and the LRAT steps that follow from it.
//!
//! Given the lemmas of a proof, no solver is needed: each lemma is assumed false, propagated, and
//! the clauses that took part in the conflict become its hints. Clauses are known here by their
//! numbers in the formula (from 1), which are the numbers that LRAT uses.

use crate::formula::dimacs::push_decimal;
use std::io::{self, Write};
use unstuck_encodings::Lit;

/// Number of a clause or lemma, from 1.
pub type Id = u32;

const NO_REASON: Id = 0;

/// Two watched literals a clause, after Moskewicz et al., "Chaff", DAC 2001.
pub struct Propagator {
    lits: Vec<Lit>,
    /// For each clause the end of its literals.
    ends: Vec<usize>,
    watches: Vec<Vec<u32>>,
    /// By literal: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    /// By variable: the clause that implied it; 0 for an assumption.
    reasons: Vec<Id>,
    /// By variable: whether its reason is a clause outside (see [`Propagator::assume`]).
    outside: Vec<bool>,
    trail: Vec<Lit>,
    head: usize,
    /// By variable: the last explanation that needed it.
    needed: Vec<u32>,
    round: u32,
    /// A clause that is false before anything is assumed.
    broken: Option<Id>,
    /// Clauses that were given at the beginning, and the numbers of those that came later.
    given: usize,
    lemmas: Vec<Id>,
}

/// Why propagation came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict(Id);

/// Why a variable has its value.
#[derive(Debug)]
pub struct Reason {
    variable: usize,
    reason: Id,
    outside: bool,
}

impl Propagator {
    /// A propagator over variables 1 to `variables` and clauses that are numbered from 1.
    ///
    /// Unit clauses are propagated now; a conflict among them shows at the next propagation.
    pub fn new<'a>(variables: usize, clauses: impl IntoIterator<Item = &'a [Lit]>) -> Self {
        let mut engine = Self {
            lits: Vec::new(),
            ends: Vec::new(),
            watches: vec![Vec::new(); 2 * variables + 2],
            values: vec![0; 2 * variables + 2],
            reasons: vec![NO_REASON; variables + 1],
            outside: vec![false; variables + 1],
            trail: Vec::new(),
            head: 0,
            needed: vec![0; variables + 1],
            round: 0,
            broken: None,
            given: 0,
            lemmas: Vec::new(),
        };
        let mut units = Vec::new();
        for (index, clause) in (0u32..).zip(clauses) {
            engine.lits.extend_from_slice(clause);
            engine.ends.push(engine.lits.len());
            match clause {
                [unit] => units.push((*unit, index + 1)),
                [a, b, ..] => {
                    engine.watches[(*a).code()].push(index);
                    engine.watches[(*b).code()].push(index);
                }
                [] => engine.broken = Some(index + 1),
            }
        }
        for (unit, id) in units {
            match engine.value(unit) {
                0 => engine.set(unit, id, false),
                1 => {}
                _ => engine.broken = Some(id),
            }
        }
        engine.given = engine.ends.len();
        engine
    }

    /// Adds a lemma of this number. Nothing may be assumed but what stays so.
    pub fn add(&mut self, lemma: &[Lit], id: Id) {
        let mut lits = lemma.to_vec();
        lits.sort_by_key(|&lit| self.value(lit) < 0);
        match lits[..] {
            [one, other, ..] if self.value(other) >= 0 => {
                let index = self.ends.len() as u32;
                self.watches[one.code()].push(index);
                self.watches[other.code()].push(index);
            }
            [one, ..] if self.value(one) >= 0 => {
                if self.value(one) == 0 {
                    self.set(one, self.ends.len() as Id + 1, false);
                }
            }
            _ => self.broken = Some(self.ends.len() as Id + 1),
        }
        self.lits.extend_from_slice(&lits);
        self.ends.push(self.lits.len());
        self.lemmas.push(id);
    }

    /// Forgets why a literal has its value, as if it were assumed; until it is given back.
    pub fn grant(&mut self, lit: Lit) -> Reason {
        let variable = lit.number() as usize;
        let reason = std::mem::replace(&mut self.reasons[variable], NO_REASON);
        let outside = std::mem::replace(&mut self.outside[variable], false);
        Reason { variable, reason, outside }
    }

    /// Gives back what [`Propagator::grant`] took.
    pub fn give_back(&mut self, Reason { variable, reason, outside }: Reason) {
        (self.reasons[variable], self.outside[variable]) = (reason, outside);
    }

    /// The number of a clause by its place here, from 1.
    fn id(&self, place: Id) -> Id {
        (place as usize).checked_sub(self.given + 1).map_or(place, |lemma| self.lemmas[lemma])
    }

    /// 1 when the literal is true, -1 when it is false, 0 when it is open.
    pub fn value(&self, lit: Lit) -> i8 {
        self.values[lit.code()]
    }

    fn set(&mut self, lit: Lit, reason: Id, outside: bool) {
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        self.reasons[lit.number() as usize] = reason;
        self.outside[lit.number() as usize] = outside;
        self.trail.push(lit);
    }

    fn clause(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lits[start..self.ends[index]]
    }

    /// Where to come back to with [`Propagator::undo`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// What was assumed and followed since the mark, in this order.
    pub fn since(&self, mark: usize) -> &[Lit] {
        &self.trail[mark..]
    }

    /// Takes back all that was assumed and followed since the mark.
    pub fn undo(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.values[lit.code()] = 0;
            self.values[(!lit).code()] = 0;
        }
        self.head = mark;
    }

    /// Assumes a literal: as a decision, or (`because`) as the consequence of a decision and of a
    /// clause that this propagator does not hold, such as "not d, or lit" under the decision d.
    /// `false` when the literal is false already.
    pub fn assume(&mut self, lit: Lit, because: Option<Id>) -> bool {
        match self.value(lit) {
            0 => self.set(lit, because.unwrap_or(NO_REASON), because.is_some()),
            value => return value > 0,
        }
        true
    }

    /// Propagates to the end, or to a clause that is false.
    pub fn propagate(&mut self) -> Option<Conflict> {
        if let Some(broken) = self.broken {
            return Some(Conflict(broken));
        }
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            let mut watching = std::mem::take(&mut self.watches[falsified.code()]);
            let mut kept = 0;
            let mut conflict = None;
            let mut at = 0;
            while at < watching.len() {
                let index = watching[at] as usize;
                at += 1;
                let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
                let clause = &mut self.lits[start..self.ends[index]];
                if clause[0] == falsified {
                    clause.swap(0, 1);
                }
                let first = clause[0];
                let next = if self.values[first.code()] > 0 {
                    None
                } else {
                    (2..clause.len()).find(|&k| self.values[clause[k].code()] >= 0)
                };
                if let Some(k) = next {
                    clause.swap(1, k);
                    let watched = clause[1];
                    self.watches[watched.code()].push(index as u32);
                    continue;
                }
                watching[kept] = index as u32;
                kept += 1;
                match self.values[first.code()] {
                    0 => self.set(first, index as Id + 1, false),
                    1 => {}
                    _ => {
                        conflict = Some(Conflict(index as Id + 1));
                        break;
                    }
                }
            }
            while at < watching.len() {
                watching[kept] = watching[at];
                kept += 1;
                at += 1;
            }
            watching.truncate(kept);
            self.watches[falsified.code()] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// The hints of a conflict, in the order in which a checker meets them.
    pub fn explain_conflict(&mut self, conflict: Conflict) -> Vec<Id> {
        let lits = self.clause(conflict.0 as usize - 1).to_vec();
        let mut hints = self.explain(lits);
        hints.push(self.id(conflict.0));
        hints
    }

    /// The clauses from which the values of the given literals follow, in the order in which a
    /// checker meets them.
    pub fn explain(&mut self, lits: impl IntoIterator<Item = Lit>) -> Vec<Id> {
        self.round += 1;
        for lit in lits {
            self.needed[lit.number() as usize] = self.round;
        }
        let mut hints = Vec::new();
        for at in (0..self.trail.len()).rev() {
            let variable = self.trail[at].number() as usize;
            let reason = self.reasons[variable];
            if self.needed[variable] != self.round || reason == NO_REASON {
                continue;
            }
            hints.push(if self.outside[variable] { reason } else { self.id(reason) });
            if !self.outside[variable] {
                let index = reason as usize - 1;
                let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
                for lit in &self.lits[start..self.ends[index]] {
                    self.needed[lit.number() as usize] = self.round;
                }
            }
        }
        hints.reverse();
        hints
    }

    /// Whether the last explanation took in the value of a literal.
    pub fn was_explained(&self, lit: Lit) -> bool {
        self.needed[lit.number() as usize] == self.round
    }

    /// The assumptions from which the value of a literal follows, and the clauses inside this
    /// propagator that lead there (the last one is the literal's own reason); `None` when there
    /// are more than `most` assumptions, or when the literal is an assumption itself.
    pub fn support(&mut self, lit: Lit, most: usize) -> Option<(Vec<Lit>, Vec<Id>)> {
        let variable = lit.number() as usize;
        if self.reasons[variable] == NO_REASON || self.outside[variable] {
            return None;
        }
        self.round += 1;
        let mut assumptions = Vec::new();
        let mut inner = vec![variable];
        self.needed[variable] = self.round;
        let mut at = 0;
        while at < inner.len() {
            let index = self.reasons[inner[at]] as usize - 1;
            at += 1;
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
            for position in start..self.ends[index] {
                let other = self.lits[position];
                let variable = other.number() as usize;
                if self.needed[variable] == self.round {
                    continue;
                }
                self.needed[variable] = self.round;
                if self.reasons[variable] == NO_REASON || self.outside[variable] {
                    assumptions.push(!other);
                    if assumptions.len() > most {
                        return None;
                    }
                } else {
                    inner.push(variable);
                }
            }
        }
        assumptions.sort_unstable();
        let hints = self.in_order(&inner);
        Some((assumptions, hints))
    }

    /// Reasons of variables in the order in which these were set.
    fn in_order(&self, variables: &[usize]) -> Vec<Id> {
        let mut left = variables.len();
        let mut hints = Vec::with_capacity(left);
        for lit in self.trail.iter().rev() {
            let variable = lit.number() as usize;
            if self.needed[variable] == self.round
                && self.reasons[variable] != NO_REASON
                && !self.outside[variable]
            {
                hints.push(self.id(self.reasons[variable]));
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        hints.reverse();
        hints
    }
}

/// Writes LRAT text, numbering the lemmas.
pub struct LratWriter<W> {
    out: W,
    last: Id,
    lemmas: u64,
    line: Vec<u8>,
}

impl<W: Write> LratWriter<W> {
    /// A writer for a formula of so many clauses.
    pub fn new(out: W, clauses: Id) -> Self {
        Self { out, last: clauses, lemmas: 0, line: Vec::new() }
    }

    /// Writes a lemma; its number.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn lemma(&mut self, lits: &[Lit], hints: &[Id]) -> io::Result<Id> {
        self.last = self.last.checked_add(1).ok_or_else(|| io::Error::other("too many lemmas"))?;
        self.lemmas += 1;
        self.line.clear();
        push_decimal(&mut self.line, i64::from(self.last));
        for lit in lits {
            push_decimal(&mut self.line, i64::from(lit.to_dimacs()));
        }
        self.line.extend_from_slice(b"0 ");
        for &hint in hints {
            push_decimal(&mut self.line, i64::from(hint));
        }
        self.line.extend_from_slice(b"0\n");
        self.out.write_all(&self.line)?;
        Ok(self.last)
    }

    /// Deletes lemmas that are not needed again.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn delete(&mut self, ids: &[Id]) -> io::Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        self.line.clear();
        push_decimal(&mut self.line, i64::from(self.last));
        self.line.extend_from_slice(b"d ");
        for &id in ids {
            push_decimal(&mut self.line, i64::from(id));
        }
        self.line.extend_from_slice(b"0\n");
        self.out.write_all(&self.line)
    }

    /// Ends the proof; the number of lemmas.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.lemmas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{ClauseList, Clauses};
    use crate::limits::Limits;
    use crate::proof::lrat;

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number).unwrap()
    }

    fn propagator(listed: &ClauseList) -> Propagator {
        Propagator::new(listed.variables(), (0..listed.len()).map(|index| listed.clause(index)))
    }

    #[test]
    fn a_chain_is_explained_by_its_links() {
        let listed = ClauseList::numbered(&[&[-1, 2], &[-2, 3], &[-3, 4], &[-5, 6], &[-4, -6]]);
        let mut engine = propagator(&listed);
        assert!(engine.assume(lit(1), None));
        assert_eq!(engine.propagate(), None);
        assert_eq!((engine.value(lit(4)), engine.value(lit(6))), (1, -1));
        assert_eq!(engine.explain([lit(4)]), [1, 2, 3]);
        assert_eq!(engine.support(lit(-5), 1), Some((vec![lit(1)], vec![1, 2, 3, 5, 4])));
        assert!(!engine.assume(lit(5), None));
        engine.undo(0);
        assert_eq!(engine.value(lit(1)), 0);
        engine.assume(lit(5), None);
        engine.assume(lit(1), Some(9));
        let conflict = engine.propagate().unwrap();
        assert_eq!(engine.explain_conflict(conflict)[0], 9);
    }

    #[test]
    fn a_written_proof_is_accepted_by_the_checker() {
        // Pigeon hole is beyond propagation; this needs two decisions and their lemmas.
        let listed = ClauseList::numbered(&[&[1, 2], &[1, -2, 3], &[1, -3], &[-1, 4], &[-1, -4]]);
        let mut engine = propagator(&listed);
        let mut out = Vec::new();
        let mut proof = LratWriter::new(&mut out, listed.len() as Id);
        engine.assume(lit(-1), None);
        let conflict = engine.propagate().unwrap();
        let hints = engine.explain_conflict(conflict);
        let first = proof.lemma(&[lit(1)], &hints).unwrap();
        proof.lemma(&[], &[first, 4, 5]).unwrap();
        assert_eq!(proof.finish().unwrap(), 2);
        let accepted = lrat::check(&listed, out.as_slice(), &Limits::none()).unwrap();
        assert_eq!(accepted.lemmas, 2);
    }
}
