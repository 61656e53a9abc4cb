//! From the reasons of what follows to a reason for the state itself.
//!
//! A set of pieces (and sites known to be empty) grows until each of its shoves is either ruled out
//! by pieces of the set, or open: possible in the state and not refuted yet. When none is open, the
//! set is a reason. Shoves of other pieces need not be looked at, so this is also what keeps the
//! search small (a stubborn set): to refute the state it is enough to refute the open shoves of one
//! closure.

use super::cover::KnowledgeBase;
use super::field_tables::{DEAD, State, plus};
use super::reason::Reason;
use super::sets::SiteSet;
use super::store::{ContainedEntries, Hints, Item, PAIR, ShoveKey, shove_key, shove_of};
use unstuck_encodings::bit_set::ones;
use unstuck_encodings::pieces::{Shove, Site, WAYS};

/// Nothing is in `moved` for a shove.
const NONE_YET: u16 = u16::MAX;

/// A shove that is possible in a state.
#[derive(Clone, Debug)]
pub(super) struct Choice<const W: usize> {
    pub piece: usize,
    pub from: Site,
    pub way: usize,
    pub shove: Shove,
    /// Why what it leads to is ruled out, once it is.
    pub refuted: Option<Reason<W>>,
}

/// A state on the way from the start, with what is known of its shoves.
pub(super) struct ClosureNode<const W: usize> {
    pub state: State,
    pub budget: u32,
    pub sites: SiteSet<W>,
    /// The walker's part of the ground, past all pieces.
    pub part: SiteSet<W>,
    pub options: Vec<Choice<W>>,
    /// The option of each piece and way.
    option_of: Vec<Option<u8>>,
    /// The entries that the state contains.
    pub found: ContainedEntries,
    /// How much news `found` has seen.
    pub seen: usize,
    /// The entries that need the piece of a shove where it comes to.
    moved: Vec<MoveDependents>,
    /// The place in `moved` of each shove by its key, or [`NONE_YET`].
    moved_at: Box<[u16]>,
    /// The option that is being searched.
    pub chosen: usize,
    /// The piece that was shoved last.
    pub last: Option<usize>,
}

/// The entries that need the piece of a shove where it comes to.
struct MoveDependents {
    shove: ShoveKey,
    found: ContainedEntries,
    /// How much news `found` has seen.
    seen: usize,
}

/// The entries that need a piece where it came to. A piece in the way does not exist for a set that
/// leaves it out; it must not be taken for the one that comes.
fn looked_up<const W: usize>(
    known: &KnowledgeBase<'_, W>,
    mover: usize,
    state: &State,
    blocker: Option<usize>,
) -> ContainedEntries {
    let mut found = ContainedEntries::default();
    known.store.around(mover, state, &mut found);
    leave_out(blocker, &mut found.positive);
    leave_out(blocker, &mut found.negative);
    found
}

/// Items that no longer name a piece.
fn leave_out(piece: Option<usize>, items: &mut [Item]) {
    let Some(piece) = piece else { return };
    items.iter_mut().for_each(|item| item.pieces &= !(1 << piece));
}

/// A set of pieces and empty sites that is closed, up to its open shoves.
#[derive(Clone, Debug)]
pub(super) struct Closure<const W: usize> {
    pub pieces: u64,
    pub empties: SiteSet<W>,
    /// How many shoves are open.
    pub open: usize,
    pub negative: bool,
    pub value: u32,
    pub hints: Hints,
}

/// Where a closure begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed<const W: usize> {
    pub pieces: u64,
    pub empties: SiteSet<W>,
}

/// What one look at all shoves of a set ended with.
enum ScanResult {
    /// The set has grown: look again.
    Grown,
    /// There are too many open shoves.
    TooMany,
    Closed,
}

impl<const W: usize> ClosureNode<W> {
    pub(super) fn new(
        known: &KnowledgeBase<'_, W>,
        state: State,
        budget: u32,
        last: Option<usize>,
    ) -> Self {
        let sites = state.sites(state.all());
        let part = known.board.part(&sites, state.walker);
        let mut options = Vec::new();
        let mut option_of = vec![None; state.pieces().len() * WAYS];
        for (piece, &from) in state.pieces().iter().enumerate() {
            for (way, shove) in known.board.shoves(from) {
                if shove.waste <= budget && part.has(shove.stand) && !sites.has(shove.to) {
                    option_of[piece * WAYS + way] = Some(options.len() as u8);
                    options.push(Choice { piece, from, way, shove, refuted: None });
                }
            }
        }
        Self {
            state,
            budget,
            sites,
            part,
            options,
            option_of,
            found: ContainedEntries::default(),
            seen: 0,
            moved: Vec::new(),
            moved_at: vec![NONE_YET; known.board.field.sites() * WAYS].into(),
            chosen: 0,
            last,
        }
    }

    /// Forgets what may have changed since others were searched.
    pub(super) fn refresh(&mut self, known: &KnowledgeBase<'_, W>) {
        let (state, sites) = (&self.state, &self.sites);
        known.store.catch_up(&mut self.seen, state, sites, &SiteSet::EMPTY, &mut self.found);
    }

    /// The number of the piece that a shove from a site moves: one that is added, if none is there.
    fn mover(&self, from: Site) -> usize {
        self.state.piece_on(from).unwrap_or(self.state.pieces().len())
    }

    /// The state after a shove from a site of a piece with this number, which may not be there.
    fn shoved(&self, mover: usize, from: Site, shove: &Shove) -> State {
        if mover < self.state.pieces().len() {
            return self.state.shoved(mover, shove.to);
        }
        let mut state = self.state.joined(shove.to);
        state.walker = from;
        state
    }

    /// The entries that contain the piece of a shove where it comes to; its place in `moved`.
    fn moved(
        &mut self,
        known: &KnowledgeBase<'_, W>,
        from: Site,
        way: usize,
        shove: &Shove,
    ) -> usize {
        let key = shove_key(from, way);
        let place = usize::from(self.moved_at[usize::from(key)]);
        let news = known.store.news();
        if self.moved.get(place).is_some_and(|moved| moved.seen == news) {
            return place;
        }
        let mover = self.mover(from);
        let state = self.shoved(mover, from, shove);
        let blocker = self.state.piece_on(shove.to);
        if let Some(moved) = self.moved.get_mut(place)
            && ((news - moved.seen) as u64) < known.tuning.learning_news
        {
            let (positive, negative) = (moved.found.positive.len(), moved.found.negative.len());
            let (sites, to) = (state.sites(state.all()), SiteSet::EMPTY.with(shove.to));
            known.store.catch_up(&mut moved.seen, &state, &sites, &to, &mut moved.found);
            leave_out(blocker, &mut moved.found.positive[positive..]);
            leave_out(blocker, &mut moved.found.negative[negative..]);
            debug_assert!(
                moved.found.is_like(&looked_up(known, mover, &state, blocker)),
                "what was inherited and news give what a fresh search finds"
            );
            return place;
        }
        let found = looked_up(known, mover, &state, blocker);
        self.keep(MoveDependents { shove: key, found, seen: news })
    }

    /// Keeps what was found of a shove; its place.
    fn keep(&mut self, moved: MoveDependents) -> usize {
        let at = &mut self.moved_at[usize::from(moved.shove)];
        if *at == NONE_YET {
            *at = self.moved.len() as u16;
            self.moved.push(moved);
        } else {
            self.moved[usize::from(*at)] = moved;
        }
        usize::from(*at)
    }

    /// Looks at all options: which of them are ruled out already.
    pub(super) fn look_ahead(&mut self, known: &mut KnowledgeBase<'_, W>) {
        for index in 0..self.options.len() {
            let Choice { piece, from, way, shove, .. } = self.options[index];
            let place = self.moved(known, from, way, &shove);
            let next = self.state.shoved(piece, shove.to);
            let sites = self.sites.without(from).with(shove.to);
            let lists =
                [(&self.found, next.all() & !(1 << piece)), (&self.moved[place].found, next.all())];
            let budget = self.budget - shove.waste;
            self.options[index].refuted = known.rules_out(&next, &sites, lists, budget, true);
        }
    }

    /// The entries that the state contains to which the chosen option leads.
    pub(super) fn found_next(&mut self, known: &KnowledgeBase<'_, W>) -> ContainedEntries {
        let Choice { piece, from, way, shove, .. } = self.options[self.chosen];
        let mut found = self.found.without(piece);
        let place = self.moved(known, from, way, &shove);
        found.extend(&self.moved[place].found);
        found
    }

    /// Takes over what the state before knows of shoves of other pieces; new are only the entries
    /// that need the piece that was shoved where it is now.
    pub(super) fn inherit(&mut self, known: &KnowledgeBase<'_, W>, before: &Self) {
        let Choice { piece, from, shove: Shove { to, .. }, .. } = before.options[before.chosen];
        let news = known.store.news();
        // The shoves by their piece and where it comes to.
        let mut shoves: Vec<(usize, Site)> = Vec::new();
        let mut targets = SiteSet::<W>::EMPTY;
        for moved in &before.moved {
            let (start, way) = shove_of(moved.shove);
            let Some(mover) = self.state.piece_on(start).filter(|&mover| mover != piece) else {
                continue;
            };
            let Some(shove) = known.board.shove(start, way) else { continue };
            if (news - moved.seen) as u64 >= known.tuning.learning_news {
                continue;
            }
            // A piece in the way was left out already.
            let found = match shove.to == from {
                true => moved.found.clone(),
                false => moved.found.without(piece),
            };
            self.keep(MoveDependents { shove: moved.shove, found, seen: moved.seen });
            shoves.push((mover, shove.to));
            targets.insert(shove.to);
        }
        targets.remove(to);
        known.store.around_but_one(piece, &self.state, &targets, &mut |id, entry| {
            if entry.value == 0 {
                return;
            }
            let sites = &entry.sites;
            let spare = sites.and(&targets).minus(&self.sites);
            let pieces = self.state.on(sites);
            for (&(mover, target), moved) in shoves.iter().zip(&mut self.moved) {
                let start = self.state.pieces()[mover];
                // The site in question: the one that is not there yet, or one that is in the way.
                let comes = match spare.is_empty() {
                    true => target != to && sites.has(target),
                    false => spare.has(target),
                };
                if !comes || sites.has(start) || !entry.part.has(start) {
                    continue;
                }
                let blocker = self.state.on(&SiteSet::<W>::EMPTY.with(target));
                let (pieces, found) = (pieces & !blocker | 1 << mover, &mut moved.found);
                let items = if entry.negative { &mut found.negative } else { &mut found.positive };
                items.push(Item { pieces, value: entry.value, id });
            }
        });
        let pairs = &known.store.pairs;
        for (&(mover, target), moved) in shoves.iter().zip(&mut self.moved) {
            if target != to && pairs.partners(target).has(to) {
                let pair = pairs.id(target, to, self.state.pieces()[mover]);
                let value = pairs.value(pair);
                if value > 0 {
                    let pieces = 1 << mover | 1 << piece;
                    moved.found.positive.push(Item { pieces, value, id: pair | PAIR });
                }
            }
        }
    }

    /// Closes a set that begins with a seed; `None` when more than `most` shoves stay open.
    pub(super) fn close(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        seed: &Seed<W>,
        most: usize,
    ) -> Option<Closure<W>> {
        let mut closure = Closure {
            pieces: seed.pieces,
            empties: seed.empties,
            open: 0,
            negative: false,
            value: DEAD,
            hints: Hints::new(),
        };
        loop {
            match self.look(known, &mut closure, most) {
                ScanResult::Grown => {}
                ScanResult::TooMany => return None,
                ScanResult::Closed => return Some(closure),
            }
        }
    }

    fn look(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        closure: &mut Closure<W>,
        most: usize,
    ) -> ScanResult {
        closure.open = 0;
        closure.value = DEAD;
        closure.negative = !closure.empties.is_empty();
        closure.hints.clear();
        let sites: SiteSet<W> = self.state.sites(closure.pieces);
        let part = known.board.part(&sites, self.state.walker);
        let before = closure.empties;
        for piece in ones(closure.pieces) {
            let from = self.state.pieces()[piece];
            for way in 0..WAYS {
                let Some(shove) = known.board.shove(from, way) else { continue };
                if !part.has(shove.stand) || sites.has(shove.to) {
                    continue;
                }
                if shove.waste > self.budget {
                    closure.value = closure.value.min(shove.waste);
                    continue;
                }
                if let Some(option) = self.option_of[piece * WAYS + way] {
                    match self.take_option(known, usize::from(option), closure) {
                        ScanResult::Grown => return ScanResult::Grown,
                        _ if closure.open > most => return ScanResult::TooMany,
                        _ => {}
                    }
                } else if !self.is_covered(known, closure, from, way, &shove) {
                    closure.pieces |= 1 << self.blocker(known, &sites, &shove);
                    return ScanResult::Grown;
                }
            }
        }
        if closure.empties.is_empty() {
            return ScanResult::Closed;
        }
        if self.fend_off(known, closure, &sites, &part) || closure.empties != before {
            return ScanResult::Grown;
        }
        ScanResult::Closed
    }

    /// A shove that is possible: its reason joins the set, or it is open.
    fn take_option(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        index: usize,
        closure: &mut Closure<W>,
    ) -> ScanResult {
        let Choice { piece, from, way, shove, ref refuted } = self.options[index];
        let Some(reason) = refuted else {
            closure.open += 1;
            return ScanResult::Closed;
        };
        let missing = reason.pieces & !closure.pieces;
        if missing != 0 {
            // What was learned since may need fewer pieces.
            if self.is_covered(known, closure, from, way, &shove) {
                return ScanResult::Closed;
            }
            let place = self.moved(known, from, way, &shove);
            let budget = self.budget - shove.waste;
            let still = self.found.positive.iter().filter(|item| item.pieces >> piece & 1 == 0);
            let least = still
                .chain(&self.moved[place].found.positive)
                .filter(|item| item.value > budget)
                .map(|item| item.pieces & !closure.pieces)
                .min_by_key(|pieces| pieces.count_ones())
                .filter(|pieces| (1..missing.count_ones()).contains(&pieces.count_ones()));
            closure.pieces |= least.unwrap_or(missing);
            return ScanResult::Grown;
        }
        if reason.negative {
            closure.negative = true;
            closure.empties = closure.empties.or(&reason.empties.without(from));
        }
        closure.value = closure.value.min(plus(shove.waste, reason.value));
        closure.hints.push((shove_key(from, way), reason.ids.clone()));
        ScanResult::Closed
    }

    /// Whether the pieces of the set alone rule out what a shove leads to, one of theirs or of a
    /// piece that comes from elsewhere; if so, notes by what.
    fn is_covered(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        closure: &mut Closure<W>,
        from: Site,
        way: usize,
        shove: &Shove,
    ) -> bool {
        let mover = self.mover(from);
        let budget = self.budget - shove.waste;
        let still = closure.pieces & !(1 << mover);
        let pieces = closure.pieces | 1 << mover;
        let place = self.moved(known, from, way, shove);
        let empties = closure.empties.with(from).without(shove.to);
        let lists = [(&self.found, still), (&self.moved[place].found, pieces)];
        let mut reason = known.among(lists, budget, &empties);
        if reason.is_none() && !closure.empties.is_empty() {
            let next = self.shoved(mover, from, shove);
            reason = known.by_zone(&next, pieces, budget, &empties);
        }
        let Some(reason) = reason else { return false };
        closure.negative |= reason.negative;
        closure.value = closure.value.min(plus(shove.waste, reason.value));
        closure.hints.push((shove_key(from, way), reason.ids));
        true
    }

    /// The piece outside a set that makes a shove of the set impossible.
    fn blocker(&self, known: &KnowledgeBase<'_, W>, sites: &SiteSet<W>, shove: &Shove) -> usize {
        let piece = |site| self.state.piece_on(site).expect("a piece stands on its site");
        if self.sites.has(shove.to) {
            return piece(shove.to);
        }
        let others = self.sites.minus(sites);
        piece(known.board.first_in_the_way(&self.part, sites, &others, shove.stand))
    }

    /// Sites that must be empty stay so: a piece that could come there is ruled out, joins the set,
    /// or is known not to be there. Whether the set has grown by a piece.
    fn fend_off(
        &mut self,
        known: &mut KnowledgeBase<'_, W>,
        closure: &mut Closure<W>,
        sites: &SiteSet<W>,
        part: &SiteSet<W>,
    ) -> bool {
        let empties = closure.empties;
        for to in empties.iter() {
            let arrivals: Vec<_> = known.board.arrivals(to).collect();
            for (from, way, shove) in arrivals {
                if sites.has(from) || closure.empties.has(from) || !part.has(shove.stand) {
                    continue;
                }
                if shove.waste > self.budget {
                    closure.value = closure.value.min(shove.waste);
                    continue;
                }
                let room = (closure.pieces.count_ones() as usize) < self.state.pieces().len();
                if room && self.is_covered(known, closure, from, way, &shove) {
                    continue;
                }
                if let Some(piece) = self.state.piece_on(from) {
                    closure.pieces |= 1 << piece;
                    return true;
                }
                closure.empties.insert(from);
            }
        }
        false
    }
}
