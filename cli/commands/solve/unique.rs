//! `--unique`: how many shortest solutions there are, as `enumerate` counts them; with `--rules` also
//! which rules of the game act in them.

use crate::answer::rule_use;
use crate::commands::solve::solved::SolvedLevel;
use crate::store::derive::OPEN;
use crate::terminal::failure::Failure;
use unstuck::instance::Instance;
use unstuck::limits::{Limits, Stop};
use unstuck::questions::analysis::Analysis;
use unstuck::questions::enumerate::{Enumeration, enumerate as count, sentence as sentence_of};
use unstuck::report::{LevelAnswer, RuleUse};
use unstuck::solve::{Outcome, Verdict};
use unstuck_puzzles::constraints::Constraints;

/// What is known of the shortest solutions of a level.
pub(crate) struct Counted {
    plans: Enumeration,
    /// The rules that act in them, or the limit that struck; `None` where that was not asked.
    rules: Option<Result<RuleUse, Stop>>,
}

/// Counts the shortest solutions of a game that was solved. Of a puzzle without moves the outcome
/// itself says what is known.
///
/// # Errors
/// When rules are asked for that are not written in a file.
pub(crate) fn counted(
    instance: &dyn Instance,
    outcome: &Outcome,
    with_rules: bool,
    limits: &Limits,
) -> Result<Option<Counted>, Failure> {
    let Some(mut asked) = Analysis::new(instance, &Constraints::default()) else {
        return Ok(None);
    };
    let start = asked.atlas.start();
    asked.learn(start, outcome);
    let plans = match (outcome.verdict, outcome.stop.filter(|_| !outcome.optimal)) {
        (Verdict::Solved, None) => count(&mut asked, 0, limits),
        (Verdict::Solved, stop) => Enumeration::unknown(stop),
        (Verdict::Unsolvable, _) => Enumeration::unsolvable(),
        _ => return Ok(None),
    };
    let rules = match with_rules {
        true => Some(rule_use::of_level(instance, asked.atlas.as_mut(), &plans, limits)?),
        false => None,
    };
    Ok(Some(Counted { plans, rules }))
}

/// What was counted of a level that has a solution, as lines.
pub(crate) fn text(solved: &SolvedLevel) -> String {
    let plans = sentence(solved).map(|sentence| format!("{sentence}\n"));
    let rules = solved.counted.as_ref().and_then(|it| it.rules.as_ref());
    let rules = rules.map(rule_use::text);
    plans.map_or_else(String::new, |plans| plans + &rules.unwrap_or_default())
}

fn sentence(solved: &SolvedLevel) -> Option<String> {
    let instance = solved.instance();
    let counted = solved.counted.as_ref().filter(|_| solved.outcome.best.is_some())?;
    Some(sentence_of(&counted.plans, instance.measures(), instance.objective()))
}

/// Completes the answer of an outcome.
pub(crate) fn complete(answer: &mut LevelAnswer, solved: &SolvedLevel) {
    let stopped = |stop: Stop| stop.name().to_owned().into();
    if let (Some(counted), Some(sentence)) = (&solved.counted, sentence(solved)) {
        answer.optimal_plans = counted.plans.number().into();
        answer.unique = counted.plans.is_unique().into();
        answer.sentence = format!("{}; {sentence}", solved.verdict()).into();
        if let Some(stop) = counted.plans.stop {
            answer.stopped_by = stopped(stop);
        }
    }
    if let Some(rules) = solved.counted.as_ref().and_then(|it| it.rules.as_ref()) {
        answer.rules = rules.as_ref().ok().cloned().into();
        if let (Err(stop), Some(0)) = (rules, *answer.exit) {
            answer.stopped_by = stopped(*stop);
            answer.exit = OPEN.into();
        }
    }
    // It was asked, whether or not it is known.
    answer.unique = (*answer.unique).into();
    if answer.unique.is_none() && *answer.exit == Some(0) {
        answer.exit = OPEN.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use unstuck::registry::readings;
    use unstuck_puzzles::Objective;

    #[test]
    fn a_solution_that_may_not_be_the_only_one_is_no_answer_yet() {
        let instances = instances();
        let mut outcome = Outcome::new(instances[0].as_ref());
        outcome.best = instances[0].verify("R").ok();
        outcome.verdict = Verdict::Solved;
        let complete = |outcome: &Outcome, limits: &Limits| {
            let counted = counted(instances[0].as_ref(), outcome, false, limits);
            let counted = counted.expect("no rules were asked for");
            let (instances, outcome) = (self::instances(), outcome.clone());
            let mut answer = LevelAnswer { exit: 0.into(), ..LevelAnswer::default() };
            let solved = SolvedLevel { counted, ..SolvedLevel::new(instances, outcome) };
            super::complete(&mut answer, &solved);
            answer
        };
        // The plan is known to be shortest, and the time was up before the others were counted.
        outcome.optimal = true;
        let late = complete(&outcome, &Limits::new(Some(std::time::Duration::ZERO), None));
        assert_eq!((*late.exit, late.stopped_by.as_deref()), (Some(30), Some("time")), "{late:?}");
        assert!(late.unique.is_none() && *late.optimal_plans == Some(Value::Null), "{late:?}");
        let said = late.sentence.as_deref().unwrap_or_default();
        assert!(said.contains("; unknown how many shortest solutions there are"), "{said}");
        let known = complete(&outcome, &Limits::none());
        assert_eq!((*known.exit, *known.unique), (Some(0), Some(true)), "{known:?}");
        // Nothing is counted where the plan may not be shortest.
        (outcome.optimal, outcome.stop) = (false, Some(Stop::Memory));
        let open = complete(&outcome, &Limits::none());
        assert_eq!(
            (*open.exit, open.stopped_by.as_deref()),
            (Some(30), Some("memory")),
            "{open:?}"
        );
    }

    fn instances() -> Vec<Box<dyn Instance>> {
        let text = "#####\n#@$.#\n#####\n";
        readings("sokoban", text, Objective::Pushes).expect("a level")
    }
}
