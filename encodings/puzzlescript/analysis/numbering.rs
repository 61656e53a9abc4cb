//! Numbers for the objects and layers that can be on a level and matter.

use super::facts::{Facts, MOVEMENTS};
use unstuck_puzzles::puzzlescript::{Game, Mask, bits};

/// The objects or the movements of one cell.
pub(crate) type Words<const N: usize> = [u64; N];

/// Layers whose movements fit into a word, at five bits each.
pub(crate) const LAYERS_A_WORD: usize = 12;

/// The word and the place in it of a layer's movements.
pub(crate) fn place(layer: usize) -> (usize, u32) {
    (layer / LAYERS_A_WORD, (MOVEMENTS * (layer % LAYERS_A_WORD)) as u32)
}

/// Which objects and layers of a game the machine knows, and by which numbers.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    /// The bit in the game of each object of the machine.
    pub(crate) objects: Vec<usize>,
    /// For each bit of the game, whether it is in a layer that matters.
    pub(crate) relevant: Vec<bool>,
    /// Words of a cell of the game.
    words: usize,
    /// The object of each bit of the game.
    pub(crate) object: Vec<Option<usize>>,
    /// The layers that matter, with their objects.
    pub(crate) layers: Vec<Vec<usize>>,
    /// The layers in which anything moves, as those of the game, in their order.
    pub(crate) moving: Vec<usize>,
    /// The number among these of each layer of the game.
    pub(crate) mover: Vec<Option<usize>>,
}

impl Numbering {
    pub(crate) fn new(game: &Game, facts: &Facts, relevant: &[bool]) -> Self {
        let is_kept =
            |&object: &usize| relevant[facts.layer[object]] && !facts.at[object].is_empty();
        let objects: Vec<usize> = (0..game.bits.len()).filter(is_kept).collect();
        let mut object = vec![None; game.bits.len()];
        objects.iter().enumerate().for_each(|(at, &bit)| object[bit] = Some(at));
        let layers = facts
            .members
            .iter()
            .map(|members| members.iter().filter_map(|&bit| object[bit]).collect::<Vec<usize>>());
        let layers = layers.filter(|objects| !objects.is_empty()).collect();
        // Marks of rigid groups may be in layers in which nothing can move.
        let is_rigid = game.rules.iter().any(|group| group.rigid.is_some());
        let moving: Vec<usize> =
            (0..game.layers.len()).filter(|&it| is_rigid || facts.is_moving(it)).collect();
        let mut mover = vec![None; game.layers.len()];
        moving.iter().enumerate().for_each(|(at, &layer)| mover[layer] = Some(at));
        let relevant = facts.layer.iter().map(|&layer| relevant[layer]).collect();
        Self { objects, relevant, words: game.object_words, object, layers, moving, mover }
    }

    /// The objects of a board of the judge that matter; nothing if any of them never is on the level.
    pub(crate) fn board<const N: usize>(&self, cells: &[u64]) -> Option<Vec<Words<N>>> {
        let cells = cells.chunks(self.words).map(|cell| {
            let mut words = [0; N];
            for bit in bits(cell) {
                match self.object[bit] {
                    Some(object) => words[object / 64] |= 1 << (object % 64),
                    None if self.relevant[bit] => return None,
                    None => {}
                }
            }
            Some(words)
        });
        cells.collect()
    }

    /// Puts objects in the place of those of a board of the judge that matter.
    pub(crate) fn overwrite<const N: usize>(&self, cells: &mut [u64], board: &[Words<N>]) {
        for (cell, here) in cells.chunks_mut(self.words).zip(board) {
            for bit in (0..self.relevant.len()).filter(|&bit| self.relevant[bit]) {
                cell[bit / 64] &= !(1 << (bit % 64));
            }
            for bit in bits(here).map(|object| self.objects[object]) {
                cell[bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// A set of objects, those left out that never are.
    pub(crate) fn mask<const N: usize>(&self, mask: &Mask) -> Words<N> {
        let mut words = [0; N];
        for object in mask.bits().filter_map(|bit| self.object[bit]) {
            words[object / 64] |= 1 << (object % 64);
        }
        words
    }

    pub(crate) fn movements<const N: usize>(&self, mask: &Mask) -> Words<N> {
        let mut words = [0; N];
        for (layer, movement) in mask.movements(self.mover.len()) {
            if let Some(layer) = self.mover[layer] {
                let (word, shift) = place(layer);
                words[word] |= movement << shift;
            }
        }
        words
    }
}
