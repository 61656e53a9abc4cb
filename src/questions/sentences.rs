//! Answers to questions as sentences without a full stop: the same for the program, for the objects
//! that it prints, and for the page.

use super::diagnose::Diagnosis;
use super::enumerate::Enumeration;
use super::forced::ForcedFacts;
use super::hint::{Hint, HintLevel};
use crate::atlas::Atlas;
use crate::limits::Stop;
use unstuck_encodings::Cost;
use unstuck_puzzles::{Measures, Objective};

/// The board of a diagnosis, where a move lost the game.
pub const BEFORE_IT: &str = "the position before it can be solved";

/// A cost with what the objective counts first.
pub fn cost(measures: Measures, objective: Objective, cost: Cost) -> String {
    measures.first(objective).count(cost.primary())
}

/// What is known of a cost when a limit has struck, to be put behind what is not known.
pub fn at_least(measures: Measures, objective: Objective, least: Option<Cost>) -> String {
    let known = least.filter(|&least| least.primary() > 0);
    known.map_or(String::new(), |least| {
        format!("; lower bound {}", cost(measures, objective, least))
    })
}

/// That a limit has left something open.
pub fn incomplete(stop: Stop) -> String {
    format!("incomplete: {stop}")
}

/// What a hint says of the rest of the game, as far as the degree allows. The game may be `begun`.
pub fn hint(degree: HintLevel, hint: &Hint, atlas: &dyn Atlas, begun: bool) -> String {
    let (measures, objective) = (atlas.measures(), atlas.objective());
    let least = |least| at_least(measures, objective, least);
    match (hint.solvable, hint.stop) {
        (Some(true), _) if degree == HintLevel::Solvable => "solvable from here".to_owned(),
        (Some(true), _) if is_solved(hint) => "already solved".to_owned(),
        (Some(true), _) => match (hint.at_most, hint.rest) {
            (Some(most), _) => {
                let most = measures.first(objective).count(most);
                let least = least(hint.at_least);
                format!("solvable from here: {most} to go on this way{least}")
            }
            (None, rest) => {
                let rest = cost(measures, objective, rest.unwrap_or_default());
                format!("solvable from here: {rest} to go, and not fewer")
            }
        },
        (Some(false), _) if begun => match hint.start_solvable {
            Some(true) => "no longer solvable: undo some moves".to_owned(),
            Some(false) => "unsolvable, and so is the start of the level".to_owned(),
            None => {
                "not solvable from here; not known whether the start of the level is".to_owned()
            }
        },
        (Some(false), _) => "unsolvable".to_owned(),
        (None, Some(stop)) => {
            let least = least(hint.at_least.filter(|_| degree > HintLevel::Solvable));
            format!("unknown whether it is solvable{least}: {stop}")
        }
        (None, None) => "unknown whether it is solvable".to_owned(),
    }
}

/// Whether nothing is left to do, not even a walk that costs nothing.
fn is_solved(hint: &Hint) -> bool {
    hint.rest == Some(Cost::ZERO) && hint.moves.as_deref().unwrap_or_default().is_empty()
}

/// Where a game went wrong. That a move lost it is said only where the position before it is known
/// to be solvable.
pub fn diagnosis(answer: &Diagnosis, atlas: &dyn Atlas) -> String {
    match (answer.fatal, answer.lost, answer.rest) {
        (Some(fatal), ..) => {
            format!("move {fatal}, {}, lost the game", answer.moves[fatal - 1].text)
        }
        (_, Some(0), _) => "the level has no solution at all".to_owned(),
        (_, Some(lost), _) => lost_somewhere(answer.solvable, lost),
        _ if answer.solved => "solved".to_owned(),
        (_, _, Some(rest)) => {
            let rest = cost(atlas.measures(), atlas.objective(), rest);
            format!("still solvable: {rest} to go")
        }
        _ => match answer.at_most {
            Some(most) => {
                let most = atlas.measures().first(atlas.objective()).count(most);
                format!("still solvable: at most {most} to go")
            }
            None => "unknown whether it is still solvable".to_owned(),
        },
    }
}

fn lost_somewhere(solvable: Option<usize>, lost: usize) -> String {
    match solvable {
        Some(solvable) => format!("one of the moves {} to {lost} lost the game", solvable + 1),
        None => format!("lost after move {lost}; not known whether it was lost before"),
    }
}

/// How many shortest solutions there are.
pub fn enumeration(answer: &Enumeration, measures: Measures, objective: Objective) -> String {
    let length = answer.optimum.map(|optimum| cost(measures, objective, optimum));
    let length = length.unwrap_or_default();
    let but =
        format!("apart from different walks and the order of independent {}", measures.pushes.many);
    match (answer.plans, answer.stop) {
        _ if answer.solvable == Some(false) => "the level has no solution".to_owned(),
        (Some(1), _) => format!("there is only one shortest solution ({length}), {but}"),
        (Some(plans), _) => format!("there are {plans} shortest solutions ({length}), {but}"),
        (None, Some(stop)) => {
            let least = at_least(measures, objective, answer.at_least);
            format!("unknown how many shortest solutions there are{least}: {stop}")
        }
        (None, None) => {
            format!("there are more shortest solutions ({length}) than 128 bits can count")
        }
    }
}

/// What all shortest solutions of a game have in common; `stop` is what struck while it was asked.
pub fn forced_pushes(answer: &Enumeration, stop: Option<Stop>, atlas: &dyn Atlas) -> String {
    let measures = atlas.measures();
    match (answer.solvable, answer.positions > 0) {
        (Some(false), _) => "the level has no solution".to_owned(),
        (_, true) => {
            let common = measures.pushes.count(answer.common.len() as u32);
            format!("all shortest solutions make these {common}")
        }
        _ => {
            let least = at_least(measures, atlas.objective(), answer.at_least);
            let why = stop.map_or(String::new(), |stop| format!(": {stop}"));
            format!("unknown what all shortest solutions have in common{least}{why}")
        }
    }
}

/// What all solutions of a puzzle without moves have in common.
pub fn forced_facts(answer: &ForcedFacts) -> String {
    let facts = match answer.steps.len() {
        1 => "1 fact holds in all solutions".to_owned(),
        steps => format!("{steps} facts hold in all solutions"),
    };
    match (answer.figures.solvable, &answer.open, answer.figures.stop) {
        (Some(false), ..) => "there is no solution".to_owned(),
        (Some(true), Some(open), _) if open.is_empty() => {
            format!("{facts}: that is the whole solution, the only one")
        }
        (Some(true), Some(open), _) => {
            let others = match open.len() {
                1 => "1 fact of the first solution does not".to_owned(),
                others => format!("{others} facts of the first solution do not"),
            };
            format!("{facts}; {others}")
        }
        (_, _, Some(stop)) => format!("{facts}; unknown what else does: {stop}"),
        _ => format!("{facts}; unknown what else does"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_move_has_lost_a_game_without_a_position_that_can_be_solved() {
        assert_eq!(lost_somewhere(Some(2), 5), "one of the moves 3 to 5 lost the game");
        let unknown = lost_somewhere(None, 1);
        assert!(unknown.contains("not known") && !unknown.contains("lost the game"), "{unknown}");
    }
}
