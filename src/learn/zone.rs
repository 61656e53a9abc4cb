//! The exact contents of a zone around the goals, pieces outside it without names.
//!
//! Backwards from the solved contents, in order of waste. Only where every goal takes a piece: else
//! the contents at the end are not known.

use super::field_tables::FieldTables;
use super::sets::SiteSet;
use crate::limits::Limits;
use hashbrown::HashMap;
use unstuck_encodings::pieces::{Shove, Site};

/// A zone and the least waste of its contents.
pub(super) struct Zone<const W: usize> {
    pub sites: SiteSet<W>,
    /// Least waste by contents and the first site of the walker's part.
    wastes: HashMap<(SiteSet<W>, Site), u32>,
    queue: Vec<Vec<(SiteSet<W>, Site)>>,
    /// Contents that waste at most this are all known.
    done: Option<u32>,
    /// The shoves that touch the zone.
    shoves: Vec<(Site, Shove)>,
    most_pieces: usize,
}

/// The sites of a zone that reaches so many steps over live sites around the goals.
pub(super) fn reached<const W: usize>(board: &FieldTables<'_, W>, reach: u64) -> SiteSet<W> {
    let mut sites = board.goals;
    for _ in 0..reach {
        let near = sites.iter().fold(sites, |all, site| all.or(board.near(site)));
        sites = near.and(&board.live).or(&sites);
    }
    sites
}

impl<const W: usize> Zone<W> {
    pub(super) fn new(board: &FieldTables<'_, W>, reach: u64) -> Self {
        let sites = reached(board, reach);
        let shoves =
            board.live.iter().flat_map(|from| board.shoves(from).map(move |s| (from, s.1)));
        let touches = |(from, shove): &(Site, Shove)| sites.has(*from) || sites.has(shove.to);
        let mut zone = Self {
            sites,
            wastes: HashMap::new(),
            queue: Vec::new(),
            done: None,
            shoves: shoves.filter(touches).collect(),
            most_pieces: board.field.pieces.len(),
        };
        let mut open = board.ground.minus(&board.goals);
        while let Some(walker) = open.first() {
            let part = board.flood(&board.goals, walker);
            open = open.minus(&part);
            let slack = board.slack(&board.goals, walker).unwrap_or(0);
            zone.offer(board.goals, &part, slack);
        }
        zone
    }

    fn offer(&mut self, contents: SiteSet<W>, part: &SiteSet<W>, waste: u32) {
        let key = (contents, part.first().unwrap_or(0));
        let least = self.wastes.entry(key).or_insert(u32::MAX);
        if waste < *least {
            *least = waste;
            let level = waste as usize;
            if self.queue.len() <= level {
                self.queue.resize_with(level + 1, Vec::new);
            }
            self.queue[level].push(key);
        }
    }

    /// Looks at contents that waste at most `budget`, until there are more than `most` or a limit
    /// strikes.
    pub(super) fn extend(
        &mut self,
        board: &FieldTables<'_, W>,
        budget: u32,
        most: usize,
        limits: &Limits,
    ) {
        let first = self.done.map_or(0, |done| done + 1);
        for waste in first..=budget {
            while let Some(&key) = self.queue.get(waste as usize).and_then(|level| level.last()) {
                if self.wastes.len() > most || limits.reached().is_some() {
                    return;
                }
                self.queue[waste as usize].pop();
                if self.wastes[&key] == waste {
                    self.pull(board, key, waste);
                }
            }
            self.done = Some(waste);
        }
    }

    fn pull(
        &mut self,
        board: &FieldTables<'_, W>,
        (contents, walker): (SiteSet<W>, Site),
        waste: u32,
    ) {
        let part = board.flood(&contents, walker);
        let room = contents.len() < self.most_pieces;
        let shoves = std::mem::take(&mut self.shoves);
        for (from, shove) in &shoves {
            let to_inside = self.sites.has(shove.to);
            // A piece from outside stands outside, on a site that says nothing.
            let there = if to_inside { contents.has(shove.to) } else { room };
            if !there || !part.has(*from) || contents.has(shove.stand) {
                continue;
            }
            let mut before = contents;
            if to_inside {
                before.remove(shove.to);
            }
            if self.sites.has(*from) {
                before.insert(*from);
            }
            let total = waste + shove.waste;
            let part = board.flood(&before, shove.stand);
            self.offer(before, &part, total);
        }
        self.shoves = shoves;
    }

    /// Whether it is known at least which contents waste nothing.
    pub(super) fn knows_some(&self) -> bool {
        self.done.is_some()
    }

    /// The least waste of contents (those of a state, on the zone's sites), as far as it is known;
    /// and the walker's part of the ground.
    pub(super) fn waste(
        &self,
        board: &FieldTables<'_, W>,
        contents: &SiteSet<W>,
        walker: Site,
    ) -> (u32, SiteSet<W>) {
        let part = board.flood(contents, walker);
        let beyond = self.done.map_or(0, |done| done + 1);
        let key = (*contents, part.first().unwrap_or(walker));
        let waste = self.wastes.get(&key).map_or(beyond, |&waste| waste.min(beyond));
        (waste, part)
    }
}
