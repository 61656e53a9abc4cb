//! `unstuck forced`: what all solutions have in common, and how it can be shown.

use super::asking::{self, Question};
use super::{Ending, Failure, applies, arguments, output};
use crate::atlas::Atlas;
use crate::instance::Instance;
use crate::questions::enumerate::enumerate;
use crate::questions::forced::{Deduced, Forced, How, forced, marks};
use crate::questions::hint::places;
use crate::report::marks::{Look, Mark};
use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use std::fmt::Write;
use unstuck_encodings::Cost;
use unstuck_puzzles::Style;

const EXAMPLES: &str = "\
Puzzles without moves (Flow): facts that hold in all solutions, one deduction
after the other, the easiest first, each with the rules that it takes. Cells
are row,column from 0, as in `export`. Games: the pushes that all optimal plans
make.

Examples:
  unstuck forced board.flow --puzzle flow
  unstuck forced level.xsb --objective pushes --json";

pub(super) fn command() -> Command {
    asking::command(
        "forced",
        "Show what all solutions (games: all optimal plans) have in common",
        EXAMPLES,
    )
    .args(asking::arguments())
    .arg(asking::after())
    .args(arguments::backend().into_iter().take(1))
}

pub(super) fn run(matches: &ArgMatches) -> Ending {
    let question = Question::read(matches, asking::moves_after(matches)?)?;
    applies::solver_is_asked(matches, question.chosen.family)?;
    arguments::check_backend(matches)?;
    let mut answered = None;
    for instance in &question.instances {
        let instance = instance.as_ref();
        let answer = match instance.atlas(&question.wishes) {
            Some(atlas) => of_plans(&question, instance, atlas),
            None => of_solutions(&question, instance, matches)?,
        };
        let lost = answer.solvable == Some(false);
        answered = Some(answer);
        if !lost {
            break;
        }
    }
    let Answer { text, code, marks, .. } = answered.expect("every puzzle has a reading");
    output::print(&text);
    let instance = question.instances.first().expect("every puzzle has a reading");
    asking::picture(matches, instance.as_ref(), &marks, || instance.picture(None, Style::Svg))?;
    Ok(code)
}

/// What is printed of a reading.
struct Answer {
    text: String,
    code: u8,
    solvable: Option<bool>,
    /// What is drawn: where common pushes lead; steps that all solutions have, by number.
    marks: Vec<Mark>,
}

fn of_plans(question: &Question, instance: &dyn Instance, mut atlas: Box<dyn Atlas>) -> Answer {
    let answer = enumerate(atlas.as_mut(), 0, &question.limits);
    let common: Vec<&str> = answer.common.iter().map(|&deed| atlas.deed_name(deed)).collect();
    let solvable = match (answer.unsolvable, answer.optimum) {
        (true, _) => Some(false),
        (false, optimum) => optimum.map(|_| true),
    };
    let closed = answer.positions > 0;
    let text = if question.json {
        let value = json!({
            "solvable": solvable,
            "optimum": answer.optimum.map(Cost::primary),
            "common": closed.then_some(&common),
            "optimal_plans": answer.plans.and_then(|plans| u64::try_from(plans).ok()),
            "stop": asking::stop(answer.stop),
        });
        question.json("forced", instance, value)
    } else {
        let mut text: String = common.iter().map(|deed| format!("{deed}\n")).collect();
        let _ = match (solvable, closed) {
            (Some(false), _) => writeln!(text, "the level has no solution"),
            (_, true) => writeln!(
                text,
                "all optimal plans make these {}",
                atlas.measures().pushes.count(common.len() as u32)
            ),
            _ => writeln!(text, "unknown: a limit struck"),
        };
        text
    };
    let code = match solvable {
        _ if closed => 0,
        Some(false) => 20,
        _ => 30,
    };
    let to = common.iter().filter_map(|deed| deed.split_once(" to "));
    let marks = to.flat_map(|(_, to)| places(to)).map(|it| Mark::new(it, Look::Pointed, ""));
    Answer { text, code, solvable, marks: marks.collect() }
}

fn of_solutions(
    question: &Question,
    instance: &dyn Instance,
    matches: &ArgMatches,
) -> Result<Answer, Failure> {
    let backend = arguments::given_backend(matches)?;
    let answer = forced(instance, backend.as_ref(), &question.limits)
        .map_err(|error| Failure::internal(error.to_string()))?;
    let text = if question.json {
        question.json("forced", instance, answer_json(&answer))
    } else {
        answer_text(question, instance, &answer)
    };
    let code = match answer.solvable {
        Some(false) => 20,
        Some(true) if answer.open.is_some() => 0,
        _ => 30,
    };
    Ok(Answer { text, code, solvable: answer.solvable, marks: marks(&answer) })
}

fn of_kind(steps: &[Deduced], how: How) -> usize {
    steps.iter().filter(|step| step.how == how).count()
}

fn answer_json(answer: &Forced) -> Value {
    let step = |step: &Deduced| {
        json!({
            "fact": step.name,
            "value": step.value,
            "how": step.how.name(),
            "clauses": step.clauses,
            "rules": step.rules,
        })
    };
    json!({
        "solvable": answer.solvable,
        "unique": answer.open.as_ref().map(Vec::is_empty),
        "steps": answer.steps.iter().map(step).collect::<Vec<_>>(),
        "direct": of_kind(&answer.steps, How::Direct),
        "contradiction": of_kind(&answer.steps, How::Contradiction),
        "search": of_kind(&answer.steps, How::Search),
        "largest": answer.steps.iter().map(|step| step.clauses).max(),
        "open": answer.open,
        "stop": asking::stop(answer.stop),
    })
}

fn answer_text(question: &Question, instance: &dyn Instance, answer: &Forced) -> String {
    let mut text = String::new();
    for (number, step) in (1..).zip(&answer.steps) {
        let sign = if step.value { "" } else { "not " };
        let reason = match step.how {
            How::Direct => step.rules.join(", "),
            How::Contradiction => format!(
                "else a contradiction in {} clauses: {}",
                step.clauses,
                step.rules.join(", ")
            ),
            How::Search => "else no solution, by search".to_owned(),
        };
        let _ = writeln!(text, "{number:>4}. {sign}{}  ({reason})", step.name);
    }
    if question.quiet {
        return text;
    }
    let reading = instance.reading();
    let under = if reading.is_empty() { String::new() } else { format!(" [{reading}]") };
    let _ = match (answer.solvable, &answer.open) {
        (Some(false), _) => writeln!(text, "the board has no solution{under}"),
        (Some(true), Some(open)) if open.is_empty() => {
            writeln!(text, "that is the whole solution: it is the only one{under}")
        }
        (Some(true), Some(open)) => writeln!(
            text,
            "that is all that the solutions have in common; {} facts of the first do not hold in \
             all{under}",
            open.len()
        ),
        _ => writeln!(text, "unknown what else is forced: a limit struck{under}"),
    };
    text
}
