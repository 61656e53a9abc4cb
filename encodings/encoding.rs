//! What an encoding is, and the laws that it keeps.

use crate::cnf::{Assignment, Cnf, Lit, Step};
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::patterns::PatternCoord;
use unstuck_puzzles::{Facts, Moves, Objective, Puzzle};

/// A puzzle as clauses, one layer for each point in time.
///
/// The formula of horizon h is `start`, `step(0)` to `step(h - 1)`, the literals of `goal(h)` as
/// units, and `horizon_clauses(h)`. Families without time have the one layer 0, no steps, and are asked
/// with h = 0 only.
///
/// # Laws
/// 1. *Numbering*: names are unique; every DIMACS number has exactly one atom.
/// 2. *Determinism*: the same puzzle gives the same bytes.
/// 3. *Soundness*: what [`Encoding::decode`] returns passes [`Puzzle::check`], at a cost of at
///    most the horizon.
/// 4. *Monotone horizon*: satisfiable at horizon h exactly when a solution of cost **at most** h
///    exists (idle steps fill the rest). So one refutation at h - 1 shows that h is optimal.
/// 5. *Layers*: `step(t)` speaks only of the layers t and t + 1, and its defining clauses are
///    those of `step(0)` shifted by t.
/// 6. *Bounds*: [`Encoding::lower_bound`] never exceeds the true optimum.
/// 7. *Strengthening*: dropping all strengthening rules changes no verdict; dropping a defining
///    rule makes some test fail.
/// 8. *States* ([`Transition`] only): a state and a legal move give the successor's literals by
///    unit propagation alone, and an illegal move is refuted by unit propagation.
pub trait Encoding: Sized + Send + Sync {
    /// The family.
    type Puzzle: Puzzle;

    /// The typed variables of one layer; `Display` gives their names, such as `box(3,4)`.
    type Var: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;

    /// Name of the encoding, as reports show it.
    const NAME: &'static str;

    /// Version of the defining clauses: raised with every change of them or of the numbering, so
    /// that a certificate over the former ones can be distinguished from a forged one.
    const VERSION: u32 = 1;

    /// Name of a variable in formulas and maps: what its `Display` says, unless the puzzle has
    /// names of its own for its cells. One word, and a different one for each variable.
    fn name(&self, variable: &Self::Var) -> String {
        variable.to_string()
    }

    /// Why a puzzle cannot be put into clauses for an objective, as one sentence without a full stop:
    /// rules of its own that no clause says, say, or too many of them. Asked before
    /// [`Encoding::new`], which need not know such puzzles. They can still be searched.
    fn refusal(_puzzle: &Self::Puzzle, _objective: Objective) -> Option<String> {
        None
    }

    /// Prepares the encoding of a puzzle for an objective that the registry gives it.
    fn new(puzzle: &Self::Puzzle, objective: Objective) -> Self;

    /// The encoding of a puzzle, unless it is refused.
    ///
    /// # Errors
    /// What [`Encoding::refusal`] says. An encoding that finds out by trying does so once here.
    fn of(puzzle: &Self::Puzzle, objective: Objective) -> Result<Self, EncodeError> {
        match Self::refusal(puzzle, objective) {
            Some(reason) => Err(EncodeError(reason)),
            None => Ok(Self::new(puzzle, objective)),
        }
    }

    /// The least horizon that is worth asking, by an admissible bound; `None` when the bound shows
    /// that no horizon will do.
    fn lower_bound(&self) -> Option<Step> {
        Some(0)
    }

    /// Why [`Encoding::lower_bound`] is `None`, as one sentence for people that names the cells.
    fn unsolvable_reason(&self) -> Option<String> {
        None
    }

    /// Options under which more is permitted, each with its value and what it permits: advice where there is no
    /// solution. Options under which [`Encoding::unsolvable_reason`] holds as well are left out.
    fn relaxing_options(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        Vec::new()
    }

    /// Facts for `list` that the preparation of the encoding knows: live squares, say.
    fn facts(&self) -> Facts {
        Facts::new()
    }

    /// The least horizon above a refuted one that is worth asking: more than one step further where
    /// the lengths of all plans have one parity, say.
    fn after(&self, refuted: Step) -> Step {
        refuted + 1
    }

    /// A horizon that is enough if the puzzle is solvable at all, where one is known.
    fn completeness_threshold(&self) -> Option<Step> {
        None
    }

    /// Clauses of layer 0: where the puzzle begins.
    fn start(&self, cnf: &mut Cnf<Self::Var>);

    /// Clauses between the layers t and t + 1.
    fn step(&self, t: Step, cnf: &mut Cnf<Self::Var>);

    /// Literals that together say that the puzzle is solved in layer t. May add clauses that
    /// define them.
    fn goal(&self, t: Step, cnf: &mut Cnf<Self::Var>) -> Vec<Lit>;

    /// Strengthening clauses that hold only for plans that end by layer `horizon`.
    fn horizon_clauses(&self, _horizon: Step, _cnf: &mut Cnf<Self::Var>) {}

    /// Strengthening clauses that hold for plans of at least `least` steps: asked for when shorter
    /// plans have been ruled out before, so that they need not be refuted again.
    fn at_least(&self, _least: Step, _cnf: &mut Cnf<Self::Var>) {}

    /// Clauses that allow a tie-break (see [`Objective::secondary`]) of at most `cap` in a plan
    /// of this horizon. Called only for objectives with a tie-break, which then need it.
    fn cap_secondary(&self, _horizon: Step, _cap: u32, _cnf: &mut Cnf<Self::Var>) {
        unreachable!("{} has no objective with a tie-break", Self::NAME)
    }

    /// What a model means.
    ///
    /// # Errors
    /// When the model is not one that the clauses allow: an internal error, or one of the solver.
    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Self::Var>,
    ) -> Result<<Self::Puzzle as Puzzle>::Solution, DecodeError>;

    /// Looks for faults that the clauses leave open on purpose (loops, say) and returns the
    /// clauses that exclude them: each holds in every solution and is false in this model. No
    /// clause means that the model may be decoded. Each comes with a name for exports.
    fn refine(&self, _assignment: Assignment<'_, Self::Var>) -> Vec<(String, Vec<Lit>)> {
        Vec::new()
    }

    /// Whether a clause holds in every solution for the reason for which [`Encoding::refine`] adds
    /// clauses, judged from the clause alone: the checker of a certificate does not know the model
    /// that asked for it.
    fn is_cut(&self, _clause: &[Lit], _cnf: &Cnf<Self::Var>) -> bool {
        false
    }

    /// Whether a variable is worth trying with both values before a solver is asked: one that most
    /// others follow from, and that reaches few others, so that trying all takes little time.
    fn is_probe_candidate(&self, _variable: &Self::Var) -> bool {
        false
    }

    /// Narrows the question to solutions of a kind that is found sooner and that most puzzles have;
    /// whether it did. Called after everything else, so that the numbers of the variables are those
    /// of the whole question, and only to find a first solution: a refutation then says nothing.
    fn prefer(&self, _cnf: &mut Cnf<Self::Var>) -> bool {
        false
    }

    /// Literals that are true in this model and distinguish its solution from all others: the
    /// clause of their negations asks for another solution. Empty when the encoding does not know.
    fn projection(&self, _assignment: Assignment<'_, Self::Var>) -> Vec<Lit> {
        Vec::new()
    }
}

/// Whether a step counts under the objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepCost {
    /// Every step costs 1.
    Always,
    /// The step costs 1 when this literal holds, else nothing.
    If(Lit),
}

/// A one-move transition: one player move a step, law 8.
///
/// Under `moves` every move is paid; under `pushes` only those that push, so that walking is free
/// and no reachability is encoded. Closed-set certificates rest on it, so its defining clauses
/// permit **every** legal move, also the hopeless ones.
pub trait Transition: Encoding<Puzzle: Moves> {
    /// All literals of layer t, positive and negative, that describe a state.
    fn literals(
        &self,
        t: Step,
        state: &<Self::Puzzle as Moves>::State,
        cnf: &mut Cnf<Self::Var>,
    ) -> Vec<Lit>;

    /// The literals that fix the move made in step t from a state.
    fn move_literals(
        &self,
        t: Step,
        state: &<Self::Puzzle as Moves>::State,
        mv: <Self::Puzzle as Moves>::Move,
        cnf: &mut Cnf<Self::Var>,
    ) -> Vec<Lit>;

    /// The actions of step t that change more than a walk does: under `pushes` the pushes, under
    /// `moves` the moves. When all are false, propagation from a class of states
    /// ([`Classes::class`](unstuck_puzzles::game_extras::Classes::class)) leads into the same class.
    fn actions(&self, t: Step, cnf: &mut Cnf<Self::Var>) -> Vec<Lit>;

    /// Whether step t counts.
    fn paid(&self, t: Step, cnf: &mut Cnf<Self::Var>) -> StepCost;

    /// Conjunctions of literals that describe states in layer t: no state in one of them can be
    /// finished with a cost of at most `left`. The greater `left`, the less they hold; none by
    /// default.
    fn too_far(&self, _t: Step, _left: Step, _cnf: &mut Cnf<Self::Var>) -> Vec<Vec<Lit>> {
        Vec::new()
    }
}

/// A one-move transition whose literals speak of pieces, of the player and of pushes by their
/// cells (row and column): what dead patterns are said in.
pub trait PieceLiterals: Transition {
    /// A piece is on a cell in layer t.
    fn piece(&self, t: Step, at: PatternCoord, cnf: &mut Cnf<Self::Var>) -> Lit;

    /// The player is on a cell in layer t.
    fn player(&self, t: Step, at: PatternCoord, cnf: &mut Cnf<Self::Var>) -> Lit;

    /// A piece is pushed from a cell in step t.
    fn pushed(
        &self,
        t: Step,
        from: PatternCoord,
        direction: Direction,
        cnf: &mut Cnf<Self::Var>,
    ) -> Lit;
}

/// A model that does not mean a solution: an internal error, or one of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError(pub String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

/// Why a puzzle cannot be put into clauses, see [`Encoding::refusal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError(pub String);

impl From<String> for EncodeError {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EncodeError {}
