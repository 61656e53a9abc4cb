//! Small sets of numbers of a fixed size, kept in machine words.

/// A set of numbers below `64 * WORDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitSet<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> BitSet<WORDS> {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// One more than the largest number that fits.
    pub const CAPACITY: usize = 64 * WORDS;

    /// Whether a number is in the set.
    #[inline]
    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// Puts a number in.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// The set with a number more.
    #[must_use]
    pub fn with(mut self, number: usize) -> Self {
        self.insert(number);
        self
    }

    /// The set with a number less.
    #[must_use]
    pub fn without(mut self, number: usize) -> Self {
        self.remove(number);
        self
    }

    /// How many numbers are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no number is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether every number of this set is in the other.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, two)| one & !two == 0)
    }

    /// Whether some number is in both.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, two)| one & two != 0)
    }

    /// The numbers that are in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.zip(other, |one, two| one & two)
    }

    /// The numbers that are in one or the other.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        self.zip(other, |one, two| one | two)
    }

    /// The numbers that are in this set and not in the other.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.zip(other, |one, two| one & !two)
    }

    /// The least number.
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// The numbers in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<WORDS> {
        let words = self.0;
        words.into_iter().enumerate().flat_map(|(index, mut rest)| {
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.checked_sub(1)?;
                Some(index * 64 + bit)
            })
        })
    }

    fn zip(&self, other: &Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let mut joined = *self;
        joined.0.iter_mut().zip(&other.0).for_each(|(one, &two)| *one = join(*one, two));
        joined
    }
}

impl<const WORDS: usize> FromIterator<usize> for BitSet<WORDS> {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        numbers.into_iter().fold(Self::EMPTY, Self::with)
    }
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
            for number in 0..128 {
                prop_assert_eq!(a.has(number), one.contains(&number));
            }
        }
    }
}
