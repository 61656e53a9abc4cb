//! Positions that are dead because nothing can come about any more that the level asks for.
//!
//! What is possible from a position is found as for the start of a level ([`Facts`]). Where objects
//! begin in known cells that is less than what is possible on the level at all: a crate between
//! others that nothing can set in motion is missing in its cell in no turn that follows. If the level
//! cannot be won by what is possible, the position is dead. The less is known of a position, the more
//! is possible. So what remains when all is left out that is not needed for the verdict is a
//! *pattern*, and every position with it is dead, too.
//!
//! To look at a position takes as long as hundreds of turns, so search looks at few, and leaves out
//! all with the patterns of these. A position that search has left out is dead by itself; who judges
//! a certificate looks at each that is missing ([`DeadPositions::is_dead`]) and needs no patterns.

use crate::puzzlescript::analysis::cells::Cells;
use crate::puzzlescript::analysis::counting;
use crate::puzzlescript::analysis::facts::Facts;
use crate::puzzlescript::analysis::numbering::Numbering;
use crate::puzzlescript::analysis::travel::{Graph, NEVER, Phase};
use crate::puzzlescript::machine::packing::Packing;
use std::sync::Arc;
use unstuck_puzzles::puzzlescript::{Game, Kind, Quantifier, WinCondition};

/// A look costs the words of sets that it goes through. So many of them each position earns,
const EARNED: u64 = 10;

/// and one more for so many rules that were gone through to find it: together about a fifth of the
/// time that this takes.
const RULES_A_WORD: u64 = 2;

/// One with a pattern earns as much as so many others: its successors are spared, too.
const SPARED: u64 = 8;

/// A look that finds nothing makes the next one twice as dear, up to so many times.
const MAX_PRICE: u64 = 64;

/// No more patterns are kept: each position is compared with all.
const MAX_PATTERNS: usize = 256;

/// Shorter rows are not left out of a pattern after so many tries.
const MAX_TRIES: usize = 100;

/// Options of all fields, a bit each.
type Options = Box<[u64]>;

/// Looks at positions, and remembers why they are dead.
#[derive(Clone, Debug)]
pub(super) struct DeadPositions {
    prospects: Arc<Prospects>,
    /// Patterns: whatever position has none of the options is dead.
    patterns: Vec<Options>,
    earned: u64,
    /// What the next look costs, in words of sets, and how many times as much it must have earned.
    cost: u64,
    price: u64,
}

impl DeadPositions {
    pub(super) fn new(
        game: &Game,
        facts: &Facts,
        numbering: &Numbering,
        packing: &Arc<Packing>,
    ) -> Self {
        let prospects = Arc::new(Prospects::new(game, facts, numbering, packing));
        Self { prospects, patterns: Vec::new(), earned: 0, cost: 0, price: 1 }
    }

    /// Whether a packed position is seen to be dead: by a pattern, or by a look if it is time for one. So
    /// many rules were gone through to find it.
    pub(super) fn sees(&mut self, words: &[u64], rules: u64) -> bool {
        let earned = EARNED + rules / RULES_A_WORD;
        if self.has_pattern(words) {
            self.earned += SPARED * earned;
            return true;
        }
        self.earned += earned;
        if self.earned < self.cost * self.price {
            return false;
        }
        let is_dead = self.look(words);
        self.price =
            if is_dead { (self.price / 2).max(1) } else { (2 * self.price).min(MAX_PRICE) };
        is_dead
    }

    /// Whether a packed position is dead by what is possible from it.
    pub(super) fn is_dead(&mut self, words: &[u64]) -> bool {
        self.has_pattern(words) || self.look(words)
    }

    /// Whether a packed position has a pattern, which comes nearer to the first ones then.
    fn has_pattern(&mut self, words: &[u64]) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let options = self.prospects.options(self.prospects.packing.chosen(words));
        let misses = |pattern: &Options| pattern.iter().zip(&options).all(|(a, b)| a & b == 0);
        let found = self.patterns.iter().position(misses);
        if let Some(at) = found {
            self.patterns.swap(at, at / 2);
        }
        found.is_some()
    }

    /// Looks at a position, and learns a pattern if it is dead.
    fn look(&mut self, words: &[u64]) -> bool {
        let prospects = self.prospects.clone();
        let mut facts = prospects.begin(words);
        let is_dead = prospects.are_none(&mut facts);
        if is_dead {
            // The last one has not been met for long.
            self.patterns.truncate(MAX_PATTERNS - 1);
            self.patterns.push(prospects.pattern(words, &mut facts));
        }
        self.cost = facts.work() as u64;
        self.earned = self.earned.saturating_sub(self.cost);
        is_dead
    }
}

/// What a level asks for, and what is possible on it.
#[derive(Debug)]
struct Prospects {
    conditions: Vec<WinCondition>,
    /// The level by the rules that can match on it, with what is where in every position, or may be
    /// where it does not matter.
    resting: Facts,
    packing: Arc<Packing>,
    /// The bit in the game of each object of the fields.
    objects: Vec<usize>,
    /// The field and the value of each option, those of the same object in a row.
    order: Vec<(usize, usize)>,
    enough: Vec<Enough>,
    /// For each condition by `all` or `no`, whether there is one of what it speaks of for ever.
    stays: Vec<bool>,
}

/// Cells that objects must come to of which there never are more than at the start: each of them
/// needs one.
#[derive(Debug)]
struct Enough {
    goals: Cells,
    needed: usize,
    /// The objects, by their bits in the game.
    objects: Vec<usize>,
    most: usize,
}

impl Prospects {
    fn new(game: &Game, facts: &Facts, numbering: &Numbering, packing: &Arc<Packing>) -> Self {
        let (mut at, mut missing) = (facts.at.clone(), facts.missing.clone());
        // Of objects that are in positions the fields say more, where there are any.
        for &bit in &numbering.objects {
            at[bit] = facts.grid.none();
            missing[bit] = facts.grid.all();
        }
        let mut resting = facts.by_possible(game).placed(at, missing);
        for &(cell, object) in &packing.fixed {
            resting.put(numbering.objects[object], cell);
        }
        let values = |field: usize| 0..packing.fields[field].options.len();
        let fields = 0..packing.fields.len();
        let mut order: Vec<(usize, usize)> =
            fields.flat_map(|field| values(field).map(move |value| (field, value))).collect();
        order.sort_by_key(|&(field, value)| packing.fields[field].options[value]);
        let mut prospects = Self {
            packing: packing.clone(),
            order,
            resting,
            conditions: game.conditions.clone(),
            objects: numbering.objects.clone(),
            enough: Vec::new(),
            stays: Vec::new(),
        };
        for condition in &game.conditions {
            prospects.stays.push(match (condition.quantifier, &condition.what) {
                (Quantifier::All | Quantifier::No, Kind::Any(what)) => {
                    stays(game, facts, &what.bits().collect::<Vec<_>>())
                }
                _ => false,
            });
            let (Quantifier::All, Kind::Any(what), Some(Kind::Any(on))) =
                (condition.quantifier, &condition.what, &condition.on)
            else {
                continue;
            };
            let objects: Vec<usize> = on.bits().collect();
            let goals = packing.always(&facts.grid, numbering, what);
            let needed = goals.iter().count();
            if needed > 0 && !counting::can_become_more(game, facts, &objects) {
                let most = facts.at_start(&objects);
                prospects.enough.push(Enough { goals, needed, objects, most });
            }
        }
        prospects
    }

    /// Some options, by their numbers among those of all fields.
    fn options(&self, numbers: impl Iterator<Item = usize>) -> Options {
        let mut options = vec![0; self.order.len().div_ceil(64)];
        numbers.for_each(|option| options[option / 64] |= 1 << (option % 64));
        options.into()
    }

    /// Where everything is in a position, and nothing yet of what follows.
    fn begin(&self, words: &[u64]) -> Facts {
        let mut facts = self.resting.clone();
        for field in &self.packing.fields {
            if let Some(object) = field.options[field.value(words)] {
                facts.put(self.objects[object], field.cell);
            }
        }
        facts
    }

    /// The pattern of a position that is dead, by what follows from it: what must not be there, as it
    /// could be won otherwise. What is possible anyway may be there: nothing more follows. The rest is
    /// tried in rows of options, shorter and shorter ones.
    fn pattern(&self, words: &[u64], facts: &mut Facts) -> Options {
        let mut rest: Vec<(usize, usize)> = self.order.clone();
        rest.retain(|&(field, value)| self.packing.fields[field].value(words) != value);
        let (mut size, mut tries) = (rest.len(), 0);
        while size > 0 && tries < MAX_TRIES {
            rest.retain(|&option| !self.is_open(facts, option));
            let mut kept = Vec::new();
            for row in rest.chunks(size) {
                tries += 1;
                let mut more = facts.clone();
                row.iter().for_each(|&option| self.open(&mut more, option));
                if self.are_none(&mut more) {
                    *facts = more;
                } else {
                    facts.spend(&more);
                    kept.extend_from_slice(row);
                }
            }
            rest = kept;
            size /= 2;
        }
        self.options(rest.iter().map(|&(field, value)| self.packing.fields[field].first + value))
    }

    /// The objects of a field and whether each is the one of a value: that can be `at` the cell then,
    /// the others can be missing.
    fn objects_of(&self, (field, value): (usize, usize)) -> impl Iterator<Item = (usize, bool)> {
        let options = self.packing.fields[field].options.iter().enumerate();
        options.filter_map(move |(at, object)| Some((self.objects[(*object)?], at == value)))
    }

    /// Whether all that is possible if a field has a value is possible anyway.
    fn is_open(&self, facts: &Facts, option: (usize, usize)) -> bool {
        let cell = self.packing.fields[option.0].cell;
        self.objects_of(option).all(|(bit, is_there)| facts.can_be(bit, cell, is_there))
    }

    /// Adds that a field can have a value.
    fn open(&self, facts: &mut Facts, option: (usize, usize)) {
        let cell = self.packing.fields[option.0].cell;
        self.objects_of(option).for_each(|(bit, is_there)| facts.let_be(bit, cell, is_there));
    }

    /// Whether the level cannot be won by anything that follows from some facts, which is added.
    fn are_none(&self, facts: &mut Facts) -> bool {
        facts.close_until(|facts| self.can_be_won(facts)) == Some(false)
    }

    /// Whether the level can be won by what is possible.
    fn can_be_won(&self, facts: &Facts) -> bool {
        if facts.can_win_by_rule() {
            return true;
        }
        let conditions = self.conditions.iter().zip(&self.stays);
        let mut can_hold = conditions.map(|(condition, stays)| {
            let what = &condition.what;
            // Where it may be in the end.
            let may_be = match (condition.quantifier, &condition.on) {
                (Quantifier::No, Some(on)) => facts.absent(on),
                (Quantifier::No, None) => facts.grid.none(),
                (_, Some(on)) => facts.present(on),
                (_, None) => facts.grid.all(),
            };
            let is_there = !facts.present(what).and(&may_be).is_empty();
            match condition.quantifier {
                Quantifier::Some => is_there,
                Quantifier::All | Quantifier::No => {
                    let mut fine = facts.absent(what);
                    fine.add(&may_be);
                    (is_there || !stays) && fine == facts.grid.all()
                }
            }
        });
        !self.conditions.is_empty()
            && can_hold.all(|it| it)
            && self.enough.iter().all(|it| it.can_be_met(facts))
    }
}

/// Whether one of these objects is on the level for ever.
fn stays(game: &Game, facts: &Facts, objects: &[usize]) -> bool {
    if facts.at_start(objects) == 0 {
        return false;
    }
    let Some(graph) = Graph::fate(game, facts, objects) else { return false };
    let leaves = graph.turns(&facts.grid.none(), Phase::Late, true);
    let mut objects = objects.iter().zip(&leaves.of);
    objects.all(|(&object, turns)| facts.at[object].iter().all(|cell| turns[cell] == NEVER))
}

impl Enough {
    /// Whether there are enough of them beside those that stay for ever where they are not needed.
    fn can_be_met(&self, facts: &Facts) -> bool {
        let stay = self.objects.iter().map(|&object| {
            let here = facts.at[object].iter();
            here.filter(|&cell| !self.goals.has(cell) && !facts.missing[object].has(cell)).count()
        });
        self.most >= self.needed + stay.sum::<usize>()
    }
}
