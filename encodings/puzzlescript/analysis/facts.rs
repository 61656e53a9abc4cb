//! What is possible on a level at all: the least set of facts that a turn cannot leave.
//!
//! A fact is "this object can be in that cell", "can be missing there", or "can be in motion there,
//! in that direction". Nothing is said of several objects together, so a set of facts stands for
//! every board that is made of them, and a rule that matches on such a board may be one that never
//! matches in play. The other way round is certain: what no fact allows never happens. That follows
//! by induction over the steps of a turn (input, a rule at a place, the movement of one object),
//! each of which leads from a board that the facts allow to another one.

use super::cells::{Cells, DIRECTIONS, Grid};
use unstuck_puzzles::Moves;
use unstuck_puzzles::puzzlescript::{
    CellPattern, Direction, Game, Kind, Mask, Pattern, PuzzleScript, Replacement, Rule,
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
    /// The movements that inputs give to players.
    inputs: Vec<usize>,
    work: usize,
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
            for object in super::cells::bits(words) {
                at[object].insert(cell);
            }
        }
        for (missing, at) in missing.iter_mut().zip(&at) {
            *missing = grid.none();
            (0..grid.len()).filter(|&cell| !at.has(cell)).for_each(|cell| missing.insert(cell));
        }
        let starts = at.iter().map(|cells| cells.iter().count()).collect();
        let still = || std::array::from_fn(|_| grid.none());
        let mut facts = Self {
            starts,
            at,
            missing,
            moving: (0..objects).map(|_| still()).collect(),
            adrift: members.iter().map(|_| still()).collect(),
            early: game.rules.iter().map(|group| vec![None; group.rules.len()]).collect(),
            late: game.late_rules.iter().map(|group| vec![None; group.rules.len()]).collect(),
            layer,
            members,
            inputs: (0..MOVEMENTS - usize::from(game.settings.no_action)).collect(),
            grid,
            work: 0,
        };
        facts.close(game)?;
        Some(facts)
    }

    /// What is possible in a turn by one input, from where objects are `lasting` at the end of turns;
    /// nothing when finding out would take too long.
    pub(crate) fn of_input(&self, game: &Game, lasting: &[Cells], way: usize) -> Option<Self> {
        let still = || std::array::from_fn(|_| self.grid.none());
        let mut facts = Self {
            at: lasting.to_vec(),
            moving: self.at.iter().map(|_| still()).collect(),
            adrift: self.members.iter().map(|_| still()).collect(),
            inputs: vec![way],
            work: 0,
            ..self.clone()
        };
        facts.early.iter_mut().chain(&mut facts.late).flatten().for_each(|sites| *sites = None);
        facts.close(game)?;
        Some(facts)
    }

    /// Adds all that follows from the facts; nothing when that would take too long.
    fn close(&mut self, game: &Game) -> Option<()> {
        while self.round(game) {
            if self.work > MAX_WORK {
                return None;
            }
        }
        Some(())
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

    /// Whether the level begins with one of these objects.
    pub(crate) fn is_single(&self, objects: &[usize]) -> bool {
        let starts = objects.iter().map(|&object| self.starts[object]).sum::<usize>();
        starts == 1
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
    fn round(&mut self, game: &Game) -> bool {
        let mut news = self.push_players(game);
        for (at, group) in game.rules.iter().enumerate() {
            for (number, rule) in group.rules.iter().enumerate() {
                let sites = self.sites(rule, false);
                news |= self.apply(rule, sites.as_ref());
                self.early[at][number] = sites;
            }
        }
        news |= self.let_move();
        for (at, group) in game.late_rules.iter().enumerate() {
            for (number, rule) in group.rules.iter().enumerate() {
                let sites = self.sites(rule, true);
                news |= self.apply(rule, sites.as_ref());
                self.late[at][number] = sites;
            }
        }
        news
    }

    fn push_players(&mut self, game: &Game) -> bool {
        let (Kind::Any(mask) | Kind::All(mask)) = &game.player;
        let mut stands = self.grid.all();
        if matches!(game.player, Kind::All(_)) {
            mask.bits().for_each(|object| stands.keep(&self.at[object]));
        }
        let mut news = false;
        for object in mask.bits() {
            let stands = stands.and(&self.at[object]);
            for &way in &self.inputs {
                news |= self.moving[object][way].add(&stands);
            }
        }
        news
    }

    /// Where the cells of a rule can be.
    fn sites(&mut self, rule: &Rule, late: bool) -> Sites {
        rule.rows.iter().map(|row| self.row_sites(rule.direction, row, late)).collect()
    }

    /// Where the cells of a row can be; nothing where it cannot be found.
    fn row_sites(&mut self, way: Direction, row: &[Pattern], late: bool) -> Option<Vec<Cells>> {
        // From the end: where each pattern can be, with all that follow it.
        let mut sites: Vec<Cells> = Vec::with_capacity(row.len());
        let mut next: Option<Cells> = None;
        for pattern in row.iter().rev() {
            match pattern {
                Pattern::Ellipsis => next = next.map(|next| self.smeared(next, way, false)),
                Pattern::Cell(cell) => {
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
                Pattern::Ellipsis => reached = self.smeared(reached, way, true),
                Pattern::Cell(_) => {
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
    fn fits(&mut self, pattern: &CellPattern, late: bool) -> Cells {
        self.work += 8 * self.at.first().map_or(0, |at| at.words().len());
        let mut cells = self.grid.all();
        if late && !pattern.moving.is_empty() {
            return self.grid.none();
        }
        pattern.present.bits().for_each(|object| cells.keep(&self.at[object]));
        pattern.absent.bits().for_each(|object| cells.keep(&self.missing[object]));
        for any in &pattern.any {
            cells.keep(&self.union(any.bits().map(|object| &self.at[object])));
        }
        for (layer, movement) in pattern.moving.movements(self.members.len()) {
            let (objects, is_named) = self.named(pattern, layer);
            let ways = || (0..MOVEMENTS).filter(|way| movement >> way & 1 == 1);
            let together = |motion: &Motion| {
                let mut cells = self.grid.all();
                ways().for_each(|way| cells.keep(&motion[way]));
                cells
            };
            let mut moving: Vec<Cells> =
                objects.iter().map(|&object| together(&self.moving[object])).collect();
            if !is_named {
                moving.push(together(&self.adrift[layer]));
            }
            cells.keep(&self.union(moving.iter()));
        }
        cells
    }

    fn union<'a>(&self, sets: impl Iterator<Item = &'a Cells>) -> Cells {
        let mut union = self.grid.none();
        for set in sets {
            union.add(set);
        }
        union
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

    fn apply(&mut self, rule: &Rule, sites: Option<&Vec<Vec<Cells>>>) -> bool {
        let mut news = false;
        for (row, sites) in rule.rows.iter().zip(sites.into_iter().flatten()) {
            let cells = row.iter().filter_map(|pattern| match pattern {
                Pattern::Cell(cell) => Some(cell),
                Pattern::Ellipsis => None,
            });
            for (cell, site) in cells.zip(sites) {
                if let Some(change) = &cell.replacement {
                    news |= self.replace(cell, change, site);
                }
            }
        }
        news
    }

    /// Adds what a replacement does in some cells.
    fn replace(&mut self, pattern: &CellPattern, change: &Replacement, site: &Cells) -> bool {
        let mut news = false;
        for object in change.set.bits() {
            news |= self.at[object].add(site);
        }
        let mut touched = vec![false; self.members.len()];
        for object in change.clear.bits() {
            if !change.set.bits().any(|set| set == object) {
                news |= self.missing[object].add(site);
            }
            touched[self.layer[object]] = true;
        }
        change.set.bits().for_each(|object| touched[self.layer[object]] = true);
        let layers = self.members.len();
        let of = |mask: &Mask| -> Vec<u64> {
            let mut of = vec![0; layers];
            mask.movements(layers).for_each(|(layer, movement)| of[layer] = movement);
            of
        };
        let (stop, start, decided) = (of(&change.stop), of(&change.start), of(&change.decided));
        for layer in 0..layers {
            let stopped = stop[layer] | decided[layer];
            if !touched[layer] && start[layer] == 0 {
                continue;
            }
            self.work += 4 * MOVEMENTS * site.words().len();
            // Who is in the layer afterwards.
            let here = |object: &usize| self.layer[*object] == layer;
            let put: Vec<usize> = change.set.bits().filter(here).collect();
            let cleared: Vec<usize> = change.clear.bits().filter(here).collect();
            let (who, is_named) = if put.is_empty() {
                let (mut objects, is_named) = self.named(pattern, layer);
                objects.retain(|object| !cleared.contains(object));
                let is_certain = is_named && !objects.is_empty() && cleared.is_empty();
                (objects, is_certain)
            } else {
                (put.clone(), true)
            };
            for way in 0..MOVEMENTS {
                if start[layer] >> way & 1 == 1 {
                    for &object in &who {
                        let here = site.and(&self.at[object]);
                        news |= self.moving[object][way].add(&here);
                    }
                    if !is_named {
                        news |= self.adrift[layer][way].add(site);
                    }
                } else if stopped >> way & 1 == 0 && touched[layer] {
                    // The movement stays, whichever object had it.
                    let had = self.members[layer].iter().map(|&object| &self.moving[object][way]);
                    let had = self.union(had.chain([&self.adrift[layer][way]])).and(site);
                    for &object in &put {
                        news |= self.moving[object][way].add(&had);
                    }
                    if put.is_empty() {
                        news |= self.adrift[layer][way].add(&had);
                    }
                }
            }
        }
        news
    }

    /// Adds where moving objects come.
    fn let_move(&mut self) -> bool {
        let mut news = false;
        for layer in 0..self.members.len() {
            let free = self.free(layer);
            for &object in &self.members[layer] {
                self.work += 16 * free.words().len();
                for way in 0..MOVEMENTS {
                    let here = self.adrift[layer][way].and(&self.at[object]);
                    news |= self.moving[object][way].add(&here);
                }
                for (way, &direction) in DIRECTIONS.iter().enumerate() {
                    let mut goes = self.grid.before(&free, direction);
                    goes.keep(&self.moving[object][way]);
                    news |= self.missing[object].add(&goes);
                    news |= self.at[object].add(&self.grid.after(&goes, direction));
                }
            }
        }
        news
    }
}
