//! Property-directed reachability from the goal backwards.
//!
//! A frame F(k) holds every state from which the goal can be reached within k steps, and more: it
//! is what is left when cubes are taken away of which none can reach the goal within k steps. When
//! two neighbouring frames are the same, their cubes can never reach the goal: an invariant. It
//! excludes the start when the start's own cube was taken away.
//!
//! The frames run against time, the questions do not: "does a step lead from this cube into
//! F(k - 1)?" is asked of the forward transition, whose successors are functions of state and move.
//! Obligations are therefore states that can really be reached, found by the rules; a solved one
//! among them ends the search. The solver is asked only how much of a state's description matters.
//!
//! First of all an obligation's cube is tried to be taken away from all frames at once, as far as
//! possible with the successors that stand in the way ("down" with counterexamples to
//! generalization); and [`houdini`] gives the frames something to begin with.
//!
//! Where walking is free an obligation is a whole class of states, so that a frame is a push.
//!
//! References: Bradley, "SAT-Based Model Checking without Unrolling", VMCAI 2011; Een, Mishchenko,
//! Brayton, "Efficient Implementation of Property Directed Reachability", FMCAD 2011; Hassan,
//! Bradley, Somenzi, "Better Generalization in IC3", FMCAD 2013; Suda, "Property Directed
//! Reachability for Automated Planning", JAIR 2014 (frames and obligations in planning).

pub use super::error::InvariantError;
use super::houdini;
use super::oracle::{Cube, Oracle, Steps, Target};
use super::states::{LitSet, States};
use super::trim::trim;
use crate::backend::Incremental;
use crate::limits::Limits;
use crate::transition::{Budget, CubeList, TransitionRelation, counted};
use hashbrown::HashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use unstuck_encodings::{Lit, Transition};
use unstuck_puzzles::{Moves, Objective};

/// Counterexamples to induction that are looked into on the way to one inductive cube.
const MAX_CTGS: usize = 3;

/// How deep counterexamples to induction are looked into.
const CTG_DEPTH: usize = 1;

/// Questions after which pairs of literals are tried as well.
const HARD_QUESTIONS: u64 = 2000;

/// Obligations between two reports.
const OBLIGATIONS_PER_REPORT: u64 = 16;

/// How far the search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PdrStats {
    /// Frames.
    pub frames: usize,
    /// Cubes in all frames.
    pub cubes: usize,
    /// States (classes of them) that were met.
    pub states: usize,
    /// Questions to the solver.
    pub questions: u64,
}

impl fmt::Display for PdrStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frames, cubes, states, questions } = self;
        write!(f, "{frames} frames, {cubes} cubes, {states} states, {questions} questions")
    }
}

/// An invariant that shows that a puzzle is unsolvable.
///
/// # Errors
/// See [`InvariantError`].
pub fn find<T: Transition>(
    puzzle: &T::Puzzle,
    objective: Objective,
    backend: &dyn Incremental,
    limits: &Limits,
    progress: &mut dyn FnMut(PdrStats),
) -> Result<CubeList, InvariantError> {
    // From a class the transition may allow more than the rules do; single states are exact.
    for classes in [counted::<T::Puzzle>(objective), Objective::Moves] {
        let mut step = TransitionRelation::<T>::new(puzzle, objective)?;
        let oracle = Oracle::new(&mut step, &puzzle.start(), backend, limits);
        let oracle = oracle.ok_or_else(|| {
            InvariantError::Unfit("states are described by auxiliary variables".to_owned())
        })?;
        let states = States::new(puzzle, classes, &mut step, limits);
        let mut search = Search::new(states, oracle, limits, progress);
        let ended = search.run();
        drop(search);
        match ended {
            Err(Break::Loose) => {}
            Err(Break::End(end)) => return Err(end),
            Ok(cubes) => {
                let start = step.literals(&puzzle.start());
                let cubes = trim(&mut step, &start, cubes, backend, limits)?;
                let cubes = cubes.iter().map(|cube| (Budget::Any, &**cube));
                return Ok(step.listed(Budget::Any, cubes));
            }
        }
    }
    Err(InvariantError::Unfit("the transition allows steps that the rules forbid".to_owned()))
}

/// Why the search ends without an invariant.
enum Break {
    End(InvariantError),
    /// A step was found that the rules forbid.
    Loose,
}

impl<E: std::convert::Into<InvariantError>> From<E> for Break {
    fn from(error: E) -> Self {
        Self::End(error.into())
    }
}

/// A cube that was taken away from a frame.
struct BlockedCube {
    cube: Cube,
    bits: LitSet,
}

struct Search<'a, T: Transition> {
    states: States<'a, T>,
    oracle: Oracle<'a>,
    limits: &'a Limits,
    progress: &'a mut dyn FnMut(PdrStats),
    /// By frame: the cubes taken away from it and from all frames before it, but from none after.
    frames: Vec<Vec<BlockedCube>>,
    /// The cubes taken away from all frames, now and ever.
    never: Vec<BlockedCube>,
    obligations: u64,
    /// Classes that were tried to be taken away from all frames at once.
    tried: HashSet<u32>,
}

impl<'a, T: Transition> Search<'a, T> {
    fn new(
        states: States<'a, T>,
        oracle: Oracle<'a>,
        limits: &'a Limits,
        progress: &'a mut dyn FnMut(PdrStats),
    ) -> Self {
        let (frames, never) = (vec![Vec::new()], Vec::new());
        Self {
            states,
            oracle,
            limits,
            progress,
            frames,
            never,
            obligations: 0,
            tried: HashSet::new(),
        }
    }

    /// The cubes of an invariant.
    fn run(&mut self) -> Result<Vec<Cube>, Break> {
        let start = self.states.start()?;
        let variables = self.oracle.variables();
        self.guess(houdini::singles(&variables))?;
        let mut easy = true;
        loop {
            if easy && self.oracle.questions > HARD_QUESTIONS {
                easy = false;
                let lost = |lit| self.never.iter().any(|taken| *taken.cube == [lit]);
                let pairs = houdini::pairs(&variables, lost);
                self.guess(pairs)?;
            }
            self.frames.push(Vec::new());
            let last = self.frames.len() - 1;
            self.block(start, last)?;
            let bits = &self.states.node(start).bits;
            if self.never.iter().any(|taken| taken.bits.within(bits)) {
                return Ok(std::mem::take(&mut self.never).into_iter().map(|t| t.cube).collect());
            }
            for frame in 1..last {
                self.carry_on(frame)?;
                if self.frames[frame].is_empty() {
                    let rest = self.frames.drain(frame + 1..).flatten();
                    return Ok(rest.chain(self.never.drain(..)).map(|t| t.cube).collect());
                }
            }
        }
    }

    /// Takes those of the cubes away from all frames that show each other's loss.
    fn guess(&mut self, candidates: Vec<Cube>) -> Result<(), Break> {
        let never: Vec<&[Lit]> = self.never.iter().map(|taken| &*taken.cube).collect();
        for cube in houdini::inductive(&mut self.oracle, &never, candidates)? {
            self.take_from_all(cube);
        }
        Ok(())
    }

    /// Moves the cubes of a frame to the next one where that need not have them either.
    fn carry_on(&mut self, frame: usize) -> Result<(), Break> {
        let cubes: Vec<Cube> = self.frames[frame].iter().map(|taken| taken.cube.clone()).collect();
        for cube in cubes {
            self.monitor()?;
            // A larger cube may have taken its place meanwhile.
            let there = self.frames[frame].iter().any(|taken| taken.cube == cube);
            if there && matches!(self.steps(&cube, Target::Frame(frame))?, Steps::None(_)) {
                self.take(cube, frame + 1);
            }
        }
        Ok(())
    }

    /// Takes the start, and all that it takes for that, away from a frame.
    fn block(&mut self, start: u32, last: usize) -> Result<(), Break> {
        let mut open = BinaryHeap::from([(Reverse(last), 0u64, start)]);
        let mut sequence = 0;
        while let Some((Reverse(frame), order, number)) = open.pop() {
            if self.is_taken(number, frame) {
                continue;
            }
            self.monitor()?;
            if self.tried.insert(number) {
                let cube = self.states.node(number).cube.clone();
                if self.take_forever(&cube, CTG_DEPTH)? {
                    continue;
                }
            }
            let successors = self.states.successors(number)?;
            let ahead = successors.iter().find(|&&next| !self.is_taken(next, frame - 1));
            if let Some(&ahead) = ahead {
                open.push((Reverse(frame), order, number));
                sequence += 1;
                open.push((Reverse(frame - 1), sequence, ahead));
                continue;
            }
            let cube = self.states.node(number).cube.clone();
            let Steps::None(core) = self.steps(&cube, Target::Frame(frame - 1))? else {
                return Err(Break::Loose);
            };
            let core = self.with_unsolved(core, &cube)?;
            let (cube, frame) = self.generalise(core, frame, last)?;
            self.take(cube, frame);
            if frame < last {
                open.push((Reverse(frame + 1), order, number));
            }
        }
        Ok(())
    }

    /// Adds what distinguishes the larger cube from solved states, where the smaller one does not.
    fn with_unsolved(&mut self, core: Cube, larger: &[Lit]) -> Result<Cube, Break> {
        if self.oracle.unsolved(&core)?.is_some() {
            return Ok(core);
        }
        let unsolved = self.oracle.unsolved(larger)?.ok_or(Break::Loose)?;
        let kept = larger.iter().copied();
        Ok(kept.filter(|lit| core.contains(lit) || unsolved.contains(lit)).collect())
    }

    /// Tries to take a cube, or more than it, away from all frames at once. A step that leads out
    /// of the cube either leads to what can be taken away itself, or costs the cube the literals
    /// that the step changes.
    fn take_forever(&mut self, cube: &[Lit], depth: usize) -> Result<bool, Break> {
        let mut cube: Cube = cube.into();
        let mut chances = MAX_CTGS;
        loop {
            if self.oracle.unsolved(&cube)?.is_none() {
                return Ok(false);
            }
            match self.steps(&cube, Target::Any)? {
                Steps::None(core) => {
                    let core = self.with_unsolved(core, &cube)?;
                    let cube = self.shrink(core, Target::Any)?;
                    self.take_from_all(cube);
                    return Ok(true);
                }
                Steps::To(state) => {
                    if depth > 0 && chances > 0 {
                        if self.take_forever(&state, depth - 1)? {
                            continue;
                        }
                        chances -= 1;
                    }
                    cube = cube.iter().copied().filter(|lit| state.contains(lit)).collect();
                }
            }
        }
    }

    fn take_from_all(&mut self, cube: Cube) {
        let bits = LitSet::new(&cube);
        for cubes in self.frames.iter_mut().chain([&mut self.never]) {
            cubes.retain(|taken| !bits.within(&taken.bits));
        }
        self.oracle.take(&cube, Target::Any);
        self.never.push(BlockedCube { cube, bits });
    }

    /// Drops literals as long as the cube stays away from the frame before; then looks for the last
    /// frame that it can be taken away from.
    fn generalise(
        &mut self,
        mut cube: Cube,
        mut frame: usize,
        last: usize,
    ) -> Result<(Cube, usize), Break> {
        cube = self.shrink(cube, Target::Frame(frame - 1))?;
        while frame < last {
            let Steps::None(core) = self.steps(&cube, Target::Frame(frame))? else { break };
            cube = self.with_unsolved(core, &cube)?;
            frame += 1;
        }
        Ok((cube, frame))
    }

    fn shrink(&mut self, mut cube: Cube, into: Target) -> Result<Cube, Break> {
        // What is not there matters less often than what is.
        let (negative, positive): (Vec<Lit>, Vec<Lit>) =
            cube.iter().partition(|lit| !lit.is_positive());
        for lit in negative.into_iter().chain(positive) {
            if !cube.contains(&lit) {
                continue;
            }
            let smaller: Cube = cube.iter().copied().filter(|&other| other != lit).collect();
            if self.oracle.unsolved(&smaller)?.is_none() {
                continue;
            }
            if let Steps::None(core) = self.steps(&smaller, into)? {
                cube = self.with_unsolved(core, &smaller)?;
            }
        }
        Ok(cube)
    }

    fn steps(&mut self, cube: &[Lit], into: Target) -> Result<Steps, Break> {
        if self.oracle.is_stale() {
            let frames = (0..).zip(&self.frames).flat_map(|(frame, cubes)| {
                cubes.iter().map(move |taken| (&*taken.cube, Target::Frame(frame)))
            });
            let never = self.never.iter().map(|taken| (&*taken.cube, Target::Any));
            self.oracle.renew(frames.chain(never));
        }
        Ok(self.oracle.steps(cube, into)?)
    }

    /// Whether no state of a class can reach the goal within so many steps, as far as is known.
    fn is_taken(&self, number: u32, frame: usize) -> bool {
        // Solved states are not among the classes.
        if frame == 0 {
            return true;
        }
        let bits = &self.states.node(number).bits;
        let frames = self.frames[frame..].iter().flatten();
        self.never.iter().chain(frames).any(|taken| taken.bits.within(bits))
    }

    fn take(&mut self, cube: Cube, frame: usize) {
        let bits = LitSet::new(&cube);
        for cubes in &mut self.frames[1..=frame] {
            cubes.retain(|taken| !bits.within(&taken.bits));
        }
        self.oracle.take(&cube, Target::Frame(frame));
        self.frames[frame].push(BlockedCube { cube, bits });
    }

    /// Looks at the limits and reports.
    fn monitor(&mut self) -> Result<(), Break> {
        self.obligations += 1;
        if self.obligations.is_multiple_of(OBLIGATIONS_PER_REPORT) {
            (self.progress)(PdrStats {
                frames: self.frames.len() - 1,
                cubes: self.frames.iter().map(Vec::len).sum::<usize>() + self.never.len(),
                states: self.states.count(),
                questions: self.oracle.questions,
            });
            if let Some(stop) = self.limits.reached_any() {
                return Err(InvariantError::Stopped(stop).into());
            }
        }
        Ok(())
    }
}
