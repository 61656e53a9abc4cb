//! The proofs of the three formulas of dead patterns that add up, in VeriPB's format.
//!
//! As in LRAT ([`super::lrat`]), with one more step where numbers matter. For a pattern P and a push
//! of one of its boxes let Q, R, ... be what holds after it. Added together, these cancel out all
//! numbers:
//!
//! * P is violated: the numbers of its boxes are too small;
//! * the push takes one, and the other boxes of P keep theirs;
//! * Q, R, ... are not violated after the step: the numbers of their boxes are large enough.
//!
//! What is left is a clause of excuses (the push is not made, a box is not there, the player is
//! elsewhere), and propagation refutes each of them. That the numbers suffice is not trusted: where
//! they do not, the sum says nothing, and no proof is written.

use super::frames::{Frames, Lemmas};
use super::{Obligation, WriteError, unfit};
use crate::formula::Clauses;
use crate::limits::Monitor;
use crate::patterns::{PatternSums, SumFormula};
use crate::proof::propagate::{Id, Propagator};
use crate::proof::veripb::ProofWriter;
use std::io::{self, Write};
use unstuck_encodings::Lit;

/// Writes the proof of a part.
///
/// # Errors
/// When a sum is too small or propagation does not show a lemma (the list is not closed), or the file
/// cannot be written.
pub fn prove(
    sums: &PatternSums,
    part: Obligation,
    formula: &SumFormula,
    out: &mut dyn Write,
    monitor: &mut Monitor<'_>,
) -> Result<(), WriteError> {
    monitor.begin(format!("proving {}", part.name()), sums.patterns.len() as u64)?;
    let clauses = &formula.clauses;
    let known = (0..clauses.len()).map(|index| clauses.clause(index));
    let mut prover = Prover {
        sums,
        formula,
        part,
        engine: Propagator::new(clauses.variables(), known),
        proof: SumWriter(ProofWriter::new(out, formula.constraints.len() as u64)?),
        frames: Frames::default(),
    };
    if let Some(conflict) = prover.engine.propagate() {
        let hints = prover.engine.explain_conflict(conflict);
        prover.proof.lemma(&[], &hints)?;
    } else if part == Obligation::Initiation {
        prover.start()?;
    } else {
        let mut units = Vec::with_capacity(sums.patterns.len() + 1);
        for index in 0..sums.patterns.len() {
            monitor.tick()?;
            let mark = prover.engine.mark();
            units.push(prover.pattern(index)?);
            prover.engine.undo(mark);
        }
        units.push(formula.some as Id);
        prover.proof.lemma(&[], &units)?;
    }
    Ok(prover.proof.0.finish()?)
}

/// Clauses of the format under the numbers of a propagator.
struct SumWriter<W>(ProofWriter<W>);

fn numbered(id: u64) -> io::Result<Id> {
    Id::try_from(id).map_err(|_| io::Error::other("too many lemmas"))
}

impl<W: Write> Lemmas for SumWriter<W> {
    fn lemma(&mut self, lits: &[Lit], hints: &[Id]) -> io::Result<Id> {
        let hints: Vec<u64> = hints.iter().copied().map(u64::from).collect();
        numbered(self.0.clause(lits, &hints)?)
    }
}

impl<W: Write> SumWriter<W> {
    fn sum(&mut self, first: usize, others: &[usize]) -> io::Result<Id> {
        numbered(self.0.sum(first as u64, others.iter().map(|&id| id as u64))?)
    }

    fn delete(&mut self, ids: &[Id]) -> io::Result<()> {
        let ids: Vec<u64> = ids.iter().copied().map(u64::from).collect();
        self.0.delete(&ids)
    }
}

/// A proof in the making.
struct Prover<'a, W> {
    sums: &'a PatternSums,
    formula: &'a SumFormula,
    part: Obligation,
    engine: Propagator,
    proof: SumWriter<W>,
    frames: Frames,
}

impl<W: Write> Prover<'_, W> {
    /// What holds at the start violates no pattern, but the numbers there are too small.
    fn start(&mut self) -> Result<(), WriteError> {
        let (sums, formula) = (self.sums, self.formula);
        let sum = sums.total().map(|total| Sum {
            first: formula.numbers,
            others: Vec::new(),
            needed: total + 1,
            excuses: Vec::new(),
        });
        let shown = self.shown(0, &sums.root, None, sum)?;
        let (hints, _) = shown.ok_or_else(|| unfit("the start violates no pattern"))?;
        self.proof.lemma(&[], &hints)?;
        Ok(())
    }

    /// A pattern cannot be violated; the number of the unit lemma.
    fn pattern(&mut self, index: usize) -> Result<Id, WriteError> {
        let pattern = &self.sums.patterns[index];
        let chosen = self.sums.chosen(index);
        for (&lit, id) in pattern.lits[0].iter().zip(self.formula.violated[index]..) {
            if !self.engine.assume(lit, Some(id as Id)) {
                let mut hints = self.engine.explain([lit]);
                hints.push(id as Id);
                return Ok(self.proof.lemma(&[!chosen], &hints)?);
            }
        }
        let mut used = Vec::new();
        let mut impossible = self.engine.propagate();
        let pushes =
            if self.part == Obligation::Consecution { pattern.pushes.as_slice() } else { &[] };
        for (number, after) in pushes {
            let action = self.sums.pushes[*number].action;
            if impossible.is_some() {
                break;
            }
            if self.engine.value(action) < 0 {
                continue;
            }
            let mark = self.engine.mark();
            self.engine.assume(action, None);
            let (hints, sum) = match self.engine.propagate() {
                Some(conflict) => (self.engine.explain_conflict(conflict), None),
                None => {
                    let sum = self.sum_of_push(index, *number);
                    let shown = self.shown(1, after, Some(action), sum)?;
                    shown.ok_or_else(|| stuck(index))?
                }
            };
            self.engine.undo(mark);
            let lemma = self.proof.lemma(&[!chosen, !action], &hints)?;
            used.push(lemma);
            used.extend(sum);
            // From here on without this push: what it would explain, others need not.
            self.engine.assume(!action, Some(lemma));
            impossible = self.engine.propagate();
        }
        let (hints, sum) = match (impossible, self.part) {
            (Some(conflict), _) => (self.engine.explain_conflict(conflict), None),
            (None, Obligation::Safety) => {
                let sum = self.sum_of_end(index);
                self.shown(0, &[], None, sum)?.ok_or_else(|| stuck(index))?
            }
            (None, _) => {
                let sum = self.sum_of_rest(index);
                self.shown(1, &[index], None, sum)?.ok_or_else(|| stuck(index))?
            }
        };
        let unit = self.proof.lemma(&[!chosen], &hints)?;
        used.extend(sum);
        self.proof.delete(&used)?;
        Ok(unit)
    }

    /// What a violated pattern says of its numbers; `None` where it says nothing of any.
    fn bound(&self, index: usize) -> Option<(usize, i64)> {
        let pattern = &self.sums.patterns[index];
        Some((self.formula.violated[index] + pattern.lits[0].len(), pattern.least? as i64))
    }

    /// A box that stays, by the cells: its constraints, and what these suppose.
    fn staying(&self, cells: impl Iterator<Item = usize> + Clone) -> (Vec<usize>, Vec<Lit>) {
        let constraints = cells.clone().map(|cell| self.formula.numbers + cell).collect();
        let here = cells.flat_map(|cell| [0, 1].map(|layer| self.sums.box_at(layer, cell)));
        (constraints, here.collect())
    }

    fn sum_of_push(&self, index: usize, number: usize) -> Option<Sum> {
        let (first, least) = self.bound(index)?;
        let from = self.sums.pushes[number].from;
        let others = self.sums.patterns[index].boxes.iter().copied().filter(|&cell| cell != from);
        let (mut others, excuses) = self.staying(others);
        others.push(self.formula.pushes + number);
        Some(Sum { first, others, needed: least - 1, excuses })
    }

    fn sum_of_rest(&self, index: usize) -> Option<Sum> {
        let (first, least) = self.bound(index)?;
        let (others, excuses) = self.staying(self.sums.patterns[index].boxes.iter().copied());
        Some(Sum { first, others, needed: least, excuses })
    }

    fn sum_of_end(&self, index: usize) -> Option<Sum> {
        let (first, mut needed) = self.bound(index)?;
        let (mut others, mut excuses) = (Vec::new(), Vec::new());
        for &cell in &self.sums.patterns[index].boxes {
            let place = self.sums.ends.iter().position(|&(end, _)| end == cell)?;
            needed -= self.sums.ends[place].1 as i64;
            others.push(self.formula.numbers + place);
            excuses.push(self.sums.box_at(0, cell));
        }
        Some(Sum { first, others, needed, excuses })
    }

    /// A contradiction: one of these patterns has no plan, and holds in the layer; or their numbers
    /// there are too large. The hints, and the sum among them; `None` if there is no contradiction.
    fn shown(
        &mut self,
        layer: usize,
        patterns: &[usize],
        action: Option<Lit>,
        sum: Option<Sum>,
    ) -> Result<Option<Shown>, WriteError> {
        let sums = self.sums;
        let holds =
            |lits: &[Lit], engine: &Propagator| lits.iter().all(|&lit| engine.value(lit) > 0);
        let lost = patterns.iter().copied().find(|&index| {
            let pattern = &sums.patterns[index];
            pattern.least.is_none() && holds(&pattern.lits[layer], &self.engine)
        });
        let (engine, proof) = (&mut self.engine, &mut self.proof);
        if let Some(index) = lost {
            let lits = &sums.patterns[index].lits[layer];
            let mut hints = self.frames.explain(engine, proof, lits, action)?;
            hints.push((self.formula.some + 1 + index) as Id);
            return Ok(Some((hints, None)));
        }
        let Some(Sum { first, mut others, needed, mut excuses }) = sum else { return Ok(None) };
        let mut reached = 0;
        for &index in patterns {
            let pattern = &sums.patterns[index];
            let Some(least) = pattern.least else { return Ok(None) };
            reached += least as i64;
            excuses.extend(&pattern.lits[layer]);
            others.push(self.formula.some + 1 + index);
        }
        if reached < needed || !holds(&excuses, engine) {
            return Ok(None);
        }
        let sum = proof.sum(first, &others)?;
        excuses.sort_unstable();
        excuses.dedup();
        let mut hints = self.frames.explain(engine, proof, &excuses, action)?;
        hints.push(sum);
        Ok(Some((hints, Some(sum))))
    }
}

/// The hints of a contradiction, and the sum among them.
type Shown = (Vec<Id>, Option<Id>);

/// What is added to the constraints of patterns, so that all numbers cancel out.
struct Sum {
    /// A constraint,
    first: usize,
    /// and others.
    others: Vec<usize>,
    /// What the numbers of the patterns must reach.
    needed: i64,
    /// What must hold, so that the constraints say something.
    excuses: Vec<Lit>,
}

fn stuck(index: usize) -> WriteError {
    unfit(format!("nothing shows that pattern {index} is never violated"))
}
