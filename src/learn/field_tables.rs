//! The field in bit sets: walking, states, what a finished state wastes.

use super::sets::SiteSet;
use crate::tuning::Tuning;
use std::cell::RefCell;
use std::collections::VecDeque;
use unstuck_encodings::bit_set::ones;
use unstuck_encodings::pieces::{Field, NOWHERE, Shove, Site, WAYS};

/// Most pieces that a state can hold: one bit of a word stays free for a piece that is added.
pub(super) const MAX_PIECES: usize = 63;

/// A value that no plan can pay: there is no solution.
pub(super) const DEAD: u32 = unstuck_encodings::pair_table::DEAD;

/// Adds values; what is lost stays lost.
pub(super) fn plus(one: u32, other: u32) -> u32 {
    (one + other).min(DEAD)
}

/// Pieces with their numbers, and the walker.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    at: [Site; MAX_PIECES + 1],
    count: u8,
    /// Where the walker is.
    pub walker: Site,
}

impl State {
    pub(super) fn new(pieces: &[Site], walker: Site) -> Self {
        let mut at = [NOWHERE; MAX_PIECES + 1];
        at[..pieces.len()].copy_from_slice(pieces);
        Self { at, count: pieces.len() as u8, walker }
    }

    /// The sites of the pieces, by their numbers.
    #[inline]
    pub(super) fn pieces(&self) -> &[Site] {
        &self.at[..usize::from(self.count)]
    }

    /// All pieces as bits.
    #[inline]
    pub(super) fn all(&self) -> u64 {
        (1 << self.count) - 1
    }

    /// The state after a shove of a piece.
    #[inline]
    #[must_use]
    pub(super) fn shoved(&self, piece: usize, to: Site) -> Self {
        let mut next = *self;
        next.walker = next.at[piece];
        next.at[piece] = to;
        next
    }

    /// The state with a piece more.
    #[must_use]
    pub(super) fn joined(&self, at: Site) -> Self {
        let mut next = *self;
        next.at[usize::from(next.count)] = at;
        next.count += 1;
        next
    }

    /// The number of the piece on a site.
    pub(super) fn piece_on(&self, site: Site) -> Option<usize> {
        self.pieces().iter().position(|&at| at == site)
    }

    /// The sites of some pieces.
    #[inline]
    pub(super) fn sites<const W: usize>(&self, pieces: u64) -> SiteSet<W> {
        ones(pieces).map(|piece| self.at[piece]).collect()
    }

    /// The same as a list, in the order of the pieces.
    pub(super) fn list(&self, pieces: u64) -> Box<[Site]> {
        ones(pieces).map(|piece| self.at[piece]).collect()
    }

    /// The pieces on some sites.
    #[inline]
    pub(super) fn on<const W: usize>(&self, sites: &SiteSet<W>) -> u64 {
        let mut pieces = 0;
        for (piece, &at) in self.pieces().iter().enumerate() {
            pieces |= u64::from(sites.has(at)) << piece;
        }
        pieces
    }
}

/// A field prepared for sets of at most `64 * W` sites.
pub(super) struct FieldTables<'a, const W: usize> {
    pub field: &'a Field,
    /// All sites.
    pub ground: SiteSet<W>,
    /// The sites of the goals.
    pub goals: SiteSet<W>,
    /// Sites where a piece is not lost, wherever the walker is.
    pub live: SiteSet<W>,
    near: Vec<SiteSet<W>>,
    /// The shoves that bring a piece to each site, with where it was and which way it went.
    arrivals: Vec<Vec<(Site, usize)>>,
    /// The number of the goal on each site.
    goal_on: Vec<Option<u16>>,
    /// Floods that were made not long ago, each in the place that its question gives it.
    floods: RefCell<Vec<Flood<W>>>,
}

/// A flood: what was blocked, where the walker was, and what was reached.
#[derive(Clone, Copy)]
struct Flood<const W: usize> {
    blocked: SiteSet<W>,
    from: Site,
    reached: SiteSet<W>,
}

impl<'a, const W: usize> FieldTables<'a, W> {
    pub(super) fn new(field: &'a Field, tuning: &Tuning) -> Self {
        let sites = field.sites();
        let near = field.near.iter();
        let near = near.map(|near| near.iter().copied().filter(|&site| site != NOWHERE).collect());
        let mut arrivals = vec![Vec::new(); sites];
        for (from, shoves) in (0..).zip(&field.shoves) {
            for (way, shove) in shoves.iter().enumerate() {
                if let Some(shove) = shove {
                    arrivals[usize::from(shove.to)].push((from, way));
                }
            }
        }
        let mut goal_on = vec![None; sites];
        for (number, goal) in (0..).zip(&field.goals) {
            goal_on[usize::from(goal.site)] = Some(number);
        }
        let slots = |site: usize| field.first_slot[site]..field.first_slot[site + 1];
        Self {
            field,
            ground: SiteSet::below(sites),
            goals: field.goals.iter().map(|goal| goal.site).collect(),
            live: (0..sites)
                .filter(|&site| slots(site).any(|slot| field.potential[slot].is_some()))
                .map(|site| site as Site)
                .collect(),
            near: near.collect(),
            arrivals,
            goal_on,
            floods: RefCell::new(vec![
                Flood {
                    blocked: SiteSet::EMPTY,
                    from: NOWHERE,
                    reached: SiteSet::EMPTY
                };
                (tuning.learning_flood_words as usize / W)
                    .next_power_of_two()
            ]),
        }
    }

    /// The shove of a piece on a site in a way, unless it is impossible or loses the piece.
    #[inline]
    pub(super) fn shove(&self, from: Site, way: usize) -> Option<Shove> {
        self.field.shoves[usize::from(from)][way]
    }

    /// The shoves of a piece on a site, with their ways.
    #[inline]
    pub(super) fn shoves(&self, from: Site) -> impl Iterator<Item = (usize, Shove)> + '_ {
        (0..WAYS).filter_map(move |way| Some((way, self.shove(from, way)?)))
    }

    /// The shoves that bring a piece to a site.
    #[inline]
    pub(super) fn arrivals(&self, to: Site) -> impl Iterator<Item = (Site, usize, Shove)> + '_ {
        let arrivals = self.arrivals[usize::from(to)].iter();
        arrivals.filter_map(|&(from, way)| Some((from, way, self.shove(from, way)?)))
    }

    pub(super) fn near(&self, site: Site) -> &SiteSet<W> {
        &self.near[usize::from(site)]
    }

    /// The sites that the walker can reach past the blocked ones, its own included.
    #[inline]
    pub(super) fn flood(&self, blocked: &SiteSet<W>, from: Site) -> SiteSet<W> {
        let mut reached = SiteSet::EMPTY;
        self.flow(&self.ground.minus(blocked), from, &mut reached);
        reached
    }

    /// The same, for questions that come again and again.
    pub(super) fn part(&self, blocked: &SiteSet<W>, from: Site) -> SiteSet<W> {
        let mut floods = self.floods.borrow_mut();
        let place = blocked.hash(u64::from(from)) as usize & (floods.len() - 1);
        let flood = &mut floods[place];
        if flood.from != from || flood.blocked != *blocked {
            *flood = Flood { blocked: *blocked, from, reached: self.flood(blocked, from) };
        }
        flood.reached
    }

    /// Adds to what is reached what can be walked to from a site over free ground.
    #[inline]
    pub(super) fn flow(&self, free: &SiteSet<W>, from: Site, reached: &mut SiteSet<W>) {
        let all = free.minus(reached).without(from);
        let mut left = all;
        let mut open = SiteSet::EMPTY.with(from);
        while let Some(site) = open.first() {
            open.remove(site);
            let new = self.near(site).and(&left);
            left = left.minus(&new);
            open = open.or(&new);
        }
        *reached = reached.or(&all.minus(&left)).with(from);
    }

    /// The first piece in the way from a part of the ground to a site past pieces that stay, on a way
    /// past as few of the others as possible.
    pub(super) fn first_in_the_way(
        &self,
        part: &SiteSet<W>,
        stay: &SiteSet<W>,
        others: &SiteSet<W>,
        to: Site,
    ) -> Site {
        let count = self.field.sites();
        let mut came: Vec<Option<Site>> = vec![None; count];
        let mut passed = vec![u32::MAX; count];
        let mut open: VecDeque<Site> = part.iter().collect();
        open.iter().for_each(|&site| passed[usize::from(site)] = 0);
        while let Some(site) = open.pop_front() {
            if site == to {
                break;
            }
            for next in self.near(site).minus(stay).iter() {
                let blocked = others.has(next);
                let more = passed[usize::from(site)] + u32::from(blocked);
                if more < passed[usize::from(next)] {
                    passed[usize::from(next)] = more;
                    came[usize::from(next)] = Some(site);
                    if blocked { open.push_back(next) } else { open.push_front(next) }
                }
            }
        }
        let (mut at, mut first) = (to, None);
        while passed[usize::from(at)] > 0 {
            if others.has(at) {
                first = Some(at);
            }
            at = came[usize::from(at)].expect("the walker gets there past the other pieces");
        }
        first.expect("something is in the way")
    }

    /// What the pieces on some sites, all of them goals, waste by ending there; `None` when one
    /// is not on a goal.
    pub(super) fn slack(&self, sites: &SiteSet<W>, walker: Site) -> Option<u32> {
        let mut slack = 0;
        for site in sites.iter() {
            let number = self.goal_on[usize::from(site)]?;
            slack += self.slack_on(usize::from(number), walker);
        }
        Some(slack)
    }

    /// What a piece wastes by ending on a goal (by its number).
    #[inline]
    pub(super) fn slack_on(&self, goal: usize, walker: Site) -> u32 {
        let about = &self.field.goals[goal];
        // With the walker on the goal itself there is no piece on it; any side will do.
        let first = self.field.first_slot[usize::from(about.site)];
        let slot = if about.site == walker { first } else { self.field.slot(about.site, walker) };
        about.slack[slot - first]
    }

    /// What a state with pieces on these sites and no others wastes by ending; `None` when it is
    /// not solved.
    pub(super) fn finished(&self, sites: &SiteSet<W>, walker: Site) -> Option<u32> {
        let slack = self.slack(sites, walker)?;
        let empty = self.field.goals.iter().filter(|goal| !sites.has(goal.site));
        Some(slack + empty.map(|goal| goal.spare).sum::<u32>())
    }

    /// Whether every goal takes a piece.
    pub(super) fn is_full(&self) -> bool {
        self.field.goals.len() == self.field.pieces.len()
    }
}
