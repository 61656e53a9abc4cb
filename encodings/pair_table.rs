//! Two pieces alone on the ground: a number for each pair of sites and each part into which they
//! divide the ground, and the least cost of coming there.
//!
//! What two pieces cannot do is not possible with more pieces either.

/// More than any sum of costs: the pair cannot occur, or is lost.
pub const DEAD: u32 = 1 << 28;

/// The part of the pieces' own sites. The last part before it takes all that are too many.
const NO_PART: u8 = u8::MAX;

/// The pairs of sites and the parts of the ground beside them, numbered.
#[derive(Clone, Debug, Default)]
pub struct PairTable {
    sites: usize,
    /// For each pair and each site of the walker: the part of the ground.
    parts: Vec<u8>,
    /// The first number of each pair.
    first: Vec<u32>,
}

/// A move of one piece of a pair.
#[derive(Clone, Copy, Debug)]
pub struct PairMove {
    /// Where the piece comes to.
    pub to: usize,
    /// Where the walker must be before it.
    pub before: usize,
    /// Where the walker is after it.
    pub after: usize,
    /// Its cost.
    pub cost: u32,
}

/// The place of a pair among all.
#[inline]
fn pair_of(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * (high - 1) / 2 + low
}

impl PairTable {
    /// How many entries the table for so many sites has: one for each pair and site.
    pub fn entries(sites: usize) -> usize {
        sites * sites.saturating_sub(1) / 2 * sites
    }

    /// All pairs of sites; `flood` gives what the walker reaches past two pieces from a site.
    pub fn new<R: IntoIterator<Item: Into<usize>>>(
        sites: usize,
        flood: impl Fn([usize; 2], usize) -> R,
    ) -> Self {
        let mut parts = vec![NO_PART; Self::entries(sites)];
        let mut first = vec![0];
        for (high, low) in (1..sites).flat_map(|high| (0..high).map(move |low| (high, low))) {
            let row = &mut parts[pair_of(low, high) * sites..][..sites];
            let (mut part, mut count) = (0, 0);
            for site in (0..sites).filter(|&site| site != low && site != high) {
                if row[site] == NO_PART {
                    let reached = flood([low, high], site);
                    reached.into_iter().for_each(|site| row[site.into()] = part);
                    count = u32::from(part) + 1;
                    part = (part + 1).min(NO_PART - 1);
                }
            }
            first.push(first[first.len() - 1] + count);
        }
        Self { sites, parts, first }
    }

    /// The number of a pair and the part of the ground with the walker, who is on neither site.
    #[inline]
    pub fn id(
        &self,
        one: impl Into<usize>,
        other: impl Into<usize>,
        walker: impl Into<usize>,
    ) -> u32 {
        let pair = pair_of(one.into(), other.into());
        self.first[pair] + u32::from(self.parts[pair * self.sites + walker.into()])
    }

    /// The numbers of a pair.
    pub fn ids(&self, one: usize, other: usize) -> std::ops::Range<u32> {
        let pair = pair_of(one, other);
        self.first[pair]..self.first[pair + 1]
    }

    /// The two sites of a number, and a site of the walker.
    pub fn describe(&self, id: u32) -> [usize; 3] {
        let pair = self.first.partition_point(|&first| first <= id) - 1;
        let high = (1..).find(|high| high * (high + 1) / 2 > pair).unwrap_or(1);
        let low = pair - pair_of(0, high);
        let part = (id - self.first[pair]) as u8;
        let row = &self.parts[pair * self.sites..][..self.sites];
        [low, high, row.iter().position(|&other| other == part).unwrap_or(0)]
    }

    /// The least cost of coming from some pairs to each, by their numbers; [`DEAD`] where there is
    /// no way. `begun` gives two sites, the walker's, and what it costs to begin there; `moves` the
    /// moves of a piece on a site.
    pub fn least<M: IntoIterator<Item = PairMove>>(
        &self,
        begun: impl IntoIterator<Item = ([usize; 3], u32)>,
        moves: impl Fn(usize) -> M,
    ) -> Vec<u32> {
        let size = self.first.last().copied().unwrap_or(0) as usize;
        let mut search = Search { table: self, least: vec![DEAD; size], open: Vec::new() };
        begun.into_iter().for_each(|(pair, cost)| search.offer(pair, cost));
        let mut cost = 0;
        while cost < search.open.len() {
            let Some([one, other, walker]) = search.open[cost].pop() else {
                cost += 1;
                continue;
            };
            if search.least[self.id(one, other, walker) as usize] != cost as u32 {
                continue;
            }
            for (moved, still) in [(one, other), (other, one)] {
                for PairMove { to, before, after, cost: more } in moves(moved) {
                    if ![to, before, after].contains(&still)
                        && self.id(moved, still, before) == self.id(moved, still, walker)
                    {
                        search.offer([to, still, after], cost as u32 + more);
                    }
                }
            }
        }
        search.least
    }
}

/// A search in order of cost (Dijkstra 1959).
struct Search<'a> {
    table: &'a PairTable,
    least: Vec<u32>,
    /// By cost.
    open: Vec<Vec<[usize; 3]>>,
}

impl Search<'_> {
    fn offer(&mut self, pair: [usize; 3], cost: u32) {
        let least = &mut self.least[self.table.id(pair[0], pair[1], pair[2]) as usize];
        if cost < *least {
            *least = cost;
            let level = cost as usize;
            if self.open.len() <= level {
                self.open.resize_with(level + 1, Vec::new);
            }
            self.open[level].push(pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corridor of five sites, along which pieces are pushed.
    #[test]
    fn pairs_are_numbered_and_searched() {
        let flood = |pieces: [usize; 2], from: usize| {
            let free = |site: &usize| !pieces.contains(site);
            let down = (0..from).rev().take_while(free).collect::<Vec<_>>();
            (from..5).take_while(free).chain(down).collect::<Vec<_>>()
        };
        let table = PairTable::new(5, flood);
        let mut known = std::collections::BTreeSet::new();
        for (one, other) in (0..5).flat_map(|one| (0..one).map(move |other| (one, other))) {
            for walker in (0..5).filter(|walker| ![one, other].contains(walker)) {
                let id = table.id(one, other, walker);
                assert!(table.ids(one, other).contains(&id));
                let [low, high, site] = table.describe(id);
                assert_eq!([low, high], [other, one]);
                assert!(flood([low, high], walker).contains(&site));
                known.insert(id);
            }
        }
        assert!(known.iter().copied().eq(0..known.len() as u32));
        let push = |at: usize| {
            let right = (at > 0 && at < 4).then(|| (at + 1, at.wrapping_sub(1)));
            let left = (at > 0 && at < 4).then(|| (at - 1, at + 1));
            right.into_iter().chain(left).map(move |(to, before)| PairMove {
                to,
                before,
                after: at,
                cost: 1,
            })
        };
        let least = table.least([([1, 3, 0], 0)], push);
        assert_eq!(least[table.id(1usize, 3usize, 0usize) as usize], 0);
        assert_eq!(least[table.id(2usize, 3usize, 0usize) as usize], 1);
        assert_eq!(least[table.id(2usize, 4usize, 0usize) as usize], DEAD);
    }
}
