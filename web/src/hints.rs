//! Help for a player: a hint, where a game went wrong, what is certain.

use crate::reading::open;
use crate::solving::{instances, limits};
use crate::{PageError, text};
use serde_json::{Value, json};
use std::time::Duration;
use unstuck::atlas::Atlas;
use unstuck::instance::Instance;
use unstuck::questions::diagnose::{Diagnosis, JudgedMove, diagnose};
use unstuck::questions::forced::{self, DeductionMethod};
use unstuck::questions::hint::{self, Hint, HintLevel, piece_of};
use unstuck::questions::reasons;
use unstuck::report::marks;
use unstuck::report::sentences;
use unstuck::solve::Request;
use unstuck_puzzles::Style;
use unstuck_puzzles::constraints::Constraints;

/// What to do after the moves of a request, as far as its degree allows.
pub(crate) fn hint(request: &Value) -> Result<Value, PageError> {
    let name = text(request, "degree")?;
    let degree = HintLevel::ALL.into_iter().find(|degree| degree.name() == name);
    let degree = degree.ok_or_else(|| PageError::plain(format!("there is no degree `{name}`")))?;
    let steps = match degree {
        HintLevel::Solvable => 0,
        HintLevel::Piece | HintLevel::Move => 1,
        HintLevel::Plan => usize::MAX,
    };
    let moves = text(request, "moves")?;
    let (limits, mut response) = (limits(request), Value::Null);
    // The strictest reading that still has a solution, as on the command line.
    for instance in readings(request)? {
        let Ok(later) = instance.continued(moves) else { continue };
        let mut atlas = atlas(later.as_ref())?;
        let answer = hint::hint_in_time(later.as_ref(), atlas.as_mut(), None, steps, &limits);
        let shown = answer.moves.as_ref().filter(|_| degree >= HintLevel::Move);
        // What is drawn lies on the position that is played, not on the one it leads to.
        let (at, marks) = hint::marks(degree.min(HintLevel::Piece), &answer, atlas.as_mut());
        let drawn = atlas.draw(at, Style::Svg).filter(|_| !marks.is_empty());
        response = json!({
            "sentence": advice(atlas.as_ref(), degree, &answer, moves.is_empty()),
            "moves": shown.map_or("", String::as_str),
            "svg": drawn.map(|svg| marks::on(svg, later.as_ref(), &marks)),
            "solvable": answer.solvable,
        });
        if answer.solvable != Some(false) {
            break;
        }
    }
    if response.is_null() {
        Err(PageError::plain("these moves are not possible"))
    } else {
        Ok(response)
    }
}

fn advice(atlas: &dyn Atlas, degree: HintLevel, answer: &Hint, at_start: bool) -> String {
    let unit = atlas.measures().first(atlas.objective());
    let left = match (answer.rest, answer.at_most) {
        (Some(rest), _) => unit.count(rest.primary()),
        (None, Some(most)) => format!("At most {}", unit.count(most)),
        (None, None) => String::new(),
    };
    if answer.solvable != Some(true) {
        return match (answer.solvable, answer.stop) {
            (Some(false), _) if at_start => "Unsolvable.".to_owned(),
            (Some(false), _) => "No longer solvable: undo some moves.".to_owned(),
            (_, Some(stop)) => format!("Unknown whether it is solvable: {stop}."),
            _ => "Unknown whether it is solvable.".to_owned(),
        };
    }
    match (degree, answer.actions.first()) {
        (HintLevel::Solvable, _) => "Solvable from here.".to_owned(),
        (_, None) => "Already solved.".to_owned(),
        (HintLevel::Piece, Some(action)) => format!("Next: {}. {left} to go.", piece_of(action)),
        (HintLevel::Move, Some(action)) => format!("Next: {action}. {left} to go."),
        (HintLevel::Plan, _) if answer.rest.is_none() => {
            format!("All moves to the end; there may be a shorter way. {left}.")
        }
        (HintLevel::Plan, _) => format!("All moves to the end: {left}, and not fewer."),
    }
}

/// Which of the moves of a request cost something, or lost the game.
pub(crate) fn diagnosis(request: &Value) -> Result<Value, PageError> {
    let mut played = None;
    for instance in readings(request)? {
        let mut atlas = atlas(instance.as_ref())?;
        let game = atlas.play(text(request, "moves")?)?;
        let legal = game.stop.is_none();
        played = Some((instance, atlas, game));
        if legal {
            break;
        }
    }
    let (instance, mut atlas, game) =
        played.ok_or_else(|| PageError::plain("this level has no reading"))?;
    let answer = diagnose(atlas.as_mut(), &game, &limits(request));
    let soon = limits(request).within(REASON_TIME);
    let reason = reasons::reason(instance.as_ref(), &answer, &Constraints::default(), &soon);
    let marks = reasons::marks(atlas.as_ref(), &game, &answer, reason.as_ref());
    let drawn = atlas.draw(answer.positions[answer.shown()], Style::Svg);
    Ok(json!({
        "fatal": answer.fatal,
        "moves": answer.moves.iter().map(JudgedMove::object).collect::<Vec<_>>(),
        "reason": reason.map(|reason| reason.text),
        "sentence": judgement(atlas.as_ref(), &answer),
        "svg": drawn.filter(|_| answer.lost.is_some())
            .map(|svg| marks::on(svg, instance.as_ref(), &marks)),
    }))
}

/// Time for finding a reason that a person can see.
const REASON_TIME: Duration = Duration::from_secs(3);

fn judgement(atlas: &dyn Atlas, answer: &Diagnosis) -> String {
    if let Some(fatal) = answer.fatal {
        let made = &answer.moves[fatal - 1].text;
        return format!("Move {fatal}, {made}, lost the game; below is the position before it.");
    }
    match (answer.lost, answer.rest, answer.stop) {
        (Some(0), ..) => "The level has no solution at all.".to_owned(),
        (Some(lost), ..) => {
            let first = answer.solvable.map_or(1, |solvable| solvable + 1);
            format!("One of the moves {first} to {lost} lost the game.")
        }
        (_, _, Some(stop)) => format!("Incomplete: {stop}."),
        (_, Some(_), _) if answer.solved => "Solved.".to_owned(),
        (_, Some(rest), _) => {
            let left = atlas.measures().first(atlas.objective()).count(rest.primary());
            format!("Still solvable: {left} to go.")
        }
        _ => "Still solvable.".to_owned(),
    }
}

/// What all solutions of a puzzle without moves have in common.
pub(crate) fn forced_facts(request: &Value) -> Result<Value, PageError> {
    let (limits, backend) = (limits(request), Request::default().backend);
    let mut response = Value::Null;
    for instance in readings(request)? {
        let answer = forced::forced(instance.as_ref(), backend.as_ref(), &limits)
            .map_err(PageError::plain)?;
        let steps: Vec<Value> = answer
            .steps
            .iter()
            .map(|step| {
                let why = match step.how {
                    DeductionMethod::Direct => "one clause says it".to_owned(),
                    DeductionMethod::Contradiction => {
                        format!("else a contradiction after {} clauses", step.clauses)
                    }
                    DeductionMethod::Search => "by search".to_owned(),
                };
                let rules = step.rules.join(", ");
                let why = if rules.is_empty() { why } else { format!("{why} ({rules})") };
                let not = if step.value { "" } else { "not " };
                json!({ "what": format!("{not}{}", sentences::fact(&step.name)), "why": why })
            })
            .collect();
        let reading = instance.reading();
        let under = if reading.is_empty() { String::new() } else { format!(" ({reading})") };
        let sentence = match (answer.solvable, answer.stop) {
            (Some(false), _) => format!("There is no solution{under}."),
            (_, Some(stop)) => format!("Incomplete{under}: {stop}."),
            _ => format!("{} facts hold in all solutions{under}.", steps.len()),
        };
        let drawn = instance.picture(None, Style::Svg);
        let drawn = drawn.map(|svg| marks::on(svg, instance.as_ref(), &forced::marks(&answer)));
        response = json!({ "sentence": sentence, "steps": steps, "svg": drawn });
        if answer.solvable != Some(false) {
            break;
        }
    }
    Ok(response)
}

/// The readings of the level of a request, under the first objective of its family.
fn readings(request: &Value) -> Result<Vec<Box<dyn Instance>>, PageError> {
    let (family, opened) = open(request)?;
    instances(family, opened.as_ref(), family.objectives[0].name())
}

pub(crate) fn atlas(instance: &dyn Instance) -> Result<Box<dyn Atlas>, PageError> {
    let none = || {
        PageError::plain(format!(
            "this command needs a game with moves; {} has none",
            instance.family()
        ))
    };
    instance.atlas(&Constraints::default()).ok_or_else(none)
}
