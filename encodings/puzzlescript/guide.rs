//! What states look like from afar: how far they are from what the win conditions want, by what these
//! say alone, and what sets them apart.

use super::machine::packing::{Field, Packing};
use super::machine::play::Machine;
use super::machine::program::{Condition, Test};
use unstuck_puzzles::puzzlescript::{Kind, PuzzleScript, Quantifier, bits};

/// Far objects of a condition are paired with all others only while that is less work than this.
const MAX_PAIRS: u32 = 10_000;

/// What an option of a field is to the guide.
#[derive(Clone, Copy, Debug)]
struct Looked {
    /// The bitboard of its object, if a condition names that.
    board: Option<usize>,
    /// The number of its object, unless that is a player.
    piece: Option<usize>,
    /// Whether it is no player, and no player can be where it is.
    blocks: bool,
}

/// What states look like from afar.
#[derive(Clone, Debug)]
pub(super) struct Guide {
    /// The conditions, with bitboards of their own: few objects are named by them.
    conditions: Vec<Condition>,
    height: usize,
    /// The most that two cells can be apart.
    farthest: u32,
    /// Those bitboards with what never changes.
    fixed: Vec<Box<[u64]>>,
    /// Cells that no player can ever enter.
    blocked: Box<[bool]>,
    /// The options of all fields.
    options: Box<[Looked]>,
    /// How many objects there are.
    objects: usize,
}

impl Guide {
    pub(super) fn new<const N: usize>(
        puzzle: &PuzzleScript,
        machine: &Machine<N>,
        packing: &Packing,
    ) -> Self {
        let (program, map) = (machine.program(), puzzle.map());
        let (Kind::Any(player) | Kind::All(player)) = &puzzle.game().player;
        let mut conditions = program.conditions.clone();
        let mut named: Vec<usize> = Vec::new();
        for condition in &mut conditions {
            for test in std::iter::once(&mut condition.what).chain(&mut condition.on) {
                let (Test::Any(objects) | Test::All(objects)) = test;
                for object in objects {
                    let number = named.iter().position(|it| it == object).unwrap_or(named.len());
                    if number == named.len() {
                        named.push(*object);
                    }
                    *object = number;
                }
            }
        }
        let is_player = |object: usize| {
            let bit = program.numbering.objects[object];
            player.bits().any(|it| it == bit)
        };
        let layers = program.numbering.layers.iter();
        let walking: Vec<usize> = layers
            .filter(|layer| layer.iter().any(|&object| is_player(object)))
            .flatten()
            .copied()
            .filter(|&object| !is_player(object))
            .collect();
        let number = |object: usize| named.iter().position(|&it| it == object);
        let cells = map.width * map.height;
        let mut fixed = vec![vec![0; cells.div_ceil(64)].into_boxed_slice(); named.len()];
        let mut blocked = vec![false; cells].into_boxed_slice();
        for &(cell, object) in &packing.fixed {
            blocked[cell] |= walking.contains(&object);
            if let Some(board) = number(object) {
                fixed[board][cell / 64] |= 1 << (cell % 64);
            }
        }
        let looked = |object: &Option<usize>| Looked {
            board: object.and_then(number),
            piece: object.filter(|&object| !is_player(object)),
            blocks: object.is_some_and(|object| walking.contains(&object)),
        };
        Self {
            conditions,
            height: map.height,
            farthest: (map.width + map.height) as u32,
            fixed,
            blocked,
            options: packing.fields.iter().flat_map(|it| it.options.iter()).map(looked).collect(),
            objects: program.numbering.objects.len(),
        }
    }

    /// What stands in the fields of a state, with the cell of each.
    fn looked<'a>(
        &'a self,
        packing: &'a Packing,
        state: &'a [u64],
    ) -> impl Iterator<Item = (usize, Looked)> + 'a {
        let option = |field: &Field| self.options[field.first + field.value(state)];
        packing.fields.iter().map(move |field| (field.cell, option(field)))
    }

    /// How many objects of each kind there are, players left out, as a number that is the same for
    /// the same counts and mostly another one for others.
    pub(super) fn counts(&self, packing: &Packing, state: &[u64]) -> u16 {
        let mut counts = vec![0_u32; self.objects];
        for object in self.looked(packing, state).filter_map(|(_, looked)| looked.piece) {
            counts[object] += 1;
        }
        let mixed = |all: u32, count: u32| (all ^ count).wrapping_mul(0x9E37_79B1).rotate_left(7);
        (counts.into_iter().fold(0, mixed) >> 16) as u16
    }

    /// Into how many regions the board falls for players, if nothing else stops them than what takes
    /// their place.
    pub(super) fn regions(&self, packing: &Packing, state: &[u64]) -> u16 {
        let mut seen = self.blocked.clone();
        self.looked(packing, state).for_each(|(cell, looked)| seen[cell] |= looked.blocks);
        let (mut regions, mut open) = (0, Vec::new());
        for first in 0..seen.len() {
            regions = u16::saturating_add(regions, u16::from(!seen[first]));
            open.push(first);
            while let Some(cell) = open.pop() {
                if std::mem::replace(&mut seen[cell], true) {
                    continue;
                }
                let row = cell % self.height;
                open.extend((row > 0).then(|| cell - 1));
                open.extend((row + 1 < self.height).then_some(cell + 1));
                open.extend(cell.checked_sub(self.height));
                open.extend(Some(cell + self.height).filter(|&next| next < seen.len()));
            }
        }
        regions
    }

    /// Whether two states differ in nothing but where players are.
    pub(super) fn is_walk(&self, packing: &Packing, from: &[u64], to: &[u64]) -> bool {
        let piece = |field: &Field, state| self.options[field.first + field.value(state)].piece;
        packing.fields.iter().all(|field| piece(field, from) == piece(field, to))
    }

    /// How far the conditions are from holding: the objects that violate one, and conditions with
    /// `some` that do not hold, each as one and by how far it is, straight over the board, from where
    /// it would not.
    pub(super) fn distance(&self, packing: &Packing, state: &[u64]) -> u32 {
        let mut boards = self.fixed.clone();
        for (cell, looked) in self.looked(packing, state) {
            if let Some(board) = looked.board {
                boards[board][cell / 64] |= 1 << (cell % 64);
            }
        }
        let tested = |test: &Test| -> Vec<u64> {
            let word = |at: usize| match test {
                Test::Any(objects) => objects.iter().fold(0, |all, &it| all | boards[it][at]),
                Test::All(objects) => {
                    objects.iter().fold(u64::MAX, |all, &it| all & boards[it][at])
                }
            };
            (0..self.blocked.len().div_ceil(64)).map(word).collect()
        };
        let count = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum::<u32>();
        let both = |one: &[u64], other: &[u64]| -> Vec<u64> {
            one.iter().zip(other).map(|(one, other)| one & other).collect()
        };
        let without = |one: &[u64], other: &[u64]| -> Vec<u64> {
            one.iter().zip(other).map(|(one, other)| one & !other).collect()
        };
        let left = |condition: &Condition| {
            let what = tested(&condition.what);
            let on = condition.on.as_ref().map_or_else(|| what.clone(), tested);
            let pairs = both(&what, &on);
            match condition.quantifier {
                Quantifier::No => count(&pairs),
                Quantifier::Some if count(&pairs) > 0 => 0,
                Quantifier::Some => {
                    let far = bits(&what).map(|cell| self.nearest(cell, &on)).min();
                    1 + far.unwrap_or(self.farthest)
                }
                Quantifier::All => {
                    // What stands where it should needs its place itself.
                    let (left, free) = (without(&what, &on), without(&on, &what));
                    let (violated, places) = (count(&left), count(&free));
                    match violated.saturating_mul(places) > MAX_PAIRS {
                        true => violated.saturating_mul(1 + self.farthest),
                        false => bits(&left).map(|cell| 1 + self.nearest(cell, &free)).sum(),
                    }
                }
            }
        };
        self.conditions.iter().map(left).fold(0, u32::saturating_add)
    }

    /// How far it is from a cell to the nearest one of a set, straight over the board.
    fn nearest(&self, from: usize, to: &[u64]) -> u32 {
        let place = |cell: usize| (cell / self.height, cell % self.height);
        let (column, row) = place(from);
        let far = bits(to).map(place).map(|to| column.abs_diff(to.0) + row.abs_diff(to.1));
        far.min().map_or(self.farthest, |far| far as u32)
    }
}
