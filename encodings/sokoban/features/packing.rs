//! In which order goals can be filled, and how many boxes stand as an order wants it.
//!
//! Goals that touch form a **cluster**. Under a filling of a cluster, and with no other boxes, a
//! goal **can leave** if the player, coming from outside, can pull its box out of the cluster to a
//! cell where a box stands at the start. A filling is **consistent** if it is what is left of the
//! full one after taking away, one by one, boxes that can leave: then it can be built up in the
//! reverse order, as far as this cluster goes. **Packed** are the boxes of the largest consistent
//! filling within the present one; those outside will have to move again. Goals that belong to all
//! consistent fillings (nothing gets them out) come first: while one is open, only they count.

use super::field::Field;
use super::macros::Ways;
use super::survey::regions_with;
use crate::bit_set::{BitSet, ones};
use std::collections::HashMap;

/// A set of goals of one cluster, by their numbers in it.
type Filling = u64;

/// Consistent fillings that are listed; clusters with more are packed in rounds.
const MAX_FILLINGS: usize = 4_000;

/// Fillings whose count is remembered.
const MAX_CACHED_FILLINGS: usize = 1 << 16;

#[derive(Clone, Debug)]
struct Cluster<const W: usize> {
    goals: Vec<usize>,
    cells: BitSet<W>,
    /// Goals that are in all consistent fillings.
    core: Filling,
    order: Order,
    counted: HashMap<Filling, u16>,
}

#[derive(Clone, Debug)]
enum Order {
    /// All consistent fillings, the largest first.
    Fillings(Vec<Filling>),
    /// Goals that can leave at the same time, those that leave last first.
    Rounds(Vec<Filling>),
}

/// The clusters of a level.
#[derive(Clone, Debug)]
pub(super) struct Packing<const W: usize>(Vec<Cluster<W>>);

impl<const W: usize> Packing<W> {
    pub(super) fn new(field: &Field, ways: &mut Ways) -> Self {
        let goals = field.goals::<W>();
        let not_goals = field.all::<W>().minus(&goals);
        let clusters = regions_with(field, &not_goals, goals);
        Self(clusters.map(|cells| Cluster::new(field, ways, cells)).collect())
    }

    /// How many boxes are packed.
    pub(super) fn packed(&mut self, boxes: &BitSet<W>) -> u16 {
        self.0.iter_mut().map(|cluster| cluster.packed(boxes)).sum()
    }
}

impl<const W: usize> Cluster<W> {
    fn new(field: &Field, ways: &mut Ways, cells: BitSet<W>) -> Self {
        let goals: Vec<usize> = cells.iter().take(Filling::BITS as usize).collect();
        let mut cluster = Self {
            goals,
            cells,
            core: 0,
            order: Order::Rounds(Vec::new()),
            counted: HashMap::new(),
        };
        cluster.find_order(field, ways);
        cluster
    }

    fn full(&self) -> Filling {
        Filling::MAX >> (Filling::BITS as usize - self.goals.len())
    }

    fn find_order(&mut self, field: &Field, ways: &mut Ways) {
        if let Some(mut fillings) = self.fillings(field, ways) {
            self.core = fillings.iter().fold(self.full(), |all, one| all & one);
            fillings.sort_by_key(|filling| (std::cmp::Reverse(filling.count_ones()), *filling));
            self.order = Order::Fillings(fillings);
            return;
        }
        let mut rounds = Vec::new();
        let mut rest = self.full();
        loop {
            let leaving = self.leaving(field, ways, rest, 0);
            if leaving == 0 {
                break;
            }
            rounds.push(leaving);
            rest &= !leaving;
        }
        self.core = rest;
        rounds.reverse();
        self.order = Order::Rounds(rounds);
    }

    /// All consistent fillings, unless there are too many.
    fn fillings(&self, field: &Field, ways: &mut Ways) -> Option<Vec<Filling>> {
        let mut known = HashMap::from([(self.full(), 0)]);
        let mut open = vec![self.full()];
        let mut found = Vec::new();
        while let Some(filling) = open.pop() {
            found.push(filling);
            // With fewer boxes in the way, what could leave still can.
            let leaving = self.leaving(field, ways, filling, known[&filling] & filling);
            for number in ones(leaving) {
                let next = filling & !(1 << number);
                match known.get_mut(&next) {
                    Some(sure) => *sure |= leaving,
                    None => {
                        known.insert(next, leaving);
                        open.push(next);
                    }
                }
            }
            if known.len() > MAX_FILLINGS {
                return None;
            }
        }
        Some(found)
    }

    /// The goals of a filling that can leave; `sure` are some of them.
    fn leaving(&self, field: &Field, ways: &mut Ways, filling: Filling, sure: Filling) -> Filling {
        let boxes: BitSet<W> = ones(filling).map(|number| self.goals[number]).collect();
        let outside = self.reach_from_outside(field, &boxes);
        let targets = field.boxes::<W>().minus(&self.cells);
        ones(filling & !sure).fold(sure, |leaving, number| {
            let stops = ways.pulled(field, &boxes, &outside, self.goals[number]);
            let leaves = stops.iter().any(|stop| targets.has(usize::from(stop.cell)));
            leaving | Filling::from(leaves) << number
        })
    }

    /// The free cells that are connected to some cell outside the cluster.
    fn reach_from_outside(&self, field: &Field, boxes: &BitSet<W>) -> BitSet<W> {
        let regions = regions_with(field, boxes, field.all::<W>().minus(&self.cells));
        regions.fold(BitSet::EMPTY, |reached, region| reached.or(&region))
    }

    fn packed(&mut self, boxes: &BitSet<W>) -> u16 {
        if !boxes.meets(&self.cells) {
            return 0;
        }
        let filled = self.goals.iter().enumerate();
        let present = filled
            .filter(|(_, goal)| boxes.has(**goal))
            .fold(0, |all, (number, _)| all | 1 << number);
        if let Some(&count) = self.counted.get(&present) {
            return count;
        }
        let count = self.count(present);
        if self.counted.len() < MAX_CACHED_FILLINGS {
            self.counted.insert(present, count);
        }
        count
    }

    fn count(&self, present: Filling) -> u16 {
        let count = |filling: Filling| filling.count_ones() as u16;
        if present & self.core != self.core {
            return count(present & self.core);
        }
        match &self.order {
            Order::Fillings(fillings) => {
                let within = fillings.iter().find(|&&filling| filling & !present == 0);
                within.map_or(0, |&filling| count(filling))
            }
            Order::Rounds(rounds) => {
                let complete = rounds.iter().take_while(|&&round| round & !present == 0);
                let complete = complete.count();
                let counted = rounds.iter().take(complete + 1);
                count(self.core) + counted.map(|round| count(round & present)).sum::<u16>()
            }
        }
    }
}
