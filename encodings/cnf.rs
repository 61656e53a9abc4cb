//! Clauses over typed variables, each tagged with the rule that it expresses.
//!
//! Numbers live here only: an encoding speaks of `(layer, variable)`, a solver of DIMACS numbers,
//! and [`Cnf`] is the single crossing between the two.

use foldhash::fast::FixedState;
use indexmap::IndexSet;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::Hash;
use std::num::NonZeroI32;
use std::ops::Not;
use std::sync::{Mutex, PoisonError};

/// A time index: layer 0 is the start, layer h the end of a plan with horizon h.
pub type Step = u32;

/// A literal by its DIMACS number: printing it gives the number that stands in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The literal of a DIMACS number; `None` for 0, which ends a clause, and for `i32::MIN`.
    pub fn from_dimacs(number: i32) -> Option<Self> {
        NonZeroI32::new(number).filter(|n| n.get() != i32::MIN).map(Self)
    }

    /// The DIMACS number: positive for the atom, negative for its negation.
    pub fn to_dimacs(self) -> i32 {
        self.0.get()
    }

    /// The number of the atom, from 1.
    pub fn number(self) -> u32 {
        self.0.get().unsigned_abs()
    }

    /// Whether this is the atom itself and not its negation.
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }

    /// A place for each literal in tables: that of the atom, from 2, and that of its negation.
    #[inline]
    pub fn code(self) -> usize {
        self.number() as usize * 2 + usize::from(!self.is_positive())
    }

    /// The literal itself where something holds, else its negation.
    pub fn when(self, holds: bool) -> Self {
        if holds { self } else { !self }
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(NonZeroI32::new(-self.0.get()).expect("the negation of a non-zero number"))
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Whether a rule says what the puzzle is, or only helps the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Part of the definition: without it answers would be wrong.
    Defining,
    /// Implied (by the definition, or by asking for a shortest plan): without it no verdict
    /// changes. Certificates do not rest on it.
    Strengthening,
}

/// Why a clause exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// Name in the field's own terms, such as `box-frame`; the documentation explains it.
    pub name: &'static str,
    /// Whether the rule defines or strengthens.
    pub strength: Strength,
}

impl Rule {
    /// A rule without which answers would be wrong.
    pub const fn defining(name: &'static str) -> Self {
        Self { name, strength: Strength::Defining }
    }

    /// A rule that only helps the solver.
    pub const fn strengthening(name: &'static str) -> Self {
        Self { name, strength: Strength::Strengthening }
    }

    /// A rule whose name is made at run time, by a family that is described in a file, say. Every
    /// name is kept once, for as long as the program runs.
    pub fn named(name: &str, strength: Strength) -> Self {
        static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = names.get(name).copied().unwrap_or_else(|| {
            let kept: &'static str = Box::leak(name.into());
            names.insert(kept);
            kept
        });
        Self { name: kept, strength }
    }
}

/// What an atom is about, apart from its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name<V> {
    /// A variable of the encoding.
    Of(V),
    /// The n-th auxiliary variable of a rule in its layer.
    Aux(Rule, u32),
}

/// The meaning of a DIMACS number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom<V> {
    /// The layer that the atom belongs to.
    pub layer: Step,
    /// What it is about.
    pub name: Name<V>,
}

impl<V> Atom<V> {
    /// The atom as text, with the variable as `name` calls it.
    pub fn named(&self, name: impl FnOnce(&V) -> String) -> String {
        let layer = self.layer;
        match &self.name {
            Name::Of(variable) => format!("{}@{layer}", name(variable)),
            Name::Aux(rule, index) => format!("{}#{index}@{layer}", rule.name),
        }
    }
}

impl<V: fmt::Display> fmt::Display for Atom<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(V::to_string))
    }
}

/// Which rules are left out of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Leave out every strengthening rule.
    pub defining_only: bool,
    /// Leave out the rules of these names.
    pub without: BTreeSet<String>,
}

impl Filter {
    /// Keeps all rules.
    pub fn everything() -> Self {
        Self::default()
    }

    /// Keeps the defining rules only: the formula on which certificates rest.
    pub fn defining() -> Self {
        Self { defining_only: true, without: BTreeSet::new() }
    }

    /// Whether clauses of a rule are kept.
    pub fn keeps(&self, rule: Rule) -> bool {
        let dropped = self.defining_only && rule.strength == Strength::Strengthening;
        !dropped && !self.without.contains(rule.name)
    }
}

/// A formula in conjunctive normal form: interned atoms and tagged clauses.
#[derive(Clone, Debug)]
pub struct Cnf<V> {
    filter: Filter,
    /// In the order of their numbers. The author of a level cannot choose the hashes of what it
    /// becomes so that it would pay to make them unpredictable.
    atoms: IndexSet<Atom<V>, FixedState>,
    aux: HashMap<(Rule, Step), u32>,
    rules: Vec<Rule>,
    lits: Vec<Lit>,
    /// For each clause the end of its literals, and its rule as an index into `rules`.
    clauses: Vec<(u32, u16)>,
    used: BTreeSet<Rule>,
}

impl<V: Copy + Eq + Hash> Default for Cnf<V> {
    fn default() -> Self {
        Self::new(Filter::everything())
    }
}

impl<V: Copy + Eq + Hash> Cnf<V> {
    /// An empty formula that leaves out what the filter leaves out.
    pub fn new(filter: Filter) -> Self {
        Self {
            filter,
            atoms: IndexSet::default(),
            aux: HashMap::new(),
            rules: Vec::new(),
            lits: Vec::new(),
            clauses: Vec::new(),
            used: BTreeSet::new(),
        }
    }

    fn intern(&mut self, atom: Atom<V>) -> Lit {
        numbered(self.atoms.insert_full(atom).0)
    }

    /// The literal of a variable in a layer; numbered when first asked for.
    pub fn lit(&mut self, layer: Step, variable: V) -> Lit {
        self.intern(Atom { layer, name: Name::Of(variable) })
    }

    /// The literal of a variable in a layer, if it has a number already.
    pub fn get(&self, layer: Step, variable: V) -> Option<Lit> {
        self.atoms.get_index_of(&Atom { layer, name: Name::Of(variable) }).map(numbered)
    }

    /// A fresh auxiliary variable of a rule in a layer.
    pub fn aux(&mut self, rule: Rule, layer: Step) -> Lit {
        let count = self.aux.entry((rule, layer)).or_insert(0);
        let index = *count;
        *count += 1;
        self.intern(Atom { layer, name: Name::Aux(rule, index) })
    }

    /// Whether clauses of a rule are kept: lets an encoding skip work that would be thrown away.
    pub fn keeps(&self, rule: Rule) -> bool {
        self.filter.keeps(rule)
    }

    /// Adds a clause. Repeated literals are merged; a clause with a literal and its negation is
    /// always true and left out.
    pub fn add(&mut self, rule: Rule, clause: impl IntoIterator<Item = Lit>) {
        self.used.insert(rule);
        if !self.filter.keeps(rule) {
            return;
        }
        let start = self.lits.len();
        self.lits.extend(clause);
        if !merged(&mut self.lits, start) {
            self.lits.truncate(start);
            return;
        }
        let end = u32::try_from(self.lits.len()).expect("fewer than 2^32 literals");
        let tag = self.rules.iter().position(|&known| known == rule).unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        self.clauses.push((end, tag as u16));
    }

    /// Number of atoms; their DIMACS numbers are 1 to this.
    pub fn variables(&self) -> usize {
        self.atoms.len()
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.clauses.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// A clause by its number, from 0.
    pub fn clause(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |before| self.clauses[before].0);
        &self.lits[start as usize..self.clauses[index].0 as usize]
    }

    /// The rule of a clause by its number, from 0.
    pub fn rule(&self, index: usize) -> Rule {
        self.rules[usize::from(self.clauses[index].1)]
    }

    /// All clauses with their rules, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (Rule, &[Lit])> {
        (0..self.len()).map(|index| (self.rule(index), self.clause(index)))
    }

    /// The atom of a DIMACS number (from 1).
    pub fn atom(&self, number: u32) -> Option<&Atom<V>> {
        self.atoms.get_index((number as usize).checked_sub(1)?)
    }

    /// All atoms in the order of their numbers.
    pub fn atoms(&self) -> impl ExactSizeIterator<Item = &Atom<V>> {
        self.atoms.iter()
    }

    /// Every rule for which a clause was offered, kept or not.
    pub fn rules(&self) -> &BTreeSet<Rule> {
        &self.used
    }
}

/// Longer clauses, such as one that forbids a whole solution, have their literals looked up in a
/// set.
const LINEAR_SCAN_LITERALS: usize = 64;

/// Merges repeated literals from `start` on; `false` when one meets its negation.
fn merged(lits: &mut Vec<Lit>, start: usize) -> bool {
    if lits.len() - start > LINEAR_SCAN_LITERALS {
        let known: IndexSet<Lit, FixedState> = lits.drain(start..).collect();
        let is_always_true = known.iter().any(|&lit| known.contains(&!lit));
        lits.extend(known);
        return !is_always_true;
    }
    let mut end = start;
    for at in start..lits.len() {
        let (lit, before) = (lits[at], &lits[start..end]);
        if before.contains(&!lit) {
            return false;
        }
        if !before.contains(&lit) {
            lits[end] = lit;
            end += 1;
        }
    }
    lits.truncate(end);
    true
}

/// The literal of the atom with this index.
fn numbered(index: usize) -> Lit {
    let number = i32::try_from(index + 1).expect("fewer than 2^31 atoms");
    Lit::from_dimacs(number).expect("numbers start at 1")
}

/// Truth values of the atoms 1 to n, as a solver found them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model(Vec<bool>);

impl Model {
    /// A model of `variables` atoms in which the given literals are true and the atoms that no
    /// literal names are false.
    pub fn new(variables: usize, lits: impl IntoIterator<Item = Lit>) -> Self {
        let mut values = vec![false; variables];
        for lit in lits {
            if let Some(value) = values.get_mut(lit.number() as usize - 1) {
                *value = lit.is_positive();
            }
        }
        Self(values)
    }

    /// Whether a literal is true. Atoms beyond the model are false.
    pub fn holds(&self, lit: Lit) -> bool {
        let value = self.0.get(lit.number() as usize - 1).copied().unwrap_or(false);
        value == lit.is_positive()
    }

    /// All atoms as true literals, in order.
    pub fn lits(&self) -> impl Iterator<Item = Lit> + '_ {
        (1i32..).zip(&self.0).map(|(number, &value)| {
            let lit = Lit::from_dimacs(number).expect("numbers start at 1");
            lit.when(value)
        })
    }
}

/// A model read through the names of its formula.
#[derive(Clone, Copy, Debug)]
pub struct Assignment<'a, V> {
    /// The formula, which knows the names.
    pub cnf: &'a Cnf<V>,
    /// The truth values.
    pub model: &'a Model,
}

impl<'a, V: Copy + Eq + Hash> Assignment<'a, V> {
    /// Whether a variable is true in a layer; false when the formula does not mention it.
    pub fn holds(&self, layer: Step, variable: V) -> bool {
        self.cnf.get(layer, variable).is_some_and(|lit| self.model.holds(lit))
    }

    /// The literals of the chosen variables that are true, in the order of their numbers.
    pub fn true_lits(&self, chosen: impl Fn(V) -> bool) -> Vec<Lit> {
        let lits = self.true_variables().filter(|&(_, variable)| chosen(variable));
        lits.filter_map(|(layer, variable)| self.cnf.get(layer, variable)).collect()
    }

    /// The variables that are true, with their layers, in the order of their numbers.
    pub fn true_variables(&self) -> impl Iterator<Item = (Step, V)> + 'a {
        let Self { cnf, model } = *self;
        model.lits().zip(cnf.atoms()).filter_map(|(lit, atom)| match atom.name {
            Name::Of(variable) if lit.is_positive() => Some((atom.layer, variable)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINING: Rule = Rule::defining("defining");
    const EXTRA: Rule = Rule::strengthening("extra");

    #[test]
    fn a_name_made_at_run_time_is_the_same_rule_every_time() {
        let made = |name: String| Rule::named(&name, Strength::Defining);
        assert_eq!(made("def".to_owned() + "ining"), DEFINING);
        let (once, again) = (made(format!("rule-{}", 7)), made(format!("rule-{}", 7)));
        assert!(std::ptr::eq(once.name, again.name));
    }

    #[test]
    fn numbers_have_no_holes_and_names_map_both_ways() {
        let mut cnf: Cnf<char> = Cnf::default();
        let a = cnf.lit(0, 'a');
        let aux = cnf.aux(DEFINING, 1);
        assert_eq!((a.to_dimacs(), aux.to_dimacs()), (1, 2));
        assert_eq!(cnf.lit(0, 'a'), a);
        assert_eq!(cnf.atom(2).map(ToString::to_string).as_deref(), Some("defining#0@1"));
        assert_eq!(cnf.atom(0), None);
        assert_eq!(cnf.get(1, 'a'), None);
    }

    #[test]
    fn clauses_are_tidied_and_filtered() {
        let mut cnf: Cnf<char> = Cnf::new(Filter::defining());
        let (a, b) = (cnf.lit(0, 'a'), cnf.lit(0, 'b'));
        cnf.add(DEFINING, [a, b, a]);
        cnf.add(DEFINING, [a, !a]);
        cnf.add(EXTRA, [b]);
        let clauses: Vec<_> = cnf.iter().collect();
        assert_eq!(clauses, [(DEFINING, &[a, b][..])]);
        assert_eq!(cnf.rules().len(), 2);
    }

    #[test]
    fn long_clauses_are_tidied_like_short_ones() {
        let clause_of = |lits: &[Lit]| -> Option<Vec<Lit>> {
            let mut cnf: Cnf<char> = Cnf::default();
            cnf.add(DEFINING, lits.iter().copied());
            cnf.iter().next().map(|(_, clause)| clause.to_vec())
        };
        let lit = |number: usize| numbered(number);
        for length in [
            LINEAR_SCAN_LITERALS - 1,
            LINEAR_SCAN_LITERALS,
            LINEAR_SCAN_LITERALS + 1,
            4 * LINEAR_SCAN_LITERALS,
        ] {
            let once: Vec<Lit> = (0..length).map(lit).collect();
            let twice: Vec<Lit> = once.iter().chain(once.iter().rev()).copied().collect();
            assert_eq!(clause_of(&twice).as_ref(), Some(&once), "{length}");
            let always: Vec<Lit> = once.iter().copied().chain([!lit(length / 2)]).collect();
            assert_eq!(clause_of(&always), None, "{length}");
        }
    }

    #[test]
    fn a_model_reads_through_names() {
        let mut cnf: Cnf<char> = Cnf::default();
        let (a, b) = (cnf.lit(0, 'a'), cnf.lit(3, 'b'));
        let model = Model::new(2, [!a, b]);
        let assignment = Assignment { cnf: &cnf, model: &model };
        assert!(!assignment.holds(0, 'a') && assignment.holds(3, 'b') && !assignment.holds(0, 'c'));
        assert_eq!(assignment.true_variables().collect::<Vec<_>>(), [(3, 'b')]);
    }
}
