//! `unstuck enumerate`: how many optimal plans there are, and which.

use super::args::long_help;
use super::query::{self, Answer, QueryArgs, Question};
use super::{CommandResult, Failure, Run, Watched};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write;
use unstuck::atlas::Atlas;
use unstuck::instance::Instance;
use unstuck::questions::enumerate::{Enumeration, enumerate};
use unstuck_encodings::Cost;

const EXAMPLES: &str = "\
Walks do not count, and plans that differ in the order of independent pushes only are one plan:
two neighbouring pushes may change places where both orders are optimal and
lead to the same position. The number is exact even where it is far too large
to list.

Examples:
  unstuck enumerate level.xsb
  unstuck enumerate collection.xsb                  which levels have one plan?
  unstuck enumerate level.xsb --count 5             list at most five of them
  unstuck enumerate level.xsb --objective moves --json";

/// Count the optimal plans and list some of them
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(super) struct EnumerateCommand {
    #[command(flatten)]
    query: QueryArgs,
    /// List at most this many plans
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: u32,
}

impl Run for EnumerateCommand {
    fn watched(&self) -> Watched {
        self.query.answer.watched()
    }

    fn run(&self) -> CommandResult {
        let heads = ["optimum", "plans"];
        query::each(&self.query, None, "enumerate", &heads, |question| ask(self, question))
    }
}

fn ask(args: &EnumerateCommand, question: &Question) -> Result<Answer, Failure> {
    let answered = query::first_open(&question.instances, |instance| {
        let mut atlas = question.atlas(instance)?;
        let answer = enumerate(atlas.as_mut(), args.count as usize, &question.limits);
        let lost = answer.unsolvable;
        Ok(((instance, atlas, answer), lost))
    });
    let (instance, mut atlas, answer) = answered?;
    let plans: Vec<String> =
        answer.listed.iter().filter_map(|actions| atlas.plan(actions)).collect();
    let text = if question.json {
        let value = answer_json(atlas.as_ref(), &answer, &plans);
        question.json("enumerate", instance, value)
    } else {
        answer_text(question, instance, atlas.as_ref(), &answer, &plans)
    };
    args.query.answer.picture(instance, &[], || {
        let start = atlas.start();
        atlas.draw(start, unstuck_puzzles::Style::Svg)
    })?;
    let optimum = answer.optimum.map(Cost::primary);
    let (cells, code) = match answer.plans {
        _ if answer.unsolvable => (["none".to_owned(), "0".to_owned()], 20),
        Some(plans) => ([query::figure(optimum), plans.to_string()], 0),
        None => ([query::figure(optimum), query::figure(None::<u8>)], 30),
    };
    Ok(Answer { text: text.into(), cells: cells.into(), code })
}

/// A number that may be beyond what JSON readers hold: as text then.
fn number(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| number.to_string().into(), Into::into)
}

fn answer_json(atlas: &dyn Atlas, answer: &Enumeration, plans: &[String]) -> Value {
    let common: Vec<&str> = answer.common.iter().map(|&action| atlas.action_name(action)).collect();
    json!({
        "optimum": answer.optimum.map(Cost::primary),
        "at_least": answer.at_least.map(Cost::primary),
        "optimal_plans": if answer.unsolvable { 0.into() } else {
            answer.plans.map_or(Value::Null, number)
        },
        "complete": answer.unsolvable || answer.plans.is_some(),
        "plans": plans,
        "all_listed": answer.all_listed,
        "common": answer.optimum.map(|_| common),
        "positions": answer.positions,
        "solvable": match (answer.unsolvable, answer.optimum) {
            (true, _) => Some(false),
            (false, Some(_)) => Some(true),
            (false, None) => None,
        },
        "stop": query::stop(answer.stop),
    })
}

fn answer_text(
    question: &Question,
    instance: &dyn Instance,
    atlas: &dyn Atlas,
    answer: &Enumeration,
    plans: &[String],
) -> String {
    let mut text = String::new();
    for plan in plans {
        let _ = writeln!(text, "{plan}");
    }
    if question.quiet {
        return text;
    }
    let objective = atlas.objective();
    let cost = answer
        .optimum
        .map(|cost| query::cost(atlas.measures(), objective, cost))
        .unwrap_or_default();
    let _ = match (answer.plans, answer.stop) {
        _ if answer.unsolvable => writeln!(text, "no plan: the level has no solution"),
        (Some(1), _) => {
            writeln!(text, "1 optimal plan ({cost}), unique up to reordering and walking")
        }
        (Some(plans), _) => writeln!(text, "{plans} optimal plans ({cost})"),
        (None, Some(stop)) => {
            let least = query::at_least(atlas.measures(), objective, answer.at_least);
            writeln!(text, "number of optimal plans unknown{least}: {stop}")
        }
        (None, None) => writeln!(text, "more optimal plans than 128 bits can count ({cost})"),
    };
    if !answer.all_listed && !plans.is_empty() {
        let _ = writeln!(text, "listed: {}", plans.len());
    }
    if !answer.common.is_empty() && answer.plans.is_some_and(|plans| plans > 1) {
        let _ = writeln!(
            text,
            "{} common to all of them: {}",
            atlas.measures().pushes.many,
            answer.common.len()
        );
    }
    if !instance.reading().is_empty() {
        let _ = writeln!(text, "reading: {}", instance.reading());
    }
    text
}
