//! What a solved position looks like, in clauses.
//!
//! "No box off a goal" is enough to say it, because boxes are kept. But that boxes are kept follows
//! only by counting them through all layers, and resolution counts badly: so what they cover at the
//! end is said too, and the frame axioms carry it backwards.

use super::bounds::Bounds;
use super::graph::Spot;
use super::vars::Var;
use crate::cnf::{Cnf, Lit, Rule, Step};
use crate::logic::at_least;

/// As many goals are covered at the end as there are boxes: implied by counting, where there are
/// more goals than boxes.
pub(super) const GOAL_COUNT: Rule = Rule::strengthening("goal-count");

/// Literals that say that the level is solved in layer t, by the spots that have a box variable: no
/// box off a goal; and a box on every goal, where there are as many.
pub(super) fn solved(
    bounds: &Bounds,
    holds: impl Fn(Spot) -> bool,
    t: Step,
    cnf: &mut Cnf<Var>,
) -> Vec<Lit> {
    let floor = bounds.floor();
    let is_open = |spot: &Spot| bounds.fills_all_goals() || !floor.is_goal(*spot);
    let spots = (0..floor.len()).filter(|&spot| holds(spot)).filter(is_open);
    spots
        .map(|spot| {
            let boxed = cnf.lit(t, Var::Box(floor.place(spot)));
            if floor.is_goal(spot) { boxed } else { !boxed }
        })
        .collect()
}

/// Where there are more goals than boxes: as many goals have a box in layer t as there are boxes.
pub(super) fn count(bounds: &Bounds, holds: impl Fn(Spot) -> bool, t: Step, cnf: &mut Cnf<Var>) {
    let floor = bounds.floor();
    if bounds.fills_all_goals() || !cnf.keeps(GOAL_COUNT) {
        return;
    }
    let goals = floor.goals().iter().filter(|&&goal| holds(goal));
    let goals: Vec<Lit> = goals.map(|&goal| cnf.lit(t, Var::Box(floor.place(goal)))).collect();
    at_least(cnf, GOAL_COUNT, t, &goals, floor.boxes().len());
}
