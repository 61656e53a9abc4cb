//! Small sets of numbers of a fixed size, kept in machine words.

use std::marker::PhantomData;

/// What sets hold: numbers of some width.
pub trait Number: Copy + Into<usize> {
    /// The number of this value, which must fit.
    fn of(value: usize) -> Self;
}

impl Number for usize {
    #[inline]
    fn of(value: usize) -> Self {
        value
    }
}

impl Number for u16 {
    #[inline]
    fn of(value: usize) -> Self {
        value as u16
    }
}

/// A set of numbers below `64 * WORDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BitSet<const WORDS: usize, N = usize>([u64; WORDS], PhantomData<N>);

impl<const WORDS: usize, N: Number> BitSet<WORDS, N> {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS], PhantomData);

    /// One more than the largest number that fits.
    pub const CAPACITY: usize = 64 * WORDS;

    /// All numbers below one.
    pub fn below(count: usize) -> Self {
        (0..count).map(N::of).collect()
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn has(&self, number: N) -> bool {
        let number = number.into();
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// Puts a number in.
    #[inline]
    pub fn insert(&mut self, number: N) {
        let number = number.into();
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: N) {
        let number = number.into();
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// The set with a number more.
    #[inline]
    #[must_use]
    pub fn with(mut self, number: N) -> Self {
        self.insert(number);
        self
    }

    /// The set with a number less.
    #[inline]
    #[must_use]
    pub fn without(mut self, number: N) -> Self {
        self.remove(number);
        self
    }

    /// How many numbers are in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no number is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether every number of this set is in the other.
    #[inline]
    pub fn is_within(&self, other: &Self) -> bool {
        // Without branches: there are few words, and the answer can be either.
        (0..WORDS).fold(0, |outside, i| outside | self.0[i] & !other.0[i]) == 0
    }

    /// Whether some number is in both.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (0..WORDS).fold(0, |both, i| both | self.0[i] & other.0[i]) != 0
    }

    /// The numbers that are in both.
    #[inline]
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]), PhantomData)
    }

    /// The numbers that are in one or the other.
    #[inline]
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]), PhantomData)
    }

    /// The numbers that are in this set and not in the other.
    #[inline]
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]), PhantomData)
    }

    /// Each number greater by so many, 1 to 63; what does not fit any more is dropped.
    #[inline]
    #[must_use]
    pub fn raised(&self, by: usize) -> Self {
        let carried = |i: usize| i.checked_sub(1).map_or(0, |below| self.0[below] >> (64 - by));
        Self(std::array::from_fn(|i| self.0[i] << by | carried(i)), PhantomData)
    }

    /// Each number less by so many, 1 to 63; what would be below zero is dropped.
    #[inline]
    #[must_use]
    pub fn lowered(&self, by: usize) -> Self {
        let carried = |i: usize| self.0.get(i + 1).map_or(0, |above| above << (64 - by));
        Self(std::array::from_fn(|i| self.0[i] >> by | carried(i)), PhantomData)
    }

    /// A number that depends on all members, and on a seed.
    #[inline]
    pub fn hash(&self, seed: u64) -> u64 {
        // Odd numbers with well mixed bits: the golden ratio and a prime of xxHash.
        let mix =
            |sum: u64, word: &u64| (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        self.0.iter().fold(seed, mix).wrapping_mul(0xC2B2_AE3D_27D4_EB4F) >> 32
    }

    /// How many members are less than a number.
    #[inline]
    pub fn rank(&self, number: N) -> usize {
        let number = number.into();
        let below = self.0[number / 64] & ((1 << (number % 64)) - 1);
        let before: u32 = self.0[..number / 64].iter().map(|word| word.count_ones()).sum();
        (before + below.count_ones()) as usize
    }

    /// The least number.
    #[inline]
    pub fn first(&self) -> Option<N> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(N::of(word * 64 + self.0[word].trailing_zeros() as usize))
    }

    /// The numbers in increasing order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = N> + use<WORDS, N> {
        Members { rest: *self, at: 0 }
    }
}

impl<const WORDS: usize, N> std::hash::Hash for BitSet<WORDS, N> {
    #[inline]
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Word by word: of an array the bytes would be hashed, and their number.
        self.0.iter().for_each(|&word| state.write_u64(word));
    }
}

impl<const WORDS: usize, N: Number> FromIterator<N> for BitSet<WORDS, N> {
    #[inline]
    fn from_iter<T: IntoIterator<Item = N>>(numbers: T) -> Self {
        let mut set = Self::EMPTY;
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

/// The members of a set, in increasing order.
#[derive(Clone)]
struct Members<const WORDS: usize, N> {
    rest: BitSet<WORDS, N>,
    at: usize,
}

impl<const WORDS: usize, N: Number> Iterator for Members<WORDS, N> {
    type Item = N;

    #[inline]
    fn next(&mut self) -> Option<N> {
        while self.at < WORDS {
            let word = &mut self.rest.0[self.at];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(N::of(64 * self.at + bit));
            }
            self.at += 1;
        }
        None
    }
}

/// The positions of the bits of a word, in increasing order.
#[inline]
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.checked_sub(1)?;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn they_are_sets(
            one in proptest::collection::btree_set(0usize..128, 0..40),
            two in proptest::collection::btree_set(0usize..128, 0..40),
        ) {
            let bits = |set: &BTreeSet<usize>| set.iter().copied().collect::<BitSet<2>>();
            let back = |bits: BitSet<2>| bits.iter().collect::<BTreeSet<usize>>();
            let (a, b) = (bits(&one), bits(&two));
            prop_assert_eq!(&back(a), &one);
            prop_assert_eq!(back(a.and(&b)), &one & &two);
            prop_assert_eq!(back(a.or(&b)), &one | &two);
            prop_assert_eq!(back(a.minus(&b)), &one - &two);
            prop_assert_eq!(a.len(), one.len());
            prop_assert_eq!(a.first(), one.first().copied());
            prop_assert_eq!(a.meets(&b), !one.is_disjoint(&two));
            prop_assert_eq!(a.is_within(&b), one.is_subset(&two));
            prop_assert_eq!(a.is_empty(), one.is_empty());
            for by in [1, 9, 63] {
                let raised = one.iter().map(|number| number + by).filter(|&number| number < 128);
                prop_assert_eq!(back(a.raised(by)), raised.collect::<BTreeSet<_>>());
                let lowered = one.iter().filter_map(|number| number.checked_sub(by));
                prop_assert_eq!(back(a.lowered(by)), lowered.collect::<BTreeSet<_>>());
            }
            for number in 0..128 {
                prop_assert_eq!(a.has(number), one.contains(&number));
                prop_assert_eq!(a.rank(number), one.range(..number).count());
            }
        }
    }
}
