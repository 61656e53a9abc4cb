//! Results of earlier runs: what they answer, and whether a level is tried again in spite of one.

use crate::store::result::{GivenLimits, LevelResult};
use clap::ValueEnum;
use unstuck::report::{Length, LevelAnswer};
use unstuck_puzzles::Objective;

/// Which results of earlier runs are not taken but tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Retry {
    /// Those that a limit ended, and errors.
    Unknown,
    /// None but those that were interrupted, and those whose limits were smaller.
    None,
    /// All.
    All,
}

/// Whether a level must be tried again within these limits in spite of an earlier result.
pub(crate) fn should_retry(line: &LevelResult, retry: Retry, limits: GivenLimits) -> bool {
    match (retry, line.answer.stopped_by.as_deref()) {
        (Retry::All, _) => true,
        // States are part of the question: the same number ends the same work again.
        (_, Some("states")) => false,
        _ if line.is_settled() => false,
        // Its end was not waited for.
        (_, Some("interrupted")) | (Retry::Unknown, _) => true,
        (Retry::None, stop) => is_larger(line.asked.limits, limits, stop),
    }
}

/// Whether limits are larger than those of an earlier run, of which one struck.
fn is_larger(before: GivenLimits, now: GivenLimits, stop: Option<&str>) -> bool {
    fn more<T: PartialOrd>(before: Option<T>, now: Option<T>) -> bool {
        before.is_some_and(|before| now.is_none_or(|now| now > before))
    }
    match stop {
        Some("time") => more(before.seconds, now.seconds),
        Some("memory") => more(before.memory_bytes, now.memory_bytes),
        _ => false,
    }
}

/// The new result of a level that was tried again, with what the old answer knew and the new one does
/// not: the better plan and the higher bound.
pub(crate) fn merged(old: LevelAnswer, mut new: LevelResult) -> LevelResult {
    if new.is_settled() || new.answer.verdict == "error" {
        return new;
    }
    let objective = Objective::from_name(&new.asked.question.objective);
    let counted = objective.is_some_and(|objective| objective != Objective::Any);
    let answer = &mut new.answer;
    let is_higher = *old.lower > *answer.lower;
    if is_higher {
        (answer.lower, answer.shown_by) = (old.lower, old.shown_by);
    }
    let length = |length: Option<Length>| {
        let (moves, pushes) = length.map(|it| (it.moves, it.pushes)).unzip();
        let by_moves = objective.is_some_and(|it| it.first() == Objective::Moves);
        if by_moves { (moves, pushes) } else { (pushes, moves) }
    };
    let is_better = match (&*old.solution, &*answer.solution) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(old), Some(new)) => counted && length(old.length) < length(new.length),
    };
    if is_better {
        new.answer = LevelAnswer {
            solution: old.solution,
            upper: old.upper,
            verdict: old.verdict,
            exit: old.exit,
            reading: old.reading,
            optimal: old.optimal,
            tie_break_optimal: old.tie_break_optimal,
            sentence: old.sentence,
            ..new.answer
        };
    }
    if is_higher || is_better {
        new.answer.from_store = true.into();
    }
    if counted && new.answer.upper.is_some() && *new.answer.upper == *new.answer.lower {
        new.answer.optimal = true.into();
    }
    new
}
