//! Packed positions for explicit search.
//!
//! Where walking is free, one ball action is an edge and the player is known by the part of the
//! floor that it can walk to. A step through a teleporter is an edge of its own that costs
//! nothing: its exit may be shut in, so that it cannot always be taken back. Where moves count,
//! each move is an edge.
//!
//! With `SYMMETRIC`, positions that a symmetry of the floor maps onto each other are one state.
//! That saves a search up to the order of the group; certificates list positions one by one and
//! do without.

use super::bounds::{BoundParts, Bounds, NAME};
use super::graph::Ball;
use super::graph::{Floor, Push, Spot};
use super::packing::{PackedState, Packing, UnpackedState};
use crate::cost::Cost;
use crate::space::{PackingError, Space};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::snowman::{Move, Size, Snowman, Stack, State};
use unstuck_puzzles::{Moves, Objective, Tally};

/// What the bounds of children are made from, and what all other bounds are.
type BoundInputs<const L: usize> = [BoundParts<L>; 2];

/// The bound for the width that the board needs: fewer bytes cost less.
#[derive(Clone, Debug)]
enum AnyBounds {
    Narrow(Bounds<32>, BoundInputs<32>),
    Middle(Bounds<48>, BoundInputs<48>),
    Wide(Bounds<64>, BoundInputs<64>),
    Wider(Bounds<96>, BoundInputs<96>),
    Widest(Bounds<128>, BoundInputs<128>),
}

impl AnyBounds {
    fn new(puzzle: &Snowman, floor: &Floor) -> Option<Self> {
        Some(match floor.grounds() {
            0..=32 => Self::Narrow(Bounds::new(puzzle, floor)?, BoundInputs::default()),
            33..=48 => Self::Middle(Bounds::new(puzzle, floor)?, BoundInputs::default()),
            49..=64 => Self::Wide(Bounds::new(puzzle, floor)?, BoundInputs::default()),
            65..=96 => Self::Wider(Bounds::new(puzzle, floor)?, BoundInputs::default()),
            _ => Self::Widest(Bounds::new(puzzle, floor)?, BoundInputs::default()),
        })
    }

    /// The bound of a position; of a parent so that its children can be looked at by
    /// [`AnyBounds::moved`].
    fn bound(&mut self, balls: &[Ball], snow: &[u8], is_parent: bool) -> Option<u32> {
        let at = usize::from(!is_parent);
        match self {
            Self::Narrow(bounds, inputs) => bounds.bound(balls, snow, &mut inputs[at]),
            Self::Middle(bounds, inputs) => bounds.bound(balls, snow, &mut inputs[at]),
            Self::Wide(bounds, inputs) => bounds.bound(balls, snow, &mut inputs[at]),
            Self::Wider(bounds, inputs) => bounds.bound(balls, snow, &mut inputs[at]),
            Self::Widest(bounds, inputs) => bounds.bound(balls, snow, &mut inputs[at]),
        }
    }

    fn moved(&mut self, balls: &[Ball], snow: &[u8], from: Ball, to: Ball) -> Option<Option<u32>> {
        match self {
            Self::Narrow(bounds, [parent, _]) => bounds.moved(parent, balls, snow, from, to),
            Self::Middle(bounds, [parent, _]) => bounds.moved(parent, balls, snow, from, to),
            Self::Wide(bounds, [parent, _]) => bounds.moved(parent, balls, snow, from, to),
            Self::Wider(bounds, [parent, _]) => bounds.moved(parent, balls, snow, from, to),
            Self::Widest(bounds, [parent, _]) => bounds.moved(parent, balls, snow, from, to),
        }
    }
}

/// A state that the last expansion led to by a push.
#[derive(Clone, Copy, Debug)]
struct Child<const W: usize> {
    words: PackedState<W>,
    /// Which ball was pushed.
    ball: usize,
    to: Ball,
}

/// What the last expansion leaves behind for the bounds of its children.
#[derive(Clone, Debug)]
struct Family<const W: usize> {
    parent: UnpackedState,
    /// The children with the snow of the parent.
    children: Vec<Child<W>>,
    /// The next child to be asked for, most likely.
    next: usize,
    /// The snow of the parent, once its bound was looked at so that neighbours are cheap.
    snow: Option<Vec<u8>>,
}

/// The state space of a level; states are `W` words.
#[derive(Clone, Debug)]
pub struct SnowmanSpace<const W: usize, const SYMMETRIC: bool> {
    floor: Floor,
    packing: Packing<W>,
    bounds: AnyBounds,
    start: UnpackedState,
    objective: Objective,
    dismantle: bool,
    family: Family<W>,
    /// Memory for the snow of the position that is looked at.
    snow: Vec<u8>,
}

/// What a push does.
#[derive(Clone, Copy, Debug)]
struct PushResult {
    position: UnpackedState,
    ball: usize,
}

impl<const W: usize, const SYMMETRIC: bool> SnowmanSpace<W, SYMMETRIC> {
    /// Whether walking is free, so that the player is known by its region.
    fn free_walks(&self) -> bool {
        self.objective == Objective::Pushes
    }

    /// The cells among which the player's place is not distinguished.
    fn region(&self, position: &UnpackedState) -> u128 {
        if self.free_walks() {
            self.packing.region(position.player, self.packing.occupied(position))
        } else {
            self.packing.mask(position.player)
        }
    }

    fn pack_position(&self, position: &UnpackedState) -> PackedState<W> {
        self.packing.pack(position, self.region(position))
    }

    /// Makes a push from the spot behind, if what lies there allows it.
    fn push(&self, position: &UnpackedState, push: Push) -> Option<PushResult> {
        let (behind, beyond) = (self.floor.behind(push)?, self.floor.beyond(push)? as u8);
        let balls = &position.balls[..self.packing.balls()];
        let stack = |spot: u8| {
            let here = balls.iter().filter(|ball| ball.spot == spot);
            here.fold(0u8, |stack, ball| stack | 1 << ball.size)
        };
        let (stack, onto) = (stack(push.at as u8), stack(beyond));
        let single = stack.is_power_of_two();
        let climbs = onto == 0 || single && onto & onto.wrapping_neg() > stack;
        if stack == 0 || !climbs || stack == 7 && !self.dismantle {
            return None;
        }
        let top = stack.trailing_zeros() as u8;
        let ball = balls.iter().position(|it| *it == Ball { spot: push.at as u8, size: top })?;
        let snow = self.packing.snow_bit(beyond) & position.snow;
        let mut position = *position;
        position.snow &= !snow;
        let size = if snow != 0 { (top + 1).min(2) } else { top };
        position.balls[ball] = Ball { spot: beyond, size };
        position.player = if single { push.at as u8 } else { behind as u8 };
        Some(PushResult { position, ball })
    }

    /// All pushes from a region, with the spot that each is made from.
    fn pushes(&self, position: &UnpackedState, region: u128) -> impl Iterator<Item = (Push, Spot)> {
        let mut stacks = [0u8; super::packing::MAX_BALLS];
        let mut count = 0;
        for ball in &position.balls[..self.packing.balls()] {
            if !stacks[..count].contains(&ball.spot) {
                stacks[count] = ball.spot;
                count += 1;
            }
        }
        (0..count).flat_map(move |index| {
            Direction::ALL.into_iter().filter_map(move |direction| {
                let push = Push { at: usize::from(stacks[index]), direction };
                let behind = self.floor.behind(push)?;
                (self.packing.mask(behind as u8) & region != 0).then_some((push, behind))
            })
        })
    }

    /// Walks that are edges of their own: with free walks the steps that involve a teleporter,
    /// else all steps. Each with the spot that it is made from.
    fn strolls(&self, position: &UnpackedState, region: u128) -> Vec<(Spot, Move, Spot)> {
        let occupied = self.packing.occupied(position);
        let blocked = |spot: Spot| self.packing.mask(spot as u8) & occupied != 0;
        let from: Vec<Spot> = if !self.free_walks() {
            vec![usize::from(position.player)]
        } else if self.floor.teleporters().is_empty() {
            Vec::new()
        } else {
            let inside = |&spot: &Spot| self.packing.mask(spot as u8) & region != 0;
            (0..self.floor.len()).filter(inside).collect()
        };
        let steps = from
            .into_iter()
            .flat_map(|spot| self.floor.strolls(spot, blocked).map(move |(mv, to)| (spot, mv, to)));
        let is_edge = |&(from, mv, _): &(Spot, Move, Spot)| {
            !self.free_walks() || mv.exit.is_some() || !self.floor.takes_balls(from)
        };
        steps.filter(is_edge).collect()
    }

    /// The cells with snow.
    fn snow(&self, bits: u128) -> Vec<u8> {
        let mut snow = Vec::new();
        self.list_snow(bits, &mut snow);
        snow
    }

    fn list_snow(&self, bits: u128, snow: &mut Vec<u8>) {
        snow.clear();
        let mut rest = bits;
        while rest != 0 {
            snow.push(self.packing.snow_spots()[rest.trailing_zeros() as usize]);
            rest &= rest - 1;
        }
    }

    /// The bound on pushes of a child of the last expansion, if it is one.
    fn bound_of_child(&mut self, words: &PackedState<W>) -> Option<Option<u32>> {
        let ahead = &self.family.children[self.family.next..];
        let offset = ahead.iter().position(|child| child.words == *words)?;
        self.family.next += offset + 1;
        let Child { ball, to, .. } = self.family.children[self.family.next - 1];
        let parent = self.family.parent;
        let count = self.packing.balls();
        if self.family.snow.is_none() {
            let snow = self.snow(parent.snow);
            if self.bounds.bound(&parent.balls[..count], &snow, true).is_none() {
                // The neighbours of a dead position are never needed; they are recomputed.
                self.family.children.clear();
                self.family.next = 0;
                return None;
            }
            self.family.snow = Some(snow);
        }
        let mut balls = parent.balls;
        balls[ball] = to;
        let snow = self.family.snow.as_ref()?;
        self.bounds.moved(&balls[..count], snow, parent.balls[ball], to)
    }

    fn recompute_bound(&mut self, words: &PackedState<W>) -> Option<u32> {
        let position = self.packing.unpack(words);
        let mut snow = std::mem::take(&mut self.snow);
        self.list_snow(position.snow, &mut snow);
        let bound = self.bounds.bound(&position.balls[..self.packing.balls()], &snow, false);
        self.snow = snow;
        bound
    }

    fn position(&self, state: &State) -> Option<UnpackedState> {
        let spot = |cell| self.floor.spot(cell).map(|spot| spot as u8);
        let mut position =
            UnpackedState { balls: Default::default(), snow: 0, player: spot(state.player)? };
        let balls = state
            .stacks
            .iter()
            .flat_map(|(&at, stack)| stack.balls().map(move |size| (at, size as u8)));
        let mut count = 0;
        for (at, size) in balls {
            *position.balls.get_mut(count)? = Ball { spot: spot(at)?, size };
            count += 1;
        }
        for &cell in &state.snow {
            let bit = self.packing.snow_bit(spot(cell)?);
            if bit == 0 {
                return None;
            }
            position.snow |= bit;
        }
        (count == self.packing.balls()).then_some(position)
    }

    /// The moves from a real position into the class of the next state, with the real position
    /// that they lead to; the shortest such moves.
    fn follow(&self, from: &UnpackedState, next: &PackedState<W>) -> (Vec<Move>, UnpackedState) {
        let region = self.region(from);
        let occupied = self.packing.occupied(from);
        let blocked = |spot: Spot| self.packing.mask(spot as u8) & occupied != 0;
        let pushes = self.pushes(from, region).filter_map(|(push, behind)| {
            let mv = Move { direction: push.direction, exit: None };
            Some((behind, mv, self.push(from, push)?.position))
        });
        let strolls = self
            .strolls(from, region)
            .into_iter()
            .map(|(spot, mv, to)| (spot, mv, UnpackedState { player: to as u8, ..*from }));
        let fits =
            |(_, _, position): &(Spot, Move, UnpackedState)| self.pack_position(position) == *next;
        let ways = pushes.chain(strolls).filter(fits).filter_map(|(spot, mv, position)| {
            // Inside a region no teleporter is needed.
            let shut = |s: Spot| blocked(s) || !self.floor.takes_balls(s);
            let mut moves = self.floor.walk(usize::from(from.player), spot, shut)?;
            moves.push(mv);
            Some((moves, position))
        });
        ways.min_by_key(|(moves, _)| moves.len()).expect("a path follows the edges of expand")
    }
}

impl<const W: usize, const SYMMETRIC: bool> Space for SnowmanSpace<W, SYMMETRIC> {
    type Puzzle = Snowman;
    type State = PackedState<W>;
    const BOUND: Option<&'static str> = Some(NAME);

    fn new(puzzle: &Snowman, objective: Objective) -> Result<Self, PackingError> {
        let floor = Floor::new(puzzle);
        let packing = Packing::new(puzzle, &floor, SYMMETRIC)?;
        let bounds = AnyBounds::new(puzzle, &floor)
            .ok_or_else(|| PackingError("too large a board for the bound".to_owned()))?;
        let nowhere = UnpackedState { balls: Default::default(), snow: 0, player: 0 };
        let mut space = Self {
            floor,
            packing,
            bounds,
            start: nowhere,
            // Any plan will do: few ball actions are the surest way to one.
            objective: if objective == Objective::Any { Objective::Pushes } else { objective },
            dismantle: puzzle.dismantle(),
            family: Family { parent: nowhere, children: Vec::new(), next: 0, snow: None },
            snow: Vec::new(),
        };
        space.start = space.position(&puzzle.start()).expect("the level's own start fits");
        Ok(space)
    }

    fn start(&self) -> PackedState<W> {
        self.pack_position(&self.start)
    }

    fn is_goal(&self, state: &PackedState<W>) -> bool {
        let position = self.packing.unpack(state);
        let balls = &position.balls[..self.packing.balls()];
        // Packed balls are in increasing order, so that those of a stack are together.
        balls.len().is_multiple_of(3)
            && balls.chunks(3).all(|three| {
                let spot = three[0].spot;
                self.floor.is_base(usize::from(spot)) && three.iter().all(|ball| ball.spot == spot)
            })
    }

    fn expand(&mut self, state: &PackedState<W>, successors: &mut Vec<(PackedState<W>, Cost)>) {
        let parent = self.packing.unpack(state);
        let region = self.region(&parent);
        let mut children = std::mem::take(&mut self.family.children);
        children.clear();
        let pushed = Cost::of(self.objective, Tally { moves: 1, pushes: 1 });
        for (push, _) in self.pushes(&parent, region) {
            let Some(PushResult { position, ball }) = self.push(&parent, push) else { continue };
            let words = self.pack_position(&position);
            if position.snow == parent.snow {
                children.push(Child { words, ball, to: position.balls[ball] });
            }
            successors.push((words, pushed));
        }
        let walked = Cost::of(self.objective, Tally { moves: 1, pushes: 0 });
        for (_, _, to) in self.strolls(&parent, region) {
            let position = UnpackedState { player: to as u8, ..parent };
            successors.push((self.pack_position(&position), walked));
        }
        self.family = Family { parent, children, next: 0, snow: None };
    }

    fn bound(&mut self, state: &PackedState<W>) -> Option<Cost> {
        let known = self.bound_of_child(state);
        let pushes = match known {
            Some(bound) => bound,
            None => self.recompute_bound(state),
        }?;
        // A push is a move, too.
        Some(Cost::of(self.objective, Tally { moves: pushes, pushes }))
    }

    fn pieces(&mut self, state: &PackedState<W>, pieces: &mut Vec<u32>) {
        let position = self.packing.unpack(state);
        let balls = position.balls[..self.packing.balls()].iter();
        pieces.extend(balls.map(|ball| u32::from(ball.spot) << 8 | u32::from(ball.size)));
    }

    fn pack(&self, state: &State) -> Option<PackedState<W>> {
        self.position(state).map(|position| self.pack_position(&position))
    }

    fn unpack(&self, state: &PackedState<W>) -> State {
        let position = self.packing.unpack(state);
        let cell = |spot: u8| self.floor.cell(usize::from(spot));
        let mut stacks = std::collections::BTreeMap::new();
        for ball in position.balls[..self.packing.balls()].iter().rev() {
            let size = Size::ALL[usize::from(ball.size)];
            let stack = stacks.entry(cell(ball.spot)).or_insert(Stack::single(size));
            *stack = stack.with(size).unwrap_or(*stack);
        }
        let snow = self.snow(position.snow).into_iter().map(cell).collect();
        State { stacks, snow, player: cell(position.player) }
    }

    fn plan(&mut self, path: &[PackedState<W>]) -> Vec<Move> {
        let mut position = self.start;
        let mut plan = Vec::new();
        for next in path.iter().skip(1) {
            let (moves, reached) = self.follow(&position, next);
            plan.extend(moves);
            position = reached;
        }
        plan
    }
}
