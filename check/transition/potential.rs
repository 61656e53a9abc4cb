//! A potential inside the formulas.
//!
//! The register of the formulas counts what the objective counts, and nothing else. A potential is
//! a sum of weights, each with a condition ([`Term`]): "a box here, and the player in one of the
//! cells on that side of it". What is left beyond it is *defined*, in each layer, term by term:
//!
//! * `rest-0` is what is left of the count, and the offset;
//! * `rest-j` is `rest-(j-1)`, less the weight of term j where that holds;
//! * the last one is what cubes speak of.
//!
//! Definitions exclude no state, whatever the weights are. So nothing rests on the potential: a
//! wrong one can only make the refutations fail ([`super::ladder`]).

use super::Budget;
use super::relation::{literal, shifted};
use crate::formula::ClauseList;
use crate::limits::{Monitor, Stop};
use hashbrown::HashMap;
use unstuck_encodings::{Lit, Step, StepCost};

/// A potential, and how cubes count beyond it.
#[derive(Clone, Debug)]
pub struct PotentialEncoding {
    /// Whether a step counts.
    pub paid: StepCost,
    /// What a unit of budgets stands for.
    pub unit: u32,
    /// What is added to what is left before the terms are taken away.
    pub offset: i64,
    /// What has weight.
    pub terms: Vec<Term>,
}

/// A part of a potential.
#[derive(Clone, Debug)]
pub struct Term {
    /// This literal of layer 0,
    pub lit: Lit,
    /// and one of these, if there are any.
    pub any: Box<[Lit]>,
    /// What it weighs: more than nothing.
    pub weight: u32,
}

impl PotentialEncoding {
    /// The most that can be left beyond the potential where `most` is left of the count.
    pub fn top(&self, most: u32) -> u64 {
        i64::from(most).saturating_add(self.offset).max(0) as u64
    }

    /// Variables in each layer.
    pub(super) fn variables(&self, most: u32) -> u64 {
        let steps = (self.terms.len() as u64 + 1).saturating_mul(self.top(most) + 1);
        steps.saturating_add(self.named().count() as u64)
    }

    /// Terms that have variables of their own.
    fn named(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.terms.len()).filter(|&term| !self.terms[term].any.is_empty())
    }
}

/// What is left beyond a potential, as variables and their definitions.
#[derive(Clone, Copy)]
pub struct Remainder<'a> {
    pub(super) weighing: &'a PotentialEncoding,
    /// Most that is left of the count.
    pub(super) most: u32,
    /// Variables before those of what is left of the count.
    pub(super) left: usize,
    /// Variables before those of the potential.
    pub(super) before: usize,
    pub(super) later: &'a HashMap<u32, Lit>,
}

impl Remainder<'_> {
    /// Number of terms.
    pub fn terms(&self) -> usize {
        self.weighing.terms.len()
    }

    /// What is added to a count before terms are taken from it.
    pub fn offset(&self) -> i64 {
        self.weighing.offset
    }

    /// What term j weighs, for j from 1.
    pub fn weight(&self, term: usize) -> usize {
        self.weighing.terms[term - 1].weight as usize
    }

    /// The most that can be left.
    pub fn top(&self) -> usize {
        self.weighing.top(self.most) as usize
    }

    fn before(&self, layer: Step) -> usize {
        self.before + layer as usize * self.weighing.variables(self.most) as usize
    }

    /// "After so many terms at least k is left", for k from 0.
    pub fn after(&self, layer: Step, terms: usize, k: usize) -> Lit {
        literal(self.before(layer) + terms * (self.top() + 1) + k + 1)
    }

    /// The same after all terms; k may be more than there ever is.
    pub fn all(&self, layer: Step, k: usize) -> Lit {
        self.after(layer, self.terms(), k)
    }

    /// The least number that says "more than this budget"; `None` where nothing is more.
    pub(super) fn beyond(&self, budget: Budget) -> Option<usize> {
        let more = (u64::from(budget.first()?) + 1) * u64::from(self.weighing.unit);
        (more <= self.weighing.top(self.most)).then_some(more as usize)
    }

    /// "Term j holds", for j from 1.
    pub fn term(&self, layer: Step, term: usize) -> Lit {
        let Term { lit, any, .. } = &self.weighing.terms[term - 1];
        if any.is_empty() {
            return shifted(self.later, layer, *lit);
        }
        let number = self.weighing.named().take_while(|&named| named < term - 1).count();
        literal(self.before(layer) + (self.terms() + 1) * (self.top() + 1) + number + 1)
    }

    /// What term j says: its literal, and the others of which it takes one.
    pub fn parts(&self, layer: Step, term: usize) -> (Lit, Vec<Lit>) {
        let Term { lit, any, .. } = &self.weighing.terms[term - 1];
        let shifted = |&lit: &Lit| shifted(self.later, layer, lit);
        (shifted(lit), any.iter().map(shifted).collect())
    }

    fn left(&self, layer: Step, k: u32) -> Lit {
        literal(self.left + layer as usize * self.most as usize + k as usize)
    }

    /// Adds what the first and the last mean: the count and the terms.
    pub(super) fn define_ends(
        &self,
        layer: Step,
        clauses: &mut ClauseList,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), Stop> {
        for k in 1..self.most {
            monitor.poll()?;
            clauses.add([self.left(layer, k), !self.left(layer, k + 1)]);
        }
        for k in 0..=self.top() {
            monitor.poll()?;
            let first = self.after(layer, 0, k);
            let needed = k as i64 - self.weighing.offset;
            match u32::try_from(needed) {
                Ok(needed) if (1..=self.most).contains(&needed) => {
                    clauses.add([first, !self.left(layer, needed)]);
                    clauses.add([!first, self.left(layer, needed)]);
                }
                _ => clauses.add([if needed <= 0 { first } else { !first }]),
            }
        }
        for term in self.weighing.named() {
            monitor.poll()?;
            let holds = self.term(layer, term + 1);
            let (lit, any) = self.parts(layer, term + 1);
            clauses.add([!holds, lit]);
            for &one in &any {
                clauses.add([holds, !lit, !one]);
            }
            clauses.add([!holds].into_iter().chain(any));
        }
        Ok(())
    }

    /// Adds what each term takes, in the order of [`Remainder::place`].
    pub(super) fn define(
        &self,
        layer: Step,
        clauses: &mut ClauseList,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), Stop> {
        for term in 1..=self.terms() {
            let (holds, weight) = (self.term(layer, term), self.weight(term));
            for k in 0..=self.top() {
                monitor.poll()?;
                let (before, after) = (self.after(layer, term - 1, k), self.after(layer, term, k));
                let more =
                    (k + weight <= self.top()).then(|| self.after(layer, term - 1, k + weight));
                clauses.add([!holds, !after].into_iter().chain(more));
                clauses.add([holds, !after, before]);
                clauses.add([holds, after, !before]);
                if let Some(more) = more {
                    clauses.add([!holds, after, !more]);
                }
            }
        }
        Ok(())
    }

    /// The place of a clause of a term among those of this term in `Remainder::define`.
    pub fn place(&self, term: usize, k: usize, which: TermClauses) -> usize {
        3 * k + k.min((self.top() + 1).saturating_sub(self.weight(term))) + which as usize
    }

    /// How many clauses `Remainder::define` adds for the terms before this one.
    pub fn before_term(&self, term: usize) -> usize {
        let of = |term| self.place(term, self.top() + 1, TermClauses::HeldMore);
        (1..term).map(of).sum()
    }

    /// How many clauses `Remainder::define` adds.
    pub fn clauses(&self) -> usize {
        self.before_term(self.terms() + 1)
    }

    /// What the variables mean, in the order of their numbers.
    pub(super) fn names(&self) -> impl Iterator<Item = String> + '_ {
        (0..=1).flat_map(move |layer| {
            let steps = (0..=self.terms()).flat_map(move |terms| {
                (0..=self.top()).map(move |k| format!("rest-{terms}>={k}@{layer}"))
            });
            let named = self.weighing.named();
            steps.chain(named.map(move |term| format!("term-{}@{layer}", term + 1)))
        })
    }
}

/// The clauses that say what a term takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermClauses {
    /// It holds, so at least k after it is at least k and the weight before it.
    HeldMore,
    /// It does not hold, so at least k after it is at least k before it.
    FreeMore,
    /// It does not hold, so less than k after it is less than k before it.
    FreeLess,
    /// It holds, so less than k after it is less than k and the weight before it.
    HeldLess,
}
