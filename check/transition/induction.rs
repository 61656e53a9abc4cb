//! The three formulas of a list of cubes.
//!
//! In layer t a cube with its budget reads: its literals hold, and at most the budget is left, by a
//! unary register `left(k)`, "at least k is left", that is put around the transition. With
//! Inv = OR of the cubes, one list for all three formulas, these are to be refuted:
//!
//! The register counts steps, or the prices of actions ([`CostModel`]); what ending costs must be left
//! at the end.
//!
//! Or the register counts steps, and the cubes speak of what is left beyond a potential
//! ([`PotentialEncoding`]).
//!
//! A tie-break has a register of its own, and a bit `tied` that no step changes. A start with the
//! bit has all that is claimed left of both counts; a start without it has one less of the first,
//! and the other is not looked at. So these two together exclude what is cheaper in the order of
//! costs, and a cube can say "at most so much is left of both" as a conjunction.
//!
//! * *start*: the start, everything left, and no cube holds;
//! * *goal*: a cube holds, and the state is solved;
//! * *step*: a cube holds, one step of the transition, and no cube holds after it.

use super::list_format::ListError;
use super::potential::{PotentialEncoding, Remainder};
use super::relation::{literal, shifted};
use super::{Budget, CubeList, NOT, NamedCube, TransitionRelation};
use crate::formula::ClauseList;
use crate::limits::{Monitor, Stop};
use hashbrown::HashMap;
use unstuck_encodings::{Lit, Step, StepCost, Transition};
use unstuck_puzzles::{Moves, Objective};

/// A question to be refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// The start is in no cube.
    Initiation,
    /// A solved state is in a cube.
    Safety,
    /// A step leads out of all cubes.
    Consecution,
}

impl Obligation {
    /// All parts.
    pub const ALL: [Self; 3] = [Self::Initiation, Self::Safety, Self::Consecution];

    /// Name of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Initiation => "start",
            Self::Safety => "goal",
            Self::Consecution => "step",
        }
    }
}

/// What the steps of a transition take from a budget.
#[derive(Clone, Debug)]
pub enum CostModel {
    /// One where the step counts.
    Counted(StepCost),
    /// So much for each of these actions, nothing for the others; and at the end so much for each
    /// of these conjunctions that hold in the solved state.
    Priced {
        /// Actions of layer 0.
        actions: Vec<(Lit, u32)>,
        /// Conjunctions of literals of layer 0.
        ending: Vec<(Box<[Lit]>, u32)>,
        /// Whether nothing is left at the start; else all that is claimed.
        spent: bool,
    },
    /// One where the step counts; budgets are what is left beyond a potential.
    Weighed(PotentialEncoding),
}

/// A list of cubes over a transition, with the types of the family erased.
#[derive(Clone, Debug)]
pub struct Induction {
    /// Name of the transition.
    transition: &'static str,
    /// Names of its variables.
    names: Vec<String>,
    step: ClauseList,
    start: ClauseList,
    goal: ClauseList,
    costs: CostModel,
    /// By variable: the literal of layer 1 that says the same as its literal of layer 0.
    later: HashMap<u32, Lit>,
    /// Most that can be left; 0 also where nothing is counted.
    most: u32,
    /// The same of the tie-break, and whether a step counts in it; where that is counted.
    tie: Option<(u32, StepCost)>,
    counted: bool,
    cubes: Vec<(Budget, Box<[Lit]>)>,
}

impl CostModel {
    fn ending(&self) -> &[(Box<[Lit]>, u32)] {
        match self {
            Self::Counted(_) | Self::Weighed(_) => &[],
            Self::Priced { ending, .. } => ending,
        }
    }
}

impl Induction {
    /// Cubes of literals of layer 0 over a transition.
    ///
    /// # Errors
    /// The auxiliary variable that a cube names, which means nothing beyond its own layer; a claim
    /// that needs more variables than there are numbers.
    pub fn new<T: Transition>(
        step: TransitionRelation<T>,
        claim: Budget,
        cubes: Vec<(Budget, Box<[Lit]>)>,
    ) -> Result<Self, ListError> {
        let costs = CostModel::Counted(step.paid());
        Self::with_costs(step, claim, cubes, costs)
    }

    /// The same with other costs than the transition's own.
    ///
    /// # Errors
    /// As above.
    pub fn with_costs<T: Transition>(
        mut step: TransitionRelation<T>,
        claim: Budget,
        cubes: Vec<(Budget, Box<[Lit]>)>,
        costs: CostModel,
    ) -> Result<Self, ListError> {
        let most = claim.first().unwrap_or(0);
        let tie = claim.second().map(|tie| {
            let paid = step.paid_tie();
            paid.map(|paid| (tie, paid)).ok_or_else(|| ListError::whole("no tie-break is counted"))
        });
        let tie = tie.transpose()?;
        let sums = costs.ending().len() as u64 * (u64::from(most) + 1);
        let ties = tie.map_or(0, |(tie, _)| 2 * u64::from(tie) + 2);
        let rest = match &costs {
            CostModel::Weighed(weighing) => 2 * weighing.variables(most),
            _ => 0,
        };
        let variables = [2 * u64::from(most), ties, sums, rest, cubes.len() as u64]
            .into_iter()
            .fold(step.variables() as u64, u64::saturating_add);
        if variables >= 1 << 31 {
            let reason = format!("the claim {most} needs {variables} variables");
            return Err(ListError::whole(reason));
        }
        let mut later = HashMap::new();
        let weighed = match &costs {
            CostModel::Weighed(weighing) => weighing.terms.as_slice(),
            _ => &[],
        };
        let terms = weighed.iter().flat_map(|term| term.any.iter().chain([&term.lit]));
        for lit in cubes.iter().flat_map(|(_, cube)| cube).chain(terms) {
            let variable = literal(lit.number() as usize);
            let after = step.later(variable);
            let after = after.ok_or_else(|| {
                ListError::whole(format!("auxiliary variable {variable} in a state"))
            })?;
            later.insert(lit.number(), after);
        }
        let mut goal: ClauseList = step.goal_clauses().collect();
        step.goal().iter().for_each(|&lit| goal.add([lit]));
        Ok(Self {
            transition: T::NAME,
            names: step.names(),
            step: step.step_clauses().collect(),
            start: step.start_clauses().collect(),
            goal,
            costs,
            later,
            most,
            tie,
            counted: claim != Budget::Any,
            cubes,
        })
    }

    /// A list over the transition of a puzzle.
    ///
    /// # Errors
    /// The literal that no state of this puzzle has.
    pub fn of_list<T: Transition>(
        puzzle: &T::Puzzle,
        objective: Objective,
        list: &CubeList,
    ) -> Result<Self, ListError> {
        let mut step = TransitionRelation::<T>::new(puzzle, objective)?;
        let variables = step.state_variables(&puzzle.start()).into_iter();
        let names: HashMap<String, Lit> =
            variables.filter_map(|lit| Some((step.name(lit)?, lit))).collect();
        let literal = |word: &String| {
            let name = word.strip_prefix(NOT).unwrap_or(word);
            let lit = *names
                .get(name)
                .ok_or_else(|| ListError::whole(format!("no state here has `{name}`")))?;
            Ok(if word.starts_with(NOT) { !lit } else { lit })
        };
        let cube = |words: &NamedCube| words.iter().map(literal).collect::<Result<_, ListError>>();
        let cubes = list.cubes.iter().map(|(budget, words)| Ok((*budget, cube(words)?)));
        let cubes = cubes.collect::<Result<_, ListError>>()?;
        Self::new(step, list.claim, cubes)
    }

    /// Name of the transition.
    pub fn transition(&self) -> &'static str {
        self.transition
    }

    /// Number of cubes.
    pub fn len(&self) -> usize {
        self.cubes.len()
    }

    /// Whether there is no cube.
    pub fn is_empty(&self) -> bool {
        self.cubes.is_empty()
    }

    /// What the variables of the formulas mean, as the comments of their files say it.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        let left = |layer| (1..=self.most).map(move |k| format!("left>={k}@{layer}"));
        let ended = |count| (1..=self.most + 1).map(move |k| format!("ending-{count}>={k}"));
        let ended = (1..=self.costs.ending().len()).flat_map(ended);
        let chosen = (1..=self.cubes.len()).map(|number| format!("cube-{number}@0"));
        let names = self.names.iter().cloned().chain(left(0)).chain(left(1));
        let tie = self.tie.into_iter().flat_map(|(most, _)| {
            (0..=1).flat_map(move |layer| {
                let left = (1..=most).map(move |k| format!("tie-left>={k}@{layer}"));
                [format!("tied@{layer}")].into_iter().chain(left)
            })
        });
        let rest = self.rest().into_iter().flat_map(|rest| rest.names().collect::<Vec<_>>());
        let names = names.chain(tie).chain(ended).chain(rest).chain(chosen);
        (1..).zip(names).map(|(number, name)| format!("v {number} {name}"))
    }

    /// What steps take.
    pub fn costs(&self) -> &CostModel {
        &self.costs
    }

    /// What is left beyond the potential, where there is one.
    pub fn rest(&self) -> Option<Remainder<'_>> {
        match &self.costs {
            CostModel::Weighed(weighing) if self.counted => Some(Remainder {
                weighing,
                most: self.most,
                left: self.names.len(),
                before: self.before_sums(),
                later: &self.later,
            }),
            _ => None,
        }
    }

    /// "At least k is left" in a layer, for k from 1.
    fn left(&self, layer: Step, k: u32) -> Lit {
        literal(self.names.len() + layer as usize * self.most as usize + k as usize)
    }

    /// "The tie-break counts" in a layer.
    fn tied(&self, layer: Step) -> Lit {
        self.tie_left(layer, 0)
    }

    /// "At least k is left of the tie-break" in a layer, for k from 1.
    fn tie_left(&self, layer: Step, k: u32) -> Lit {
        let most = self.tie.map_or(0, |(most, _)| most as usize);
        let before = self.names.len() + 2 * self.most as usize;
        literal(before + layer as usize * (most + 1) + k as usize + 1)
    }

    /// "The first conjunctions of the ending, so many of them, take at least k", for k from 1.
    fn ended(&self, count: usize, k: u32) -> Lit {
        let before = (count - 1) * (self.most as usize + 1);
        literal(self.before_sums() + before + k as usize)
    }

    /// Variables before those of the ending.
    fn before_sums(&self) -> usize {
        let ties = self.tie.map_or(0, |(most, _)| 2 * most as usize + 2);
        self.names.len() + 2 * self.most as usize + ties
    }

    /// Variables before those of the cubes.
    fn before_cubes(&self) -> usize {
        let rest = self.rest().map_or(0, |rest| 2 * rest.weighing.variables(self.most) as usize);
        self.before_sums() + self.costs.ending().len() * (self.most as usize + 1) + rest
    }

    /// "Cube i holds before."
    pub fn chosen(&self, index: usize) -> Lit {
        literal(self.before_cubes() + index + 1)
    }

    /// All literals of a cube in a layer, its budget among them where that says anything.
    pub fn lits(&self, layer: Step, index: usize) -> Vec<Lit> {
        let (budget, cube) = &self.cubes[index];
        let shifted = |&lit: &Lit| shifted(&self.later, layer, lit);
        if let Some(rest) = self.rest() {
            // The last one: less is left than the potential asks for.
            let asked = if index + 1 == self.len() { Some(0) } else { rest.beyond(*budget) };
            return cube.iter().map(shifted).chain(asked.map(|k| !rest.all(layer, k))).collect();
        }
        let number = budget.first().filter(|&number| self.counted && number < self.most);
        let at_most = number.map(|number| !self.left(layer, number + 1));
        let mut lits: Vec<Lit> = cube.iter().map(shifted).chain(at_most).collect();
        if let (Some(number), Some((most, _))) = (budget.second(), self.tie) {
            lits.push(self.tied(layer));
            lits.extend((number < most).then(|| !self.tie_left(layer, number + 1)));
        }
        lits
    }

    /// Adds the registers between two steps.
    fn registers(&self, clauses: &mut ClauseList, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        match &self.costs {
            _ if !self.counted => return Ok(()),
            CostModel::Priced { actions, .. } => self.prices(actions, clauses, monitor)?,
            CostModel::Counted(paid) | CostModel::Weighed(PotentialEncoding { paid, .. }) => {
                let left = |layer, k| self.left(layer, k);
                register(*paid, self.most, left, None, clauses, monitor)?;
            }
        }
        let Some((most, paid)) = self.tie else { return Ok(()) };
        clauses.add([!self.tied(0), self.tied(1)]);
        clauses.add([self.tied(0), !self.tied(1)]);
        let left = |layer, k| self.tie_left(layer, k);
        register(paid, most, left, Some(self.tied(0)), clauses, monitor)
    }

    /// Adds the register where actions have prices: what is left never grows, and an action takes
    /// its price.
    fn prices(
        &self,
        actions: &[(Lit, u32)],
        clauses: &mut ClauseList,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), Stop> {
        for k in 1..=self.most {
            clauses.add([!self.left(1, k), self.left(0, k)]);
            if k < self.most {
                clauses.add([!self.left(0, k + 1), self.left(0, k)]);
                clauses.add([!self.left(1, k + 1), self.left(1, k)]);
            }
        }
        for &(action, price) in actions.iter().filter(|(_, price)| *price > 0) {
            monitor.poll()?;
            if price > self.most {
                clauses.add([!action]);
                continue;
            }
            clauses.add([!action, self.left(0, price)]);
            for k in 1..=self.most {
                let before = (k + price <= self.most).then(|| self.left(0, k + price));
                clauses.add([!action, !self.left(1, k)].into_iter().chain(before));
            }
        }
        Ok(())
    }

    /// Adds what ending takes: no more than what is left.
    fn end(&self, clauses: &mut ClauseList, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        let ending = self.costs.ending();
        if !self.counted || ending.is_empty() {
            return Ok(());
        }
        for k in 1..self.most {
            clauses.add([!self.left(0, k + 1), self.left(0, k)]);
        }
        for (count, (holds, price)) in (1..).zip(ending) {
            for k in 1..=self.most + 1 {
                monitor.poll()?;
                let sum = self.ended(count, k);
                if count > 1 {
                    clauses.add([!self.ended(count - 1, k), sum]);
                }
                let before = k.checked_sub(*price).filter(|&before| before > 0);
                let before = match before {
                    Some(_) if count == 1 => continue,
                    before => before.map(|before| !self.ended(count - 1, before)),
                };
                clauses.add(holds.iter().map(|&lit| !lit).chain(before).chain([sum]));
            }
        }
        for k in 1..=self.most + 1 {
            let left = (k <= self.most).then(|| self.left(0, k));
            clauses.add([!self.ended(ending.len(), k)].into_iter().chain(left));
        }
        Ok(())
    }

    /// The formula of a part: first the clauses of the transition, then those of the cubes.
    ///
    /// # Errors
    /// The limit that struck.
    pub fn formula(&self, part: Obligation, monitor: &mut Monitor<'_>) -> Result<ClauseList, Stop> {
        let steps = if part == Obligation::Consecution { 2 * self.len() } else { self.len() };
        monitor.begin(format!("compiling {}", part.name()), steps as u64)?;
        let inner = match part {
            Obligation::Consecution => &self.step,
            Obligation::Initiation => &self.start,
            Obligation::Safety => &self.goal,
        };
        let variables = self.before_cubes() + self.len();
        let mut formula = inner.clone().over(variables);
        match part {
            Obligation::Initiation => {
                let spent = matches!(self.costs, CostModel::Priced { spent: true, .. });
                for k in 1..=self.most {
                    monitor.poll()?;
                    let left = self.left(0, k);
                    if k == self.most && self.tie.is_some() {
                        // One less, or the tie-break counts.
                        formula.add([!self.tied(0), left]);
                        formula.add([self.tied(0), !left]);
                    } else {
                        formula.add([if spent { !left } else { left }]);
                    }
                }
                for k in 1..=self.tie.map_or(0, |(most, _)| most) {
                    monitor.poll()?;
                    formula.add([self.tie_left(0, k)]);
                }
                if self.most == 0 && self.tie.is_some() {
                    formula.add([self.tied(0)]);
                }
            }
            Obligation::Safety => self.end(&mut formula, monitor)?,
            Obligation::Consecution => self.registers(&mut formula, monitor)?,
        }
        if let Some(rest) = self.rest() {
            let layers = if part == Obligation::Consecution { 2 } else { 1 };
            for layer in 0..layers {
                rest.define_ends(layer, &mut formula, monitor)?;
            }
            for layer in 0..layers {
                rest.define(layer, &mut formula, monitor)?;
            }
        }
        if part != Obligation::Initiation {
            for index in 0..self.len() {
                monitor.tick()?;
                for lit in self.lits(0, index) {
                    formula.add([!self.chosen(index), lit]);
                }
            }
            formula.add((0..self.len()).map(|index| self.chosen(index)));
        }
        let layer = match part {
            Obligation::Initiation => 0,
            Obligation::Safety => return Ok(formula),
            Obligation::Consecution => 1,
        };
        for index in 0..self.len() {
            monitor.tick()?;
            formula.add(self.lits(layer, index).into_iter().map(|lit| !lit));
        }
        Ok(formula)
    }
}

/// Adds a register between two steps: what a paid step takes. `only` says when a step must not
/// take more than is left; always if it says nothing.
fn register(
    paid: StepCost,
    most: u32,
    left: impl Fn(Step, u32) -> Lit,
    only: Option<Lit>,
    clauses: &mut ClauseList,
    monitor: &mut Monitor<'_>,
) -> Result<(), Stop> {
    let (if_paid, if_free) = match paid {
        StepCost::Always => (None, None),
        StepCost::If(paid) => (Some(!paid), Some(paid)),
    };
    let with = |premise: Option<Lit>, lits: &[Lit]| -> Vec<Lit> {
        premise.into_iter().chain(lits.iter().copied()).collect()
    };
    let needed = |least: &[Lit]| -> Vec<Lit> {
        if_paid.into_iter().chain(only.map(|only| !only)).chain(least.iter().copied()).collect()
    };
    if most == 0 {
        clauses.add(needed(&[]));
        return Ok(());
    }
    clauses.add(needed(&[left(0, 1)]));
    for k in 1..=most {
        monitor.poll()?;
        let (before, after) = (left(0, k), left(1, k));
        if k < most {
            let more = left(0, k + 1);
            clauses.add([before, !more]);
            clauses.add(with(if_paid, &[!after, more]));
            clauses.add(with(if_paid, &[after, !more]));
        } else {
            clauses.add(with(if_paid, &[!after]));
        }
        if if_free.is_some() {
            clauses.add(with(if_free, &[!after, before]));
            clauses.add(with(if_free, &[after, !before]));
        }
    }
    Ok(())
}
