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

use super::alone::{steps, targets};
use super::field::{Field, NO_CELL};
use super::macros::Ways;
use super::plan::{PackingPlan, PlanStep};
use super::rooms::Rooms;
use super::survey::{flood, regions};
use crate::bit_set::BitSet;
use crate::matching::{INFINITE_COST, Matching};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// States that are looked at: plans that are found take some hundreds.
const MAX_STATES: usize = 4_000;

/// States times squared boxes, since each state is matched: a second on the largest levels.
const MAX_WORK: usize = 1_600_000;

/// Steps that a box sinks away from where it was packed, unless that is in another room.
const FAR: u16 = 6;

/// What the search backwards looks at first among states with as many boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanOrder {
    /// Few regions.
    Regions,
    /// Few boxes on goals.
    Goals,
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
}

/// Less is better.
type Rank = [i32; 6];

struct Search<'a, const W: usize> {
    field: &'a Field,
    ground: &'a Ground<W>,
    ways: &'a mut Ways,
    matching: Matching,
    order: PlanOrder,
    goals: BitSet<W>,
    nodes: Vec<SinkNode<W>>,
    known: HashSet<(BitSet<W>, BitSet<W>, usize)>,
    open: BinaryHeap<Reverse<(Rank, usize)>>,
}

/// A plan, as far as one was found; `None` where there are more goals than boxes.
pub(super) fn plan<const W: usize>(
    field: &Field,
    ground: &Ground<W>,
    ways: &mut Ways,
    order: PlanOrder,
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
        goals,
        nodes: Vec::new(),
        known: HashSet::new(),
        open: BinaryHeap::new(),
    };
    let mut rest = field.all::<W>().minus(&goals);
    while let Some(player) = rest.first() {
        rest = rest.minus(&flood(field, &goals, player));
        let step = PlanStep { from: None, to: player };
        let starts = field.boxes();
        search.add(SinkNode { boxes: goals, starts, player, parent: None, step }, [0; 6]);
    }
    let last = search.run()?;
    Some(search.plan_of(last))
}

impl<const W: usize> Search<'_, W> {
    /// The state in which the fewest boxes are left that do not stand where one stood.
    fn run(&mut self) -> Option<usize> {
        let most = MAX_STATES.min(MAX_WORK / self.goals.len().pow(2).max(1));
        let mut best = None;
        while let Some(Reverse((_, id))) = self.open.pop() {
            let node = self.nodes[id];
            let left = (node.boxes.minus(&node.starts).len(), node.boxes.and(&self.goals).len());
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, id));
            }
            if left.0 == 0 || self.nodes.len() > most {
                break;
            }
            self.expand(id);
        }
        best.map(|(_, id)| id)
    }

    fn add(&mut self, mut node: SinkNode<W>, rank: Rank) {
        node.player = flood(self.field, &node.boxes, node.player).first().unwrap_or(node.player);
        if self.known.insert((node.boxes, node.starts, node.player)) {
            self.open.push(Reverse((rank, self.nodes.len())));
            self.nodes.push(node);
        }
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
        let SinkNode { boxes, starts, player, .. } = self.nodes[id];
        let reach = flood(self.field, &boxes, player);
        let sinks = self.sinks(&boxes, &starts);
        let can_sink = sinks.minus(&boxes).is_within(&reach);
        let from_starts = starts.iter().map(|start| &self.ground.targets[start]);
        let from_starts = from_starts.fold(BitSet::EMPTY, |all, targets| all.or(targets));
        let mut has_sunk = false;
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
                    has_sunk = true;
                    let rank = self.rank_of_sinking(&others, from, to);
                    let step = PlanStep { from: None, to: from };
                    let parent = Some(id);
                    self.add(SinkNode { boxes: others, starts: left, player, parent, step }, rank);
                } else if from_starts.has(to) {
                    pulls.push((from, to, player));
                }
            }
        }
        // Where a box can sink, nothing else is of use.
        for (from, to, player) in pulls.into_iter().filter(|_| !has_sunk) {
            let boxes = boxes.without(from).with(to);
            if self.come_from(&boxes, &starts) {
                let step = PlanStep { from: Some(to), to: from };
                let rank = self.rank_of_pulling(&boxes);
                self.add(SinkNode { boxes, starts, player, parent: Some(id), step }, rank);
            }
        }
    }

    fn is_far(&self, from: usize, to: usize) -> bool {
        self.ground.steps[from][to] >= FAR || self.ground.rooms.differ(from, to)
    }

    /// Boxes off goals sink first, then those that join regions by it, those in dead ends last.
    fn rank_of_sinking(&self, others: &BitSet<W>, from: usize, to: usize) -> Rank {
        let walls = self.field.around(from).into_iter().filter(|&next| next == NO_CELL).count();
        let regions = i32::from(regions(self.field, &others.with(to)));
        let steps = i32::from(self.ground.steps[from][to]);
        let is_packed = i32::from(self.goals.has(from));
        [others.len() as i32, is_packed, i32::from(walls >= 3), regions, -steps, 0]
    }

    fn rank_of_pulling(&self, boxes: &BitSet<W>) -> Rank {
        /// More than any number in its place where a box sinks.
        const AFTER_SINKING: i32 = 2;
        let regions = i32::from(regions(self.field, boxes));
        let packed = boxes.and(&self.goals).len() as i32;
        let distance: u16 = boxes.iter().map(|at| self.ground.to_goal[at]).sum();
        let [first, second] = match self.order {
            PlanOrder::Regions => [regions, packed],
            PlanOrder::Goals => [packed, regions],
        };
        let shut = match self.order {
            PlanOrder::Regions => i32::from(self.ground.rooms.shut(self.field, boxes)),
            PlanOrder::Goals => 0,
        };
        [boxes.len() as i32, AFTER_SINKING, first, second, shut, -i32::from(distance)]
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
