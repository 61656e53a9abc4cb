//! The packed state space: boxes as a set of bits over berths, the robot as a cell.
//!
//! Under `pushes` a state stands for all positions between two pushes: the robot is kept as the
//! least cell that it can walk to. Under every other objective a state is a position and a
//! successor is one instruction.

use super::bounds::{Bounds, FloorState};
use super::goal::GoalSpec;
use super::graph::{BerthId, Floor};
use crate::bit_set::BitSet;
use crate::cost::Cost;
use crate::floor::Spot;
use crate::space::{PackingError, Space};
use std::collections::VecDeque;
use unstuck_puzzles::warehouse::{State, Warehouse, WideBox};
use unstuck_puzzles::{Direction, Moves, Objective, Tally};

/// Words of the set of boxes.
const WORDS: usize = 4;

/// A packed position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedState {
    robot: u16,
    boxes: BitSet<WORDS>,
}

/// The states of a warehouse, packed.
#[derive(Clone, Debug)]
pub struct WarehouseSpace {
    floor: Floor,
    asked: GoalSpec,
    bounds: Bounds,
    objective: Objective,
    start: State,
    stand: FloorState,
}

impl WarehouseSpace {
    /// Whether walking is not counted at all, so that positions between pushes are one state.
    fn walks_free(&self) -> bool {
        self.objective == Objective::Pushes
    }

    fn box_on(&self, state: &PackedState, spot: Spot) -> Option<BerthId> {
        self.floor.over[spot].iter().copied().find(|&berth| state.boxes.has(berth))
    }

    /// The position after one instruction and whether it pushed; `None` when it is blocked.
    fn obey(&self, state: &PackedState, direction: Direction) -> Option<(PackedState, bool)> {
        let d = direction.index();
        let ahead = self.floor.ahead(usize::from(state.robot), direction)?;
        let mut next = *state;
        next.robot = ahead as u16;
        let Some(first) = self.box_on(state, ahead) else { return Some((next, false)) };
        let mut pushed = vec![first];
        let mut done = 0;
        while let Some(&berth) = pushed.get(done) {
            done += 1;
            self.floor.berths[berth].next[d]?;
            for &met in &self.floor.berths[berth].meets[d] {
                if state.boxes.has(met) && !pushed.contains(&met) {
                    pushed.push(met);
                }
            }
        }
        pushed.iter().for_each(|&berth| next.boxes.remove(berth));
        for to in pushed.iter().filter_map(|&berth| self.floor.berths[berth].next[d]) {
            next.boxes.insert(to);
        }
        Some((next, true))
    }

    /// The cells that the robot can walk to, with the last step of a shortest walk to each.
    fn region(&self, state: &PackedState) -> Vec<(Spot, Option<Direction>)> {
        let start = usize::from(state.robot);
        let mut seen = vec![false; self.floor.len()];
        seen[start] = true;
        let mut region = vec![(start, None)];
        let mut open = VecDeque::from([start]);
        while let Some(spot) = open.pop_front() {
            for direction in Direction::ALL {
                let next = self.floor.ahead(spot, direction);
                if let Some(next) = next.filter(|&next| !seen[next])
                    && self.box_on(state, next).is_none()
                {
                    seen[next] = true;
                    region.push((next, Some(direction)));
                    open.push_back(next);
                }
            }
        }
        region
    }

    /// The state that stands for the class of a position.
    fn canonical(&self, state: PackedState) -> PackedState {
        if !self.walks_free() {
            return state;
        }
        let least = self.region(&state).iter().map(|&(spot, _)| spot).min();
        PackedState { robot: least.unwrap_or_default() as u16, ..state }
    }

    /// A shortest walk within a region, from where the region was entered.
    fn walk(&self, region: &[(Spot, Option<Direction>)], to: Spot) -> Vec<Direction> {
        let step = |spot: Spot| region.iter().find(|&&(known, _)| known == spot)?.1;
        let mut walk = Vec::new();
        let mut spot = to;
        while let Some(direction) = step(spot) {
            walk.push(direction);
            let back = self.floor.ahead(spot, direction.opposite());
            spot = back.expect("a walk goes over floor");
        }
        walk.reverse();
        walk
    }

    /// The shortest walk and push that lead from a position into a class.
    fn walk_and_push(
        &self,
        from: &PackedState,
        to: &PackedState,
    ) -> Option<(Vec<Direction>, PackedState)> {
        let region = self.region(from);
        region.iter().find_map(|&(spot, _)| {
            let stand = PackedState { robot: spot as u16, ..*from };
            Direction::ALL.into_iter().find_map(|direction| {
                let (next, pushed) = self.obey(&stand, direction)?;
                let leads = pushed && self.canonical(next) == *to;
                leads.then(|| {
                    let mut walk = self.walk(&region, spot);
                    walk.push(direction);
                    (walk, next)
                })
            })
        })
    }

    fn step_to(&self, from: &PackedState, to: &PackedState) -> Option<Direction> {
        let leads = |d: &Direction| self.obey(from, *d).is_some_and(|(next, _)| next == *to);
        Direction::ALL.into_iter().find(leads)
    }

    fn packed(&self, state: &State) -> Option<PackedState> {
        let mut packed =
            PackedState { robot: self.floor.spot(state.robot)? as u16, boxes: BitSet::EMPTY };
        for &wide in &state.boxes {
            packed.boxes.insert(self.floor.berth(wide)?);
        }
        Some(packed)
    }
}

impl Space for WarehouseSpace {
    type Puzzle = Warehouse;
    type State = PackedState;
    const BOUND: Option<&'static str> = Some("bottleneck");

    fn new(warehouse: &Warehouse, objective: Objective) -> Result<Self, PackingError> {
        let start = warehouse.start();
        let cells = warehouse.layout().floor().take(usize::from(u16::MAX)).count();
        if cells == usize::from(u16::MAX) {
            return Err(PackingError(format!("{cells} cells of floor or more")));
        }
        let floor = Floor::new(warehouse, &start);
        let berths = floor.berths.len();
        if berths > BitSet::<WORDS>::CAPACITY {
            let most = BitSet::<WORDS>::CAPACITY;
            return Err(PackingError(format!("{berths} places for boxes, at most {most} fit")));
        }
        let asked = GoalSpec::new(warehouse, &floor, &start);
        let stand = floor.stand(&start);
        let bounds = Bounds::new(&floor, &asked, &stand);
        Ok(Self { floor, asked, bounds, objective, start, stand })
    }

    fn start(&self) -> PackedState {
        self.pack(&self.start).expect("the start fits")
    }

    fn is_goal(&self, state: &PackedState) -> bool {
        let boxes: Vec<BerthId> = state.boxes.iter().collect();
        let home = |home: Spot| {
            let stands = usize::from(state.robot) == home;
            stands || self.walks_free() && self.region(state).iter().any(|&(spot, _)| spot == home)
        };
        self.asked.met_by(&boxes) && self.asked.robot.is_none_or(home)
    }

    fn expand(&mut self, state: &PackedState, successors: &mut Vec<(PackedState, Cost)>) {
        let push = Tally { moves: 1, pushes: 1 };
        let walk = Tally { moves: 1, pushes: 0 };
        if !self.walks_free() {
            for (next, pushed) in Direction::ALL.into_iter().filter_map(|d| self.obey(state, d)) {
                successors.push((next, Cost::of(self.objective, if pushed { push } else { walk })));
            }
            return;
        }
        for (spot, _) in self.region(state) {
            let stand = PackedState { robot: spot as u16, ..*state };
            for (next, pushed) in Direction::ALL.into_iter().filter_map(|d| self.obey(&stand, d)) {
                if pushed {
                    successors.push((self.canonical(next), Cost::of(self.objective, push)));
                }
            }
        }
    }

    fn bound(&mut self, state: &PackedState) -> Option<Cost> {
        self.stand.robot = usize::from(state.robot);
        self.stand.boxes.clear();
        self.stand.boxes.extend(state.boxes.iter());
        let (moves, pushes) = self.bounds.of(&self.stand)?;
        Some(Cost::of(self.objective, Tally { moves, pushes }))
    }

    fn pieces(&mut self, state: &PackedState, pieces: &mut Vec<u32>) {
        pieces.extend(state.boxes.iter().map(|berth| berth as u32));
    }

    fn pack(&self, state: &State) -> Option<PackedState> {
        Some(self.canonical(self.packed(state)?))
    }

    fn unpack(&self, state: &PackedState) -> State {
        let mut boxes: Vec<WideBox> =
            state.boxes.iter().map(|berth| self.floor.berths[berth].wide).collect();
        boxes.sort_unstable();
        State { robot: self.floor.cell(usize::from(state.robot)), boxes }
    }

    fn plan(&mut self, path: &[PackedState]) -> Vec<Direction> {
        let mut plan = Vec::new();
        if !self.walks_free() {
            let steps = path.windows(2).map(|pair| self.step_to(&pair[0], &pair[1]));
            return steps.map(|step| step.expect("a path follows the edges of expand")).collect();
        }
        let mut position = self.packed(&self.start).expect("the start fits");
        for to in path.iter().skip(1) {
            let (walk, next) =
                self.walk_and_push(&position, to).expect("a path follows the edges of expand");
            plan.extend(walk);
            position = next;
        }
        if let Some(home) = self.asked.robot {
            plan.extend(self.walk(&self.region(&position), home));
        }
        plan
    }
}
