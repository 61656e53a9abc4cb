//! One puzzle joined with its encoding and its search space, behind one object-safe trait.
//!
//! Only this module can make a [`Verified`] solution, and it makes one only after the rules crate
//! has replayed it; everything that is reported as a solution is one.

use crate::backend::Clauses;
use crate::closed::ClosedSet;
use crate::closed::check::{Looked, NotProved};
use crate::closed::close::{Closing, NotClosed};
use crate::closed::lrat::{Formulas, NotWritten};
use crate::invariant::CubeList;
use crate::invariant::formulas::Induction;
use crate::invariant::reverse::{self, NotFound};
use crate::laws;
use crate::limits::{Limits, Stop};
use crate::play::Play;
use crate::search::{Effort, Strategy};
use crate::watch::Watch;
use std::fmt;
use std::marker::PhantomData;
use std::sync::OnceLock;
use unstuck_encodings::{Assignment, Cnf, Encoding, Filter, Lit, Model, Rule, Step};
use unstuck_puzzles::{
    Facts, Frame, Objective, ParseError, Picture, Puzzle, Reading, Recording, Shots, Style, Tally,
    Violation,
};

/// The goal literals of the last layer.
pub const GOAL: Rule = Rule::defining("goal");

/// Clauses that [`Encoding::refine`] found: implied by the puzzle, added when needed.
pub const CUT: Rule = Rule::defining("cut");

/// Clauses that forbid a solution that is known already.
pub const OTHER: Rule = Rule::defining("other-solution");

/// A solution that the rules crate has replayed and accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    text: String,
    tally: Tally,
    facts: Facts,
}

impl Verified {
    /// The solution in the family's notation.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its length.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// What else is to be said of it: a score, say.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }
}

/// Why a text is not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotVerified {
    /// It is not a solution text at all.
    Unreadable(ParseError),
    /// It breaks a rule, or does not solve the puzzle.
    Wrong(Violation),
}

impl fmt::Display for NotVerified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Wrong(violation) => violation.fmt(f),
        }
    }
}

/// A replay of any solution text, right or wrong.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The judge's word.
    pub verdict: Result<Verified, Violation>,
    /// The text in the family's own notation.
    pub text: String,
    /// The stages, when they were asked for.
    pub frames: Vec<Frame>,
    /// The last position, as far as the moves go.
    pub last: Option<Picture>,
    /// What else is to be said of it.
    pub facts: Facts,
}

/// An answer of a solver that the rules crate refuses: a mistake of ours, never shown as a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

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

/// A compiled question.
pub trait Formula: Clauses + Send {
    /// The rule of a clause (numbered from 0).
    fn rule(&self, clause: usize) -> Rule;

    /// The name of a variable (numbered from 1).
    fn variable_name(&self, number: u32) -> String;

    /// Every rule that has or would have a clause.
    fn rules(&self) -> Vec<Rule>;

    /// Decodes a model and has it judged.
    ///
    /// # Errors
    /// When the model means no solution: a mistake of ours.
    fn read(&self, model: &Model) -> Result<Verified, Fault>;

    /// Adds the clauses that [`Encoding::refine`] finds missing; how many. None means that the
    /// model may be read.
    fn refine(&mut self, model: &Model) -> usize;

    /// The clauses that [`Formula::refine`] added: their numbers (from 0) and names.
    fn cuts(&self) -> &[(usize, String)];

    /// Adds a clause if [`Encoding::is_cut`] accepts it; `false` when it does not.
    fn cut(&mut self, clause: &[Lit]) -> bool;

    /// See [`Encoding::prefer`].
    fn prefer(&mut self) -> bool;

    /// Adds a clause that forbids the solution of a model; `false` when the encoding cannot.
    fn exclude(&mut self, model: &Model) -> bool;
}

/// The transition system of a puzzle, for the four-section DIMSPEC form: variables of one layer
/// are numbered from 1 to n, those of the next layer from n + 1.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// Names of the variables of a layer.
    pub names: Vec<String>,
    /// Clauses that hold in layer 0.
    pub initial: Vec<Vec<i32>>,
    /// Clauses of a solved layer.
    pub goal: Vec<Vec<i32>>,
    /// Clauses between a layer and the next.
    pub transition: Vec<Vec<i32>>,
}

/// How an explicit search ended, with its plan judged.
#[derive(Clone, Debug)]
pub enum SearchEnd {
    /// A plan; a shortest one unless the search was weighted.
    Found(Verified),
    /// There is none (within the cap, if there was one).
    Exhausted,
    /// A limit struck.
    Stopped(Stop),
    /// The search found a plan that the rules refuse: a mistake of ours.
    Fault(Fault),
}

/// An explicit search that has ended.
#[derive(Clone, Debug)]
pub struct Searched {
    /// How it ended.
    pub end: SearchEnd,
    /// What it took, and the lower bound that it showed.
    pub effort: Effort,
    /// The bound that pruned, by name.
    pub bound: Option<&'static str>,
}

/// One puzzle under one reading of its rules and one objective.
pub trait Instance: Send + Sync {
    /// Name of the family.
    fn family(&self) -> &'static str;

    /// The objective.
    fn objective(&self) -> Objective;

    /// Name of the reading; empty where there is only one.
    fn reading(&self) -> &'static str;

    /// Name of the encoding.
    fn encoding(&self) -> &'static str;

    /// The puzzle in its own format.
    fn text(&self) -> String;

    /// Facts about the puzzle.
    fn facts(&self) -> Facts;

    /// See [`Encoding::looser`].
    fn looser(&self) -> Vec<(&'static str, &'static str)>;

    /// See [`Encoding::facts`].
    fn encoding_facts(&self) -> Facts;

    /// See [`Puzzle::record`]; `None` where the family has no interchange format.
    fn record(&self, solution: &Verified, recording: Recording<'_>) -> Option<String>;

    /// The board, solved when a solution is given.
    fn picture(&self, solution: Option<&Verified>, style: Style) -> Option<Picture>;

    /// Reads and judges a solution.
    ///
    /// # Errors
    /// When the text is no solution text, or the solution is wrong.
    fn verify(&self, text: &str) -> Result<Verified, NotVerified>;

    /// Replays any solution text; stages only where `shots` asks for them. The last position is
    /// drawn in `style`.
    ///
    /// # Errors
    /// When the text is no solution text.
    fn replay(
        &self,
        text: &str,
        style: Style,
        shots: Option<Shots>,
    ) -> Result<Replayed, ParseError>;

    /// See [`Encoding::lower_bound`].
    fn lower_bound(&self) -> Option<Step>;

    /// See [`Encoding::hopeless`].
    fn hopeless(&self) -> Option<String>;

    /// See [`Encoding::after`].
    fn after(&self, refuted: Step) -> Step;

    /// See [`Encoding::enough`].
    fn enough(&self) -> Option<Step>;

    /// Compiles a question within limits: on large levels with far horizons that takes longer
    /// than a short time limit.
    ///
    /// # Errors
    /// The limit that struck.
    fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, Stop>;

    /// Compiles a question.
    fn formula(&self, question: &Question) -> Box<dyn Formula + '_> {
        let formula = self.formula_within(question, &Limits::none());
        formula.unwrap_or_else(|stop| unreachable!("stopped by the {stop} without a limit"))
    }

    /// The transition system, strengthening left out unless the filter keeps it; `None` for
    /// families without time.
    fn layers(&self, filter: &Filter) -> Option<Layers>;

    /// Whether explicit search is possible.
    fn searchable(&self) -> bool;

    /// Searches explicitly. Call only when [`Instance::searchable`].
    fn search(
        &self,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Searched;

    /// Finds a closed set (see [`crate::closed`]). Call only when [`Instance::searchable`].
    ///
    /// # Errors
    /// When a limit strikes, or the claim is false.
    fn close(
        &self,
        closing: Closing,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Result<ClosedSet, NotClosed>;

    /// Verifies a closed set from the rules.
    ///
    /// # Errors
    /// What is missing from the list.
    fn check_closed(&self, set: &ClosedSet, watch: &mut Watch<'_>) -> Result<Looked, NotProved>;

    /// The formulas of a closed set.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn closed_formulas(
        &self,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten>;

    /// Finds an invariant that shows that there is no solution (see [`crate::invariant`]). Call
    /// only when [`Instance::searchable`].
    ///
    /// # Errors
    /// When a limit strikes, or there is a solution.
    fn invariant(
        &self,
        limits: &Limits,
        progress: &mut dyn FnMut(reverse::Effort),
    ) -> Result<CubeList, NotFound>;

    /// The formulas of a list of cubes.
    ///
    /// # Errors
    /// What is no list of this puzzle.
    fn induction(&self, list: &CubeList) -> Result<Induction, String>;

    /// Holds encoding and transition to the laws that look inside (see [`crate::laws`]); `seed`
    /// directs random walks.
    ///
    /// # Errors
    /// The law that is broken, and where.
    fn laws(&self, seed: u64) -> Result<(), String>;
}

pub(crate) fn judged<P: Puzzle>(puzzle: &P, solution: &P::Solution) -> Result<Verified, Violation> {
    let tally = puzzle.check(solution)?;
    Ok(Verified { text: solution.to_string(), tally, facts: puzzle.solution_facts(solution) })
}

/// The one implementation of [`Instance`]: a puzzle, an encoding `E`, and what moves it has.
pub struct Joined<E: Encoding, X> {
    reading: Reading<E::Puzzle>,
    objective: Objective,
    /// Made when first needed: a replay needs none.
    encoding: OnceLock<E>,
    play: PhantomData<fn() -> X>,
}

impl<E: Encoding, X: Play<E::Puzzle>> Joined<E, X> {
    /// Joins a puzzle with its encoding.
    pub fn new(reading: Reading<E::Puzzle>, objective: Objective) -> Self {
        Self { reading, objective, encoding: OnceLock::new(), play: PhantomData }
    }

    fn encoded(&self) -> &E {
        self.encoding.get_or_init(|| E::new(&self.reading.puzzle, self.objective))
    }

    fn puzzle(&self) -> &E::Puzzle {
        &self.reading.puzzle
    }
}

impl<E: Encoding + 'static, X: Play<E::Puzzle>> Instance for Joined<E, X> {
    fn family(&self) -> &'static str {
        E::Puzzle::NAME
    }

    fn objective(&self) -> Objective {
        self.objective
    }

    fn reading(&self) -> &'static str {
        self.reading.name
    }

    fn encoding(&self) -> &'static str {
        E::NAME
    }

    fn text(&self) -> String {
        self.puzzle().print()
    }

    fn facts(&self) -> Facts {
        self.puzzle().facts()
    }

    fn looser(&self) -> Vec<(&'static str, &'static str)> {
        self.encoded().looser()
    }

    fn encoding_facts(&self) -> Facts {
        self.encoded().facts()
    }

    fn record(&self, solution: &Verified, recording: Recording<'_>) -> Option<String> {
        let solution = self.puzzle().read_solution(solution.text()).ok()?;
        self.puzzle().record(&solution, recording)
    }

    fn picture(&self, solution: Option<&Verified>, style: Style) -> Option<Picture> {
        let solution = solution.and_then(|s| self.puzzle().read_solution(s.text()).ok());
        self.puzzle().picture(solution.as_ref(), style)
    }

    fn verify(&self, text: &str) -> Result<Verified, NotVerified> {
        let solution = self.puzzle().read_solution(text).map_err(NotVerified::Unreadable)?;
        judged(self.puzzle(), &solution).map_err(NotVerified::Wrong)
    }

    fn replay(
        &self,
        text: &str,
        style: Style,
        shots: Option<Shots>,
    ) -> Result<Replayed, ParseError> {
        let puzzle = self.puzzle();
        let solution = puzzle.read_solution(text)?;
        Ok(Replayed {
            verdict: judged(puzzle, &solution),
            text: solution.to_string(),
            frames: shots.map_or_else(Vec::new, |shots| puzzle.frames(&solution, shots)),
            last: puzzle.picture(Some(&solution), style),
            facts: puzzle.solution_facts(&solution),
        })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.encoded().lower_bound()
    }

    fn hopeless(&self) -> Option<String> {
        self.encoded().hopeless()
    }

    fn after(&self, refuted: Step) -> Step {
        self.encoded().after(refuted)
    }

    fn enough(&self) -> Option<Step> {
        self.encoded().enough()
    }

    fn formula_within(
        &self,
        question: &Question,
        limits: &Limits,
    ) -> Result<Box<dyn Formula + '_>, Stop> {
        let go_on = || limits.reached_any().map_or(Ok(()), Err);
        go_on()?;
        let encoding = self.encoded();
        let mut cnf = Cnf::new(question.filter.clone());
        encoding.start(&mut cnf);
        for t in 0..question.horizon {
            go_on()?;
            encoding.step(t, &mut cnf);
        }
        for lit in encoding.goal(question.horizon, &mut cnf) {
            cnf.add(GOAL, [lit]);
        }
        go_on()?;
        encoding.windows(question.horizon, &mut cnf);
        go_on()?;
        encoding.at_least(question.at_least.min(question.horizon), &mut cnf);
        if let Some(cap) = question.secondary {
            encoding.cap_secondary(question.horizon, cap, &mut cnf);
        }
        go_on()?;
        let (puzzle, horizon) = (self.puzzle(), question.horizon);
        Ok(Box::new(Compiled { puzzle, encoding, cnf, horizon, cuts: Vec::new() }))
    }

    fn layers(&self, filter: &Filter) -> Option<Layers> {
        X::MOVES.then(|| crate::dimspec::layers(self.encoded(), filter))
    }

    fn searchable(&self) -> bool {
        X::MOVES
    }

    fn search(
        &self,
        strategy: Strategy,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Searched {
        X::search(self.puzzle(), self.objective, strategy, limits, progress)
    }

    fn close(
        &self,
        closing: Closing,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Result<ClosedSet, NotClosed> {
        X::close(self.puzzle(), self.objective, closing, limits, progress)
    }

    fn check_closed(&self, set: &ClosedSet, watch: &mut Watch<'_>) -> Result<Looked, NotProved> {
        X::check_closed(self.puzzle(), self.objective, set, watch)
    }

    fn closed_formulas(
        &self,
        set: &ClosedSet,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten> {
        X::formulas(self.puzzle(), self.objective, set, watch)
    }

    fn invariant(
        &self,
        limits: &Limits,
        progress: &mut dyn FnMut(reverse::Effort),
    ) -> Result<CubeList, NotFound> {
        X::invariant(self.puzzle(), self.objective, limits, progress)
    }

    fn induction(&self, list: &CubeList) -> Result<Induction, String> {
        X::induction(self.puzzle(), self.objective, list)
    }

    fn laws(&self, seed: u64) -> Result<(), String> {
        laws::numbering(self.encoded())?;
        if X::MOVES {
            laws::layers(self.encoded())?;
        }
        X::laws(self.puzzle(), self.objective, seed)
    }
}

struct Compiled<'a, E: Encoding> {
    puzzle: &'a E::Puzzle,
    encoding: &'a E,
    cnf: Cnf<E::Var>,
    horizon: Step,
    /// Clauses from [`Encoding::refine`]: number and name.
    cuts: Vec<(usize, String)>,
}

impl<E: Encoding> Clauses for Compiled<'_, E> {
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

impl<E: Encoding> Formula for Compiled<'_, E> {
    fn rule(&self, clause: usize) -> Rule {
        self.cnf.rule(clause)
    }

    fn variable_name(&self, number: u32) -> String {
        self.cnf.atom(number).map(ToString::to_string).unwrap_or_default()
    }

    fn rules(&self) -> Vec<Rule> {
        self.cnf.rules().iter().copied().collect()
    }

    fn read(&self, model: &Model) -> Result<Verified, Fault> {
        let assignment = Assignment { cnf: &self.cnf, model };
        let solution = self
            .encoding
            .decode(self.horizon, assignment)
            .map_err(|error| Fault(format!("the model cannot be decoded: {error}")))?;
        judged(self.puzzle, &solution)
            .map_err(|violation| Fault(format!("the plan {solution} is refused: {violation}")))
    }

    fn refine(&mut self, model: &Model) -> usize {
        let cuts = self.encoding.refine(Assignment { cnf: &self.cnf, model });
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
        let sound = self.encoding.is_cut(clause, &self.cnf);
        if sound {
            self.cnf.add(CUT, clause.iter().copied());
        }
        sound
    }

    fn prefer(&mut self) -> bool {
        self.encoding.prefer(&mut self.cnf)
    }

    fn exclude(&mut self, model: &Model) -> bool {
        let lits = self.encoding.distinguish(Assignment { cnf: &self.cnf, model });
        if lits.is_empty() {
            return false;
        }
        self.cnf.add(OTHER, lits.into_iter().map(|lit| !lit));
        true
    }
}
