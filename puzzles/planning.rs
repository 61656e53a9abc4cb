//! What tasks for planners have in common, whatever the family: names of places and directions, and
//! the plans that planners print.

use crate::error::ParseError;
use crate::grid::Direction;

/// A puzzle as a task for planners, in PDDL. An action costs what the objective counts first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanningTask {
    /// What can be done in every level.
    pub domain: String,
    /// The level.
    pub problem: String,
}

/// What an effect says that costs something.
pub(crate) fn increase(costs: bool) -> &'static str {
    if costs { " (increase (total-cost) 1)" } else { "" }
}

/// The object that stands for a direction.
pub(crate) fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "dir-up",
        Direction::Left => "dir-left",
        Direction::Down => "dir-down",
        Direction::Right => "dir-right",
    }
}

/// The direction that an object stands for.
pub(crate) fn direction_of(word: &str) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&direction| direction_name(direction) == word)
}

/// The object that stands for a cell, by its row and column from 0.
pub(crate) fn location((row, column): (usize, usize)) -> String {
    format!("pos-{}-{}", column + 1, row + 1)
}

/// A plan as planners print it: of each action that is a move its name without a number, and its
/// direction. `None` where a text is no such plan; actions named in `idle` are no moves.
pub(crate) fn plan<'n>(
    text: &str,
    moves: &[&'n str],
    idle: &[&str],
) -> Option<Result<Vec<(&'n str, Direction)>, ParseError>> {
    let lines = || text.lines().map(|line| line.split(';').next().unwrap_or_default());
    let small = text.to_lowercase();
    let Some(first) = lines().find(|line| !line.trim().is_empty()) else {
        // Of a level that is solved already they say only what the plan costs.
        return small.contains("; cost").then(|| Ok(Vec::new()));
    };
    let is_idle = idle.iter().any(|name| small.contains(&format!("({name} ")));
    if !first.contains('(') || !(is_idle || small.contains("dir-")) {
        return None;
    }
    let step = |(at, line): (usize, &str)| {
        // Some planners write when an action begins, and how long it takes.
        let parts = line.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        let Some((inside, behind)) = parts else {
            let blank = line.trim().is_empty();
            return if blank {
                Ok(None)
            } else {
                Err(ParseError::at(at + 1, 0, "this is no action"))
            };
        };
        if behind.contains('(') {
            let help = "each action stands in a line of its own";
            return Err(ParseError::at(at + 1, 0, "two actions in a line").help(help));
        }
        let action = inside.to_lowercase();
        let words: Vec<&str> = action.split_whitespace().collect();
        let name = words.first().copied().unwrap_or_default();
        if idle.contains(&name) {
            return Ok(None);
        }
        let counted = name.rsplit_once('-').filter(|(_, count)| count.parse::<u32>().is_ok());
        let name = counted.map_or(name, |(name, _)| name);
        let known = moves.iter().find(|&&known| known == name);
        let along = words.last().and_then(|word| direction_of(word));
        match (known, along) {
            (Some(&name), Some(along)) => Ok(Some((name, along))),
            _ => {
                let help = format!(
                    "actions are {}, and end with dir-up, dir-down, dir-left or dir-right",
                    moves.join(", ")
                );
                Err(ParseError::at(at + 1, 0, "this is no action of this game").help(help))
            }
        }
    };
    Some(lines().enumerate().filter_map(|line| step(line).transpose()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_without_moves_is_a_plan() {
        let read =
            |text: &str| plan(text, &["roll"], &["finish"]).map(|read| read.expect("a plan"));
        assert_eq!(read("; cost = 0 (general cost)\n"), Some(vec![]));
        assert_eq!(read("(finish pos-1-1 a b)\n; cost = 0 (general cost)\n"), Some(vec![]));
        let moves = Some(vec![("roll", Direction::Up)]);
        assert_eq!(read("(finish pos-1-1 a b)\n(roll a b dir-up)\n; cost = 1\n"), moves);
        for other in ["", "; a comment\n", "rrUU\n", "(rr)U\n"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
