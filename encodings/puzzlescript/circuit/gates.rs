//! Gates: conjunctions of signals, made once each and as simple as what is known of states allows.

use crate::cnf::{Cnf, Lit, Rule, Step};
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Not;

/// Conjunctions of so few parts are taken apart where they are part of another one.
const MAX_INLINED: usize = 8;

/// Conjunctions of more parts are not compared with what they are joined to.
const MAX_COMPARED: usize = 32;

/// A circuit has at most so many parts of conjunctions.
const MAX_PARTS: usize = 1_000_000;

/// The value of a gate, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Signal(u32);

impl Signal {
    /// What always holds.
    pub(crate) const TRUE: Self = Self(0);
    /// What never holds.
    pub(crate) const FALSE: Self = Self(1);

    /// Whether this is the gate itself and not its negation.
    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }
}

impl Not for Signal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What a signal comes from.
#[derive(Clone, Debug)]
enum Gate {
    /// The constant.
    True,
    /// A variable of the state, by its number, with the sets of variables it belongs to of which
    /// at most one holds.
    Input(usize, [u32; 2]),
    /// All of these hold; made for this rule of the encoding.
    And(Box<[Signal]>, Rule),
}

/// Signals that hold together.
struct Together {
    /// In order.
    signals: Vec<Signal>,
    /// The sets of the variables among them, in order.
    sets: [Vec<u32>; 2],
}

impl Together {
    fn has(&self, signal: Signal) -> bool {
        self.signals.binary_search(&signal).is_ok()
    }
}

/// Gates over the variables of a state. Each stands behind those that it is made of.
#[derive(Clone, Debug)]
pub(crate) struct Circuit {
    gates: Vec<Gate>,
    known: HashMap<Box<[Signal]>, Signal>,
    parts: usize,
    /// The rule that gates are made for.
    pub(crate) rule: Rule,
}

impl Circuit {
    pub(crate) fn new(rule: Rule) -> Self {
        Self { gates: vec![Gate::True], known: HashMap::new(), parts: 0, rule }
    }

    /// Whether there are more gates than anyone wants in a formula. What is made from then on is
    /// meaningless.
    pub(crate) fn is_full(&self) -> bool {
        self.parts > MAX_PARTS
    }

    fn add(&mut self, gate: Gate) -> Signal {
        self.gates.push(gate);
        Signal((self.gates.len() as u32 - 1) << 1)
    }

    /// A variable of the state. Of two variables that share a set in the same place of `sets` at most
    /// one holds.
    pub(crate) fn input(&mut self, number: usize, sets: [u32; 2]) -> Signal {
        self.add(Gate::Input(number, sets))
    }

    /// The sets of a variable.
    fn sets(&self, signal: Signal) -> Option<[u32; 2]> {
        match self.gates[signal.gate()] {
            Gate::Input(_, sets) => Some(sets),
            _ => None,
        }
    }

    /// Puts signals in order, without what follows from others; nothing if they cannot all hold.
    fn tidy(&self, mut signals: Vec<Signal>) -> Option<Together> {
        signals.sort_unstable();
        signals.dedup();
        signals.retain(|&signal| signal != Signal::TRUE);
        let meet = |pair: &[Signal]| pair[0] == !pair[1];
        if signals.first() == Some(&Signal::FALSE) || signals.windows(2).any(meet) {
            return None;
        }
        let variables = signals.iter().filter(|it| it.is_positive());
        let variables = variables.filter_map(|&it| self.sets(it));
        let (one, two) = variables.map(|[one, two]| (one, two)).unzip();
        let mut together = Together { signals: Vec::new(), sets: [one, two] };
        for sets in &mut together.sets {
            sets.sort_unstable();
            if sets.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
        }
        signals.retain(|&it| it.is_positive() || !self.is_excluded(&together, it));
        together.signals = signals;
        Some(together)
    }

    /// Whether a signal is a variable that one of the others excludes, and not among them.
    fn is_excluded(&self, others: &Together, signal: Signal) -> bool {
        let has = |(set, sets): (&u32, &Vec<u32>)| sets.binary_search(set).is_ok();
        self.sets(signal).is_some_and(|own| own.iter().zip(&others.sets).any(has))
    }

    /// Whether all of the signals hold only if this one does.
    fn implies(&self, open: &Together, signal: Signal) -> bool {
        open.has(signal)
            || !signal.is_positive() && self.is_excluded(open, signal) && !open.has(!signal)
    }

    /// Whether all of the signals hold only if this one does not.
    fn refutes(&self, open: &Together, signal: Signal) -> bool {
        open.has(!signal)
            || signal.is_positive() && self.is_excluded(open, signal) && !open.has(signal)
    }

    /// All of these signals.
    pub(crate) fn and(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        let mut open = Vec::new();
        for signal in signals {
            match &self.gates[signal.gate()] {
                Gate::And(parts, _) if signal.is_positive() && parts.len() <= MAX_INLINED => {
                    open.extend_from_slice(parts);
                }
                _ => open.push(signal),
            }
        }
        if self.is_full() {
            return Signal::FALSE;
        }
        let Some(mut open) = self.tidy(open) else { return Signal::FALSE };
        while let Some((at, rest)) = self.shorter(&open) {
            open.signals.remove(at);
            if let Some(rest) = rest {
                let rest = !self.and(rest);
                match &self.gates[rest.gate()] {
                    Gate::And(parts, _) if rest.is_positive() => {
                        open.signals.extend_from_slice(parts);
                    }
                    _ => open.signals.push(rest),
                }
                match self.tidy(open.signals) {
                    Some(tidied) => open = tidied,
                    None => return Signal::FALSE,
                }
            }
        }
        match open.signals[..] {
            [] => Signal::TRUE,
            [one] => one,
            _ => self.conjunction(open.signals.into()),
        }
    }

    /// A negated conjunction among the signals that says less beside the others: its place, and of
    /// what it is the negation then; nothing if it follows from them.
    fn shorter(&self, open: &Together) -> Option<(usize, Option<Vec<Signal>>)> {
        open.signals.iter().enumerate().find_map(|(at, &signal)| {
            let Gate::And(parts, _) = &self.gates[signal.gate()] else { return None };
            if signal.is_positive() || parts.len() > MAX_COMPARED {
                return None;
            }
            if parts.iter().any(|&part| self.refutes(open, part)) {
                return Some((at, None));
            }
            let rest: Vec<Signal> =
                parts.iter().copied().filter(|&part| !self.implies(open, part)).collect();
            (rest.len() < parts.len()).then_some((at, Some(rest)))
        })
    }

    fn conjunction(&mut self, parts: Box<[Signal]>) -> Signal {
        if let Some(&known) = self.known.get(&parts) {
            return known;
        }
        self.parts += parts.len();
        let signal = self.add(Gate::And(parts.clone(), self.rule));
        self.known.insert(parts, signal);
        signal
    }

    /// One of these signals.
    pub(crate) fn or(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        !self.and(signals.into_iter().map(|signal| !signal))
    }

    /// The literals of the gates that these signals come from, with the clauses that define them in
    /// a layer; `input` gives the literals of variables.
    pub(crate) fn define<V: Copy + Eq + Hash>(
        &self,
        signals: impl IntoIterator<Item = Signal>,
        t: Step,
        cnf: &mut Cnf<V>,
        mut input: impl FnMut(usize, &mut Cnf<V>) -> Lit,
    ) -> Literals {
        let mut is_needed = vec![false; self.gates.len()];
        signals.into_iter().for_each(|signal| is_needed[signal.gate()] = true);
        for at in (0..self.gates.len()).rev().filter(|&at| at > 0) {
            if let Gate::And(parts, _) = &self.gates[at]
                && is_needed[at]
            {
                parts.iter().for_each(|part| is_needed[part.gate()] = true);
            }
        }
        let mut literals = Literals(vec![None; self.gates.len()]);
        for (at, gate) in self.gates.iter().enumerate().filter(|&(at, _)| is_needed[at]) {
            let literal = match gate {
                Gate::True => continue,
                Gate::Input(number, _) => input(*number, cnf),
                Gate::And(parts, rule) => {
                    let parts: Vec<Lit> =
                        parts.iter().filter_map(|&part| literals.get(part).ok()).collect();
                    let literal = cnf.aux(*rule, t);
                    crate::logic::define_and(cnf, *rule, literal, &parts);
                    literal
                }
            };
            literals.0[at] = Some(literal);
        }
        literals
    }

    /// The values of all gates for values of the variables.
    #[cfg(test)]
    pub(crate) fn values(&self, input: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            values.push(match gate {
                Gate::True => true,
                Gate::Input(number, _) => input(*number),
                Gate::And(parts, _) => {
                    parts.iter().all(|part| values[part.gate()] == part.is_positive())
                }
            });
        }
        values
    }
}

/// The value of a signal among those of all gates.
#[cfg(test)]
pub(crate) fn value(values: &[bool], signal: Signal) -> bool {
    values[signal.gate()] == signal.is_positive()
}

/// The literals of the gates of a circuit in a layer.
pub(crate) struct Literals(Vec<Option<Lit>>);

impl Literals {
    /// The literal of a signal, or its value where it is the same always.
    pub(crate) fn get(&self, signal: Signal) -> Result<Lit, bool> {
        let literal = self.0[signal.gate()].map(|it| it.when(signal.is_positive()));
        literal.ok_or(signal.is_positive())
    }

    /// Adds the clause of some literals and signals.
    pub(crate) fn add<V: Copy + Eq + Hash>(
        &self,
        cnf: &mut Cnf<V>,
        rule: Rule,
        literals: &[Lit],
        signals: &[Signal],
    ) {
        let mut clause = literals.to_vec();
        for &signal in signals {
            match self.get(signal) {
                Ok(literal) => clause.push(literal),
                Err(true) => return,
                Err(false) => {}
            }
        }
        cnf.add(rule, clause);
    }
}

#[cfg(test)]
mod tests {
    use super::super::passes::MATCH;
    use super::*;

    /// Whatever is made of gates has the value that its parts give it, in all states in which of each
    /// set at most one variable holds.
    #[test]
    fn simpler_gates_say_the_same() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..300 {
            let sets: Vec<[u32; 2]> =
                (0..8).map(|_| [rng.u32(0..4), 100 + rng.u32(0..5)]).collect();
            let mut circuit = Circuit::new(MATCH);
            let mut signals: Vec<Signal> =
                sets.iter().enumerate().map(|(at, &sets)| circuit.input(at, sets)).collect();
            let mut made: Vec<(bool, Vec<Signal>, Signal)> = Vec::new();
            for _ in 0..60 {
                let parts: Vec<Signal> = (0..rng.usize(0..5))
                    .map(|_| {
                        let signal = signals[rng.usize(..signals.len())];
                        if rng.bool() { signal } else { !signal }
                    })
                    .collect();
                let is_or = rng.bool();
                let signal = if is_or {
                    circuit.or(parts.iter().copied())
                } else {
                    circuit.and(parts.iter().copied())
                };
                signals.push(signal);
                made.push((is_or, parts, signal));
            }
            for state in 0..256_u32 {
                let holds = |at: usize| state >> at & 1 == 1;
                let meet = |one: usize, two: usize| {
                    sets[one][0] == sets[two][0] || sets[one][1] == sets[two][1]
                };
                if (0..8).any(|one| (0..one).any(|two| holds(one) && holds(two) && meet(one, two)))
                {
                    continue;
                }
                let values = circuit.values(holds);
                let value = |it: Signal| super::value(&values, it);
                for (is_or, parts, signal) in &made {
                    let expected = if *is_or {
                        parts.iter().any(|&it| value(it))
                    } else {
                        parts.iter().all(|&it| value(it))
                    };
                    assert_eq!(value(*signal), expected);
                }
            }
        }
    }
}
