//! Help for a player: a hint, where a game went wrong, what is certain.

use super::open;
use super::protocol::{Bounds, ShownDiagnosis, ShownFacts, ShownHint};
use super::solving::{instances, limits};
use crate::PageError;
use crate::protocol::Level;
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::diagnose;
use unstuck::questions::forced::forced;
use unstuck::questions::hint::{self, HintLevel};
use unstuck::questions::{reasons, sentences};
use unstuck::report;
use unstuck::solve::Request;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::scene::Figure;

/// What to do after some moves, as far as the degree allows.
pub(super) fn hint(
    level: &Level,
    moves: &str,
    degree: HintLevel,
    bounds: &Bounds,
) -> Result<ShownHint, PageError> {
    let steps = match degree {
        HintLevel::Solvable => 0,
        HintLevel::Piece | HintLevel::Move => 1,
        HintLevel::Plan => usize::MAX,
    };
    let (limits, mut response) = (limits(bounds), None);
    // The strictest reading that still has a solution, as on the command line.
    for instance in readings(level)? {
        let Ok(later) = instance.continued(moves) else { continue };
        let mut asked = analysis(later.as_ref())?;
        let mut hint = hint::hint(&mut asked, None, steps, &limits);
        if hint.solvable == Some(false) && !moves.is_empty() {
            let mut start = analysis(instance.as_ref())?;
            hint.start_solvable = hint::hint(&mut start, None, 0, &limits).solvable;
        }
        let atlas = asked.atlas.as_mut();
        // What is marked stands in the position that is played, not in the one it leads to.
        let pointing = hint.clone().limited(degree.min(HintLevel::Piece), false, atlas);
        let (_, marks) = hint::marks(&pointing, atlas);
        let hint = hint.limited(degree, !moves.is_empty(), atlas);
        let said = hint.moves.as_deref();
        response = Some(ShownHint {
            after: said.map_or_else(Vec::new, |said| after(later.as_ref(), said)),
            marks,
            hint,
        });
        if response.as_ref().is_some_and(|it| it.hint.solvable != Some(false)) {
            break;
        }
    }
    response.ok_or_else(|| PageError::plain("these moves are not possible"))
}

/// What stands where after some moves.
fn after(instance: &dyn Instance, moves: &str) -> Vec<Figure> {
    let Some(mut session) = instance.moves().map(|game| game.session()) else { return Vec::new() };
    let played = session.play(0, moves).map(|_| session.view(usize::MAX).figures);
    played.unwrap_or_default()
}

/// Which moves cost something, or lost the game.
pub(super) fn diagnosis(
    level: &Level,
    moves: &str,
    bounds: &Bounds,
) -> Result<ShownDiagnosis, PageError> {
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
    let mut answer = diagnose(&mut asked, &game, &limits(bounds));
    let soon = limits(bounds).within(REASON_TIME);
    answer.reason = reasons::reason(instance.as_ref(), &answer, &Constraints::default(), &soon);
    let marks = reasons::marks(asked.atlas.as_ref(), &game, &answer);
    let shown = answer.fatal.map(|_| sentences::BEFORE_IT.to_owned());
    let more = shown.into_iter().chain(answer.stop.map(sentences::incomplete));
    Ok(ShownDiagnosis {
        summary: more.fold(answer.sentence.clone(), |text, more| format!("{text}; {more}")),
        shown: answer.shown(),
        marks,
        diagnosis: answer,
    })
}

/// Time for finding a reason that a person can see.
const REASON_TIME: Duration = Duration::from_secs(3);

/// What all solutions of a puzzle without moves have in common.
pub(super) fn forced_facts(level: &Level, bounds: &Bounds) -> Result<ShownFacts, PageError> {
    let (limits, backend) = (limits(bounds), Request::default().backend);
    let mut response = None;
    for instance in readings(level)? {
        let facts = forced(instance.as_ref(), backend.as_ref(), &limits);
        let facts = facts.map_err(PageError::plain)?;
        let is_open = facts.figures.solvable != Some(false);
        let words = facts.steps.iter().map(|step| report::sentences::fact(&step.name)).collect();
        response = Some(ShownFacts { facts, words });
        if is_open {
            break;
        }
    }
    response.ok_or_else(PageError::unread)
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
