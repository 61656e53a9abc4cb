//! Distances in waste when some pieces stand still for good.

use super::field_tables::FieldTables;
use super::sets::SiteSet;
use hashbrown::HashMap;
use std::sync::Arc;
use unstuck_encodings::pieces::Site;

/// Most numbers that the tables may hold together.
const MAX_ENTRIES: usize = 1 << 25;

/// The distance of what never comes.
pub(super) const UNREACHABLE: u16 = u16::MAX;

/// Larger wastes count as none at all.
const MAX_WASTE: u32 = 60_000;

/// Waste from every slot to every goal, past walls that stand still.
pub(super) struct Distances {
    goals: usize,
    table: Vec<u16>,
}

impl Distances {
    /// The distances of a slot to the goals, in their order.
    #[inline]
    pub(super) fn row(&self, slot: usize) -> &[u16] {
        &self.table[slot * self.goals..][..self.goals]
    }

    /// The distance of a slot to a goal.
    #[inline]
    pub(super) fn get(&self, slot: usize, goal: usize) -> u16 {
        self.table[slot * self.goals + goal]
    }
}

/// Tables by the pieces that stand still.
#[derive(Default)]
pub(super) struct Walls<const W: usize> {
    tables: HashMap<SiteSet<W>, Arc<Distances>>,
    held: usize,
    queue: Vec<Vec<(Site, Site)>>,
}

impl<const W: usize> Walls<W> {
    /// The distances around pieces on these sites.
    pub(super) fn around(
        &mut self,
        board: &FieldTables<'_, W>,
        still: &SiteSet<W>,
    ) -> Arc<Distances> {
        if let Some(known) = self.tables.get(still) {
            return known.clone();
        }
        let table = Arc::new(self.compute(board, still));
        self.held += table.table.len();
        if self.held > MAX_ENTRIES {
            self.tables.clear();
            self.held = table.table.len();
        }
        self.tables.insert(*still, table.clone());
        table
    }

    fn compute(&mut self, board: &FieldTables<'_, W>, still: &SiteSet<W>) -> Distances {
        let field = board.field;
        let goals = field.goals.len();
        let mut table = vec![UNREACHABLE; field.slots() * goals];
        for (number, goal) in field.goals.iter().enumerate() {
            if still.has(goal.site) {
                continue;
            }
            let queue = &mut self.queue;
            queue.iter_mut().for_each(Vec::clear);
            // A slot is named by its site and a site of the walker.
            let mut offer =
                |queue: &mut Vec<Vec<(Site, Site)>>, at: Site, walker: Site, waste: u32| {
                    let least = &mut table[field.slot(at, walker) * goals + number];
                    if waste < MAX_WASTE && waste < u32::from(*least) {
                        *least = waste as u16;
                        if queue.len() <= waste as usize {
                            queue.resize_with(waste as usize + 1, Vec::new);
                        }
                        queue[waste as usize].push((at, walker));
                    }
                    waste == u32::from(*least)
                };
            for walker in board.near(goal.site).iter() {
                offer(queue, goal.site, walker, board.slack_on(number, walker));
            }
            let mut waste = 0;
            while waste < queue.len() {
                let mut index = 0;
                while index < queue[waste].len() {
                    let (at, walker) = queue[waste][index];
                    index += 1;
                    if !offer(queue, at, walker, waste as u32) {
                        continue;
                    }
                    let slot = field.slot(at, walker);
                    for (from, _, shove) in board.arrivals(at) {
                        if !still.has(from)
                            && !still.has(shove.stand)
                            && field.slot(at, from) == slot
                        {
                            offer(queue, from, shove.stand, waste as u32 + shove.waste);
                        }
                    }
                }
                waste += 1;
            }
        }
        Distances { goals, table }
    }
}
