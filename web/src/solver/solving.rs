//! Questions that take long: solving.

use super::protocol::{Bounds, Progress, Verdict};
use super::{Host, open};
use crate::PageError;
use crate::protocol::Level;
use serde_json::json;
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::registry::{Family, ParsedPuzzle};
use unstuck::report::{LevelAnswer, sentences};
use unstuck::solve::{EngineChoice, Event, Outcome, Request, solve_readings};
use unstuck_puzzles::Objective;

/// What is asked of a level.
pub(super) struct Question {
    pub(super) level: Level,
    pub(super) objective: String,
    pub(super) engine: String,
    pub(super) limits: Bounds,
}

/// The verdict on a level, with the fields of `unstuck solve --json`.
pub(super) fn solve(question: &Question, host: &dyn Host) -> Result<Verdict, PageError> {
    let (family, opened) = open(&question.level)?;
    let solved = solved(question, family, &opened, host)?;
    Ok(verdict(solved.instance.as_ref(), &solved.outcome))
}

/// What came out of a level, under the reading that it came out of.
pub(super) struct SolvedLevel {
    pub(super) instance: Box<dyn Instance>,
    pub(super) outcome: Outcome,
    pub(super) asked: Request,
}

/// Solves a level.
pub(super) fn solved(
    question: &Question,
    family: &Family,
    opened: &ParsedPuzzle,
    host: &dyn Host,
) -> Result<SolvedLevel, PageError> {
    let mut instances = instances(family, opened, &question.objective)?;
    let objective = instances[0].objective();
    let asked = asked(question);
    let on_event = |event: &Event| {
        let shown = progress(event, objective);
        shown.into_iter().for_each(|shown| host.event(&json!(shown).to_string()));
    };
    let mut outcomes = solve_readings(&instances, &asked, &on_event).map_err(PageError::plain)?;
    let outcome = outcomes.pop().ok_or_else(PageError::unread)?;
    let counts = instances.iter().position(|instance| instance.reading() == outcome.reading);
    Ok(SolvedLevel { instance: instances.swap_remove(counts.unwrap_or(0)), outcome, asked })
}

/// A verdict, with its sentences.
pub(super) fn verdict(instance: &dyn Instance, outcome: &Outcome) -> Verdict {
    let proved = sentences::is_proved(outcome).then(|| "proved".to_owned());
    let how = [
        sentences::uniqueness(instance, outcome),
        proved.or_else(|| sentences::bound_shown(outcome)),
    ];
    Verdict {
        answer: LevelAnswer::of(instance, outcome),
        objective: instance.objective().name(),
        how: how.into_iter().flatten().collect::<Vec<_>>().join("; "),
        certificate: None,
        reason: None,
    }
}

fn asked(question: &Question) -> Request {
    let engine = EngineChoice::from_name(&question.engine).unwrap_or_default();
    let limits = limits(&question.limits);
    let states = question.limits.states.map(u64::from);
    let request = Request::default().with_engine(engine).with_limits(limits);
    request.with_solutions(2).with_states(states)
}

/// The readings of a level under an objective: at least one.
pub(super) fn instances(
    family: &Family,
    opened: &ParsedPuzzle,
    objective: &str,
) -> Result<Vec<Box<dyn Instance>>, PageError> {
    Objective::from_name(objective)
        .and_then(|objective| opened.instances(objective))
        .filter(|instances| !instances.is_empty())
        .ok_or_else(|| {
            PageError::plain(format!("{} knows no objective `{objective}`", family.name))
        })
}

/// The limits of a question.
pub(super) fn limits(bounds: &Bounds) -> Limits {
    let time = bounds.seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
    Limits::new(time, bounds.megabytes.map(|it| u64::from(it) << 20))
}

/// What a person sees meanwhile, in the library's words.
fn progress(event: &Event, objective: Objective) -> Option<Progress> {
    let counted = objective != Objective::Any;
    let (bounds, doing, best) = match event {
        // What is known then says it with its moves.
        Event::Plan(_) => return None,
        Event::Known(outcome) => {
            let best = outcome.best.as_ref()?;
            let upper = objective.primary(best.tally());
            let bounds = (Some(outcome.lower), Some(upper));
            (bounds, Event::Plan(upper).to_string(), Some(best.text().to_owned()))
        }
        event => (event.bounds(), event.to_string(), None),
    };
    let (lower, upper) = bounds;
    let doing = if counted || best.is_none() { doing } else { "a solution was found".to_owned() };
    Some(Progress {
        lower: lower.filter(|_| counted),
        upper: upper.filter(|_| counted),
        doing,
        moves: best,
    })
}
