//! How many pieces a state would have to change to be one of a plan.

use std::collections::HashSet;
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
}

impl NearbyStates {
    pub(super) fn new<'a, S: Space>(space: &mut S, plan: impl Iterator<Item = &'a S::State>) -> Self
    where
        S::State: 'a,
    {
        let mut near = Self { without: Default::default(), pieces: Vec::new() };
        for state in plan {
            near.pieces.clear();
            space.pieces(state, &mut near.pieces);
            let whole = sum(&near.pieces);
            if near.without[0].insert(whole) {
                for (index, &one) in near.pieces.iter().enumerate() {
                    let rest = whole.wrapping_sub(word(one));
                    near.without[1].insert(rest);
                    let others = near.pieces[index + 1..].iter();
                    near.without[2].extend(others.map(|&other| rest.wrapping_sub(word(other))));
                }
            }
        }
        near
    }

    /// In how many pieces a state differs from that of the plan to which it is nearest.
    pub(super) fn far<S: Space>(&mut self, space: &mut S, state: &S::State) -> u8 {
        self.pieces.clear();
        space.pieces(state, &mut self.pieces);
        let whole = sum(&self.pieces);
        let [none, one, two] = &self.without;
        if none.contains(&whole) {
            return 0;
        }
        let mut rests = self.pieces.iter().map(|&piece| whole.wrapping_sub(word(piece)));
        if rests.any(|rest| one.contains(&rest)) {
            return 1;
        }
        let pair = self.pieces.iter().enumerate().any(|(index, &piece)| {
            let rest = whole.wrapping_sub(word(piece));
            let others = self.pieces[index + 1..].iter();
            others.map(|&other| rest.wrapping_sub(word(other))).any(|rest| two.contains(&rest))
        });
        if pair { 2 } else { FAR_PIECES }
    }
}

fn sum(pieces: &[u32]) -> u64 {
    pieces.iter().fold(0, |sum, &piece| sum.wrapping_add(word(piece)))
}

/// A number that looks random (the finalizer of SplitMix64).
fn word(piece: u32) -> u64 {
    let mut word = u64::from(piece).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}
