//! What two pieces alone must waste: all pairs of sites and parts of the ground between them.
//!
//! Backwards from all pairs of goals, in order of waste.

use super::field_tables::FieldTables;
use super::sets::SiteSet;
use unstuck_encodings::pair_table::{PairMove, PairTable};
use unstuck_encodings::pieces::Site;

/// The largest table that is made, in entries (pairs times sites).
const MAX_ENTRIES: usize = 1 << 26;

/// Least waste of every two pieces.
pub(super) struct Pairs<const W: usize> {
    table: PairTable,
    values: Vec<u32>,
    /// For each site: the sites with which it has a value above 0 for some part.
    partners: Vec<SiteSet<W>>,
}

/// A pair and a part of the ground, by number.
pub(super) type PairId = u32;

impl<const W: usize> Pairs<W> {
    /// Makes the table; an empty one, which knows nothing, where it would be too large.
    pub(super) fn new(board: &FieldTables<'_, W>) -> Self {
        let sites = board.field.sites();
        let mut partners = vec![SiteSet::EMPTY; sites];
        if PairTable::entries(sites) > MAX_ENTRIES {
            return Self { table: PairTable::default(), values: Vec::new(), partners };
        }
        let blocked = |pair: [usize; 2]| pair.map(|site| site as Site).into_iter().collect();
        let flood = |pair, from| board.flood(&blocked(pair), from as Site).iter();
        let table = PairTable::new(sites, flood);
        let goals = board.field.goals.iter().map(|goal| goal.site).enumerate();
        let pairs =
            goals.clone().flat_map(|one| goals.clone().take(one.0).map(move |it| (one, it)));
        let ends = pairs.flat_map(|((number, one), (other_number, other))| {
            let walkers = board.ground.without(one).without(other);
            walkers.iter().map(move |walker| {
                let slack = board.slack_on(number, walker) + board.slack_on(other_number, walker);
                ([one, other, walker].map(usize::from), slack)
            })
        });
        // The walker is on the old site after a shove, and was behind it before.
        let values = table.least(ends, |moved| {
            board.arrivals(moved as Site).map(|(from, _, shove)| PairMove {
                to: from.into(),
                before: from.into(),
                after: shove.stand.into(),
                cost: shove.waste,
            })
        });
        for high in 1..sites {
            for low in 0..high {
                if table.ids(low, high).any(|id| values[id as usize] > 0) {
                    partners[high].insert(low as Site);
                    partners[low].insert(high as Site);
                }
            }
        }
        Self { table, values, partners }
    }

    /// The number of a pair and the part of the ground with the walker.
    #[inline]
    pub(super) fn id(&self, one: Site, other: Site, walker: Site) -> PairId {
        self.table.id(one, other, walker)
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
        self.table.describe(id).map(|site| site as Site).into()
    }
}
