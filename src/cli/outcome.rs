//! An outcome as text for a person and as an object for a program.

use super::input::Chosen;
use super::{drawings, json, sentences};
use crate::instance::Instance;
use crate::machine::peak_memory;
use crate::solve::{Asked, Outcome, Verdict};
use serde_json::{Value, json};
use std::fmt::Write;
use unstuck_puzzles::{Objective, Style};

fn asked(asked: &Asked) -> Value {
    json!({
        "horizon": asked.horizon,
        "tie_break_cap": asked.secondary,
        "variables": asked.variables,
        "clauses": asked.clauses,
        "conflicts": asked.conflicts,
        "rounds": asked.rounds,
        "answer": asked.answer.to_string(),
        "seconds": asked.elapsed.as_secs_f64(),
    })
}

/// Completes the object of a level with what came out. What was not asked is `null`: bounds where
/// nothing is counted, the tie-break where there is none, optimality where there is no solution.
pub fn complete(value: &mut Value, instance: &dyn Instance, outcome: &Outcome) {
    let objective = instance.objective();
    let upper = outcome.best.as_ref().map(|plan| objective.primary(plan.tally()));
    let counted = objective != Objective::Any;
    let has_tie = objective.first() != objective;
    let plan = outcome.best.as_ref().filter(|_| counted);
    let fields = json!({
        "objective": objective.name(),
        "reading": outcome.reading,
        "verdict": outcome.verdict.name(),
        "exit": outcome.verdict.exit_code(),
        "sentence": sentences::verdict(instance, outcome),
        "horizon": match outcome.verdict {
            Verdict::NoSolutionWithin(horizon) => Some(horizon),
            _ => None,
        },
        "stopped_by": outcome.stop.map(|stop| stop.name()),
        "solution": outcome.best.as_ref().map(|plan| json::solution(plan, instance.moves().is_some())),
        "lower": counted.then_some(outcome.lower),
        "upper": upper.filter(|_| counted),
        "optimal": plan.map(|_| outcome.optimal),
        "tie_break_optimal": plan.filter(|_| has_tie).map(|_| outcome.tie_optimal),
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
    for (name, field) in fields.as_object().into_iter().flatten() {
        value[name] = field.clone();
    }
    if let Some(solutions) = &outcome.solutions {
        let unique = match (solutions.others.is_empty(), solutions.complete) {
            (false, _) => Some(false),
            (true, true) => outcome.best.as_ref().map(|_| true),
            (true, false) => None,
        };
        value["unique"] = json!(unique);
        value["all_found"] = json!(solutions.complete);
        let others = solutions.others.iter();
        value["others"] = others.map(|plan| json::solution(plan, false)).collect();
    }
}

/// The object of an outcome.
pub fn object(command: &str, chosen: &Chosen, instance: &dyn Instance, outcome: &Outcome) -> Value {
    let mut value = json::of_level(command, chosen);
    complete(&mut value, instance, outcome);
    value
}

/// An outcome as text: the answer first, then the verdict, then what showed it.
pub fn text(instance: &dyn Instance, outcome: &Outcome, style: Style) -> String {
    let mut text = String::new();
    if let Some(best) = &outcome.best {
        if instance.moves().is_some() {
            let _ = writeln!(text, "{}", best.text());
        } else {
            let others = outcome.solutions.iter().flat_map(|solutions| &solutions.others);
            let others: Vec<_> = others.collect();
            text.push_str(&drawings::solutions(instance, best, &others, style));
        }
        text.push_str(&drawings::fact_lines(best.facts()));
    }
    let _ = writeln!(text, "{}", sentences::verdict(instance, outcome));
    for sentence in
        [sentences::uniqueness(outcome), sentences::shown(outcome)].into_iter().flatten()
    {
        let _ = writeln!(text, "{sentence}");
    }
    if outcome.verdict == Verdict::Unsolvable {
        for (option, permits) in instance.looser() {
            let _ = writeln!(text, "perhaps with `{option}`: {permits}");
        }
    }
    text
}
