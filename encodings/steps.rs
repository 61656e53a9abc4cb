//! What the steps of a plan have in common in every family that has time: idle steps, the
//! direction that was chosen, whether a step counts.

use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, StepCost};
use std::hash::Hash;
use unstuck_puzzles::{Direction, Objective};

/// Once idle, always idle: one place for the idle steps of a short plan instead of many.
pub const IDLE_LAST: Rule = Rule::strengthening("idle-last");

/// Plans that were ruled out before are not looked for again: no step before is idle.
pub const NOT_SHORTER: Rule = Rule::strengthening("not-shorter");

/// The last step of a shortest plan pushes: before a walk at the end the puzzle is solved already.
pub const LAST_PUSH: Rule = Rule::strengthening("last-push");

/// Of a plan and its mirror images only the first in alphabetical order is looked for.
pub const MIRROR: Rule = Rule::strengthening("mirror");

/// The last step that is not idle pushes. For puzzles whose goal does not speak of the player, and
/// for horizons that count moves. `busy` gives literals one of which holds in a step that is not
/// idle, `pushing` one that holds in a step that pushes.
pub fn last_push<V: Copy + Eq + Hash, L: IntoIterator<Item = Lit>>(
    horizon: Step,
    cnf: &mut Cnf<V>,
    mut busy: impl FnMut(Step, &mut Cnf<V>) -> L,
    mut pushing: impl FnMut(Step, &mut Cnf<V>) -> Lit,
) {
    if !cnf.keeps(LAST_PUSH) {
        return;
    }
    for t in 0..horizon {
        let pushes = pushing(t, cnf);
        let next: Vec<Lit> =
            if t + 1 < horizon { busy(t + 1, cnf).into_iter().collect() } else { Vec::new() };
        for now in busy(t, cnf) {
            cnf.add(LAST_PUSH, [!now, pushes].into_iter().chain(next.iter().copied()));
        }
    }
}

/// The first `least` steps are not idle. `busy` gives literals one of which holds in a step that
/// is not.
pub fn not_shorter<V: Copy + Eq + Hash, L: IntoIterator<Item = Lit>>(
    least: Step,
    cnf: &mut Cnf<V>,
    mut busy: impl FnMut(Step, &mut Cnf<V>) -> L,
) {
    for t in 0..least {
        let busy = busy(t, cnf);
        cnf.add(NOT_SHORTER, busy);
    }
}

/// Plans that do not come after their image under a symmetry that leaves the start as it is. `own`
/// are the actions that are their own images, `later` those that stand after theirs in the order of
/// actions: none of these is done as long as the plan is its own image.
pub fn first_of_image<V: Copy + Eq + Hash>(
    horizon: Step,
    cnf: &mut Cnf<V>,
    own: &[V],
    later: &[V],
) {
    // So far the plan is its own image.
    let mut same: Option<Lit> = None;
    for t in 0..horizon {
        let so_far = same.map(|same| !same);
        for &action in later {
            let done = cnf.lit(t, action);
            cnf.add(MIRROR, so_far.into_iter().chain([!done]));
        }
        if own.is_empty() {
            break;
        }
        let next = cnf.aux(MIRROR, t);
        for &action in own {
            let done = cnf.lit(t, action);
            cnf.add(MIRROR, so_far.into_iter().chain([!done, next]));
        }
        same = Some(next);
    }
}

/// The direction that a model chooses in a step, `None` when the step is idle.
///
/// # Errors
/// When it chooses several.
pub fn chosen_direction<V: Copy + Eq + Hash>(
    t: Step,
    assignment: Assignment<'_, V>,
    go: impl Fn(Direction) -> V,
) -> Result<Option<Direction>, DecodeError> {
    let mut going = Direction::ALL.into_iter().filter(|&d| assignment.holds(t, go(d)));
    match (going.next(), going.next()) {
        (chosen, None) => Ok(chosen),
        _ => Err(DecodeError(format!("step {t} goes in two directions"))),
    }
}

/// What counts in a step of one move: every move where moves are counted first, else only a push.
pub fn paid_moves(objective: Objective, pushing: impl FnOnce() -> Lit) -> StepCost {
    match objective.first() {
        Objective::Moves => StepCost::Always,
        _ => StepCost::If(pushing()),
    }
}
