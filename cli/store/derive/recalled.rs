//! An answer of an earlier run, from a store: derived from its solutions and from what it claims.
//! What nothing shows is said to be remembered.

use crate::input::SelectedLevel;
use crate::store::derive::{self, CheckFailure, Checks, is_unanswered, says_nothing};
use crate::store::result::{LevelQuestion, LevelResult};
use crate::terminal::output;
use serde_json::{Value, json};
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::report::{Field, LevelAnswer, sentences};
use unstuck::solve::Outcome;

/// The exit code where a solution is known, and not all else that was asked.
pub(crate) const OPEN: u8 = 30;

/// What a store says of a level, and what shows it.
pub(crate) struct Recalled {
    /// None where nothing came out: a worker died, or was ended.
    pub outcome: Option<Outcome>,
    pub result: LevelResult,
}

impl Recalled {
    /// What a line of a store says of a level; nothing where it contradicts itself, which is said.
    pub(crate) fn taken(
        now: &LevelQuestion,
        chosen: &SelectedLevel,
        instances: &[Box<dyn Instance>],
        line: &LevelResult,
    ) -> Option<Self> {
        let wrong = |wrong: &CheckFailure| {
            let name = chosen.name();
            output::say(format!("warning: {name}: what the store says is not taken: {wrong}"));
        };
        Self::of(now, instances, line).inspect_err(wrong).ok()
    }

    /// Derives what a line of a store says of a level about which this is asked.
    ///
    /// # Errors
    /// What the line says that its solutions, the level or the line itself contradict.
    fn of(
        now: &LevelQuestion,
        instances: &[Box<dyn Instance>],
        line: &LevelResult,
    ) -> Result<Self, CheckFailure> {
        let LevelResult { asked, answer: stated, cpu_seconds, .. } = line;
        // Of what was asked only the limits may have been others.
        let asked = LevelQuestion { limits: asked.limits, ..now.clone() };
        let recalled = |answer| {
            let mut result = LevelResult::new(asked.clone(), answer);
            result.cpu_seconds = *cpu_seconds;
            result
        };
        if is_unanswered(stated) && says_nothing(stated) {
            let answer = LevelAnswer { from_store: true.into(), ..stated.clone() };
            return Ok(Self { outcome: None, result: recalled(answer) });
        }
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
        let objective = Some(instance.objective().name().into());
        let asked = LevelQuestion { objective, ..asked.clone() };
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
        let mut result = recalled(answer);
        result.asked = asked;
        Ok(Self { outcome: Some(outcome), result })
    }

    /// The time that the run took, as the store says.
    pub(crate) fn elapsed(&self) -> Duration {
        let seconds = self.result.answer.seconds.unwrap_or_default();
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// Where the answer comes from, below it.
    pub(crate) fn sentence(&self) -> String {
        let answer = &self.result.answer;
        let plans = match &*answer.optimal_plans {
            Some(Value::Number(plans)) => format!("shortest solutions: {plans}\n"),
            Some(Value::String(plans)) if plans.parse::<u128>().is_ok() => {
                format!("shortest solutions: {plans}\n")
            }
            _ => String::new(),
        };
        format!(
            "{plans}as the store of an earlier run says; not found in this one, not certified\n"
        )
    }
}
