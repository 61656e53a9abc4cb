//! What a rule looks at in a cell and what it leaves there, as sets of bits: a bit for each object, and
//! five for the movements of each layer.

use crate::puzzlescript::analysis::facts::{Facts, MOVEMENTS};
use crate::puzzlescript::analysis::relevance;
use unstuck_puzzles::puzzlescript::{CellPattern, Mask, Rule};

/// No bits of a cell.
fn no_bits(facts: &Facts) -> Mask {
    let bits = facts.at.len() + MOVEMENTS * facts.members.len();
    Mask::empty(bits.div_ceil(64))
}

/// The bits of some objects.
pub(super) fn object_bits(facts: &Facts, objects: &[usize]) -> Mask {
    let mut bits = no_bits(facts);
    objects.iter().for_each(|&object| bits.insert(object));
    bits
}

/// The bits of objects and movements.
fn bits_of(facts: &Facts, objects: &Mask, movements: &[&Mask]) -> Mask {
    let mut bits = no_bits(facts);
    objects.bits().for_each(|object| bits.insert(object));
    for mask in movements {
        for (layer, movement) in mask.movements(facts.members.len()) {
            (0..MOVEMENTS)
                .filter(|way| movement >> way & 1 == 1)
                .for_each(|way| bits.insert(facts.at.len() + MOVEMENTS * layer + way));
        }
    }
    bits
}

/// What is known of a cell.
#[derive(Clone, Debug)]
struct Knowledge {
    /// What is there.
    yes: Mask,
    /// What is not there.
    no: Mask,
    /// Of each of these sets something is there.
    any: Vec<Mask>,
}

impl Knowledge {
    /// Whether both can be true of one cell.
    fn fits(&self, other: &Self) -> bool {
        let one_way = |one: &Self, other: &Self| {
            !one.yes.meets(other.no.words())
                && !one.any.iter().any(|any| any.is_within(other.no.words()))
        };
        one_way(self, other) && one_way(other, self)
    }

    /// The sets of which something is there.
    fn lone(&self, sets: &[Mask]) -> Vec<usize> {
        let is_there = |set: &Mask| {
            self.yes.meets(set.words()) || self.any.iter().any(|any| any.is_within(set.words()))
        };
        (0..sets.len()).filter(|&at| is_there(&sets[at])).collect()
    }
}

/// A pattern of a cell with its change.
#[derive(Clone, Debug)]
pub(super) struct CellEffect {
    /// Bits whose presence or absence decides whether the pattern fits.
    wants: Mask,
    refuses: Mask,
    /// What is known where it fits, and after the change.
    before: Knowledge,
    after: Knowledge,
    /// Bits that the change leaves set and clear.
    set: Mask,
    clear: Mask,
    /// Those of them that may have been otherwise before.
    put: Mask,
    taken: Mask,
}

impl CellEffect {
    fn new(facts: &Facts, cell: &CellPattern) -> Self {
        let wants = bits_of(facts, &cell.present, &[&cell.moving]);
        let refuses = bits_of(facts, &cell.absent, &[&cell.not_moving]);
        let any: Vec<Mask> = cell.any.iter().map(|any| bits_of(facts, any, &[])).collect();
        let mut no = refuses.clone();
        // Of each layer there is one object at most, and it has one movement at most.
        for (layer, members) in facts.members.iter().enumerate() {
            let (objects, is_named) = facts.named(cell, layer);
            let others = members.iter().filter(|member| is_named && !objects.contains(member));
            others.for_each(|&other| no.insert(other));
        }
        for (layer, movement) in cell.moving.movements(facts.members.len()) {
            (0..MOVEMENTS)
                .filter(|way| movement >> way & 1 == 0)
                .for_each(|way| no.insert(facts.at.len() + MOVEMENTS * layer + way));
        }
        let (mut set, mut clear) = (no_bits(facts), no_bits(facts));
        if let Some(change) = &cell.replacement {
            set = bits_of(facts, &change.set, &[&change.start]);
            let cleared = bits_of(facts, &change.clear, &[&change.stop, &change.decided]);
            clear = cleared.without(&set);
        }
        let (put, taken) = (set.without(&wants), clear.without(&no));
        let mut after = Knowledge { yes: wants.without(&clear), no: no.without(&set), any: vec![] };
        after.yes.add(&set);
        after.no.add(&clear);
        after.any.extend(any.iter().filter(|any| !any.meets(clear.words())).cloned());
        let before = Knowledge { yes: wants.clone(), no, any: any.clone() };
        let mut looked_for = wants.clone();
        any.iter().for_each(|any| looked_for.add(any));
        Self { wants: looked_for, refuses, before, after, set, clear, put, taken }
    }

    /// Forgets what is known after the change and before it, since another row may change the cell.
    fn doubt(&mut self, facts: &Facts) {
        let none = no_bits(facts);
        self.after = Knowledge { yes: none.clone(), no: none, any: Vec::new() };
        self.put = self.set.clone();
        self.taken = self.clear.clone();
    }

    /// Whether a change here may make a difference.
    pub(super) fn changes(&self) -> bool {
        !self.put.is_empty() || !self.taken.is_empty()
    }

    /// Whether there is a change, which may be to what is there already.
    fn writes(&self) -> bool {
        !self.set.is_empty() || !self.clear.is_empty()
    }

    /// Whether a change here may be what another pattern waits for, if both are about one cell.
    fn enables(&self, other: &Self) -> bool {
        self.put.meets(other.wants.words()) || self.taken.meets(other.refuses.words())
    }

    /// Whether a change here may end that another pattern fits.
    fn disables(&self, other: &Self) -> bool {
        self.put.meets(other.refuses.words()) || self.taken.meets(other.wants.words())
    }

    /// Whether a change here may undo that of another pattern.
    fn undoes(&self, other: &Self) -> bool {
        self.put.meets(other.clear.words()) || self.taken.meets(other.set.words())
    }

    /// Whether after a change here another pattern may have something to change in the same cell that
    /// it had not before. What ends by its own change (`is_spent`) has nothing to change again unless it
    /// is enabled.
    pub(super) fn wakes(&self, other: &Self, is_spent: bool) -> bool {
        (self.enables(other) || !is_spent && self.undoes(other)) && self.leaves(other)
    }

    /// Whether another pattern may fit in the same cell after the change.
    pub(super) fn leaves(&self, other: &Self) -> bool {
        self.after.fits(&other.before)
    }

    /// Whether the pattern does not fit after its own change.
    pub(super) fn is_spent(&self) -> bool {
        !self.leaves(self)
    }

    /// Of which of some sets of objects something is in the cell before the change, and after it.
    pub(super) fn lone(&self, sets: &[Mask]) -> [Vec<usize>; 2] {
        [self.before.lone(sets), self.after.lone(sets)]
    }

    /// Whether a change here may make a difference to another pattern in the same cell: whether it
    /// fits, or what becomes of its change.
    fn disturbs(&self, other: &Self) -> bool {
        (self.enables(other) || self.undoes(other)) && self.leaves(other)
            || (self.disables(other) || self.undoes(other)) && self.before.fits(&other.before)
    }
}

/// How a rule is applied wherever it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It changes nothing.
    Asks,
    /// One row changes something, and nothing about the others.
    Row(usize),
    /// Several rows change something, and nothing about each other or themselves, so that each is
    /// changed wherever it was found if all were.
    Apart,
    /// All combinations of places must be looked at one after the other.
    Product,
}

/// The effects of a rule, cell by cell of each row, and its form.
pub(super) fn effects(facts: &Facts, rule: &Rule) -> (Vec<Vec<CellEffect>>, Form) {
    let patterns = relevance::cells(rule);
    let mut cells = patterns.map(|cell| CellEffect::new(facts, cell));
    let is_cell = |pattern: &&unstuck_puzzles::puzzlescript::Pattern| {
        matches!(pattern, unstuck_puzzles::puzzlescript::Pattern::Cell(_))
    };
    let mut rows: Vec<Vec<CellEffect>> = Vec::new();
    for row in &rule.rows {
        rows.push(cells.by_ref().take(row.iter().filter(is_cell).count()).collect());
    }
    if !rule.replaces {
        return (rows, Form::Asks);
    }
    // Cells that another row may change too.
    let doubtful: Vec<(usize, usize)> = (0..rows.len())
        .flat_map(|row| (0..rows[row].len()).map(move |cell| (row, cell)))
        .filter(|&(row, cell)| {
            let others = (0..rows.len()).filter(|&other| other != row);
            let mut others = others.flat_map(|other| &rows[other]).filter(|it| it.writes());
            others.any(|other| rows[row][cell].before.fits(&other.before))
        })
        .collect();
    for &(row, cell) in &doubtful {
        rows[row][cell].doubt(facts);
    }
    let changing: Vec<usize> =
        (0..rows.len()).filter(|&at| rows[at].iter().any(CellEffect::changes)).collect();
    let is_apart = |from: usize, to: usize| {
        let mut pairs = rows[from].iter().flat_map(|it| rows[to].iter().map(move |to| (it, to)));
        pairs.all(|(from, to)| !from.disturbs(to))
    };
    let mut all = 0..rows.len();
    let form = match changing[..] {
        [] => Form::Asks,
        [row] if all.all(|other| other == row || is_apart(row, other)) => Form::Row(row),
        [_] => Form::Product,
        _ => {
            let mut pairs = changing.iter().flat_map(|&from| all.clone().map(move |to| (from, to)));
            let is_apart = pairs.all(|(from, to)| is_apart(from, to));
            if is_apart && doubtful.is_empty() { Form::Apart } else { Form::Product }
        }
    };
    (rows, form)
}
