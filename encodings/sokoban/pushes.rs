//! One push a step, the walk to it inside the step: the encoding of the `pushes` objectives.
//!
//! A layer holds the boxes and where the player stands since the last push. A step is one push: a
//! cell, a direction, and a walk from where the player stands to behind the box (see
//! [`crate::reach`]). A step without a push is idle, and so are all after it; then the player has
//! no position any more.

use super::bounds::{Bounds, Potential, Push};
use super::goal;
use super::graph::Spot;
use super::info::facts;
use super::pairs::Pairs;
use super::push_graph::PushGraph;
use super::vars::{CellCoord, Var};
use super::walker::Walker;
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, EncodeError, Encoding, EncodingExtras};
use crate::logic::{at_most, at_most_one, define_and};
use crate::reach::Walk;
use crate::steps::{IDLE_LAST, not_shorter};
use itertools::Itertools;
use std::sync::OnceLock;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::{Sokoban, Solution};
use unstuck_puzzles::{Facts, Moves, Objective};

use super::moves::{BOX_FRAME, DEAD_SQUARE, PUSH, START};

/// At most one cell is pushed from, in one direction.
pub const ONE_PUSH: Rule = Rule::defining("one-push");
/// The walk begins where the player stands, ends behind the box, and avoids boxes.
pub const WALK_FREE: Rule = Rule::defining("walk-free");
/// How many steps all walks have together.
pub const WALK_LENGTH: Rule = Rule::defining("walk-length");

/// The push encoding of a level.
#[derive(Clone, Debug)]
pub struct SokobanPushes {
    puzzle: Sokoban,
    pub(super) bounds: Bounds,
    pub(super) potential: Option<Potential>,
    /// Made when first asked for.
    pairs: OnceLock<Option<Pairs>>,
    /// Whether only pushes count, so that walks need not be distinguished.
    pub(super) merged: bool,
    /// Everything that the walls allow.
    all: PushGraph,
    /// What is not lost: used unless dead squares are filtered out.
    live: PushGraph,
}

/// The literals of one layer, looked up once.
pub(super) struct Layer {
    pub boxes: Vec<Option<Lit>>,
    pub player: Vec<Option<Lit>>,
}

impl SokobanPushes {
    pub(super) fn graph(&self, cnf: &Cnf<Var>) -> &PushGraph {
        if cnf.keeps(DEAD_SQUARE) { &self.live } else { &self.all }
    }

    pub(super) fn pairs(&self) -> Option<&Pairs> {
        let search = || Pairs::new(&self.bounds, self.potential.as_ref()?);
        self.pairs.get_or_init(search).as_ref()
    }

    pub(super) fn place(&self, spot: Spot) -> CellCoord {
        self.bounds.floor().place(spot)
    }

    pub(super) fn push_lit(&self, t: Step, push: &Push, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Push(self.place(push.from), push.direction))
    }

    pub(super) fn layer(&self, t: Step, graph: &PushGraph, cnf: &mut Cnf<Var>) -> Layer {
        let boxes = (0..self.bounds.floor().len())
            .map(|spot| graph.holds[spot].then(|| cnf.lit(t, Var::Box(self.place(spot)))))
            .collect();
        let mut player = vec![None; self.bounds.floor().len()];
        for &spot in &graph.stands {
            player[spot] = Some(cnf.lit(t, Var::Player(self.place(spot))));
        }
        Layer { boxes, player }
    }

    /// Which push is made, and what it does to boxes and player.
    fn add_push(&self, t: Step, graph: &PushGraph, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        let go = Direction::ALL.map(|direction| cnf.lit(t, Var::Go(direction)));
        let [busy, busy_next] = [t, t + 1].map(|t| cnf.lit(t, Var::Busy));
        let from: Vec<Lit> = next.player.iter().flatten().copied().collect();
        cnf.add(ONE_PUSH, [!busy].into_iter().chain(from.iter().copied()));
        cnf.add(ONE_PUSH, [!busy].into_iter().chain(go));
        for &lit in go.iter().chain(&from) {
            cnf.add(ONE_PUSH, [!lit, busy]);
        }
        at_most_one(cnf, ONE_PUSH, t, &go);
        at_most_one(cnf, ONE_PUSH, t, &from);
        cnf.add(IDLE_LAST, [busy, !busy_next]);
        for (&spot, from) in graph.stands.iter().map(|spot| (spot, next.player[*spot])) {
            let Some(from) = from else { continue };
            for direction in Direction::ALL {
                let go = go[direction.index()];
                match graph.push(spot, direction) {
                    Some(push) => {
                        let lit = self.push_lit(t, push, cnf);
                        define_and(cnf, ONE_PUSH, lit, &[from, go]);
                    }
                    None => cnf.add(ONE_PUSH, [!from, !go]),
                }
            }
            // The box leaves the cell that the player enters.
            for lit in [now.boxes[spot], next.boxes[spot].map(|lit| !lit)] {
                cnf.add(PUSH, [!from].into_iter().chain(lit));
            }
        }
        for push in &graph.pushes {
            let lit = self.push_lit(t, push, cnf);
            for effect in [now.boxes[push.to].map(|lit| !lit), next.boxes[push.to]] {
                cnf.add(PUSH, [!lit].into_iter().chain(effect));
            }
        }
    }

    /// A box stays unless it is pushed away, and comes only by a push.
    fn add_frame(&self, t: Step, graph: &PushGraph, now: &Layer, next: &Layer, cnf: &mut Cnf<Var>) {
        for spot in 0..self.bounds.floor().len() {
            let Some((before, after)) = now.boxes[spot].zip(next.boxes[spot]) else { continue };
            cnf.add(BOX_FRAME, [!before, after].into_iter().chain(next.player[spot]));
            let pushed: Vec<Lit> =
                graph.pushes_to(spot).map(|push| self.push_lit(t, push, cnf)).collect();
            cnf.add(BOX_FRAME, [before, !after].into_iter().chain(pushed));
        }
    }

    /// The walk from where the player stands to behind the box. An idle step walks nowhere: it
    /// ends where it begins.
    fn add_walk(&self, t: Step, graph: &PushGraph, now: &Layer, cnf: &mut Cnf<Var>) {
        let busy = cnf.lit(t, Var::Busy);
        let nodes = graph.walk.node_count();
        let mut pushes = vec![Vec::new(); nodes];
        for push in &graph.pushes {
            pushes[graph.node[push.behind]].push(self.push_lit(t, push, cnf));
        }
        let mut walk = Walk { on: Vec::new(), from: vec![None; nodes], to: vec![None; nodes] };
        for &stand in &graph.stands {
            walk.from[graph.node[stand]] = now.player[stand];
        }
        for node in graph.walk.node_indices() {
            let (i, spot) = (node.index(), graph.walk[node]);
            let on = cnf.lit(t, Var::Walk(self.place(spot)));
            walk.on.push(on);
            if let Some(boxed) = now.boxes[spot] {
                cnf.add(WALK_FREE, [!on, !boxed]);
            }
            if pushes[i].is_empty() && walk.from[i].is_none() {
                continue;
            }
            let to = cnf.lit(t, Var::To(self.place(spot)));
            walk.to[i] = Some(to);
            for &push in &pushes[i] {
                cnf.add(WALK_FREE, [!push, to]);
            }
            // Behind a box that is pushed, or idle where the player stands.
            let idle = walk.from[i].map(|_| !busy);
            cnf.add(WALK_FREE, [!to].into_iter().chain(idle).chain(pushes[i].iter().copied()));
            if let Some(from) = walk.from[i] {
                cnf.add(WALK_FREE, [busy, !from, to]);
                cnf.add(WALK_FREE, [busy, from, !to]);
            }
        }
        walk.connect(&graph.walk, t, cnf);
    }
}

impl Encoding for SokobanPushes {
    type Puzzle = Sokoban;
    type Var = Var;
    const NAME: &'static str = "sokoban-pushes";
    const VERSION: u32 = 2;
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        after: |encoding, refuted| {
            let Some(lower) = encoding.lower_bound() else { return refuted + 1 };
            // All plans have the parity of the bound when every goal takes a box.
            let skips = encoding.bounds.fills_all_goals()
                && refuted >= lower
                && (refuted - lower).is_multiple_of(2);
            refuted + if skips { 2 } else { 1 }
        },
        cap_secondary: Some(|encoding, horizon, cap, cnf| {
            let Some(last) = horizon.checked_sub(1) else { return };
            // A walk over n cells has n - 1 steps, and the push is one more. The first idle step, too,
            // has a walk: the one cell where the player stands. It is counted in every plan: without
            // idle steps the last step is busy.
            let graph = encoding.graph(cnf);
            let on = (0..horizon).cartesian_product(graph.walk.node_indices());
            let on = on.map(|(t, node)| (t, Var::Walk(encoding.place(graph.walk[node]))));
            let counted = on.chain([(last, Var::Busy)]);
            let counted: Vec<Lit> = counted.map(|(t, var)| cnf.lit(t, var)).collect();
            at_most(cnf, WALK_LENGTH, horizon, &counted, cap as usize + 1);
        }),
        ..EncodingExtras::NONE
    };

    fn new(puzzle: &Sokoban, objective: Objective) -> Result<Self, EncodeError> {
        let bounds = Bounds::new(puzzle);
        let merged = objective != Objective::PushesMoves;
        Ok(Self {
            puzzle: puzzle.clone(),
            potential: Potential::new(&bounds),
            pairs: OnceLock::new(),
            all: PushGraph::new(&bounds, Bounds::is_reachable, merged),
            live: PushGraph::new(&bounds, Bounds::is_live, merged),
            merged,
            bounds,
        })
    }

    fn lower_bound(&self) -> Option<Step> {
        self.bounds.lower_bound()
    }

    fn unsolvable_reason(&self) -> Option<String> {
        self.bounds.unsolvable_reason()
    }

    fn facts(&self) -> Facts {
        facts(&self.bounds)
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        let graph = self.graph(cnf);
        let layer = self.layer(0, graph, cnf);
        let floor = self.bounds.floor();
        if floor.boxes().iter().any(|&at| !graph.holds[at]) {
            // A box that is lost from the start has no variable.
            cnf.add(DEAD_SQUARE, []);
        }
        for spot in 0..floor.len() {
            let facts = [
                (layer.boxes[spot], floor.boxes().contains(&spot)),
                (layer.player[spot], floor.player() == spot),
            ];
            for (lit, holds) in facts {
                if let Some(lit) = lit {
                    cnf.add(START, [lit.when(holds)]);
                }
            }
        }
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        let graph = self.graph(cnf);
        let (now, next) = (self.layer(t, graph, cnf), self.layer(t + 1, graph, cnf));
        self.add_push(t, graph, &now, &next, cnf);
        self.add_frame(t, graph, &now, &next, cnf);
        self.add_walk(t, graph, &now, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let graph = self.graph(cnf);
        goal::solved(&self.bounds, |spot| graph.holds[spot], t, cnf)
    }

    fn within(&self, least: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        let graph = self.graph(cnf);
        goal::count(&self.bounds, |spot| graph.holds[spot], horizon, cnf);
        self.add_time_windows(horizon, cnf);
        self.add_waste(horizon, cnf);
        self.add_idle(horizon, cnf);
        self.add_pairs(horizon, cnf);
        self.add_tunnels(horizon, cnf);
        not_shorter(least, cnf, |t, cnf| [cnf.lit(t, Var::Busy)]);
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Solution, DecodeError> {
        let mut walker = Walker::new(self.bounds.floor());
        for t in 0..horizon {
            let made = self.all.pushes.iter().filter(|push| {
                assignment.holds(t, Var::Push(self.place(push.from), push.direction))
            });
            match made.at_most_one() {
                Ok(Some(push)) => walker
                    .push(push)
                    .ok_or_else(|| DecodeError(format!("the push of step {t} is not possible")))?,
                Ok(None) => break,
                Err(_) => return Err(DecodeError(format!("two pushes in step {t}"))),
            }
        }
        Ok(self.puzzle.solution(&walker.into_plan()))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        assignment.true_lits(|var| matches!(var, Var::Push(..)))
    }
}
