//! A forward checker for lemmas that come without hints, which finds the hints.
//!
//! Lemmas are checked in their order: a lemma is assumed false and propagated, and the clauses that
//! took part in the conflict become its hints. What propagation finds without any assumption (a
//! root literal) becomes a lemma of its own at once, so it stays known when the clause that implied
//! it is deleted: everything here follows from the formula, and deletions only save work.
//!
//! Nothing rests on this code: what it writes is checked by [`super::lrat`].

use super::ProofError;
use super::clock::Clock;
use super::derivation::Derivation;
use super::propagate::Id;
use crate::formula::Clauses;
use crate::limits::Limits;
use hashbrown::HashMap;
use unstuck_encodings::Lit;

const NONE: u32 = u32::MAX;

/// A clause that watches a literal, and another literal of it: if that is true, so is the clause.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    blocker: Lit,
}

/// The checker. Clauses and lemmas have their LRAT numbers less one.
pub struct ForwardChecker<'a> {
    all: Derivation,
    clock: Clock<'a>,
    /// Literals of all clauses, the two watched ones first.
    arena: Vec<Lit>,
    ends: Vec<usize>,
    alive: Vec<bool>,
    /// Clauses by the hash of their literals, as chains.
    by_hash: HashMap<u64, u32>,
    same_hash: Vec<u32>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    /// By variable: the clause that implied it; of root literals their own lemma.
    reasons: Vec<u32>,
    /// By variable: whether it has its value without any assumption.
    rooted: Vec<bool>,
    trail: Vec<Lit>,
    head: usize,
    /// By variable: the last round that needed it, and the last lemma that has it.
    needed: Vec<u32>,
    round: u32,
    refuted: bool,
}

/// The same for any order of the literals.
fn hash(lits: &[Lit]) -> u64 {
    let mixed = lits.iter().map(|&lit| {
        let wide = (lit.code() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (wide ^ (wide >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    });
    mixed.fold(lits.len() as u64, u64::wrapping_add)
}

impl<'a> ForwardChecker<'a> {
    /// A checker that holds the clauses of a formula.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn new(clauses: &dyn Clauses, limits: &'a Limits) -> Result<Self, ProofError> {
        let (variables, count) = (clauses.variables(), clauses.len());
        let mut forward = Self {
            all: Derivation::new(count as Id),
            clock: Clock::new(limits),
            arena: Vec::new(),
            ends: Vec::with_capacity(count),
            alive: Vec::with_capacity(count),
            by_hash: HashMap::new(),
            same_hash: Vec::with_capacity(count),
            watches: vec![Vec::new(); 2 * variables + 2],
            values: vec![0; 2 * variables + 2],
            reasons: vec![NONE; variables + 1],
            rooted: vec![false; variables + 1],
            trail: Vec::new(),
            head: 0,
            needed: vec![0; variables + 1],
            round: 0,
            refuted: false,
        };
        let mut lits = Vec::new();
        for index in 0..count {
            forward.clock.spend(1 + clauses.clause(index).len())?;
            lits.clear();
            lits.extend_from_slice(clauses.clause(index));
            lits.sort_unstable();
            lits.dedup();
            forward.hold(&lits);
        }
        // Only now: lemmas are numbered from behind the last clause.
        for clause in 0..count as u32 {
            forward.attach(clause);
        }
        forward.settle()?;
        Ok(forward)
    }

    /// Whether the empty clause has been derived.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// The derivation, whose last lemma is the empty clause if that has been derived.
    pub fn finish(self) -> Derivation {
        self.all
    }

    fn clause(&self, clause: u32) -> &[Lit] {
        let start = (clause as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.arena[start..self.ends[clause as usize]]
    }

    fn value(&self, lit: Lit) -> i8 {
        self.values[lit.code()]
    }

    fn set(&mut self, lit: Lit, reason: u32) {
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        self.reasons[lit.number() as usize] = reason;
        self.trail.push(lit);
    }

    fn undo(&mut self, length: usize) {
        for at in length..self.trail.len() {
            let lit = self.trail[at];
            self.values[lit.code()] = 0;
            self.values[(!lit).code()] = 0;
        }
        self.trail.truncate(length);
        self.head = length;
    }

    /// Keeps the literals of a clause; its number.
    fn hold(&mut self, lits: &[Lit]) -> u32 {
        let clause = self.ends.len() as u32;
        self.arena.extend_from_slice(lits);
        self.ends.push(self.arena.len());
        self.alive.push(true);
        let before = self.by_hash.insert(hash(lits), clause);
        self.same_hash.push(before.unwrap_or(NONE));
        clause
    }

    /// Has a clause watched by two literals that are not false, as far as it has them. Call without
    /// assumptions.
    fn attach(&mut self, clause: u32) {
        let start = (clause as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        let lits = &mut self.arena[start..self.ends[clause as usize]];
        let mut open = 0;
        for at in 0..lits.len() {
            if self.values[lits[at].code()] >= 0 {
                lits.swap(open, at);
                open += 1;
                if open == 2 {
                    break;
                }
            }
        }
        match (open, &*lits) {
            (0, _) => self.refute(clause),
            (1, &[unit, ..]) => {
                if self.value(unit) == 0 {
                    self.set(unit, clause);
                }
            }
            (_, &[a, b, ..]) => {
                self.watches[a.code()].push(Watch { clause, blocker: b });
                self.watches[b.code()].push(Watch { clause, blocker: a });
            }
            _ => unreachable!("as many literals as were counted"),
        }
    }

    /// Derives the empty clause from a clause that is false without any assumption.
    fn refute(&mut self, clause: u32) {
        if self.refuted {
            return;
        }
        self.round += 1;
        self.root_lemmas();
        let hints = self.explain(clause, self.trail.len());
        self.all.push(&[], hints);
        self.refuted = true;
    }

    /// Propagates without assumptions.
    fn settle(&mut self) -> Result<(), ProofError> {
        if self.refuted {
            return Ok(());
        }
        match self.propagate()? {
            Some(conflict) => self.refute(conflict),
            None => self.root_lemmas(),
        }
        Ok(())
    }

    /// Makes a lemma of every literal that has been found without assumptions.
    fn root_lemmas(&mut self) {
        let first = (0..self.trail.len())
            .rev()
            .find(|&at| self.rooted[self.trail[at].number() as usize])
            .map_or(0, |at| at + 1);
        for at in first..self.trail.len() {
            let lit = self.trail[at];
            let variable = lit.number() as usize;
            let reason = self.reasons[variable];
            if self.clause(reason).len() > 1 {
                let others = self.clause(reason).iter().filter(|&&other| other != lit);
                let mut hints: Vec<Id> =
                    others.map(|other| self.reasons[other.number() as usize] + 1).collect();
                hints.push(reason + 1);
                self.all.push(&[lit], hints);
                // It is held, so that numbers stay in step, but never watched or found by deletions.
                self.reasons[variable] = self.ends.len() as u32;
                self.arena.push(lit);
                self.ends.push(self.arena.len());
                self.alive.push(true);
                self.same_hash.push(NONE);
            }
            self.rooted[variable] = true;
        }
    }

    /// Propagates to the end, or to a clause that is false.
    fn propagate(&mut self) -> Result<Option<u32>, ProofError> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            let mut watching = std::mem::take(&mut self.watches[falsified.code()]);
            let (mut kept, mut at, mut conflict) = (0, 0, None);
            let mut work = watching.len();
            while at < watching.len() {
                let Watch { clause, blocker } = watching[at];
                at += 1;
                if self.values[blocker.code()] > 0 {
                    watching[kept] = Watch { clause, blocker };
                    kept += 1;
                    continue;
                }
                if !self.alive[clause as usize] {
                    continue;
                }
                let start = (clause as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
                let lits = &mut self.arena[start..self.ends[clause as usize]];
                if lits[0] == falsified {
                    lits.swap(0, 1);
                }
                let first = lits[0];
                if self.values[first.code()] > 0 {
                    watching[kept] = Watch { clause, blocker: first };
                    kept += 1;
                    continue;
                }
                work += lits.len();
                let values = &self.values;
                if let Some(next) = (2..lits.len()).find(|&k| values[lits[k].code()] >= 0) {
                    lits.swap(1, next);
                    let watched = lits[1];
                    self.watches[watched.code()].push(Watch { clause, blocker: first });
                    continue;
                }
                watching[kept] = Watch { clause, blocker: first };
                kept += 1;
                if self.values[first.code()] < 0 {
                    conflict = Some(clause);
                    break;
                }
                self.set(first, clause);
            }
            let rest = watching.len() - at;
            watching.copy_within(at.., kept);
            watching.truncate(kept + rest);
            self.watches[falsified.code()] = watching;
            self.clock.spend(work)?;
            if conflict.is_some() {
                return Ok(conflict);
            }
        }
        Ok(None)
    }

    /// The hints of a conflict in the order in which a checker meets them, as LRAT numbers: root
    /// lemmas, then reasons from the trail behind `root`, then the conflict itself. Variables that
    /// are marked with this round are given.
    fn explain(&mut self, conflict: u32, root: usize) -> Vec<Id> {
        let given = self.round;
        self.round += 1;
        let mut units = Vec::new();
        let mut reasons = Vec::new();
        let mut clause = conflict;
        let mut at = self.trail.len();
        loop {
            for position in 0..self.clause(clause).len() {
                let variable = self.clause(clause)[position].number() as usize;
                if self.needed[variable] >= given {
                    continue;
                }
                self.needed[variable] = self.round;
                if self.rooted[variable] {
                    units.push(self.reasons[variable] + 1);
                }
            }
            let next = (root..at).rev().find(|&at| {
                let variable = self.trail[at].number() as usize;
                self.needed[variable] == self.round && self.reasons[variable] != NONE
            });
            let Some(next) = next else { break };
            at = next;
            clause = self.reasons[self.trail[next].number() as usize];
            reasons.push(clause + 1);
        }
        units.extend(reasons.into_iter().rev());
        units.push(conflict + 1);
        units
    }

    /// Checks a lemma (sorted, no literal twice) and adds it; `false` when it does not follow.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn add(&mut self, lits: &[Lit]) -> Result<bool, ProofError> {
        self.clock.spend(1 + lits.len())?;
        let satisfied = lits.iter().any(|&lit| self.value(lit) > 0);
        let negated = |lit: &Lit| lits.binary_search(&!*lit).is_ok();
        if satisfied || lits.iter().any(negated) {
            return Ok(true); // It is true already, and nothing will ever need it.
        }
        let root = self.trail.len();
        self.round += 1;
        for &lit in lits {
            self.needed[lit.number() as usize] = self.round;
            if self.value(lit) == 0 {
                self.set(!lit, NONE);
            }
        }
        let conflict = self.propagate();
        let hints = match conflict {
            Ok(Some(conflict)) => Some(self.explain(conflict, root)),
            _ => None,
        };
        self.undo(root);
        conflict?;
        let Some(hints) = hints else { return Ok(false) };
        self.all.push(lits, hints);
        let clause = self.hold(lits);
        if lits.is_empty() {
            self.refuted = true;
            return Ok(true);
        }
        self.attach(clause);
        self.settle()?;
        Ok(true)
    }

    /// Deletes a clause (sorted, no literal twice); one that is not there harms nothing.
    pub fn delete(&mut self, lits: &[Lit]) {
        let key = hash(lits);
        let Some(&first) = self.by_hash.get(&key) else { return };
        let (mut before, mut clause) = (NONE, first);
        while clause != NONE {
            let found = self.clause(clause);
            if found.len() == lits.len() && found.iter().all(|lit| lits.binary_search(lit).is_ok())
            {
                break;
            }
            (before, clause) = (clause, self.same_hash[clause as usize]);
        }
        if clause == NONE {
            return;
        }
        self.alive[clause as usize] = false;
        let after = self.same_hash[clause as usize];
        match (before, after) {
            (NONE, NONE) => drop(self.by_hash.remove(&key)),
            (NONE, after) => drop(self.by_hash.insert(key, after)),
            (before, after) => self.same_hash[before as usize] = after,
        }
    }
}
