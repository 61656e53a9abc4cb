//! `--unique`: whether the shortest solution is the only one, as `enumerate` counts them.

use super::SolvedLevel;
use crate::enumerate;
use serde_json::{Value, json};
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::questions::enumerate::{Enumeration, enumerate as count};
use unstuck::solve::{Outcome, Verdict};
use unstuck_puzzles::constraints::Constraints;

/// The exit code where a solution is known, and not whether it is the only one.
pub(super) const OPEN: u8 = 30;

/// Counts the shortest solutions of a game that was solved. Of a puzzle without moves the outcome
/// itself says what is known.
pub(super) fn counted(
    instance: &dyn Instance,
    outcome: &Outcome,
    limits: &Limits,
) -> Option<Enumeration> {
    let solved = outcome.verdict == Verdict::Solved;
    let mut atlas = instance.atlas(&Constraints::default()).filter(|_| solved)?;
    Some(match outcome.stop.filter(|_| !outcome.optimal) {
        None => count(atlas.as_mut(), 0, limits),
        stop => Enumeration { stop, ..Enumeration::default() },
    })
}

/// What was counted, as a sentence.
pub(super) fn sentence(solved: &SolvedLevel) -> Option<String> {
    let instance = solved.instance();
    let counted = solved.counted.as_ref()?;
    Some(enumerate::sentence(instance.measures(), instance.objective(), counted))
}

/// Completes the object of an outcome.
pub(super) fn complete(value: &mut Value, solved: &SolvedLevel) {
    if let (Some(counted), Some(sentence)) = (&solved.counted, sentence(solved)) {
        value["optimal_plans"] = enumerate::number(counted);
        value["unique"] = json!(enumerate::is_unique(counted));
        value["sentence"] = format!("{}; {sentence}", solved.verdict()).into();
        if let Some(stop) = counted.stop {
            value["stopped_by"] = stop.name().into();
        }
    }
    let unique = value["unique"].take();
    if unique.is_null() && value["exit"] == 0 {
        value["exit"] = OPEN.into();
    }
    value["unique"] = unique;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::SelectedLevel;
    use unstuck::limits::Stop;
    use unstuck::registry::by_name;
    use unstuck_puzzles::Options;

    #[test]
    fn a_solution_that_may_not_be_the_only_one_is_no_answer_yet() {
        let instances = instances();
        let mut outcome = Outcome::new(instances[0].as_ref());
        outcome.best = instances[0].verify("R").ok();
        outcome.verdict = Verdict::Solved;
        let complete = |outcome: &Outcome, limits: &Limits| {
            let counted = counted(instances[0].as_ref(), outcome, limits);
            let (instances, outcome) = (self::instances(), outcome.clone());
            let mut value = json!({ "exit": 0, "stopped_by": null });
            super::complete(&mut value, &SolvedLevel { instances, outcome, begun: None, counted });
            value
        };
        // The plan is known to be shortest, and the time was up before the others were counted.
        outcome.optimal = true;
        let late = complete(&outcome, &Limits::new(Some(std::time::Duration::ZERO), None));
        assert_eq!((&late["exit"], &late["stopped_by"]), (&json!(30), &json!("time")), "{late}");
        assert!(late["unique"].is_null() && late["optimal_plans"].is_null(), "{late}");
        let said = late["sentence"].as_str().unwrap_or_default();
        assert!(said.contains("; number of optimal plans unknown"), "{said}");
        let known = complete(&outcome, &Limits::none());
        assert_eq!((&known["exit"], &known["unique"]), (&json!(0), &json!(true)), "{known}");
        // Nothing is counted where the plan may not be shortest.
        (outcome.optimal, outcome.stop) = (false, Some(Stop::Memory));
        let open = complete(&outcome, &Limits::none());
        assert_eq!((&open["exit"], &open["stopped_by"]), (&json!(30), &json!("memory")), "{open}");
    }

    fn instances() -> Vec<Box<dyn Instance>> {
        let family = by_name("sokoban").expect("a family");
        let options = Options::new(family.options, []).expect("defaults");
        let text = "#####\n#@$.#\n#####\n";
        let chosen = SelectedLevel::of_text("a.xsb", family, options, text);
        chosen.ok().and_then(|it| it.instances(None).ok()).expect("a level")
    }
}
