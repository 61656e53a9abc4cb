//! What searches from both ends of a game have reached: where they meet there is a plan.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// From which end of the game a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the start, by moves.
    Forward,
    /// From the goal, by moves undone.
    Backward,
}

impl Direction {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// States that are kept for each direction; later ones are only looked up.
const MAX_STATES_PER_SIDE: usize = 500_000;

/// States of all searches of one game, from both ends, each with the state before it.
#[derive(Debug)]
pub struct Perimeter<S>([Mutex<Side<S>>; 2]);

impl<S> Default for Perimeter<S> {
    fn default() -> Self {
        Self([(); 2].map(|()| Mutex::default()))
    }
}

#[derive(Debug)]
struct Side<S> {
    /// The parent of a state stands before it; that of the first is itself.
    states: Vec<(S, u32)>,
    known: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<S> Default for Side<S> {
    fn default() -> Self {
        let hasher = DefaultHashBuilder::default();
        Self { states: Vec::new(), known: HashTable::new(), hasher }
    }
}

/// The number of a state among those of its direction.
pub(super) type StateIndex = u32;

impl<S: Clone + Eq + Hash> Perimeter<S> {
    fn side(&self, direction: Direction) -> MutexGuard<'_, Side<S>> {
        let side = &self.0[usize::from(direction == Direction::Backward)];
        side.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a state that was reached from one that was noted, or that is the beginning; `None`
    /// when there is no room.
    pub(super) fn note(
        &self,
        direction: Direction,
        state: &S,
        parent: Option<StateIndex>,
    ) -> Option<StateIndex> {
        let mut side = self.side(direction);
        if let Some(place) = side.place(state) {
            return Some(place);
        }
        let place = side.states.len() as StateIndex;
        if place as usize >= MAX_STATES_PER_SIDE {
            return None;
        }
        let hash = side.hasher.hash_one(state);
        let Side { states, known, hasher } = &mut *side;
        states.push((state.clone(), parent.unwrap_or(place)));
        known.insert_unique(hash, place, |&other| hasher.hash_one(&states[other as usize].0));
        Some(place)
    }

    /// The states from one that a search of this direction has reached to where it began, if it is
    /// noted; the state itself is left out.
    pub(super) fn way(&self, direction: Direction, state: &S) -> Option<Vec<S>> {
        let side = self.side(direction);
        let mut place = side.place(state)? as usize;
        let mut way = Vec::new();
        loop {
            let parent = side.states[place].1 as usize;
            if parent == place {
                return Some(way);
            }
            way.push(side.states[parent].0.clone());
            place = parent;
        }
    }
}

impl<S: Eq + Hash> Side<S> {
    fn place(&self, state: &S) -> Option<StateIndex> {
        let hash = self.hasher.hash_one(state);
        self.known.find(hash, |&other| self.states[other as usize].0 == *state).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_leads_back_to_where_its_search_began() {
        let perimeter = Perimeter::default();
        let mut place = None;
        for number in [1, 2, 3, 5] {
            place = perimeter.note(Direction::Backward, &number, place);
        }
        let first = perimeter.note(Direction::Backward, &2, place);
        assert_eq!(first, Some(1), "what was noted first stays");
        assert_eq!(perimeter.way(Direction::Backward, &5), Some(vec![3, 2, 1]));
        assert_eq!(perimeter.way(Direction::Backward, &1), Some(vec![]));
        assert_eq!(perimeter.way(Direction::Backward, &4), None);
        assert_eq!(perimeter.way(Direction::Forward, &5), None);
    }

    #[test]
    fn what_does_not_fit_is_looked_up_only() {
        let perimeter = Perimeter::default();
        for number in 0..MAX_STATES_PER_SIDE {
            let place = perimeter.note(Direction::Forward, &number, None);
            assert_eq!(place, Some(number as StateIndex));
        }
        assert_eq!(perimeter.note(Direction::Forward, &MAX_STATES_PER_SIDE, None), None);
        assert_eq!(perimeter.note(Direction::Forward, &7, None), Some(7));
        assert!(perimeter.note(Direction::Backward, &MAX_STATES_PER_SIDE, None).is_some());
    }
}
