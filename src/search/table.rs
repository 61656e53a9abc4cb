//! All states that were reached, spread over shards by their hash, so that workers seldom wait for
//! each other.

use crate::machine::lock;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::{BuildHasher, Hash};
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard};
use unstuck_encodings::Cost;

/// A state by its number.
pub(super) type Id = u32;

/// The parent of the start.
pub(super) const NO_PARENT: Id = Id::MAX;

/// Number of shards: far more than workers.
const SHARDS: u32 = 64;

/// States beyond this number have no number of their own.
pub(super) const MAX_STATES: u64 = NO_PARENT as u64 - (1 << 24);

/// How a state was reached, in eight bytes: there may be a hundred million of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchNode {
    /// The state before.
    pub(super) parent: Id,
    /// Bit 31 is set when the state was expanded at this cost, bit 30 when it was reached at a
    /// larger cost before. Then 14 bits for the primary and 16 for the secondary count (see
    /// [`SearchNode::holds`]).
    packed: u32,
}

const CLOSED: u32 = 1 << 31;
const CHEAPER: u32 = 1 << 30;

impl SearchNode {
    /// Whether a node has room for a cost. A larger one must not be cut short: plans of different
    /// costs would look the same.
    pub(super) fn holds(cost: Cost) -> bool {
        cost.primary() <= 0x3FFF && cost.secondary() <= 0xFFFF
    }

    fn new(parent: Id, cost: Cost) -> Self {
        Self { parent, packed: cost.primary() << 16 | cost.secondary() }
    }

    /// The cost of the cheapest known way here.
    pub(super) fn cost(self) -> Cost {
        Cost::new(self.packed >> 16 & 0x3FFF, self.packed & 0xFFFF)
    }
}

/// The states of some hashes.
#[derive(Debug)]
struct Shard<T> {
    /// Each state beside its node: code that needs one soon needs the other.
    kept: Vec<(T, SearchNode)>,
    table: HashTable<u32>,
    /// Places of states that were dropped.
    free: Vec<u32>,
}

impl<T> Shard<T> {
    /// Keeps a state; its place.
    fn keep(&mut self, state: T, node: SearchNode) -> u32 {
        if let Some(index) = self.free.pop() {
            self.kept[index as usize] = (state, node);
            return index;
        }
        if self.kept.len() == self.kept.capacity() {
            // By an eighth, not by doubling: here is most of the memory of a search.
            self.kept.reserve_exact(self.kept.len() / 8 + 16);
        }
        self.kept.push((state, node));
        self.kept.len() as u32 - 1
    }
}

/// The shard of a hash. The table of a shard uses the lowest and the highest bits.
fn shard_of(hash: u64) -> u32 {
    (hash >> 32) as u32 % SHARDS
}

/// The states that were reached.
#[derive(Debug)]
pub(super) struct StateTable<T> {
    shards: Vec<Mutex<Shard<T>>>,
    hasher: DefaultHashBuilder,
}

/// The table as a worker has it: one that is alone holds all shards, and waits for no lock.
pub(super) struct TableAccess<'a, T> {
    table: &'a StateTable<T>,
    held: Vec<MutexGuard<'a, Shard<T>>>,
}

impl<T: Clone + Eq + Hash> StateTable<T> {
    pub(super) fn new() -> Self {
        let shard = || Shard { kept: Vec::new(), table: HashTable::new(), free: Vec::new() };
        Self {
            shards: (0..SHARDS).map(|_| shard()).map(Mutex::new).collect(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Access for a worker, which is alone or not.
    pub(super) fn access(&self, is_alone: bool) -> TableAccess<'_, T> {
        let held = self.shards.iter().filter(|_| is_alone).map(lock).collect();
        TableAccess { table: self, held }
    }
}

impl<T: Clone + Eq + Hash> TableAccess<'_, T> {
    #[inline]
    fn with<R>(&mut self, number: u32, work: impl FnOnce(&mut Shard<T>) -> R) -> R {
        match self.held.get_mut(number as usize) {
            Some(shard) => work(shard),
            None => work(&mut lock(&self.table.shards[number as usize])),
        }
    }

    /// The hash of a state, and without a lock a first look at where it would be: what comes from
    /// memory is there when it is asked for again.
    #[inline]
    pub(super) fn look_up(&self, state: &T) -> u64 {
        let hash = self.table.hasher.hash_one(state);
        if let Some(shard) = self.held.get(shard_of(hash) as usize) {
            let place = shard.table.find(hash, |_| true);
            black_box(place.map(|&index| shard.kept[index as usize].1.parent));
        }
        hash
    }

    /// Notes a way to a state, if it is the first one, or the cheapest so far where these `reopen` a
    /// state, and `bound` allows the state: then its number, whether it is new, and what `bound` said.
    pub(super) fn reach<B>(
        &mut self,
        state: T,
        hash: u64,
        cost: Cost,
        parent: Id,
        reopen: bool,
        bound: impl FnOnce(&T) -> Option<B>,
    ) -> Option<(Id, bool, B)> {
        let hasher = &self.table.hasher;
        let number = shard_of(hash);
        self.with(number, |shard| {
            let Shard { kept, table, .. } = shard;
            let known = table.find(hash, |&index| kept[index as usize].0 == state).copied();
            if known.is_some_and(|at| !reopen || kept[at as usize].1.cost() <= cost) {
                return None;
            }
            let bound = bound(&state)?;
            let mut node = SearchNode::new(parent, cost);
            let index = match known {
                Some(index) => {
                    node.packed |= CHEAPER;
                    kept[index as usize].1 = node;
                    index
                }
                None => {
                    let index = shard.keep(state, node);
                    let Shard { kept, table, .. } = shard;
                    table.insert_unique(hash, index, |&i| hasher.hash_one(&kept[i as usize].0));
                    index
                }
            };
            Some((index * SHARDS + number, known.is_none(), bound))
        })
    }

    /// Takes a state for expansion, with its cost; `None` when that was done at this cost.
    pub(super) fn close(&mut self, id: Id) -> Option<(T, Cost)> {
        self.with(id % SHARDS, |shard| {
            let (state, node) = &mut shard.kept[(id / SHARDS) as usize];
            if node.packed & CLOSED != 0 {
                return None;
            }
            node.packed |= CLOSED;
            Some((state.clone(), node.cost()))
        })
    }

    /// Drops a state that was never expanded, so that nothing refers to it.
    pub(super) fn drop(&mut self, id: Id) {
        let (index, hasher) = (id / SHARDS, &self.table.hasher);
        self.with(id % SHARDS, |shard| {
            if shard.kept[index as usize].1.packed & (CLOSED | CHEAPER) != 0 {
                // Its estimate may have changed since, and others may have been reached from it.
                return;
            }
            let hash = hasher.hash_one(&shard.kept[index as usize].0);
            if let Ok(entry) = shard.table.find_entry(hash, |&other| other == index) {
                entry.remove();
                shard.free.push(index);
            }
        });
    }

    /// A state and how it was reached.
    pub(super) fn get(&mut self, id: Id) -> (T, SearchNode) {
        self.with(id % SHARDS, |shard| shard.kept[(id / SHARDS) as usize].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_gives_back_every_cost_that_it_holds() {
        let cost = Cost::new;
        for fits in [cost(0, 0), cost(1, 2), cost(0x3FFF, 0), cost(0, 0xFFFF), cost(0x3FFF, 0xFFFF)]
        {
            assert!(SearchNode::holds(fits));
            assert_eq!(SearchNode::new(NO_PARENT, fits).cost(), fits);
        }
        assert!(!SearchNode::holds(cost(0x4000, 0)) && !SearchNode::holds(cost(0, 0x1_0000)));
    }

    #[test]
    fn dropped_states_make_room_and_expanded_ones_stay() {
        let table = StateTable::new();
        for is_alone in [true, false] {
            let mut table = table.access(is_alone);
            let reach = |table: &mut TableAccess<'_, _>, state: u32, cost: u32| {
                let cost = Cost::new(0, cost);
                let hash = table.look_up(&state);
                let reached = table.reach(state, hash, cost, NO_PARENT, true, |_| Some(()));
                reached.map(|(id, new, ())| (id, new))
            };
            let first = 10 * u32::from(is_alone);
            let (dropped, _) = reach(&mut table, first, 5).unwrap();
            table.drop(dropped);
            assert!(reach(&mut table, first, 9).unwrap().1, "it is new again");
            for (state, cheaper) in [(first + 2, false), (first + 3, true)] {
                let (id, _) = reach(&mut table, state, 5).unwrap();
                if cheaper {
                    assert_eq!(reach(&mut table, state, 4), Some((id, false)));
                } else {
                    table.close(id).unwrap();
                }
                table.drop(id);
                assert_eq!(reach(&mut table, state, 6), None, "it is still known");
            }
        }
    }
}
