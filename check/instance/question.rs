//! Questions about a puzzle as formulas, and what their models mean.

use super::verified::{RejectedAnswerError, Verified, judged};
use crate::formula::{ASSUMED, CUT, Clauses, OTHER};
use crate::limits::Stop;
use std::fmt;
use unstuck_encodings::{Assignment, Cnf, Encoding, Filter, Lit, Model, Name, Rule, Step};

/// What a formula asks.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Solved within this many steps.
    pub horizon: Step,
    /// Rules that are left out.
    pub filter: Filter,
    /// The most that the tie-break of the objective may be, if it is capped.
    pub secondary: Option<u32>,
    /// Shorter plans than this were ruled out before, so that none need be looked for.
    pub at_least: Step,
}

impl Question {
    /// The question for a horizon, with all rules.
    pub fn within(horizon: Step) -> Self {
        Self { horizon, ..Self::default() }
    }
}

/// Why there is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaError {
    /// A limit struck while it was compiled.
    Stopped(Stop),
    /// The encoding refuses the puzzle, and why.
    Refused(String),
}

impl FormulaError {
    /// The limit that struck, if one did.
    pub fn stop(&self) -> Option<Stop> {
        match self {
            Self::Stopped(stop) => Some(*stop),
            Self::Refused(_) => None,
        }
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => stop.fmt(f),
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for FormulaError {}

impl From<Stop> for FormulaError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// A compiled question.
pub trait Formula: Clauses + Send {
    /// The rule of a clause (numbered from 0).
    fn rule(&self, clause: usize) -> Rule;

    /// The name of a variable (numbered from 1).
    fn variable_name(&self, number: u32) -> String;

    /// What the variables mean, as the comments of its file say it.
    fn names(&self) -> Box<dyn Iterator<Item = String> + '_> {
        let numbers = 1..=self.variables() as u32;
        Box::new(numbers.map(|number| format!("v {number} {}", self.variable_name(number))))
    }

    /// Every rule that has or would have a clause.
    fn rules(&self) -> Vec<Rule>;

    /// Decodes a model and has it judged.
    ///
    /// # Errors
    /// When the model means no solution: an internal error.
    fn read(&self, model: &Model) -> Result<Verified, RejectedAnswerError>;

    /// Adds the clauses that [`Cuts::missing`](unstuck_encodings::Cuts::missing) finds; how many. None means that the
    /// model may be read.
    fn refine(&mut self, model: &Model) -> usize;

    /// The clauses that [`Formula::refine`] added: their numbers (from 0) and names.
    fn cuts(&self) -> &[(usize, String)];

    /// Adds a clause if [`Cuts::is_cut`](unstuck_encodings::Cuts::is_cut) accepts it; `false` when it does not.
    fn cut(&mut self, clause: &[Lit]) -> bool;

    /// The variables that are worth trying, as literals: see
    /// [`EncodingExtras::is_probe_candidate`](unstuck_encodings::EncodingExtras::is_probe_candidate).
    fn probe_candidates(&self) -> Vec<Lit>;

    /// See [`EncodingExtras::prefer`](unstuck_encodings::EncodingExtras::prefer).
    fn prefer(&mut self) -> bool;

    /// See [`Reduction::reduce`](unstuck_encodings::Reduction::reduce).
    fn reduce(&mut self) -> bool;

    /// See [`Reduction::is_rigid`](unstuck_encodings::Reduction::is_rigid).
    fn is_rigid(&self, model: &Model) -> bool;

    /// Adds a clause that forbids the solution of a model; `false` when the encoding cannot.
    fn block(&mut self, model: &Model) -> bool;

    /// See [`Encoding::projection`].
    fn distinguishing(&self, model: &Model) -> Vec<Lit>;

    /// Asks for solutions only in which a literal is true.
    fn assume(&mut self, lit: Lit);
}

/// The one implementation of [`Formula`].
pub(super) struct CompiledQuestion<'a, E: Encoding> {
    puzzle: &'a E::Puzzle,
    encoding: &'a E,
    cnf: Cnf<E::Var>,
    horizon: Step,
    /// Clauses from [`Formula::refine`]: number and name.
    cuts: Vec<(usize, String)>,
}

impl<'a, E: Encoding> CompiledQuestion<'a, E> {
    /// A formula whose clauses ask for a solution within a horizon.
    pub(super) fn new(
        puzzle: &'a E::Puzzle,
        encoding: &'a E,
        cnf: Cnf<E::Var>,
        horizon: Step,
    ) -> Self {
        Self { puzzle, encoding, cnf, horizon, cuts: Vec::new() }
    }
}

impl<E: Encoding> Clauses for CompiledQuestion<'_, E> {
    fn variables(&self) -> usize {
        self.cnf.variables()
    }

    fn len(&self) -> usize {
        self.cnf.len()
    }

    fn clause(&self, index: usize) -> &[Lit] {
        self.cnf.clause(index)
    }
}

impl<E: Encoding> Formula for CompiledQuestion<'_, E> {
    fn rule(&self, clause: usize) -> Rule {
        self.cnf.rule(clause)
    }

    fn variable_name(&self, number: u32) -> String {
        let named = |variable: &E::Var| (E::EXTRAS.name)(self.encoding, variable);
        self.cnf.atom(number).map(|atom| atom.named(named)).unwrap_or_default()
    }

    fn rules(&self) -> Vec<Rule> {
        self.cnf.rules().iter().copied().collect()
    }

    fn read(&self, model: &Model) -> Result<Verified, RejectedAnswerError> {
        let assignment = Assignment { cnf: &self.cnf, model };
        let solution = self.encoding.decode(self.horizon, assignment).map_err(|error| {
            RejectedAnswerError(format!("the model cannot be decoded: {error}"))
        })?;
        judged(self.puzzle, &solution)
            .map_err(|violation| RejectedAnswerError::refused(&solution, &violation))
    }

    fn refine(&mut self, model: &Model) -> usize {
        let Some(cuts) = E::EXTRAS.cuts else { return 0 };
        let cuts = (cuts.missing)(self.encoding, Assignment { cnf: &self.cnf, model });
        let count = cuts.len();
        for (name, clause) in cuts {
            self.cuts.push((self.cnf.len(), name));
            self.cnf.add(CUT, clause);
        }
        count
    }

    fn cuts(&self) -> &[(usize, String)] {
        &self.cuts
    }

    fn cut(&mut self, clause: &[Lit]) -> bool {
        let cuts = E::EXTRAS.cuts;
        let sound = cuts.is_some_and(|it| (it.is_cut)(self.encoding, clause, &self.cnf));
        if sound {
            self.cnf.add(CUT, clause.iter().copied());
        }
        sound
    }

    fn probe_candidates(&self) -> Vec<Lit> {
        let is_tried = |number: i32| {
            let atom = self.cnf.atom(number as u32)?;
            let Name::Of(variable) = &atom.name else { return None };
            Lit::from_dimacs(number)
                .filter(|_| (E::EXTRAS.is_probe_candidate)(self.encoding, variable))
        };
        (1..=self.cnf.variables() as i32).filter_map(is_tried).collect()
    }

    fn prefer(&mut self) -> bool {
        (E::EXTRAS.prefer)(self.encoding, &mut self.cnf)
    }

    fn reduce(&mut self) -> bool {
        E::EXTRAS.reduction.is_some_and(|it| (it.reduce)(self.encoding, &mut self.cnf))
    }

    fn is_rigid(&self, model: &Model) -> bool {
        let assignment = Assignment { cnf: &self.cnf, model };
        E::EXTRAS.reduction.is_some_and(|it| (it.is_rigid)(self.encoding, assignment))
    }

    fn block(&mut self, model: &Model) -> bool {
        let lits = self.distinguishing(model);
        if lits.is_empty() {
            return false;
        }
        self.cnf.add(OTHER, lits.into_iter().map(|lit| !lit));
        true
    }

    fn distinguishing(&self, model: &Model) -> Vec<Lit> {
        self.encoding.projection(Assignment { cnf: &self.cnf, model })
    }

    fn assume(&mut self, lit: Lit) {
        self.cnf.add(ASSUMED, [lit]);
    }
}
