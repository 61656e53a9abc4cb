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
/// units, and `within(0, h)`. Families without time have the one layer 0, no steps, and are asked
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

    /// What the encoding knows or does that others need not.
    const EXTRAS: EncodingExtras<Self> = EncodingExtras::NONE;

    /// Prepares the encoding of a puzzle for an objective that the registry gives it.
    ///
    /// # Errors
    /// Why the puzzle cannot be put into clauses, as one sentence without a full stop: rules of its
    /// own that no clause says, say, or too many of them. It can still be searched.
    fn new(puzzle: &Self::Puzzle, objective: Objective) -> Result<Self, EncodeError>;

    /// The least horizon that is worth asking, by an admissible bound; `None` when the bound shows
    /// that no horizon will do.
    fn lower_bound(&self) -> Option<Step> {
        Some(0)
    }

    /// Why [`Encoding::lower_bound`] is `None`, as one sentence for people that names the cells.
    fn unsolvable_reason(&self) -> Option<String> {
        None
    }

    /// Facts for `list` that the preparation of the encoding knows: live squares, say.
    fn facts(&self) -> Facts {
        Facts::new()
    }

    /// Clauses of layer 0: where the puzzle begins.
    fn start(&self, cnf: &mut Cnf<Self::Var>);

    /// Clauses between the layers t and t + 1.
    fn step(&self, t: Step, cnf: &mut Cnf<Self::Var>);

    /// Literals that together say that the puzzle is solved in layer t. May add clauses that
    /// define them.
    fn goal(&self, t: Step, cnf: &mut Cnf<Self::Var>) -> Vec<Lit>;

    /// Strengthening clauses that hold only for plans of at least `least` steps that end by layer
    /// `horizon`: shorter plans have been ruled out before, and need not be refuted again.
    fn within(&self, _least: Step, _horizon: Step, _cnf: &mut Cnf<Self::Var>) {}

    /// What a model means.
    ///
    /// # Errors
    /// When the model is not one that the clauses allow: an internal error, or one of the solver.
    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Self::Var>,
    ) -> Result<<Self::Puzzle as Puzzle>::Solution, DecodeError>;

    /// Literals that are true in this model and distinguish its solution from all others: the
    /// clause of their negations asks for another solution. Empty when the encoding does not know.
    fn projection(&self, _assignment: Assignment<'_, Self::Var>) -> Vec<Lit> {
        Vec::new()
    }
}

/// What an encoding knows or does that others need not, as functions of it; [`EncodingExtras::NONE`]
/// knows nothing.
#[expect(clippy::type_complexity, reason = "each is said once, with what it means")]
pub struct EncodingExtras<E: Encoding> {
    /// Name of a variable in formulas and maps: what its `Display` says, unless the puzzle has
    /// names of its own for its cells. One word, and a different one for each variable.
    pub name: fn(&E, &E::Var) -> String,
    /// The least horizon above a refuted one that is worth asking: more than one step further where
    /// the lengths of all plans have one parity, say.
    pub after: fn(&E, Step) -> Step,
    /// A horizon that is enough if the puzzle is solvable at all, where one is known.
    pub completeness_threshold: fn(&E) -> Option<Step>,
    /// Clauses that allow a tie-break (see [`Objective::secondary`]) of at most so much in a plan
    /// of a horizon. Encodings for objectives with a tie-break need it.
    pub cap_secondary: Option<fn(&E, Step, u32, &mut Cnf<E::Var>)>,
    /// Options under which more is permitted, each with its value and what it permits: advice where
    /// there is no solution. Options under which [`Encoding::unsolvable_reason`] holds as well are
    /// left out.
    pub relaxing_options: fn(&E) -> Vec<(&'static str, &'static str, &'static str)>,
    /// Clauses that are added on demand.
    pub cuts: Option<Cuts<E>>,
    /// Whether a variable is worth trying with both values before a solver is asked: one that most
    /// others follow from, and that reaches few others, so that trying all takes little time.
    pub is_probe_candidate: fn(&E, &E::Var) -> bool,
    /// Narrows the question to solutions of a kind that is found sooner and that most puzzles have;
    /// whether it did. Called after everything else, so that the numbers of the variables are those
    /// of the whole question, and only to find a first solution: a refutation then says nothing.
    pub prefer: fn(&E, &mut Cnf<E::Var>) -> bool,
    /// Steps that make smaller solutions of others.
    pub reduction: Option<Reduction<E>>,
}

impl<E: Encoding> EncodingExtras<E> {
    /// Nothing beside the clauses.
    pub const NONE: Self = Self {
        name: |_, variable| variable.to_string(),
        after: |_, refuted| refuted + 1,
        completeness_threshold: |_| None,
        cap_secondary: None,
        relaxing_options: |_| Vec::new(),
        cuts: None,
        is_probe_candidate: |_, _| false,
        prefer: |_, _| false,
        reduction: None,
    };
}

/// Clauses that exclude faults (loops, say) which an encoding leaves open on purpose.
pub struct Cuts<E: Encoding> {
    /// Those that a model lacks: each holds in every solution and is false in the model. None means
    /// that it may be decoded. Each comes with a name for exports.
    pub missing: MissingCutsFn<E>,
    /// Whether a clause holds in every solution for the reason for which clauses are added, judged
    /// from the clause alone: the checker of a certificate does not know the model that asked for it.
    pub is_cut: fn(&E, &[Lit], &Cnf<<E as Encoding>::Var>) -> bool,
}

/// Steps from solutions to smaller ones.
pub struct Reduction<E: Encoding> {
    /// Leaves only solutions that allow no step; whether it did. If there is a solution, there is
    /// one of those. Called after everything else, as [`EncodingExtras::prefer`].
    pub reduce: fn(&E, &mut Cnf<<E as Encoding>::Var>) -> bool,
    /// Whether there are steps, and none leads to the solution of a model: then it is the only one,
    /// if there is no other one that allows no step.
    pub is_rigid: fn(&E, Assignment<'_, <E as Encoding>::Var>) -> bool,
}

/// The clauses that a model lacks, each with a name.
pub type MissingCutsFn<E> = fn(&E, Assignment<'_, <E as Encoding>::Var>) -> Vec<(String, Vec<Lit>)>;

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
    /// ([`Play::class`](unstuck_puzzles::Play::class)) leads into the same class.
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

/// Why a puzzle cannot be put into clauses, see [`Encoding::new`].
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
