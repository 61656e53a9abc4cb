//! A level for feature-space search: how far the win conditions are from holding, and what sets
//! states apart.
//!
//! A macro move is one input. An advisor names it if nothing but players has moved, or if there is
//! something in a place where no state of the same features had it. A state that was offered once is
//! not offered again, whichever way leads to it; otherwise nothing is left out.

use crate::features::{Choice, FeatureSpace, Features, TurnRule};
use crate::puzzlescript::PuzzleScriptSpace;
use crate::puzzlescript::guide::Guide;
use crate::puzzlescript::machine::packing::{Packing, Store};
use crate::space::{PackingError, Space};
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use unstuck_puzzles::Objective;
use unstuck_puzzles::puzzlescript::{Input, PuzzleScript};

/// The states of a level with features, in words `S`; see [`PuzzleScriptSpace`].
#[derive(Clone, Debug)]
pub struct PuzzleScriptFeatures<S, const N: usize> {
    space: PuzzleScriptSpace<S, N>,
    guide: Guide,
    look: Look,
    /// Hashes of the states that were offered, so that each is once, and after how many inputs.
    offered: HashMap<u64, u32, FixedState>,
    hasher: FixedState,
    /// What was seen where, for each cell of the feature space: a bit for each option of a field.
    seen: HashMap<Features, Box<[u64]>, FixedState>,
}

/// What a variant looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    /// Whether states with other numbers of objects are kept apart.
    counts: bool,
    /// The same for boards that fall into other numbers of regions.
    regions: bool,
    /// Whether the newest state comes first, rather than the one with fewest inputs.
    newest: bool,
    /// Whether nothing counts but how far the conditions are from holding.
    greedy: bool,
    /// Chooses among equals; 0 leaves them as they are.
    seed: u64,
}

impl Look {
    fn of(variant: u32) -> Self {
        // The lowest bit says for how long a variant is searched; what needs some thousand states
        // comes first among the long ones.
        let look = (variant / 2 + variant % 2 * 3) % 5;
        let (counts, regions) = (matches!(look, 0 | 2), look == 2);
        let (newest, greedy) = (look == 1, look == 3);
        Self { counts, regions, newest, greedy, seed: u64::from(variant / 10) }
    }

    /// Which state comes first among equals: less is better.
    fn tie(self, hash: u64, inputs: u32) -> u32 {
        let noise = match self.seed {
            0 => 0,
            seed => ((hash ^ seed.wrapping_mul(NOISE)).wrapping_mul(NOISE) >> 62) as u32,
        };
        if self.newest { noise } else { inputs.saturating_add(noise) }
    }
}

/// An odd number without a pattern.
const NOISE: u64 = 0x9E37_79B9_7F4A_7C15;

impl<S: Store, const N: usize> PuzzleScriptFeatures<S, N> {
    /// Whether a state has something in a place where no state with its features had it; from now on
    /// it has been seen.
    fn is_novel(&mut self, features: Features, words: &[u64]) -> bool {
        let packing = self.space.packing();
        let options = packing.options();
        let seen = self.seen.entry(features);
        let seen = seen.or_insert_with(|| vec![0; options.div_ceil(64)].into());
        let mut novel = 0;
        for option in packing.chosen(words) {
            novel |= !seen[option / 64] & 1 << (option % 64);
            seen[option / 64] |= 1 << (option % 64);
        }
        novel != 0
    }
}

impl<S: Store + 'static, const N: usize> FeatureSpace for PuzzleScriptFeatures<S, N> {
    type Puzzle = PuzzleScript;
    type State = S;
    /// The state that it leads to.
    type Macro = S;
    const LEAVES_OUT: bool = false;

    fn new(puzzle: &PuzzleScript, variant: u32) -> Result<Self, PackingError> {
        let space = PuzzleScriptSpace::<S, N>::new(puzzle, Objective::Moves)?;
        let guide = Guide::new(puzzle, &space.machine, space.packing());
        let hasher = FixedState::default();
        let offered = HashMap::from_iter([(hasher.hash_one(space.start()), 0)]);
        let (look, seen) = (Look::of(variant), HashMap::default());
        Ok(Self { space, guide, look, offered, hasher, seen })
    }

    fn turns(&self) -> TurnRule {
        if self.look.greedy { TurnRule::Greedy } else { TurnRule::BestCell }
    }

    fn start(&self) -> S {
        self.space.start()
    }

    fn features(&mut self, state: &S) -> Features {
        let (packing, words) = (self.space.packing(), state.as_ref());
        if Packing::is_won(words) {
            return [0; 4];
        }
        let far = self.guide.distance(packing, words).clamp(1, u32::from(u16::MAX)) as u16;
        let Look { counts, regions, .. } = self.look;
        let regions = if regions { self.guide.regions(packing, words) } else { 0 };
        let counts = if counts { self.guide.counts(packing, words) } else { 0 };
        [far, regions, counts, 0]
    }

    fn is_goal(&self, state: &S) -> bool {
        self.space.is_goal(state)
    }

    fn is_doomed(&mut self, state: &S) -> bool {
        self.space.bound(state).is_none()
    }

    fn choices(&mut self, state: &S, choices: &mut Vec<Choice<S>>) {
        let inputs = self.offered.get(&self.hasher.hash_one(state)).map_or(0, |inputs| inputs + 1);
        self.space.set_up(state);
        for number in 0..self.space.machine.program().inputs.len() {
            let input = self.space.machine.program().inputs[number];
            let Some((next, _)) = self.space.after(state, input) else { continue };
            let hash = self.hasher.hash_one(&next);
            let Entry::Vacant(entry) = self.offered.entry(hash) else { continue };
            entry.insert(inputs);
            let features = self.features(&next);
            let (before, after) = (state.as_ref(), next.as_ref());
            let advised = self.look.greedy
                || self.is_novel(features, after)
                || self.guide.is_walk(self.space.packing(), before, after);
            let tie = self.look.tie(hash, inputs);
            choices.push(Choice { mv: next, features, tie, advised });
        }
    }

    fn after(&mut self, _state: &S, next: S) -> S {
        next
    }

    fn plan(&mut self, path: &[S]) -> Vec<Input> {
        self.space.plan(path)
    }
}
