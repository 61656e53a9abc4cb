//! Lemmas about a potential inside the formulas ([`super::weighed`]), written without a solver.
//!
//! What is to be shown is that a step takes its price: "after this action at least k is left beyond
//! the potential" implies "before it at least k and the price was left", and that no step adds
//! anything. A sum is not seen by propagation, so it is climbed term by term, like a ladder: a rung
//! says the same of the first j terms, and follows from the rung below, the definition of term j,
//! and what the action does to that term. All hints are known, none is searched for.

use super::{Remainder, TermClauses, WriteError, unfit};
use crate::limits::Monitor;
use crate::proof::propagate::{Id, LratWriter, Propagator};
use std::io::Write;
use unstuck_encodings::{Lit, Step};

/// Writes a clause that propagation shows; `None` where it does not.
pub(super) fn derive<W: Write>(
    engine: &mut Propagator,
    proof: &mut LratWriter<W>,
    clause: &[Lit],
) -> Result<Option<Id>, WriteError> {
    // What the clause assumes needs no reason, even if it is known: strict checkers refuse hints
    // that say so.
    let known: Vec<_> = clause.iter().filter(|&&lit| engine.value(lit) < 0).collect();
    let reasons: Vec<_> = known.iter().map(|&&lit| engine.grant(lit)).collect();
    let mark = engine.mark();
    let implied = clause.iter().find(|&&lit| !engine.assume(!lit, None));
    let hints = match implied {
        Some(&lit) => Some(engine.explain([lit])),
        None => engine.propagate().map(|conflict| engine.explain_conflict(conflict)),
    };
    engine.undo(mark);
    reasons.into_iter().for_each(|reason| engine.give_back(reason));
    Ok(hints.map(|hints| proof.lemma(clause, &hints)).transpose()?)
}

/// What follows in one layer from the definitions alone.
pub(super) struct Ladder<'a> {
    rest: Remainder<'a>,
    layer: Step,
    /// By term, the number of the first clause that says what it takes.
    starts: Vec<Id>,
    terms: Vec<Lit>,
    /// By number of terms, then k: what is at least k + 1 is at least k.
    falls: Vec<Vec<Id>>,
    /// By term, then k: what is at least k after it is so before it.
    less: Vec<Vec<Id>>,
    /// By term, then k: what is at least k and the weight before it is at least k after it.
    more: Vec<Vec<Id>>,
}

impl<'a> Ladder<'a> {
    /// Writes the lemmas of a layer; `first` is the number of the first clause that says what a
    /// term takes there.
    pub(super) fn new<W: Write>(
        rest: Remainder<'a>,
        layer: Step,
        first: Id,
        engine: &mut Propagator,
        proof: &mut LratWriter<W>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self, WriteError> {
        let starts = (1..=rest.terms()).map(|term| first + rest.before_term(term) as Id).collect();
        let terms = (1..=rest.terms()).map(|term| rest.term(layer, term)).collect();
        let (falls, less, more) = (Vec::new(), Vec::new(), Vec::new());
        let mut ladder = Self { rest, layer, starts, terms, falls, less, more };
        let mut falls = Vec::with_capacity(rest.top());
        for k in 0..rest.top() {
            monitor.poll()?;
            let clause = [!ladder.after(0, k + 1), ladder.after(0, k)];
            let id = derive(engine, proof, &clause)?;
            falls.push(id.ok_or_else(|| unfit("what is left is no register"))?);
        }
        ladder.falls.push(falls);
        for term in 1..=rest.terms() {
            ladder.climb(term, proof, monitor)?;
        }
        Ok(ladder)
    }

    fn after(&self, terms: usize, k: usize) -> Lit {
        self.rest.after(self.layer, terms, k)
    }

    /// "Term j holds", for j from 1.
    fn term(&self, term: usize) -> Lit {
        self.terms[term - 1]
    }

    fn clause(&self, term: usize, k: usize, which: TermClauses) -> Id {
        self.starts[term - 1] + self.rest.place(term, k, which) as Id
    }

    /// The lemmas of a term from those of the term before.
    fn climb<W: Write>(
        &mut self,
        term: usize,
        proof: &mut LratWriter<W>,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), WriteError> {
        let (top, weight) = (self.rest.top(), self.rest.weight(term));
        let (mut less, mut more, mut falls) = (Vec::new(), Vec::new(), Vec::new());
        let mut hints: Vec<Id> = Vec::new();
        for k in 0..=top {
            monitor.poll()?;
            let (before, after) = (self.after(term - 1, k), self.after(term, k));
            hints.clear();
            hints.push(self.clause(term, k, TermClauses::FreeMore));
            hints.push(self.clause(term, k, TermClauses::HeldMore));
            if k + weight <= top {
                hints.extend((k..k + weight).rev().map(|k| self.falls[term - 1][k]));
            }
            less.push(proof.lemma(&[!after, before], &hints)?);
            if k + weight <= top {
                hints.clear();
                hints.push(self.clause(term, k, TermClauses::HeldLess));
                hints.push(self.clause(term, k, TermClauses::FreeLess));
                hints.extend((k..k + weight).map(|k| self.falls[term - 1][k]));
                more.push(proof.lemma(&[after, !self.after(term - 1, k + weight)], &hints)?);
            }
        }
        for k in 0..top {
            monitor.poll()?;
            hints.clear();
            hints.push(less[k + 1]);
            hints.push(self.falls[term - 1][k]);
            hints.push(self.clause(term, k, TermClauses::FreeLess));
            if weight > 1 {
                hints.push(self.clause(term, k + 1, TermClauses::HeldMore));
                if k + 1 + weight <= top {
                    hints.push(self.falls[term - 1][k + weight]);
                }
            }
            if weight == 1 || k + 1 + weight <= top {
                hints.push(self.clause(term, k, TermClauses::HeldLess));
            }
            falls.push(proof.lemma(&[!self.after(term, k + 1), self.after(term, k)], &hints)?);
        }
        self.less.push(less);
        self.more.push(more);
        self.falls.push(falls);
        Ok(())
    }

    /// The hints that show "more than a budget is left after all terms", which contradicts a cube
    /// that is assumed in the engine: what does not hold takes nothing, the rest at most its weight.
    pub(super) fn left_at_the_end(&self, engine: &mut Propagator) -> Option<Vec<Id>> {
        let mut k = usize::try_from(self.rest.offset()).ok()?;
        let first = self.after(0, k);
        let asked = (0..=k).find(|&k| engine.value(self.rest.all(self.layer, k)) < 0)?;
        let gone = |term: &usize| engine.value(self.term(*term)) < 0;
        let gone: Vec<bool> = (1..=self.rest.terms()).map(|term| gone(&term)).collect();
        let free = (1..).zip(&gone).filter(|(_, gone)| **gone).map(|(term, _)| !self.term(term));
        let known = free.chain([first, !self.rest.all(self.layer, asked)]);
        if engine.value(first) <= 0 {
            return None;
        }
        let mut hints = engine.explain(known);
        for (term, gone) in (1..).zip(gone) {
            if gone {
                hints.push(self.clause(term, k, TermClauses::FreeLess));
            } else {
                k = k.checked_sub(self.rest.weight(term))?;
                hints.push(self.more[term - 1][k]);
            }
        }
        hints.extend((asked..k).rev().map(|k| self.falls[self.rest.terms()][k]));
        (asked <= k).then_some(hints)
    }

    /// Teaches the engine that what is at least k + 1 after all terms is at least k.
    pub(super) fn teach(&self, engine: &mut Propagator) {
        let terms = self.rest.terms();
        for (k, &id) in self.falls[terms].iter().enumerate() {
            engine.add(&[!self.after(terms, k + 1), self.after(terms, k)], id);
        }
    }
}

/// What an action, or its absence, does to a term.
enum TermChange {
    /// It holds after it where it held before, by this lemma.
    Kept(Id),
    /// It does not hold before it, by this lemma; what is after it does not matter.
    Absent(Id),
    /// It does not hold before it, and holds after it.
    Comes(Id, Id),
    /// It holds after it.
    Held(Id),
    /// It may hold before it, and not after it.
    Goes,
}

/// The rungs of one action, or of no action at all.
pub(super) struct Climb<'a, 'b> {
    /// The ladders of both layers.
    pub(super) ladders: &'a [Ladder<'b>; 2],
    /// What is assumed of the step.
    pub(super) given: Lit,
    /// What more was left of the count before the step.
    pub(super) more: i64,
    /// By k: if at least k is left of the count after the step, it was so much more before.
    pub(super) count: Vec<Id>,
}

impl Climb<'_, '_> {
    /// Writes the rungs, teaches the engine the last ones (one for each k), and forgets the others.
    pub(super) fn run<W: Write>(
        mut self,
        engine: &mut Propagator,
        proof: &mut LratWriter<W>,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), WriteError> {
        let rest = self.ladders[0].rest;
        let (mut more, mut below) = (self.more, std::mem::take(&mut self.count));
        let mut done: Vec<Id> = Vec::new();
        for term in 1..=rest.terms() {
            monitor.poll()?;
            let change = self.change(term, engine, proof, &mut done)?;
            let before = more;
            more += match change {
                TermChange::Comes(..) => rest.weight(term) as i64,
                TermChange::Goes => -(rest.weight(term) as i64),
                _ => 0,
            };
            let mut rungs = Vec::with_capacity(below.len());
            for k in 0..=rest.top() {
                let Ok(least) = usize::try_from(k as i64 + more) else {
                    rungs.push(0);
                    continue;
                };
                let hints = self.hints(term, k, before, &change, &below);
                let clause = self.clause(term, k, least);
                rungs.push(proof.lemma(&clause, &hints)?);
            }
            done.extend(std::mem::replace(&mut below, rungs).into_iter().filter(|&id| id > 0));
        }
        for (k, id) in below.into_iter().enumerate().filter(|&(_, id)| id > 0) {
            let least = (k as i64 + more) as usize;
            engine.add(&self.clause(rest.terms(), k, least), id);
        }
        Ok(proof.delete(&done)?)
    }

    fn clause(&self, terms: usize, k: usize, least: usize) -> Vec<Lit> {
        let [now, next] = self.ladders;
        let before = (least <= now.rest.top()).then(|| now.after(terms, least));
        [!self.given, !next.after(terms, k)].into_iter().chain(before).collect()
    }

    /// What happens to a term, with the lemmas that say so.
    fn change<W: Write>(
        &self,
        term: usize,
        engine: &mut Propagator,
        proof: &mut LratWriter<W>,
        done: &mut Vec<Id>,
    ) -> Result<TermChange, WriteError> {
        let [now, next] = self.ladders.each_ref().map(|ladder| ladder.term(term));
        let (given, mark) = (!self.given, engine.mark());
        engine.assume(self.given, None);
        let conflict = engine.propagate();
        let (before, after) = (engine.value(now), engine.value(next));
        engine.undo(mark);
        if conflict.is_some() {
            return Err(unfit("an action that is never possible"));
        }
        if (before, after) == (0, 0)
            && let Some(id) = derive(engine, proof, &[given, !now, next])?
        {
            done.push(id);
            return Ok(TermChange::Kept(id));
        }
        if (before, after) == (0, 0) {
            // Which one of its literals holds before is not known: none of them may.
            let (lit, any) = self.ladders[0].rest.parts(0, term);
            for one in any {
                let clause = [given, !lit, !one, next];
                let Some(id) = derive(engine, proof, &clause)? else { return Ok(TermChange::Goes) };
                engine.add(&clause, id);
            }
        }
        let mut say = |clause: &[Lit]| -> Result<Option<Id>, WriteError> {
            let id = derive(engine, proof, clause)?;
            done.extend(id);
            Ok(id)
        };
        let known = "what was propagated follows by propagation";
        Ok(match (before, after) {
            (-1, 1) => TermChange::Comes(
                say(&[given, !now])?.expect(known),
                say(&[given, next])?.expect(known),
            ),
            (-1, _) => TermChange::Absent(say(&[given, !now])?.expect(known)),
            (_, 1) => TermChange::Held(say(&[given, next])?.expect(known)),
            _ => say(&[given, !now, next])?.map_or(TermChange::Goes, TermChange::Kept),
        })
    }

    /// The hints of a rung, from those of the term before, which has `more` more before the step.
    fn hints(
        &self,
        term: usize,
        k: usize,
        more: i64,
        change: &TermChange,
        below: &[Id],
    ) -> Vec<Id> {
        let [now, next] = self.ladders;
        let (top, weight) = (now.rest.top(), now.rest.weight(term));
        let least = |k: usize| k as i64 + more;
        // Whether the rung below says that this much cannot be left.
        let over = |k: usize| least(k) > top as i64;
        let mut hints = Vec::with_capacity(7);
        // It holds after the step: as much and its weight is left before it.
        let held = |hints: &mut Vec<Id>| {
            hints.push(next.clause(term, k, TermClauses::HeldMore));
            let goes_on = k + weight <= top;
            if goes_on {
                hints.push(below[k + weight]);
            }
            goes_on && !over(k + weight)
        };
        match *change {
            TermChange::Comes(absent, here) => {
                hints.push(here);
                if held(&mut hints) {
                    hints.push(absent);
                    let least = least(k + weight) as usize;
                    hints.push(now.clause(term, least, TermClauses::FreeLess));
                }
            }
            TermChange::Held(here) => {
                hints.push(here);
                if held(&mut hints) {
                    hints.push(now.more[term - 1][least(k) as usize]);
                }
            }
            TermChange::Absent(absent) => {
                hints.extend([next.less[term - 1][k], below[k]]);
                if !over(k) {
                    hints.push(absent);
                    hints.push(now.clause(term, least(k) as usize, TermClauses::FreeLess));
                }
            }
            TermChange::Kept(kept) => {
                hints.extend([next.less[term - 1][k], below[k]]);
                if !over(k) {
                    hints.push(now.clause(term, least(k) as usize, TermClauses::FreeLess));
                    hints.push(kept);
                    if held(&mut hints) {
                        hints.push(now.clause(term, least(k) as usize, TermClauses::HeldLess));
                    }
                }
            }
            TermChange::Goes => {
                hints.extend([next.less[term - 1][k], below[k]]);
                if !over(k) {
                    hints.push(now.more[term - 1][least(k) as usize - weight]);
                }
            }
        }
        hints
    }
}
