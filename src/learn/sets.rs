//! Sets of sites, and finding those within another set.
//!
//! A tree: each branch says one site that all sets below it contain, so a query for the sets within
//! a set only follows the branches of its members. A branch grows when a list becomes long.

use unstuck_encodings::bit_set::BitSet;
use unstuck_encodings::pieces::Site;

/// A set of sites.
pub(super) type SiteSet<const W: usize> = BitSet<W, Site>;

/// The number of an entry; those of two pieces have [`PAIR`] set. The others begin with the number
/// of the thread that learned them, so that a number means the same to all threads.
pub(super) type Id = u32;

/// A set in a list, with the number of its entry.
type SetEntry<const W: usize> = (SiteSet<W>, Id);

/// A way down the tree.
#[derive(Clone, Copy, Debug)]
struct Branch<const W: usize> {
    /// What all sets below have in common, so that most branches need not be looked into.
    common: SiteSet<W>,
    node: u32,
}

/// The sets that contain the sites on the way to a node.
#[derive(Clone, Debug)]
struct TrieNode<const W: usize> {
    /// Sets that go down no branch.
    here: Vec<SetEntry<W>>,
    /// The sites of the branches.
    sites: SiteSet<W>,
    /// The branches, in the order of the sites.
    branches: Vec<Branch<W>>,
    /// Sets here and below.
    count: u32,
}

/// A collection of sets.
#[derive(Clone, Debug)]
pub(super) struct Sets<const W: usize> {
    nodes: Vec<TrieNode<W>>,
    /// Sets of a list before it branches.
    branching_sets: usize,
}

impl<const W: usize> TrieNode<W> {
    fn new() -> Self {
        Self { here: Vec::new(), sites: SiteSet::EMPTY, branches: Vec::new(), count: 0 }
    }
}

impl<const W: usize> Sets<W> {
    pub(super) fn new(branching_sets: usize) -> Self {
        Self { nodes: vec![TrieNode::new()], branching_sets }
    }

    /// Adds a set.
    pub(super) fn insert(&mut self, set: SiteSet<W>, id: Id) {
        self.insert_below(0, set, set, id);
    }

    /// Adds a set below a node; `rest` is what the way to it has not said yet.
    fn insert_below(&mut self, mut at: usize, mut rest: SiteSet<W>, set: SiteSet<W>, id: Id) {
        loop {
            self.nodes[at].count += 1;
            let node = &self.nodes[at];
            if rest.is_empty()
                || (node.branches.is_empty() && node.here.len() < self.branching_sets)
            {
                self.nodes[at].here.push((set, id));
                return;
            }
            if node.branches.is_empty() {
                self.divide(at, &set.minus(&rest));
            }
            let site = self.rarest(at, &rest);
            rest.remove(site);
            at = self.branch(at, site, &set);
        }
    }

    /// Sends the sets of a list down branches.
    fn divide(&mut self, at: usize, way: &SiteSet<W>) {
        let sets = std::mem::take(&mut self.nodes[at].here);
        for (set, id) in sets {
            let rest = set.minus(way);
            if rest.is_empty() {
                self.nodes[at].here.push((set, id));
                continue;
            }
            let site = self.rarest(at, &rest);
            let branch = self.branch(at, site, &set);
            self.insert_below(branch, rest.without(site), set, id);
        }
    }

    /// The site below whose branch there are fewest sets.
    fn rarest(&self, at: usize, rest: &SiteSet<W>) -> Site {
        let node = &self.nodes[at];
        let count = |&site: &Site| {
            if !node.sites.has(site) {
                return 0;
            }
            let below = node.branches[node.sites.rank(site)].node;
            self.nodes[below as usize].count
        };
        rest.iter().min_by_key(count).expect("a set with something left")
    }

    /// The node below the branch of a site, which is made where there is none, for one set more.
    fn branch(&mut self, at: usize, site: Site, set: &SiteSet<W>) -> usize {
        let rank = self.nodes[at].sites.rank(site);
        if self.nodes[at].sites.has(site) {
            let branch = &mut self.nodes[at].branches[rank];
            branch.common = branch.common.and(set);
            return branch.node as usize;
        }
        let new = self.nodes.len();
        self.nodes.push(TrieNode::new());
        let node = &mut self.nodes[at];
        node.sites.insert(site);
        node.branches.insert(rank, Branch { common: *set, node: new as u32 });
        new
    }

    /// Hands over the numbers of all sets within `all`, but for at most one site of `spare`.
    pub(super) fn within(&self, all: &SiteSet<W>, spare: &SiteSet<W>, take: &mut impl FnMut(Id)) {
        let spare = spare.minus(all);
        // Nodes with the spare site that the way to them takes. All branches of a node are looked at
        // before the first is followed: each waits for memory, and so they wait together.
        let mut open: Vec<(u32, Option<Site>)> = vec![(0, None)];
        while let Some((at, taken)) = open.pop() {
            let (all, spare) = match taken {
                Some(site) => (all.with(site), SiteSet::EMPTY),
                None => (*all, spare),
            };
            let node = &self.nodes[at as usize];
            let both = all.or(&spare);
            let fits = |set: &SiteSet<W>| set.is_within(&both) && set.and(&spare).len() <= 1;
            for site in node.sites.and(&both).iter() {
                let branch = &node.branches[node.sites.rank(site)];
                if fits(&branch.common) {
                    open.push((branch.node, taken.or(branch.common.and(&spare).first())));
                }
            }
            for (set, id) in &node.here {
                if fits(set) {
                    take(*id);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random sets against a look at each of them.
    #[test]
    fn exactly_the_sets_within_are_found() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..50 {
            let most = rng.usize(1..100);
            let random = |rng: &mut fastrand::Rng, size: usize| -> SiteSet<2> {
                (0..rng.usize(0..=size)).map(|_| rng.usize(0..most) as Site).collect()
            };
            let sets: Vec<_> = (0..rng.usize(0..2000)).map(|_| random(&mut rng, 6)).collect();
            let mut tree = Sets::new(16);
            (0..).zip(&sets).for_each(|(id, set)| tree.insert(*set, id));
            for _ in 0..20 {
                let (all, spare) = (random(&mut rng, 60), random(&mut rng, 10));
                let mut found = Vec::new();
                tree.within(&all, &spare, &mut |id| found.push(id));
                found.sort_unstable();
                let is_found = |set: &SiteSet<2>| {
                    let outside = set.minus(&all);
                    outside.is_within(&spare) && outside.len() <= 1
                };
                let expected = (0..).zip(&sets).filter(|(_, set)| is_found(set));
                assert_eq!(found, expected.map(|(id, _)| id).collect::<Vec<Id>>());
            }
        }
    }
}
