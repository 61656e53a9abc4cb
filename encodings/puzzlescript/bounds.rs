//! The bound of a level, named `relaxed distance`: how many inputs a state needs at least.
//!
//! A level is won after a turn in which all conditions hold, or in which a rule says so. Either asks
//! for things, each of which takes its turns (see [`Graph`]), and the dearest of them is the bound.
//! Turns are only added up over objects of which no turn moves two ([`counting::move_alone`]). What
//! is asked for:
//!
//! * of *each* object of a kind, that it comes where it may be, or leaves the level: `all X on Y`,
//!   `no X`, `no X on Y`;
//! * of *any* object of a kind, that it comes somewhere: `some X on Y`, `all X on Y` for each X that
//!   never moves, and the patterns of rules with WIN;
//! * where X never moves and rules never make a Y, that there are as many Y as X; with exactly as many,
//!   each must come to an X.
//!
//! Where changes are counted, the same is asked of objects that are no players, and of no others. In
//! the turns in which such an object does not end elsewhere it might as well not be looked at, and
//! each of the others is a change; so it needs as many changes as turns, but for the last one, in which
//! it may be where it has to be from the beginning, or for a part of the turn. Where that is
//! distinguished, in the moves that are added up, the last one counts, too.

use crate::puzzlescript::analysis::cells::Cells;
use crate::puzzlescript::analysis::counting;
use crate::puzzlescript::analysis::facts::Facts;
use crate::puzzlescript::analysis::numbering::Numbering;
use crate::puzzlescript::analysis::travel::{Distances, Graph, NEVER, Phase, Turns};
use crate::puzzlescript::machine::packing::Packing;
use unstuck_puzzles::puzzlescript::{
    Command, Game, Kind, Mask, Pattern, Quantifier, Rule, WinCondition,
};

/// Tables of a level are not made beyond so many steps; what is left out is not asked for.
const MAX_WORK: usize = 20_000_000;

/// Where rules can win in more ways than this, they are not distinguished: the bound is one turn.
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
    /// Moves for those in fields, if they move alone, and of all others together.
    moves: Option<(Turns, Table)>,
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
    /// Moves of objects that move alone and must all come somewhere, and of others together.
    moves: Vec<(Turns, Table)>,
}

/// The bound of a level.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    ways: Vec<Way>,
    /// Whether one of them asks for no more than a turn.
    is_trivial: bool,
    /// What the last turn costs at least: nothing where changes are counted.
    last: Turns,
}

impl Bounds {
    pub(super) fn new(
        game: &Game,
        facts: &Facts,
        numbering: &Numbering,
        packing: &Packing,
        counts_changes: bool,
    ) -> Self {
        let mut maker = Maker { game, facts, numbering, packing, counts_changes, work: 0 };
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
        let last = Turns::from(!counts_changes);
        let is_trivial = ways.iter().any(Way::is_trivial);
        Self { ways, is_trivial, last }
    }

    /// The least number of inputs (or changes) from a packed state; nothing if it is dead.
    pub(super) fn of(&self, packing: &Packing, words: &[u64]) -> Option<u32> {
        if Packing::is_won(words) {
            return Some(0);
        }
        if self.is_trivial {
            return Some(self.last.into());
        }
        let objects = packing.objects(words);
        let turns = self.ways.iter().map(|way| way.turns(&objects, self.last)).min();
        let turns = turns.unwrap_or(NEVER);
        (turns != NEVER).then_some(u32::from(turns))
    }
}

impl Way {
    /// Whether a turn is enough for all that it asks for.
    fn is_trivial(&self) -> bool {
        let each = self.each.iter().fold(self.others, |most, &turns| most.max(turns));
        each <= 1 && self.any.is_empty() && self.enough.is_empty() && self.moves.is_empty()
    }

    /// The turns that objects need, each by the number of its option, of which the last one costs so
    /// much.
    fn turns(&self, objects: &[usize], last: Turns) -> Turns {
        let paid =
            |turns: Turns| if turns == NEVER { NEVER } else { (turns + last).saturating_sub(1) };
        let each = objects.iter().map(|&it| self.each[it]).fold(self.others.max(1), Turns::max);
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
                std::cmp::Ordering::Equal => {
                    let moves = enough.moves.as_ref().map_or(0, |moves| sum(objects, moves));
                    paid(most).max(moves)
                }
                std::cmp::Ordering::Greater => 0,
            }
        });
        let moves = self.moves.iter().map(|moves| sum(objects, moves));
        any.map(paid).chain(enough).chain(moves).fold(paid(each), Turns::max)
    }
}

/// The moves of some objects and of others together; [`NEVER`] if there are too many.
fn sum(objects: &[usize], (others, table): &(Turns, Table)) -> Turns {
    objects.iter().map(|&it| table[it]).fold(*others, Turns::saturating_add)
}

struct Maker<'a> {
    game: &'a Game,
    facts: &'a Facts,
    numbering: &'a Numbering,
    packing: &'a Packing,
    /// Whether only changes count, and so nothing is asked of players.
    counts_changes: bool,
    work: usize,
}

impl Maker<'_> {
    /// How many options all fields have.
    fn options(&self) -> usize {
        self.packing.options()
    }

    fn table(&self, other: Turns) -> Table {
        vec![other; self.options()].into()
    }

    fn empty(&self) -> Way {
        Way {
            others: 0,
            each: self.table(0),
            any: Vec::new(),
            enough: Vec::new(),
            moves: Vec::new(),
        }
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

    /// Whether something is asked of these objects, and there is time and room for a table of it.
    fn affords(&mut self, graph: &Graph<'_>) -> bool {
        let (Kind::Any(players) | Kind::All(players)) = &self.game.player;
        let is_player = |object: &usize| players.bits().any(|player| player == *object);
        if self.counts_changes && graph.objects().iter().any(is_player) {
            return false;
        }
        self.work = self.work.saturating_add(2 * graph.size() + self.options());
        self.work <= MAX_WORK
    }

    /// Asks for what a win condition needs.
    fn condition(&mut self, way: &mut Way, condition: &WinCondition) {
        let (what, on) = (&condition.what, condition.on.as_ref());
        match (condition.quantifier, what, on) {
            (Quantifier::All, Kind::Any(what), Some(on)) => {
                let may_be = self.facts.present(on);
                self.each(way, what, &may_be);
                self.still(way, what, on);
            }
            (Quantifier::No, Kind::Any(what), on) => {
                // Where it may be in the end: where the other kind can be missing.
                let may_be = match on {
                    None => self.facts.grid.none(),
                    Some(on) => self.facts.absent(on),
                };
                self.each(way, what, &may_be);
            }
            (Quantifier::Some, what, on) => {
                let mut cells = self.facts.present(what);
                on.into_iter().for_each(|on| cells.keep(&self.facts.present(on)));
                let parts = [parts(what), on.map(parts).unwrap_or_default()].concat();
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
                for part in counting::wanted(cell) {
                    self.any(way, &part, &[site], phase);
                }
            }
        }
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
        way.moves.extend(self.moves(&graph, &distances, may_be));
    }

    /// The moves of objects to some cells, where each needs as many as it needs turns; nothing if a
    /// turn can move several of them.
    fn moves(
        &self,
        graph: &Graph<'_>,
        distances: &Distances,
        to: &Cells,
    ) -> Option<(Turns, Table)> {
        if !counting::move_alone(self.game, self.facts, graph.objects()) {
            return None;
        }
        let (mut others, mut table) = (0, self.table(0));
        let number = |object: usize| graph.objects().iter().position(|&it| it == object);
        self.tokens(|option, object, cell| {
            let Some(number) = number(object).filter(|_| !to.has(cell)) else { return };
            let turns = distances.of[number][cell];
            match option {
                Some(option) => table[option] = turns,
                None => others = Turns::saturating_add(others, turns),
            }
        });
        Some((others, table))
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
        let goals = self.packing.always(&self.facts.grid, self.numbering, what);
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
        if singles.is_empty() || counting::can_become_more(self.game, self.facts, &on) {
            return;
        }
        let Some(graph) = Graph::fate(self.game, self.facts, &on) else { return };
        if !self.affords(&graph) {
            return;
        }
        let distances = graph.turns(&goals, Phase::Late, false);
        let mut enough = Enough {
            needed: singles.len(),
            others: (0, 0),
            table: self.table(0),
            moves: self.moves(&graph, &distances, &goals),
        };
        self.distances(&graph, &distances, |place, turns| match place {
            Some(option) => enough.table[option] = turns,
            None => enough.others = (enough.others.0 + 1, turns.max(enough.others.1)),
        });
        way.enough.push(enough);
    }
}

/// Sets of objects, one of each of which is where a kind is.
fn parts(kind: &Kind) -> Vec<Vec<usize>> {
    match kind {
        Kind::Any(mask) => vec![mask.bits().collect()],
        Kind::All(mask) => mask.bits().map(|object| vec![object]).collect(),
    }
}
