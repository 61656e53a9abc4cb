//! Whether something that is known already rules a state out within a budget.

use super::field_tables::{FieldTables, State, plus};
use super::leaves::Leaves;
use super::outside::Outside;
use super::reason::Reason;
use super::sets::{Id, SiteSet};
use super::store::{ContainedEntries, Entry, EntryReason, Item, Store};
use super::zone::{Zone, reached};
use crate::limits::Limits;
use crate::tuning::Tuning;
use hashbrown::HashMap;
use unstuck_encodings::pieces::{Field, Site};

/// Which means are used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Techniques {
    /// Sums of disjoint entries, matchings, zones, entries with empty sites. Without them each
    /// shove is covered by one entry that says nothing of empty sites.
    pub additive: bool,
    /// Pieces that stand still, and matchings around them.
    pub leaves: bool,
    /// Closures may begin with an empty goal.
    pub from_goals: bool,
    /// How the next shove is chosen.
    pub order: u64,
}

/// What is inside a zone.
struct Inside<const W: usize> {
    pieces: u64,
    contents: SiteSet<W>,
    empties: SiteSet<W>,
    /// What is wasted by shoves that begin or end there, as far as it is known.
    value: u32,
    /// The walker's part of the ground.
    part: SiteSet<W>,
}

/// All that has been learned about a field, and the means to find more.
pub(super) struct KnowledgeBase<'a, const W: usize> {
    pub board: FieldTables<'a, W>,
    pub store: Store<W>,
    pub leaves: Leaves<W>,
    pub means: Techniques,
    pub tuning: &'a Tuning,
    /// Which of several threads learns here.
    pub thread: usize,
    zones: Vec<Zone<W>>,
    /// What is known of the pieces outside each of them.
    outside: Vec<Outside<'a, W>>,
    /// States of small games that may be looked at now.
    pub allowance: i64,
    zone_entries: HashMap<(usize, SiteSet<W>, Site), Id>,
}

impl<'a, const W: usize> KnowledgeBase<'a, W> {
    /// What one of several threads knows at the start.
    pub(super) fn new(
        field: &'a Field,
        additive: bool,
        tuning: &'a Tuning,
        (thread, threads): (usize, usize),
    ) -> Self {
        let board = FieldTables::new(field, tuning);
        let store = Store::new(&board, tuning, (thread, threads));
        let means = Techniques { additive, leaves: true, from_goals: false, order: 0 };
        Self {
            board,
            store,
            leaves: Leaves::default(),
            means,
            tuning,
            thread,
            zones: Vec::new(),
            outside: Vec::new(),
            allowance: 0,
            zone_entries: HashMap::new(),
        }
    }

    /// Looks at the contents of zones, waste by waste up to a budget, as long as they are fewer than
    /// `most`.
    pub(super) fn extend_zones(&mut self, budget: u32, most: usize, limits: &Limits) {
        if !self.means.additive || !self.board.is_full() {
            return;
        }
        for (index, &reach) in self.tuning.learning_zone_reaches.iter().enumerate() {
            if self.zones.len() == index {
                let zone = Zone::new(&self.board, reach);
                self.outside.push(Outside::new(index as u8, zone.sites, self.tuning, limits));
                self.zones.push(zone);
            }
            self.zones[index].extend(&self.board, budget, most, limits);
            // A larger one takes longer still.
            if !self.zones[index].knows_some() {
                break;
            }
        }
    }

    /// The sites of a zone.
    pub(super) fn zone_sites(&self, zone: u8) -> SiteSet<W> {
        // Another thread may have looked into a zone that this one has not.
        let zone = usize::from(zone);
        let unknown = || reached(&self.board, self.tuning.learning_zone_reaches[zone]);
        self.zones.get(zone).map_or_else(unknown, |zone| zone.sites)
    }

    /// The best reason among entries: one with as few pieces as possible, else a negative one whose
    /// empty sites are known to be empty, else disjoint ones that add up.
    pub(super) fn among(
        &self,
        lists: [(&ContainedEntries, u64); 2],
        budget: u32,
        known: &SiteSet<W>,
    ) -> Option<Reason<W>> {
        let positive = || {
            lists.into_iter().flat_map(|(found, pieces)| {
                found.positive.iter().filter(move |item| item.pieces & !pieces == 0)
            })
        };
        if let Some(reason) = Reason::single(positive().copied(), budget) {
            return Some(reason);
        }
        if !self.means.additive {
            return None;
        }
        if let Some(reason) = self.negative(lists, budget, known) {
            return Some(reason);
        }
        Reason::sum(positive().copied(), budget, self.tuning)
    }

    fn negative(
        &self,
        lists: [(&ContainedEntries, u64); 2],
        budget: u32,
        known: &SiteSet<W>,
    ) -> Option<Reason<W>> {
        let mut best: Option<(usize, Item)> = None;
        for (found, pieces) in lists {
            for item in &found.negative {
                if item.pieces & !pieces != 0 || item.value <= budget {
                    continue;
                }
                let entry = self.store.entry(item.id);
                if entry.empties.is_within(known) {
                    let size = 1000 * item.pieces.count_ones() as usize + entry.empties.len();
                    if best.is_none_or(|(least, _)| size < least) {
                        best = Some((size, *item));
                    }
                }
            }
        }
        let (_, item) = best?;
        let entry = self.store.entry(item.id);
        Some(Reason {
            pieces: item.pieces,
            empties: entry.empties,
            value: entry.value,
            ids: Box::new([item.id]),
            negative: true,
        })
    }

    /// The reason that a zone gives: its pieces and its empty sites, if all of these are known to be
    /// empty; else what a zone and the pieces outside it give together.
    pub(super) fn by_zone(
        &mut self,
        state: &State,
        pieces: u64,
        budget: u32,
        known: &SiteSet<W>,
    ) -> Option<Reason<W>> {
        let mut less: Vec<(usize, Inside<W>)> = Vec::new();
        // The smallest zone names the fewest pieces and sites.
        for (index, zone) in self.zones.iter().enumerate().filter(|(_, zone)| zone.knows_some()) {
            let Some(inside) = self.inside(zone, state, pieces, known) else { continue };
            if inside.value > budget {
                let Inside { pieces, empties, .. } = inside;
                let id = self.zone_entry(index, inside)?;
                let value = self.store.value(id);
                return Some(Reason {
                    pieces,
                    empties,
                    value,
                    ids: Box::new([id]),
                    negative: true,
                });
            }
            if inside.value > 0 && pieces & !inside.pieces != 0 {
                less.push((index, inside));
            }
        }
        for (index, inside) in less {
            let (outside, rest) = (pieces & !inside.pieces, budget - inside.value);
            let Self { board, store, outside: around, allowance, .. } = self;
            let found = around[index].more_than(board, store, state, outside, rest, allowance);
            let Some(mut reason) = found else { continue };
            reason.pieces |= inside.pieces;
            reason.value = plus(inside.value, reason.value);
            (reason.empties, reason.negative) = (inside.empties, true);
            let zone = self.zone_entry(index, inside)?;
            reason.ids = [&[zone], &*reason.ids].concat().into();
            return Some(reason);
        }
        None
    }

    /// What is inside a zone, as far as a set of pieces goes; `None` where one of its other sites is
    /// not known to be empty.
    fn inside(
        &self,
        zone: &Zone<W>,
        state: &State,
        pieces: u64,
        known: &SiteSet<W>,
    ) -> Option<Inside<W>> {
        let pieces = pieces & state.on(&zone.sites);
        let contents: SiteSet<W> = state.sites(pieces);
        let empties = zone.sites.minus(&contents);
        if !empties.is_within(known) {
            return None;
        }
        let (value, part) = zone.waste(&self.board, &contents, state.walker);
        Some(Inside { pieces, contents, empties, value, part })
    }

    /// The entry of the contents of a zone.
    fn zone_entry(&mut self, index: usize, inside: Inside<W>) -> Option<Id> {
        let Inside { contents, part, empties, value, .. } = inside;
        let key = (index, contents, part.first()?);
        if let Some(&id) = self.zone_entries.get(&key) {
            self.store.grow(id, value);
            return Some(id);
        }
        let why = EntryReason::Zone(index as u8);
        let entry = Entry { sites: contents, part, empties, value, negative: true, why };
        let id = self.store.push(entry);
        self.zone_entries.insert(key, id);
        Some(id)
    }

    /// The reason why a whole state cannot be finished within a budget, from all means but search.
    /// `sites` are those of the pieces; `leaves` says whether they are to be asked (they know
    /// nothing new when a state is looked at again).
    pub(super) fn rules_out(
        &mut self,
        state: &State,
        sites: &SiteSet<W>,
        lists: [(&ContainedEntries, u64); 2],
        budget: u32,
        leaves: bool,
    ) -> Option<Reason<W>> {
        let known = self.board.ground.minus(sites);
        if let Some(reason) = self.among(lists, budget, &known) {
            return Some(reason);
        }
        if let Some(id) = self.store.whole(sites, state.walker)
            && self.store.value(id) > budget
        {
            let value = self.store.value(id);
            let (pieces, ids) = (state.all(), Box::new([id]));
            return Some(Reason { pieces, empties: SiteSet::EMPTY, value, ids, negative: false });
        }
        if let Some(reason) = self.by_zone(state, state.all(), budget, &known) {
            return Some(reason);
        }
        if !leaves || !self.means.leaves {
            return None;
        }
        self.by_leaf(state, budget)
    }

    fn by_leaf(&mut self, state: &State, budget: u32) -> Option<Reason<W>> {
        let Self { board, store, leaves, means, tuning, .. } = self;
        let (mut pieces, mut entry) =
            leaves.stuck(board, &store.pairs, state, budget, means.additive)?;
        let is_matching = matches!(entry.why, EntryReason::Matching(_));
        let is_large = u64::from(pieces.count_ones()) > tuning.learning_matching_pieces;
        if is_matching && is_large && board.is_full() {
            let fewer = pieces.count_ones();
            let unserved = leaves
                .unserved(board, &store.pairs, state, super::field_tables::DEAD - 1, fewer)
                .or_else(|| leaves.unserved(board, &store.pairs, state, budget, fewer));
            if let Some(leaf) = unserved {
                (pieces, entry) = leaf;
            }
        }
        let (empties, negative) = (entry.empties, entry.negative);
        let id = if pieces == state.all() && !negative {
            store.add_whole(entry)
        } else {
            store.add(entry)
        };
        let value = store.value(id);
        // An entry that was there already may need less.
        let empties = if negative { store.entry(id).empties } else { empties };
        Some(Reason { pieces, empties, value, ids: Box::new([id]), negative })
    }
}
