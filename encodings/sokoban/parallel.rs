//! Several pushes a step, for plans of any length: the encoding of `any`.
//!
//! In one step every box may be pushed once. All pushes of a step must be possible in **any
//! order**, so no order is encoded: the player walks only over cells that are free both before and
//! after the step, from one cell to behind every box that it pushes, and goes back there after
//! each push. Whatever has been pushed already, those cells are free.
//!
//! The walk is a set of cells that grows from the player's cell in `WALK_DEPTH` layers. A longer walk
//! takes another step, in which nothing need be pushed. So this encoding finds plans sooner or
//! later, but its horizons count no pushes, and a refuted one says little.
//!
//! Reference: the forall-step semantics of parallel plans in Rintanen, Heljanko, Niemelä, "Planning
//! as satisfiability: parallel plans and algorithms for plan search", 2006.

use super::bounds::{Bounds, Push};
use super::goal;
use super::graph::Spot;
use super::info::facts;
use super::moves::{BOX_FRAME, DEAD_SQUARE, PUSH, START, TIME_WINDOW};
use super::push_graph::PushGraph;
use super::vars::{CellCoord, Var};
use super::walker::Walker;
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, EncodeError, Encoding};
use crate::logic::{at_most_one, exactly_one};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::{Sokoban, Solution};
use unstuck_puzzles::{Facts, Moves, Objective};

/// How many cells far the player can walk in one step.
const WALK_DEPTH: u32 = 8;

/// The cells that the player reaches in a step are free before and after it, and connected; in one
/// of them it is after the step.
pub const REACH: Rule = Rule::defining("reach");

/// The parallel encoding of a level.
#[derive(Clone, Debug)]
pub struct SokobanParallel {
    puzzle: Sokoban,
    bounds: Bounds,
    all: PushGraph,
    live: PushGraph,
}

impl SokobanParallel {
    fn graph(&self, cnf: &Cnf<Var>) -> &PushGraph {
        if cnf.keeps(DEAD_SQUARE) { &self.live } else { &self.all }
    }

    fn place(&self, spot: Spot) -> CellCoord {
        self.bounds.floor().place(spot)
    }

    fn spots(&self) -> std::ops::Range<Spot> {
        0..self.bounds.floor().len()
    }

    fn box_lit(&self, t: Step, spot: Spot, cnf: &mut Cnf<Var>) -> Option<Lit> {
        self.graph(cnf).holds[spot].then(|| cnf.lit(t, Var::Box(self.place(spot))))
    }

    fn player_lit(&self, t: Step, spot: Spot, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Player(self.place(spot)))
    }

    fn push_lit(&self, t: Step, push: &Push, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Push(self.place(push.from), push.direction))
    }

    fn reach(&self, t: Step, depth: u32, spot: Spot, cnf: &mut Cnf<Var>) -> Lit {
        match depth {
            0 => self.player_lit(t, spot, cnf),
            _ => cnf.lit(t, Var::Reach(depth, self.place(spot))),
        }
    }

    fn add_reach(&self, t: Step, cnf: &mut Cnf<Var>) {
        for spot in self.spots() {
            for depth in 1..=WALK_DEPTH {
                let before = self.bounds.floor().around(spot).chain([spot]);
                let before: Vec<Lit> =
                    before.map(|near| self.reach(t, depth - 1, near, cnf)).collect();
                let lit = self.reach(t, depth, spot, cnf);
                cnf.add(REACH, [!lit].into_iter().chain(before));
                // Once reached, reached at every depth: the free cells are named only once.
                if depth > 1 {
                    let less = self.reach(t, depth - 1, spot, cnf);
                    cnf.add(REACH, [!less, lit]);
                }
            }
            let reached = self.reach(t, WALK_DEPTH, spot, cnf);
            let here = self.player_lit(t, spot, cnf);
            cnf.add(REACH, [!here, reached]);
            for layer in [t, t + 1] {
                if let Some(boxed) = self.box_lit(layer, spot, cnf) {
                    cnf.add(REACH, [!reached, !boxed]);
                }
            }
            let then = self.player_lit(t + 1, spot, cnf);
            cnf.add(REACH, [!then, reached]);
        }
        let then: Vec<Lit> = self.spots().map(|spot| self.player_lit(t + 1, spot, cnf)).collect();
        exactly_one(cnf, REACH, t + 1, &then);
    }

    fn add_pushes(&self, t: Step, cnf: &mut Cnf<Var>) {
        for push in &self.graph(cnf).pushes {
            let lit = self.push_lit(t, push, cnf);
            let behind = self.reach(t, WALK_DEPTH, push.behind, cnf);
            cnf.add(PUSH, [!lit, behind]);
            for (layer, spot, holds) in [
                (t, push.from, true),
                (t, push.to, false),
                (t + 1, push.from, false),
                (t + 1, push.to, true),
            ] {
                if let Some(boxed) = self.box_lit(layer, spot, cnf) {
                    cnf.add(PUSH, [!lit, boxed.when(holds)]);
                }
            }
        }
        for spot in self.spots() {
            let Some((before, after)) =
                self.box_lit(t, spot, cnf).zip(self.box_lit(t + 1, spot, cnf))
            else {
                continue;
            };
            let graph = self.graph(cnf);
            let gone = Direction::ALL.into_iter().filter_map(|d| graph.push(spot, d));
            let gone: Vec<Lit> = gone.map(|push| self.push_lit(t, push, cnf)).collect();
            let come = graph.pushes_to(spot);
            let come: Vec<Lit> = come.map(|push| self.push_lit(t, push, cnf)).collect();
            // A box is pushed once a step, and to a cell of its own.
            at_most_one(cnf, PUSH, t, &gone);
            at_most_one(cnf, PUSH, t, &come);
            cnf.add(BOX_FRAME, [!before, after].into_iter().chain(gone));
            cnf.add(BOX_FRAME, [before, !after].into_iter().chain(come));
        }
    }
}

impl Encoding for SokobanParallel {
    type Puzzle = Sokoban;
    type Var = Var;
    const NAME: &'static str = "sokoban-parallel";
    const VERSION: u32 = 2;

    fn new(puzzle: &Sokoban, _objective: Objective) -> Result<Self, EncodeError> {
        let bounds = Bounds::new(puzzle);
        Ok(Self {
            puzzle: puzzle.clone(),
            all: PushGraph::new(&bounds, Bounds::is_reachable, false),
            live: PushGraph::new(&bounds, Bounds::is_live, false),
            bounds,
        })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.bounds.lower_bound()?;
        // A box goes one cell a step at most.
        self.bounds.start().map(|slot| self.bounds.nearest(slot)).max().or(Some(0))
    }

    fn unsolvable_reason(&self) -> Option<String> {
        self.bounds.unsolvable_reason()
    }

    fn facts(&self) -> Facts {
        facts(&self.bounds)
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        let floor = self.bounds.floor();
        if floor.boxes().iter().any(|&at| !self.graph(cnf).holds[at]) {
            // A box that is lost from the start has no variable.
            cnf.add(DEAD_SQUARE, []);
        }
        for spot in self.spots() {
            if let Some(boxed) = self.box_lit(0, spot, cnf) {
                cnf.add(START, [boxed.when(floor.boxes().contains(&spot))]);
            }
            let player = self.player_lit(0, spot, cnf);
            cnf.add(START, [player.when(spot == floor.player())]);
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        self.add_reach(t, cnf);
        self.add_pushes(t, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let graph = self.graph(cnf);
        goal::solved(&self.bounds, |spot| graph.holds[spot], t, cnf)
    }

    fn within(&self, _: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        let graph = self.graph(cnf);
        goal::count(&self.bounds, |spot| graph.holds[spot], horizon, cnf);
        for spot in self.spots() {
            let (early, late) = self.bounds.window(spot, horizon);
            for t in (0..=horizon).filter(|t| !(early..=late).contains(t)) {
                if let Some(boxed) = self.box_lit(t, spot, cnf) {
                    cnf.add(TIME_WINDOW, [!boxed]);
                }
            }
        }
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Solution, DecodeError> {
        let mut walker = Walker::new(self.bounds.floor());
        for t in 0..horizon {
            let made = |push: &&Push| {
                assignment.holds(t, Var::Push(self.place(push.from), push.direction))
            };
            for push in self.all.pushes.iter().filter(made) {
                walker
                    .push(push)
                    .ok_or_else(|| DecodeError(format!("a push of step {t} is not possible")))?;
            }
        }
        Ok(self.puzzle.solution(&walker.into_plan()))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|var| matches!(var, Var::Push(..)))
    }
}
