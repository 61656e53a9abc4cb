//! Packed states: a few bits for each layer of a cell in which anything can change.

use super::board::Board;
use crate::puzzlescript::analysis::cells::{Cells, Grid};
use crate::puzzlescript::analysis::facts::Facts;
use crate::puzzlescript::analysis::numbering::{Numbering, Words};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;
use unstuck_puzzles::puzzlescript::Mask;

/// Words that hold a state.
pub trait Store: Clone + Eq + Hash + Send + Sync + Debug + AsRef<[u64]> + AsMut<[u64]> {
    /// So many words, all zero; nothing if that is too many.
    fn zeroed(words: usize) -> Option<Self>;
}

impl<const W: usize> Store for [u64; W] {
    fn zeroed(words: usize) -> Option<Self> {
        (words <= W).then_some([0; W])
    }
}

impl Store for Box<[u64]> {
    fn zeroed(words: usize) -> Option<Self> {
        Some(vec![0; words].into())
    }
}

/// What can be in one layer of a cell at the end of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) cell: usize,
    /// The objects, or nothing, by the value that stands for them.
    pub(crate) options: Box<[Option<usize>]>,
    /// The number of the first option among those of all fields.
    pub(crate) first: usize,
    word: usize,
    shift: u32,
    mask: u64,
}

impl Field {
    /// What stands there in a state.
    pub(crate) fn value(&self, words: &[u64]) -> usize {
        (words[self.word] >> self.shift & self.mask) as usize
    }
}

/// How the states of a level are packed. The first bit says whether the level is won.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    /// In the order of the cells.
    pub(crate) fields: Vec<Field>,
    /// For each cell the number of its first field, and how many there are at the end.
    firsts: Vec<usize>,
    /// For each field, its objects.
    members: Vec<Words<4>>,
    /// For each field and each object of the game, the value that stands for it.
    values: Vec<Vec<u8>>,
    /// Objects that are where they are in every state: cell and number.
    pub(crate) fixed: Vec<(usize, usize)>,
    pub(crate) bits: usize,
    pub(crate) words: usize,
}

/// No value of a field.
const NO_VALUE: u8 = u8::MAX;

impl Packing {
    /// Nothing where a layer has more objects than a value can say.
    pub(crate) fn new(numbering: &Numbering, facts: &Facts, lasting: &[Cells]) -> Option<Self> {
        let mut packing = Self {
            fields: Vec::new(),
            firsts: Vec::new(),
            members: Vec::new(),
            values: Vec::new(),
            fixed: Vec::new(),
            bits: 1,
            words: 1,
        };
        let mut used = 1;
        for cell in 0..facts.grid.len() {
            packing.firsts.push(packing.fields.len());
            for layer in &numbering.layers {
                let bit = |object: usize| numbering.objects[object];
                let can = layer.iter().copied().filter(|&object| lasting[bit(object)].has(cell));
                let can: Vec<usize> = can.collect();
                let is_free = layer.iter().all(|&object| facts.missing[bit(object)].has(cell));
                let options: Box<[Option<usize>]> =
                    is_free.then_some(None).into_iter().chain(can.into_iter().map(Some)).collect();
                match options[..] {
                    [] | [None] => {}
                    [Some(object)] => packing.fixed.push((cell, object)),
                    _ => packing.add(cell, options, numbering.objects.len(), &mut used)?,
                }
            }
        }
        packing.firsts.push(packing.fields.len());
        packing.bits = used;
        packing.words = used.div_ceil(64);
        Some(packing)
    }

    fn add(
        &mut self,
        cell: usize,
        options: Box<[Option<usize>]>,
        objects: usize,
        used: &mut usize,
    ) -> Option<()> {
        if options.len() >= usize::from(NO_VALUE) {
            return None;
        }
        let bits = options.len().next_power_of_two().trailing_zeros() as usize;
        if *used / 64 != (*used + bits - 1) / 64 {
            *used = used.next_multiple_of(64);
        }
        let mut members = [0; 4];
        let mut values = vec![NO_VALUE; objects];
        for (value, object) in options.iter().enumerate() {
            if let Some(object) = *object {
                *members.get_mut(object / 64)? |= 1 << (object % 64);
                values[object] = value as u8;
            }
        }
        let first = self.options();
        self.fields.push(Field {
            cell,
            options,
            first,
            word: *used / 64,
            shift: (*used % 64) as u32,
            mask: (1 << bits) - 1,
        });
        self.members.push(members);
        self.values.push(values);
        *used += bits;
        Some(())
    }

    /// How many options all fields have.
    pub(crate) fn options(&self) -> usize {
        self.fields.last().map_or(0, |field| field.first + field.options.len())
    }

    /// The option of each field in a state, by their numbers among those of all fields.
    pub(crate) fn chosen(&self, words: &[u64]) -> impl Iterator<Item = usize> {
        self.fields.iter().map(|field| field.first + field.value(words))
    }

    /// The cells that have one of some objects of the game in every state.
    pub(crate) fn always(&self, grid: &Grid, numbering: &Numbering, objects: &Mask) -> Cells {
        let mut cells = grid.none();
        let fixed = self.fixed.iter().filter(|it| objects.has(numbering.objects[it.1]));
        fixed.for_each(|&(cell, _)| cells.insert(cell));
        cells
    }

    /// The options of a state's objects, by their numbers among those of all fields.
    pub(crate) fn objects(&self, words: &[u64]) -> Vec<usize> {
        let values = self.fields.iter().map(|field| (field, field.value(words)));
        let objects = values.filter(|&(field, value)| field.options[value].is_some());
        objects.map(|(field, value)| field.first + value).collect()
    }

    /// Whether the state is won.
    pub(crate) fn is_won(words: &[u64]) -> bool {
        words[0] & 1 == 1
    }

    /// Puts what never changes on an empty board.
    pub(crate) fn set_up<const N: usize>(&self, board: &mut Board<N>) {
        self.fixed.iter().for_each(|&(cell, object)| board.put(cell, object));
    }

    /// Puts the rest of a state on a board.
    pub(crate) fn decode<const N: usize>(&self, words: &[u64], board: &mut Board<N>) {
        for field in &self.fields {
            if let Some(object) = field.options[field.value(words)] {
                board.put(field.cell, object);
            }
        }
    }

    /// The state of a board; nothing if it is none that the level can come to.
    pub(crate) fn encode<S: Store, const N: usize>(
        &self,
        objects: &[Words<N>],
        won: bool,
    ) -> Option<S> {
        let mut state = S::zeroed(self.words)?;
        self.set(state.as_mut(), 0..self.fields.len(), objects)?;
        state.as_mut()[0] |= u64::from(won);
        Some(state)
    }

    /// The state of a board that differs in some cells from another one, whose state is known.
    pub(crate) fn encode_changed<S: Store, const N: usize>(
        &self,
        (state, before): (&S, &[Words<N>]),
        objects: &[Words<N>],
        won: bool,
    ) -> Option<S> {
        let mut state = state.clone();
        for cell in (0..objects.len()).filter(|&cell| objects[cell] != before[cell]) {
            self.set(state.as_mut(), self.firsts[cell]..self.firsts[cell + 1], objects)?;
        }
        state.as_mut()[0] |= u64::from(won);
        Some(state)
    }

    /// Sets some fields to what a board has there.
    fn set<const N: usize>(
        &self,
        words: &mut [u64],
        fields: Range<usize>,
        objects: &[Words<N>],
    ) -> Option<()> {
        for number in fields {
            let (field, members) = (&self.fields[number], &self.members[number]);
            let cell = &objects[field.cell];
            let here = (0..N).find(|&at| cell[at] & members[at] != 0);
            let value = match here {
                Some(at) => {
                    let object = 64 * at + (cell[at] & members[at]).trailing_zeros() as usize;
                    self.values[number][object]
                }
                None if field.options[0].is_none() => 0,
                None => return None,
            };
            let word = &mut words[field.word];
            *word = *word & !(field.mask << field.shift) | u64::from(value) << field.shift;
        }
        Some(())
    }

    /// Whether a board has other objects than its fields and what never changes: never, unless the
    /// level cannot come to it.
    pub(crate) fn has_strays<const N: usize>(&self, objects: &[Words<N>]) -> bool {
        let mut rest = objects.to_vec();
        for (field, members) in self.fields.iter().zip(&self.members) {
            (0..N).for_each(|at| rest[field.cell][at] &= !members[at]);
        }
        let are_there = self.fixed.iter().all(|&(cell, object)| {
            let word = &mut rest[cell][object / 64];
            let is_there = *word >> (object % 64) & 1 == 1;
            *word &= !(1 << (object % 64));
            is_there
        });
        !are_there || rest.iter().flatten().any(|&word| word != 0)
    }
}
