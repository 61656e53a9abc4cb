//! Pieces that cannot move within a budget.

use super::field_tables::{DEAD, FieldTables, State, plus};
use super::pairs::Pairs;
use super::sets::SiteSet;
use super::store::{Hints, PAIR, shove_key};
use unstuck_encodings::bit_set::ones;
use unstuck_encodings::pieces::{Shove, Site};

/// The greatest set of pieces that hold each other, and what it leaves of the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrozenSet<const W: usize> {
    /// The pieces.
    pub pieces: u64,
    /// Their sites.
    pub sites: SiteSet<W>,
    /// The walker's part of the ground without them.
    pub part: SiteSet<W>,
}

/// Another piece of a frozen set that a shove comes into conflict with.
fn conflict<const W: usize>(
    board_pairs: &Pairs<W>,
    sites: &SiteSet<W>,
    from: Site,
    shove: &Shove,
    spare: u32,
) -> Option<u32> {
    let near = board_pairs.partners(shove.to).and(sites).without(from);
    near.iter()
        .map(|other| board_pairs.id(shove.to, other, from))
        .find(|&id| board_pairs.value(id) > spare)
}

/// The greatest set among some pieces of which no shove that wastes at most `budget` is free of a
/// conflict of two pieces inside the set.
pub(super) fn frozen<const W: usize>(
    board: &FieldTables<'_, W>,
    pairs: &Pairs<W>,
    state: &State,
    among: u64,
    budget: u32,
) -> FrozenSet<W> {
    let mut pieces = among;
    let mut sites: SiteSet<W> = state.sites(pieces);
    let mut part = board.part(&sites, state.walker);
    let mut changed = true;
    while changed && pieces != 0 {
        changed = false;
        for piece in ones(pieces) {
            let from = state.pieces()[piece];
            let free = board.shoves(from).any(|(_, shove)| {
                shove.waste <= budget
                    && part.has(shove.stand)
                    && !sites.has(shove.to)
                    && conflict(pairs, &sites, from, &shove, budget - shove.waste).is_none()
            });
            if free {
                pieces &= !(1 << piece);
                sites.remove(from);
                if board.near(from).meets(&part) {
                    board.flow(&board.ground.minus(&sites), from, &mut part);
                }
                changed = true;
            }
        }
    }
    FrozenSet { pieces, sites, part }
}

/// A smaller set that is frozen too and still holds one of the pieces that matter: pieces that do
/// not matter go first.
pub(super) fn shrink<const W: usize>(
    board: &FieldTables<'_, W>,
    pairs: &Pairs<W>,
    state: &State,
    mut set: FrozenSet<W>,
    budget: u32,
    matter: u64,
) -> FrozenSet<W> {
    let all = state.all();
    for group in [all & !matter, all] {
        for piece in ones(group) {
            if set.pieces >> piece & 1 == 1 {
                let rest = frozen(board, pairs, state, set.pieces & !(1 << piece), budget);
                if rest.pieces & matter != 0 {
                    set = rest;
                }
            }
        }
    }
    set
}

/// What covers each shove of a frozen set.
pub(super) fn hints<const W: usize>(
    board: &FieldTables<'_, W>,
    pairs: &Pairs<W>,
    state: &State,
    set: &FrozenSet<W>,
    budget: u32,
) -> Hints {
    let mut hints = Hints::new();
    for piece in ones(set.pieces) {
        let from = state.pieces()[piece];
        for (way, shove) in board.shoves(from) {
            if shove.waste <= budget && set.part.has(shove.stand) && !set.sites.has(shove.to) {
                let id = conflict(pairs, &set.sites, from, &shove, budget - shove.waste);
                let id = id.expect("a frozen set has a conflict for each shove");
                hints.push((shove_key(from, way), Box::new([id | PAIR])));
            }
        }
    }
    hints
}

/// The value of an entry that holds whatever is at most `budget`.
pub(super) fn above(budget: u32) -> u32 {
    if budget >= DEAD - 1 { DEAD } else { plus(budget, 1) }
}
