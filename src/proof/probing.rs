//! What a formula forces, found by trying literals one by one.
//!
//! A *failed literal* is one whose assumption unit propagation refutes: its negation holds in every
//! model. What follows by unit propagation from a literal and from its negation holds, too (Freeman,
//! "Improvements to Propositional Satisfiability Search Algorithms", 1995; Le Berre, "Exploiting
//! the real power of unit propagation lookahead", SAT 2001).
//!
//! Where clauses speak of neighbours only, a literal reaches few others, so that trying all takes
//! time in proportion to the formula. A solver that looks through its whole formula whenever it has
//! learnt a literal, as varisat does, takes the square of that.

use super::propagate::Propagator;
use crate::formula::{ClauseList, Clauses};
use crate::limits::{Limits, Monitor, Stop};
use unstuck_encodings::{Lit, Model};

/// Another round is worth its time when the one before forced one in so many of the open literals.
const ROUND_YIELD: usize = 256;

/// The literals that a formula is known to force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForcedLits {
    /// By variable, from number 1.
    values: Vec<Option<bool>>,
    /// Whether the formula has no model.
    refuted: bool,
}

impl ForcedLits {
    /// Tries each of the given literals and its negation, in rounds until few are forced. Without
    /// literals to try nothing is looked at.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn find(clauses: &dyn Clauses, tried: &[Lit], limits: &Limits) -> Result<Self, Stop> {
        if tried.is_empty() {
            return Ok(Self::default());
        }
        let mut monitor = Monitor::silent(limits);
        let all = (0..clauses.len()).map(|index| clauses.clause(index));
        let mut probing = Probing {
            propagator: Propagator::new(clauses.variables(), all),
            refuted: false,
            forced: 0,
        };
        probing.propagate();
        let mut open = tried.to_vec();
        while !probing.refuted {
            open.retain(|&lit| probing.propagator.value(lit) == 0);
            let before = probing.forced;
            for &lit in &open {
                monitor.poll()?;
                probing.try_both(lit);
            }
            if open.is_empty() || ROUND_YIELD * (probing.forced - before) < open.len() {
                break;
            }
        }
        let value = |lit: &Lit| (lit.number() as usize - 1, lit.is_positive());
        let mut values = vec![None; clauses.variables()];
        for (index, value) in probing.propagator.since(0).iter().map(value) {
            values[index] = Some(value);
        }
        Ok(Self { values, refuted: probing.refuted })
    }

    /// Whether unit propagation alone refutes the formula, with the literals that failed.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// The literals that are forced.
    pub fn lits(&self) -> impl Iterator<Item = Lit> + '_ {
        (1i32..).zip(&self.values).filter_map(|(number, &value)| {
            let lit = Lit::from_dimacs(number).expect("numbers start at 1");
            value.map(|value| lit.when(value))
        })
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.values.get(lit.number() as usize - 1).copied().flatten();
        value.map(|value| value == lit.is_positive())
    }

    /// What is left of a clause: its literals that are open; `None` when one is forced.
    pub fn rest_of(&self, clause: &[Lit]) -> Option<Vec<Lit>> {
        let is_true = clause.iter().any(|&lit| self.value(lit) == Some(true));
        let open = clause.iter().copied().filter(|&lit| self.value(lit).is_none());
        (!is_true).then(|| open.collect())
    }

    /// What is left of a formula, over the same variables; `None` when a clause is false.
    pub fn rest(&self, clauses: &dyn Clauses) -> Option<ClauseList> {
        let mut rest = ClauseList::default();
        for clause in (0..clauses.len()).filter_map(|index| self.rest_of(clauses.clause(index))) {
            if clause.is_empty() {
                return None;
            }
            rest.add(clause);
        }
        (!self.refuted).then(|| rest.over(clauses.variables()))
    }

    /// A model of what is left as a model of the formula.
    pub fn complete(&self, variables: usize, model: &Model) -> Model {
        Model::new(variables, model.lits().chain(self.lits()))
    }
}

struct Probing {
    propagator: Propagator,
    refuted: bool,
    /// How many literals were forced, without those that followed from them.
    forced: usize,
}

impl Probing {
    fn propagate(&mut self) {
        self.refuted |= self.propagator.propagate().is_some();
    }

    fn force(&mut self, lit: Lit) {
        if !self.refuted && self.propagator.value(lit) <= 0 {
            self.forced += 1;
            self.refuted |= !self.propagator.assume(lit, None);
            self.propagate();
        }
    }

    /// Looks at what follows from a literal since a mark; `None` when it fails.
    fn trial<T>(&mut self, lit: Lit, look: impl FnOnce(&Propagator, usize) -> T) -> Option<T> {
        let mark = self.propagator.mark();
        self.propagator.assume(lit, None);
        let fails = self.propagator.propagate().is_some();
        let seen = (!fails).then(|| look(&self.propagator, mark));
        self.propagator.undo(mark);
        seen
    }

    fn try_both(&mut self, lit: Lit) {
        if self.refuted || self.propagator.value(lit) != 0 {
            return;
        }
        let Some(mut follows) = self.trial(lit, |engine, mark| engine.since(mark).to_vec()) else {
            return self.force(!lit);
        };
        match self.trial(!lit, |engine, _| follows.retain(|&it| engine.value(it) > 0)) {
            Some(()) => follows.into_iter().for_each(|lit| self.force(lit)),
            None => self.force(lit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(clauses: &[&[i32]]) -> ClauseList {
        let mut list = ClauseList::default();
        for clause in clauses {
            list.add(clause.iter().map(|&number| lit(number)));
        }
        list
    }

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number).expect("not zero")
    }

    fn forced(clauses: &[&[i32]], tried: &[i32]) -> ForcedLits {
        let tried: Vec<Lit> = tried.iter().map(|&number| lit(number)).collect();
        ForcedLits::find(&formula(clauses), &tried, &Limits::none()).expect("no limit")
    }

    #[test]
    fn failed_literals_and_what_both_values_imply_are_forced() {
        // 1 fails; either value of 3 implies 4; 5 is open.
        let clauses: &[&[i32]] = &[&[-1, 2], &[-1, -2], &[-3, 4], &[3, 4], &[1, 5, 6]];
        let found = forced(clauses, &[1, 3]);
        assert_eq!(found.lits().collect::<Vec<_>>(), [lit(-1), lit(4)]);
        assert_eq!(found.rest(&formula(clauses)), Some(formula(&[&[5, 6]])));
        let model = found.complete(6, &Model::new(6, [lit(6)]));
        let all: Vec<i32> = model.lits().map(Lit::to_dimacs).collect();
        assert_eq!(all, [-1, -2, -3, 4, -5, 6]);
        assert!(forced(clauses, &[]).lits().next().is_none());
    }

    #[test]
    fn a_formula_that_only_failed_literals_refute_is_refuted() {
        let clauses: &[&[i32]] = &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];
        let found = forced(clauses, &[1]);
        assert!(found.is_refuted());
        assert_eq!(found.rest(&formula(clauses)), None);
    }

    const VARIABLES: i32 = 8;

    /// Against all assignments of random formulas.
    #[test]
    fn what_is_forced_holds_in_every_model() {
        let (mut forced_at_all, mut refuted) = (0, 0);
        for seed in 1..=2_000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut list = ClauseList::default();
            for _ in 0..random.usize(8..24) {
                let mut any = || {
                    let number = random.i32(1..=VARIABLES);
                    lit(if random.bool() { number } else { -number })
                };
                let clause = [any(), any(), any()];
                // From clauses of three nothing would follow from one literal.
                list.add(clause[..random.usize(2..=3)].iter().copied());
            }
            let list = list.over(VARIABLES as usize);
            let tried: Vec<Lit> = (1..=VARIABLES).map(lit).collect();
            let found = ForcedLits::find(&list, &tried, &Limits::none()).expect("no limit");
            let models: Vec<Model> = (0..1 << VARIABLES)
                .map(|bits: i32| {
                    let value = |number: i32| lit(number).when(bits >> (number - 1) & 1 == 1);
                    Model::new(VARIABLES as usize, (1..=VARIABLES).map(value))
                })
                .collect();
            let holds = |list: &ClauseList, model: &Model| {
                let mut clauses = (0..list.len()).map(|index| list.clause(index));
                clauses.all(|clause| clause.iter().any(|&lit| model.holds(lit)))
            };
            let rest = found.rest(&list);
            let before: Vec<&Model> = models.iter().filter(|model| holds(&list, model)).collect();
            assert!(!found.is_refuted() || before.is_empty(), "seed {seed}");
            assert!(before.iter().all(|model| found.lits().all(|lit| model.holds(lit))));
            let after: Vec<&Model> = models
                .iter()
                .filter(|model| rest.as_ref().is_some_and(|rest| holds(rest, model)))
                .filter(|model| found.complete(VARIABLES as usize, model) == **model)
                .collect();
            assert_eq!(before, after, "seed {seed}");
            forced_at_all += usize::from(found.lits().next().is_some());
            refuted += usize::from(found.is_refuted());
        }
        assert!(forced_at_all > 200 && refuted > 20, "{forced_at_all} forced, {refuted} refuted");
    }
}
