//! All states that were reached, spread over shards by their hash, so that workers seldom wait for
//! each other.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, MutexGuard, PoisonError};
use unstuck_encodings::Cost;

/// A state by its number.
pub(super) type Id = u32;

/// The parent of the start.
pub(super) const NO_PARENT: Id = Id::MAX;

/// Number of shards: far more than workers.
const SHARDS: u32 = 64;

/// States beyond this number have no number of their own.
pub(super) const MOST_STATES: u64 = NO_PARENT as u64 - (1 << 24);

/// Locks, even when another worker panicked meanwhile: that panic ends the search anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a state was reached, in eight bytes: there may be a hundred million of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The state before.
    pub(super) parent: Id,
    /// Bit 31 is set when the state was expanded at this cost. Then 15 bits for the primary and
    /// 16 for the secondary count (see [`Node::holds`]).
    packed: u32,
}

const CLOSED: u32 = 1 << 31;

impl Node {
    /// Whether a node has room for a cost. A larger one must not be cut short: plans of different
    /// costs would look the same.
    pub(super) fn holds(cost: Cost) -> bool {
        cost >> 32 <= 0x7FFF && cost & 0xFFFF_FFFF <= 0xFFFF
    }

    fn new(parent: Id, cost: Cost) -> Self {
        let (high, low) = (cost >> 32, cost & 0xFFFF_FFFF);
        Self { parent, packed: (high << 16 | low) as u32 }
    }

    /// The cost of the cheapest known way here.
    pub(super) fn cost(self) -> Cost {
        Cost::from(self.packed >> 16 & 0x7FFF) << 32 | Cost::from(self.packed & 0xFFFF)
    }
}

/// The states of some hashes.
#[derive(Debug)]
struct Shard<T> {
    states: Vec<T>,
    nodes: Vec<Node>,
    table: HashTable<u32>,
}

/// Makes room by an eighth, not by doubling: the vectors hold most of the memory of a search.
fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        items.reserve_exact(items.len() / 8 + 16);
    }
    items.push(item);
}

/// The states that were reached.
#[derive(Debug)]
pub(super) struct Table<T> {
    shards: Vec<Mutex<Shard<T>>>,
    hasher: DefaultHashBuilder,
}

impl<T: Clone + Eq + Hash> Table<T> {
    pub(super) fn new() -> Self {
        let shard = |_| Shard { states: Vec::new(), nodes: Vec::new(), table: HashTable::new() };
        Self {
            shards: (0..SHARDS).map(shard).map(Mutex::new).collect(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Notes a way to a state, if it is the cheapest so far and `bound` allows the state: then
    /// its number, whether it is new, and what `bound` said.
    pub(super) fn reach<B>(
        &self,
        state: T,
        cost: Cost,
        parent: Id,
        bound: impl FnOnce(&T) -> Option<B>,
    ) -> Option<(Id, bool, B)> {
        let hash = self.hasher.hash_one(&state);
        // The table of a shard uses the lowest and the highest bits.
        let number = (hash >> 32) as u32 % SHARDS;
        let mut guard = lock(&self.shards[number as usize]);
        let shard = &mut *guard;
        let known = shard.table.find(hash, |&index| shard.states[index as usize] == state).copied();
        if known.is_some_and(|index| shard.nodes[index as usize].cost() <= cost) {
            return None;
        }
        let bound = bound(&state)?;
        let node = Node::new(parent, cost);
        let index = match known {
            Some(index) => {
                shard.nodes[index as usize] = node;
                index
            }
            None => {
                let index = shard.states.len() as u32;
                push(&mut shard.states, state);
                push(&mut shard.nodes, node);
                let (states, hasher) = (&shard.states, &self.hasher);
                shard.table.insert_unique(hash, index, |&i| hasher.hash_one(&states[i as usize]));
                index
            }
        };
        Some((index * SHARDS + number, known.is_none(), bound))
    }

    /// Takes a state for expansion, with its cost; `None` when that was done at this cost.
    pub(super) fn close(&self, id: Id) -> Option<(T, Cost)> {
        let mut guard = lock(&self.shards[(id % SHARDS) as usize]);
        let shard = &mut *guard;
        let node = &mut shard.nodes[(id / SHARDS) as usize];
        if node.packed & CLOSED != 0 {
            return None;
        }
        node.packed |= CLOSED;
        Some((shard.states[(id / SHARDS) as usize].clone(), node.cost()))
    }

    /// A state and how it was reached.
    pub(super) fn get(&self, id: Id) -> (T, Node) {
        let shard = lock(&self.shards[(id % SHARDS) as usize]);
        let index = (id / SHARDS) as usize;
        (shard.states[index].clone(), shard.nodes[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_gives_back_every_cost_that_it_holds() {
        let cost = |primary: u64, secondary: u64| primary << 32 | secondary;
        for fits in [cost(0, 0), cost(1, 2), cost(0x7FFF, 0), cost(0, 0xFFFF), cost(0x7FFF, 0xFFFF)]
        {
            assert!(Node::holds(fits));
            assert_eq!(Node::new(NO_PARENT, fits).cost(), fits);
        }
        assert!(!Node::holds(cost(0x8000, 0)) && !Node::holds(cost(0, 0x1_0000)));
    }
}
