//! What a claim rests on, as a list for the judge.

use super::cover::KnowledgeBase;
use super::field_tables::{DEAD, State, plus};
use super::freeze::{FrozenSet, hints};
use super::reason::Reason;
use super::sets::{Id, SiteSet};
use super::store::{Entry, EntryReason, Hints, PAIR, ShoveKey, shove_key};
use crate::tuning::Tuning;
use hashbrown::HashMap;
use unstuck_encodings::pieces::{Pieces, Site, WAYS};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::patterns::{
    self, Cover, Pattern, PatternCoord, PatternId, PatternList, Value,
};

/// Collects entries and what they rest on.
struct Lister<'a, 'b, R, const W: usize> {
    pieces: &'a R,
    known: &'a KnowledgeBase<'b, W>,
    numbers: HashMap<Id, PatternId>,
    /// Entries whose turn has not come; their numbers are given already.
    open: Vec<Id>,
    zones: Vec<u8>,
}

/// The list that shows that everything within `reason.value` (or nothing, without a reason) is
/// excluded.
pub(super) fn list<R: Pieces, const W: usize>(
    pieces: &R,
    known: &KnowledgeBase<'_, W>,
    reason: Option<&Reason<W>>,
) -> PatternList {
    let field = known.board.field;
    let mut lister =
        Lister { pieces, known, numbers: HashMap::new(), open: Vec::new(), zones: Vec::new() };
    let ids = reason.map_or(&[][..], |reason| &reason.ids);
    let root = ids.iter().map(|&id| lister.number(id)).collect();
    let mut patterns = Vec::new();
    while patterns.len() < lister.open.len() {
        let id = lister.open[patterns.len()];
        patterns.push(lister.pattern(id));
    }
    let waste = reason.map_or(0, |reason| reason.value);
    let claim = (waste < DEAD).then(|| (field.lower + field.unit * waste).checked_sub(1));
    let zone = |&zone: &u8| known.zone_sites(zone).iter().map(|site| lister.place(site)).collect();
    PatternList {
        // Where not even 0 is excluded there is nothing to claim; the caller does not ask then.
        claim: claim.map(Option::unwrap_or_default),
        unit: field.unit,
        prices: field.goals.iter().map(|goal| (lister.place(goal.site), goal.price)).collect(),
        potential: lister.potential(),
        zones: lister.zones.iter().map(zone).collect(),
        root,
        patterns,
    }
}

fn value(value: u32) -> Value {
    (value < DEAD).then_some(value)
}

impl<R: Pieces, const W: usize> Lister<'_, '_, R, W> {
    fn place(&self, site: Site) -> PatternCoord {
        let (row, column) = self.pieces.place(site);
        (row as u16, column as u16)
    }

    fn places(&self, sites: impl IntoIterator<Item = Site>) -> Vec<PatternCoord> {
        sites.into_iter().map(|site| self.place(site)).collect()
    }

    /// The potential of each site, side by side.
    fn potential(&self) -> Vec<(PatternCoord, PatternCoord, i32)> {
        let board = &self.known.board;
        let mut list = Vec::new();
        for at in board.ground.iter() {
            let mut sides: Vec<usize> = Vec::new();
            for walker in board.near(at).iter() {
                let slot = board.field.slot(at, walker);
                if let (false, Some(value)) = (sides.contains(&slot), board.field.potential[slot]) {
                    sides.push(slot);
                    list.push((self.place(at), self.place(walker), value));
                }
            }
        }
        list
    }

    /// The number that an entry has in the list.
    fn number(&mut self, id: Id) -> PatternId {
        let next = self.open.len() as PatternId;
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            self.open.push(id);
        }
        number
    }

    fn cover(&mut self, key: ShoveKey, ids: &[Id]) -> Cover {
        let (from, way) = (key / WAYS as u16, usize::from(key) % WAYS);
        let by = ids.iter().map(|&id| self.number(id)).collect();
        Cover { from: self.place(from), direction: Direction::ALL[way], by }
    }

    fn covers(&mut self, hints: &Hints) -> Vec<Cover> {
        hints.iter().map(|(key, ids)| self.cover(*key, ids)).collect()
    }

    fn pattern(&mut self, id: Id) -> Pattern {
        if id & PAIR != 0 {
            return self.pair(id & !PAIR);
        }
        let known = self.known;
        let entry = known.store.entry(id);
        let why = match &entry.why {
            EntryReason::Shoves(hints) if entry.negative => {
                patterns::PatternReason::Total(self.covers(hints))
            }
            EntryReason::Shoves(hints) => patterns::PatternReason::Dead(self.covers(hints)),
            EntryReason::Matching(still) => {
                let covers = self.standing(entry, still);
                patterns::PatternReason::Matching(self.places(still.iter().copied()), covers)
            }
            EntryReason::Goals(still, goals) => {
                let covers = self.standing(entry, still);
                let still = self.places(still.iter().copied());
                patterns::PatternReason::Unserved(still, self.places(goals.iter().copied()), covers)
            }
            EntryReason::Zone(zone) => patterns::PatternReason::Zone(self.zone(*zone)),
            EntryReason::Outside(zone, hints) => {
                let zone = self.zone(*zone);
                patterns::PatternReason::Outside(zone, self.covers(hints))
            }
        };
        // The zone says which sites are empty.
        let is_zone = matches!(entry.why, EntryReason::Zone(_));
        let empties = if is_zone { SiteSet::EMPTY } else { entry.empties };
        Pattern {
            pieces: self.places(entry.sites.iter()),
            empty: self.places(empties.iter()),
            player: self.place(entry.part.first().expect("the walker is somewhere")),
            value: value(entry.value),
            why,
        }
    }

    /// The number that a zone has in the list.
    fn zone(&mut self, zone: u8) -> u32 {
        debug_assert!(usize::from(zone) < Tuning::DEFAULT.learning_zone_reaches.len());
        let place = self.zones.iter().position(|&other| other == zone).unwrap_or_else(|| {
            self.zones.push(zone);
            self.zones.len() - 1
        });
        place as u32
    }

    /// What covers the shoves of pieces that stand still.
    fn standing(&mut self, entry: &Entry<W>, still: &[Site]) -> Vec<Cover> {
        let known = self.known;
        let walker = entry.part.first().expect("the walker is somewhere");
        let state = State::new(still, walker);
        let sites = state.sites(state.all());
        let part = known.board.flood(&sites, walker);
        let set = FrozenSet { pieces: state.all(), sites, part };
        let hints = hints(&known.board, &known.store.pairs, &state, &set, entry.value - 1);
        self.covers(&hints)
    }

    /// An entry of two pieces.
    fn pair(&mut self, id: Id) -> Pattern {
        let pairs = &self.known.store.pairs;
        let (one, other, walker) = pairs.describe(id);
        let least = pairs.value(id);
        let part = self.known.board.flood(&SiteSet::EMPTY.with(one).with(other), walker);
        let mut covers = Vec::new();
        for (moved, still) in [(one, other), (other, one)] {
            for (way, shove) in self.known.board.shoves(moved) {
                if part.has(shove.stand) && shove.to != still && shove.waste < least {
                    let next = pairs.id(shove.to, still, moved);
                    debug_assert!(plus(shove.waste, pairs.value(next)) >= least);
                    covers.push((shove_key(moved, way), next | PAIR));
                }
            }
        }
        let covers = covers.into_iter().map(|(key, id)| self.cover(key, &[id])).collect();
        Pattern {
            pieces: self.places([one, other]),
            empty: Vec::new(),
            player: self.place(walker),
            value: value(least),
            why: patterns::PatternReason::Dead(covers),
        }
    }
}
