//! One instruction a step: the encoding of `moves`, and the one-move transition of all objectives.

use super::bounds::Bounds;
use super::goal::GoalSpec;
use super::graph::Floor;
use super::horizon;
use super::known_plan::known_plan;
use super::rules::{PUSH, ROBOT_FRAME, distinguishing};
use super::vars::Var;
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, EncodeError, Encoding, EncodingExtras, StepCost, Transition};
use crate::floor::Spot;
use crate::logic::{at_most, at_most_one, define_or};
use crate::steps::{chosen_direction, last_push, not_shorter};
use unstuck_puzzles::warehouse::{Instructions, State, Warehouse};
use unstuck_puzzles::{Direction, Moves, Objective};

/// Whether a step pushes.
pub(super) const PUSHING: Rule = Rule::defining("pushing");
/// At most so many pushes in all.
pub(super) const PUSH_CAP: Rule = Rule::defining("push-cap");
/// With each instruction the robot changes its colour on the chessboard.
pub(super) const ROBOT_COLOUR: Rule = Rule::strengthening("robot-colour");

/// A layer is a position, a step is one instruction or nothing.
#[derive(Clone, Debug)]
pub struct WarehouseMoves {
    floor: Floor,
    start: State,
    asked: GoalSpec,
    bounds: Bounds,
    objective: Objective,
    enough: Option<Step>,
}

impl WarehouseMoves {
    fn robot_steps(&self, t: Step, cnf: &mut Cnf<Var>) {
        let floor = &self.floor;
        let directions = floor.directions(t, cnf);
        for spot in floor.spots() {
            let here = floor.robot(t, spot, cnf);
            let then = floor.robot(t + 1, spot, cnf);
            cnf.add(ROBOT_FRAME, directions.into_iter().chain([!here, then]));
            cnf.add(ROBOT_FRAME, directions.into_iter().chain([here, !then]));
            // Whatever the direction: the robot was here or next to here.
            let near = floor.around(spot).collect::<Vec<_>>();
            let near = near.into_iter().map(|near| floor.robot(t, near, cnf)).collect::<Vec<_>>();
            cnf.add(ROBOT_FRAME, [here, !then].into_iter().chain(near));
            for direction in Direction::ALL {
                let go = directions[direction.index()];
                match floor.ahead(spot, direction) {
                    Some(next) => {
                        let next = floor.robot(t + 1, next, cnf);
                        cnf.add(ROBOT_FRAME, [!go, !here, next]);
                    }
                    None => cnf.add(ROBOT_FRAME, [!go, !here]),
                }
                let from = floor.ahead(spot, direction.opposite());
                let from = from.map(|from| floor.robot(t, from, cnf));
                cnf.add(ROBOT_FRAME, [!go, !then].into_iter().chain(from));
            }
        }
    }

    fn pushes(&self, t: Step, cnf: &mut Cnf<Var>) {
        for (spot, direction, ahead) in self.floor.steps() {
            let push = self.floor.push(t, spot, direction, cnf);
            let robot = self.floor.robot(t, spot, cnf);
            let go = cnf.lit(t, Var::Go(direction));
            let boxes = self.floor.boxes_over(t, ahead, cnf);
            cnf.add(PUSH, [!push, robot]);
            cnf.add(PUSH, [!push, go]);
            for &one in &boxes {
                cnf.add(PUSH, [!robot, !go, !one, push]);
            }
            cnf.add(PUSH, boxes.into_iter().chain([!push]));
        }
    }

    fn robot_once(&self, t: Step, cnf: &mut Cnf<Var>) {
        let robots: Vec<Lit> =
            self.floor.spots().map(|spot| self.floor.robot(t, spot, cnf)).collect();
        at_most_one(cnf, ROBOT_FRAME, t, &robots);
    }

    /// As long as no step is idle, the colour of the robot's cell is known from the time. It
    /// depends on the start and on the time, so it is no part of the step.
    fn colour(&self, horizon: Step, cnf: &mut Cnf<Var>) {
        let floor = &self.floor;
        let odd = |spot: Spot| floor.place(spot).is_odd();
        let start = floor.spot(self.start.robot).is_some_and(odd);
        for t in 1..=horizon {
            let (busy, directions) = (cnf.lit(t - 1, Var::Busy), floor.directions(t - 1, cnf));
            define_or(cnf, ROBOT_COLOUR, busy, &directions);
            for spot in floor.spots().filter(|&spot| odd(spot) != (start ^ (t % 2 == 1))) {
                let robot = floor.robot(t, spot, cnf);
                cnf.add(ROBOT_COLOUR, [!robot, !busy]);
            }
        }
    }

    /// The literal that says whether step t pushes, with its definition.
    fn pushing(&self, t: Step, cnf: &mut Cnf<Var>) -> Lit {
        let known = cnf.get(t, Var::Pushing);
        let pushing = cnf.lit(t, Var::Pushing);
        if known.is_none() {
            let pushes = self.all_pushes(t, cnf);
            define_or(cnf, PUSHING, pushing, &pushes);
        }
        pushing
    }

    fn all_pushes(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.floor.steps().map(|(spot, d, _)| self.floor.push(t, spot, d, cnf)).collect()
    }

    fn counts_pushes(&self) -> bool {
        self.objective.first() == Objective::Pushes
    }
}

impl Encoding for WarehouseMoves {
    type Puzzle = Warehouse;
    type Var = Var;
    const NAME: &'static str = "warehouse-moves";
    const VERSION: u32 = 2;
    const EXTRAS: EncodingExtras<Self> = EncodingExtras {
        after: |encoding, refuted| {
            let next = refuted + 1;
            let bound = encoding.lower_bound().filter(|_| encoding.bounds.has_parity());
            next + bound.map_or(0, |bound| (bound ^ next) & 1)
        },
        completeness_threshold: |encoding| encoding.enough,
        cap_secondary: Some(|encoding, horizon, cap, cnf| {
            let pushing: Vec<Lit> = (0..horizon).map(|t| encoding.pushing(t, cnf)).collect();
            at_most(cnf, PUSH_CAP, horizon, &pushing, cap as usize);
        }),
        ..EncodingExtras::NONE
    };

    fn new(warehouse: &Warehouse, objective: Objective) -> Result<Self, EncodeError> {
        let start = warehouse.start();
        let floor = Floor::new(warehouse, &start);
        let asked = GoalSpec::new(warehouse, &floor, &start);
        let bounds = Bounds::new(&floor, &asked, &floor.stand(&start));
        let enough = known_plan(warehouse).map(|tally| tally.moves);
        Ok(Self { floor, start, asked, bounds, objective, enough })
    }

    fn lower_bound(&self) -> Option<Step> {
        let (moves, _) = self.bounds.of(&self.floor.stand(&self.start))?;
        Some(moves)
    }

    fn unsolvable_reason(&self) -> Option<String> {
        self.bounds.unsolvable_reason(&self.floor, &self.floor.stand(&self.start))
    }

    fn start(&self, cnf: &mut Cnf<Var>) {
        self.floor.start(&self.start, cnf);
    }

    fn step(&self, t: Step, cnf: &mut Cnf<Var>) {
        self.floor.one_direction(ROBOT_FRAME, t, cnf);
        self.robot_once(t, cnf);
        self.robot_steps(t, cnf);
        self.pushes(t, cnf);
        self.floor.push_boxes(t, cnf);
        self.floor.apart(t + 1, cnf);
    }

    fn goal(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let mut lits = self.asked.boxes(&self.floor, t, cnf);
        lits.extend(self.asked.robot.map(|spot| self.floor.robot(t, spot, cnf)));
        lits
    }

    fn within(&self, least: Step, horizon: Step, cnf: &mut Cnf<Var>) {
        horizon::boxes(&self.floor, &self.bounds, &self.asked, horizon, cnf);
        horizon::robot(&self.floor, &self.bounds, horizon, cnf);
        if cnf.keeps(ROBOT_COLOUR) {
            self.colour(horizon, cnf);
        }
        if self.asked.robot.is_none() {
            let busy = |t, cnf: &mut Cnf<Var>| self.floor.directions(t, cnf);
            last_push(horizon, cnf, busy, |t, cnf| self.pushing(t, cnf));
        }
        not_shorter(least, cnf, |t, cnf| self.floor.directions(t, cnf));
        if cnf.keeps(ROBOT_COLOUR) {
            // The or over the directions follows, but not this from it.
            not_shorter(least, cnf, |t, cnf| [cnf.lit(t, Var::Busy)]);
        }
    }

    fn decode(
        &self,
        horizon: Step,
        assignment: Assignment<'_, Var>,
    ) -> Result<Instructions, DecodeError> {
        let chosen = (0..horizon).map(|t| chosen_direction(t, assignment, Var::Go));
        Ok(Instructions(chosen.filter_map(Result::transpose).collect::<Result<_, _>>()?))
    }

    fn projection(&self, assignment: Assignment<'_, Var>) -> Vec<Lit> {
        distinguishing(&self.floor, assignment, &Direction::ALL.map(Var::Go))
    }
}

impl Transition for WarehouseMoves {
    fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.floor.literals(t, state, cnf)
    }

    fn move_literals(
        &self,
        t: Step,
        _state: &State,
        direction: Direction,
        cnf: &mut Cnf<Var>,
    ) -> Vec<Lit> {
        let goes = Direction::ALL.into_iter();
        goes.map(|other| {
            let lit = cnf.lit(t, Var::Go(other));
            lit.when(other == direction)
        })
        .collect()
    }

    fn actions(&self, t: Step, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        if self.counts_pushes() {
            self.all_pushes(t, cnf)
        } else {
            self.floor.directions(t, cnf).to_vec()
        }
    }

    fn paid(&self, t: Step, cnf: &mut Cnf<Var>) -> StepCost {
        if self.counts_pushes() { StepCost::If(self.pushing(t, cnf)) } else { StepCost::Always }
    }
}
