//! One push a step, the walk before it inside the step: the encoding of `pushes`.
//!
//! The walk is a path by degrees ([`crate::reach`]), from where the last push left the robot to
//! where the next one needs it, over cells without boxes.

use super::bounds::Bounds;
use super::goal::GoalSpec;
use super::graph::Floor;
use super::horizon;
use super::known_plan::known_plan;
use super::rules::{PUSH, ROBOT_FRAME, distinguishing};
use super::vars::{CellCoord, Var};
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, EncodeError, Encoding, EncodingExtras};
use crate::floor::Spot;
use crate::logic::{at_most, at_most_one, define_and, define_or};
use crate::reach::Walk;
use crate::steps::not_shorter;
use petgraph::algo::astar;
use petgraph::graph::NodeIndex;
use unstuck_puzzles::warehouse::{Instructions, State, Warehouse};
use unstuck_puzzles::{Direction, Moves, Objective};

/// A walk begins where the robot stands: before each push, and after the last one when the robot
/// must end somewhere.
pub(super) const WALK_BEGIN: Rule = Rule::defining("walk-begin");
/// A walk does not pass a box.
pub(super) const WALK_FREE: Rule = Rule::defining("walk-free");
/// At most so many instructions in all.
pub(super) const MOVE_CAP: Rule = Rule::defining("move-cap");

/// A layer is a position right after a push, a step is a walk with a push or nothing.
#[derive(Clone, Debug)]
pub struct WarehousePushes {
    floor: Floor,
    start: State,
    asked: GoalSpec,
    bounds: Bounds,
    enough: Option<Step>,
}

impl WarehousePushes {
    /// Literals of one kind for all cells.
    fn each(&self, t: Step, var: impl Fn(CellCoord) -> Var, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.floor.places().iter().map(|&place| cnf.lit(t, var(place))).collect()
    }

    fn walk(&self, t: Step, cnf: &mut Cnf<Var>) {
        let going = cnf.lit(t, Var::Pushing);
        let directions = self.floor.directions(t, cnf);
        define_or(cnf, WALK_BEGIN, going, &directions);
        let begins = self.each(t, Var::Begin, cnf);
        let ends = self.each(t, Var::End, cnf);
        let on = self.each(t, Var::Walk, cnf);
        let robots = self.each(t, Var::Robot, cnf);
        for (&begin, &robot) in begins.iter().zip(&robots) {
            define_and(cnf, WALK_BEGIN, begin, &[robot, going]);
        }
        at_most_one(cnf, PUSH, t, &ends);
        self.connect(t, on, begins, ends.into_iter().map(Some).collect(), cnf);
    }

    /// A walk over cells without boxes.
    fn connect(
        &self,
        t: Step,
        on: Vec<Lit>,
        begins: Vec<Lit>,
        to: Vec<Option<Lit>>,
        cnf: &mut Cnf<Var>,
    ) {
        for spot in self.floor.spots() {
            for one in self.floor.boxes_over(t, spot, cnf) {
                cnf.add(WALK_FREE, [!on[spot], !one]);
            }
        }
        let walk = Walk { on, from: begins.into_iter().map(Some).collect(), to };
        walk.connect(self.floor.graph(), t, cnf);
    }

    /// The robot pushes from where the walk ends, and then stands where the box stood.
    fn pushes(&self, t: Step, cnf: &mut Cnf<Var>) {
        let floor = &self.floor;
        let mut from: Vec<Vec<Lit>> = vec![Vec::new(); floor.len()];
        let mut towards: [Vec<Lit>; 4] = Default::default();
        for (spot, direction, ahead) in floor.steps() {
            let push = floor.push(t, spot, direction, cnf);
            let end = cnf.lit(t, Var::End(floor.place(spot)));
            let go = cnf.lit(t, Var::Go(direction));
            define_and(cnf, PUSH, push, &[end, go]);
            let boxes = floor.boxes_over(t, ahead, cnf);
            cnf.add(PUSH, boxes.into_iter().chain([!push]));
            let next = floor.robot(t + 1, ahead, cnf);
            cnf.add(ROBOT_FRAME, [!push, next]);
            from[spot].push(push);
            towards[direction.index()].push(push);
        }
        for (spot, pushes) in from.into_iter().enumerate() {
            let end = cnf.lit(t, Var::End(floor.place(spot)));
            cnf.add(PUSH, pushes.into_iter().chain([!end]));
        }
        for (direction, pushes) in Direction::ALL.into_iter().zip(towards) {
            let go = cnf.lit(t, Var::Go(direction));
            cnf.add(PUSH, pushes.into_iter().chain([!go]));
        }
    }

    fn robot_frame(&self, t: Step, cnf: &mut Cnf<Var>) {
        let floor = &self.floor;
        let going = cnf.lit(t, Var::Pushing);
        for spot in floor.spots() {
            let here = floor.robot(t, spot, cnf);
            let then = floor.robot(t + 1, spot, cnf);
            cnf.add(ROBOT_FRAME, [going, !here, then]);
            cnf.add(ROBOT_FRAME, [going, here, !then]);
            let into = Direction::ALL.into_iter().filter_map(|direction| {
                let from = floor.ahead(spot, direction.opposite())?;
                Some(floor.push(t, from, direction, cnf))
            });
            let into: Vec<Lit> = into.collect();
            cnf.add(ROBOT_FRAME, into.into_iter().chain([!going, !then]));
        }
    }

    /// The literal that says that the robot can walk to its end in layer t, with its definition.
    fn home(&self, t: Step, home: Spot, cnf: &mut Cnf<Var>) -> Lit {
        let arrives = cnf.lit(t, Var::Home);
        let begins = self.each(t, Var::HomeBegin, cnf);
        for (spot, &begin) in begins.iter().enumerate() {
            let robot = self.floor.robot(t, spot, cnf);
            define_and(cnf, WALK_BEGIN, begin, &[robot, arrives]);
        }
        let on = self.each(t, Var::HomeWalk, cnf);
        let mut to = vec![None; begins.len()];
        to[home] = Some(arrives);
        self.connect(t, on, begins, to, cnf);
        arrives
    }

    /// The shortest walk that the boxes of a layer leave open.
    fn shortest_walk(
        &self,
        from: Spot,
        to: Spot,
        blocked: impl Fn(Spot) -> bool,
    ) -> Option<Vec<Direction>> {
        let free = petgraph::visit::NodeFiltered::from_fn(self.floor.graph(), |node: NodeIndex| {
            !blocked(node.index())
        });
        let end = NodeIndex::new(to);
        let (_, path) = astar(&free, NodeIndex::new(from), |node| node == end, |_| 1, |_| 0)?;
        let direction = |pair: &[NodeIndex]| {
            let next = Some(pair[1].index());
            Direction::ALL
                .into_iter()
                .find(|direction| self.floor.ahead(pair[0].index(), *direction) == next)
        };
        path.windows(2).map(direction).collect()
    }

    /// The walk of a layer, if the layer has one to the given cell, and its boxes allow it.
    fn decode_walk(
        &self,
        t: Step,
        to: Spot,
        assignment: Assignment<'_, Var>,
    ) -> Result<Vec<Direction>, DecodeError> {
        let fault = |what: &str| DecodeError(format!("layer {t}: {what}"));
        let robot = |&spot: &Spot| assignment.holds(t, Var::Robot(self.floor.place(spot)));
        let from = self.floor.spots().find(robot).ok_or_else(|| fault("no robot"))?;
        let blocked = |spot: Spot| {
            let mut over = self.floor.over[spot].iter();
            over.any(|&berth| assignment.holds(t, Var::Box(self.floor.berths[berth].berth)))
        };
        self.shortest_walk(from, to, blocked).ok_or_else(|| fault("no walk to the push"))
    }
}

impl Encoding for WarehousePushes {
    type Puzzle = Warehouse;
    type Var = Var;
    const NAME: &'static str = "warehouse-pushes";
    const VERSION: u32 = 2;
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        completeness_threshold: |encoding| encoding.enough,
        // A walk over k cells and the push at its end are k instructions; the walk to the robot's end
        // over k cells is k - 1.
        cap_secondary: Some(|encoding, horizon, cap, cnf| {
            let mut walked: Vec<Lit> = Vec::new();
            for t in 0..horizon {
                walked.extend(encoding.each(t, Var::Walk, cnf));
            }
            let mut most = cap as usize;
            if encoding.asked.robot.is_some() {
                walked.extend(encoding.each(horizon, Var::HomeWalk, cnf));
                most += 1;
            }
            at_most(cnf, MOVE_CAP, horizon, &walked, most);
        }),
        ..EncodingExtras::NONE
    };

    fn new(warehouse: &Warehouse, _objective: Objective) -> Result<Self, EncodeError> {
        let start = warehouse.start();
        let floor = Floor::new(warehouse, &start);
        let asked = GoalSpec::new(warehouse, &floor, &start);
        let bounds = Bounds::new(&floor, &asked, &floor.stand(&start));
        let enough = known_plan(warehouse).map(|tally| tally.pushes);
        Ok(Self { floor, start, asked, bounds, enough })
    }

    fn lower_bound(&self) -> Option<Step> {
        let (_, pushes) = self.bounds.of(&self.floor.stand(&self.start))?;
        Some(pushes)
    }

    fn unsolvable_reason(&self) -> Option<String> {
        self.bounds.unsolvable_reason(&self.floor, &self.floor.stand(&self.start))
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        self.floor.start(&self.start, cnf);
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        self.floor.one_direction(PUSH, t, cnf);
        self.walk(t, cnf);
        self.pushes(t, cnf);
        self.robot_frame(t, cnf);
        self.floor.push_boxes(t, cnf);
        self.floor.apart(t + 1, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let mut lits = self.asked.boxes(&self.floor, t, cnf);
        lits.extend(self.asked.robot.map(|home| self.home(t, home, cnf)));
        lits
    }

    fn within(&self, least: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        horizon::boxes(&self.floor, &self.bounds, &self.asked, horizon, cnf);
        not_shorter(least, cnf, |t, cnf| self.floor.directions(t, cnf));
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Instructions, DecodeError> {
        let mut plan = Vec::new();
        for t in 0..horizon {
            let places = self.floor.places();
            let holds = |&(spot, d, _): &(Spot, Direction, Spot)| {
                assignment.holds(t, Var::Push(places[spot], d))
            };
            if let Some((spot, direction, _)) = self.floor.steps().find(holds) {
                plan.extend(self.decode_walk(t, spot, assignment)?);
                plan.push(direction);
            }
        }
        if let Some(home) = self.asked.robot {
            plan.extend(self.decode_walk(horizon, home, assignment)?);
        }
        Ok(Instructions(plan))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        let pushes = self.floor.steps().map(|(spot, d, _)| Var::Push(self.floor.place(spot), d));
        distinguishing(&self.floor, assignment, &pushes.collect::<Vec<_>>())
    }
}
