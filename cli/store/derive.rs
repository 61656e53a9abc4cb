//! What evidence says of a level: the one way from solutions and a claim to a statement.
//!
//! What a store says is derived, not believed. Their fields come from [`outcome`] when
//! they are judged, from solutions that the rules have replayed and from the claim of a certificate
//! that was judged, and are compared. Where there is no certificate, the claim is the one that the
//! fields make: then they must at least be what that claim would say.
//!
//! Every check has a name and goes through [`Checks::demand`], so that the tests can leave out one at a
//! time and see that a forgery passes.

mod recalled;
mod result;

pub(crate) use crate::store::shards::CheckFailure;
pub(crate) use recalled::{OPEN, Recalled};
pub(crate) use result::{DERIVED, DerivedResult, result};

use unstuck::certificate::Claim;
use unstuck::certificate::check::{CheckError, Report, check_files};
use unstuck::certificate::files::Files;
use unstuck::instance::{Instance, Verified};
use unstuck::limits::Limits;
use unstuck::report::LevelAnswer;
use unstuck::solve::{Outcome, Solutions, Verdict};

/// The checks that are made: all of them. Only tests can leave one out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checks {
    #[cfg(test)]
    without: Option<&'static str>,
}

impl Checks {
    /// All checks.
    pub(crate) const ALL: Self = Self {
        #[cfg(test)]
        without: None,
    };

    /// All checks but those of this name.
    #[cfg(test)]
    pub(crate) fn without(name: &'static str) -> Self {
        Self { without: Some(name) }
    }

    /// Whether the tests have left a check out.
    fn skips(self, name: &'static str) -> bool {
        #[cfg(test)]
        let skips = self.without == Some(name);
        #[cfg(not(test))]
        let skips = {
            let _ = name;
            false
        };
        skips
    }

    /// Makes a check.
    ///
    /// # Errors
    /// The fault, where the check does not hold.
    pub(crate) fn demand(
        self,
        name: &'static str,
        holds: bool,
        fault: impl FnOnce() -> String,
    ) -> Result<(), CheckFailure> {
        if holds || self.skips(name) { Ok(()) } else { Err(CheckFailure::Fault(fault())) }
    }
}

/// Judges a certificate, which must be about this question and no other: from the start, and without
/// constraints.
///
/// # Errors
/// What is wrong with it, or the limit that struck.
pub(crate) fn certified(
    checks: Checks,
    files: &dyn Files,
    instance: &dyn Instance,
    limits: &Limits,
) -> Result<Report, CheckFailure> {
    let report = check_files(files, None, limits, &mut |_| {}).map_err(|error| match error {
        CheckError::Stopped(stop) => CheckFailure::Stopped(stop),
        CheckError::Invalid { reason, .. } => {
            CheckFailure::Fault(format!("the certificate is invalid: {reason}"))
        }
        error => CheckFailure::Fault(format!("the certificate cannot be judged: {error}")),
    })?;
    let (about, manifest) = (report.instance.as_ref(), &report.manifest);
    let other = |what: &str| format!("the certificate is about another {what}");
    // Rules and board, not their title, their author or their colours.
    let same = about.canonical_text() == instance.canonical_text();
    checks.demand("puzzle", same, || other("puzzle"))?;
    let same = about.terms().is_same(&instance.terms());
    let objective = about.objective() == instance.objective();
    let what = if objective { "question: its rules differ" } else { "objective" };
    checks.demand("terms", same, || other(what))?;
    checks.demand("after", manifest.after.is_empty(), || other("position"))?;
    checks.demand("wishes", manifest.constraints.is_empty(), || {
        other("question: its constraints differ")
    })?;
    Ok(report)
}

/// Whether a result has no answer: a level that is broken, or whose worker died or was ended.
pub(crate) fn is_unanswered(answer: &LevelAnswer) -> bool {
    let ended = answer.verdict == "unknown" && answer.reading.is_none();
    answer.verdict == "error" || answer.verdict == "crashed" || ended
}

/// Whether there is none of the fields that a result without an answer has not.
pub(crate) fn says_nothing(answer: &LevelAnswer) -> bool {
    let numbers = [*answer.horizon, *answer.lower, *answer.upper];
    let words = [answer.optimal, answer.tie_break_optimal, answer.unique, answer.all_found];
    let solutions = answer.solution.is_some() || answer.others.is_some();
    let certified = *answer.certified == Some(true);
    let is_none = numbers.iter().all(Option::is_none) && words.iter().all(|it| it.is_none());
    is_none && !solutions && !certified
}

/// What solutions, the best one first, and a claim say together of a level. Nothing else is known:
/// no bound, no second solution that is not there.
///
/// # Errors
/// When they contradict each other, or no such claim can be made of the level.
pub(crate) fn outcome(
    checks: Checks,
    instance: &dyn Instance,
    solutions: Vec<Verified>,
    claim: Option<Claim>,
) -> Result<Outcome, CheckFailure> {
    let possible = claim.map_or(Ok(()), |claim| claim.of(instance).map(drop));
    checks.demand("possible", possible.is_ok(), || {
        possible.err().map_or_else(String::new, |error| error.to_string())
    })?;
    let objective = instance.objective();
    let still = instance.moves().is_none();
    let mut outcome = Outcome::new(instance);
    let mut solutions = solutions.into_iter();
    outcome.best = solutions.next();
    let others: Vec<Verified> = solutions.collect();
    let mut all: Vec<&str> = outcome.best.iter().chain(&others).map(Verified::text).collect();
    all.sort_unstable();
    checks.demand("different", all.windows(2).all(|pair| pair[0] != pair[1]), || {
        "one solution is listed twice".to_owned()
    })?;
    let none = matches!(claim, Some(Claim::Unsolvable | Claim::NothingWithin(_)));
    checks.demand("none", !none || outcome.best.is_none(), || {
        "there is a solution of what is said to have none".to_owned()
    })?;
    let needs = claim.is_some_and(Claim::has_solution);
    checks.demand("some", !needs || outcome.best.is_some(), || {
        "it is said to be solved, and there is no solution".to_owned()
    })?;
    outcome.verdict = match claim {
        Some(Claim::Unsolvable) => Verdict::Unsolvable,
        Some(Claim::NothingWithin(horizon)) => Verdict::NoSolutionWithin(horizon),
        _ if needs || outcome.best.is_some() => Verdict::Solved,
        _ => Verdict::Unknown(None),
    };
    match claim {
        Some(Claim::Optimal(cost) | Claim::OptimalTied(cost, _)) => {
            (outcome.lower, outcome.optimal) = (cost, true);
            let tied = matches!(claim, Some(Claim::OptimalTied(..)));
            outcome.tie_optimal = tied || objective.first() == objective;
        }
        Some(Claim::NothingWithin(horizon)) => outcome.lower = horizon.saturating_add(1),
        _ => {}
    }
    if let (Some(best), Some(claim), true) = (&outcome.best, claim, outcome.optimal) {
        let cost = Claim::optimal(objective, best.tally(), outcome.tie_optimal);
        checks.demand("cost", cost == claim, || {
            let (unit, tally) = (instance.measures().first(objective), best.tally());
            let cost = unit.count(objective.primary(tally));
            format!("the solution has {cost}, and another cost is said to be least")
        })?;
    }
    if still && outcome.verdict != Verdict::Unsolvable {
        outcome.solutions = Some(Solutions { others, complete: claim == Some(Claim::Unique) });
    }
    Ok(outcome)
}

#[cfg(test)]
pub(crate) mod tests {
    /// The names of the checks of a result.
    pub(crate) fn of_result() -> Vec<&'static str> {
        names(include_str!("derive/result.rs"))
            .into_iter()
            .chain(crate::store::derive::DERIVED)
            .collect()
    }

    /// The names of all checks in a source, found by the way they are made.
    pub(crate) fn names(source: &'static str) -> Vec<&'static str> {
        let code = source.split("\n#[cfg(test)]\n").next().unwrap_or_default();
        let made = code.split(".demand(").skip(1);
        made.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
    }

    /// The names of the checks here.
    pub(crate) fn own() -> Vec<&'static str> {
        names(include_str!("derive.rs"))
    }

    #[test]
    fn every_check_is_found_and_has_a_name_of_its_own() {
        let own = own();
        assert_eq!(own.len(), 9, "{own:?}");
        let different: std::collections::BTreeSet<_> = own.iter().collect();
        assert_eq!(different.len(), own.len());
    }
}
