//! A closed set as three formulas and their LRAT proofs, written without a solver.
//!
//! An entry is a cube (a conjunction of literals of one layer: those that all states of its class
//! share) with a budget; [`crate::transition::Induction`] tells what the three formulas say of these.
//!
//! Every lemma is plain unit propagation. In the step formula, for each entry d and each action a
//! that propagation does not exclude: "not d, or not a", because the successor's entry would hold;
//! then "not d", because without any action the state stays in its class; at last the empty clause.
//! What an action does to one literal of the layer is the same from every entry, so it becomes a
//! lemma of its own the first time (a frame lemma), which keeps the hints short.

use super::check::NotProved;
use super::{ClosedSet, states};
use crate::formula::{ClauseList, Clauses};
use crate::limits::{Stop, Watch};
use crate::proof::propagate::{Id, LratWriter, Propagator};
use crate::transition::{Budget, Induction, OneStep, Part, counted};
use hashbrown::HashMap;
use std::fmt;
use std::io::{self, Write};
use unstuck_encodings::{Lit, Transition};
use unstuck_puzzles::{Moves, Objective};

/// Frame lemmas speak of at most this many literals of the layer before.
const FRAME: usize = 3;

/// Why the formulas or their proofs cannot be written.
#[derive(Debug)]
pub enum NotWritten {
    /// The list does not lend itself to it.
    Unfit(String),
    /// A limit struck.
    Stopped(Stop),
    /// The files cannot be written.
    Io(io::Error),
}

impl std::error::Error for NotWritten {}

impl From<io::Error> for NotWritten {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Stop> for NotWritten {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<NotProved> for NotWritten {
    fn from(error: NotProved) -> Self {
        match error {
            NotProved::Refused(reason) => Self::Unfit(reason),
            NotProved::Stopped(stop) => Self::Stopped(stop),
        }
    }
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(reason) => f.write_str(reason),
            Self::Stopped(stop) => stop.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

/// The formulas of a closed set, with the types of the family erased.
pub trait Formulas {
    /// The formula of a part.
    ///
    /// # Errors
    /// The limit that struck.
    fn formula(&self, part: Part, watch: &mut Watch<'_>) -> Result<ClauseList, Stop>;

    /// Writes the proof of a part; the number of its lemmas.
    ///
    /// # Errors
    /// When propagation does not show a lemma (the list is not closed, or the transition leaves
    /// too much open), or the file cannot be written.
    fn prove(
        &self,
        part: Part,
        out: &mut dyn Write,
        watch: &mut Watch<'_>,
    ) -> Result<u64, NotWritten>;
}

/// A closed set compiled over the one-move transition.
pub struct Compiled<T: Transition> {
    puzzle: T::Puzzle,
    objective: Objective,
    actions: Vec<Lit>,
    /// Names of the actions.
    names: Vec<String>,
    cubes: Induction,
    listed: HashMap<<T::Puzzle as Moves>::State, (u32, Budget)>,
    order: Vec<<T::Puzzle as Moves>::State>,
}

impl<T: Transition> Compiled<T> {
    /// Compiles a list.
    ///
    /// # Errors
    /// When the list is none of this puzzle, or rests on a bound, which the formulas do not know.
    pub fn new(
        puzzle: &T::Puzzle,
        objective: Objective,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Self, NotWritten> {
        if let Some(bound) = &set.bound {
            return Err(NotWritten::Unfit(format!(
                "the list rests on the bound {bound}, which the formulas do not know"
            )));
        }
        let objective = counted::<T::Puzzle>(objective);
        let listed = states(puzzle, objective, set, watch)?;
        let mut step = OneStep::<T>::new(puzzle, objective);
        let actions = step.actions();
        let names = actions.iter().filter_map(|&action| step.name(action)).collect();
        let mut order: Vec<_> = vec![None; listed.len()];
        for (state, &(index, _)) in &listed {
            order[index as usize] = Some(state.clone());
        }
        let order: Vec<_> = order.into_iter().flatten().collect();
        let mut cubes = Vec::with_capacity(order.len());
        watch.begin("writing the entries as cubes", order.len() as u64)?;
        for state in &order {
            watch.step()?;
            let class = puzzle.class(state, objective);
            let cube = step.common(&class, || watch.look())?;
            cubes.push((listed[state].1, cube.into_boxed_slice()));
        }
        let cubes =
            Induction::new(step, set.claim, cubes).map_err(|error| unfit(error.to_string()))?;
        let puzzle = puzzle.clone();
        Ok(Self { puzzle, objective, actions, names, cubes, listed, order })
    }

    fn prove_start(&self, formula: &ClauseList, out: &mut dyn Write) -> Result<u64, NotWritten> {
        let clauses = (0..formula.len()).map(|index| formula.clause(index));
        let mut engine = Propagator::new(formula.variables(), clauses);
        let mut proof = LratWriter::new(out, formula.len() as Id);
        let conflict = engine.propagate();
        let conflict = conflict.ok_or_else(|| unfit("the start is in no entry"))?;
        proof.lemma(&[], &engine.explain_conflict(conflict))?;
        Ok(proof.finish()?)
    }

    /// Clauses of a formula before those of the entries.
    fn before_entries(&self, formula: &ClauseList) -> usize {
        let first = formula.variables() - self.cubes.len();
        let of_entry =
            |index: &usize| formula.clause(*index).iter().any(|lit| lit.number() as usize > first);
        (0..formula.len()).find(of_entry).unwrap_or(formula.len())
    }

    fn prove_goal(
        &self,
        formula: &ClauseList,
        out: &mut dyn Write,
        watch: &mut Watch<'_>,
    ) -> Result<u64, NotWritten> {
        let inner = self.before_entries(formula);
        let clauses = (0..inner).map(|index| formula.clause(index));
        let mut engine = Propagator::new(formula.variables(), clauses);
        let mut proof = LratWriter::new(out, formula.len() as Id);
        let mut next = inner as Id + 1;
        let mut units = Vec::new();
        let already = engine.propagate();
        for index in 0..self.cubes.len() {
            watch.step()?;
            let mark = engine.mark();
            let mut hints = None;
            for lit in self.cubes.lits(0, index) {
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
            let hints = hints.ok_or_else(|| {
                let state = self.puzzle.write_state(&self.order[index]);
                unfit(format!("propagation does not show that entry `{state}` is not solved"))
            })?;
            units.push(proof.lemma(&[!self.cubes.chosen(index)], &hints)?);
            engine.undo(mark);
        }
        units.push(next);
        proof.lemma(&[], &units)?;
        Ok(proof.finish()?)
    }

    /// The entries to which the moves from an entry lead, by the rules.
    fn successors(&self, index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for stepped in self.puzzle.departures(&self.order[index], self.objective) {
            let least = self.puzzle.representative(&stepped.state, self.objective);
            if let Some(&(next, _)) = self.listed.get(&least)
                && !found.contains(&(next as usize))
            {
                found.push(next as usize);
            }
        }
        found.push(index);
        found
    }
}

impl<T: Transition> Formulas for Compiled<T> {
    fn formula(&self, part: Part, watch: &mut Watch<'_>) -> Result<ClauseList, Stop> {
        self.cubes.formula(part, watch)
    }

    fn prove(
        &self,
        part: Part,
        out: &mut dyn Write,
        watch: &mut Watch<'_>,
    ) -> Result<u64, NotWritten> {
        let formula = self.formula(part, watch)?;
        watch.begin(format!("proving {}", part.name()), self.cubes.len() as u64)?;
        match part {
            Part::Start => self.prove_start(&formula, out),
            Part::Goal => self.prove_goal(&formula, out, watch),
            Part::Step => Prover::new(self, &formula, out).run(watch),
        }
    }
}

fn unfit(reason: impl Into<String>) -> NotWritten {
    NotWritten::Unfit(reason.into())
}

/// The step proof in the making.
struct Prover<'a, T: Transition> {
    set: &'a Compiled<T>,
    engine: Propagator,
    proof: LratWriter<&'a mut dyn Write>,
    /// Number of the first clause of the entries.
    first: Id,
    /// Number of the first clause "entry j does not hold after".
    outside: Id,
    frames: HashMap<Box<[Lit]>, Id>,
}

impl<'a, T: Transition> Prover<'a, T> {
    fn new(set: &'a Compiled<T>, formula: &ClauseList, out: &'a mut dyn Write) -> Self {
        let inner = set.before_entries(formula);
        let clauses = (0..inner).map(|index| formula.clause(index));
        let engine = Propagator::new(formula.variables(), clauses);
        let outside = (formula.len() - set.cubes.len()) as Id + 1;
        let proof = LratWriter::new(out, formula.len() as Id);
        Self { set, engine, proof, first: inner as Id + 1, outside, frames: HashMap::new() }
    }

    fn run(mut self, watch: &mut Watch<'_>) -> Result<u64, NotWritten> {
        if let Some(conflict) = self.engine.propagate() {
            // No step is possible at all.
            let hints = self.engine.explain_conflict(conflict);
            self.proof.lemma(&[], &hints)?;
            return Ok(self.proof.finish()?);
        }
        let mut next = self.first;
        let mut units = Vec::with_capacity(self.set.cubes.len() + 1);
        for index in 0..self.set.cubes.len() {
            watch.step()?;
            let mark = self.engine.mark();
            units.push(self.entry(index, &mut next)?);
            self.engine.undo(mark);
        }
        units.push(next);
        self.proof.lemma(&[], &units)?;
        Ok(self.proof.finish()?)
    }

    /// Shows that no step leads from an entry out of all entries; the number of the unit lemma.
    fn entry(&mut self, index: usize, next: &mut Id) -> Result<Id, NotWritten> {
        let chosen = self.set.cubes.chosen(index);
        let mut contradiction = None;
        for lit in self.set.cubes.lits(0, index) {
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
        let successors = self.set.successors(index);
        let mut used = Vec::new();
        let mut impossible = None;
        for &action in &self.set.actions {
            if self.engine.value(action) < 0 {
                continue;
            }
            let mark = self.engine.mark();
            self.engine.assume(action, None);
            let hints = self.hints(&successors, Some(action))?;
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

    fn stuck(&self, index: usize, action: Option<Lit>) -> NotWritten {
        let state = self.set.puzzle.write_state(&self.set.order[index]);
        let named = |lit| self.set.actions.iter().position(|&action| action == lit);
        let name = action.and_then(named).and_then(|at| self.set.names.get(at));
        let after = name.map_or("no action", String::as_str);
        unfit(format!("propagation from entry `{state}` with {after} leads into no entry"))
    }

    /// The hints that show a conflict: inside the transition, or because one of the entries holds
    /// after the step. `None` when there is none.
    fn hints(
        &mut self,
        candidates: &[usize],
        action: Option<Lit>,
    ) -> Result<Option<Vec<Id>>, NotWritten> {
        if let Some(conflict) = self.engine.propagate() {
            return Ok(Some(self.engine.explain_conflict(conflict)));
        }
        for &candidate in candidates {
            let lits = self.set.cubes.lits(1, candidate);
            if lits.iter().all(|&lit| self.engine.value(lit) > 0) {
                let mut hints = self.explain(&lits, action)?;
                hints.push(self.outside + candidate as Id);
                return Ok(Some(hints));
            }
        }
        Ok(None)
    }

    /// Hints for true literals, by frame lemmas where these are short.
    fn explain(&mut self, lits: &[Lit], action: Option<Lit>) -> Result<Vec<Id>, NotWritten> {
        let Some(action) = action else { return Ok(self.engine.explain(lits.iter().copied())) };
        let mut needed = Vec::new();
        let mut frames = Vec::new();
        let mut rest = Vec::new();
        for &lit in lits {
            let Some((support, hints)) = self.engine.support(lit, FRAME + 1) else {
                rest.push(lit);
                continue;
            };
            let clause: Box<[Lit]> =
                std::iter::once(lit).chain(support.iter().map(|&lit| !lit)).collect();
            needed.extend(support.into_iter().filter(|&lit| lit != action));
            let id = match self.frames.get(&clause) {
                Some(&id) => id,
                None => {
                    let id = self.proof.lemma(&clause, &hints)?;
                    self.frames.insert(clause, id);
                    id
                }
            };
            frames.push((lit, id));
        }
        needed.extend(rest);
        let mut hints = self.engine.explain(needed);
        // Strict checkers refuse a hint that says what is known already.
        let unknown = frames.into_iter().filter(|&(lit, _)| !self.engine.was_explained(lit));
        hints.extend(unknown.map(|(_, id)| id));
        Ok(hints)
    }
}
