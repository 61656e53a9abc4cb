//! Features and advice that follow a plan of the packing.
//!
//! A state counts by the steps of the plan that are done, the regions that boxes split the floor
//! into, and the boxes *out of plan*: where they stand they will be of no use once the next ones
//! stand for good. Single advisors hardly matter; all of them together are what makes the plan
//! work, for they cover each other.

use super::alone::NEVER;
use super::field::{Field, NO_CELL};
use super::macros::{Macro, Ways};
use super::passages::Passages;
use super::plan::PackingPlan;
use super::sinks::{self, Ground, PlanOrder};
use super::survey::flood;
use crate::bit_set::BitSet;
use crate::features::{Choice, Features};

/// What makes a variant that follows a plan of the packing different from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanOptions {
    /// Of the search for the plan.
    order: PlanOrder,
    /// Of plans that are equals but for it.
    seed: u32,
    /// Keep the ways between rooms open.
    rooms: bool,
    /// Leave boxes within corridors, too.
    passages: bool,
    /// Among equals take boxes near goals first. Those far from goals go first elsewhere, since
    /// what is near may stand in the way.
    pub near_first: bool,
}

impl PlanOptions {
    pub(super) fn of(variant: u32) -> Self {
        let (rooms, other) = (variant & 1 != 0, variant & 2 != 0);
        let order = if other { PlanOrder::Goals } else { PlanOrder::Regions };
        Self { order, seed: variant / 4, rooms, passages: other, near_first: other }
    }
}

/// What a state looks like beside the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanFeatures {
    /// Steps done.
    pub done: usize,
    /// Steps left.
    pub left: u16,
    pub regions: u16,
    /// Boxes out of plan.
    pub out: u16,
    pub hotspots: u16,
    /// Ways between rooms that are shut.
    pub shut: u16,
    /// Pushes of all boxes to their nearest goals.
    pub distance: u16,
}

impl PlanFeatures {
    pub(super) fn features(self) -> Features {
        [self.left, self.regions, self.out, self.shut]
    }

    pub(super) fn tie(self, is_near_first: bool) -> u32 {
        let part = |count: u16, most: u16| u32::from(count.min(most));
        let distance = part(self.distance / 2, 511);
        part(self.left, 63) << 26
            | part(self.regions, 31) << 21
            | part(self.shut, 15) << 17
            | part(self.out, 15) << 13
            | part(self.hotspots, 15) << 9
            | if is_near_first { distance } else { 511 - distance }
    }
}

/// A plan, and what is needed to follow it.
#[derive(Clone, Debug)]
pub(super) struct PlanGuide<const W: usize> {
    pub ground: Ground<W>,
    pub plan: PackingPlan<W>,
    /// Cells on which boxes are not left; `None` where all may be used.
    pub passages: Option<Passages<W>>,
    pub options: PlanOptions,
}

/// A choice, and what is known of the state after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    pub choice: Choice<Macro>,
    pub after: PlanFeatures,
}

impl Prospect {
    fn cells(&self) -> (usize, usize) {
        (self.choice.mv.from.into(), self.choice.mv.to.into())
    }
}

impl<const W: usize> PlanGuide<W> {
    /// A guide; `None` where no plan was found.
    pub(super) fn new(field: &Field, ways: &mut Ways, options: PlanOptions) -> Option<Self> {
        let ground = Ground::new(field);
        let plan = sinks::plan(field, &ground, ways, options.order, options.seed)?;
        let passages = (!options.passages).then(|| Passages::new(field));
        Some(Self { ground, plan, passages, options })
    }

    pub(super) fn look(
        &self,
        field: &Field,
        boxes: &BitSet<W>,
        [regions, hotspots, distance]: [u16; 3],
    ) -> PlanFeatures {
        let done = self.plan.done(boxes);
        let (left, out) = (self.plan.left(boxes, done), self.plan.out(boxes, done));
        let shut = if self.options.rooms { self.ground.rooms.shut(field, boxes) } else { 0 };
        PlanFeatures { done, left, regions, out, hotspots, shut, distance }
    }

    /// Whether a box is left where it only stands in the way.
    pub(super) fn is_silly(&self, to: usize) -> bool {
        let passages = self.passages.as_ref();
        passages.is_some_and(|passages| passages.blocked(to)) && !self.plan.cells().has(to)
    }

    /// The numbers of the choices that advisors name. None of them lets go a step that is done.
    pub(super) fn advise(
        &self,
        field: &Field,
        boxes: &BitSet<W>,
        reach: &BitSet<W>,
        now: PlanFeatures,
        prospects: &[Prospect],
    ) -> Vec<usize> {
        let numbered = || prospects.iter().enumerate().filter(|(_, it)| it.after.left <= now.left);
        let least = |wanted: &dyn Fn(&Prospect) -> bool| {
            let wanted = numbered().filter(|(_, it)| wanted(it));
            wanted.min_by_key(|(_, it)| it.choice.tie).map(|(number, _)| number)
        };
        let is_calm = |it: &Prospect| it.after.regions <= now.regions && it.after.shut <= now.shut;
        // As far as other boxes allow it.
        let can_return = |it: &Prospect| {
            let (from, to) = it.cells();
            self.ground.targets[to].has(from)
        };
        let packer = least(&|it| it.after.left < now.left);
        let merger = least(&|it| it.after.regions < now.regions);
        let porter = least(&|it| it.after.shut < now.shut);
        let unblocker = least(&|it| it.after.hotspots < now.hotspots);
        // Of the boxes out of plan the one that is nearest to getting away, as far as it goes.
        let evacuator =
            self.plan.zone_pushes(now.done).filter(|_| now.out > 0).and_then(|pushes| {
                let way = |it: &Prospect| {
                    let (from, to) = it.cells();
                    (pushes[from], std::cmp::Reverse(pushes[to]))
                };
                let leaves = |it: &Prospect| {
                    let (from, to) = it.cells();
                    pushes[to] != NEVER && pushes[to] > pushes[from]
                };
                let wanted = numbered()
                    .filter(|(_, it)| is_calm(it) && it.after.out <= now.out && can_return(it))
                    .filter(|(_, it)| leaves(it));
                wanted.min_by_key(|(_, it)| way(it)).map(|(number, _)| number)
            });
        // Where nothing can be packed, the box nearest to the next place goes away from it.
        let opener = self.plan.next(now.done).filter(|_| packer.is_none()).and_then(|next| {
            let steps = &self.ground.steps[next];
            let way = |it: &Prospect| {
                let (from, to) = it.cells();
                (steps[from], std::cmp::Reverse(steps[to]))
            };
            let leaves = |it: &Prospect| {
                let (from, to) = it.cells();
                steps[to] >= steps[from]
            };
            let wanted = numbered().filter(|(_, it)| is_calm(it) && leaves(it));
            wanted.min_by_key(|(_, it)| way(it)).map(|(number, _)| number)
        });
        let explorer = {
            let mut wanted: Vec<(usize, &Prospect)> =
                numbered().filter(|(_, it)| can_return(it)).collect();
            wanted.sort_by_key(|(_, it)| it.choice.tie);
            let opens = |it: &Prospect| self.opens(field, boxes, reach, it.choice.mv);
            wanted.into_iter().find(|(_, it)| opens(it)).map(|(number, _)| number)
        };
        // Where there is hardly a choice, there is no need of advice.
        let only = if prospects.len() <= 2 {
            (0..prospects.len()).min_by_key(|&number| prospects[number].choice.tie)
        } else {
            None
        };
        let named = [packer, merger, porter, unblocker, evacuator, opener, explorer, only];
        named.into_iter().flatten().collect()
    }

    /// Whether another box can be pushed after a macro move as it could not before, from cells that
    /// the player could not walk to.
    fn opens(&self, field: &Field, boxes: &BitSet<W>, reach: &BitSet<W>, mv: Macro) -> bool {
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        let others = boxes.without(from);
        let now = others.with(to);
        let fresh = flood(field, &now, mv.player.into()).minus(reach).without(from);
        let pushed = |at: usize| {
            (0..4).any(|d| {
                let (front, behind) = (field.ahead(at, d), field.ahead(at, Field::opposite(d)));
                front != NO_CELL
                    && behind != NO_CELL
                    && fresh.has(behind.into())
                    && !now.has(front.into())
            })
        };
        !fresh.is_empty() && others.iter().any(pushed)
    }
}
