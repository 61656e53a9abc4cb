//! What two pieces alone must waste: all pairs of sites and parts of the ground between them.
//!
//! Backwards from all pairs of goals, in order of waste.

use super::field_tables::{DEAD, FieldTables};
use super::sets::SiteSet;
use unstuck_encodings::pieces::Site;

/// The largest table that is made, in entries (pairs times sites).
const MAX_ENTRIES: usize = 1 << 26;

/// Least waste of every two pieces.
pub(super) struct Pairs<const W: usize> {
    sites: usize,
    /// For each pair and each site of the walker: the part of the ground.
    parts: Vec<u8>,
    /// The first entry of each pair in `values`.
    first: Vec<u32>,
    values: Vec<u32>,
    /// For each site: the sites with which it has a value above 0 for some part.
    partners: Vec<SiteSet<W>>,
}

/// A pair and a part of the ground, by number.
pub(super) type PairId = u32;

fn pair_of(one: Site, other: Site) -> usize {
    let (low, high) = (usize::from(one.min(other)), usize::from(one.max(other)));
    high * (high - 1) / 2 + low
}

impl<const W: usize> Pairs<W> {
    /// Makes the table; an empty one, which knows nothing, where it would be too large.
    pub(super) fn new(board: &FieldTables<'_, W>) -> Self {
        let sites = board.field.sites();
        let pairs = sites * sites.saturating_sub(1) / 2;
        if pairs * sites > MAX_ENTRIES {
            let partners = vec![SiteSet::EMPTY; sites];
            return Self {
                sites,
                parts: Vec::new(),
                first: Vec::new(),
                values: Vec::new(),
                partners,
            };
        }
        let mut table = Self::parts(board, sites, pairs);
        table.fill(board);
        table.partners = vec![SiteSet::EMPTY; sites];
        for high in 1..sites {
            for low in 0..high {
                let pair = high * (high - 1) / 2 + low;
                let values = table.first[pair] as usize..table.first[pair + 1] as usize;
                if table.values[values].iter().any(|&value| value > 0) {
                    table.partners[high].insert(low as Site);
                    table.partners[low].insert(high as Site);
                }
            }
        }
        table
    }

    fn parts(board: &FieldTables<'_, W>, sites: usize, pairs: usize) -> Self {
        let mut parts = vec![u8::MAX; pairs * sites];
        let mut first = Vec::with_capacity(pairs + 1);
        let mut total = 0;
        for high in 1..sites {
            for low in 0..high {
                first.push(total);
                let blocked = SiteSet::EMPTY.with(high as Site).with(low as Site);
                let mut open = board.ground.minus(&blocked);
                let row = &mut parts[pair_of(low as Site, high as Site) * sites..][..sites];
                let mut part = 0;
                while let Some(site) = open.first() {
                    let reached = board.flood(&blocked, site);
                    reached.iter().for_each(|site| row[usize::from(site)] = part);
                    open = open.minus(&reached);
                    part += 1;
                }
                total += u32::from(part);
            }
        }
        first.push(total);
        let values = vec![DEAD; total as usize];
        Self { sites, parts, first, values, partners: Vec::new() }
    }

    fn fill(&mut self, board: &FieldTables<'_, W>) {
        let mut queue: Vec<Vec<(Site, Site, Site)>> = Vec::new();
        let goals = &board.field.goals;
        for (number, goal) in goals.iter().enumerate() {
            for (other_number, other) in goals[..number].iter().enumerate() {
                let blocked = SiteSet::EMPTY.with(goal.site).with(other.site);
                for walker in board.ground.minus(&blocked).iter() {
                    let slack =
                        board.slack_on(number, walker) + board.slack_on(other_number, walker);
                    self.offer(&mut queue, goal.site, other.site, walker, slack);
                }
            }
        }
        let mut waste = 0;
        while waste < queue.len() {
            let mut index = 0;
            while index < queue[waste].len() {
                let (one, other, walker) = queue[waste][index];
                index += 1;
                if self.value(self.id(one, other, walker)) != waste as u32 {
                    continue;
                }
                for (moved, still) in [(one, other), (other, one)] {
                    for (from, _, shove) in board.arrivals(moved) {
                        // The walker is on the old site afterwards, and was behind it before.
                        if from != still
                            && shove.stand != still
                            && self.id(moved, still, from) == self.id(moved, still, walker)
                        {
                            let total = waste as u32 + shove.waste;
                            self.offer(&mut queue, from, still, shove.stand, total);
                        }
                    }
                }
            }
            waste += 1;
        }
    }

    fn offer(
        &mut self,
        queue: &mut Vec<Vec<(Site, Site, Site)>>,
        one: Site,
        other: Site,
        walker: Site,
        waste: u32,
    ) {
        let id = self.id(one, other, walker) as usize;
        if waste < self.values[id] {
            self.values[id] = waste;
            let level = waste as usize;
            if queue.len() <= level {
                queue.resize_with(level + 1, Vec::new);
            }
            queue[level].push((one, other, walker));
        }
    }

    /// The number of a pair and the part of the ground with the walker.
    #[inline]
    pub(super) fn id(&self, one: Site, other: Site, walker: Site) -> PairId {
        let pair = pair_of(one, other);
        self.first[pair] + u32::from(self.parts[pair * self.sites + usize::from(walker)])
    }

    /// The least waste of a pair.
    #[inline]
    pub(super) fn value(&self, id: PairId) -> u32 {
        self.values[id as usize]
    }

    /// The sites with which a site has a value above 0 in some part.
    #[inline]
    pub(super) fn partners(&self, site: Site) -> &SiteSet<W> {
        &self.partners[usize::from(site)]
    }

    /// The two sites of a pair and a site of the walker.
    pub(super) fn describe(&self, id: PairId) -> (Site, Site, Site) {
        let pair = self.first.partition_point(|&first| first <= id) - 1;
        let high = (1..).find(|high| high * (high + 1) / 2 > pair).unwrap_or(1);
        let low = pair - high * (high - 1) / 2;
        let part = (id - self.first[pair]) as u8;
        let row = &self.parts[pair * self.sites..][..self.sites];
        let walker = row.iter().position(|&other| other == part).unwrap_or(0);
        (low as Site, high as Site, walker as Site)
    }
}
