//! `unstuck enumerate`: how many optimal plans there are, and which.

use super::applies::{self, REMOVE};
use super::args::long_help;
use super::query::{self, Answer, QueryArgs, Question};
use super::{CommandResult, Failure, Run, Watched, output};
use clap::Args;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use unstuck::atlas::Atlas;
use unstuck::instance::Instance;
use unstuck::limits::Stop;
use unstuck::questions::enumerate::{Enumeration, enumerate};
use unstuck::questions::rules::acting_rules;
use unstuck_encodings::Cost;
use unstuck_puzzles::{Measures, Objective};

const EXAMPLES: &str = "\
Walks do not count, and plans that differ in the order of independent pushes only are one plan:
two neighbouring pushes may change places where both orders are optimal and
lead to the same position. The number is exact even where it is far too large
to list.

Examples:
  unstuck enumerate level.xsb
  unstuck enumerate collection.xsb                  which levels have one plan?
  unstuck enumerate level.xsb --count 5             list at most five of them
  unstuck enumerate game.puzzlescript --rules       which rules are of no use?
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
    /// Report the rules that act in no optimal plan, by their lines (PuzzleScript)
    #[arg(long)]
    rules: bool,
}

impl Run for EnumerateCommand {
    fn watched(&self) -> Watched {
        self.query.answer.watched()
    }

    fn run(&self) -> CommandResult {
        let heads: &[&str] =
            if self.rules { &["optimum", "plans", "rules"] } else { &["optimum", "plans"] };
        let games = RefCell::new(BTreeMap::new());
        let code = query::each(&self.query, None, "enumerate", heads, |question| {
            ask(self, question, &mut games.borrow_mut())
        })?;
        let output = self.query.answer.output;
        if !output.json && !output.quiet {
            let games = games.into_inner();
            games.iter().for_each(|(source, levels)| output::print(of_game(source, levels)));
        }
        Ok(code)
    }
}

/// The lines of the rules of a game.
#[derive(Clone, Debug)]
struct RuleUse {
    /// Those that act in an optimal plan, or before the first move.
    acting: BTreeSet<usize>,
    /// All others.
    idle: BTreeSet<usize>,
    /// The limit that struck before that was known.
    stop: Option<Stop>,
    /// Whether there is an optimal plan.
    is_solvable: bool,
}

impl RuleUse {
    /// Searches all optimal plans; without any no rule acts.
    fn of(
        question: &Question,
        instance: &dyn Instance,
        atlas: &mut dyn Atlas,
        answer: &Enumeration,
    ) -> Result<Self, Failure> {
        let Some(mut idle) = atlas.rule_lines() else {
            let why = format!("the rules of {} are not written in a file", instance.family());
            return Err(applies::refused("rules", &why, REMOVE));
        };
        let (acting, stop) = match answer.optimum {
            Some(optimum) => match acting_rules(atlas, optimum, &question.limits) {
                Ok(acting) => (acting, None),
                Err(stop) => (BTreeSet::new(), Some(stop)),
            },
            None => (atlas.starting(), answer.stop),
        };
        idle.retain(|line| !acting.contains(line));
        Ok(Self { acting, idle, stop, is_solvable: answer.optimum.is_some() })
    }

    /// How many rules act, of how many.
    fn cell(&self) -> String {
        match self.stop {
            Some(_) => query::figure(None::<u8>),
            None => format!("{}/{}", self.acting.len(), self.acting.len() + self.idle.len()),
        }
    }

    fn json(&self) -> Value {
        match self.stop {
            Some(_) => Value::Null,
            None => json!({ "acting": self.acting, "idle": self.idle }),
        }
    }

    fn text(&self) -> String {
        match self.stop {
            Some(stop) => format!("rules that act in an optimal plan: unknown: {stop}\n"),
            None if !self.is_solvable => String::new(),
            None => format!(
                "rules that act in an optimal plan: {}\nrules that act in none: {}\n",
                lines(&self.acting),
                lines(&self.idle)
            ),
        }
    }
}

/// Lines by their numbers.
fn lines(lines: &BTreeSet<usize>) -> String {
    let numbers: Vec<String> = lines.iter().map(ToString::to_string).collect();
    match numbers.as_slice() {
        [] => "none".to_owned(),
        [line] => format!("line {line}"),
        lines => format!("lines {}", lines.join(", ")),
    }
}

/// The rules of a game that act in no optimal plan of its levels, where there are several.
fn of_game(source: &str, levels: &[RuleUse]) -> String {
    let known = levels.iter().filter(|level| level.stop.is_none());
    let Some(idle) = known.clone().map(|level| level.idle.clone()).reduce(|all, it| &all & &it)
    else {
        return String::new();
    };
    if levels.len() == 1 {
        return String::new();
    }
    let open = match levels.len() - known.count() {
        0 => String::new(),
        open => format!(" ({open} unknown)"),
    };
    let levels = levels.len();
    format!(
        "{source}: rules that act in no optimal plan of {levels} levels{open}: {}\n",
        lines(&idle)
    )
}

fn ask(
    args: &EnumerateCommand,
    question: &Question,
    games: &mut BTreeMap<String, Vec<RuleUse>>,
) -> Result<Answer, Failure> {
    let answered = query::first_open(&question.instances, |instance| {
        let mut atlas = question.atlas(instance)?;
        let answer = enumerate(atlas.as_mut(), args.count as usize, &question.limits);
        let lost = answer.unsolvable;
        Ok(((instance, atlas, answer), lost))
    });
    let (instance, mut atlas, answer) = answered?;
    let plans: Vec<String> =
        answer.listed.iter().filter_map(|actions| atlas.plan(actions)).collect();
    let rules = match args.rules {
        true => Some(RuleUse::of(question, instance, atlas.as_mut(), &answer)?),
        false => None,
    };
    let text = if question.json {
        let mut value = answer_json(atlas.as_ref(), &answer, &plans);
        if let Some(rules) = &rules {
            value["rules"] = rules.json();
        }
        question.json("enumerate", instance, value)
    } else {
        let mut text = answer_text(question, instance, atlas.as_ref(), &answer, &plans);
        if let Some(rules) = rules.as_ref().filter(|_| !question.quiet) {
            text.push_str(&rules.text());
        }
        text
    };
    args.query.answer.picture(instance, &[], || {
        let start = atlas.start();
        atlas.draw(start, unstuck_puzzles::Style::Svg)
    })?;
    let optimum = answer.optimum.map(Cost::primary);
    let (mut cells, mut code) = match answer.plans {
        _ if answer.unsolvable => (vec!["none".to_owned(), "0".to_owned()], 20),
        Some(plans) => (vec![query::figure(optimum), plans.to_string()], 0),
        None => (vec![query::figure(optimum), query::figure(None::<u8>)], 30),
    };
    if let Some(rules) = rules {
        cells.push(rules.cell());
        if rules.stop.is_some() {
            code = 30;
        }
        games.entry(question.chosen.source.clone()).or_default().push(rules);
    }
    Ok(Answer { text: text.into(), cells, code })
}

/// The number of plans, where it is known; as text where JSON readers could not hold it.
pub(super) fn number(answer: &Enumeration) -> Value {
    let plans = if answer.unsolvable { Some(0) } else { answer.plans };
    let number = |it: u128| u64::try_from(it).map_or_else(|_| it.to_string().into(), Into::into);
    plans.map_or(Value::Null, number)
}

/// Whether there is one plan alone, where that is known.
pub(super) fn is_unique(answer: &Enumeration) -> Option<bool> {
    let more_than_fit = answer.optimum.is_some() && answer.stop.is_none();
    answer.plans.map(|plans| plans == 1).or(more_than_fit.then_some(false))
}

/// How many plans there are, as a sentence.
pub(super) fn sentence(measures: Measures, objective: Objective, answer: &Enumeration) -> String {
    let cost = answer.optimum.map(|cost| query::cost(measures, objective, cost));
    let cost = cost.unwrap_or_default();
    match (answer.plans, answer.stop) {
        _ if answer.unsolvable => "no plan: the level has no solution".to_owned(),
        (Some(1), _) => format!("1 optimal plan ({cost}), unique up to reordering and walking"),
        (Some(plans), _) => format!("{plans} optimal plans ({cost})"),
        (None, Some(stop)) => {
            let least = query::at_least(measures, objective, answer.at_least);
            format!("number of optimal plans unknown{least}: {stop}")
        }
        (None, None) => format!("more optimal plans than 128 bits can count ({cost})"),
    }
}

fn answer_json(atlas: &dyn Atlas, answer: &Enumeration, plans: &[String]) -> Value {
    let common: Vec<&str> = answer.common.iter().map(|&action| atlas.action_name(action)).collect();
    json!({
        "optimum": answer.optimum.map(Cost::primary),
        "at_least": answer.at_least.map(Cost::primary),
        "optimal_plans": number(answer),
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
    let _ = writeln!(text, "{}", sentence(atlas.measures(), atlas.objective(), answer));
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
