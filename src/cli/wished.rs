//! `unstuck solve --forbid ... --require ...`: a solution without a trick, or with one.
//!
//! Wishes are part of the rules that explicit search goes by; there is no encoding of them, so that
//! a verdict comes from search alone and says so.

use super::asking::{self, Question};
use super::{Ending, Failure, output};
use crate::atlas::{Atlas, Left};
use crate::instance::{Instance, Verified};
use crate::questions::hint::{Hint, hint};
use clap::ArgMatches;
use serde_json::{Value, json};
use std::fmt::Write;
use unstuck_encodings::Cost;
use unstuck_puzzles::Style;

pub fn run(matches: &ArgMatches) -> Ending {
    let question = Question::read(matches, asking::moves_after(matches)?)?;
    let mut ended = None;
    for instance in &question.instances {
        let instance = instance.as_ref();
        let mut atlas = question.atlas(instance)?;
        let answer = hint(atlas.as_mut(), None, usize::MAX, &question.limits);
        let lower = lower(atlas.as_mut(), &answer, &question);
        let plan = answer.moves.as_ref().map(|moves| instance.verify(moves)).transpose();
        let plan =
            plan.map_err(|error| Failure::internal(format!("internal check failed: {error}")))?;
        let lost = answer.solvable == Some(false);
        ended = Some((instance, answer, lower, plan));
        if !lost {
            break;
        }
    }
    let (instance, answer, lower, plan) = ended.expect("every puzzle has a reading");
    if question.json {
        let value = answer_json(instance, &answer, lower, plan.as_ref());
        output::print(&question.json("solve", instance, value));
    } else {
        output::print(&answer_text(&question, instance, &answer, lower, plan.as_ref()));
    }
    if let Some(plan) = &plan {
        asking::picture(matches, instance, || instance.picture(Some(plan), Style::Svg))?;
    }
    Ok(exit(&answer))
}

fn exit(answer: &Hint) -> u8 {
    match answer.solvable {
        Some(true) if answer.moves.is_some() => 0,
        Some(false) => 20,
        _ => 30,
    }
}

/// What a solution costs at least.
fn lower(atlas: &mut dyn Atlas, answer: &Hint, question: &Question) -> Cost {
    let start = atlas.start();
    match answer.rest {
        Some(cost) => cost,
        None => match atlas.left(start, None, &question.limits) {
            Left::Stopped(_, cost) | Left::AtLeast(cost) | Left::Exactly(cost) => cost,
            Left::Never => Cost::ZERO,
        },
    }
}

fn verdict(answer: &Hint) -> &'static str {
    match answer.solvable {
        Some(true) => "solved",
        Some(false) => "unsolvable",
        None => "unknown",
    }
}

fn answer_json(
    instance: &dyn Instance,
    answer: &Hint,
    lower: Cost,
    plan: Option<&Verified>,
) -> Value {
    let objective = asking::counted(instance);
    let upper = plan.map(|plan| objective.primary(plan.tally()));
    json!({
        "verdict": verdict(answer),
        "exit": exit(answer),
        "solution": plan.map(|plan| json!({
            "moves": plan.text(),
            "length": { "moves": plan.tally().moves, "pushes": plan.tally().pushes },
        })),
        "lower": lower.primary(),
        "upper": upper,
        "optimal": plan.is_some(),
        "certified": false,
        "shown_by": "exhaustive search of the game with the wishes",
        "stop": asking::stop(answer.stop),
    })
}

fn answer_text(
    question: &Question,
    instance: &dyn Instance,
    answer: &Hint,
    lower: Cost,
    plan: Option<&Verified>,
) -> String {
    let mut text = String::new();
    if let Some(plan) = plan {
        let _ = writeln!(text, "{}", plan.text());
        if question.quiet {
            return text;
        }
        let _ = writeln!(text, "length: {}", instance.measures().length(plan.tally()));
    }
    let _ = writeln!(text, "wishes: {}", question.wishes);
    let objective = asking::counted(instance);
    let by = "by exhaustive search of the game with the wishes; not certified";
    let _ = match (answer.solvable, answer.stop) {
        (Some(true), _) => {
            writeln!(
                text,
                "verdict: solved, optimal in {}: {by}",
                instance.measures().first(objective).many
            )
        }
        (Some(false), _) => writeln!(text, "verdict: unsolvable with these wishes: {by}"),
        (None, Some(stop)) => {
            writeln!(
                text,
                "verdict: unknown: {stop}; at least {}",
                asking::cost(instance.measures(), objective, lower)
            )
        }
        (None, None) => writeln!(text, "verdict: unknown"),
    };
    text
}
