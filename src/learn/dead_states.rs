//! Fields without any plan: patterns that hold whatever is wasted.
//!
//! Where a piece can be shoved to and fro, refuting one waste after the other never ends. So now
//! and then all states are looked at, as far as a number of them goes. If none is solved, pieces
//! are dropped one by one as long as what remains has no plan either, found out in the same way;
//! what is left is a pattern. Its own shoves lead to further ones, until all are covered. Each is
//! as small as dropping pieces can make it, so that a person can see why it is dead.

use super::cover::KnowledgeBase;
use super::field_tables::{DEAD, FieldTables, State};
use super::reason::Reason;
use super::sets::{Id, SiteSet};
use super::store::{ContainedEntries, Entry, EntryReason, Hints, shove_key};
use crate::limits::Limits;
use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use unstuck_encodings::pieces::Site;

/// Pieces on sites, and the first site of the walker's part.
type Key<const W: usize> = (SiteSet<W>, Site);

/// What is known about states with fewer pieces.
pub(super) struct DeadStates<const W: usize> {
    /// States without a plan.
    lost: HashSet<Key<W>>,
    /// States with a plan.
    open: HashSet<Key<W>>,
}

impl<const W: usize> Default for DeadStates<W> {
    fn default() -> Self {
        Self { lost: HashSet::new(), open: HashSet::new() }
    }
}

impl<const W: usize> DeadStates<W> {
    /// Whether pieces on these sites, and no others, can never all come to goals; `None` when more
    /// than `most` states would have to be looked at.
    fn is_lost(
        &mut self,
        known: &KnowledgeBase<'_, W>,
        sites: &SiteSet<W>,
        walker: Site,
        most: usize,
        limits: &Limits,
    ) -> Option<bool> {
        let board = &known.board;
        let key = |sites: &SiteSet<W>, walker| {
            let part = board.flood(sites, walker);
            (*sites, part.first().unwrap_or(walker))
        };
        let start = key(sites, walker);
        let mut came: HashMap<Key<W>, Option<Key<W>>> = HashMap::from([(start, None)]);
        // Those that are nearest to their goals first: a plan is found soon if there is one.
        let mut queue = BinaryHeap::from([(Reverse(far(board, sites, walker)), 0u64, start)]);
        let mut number = 0;
        while let Some((_, _, at)) = queue.pop() {
            let (sites, walker) = at;
            if self.lost.contains(&at) || is_known_lost(known, &sites, walker) {
                continue;
            }
            if sites.is_within(&board.goals) || self.open.contains(&at) {
                let mut way = Some(at);
                while let Some(key) = way {
                    self.open.insert(key);
                    way = came[&key];
                }
                return Some(false);
            }
            if came.len() > most || limits.reached().is_some() {
                return None;
            }
            let part = board.flood(&sites, walker);
            for from in sites.iter() {
                for (_, shove) in board.shoves(from) {
                    if !part.has(shove.stand) || sites.has(shove.to) {
                        continue;
                    }
                    let next_sites = sites.without(from).with(shove.to);
                    let next = key(&next_sites, from);
                    number += 1;
                    if let hashbrown::hash_map::Entry::Vacant(entry) = came.entry(next) {
                        entry.insert(Some(at));
                        queue.push((Reverse(far(board, &next_sites, from)), number, next));
                    }
                }
            }
        }
        self.lost.extend(came.into_keys());
        Some(true)
    }

    /// Shows that there is no plan, if no more than `most` states have to be looked at for that;
    /// `Ok(None)` when there is a plan, and the reason otherwise.
    pub(super) fn show(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        most: usize,
        limits: &Limits,
    ) -> DeadCheck<W> {
        let field = known.board.field;
        let state = State::new(&field.pieces, field.walker);
        let sites: SiteSet<W> = state.sites(state.all());
        match self.is_lost(known, &sites, field.walker, most, limits) {
            None => return DeadCheck::Unknown,
            Some(false) => return DeadCheck::Solvable,
            Some(true) => {}
        }
        let root = self.pattern(known, &sites, field.walker, limits);
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if limits.reached().is_some() {
                return DeadCheck::Unknown;
            }
            self.close(known, id, &mut open, limits);
        }
        let entry = known.store.entry(root);
        DeadCheck::Lost(Reason {
            pieces: state.on(&entry.sites),
            empties: SiteSet::EMPTY,
            value: DEAD,
            ids: Box::new([root]),
            negative: false,
        })
    }

    /// A pattern of as few pieces as possible among those on lost sites.
    fn pattern(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        sites: &SiteSet<W>,
        walker: Site,
        limits: &Limits,
    ) -> Id {
        let most = known.tuning.learning_drop_states as usize;
        let mut kept = *sites;
        for site in sites.iter() {
            let fewer = kept.without(site);
            if self.is_lost(known, &fewer, walker, most, limits) == Some(true) {
                kept = fewer;
            }
        }
        let part = known.board.flood(&kept, walker);
        known.store.add(Entry {
            sites: kept,
            part,
            empties: SiteSet::EMPTY,
            value: DEAD,
            negative: false,
            why: EntryReason::Shoves(Hints::new()),
        })
    }

    /// Finds what covers the shoves of a pattern, new ones where nothing does.
    fn close(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        id: Id,
        open: &mut Vec<Id>,
        limits: &Limits,
    ) {
        let (sites, part) = (known.store.entry(id).sites, known.store.entry(id).part);
        let mut hints = Hints::new();
        for from in sites.iter() {
            let shoves: Vec<_> = known.board.shoves(from).collect();
            for (way, shove) in shoves {
                if !part.has(shove.stand) || sites.has(shove.to) {
                    continue;
                }
                let next = sites.without(from).with(shove.to);
                let by = covering(known, &next, from).unwrap_or_else(|| {
                    let id = self.pattern(known, &next, from, limits);
                    open.push(id);
                    id
                });
                hints.push((shove_key(from, way), Box::new([by])));
            }
        }
        known.store.explain(id, EntryReason::Shoves(hints));
    }
}

/// What [`DeadStates::show`] found out.
pub(super) enum DeadCheck<const W: usize> {
    Lost(Reason<W>),
    Solvable,
    Unknown,
}

/// How far pieces are from goals, together.
fn far<const W: usize>(board: &FieldTables<'_, W>, sites: &SiteSet<W>, walker: Site) -> i64 {
    let field = board.field;
    let potential = |site| field.potential[field.slot(site, walker)].unwrap_or(0);
    sites.iter().map(|site| i64::from(potential(site))).sum()
}

/// An entry inside these sites that is lost for good.
fn covering<const W: usize>(
    known: &KnowledgeBase<'_, W>,
    sites: &SiteSet<W>,
    walker: Site,
) -> Option<Id> {
    let pieces: Vec<Site> = sites.iter().collect();
    let ContainedEntries { positive, .. } = known.store.everything(&State::new(&pieces, walker));
    let lost = positive.into_iter().filter(|item| item.value >= DEAD);
    lost.min_by_key(|item| item.pieces.count_ones()).map(|item| item.id)
}

fn is_known_lost<const W: usize>(
    known: &KnowledgeBase<'_, W>,
    sites: &SiteSet<W>,
    walker: Site,
) -> bool {
    let pairs = &known.store.pairs;
    sites.iter().any(|one| {
        let others = pairs.partners(one).and(sites);
        others.iter().any(|other| other < one && pairs.value(pairs.id(one, other, walker)) >= DEAD)
    })
}
