//! One push a step, the walk before it inside the step: the encoding of `pushes`.
//!
//! The walk is a path by degrees ([`crate::reach`]), from where the last push left the robot to
//! where the next one needs it, over cells without boxes.

use super::bounds::Bounds;
use super::goal::Asked;
use super::graph::{CellId, Field};
use super::horizon;
use super::rules::{PUSH, ROBOT_FRAME, told};
use super::vars::{Spot, Var};
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, Encoding};
use crate::logic::{at_most, at_most_one, define_and, define_or};
use crate::reach::Walk;
use petgraph::algo::astar;
use petgraph::graph::NodeIndex;
use unstuck_puzzles::warehouse::{Instructions, State, Warehouse};
use unstuck_puzzles::{Direction, Moves, Objective};

/// A walk begins where the robot stands: before each push, and after the last one when the robot
/// must end somewhere.
pub const WALK_BEGIN: Rule = Rule::defining("walk-begin");
/// A walk does not pass a box.
pub const WALK_FREE: Rule = Rule::defining("walk-free");
/// At most so many instructions in all.
pub const MOVE_CAP: Rule = Rule::defining("move-cap");

/// A layer is a position right after a push, a step is a walk with a push or nothing.
#[derive(Clone, Debug)]
pub struct ByPush {
    field: Field,
    start: State,
    asked: Asked,
    bounds: Bounds,
    enough: Option<Step>,
}

impl ByPush {
    /// Literals of one kind for all cells.
    fn each(&self, t: Step, var: impl Fn(Spot) -> Var, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.field.spots.iter().map(|&spot| cnf.lit(t, var(spot))).collect()
    }

    fn walk(&self, t: Step, cnf: &mut Cnf<Var>) {
        let going = cnf.lit(t, Var::Pushing);
        let directions = self.field.directions(t, cnf);
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
        for cell in self.field.cells() {
            for one in self.field.boxes_over(t, cell, cnf) {
                cnf.add(WALK_FREE, [!on[cell], !one]);
            }
        }
        let walk = Walk { on, from: begins.into_iter().map(Some).collect(), to };
        walk.connect(&self.field.floor, t, cnf);
    }

    /// The robot pushes from where the walk ends, and then stands where the box stood.
    fn pushes(&self, t: Step, cnf: &mut Cnf<Var>) {
        let field = &self.field;
        let mut from: Vec<Vec<Lit>> = vec![Vec::new(); field.next.len()];
        let mut towards: [Vec<Lit>; 4] = Default::default();
        for (cell, direction, ahead) in field.steps() {
            let push = field.push(t, cell, direction, cnf);
            let end = cnf.lit(t, Var::End(field.spots[cell]));
            let go = cnf.lit(t, Var::Go(direction));
            define_and(cnf, PUSH, push, &[end, go]);
            let boxes = field.boxes_over(t, ahead, cnf);
            cnf.add(PUSH, boxes.into_iter().chain([!push]));
            let next = field.robot(t + 1, ahead, cnf);
            cnf.add(ROBOT_FRAME, [!push, next]);
            from[cell].push(push);
            towards[direction.index()].push(push);
        }
        for (cell, pushes) in from.into_iter().enumerate() {
            let end = cnf.lit(t, Var::End(field.spots[cell]));
            cnf.add(PUSH, pushes.into_iter().chain([!end]));
        }
        for (direction, pushes) in Direction::ALL.into_iter().zip(towards) {
            let go = cnf.lit(t, Var::Go(direction));
            cnf.add(PUSH, pushes.into_iter().chain([!go]));
        }
    }

    fn robot_frame(&self, t: Step, cnf: &mut Cnf<Var>) {
        let field = &self.field;
        let going = cnf.lit(t, Var::Pushing);
        for cell in field.cells() {
            let here = field.robot(t, cell, cnf);
            let then = field.robot(t + 1, cell, cnf);
            cnf.add(ROBOT_FRAME, [going, !here, then]);
            cnf.add(ROBOT_FRAME, [going, here, !then]);
            let into = Direction::ALL.into_iter().filter_map(|direction| {
                let from = field.next[cell][direction.opposite().index()]?;
                Some(field.push(t, from, direction, cnf))
            });
            let into: Vec<Lit> = into.collect();
            cnf.add(ROBOT_FRAME, into.into_iter().chain([!going, !then]));
        }
    }

    /// The literal that says that the robot can walk to its end in layer t, with its definition.
    fn home(&self, t: Step, home: CellId, cnf: &mut Cnf<Var>) -> Lit {
        let arrives = cnf.lit(t, Var::Home);
        let begins = self.each(t, Var::HomeBegin, cnf);
        for (cell, &begin) in begins.iter().enumerate() {
            let robot = self.field.robot(t, cell, cnf);
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
        from: CellId,
        to: CellId,
        blocked: impl Fn(CellId) -> bool,
    ) -> Option<Vec<Direction>> {
        let free = petgraph::visit::NodeFiltered::from_fn(&self.field.floor, |node: NodeIndex| {
            !blocked(node.index())
        });
        let end = NodeIndex::new(to);
        let (_, path) = astar(&free, NodeIndex::new(from), |node| node == end, |_| 1, |_| 0)?;
        let direction = |pair: &[NodeIndex]| {
            let next = Some(pair[1].index());
            Direction::ALL
                .into_iter()
                .find(|direction| self.field.next[pair[0].index()][direction.index()] == next)
        };
        path.windows(2).map(direction).collect()
    }

    /// The walk of a layer, if the layer has one to the given cell, and its boxes allow it.
    fn decode_walk(
        &self,
        t: Step,
        to: CellId,
        assignment: Assignment<'_, Var>,
    ) -> Result<Vec<Direction>, DecodeError> {
        let fault = |what: &str| DecodeError(format!("layer {t}: {what}"));
        let robot = |&cell: &CellId| assignment.holds(t, Var::Robot(self.field.spots[cell]));
        let from = self.field.cells().find(robot).ok_or_else(|| fault("no robot"))?;
        let blocked = |cell: CellId| {
            let mut over = self.field.over[cell].iter();
            over.any(|&berth| assignment.holds(t, Var::Box(self.field.berths[berth].berth)))
        };
        self.shortest_walk(from, to, blocked).ok_or_else(|| fault("no walk to the push"))
    }
}

impl Encoding for ByPush {
    type Puzzle = Warehouse;
    type Var = Var;
    const NAME: &'static str = "one push a step";

    fn new(warehouse: &Warehouse, _objective: Objective) -> Self {
        let start = warehouse.start();
        let field = Field::new(warehouse, &start);
        let asked = Asked::new(warehouse, &field, &start);
        let bounds = Bounds::new(&field, &asked, &field.stand(&start));
        let enough = super::known_plan(warehouse).map(|tally| tally.pushes);
        Self { field, start, asked, bounds, enough }
    }

    fn lower_bound(&self) -> Option<Step> {
        let (_, pushes) = self.bounds.of(&self.field.stand(&self.start))?;
        Some(pushes)
    }

    fn hopeless(&self) -> Option<String> {
        self.bounds.hopeless(&self.field, &self.field.stand(&self.start))
    }

    fn enough(&self) -> Option<Step> {
        self.enough
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        self.field.start(&self.start, cnf);
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        self.field.one_direction(PUSH, t, cnf);
        self.walk(t, cnf);
        self.pushes(t, cnf);
        self.robot_frame(t, cnf);
        self.field.push_boxes(t, cnf);
        self.field.apart(t + 1, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let mut lits = self.asked.boxes(&self.field, t, cnf);
        lits.extend(self.asked.robot.map(|home| self.home(t, home, cnf)));
        lits
    }

    fn windows(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        horizon::boxes(&self.field, &self.bounds, &self.asked, horizon, cnf);
    }

    fn at_least(&self, least: Step, cnf: &mut Cnf<Var>) {
        self.field.not_shorter(least, cnf);
    }

    /// A walk over k cells and the push at its end are k instructions; the walk to the robot's end
    /// over k cells is k - 1.
    fn cap_secondary(&self, horizon: Step, cap: u32, cnf: &mut Cnf<Var>) {
        let mut walked: Vec<Lit> = Vec::new();
        for t in 0..horizon {
            walked.extend(self.each(t, Var::Walk, cnf));
        }
        let mut most = cap as usize;
        if self.asked.robot.is_some() {
            walked.extend(self.each(horizon, Var::HomeWalk, cnf));
            most += 1;
        }
        at_most(cnf, MOVE_CAP, horizon, &walked, most);
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Instructions, DecodeError> {
        let mut plan = Vec::new();
        for t in 0..horizon {
            let spots = &self.field.spots;
            let holds = |&(cell, d, _): &(CellId, Direction, CellId)| {
                assignment.holds(t, Var::Push(spots[cell], d))
            };
            if let Some((cell, direction, _)) = self.field.steps().find(holds) {
                plan.extend(self.decode_walk(t, cell, assignment)?);
                plan.push(direction);
            }
        }
        if let Some(home) = self.asked.robot {
            plan.extend(self.decode_walk(horizon, home, assignment)?);
        }
        Ok(Instructions(plan))
    }

    fn distinguish(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        told(&self.field, assignment, |_| {
            let pushes = self.field.steps();
            pushes.map(|(cell, d, _)| Var::Push(self.field.spots[cell], d)).collect()
        })
    }
}
