//! Checks proofs in VeriPB's format, as far as they are made of additions and of clauses that follow
//! by propagation through the constraints that they name.
//!
//! That is a small part of the format, and all that [`super::veripb::ProofWriter`] writes:
//!
//! * `pol A B + C + ;`: the sum of constraints. Weights of a literal and of its negation cancel out.
//! * `rup 1 x1 1 ~x2 >= 1 : A B ~ ;`: a clause. With its literals false, the constraints propagate, in
//!   this order and each once, and the last one cannot be satisfied.
//! * `del id A ;`: constraints that were derived, and are not needed again.
//! * the conclusion names a constraint that nothing satisfies.

use super::clock::Clock;
use super::{ProofError, ProofStats, TRACED};
use crate::formula::pseudo_boolean::{ConstraintList, WeightedLit, name};
use crate::limits::Limits;
use hashbrown::HashMap;
use std::io::{BufRead, Read};
use unstuck_encodings::Lit;
use unstuck_puzzles::canonical;

/// Longest line: far beyond any that is written, so that a file without line feeds fills no memory.
const MAX_LINE_BYTES: u64 = 1 << 26;

/// A constraint in memory: literals of different variables, each with its weight.
#[derive(Clone, Debug, Default)]
struct Constraint {
    terms: Vec<WeightedLit>,
    least: u64,
}

/// The state of a proof.
struct Checker<'a> {
    formula: Vec<(&'a [WeightedLit], u64)>,
    derived: HashMap<u64, Constraint>,
    variables: usize,
    /// Number of the constraint that was derived last.
    last: u64,
    /// By literal: whether it is true; all false between steps.
    holds: Vec<bool>,
    /// The literals that are true, in the order in which they became so.
    trail: Vec<Lit>,
    clock: Clock<'a>,
}

/// Checks that a proof refutes constraints.
///
/// # Errors
/// The first step that does not hold, or a limit that struck.
pub fn check(
    formula: &ConstraintList,
    proof: impl BufRead,
    limits: &Limits,
) -> Result<ProofStats, ProofError> {
    let mut checker = Checker {
        formula: formula.iter().collect(),
        derived: HashMap::new(),
        variables: formula.variables(),
        last: formula.len() as u64,
        holds: vec![false; 2 * formula.variables() + 2],
        trail: Vec::new(),
        clock: Clock::new(limits),
    };
    let mut lines = Lines { input: proof, line: String::new(), number: 0 };
    let mut stats = ProofStats::default();
    let given = format!("f {} ;", formula.len());
    for expected in ["pseudo-Boolean proof version 3.0", &given] {
        if lines.next()? != Some(expected) {
            return Err(lines.refused(&stats, &format!("`{expected}` belongs here")));
        }
    }
    loop {
        let Some(line) = lines.next()? else {
            return Err(ProofError::Unfinished { steps: stats.steps });
        };
        if line == "output NONE ;" {
            break;
        }
        stats.steps += 1;
        let is_lemma = !line.starts_with("del");
        match checker.step(line) {
            Ok(()) => stats.lemmas += u64::from(is_lemma),
            Err(StepError::Wrong(reason)) => {
                let trace = checker.trace(line);
                return Err(lines.refused(&stats, &reason).traced(trace));
            }
            Err(StepError::Stopped(error)) => return Err(error),
        }
    }
    let conclusion = lines.next()?.and_then(|line| {
        let id = line.strip_prefix("conclusion UNSAT : ")?.strip_suffix(" ;")?;
        canonical::<u64>(id)
    });
    let contradiction = conclusion.and_then(|id| checker.constraint(id));
    if contradiction.is_none_or(|(terms, least)| sum(terms) >= u128::from(least)) {
        return Err(lines.refused(&stats, "the conclusion names no contradiction"));
    }
    let end = lines.next()? == Some("end pseudo-Boolean proof ;");
    if !end || lines.next()?.is_some() {
        return Err(lines.refused(&stats, "the end of the proof belongs here"));
    }
    Ok(stats)
}

fn sum(terms: &[WeightedLit]) -> u128 {
    terms.iter().map(|&(weight, _)| u128::from(weight)).sum()
}

/// Why a step does not hold, or was not looked at.
enum StepError {
    Wrong(String),
    Stopped(ProofError),
}

fn wrong<T>(reason: impl Into<String>) -> Result<T, StepError> {
    Err(StepError::Wrong(reason.into()))
}

impl Checker<'_> {
    /// A constraint by its number.
    fn constraint(&self, id: u64) -> Option<(&[WeightedLit], u64)> {
        let given =
            id.checked_sub(1).and_then(|index| self.formula.get(usize::try_from(index).ok()?));
        let derived = || self.derived.get(&id).map(|own| (own.terms.as_slice(), own.least));
        given.copied().or_else(derived)
    }

    fn step(&mut self, line: &str) -> Result<(), StepError> {
        let words: Vec<&str> = line.split(' ').collect();
        let constraint = match words[..] {
            ["pol", ref ids @ .., ";"] => self.add(ids)?,
            ["rup", ref rest @ .., "~", ";"] => {
                let Some(colon) = rest.iter().position(|&word| word == ":") else {
                    return wrong("a step without hints");
                };
                self.propagate(&rest[..colon], &rest[colon + 1..])?
            }
            ["del", "id", ref ids @ .., ";"] => {
                for id in ids {
                    if canonical(id).and_then(|id: u64| self.derived.remove(&id)).is_none() {
                        return wrong(format!("`{id}` was not derived"));
                    }
                }
                return Ok(());
            }
            _ => return wrong("no step that is known here"),
        };
        self.last += 1;
        self.derived.insert(self.last, constraint);
        Ok(())
    }

    fn named(&self, id: &str) -> Result<(&[WeightedLit], u64), StepError> {
        let constraint = canonical(id).and_then(|id| self.constraint(id));
        constraint.map_or_else(|| wrong(format!("no constraint `{id}`")), Ok)
    }

    /// The sum of constraints: the first number, then each further one with a plus behind it.
    fn add(&mut self, words: &[&str]) -> Result<Constraint, StepError> {
        let Some((&first, rest)) = words.split_first() else { return wrong("a sum of nothing") };
        if !rest.len().is_multiple_of(2) || rest.iter().skip(1).step_by(2).any(|&word| word != "+")
        {
            return wrong("something else than a sum");
        }
        // By variable: what its positive literal weighs, less what its negation weighs.
        let mut weights: HashMap<u32, i128> = HashMap::new();
        let mut least: i128 = 0;
        for id in std::iter::once(first).chain(rest.iter().copied().step_by(2)) {
            let (terms, own) = self.named(id)?;
            least += i128::from(own);
            for &(weight, lit) in terms {
                let whole = weights.entry(lit.number()).or_default();
                *whole += if lit.is_positive() { 1 } else { -1 } * i128::from(weight);
                // A negation is 1 less its literal.
                least -= if lit.is_positive() { 0 } else { i128::from(weight) };
            }
            let work = terms.len();
            self.clock.spend(work).map_err(StepError::Stopped)?;
        }
        let mut terms = Vec::with_capacity(weights.len());
        for (variable, weight) in weights {
            let lit = Lit::from_dimacs(variable as i32).filter(|_| weight != 0);
            let Some(lit) = lit else { continue };
            least += weight.min(0).abs();
            let Ok(size) = u64::try_from(weight.abs()) else { return wrong("a weight too large") };
            terms.push((size, if weight > 0 { lit } else { !lit }));
        }
        terms.sort_unstable_by_key(|(_, lit)| lit.number());
        let Ok(least) = u64::try_from(least.max(0)) else { return wrong("a sum too large") };
        Ok(Constraint { terms, least })
    }

    /// A clause that propagation through these constraints shows.
    fn propagate(&mut self, clause: &[&str], hints: &[&str]) -> Result<Constraint, StepError> {
        let Some((body, [">=", "1"])) =
            clause.split_last_chunk::<2>().map(|(body, end)| (body, *end))
        else {
            return wrong("no clause");
        };
        let mut terms = Vec::new();
        for pair in body.chunks(2) {
            let &["1", lit] = pair else { return wrong("no clause") };
            let lit = self
                .literal(lit)
                .ok_or_else(|| StepError::Wrong(format!("`{lit}` is no literal")))?;
            terms.push((1, lit));
        }
        for &(_, lit) in &terms {
            if self.holds[lit.code()] || self.holds[(!lit).code()] {
                return wrong("a variable twice");
            }
            self.holds[(!lit).code()] = true;
            self.trail.push(!lit);
        }
        if !self.refuted(hints)? {
            return wrong("it does not follow by propagation");
        }
        self.trail.drain(..).for_each(|lit| self.holds[lit.code()] = false);
        Ok(Constraint { terms, least: 1 })
    }

    /// Propagates through constraints, in this order; whether the last one cannot be satisfied.
    fn refuted(&mut self, hints: &[&str]) -> Result<bool, StepError> {
        for (index, id) in hints.iter().enumerate() {
            let (terms, least) = self.named(id)?;
            let possible = terms.iter().filter(|(_, lit)| !self.holds[(!*lit).code()]);
            let possible: u128 = possible.map(|&(weight, _)| u128::from(weight)).sum();
            let Some(slack) = possible.checked_sub(u128::from(least)) else {
                return Ok(index + 1 == hints.len());
            };
            let forced = |&&(weight, lit): &&WeightedLit| {
                let open = !self.holds[lit.code()] && !self.holds[(!lit).code()];
                open && u128::from(weight) > slack
            };
            let new: Vec<Lit> = terms.iter().filter(forced).map(|&(_, lit)| lit).collect();
            let work = terms.len();
            new.iter().for_each(|&lit| self.holds[lit.code()] = true);
            self.trail.extend(new);
            self.clock.spend(1 + work).map_err(StepError::Stopped)?;
        }
        Ok(false)
    }

    /// A step that does not hold, the constraints that it names, and what is true after them.
    fn trace(&self, line: &str) -> String {
        let hints = match line.split_once(" : ") {
            Some((_, hints)) => hints,
            None if line.starts_with("pol") => line,
            None => "",
        };
        let named = |id| Some((id, canonical(id).and_then(|id| self.constraint(id))?));
        let mut lines = format!("step: {line}\n");
        for (id, (terms, least)) in hints.split(' ').filter_map(named).take(TRACED) {
            let terms: String =
                terms.iter().map(|&(weight, lit)| format!("{weight} {} ", name(lit))).collect();
            lines.push_str(&format!("{id}: {terms}>= {least}\n"));
        }
        let trail: String = self.trail.iter().map(|&lit| format!(" {}", name(lit))).collect();
        if trail.is_empty() { lines } else { format!("{lines}true by then:{trail}\n") }
    }

    fn literal(&self, word: &str) -> Option<Lit> {
        let (positive, name) = match word.strip_prefix('~') {
            Some(name) => (false, name),
            None => (true, word),
        };
        let number: i32 = canonical(name.strip_prefix('x')?)?;
        let lit = Lit::from_dimacs(number).filter(|_| number as usize <= self.variables)?;
        Some(if positive { lit } else { !lit })
    }
}

/// The lines of a proof.
struct Lines<R> {
    input: R,
    line: String,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<&str>, ProofError> {
        self.line.clear();
        let read = (&mut self.input).take(MAX_LINE_BYTES).read_line(&mut self.line)?;
        self.number += 1;
        Ok((read > 0).then(|| self.line.strip_suffix('\n').unwrap_or(&self.line)))
    }

    fn refused(&self, stats: &ProofStats, reason: &str) -> ProofError {
        let (line, step, reason) = (Some(self.number), stats.steps, reason.to_owned());
        ProofError::Refused { line, step, reason, trace: String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::veripb::ProofWriter;
    use fastrand::Rng;

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number).unwrap()
    }

    /// Two of three, and at most one of them: 2 x1 + 2 x2 + 2 x3 >= 4 and ~x1 + ~x2 + ~x3 >= 2.
    fn pigeons() -> ConstraintList {
        let mut list = ConstraintList::default();
        list.add([1, 2, 3].map(|number| (2, lit(number))), 4);
        list.add([-1, -2, -3].map(|number| (1, lit(number))), 2);
        list
    }

    fn checked(list: &ConstraintList, proof: &str) -> Result<ProofStats, ProofError> {
        check(list, proof.as_bytes(), &Limits::none())
    }

    const PROOF: &str = "pseudo-Boolean proof version 3.0\nf 2 ;\npol 1 2 + 2 + ;\noutput NONE ;\n\
                         conclusion UNSAT : 3 ;\nend pseudo-Boolean proof ;\n";

    #[test]
    fn a_sum_is_a_refutation() {
        assert_eq!(checked(&pigeons(), PROOF), Ok(ProofStats { lemmas: 1, steps: 1 }));
    }

    #[test]
    fn what_does_not_follow_is_refused() {
        for (from, to, reason) in [
            ("1 2 + 2 +", "1 2 +", "no contradiction"),
            ("1 2 + 2 +", "1 2 + 4 +", "no constraint `4`"),
            ("1 2 + 2 +", "1 2 + 3 +", "no constraint `3`"),
            ("1 2 + 2 +", "1 2 + 2 *", "something else"),
            ("1 2 + 2 +", "1 2 + +2 +", "no constraint"),
            ("1 2 + 2 +", "1 2", "something else"),
            ("pol 1 2 + 2 +", "rup >= 1 : 1 2 ~", "does not follow"),
            ("pol 1 2 + 2 +", "rup 1 x1 1 x1 >= 1 : 1 2 ~", "a variable twice"),
            ("pol 1 2 + 2 +", "rup 1 x4 >= 1 : 1 2 ~", "no literal"),
            ("pol 1 2 + 2 +", "rup 2 x1 >= 1 : 1 2 ~", "no clause"),
            ("pol 1 2 + 2 +", "rup 1 x1 >= 2 : 1 2 ~", "no clause"),
            ("pol 1 2 + 2 +", "red 1 x1 >= 1 ;", "no step"),
            ("pol 1 2 + 2 +", "del id 1", "`1` was not derived"),
            ("f 2", "f 3", "belongs here"),
            ("UNSAT : 3", "UNSAT : 2", "no contradiction"),
            ("UNSAT", "SAT", "no contradiction"),
            ("end pseudo-Boolean proof ;\n", "", "the end"),
            ("proof ;\n", "proof ;\n\n", "the end"),
        ] {
            let error = checked(&pigeons(), &PROOF.replacen(from, to, 1)).unwrap_err();
            assert!(error.to_string().contains(reason), "{to}: {error}");
        }
    }

    #[test]
    fn a_step_that_does_not_hold_is_shown_with_what_it_names() {
        let proof = PROOF.replacen("pol 1 2 + 2 +", "rup 1 x1 >= 1 : 2 1 7 ~", 1);
        let Err(ProofError::Refused { trace, .. }) = checked(&pigeons(), &proof) else {
            panic!("it is refused")
        };
        let shown = "step: rup 1 x1 >= 1 : 2 1 7 ~ ;\n2: 1 ~x1 1 ~x2 1 ~x3 >= 2\n\
                     1: 2 x1 2 x2 2 x3 >= 4\ntrue by then: ~x1 x2 x3\n";
        assert_eq!(trace, shown);
    }

    /// Random steps over random constraints: whatever is accepted is implied, by all assignments.
    #[test]
    fn nothing_that_is_satisfiable_is_refuted() {
        let mut random = Rng::with_seed(1);
        let (mut refuted, mut satisfiable) = (0, 0);
        for _ in 0..20_000 {
            let mut list = ConstraintList::default();
            for _ in 0..random.usize(2..6) {
                let terms = (1..=4).filter(|_| random.u8(..) < 180).map(lit).collect::<Vec<_>>();
                let terms = terms.into_iter().map(|lit| {
                    let positive = random.bool();
                    (random.u64(1..4), if positive { lit } else { !lit })
                });
                let terms: Vec<_> = terms.collect();
                list.add(terms, random.u64(1..6));
            }
            let holds = |bits: u32, lit: &Lit| (bits >> lit.number() & 1 == 1) == lit.is_positive();
            let satisfied = |bits: u32| {
                list.iter().all(|(terms, least)| {
                    let sum: u64 = terms
                        .iter()
                        .filter(|(_, lit)| holds(bits, lit))
                        .map(|(weight, _)| weight)
                        .sum();
                    sum >= least
                })
            };
            let possible = (0..32).step_by(2).any(satisfied);
            let mut proof = Vec::new();
            let mut writer = ProofWriter::new(&mut proof, list.len() as u64).unwrap();
            let mut last = list.len() as u64;
            for _ in 0..random.usize(1..8) {
                let mut id = |_| random.u64(1..=last);
                let ids: Vec<u64> = (0..4).map(&mut id).collect();
                last = if random.bool() {
                    writer.sum(ids[0], ids[1..].iter().copied()).unwrap()
                } else {
                    let lits: Vec<Lit> = (1..=4).filter(|_| random.u8(..) < 80).map(lit).collect();
                    writer.clause(&lits, &ids).unwrap()
                };
            }
            writer.finish().unwrap();
            let text = String::from_utf8(proof).unwrap();
            satisfiable += usize::from(possible);
            if checked(&list, &text).is_ok() {
                refuted += 1;
                assert!(!possible, "{text}");
            }
        }
        assert!(refuted > 20 && satisfiable > 2_000, "{refuted}, {satisfiable}");
    }
}
