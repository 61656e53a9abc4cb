//! What all solutions of a puzzle without moves have in common, one deduction after the other.
//!
//! Deductions are made on the clauses of the puzzle, the easy ones first:
//!
//! * *direct*: one clause of which all other literals are false;
//! * *contradiction*: the opposite is assumed, clauses are followed one by one, and one of them
//!   fails. Of all such deductions the one is made that takes fewest clauses;
//! * *search*: the opposite is refuted by the solver only.
//!
//! A step names the rules of the clauses that it took, so that it can be followed on the board. How
//! many steps of which kind a puzzle takes is a measure of how hard it is for a person.

use crate::backend::Backend;
use crate::instance::{Formula, Instance, Question};
use crate::limits::{Limits, Monitor, Stop};
use crate::report::marks::{self, Mark};
use crate::solve::{SatOutcome, SolveError, SolveStats, answer};
use serde::Serialize;
use std::collections::BTreeSet;
use unstuck_encodings::{Lit, Model};
use unstuck_puzzles::pieces::Coord;

/// How a fact was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum DeductionMethod {
    /// One clause says it.
    Direct,
    /// The opposite leads to a contradiction by following clauses.
    Contradiction,
    /// The opposite was refuted by search.
    Search,
}

/// A fact that holds in all solutions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct DeducedFact {
    /// The name of the variable, such as `joined(0,1;0,2)`.
    #[serde(rename = "fact")]
    pub name: String,
    /// Whether it is true or false.
    pub value: bool,
    /// How it was found.
    pub how: DeductionMethod,
    /// Clauses that the step took; 0 for search.
    pub clauses: usize,
    /// Their rules.
    pub rules: Vec<&'static str>,
}

/// What all solutions of a puzzle without moves have in common.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct ForcedFacts {
    /// How much all solutions have in common.
    pub sentence: String,
    /// How they were found.
    #[serde(flatten)]
    pub figures: Deductions,
    /// The facts, in the order in which they were found.
    pub steps: Vec<DeducedFact>,
    /// Facts of the first solution that do not hold in all, where that is known.
    pub open: Option<Vec<String>>,
}

/// How hard it is to find out what all solutions have in common.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct Deductions {
    /// Whether there is a solution.
    pub solvable: Option<bool>,
    /// Whether there is one alone.
    pub unique: Option<bool>,
    /// Facts that one clause says.
    pub direct: usize,
    /// Facts whose opposite leads to a contradiction.
    pub contradiction: usize,
    /// Facts whose opposite was refuted by search.
    pub search: usize,
    /// Clauses of the largest step.
    pub largest: Option<usize>,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

/// Deduces what all solutions have in common.
///
/// # Errors
/// When the solver fails.
pub fn forced(
    instance: &dyn Instance,
    backend: &dyn Backend,
    limits: &Limits,
) -> Result<ForcedFacts, SolveError> {
    let mut known = ForcedFacts::default();
    let stop = deduce(instance, backend, limits, &mut known)?;
    let of = |how| known.steps.iter().filter(|step| step.how == how).count();
    known.figures = Deductions {
        unique: known.open.as_ref().map(Vec::is_empty),
        direct: of(DeductionMethod::Direct),
        contradiction: of(DeductionMethod::Contradiction),
        search: of(DeductionMethod::Search),
        largest: known.steps.iter().map(|step| step.clauses).max(),
        stop,
        ..known.figures
    };
    known.sentence = sentence(&known);
    Ok(known)
}

/// What all solutions of a puzzle without moves have in common.
fn sentence(answer: &ForcedFacts) -> String {
    let facts = match answer.steps.len() {
        1 => "1 fact holds in all solutions".to_owned(),
        steps => format!("{steps} facts hold in all solutions"),
    };
    match (answer.figures.solvable, &answer.open, answer.figures.stop) {
        (Some(false), ..) => "there is no solution".to_owned(),
        (Some(true), Some(open), _) if open.is_empty() => {
            format!("{facts}: that is the whole solution, the only one")
        }
        (Some(true), Some(open), _) => {
            let others = match open.len() {
                1 => "1 fact of the first solution does not".to_owned(),
                others => format!("{others} facts of the first solution do not"),
            };
            format!("{facts}; {others}")
        }
        (_, _, Some(stop)) => format!("{facts}; unknown what else does: {stop}"),
        _ => format!("{facts}; unknown what else does"),
    }
}

/// Deduces as much as limits allow; the one that struck.
fn deduce(
    instance: &dyn Instance,
    backend: &dyn Backend,
    limits: &Limits,
    known: &mut ForcedFacts,
) -> Result<Option<Stop>, SolveError> {
    let mut formula = match instance.formula_within(&Question::default(), limits) {
        Ok(formula) => formula,
        Err(error) => return SolveError::stopped(error).map(Some),
    };
    let mut work = SolveStats::default();
    let model = match answer(formula.as_mut(), None, backend, limits, &mut work)? {
        SatOutcome::Solution { model, .. } => model,
        SatOutcome::Refuted => {
            known.figures.solvable = Some(false);
            return Ok(None);
        }
        SatOutcome::Stopped(stop) => return Ok(Some(stop)),
    };
    known.figures.solvable = Some(true);
    let mut deduction = Deducer::new(formula.as_ref(), model);
    let mut differing: BTreeSet<u32> = BTreeSet::new();
    loop {
        if let Some(stop) = deduction.easy_steps(&mut known.steps, limits) {
            return Ok(Some(stop));
        }
        let Some(lit) = deduction.undecided().find(|lit| !differing.contains(&lit.number())) else {
            break;
        };
        let mut opposite = match instance.formula_within(&Question::default(), limits) {
            Ok(formula) => formula,
            Err(error) => return SolveError::stopped(error).map(Some),
        };
        opposite.assume(!lit);
        match answer(opposite.as_mut(), None, backend, limits, &mut work)? {
            SatOutcome::Refuted => deduction.learn_by_search(lit, &mut known.steps),
            SatOutcome::Solution { model, .. } => {
                // Whatever differs between the two solutions is settled with it.
                let differs = |lit: &Lit| !model.holds(*lit);
                differing.extend(deduction.undecided().filter(differs).map(Lit::number));
            }
            SatOutcome::Stopped(stop) => return Ok(Some(stop)),
        }
    }
    let open = deduction.undecided().filter(|lit| lit.is_positive());
    known.open = Some(open.map(|lit| name_of(formula.as_ref(), lit)).collect());
    Ok(None)
}

/// The clauses of a puzzle, and what has been deduced from them.
struct Deducer<'a> {
    formula: &'a dyn Formula,
    clauses: Vec<Vec<Lit>>,
    /// Clauses in which a literal stands, by [`Lit::code`].
    containing: Vec<Vec<u32>>,
    /// For each variable whether it is known to be what it is in the model.
    known: Vec<bool>,
    /// The literals of the board, as they are in the model.
    board: Vec<Lit>,
    model: Model,
}

/// A run of propagation under an assumption.
struct Run {
    values: Vec<Option<bool>>,
    reasons: Vec<Option<u32>>,
    queue: Vec<Lit>,
}

/// The name of a variable without the layer: there is only one.
fn name_of(formula: &dyn Formula, lit: Lit) -> String {
    let name = formula.variable_name(lit.number());
    name.strip_suffix("@0").map_or(name.clone(), str::to_owned)
}

impl<'a> Deducer<'a> {
    fn new(formula: &'a dyn Formula, model: Model) -> Self {
        let clauses: Vec<Vec<Lit>> =
            (0..formula.len()).map(|index| formula.clause(index).to_vec()).collect();
        let mut containing = vec![Vec::new(); 2 * formula.variables() + 2];
        for (index, clause) in (0u32..).zip(&clauses) {
            clause.iter().for_each(|&lit| containing[lit.code()].push(index));
        }
        // What the board shows are the variables of the same kind as those that distinguish
        // solutions.
        let kind = |number: u32| {
            let name = formula.variable_name(number);
            name.split('(').next().unwrap_or_default().to_owned()
        };
        let telling = formula.distinguishing(&model);
        let kinds: BTreeSet<String> = telling.iter().map(|lit| kind(lit.number())).collect();
        let board = model.lits().filter(|lit| {
            (lit.number() as usize) <= formula.variables() && kinds.contains(&kind(lit.number()))
        });
        let board = board.collect();
        let known = vec![false; formula.variables() + 1];
        Self { formula, clauses, containing, known, board, model }
    }

    /// Literals of the board that are not known, as they are in the model.
    fn undecided(&self) -> impl Iterator<Item = Lit> + '_ {
        self.board.iter().copied().filter(|lit| !self.known[lit.number() as usize])
    }

    /// All direct steps, and contradictions, until there are no more.
    fn easy_steps(&mut self, steps: &mut Vec<DeducedFact>, limits: &Limits) -> Option<Stop> {
        loop {
            if let Err(stop) = self.direct_steps(steps, limits) {
                return Some(stop);
            }
            let mut best: Option<(Lit, Vec<u32>)> = None;
            for lit in self.undecided() {
                if let Some(stop) = limits.reached() {
                    return Some(stop);
                }
                if let Some(used) = self.contradiction(!lit)
                    && best.as_ref().is_none_or(|(_, least)| used.len() < least.len())
                {
                    best = Some((lit, used));
                }
            }
            let (lit, used) = best?;
            self.note(lit, DeductionMethod::Contradiction, &used, steps);
        }
    }

    /// Follows clauses all of whose literals but one are false.
    fn direct_steps(&mut self, steps: &mut Vec<DeducedFact>, limits: &Limits) -> Result<(), Stop> {
        let mut monitor = Monitor::silent(limits);
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.clauses.len() {
                monitor.poll()?;
                let mut open = self.clauses[index]
                    .iter()
                    .copied()
                    .filter(|&lit| !self.known[lit.number() as usize] || self.model.holds(lit));
                let (Some(lit), None) = (open.next(), open.next()) else { continue };
                if !self.known[lit.number() as usize] {
                    changed = true;
                    self.note(lit, DeductionMethod::Direct, &[index as u32], steps);
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, lit: Lit, how: DeductionMethod, used: &[u32], steps: &mut Vec<DeducedFact>) {
        self.known[lit.number() as usize] = true;
        if !self.board.contains(&lit) {
            return;
        }
        let rules: BTreeSet<&'static str> =
            used.iter().map(|&index| self.formula.rule(index as usize).name).collect();
        steps.push(DeducedFact {
            name: name_of(self.formula, lit),
            value: lit.is_positive(),
            how,
            clauses: used.len(),
            rules: rules.into_iter().collect(),
        });
    }

    fn learn_by_search(&mut self, lit: Lit, steps: &mut Vec<DeducedFact>) {
        self.note(lit, DeductionMethod::Search, &[], steps);
    }

    /// The clauses with which an assumption leads to a contradiction, if following clauses is
    /// enough for that.
    fn contradiction(&self, assumed: Lit) -> Option<Vec<u32>> {
        let variables = self.known.len();
        let mut run =
            Run { values: vec![None; variables], reasons: vec![None; variables], queue: vec![] };
        run.values[assumed.number() as usize] = Some(assumed.is_positive());
        run.queue.push(assumed);
        let mut done = 0;
        while let Some(&lit) = run.queue.get(done) {
            done += 1;
            for &index in &self.containing[(!lit).code()] {
                match self.look(index, &run) {
                    PropagationResult::Failed => return Some(self.derivation(index, &run)),
                    PropagationResult::Says(lit) => {
                        run.values[lit.number() as usize] = Some(lit.is_positive());
                        run.reasons[lit.number() as usize] = Some(index);
                        run.queue.push(lit);
                    }
                    PropagationResult::Nothing => {}
                }
            }
        }
        None
    }

    /// What a clause says under what is known and assumed.
    fn look(&self, index: u32, run: &Run) -> PropagationResult {
        let mut says = None;
        for &lit in &self.clauses[index as usize] {
            let number = lit.number() as usize;
            let known = self.known[number].then(|| self.model.holds(lit));
            match known.or(run.values[number].map(|value| value == lit.is_positive())) {
                Some(true) => return PropagationResult::Nothing,
                Some(false) => {}
                None if says.is_some() => return PropagationResult::Nothing,
                None => says = Some(lit),
            }
        }
        says.map_or(PropagationResult::Failed, PropagationResult::Says)
    }

    /// The clauses that led to a failed one.
    fn derivation(&self, failed: u32, run: &Run) -> Vec<u32> {
        let mut used = BTreeSet::from([failed]);
        let mut open = vec![failed];
        while let Some(index) = open.pop() {
            for lit in &self.clauses[index as usize] {
                if let Some(reason) = run.reasons[lit.number() as usize]
                    && used.insert(reason)
                {
                    open.push(reason);
                }
            }
        }
        used.into_iter().collect()
    }
}

enum PropagationResult {
    Failed,
    Says(Lit),
    Nothing,
}

/// Steps that all solutions have, by number, to be drawn on the board.
pub fn marks(answer: &ForcedFacts) -> Vec<Mark> {
    let joined = (1..).zip(&answer.steps).filter(|(_, step)| step.value);
    let marks = joined.filter_map(|(number, step)| {
        let places = cells(&step.name)?;
        Some(Mark { places, look: marks::MarkStyle::Idle, label: format!("{number}") })
    });
    marks.collect()
}

/// The two cells of a fact such as `joined(0,1;0,2)`, where they have places.
fn cells(fact: &str) -> Option<Vec<Coord>> {
    let (one, other) = fact.split_once('(')?.1.strip_suffix(')')?.split_once(';')?;
    let place = |name: &str| {
        let (row, column) = name.split_once(',')?;
        Some((row.parse().ok()?, column.parse().ok()?))
    };
    Some(vec![place(one)?, place(other)?])
}
