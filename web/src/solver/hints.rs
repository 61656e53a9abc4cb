//! Help for a player: a hint, where a game went wrong, what is certain.

use super::open;
use super::protocol::{self, Bounds, Degree, Fact, Forced, JudgedMove, MarkView};
use super::solving::{instances, limits};
use crate::PageError;
use crate::protocol::{Figure, Level};
use std::time::Duration;
use unstuck::atlas::Atlas;
use unstuck::instance::Instance;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::{Diagnosis, MoveClass, diagnose};
use unstuck::questions::forced::{self, DeducedFact};
use unstuck::questions::hint::{self, HintLevel};
use unstuck::questions::{reasons, sentences};
use unstuck::report;
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
        let mut asked = analysis(later.as_ref())?;
        let mut answer = hint::hint(&mut asked, None, steps, &limits);
        if answer.solvable == Some(false) && !moves.is_empty() {
            let mut start = analysis(instance.as_ref())?;
            answer.start_solvable = hint::hint(&mut start, None, 0, &limits).solvable;
        }
        let atlas = asked.atlas.as_mut();
        let said = answer.moves.as_ref().filter(|_| degree >= HintLevel::Move);
        // What is marked stands in the position that is played, not in the one it leads to.
        let (_, marks) = hint::marks(degree.min(HintLevel::Piece), &answer, atlas);
        response = Some(protocol::Hint {
            sentence: sentences::hint(degree, &answer, atlas, !moves.is_empty()),
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

/// Which moves cost something, or lost the game.
pub(super) fn diagnosis(
    level: &Level,
    moves: &str,
    bounds: &Bounds,
) -> Result<protocol::Diagnosis, PageError> {
    let (readings, mut played) = (readings(level)?, None);
    for instance in &readings {
        let mut asked = analysis(instance.as_ref())?;
        let game = asked.atlas.play(moves)?;
        let legal = game.stop.is_none();
        played = Some((instance, asked, game));
        if legal {
            break;
        }
    }
    let (instance, mut asked, game) = played.ok_or_else(PageError::unread)?;
    let answer = diagnose(&mut asked, &game, &limits(bounds));
    let atlas = asked.atlas.as_ref();
    let soon = limits(bounds).within(REASON_TIME);
    let reason = reasons::reason(instance.as_ref(), &answer, &Constraints::default(), &soon);
    let marks = reasons::marks(atlas, &game, &answer, reason.as_ref());
    let judged = answer.moves.iter().map(|made| JudgedMove {
        text: made.text.clone(),
        class: made.class.map(MoveClass::name),
        cost: made.cost.map(|(cost, _)| cost),
    });
    Ok(protocol::Diagnosis {
        fatal: answer.fatal,
        moves: judged.collect(),
        reason: reason.map(|reason| reason.text),
        sentence: judgement(&answer, atlas),
        shown: answer.shown(),
        marks: marks.into_iter().map(MarkView::from).collect(),
    })
}

/// Time for finding a reason that a person can see.
const REASON_TIME: Duration = Duration::from_secs(3);

/// Where a game went wrong, and what is on the board.
fn judgement(answer: &Diagnosis, atlas: &dyn Atlas) -> String {
    let mut text = sentences::diagnosis(answer, atlas);
    let shown = answer.fatal.map(|_| sentences::BEFORE_IT.to_owned());
    for more in shown.into_iter().chain(answer.stop.map(sentences::incomplete)) {
        text.push_str(&format!("; {more}"));
    }
    text
}

/// What all solutions of a puzzle without moves have in common.
pub(super) fn forced_facts(level: &Level, bounds: &Bounds) -> Result<Forced, PageError> {
    let (limits, backend) = (limits(bounds), Request::default().backend);
    let mut response = None;
    for instance in readings(level)? {
        let answer = forced::forced(instance.as_ref(), backend.as_ref(), &limits)
            .map_err(PageError::plain)?;
        let steps: Vec<Fact> = answer.steps.iter().map(fact).collect();
        response = Some(Forced { sentence: sentences::forced_facts(&answer), steps });
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
        what: report::sentences::fact(&step.name),
        how: step.how.name(),
        rules: step.rules.clone(),
    }
}

/// The readings of a level, under the first objective of its family.
fn readings(level: &Level) -> Result<Vec<Box<dyn Instance>>, PageError> {
    let (family, opened) = open(level)?;
    instances(family, &opened, family.objectives[0].name())
}

pub(super) fn analysis(instance: &dyn Instance) -> Result<Analysis<'_>, PageError> {
    let none = || PageError::plain(report::sentences::without_moves(instance));
    Analysis::new(instance, &Constraints::default()).ok_or_else(none)
}
