//! All that was learned, and finding in it what a state contains.
//!
//! An entry is in a tree of sets under each of its sites. After a shove only entries that contain
//! the piece's new site can be new, so "which entries contain this site and lie within these?" is
//! the only question that is ever asked.

use super::field_tables::{FieldTables, State};
use super::pairs::{PairId, Pairs};
use super::sets::{Id, Sets, SiteSet};
use crate::tuning::Tuning;
use hashbrown::HashMap;
use std::collections::BTreeMap;
use unstuck_encodings::pieces::{Site, WAYS};

/// Bits of an entry's number within those of its thread.
const OWN_BITS: u32 = 26;

/// Most threads that can learn beside each other.
pub(super) const MAX_THREADS: usize = 1 << (31 - OWN_BITS);

fn place(id: Id) -> (usize, usize) {
    ((id >> OWN_BITS) as usize, (id & ((1 << OWN_BITS) - 1)) as usize)
}

/// Marks an entry of the table of two pieces.
pub(super) const PAIR: Id = 1 << 31;

/// A shove by its site and way.
pub(super) type ShoveKey = u16;

/// The key of a shove.
pub(super) fn shove_key(from: Site, way: usize) -> ShoveKey {
    from * WAYS as u16 + way as u16
}

/// The site and way of a key.
pub(super) fn shove_of(key: ShoveKey) -> (Site, usize) {
    (key / WAYS as u16, usize::from(key % WAYS as u16))
}

/// What covers each shove of an entry: its key, how many entries, and these.
pub(super) type Hints = Vec<(ShoveKey, Box<[Id]>)>;

/// Why an entry holds.
#[derive(Clone, Debug)]
pub(super) enum EntryReason<const W: usize> {
    /// Every own shove is covered by entries inside what it leads to.
    Shoves(Hints),
    /// Pieces on these sites never move; the others must be matched to goals around them.
    Matching(Box<[Site]>),
    /// Pieces on the first sites never move; these goals cannot be served.
    Goals(Box<[Site]>, Box<[Site]>),
    /// The contents of a zone around the goals, by the zone's number.
    Zone(u8),
    /// Every own shove that begins and ends outside a zone (by its number) is covered by entries of
    /// the same kind.
    Outside(u8, Hints),
}

/// "A state with pieces on `sites`, none on `empties`, and the walker in `part` wastes at least
/// `value`": its own pieces do, or, if it is negative, the whole state does.
#[derive(Clone, Debug)]
pub(super) struct Entry<const W: usize> {
    pub sites: SiteSet<W>,
    /// The walker's part of the ground without `sites`.
    pub part: SiteSet<W>,
    pub empties: SiteSet<W>,
    pub value: u32,
    pub negative: bool,
    pub why: EntryReason<W>,
}

/// An entry whose pieces a state contains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Which of the state's pieces.
    pub pieces: u64,
    pub value: u32,
    pub id: Id,
}

/// The entries that a state contains, negative ones apart: whether their empty sites are empty is
/// another question.
#[derive(Clone, Debug, Default)]
pub(super) struct ContainedEntries {
    pub positive: Vec<Item>,
    pub negative: Vec<Item>,
}

impl ContainedEntries {
    /// The part that does not need one of the pieces.
    pub(super) fn without(&self, piece: usize) -> Self {
        let keep = |items: &[Item]| {
            items.iter().copied().filter(|item| item.pieces >> piece & 1 == 0).collect()
        };
        Self { positive: keep(&self.positive), negative: keep(&self.negative) }
    }

    /// Whether both hold the same entries, as often as they may; an entry that grew since counts
    /// by what it says now.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let set = |items: &[Item]| -> BTreeMap<(u64, Id), u32> {
            items.iter().fold(BTreeMap::new(), |mut all, item| {
                let value = all.entry((item.pieces, item.id)).or_default();
                *value = item.value.max(*value);
                all
            })
        };
        set(&self.positive) == set(&other.positive) && set(&self.negative) == set(&other.negative)
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.positive.extend_from_slice(&other.positive);
        self.negative.extend_from_slice(&other.negative);
    }
}

/// The store.
pub(super) struct Store<const W: usize> {
    pub pairs: Pairs<W>,
    /// The entries that each thread has learned.
    books: Vec<Vec<Entry<W>>>,
    /// The thread whose store it is.
    own: usize,
    /// Own entries that are new or grew since they were shared; `None` where they are not needed.
    untold: Option<Vec<Id>>,
    /// For each site, the entries that contain it, by their other sites.
    trees: Vec<Sets<W>>,
    /// Negative entries without any piece.
    bare: Vec<Id>,
    /// Entries with the same sites.
    same: HashMap<SiteSet<W>, Vec<Id>>,
    /// Entries that name all pieces of a state: looked up as a whole only.
    whole: HashMap<SiteSet<W>, Vec<Id>>,
    /// Entries with their sites, in the order in which they came or grew.
    news: Vec<(SiteSet<W>, Id)>,
}

impl<const W: usize> Store<W> {
    /// The store of one of several threads.
    pub(super) fn new(
        board: &FieldTables<'_, W>,
        tuning: &Tuning,
        (own, threads): (usize, usize),
    ) -> Self {
        let tree = Sets::new(tuning.learning_branching_sets as usize);
        Self {
            pairs: Pairs::new(board),
            books: vec![Vec::new(); threads],
            own,
            untold: (threads > 1).then(Vec::new),
            trees: vec![tree; board.field.sites()],
            bare: Vec::new(),
            same: HashMap::new(),
            whole: HashMap::new(),
            news: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.books.iter().map(Vec::len).sum()
    }

    #[inline]
    pub(super) fn entry(&self, id: Id) -> &Entry<W> {
        let (book, at) = place(id);
        &self.books[book][at]
    }

    fn entry_mut(&mut self, id: Id) -> &mut Entry<W> {
        let (book, at) = place(id);
        &mut self.books[book][at]
    }

    /// Notes that an own entry came or grew.
    fn tell(&mut self, id: Id) {
        if let Some(untold) = &mut self.untold {
            untold.push(id);
        }
    }

    /// The own entries that came or grew since the last call, in that order.
    pub(super) fn take_new(&mut self) -> Vec<(Id, Entry<W>)> {
        let ids = self.untold.as_mut().map(std::mem::take).unwrap_or_default();
        ids.into_iter().map(|id| (id, self.entry(id).clone())).collect()
    }

    /// Takes over what another thread has shared, in the order in which it was shared. `is_whole`:
    /// the entry names all pieces.
    pub(super) fn hear(&mut self, id: Id, entry: Entry<W>, is_whole: bool) {
        let (book, at) = place(id);
        // Never looked up, or by the thread that learned it.
        let is_leaf = matches!(entry.why, EntryReason::Zone(_) | EntryReason::Outside(..));
        let sites = entry.sites;
        if let Some(old) = self.books[book].get_mut(at) {
            *old = entry;
            if !is_whole && !is_leaf {
                self.news.push((sites, id));
            }
            return;
        }
        self.books[book].push(entry);
        if is_leaf {
            return;
        }
        if is_whole {
            self.whole.entry(sites).or_default().push(id);
        } else {
            self.list(id);
            self.news.push((sites, id));
        }
    }

    /// How many entries came or grew so far.
    pub(super) fn news(&self) -> usize {
        self.news.len()
    }

    /// The value of an entry of any kind.
    pub(super) fn value(&self, id: Id) -> u32 {
        if id & PAIR != 0 { self.pairs.value(id & !PAIR) } else { self.entry(id).value }
    }

    /// Adds an entry for the index, or lets one grow that is like it; its number.
    pub(super) fn add(&mut self, entry: Entry<W>) -> Id {
        let likes = self.same.get(&entry.sites).map_or(&[][..], Vec::as_slice);
        for &id in likes {
            let (book, at) = place(id);
            let like = &mut self.books[book][at];
            if like.part != entry.part || like.negative != entry.negative {
                continue;
            }
            if entry.value <= like.value && like.empties.is_within(&entry.empties) {
                return id;
            }
            // What others learned may grow only where they are.
            let grows = book == self.own;
            if grows && entry.value >= like.value && entry.empties.is_within(&like.empties) {
                self.news.push((entry.sites, id));
                *like = entry;
                self.tell(id);
                return id;
            }
        }
        let sites = entry.sites;
        let id = self.push(entry);
        self.list(id);
        self.news.push((sites, id));
        id
    }

    /// Adds an entry that names all pieces of a state; its number.
    pub(super) fn add_whole(&mut self, entry: Entry<W>) -> Id {
        if let Some(id) = self.whole_id(&entry.sites, &entry.part) {
            if entry.value <= self.entry(id).value {
                return id;
            }
            if place(id).0 == self.own {
                *self.entry_mut(id) = entry;
                self.tell(id);
                return id;
            }
        }
        let sites = entry.sites;
        let id = self.push(entry);
        self.whole.entry(sites).or_default().push(id);
        id
    }

    /// Adds an entry that is never looked up here.
    pub(super) fn push(&mut self, entry: Entry<W>) -> Id {
        let book = &mut self.books[self.own];
        book.push(entry);
        let id = (self.own << OWN_BITS) as Id | (book.len() - 1) as Id;
        self.tell(id);
        id
    }

    /// Replaces an entry that [`Store::push`] added by one of a higher value.
    pub(super) fn grow(&mut self, id: Id, value: u32) {
        let entry = self.entry_mut(id);
        if value > entry.value {
            entry.value = value;
            self.tell(id);
        }
    }

    /// Says why an entry holds.
    pub(super) fn explain(&mut self, id: Id, why: EntryReason<W>) {
        self.entry_mut(id).why = why;
        self.tell(id);
    }

    fn whole_id(&self, sites: &SiteSet<W>, part: &SiteSet<W>) -> Option<Id> {
        let ids = self.whole.get(sites)?.iter().copied();
        ids.filter(|&id| self.entry(id).part == *part).max_by_key(|&id| self.entry(id).value)
    }

    /// The entry of a whole state.
    pub(super) fn whole(&self, sites: &SiteSet<W>, walker: Site) -> Option<Id> {
        let ids = self.whole.get(sites)?.iter().copied();
        ids.filter(|&id| self.entry(id).part.has(walker)).max_by_key(|&id| self.entry(id).value)
    }

    fn list(&mut self, id: Id) {
        let sites = self.entry(id).sites;
        self.same.entry(sites).or_default().push(id);
        if sites.is_empty() {
            self.bare.push(id);
            return;
        }
        for site in sites.iter() {
            self.trees[usize::from(site)].insert(sites.without(site), id);
        }
    }

    /// The entries that contain the site of one piece and lie within those of the others.
    pub(super) fn around(&self, one: usize, state: &State, found: &mut ContainedEntries) {
        let (at, walker) = (state.pieces()[one], state.walker);
        let all: SiteSet<W> = state.sites(state.all());
        for other in self.pairs.partners(at).and(&all).iter() {
            if other == walker {
                continue;
            }
            let pair: PairId = self.pairs.id(at, other, walker);
            let value = self.pairs.value(pair);
            if value > 0 {
                let pieces = 1 << one | state.on(&SiteSet::<W>::EMPTY.with(other));
                found.positive.push(Item { pieces, value, id: pair | PAIR });
            }
        }
        let tree = &self.trees[usize::from(at)];
        tree.within(&all, &SiteSet::EMPTY, &mut |id| self.take(id, state, found));
    }

    /// The entries that contain the site of one piece and lie within those of the others, but for
    /// at most one site of `spare`.
    pub(super) fn around_but_one(
        &self,
        one: usize,
        state: &State,
        spare: &SiteSet<W>,
        take: &mut impl FnMut(Id, &Entry<W>),
    ) {
        let tree = &self.trees[usize::from(state.pieces()[one])];
        tree.within(&state.sites(state.all()), spare, &mut |id| take(id, self.entry(id)));
    }

    /// Adds an entry to what was found if the walker is where it should be.
    fn take(&self, id: Id, state: &State, found: &mut ContainedEntries) {
        let entry = self.entry(id);
        if entry.value == 0 || !entry.part.has(state.walker) {
            return;
        }
        let item = Item { pieces: state.on(&entry.sites), value: entry.value, id };
        if entry.negative { &mut found.negative } else { &mut found.positive }.push(item);
    }

    /// Everything that a state contains.
    pub(super) fn everything(&self, state: &State) -> ContainedEntries {
        let mut found = ContainedEntries::default();
        for piece in 0..state.pieces().len() {
            let mut part = ContainedEntries::default();
            self.around(piece, state, &mut part);
            // Each entry once: by its first piece.
            let first = |item: &Item| item.pieces.trailing_zeros() as usize == piece;
            found.positive.extend(part.positive.into_iter().filter(first));
            found.negative.extend(part.negative.into_iter().filter(first));
        }
        for &id in &self.bare {
            self.take(id, state, &mut found);
        }
        found
    }

    /// Adds what came or grew since a state was looked at last, if it contains the sites of
    /// `needed`; `seen` counts what came. `sites` are those of the state's pieces.
    pub(super) fn catch_up(
        &self,
        seen: &mut usize,
        state: &State,
        sites: &SiteSet<W>,
        needed: &SiteSet<W>,
        found: &mut ContainedEntries,
    ) {
        for (news, id) in &self.news[*seen..] {
            if needed.is_within(news) && news.is_within(sites) {
                self.take(*id, state, found);
            }
        }
        *seen = self.news.len();
    }
}
