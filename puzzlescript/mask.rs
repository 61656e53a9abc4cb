//! Sets of bits: of objects, with a bit for each, and of movements, with five bits for each layer.

/// How many layers have their five bits of movement in one word.
const LAYERS_A_WORD: usize = 12;

/// A set of objects or of movements. All sets of a game that are compared have one length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask(Box<[u64]>);

impl Mask {
    /// How many words a set of so many objects has.
    pub(crate) fn object_words(objects: usize) -> usize {
        objects.div_ceil(64).max(1)
    }

    /// How many words the movements of a cell have.
    pub(crate) fn movement_words(layers: usize) -> usize {
        layers.div_ceil(LAYERS_A_WORD).max(1)
    }

    /// Nothing, in so many words.
    pub fn empty(words: usize) -> Self {
        Self(vec![0; words].into())
    }

    /// The set of one word after another.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Adds a bit.
    pub fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether a bit is in the set.
    pub fn has(&self, bit: usize) -> bool {
        has(&self.0, bit)
    }

    /// Adds all of another set.
    pub fn add(&mut self, other: &Self) {
        self.add_words(&other.0);
    }

    pub(crate) fn add_words(&mut self, words: &[u64]) {
        self.0.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
    }

    /// The set but for what is in another one.
    pub fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(word, other)| word & !other).collect())
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    // The next two are asked for millions of times, and indices are what becomes fast without
    // optimisation across units of code.

    /// Whether a cell has all of the set.
    #[inline]
    pub fn is_within(&self, cell: &[u64]) -> bool {
        (0..self.0.len()).all(|at| self.0[at] & !cell[at] == 0)
    }

    /// Whether a cell has any of the set.
    #[inline]
    pub fn meets(&self, cell: &[u64]) -> bool {
        (0..self.0.len()).any(|at| self.0[at] & cell[at] != 0)
    }

    /// The bits that are in the set, in increasing order.
    pub fn bits(&self) -> impl Iterator<Item = usize> {
        bits(&self.0)
    }

    /// Adds movements to those of a layer.
    pub(crate) fn insert_movement(&mut self, layer: usize, movement: u64) {
        insert_movement(&mut self.0, layer, movement);
    }

    /// The five bits of a layer in a set of movements.
    pub fn movement(&self, layer: usize) -> u64 {
        movement(&self.0, layer)
    }

    /// The layers of a set of movements that have any, with their five bits.
    pub fn movements(&self, layers: usize) -> impl Iterator<Item = (usize, u64)> {
        let all = (0..layers).map(|layer| (layer, self.movement(layer)));
        all.filter(|&(_, movement)| movement != 0)
    }
}

/// Whether a bit is in a set of words.
pub fn has(words: &[u64], bit: usize) -> bool {
    words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

/// The places of the bits of some words, in increasing order.
pub fn bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(64 * at + bit)
        })
    })
}

fn place(layer: usize) -> (usize, usize) {
    (layer / LAYERS_A_WORD, 5 * (layer % LAYERS_A_WORD))
}

/// The movement of one layer of a cell.
pub(crate) fn movement(cell: &[u64], layer: usize) -> u64 {
    let (word, shift) = place(layer);
    cell[word] >> shift & 0b11111
}

/// Adds to the movement of one layer of a cell.
pub(crate) fn insert_movement(cell: &mut [u64], layer: usize, movement: u64) {
    let (word, shift) = place(layer);
    cell[word] |= movement << shift;
}

/// Takes the movement of one layer of a cell away.
pub(crate) fn clear_movement(cell: &mut [u64], layer: usize) {
    let (word, shift) = place(layer);
    cell[word] &= !(0b11111 << shift);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movements_of_layers_do_not_touch_each_other() {
        let mut cell = vec![0; Mask::movement_words(30)];
        for layer in 0..30 {
            insert_movement(&mut cell, layer, 0b10001);
        }
        clear_movement(&mut cell, 12);
        for layer in 0..30 {
            assert_eq!(movement(&cell, layer), if layer == 12 { 0 } else { 0b10001 });
        }
    }
}
