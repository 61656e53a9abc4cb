//! Reasons that need no search: pieces that stand still, and goals that cannot be served.

use super::field_tables::{DEAD, FieldTables, State};
use super::freeze::{FrozenSet, above, frozen, hints, shrink};
use super::pairs::Pairs;
use super::sets::SiteSet;
use super::store::{Entry, EntryReason};
use super::walls::{Distances, UNREACHABLE, Walls};
use unstuck_encodings::bit_set::ones;
use unstuck_encodings::matching::{INFINITE_COST, Matching};
use unstuck_encodings::pieces::Site;

/// What leaves need.
pub(super) struct Leaves<const W: usize> {
    walls: Walls<W>,
    matching: Matching,
}

impl<const W: usize> Default for Leaves<W> {
    fn default() -> Self {
        Self { walls: Walls::default(), matching: Matching::new(0) }
    }
}

/// An entry and the pieces that it names.
pub(super) type Leaf<const W: usize> = (u64, Entry<W>);

/// Pieces that do not stand still, with the rows of their distances.
struct Rows<'a> {
    pieces: Vec<usize>,
    rows: Vec<&'a [u16]>,
}

impl<'a> Rows<'a> {
    fn of<const W: usize>(
        board: &FieldTables<'_, W>,
        distances: &'a Distances,
        state: &State,
        pieces: u64,
    ) -> Self {
        let pieces: Vec<usize> = ones(pieces).collect();
        let slot = |&piece: &usize| board.field.slot(state.pieces()[piece], state.walker);
        let rows = pieces.iter().map(|piece| distances.row(slot(piece))).collect();
        Self { pieces, rows }
    }

    fn mask(&self) -> u64 {
        self.pieces.iter().fold(0, |mask, piece| mask | 1 << piece)
    }
}

impl<const W: usize> Leaves<W> {
    /// Why a state with all pieces cannot be finished within a budget: a set that is stuck, or the
    /// matching of the pieces around one that is.
    pub(super) fn stuck(
        &mut self,
        board: &FieldTables<'_, W>,
        pairs: &Pairs<W>,
        state: &State,
        budget: u32,
        matching: bool,
    ) -> Option<Leaf<W>> {
        let none = FrozenSet { pieces: 0, sites: SiteSet::EMPTY, part: SiteSet::EMPTY };
        if matching && let Some(leaf) = self.matched(board, pairs, state, &none, budget) {
            return Some(leaf);
        }
        let still = frozen(board, pairs, state, state.all(), budget);
        let off = state.all() & !state.on(&board.goals);
        if still.pieces & off != 0 {
            return Some(stuck_for_good(board, pairs, state, still, budget, off));
        }
        if still.pieces == 0 || !matching {
            return None;
        }
        self.matched(board, pairs, state, &still, budget)
    }

    /// The matching of all other pieces when those of a set, all on goals, stand still.
    fn matched(
        &mut self,
        board: &FieldTables<'_, W>,
        pairs: &Pairs<W>,
        state: &State,
        still: &FrozenSet<W>,
        budget: u32,
    ) -> Option<Leaf<W>> {
        let goals = board.field.goals.len();
        let distances = self.walls.around(board, &still.sites);
        let mut rows = Rows::of(board, &distances, state, state.all() & !still.pieces);
        let slack = board.slack(&still.sites, state.walker).unwrap_or(0);
        let mut least = |rows: &[&[u16]], slack: u32| {
            let rest = budget.saturating_sub(slack);
            slack + least_waste(&mut self.matching, rows, goals, rest)
        };
        if least(&rows.rows, slack) <= budget {
            return None;
        }
        let mut index = 0;
        while index < rows.rows.len() {
            let (piece, row) = (rows.pieces.remove(index), rows.rows.remove(index));
            if least(&rows.rows, slack) <= budget {
                rows.pieces.insert(index, piece);
                rows.rows.insert(index, row);
                index += 1;
            }
        }
        let mut still = *still;
        let others = rows.mask();
        for piece in ones(still.pieces) {
            if still.pieces >> piece & 1 == 0 {
                continue;
            }
            let fewer = frozen(board, pairs, state, still.pieces & !(1 << piece), budget);
            let slack = board.slack(&fewer.sites, state.walker).unwrap_or(0);
            let distances = self.walls.around(board, &fewer.sites);
            let rows = Rows::of(board, &distances, state, others);
            let rest = budget.saturating_sub(slack);
            if slack + least_waste(&mut self.matching, &rows.rows, goals, rest) > budget {
                still = fewer;
            }
        }
        let value = if still.pieces == 0 {
            let distances = self.walls.around(board, &SiteSet::EMPTY);
            let rows = Rows::of(board, &distances, state, others);
            least_waste(&mut self.matching, &rows.rows, goals, DEAD).min(DEAD)
        } else {
            above(budget)
        };
        let pieces = still.pieces | others;
        let sites = state.sites(pieces);
        let why = EntryReason::Matching(state.list(still.pieces));
        let part = board.part(&sites, state.walker);
        Some((pieces, Entry { sites, part, empties: SiteSet::EMPTY, value, negative: false, why }))
    }

    /// Goals that cannot be served within a budget because of pieces that stand still: names fewer
    /// than `fewer` pieces, and sites that must be empty.
    pub(super) fn unserved(
        &mut self,
        board: &FieldTables<'_, W>,
        pairs: &Pairs<W>,
        state: &State,
        budget: u32,
        fewer: u32,
    ) -> Option<Leaf<W>> {
        let still = frozen(board, pairs, state, state.all(), budget);
        if !still.sites.is_within(&board.goals) {
            return None;
        }
        let goals = &board.field.goals;
        let mut wanted: Vec<usize> =
            (0..goals.len()).filter(|&goal| !still.sites.has(goals[goal].site)).collect();
        if !self.is_unserved(board, state, &still, &wanted, budget) {
            return None;
        }
        for goal in self.by_choice(board, state, &still, &wanted, budget) {
            let rest: Vec<usize> = wanted.iter().copied().filter(|&other| other != goal).collect();
            if !rest.is_empty() && self.is_unserved(board, state, &still, &rest, budget) {
                wanted = rest;
            }
        }
        let mut still = still;
        for piece in ones(still.pieces) {
            if still.pieces >> piece & 1 == 1 {
                let rest = frozen(board, pairs, state, still.pieces & !(1 << piece), budget);
                if self.is_unserved(board, state, &rest, &wanted, budget) {
                    still = rest;
                }
            }
        }
        let distances = self.walls.around(board, &still.sites);
        let serves = |site, walker| {
            let slot = board.field.slot(site, walker);
            wanted.iter().any(|&goal| reaches(&distances, slot, goal, budget))
        };
        // From a site that the walker cannot come to he is always on the same side.
        let anywhere = still.part.first()?;
        let can_serve = |&site: &Site| {
            let mut sides = board.near(site).and(&still.part).iter().peekable();
            match sides.peek() {
                Some(_) => sides.any(|walker| serves(site, walker)),
                None => serves(site, anywhere),
            }
        };
        let near: SiteSet<W> = board.live.minus(&still.sites).iter().filter(can_serve).collect();
        let pieces = still.pieces | state.on(&near);
        if pieces.count_ones() >= fewer {
            return None;
        }
        let sites = state.sites(pieces);
        let goals = wanted.iter().map(|&goal| goals[goal].site).collect();
        let entry = Entry {
            sites,
            part: board.part(&sites, state.walker),
            empties: near.minus(&sites),
            value: above(budget),
            negative: true,
            why: EntryReason::Goals(state.list(still.pieces), goals),
        };
        Some((pieces, entry))
    }

    /// Whether goals cannot all be served by the pieces that do not stand still.
    fn is_unserved(
        &mut self,
        board: &FieldTables<'_, W>,
        state: &State,
        still: &FrozenSet<W>,
        wanted: &[usize],
        budget: u32,
    ) -> bool {
        let distances = self.walls.around(board, &still.sites);
        let rows = Rows::of(board, &distances, state, state.all() & !still.pieces);
        let served: Vec<Vec<u16>> =
            wanted.iter().map(|&goal| rows.rows.iter().map(|row| row[goal]).collect()).collect();
        let served: Vec<&[u16]> = served.iter().map(Vec::as_slice).collect();
        least_waste(&mut self.matching, &served, rows.rows.len(), budget) > budget
    }

    /// Goals in the order in which they should be left out: those that many can serve first.
    fn by_choice(
        &mut self,
        board: &FieldTables<'_, W>,
        state: &State,
        still: &FrozenSet<W>,
        wanted: &[usize],
        budget: u32,
    ) -> Vec<usize> {
        let distances = self.walls.around(board, &still.sites);
        let mut goals = wanted.to_vec();
        goals.sort_by_cached_key(|&goal| {
            let pieces = ones(state.all() & !still.pieces).filter(|&piece| {
                let slot = board.field.slot(state.pieces()[piece], state.walker);
                reaches(&distances, slot, goal, budget)
            });
            let slots = 0..board.field.slots();
            let slots = slots.filter(|&slot| reaches(&distances, slot, goal, budget));
            std::cmp::Reverse(1000 * pieces.count() + slots.count())
        });
        goals
    }
}

/// The least waste of giving each row a column of its own; [`DEAD`] when there is no way, and any
/// number above `budget` when it is above.
fn least_waste(matching: &mut Matching, rows: &[&[u16]], columns: usize, budget: u32) -> u32 {
    let costs = |row: usize| {
        let row = rows[row];
        move |column: usize| match row[column] {
            UNREACHABLE => INFINITE_COST,
            waste => i32::from(waste),
        }
    };
    matching.least_within((rows.len(), columns), costs, budget).unwrap_or(DEAD)
}

fn reaches(distances: &Distances, slot: usize, goal: usize, budget: u32) -> bool {
    let distance = distances.get(slot, goal);
    distance != UNREACHABLE && u32::from(distance) <= budget
}

/// A set with a piece off goal that holds itself: for good, if that is so, else within the budget.
fn stuck_for_good<const W: usize>(
    board: &FieldTables<'_, W>,
    pairs: &Pairs<W>,
    state: &State,
    still: FrozenSet<W>,
    budget: u32,
    off: u64,
) -> Leaf<W> {
    let always = frozen(board, pairs, state, still.pieces, DEAD - 1);
    let (set, budget) = if always.pieces & off != 0 { (always, DEAD - 1) } else { (still, budget) };
    let set = shrink(board, pairs, state, set, budget, off);
    let why = EntryReason::Shoves(hints(board, pairs, state, &set, budget));
    let value = above(budget);
    let empties = SiteSet::EMPTY;
    (set.pieces, Entry { sites: set.sites, part: set.part, empties, value, negative: false, why })
}
