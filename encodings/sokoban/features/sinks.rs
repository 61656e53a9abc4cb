//! A plan of the whole packing, found backwards: all goals are full, boxes are pulled from them, and
//! where boxes stood at the start they *sink*.
//!
//! A box may sink only where one of the start can be brought from at that moment. The squares of
//! the start that are still in use fall into classes: two are in one if a box can be pushed from
//! each to the other past the boxes that are left. Sinks are those of the largest class, if the
//! player can walk to all of them that are free; the box must come from another room or from afar, and the
//! squares that are then left must do for the boxes that are left. So a box near the start that
//! shuts off others is pulled elsewhere first, and the plan says where: it *parks*. The search ends
//! when all boxes that are left stand where boxes stood: these wait until their step comes.
//!
//! It goes round *cells* of states with as many boxes, regions, boxes on goals and shut rooms, and
//! every other turn is that of the best cell. In a cell the states go first that are reached by the
//! fewest pulls which were not the best ones where they were made.

use super::alone::{steps, targets};
use super::field::{Field, NO_CELL};
use super::macros::Ways;
use super::noise::noise;
use super::plan::{PackingPlan, PlanStep};
use super::rooms::Rooms;
use super::survey::{flood, regions};
use crate::bit_set::BitSet;
use crate::matching::{INFINITE_COST, Matching};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

/// States that are kept: half a second on levels with thirty boxes. Of the plans of XSokoban and
/// Sasquatch nine tenths take fewer than 30,000.
const MAX_STATES: usize = 60_000;

/// States from which pulls are made, each of which is matched.
const MAX_EXPANDED: usize = 4_000;

/// Steps that a box sinks away from where it was packed, unless that is in another room.
const FAR: u16 = 6;

/// What the search backwards counts first among states with as many boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanOrder {
    /// Few regions.
    Regions,
    /// Few boxes on goals.
    Goals,
}

impl PlanOrder {
    fn of(self, regions: u16, packed: u16) -> [u16; 2] {
        match self {
            Self::Regions => [regions, packed],
            Self::Goals => [packed, regions],
        }
    }
}

/// What is known of the floor without boxes.
#[derive(Clone, Debug)]
pub(super) struct Ground<const W: usize> {
    pub rooms: Rooms<W>,
    /// Steps between any two cells.
    pub steps: Vec<Vec<u16>>,
    /// Cells to which a box can be pushed.
    pub targets: Vec<BitSet<W>>,
    /// Pushes of a box to the nearest goal, the player being anywhere.
    pub to_goal: Vec<u16>,
}

impl<const W: usize> Ground<W> {
    pub(super) fn new(field: &Field) -> Self {
        let cells = 0..field.len();
        Self {
            rooms: Rooms::new(field),
            steps: cells.clone().map(|from| steps(field, from)).collect(),
            targets: cells.map(|from| targets(field, &BitSet::EMPTY, from)).collect(),
            to_goal: to_goal::<W>(field),
        }
    }
}

/// Pushes to the nearest goal, by layers; those of cells from which there is no way count as many.
fn to_goal<const W: usize>(field: &Field) -> Vec<u16> {
    const HOPELESS: u16 = 50;
    let mut pushes = vec![HOPELESS; field.len()];
    let mut found = field.goals::<W>();
    let mut layer: Vec<usize> = found.iter().collect();
    for distance in 0.. {
        if layer.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for at in layer {
            pushes[at] = distance;
            for d in 0..4 {
                let before = field.ahead(at, d);
                if before != NO_CELL
                    && !found.has(before.into())
                    && field.ahead(before.into(), d) != NO_CELL
                {
                    found.insert(before.into());
                    next.push(before.into());
                }
            }
        }
        layer = next;
    }
    pushes
}

/// A state of the search backwards.
#[derive(Clone, Copy)]
struct SinkNode<const W: usize> {
    boxes: BitSet<W>,
    /// Squares of the start that no box has sunk on.
    starts: BitSet<W>,
    player: usize,
    parent: Option<usize>,
    /// The step that the last pull undoes.
    step: PlanStep,
    /// The best features on the way to it.
    cell: CellFeatures,
    /// Pulls on the way to it that were not the best ones where they were made.
    weight: u32,
}

/// Boxes that are left, then by [`PlanOrder`] regions and boxes on goals, then shut rooms.
type CellFeatures = [u16; 4];

/// Less is better.
type Rank = [i32; 6];

/// States of one cell that are still to be looked at, each with weight and rank; the least goes first.
type OpenStates = BinaryHeap<Reverse<(u32, Rank, usize)>>;

/// States that are still to be looked at, by cell.
#[derive(Default)]
struct OpenCells {
    cells: BTreeMap<CellFeatures, OpenStates>,
    /// In the order in which they were found.
    found: Vec<CellFeatures>,
    /// Whose turn it was.
    turn: usize,
    is_best_next: bool,
}

impl OpenCells {
    fn push(&mut self, cell: CellFeatures, weight: u32, rank: Rank, state: usize) {
        let open = self.cells.entry(cell).or_insert_with(|| {
            self.found.push(cell);
            BinaryHeap::new()
        });
        open.push(Reverse((weight, rank, state)));
    }

    fn pop(&mut self) -> Option<usize> {
        self.is_best_next = !self.is_best_next;
        let best = self.cells.iter().find(|(_, open)| !open.is_empty());
        let mut cell = *best?.0;
        if !self.is_best_next {
            let in_turn =
                (1..=self.found.len()).map(|ahead| (self.turn + ahead) % self.found.len());
            let is_open = |&turn: &usize| !self.cells[&self.found[turn]].is_empty();
            self.turn = in_turn.into_iter().find(is_open)?;
            cell = self.found[self.turn];
        }
        let Reverse((_, _, state)) = self.cells.get_mut(&cell)?.pop()?;
        Some(state)
    }
}

struct Search<'a, const W: usize> {
    field: &'a Field,
    ground: &'a Ground<W>,
    ways: &'a mut Ways,
    matching: Matching,
    order: PlanOrder,
    seed: u32,
    goals: BitSet<W>,
    nodes: Vec<SinkNode<W>>,
    known: HashSet<(BitSet<W>, BitSet<W>, usize)>,
    open: OpenCells,
}

/// A plan, as far as one was found; `None` where there are more goals than boxes. Seeds other than
/// 0 give other plans.
pub(super) fn plan<const W: usize>(
    field: &Field,
    ground: &Ground<W>,
    ways: &mut Ways,
    order: PlanOrder,
    seed: u32,
) -> Option<PackingPlan<W>> {
    if !field.fills_all_goals() {
        return None;
    }
    let goals = field.goals::<W>();
    let mut search = Search {
        field,
        ground,
        ways,
        matching: Matching::new(goals.len()),
        order,
        seed,
        goals,
        nodes: Vec::new(),
        known: HashSet::new(),
        open: OpenCells::default(),
    };
    let mut rest = field.all::<W>().minus(&goals);
    while let Some(player) = rest.first() {
        rest = rest.minus(&flood(field, &goals, player));
        let step = PlanStep { from: None, to: player };
        let (boxes, starts, cell) = (goals, field.boxes(), search.features(&goals));
        let root = SinkNode { boxes, starts, player, parent: None, step, cell, weight: 0 };
        search.add(root, [0; 6]);
    }
    let last = search.run()?;
    Some(search.plan_of(last))
}

impl<const W: usize> Search<'_, W> {
    /// The state in which the fewest boxes are left that do not stand where one stood.
    fn run(&mut self) -> Option<usize> {
        let (mut best, mut expanded) = (None, 0);
        while let Some(id) = self.open.pop() {
            let node = self.nodes[id];
            // Matching is what costs: few of the states that are pulled to are ever looked at.
            if node.step.from.is_some() && !self.come_from(&node.boxes, &node.starts) {
                continue;
            }
            let left = (node.boxes.minus(&node.starts).len(), node.boxes.and(&self.goals).len());
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, id));
            }
            expanded += 1;
            if left.0 == 0 || expanded > MAX_EXPANDED || self.nodes.len() > MAX_STATES {
                break;
            }
            self.expand(id);
        }
        best.map(|(_, id)| id)
    }

    fn add(&mut self, mut node: SinkNode<W>, rank: Rank) {
        node.player = flood(self.field, &node.boxes, node.player).first().unwrap_or(node.player);
        if self.known.insert((node.boxes, node.starts, node.player)) {
            self.open.push(node.cell, node.weight, rank, self.nodes.len());
            self.nodes.push(node);
        }
    }

    fn features(&self, boxes: &BitSet<W>) -> CellFeatures {
        let [first, second] =
            self.order.of(regions(self.field, boxes), boxes.and(&self.goals).len() as u16);
        [boxes.len() as u16, first, second, self.ground.rooms.shut(self.field, boxes)]
    }

    /// The largest class of squares of the start.
    fn sinks(&self, boxes: &BitSet<W>, starts: &BitSet<W>) -> BitSet<W> {
        let list: Vec<usize> = starts.iter().collect();
        let reached: Vec<BitSet<W>> =
            list.iter().map(|&start| targets(self.field, &boxes.without(start), start)).collect();
        let size = |one: usize| {
            let together =
                |other: &usize| reached[one].has(list[*other]) && reached[*other].has(list[one]);
            (0..list.len()).filter(together).count()
        };
        let sizes: Vec<usize> = (0..list.len()).map(size).collect();
        let largest = sizes.iter().copied().max();
        let of_largest = |&(_, size): &(&usize, &usize)| Some(*size) == largest;
        list.iter().zip(&sizes).filter(of_largest).map(|(&start, _)| start).collect()
    }

    /// Whether each box can come from a square of the start of its own, past no others.
    fn come_from(&mut self, boxes: &BitSet<W>, starts: &BitSet<W>) -> bool {
        let (boxes, starts): (Vec<usize>, Vec<usize>) =
            (boxes.iter().collect(), starts.iter().collect());
        let targets = &self.ground.targets;
        let cost = |row: usize, column: usize| {
            let comes = starts.get(column).is_some_and(|&start| targets[start].has(boxes[row]));
            if comes { 0 } else { INFINITE_COST }
        };
        self.matching.least(boxes.len(), cost).is_some()
    }

    fn expand(&mut self, id: usize) {
        let node = self.nodes[id];
        let SinkNode { boxes, starts, player, .. } = node;
        let reach = flood(self.field, &boxes, player);
        let sinks = self.sinks(&boxes, &starts);
        let can_sink = sinks.minus(&boxes).is_within(&reach);
        let from_starts = starts.iter().map(|start| &self.ground.targets[start]);
        let from_starts = from_starts.fold(BitSet::EMPTY, |all, targets| all.or(targets));
        let mut sunk = Vec::new();
        let mut pulls = Vec::new();
        for from in boxes.iter() {
            let others = boxes.without(from);
            let stops = self.ways.pulled(self.field, &boxes, &reach, from).to_vec();
            let mut sinks_here = can_sink;
            for stop in stops.iter().filter(|stop| stop.pushes > 0) {
                let (to, player) = (usize::from(stop.cell), usize::from(stop.player));
                let left = starts.without(to);
                if sinks_here
                    && sinks.has(to)
                    && self.is_far(from, to)
                    && self.come_from(&others, &left)
                {
                    sinks_here = false;
                    let rank = self.rank_of_sinking(&others, from, to);
                    let step = PlanStep { from: None, to: from };
                    let cell = node.cell.min(self.features(&others));
                    let (boxes, starts) = (others, left);
                    sunk.push((rank, SinkNode { boxes, starts, player, step, cell, ..node }));
                } else if from_starts.has(to) {
                    pulls.push((from, to, player));
                }
            }
        }
        // Where a box can sink, nothing else is of use.
        let followers = if sunk.is_empty() {
            let pulled = pulls.into_iter().map(|(from, to, player)| {
                let boxes = boxes.without(from).with(to);
                let step = PlanStep { from: Some(to), to: from };
                let features = self.features(&boxes);
                let rank = self.rank_of_pulling(&boxes, features, self.noise(from, to));
                (rank, SinkNode { boxes, player, step, cell: node.cell.min(features), ..node })
            });
            pulled.collect()
        } else {
            sunk
        };
        let best = followers.iter().map(|&(rank, _)| rank).min();
        for (rank, follower) in followers {
            let weight = node.weight + u32::from(Some(rank) != best);
            self.add(SinkNode { parent: Some(id), weight, ..follower }, rank);
        }
    }

    /// What is added to distances, so that another seed gives another plan.
    fn noise(&self, from: usize, to: usize) -> i32 {
        (noise(self.seed, from as u16, to as u16) / 2) as i32
    }

    fn is_far(&self, from: usize, to: usize) -> bool {
        self.ground.steps[from][to] >= FAR || self.ground.rooms.differ(from, to)
    }

    /// Boxes off goals sink first, then those that join regions by it, those in dead ends last.
    fn rank_of_sinking(&self, others: &BitSet<W>, from: usize, to: usize) -> Rank {
        let walls = self.field.around(from).into_iter().filter(|&next| next == NO_CELL).count();
        let regions = i32::from(regions(self.field, &others.with(to)));
        let steps = i32::from(self.ground.steps[from][to]) - self.noise(from, to);
        let is_packed = i32::from(self.goals.has(from));
        [others.len() as i32, is_packed, i32::from(walls >= 3), regions, -steps, 0]
    }

    fn rank_of_pulling(&self, boxes: &BitSet<W>, features: CellFeatures, noise: i32) -> Rank {
        /// More than any number in its place where a box sinks.
        const AFTER_SINKING: i32 = 2;
        let [left, first, second, shut] = features.map(i32::from);
        let distance: u16 = boxes.iter().map(|at| self.ground.to_goal[at]).sum();
        let shut = if self.order == PlanOrder::Regions { shut } else { 0 };
        [left, AFTER_SINKING, first, second, shut, noise - i32::from(distance)]
    }

    /// The way to a state, read forwards.
    fn plan_of(&self, last: usize) -> PackingPlan<W> {
        let mut steps = Vec::new();
        let mut at = last;
        while let Some(parent) = self.nodes[at].parent {
            steps.push(self.nodes[at].step);
            at = parent;
        }
        PackingPlan::new(self.field, &self.nodes[last].boxes, steps)
    }
}
