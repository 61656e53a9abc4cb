//! What is found by questions about single moves.

use crate::backend::Incremental;
use crate::invariant::confine::{self, ConfineResult};
use crate::invariant::pdr::{self, InvariantError};
use crate::limits::{Limits, Monitor};
use crate::transition::CubeList;
use std::marker::PhantomData;
use std::sync::Arc;
use unstuck_check::instance::{Capabilities, Capability};
use unstuck_encodings::Transition;
use unstuck_puzzles::{Moves, Objective};

/// The single moves of a game, as far as a solver is asked about them.
pub trait SingleSteps: Send + Sync {
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
}

/// The single steps of a puzzle as a one-move transition `T` says them.
pub struct TransitionSteps<T: Transition> {
    puzzle: Arc<T::Puzzle>,
    objective: Objective,
    transition: PhantomData<fn(T)>,
}

impl<P: Moves, T: Transition<Puzzle = P> + 'static> Capability<P> for TransitionSteps<T> {
    fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities) {
        let steps = Self { puzzle: puzzle.clone(), objective, transition: PhantomData };
        all.add::<dyn SingleSteps>(Box::new(steps));
    }
}

impl<P: Moves, T: Transition<Puzzle = P> + 'static> SingleSteps for TransitionSteps<T> {
    fn invariant(
        &self,
        backend: &dyn Incremental,
        limits: &Limits,
        progress: &mut dyn FnMut(pdr::PdrStats),
    ) -> Result<CubeList, InvariantError> {
        pdr::find::<T>(&self.puzzle, self.objective, backend, limits, progress)
    }

    fn confine(
        &self,
        task: confine::ConfineTask,
        backend: &dyn Incremental,
        monitor: &mut Monitor<'_>,
    ) -> Result<ConfineResult, InvariantError> {
        let (puzzle, objective) = (&self.puzzle, self.objective);
        confine::confine::<T>(puzzle, objective, task, backend, monitor)
    }
}
