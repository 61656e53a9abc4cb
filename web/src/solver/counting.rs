//! How many shortest solutions there are.

use super::hints::analysis;
use super::open;
use super::protocol::{Bounds, Count, Fork, ForkWay};
use super::solving::{instances, limits};
use crate::PageError;
use crate::protocol::Level;
use unstuck::atlas::{Action, Atlas};
use unstuck::instance::Instance;
use unstuck::questions::enumerate::enumerate;
use unstuck::questions::rules::rule_use;

/// Counts the shortest solutions of a level, under the strictest reading that has one. Where
/// there are several, two of them are compared.
pub(super) fn count(
    level: &Level,
    objective: &str,
    rules: bool,
    bounds: &Bounds,
) -> Result<Count, PageError> {
    let (family, opened) = open(level)?;
    let limits = limits(bounds);
    let mut response = None;
    for instance in instances(family, &opened, objective)? {
        let mut asked = analysis(instance.as_ref())?;
        let mut counted = enumerate(&mut asked, 2, &limits);
        let is_open = counted.solvable != Some(false);
        let atlas = asked.atlas.as_mut();
        if rules && let Some(used) = rule_use(instance.as_ref(), atlas, &counted, &limits) {
            counted.rules = used.ok().into();
        }
        let fork = fork(instance.as_ref(), atlas, &counted.listed);
        response = Some(Count { counted, fork });
        if is_open {
            break;
        }
    }
    response.ok_or_else(PageError::unread)
}

/// Where two plans part: there, different pieces are moved, or the same one elsewhere.
fn fork(instance: &dyn Instance, atlas: &mut dyn Atlas, plans: &[Vec<Action>]) -> Option<Fork> {
    let [one, other] = plans else { return None };
    let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let mut session = instance.moves()?.session();
    let mut after = |plan: &[Action]| {
        session.play(0, &atlas.plan(plan)?).ok()?;
        Some(session.view(usize::MAX))
    };
    let before = after(&one[..common])?;
    let mut next = |plan: &[Action]| after(plan.get(..=common)?);
    let figures = [next(one)?.figures, next(other)?.figures];
    let moves = [atlas.plan(one)?, atlas.plan(other)?];
    let ways = moves.into_iter().zip(figures).map(|(moves, after)| ForkWay { moves, after });
    Some(Fork { at: before.at, before: before.figures, ways: ways.collect() })
}
