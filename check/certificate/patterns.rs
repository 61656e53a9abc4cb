//! Dead patterns as evidence, judged by the rules.

use super::Claim;
use crate::instance::{Instance, PatternJudge};
use crate::limits::Monitor;
use crate::transition::Budget;
use std::io::BufRead;
use unstuck_puzzles::patterns::{PatternError, PatternList, PatternStats};

/// Reads a list and has it judged for a claim.
///
/// # Errors
/// What is wrong with it.
pub(super) fn judge(
    instance: &dyn Instance,
    claim: Claim,
    input: impl BufRead,
    monitor: &mut Monitor<'_>,
) -> Result<(PatternList, PatternStats), PatternError> {
    let list =
        PatternList::read(input).map_err(|error| PatternError::because(error.to_string()))?;
    let excluded = claim.excluded();
    let about = list.claim.map_or(Budget::Any, Budget::Within);
    if excluded != Some(about) {
        return Err(PatternError::because("it is about another claim"));
    }
    if instance.moves().is_none() {
        return Err(PatternError::because("there are no moves"));
    }
    let dropping = instance.capability::<dyn PatternJudge>();
    let none = || PatternError::because(format!("{} has no dead patterns", instance.family()));
    let judged = dropping.ok_or_else(none)?.judge_patterns(&list, monitor)?;
    Ok((list, judged))
}
