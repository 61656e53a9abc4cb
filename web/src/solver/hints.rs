//! Help for a player: a hint, where a game went wrong, what is certain.

use super::open;
use super::protocol::{self, Bounds, Degree, Fact, Forced, JudgedMove, MarkView};
use super::solving::{instances, limits};
use crate::PageError;
use crate::protocol::{Figure, Level};
use std::time::Duration;
use unstuck::atlas::Atlas;
use unstuck::instance::Instance;
use unstuck::questions::diagnose::{Diagnosis, MoveClass, diagnose};
use unstuck::questions::forced::{self, DeducedFact};
use unstuck::questions::hint::{self, Hint, HintLevel};
use unstuck::questions::reasons;
use unstuck::report::sentences;
use unstuck::solve::Request;
use unstuck_puzzles::constraints::Constraints;

/// What to do after some moves, as far as the degree allows.
pub(super) fn hint(
    level: &Level,
    moves: &str,
    degree: &Degree,
    bounds: &Bounds,
) -> Result<protocol::Hint, PageError> {
    let (degree, steps) = match degree {
        Degree::Solvable => (HintLevel::Solvable, 0),
        Degree::Piece => (HintLevel::Piece, 1),
        Degree::Move => (HintLevel::Move, 1),
        Degree::Plan => (HintLevel::Plan, usize::MAX),
    };
    let (limits, mut response) = (limits(bounds), None);
    // The strictest reading that still has a solution, as on the command line.
    for instance in readings(level)? {
        let Ok(later) = instance.continued(moves) else { continue };
        let mut atlas = atlas(later.as_ref())?;
        let answer = hint::hint_in_time(later.as_ref(), atlas.as_mut(), None, steps, &limits);
        let said = answer.moves.as_ref().filter(|_| degree >= HintLevel::Move);
        // What is marked stands in the position that is played, not in the one it leads to.
        let (_, marks) = hint::marks(degree.min(HintLevel::Piece), &answer, atlas.as_mut());
        response = Some(protocol::Hint {
            sentence: advice(atlas.as_ref(), degree, &answer, moves.is_empty()),
            after: said.map_or_else(Vec::new, |said| after(later.as_ref(), said)),
            moves: said.cloned().unwrap_or_default(),
            marks: marks.into_iter().map(MarkView::from).collect(),
            solvable: answer.solvable,
        });
        if answer.solvable != Some(false) {
            break;
        }
    }
    response.ok_or_else(|| PageError::plain("these moves are not possible"))
}

/// What stands where after some moves.
fn after(instance: &dyn Instance, moves: &str) -> Vec<Figure> {
    let Some(mut session) = instance.moves().map(|game| game.session()) else { return Vec::new() };
    let played = session.play(0, moves).map(|_| session.view(usize::MAX).figures);
    played.into_iter().flatten().map(Figure::from).collect()
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
        (HintLevel::Piece | HintLevel::Move, Some(_)) => format!("{left} to go."),
        (HintLevel::Plan, _) if answer.rest.is_none() => {
            format!("All moves to the end; there may be a shorter way. {left}.")
        }
        (HintLevel::Plan, _) => format!("All moves to the end: {left}, and not fewer."),
    }
}

/// Which moves cost something, or lost the game.
pub(super) fn diagnosis(
    level: &Level,
    moves: &str,
    bounds: &Bounds,
) -> Result<protocol::Diagnosis, PageError> {
    let mut played = None;
    for instance in readings(level)? {
        let mut atlas = atlas(instance.as_ref())?;
        let game = atlas.play(moves)?;
        let legal = game.stop.is_none();
        played = Some((instance, atlas, game));
        if legal {
            break;
        }
    }
    let (instance, mut atlas, game) = played.ok_or_else(PageError::unread)?;
    let answer = diagnose(atlas.as_mut(), &game, &limits(bounds));
    let soon = limits(bounds).within(REASON_TIME);
    let reason = reasons::reason(instance.as_ref(), &answer, &Constraints::default(), &soon);
    let marks = reasons::marks(atlas.as_ref(), &game, &answer, reason.as_ref());
    let judged = answer.moves.iter().map(|made| JudgedMove {
        text: made.text.clone(),
        class: made.class.map(MoveClass::name),
        cost: made.cost.map(|(cost, _)| cost),
    });
    Ok(protocol::Diagnosis {
        fatal: answer.fatal,
        moves: judged.collect(),
        reason: reason.map(|reason| reason.text),
        sentence: judgement(atlas.as_ref(), &answer),
        shown: answer.shown(),
        marks: marks.into_iter().map(MarkView::from).collect(),
    })
}

/// Time for finding a reason that a person can see.
const REASON_TIME: Duration = Duration::from_secs(3);

fn judgement(atlas: &dyn Atlas, answer: &Diagnosis) -> String {
    if let Some(fatal) = answer.fatal {
        let made = &answer.moves[fatal - 1].text;
        return format!(
            "Move {fatal}, {made}, lost the game. The board shows the position before it."
        );
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
pub(super) fn forced_facts(level: &Level, bounds: &Bounds) -> Result<Forced, PageError> {
    let (limits, backend) = (limits(bounds), Request::default().backend);
    let mut response = None;
    for instance in readings(level)? {
        let answer = forced::forced(instance.as_ref(), backend.as_ref(), &limits)
            .map_err(PageError::plain)?;
        let steps: Vec<Fact> = answer.steps.iter().map(fact).collect();
        let sentence = match (answer.solvable, answer.stop) {
            (Some(false), _) => "There is no solution.".to_owned(),
            (_, Some(stop)) => format!("Incomplete: {stop}."),
            _ if steps.len() == 1 => "1 fact holds in all solutions.".to_owned(),
            _ => format!("{} facts hold in all solutions.", steps.len()),
        };
        response = Some(Forced { sentence, steps });
        if answer.solvable != Some(false) {
            break;
        }
    }
    response.ok_or_else(PageError::unread)
}

fn fact(step: &DeducedFact) -> Fact {
    let parts = step.name.strip_suffix(')').and_then(|name| name.split_once('('));
    let (kind, cells) = parts.unwrap_or((&step.name, ""));
    Fact {
        kind: kind.to_owned(),
        holds: step.value,
        cells: cells.split(';').filter(|cell| !cell.is_empty()).map(str::to_owned).collect(),
        what: sentences::fact(&step.name),
        how: step.how.name(),
        rules: step.rules.clone(),
    }
}

/// The readings of a level, under the first objective of its family.
fn readings(level: &Level) -> Result<Vec<Box<dyn Instance>>, PageError> {
    let (family, opened) = open(level)?;
    instances(family, opened.as_ref(), family.objectives[0].name())
}

pub(super) fn atlas(instance: &dyn Instance) -> Result<Box<dyn Atlas>, PageError> {
    let none = || {
        PageError::plain(format!(
            "this command needs a game with moves; {} has none",
            instance.family()
        ))
    };
    instance.atlas(&Constraints::default()).ok_or_else(none)
}
