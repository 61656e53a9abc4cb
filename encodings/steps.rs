//! What the steps of a plan have in common in every family that has time: idle steps, the
//! direction that was chosen, whether a step counts.

use crate::cnf::{Assignment, Cnf, Lit, Rule, Step};
use crate::encoding::{DecodeError, Paid};
use std::hash::Hash;
use unstuck_puzzles::{Direction, Objective};

/// Once idle, always idle: one place for the idle steps of a short plan instead of many.
pub const IDLE_LAST: Rule = Rule::strengthening("idle-last");

/// Plans that were ruled out before are not looked for again: no step before is idle.
pub const NOT_SHORTER: Rule = Rule::strengthening("not-shorter");

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
pub fn paid_moves(objective: Objective, pushing: impl FnOnce() -> Lit) -> Paid {
    match objective.first() {
        Objective::Moves => Paid::Always,
        _ => Paid::If(pushing()),
    }
}
