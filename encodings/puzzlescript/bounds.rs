//! The bound of a level, named `relaxed distance`: how many inputs a state needs at least.
//!
//! A level is won after a turn in which all conditions hold, or in which a rule says so. Either asks
//! for things, each of which takes its turns (see [`Graph`]), and the dearest of them is the bound;
//! nothing is added up. What is asked for:
//!
//! * of *each* object of a kind, that it comes where it may be, or leaves the level: `all X on Y`,
//!   `no X`, `no X on Y`;
//! * of *any* object of a kind, that it comes somewhere: `some X on Y`, `all X on Y` for each X that
//!   never moves, and the patterns of rules with WIN;
//! * where X never moves and rules never make a Y, that there are as many Y as X; with exactly as many,
//!   each must come to an X.

use super::cells::Cells;
use super::facts::Facts;
use super::numbering::Numbering;
use super::packing::Packing;
use super::travel::{Distances, Graph, NEVER, Phase, Turns};
use unstuck_puzzles::puzzlescript::{
    CellPattern, Command, Game, Kind, Mask, Pattern, Quantifier, Rule, WinCondition,
};

/// Tables of a level are not made beyond so many steps; what is left out is not asked for.
const MAX_WORK: usize = 20_000_000;

/// More ways to be won by a rule are not told apart: then the bound is one turn.
const MAX_WAYS: usize = 64;

/// Turns for each option of each field of a packed state, all in a row.
type Table = Box<[Turns]>;

/// Something of which any object of a kind will do.
#[derive(Clone, Debug)]
struct AnyOf {
    /// The least that an object outside of all fields needs, or nothing at all.
    others: Turns,
    table: Table,
}

/// Objects of which there must be enough.
#[derive(Clone, Debug)]
struct Enough {
    needed: usize,
    /// How many are in no field, and the most that one of them needs.
    others: (usize, Turns),
    /// Turns for those in fields; 0 for other objects.
    table: Table,
}

/// One way to be won.
#[derive(Clone, Debug)]
struct Way {
    /// The most that an object outside of all fields needs.
    others: Turns,
    /// The most that an object in a field needs; 0 if nothing is asked.
    each: Table,
    any: Vec<AnyOf>,
    enough: Vec<Enough>,
}

/// The bound of a level.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    ways: Vec<Way>,
}

impl Bounds {
    pub(super) fn new(
        game: &Game,
        facts: &Facts,
        numbering: &Numbering,
        packing: &Packing,
    ) -> Self {
        let mut maker = Maker { game, facts, numbering, packing, work: 0 };
        let mut ways = Vec::new();
        if !game.conditions.is_empty() {
            let mut way = maker.empty();
            game.conditions.iter().for_each(|condition| maker.condition(&mut way, condition));
            ways.push(way);
        }
        let wins = facts.possible(game).filter(|it| it.1.commands.contains(&Command::Win));
        for (number, (late, rule, sites)) in wins.enumerate() {
            let mut way = maker.empty();
            if number == MAX_WAYS {
                // It asks for nothing, so no more are needed.
                ways.push(way);
                break;
            }
            maker.rule(&mut way, rule, sites, if late { Phase::Late } else { Phase::Early });
            ways.push(way);
        }
        Self { ways }
    }

    /// The least number of inputs from a packed state; nothing if it is dead.
    pub(super) fn of(&self, packing: &Packing, words: &[u64]) -> Option<u32> {
        if Packing::is_won(words) {
            return Some(0);
        }
        let objects: Vec<usize> = packing
            .fields
            .iter()
            .map(|field| (field, field.value(words)))
            .filter(|&(field, value)| field.options[value].is_some())
            .map(|(field, value)| field.first + value)
            .collect();
        let turns = self.ways.iter().map(|way| way.turns(&objects)).min().unwrap_or(NEVER);
        (turns != NEVER).then_some(u32::from(turns))
    }
}

impl Way {
    /// The turns that objects need, each by the number of its option.
    fn turns(&self, objects: &[usize]) -> Turns {
        let each = objects.iter().map(|&it| self.each[it]).fold(self.others, Turns::max);
        let any = self
            .any
            .iter()
            .map(|any| objects.iter().map(|&it| any.table[it]).fold(any.others, Turns::min));
        let enough = self.enough.iter().map(|enough| {
            let turns = objects.iter().map(|&it| enough.table[it]);
            let counted = turns.filter(|&turns| turns > 0);
            let (count, most) =
                counted.fold(enough.others, |(count, most), turns| (count + 1, most.max(turns)));
            match count.cmp(&enough.needed) {
                std::cmp::Ordering::Less => NEVER,
                std::cmp::Ordering::Equal => most,
                std::cmp::Ordering::Greater => 0,
            }
        });
        any.chain(enough).fold(each.max(1), Turns::max)
    }
}

struct Maker<'a> {
    game: &'a Game,
    facts: &'a Facts,
    numbering: &'a Numbering,
    packing: &'a Packing,
    work: usize,
}

impl Maker<'_> {
    /// How many options all fields have.
    fn options(&self) -> usize {
        self.packing.fields.last().map_or(0, |field| field.first + field.options.len())
    }

    fn table(&self, other: Turns) -> Table {
        vec![other; self.options()].into()
    }

    fn empty(&self) -> Way {
        Way { others: 0, each: self.table(0), any: Vec::new(), enough: Vec::new() }
    }

    /// Calls a function with each object that states can have in a field, and each that they have
    /// anyway: the number of its option, if any, its bit in the game, and the cell.
    fn tokens(&self, mut see: impl FnMut(Option<usize>, usize, usize)) {
        let bit = |object: usize| self.numbering.objects[object];
        for field in &self.packing.fields {
            for (value, object) in field.options.iter().enumerate() {
                if let Some(object) = *object {
                    see(Some(field.first + value), bit(object), field.cell);
                }
            }
        }
        for &(cell, object) in &self.packing.fixed {
            see(None, bit(object), cell);
        }
    }

    /// Calls a function with each of those that are of a set, and the turns of each.
    fn distances(
        &self,
        graph: &Graph<'_>,
        distances: &Distances,
        mut see: impl FnMut(Option<usize>, Turns),
    ) {
        let number = |object: usize| graph.objects().iter().position(|&it| it == object);
        self.tokens(|place, object, cell| {
            if let Some(number) = number(object) {
                see(place, distances.of[number][cell]);
            }
        });
    }

    /// Whether there is time and room for a table of a graph.
    fn affords(&mut self, graph: &Graph<'_>) -> bool {
        self.work = self.work.saturating_add(2 * graph.size() + self.options());
        self.work <= MAX_WORK
    }

    /// Asks for what a win condition needs.
    fn condition(&mut self, way: &mut Way, condition: &WinCondition) {
        let (what, on) = (&condition.what, condition.on.as_ref());
        match (condition.quantifier, what, on) {
            (Quantifier::All, Kind::Any(what), Some(on)) => {
                let may_be = self.together(&parts(on));
                self.each(way, what, &may_be);
                self.still(way, what, on);
            }
            (Quantifier::No, Kind::Any(what), on) => {
                // Where it may be in the end: where the other kind can be missing.
                let missing = |object: usize| &self.facts.missing[object];
                let may_be = match on {
                    None => self.facts.grid.none(),
                    Some(Kind::Any(mask)) => {
                        let mut all = self.facts.grid.all();
                        mask.bits().for_each(|object| all.keep(missing(object)));
                        all
                    }
                    Some(Kind::All(mask)) => {
                        let mut any = self.facts.grid.none();
                        mask.bits().for_each(|object| {
                            any.add(missing(object));
                        });
                        any
                    }
                };
                self.each(way, what, &may_be);
            }
            (Quantifier::Some, what, on) => {
                let parts = [parts(what), on.map(parts).unwrap_or_default()].concat();
                let cells = self.together(&parts);
                parts.iter().for_each(|part| self.any(way, part, &[&cells], Phase::Late));
            }
            // Of what several objects are together, or stand on anything, nothing is asked.
            _ => {}
        }
    }

    /// Asks for what a rule needs that wins.
    fn rule(&mut self, way: &mut Way, rule: &Rule, sites: &[Vec<Cells>], phase: Phase) {
        for (row, sites) in rule.rows.iter().zip(sites) {
            let cells = row.iter().filter_map(|pattern| match pattern {
                Pattern::Cell(cell) => Some(cell),
                Pattern::Ellipsis => None,
            });
            for (cell, site) in cells.zip(sites) {
                for part in wanted(cell) {
                    self.any(way, &part, &[site], phase);
                }
            }
        }
    }

    /// The cells in which there can be an object of each of these sets.
    fn together(&self, parts: &[Vec<usize>]) -> Cells {
        let mut cells = self.facts.grid.all();
        for part in parts {
            let mut any = self.facts.grid.none();
            part.iter().for_each(|&object| {
                any.add(&self.facts.at[object]);
            });
            cells.keep(&any);
        }
        cells
    }

    /// Asks that each object of a set comes to some cells, or leaves the level.
    fn each(&mut self, way: &mut Way, what: &Mask, may_be: &Cells) {
        let what: Vec<usize> = what.bits().collect();
        let Some(graph) = Graph::fate(self.game, self.facts, &what) else { return };
        if !self.affords(&graph) {
            return;
        }
        let distances = graph.turns(may_be, Phase::Late, true);
        self.distances(&graph, &distances, |place, turns| match place {
            Some(option) => way.each[option] = turns.max(way.each[option]),
            None => way.others = turns.max(way.others),
        });
    }

    /// Asks that an object of a set comes to some cells, for each of several sets of cells.
    fn any(&mut self, way: &mut Way, part: &[usize], goals: &[&Cells], phase: Phase) {
        let Some(graph) = Graph::origin(self.game, self.facts, part) else { return };
        for cells in goals {
            if !self.affords(&graph) {
                return;
            }
            let distances = graph.turns(cells, phase, false);
            let mut any = AnyOf { others: distances.outside, table: self.table(NEVER) };
            self.distances(&graph, &distances, |place, turns| match place {
                Some(option) => any.table[option] = turns,
                None => any.others = turns.min(any.others),
            });
            if any.others > 1 {
                way.any.push(any);
            }
        }
    }

    /// Asks for what `all X on Y` needs for each X that is where it is in every state.
    fn still(&mut self, way: &mut Way, what: &Mask, on: &Kind) {
        let mut goals = self.facts.grid.none();
        self.tokens(|place, object, cell| {
            if place.is_none() && what.bits().any(|bit| bit == object) {
                goals.insert(cell);
            }
        });
        let singles: Vec<Cells> = goals
            .iter()
            .map(|cell| {
                let mut single = self.facts.grid.none();
                single.insert(cell);
                single
            })
            .collect();
        let singles: Vec<&Cells> = singles.iter().collect();
        for part in parts(on) {
            self.any(way, &part, &singles, Phase::Late);
        }
        let Kind::Any(on) = on else { return };
        let on: Vec<usize> = on.bits().collect();
        if singles.is_empty() || self.can_become_more(&on) {
            return;
        }
        let Some(graph) = Graph::fate(self.game, self.facts, &on) else { return };
        if !self.affords(&graph) {
            return;
        }
        let distances = graph.turns(&goals, Phase::Late, false);
        let mut enough = Enough { needed: singles.len(), others: (0, 0), table: self.table(0) };
        self.distances(&graph, &distances, |place, turns| match place {
            Some(option) => enough.table[option] = turns,
            None => enough.others = (enough.others.0 + 1, turns.max(enough.others.1)),
        });
        way.enough.push(enough);
    }

    /// Whether a rule may leave more objects of a set than it has found.
    ///
    /// What moves stays as many. A rule that changes the set in one row only finds that row as its
    /// patterns say, in as many cells as these are, so the changes of the cells can be added up.
    fn can_become_more(&self, set: &[usize]) -> bool {
        self.facts.possible(self.game).any(|(_, rule, _)| {
            let mut rows = rule.rows.iter().filter_map(|row| {
                let cells = row.iter().filter_map(|pattern| match pattern {
                    Pattern::Cell(cell) => self.difference(cell, set),
                    Pattern::Ellipsis => None,
                });
                cells.reduce(|sum, more| sum + more)
            });
            let first = rows.next().unwrap_or(0);
            first > 0 || rows.next().is_some()
        })
    }

    /// By how much a pattern's replacement adds to a set in a cell, at most; nothing if it has
    /// nothing to do with the set.
    fn difference(&self, cell: &CellPattern, set: &[usize]) -> Option<i32> {
        let change = cell.replacement.as_ref()?;
        let among =
            |mask: &Mask| -> Vec<usize> { mask.bits().filter(|bit| set.contains(bit)).collect() };
        let (put, cleared) = (among(&change.set), among(&change.clear));
        let mut layers: Vec<usize> =
            put.iter().chain(&cleared).map(|&object| self.facts.layer[object]).collect();
        layers.sort_unstable();
        layers.dedup();
        let difference = |layer: usize| {
            let here = |object: &usize| self.facts.layer[*object] == layer;
            let found = wanted(cell)
                .into_iter()
                .find(|part| part.iter().all(|object| here(object) && set.contains(object)));
            let goes = |found: &Vec<usize>| found.iter().all(|object| cleared.contains(object));
            match (put.iter().any(here), found) {
                (true, found) => i32::from(found.is_none()),
                (false, found) => -i32::from(found.is_some_and(|found| goes(&found))),
            }
        };
        layers.into_iter().map(difference).reduce(|sum, more| sum + more)
    }
}

/// Sets of objects, one of each of which is where a kind is.
fn parts(kind: &Kind) -> Vec<Vec<usize>> {
    match kind {
        Kind::Any(mask) => vec![mask.bits().collect()],
        Kind::All(mask) => mask.bits().map(|object| vec![object]).collect(),
    }
}

/// Sets of objects, one of each of which a pattern wants.
fn wanted(cell: &CellPattern) -> Vec<Vec<usize>> {
    let present = cell.present.bits().map(|object| vec![object]);
    present.chain(cell.any.iter().map(|any| any.bits().collect())).collect()
}
