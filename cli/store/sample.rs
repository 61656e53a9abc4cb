//! So many of very many, chosen by a seed: the same ones in whatever order they come.

use std::collections::BTreeSet;

/// A sample in the making. It holds its own size only.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    size: usize,
    seed: u64,
    kept: BTreeSet<(u64, u64)>,
}

impl Sample {
    /// A sample of so many keys.
    pub(crate) fn new(size: usize, seed: u64) -> Self {
        Self { size, seed, kept: BTreeSet::new() }
    }

    /// Looks at a key: those with the least lots are kept.
    pub(crate) fn see(&mut self, key: u64) {
        let lot = fastrand::Rng::with_seed(self.seed.rotate_left(32) ^ key).u64(..);
        self.kept.insert((lot, key));
        if self.kept.len() > self.size {
            self.kept.pop_last();
        }
    }

    /// The keys of the sample.
    pub(crate) fn keys(self) -> BTreeSet<u64> {
        self.kept.into_iter().map(|(_, key)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(keys: impl Iterator<Item = u64>, size: usize, seed: u64) -> BTreeSet<u64> {
        let mut sample = Sample::new(size, seed);
        keys.for_each(|key| sample.see(key));
        sample.keys()
    }

    #[test]
    fn order_does_not_matter_and_the_seed_does() {
        let forward = sample(0..10_000, 50, 7);
        assert_eq!(forward.len(), 50);
        assert_eq!(forward, sample((0..10_000).rev(), 50, 7));
        assert_ne!(forward, sample(0..10_000, 50, 8));
        assert_eq!(sample(0..9, 50, 7), (0..9).collect());
        // Nothing is preferred: about half of them lie in the upper half.
        let upper = sample(0..10_000, 1_000, 1).into_iter().filter(|&key| key >= 5_000).count();
        assert!((400..600).contains(&upper), "{upper}");
    }
}
