//! How many pieces a state would have to change to be one of a plan.

use hashbrown::HashSet;
use unstuck_encodings::Space;

/// So many pieces, or more.
const FAR_PIECES: u8 = 3;

/// The states of a plan, with up to two pieces taken away. A set of pieces is known by the sum of
/// numbers that stand for them: two sets that share a sum make a state look nearer than it is,
/// nothing worse.
pub(super) struct NearbyStates {
    /// With no piece, one piece and two pieces taken away.
    without: [HashSet<u64>; FAR_PIECES as usize],
    pieces: Vec<u32>,
    /// What stands for each of them.
    words: Vec<u64>,
}

impl NearbyStates {
    pub(super) fn new<'a, S: Space>(space: &mut S, plan: impl Iterator<Item = &'a S::State>) -> Self
    where
        S::State: 'a,
    {
        let mut near = Self { without: Default::default(), pieces: Vec::new(), words: Vec::new() };
        for state in plan {
            let whole = near.sum(space, state);
            let [none, one, two] = &mut near.without;
            if none.insert(whole) {
                for (index, &first) in near.words.iter().enumerate() {
                    let rest = whole.wrapping_sub(first);
                    one.insert(rest);
                    two.extend(
                        near.words[index + 1..].iter().map(|&other| rest.wrapping_sub(other)),
                    );
                }
            }
        }
        near
    }

    /// In how many pieces a state differs from that of the plan to which it is nearest.
    pub(super) fn far<S: Space>(&mut self, space: &mut S, state: &S::State) -> u8 {
        let whole = self.sum(space, state);
        let [none, one, two] = &self.without;
        if none.contains(&whole) {
            return 0;
        }
        if self.words.iter().any(|&word| one.contains(&whole.wrapping_sub(word))) {
            return 1;
        }
        let pair = self.words.iter().enumerate().any(|(index, &first)| {
            let rest = whole.wrapping_sub(first);
            self.words[index + 1..].iter().any(|&other| two.contains(&rest.wrapping_sub(other)))
        });
        if pair { 2 } else { FAR_PIECES }
    }

    /// The number of a state; those of its pieces are left in `words`.
    fn sum<S: Space>(&mut self, space: &mut S, state: &S::State) -> u64 {
        self.pieces.clear();
        space.pieces(state, &mut self.pieces);
        self.words.clear();
        self.words.extend(self.pieces.iter().map(|&piece| word(piece)));
        self.words.iter().fold(0, |sum, &word| sum.wrapping_add(word))
    }
}

/// A number that looks random (the finalizer of SplitMix64).
fn word(piece: u32) -> u64 {
    let mut word = u64::from(piece).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}
