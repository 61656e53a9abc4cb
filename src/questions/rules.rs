//! Which rules of a game act in its shortest solutions, where the rules are written in a file.
//!
//! The positions on shortest solutions are visited move by move, unlike in
//! [`super::enumerate`], which leaves walks out: a rule may act in a walk.

use super::enumerate::Enumeration;
use crate::atlas::{Atlas, CostToGo};
use crate::instance::Instance;
use crate::limits::{Limits, Stop};
use crate::report::RuleUse;
use std::collections::BTreeSet;
use unstuck_encodings::Cost;

/// Which rules act in the shortest solutions of a level, which were counted, or the limit that struck;
/// without any solution those that act before the first move. `None` where the rules are not written in
/// a file.
pub fn rule_use(
    instance: &dyn Instance,
    atlas: &mut dyn Atlas,
    counted: &Enumeration,
    limits: &Limits,
) -> Option<Result<RuleUse, Stop>> {
    let mut idle = instance.moves()?.rule_lines()?;
    let acting = match (counted.optimum, counted.stop) {
        (Some(optimum), _) => acting_rules(atlas, optimum, limits),
        (None, Some(stop)) => Err(stop),
        (None, None) => Ok(atlas.starting()),
    };
    Some(acting.map(|acting| {
        idle.retain(|line| !acting.contains(line));
        RuleUse { acting, idle }
    }))
}

/// The lines of the rules that act in some shortest solution, or before the first move.
///
/// `optimum` is what a shortest solution costs.
///
/// # Errors
/// The limit that struck.
pub fn acting_rules(
    atlas: &mut dyn Atlas,
    optimum: Cost,
    limits: &Limits,
) -> Result<BTreeSet<usize>, Stop> {
    let mut acting = atlas.starting();
    let start = atlas.start();
    let (mut known, mut open) = (BTreeSet::from([start]), vec![(start, optimum)]);
    while let Some((at, rest)) = open.pop() {
        if atlas.is_goal(at) {
            continue;
        }
        for (step, rules) in atlas.steps_with_rules(at) {
            if let Some(stop) = limits.reached() {
                return Err(stop);
            }
            let Some(left) = rest.after(step.cost) else { continue };
            match atlas.cost_to_go(step.to, Some(left.successor()), limits) {
                CostToGo::Exactly(cost) if cost == left => {}
                CostToGo::Stopped(stop, _) => return Err(stop),
                _ => continue,
            }
            acting.extend(rules);
            if known.insert(step.to) {
                open.push((step.to, left));
            }
        }
    }
    Ok(acting)
}
