//! Strengthening for a given horizon: where boxes and robot can be at each time, by the distances
//! of [`super::bounds`].

use super::bounds::Bounds;
use super::goal::Asked;
use super::graph::Field;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};

/// No box is farther from its start than there were steps.
pub const BOX_FORWARD: Rule = Rule::strengthening("box-forward");
/// For each berth asked for, some box is no farther from it than there are steps left.
pub const BOX_BACKWARD: Rule = Rule::strengthening("box-backward");
/// The robot is no farther from its start, or from its end, than there are steps.
pub const ROBOT_WINDOW: Rule = Rule::strengthening("robot-window");

pub(super) fn boxes(
    field: &Field,
    bounds: &Bounds,
    asked: &Asked,
    horizon: Step,
    cnf: &mut Cnf<Var>,
) {
    for t in 0..=horizon {
        for berth in 0..field.berths.len() {
            if bounds.box_from_start[berth] > t {
                let here = field.boxed(t, berth, cnf);
                cnf.add(BOX_FORWARD, [!here]);
            }
        }
        for target in 0..asked.full.len() {
            let near = |&berth: &usize| bounds.within(target, berth, horizon - t);
            let near: Vec<Lit> =
                (0..field.berths.len()).filter(near).map(|b| field.boxed(t, b, cnf)).collect();
            cnf.add(BOX_BACKWARD, near);
        }
    }
}

pub(super) fn robot(field: &Field, bounds: &Bounds, horizon: Step, cnf: &mut Cnf<Var>) {
    for t in 0..=horizon {
        for cell in field.cells() {
            if bounds.robot_from_start[cell] > t || bounds.to_home(cell) > horizon - t {
                let here = field.robot(t, cell, cnf);
                cnf.add(ROBOT_WINDOW, [!here]);
            }
        }
    }
}
