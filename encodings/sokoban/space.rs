//! Packed states for explicit search, with deadlock tests and the matching bound.
//!
//! An edge is a push together with the walk to it. When only pushes count, the player's place is
//! known up to walking: the least spot of its region stands for all. When moves count, too, the
//! place is exact, and an edge costs its walk.

use super::bounds::{Bounds, Push};
use super::graph::{Slot, Spot};
use super::pulls::moves_left::MovesLeft;
use crate::cost::Cost;
use crate::matching::Matching;
use crate::space::{CostTable, PackingError, Space};
use unstuck_puzzles::grid::{Cell, Direction};
use unstuck_puzzles::sokoban::{Sokoban, State};
use unstuck_puzzles::{Objective, Tally};

/// A position: a bit for each spot that can hold a box, and the player's spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedState<const WORDS: usize> {
    boxes: [u32; WORDS],
    player: u16,
}

impl<const WORDS: usize> PackedState<WORDS> {
    fn flip(&mut self, bit: usize) {
        self.boxes[bit / 32] ^= 1 << (bit % 32);
    }

    /// The bits that are set, in increasing order.
    fn bits(self) -> impl Iterator<Item = usize> {
        (0..WORDS).flat_map(move |word| {
            let mut rest = self.boxes[word];
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.checked_sub(1)?;
                Some(word * 32 + bit)
            })
        })
    }
}

/// The state space of a level with at most `32 * WORDS` spots that can hold a box.
#[derive(Clone, Debug)]
pub struct SokobanSpace<const WORDS: usize> {
    bounds: Bounds,
    objective: Objective,
    /// The spot of each bit, and back.
    spots: Vec<Spot>,
    bits: Vec<Option<u16>>,
    matching: Matching,
    position: UnpackedState,
    /// The successors whose region has to be walked.
    unclear: Vec<usize>,
}

/// A position unpacked, in memory that is used again and again.
#[derive(Clone, Debug, Default)]
struct UnpackedState {
    boxes: Vec<Spot>,
    slots: Vec<Slot>,
    has_box: Vec<bool>,
    player: Spot,
    /// Steps of the shortest walk to each spot.
    steps: Vec<u32>,
    /// Where the walk has come, in the order of steps.
    walked: Vec<Spot>,
    frozen: Vec<bool>,
}

/// Steps to a spot that cannot be walked to.
const UNREACHABLE: u32 = u32::MAX;

impl UnpackedState {
    fn new(spots: usize) -> Self {
        Self {
            has_box: vec![false; spots],
            steps: vec![UNREACHABLE; spots],
            frozen: vec![false; spots],
            ..Self::default()
        }
    }

    fn place(&mut self, boxes: impl Iterator<Item = Spot>, player: Spot) {
        for &old in &self.boxes {
            self.has_box[old] = false;
        }
        self.boxes.clear();
        self.boxes.extend(boxes);
        for &new in &self.boxes {
            self.has_box[new] = true;
        }
        self.player = player;
    }

    /// Walks everywhere and counts steps; returns the least spot that was reached.
    fn walk(&mut self, bounds: &Bounds) -> Spot {
        self.steps.fill(UNREACHABLE);
        self.steps[self.player] = 0;
        self.walked.clear();
        self.walked.push(self.player);
        let mut least = self.player;
        let mut done = 0;
        while let Some(&spot) = self.walked.get(done) {
            done += 1;
            least = least.min(spot);
            for next in bounds.floor().around(spot) {
                if !self.has_box[next] && self.steps[next] == UNREACHABLE {
                    self.steps[next] = self.steps[spot] + 1;
                    self.walked.push(next);
                }
            }
        }
        least
    }

    /// The least spot of the player's region after a push, where that shows without another walk;
    /// `least` is that of the position, which has been walked.
    ///
    /// The region gains the spot that the box leaves, and no more if nothing around it is new. It
    /// loses the spot that the box comes to, and stays in one piece if its spots next to that one
    /// are connected around it.
    fn least_after(&self, push: &Push, least: Spot, bounds: &Bounds) -> Option<Spot> {
        let floor = bounds.floor();
        let is_inside = |spot: Spot| spot == push.from || self.steps[spot] != UNREACHABLE;
        let is_new = |spot: Spot| spot != push.to && !self.has_box[spot] && !is_inside(spot);
        if push.to == least || floor.around(push.from).any(is_new) {
            return None;
        }
        if is_inside(push.to) {
            let sides = Direction::ALL
                .map(|direction| floor.ahead(push.to, direction).filter(|&side| is_inside(side)));
            let corners = (0..4).filter(|&side| {
                let next = (side + 1) % 4;
                let corner = sides[side].and_then(|spot| floor.ahead(spot, Direction::ALL[next]));
                sides[next].is_some() && corner.is_some_and(is_inside)
            });
            if corners.count() + 1 < sides.iter().flatten().count() {
                return None;
            }
        }
        Some(least.min(push.from))
    }

    /// Whether a box off goal can never be pushed again.
    ///
    /// The greatest set of boxes each of which is held, on both axes, by walls, by dead cells or
    /// by boxes of the set. It contains every 2x2 block.
    fn is_frozen(&mut self, bounds: &Bounds) -> bool {
        for &at in &self.boxes {
            self.frozen[at] = true;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.boxes.len() {
                let at = self.boxes[index];
                if self.frozen[at] && self.can_move(at, bounds) {
                    self.frozen[at] = false;
                    changed = true;
                }
            }
        }
        let mut lost = false;
        for &at in &self.boxes {
            lost |= self.frozen[at] && !bounds.floor().is_goal(at);
            self.frozen[at] = false;
        }
        lost
    }

    /// Whether a box could be pushed to a live slot once all boxes that are not frozen are away.
    fn can_move(&self, at: Spot, bounds: &Bounds) -> bool {
        Direction::ALL.into_iter().any(|direction| {
            bounds.push(at, direction).is_some_and(|push| {
                bounds.is_live(push.after) && !self.frozen[push.to] && !self.frozen[push.behind]
            })
        })
    }
}

impl<const WORDS: usize> SokobanSpace<WORDS> {
    fn unpack_position(&mut self, state: &PackedState<WORDS>) {
        let spots = &self.spots;
        self.position.place(state.bits().map(|bit| spots[bit]), usize::from(state.player));
    }

    fn bit(&self, spot: Spot) -> usize {
        usize::from(self.bits[spot].expect("pushes lead to spots that can hold a box"))
    }

    /// Whether the player's place is known up to walking only.
    fn is_by_regions(&self) -> bool {
        matches!(self.objective, Objective::Pushes | Objective::Any)
    }

    /// A walk of the player in the position as directions.
    fn walk_to(&mut self, to: Spot) -> Vec<Direction> {
        self.position.walk(&self.bounds);
        let (floor, steps) = (self.bounds.floor(), &self.position.steps);
        let mut walk = Vec::new();
        let mut at = to;
        while steps[at] > 0 {
            let back = |direction: Direction| {
                let previous = floor.ahead(at, direction.opposite())?;
                (steps[previous] < steps[at]).then_some((direction, previous))
            };
            let (direction, previous) = Direction::ALL
                .into_iter()
                .find_map(back)
                .expect("every reached spot has a predecessor");
            walk.push(direction);
            at = previous;
        }
        walk.reverse();
        walk
    }
}

impl<const WORDS: usize> Space for SokobanSpace<WORDS> {
    type Puzzle = Sokoban;
    type State = PackedState<WORDS>;
    const BOUND: Option<&'static str> = Some("sided-matching-and-freeze");

    fn new(puzzle: &Sokoban, objective: Objective) -> Result<Self, PackingError> {
        let bounds = Bounds::new(puzzle);
        let spots: Vec<Spot> =
            (0..bounds.floor().len()).filter(|&spot| bounds.may_hold_box(spot)).collect();
        if spots.len() > 32 * WORDS {
            let message =
                format!("{} cells can hold a box, at most {} fit", spots.len(), 32 * WORDS);
            return Err(PackingError(message));
        }
        let mut bits = vec![None; bounds.floor().len()];
        for (bit, &spot) in (0u16..).zip(&spots) {
            bits[spot] = Some(bit);
        }
        let matching = Matching::new(bounds.floor().goals().len());
        let position = UnpackedState::new(bounds.floor().len());
        Ok(Self { bounds, objective, spots, bits, matching, position, unclear: Vec::new() })
    }

    fn start(&self) -> Self::State {
        let floor = self.bounds.floor();
        let mut state = PackedState { boxes: [0; WORDS], player: floor.player() as u16 };
        floor.boxes().iter().for_each(|&at| state.flip(self.bit(at)));
        if self.is_by_regions() {
            let region = floor.flood(floor.player(), |spot| floor.boxes().contains(&spot));
            let least = region.iter().position(|&reached| reached);
            state.player = least.unwrap_or(floor.player()) as u16;
        }
        state
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        state.bits().all(|bit| self.bounds.floor().is_goal(self.spots[bit]))
    }

    fn expand(&mut self, state: &Self::State, successors: &mut Vec<(Self::State, Cost)>) {
        self.unpack_position(state);
        let least = self.position.walk(&self.bounds);
        let mut unclear = std::mem::take(&mut self.unclear);
        for &at in &self.position.boxes {
            for direction in Direction::ALL {
                let Some(push) = self.bounds.push(at, direction) else { continue };
                let steps = self.position.steps[push.behind];
                if steps == UNREACHABLE || self.position.has_box[push.to] {
                    continue;
                }
                let mut next = PackedState { player: at as u16, ..*state };
                next.flip(self.bit(at));
                next.flip(self.bit(push.to));
                // Regions do not know how far a walk is.
                let mut moves = 1;
                if self.is_by_regions() {
                    match self.position.least_after(push, least, &self.bounds) {
                        Some(least) => next.player = least as u16,
                        None => unclear.push(successors.len()),
                    }
                } else {
                    moves += steps;
                }
                let tally = Tally { moves, pushes: 1 };
                successors.push((next, Cost::of(self.objective, tally)));
            }
        }
        for index in unclear.drain(..) {
            let next = &mut successors[index].0;
            self.unpack_position(next);
            next.player = self.position.walk(&self.bounds) as u16;
        }
        self.unclear = unclear;
    }

    fn bound(&mut self, state: &Self::State) -> Option<Cost> {
        self.unpack_position(state);
        let Self { bounds, position, matching, .. } = self;
        position.slots.clear();
        let slots = position.boxes.iter().map(|&at| bounds.sides().slot(at, position.player));
        position.slots.extend(slots);
        if !position.slots.iter().all(|&slot| bounds.is_live(slot)) || position.is_frozen(bounds) {
            return None;
        }
        let pushes = bounds.pushes_to_come(&position.slots, matching)?;
        // Every push is a move.
        Some(Cost::of(self.objective, Tally { moves: pushes, pushes }))
    }

    fn pieces(&mut self, state: &Self::State, pieces: &mut Vec<u32>) {
        pieces.extend(state.bits().map(|bit| bit as u32));
    }

    /// Where moves count and nothing else.
    fn table(
        &self,
        most: usize,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Option<CostTable<Self::State>> {
        if self.objective != Objective::Moves {
            return None;
        }
        let left = MovesLeft::new(&self.bounds, most, wanted)?;
        let spots = self.spots.clone();
        Some(Box::new(move |state| {
            let boxes = state.bits().map(|bit| spots[bit]);
            let moves = u32::from(left.get(boxes, state.player.into())?);
            Some(Cost::of(Objective::Moves, Tally { moves, pushes: 0 }))
        }))
    }

    fn pack(&self, state: &State) -> Option<Self::State> {
        let floor = self.bounds.floor();
        let mut packed =
            PackedState { boxes: [0; WORDS], player: floor.spot(state.player)? as u16 };
        let (inside, outside): (Vec<_>, Vec<_>) =
            state.boxes.iter().partition(|&&cell| floor.spot(cell).is_some());
        if !outside.iter().copied().eq(floor.scenery()) {
            return None;
        }
        for &cell in inside {
            packed.flip(usize::from(self.bits[floor.spot(cell)?]?));
        }
        if self.is_by_regions() {
            let has_box = |spot: Spot| state.has_box(floor.cell(spot));
            let region = floor.flood(usize::from(packed.player), has_box);
            packed.player = region.iter().position(|&reached| reached)? as u16;
        }
        Some(packed)
    }

    fn unpack(&self, state: &Self::State) -> State {
        let floor = self.bounds.floor();
        let inside = state.bits().map(|bit| floor.cell(self.spots[bit]));
        let mut boxes: Vec<Cell> = inside.chain(floor.scenery().iter().copied()).collect();
        boxes.sort_unstable();
        State { boxes, player: floor.cell(usize::from(state.player)) }
    }

    fn plan(&mut self, path: &[Self::State]) -> Vec<Direction> {
        let mut plan = Vec::new();
        let mut player = self.bounds.floor().player();
        for pair in path.windows(2) {
            self.unpack_position(&pair[0]);
            self.position.player = player;
            let gone = pair[0].bits().find(|bit| pair[1].bits().all(|other| other != *bit));
            let come = pair[1].bits().find(|bit| pair[0].bits().all(|other| other != *bit));
            let (from, to) = gone
                .zip(come)
                .map(|(gone, come)| (self.spots[gone], self.spots[come]))
                .expect("every edge pushes one box");
            let push = Direction::ALL
                .into_iter()
                .filter_map(|direction| self.bounds.push(from, direction))
                .find(|push| push.to == to)
                .copied()
                .expect("a box goes one cell a push");
            plan.extend(self.walk_to(push.behind));
            plan.push(push.direction);
            player = from;
        }
        plan
    }
}
