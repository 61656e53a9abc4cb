//! What is known at the end of a run, and what showed it.

use crate::instance::{DeadPieces, Instance, Verified};
use crate::limits::Stop;
use crate::search::SearchStats;
use std::fmt;
use std::time::Duration;
use unstuck_check::certificate::Claim;
use unstuck_encodings::Step;
use unstuck_puzzles::Objective;

/// What showed a lower bound, or that there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Justification {
    /// Explicit search closed everything below, pruning by the named bound.
    Search {
        /// The bound, if one pruned.
        bound: Option<&'static str>,
    },
    /// The same from the end: it closed everything from which the goal is nearer.
    Backward {
        /// The bound, if one pruned.
        bound: Option<&'static str>,
    },
    /// A SAT solver refuted the horizon below.
    Refutation {
        /// The solver.
        backend: String,
        /// The refuted horizon; `None` where the puzzle has no time.
        horizon: Option<Step>,
    },
    /// Unit propagation refutes the clauses, with literals that failed one by one.
    FailedLiterals,
    /// A SAT solver refuted every step that would stray from what was shown too far from the goal,
    /// one question for each class of states.
    Steps {
        /// The solver.
        backend: String,
        /// Classes that were asked about.
        classes: usize,
    },
    /// The encoding's admissible bound alone.
    Bound(String),
    /// An invariant of so many cubes, found by reverse reachability, excludes the goal.
    Invariant(usize),
    /// So many dead patterns, judged by the rules; none where the potential alone does it.
    Patterns(usize),
}

impl fmt::Display for Justification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search { bound: None } => f.write_str("exhaustive search"),
            Self::Search { bound: Some(name) } => {
                write!(f, "exhaustive search with the bound {name}")
            }
            Self::Backward { bound: None } => f.write_str("exhaustive search from the end"),
            Self::Backward { bound: Some(name) } => {
                write!(f, "exhaustive search from the end with the bound {name}")
            }
            Self::Refutation { backend, horizon: Some(horizon) } => {
                write!(f, "{backend} refuting horizon {horizon}")
            }
            Self::Refutation { backend, horizon: None } => {
                write!(f, "{backend} refuting the puzzle's clauses")
            }
            Self::FailedLiterals => f.write_str("failed literals of the puzzle's clauses"),
            Self::Steps { backend, classes } => {
                write!(f, "{backend} refuting a step from each of {classes} positions")
            }
            Self::Bound(reason) => f.write_str(reason),
            Self::Patterns(0) => f.write_str("the potential of the matching"),
            Self::Patterns(1) => f.write_str("1 dead pattern"),
            Self::Patterns(patterns) => write!(f, "{patterns} dead patterns"),
            Self::Invariant(1) => f.write_str("an invariant of 1 cube"),
            Self::Invariant(cubes) => write!(f, "an invariant of {cubes} cubes"),
        }
    }
}

/// The word that stands at the end, with its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A replayed plan.
    Solved,
    /// No horizon will do.
    Unsolvable,
    /// No solution of at most this length; nothing is said of longer ones.
    NoSolutionWithin(Step),
    /// A limit struck first; `None` where no work has ended yet.
    Unknown(Option<Stop>),
}

impl Verdict {
    /// The exit code that the documentation promises.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Solved => 0,
            Self::Unsolvable => 20,
            Self::NoSolutionWithin(_) => 21,
            Self::Unknown(_) => 30,
        }
    }

    /// The word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::NoSolutionWithin(_) => "no-solution-within",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// A horizon that was put to a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HorizonStats {
    /// The horizon.
    pub horizon: Step,
    /// The cap on the tie-break, if there was one.
    pub secondary: Option<u32>,
    /// Number of variables.
    pub variables: usize,
    /// Number of clauses.
    pub clauses: usize,
    /// `sat`, `unsat` or the limit that struck.
    pub answer: &'static str,
    /// Conflicts, where the solver reports them.
    pub conflicts: Option<u64>,
    /// Rounds in which clauses were found missing and added.
    pub rounds: usize,
    /// Wall-clock time of building and solving.
    pub elapsed: Duration,
}

/// The solutions of a puzzle without time that were looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solutions {
    /// Solutions beside the first one.
    pub others: Vec<Verified>,
    /// Whether there are no more: the last question was refuted.
    pub complete: bool,
}

/// What a stage of the schedule did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageReport {
    /// The lane of the schedule.
    pub lane: &'static str,
    /// The engine.
    pub engine: &'static str,
    /// When it began, counted from the beginning of the run.
    pub begun: Duration,
    /// How long it worked.
    pub elapsed: Duration,
    /// What it counted: states that were expanded, nodes, conflicts, by engine.
    pub work: u64,
    /// The limit that ended it; `None` where it had nothing left to say.
    pub stop: Option<Stop>,
}

/// All that is known at the end of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The reading of the rules under which it holds; empty where there is only one.
    pub reading: &'static str,
    /// The best plan found.
    pub best: Option<Verified>,
    /// No solution is shorter than this, in the objective's primary count. Zero under `any`.
    pub lower: u32,
    /// What showed the lower bound, or the unsolvability.
    pub shown: Option<Justification>,
    /// Where there is no solution: pieces for which there is none even alone, as far as that was
    /// found out.
    pub lost: Vec<DeadPieces>,
    /// Whether the plan is shortest in the objective's primary count.
    pub optimal: bool,
    /// Whether its tie-break is least too (true where there is none and the plan is optimal).
    pub tie_optimal: bool,
    /// Further solutions, for families without time.
    pub solutions: Option<Solutions>,
    /// The horizons that were asked.
    pub asked: Vec<HorizonStats>,
    /// What explicit searches did together, if there were any.
    pub stats: Option<SearchStats>,
    /// What each stage of the schedule did, in the order of their ends.
    pub stages: Vec<StageReport>,
    /// The limit that ended the run early, if one did.
    pub stop: Option<Stop>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl Outcome {
    /// Nothing is known yet of a level.
    pub fn new(instance: &dyn Instance) -> Self {
        Self {
            verdict: Verdict::Unknown(None),
            reading: instance.reading(),
            best: None,
            lower: 0,
            shown: None,
            lost: Vec::new(),
            optimal: false,
            tie_optimal: false,
            solutions: None,
            asked: Vec::new(),
            stats: None,
            stages: Vec::new(),
            stop: None,
            elapsed: Duration::ZERO,
        }
    }

    /// What this shows of its level and evidence can support; `None` when it is too little.
    pub fn claim(&self, instance: &dyn Instance) -> Option<Claim> {
        match self.verdict {
            Verdict::Unsolvable => Some(Claim::Unsolvable),
            Verdict::NoSolutionWithin(horizon) => Some(Claim::NothingWithin(horizon)),
            Verdict::Unknown(_) => None,
            Verdict::Solved if instance.moves().is_some() => {
                let best = self.best.as_ref().filter(|_| self.optimal)?;
                Some(Claim::optimal(instance.objective(), best.tally(), self.tie_optimal))
            }
            Verdict::Solved => {
                let solutions = self.solutions.as_ref()?;
                (solutions.complete && solutions.others.is_empty()).then_some(Claim::Unique)
            }
        }
    }

    /// All solutions that were found, the best one first: more than one in families without moves
    /// only.
    pub fn all(&self) -> impl Iterator<Item = &Verified> {
        let others = self.solutions.iter().flat_map(|solutions| &solutions.others);
        self.best.iter().chain(others)
    }

    /// Whether there is no solution (within a horizon).
    pub(super) fn refuted(&self) -> bool {
        matches!(self.verdict, Verdict::Unsolvable | Verdict::NoSolutionWithin(_))
    }

    /// Takes back all that is said of other plans than the best.
    pub(super) fn withdraw(&mut self) {
        (self.verdict, self.lower, self.shown) = (Verdict::Unknown(None), 0, None);
        (self.optimal, self.tie_optimal, self.solutions) = (false, false, None);
        self.lost.clear();
    }

    /// Draws the conclusion; `stop` is what ended the run early, if nothing was settled.
    pub(super) fn conclude(&mut self, stop: Option<Stop>) {
        self.stop = stop;
        if self.best.is_some() {
            self.verdict = Verdict::Solved;
        } else if !self.refuted() {
            self.verdict = Verdict::Unknown(self.stop);
        } else if matches!(self.shown, Some(Justification::Invariant(_))) {
            // An invariant counts nothing: how far others had come is chance.
            self.lower = 0;
        }
    }

    /// Whether nothing is left to find out under an objective.
    pub fn is_settled(&self, objective: Objective) -> bool {
        match (&self.best, self.verdict) {
            (_, Verdict::Unsolvable | Verdict::NoSolutionWithin(_)) => true,
            (Some(_), _) if objective == Objective::Any => true,
            (best, _) => best.is_some() && self.optimal && self.tie_optimal,
        }
    }

    /// Whether a run ends with this: where any plan will do, the plan is still improved.
    pub fn is_final(&self, objective: Objective) -> bool {
        self.is_settled(objective) && (self.best.is_none() || objective != Objective::Any)
    }
}
