//! Clauses that both encodings share: what a push does to the boxes, and the start.
//!
//! A push is a least fixpoint: the box before the robot moves, and so does every box that a moved
//! box meets. Chains are acyclic along the direction of the push, so "every moved box is pushed
//! by the robot or by a moved box behind it" pins the fixpoint down without ranks, and unit
//! propagation computes it in one sweep. A push that meets a wall is excluded.

use super::graph::{BerthId, Floor};
use super::vars::Var;
use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::floor::Spot;
use crate::logic::at_most_one;
use crate::steps::IDLE_LAST;
use unstuck_puzzles::Direction;
use unstuck_puzzles::warehouse::State;

/// Where everything stands at the beginning.
pub(super) const START: Rule = Rule::defining("start");
/// The robot goes where the step says, in one direction, not into a wall; it is nowhere else, and
/// never in a box.
pub(super) const ROBOT_FRAME: Rule = Rule::defining("robot-frame");
/// A push is the robot in one place, one direction, and a box ahead.
pub(super) const PUSH: Rule = Rule::defining("push");
/// What the robot pushes, and what a moved box meets, moves; and nothing else.
pub(super) const PUSHED: Rule = Rule::defining("pushed");
/// Nothing moves into a wall.
pub(super) const BOX_WALL: Rule = Rule::defining("box-wall");
/// Moved boxes arrive, others stay, and no box comes from nowhere.
pub(super) const BOX_FRAME: Rule = Rule::defining("box-frame");
/// Two boxes are never on one cell.
pub(super) const BOXES_APART: Rule = Rule::strengthening("boxes-apart");

impl Floor {
    pub(super) fn robot(&self, t: Step, spot: Spot, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Robot(self.place(spot)))
    }

    pub(super) fn boxed(&self, t: Step, berth: BerthId, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Box(self.berths[berth].berth))
    }

    pub(super) fn push(&self, t: Step, from: Spot, d: Direction, cnf: &mut Cnf<Var>) -> Lit {
        cnf.lit(t, Var::Push(self.place(from), d))
    }

    /// The box of a berth moves; `None` where a wall forbids it.
    fn moved(&self, t: Step, berth: BerthId, d: Direction, cnf: &mut Cnf<Var>) -> Option<Lit> {
        let standing = &self.berths[berth];
        standing.next[d.index()].map(|_| cnf.lit(t, Var::Moved(standing.berth, d)))
    }

    /// One of the boxes that may cover a cell does.
    pub(super) fn boxes_over(&self, t: Step, spot: Spot, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        self.over[spot].iter().map(|&berth| self.boxed(t, berth, cnf)).collect()
    }

    /// All literals of a layer that describe a position.
    pub(super) fn literals(&self, t: Step, state: &State, cnf: &mut Cnf<Var>) -> Vec<Lit> {
        let robots = self.spots().map(|spot| {
            let lit = self.robot(t, spot, cnf);
            lit.when(self.cell(spot) == state.robot)
        });
        let mut lits: Vec<Lit> = robots.collect();
        for berth in 0..self.berths.len() {
            let lit = self.boxed(t, berth, cnf);
            let stands = state.boxes.binary_search(&self.berths[berth].wide).is_ok();
            lits.push(lit.when(stands));
        }
        lits
    }

    pub(super) fn start(&self, state: &State, cnf: &mut Cnf<Var>) {
        for lit in self.literals(0, state, cnf) {
            cnf.add(START, [lit]);
        }
    }

    /// The directions of a step, at most one of which holds: none in an idle step.
    pub(super) fn directions(&self, t: Step, cnf: &mut Cnf<Var>) -> [Lit; 4] {
        Direction::ALL.map(|direction| cnf.lit(t, Var::Go(direction)))
    }

    /// At most one direction, and no idle step before one that is not.
    pub(super) fn one_direction(&self, rule: Rule, t: Step, cnf: &mut Cnf<Var>) {
        let now = self.directions(t, cnf);
        at_most_one(cnf, rule, t, &now);
        for next in self.directions(t + 1, cnf) {
            cnf.add(IDLE_LAST, now.into_iter().chain([!next]));
        }
    }

    /// Robot and boxes keep apart in a layer.
    pub(super) fn apart(&self, t: Step, cnf: &mut Cnf<Var>) {
        for spot in self.spots() {
            let robot = self.robot(t, spot, cnf);
            let boxes = self.boxes_over(t, spot, cnf);
            for (index, &one) in boxes.iter().enumerate() {
                cnf.add(ROBOT_FRAME, [!robot, !one]);
                for &other in &boxes[index + 1..] {
                    cnf.add(BOXES_APART, [!one, !other]);
                }
            }
        }
    }

    /// What the pushes of step t do to the boxes.
    pub(super) fn push_boxes(&self, t: Step, cnf: &mut Cnf<Var>) {
        for berth in 0..self.berths.len() {
            for direction in Direction::ALL {
                self.spread(t, berth, direction, cnf);
            }
            self.box_frame(t, berth, cnf);
        }
    }

    /// The box of a berth moves exactly when the robot or a moved box pushes it.
    fn spread(&self, t: Step, berth: BerthId, direction: Direction, cnf: &mut Cnf<Var>) {
        let d = direction.index();
        let standing = &self.berths[berth];
        let here = self.boxed(t, berth, cnf);
        let moved = self.moved(t, berth, direction, cnf);
        let robots = standing.pushed_from[d].iter();
        let mut pushers: Vec<Lit> =
            robots.map(|&spot| self.push(t, spot, direction, cnf)).collect();
        let behind = standing.met_by[d].iter();
        pushers.extend(behind.filter_map(|&other| self.moved(t, other, direction, cnf)));
        for &pusher in &pushers {
            let rule = if moved.is_some() { PUSHED } else { BOX_WALL };
            cnf.add(rule, [!pusher, !here].into_iter().chain(moved));
        }
        if let Some(moved) = moved {
            cnf.add(PUSHED, [!moved, here]);
            cnf.add(PUSHED, pushers.into_iter().chain([!moved]));
        }
    }

    fn box_frame(&self, t: Step, berth: BerthId, cnf: &mut Cnf<Var>) {
        let here = self.boxed(t, berth, cnf);
        let then = self.boxed(t + 1, berth, cnf);
        let (mut leaves, mut comes) = (Vec::new(), Vec::new());
        for direction in Direction::ALL {
            let back = self.berths[berth].next[direction.opposite().index()];
            let arrives = back.and_then(|other| self.moved(t, other, direction, cnf));
            let goes = self.moved(t, berth, direction, cnf);
            if let Some(arrives) = arrives {
                cnf.add(BOX_FRAME, [!arrives, then]);
            }
            if let Some(goes) = goes {
                // Gone, unless the box behind moves up.
                cnf.add(BOX_FRAME, [!goes, !then].into_iter().chain(arrives));
            }
            leaves.extend(goes);
            comes.extend(arrives);
        }
        cnf.add(BOX_FRAME, leaves.into_iter().chain([!here, then]));
        cnf.add(BOX_FRAME, comes.into_iter().chain([here, !then]));
    }
}

/// The literals of the steps' choices that distinguish a model's plan from all others: in each step
/// the choice that was made, or that none was.
pub(super) fn distinguishing(
    floor: &Floor,
    assignment: Assignment<'_, Var>,
    choices: &[Var],
) -> Vec<Lit> {
    let Some(&corner) = floor.places().first() else { return Vec::new() };
    let is_step = |&t: &Step| assignment.cnf.get(t + 1, Var::Robot(corner)).is_some();
    let step = |t| {
        let lits = choices.iter().filter_map(|&var| assignment.cnf.get(t, var));
        let (made, not): (Vec<Lit>, Vec<Lit>) = lits.partition(|&lit| assignment.model.holds(lit));
        if made.is_empty() { not.into_iter().map(|lit| !lit).collect() } else { made }
    };
    (0..).take_while(is_step).flat_map(step).collect()
}
