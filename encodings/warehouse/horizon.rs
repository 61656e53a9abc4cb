//! Strengthening for a given horizon: where boxes and robot can be at each time, by the distances
//! of [`super::bounds`].

use super::bounds::Bounds;
use super::goal::GoalSpec;
use super::graph::Floor;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};

/// No box is farther from its start than there were steps.
pub(super) const BOX_FORWARD: Rule = Rule::strengthening("box-forward");
/// For each berth asked for, some box is no farther from it than there are steps left.
pub(super) const BOX_BACKWARD: Rule = Rule::strengthening("box-backward");
/// The robot is no farther from its start, or from its end, than there are steps.
pub(super) const ROBOT_WINDOW: Rule = Rule::strengthening("robot-window");

pub(super) fn boxes(
    floor: &Floor,
    bounds: &Bounds,
    asked: &GoalSpec,
    horizon: Step,
    cnf: &mut Cnf<Var>,
) {
    for t in 0..=horizon {
        for berth in 0..floor.berths.len() {
            if bounds.box_from_start[berth] > t {
                let here = floor.boxed(t, berth, cnf);
                cnf.add(BOX_FORWARD, [!here]);
            }
        }
        for target in 0..asked.full.len() {
            let near = |&berth: &usize| bounds.within(target, berth, horizon - t);
            let near: Vec<Lit> =
                (0..floor.berths.len()).filter(near).map(|b| floor.boxed(t, b, cnf)).collect();
            cnf.add(BOX_BACKWARD, near);
        }
    }
}

pub(super) fn robot(floor: &Floor, bounds: &Bounds, horizon: Step, cnf: &mut Cnf<Var>) {
    for t in 0..=horizon {
        for spot in floor.spots() {
            if bounds.robot_from_start[spot] > t || bounds.to_home(spot) > horizon - t {
                let here = floor.robot(t, spot, cnf);
                cnf.add(ROBOT_WINDOW, [!here]);
            }
        }
    }
}
