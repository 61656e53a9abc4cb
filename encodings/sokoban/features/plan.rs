//! A plan of the packing: which cells are filled in which order, and until when.

use super::alone::{pushes, sources};
use super::field::Field;
use crate::bit_set::BitSet;

/// A box comes to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanStep {
    /// From where an earlier step or the start has put it; `None` for any box.
    pub from: Option<usize>,
    pub to: usize,
}

/// The cells that hold boxes after each step of a plan, and those that none should stand on.
#[derive(Clone, Debug)]
pub(super) struct PackingPlan<const W: usize> {
    /// Where boxes come to, in order.
    targets: Vec<usize>,
    /// Cells that hold a box after so many steps, but for those that wait.
    stages: Vec<BitSet<W>>,
    /// Boxes that have not moved, each with the number of the step that moves it.
    waiting: Vec<(usize, usize)>,
    /// Cells from which no later step is served once the next boxes stand for good.
    zones: Vec<BitSet<W>>,
    /// Pushes from the zone to each cell; empty where the zone is.
    zone_pushes: Vec<Vec<u16>>,
    /// Cells that some step needs.
    cells: BitSet<W>,
}

impl<const W: usize> PackingPlan<W> {
    /// The plan of some steps; at first these boxes are left where they stand.
    pub(super) fn new(field: &Field, left: &BitSet<W>, steps: Vec<PlanStep>) -> Self {
        let steps = joined(steps);
        let count = steps.len();
        let taken = |cell: usize, after: usize| {
            let taken = steps[after..].iter().position(|step| step.from == Some(cell));
            taken.map(|number| after + number)
        };
        let until: Vec<Option<usize>> =
            steps.iter().zip(1..).map(|(step, after)| taken(step.to, after)).collect();
        let waiting: Vec<(usize, usize)> =
            left.iter().filter_map(|cell| Some((cell, taken(cell, 0)?))).collect();
        let forever: BitSet<W> = left.iter().filter(|&cell| taken(cell, 0).is_none()).collect();
        let targets: Vec<usize> = steps.iter().map(|step| step.to).collect();
        // Those that stand after so many steps: for good, or until one of the next ones.
        let standing = |done: usize, is_for_good: bool| {
            let stands = |number: &usize| match until[*number] {
                None => true,
                Some(taken) => !is_for_good && taken >= done,
            };
            (0..done).filter(stands).map(|number| targets[number]).collect::<BitSet<W>>()
        };
        let stages: Vec<BitSet<W>> =
            (0..=count).map(|done| forever.or(&standing(done, false))).collect();
        let live: BitSet<W> =
            (0..field.len()).filter(|&cell| !field.bounds().is_dead_spot(cell)).collect();
        let zone_after = |done: usize| {
            let walls = forever.or(&standing(done, true));
            let later: BitSet<W> = targets[done..].iter().copied().collect();
            let served = sources(field, &walls, later.minus(&walls));
            live.minus(&walls).minus(&served)
        };
        let zones = ahead(&(1..count).map(zone_after).collect::<Vec<_>>());
        let zone_pushes = zones.iter().enumerate().map(|(done, zone)| {
            let waits = waiting.iter().filter(|(_, taken)| *taken >= done).map(|&(cell, _)| cell);
            let walls = waits.fold(stages[done], BitSet::with);
            if zone.is_empty() { Vec::new() } else { pushes(field, &walls.minus(zone), *zone) }
        });
        let zone_pushes = zone_pushes.collect();
        let cells = targets.iter().copied().fold(*left, BitSet::with);
        Self { targets, stages, waiting, zones, zone_pushes, cells }
    }

    /// Steps done: those of the last stage whose cells all hold boxes.
    pub(super) fn done(&self, boxes: &BitSet<W>) -> usize {
        self.stages.iter().rposition(|stage| stage.is_within(boxes)).unwrap_or(0)
    }

    /// What is left after so many steps: steps, and boxes that should have waited.
    pub(super) fn left(&self, boxes: &BitSet<W>, done: usize) -> u16 {
        let early = |&&(cell, taken): &&(usize, usize)| taken >= done && !boxes.has(cell);
        let early = self.waiting.iter().filter(early).count();
        (self.targets.len() - done + early) as u16
    }

    /// Where the next box comes to.
    pub(super) fn next(&self, done: usize) -> Option<usize> {
        self.targets.get(done).copied()
    }

    /// Boxes that stand where they will soon be of no use.
    pub(super) fn out(&self, boxes: &BitSet<W>, done: usize) -> u16 {
        self.zones.get(done).map_or(0, |zone| zone.and(boxes).len() as u16)
    }

    /// Pushes from where boxes will soon be of no use to each cell.
    pub(super) fn zone_pushes(&self, done: usize) -> Option<&[u16]> {
        self.zone_pushes.get(done).filter(|pushes| !pushes.is_empty()).map(Vec::as_slice)
    }

    /// Cells that some step needs.
    pub(super) fn cells(&self) -> &BitSet<W> {
        &self.cells
    }
}

/// The same steps, those joined that move the same box one after the other.
fn joined(steps: Vec<PlanStep>) -> Vec<PlanStep> {
    let mut joined: Vec<PlanStep> = Vec::new();
    for step in steps {
        match joined.last_mut() {
            Some(last) if step.from == Some(last.to) => last.to = step.to,
            _ => joined.push(step),
        }
        joined.pop_if(|last| last.from == Some(last.to));
    }
    joined
}

/// Each set replaced by the next one that differs from it.
fn ahead<const W: usize>(sets: &[BitSet<W>]) -> Vec<BitSet<W>> {
    let next = |number: usize| sets[number..].iter().find(|&later| *later != sets[number]);
    (0..sets.len()).map(|number| *next(number).unwrap_or(&sets[number])).collect()
}
