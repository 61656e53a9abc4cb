//! What came out, as objects for programs and sentences for people: the same on the command line and
//! wherever else the library is asked.

pub mod marks;
pub mod sentences;

use crate::instance::{Instance, Verified};
use crate::limits::Stop;
use crate::machine::peak_memory;
use crate::solve::{HorizonStats, Outcome, Verdict};
use serde_json::{Map, Value, json};
use unstuck_puzzles::{Facts, Objective, Tally};

/// A fact's name for programs: words joined by underscores.
pub fn name(name: &str) -> String {
    name.replace(' ', "_").to_lowercase()
}

/// Facts as an object.
pub fn facts(facts: &Facts) -> Value {
    let named = facts.iter().map(|(fact, value)| (name(fact), value.clone()));
    Value::Object(named.collect::<Map<_, _>>())
}

/// Length of a plan.
pub fn length(tally: Tally) -> Value {
    json!({ "moves": tally.moves, "pushes": tally.pushes })
}

/// A solution: its moves, its length (absent where a family has no moves), and facts about it.
pub fn solution(plan: &Verified, has_moves: bool) -> Value {
    let mut value = json!({ "moves": plan.text() });
    if has_moves {
        value["length"] = length(plan.tally());
    }
    if !plan.facts().is_empty() {
        value["facts"] = facts(plan.facts());
    }
    value
}

fn asked(asked: &HorizonStats) -> Value {
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

/// What the stages of the schedule did, in the order of their ends.
pub fn stages(outcome: &Outcome) -> Value {
    let stages = outcome.stages.iter().map(|stage| {
        json!({
            "lane": stage.lane,
            "engine": stage.engine,
            "begun": stage.begun.as_secs_f64(),
            "seconds": stage.elapsed.as_secs_f64(),
            "stopped_by": stage.stop.map(Stop::name),
        })
    });
    stages.collect()
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
        "solution": outcome.best.as_ref().map(|plan| solution(plan, instance.moves().is_some())),
        "lower": counted.then_some(outcome.lower),
        "upper": upper.filter(|_| counted),
        "optimal": plan.map(|_| outcome.optimal),
        "tie_break_optimal": plan.filter(|_| has_tie).map(|_| outcome.tie_optimal),
        "certified": false,
        "shown_by": outcome.shown.as_ref().map(ToString::to_string),
        "encoding": instance.encoding(),
        "horizons": outcome.asked.iter().map(asked).collect::<Vec<_>>(),
        "search": outcome.stats.map(|stats| {
            json!({ "expanded": stats.expanded, "states": stats.states })
        }),
        "seconds": outcome.elapsed.as_secs_f64(),
        "peak_memory_bytes": peak_memory(),
    });
    for (name, field) in fields.as_object().into_iter().flatten() {
        value[name] = field.clone();
    }
    if let Some(lost) = outcome.lost.first() {
        value["lost"] = json!({ "pieces": lost.pieces, "drawing": lost.text });
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
        value["others"] = others.map(|plan| solution(plan, false)).collect();
    }
}
