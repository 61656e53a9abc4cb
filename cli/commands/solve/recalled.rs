//! An answer of an earlier run, from the log: derived from its solutions and from what it claims, like
//! locks and stores. What nothing shows is said to be remembered.

use crate::commands::solve::job::BatchTask;
use crate::store::derive;
use crate::store::derive::{CheckFailure, Checks};
use crate::store::result::{LevelQuestion, LevelResult};
use serde_json::{Value, json};
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::report::{Field, LevelAnswer, sentences};
use unstuck::solve::Outcome;

/// The exit code where not all that was asked is known.
use crate::commands::solve::unique::OPEN;

/// What a log says of a level, and what shows it.
pub(super) struct Recalled {
    pub outcome: Outcome,
    pub result: LevelResult,
}

impl Recalled {
    /// Derives what a line of the log says of the level of a task.
    ///
    /// # Errors
    /// What the line says that its solutions, the level or the line itself contradict.
    pub(super) fn of(
        task: &BatchTask<'_>,
        instances: &[Box<dyn Instance>],
        line: &LevelResult,
    ) -> Result<Self, CheckFailure> {
        let LevelResult { asked, answer: stated, .. } = line;
        let reading = stated.reading.as_deref();
        let instance = instances.iter().find(|it| Some(it.reading()) == reading);
        let instance = instance.ok_or("there is no such reading")?.as_ref();
        // How many shortest solutions a game has is remembered; nothing here shows it.
        let is_counted = asked.question.unique && instance.moves().is_some();
        let mut evident = line.clone();
        if is_counted {
            evident.answer.unique = Field::default();
            let is_open = *stated.exit == Some(OPEN) && stated.verdict == "solved";
            evident.answer.exit = if is_open { 0.into() } else { stated.exit };
        }
        let said = (asked.clone(), &evident.answer);
        let derived = derive::result(Checks::ALL, &json!(evident), said, instance, None)?;
        let (outcome, derived) = (derived.outcome, derived.answer);
        let stated = stated.clone();
        let mut answer = LevelAnswer {
            sentence: sentences::verdict(instance, &outcome).into(),
            lower: stated.lower,
            stopped_by: stated.stopped_by,
            from_store: true.into(),
            shown_by: stated.shown_by,
            horizons: stated.horizons,
            search: stated.search,
            seconds: stated.seconds,
            peak_memory_bytes: stated.peak_memory_bytes,
            ..derived
        };
        if is_counted {
            (answer.optimal_plans, answer.unique) = (stated.optimal_plans, stated.unique);
            answer.rules = stated.rules;
            let lacks_rules = asked.question.rules && answer.rules.is_none();
            if *answer.exit == Some(0) && (answer.unique.is_none() || lacks_rules) {
                answer.exit = OPEN.into();
            }
        }
        // Of what was asked only the limits may have been others.
        let asked = LevelQuestion { limits: asked.limits, ..task.asked.clone() };
        let asked = LevelQuestion { objective: Some(instance.objective().name().into()), ..asked };
        Ok(Self { outcome, result: LevelResult::new(asked, answer) })
    }

    /// The time that the run took, as the log says.
    pub(super) fn elapsed(&self) -> Duration {
        let seconds = self.result.answer.seconds.unwrap_or_default();
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// Where the answer comes from, below it.
    pub(super) fn sentence(&self) -> String {
        let answer = &self.result.answer;
        let plans = match &*answer.optimal_plans {
            Some(Value::Number(plans)) => format!("shortest solutions: {plans}\n"),
            Some(Value::String(plans)) if plans.parse::<u128>().is_ok() => {
                format!("shortest solutions: {plans}\n")
            }
            _ => String::new(),
        };
        format!("{plans}as the log of an earlier run says; not found in this one, not certified\n")
    }
}
