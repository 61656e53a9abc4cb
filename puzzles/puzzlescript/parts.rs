//! What can be left out of a game: its rules and win conditions, line by line.

use super::PuzzleScript;
use crate::options::Options;
use crate::part::Part;
use crate::puzzle::Puzzle;
use std::collections::BTreeSet;

/// The lines of each group of rules.
fn groups(puzzle: &PuzzleScript) -> impl Iterator<Item = BTreeSet<usize>> + '_ {
    let groups = puzzle.game().rules.iter().chain(&puzzle.game().late_rules);
    groups.map(|group| group.rules.iter().map(|rule| rule.line).collect())
}

/// The lines of all parts, each with its kind.
fn lines(puzzle: &PuzzleScript) -> Vec<(&'static str, usize)> {
    let rules: BTreeSet<usize> = groups(puzzle).flatten().collect();
    let conditions = puzzle.game().conditions.iter().map(|condition| condition.line);
    let rules = rules.into_iter().map(|line| ("rule", line));
    rules.chain(conditions.map(|line| ("condition", line))).collect()
}

/// [`Puzzle::parts`].
pub(super) fn parts(puzzle: &PuzzleScript) -> Vec<Part> {
    let part = |(kind, line)| Part {
        kind,
        name: format!("{kind} of line {line}"),
        places: Vec::new(),
        loosens: false,
    };
    lines(puzzle).into_iter().map(part).collect()
}

/// [`Puzzle::without`]: the text without these lines, read again.
pub(super) fn without(puzzle: &PuzzleScript, left_out: &[usize]) -> Option<PuzzleScript> {
    let lines = lines(puzzle);
    let gone = left_out.iter().map(|&part| lines.get(part).map(|&(_, line)| line));
    let gone: BTreeSet<usize> = gone.collect::<Option<_>>()?;
    let mut frame = puzzle.frame().clone();
    for &line in &gone {
        frame = frame.without(line)?;
    }
    // Where the first rule of a group goes, the next one begins it.
    for group in groups(puzzle) {
        let first = group.iter().find(|line| !gone.contains(line));
        if group.first().is_some_and(|line| gone.contains(line))
            && let Some(&first) = first
        {
            frame = frame.begun(first)?;
        }
    }
    let text = frame.print(puzzle.game(), puzzle.map());
    PuzzleScript::parse(&text, &Options::new(PuzzleScript::OPTIONS, []).ok()?).ok()
}
