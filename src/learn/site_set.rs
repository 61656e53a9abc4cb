//! Sets of sites as bits of a fixed number of words.

use unstuck_encodings::pieces::Site;

/// A set of sites below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SiteSet<const W: usize>([u64; W]);

impl<const W: usize> SiteSet<W> {
    /// The empty set.
    pub(super) const NONE: Self = Self([0; W]);

    /// All sites below a number.
    pub(super) fn below(count: usize) -> Self {
        (0..count).map(|site| site as Site).collect()
    }

    #[inline]
    pub(super) fn has(&self, site: Site) -> bool {
        self.0[usize::from(site) / 64] >> (site % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, site: Site) {
        self.0[usize::from(site) / 64] |= 1 << (site % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, site: Site) {
        self.0[usize::from(site) / 64] &= !(1 << (site % 64));
    }

    /// The set with a site more.
    #[must_use]
    pub(super) fn with(mut self, site: Site) -> Self {
        self.insert(site);
        self
    }

    /// The set with a site less.
    #[must_use]
    pub(super) fn without(mut self, site: Site) -> Self {
        self.remove(site);
        self
    }

    #[inline]
    #[must_use]
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    #[must_use]
    pub(super) fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// What is not in the other set.
    #[inline]
    #[must_use]
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let mut outside = 0;
        for i in 0..W {
            outside |= self.0[i] & !other.0[i];
        }
        outside == 0
    }

    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        let mut both = 0;
        for i in 0..W {
            both |= self.0[i] & other.0[i];
        }
        both != 0
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// A number that depends on all members, and on one site more.
    #[inline]
    pub(super) fn hash(&self, site: Site) -> u64 {
        // Odd numbers with well mixed bits: the golden ratio and a prime of xxHash.
        let mix =
            |sum: u64, word: &u64| (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let sum = self.0.iter().fold(u64::from(site), mix);
        sum.wrapping_mul(0xC2B2_AE3D_27D4_EB4F) >> 32
    }

    /// How many members are less than a site.
    #[inline]
    pub(super) fn rank(&self, site: Site) -> usize {
        let word = usize::from(site) / 64;
        let below = self.0[word] & ((1 << (site % 64)) - 1);
        let before: u32 = self.0[..word].iter().map(|word| word.count_ones()).sum();
        (before + below.count_ones()) as usize
    }

    /// The least member.
    #[inline]
    pub(super) fn first(&self) -> Option<Site> {
        self.0
            .iter()
            .position(|&word| word != 0)
            .map(|i| (64 * i) as Site + self.0[i].trailing_zeros() as Site)
    }

    /// The members in increasing order.
    #[inline]
    pub(super) fn iter(&self) -> Members<W> {
        Members { words: self.0, at: 0 }
    }
}

impl<const W: usize> FromIterator<Site> for SiteSet<W> {
    fn from_iter<I: IntoIterator<Item = Site>>(sites: I) -> Self {
        let mut bits = Self::NONE;
        sites.into_iter().for_each(|site| bits.insert(site));
        bits
    }
}

/// The members of a set, in increasing order.
pub(super) struct Members<const W: usize> {
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
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.checked_sub(1)?;
        Some(bit)
    })
}
