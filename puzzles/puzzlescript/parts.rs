//! What can be left out of a game: its rules and win conditions, line by line.

use super::drawing::Frame;
use crate::part::Part;
use puzzlescript_engine::Game;
use std::collections::BTreeSet;

/// The lines of each group of rules.
fn groups(game: &Game) -> impl Iterator<Item = BTreeSet<usize>> + '_ {
    let groups = game.rules.iter().chain(&game.late_rules);
    groups.map(|group| group.rules.iter().map(|rule| rule.line).collect())
}

/// The lines of all parts, each with its kind.
fn lines(game: &Game) -> Vec<(&'static str, usize)> {
    let conditions = game.conditions.iter().map(|condition| condition.line);
    let rules = game.rule_lines().into_iter().map(|line| ("rule", line));
    rules.chain(conditions.map(|line| ("condition", line))).collect()
}

/// All parts.
pub(super) fn parts(game: &Game) -> Vec<Part> {
    let part = |(kind, line)| Part {
        kind,
        name: format!("{kind} of line {line}"),
        places: Vec::new(),
        loosens: false,
    };
    lines(game).into_iter().map(part).collect()
}

/// The text around the levels without some parts; nothing where a comment stands in the way.
pub(super) fn without(game: &Game, frame: &Frame, left_out: &[usize]) -> Option<Frame> {
    let lines = lines(game);
    let gone = left_out.iter().map(|&part| lines.get(part).map(|&(_, line)| line));
    let gone: BTreeSet<usize> = gone.collect::<Option<_>>()?;
    let mut frame = frame.clone();
    for &line in &gone {
        frame = frame.without(line)?;
    }
    // Where the first rule of a group goes, the next one begins it.
    for group in groups(game) {
        let first = group.iter().find(|line| !gone.contains(line));
        if group.first().is_some_and(|line| gone.contains(line))
            && let Some(&first) = first
        {
            frame = frame.begun(first)?;
        }
    }
    Some(frame)
}
