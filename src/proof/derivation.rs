//! A refutation held in memory: lemmas with the clauses that imply them.
//!
//! It is trimmed backwards (what the empty clause does not need is dropped), renumbered without
//! gaps, and written as LRAT, each lemma deleted after its last use.

use super::propagate::{Id, LratWriter};
use super::{ProofError, ProofStats, lrat};
use crate::formula::Clauses;
use crate::limits::Limits;
use hashbrown::HashMap;
use std::io::{BufRead, Write};
use unstuck_encodings::Lit;

/// Lemmas in their order, numbered from one above the last clause of the formula.
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    /// Number of clauses of the formula.
    clauses: Id,
    lits: Vec<Lit>,
    hints: Vec<Id>,
    /// For each lemma the ends of its literals and of its hints.
    ends: Vec<(usize, usize)>,
}

impl Derivation {
    /// No lemmas yet, for a formula of so many clauses.
    pub fn new(clauses: Id) -> Self {
        Self { clauses, ..Self::default() }
    }

    /// Takes over a refutation in LRAT, which is checked.
    ///
    /// # Errors
    /// The first step that does not hold.
    pub fn of_lrat(
        clauses: &dyn Clauses,
        proof: impl BufRead,
        limits: &Limits,
    ) -> Result<Self, ProofError> {
        let mut all = Self::new(clauses.len() as Id);
        let mut numbers: HashMap<u64, Id> = HashMap::new();
        lrat::check_each(clauses, proof, limits, &mut |step| {
            // Numbers of the formula stay, those of lemmas have gaps.
            let hints = step.hints.iter();
            let known = |&id: &u64| numbers.get(&id).copied().unwrap_or(id as Id);
            all.hints.extend(hints.map(known));
            numbers.insert(step.id, all.close(&step.lits));
        })?;
        Ok(all)
    }

    /// Adds a lemma; its number.
    pub fn push(&mut self, lits: &[Lit], hints: impl IntoIterator<Item = Id>) -> Id {
        self.hints.extend(hints);
        self.close(lits)
    }

    /// Ends a lemma whose hints are there.
    fn close(&mut self, lits: &[Lit]) -> Id {
        self.lits.extend_from_slice(lits);
        self.ends.push((self.lits.len(), self.hints.len()));
        self.clauses + self.ends.len() as Id
    }

    /// Where the literals and the hints of a lemma (counted from 0) begin.
    fn begin(&self, lemma: usize) -> (usize, usize) {
        lemma.checked_sub(1).map_or((0, 0), |before| self.ends[before])
    }

    /// Literals of a lemma, counted from 0.
    pub fn lits(&self, lemma: usize) -> &[Lit] {
        &self.lits[self.begin(lemma).0..self.ends[lemma].0]
    }

    /// Numbers of the clauses that imply a lemma, counted from 0.
    fn hints(&self, lemma: usize) -> &[Id] {
        &self.hints[self.begin(lemma).1..self.ends[lemma].1]
    }

    /// The lemma (counted from 0) of a number; `None` for clauses of the formula.
    fn lemma(&self, id: Id) -> Option<usize> {
        id.checked_sub(self.clauses + 1).map(|lemma| lemma as usize)
    }

    /// Writes what the last lemma needs, as LRAT.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: impl Write) -> std::io::Result<ProofStats> {
        // Where each lemma is needed last: it needs nothing itself when nothing needs it.
        const UNUSED: u32 = u32::MAX;
        let mut last_use = vec![UNUSED; self.ends.len()];
        let end = self.ends.len().saturating_sub(1);
        for lemma in (0..self.ends.len()).rev() {
            if lemma < end && last_use[lemma] == UNUSED {
                continue;
            }
            for used in self.hints(lemma).iter().filter_map(|&id| self.lemma(id)) {
                if last_use[used] == UNUSED {
                    last_use[used] = lemma as u32;
                }
            }
        }
        let mut writer = LratWriter::new(out, self.clauses);
        let mut steps = 0;
        let mut numbers = vec![0; self.ends.len()];
        let (mut hints, mut done) = (Vec::new(), Vec::new());
        for lemma in 0..self.ends.len() {
            if lemma < end && last_use[lemma] == UNUSED {
                continue;
            }
            hints.clear();
            done.clear();
            for &id in self.hints(lemma) {
                let Some(used) = self.lemma(id) else {
                    hints.push(id);
                    continue;
                };
                hints.push(numbers[used]);
                if last_use[used] == lemma as u32 && lemma < end {
                    done.push(numbers[used]);
                }
            }
            numbers[lemma] = writer.lemma(self.lits(lemma), &hints)?;
            // A hint that is named twice is deleted once.
            done.sort_unstable();
            done.dedup();
            writer.delete(&done)?;
            steps += 1 + u64::from(!done.is_empty());
        }
        Ok(ProofStats { lemmas: writer.finish()?, steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::ClauseList;

    /// All four clauses over two variables.
    fn square() -> ClauseList {
        ClauseList::numbered(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]])
    }

    #[test]
    fn what_is_not_needed_is_dropped_and_numbers_have_no_gaps() {
        // The lemmas 10 and 12 are needed; 11 is not.
        let proof = b"10 1 0 1 2 0\n11 2 0 1 3 0\n12 -2 0 10 4 0\n13 0 10 12 3 0\n";
        let all = Derivation::of_lrat(&square(), &proof[..], &Limits::none()).unwrap();
        let mut written = Vec::new();
        let accepted = all.write(&mut written).unwrap();
        assert_eq!(accepted, ProofStats { lemmas: 3, steps: 3 });
        assert_eq!(
            String::from_utf8(written.clone()).unwrap(),
            "5 1 0 1 2 0\n6 -2 0 5 4 0\n7 0 5 6 3 0\n"
        );
        assert_eq!(lrat::check(&square(), written.as_slice(), &Limits::none()), Ok(accepted));
    }

    #[test]
    fn a_lemma_is_deleted_after_its_last_use() {
        let mut all = Derivation::new(4);
        let lit = |number| Lit::from_dimacs(number).unwrap();
        let one = all.push(&[lit(1)], [1, 2]);
        let again = all.push(&[lit(1)], [one]);
        all.push(&[], [again, 3, 4]);
        let mut written = Vec::new();
        all.write(&mut written).unwrap();
        assert_eq!(
            String::from_utf8(written.clone()).unwrap(),
            "5 1 0 1 2 0\n6 1 0 5 0\n6 d 5 0\n7 0 6 3 4 0\n"
        );
        assert!(lrat::check(&square(), written.as_slice(), &Limits::none()).is_ok());
    }
}
