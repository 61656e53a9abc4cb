//! Verdicts as sentences that a player understands, and what showed them for those who want it.

use crate::instance::Instance;
use crate::solve::{Justification, Outcome, Verdict};
use unstuck_puzzles::{Objective, Tally};

/// So many of the things that a plural names.
pub fn count(number: impl Into<u64>, things: &str) -> String {
    let number: u64 = number.into();
    let one = match things {
        "pushes" => "push",
        "boxes" => "box",
        plural => plural.strip_suffix('s').unwrap_or(plural),
    };
    format!("{number} {}", if number == 1 { one } else { things })
}

/// Length of a plan in the field's notation `moves/pushes`.
pub fn slashed(tally: Tally) -> String {
    format!("{}/{}", tally.moves, tally.pushes)
}

/// The verdict as one sentence.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::puzzles::Objective;
/// use unstuck::report::sentences;
/// use unstuck::solve::Request;
///
/// let level = unstuck::open(unstuck::SOKOBAN, "#####\n#@$.#\n#####\n", Objective::Pushes)?;
/// let outcome = level.solve(&Request::default())?;
/// assert_eq!(
///     sentences::verdict(level.reading(&outcome), &outcome),
///     "solved in 1 move and 1 push; no solution has fewer pushes"
/// );
/// # Ok(())
/// # }
/// ```
pub fn verdict(instance: &dyn Instance, outcome: &Outcome) -> String {
    let objective = instance.objective();
    let mut sentence = match outcome.verdict {
        Verdict::Solved => solved(instance, outcome),
        Verdict::Unsolvable => match &outcome.shown {
            Some(Justification::Bound(reason)) => format!("unsolvable: {reason}"),
            _ if instance.moves().is_none() => "unsolvable: there is no solution".to_owned(),
            _ => "unsolvable: there is no solution of any length".to_owned(),
        },
        Verdict::NoSolutionWithin(horizon) => format!(
            "no solution within {}; longer ones are not ruled out",
            instance.measures().first(objective).count(horizon)
        ),
        Verdict::Unknown(_) => "unknown".to_owned(),
    };
    let is_open = match outcome.verdict {
        Verdict::Solved => objective != Objective::Any && instance.moves().is_some(),
        Verdict::Unknown(_) => true,
        Verdict::Unsolvable | Verdict::NoSolutionWithin(_) => false,
    };
    match outcome.stop {
        _ if outcome.optimal => {}
        Some(stop) => sentence.push_str(&format!(" ({stop})")),
        None if is_open => sentence.push_str(" (the schedule ended)"),
        None => {}
    }
    if let Verdict::Unknown(_) = outcome.verdict {
        let unit = instance.measures().first(objective);
        sentence.push_str(&match (objective, outcome.lower) {
            (Objective::Any, _) => ": no solution found, none ruled out".to_owned(),
            (_, 0) => ": no lower bound".to_owned(),
            (_, lower) => format!(": lower bound {}", unit.count(lower)),
        });
    }
    let terms = instance.terms();
    sentence
        + &match outcome.verdict {
            Verdict::Unsolvable | Verdict::NoSolutionWithin(_) => terms.against(),
            Verdict::Solved | Verdict::Unknown(_) => terms.bracketed(),
        }
}

fn solved(instance: &dyn Instance, outcome: &Outcome) -> String {
    let Some(best) = outcome.best.as_ref().filter(|_| instance.moves().is_some()) else {
        return "solved".to_owned();
    };
    let (objective, measures) = (instance.objective(), instance.measures());
    let solved = format!("solved in {}", measures.length(best.tally()));
    if objective == Objective::Any {
        return format!("{solved}; not known to be shortest");
    }
    let unit = measures.first(objective);
    if !outcome.optimal {
        return format!("{solved}; lower bound {}", unit.count(outcome.lower));
    }
    let (unit, tie) = (unit.many, measures.second(objective).map(|tie| tie.many));
    match (tie, outcome.tie_optimal) {
        (None, _) => format!("{solved}; no solution has fewer {unit}"),
        (Some(tie), true) => {
            format!("{solved}; no solution has fewer {unit}, nor fewer {tie} with as many {unit}")
        }
        (Some(tie), false) => format!(
            "{solved}; no solution has fewer {unit}; perhaps one with as many {unit} has fewer \
             {tie}"
        ),
    }
}

/// Which pieces make a level unsolvable, drawn alone; `None` where that is not known, or all pieces
/// are needed.
pub fn lost(outcome: &Outcome) -> Option<String> {
    let [lost] = outcome.lost.as_slice() else { return None };
    let these = match lost.pieces.len() {
        number if number >= lost.of => return None,
        1 => "this one".to_owned(),
        number => format!("these {number}"),
    };
    Some(format!("even alone on the board {these} cannot be saved:\n{}", lost.text))
}

/// Whether the verdict was proved, so that there can be a certificate of it.
pub fn is_proved(outcome: &Outcome) -> bool {
    let open = match outcome.verdict {
        Verdict::Solved => !outcome.optimal || outcome.lower == 0,
        Verdict::Unknown(_) => true,
        _ => false,
    };
    outcome.shown.is_some() && !open
}

/// How the lower bound of an open question was shown; `None` where nothing needed to be.
pub fn bound_shown(outcome: &Outcome) -> Option<String> {
    let shown = outcome.shown.as_ref().filter(|_| !is_proved(outcome) && outcome.lower > 0)?;
    Some(format!("lower bound proved by {shown}"))
}

/// What is known of other solutions, as one sentence; `None` where the question makes no sense.
pub fn uniqueness(instance: &dyn Instance, outcome: &Outcome) -> Option<String> {
    let solutions = outcome.solutions.as_ref()?;
    outcome.best.as_ref()?;
    let sentence = match (solutions.others.len(), solutions.complete) {
        (0, true) => "it is the only solution".to_owned(),
        (0, false) => "not known whether it is the only solution".to_owned(),
        (n, true) => format!("there are exactly {} solutions", n + 1),
        (n, false) => format!("there are at least {} solutions", n + 1),
    };
    Some(sentence + &instance.terms().bracketed())
}

/// Why there is no certificate of what came out.
pub fn uncertified(outcome: &Outcome) -> String {
    match outcome.stop {
        Some(stop) => format!("{stop} before the verdict"),
        None if outcome
            .solutions
            .as_ref()
            .is_some_and(|solutions| !solutions.others.is_empty()) =>
        {
            "there is more than one solution, so nothing to prove".to_owned()
        }
        None => "nothing was proved that could be certified".to_owned(),
    }
}

/// That a question needs moves, which a puzzle has not.
pub fn without_moves(instance: &dyn Instance) -> String {
    format!("this command needs a game with moves; {} has none", instance.family())
}

/// A fact about cells, such as `joined(0,4;0,5)`, as people count: `joined (1,5) (1,6)`. Rows and
/// columns are from 0 in the names of variables, and from 1 everywhere else; cells with names of
/// their own stay as they are.
pub fn fact(name: &str) -> String {
    let parts = name.strip_suffix(')').and_then(|name| name.split_once('('));
    let Some((kind, cells)) = parts else { return name.to_owned() };
    let mut text = kind.to_owned();
    for cell in cells.split(';') {
        text.push(' ');
        text.push_str(&cell_for_people(cell));
    }
    text
}

/// A cell of a fact, with the lane of a bridge where it names one.
pub fn cell_for_people(cell: &str) -> String {
    let (place, lane) = cell.split_once('/').map_or((cell, None), |(at, lane)| (at, Some(lane)));
    let numbers = place.split_once(',').and_then(|(row, column)| {
        Some((row.parse::<usize>().ok()? + 1, column.parse::<usize>().ok()? + 1))
    });
    let Some((row, column)) = numbers else { return cell.to_owned() };
    let lane = lane.map_or_else(String::new, |lane| format!("/{lane}"));
    format!("({row},{column}){lane}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!(count(1_u32, "pushes"), "1 push");
        assert_eq!(count(1_u32, "moves"), "1 move");
        assert_eq!(count(2_u32, "steps"), "2 steps");
    }
}
