//! What is said of a game in formulas of one move.

use crate::backend::Incremental;
use crate::closed::ClosedSet;
use crate::closed::formulas::CompiledSet;
use crate::invariant::confine::{self, ConfineResult};
use crate::invariant::pdr::{self, InvariantError};
use crate::laws::{self, LawViolation};
use crate::limits::{Limits, Monitor};
use crate::transition::list_format::ListError;
use crate::transition::lrat::{Formulas, WriteError};
use crate::transition::{CubeList, Induction};
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_encodings::Transition;
use unstuck_puzzles::{Moves, Objective};

/// The single steps of a game, as formulas.
pub trait SingleSteps: Send + Sync {
    /// Name and [version](unstuck_encodings::Encoding::VERSION) of the encoding that is the
    /// one-move transition; `None` where it refuses the puzzle.
    fn transition(&self) -> Option<(&'static str, u32)>;

    /// The formulas of a closed set.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn closed_formulas(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError>;

    /// Finds an invariant that shows that there is no solution (see [`crate::invariant`]), by
    /// questions to a solver.
    ///
    /// # Errors
    /// When a limit strikes, or there is a solution.
    fn invariant(
        &self,
        backend: &dyn Incremental,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::PdrStats),
    ) -> Result<CubeList, InvariantError>;

    /// Shows that no plan is as cheap as a budget, by questions to a solver about single steps (see
    /// [`crate::invariant::confine`]).
    ///
    /// # Errors
    /// When a limit strikes, there is a plan, or there are too many classes.
    fn confine(
        &self,
        task: confine::ConfineTask,
        backend: &dyn Incremental,
        monitor: &mut Monitor<'_>,
    ) -> Result<ConfineResult, InvariantError>;

    /// The formulas of a list of cubes.
    ///
    /// # Errors
    /// What is no list of this puzzle.
    fn induction(&self, list: &CubeList) -> Result<Induction, ListError>;

    /// Holds transition and states to the laws that look inside (see [`crate::laws`]); `seed`
    /// directs random walks.
    ///
    /// # Errors
    /// The law that is broken, and where.
    fn laws(&self, seed: u64) -> Result<(), LawViolation>;
}

/// The single steps of a puzzle as a one-move transition `T` says them.
pub(super) struct TransitionSteps<T: Transition> {
    puzzle: Arc<T::Puzzle>,
    objective: Objective,
    transition: PhantomData<fn(T)>,
}

impl<T: Transition> TransitionSteps<T> {
    /// The single steps of a puzzle for an objective.
    pub(super) fn new(puzzle: Arc<T::Puzzle>, objective: Objective) -> Self {
        Self { puzzle, objective, transition: PhantomData }
    }

    /// Demands that the transition says the puzzle.
    fn encoded<X>(&self, refuse: impl FnOnce(String) -> X) -> Result<(), X> {
        T::refusal(&self.puzzle, self.objective).map_or(Ok(()), |reason| Err(refuse(reason)))
    }
}

impl<P: Moves, T: Transition<Puzzle = P> + 'static> SingleSteps for TransitionSteps<T> {
    fn transition(&self) -> Option<(&'static str, u32)> {
        self.encoded(|_| ()).ok().map(|()| (T::NAME, T::VERSION))
    }

    fn closed_formulas(
        &self,
        set: &ClosedSet,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError> {
        self.encoded(WriteError::Unfit)?;
        Ok(Box::new(CompiledSet::<T>::new(&self.puzzle, self.objective, set, monitor)?))
    }

    fn invariant(
        &self,
        backend: &dyn Incremental,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::PdrStats),
    ) -> Result<CubeList, InvariantError> {
        self.encoded(InvariantError::Unfit)?;
        pdr::find::<T>(&self.puzzle, self.objective, backend, limits, progress)
    }

    fn confine(
        &self,
        task: confine::ConfineTask,
        backend: &dyn Incremental,
        monitor: &mut Monitor<'_>,
    ) -> Result<ConfineResult, InvariantError> {
        self.encoded(InvariantError::Unfit)?;
        let (puzzle, objective) = (&self.puzzle, self.objective);
        confine::confine::<T>(puzzle, objective, task, backend, monitor)
    }

    fn induction(&self, list: &CubeList) -> Result<Induction, ListError> {
        self.encoded(ListError::whole)?;
        Induction::of_list::<T>(&self.puzzle, self.objective, list)
    }

    fn laws(&self, seed: u64) -> Result<(), LawViolation> {
        if T::refusal(&self.puzzle, self.objective).is_some() {
            return laws::classes(self.puzzle.as_ref(), self.objective);
        }
        let transition = T::new(&self.puzzle, self.objective);
        laws::numbering(&transition)?;
        laws::layers(&transition)?;
        laws::states::<T>(&self.puzzle, self.objective, seed)?;
        laws::classes(self.puzzle.as_ref(), self.objective)
    }
}
