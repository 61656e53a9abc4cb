//! A result of `solve`, as a store or a log remembers it: derived again from the solutions and the claim,
//! and compared.

use crate::store::derive::{CheckFailure, Checks, outcome};
use crate::store::result::{LevelQuestion, LevelResult};
use serde_json::{Value, json};
use unstuck::certificate::Claim;
use unstuck::instance::{Instance, Verified};
use unstuck::limits::Stop;
use unstuck::report::LevelAnswer;
use unstuck::solve::{Outcome, Verdict};

/// Fields of a result that are compared with what its evidence says; all of them come from
/// [`LevelAnswer::of`], there and here.
pub(crate) const DERIVED: [&str; 12] = [
    "terms",
    "objective",
    "verdict",
    "exit",
    "horizon",
    "solution",
    "upper",
    "optimal",
    "tie_break_optimal",
    "unique",
    "all_found",
    "others",
];

/// A result that agrees with its evidence.
#[derive(Debug)]
pub(crate) struct DerivedResult {
    /// What the solutions and the claim say; the lower bound and the limit that struck are those of
    /// the result, which nothing shows.
    pub outcome: Outcome,
    /// The same as an answer.
    pub answer: LevelAnswer,
    /// Whether it says something that a certificate could show and none does.
    pub open: bool,
}

/// Derives the answer of a result about an instance. The claim is that of a certificate that was
/// judged; without one it is what the fields themselves claim.
///
/// # Errors
/// The first field that is not what the evidence says.
pub(crate) fn result(
    checks: Checks,
    line: &Value,
    (asked, stated): (LevelQuestion, &LevelAnswer),
    instance: &dyn Instance,
    certified: Option<Claim>,
) -> Result<DerivedResult, CheckFailure> {
    let solutions = solutions(stated, instance)?;
    let claim = certified.or_else(|| claimed(stated, instance, solutions.first()));
    let mut outcome = outcome(checks, instance, solutions, claim)?;
    let mut open = claim.is_some() && certified.is_none();
    open |= all_found(stated, &mut outcome);
    let derived = LevelResult::of(asked, instance, &outcome);
    let shown = json!(derived);
    for name in DERIVED {
        if name == "terms" && line.get(name).is_none() {
            // Older results do not say.
            continue;
        }
        checks.demand(name, line[name] == shown[name], || {
            let (stated, shown) = (&line[name], &shown[name]);
            format!("`{name}` is {stated}, and the evidence says {shown}")
        })?;
    }
    open |= lower(checks, stated, &outcome, &derived.answer)?;
    outcome.lower = stated.lower.unwrap_or(outcome.lower);
    outcome.stop = stated.stopped_by.as_deref().and_then(Stop::from_name);
    let known = outcome.stop.is_some_and(|stop| stop != Stop::Cancelled);
    let unknown = matches!(outcome.verdict, Verdict::Unknown(_));
    checks.demand("stopped", known || (stated.stopped_by.is_none() && !unknown), || {
        "`stopped_by` names no limit".to_owned()
    })?;
    Ok(DerivedResult { outcome, answer: derived.answer, open })
}

/// Judges the lower bound of a result; whether it is larger than what is shown.
fn lower(
    checks: Checks,
    stated: &LevelAnswer,
    outcome: &Outcome,
    derived: &LevelAnswer,
) -> Result<bool, CheckFailure> {
    let stated = *stated.lower;
    let right = match stated {
        None => derived.lower.is_none(),
        Some(lower) if outcome.optimal => lower == outcome.lower,
        Some(lower) => derived.lower.is_some() && derived.upper.is_none_or(|upper| lower <= upper),
    };
    checks.demand("lower", right, || format!("`lower` is {}, which cannot be", json!(stated)))?;
    // Where there is no solution every bound holds.
    let shown = outcome.verdict == Verdict::Unsolvable;
    Ok(!shown && stated.is_some_and(|lower| lower > outcome.lower))
}

/// The solutions of a result, replayed, the best one first.
fn solutions(answer: &LevelAnswer, instance: &dyn Instance) -> Result<Vec<Verified>, CheckFailure> {
    let others = answer.others.iter().flatten();
    let mut solutions = Vec::new();
    for solution in answer.solution.iter().chain(others) {
        let replayed = instance.verify(&solution.moves);
        solutions.push(replayed.map_err(|error| format!("the solution is wrong: {error}"))?);
    }
    Ok(solutions)
}

/// The claim that a result makes where no certificate does.
fn claimed(
    answer: &LevelAnswer,
    instance: &dyn Instance,
    best: Option<&Verified>,
) -> Option<Claim> {
    match answer.verdict.as_str() {
        "solved" if *answer.unique == Some(true) => Some(Claim::Unique),
        "solved" if *answer.optimal == Some(true) => {
            let tie = *answer.tie_break_optimal == Some(true);
            Some(Claim::optimal(instance.objective(), best?.tally(), tie))
        }
        "unsolvable" => Some(Claim::Unsolvable),
        "no-solution-within" => answer.horizon.map(Claim::NothingWithin),
        _ => None,
    }
}

/// Takes over that several solutions are said to be all: whether they are, which nothing shows.
fn all_found(answer: &LevelAnswer, outcome: &mut Outcome) -> bool {
    let Some(solutions) = &mut outcome.solutions else { return false };
    let said = *answer.all_found == Some(true) && !solutions.others.is_empty();
    solutions.complete |= said;
    said
}
