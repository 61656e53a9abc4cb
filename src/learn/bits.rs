//! Sets of sites as bits of a fixed number of words.

use unstuck_encodings::pieces::Site;

/// A set of sites below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// The empty set.
    pub const NONE: Self = Self([0; W]);

    /// All sites below a number.
    pub fn below(count: usize) -> Self {
        (0..count).map(|site| site as Site).collect()
    }

    #[inline]
    pub fn has(&self, site: Site) -> bool {
        self.0[usize::from(site) / 64] >> (site % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, site: Site) {
        self.0[usize::from(site) / 64] |= 1 << (site % 64);
    }

    #[inline]
    pub fn remove(&mut self, site: Site) {
        self.0[usize::from(site) / 64] &= !(1 << (site % 64));
    }

    /// The set with a site more.
    #[must_use]
    pub fn with(mut self, site: Site) -> Self {
        self.insert(site);
        self
    }

    /// The set with a site less.
    #[must_use]
    pub fn without(mut self, site: Site) -> Self {
        self.remove(site);
        self
    }

    #[inline]
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// What is not in the other set.
    #[inline]
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub fn is_within(&self, other: &Self) -> bool {
        let mut outside = 0;
        for i in 0..W {
            outside |= self.0[i] & !other.0[i];
        }
        outside == 0
    }

    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        let mut both = 0;
        for i in 0..W {
            both |= self.0[i] & other.0[i];
        }
        both != 0
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The least member.
    #[inline]
    pub fn first(&self) -> Option<Site> {
        self.0
            .iter()
            .position(|&word| word != 0)
            .map(|i| (64 * i) as Site + self.0[i].trailing_zeros() as Site)
    }

    /// The members in increasing order.
    #[inline]
    pub fn iter(&self) -> Members<W> {
        Members { words: self.0, at: 0 }
    }
}

impl<const W: usize> FromIterator<Site> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = Site>>(sites: I) -> Self {
        let mut bits = Self::NONE;
        sites.into_iter().for_each(|site| bits.insert(site));
        bits
    }
}

/// The members of a set, in increasing order.
pub struct Members<const W: usize> {
    words: [u64; W],
    at: usize,
}

impl<const W: usize> Iterator for Members<W> {
    type Item = Site;

    #[inline]
    fn next(&mut self) -> Option<Site> {
        while self.at < W {
            let word = self.words[self.at];
            if word != 0 {
                self.words[self.at] = word & (word - 1);
                return Some((64 * self.at) as Site + word.trailing_zeros() as Site);
            }
            self.at += 1;
        }
        None
    }
}

/// The positions of the bits of a word, in increasing order.
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.checked_sub(1)?;
        Some(bit)
    })
}
