//! Disjoint entries inside a state add up: choosing some that are worth enough.

use super::store::Item;
use unstuck_encodings::bit_set::ones;

/// Divisible by most numbers of pieces, so that shares of a value stay whole.
const SHARES: u64 = 5040;

/// Pairwise disjoint items whose values sum to `need` or more; `None` when none are found within so
/// many steps.
pub(super) fn pack(mut items: Vec<Item>, need: u32, steps: u64) -> Option<Vec<Item>> {
    // Each piece is worth at most its best share of an item.
    let mut share = [0u64; 64];
    let mut all = 0u64;
    for item in &items {
        let part = SHARES * u64::from(item.value) / u64::from(item.pieces.count_ones()) + 1;
        all |= item.pieces;
        ones(item.pieces).for_each(|piece| share[piece] = share[piece].max(part));
    }
    let worth = |pieces: u64| ones(pieces).map(|piece| share[piece]).sum::<u64>();
    if worth(all) < u64::from(need) * SHARES {
        return None;
    }
    items.sort_by_key(|item| {
        let size = item.pieces.count_ones();
        (std::cmp::Reverse(SHARES * u64::from(item.value) / u64::from(size)), size)
    });
    let mut search = Search { items: &items, share, need, steps, chosen: Vec::new() };
    search.choose(0, all, 0).then(|| search.chosen.iter().map(|&index| items[index]).collect())
}

struct Search<'a> {
    items: &'a [Item],
    share: [u64; 64],
    need: u32,
    steps: u64,
    chosen: Vec<usize>,
}

impl Search<'_> {
    /// Chooses from the items at and after `from` among the pieces that are free.
    fn choose(&mut self, from: usize, free: u64, sum: u32) -> bool {
        if sum >= self.need {
            return true;
        }
        let Some(steps) = self.steps.checked_sub(1) else { return false };
        self.steps = steps;
        let worth: u64 = ones(free).map(|piece| self.share[piece]).sum();
        if u64::from(sum) * SHARES + worth < u64::from(self.need) * SHARES {
            return false;
        }
        for index in from..self.items.len() {
            let item = self.items[index];
            if item.pieces & !free != 0 {
                continue;
            }
            self.chosen.push(index);
            if self.choose(index + 1, free & !item.pieces, sum + item.value) {
                return true;
            }
            self.chosen.pop();
            if self.steps == 0 {
                return false;
            }
        }
        false
    }
}
