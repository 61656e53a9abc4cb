//! A question split into cubes, and the refutations of these put together into one of the whole.
//!
//! A cube is a conjunction of literals; the cubes are the leaves of a tree that splits on a literal at
//! each node, so one of them holds in every model. Which literals these are look-ahead decides
//! ([`split`]): the variable whose both values settle most others by unit propagation.
//! Reference: Heule, Kullmann, Wieringa, Biere, "Cube and Conquer", HVC 2011.
//!
//! The refutation of the formula with a cube becomes a derivation from the formula alone when each of
//! its lemmas is given the negation of those literals of the cube that it rests on. What the empty
//! clause becomes so is the negation of the cube, or a part of that; these clauses are resolved along
//! the tree. Nothing here is trusted: the checker judges what comes out like any other proof.

use super::derivation::Derivation;
use super::propagate::{Id, Propagator};
use crate::formula::Clauses;
use crate::limits::{Monitor, Stop};
use std::collections::BTreeSet;
use std::fmt;
use unstuck_encodings::Lit;

/// Variables that look-ahead considers at the root: those that occur most often.
const ROOT_CANDIDATES: usize = 400;

/// Those that it considers below: the best of the root.
const CANDIDATES: usize = 60;

/// The longest cube, so that a set of its literals is a number.
const MAX_CUBE_LITERALS: usize = 64;

/// A formula and the literals of a cube, as unit clauses behind its own.
pub struct CubeFormula<'a> {
    formula: &'a dyn Clauses,
    cube: &'a [Lit],
}

impl<'a> CubeFormula<'a> {
    /// A formula under a cube.
    pub fn new(formula: &'a dyn Clauses, cube: &'a [Lit]) -> Self {
        Self { formula, cube }
    }
}

impl Clauses for CubeFormula<'_> {
    fn variables(&self) -> usize {
        self.formula.variables()
    }

    fn len(&self) -> usize {
        self.formula.len() + self.cube.len()
    }

    fn clause(&self, index: usize) -> &[Lit] {
        match index.checked_sub(self.formula.len()) {
            None => self.formula.clause(index),
            Some(unit) => std::slice::from_ref(&self.cube[unit]),
        }
    }
}

#[derive(Clone, Debug)]
struct CubeNode {
    cube: Vec<Lit>,
    /// The literal that it is split on, the node where that holds, the node where it does not.
    split: Option<(Lit, usize, usize)>,
    /// How many variables propagation settles; more than there are where it ends in a conflict.
    settled: usize,
}

/// Cubes as the leaves of a tree.
#[derive(Clone, Debug)]
pub struct Cubes {
    nodes: Vec<CubeNode>,
}

impl Cubes {
    fn root() -> Self {
        Self { nodes: vec![CubeNode { cube: Vec::new(), split: None, settled: 0 }] }
    }

    fn branch(&mut self, node: usize, lit: Lit, settled: [usize; 2]) {
        let first = self.nodes.len();
        for (lit, settled) in [lit, !lit].into_iter().zip(settled) {
            let mut cube = self.nodes[node].cube.clone();
            cube.push(lit);
            self.nodes.push(CubeNode { cube, split: None, settled });
        }
        self.nodes[node].split = Some((lit, first, first + 1));
    }

    fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].split.is_none())
    }

    /// The cubes, in their order.
    pub fn all(&self) -> Vec<&[Lit]> {
        self.leaves().map(|leaf| self.nodes[leaf].cube.as_slice()).collect()
    }
}

/// Splits a formula into about so many cubes by look-ahead; those that propagation refutes are not
/// counted.
///
/// # Errors
/// The limit that struck.
pub fn split(
    formula: &dyn Clauses,
    wanted: usize,
    monitor: &mut Monitor<'_>,
) -> Result<Cubes, Stop> {
    monitor.begin("splitting into cubes", wanted as u64)?;
    let clauses = (0..formula.len()).map(|index| formula.clause(index));
    let mut ahead = Lookahead {
        engine: Propagator::new(formula.variables(), clauses),
        dead: formula.variables() + 1,
        candidates: frequent(formula),
    };
    let mut cubes = Cubes::root();
    let mut open = 1;
    while open < wanted {
        monitor.tick()?;
        let is_open = |leaf: &usize| {
            let node = &cubes.nodes[*leaf];
            node.settled < ahead.dead && node.cube.len() < MAX_CUBE_LITERALS
        };
        // What is settled least is hardest.
        let hardest = cubes.leaves().filter(is_open).min_by_key(|&leaf| cubes.nodes[leaf].settled);
        let Some(leaf) = hardest else { break };
        match ahead.best(&cubes.nodes[leaf].cube, monitor)? {
            Some((lit, settled)) => {
                cubes.branch(leaf, lit, settled);
                open += settled.iter().filter(|&&settled| settled < ahead.dead).count();
            }
            None => cubes.nodes[leaf].settled = ahead.dead,
        }
        open -= 1;
    }
    Ok(cubes)
}

/// The variables that occur most often.
fn frequent(formula: &dyn Clauses) -> Vec<Lit> {
    let mut counts = vec![0u32; formula.variables() + 1];
    for index in 0..formula.len() {
        formula.clause(index).iter().for_each(|lit| counts[lit.number() as usize] += 1);
    }
    let mut all: Vec<i32> = (1..=formula.variables() as i32).collect();
    all.sort_by_key(|&number| std::cmp::Reverse(counts[number as usize]));
    all.into_iter().filter_map(Lit::from_dimacs).collect()
}

/// Looks ahead from cubes.
struct Lookahead {
    engine: Propagator,
    /// More settled variables than there are: a conflict.
    dead: usize,
    candidates: Vec<Lit>,
}

impl Lookahead {
    /// How many variables are settled when a literal holds too.
    fn settled(&mut self, lit: Lit) -> usize {
        let mark = self.engine.mark();
        let fine = self.engine.assume(lit, None) && self.engine.propagate().is_none();
        let settled = if fine { self.engine.mark() } else { self.dead };
        self.engine.undo(mark);
        settled
    }

    /// The literal to split a cube on, and what both its values settle; none where the cube is
    /// refuted, or nothing is open in it.
    fn best(
        &mut self,
        cube: &[Lit],
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<(Lit, [usize; 2])>, Stop> {
        let root = self.engine.propagate();
        let mark = self.engine.mark();
        let holds = cube.iter().all(|&lit| self.engine.assume(lit, None));
        let fine = root.is_none() && holds && self.engine.propagate().is_none();
        let mut scored = Vec::new();
        if fine {
            let base = self.engine.mark();
            let is_open = |lit: &Lit| self.engine.value(*lit) == 0;
            let open = self.candidates.iter().copied().filter(is_open);
            let open: Vec<Lit> = open.take(ROOT_CANDIDATES).collect();
            for lit in open {
                monitor.poll()?;
                let both = [self.settled(lit), self.settled(!lit)];
                let [yes, no] = both.map(|settled| (settled - base) as u64);
                scored.push((yes * no + yes + no, lit, both));
            }
        }
        self.engine.undo(mark);
        scored.sort_by_key(|&(score, ..)| std::cmp::Reverse(score));
        if cube.is_empty() {
            self.candidates = scored.iter().take(CANDIDATES).map(|&(_, lit, _)| lit).collect();
        }
        Ok(scored.first().map(|&(_, lit, both)| (lit, both)))
    }
}

/// Why refutations under cubes make no refutation of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubeError {
    /// There are so many cubes and so many refutations.
    Count(usize, usize),
    /// The cubes do not cover all assignments.
    Uncovered,
    /// A hint names a lemma that comes later.
    LaterLemma,
    /// The refutation of a cube does not end with the empty clause.
    NotRefuted,
    /// A lemma does not follow when its cube is assumed.
    NotImplied,
}

impl fmt::Display for CubeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Count(cubes, parts) => {
                return write!(f, "{cubes} cubes and {parts} refutations");
            }
            Self::Uncovered => "the cubes do not cover everything",
            Self::LaterLemma => "a hint names a later lemma",
            Self::NotRefuted => "a cube is not refuted",
            Self::NotImplied => "a lemma does not follow when its cube is assumed",
        })
    }
}

impl std::error::Error for CubeError {}

/// Puts the refutations of a formula under each of its cubes together.
///
/// # Errors
/// What does not fit.
pub fn compose(
    formula: &dyn Clauses,
    cubes: &Cubes,
    parts: &[Derivation],
) -> Result<Derivation, CubeError> {
    let mut whole = WholeFormula {
        formula,
        all: Derivation::new(formula.len() as Id),
        values: vec![0; formula.variables() + 1],
    };
    let all = cubes.all();
    if all.len() != parts.len() {
        return Err(CubeError::Count(all.len(), parts.len()));
    }
    let mut negated = Vec::new();
    for (cube, part) in all.iter().zip(parts) {
        let lifted = whole.lift(cube, part)?;
        if lifted.lits.is_empty() {
            return Ok(whole.all);
        }
        negated.push(lifted);
    }
    let leaves: Vec<usize> = cubes.leaves().collect();
    let empty = whole.join(cubes, 0, &|leaf| {
        leaves
            .binary_search(&leaf)
            .map_or_else(|_| LiftedClause::default(), |at| negated[at].clone())
    });
    if !empty.lits.is_empty() {
        return Err(CubeError::Uncovered);
    }
    Ok(whole.all)
}

/// A clause that was derived from the formula.
#[derive(Clone, Debug, Default)]
struct LiftedClause {
    id: Id,
    lits: BTreeSet<Lit>,
}

struct WholeFormula<'a> {
    formula: &'a dyn Clauses,
    all: Derivation,
    /// By variable: 1 true, -1 false, 0 open.
    values: Vec<i8>,
}

/// What a hint is under an assignment.
enum HintStatus {
    Satisfied,
    Unit(Lit),
    False,
    Open,
}

impl WholeFormula<'_> {
    /// Derives from the formula alone what was derived from it under a cube; the last clause.
    fn lift(&mut self, cube: &[Lit], part: &Derivation) -> Result<LiftedClause, CubeError> {
        let own = self.formula.len() as Id;
        let units = own + cube.len() as Id;
        // Of each lemma the literals of the cube that it rests on, and its number; none where it holds
        // under these anyway.
        let mut rests: Vec<(u64, Option<Id>)> = Vec::with_capacity(part.len());
        let mut last = LiftedClause::default();
        for lemma in 0..part.len() {
            let (mut mask, mut hints) = (0, Vec::new());
            for &hint in part.hints(lemma) {
                match hint {
                    hint if hint <= own => hints.push(hint),
                    hint if hint <= units => mask |= 1 << (hint - own - 1),
                    hint => {
                        let known = rests.get((hint - units - 1) as usize);
                        let &(rest, id) = known.ok_or(CubeError::LaterLemma)?;
                        mask |= rest;
                        hints.extend(id);
                    }
                }
            }
            let needed = cube.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            let needed: BTreeSet<Lit> = needed.map(|(_, &lit)| !lit).collect();
            let lits: BTreeSet<Lit> =
                part.lits(lemma).iter().copied().chain(needed.iter().copied()).collect();
            let holds = lits.iter().any(|&lit| lits.contains(&!lit));
            let id = match holds {
                true => None,
                false => Some(self.lemma(&lits, &hints)?),
            };
            rests.push((mask, id));
            last = LiftedClause { id: id.unwrap_or_default(), lits };
        }
        match part.len().checked_sub(1).map(|end| part.lits(end)) {
            Some([]) => Ok(last),
            _ => Err(CubeError::NotRefuted),
        }
    }

    /// Adds a lemma with those of the hints that are needed in this order. What a literal of the cube
    /// satisfies, which was not known there at that moment, is left out.
    fn lemma(&mut self, lits: &BTreeSet<Lit>, hints: &[Id]) -> Result<Id, CubeError> {
        let mut trail: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        trail.iter().for_each(|&lit| set(&mut self.values, lit, true));
        let mut kept = Vec::with_capacity(hints.len());
        let mut refuted = false;
        for &hint in hints {
            match self.state(hint) {
                HintStatus::Satisfied => continue,
                HintStatus::Unit(lit) => {
                    set(&mut self.values, lit, true);
                    trail.push(lit);
                }
                HintStatus::False => refuted = true,
                HintStatus::Open => break,
            }
            kept.push(hint);
            if refuted {
                break;
            }
        }
        trail.iter().for_each(|&lit| set(&mut self.values, lit, false));
        if !refuted {
            return Err(CubeError::NotImplied);
        }
        let lits: Vec<Lit> = lits.iter().copied().collect();
        Ok(self.all.push(&lits, kept))
    }

    fn state(&self, id: Id) -> HintStatus {
        let own = self.formula.len() as Id;
        let clause = match id.checked_sub(own + 1) {
            None => self.formula.clause(id as usize - 1),
            Some(lemma) => self.all.lits(lemma as usize),
        };
        let mut unit = None;
        for &lit in clause {
            let value = self.values[lit.number() as usize];
            match if lit.is_positive() { value } else { -value } {
                1 => return HintStatus::Satisfied,
                0 if unit.is_some_and(|other| other != lit) => return HintStatus::Open,
                0 => unit = Some(lit),
                _ => {}
            }
        }
        unit.map_or(HintStatus::False, HintStatus::Unit)
    }

    /// Resolves the clauses of the leaves below a node.
    fn join(
        &mut self,
        cubes: &Cubes,
        node: usize,
        leaf: &dyn Fn(usize) -> LiftedClause,
    ) -> LiftedClause {
        let Some((lit, yes, no)) = cubes.nodes[node].split else { return leaf(node) };
        let yes = self.join(cubes, yes, leaf);
        // A clause that does not rest on the split holds on both sides.
        if !yes.lits.contains(&!lit) {
            return self.again(yes);
        }
        let no = self.join(cubes, no, leaf);
        if !no.lits.contains(&lit) {
            return self.again(no);
        }
        let mut lits = &yes.lits | &no.lits;
        lits.remove(&lit);
        lits.remove(&!lit);
        let listed: Vec<Lit> = lits.iter().copied().collect();
        LiftedClause { id: self.all.push(&listed, [yes.id, no.id]), lits }
    }

    /// The empty clause once more, for it must be the last lemma.
    fn again(&mut self, lifted: LiftedClause) -> LiftedClause {
        if !lifted.lits.is_empty() {
            return lifted;
        }
        let id = self.all.push(&[], [lifted.id]);
        LiftedClause { id, ..lifted }
    }
}

fn set(values: &mut [i8], lit: Lit, known: bool) {
    let value = if lit.is_positive() { 1 } else { -1 };
    values[lit.number() as usize] = if known { value } else { 0 };
}

#[cfg(test)]
mod tests;
