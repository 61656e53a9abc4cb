//! Dead patterns as evidence: finding them for a claim.

use super::proof_task::{ProveError, unfit};
use crate::advice::Advice;
use crate::instance::{Instance, LearnEnd, Relaxation};
use crate::learn::{LearnOptions, LearnStats};
use crate::limits::Limits;
use crate::transition::Budget;
use std::sync::Arc;
use unstuck_puzzles::patterns::{PatternList, PatternReason};

/// Whether all patterns of a list count what their own boxes waste, so that they may be added.
pub(super) fn add_up(list: &PatternList) -> bool {
    list.patterns.iter().all(|pattern| matches!(pattern.why, PatternReason::Dead(_)))
}

/// Patterns that show a claim.
pub(super) fn find(
    instance: &dyn Instance,
    excluded: Budget,
    learn_options: LearnOptions<'_>,
    limits: &Limits,
    progress: &mut dyn FnMut(LearnStats),
) -> Result<PatternList, ProveError> {
    if excluded.second().is_some() {
        return Err(unfit("patterns know nothing of a tie-break", Advice::AnyEvidence));
    }
    let learn_options = LearnOptions { exclude: excluded.first(), ..learn_options };
    let learned = instance
        .capability::<dyn Relaxation>()
        .and_then(|dropping| dropping.learn(learn_options, limits, progress));
    let learned = learned.ok_or_else(|| {
        let (family, objective) = (instance.family(), instance.objective().name());
        let reason =
            format!("{family} under `{objective}` has no pieces to drop, or too many of them");
        unfit(reason, Advice::AnyEvidence)
    })?;
    match learned.end {
        LearnEnd::Excluded | LearnEnd::Lost => {
            let mut list = Arc::unwrap_or_clone(learned.list);
            // What is lost altogether excludes every length.
            if let Budget::Within(most) = excluded {
                list.claim = Some(most);
            }
            Ok(list)
        }
        LearnEnd::Found(_, None) => Err(ProveError::Fault("there is a solution".to_owned())),
        LearnEnd::Found(_, Some(stop)) | LearnEnd::Stopped(stop) => Err(ProveError::Stopped(stop)),
        LearnEnd::Fault(fault) => Err(ProveError::Fault(fault.0)),
    }
}
