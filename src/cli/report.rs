//! Outcomes as text for people and as JSON for programs.

use super::input::Chosen;
use crate::instance::{Instance, Verified};
use crate::limits::peak_memory;
use crate::solve::{Asked, Outcome, Verdict};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use unstuck_puzzles::{Facts, Objective, Style, Tally};

/// Version of the JSON that commands print; it changes when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// Facts as a JSON object.
pub fn facts(facts: Facts) -> Map<String, Value> {
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Facts as lines `name: value`.
pub fn fact_lines(facts: &Facts) -> String {
    facts.iter().fold(String::new(), |mut lines, (name, value)| {
        let shown = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if shown.contains('\n') {
            let _ = writeln!(lines, "{name}:\n{}", shown.trim_end_matches('\n'));
        } else {
            let _ = writeln!(lines, "{name}: {shown}");
        }
        lines
    })
}

/// Length of a plan, in the field's notation `moves/pushes`.
pub fn length(tally: Tally) -> String {
    format!("{}/{}", tally.moves, tally.pushes)
}

fn asked(asked: &Asked) -> Value {
    json!({
        "horizon": asked.horizon,
        "tie_break_cap": asked.secondary,
        "variables": asked.variables,
        "clauses": asked.clauses,
        "conflicts": asked.conflicts,
        "rounds": asked.rounds,
        "answer": asked.answer,
        "seconds": asked.elapsed.as_secs_f64(),
    })
}

fn solution(plan: &Verified) -> Value {
    let mut value = json!({
        "moves": plan.text(),
        "length": { "moves": plan.tally().moves, "pushes": plan.tally().pushes },
    });
    if !plan.facts().is_empty() {
        value["facts"] = Value::Object(facts(plan.facts().clone()));
    }
    value
}

/// An outcome as one JSON object.
pub fn outcome_json(chosen: &Chosen, instance: &dyn Instance, outcome: &Outcome) -> Value {
    let objective = instance.objective();
    let upper = outcome.best.as_ref().map(|plan| objective.primary(plan.tally()));
    let counted = objective != Objective::Any;
    let mut value = json!({
        "schema": SCHEMA,
        "command": "solve",
        "file": chosen.source,
        "number": chosen.number,
        "title": chosen.level.title,
        "puzzle": chosen.family.name,
        "objective": objective.name(),
        "reading": outcome.reading,
        "verdict": outcome.verdict.name(),
        "exit": outcome.verdict.exit_code(),
        "horizon": match outcome.verdict {
            Verdict::NoSolutionWithin(horizon) => Some(horizon),
            _ => None,
        },
        "stopped_by": outcome.stop.map(|stop| stop.name()),
        "solution": outcome.best.as_ref().map(solution),
        "lower": counted.then_some(outcome.lower),
        "upper": upper.filter(|_| counted),
        "optimal": outcome.optimal,
        "tie_break_optimal": outcome.tie_optimal,
        "certified": false,
        "shown_by": outcome.shown.as_ref().map(ToString::to_string),
        "encoding": instance.encoding(),
        "horizons": outcome.asked.iter().map(asked).collect::<Vec<_>>(),
        "search": outcome.effort.map(|effort| {
            json!({ "expanded": effort.expanded, "states": effort.states })
        }),
        "seconds": outcome.elapsed.as_secs_f64(),
        "peak_memory_bytes": peak_memory(),
    });
    if let Some(solutions) = &outcome.solutions {
        let unique = match (solutions.others.is_empty(), solutions.complete) {
            (false, _) => Some(false),
            (true, true) => Some(true),
            (true, false) => None,
        };
        value["unique"] = json!(unique);
        value["all_found"] = json!(solutions.complete);
        value["others"] = solutions.others.iter().map(solution).collect();
    }
    value
}

/// The verdict as one sentence, which says exactly what was shown.
pub fn verdict(instance: &dyn Instance, outcome: &Outcome) -> String {
    let objective = instance.objective();
    let by = outcome.shown.as_ref().map_or(String::new(), |shown| format!(" according to {shown}"));
    let count = if objective.first() == Objective::Moves { "moves" } else { "pushes" };
    let lower = outcome.lower;
    let mut sentence = match outcome.verdict {
        Verdict::Solved if objective == Objective::Any => "solved".to_owned(),
        Verdict::Solved if outcome.optimal => {
            let tie = match (objective.first() == objective, outcome.tie_optimal) {
                (true, _) => String::new(),
                (false, true) => ", tie-break too".to_owned(),
                (false, false) => ", tie-break perhaps not least".to_owned(),
            };
            format!("solved, optimal in {count}{by}{tie}; not certified")
        }
        Verdict::Solved => format!("solved; at least {lower} {count} are needed{by}"),
        Verdict::Unsolvable => format!("unsolvable{by}; not certified"),
        Verdict::NoSolutionWithin(horizon) => {
            format!("no solution within {horizon} steps{by}; nothing is said of longer ones")
        }
        Verdict::Unknown(_) if objective == Objective::Any => "unknown".to_owned(),
        Verdict::Unknown(_) => format!("unknown; a solution needs at least {lower} {count}{by}"),
    };
    if let Some(stop) = outcome.stop {
        let _ = write!(sentence, " ({stop})");
    }
    sentence + &bracketed(outcome.reading)
}

/// The reading under which something holds; nothing where there is only one.
fn bracketed(reading: &str) -> String {
    if reading.is_empty() { String::new() } else { format!(" [{reading}]") }
}

/// What is known of other solutions, as one sentence; `None` where the question makes no sense.
fn uniqueness(outcome: &Outcome) -> Option<String> {
    let solutions = outcome.solutions.as_ref()?;
    outcome.best.as_ref()?;
    Some(match (solutions.others.len(), solutions.complete) {
        (0, true) => "the only solution".to_owned(),
        (0, false) => "not shown whether it is the only solution".to_owned(),
        (n, true) => format!("one of exactly {} solutions", n + 1),
        (n, false) => format!("one of at least {} solutions", n + 1),
    })
}

/// The first solution, and beside the others what is different in them.
fn solutions(
    instance: &dyn Instance,
    first: &Verified,
    others: &[&Verified],
    style: Style,
) -> String {
    let draw = |plan: &Verified, style: Style| {
        instance.picture(Some(plan), style).unwrap_or_else(|| plan.text().to_owned())
    };
    let bare = match style {
        Style::Unicode { .. } => Style::Unicode { color: false },
        other => other,
    };
    let differences = |other: &Verified| differences(&draw(first, bare), &draw(other, bare));
    match others {
        [other] => beside(&[draw(first, style), draw(other, style), differences(other)]),
        _ => {
            let pairs =
                others.iter().map(|other| beside(&[draw(other, style), differences(other)]));
            beside(&[draw(first, style)]) + &pairs.collect::<String>()
        }
    }
}

/// The second picture where it differs from the first; a dot for what is the same.
fn differences(first: &str, second: &str) -> String {
    let mut first = first.lines();
    let line = |line: &str| {
        let mut before = first.next().unwrap_or_default().chars();
        let mark = |c: char| match before.next().unwrap_or(' ') {
            same if same == c => {
                if c == ' ' {
                    ' '
                } else {
                    '.'
                }
            }
            _ => c,
        };
        line.chars().map(mark).collect::<String>() + "\n"
    };
    second.lines().map(line).collect()
}

/// Pictures side by side.
fn beside(pictures: &[String]) -> String {
    let height = pictures.iter().map(|picture| picture.lines().count()).max().unwrap_or(0);
    let widths: Vec<usize> =
        pictures.iter().map(|picture| picture.lines().map(width).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in 0..height {
        let mut line = String::new();
        for (picture, &wide) in pictures.iter().zip(&widths) {
            let part = picture.lines().nth(row).unwrap_or_default();
            line.push_str(part);
            line.push_str(&" ".repeat(wide - width(part) + 4));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Characters of a line that take room: all but the sequences that switch colours.
fn width(line: &str) -> usize {
    let mut parts = line.split('\x1b');
    let plain = parts.next().map_or(0, |part| part.chars().count());
    let coloured = parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest));
    plain + coloured.map(|part| part.chars().count()).sum::<usize>()
}

/// An outcome as text: the answer first, then what was shown.
pub fn outcome_text(instance: &dyn Instance, outcome: &Outcome, style: Style) -> String {
    let mut text = String::new();
    if let Some(best) = &outcome.best {
        if instance.moves().is_some() {
            let _ = writeln!(text, "{}", best.text());
            let _ = writeln!(text, "moves/pushes: {}", length(best.tally()));
        } else {
            let others = outcome.solutions.iter().flat_map(|solutions| &solutions.others);
            text.push_str(&solutions(instance, best, &others.collect::<Vec<_>>(), style));
        }
        text.push_str(&fact_lines(best.facts()));
    }
    let _ = writeln!(text, "verdict: {}", verdict(instance, outcome));
    if let Some(sentence) = uniqueness(outcome) {
        let reading = bracketed(outcome.reading);
        let _ = writeln!(text, "uniqueness: {sentence}{reading}");
    }
    if outcome.verdict == Verdict::Unsolvable {
        for (option, permits) in instance.looser() {
            let _ = writeln!(text, "perhaps with `{option}`: {permits}");
        }
    }
    text
}

/// One row of a batch table.
pub struct Row {
    /// Name of the level.
    pub name: String,
    /// Verdict in a word or two.
    pub verdict: String,
    /// Length of the plan.
    pub length: String,
    /// Lower bound.
    pub lower: String,
    /// Seconds.
    pub seconds: f64,
}

/// A batch as a table, aligned.
pub fn table(rows: &[Row]) -> String {
    let width = |of: fn(&Row) -> usize, head: &str| {
        rows.iter().map(of).max().unwrap_or(0).max(head.chars().count())
    };
    let names = width(|row| row.name.chars().count(), "level");
    let verdicts = width(|row| row.verdict.chars().count(), "verdict");
    let mut text = format!(
        "{:<names$}  {:<verdicts$}  {:>11}  {:>5}  {:>8}\n",
        "level", "verdict", "moves/pushes", "lower", "seconds"
    );
    for Row { name, verdict, length, lower, seconds } in rows {
        let _ = writeln!(
            text,
            "{name:<names$}  {verdict:<verdicts$}  {length:>12}  {lower:>5}  {seconds:>8.2}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_beside_each_other_and_differences_are_marked() {
        let (first, second) = ("AAB\nA.B\n", "AAB\nAAB\nC\n");
        assert_eq!(differences(first, second), "...\n.A.\nC\n");
        let coloured = "\x1b[38;2;1;2;3mAA\x1b[0mB\nA".to_owned();
        assert_eq!(width(coloured.lines().next().unwrap()), 3);
        let shown = beside(&[coloured, second.to_owned()]);
        assert_eq!(shown, "\x1b[38;2;1;2;3mAA\x1b[0mB    AAB\nA      AAB\n       C\n");
    }
}
