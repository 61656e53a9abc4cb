//! What pieces waste before they come to a zone.
//!
//! The contents of a zone say what is wasted by shoves that begin or end in it. An entry outside the
//! zone says what its pieces waste by other shoves, so that both add up. A piece that comes into the
//! zone no longer counts: few pieces in each other's way are a small game of their own, which is
//! searched to its end.

use super::field_tables::{FieldTables, State};
use super::reason::Reason;
use super::sets::{Id, Sets, SiteSet};
use super::store::{Entry, EntryReason, Hints, Item, Store, shove_key};
use crate::limits::Limits;
use crate::tuning::Tuning;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry as Place;
use unstuck_encodings::bit_set::ones;
use unstuck_encodings::pieces::{Shove, Site};

/// Pieces outside the zone, and the first site of the walker's part of the ground without them.
type Key<const W: usize> = (SiteSet<W>, Site);

/// What is known of the pieces outside one zone.
pub(super) struct Outside<'t, const W: usize> {
    /// The number of the zone.
    number: u8,
    zone: SiteSet<W>,
    /// The entries by their sites.
    tree: Sets<W>,
    /// The least budget within which pieces were looked at in vain.
    vain: HashMap<Key<W>, u32>,
    /// Plans within a budget; `None` where the game is too large.
    plans: HashMap<(Key<W>, u32), Option<Plan>>,
    /// States looked at.
    states: i64,
    tuning: &'t Tuning,
    /// When to give up.
    limits: Limits,
}

/// Shoves by their sites and ways.
type Plan = Box<[(Site, usize)]>;

/// A state of a small game.
struct GameState<const W: usize> {
    sites: SiteSet<W>,
    part: SiteSet<W>,
    walker: Site,
    /// What was wasted on the way, at least.
    spent: u32,
    /// The state before, and the shove.
    came: Option<(usize, Site, usize)>,
    /// The entry that says the same or more.
    entry: Option<Id>,
}

/// All states of a small game within a budget.
struct ClosedGame<const W: usize> {
    states: Vec<GameState<W>>,
    index: HashMap<Key<W>, usize>,
}

/// How the search of a small game ended.
enum GameEnd<const W: usize> {
    /// No piece is left outside.
    Plan(Plan),
    Closed(ClosedGame<W>),
    TooLarge,
}

impl<'t, const W: usize> Outside<'t, W> {
    pub(super) fn new(number: u8, zone: SiteSet<W>, tuning: &'t Tuning, limits: &Limits) -> Self {
        let (vain, plans, limits) = (HashMap::new(), HashMap::new(), limits.clone());
        let tree = Sets::new(tuning.learning_branching_sets as usize);
        Self { number, zone, tree, vain, plans, states: 0, tuning, limits }
    }

    /// Entries of the pieces `outside` that waste more than a budget. `allowance` is the number of
    /// states that may be looked at to find new ones; what is taken beyond it is owed.
    pub(super) fn more_than(
        &mut self,
        board: &FieldTables<'_, W>,
        store: &mut Store<W>,
        state: &State,
        outside: u64,
        budget: u32,
        allowance: &mut i64,
    ) -> Option<Reason<W>> {
        let known = self.among(store, state, outside, budget);
        if known.is_some() || *allowance < 0 {
            return known;
        }
        let key = key(board, &state.sites(outside), state.walker);
        if self.vain.get(&key).is_some_and(|&vain| vain <= budget) {
            return None;
        }
        let before = self.states;
        let found = self.learn(board, store, state, outside, budget);
        *allowance -= self.states - before;
        if found.is_none() {
            self.note_vain(key, budget);
        }
        found
    }

    fn note_vain(&mut self, key: Key<W>, budget: u32) {
        let vain = self.vain.entry(key).or_insert(budget);
        *vain = budget.min(*vain);
    }

    /// One entry, with as few pieces as possible, or several that add up.
    fn among(
        &self,
        store: &Store<W>,
        state: &State,
        outside: u64,
        budget: u32,
    ) -> Option<Reason<W>> {
        let mut items = Vec::new();
        self.tree.within(&state.sites(outside), &SiteSet::EMPTY, &mut |id| {
            let entry = store.entry(id);
            if entry.part.has(state.walker) {
                items.push(Item { pieces: state.on(&entry.sites), value: entry.value, id });
            }
        });
        Reason::single(items.iter().copied(), budget)
            .or_else(|| Reason::sum(items.into_iter(), budget, self.tuning))
    }

    fn learn(
        &mut self,
        board: &FieldTables<'_, W>,
        store: &mut Store<W>,
        state: &State,
        outside: u64,
        budget: u32,
    ) -> Option<Reason<W>> {
        let (sites, walker) = (state.sites(outside), state.walker);
        let most = self.tuning.learning_outside_all_states as usize;
        let all = self.search(board, store, &sites, walker, (budget, most));
        if let GameEnd::Plan(plan) = all {
            self.note_plan(board, sites, walker, budget, &plan);
            return None;
        }
        // What wastes less may add up.
        for least in 0..=budget {
            for piece in ones(outside) {
                let seed = SiteSet::EMPTY.with(state.pieces()[piece]);
                self.grow(board, store, &sites, seed, walker, least);
                if self.covered(store, &sites, walker, least).is_some() {
                    break;
                }
            }
            let found = self.among(store, state, outside, budget);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// No state on the way of a plan wastes more than what is left of its budget.
    fn note_plan(
        &mut self,
        board: &FieldTables<'_, W>,
        mut sites: SiteSet<W>,
        mut walker: Site,
        mut budget: u32,
        plan: &[(Site, usize)],
    ) {
        for &(from, way) in plan {
            self.note_vain(key(board, &sites, walker), budget);
            let shove = board.shove(from, way).expect("a plan's shoves are possible");
            (sites, walker) = (self.shoved(&sites, from, &shove), from);
            budget -= self.waste(&shove);
        }
    }

    /// Learns of pieces in each other's way, beginning with one of them: as long as they have a plan
    /// alone, the first of the others that prevents it joins them.
    fn grow(
        &mut self,
        board: &FieldTables<'_, W>,
        store: &mut Store<W>,
        all: &SiteSet<W>,
        mut set: SiteSet<W>,
        walker: Site,
        budget: u32,
    ) {
        let most = (budget, self.tuning.learning_outside_states as usize);
        while self.covered(store, &set, walker, budget).is_none() {
            let key = (key(board, &set, walker), budget);
            if !self.plans.contains_key(&key) {
                let plan = match self.search(board, store, &set, walker, most) {
                    GameEnd::Closed(closed) => {
                        let closed = self.without_spare(board, store, set, walker, most, closed);
                        return self.keep(board, store, closed, budget);
                    }
                    GameEnd::Plan(plan) => Some(plan),
                    GameEnd::TooLarge => None,
                };
                self.plans.insert(key, plan);
            }
            let plan = self.plans[&key].as_ref();
            match plan.and_then(|plan| self.preventing(board, all, &set, walker, plan)) {
                Some(site) => set.insert(site),
                None => return,
            }
        }
    }

    /// The game of fewer pieces, none of which can be spared.
    fn without_spare(
        &mut self,
        board: &FieldTables<'_, W>,
        store: &Store<W>,
        mut set: SiteSet<W>,
        walker: Site,
        most: (u32, usize),
        mut closed: ClosedGame<W>,
    ) -> ClosedGame<W> {
        for site in set.iter() {
            let fewer = set.without(site);
            if let GameEnd::Closed(game) = self.search(board, store, &fewer, walker, most) {
                (set, closed) = (fewer, game);
            }
        }
        closed
    }

    /// An entry within some pieces that wastes more than a budget.
    fn covered(
        &self,
        store: &Store<W>,
        sites: &SiteSet<W>,
        walker: Site,
        budget: u32,
    ) -> Option<Id> {
        let mut found = None;
        self.tree.within(sites, &SiteSet::EMPTY, &mut |id| {
            let entry = store.entry(id);
            if entry.value > budget && entry.part.has(walker) {
                found = Some(id);
            }
        });
        found
    }

    /// What a shove of a piece outside wastes outside.
    fn waste(&self, shove: &Shove) -> u32 {
        if self.zone.has(shove.to) { 0 } else { shove.waste }
    }

    /// The pieces outside after a shove.
    fn shoved(&self, sites: &SiteSet<W>, from: Site, shove: &Shove) -> SiteSet<W> {
        let rest = sites.without(from);
        if self.zone.has(shove.to) { rest } else { rest.with(shove.to) }
    }

    /// The shoves of a game's state that waste at most so much.
    fn shoves<'a>(
        &'a self,
        board: &'a FieldTables<'_, W>,
        (sites, part): (SiteSet<W>, SiteSet<W>),
        most: u32,
    ) -> impl Iterator<Item = (Site, usize, Shove)> + 'a {
        let all = sites
            .iter()
            .flat_map(|from| board.shoves(from).map(move |(way, shove)| (from, way, shove)));
        all.filter(move |(_, _, shove)| {
            part.has(shove.stand) && !sites.has(shove.to) && self.waste(shove) <= most
        })
    }

    /// Searches the game of some pieces within a budget, the least waste first.
    fn search(
        &mut self,
        board: &FieldTables<'_, W>,
        store: &Store<W>,
        set: &SiteSet<W>,
        walker: Site,
        (budget, most): (u32, usize),
    ) -> GameEnd<W> {
        let part = board.part(set, walker);
        let came = None;
        let mut states = vec![GameState { sites: *set, part, walker, spent: 0, came, entry: None }];
        let mut index = HashMap::from([(key(board, set, walker), 0)]);
        let mut open = vec![Vec::new(); budget as usize + 1];
        open[0].push(0);
        let mut spent = 0;
        while let Some(level) = open.get_mut(spent as usize) {
            let Some(at) = level.pop() else {
                spent += 1;
                continue;
            };
            let GameState { sites, part, walker, .. } = states[at];
            if states[at].spent < spent || states[at].entry.is_some() {
                continue;
            }
            if sites.is_empty() {
                return GameEnd::Plan(way_to(&states, at));
            }
            states[at].entry = self.covered(store, &sites, walker, budget - spent);
            if states[at].entry.is_some() {
                continue;
            }
            // A node may need thousands of games.
            if states.len() > most || self.limits.reached().is_some() {
                return GameEnd::TooLarge;
            }
            self.states += 1;
            // What was shoved last is shoved on first.
            let last = states[at].came.and_then(|(_, from, way)| board.shove(from, way));
            let mut shoves: Vec<_> = self.shoves(board, (sites, part), budget - spent).collect();
            shoves.sort_by_key(|&(from, ..)| last.is_some_and(|last| last.to == from));
            for (from, way, shove) in shoves {
                let after = spent + self.waste(&shove);
                let next = self.shoved(&sites, from, &shove);
                let (part, came) = (board.part(&next, from), Some((at, from, way)));
                let state =
                    GameState { sites: next, part, walker: from, spent: after, came, entry: None };
                match index.entry((next, part.first().unwrap_or(from))) {
                    Place::Vacant(place) => {
                        open[after as usize].push(*place.insert(states.len()));
                        states.push(state);
                    }
                    Place::Occupied(place) if after < states[*place.get()].spent => {
                        open[after as usize].push(*place.get());
                        states[*place.get()] = state;
                    }
                    Place::Occupied(_) => {}
                }
            }
        }
        GameEnd::Closed(ClosedGame { states, index })
    }

    /// Makes entries of all states of a game.
    fn keep(
        &mut self,
        board: &FieldTables<'_, W>,
        store: &mut Store<W>,
        game: ClosedGame<W>,
        budget: u32,
    ) {
        let ClosedGame { mut states, index } = game;
        let new: Vec<usize> = (0..states.len()).filter(|&at| states[at].entry.is_none()).collect();
        for &at in &new {
            let GameState { sites, part, spent, .. } = states[at];
            let (value, why) =
                (budget + 1 - spent, EntryReason::Outside(self.number, Hints::new()));
            let empties = SiteSet::EMPTY;
            let entry = Entry { sites, part, empties, value, negative: false, why };
            let id = store.push(entry);
            self.tree.insert(sites, id);
            states[at].entry = Some(id);
        }
        for &at in &new {
            let GameState { sites, part, spent, entry, .. } = states[at];
            let hint = |(from, way, shove): (Site, usize, Shove)| {
                let next = index[&key(board, &self.shoved(&sites, from, &shove), from)];
                (shove_key(from, way), Box::from(states[next].entry.as_slice()))
            };
            let hints = self.shoves(board, (sites, part), budget - spent).map(hint).collect();
            let id = entry.expect("each state has got one");
            store.explain(id, EntryReason::Outside(self.number, hints));
        }
    }

    /// The first of the other pieces that is in the way of a plan of a set.
    fn preventing(
        &self,
        board: &FieldTables<'_, W>,
        all: &SiteSet<W>,
        set: &SiteSet<W>,
        mut walker: Site,
        plan: &[(Site, usize)],
    ) -> Option<Site> {
        let (others, mut sites) = (all.minus(set), *set);
        for &(from, way) in plan {
            let shove = board.shove(from, way).expect("a plan's shoves are possible");
            if others.has(shove.to) {
                return Some(shove.to);
            }
            let part = board.part(&sites.or(&others), walker);
            if !part.has(shove.stand) {
                return Some(board.first_in_the_way(&part, &sites, &others, shove.stand));
            }
            (sites, walker) = (self.shoved(&sites, from, &shove), from);
        }
        None
    }
}

fn key<const W: usize>(board: &FieldTables<'_, W>, sites: &SiteSet<W>, walker: Site) -> Key<W> {
    (*sites, board.part(sites, walker).first().unwrap_or(walker))
}

/// The shoves that lead to a state of a game.
fn way_to<const W: usize>(states: &[GameState<W>], mut at: usize) -> Plan {
    let mut plan = Vec::new();
    while let Some((before, from, way)) = states[at].came {
        plan.push((from, way));
        at = before;
    }
    plan.reverse();
    plan.into()
}
