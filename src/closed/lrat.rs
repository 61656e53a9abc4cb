//! A closed set as three formulas and their LRAT proofs, written without a solver.
//!
//! An entry is a cube (a conjunction of literals of one layer: those that all states of its class
//! share) with a budget. In layer t it reads: the cube holds, and at most the budget is left, by a
//! unary register `left(k)`, "at least k is left", that is put around the transition. With
//! Inv = OR of the entries, one list for all three formulas, these are to be refuted:
//!
//! * *start*: the start, everything left, and no entry holds;
//! * *goal*: an entry holds, and the state is solved;
//! * *step*: an entry holds, one step of the transition, and no entry holds after it.
//!
//! Every lemma is plain unit propagation. In the step formula, for each entry d and each action a
//! that propagation does not exclude: "not d, or not a", because the successor's entry would hold;
//! then "not d", because without any action the state stays in its class; at last the empty clause.
//! What an action does to one literal of the layer is the same from every entry, so it becomes a
//! lemma of its own the first time (a frame lemma), which keeps the hints short.

use super::check::NotProved;
use super::{Budget, ClosedSet, counted, states};
use crate::backend::Clauses;
use crate::limits::Stop;
use crate::proof::propagate::{Id, LratWriter, Propagator};
use crate::watch::Watch;
use hashbrown::{HashMap, HashSet};
use std::fmt;
use std::io::{self, Write};
use unstuck_encodings::{Cnf, Filter, Lit, Name, Paid, Step, Transition};
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

/// A question to be refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The start is in no entry.
    Start,
    /// A solved state is in an entry.
    Goal,
    /// A step leads out of all entries.
    Step,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 3] = [Self::Start, Self::Goal, Self::Step];

    /// Name of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Goal => "goal",
            Self::Step => "step",
        }
    }
}

/// A formula that can be compared clause for clause.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    variables: usize,
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

impl Plain {
    fn new(variables: usize) -> Self {
        Self { variables, ..Self::default() }
    }

    fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.lits.extend(clause);
        self.ends.push(self.lits.len());
    }
}

impl Clauses for Plain {
    fn variables(&self) -> usize {
        self.variables
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn clause(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lits[start..self.ends[index]]
    }
}

/// The formulas of a closed set, with the types of the family erased.
pub trait Formulas {
    /// The formula of a part.
    ///
    /// # Errors
    /// The limit that struck.
    fn formula(&self, part: Part, watch: &mut Watch<'_>) -> Result<Plain, Stop>;

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

/// An entry as literals of layer 0.
struct Entry {
    cube: Box<[Lit]>,
    budget: Budget,
}

/// A closed set compiled over the one-move transition.
pub struct Compiled<T: Transition> {
    puzzle: T::Puzzle,
    objective: Objective,
    /// The clauses of the step, then of the start, then of the goal.
    cnf: Cnf<T::Var>,
    step_end: usize,
    start_end: usize,
    goal: Vec<Lit>,
    actions: Vec<Lit>,
    paid: Paid,
    /// By variable: the literal of layer 1 that says the same as its literal of layer 0.
    later: HashMap<u32, Lit>,
    /// Most that can be left; 0 also where nothing is counted.
    most: u32,
    counted: bool,
    entries: Vec<Entry>,
    listed: HashMap<<T::Puzzle as Moves>::State, (u32, Budget)>,
    order: Vec<<T::Puzzle as Moves>::State>,
}

fn literal(number: usize) -> Lit {
    let number = i32::try_from(number).expect("fewer than 2^31 variables");
    Lit::from_dimacs(number).expect("numbers start at 1")
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
        let transition = T::new(puzzle, objective);
        let mut cnf: Cnf<T::Var> = Cnf::new(Filter::defining());
        transition.step(0, &mut cnf);
        let actions = transition.actions(0, &mut cnf);
        let paid = transition.paid(0, &mut cnf);
        let step_end = cnf.len();
        transition.start(&mut cnf);
        let start_end = cnf.len();
        let goal = transition.goal(0, &mut cnf);
        let mut order: Vec<_> = vec![None; listed.len()];
        for (state, &(index, _)) in &listed {
            order[index as usize] = Some(state.clone());
        }
        let order: Vec<_> = order.into_iter().flatten().collect();
        let mut entries = Vec::with_capacity(order.len());
        watch.begin("writing the entries as cubes", order.len() as u64)?;
        for state in &order {
            watch.step()?;
            let mut cube: Option<Vec<Lit>> = None;
            for member in puzzle.class(state, objective) {
                watch.look()?;
                let lits = transition.literals(0, &member, &mut cnf);
                match &mut cube {
                    None => cube = Some(lits),
                    Some(cube) => {
                        let lits: HashSet<Lit> = lits.into_iter().collect();
                        cube.retain(|lit| lits.contains(lit));
                    }
                }
            }
            let mut cube = cube.unwrap_or_default();
            cube.sort_unstable_by_key(|lit| (lit.number(), !lit.is_positive()));
            cube.dedup();
            entries.push(Entry { cube: cube.into_boxed_slice(), budget: listed[state].1 });
        }
        let mut later = HashMap::new();
        for number in entries.iter().flat_map(|entry| entry.cube.iter().map(|lit| lit.number())) {
            later.entry(number).or_insert_with(|| {
                let atom = *cnf.atom(number).expect("a literal of this formula");
                match atom.name {
                    Name::Of(variable) => cnf.lit(1, variable),
                    Name::Aux(..) => literal(number as usize),
                }
            });
        }
        if let Some((number, _)) = later.iter().find(|(number, later)| later.number() == **number) {
            return Err(NotWritten::Unfit(format!("auxiliary variable {number} in a state")));
        }
        let counted = set.claim != Budget::Any;
        let most = set.claim.number().unwrap_or(0);
        let puzzle = puzzle.clone();
        Ok(Self {
            puzzle,
            objective,
            cnf,
            step_end,
            start_end,
            goal,
            actions,
            paid,
            later,
            most,
            counted,
            entries,
            listed,
            order,
        })
    }

    /// "At least k is left" in a layer, for k from 1.
    fn left(&self, layer: Step, k: u32) -> Lit {
        literal(self.cnf.variables() + (layer * self.most + k) as usize)
    }

    /// "Entry i holds before."
    fn chosen(&self, index: usize) -> Lit {
        literal(self.cnf.variables() + 2 * self.most as usize + index + 1)
    }

    fn variables(&self) -> usize {
        self.cnf.variables() + 2 * self.most as usize + self.entries.len()
    }

    /// The literal that says that no more than the budget is left, where it says anything.
    fn at_most(&self, layer: Step, budget: Budget) -> Option<Lit> {
        let number = budget.number()?;
        (self.counted && number < self.most).then(|| !self.left(layer, number + 1))
    }

    /// All literals of an entry in a layer.
    fn lits(&self, layer: Step, index: usize) -> Vec<Lit> {
        let entry = &self.entries[index];
        let shifted = |&lit: &Lit| match (layer, self.later[&lit.number()], lit.is_positive()) {
            (0, ..) => lit,
            (_, later, true) => later,
            (_, later, false) => !later,
        };
        entry.cube.iter().map(shifted).chain(self.at_most(layer, entry.budget)).collect()
    }

    /// The register between two layers: what a paid step takes.
    fn register(&self) -> Vec<Vec<Lit>> {
        let mut clauses = Vec::new();
        if !self.counted {
            return clauses;
        }
        let (if_paid, if_free) = match self.paid {
            Paid::Always => (None, None),
            Paid::If(paid) => (Some(!paid), Some(paid)),
        };
        let with = |premise: Option<Lit>, lits: &[Lit]| -> Vec<Lit> {
            premise.into_iter().chain(lits.iter().copied()).collect()
        };
        if self.most == 0 {
            clauses.push(with(if_paid, &[]));
            return clauses;
        }
        clauses.push(with(if_paid, &[self.left(0, 1)]));
        for k in 1..=self.most {
            let (before, after) = (self.left(0, k), self.left(1, k));
            if k < self.most {
                let more = self.left(0, k + 1);
                clauses.push(vec![before, !more]);
                clauses.push(with(if_paid, &[!after, more]));
                clauses.push(with(if_paid, &[after, !more]));
            } else {
                clauses.push(with(if_paid, &[!after]));
            }
            if if_free.is_some() {
                clauses.push(with(if_free, &[!after, before]));
                clauses.push(with(if_free, &[after, !before]));
            }
        }
        clauses
    }

    fn prove_start(&self, formula: &Plain, out: &mut dyn Write) -> Result<u64, NotWritten> {
        let clauses = (0..formula.len()).map(|index| formula.clause(index));
        let mut engine = Propagator::new(formula.variables(), clauses);
        let mut proof = LratWriter::new(out, formula.len() as Id);
        let conflict = engine.propagate();
        let conflict = conflict.ok_or_else(|| unfit("the start is in no entry"))?;
        proof.lemma(&[], &engine.explain_conflict(conflict))?;
        Ok(proof.finish()?)
    }

    /// Clauses of a formula before those of the entries.
    fn before_entries(&self, formula: &Plain) -> usize {
        let first = formula.variables() - self.entries.len();
        let of_entry =
            |index: &usize| formula.clause(*index).iter().any(|lit| lit.number() as usize > first);
        (0..formula.len()).find(of_entry).unwrap_or(formula.len())
    }

    fn prove_goal(
        &self,
        formula: &Plain,
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
        for index in 0..self.entries.len() {
            watch.step()?;
            let mark = engine.mark();
            let mut hints = None;
            for lit in self.lits(0, index) {
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
            units.push(proof.lemma(&[!self.chosen(index)], &hints)?);
            engine.undo(mark);
        }
        units.push(next);
        proof.lemma(&[], &units)?;
        Ok(proof.finish()?)
    }

    /// The entries to which the moves from an entry lead, by the rules.
    fn successors(&self, index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let class = self.puzzle.class(&self.order[index], self.objective);
        for state in &class {
            for mv in self.puzzle.moves(state) {
                let Ok(stepped) = self.puzzle.step(state, mv) else { continue };
                if class.binary_search(&stepped.state).is_ok() {
                    continue;
                }
                let least = self.puzzle.representative(&stepped.state, self.objective);
                if let Some(&(next, _)) = self.listed.get(&least)
                    && !found.contains(&(next as usize))
                {
                    found.push(next as usize);
                }
            }
        }
        found.push(index);
        found
    }
}

impl<T: Transition> Formulas for Compiled<T> {
    fn formula(&self, part: Part, watch: &mut Watch<'_>) -> Result<Plain, Stop> {
        let entries = self.entries.len() as u64;
        let steps = if part == Part::Step { 2 * entries } else { entries };
        watch.begin(format!("compiling {}", part.name()), steps)?;
        let mut formula = Plain::new(self.variables());
        let range = match part {
            Part::Step => 0..self.step_end,
            Part::Start => self.step_end..self.start_end,
            Part::Goal => self.start_end..self.cnf.len(),
        };
        for index in range {
            formula.add(self.cnf.clause(index).iter().copied());
        }
        match part {
            Part::Start => (1..=self.most).for_each(|k| formula.add([self.left(0, k)])),
            Part::Goal => self.goal.iter().for_each(|&lit| formula.add([lit])),
            Part::Step => self.register().into_iter().for_each(|clause| formula.add(clause)),
        }
        if part != Part::Start {
            for index in 0..self.entries.len() {
                watch.step()?;
                for lit in self.lits(0, index) {
                    formula.add([!self.chosen(index), lit]);
                }
            }
            formula.add((0..self.entries.len()).map(|index| self.chosen(index)));
        }
        let layer = match part {
            Part::Start => 0,
            Part::Goal => return Ok(formula),
            Part::Step => 1,
        };
        for index in 0..self.entries.len() {
            watch.step()?;
            formula.add(self.lits(layer, index).into_iter().map(|lit| !lit));
        }
        Ok(formula)
    }

    fn prove(
        &self,
        part: Part,
        out: &mut dyn Write,
        watch: &mut Watch<'_>,
    ) -> Result<u64, NotWritten> {
        let formula = self.formula(part, watch)?;
        watch.begin(format!("proving {}", part.name()), self.entries.len() as u64)?;
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
    fn new(set: &'a Compiled<T>, formula: &Plain, out: &'a mut dyn Write) -> Self {
        let inner = set.before_entries(formula);
        let clauses = (0..inner).map(|index| formula.clause(index));
        let engine = Propagator::new(formula.variables(), clauses);
        let outside = (formula.len() - set.entries.len()) as Id + 1;
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
        let mut units = Vec::with_capacity(self.set.entries.len() + 1);
        for index in 0..self.set.entries.len() {
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
        let chosen = self.set.chosen(index);
        let mut contradiction = None;
        for lit in self.set.lits(0, index) {
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
        let action = action.and_then(|lit| self.set.cnf.atom(lit.number()));
        let after = action.map_or("no action".to_owned(), ToString::to_string);
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
            let lits = self.set.lits(1, candidate);
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
            frames.push(id);
        }
        needed.extend(rest);
        let mut hints = self.engine.explain(needed);
        hints.extend(frames);
        Ok(hints)
    }
}
