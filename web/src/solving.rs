//! Questions that take long: solving.

use crate::reading::open;
use crate::{Host, PageError, text};
use serde_json::{Value, json};
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::registry::{Family, ParsedPuzzle};
use unstuck::report::{self, sentences};
use unstuck::solve::{EngineChoice, Event, Outcome, Request, solve_readings};
use unstuck_puzzles::Objective;

/// The verdict on the level of a request, with the fields of `unstuck solve --json`.
pub(crate) fn solve(request: &Value, host: &dyn Host) -> Result<Value, PageError> {
    let (family, opened) = open(request)?;
    let solved = solved(request, family, opened.as_ref(), host)?;
    Ok(verdict(solved.instance.as_ref(), &solved.outcome))
}

/// What came out of a level, under the reading that it came out of.
pub(crate) struct SolvedLevel {
    pub(crate) instance: Box<dyn Instance>,
    pub(crate) outcome: Outcome,
    pub(crate) asked: Request,
}

/// Solves the level of a request.
pub(crate) fn solved(
    request: &Value,
    family: &Family,
    opened: &dyn ParsedPuzzle,
    host: &dyn Host,
) -> Result<SolvedLevel, PageError> {
    let mut instances = instances(family, opened, text(request, "objective")?)?;
    let objective = instances[0].objective();
    let asked = asked(request);
    let on_event = |event: &Event| match event {
        // Its bounds were shown when they were found.
        Event::Known(_) => {}
        event => host.event(&progress(event, objective).to_string()),
    };
    let mut outcomes = solve_readings(&instances, &asked, &on_event).map_err(PageError::plain)?;
    let outcome = outcomes.pop().ok_or_else(|| PageError::plain("this level has no reading"))?;
    let counts = instances.iter().position(|instance| instance.reading() == outcome.reading);
    Ok(SolvedLevel { instance: instances.swap_remove(counts.unwrap_or(0)), outcome, asked })
}

/// A verdict, with its sentences.
pub(crate) fn verdict(instance: &dyn Instance, outcome: &Outcome) -> Value {
    let mut value = json!({});
    report::complete(&mut value, instance, outcome);
    let how = [sentences::uniqueness(outcome), sentences::shown(outcome)];
    value["how"] = json!(how.into_iter().flatten().collect::<Vec<_>>().join("; "));
    value
}

/// What is asked of a level.
fn asked(request: &Value) -> Request {
    let engine = request["engine"].as_str().and_then(EngineChoice::from_name).unwrap_or_default();
    Request::default().with_engine(engine).with_limits(limits(request)).with_solutions(2)
}

/// The readings of a level under an objective: at least one.
pub(crate) fn instances(
    family: &Family,
    opened: &dyn ParsedPuzzle,
    objective: &str,
) -> Result<Vec<Box<dyn Instance>>, PageError> {
    Objective::from_name(objective)
        .and_then(|objective| opened.instances(objective))
        .filter(|instances| !instances.is_empty())
        .ok_or_else(|| {
            PageError::plain(format!("{} knows no objective `{objective}`", family.name))
        })
}

/// The limits of a request.
pub(crate) fn limits(request: &Value) -> Limits {
    let limits = &request["limits"];
    let time = limits["seconds"].as_f64().and_then(|it| Duration::try_from_secs_f64(it).ok());
    let memory = limits["megabytes"].as_u64().and_then(|it| it.checked_mul(1 << 20));
    Limits::new(time, memory)
}

/// What a person sees meanwhile, in the library's words.
fn progress(event: &Event, objective: Objective) -> Value {
    let counted = objective != Objective::Any;
    let (lower, upper) = event.bounds();
    json!({
        "lower": lower.filter(|_| counted),
        "upper": upper.filter(|_| counted),
        "doing": event.to_string(),
    })
}
