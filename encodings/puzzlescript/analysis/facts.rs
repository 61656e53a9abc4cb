//! What is possible on a level at all: the least set of facts that a turn cannot leave.
//!
//! A fact is "this object can be in that cell", "can be missing there", or "can be in motion there,
//! in that direction". Nothing is said of several objects together, so a set of facts stands for
//! every board that is made of them, and a rule that matches on such a board may be one that never
//! matches in play. The other way round is certain: what no fact allows never happens. That follows
//! by induction over the steps of a turn (input, a rule at a place, the movement of one object),
//! each of which leads from a board that the facts allow to another one.

use super::cells::{Cells, DIRECTIONS, Grid};
use super::prepared::{Change, LayerChange, PreparedCell, PreparedRule};
use std::sync::Arc;
use unstuck_puzzles::Moves;
use unstuck_puzzles::puzzlescript::{
    CellPattern, Direction, Game, Group, Kind, Mask, PuzzleScript, Rule, bits,
};

/// Movements of a cell: four directions and the action.
pub(crate) const MOVEMENTS: usize = 5;

/// So many places the judge looks at in a turn, and no more.
pub(crate) const MAX_STEPS: u64 = 100_000_000;

/// A place where a rule is found counts as so many that the judge looks at.
pub(crate) const STEPS_A_FIND: u64 = 50;

/// The analysis of a level may look at so many words of sets; that takes a second or two.
const MAX_WORK: usize = 1 << 30;

/// The sets of a level may have so many words, or half a gigabyte.
const MAX_WORDS: usize = 1 << 26;

/// What is possible for the objects of a layer that move: a set of cells for each movement.
pub(crate) type Motion = [Cells; MOVEMENTS];

/// Where the cells of a rule can be, for each row and each of its cells; nothing where the rule
/// cannot match at all.
pub(crate) type Sites = Option<Vec<Vec<Cells>>>;

/// What is possible on a level.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) grid: Grid,
    /// Where each object can be, by its bit.
    pub(crate) at: Vec<Cells>,
    /// In how many cells each object is at the start.
    starts: Vec<usize>,
    /// Where each object can be missing.
    pub(crate) missing: Vec<Cells>,
    /// Where each object can be in motion.
    pub(crate) moving: Vec<Motion>,
    /// Where each layer can have a movement without an object, left over when the object that
    /// moved was taken away. What comes there is carried along.
    pub(crate) adrift: Vec<Motion>,
    /// For each group of rules and each of its rules, where it can match.
    pub(crate) early: Vec<Vec<Sites>>,
    /// The same for late groups.
    pub(crate) late: Vec<Vec<Sites>>,
    /// The layer of each object.
    pub(crate) layer: Vec<usize>,
    /// The objects of each layer.
    pub(crate) members: Vec<Vec<usize>>,
    player: Kind,
    /// The movements that inputs give to players.
    inputs: Vec<usize>,
    /// The rules, early ones first.
    rules: Arc<[PreparedRule]>,
    /// What depends on each object, as bits: rules, early ones first, and then layers.
    readers: Arc<[Box<[u64]>]>,
    /// What is to be looked at, because something new is known of what it depends on.
    due: Box<[u64]>,
    work: usize,
}

/// The rules of each group.
fn rules_of(groups: &[Group]) -> Vec<Vec<&Rule>> {
    groups.iter().map(|group| group.rules.iter().collect()).collect()
}

impl Facts {
    /// What is possible on a level; nothing when finding out would take too long.
    pub(crate) fn new(puzzle: &PuzzleScript) -> Option<Self> {
        let (game, map) = (puzzle.game(), puzzle.map());
        let grid = Grid::new(map.width, map.height);
        let objects = game.bits.len();
        let groups = game.rules.iter().chain(&game.late_rules);
        let patterns = groups.flat_map(|group| &group.rules).flat_map(|rule| &rule.rows).flatten();
        let sets = (2 + MOVEMENTS) * objects + MOVEMENTS * game.layers.len() + patterns.count();
        if grid.none().words().len().saturating_mul(sets) > MAX_WORDS {
            return None;
        }
        let members: Vec<Vec<usize>> = game.layers.iter().map(|it| it.bits().collect()).collect();
        let mut layer = vec![0; objects];
        for (at, members) in members.iter().enumerate() {
            members.iter().for_each(|&object| layer[object] = at);
        }
        let mut at = vec![grid.none(); objects];
        let mut missing = vec![grid.all(); objects];
        for (cell, words) in puzzle.start().cells.chunks(game.object_words).enumerate() {
            for object in bits(words) {
                at[object].insert(cell);
                missing[object].remove(cell);
            }
        }
        let starts = at.iter().map(|cells| cells.iter().count()).collect();
        let still = || std::array::from_fn(|_| grid.none());
        let facts = Self {
            starts,
            at,
            missing,
            moving: (0..objects).map(|_| still()).collect(),
            adrift: members.iter().map(|_| still()).collect(),
            early: Vec::new(),
            late: Vec::new(),
            layer,
            members,
            player: game.player.clone(),
            inputs: (0..MOVEMENTS - usize::from(game.settings.no_action)).collect(),
            rules: [].into(),
            readers: [].into(),
            due: [].into(),
            grid,
            work: 0,
        };
        let mut facts = facts.by_rules(&rules_of(&game.rules), &rules_of(&game.late_rules));
        facts.close_until(|_| false)?;
        Some(facts)
    }

    /// What is possible in a turn by one input, from where objects are `lasting` at the end of turns;
    /// nothing when finding out would take too long.
    pub(crate) fn of_input(&self, lasting: &[Cells], way: usize) -> Option<Self> {
        let resting = self.resting().placed(lasting.to_vec(), self.missing.clone());
        let mut facts = Self { inputs: vec![way], ..resting };
        facts.close_until(|_| false)?;
        Some(facts)
    }

    /// The level before anything is known about where objects are.
    fn resting(&self) -> Self {
        let still = || std::array::from_fn(|_| self.grid.none());
        let unknown =
            |groups: &[Vec<Sites>]| groups.iter().map(|it| vec![None; it.len()]).collect();
        Self {
            at: Vec::new(),
            missing: Vec::new(),
            moving: self.moving.iter().map(|_| still()).collect(),
            adrift: self.adrift.iter().map(|_| still()).collect(),
            early: unknown(&self.early),
            late: unknown(&self.late),
            grid: self.grid.clone(),
            starts: self.starts.clone(),
            layer: self.layer.clone(),
            members: self.members.clone(),
            player: self.player.clone(),
            inputs: self.inputs.clone(),
            rules: self.rules.clone(),
            readers: self.readers.clone(),
            due: vec![u64::MAX; self.due.len()].into(),
            work: 0,
        }
    }

    /// The same by the rules alone that can match on the level, in two groups.
    pub(crate) fn by_possible(&self, game: &Game) -> Self {
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for (is_late, rule, _) in self.possible(game) {
            if is_late { late.push(rule) } else { early.push(rule) }
        }
        self.resting().by_rules(&[early], &[late])
    }

    /// The same by other rules, of which nothing is known yet.
    fn by_rules(self, early: &[Vec<&Rule>], late: &[Vec<&Rule>]) -> Self {
        let sites = |groups: &[Vec<&Rule>]| groups.iter().map(|it| vec![None; it.len()]).collect();
        let rules = early.iter().chain(late).flatten();
        let rules: Arc<[_]> = rules.map(|rule| PreparedRule::new(&self, rule)).collect();
        let words = (rules.len() + self.members.len()).div_ceil(64);
        let mut readers = vec![vec![0; words].into_boxed_slice(); self.layer.len()];
        let mut add = |object: usize, number: usize| {
            readers[object][number / 64] |= 1 << (number % 64);
        };
        for (number, rule) in rules.iter().enumerate() {
            rule.reads(&self).into_iter().for_each(|object| add(object, number));
        }
        for (object, layer) in self.layer.iter().enumerate() {
            add(object, rules.len() + layer);
        }
        let due = vec![u64::MAX; words].into();
        let readers = readers.into();
        Self { early: sites(early), late: sites(late), rules, readers, due, ..self }
    }

    /// The same where each object can be `at` some cells and `missing` in some.
    pub(crate) fn placed(self, at: Vec<Cells>, missing: Vec<Cells>) -> Self {
        Self { at, missing, ..self }
    }

    /// Whether a rule or layer is to be looked at; from now on it has been.
    fn begins(&mut self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        let is_due = self.due[number / 64] & bit != 0;
        self.due[number / 64] &= !bit;
        is_due
    }

    /// Notes whether something new was found about an object.
    fn note(&mut self, object: usize, news: bool) -> bool {
        if news {
            self.due.iter_mut().zip(&self.readers[object]).for_each(|(due, more)| *due |= more);
        }
        news
    }

    /// The same for what is adrift in a layer.
    fn note_layer(&mut self, layer: usize, news: bool) -> bool {
        for at in 0..self.members[layer].len() {
            self.note(self.members[layer][at], news);
        }
        news
    }

    /// Puts an object in a cell, before anything follows.
    pub(crate) fn put(&mut self, object: usize, cell: usize) {
        self.at[object].insert(cell);
        self.missing[object].remove(cell);
    }

    /// Whether an object can be in a cell, or be missing there.
    pub(crate) fn can_be(&self, object: usize, cell: usize, is_there: bool) -> bool {
        let cells = if is_there { &self.at[object] } else { &self.missing[object] };
        cells.has(cell)
    }

    /// Adds that an object can be in a cell, or be missing there.
    pub(crate) fn let_be(&mut self, object: usize, cell: usize, is_there: bool) {
        let cells = if is_there { &mut self.at[object] } else { &mut self.missing[object] };
        cells.insert(cell);
        self.note(object, true);
    }

    /// Adds what follows from the facts until it is enough: whether it came to that; nothing when that
    /// would take too long.
    pub(crate) fn close_until(&mut self, is_enough: impl Fn(&Self) -> bool) -> Option<bool> {
        loop {
            let news = self.round();
            if is_enough(self) {
                return Some(true);
            }
            if !news {
                return Some(false);
            }
            if self.work > MAX_WORK {
                return None;
            }
        }
    }

    /// Whether a rule can match that wins.
    pub(crate) fn can_win_by_rule(&self) -> bool {
        let sites = self.early.iter().chain(&self.late).flatten();
        sites.zip(&*self.rules).any(|(sites, rule)| rule.wins && sites.is_some())
    }

    /// How many words of sets were looked at.
    pub(crate) fn work(&self) -> usize {
        self.work
    }

    /// Adds the work on other facts, which began as these.
    pub(crate) fn spend(&mut self, other: &Self) {
        self.work = other.work;
    }

    /// The rules with the places of their groups and where they can match, early ones first.
    pub(crate) fn possible<'a>(
        &'a self,
        game: &'a Game,
    ) -> impl Iterator<Item = (bool, &'a Rule, &'a Vec<Vec<Cells>>)> {
        let early = game.rules.iter().zip(&self.early).map(|it| (false, it));
        let late = game.late_rules.iter().zip(&self.late).map(|it| (true, it));
        early.chain(late).flat_map(|(late, (group, sites))| {
            let rules = group.rules.iter().zip(sites);
            rules.filter_map(move |(rule, sites)| Some((late, rule, sites.as_ref()?)))
        })
    }

    /// With how many of these objects the level begins.
    pub(crate) fn at_start(&self, objects: &[usize]) -> usize {
        objects.iter().map(|&object| self.starts[object]).sum()
    }

    /// Whether a layer can have any movement.
    pub(crate) fn is_moving(&self, layer: usize) -> bool {
        let objects = self.members[layer].iter().map(|&object| &self.moving[object]);
        objects.chain([&self.adrift[layer]]).flatten().any(|cells| !cells.is_empty())
    }

    /// Cells in which a layer can be empty.
    pub(crate) fn free(&self, layer: usize) -> Cells {
        let mut free = self.grid.all();
        self.members[layer].iter().for_each(|&object| free.keep(&self.missing[object]));
        free
    }

    /// Adds what follows from the facts; whether that is news.
    fn round(&mut self) -> bool {
        let early = self.early.iter().map(Vec::len).sum();
        let mut news = self.push_players();
        news |= self.apply_all(false, 0);
        news |= self.let_move(self.rules.len());
        news | self.apply_all(true, early)
    }

    /// Adds what rules do of which something new is known; `first` is the number of the first.
    fn apply_all(&mut self, late: bool, first: usize) -> bool {
        let (mut news, mut number, rules) = (false, first, self.rules.clone());
        let mut known = std::mem::take(if late { &mut self.late } else { &mut self.early });
        for sites in known.iter_mut().flatten() {
            if self.begins(number) {
                *sites = self.sites(&rules[number], late);
                news |= self.apply(&rules[number], sites.as_ref());
            }
            number += 1;
        }
        *(if late { &mut self.late } else { &mut self.early }) = known;
        news
    }

    fn push_players(&mut self) -> bool {
        let (Kind::Any(mask) | Kind::All(mask)) = &self.player;
        let players: Vec<usize> = mask.bits().collect();
        let mut stands = self.grid.all();
        if matches!(self.player, Kind::All(_)) {
            players.iter().for_each(|&object| stands.keep(&self.at[object]));
        }
        let mut news = false;
        for object in players {
            let stands = stands.and(&self.at[object]);
            for at in 0..self.inputs.len() {
                let added = self.moving[object][self.inputs[at]].add(&stands);
                news |= self.note(object, added);
            }
        }
        news
    }

    /// Where the cells of a rule can be.
    fn sites(&mut self, rule: &PreparedRule, late: bool) -> Sites {
        rule.rows.iter().map(|row| self.row_sites(rule.direction, row, late)).collect()
    }

    /// Where the cells of a row can be; nothing where it cannot be found.
    fn row_sites(
        &mut self,
        way: Direction,
        row: &[Option<PreparedCell>],
        late: bool,
    ) -> Option<Vec<Cells>> {
        // From the end: where each pattern can be, with all that follow it.
        let mut sites: Vec<Cells> = Vec::with_capacity(row.len());
        let mut next: Option<Cells> = None;
        for pattern in row.iter().rev() {
            match pattern {
                None => next = next.map(|next| self.smeared(next, way, false)),
                Some(cell) => {
                    let mut here = self.fits(cell, late);
                    if let Some(next) = &next {
                        here.keep(&self.grid.before(next, way));
                    }
                    if here.is_empty() {
                        return None;
                    }
                    next = Some(here.clone());
                    sites.push(here);
                }
            }
        }
        // And from the beginning, with all that are before it.
        let mut open = sites.into_iter().rev();
        let mut sites: Vec<Cells> = Vec::with_capacity(row.len());
        let mut reached = self.grid.all();
        for pattern in row {
            match pattern {
                None => reached = self.smeared(reached, way, true),
                Some(_) => {
                    let here = open.next()?.and(&reached);
                    reached = self.grid.after(&here, way);
                    sites.push(here);
                }
            }
        }
        Some(sites)
    }

    /// A set with all cells that lie from it in a direction, or against it.
    fn smeared(&mut self, mut set: Cells, way: Direction, forwards: bool) -> Cells {
        for _ in 1..self.grid.width.max(self.grid.height) {
            self.work += set.words().len();
            let more =
                if forwards { self.grid.after(&set, way) } else { self.grid.before(&set, way) };
            if !set.add(&more) {
                break;
            }
        }
        set
    }

    /// Where a pattern of one cell can be.
    fn fits(&mut self, pattern: &PreparedCell, late: bool) -> Cells {
        self.work += 8 * self.at.first().map_or(0, |at| at.words().len());
        if late && !pattern.moving.is_empty() {
            return self.grid.none();
        }
        let mut cells = self.grid.all();
        pattern.present.iter().for_each(|&object| cells.keep(&self.at[object]));
        pattern.absent.iter().for_each(|&object| cells.keep(&self.missing[object]));
        for any in &pattern.any {
            cells.keep(&self.union(any.iter().map(|&object| &self.at[object])));
        }
        for wanted in &pattern.moving {
            let of_objects = wanted.objects.iter().map(|&object| &self.moving[object]);
            let adrift = wanted.adrift.map(|layer| &self.adrift[layer]);
            let mut moving = self.grid.none();
            for motion in of_objects.chain(adrift) {
                moving.add(&self.common(wanted.ways.iter().map(|&way| &motion[way])));
            }
            cells.keep(&moving);
        }
        cells
    }

    /// The cells that are in any of some sets.
    pub(crate) fn union<'a>(&self, sets: impl Iterator<Item = &'a Cells>) -> Cells {
        let mut union = self.grid.none();
        for set in sets {
            union.add(set);
        }
        union
    }

    /// The cells that are in all of some sets.
    pub(crate) fn common<'a>(&self, sets: impl Iterator<Item = &'a Cells>) -> Cells {
        let mut common = self.grid.all();
        sets.for_each(|set| common.keep(set));
        common
    }

    /// Where a cell can have a kind.
    pub(crate) fn present(&self, kind: &Kind) -> Cells {
        match kind {
            Kind::Any(mask) => self.union(mask.bits().map(|bit| &self.at[bit])),
            Kind::All(mask) => self.common(mask.bits().map(|bit| &self.at[bit])),
        }
    }

    /// Where a cell can be without a kind.
    pub(crate) fn absent(&self, kind: &Kind) -> Cells {
        match kind {
            Kind::Any(mask) => self.common(mask.bits().map(|bit| &self.missing[bit])),
            Kind::All(mask) => self.union(mask.bits().map(|bit| &self.missing[bit])),
        }
    }

    /// The objects of a layer of which a pattern asks for one, and whether it does ask: else it can
    /// be any of the layer, or none.
    pub(crate) fn named(&self, pattern: &CellPattern, layer: usize) -> (Vec<usize>, bool) {
        let of_layer = |mask: &Mask| -> Vec<usize> {
            mask.bits().filter(|&object| self.layer[object] == layer).collect()
        };
        let present = of_layer(&pattern.present);
        if !present.is_empty() {
            return (present, true);
        }
        // A property whose objects are all in this layer.
        let all_here = |any: &&Mask| any.bits().all(|object| self.layer[object] == layer);
        match pattern.any.iter().find(all_here) {
            Some(any) => (of_layer(any), true),
            None => (self.members[layer].clone(), false),
        }
    }

    fn apply(&mut self, rule: &PreparedRule, sites: Option<&Vec<Vec<Cells>>>) -> bool {
        let mut news = false;
        for (row, sites) in rule.rows.iter().zip(sites.into_iter().flatten()) {
            for (cell, site) in row.iter().flatten().zip(sites) {
                if let Some(change) = &cell.change {
                    news |= self.replace(change, site);
                }
            }
        }
        news
    }

    /// Adds what a replacement does in some cells.
    fn replace(&mut self, change: &Change, site: &Cells) -> bool {
        let mut news = false;
        for &object in &change.set {
            let added = self.at[object].add(site);
            news |= self.note(object, added);
        }
        for &object in &change.taken {
            let added = self.missing[object].add(site);
            news |= self.note(object, added);
        }
        for LayerChange { layer, who, is_named, put, begin, stay } in &change.layers {
            self.work += 4 * MOVEMENTS * site.words().len();
            for &way in begin {
                for &object in who {
                    let added = self.moving[object][way].add(&site.and(&self.at[object]));
                    news |= self.note(object, added);
                }
                if !is_named {
                    let added = self.adrift[*layer][way].add(site);
                    news |= self.note_layer(*layer, added);
                }
            }
            // The movement stays, whichever object had it.
            for &way in stay {
                let had = self.members[*layer].iter().map(|&object| &self.moving[object][way]);
                let had = self.union(had.chain([&self.adrift[*layer][way]])).and(site);
                for &object in put {
                    let added = self.moving[object][way].add(&had);
                    news |= self.note(object, added);
                }
                if put.is_empty() {
                    let added = self.adrift[*layer][way].add(&had);
                    news |= self.note_layer(*layer, added);
                }
            }
        }
        news
    }

    /// Adds where moving objects come; `number` is that of the first layer.
    fn let_move(&mut self, number: usize) -> bool {
        let mut news = false;
        for layer in 0..self.members.len() {
            if !self.begins(number + layer) {
                continue;
            }
            let free = self.free(layer);
            for at in 0..self.members[layer].len() {
                let object = self.members[layer][at];
                self.work += 16 * free.words().len();
                let mut added = false;
                for way in 0..MOVEMENTS {
                    let here = self.adrift[layer][way].and(&self.at[object]);
                    added |= self.moving[object][way].add(&here);
                }
                for (way, &direction) in DIRECTIONS.iter().enumerate() {
                    let mut goes = self.grid.before(&free, direction);
                    goes.keep(&self.moving[object][way]);
                    added |= self.missing[object].add(&goes);
                    added |= self.at[object].add(&self.grid.after(&goes, direction));
                }
                news |= self.note(object, added);
            }
        }
        news
    }
}
