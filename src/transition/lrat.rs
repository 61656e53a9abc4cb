//! The LRAT proofs of the three formulas of a list, written without a solver.
//!
//! Every lemma is plain unit propagation. In the step formula, for each cube d and each action a
//! that propagation does not exclude: "not d, or not a", because another cube would hold after it;
//! then "not d", because with none of these actions the same cube stays; at last the empty clause.
//! Frame lemmas (`Frames`) keep the hints short.
//!
//! Which actions matter and which cubes may hold after them is for a [`StepGuide`] to say. It is not
//! trusted: propagation shows each lemma or the proof is not written.

use super::frames::Frames;
use super::ladder::{Climb, Ladder, derive};
use super::{CostModel, Induction, Obligation, Remainder, StepGuide, WriteError, unfit};
use crate::formula::{ClauseList, Clauses};
use crate::limits::Monitor;
use crate::proof::propagate::{Id, LratWriter, Propagator};
use std::io::Write;
use unstuck_encodings::{Lit, StepCost};

/// Writes the proof of a part; the number of its lemmas.
///
/// # Errors
/// When propagation does not show a lemma (the list is not closed, or the transition leaves too
/// much open), or the file cannot be written.
pub fn prove(
    guide: &dyn StepGuide,
    part: Obligation,
    out: &mut dyn Write,
    monitor: &mut Monitor<'_>,
) -> Result<u64, WriteError> {
    let formula = guide.cubes().formula(part, monitor)?;
    monitor.begin(format!("proving {}", part.name()), guide.cubes().len() as u64)?;
    match part {
        Obligation::Initiation => prove_start(&formula, out),
        Obligation::Safety => prove_goal(guide, &formula, out, monitor),
        Obligation::Consecution => Prover::new(guide, &formula, out).run(monitor),
    }
}

fn prove_start(formula: &ClauseList, out: &mut dyn Write) -> Result<u64, WriteError> {
    let clauses = (0..formula.len()).map(|index| formula.clause(index));
    let mut engine = Propagator::new(formula.variables(), clauses);
    let mut proof = LratWriter::new(out, formula.len() as Id);
    let conflict = engine.propagate();
    let conflict = conflict.ok_or_else(|| unfit("the start is in no cube"))?;
    proof.lemma(&[], &engine.explain_conflict(conflict))?;
    Ok(proof.finish()?)
}

/// Clauses of a formula before those of the cubes.
fn before_cubes(cubes: &Induction, formula: &ClauseList) -> usize {
    let first = formula.variables() - cubes.len();
    let of_entry =
        |index: &usize| formula.clause(*index).iter().any(|lit| lit.number() as usize > first);
    (0..formula.len()).find(of_entry).unwrap_or(formula.len())
}

/// Clauses of a formula before those that say what the terms of a potential take, in so many
/// layers. Propagation knows lemmas instead of them.
fn before_terms(rest: Option<Remainder<'_>>, layers: usize, before_cubes: usize) -> usize {
    before_cubes - rest.map_or(0, |rest| layers * rest.clauses())
}

fn prove_goal(
    guide: &dyn StepGuide,
    formula: &ClauseList,
    out: &mut dyn Write,
    monitor: &mut Monitor<'_>,
) -> Result<u64, WriteError> {
    let cubes = guide.cubes();
    let inner = before_cubes(cubes, formula);
    let known = before_terms(cubes.rest(), 1, inner);
    let clauses = (0..known).map(|index| formula.clause(index));
    let mut engine = Propagator::new(formula.variables(), clauses);
    let mut proof = LratWriter::new(out, formula.len() as Id);
    let mut next = inner as Id + 1;
    let mut units = Vec::new();
    let already = engine.propagate();
    let ladder = match cubes.rest() {
        Some(rest) if already.is_none() => {
            Some(Ladder::new(rest, 0, known as Id + 1, &mut engine, &mut proof, monitor)?)
        }
        _ => None,
    };
    for index in 0..cubes.len() {
        monitor.tick()?;
        let mark = engine.mark();
        let mut hints = None;
        for lit in cubes.lits(0, index) {
            if !engine.assume(lit, Some(next)) && hints.is_none() {
                let mut why = engine.explain([lit]);
                why.push(next);
                hints = Some(why);
            }
            next += 1;
        }
        if hints.is_none() {
            let conflict = already.or_else(|| engine.propagate());
            hints = conflict.map(|conflict| engine.explain_conflict(conflict));
        }
        if let (None, Some(ladder)) = (&hints, &ladder) {
            hints = ladder.left_at_the_end(&mut engine);
        }
        let hints = hints.ok_or_else(|| {
            let name = guide.name(index);
            unfit(format!("propagation does not show that {name} is not solved"))
        })?;
        units.push(proof.lemma(&[!cubes.chosen(index)], &hints)?);
        engine.undo(mark);
    }
    units.push(next);
    proof.lemma(&[], &units)?;
    Ok(proof.finish()?)
}

/// The step proof in the making.
struct Prover<'a> {
    guide: &'a dyn StepGuide,
    cubes: &'a Induction,
    engine: Propagator,
    proof: LratWriter<&'a mut dyn Write>,
    /// Number of the first clause of the cubes.
    first: Id,
    /// Number of the first clause "cube j does not hold after".
    outside: Id,
    frames: Frames,
}

impl<'a> Prover<'a> {
    fn new(guide: &'a dyn StepGuide, formula: &ClauseList, out: &'a mut dyn Write) -> Self {
        let cubes = guide.cubes();
        let inner = before_cubes(cubes, formula);
        let known = before_terms(cubes.rest(), 2, inner);
        let clauses = (0..known).map(|index| formula.clause(index));
        let engine = Propagator::new(formula.variables(), clauses);
        let outside = (formula.len() - cubes.len()) as Id + 1;
        let proof = LratWriter::new(out, formula.len() as Id);
        Self {
            guide,
            cubes,
            engine,
            proof,
            first: inner as Id + 1,
            outside,
            frames: Frames::default(),
        }
    }

    fn run(mut self, monitor: &mut Monitor<'_>) -> Result<u64, WriteError> {
        if let Some(conflict) = self.engine.propagate() {
            // No step is possible at all.
            let hints = self.engine.explain_conflict(conflict);
            self.proof.lemma(&[], &hints)?;
            return Ok(self.proof.finish()?);
        }
        self.potential(monitor)?;
        let mut next = self.first;
        let mut units = Vec::with_capacity(self.cubes.len() + 1);
        for index in 0..self.cubes.len() {
            monitor.tick()?;
            let mark = self.engine.mark();
            units.push(self.cube(index, &mut next)?);
            self.engine.undo(mark);
        }
        units.push(next);
        self.proof.lemma(&[], &units)?;
        Ok(self.proof.finish()?)
    }

    /// Where there is a potential: shows what each action takes of what is left beyond it, and that
    /// no step adds anything.
    fn potential(&mut self, monitor: &mut Monitor<'_>) -> Result<(), WriteError> {
        let cubes = self.cubes;
        let (Some(rest), CostModel::Weighed(weighing)) = (cubes.rest(), cubes.costs()) else {
            return Ok(());
        };
        let StepCost::If(paid) = weighing.paid else { return Err(unfit("every step counts")) };
        let (engine, proof) = (&mut self.engine, &mut self.proof);
        let terms = self.first - 2 * rest.clauses() as Id;
        let now = Ladder::new(rest, 0, terms, engine, proof, monitor)?;
        let next = Ladder::new(rest, 1, terms + rest.clauses() as Id, engine, proof, monitor)?;
        let ladders = [now, next];
        let count = |more: usize, given: Lit, this: &mut Self| {
            let rung = |k| {
                let before = (k + more <= rest.top()).then(|| rest.after(0, 0, k + more));
                let clause = [!given, !rest.after(1, 0, k)].into_iter().chain(before);
                let clause: Vec<Lit> = clause.collect();
                let id = derive(&mut this.engine, &mut this.proof, &clause)?;
                id.ok_or_else(|| unfit("a step does not count as it should"))
            };
            (0..=rest.top()).map(rung).collect::<Result<Vec<Id>, WriteError>>()
        };
        let paying = count(1, paid, self)?;
        let free = count(0, !paid, self)?;
        for &(action, leaves) in self.guide.counted() {
            if self.engine.value(action) < 0 {
                continue;
            }
            let mark = self.engine.mark();
            self.engine.assume(action, None);
            let impossible = self.hints(leaves.as_slice(), Some(action))?;
            let paid_by = self.engine.explain([paid]);
            self.engine.undo(mark);
            if let Some(hints) = impossible {
                let id = self.proof.lemma(&[!action], &hints)?;
                self.engine.add(&[!action], id);
                self.engine.propagate();
                continue;
            }
            if leaves.is_some() {
                return Err(self.stuck(self.cubes.len() - 1, Some(action)));
            }
            let (engine, proof) = (&mut self.engine, &mut self.proof);
            let mut count = Vec::with_capacity(paying.len());
            for (k, &rung) in paying.iter().enumerate() {
                let before = (k < rest.top()).then(|| rest.after(0, 0, k + 1));
                let clause = [!action, !rest.after(1, 0, k)].into_iter().chain(before);
                let hints: Vec<Id> = paid_by.iter().copied().chain([rung]).collect();
                count.push(proof.lemma(&clause.collect::<Vec<_>>(), &hints)?);
            }
            let climb = Climb { ladders: &ladders, given: action, more: 1, count };
            climb.run(engine, proof, monitor)?;
        }
        let (engine, proof) = (&mut self.engine, &mut self.proof);
        Climb { ladders: &ladders, given: !paid, more: 0, count: free }
            .run(engine, proof, monitor)?;
        ladders[0].teach(engine);
        for k in 0..=rest.top() {
            monitor.poll()?;
            let clause = [!rest.all(1, k), rest.all(0, k)];
            let id = derive(engine, proof, &clause)?;
            let id = id.ok_or_else(|| unfit("a step adds to what is left"))?;
            engine.add(&clause, id);
        }
        Ok(())
    }

    /// Shows that no step leads from a cube out of all cubes; the number of the unit lemma.
    fn cube(&mut self, index: usize, next: &mut Id) -> Result<Id, WriteError> {
        let chosen = self.cubes.chosen(index);
        let mut contradiction = None;
        for lit in self.cubes.lits(0, index) {
            if !self.engine.assume(lit, Some(*next)) && contradiction.is_none() {
                let mut hints = self.engine.explain([lit]);
                hints.push(*next);
                contradiction = Some(hints);
            }
            *next += 1;
        }
        if let Some(hints) = contradiction {
            return Ok(self.proof.lemma(&[!chosen], &hints)?);
        }
        if let Some(conflict) = self.engine.propagate() {
            let hints = self.engine.explain_conflict(conflict);
            return Ok(self.proof.lemma(&[!chosen], &hints)?);
        }
        let mut used = Vec::new();
        let mut impossible = None;
        let after = self.guide.after(index);
        for &action in self.guide.actions(index) {
            if self.engine.value(action) < 0 {
                continue;
            }
            let mark = self.engine.mark();
            self.engine.assume(action, None);
            let hints = self.hints(&after, Some(action))?;
            let hints = hints.ok_or_else(|| self.stuck(index, Some(action)))?;
            self.engine.undo(mark);
            let lemma = self.proof.lemma(&[!chosen, !action], &hints)?;
            used.push(lemma);
            // From here on without this action: what it would explain, others need not.
            self.engine.assume(!action, Some(lemma));
            impossible = self.engine.propagate();
            if impossible.is_some() {
                break;
            }
        }
        let hints = match impossible {
            Some(conflict) => self.engine.explain_conflict(conflict),
            None => self.hints(&[index], None)?.ok_or_else(|| self.stuck(index, None))?,
        };
        let unit = self.proof.lemma(&[!chosen], &hints)?;
        self.proof.delete(&used)?;
        Ok(unit)
    }

    fn stuck(&self, index: usize, action: Option<Lit>) -> WriteError {
        let from = self.guide.name(index);
        let after = action.map_or("no action".to_owned(), |action| self.guide.action_name(action));
        unfit(format!("propagation from {from} with {after} leads into no cube"))
    }

    /// The hints that show a conflict: inside the transition, or because one of the cubes holds
    /// after the step. `None` when there is none.
    fn hints(
        &mut self,
        candidates: &[usize],
        action: Option<Lit>,
    ) -> Result<Option<Vec<Id>>, WriteError> {
        if let Some(conflict) = self.engine.propagate() {
            return Ok(Some(self.engine.explain_conflict(conflict)));
        }
        for &candidate in candidates {
            let lits = self.cubes.lits(1, candidate);
            if lits.iter().all(|&lit| self.engine.value(lit) > 0) {
                let mut hints =
                    self.frames.explain(&mut self.engine, &mut self.proof, &lits, action)?;
                hints.push(self.outside + candidate as Id);
                return Ok(Some(hints));
            }
        }
        Ok(None)
    }
}
