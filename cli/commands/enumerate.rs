//! `unstuck enumerate`: how many shortest solutions there are, and which.

use crate::answer::rule_use;
use crate::commands::query;
use crate::commands::query::{Answer, QueryArgs, Question};
use crate::driver::{Run, Watched};
use crate::input::args::long_help;
use crate::terminal::columns;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output;
use clap::Args;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use unstuck::atlas::Atlas;
use unstuck::instance::Instance;
use unstuck::questions::answers::EnumerationAnswer;
use unstuck::questions::enumerate::{Enumeration, enumerate};
use unstuck::questions::sentences;
use unstuck::report::RuleUse;
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
  unstuck enumerate game.puzzlescript --rules       which rules are of no use?
  unstuck enumerate level.xsb --objective moves --json";

/// Count the shortest solutions and list some of them
#[derive(Args, Clone)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(crate) struct EnumerateCommand {
    #[command(flatten)]
    query: QueryArgs,
    /// List at most this many plans
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: u32,
    /// Report the rules that act in no shortest solution, by their lines (PuzzleScript)
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
            for (source, levels) in &games {
                output::print(rule_use::of_game(source, levels));
            }
        }
        Ok(code)
    }
}

fn ask(
    args: &EnumerateCommand,
    question: &Question,
    games: &mut BTreeMap<String, Vec<Option<RuleUse>>>,
) -> Result<Answer, Failure> {
    let answered = query::first_open(&question.instances, |instance| {
        let mut asked = question.analysis(instance)?;
        let answer = enumerate(&mut asked, args.count as usize, &question.limits);
        let lost = answer.unsolvable;
        Ok(((instance, asked.atlas, answer), lost))
    });
    let (instance, mut atlas, answer) = answered?;
    let plans: Vec<String> =
        answer.listed.iter().filter_map(|actions| atlas.plan(actions)).collect();
    let rules = match args.rules {
        true => Some(rule_use::of_level(instance, atlas.as_mut(), &answer, &question.limits)?),
        false => None,
    };
    let text = if question.json {
        let rules = rules.as_ref().map(|rules| rules.as_ref().ok().cloned().into());
        let rules = rules.unwrap_or_default();
        let answer = EnumerationAnswer::of(&answer, plans, atlas.as_ref(), rules);
        question.json("enumerate", instance, answer)
    } else {
        let mut text = answer_text(question, instance, atlas.as_ref(), &answer, &plans);
        if let Some(rules) = rules.as_ref().filter(|_| !(question.quiet || answer.unsolvable)) {
            text.push_str(&rule_use::text(rules));
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
        Some(plans) => (vec![columns::figure(optimum), plans.to_string()], 0),
        None => (vec![columns::figure(optimum), columns::figure(None::<u8>)], 30),
    };
    if let Some(rules) = rules {
        let rules = rules.ok();
        cells.push(rule_use::cell(rules.as_ref()));
        if rules.is_none() {
            code = 30;
        }
        games.entry(question.chosen.source.clone()).or_default().push(rules);
    }
    Ok(Answer { text: text.into(), cells, code })
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
    let _ =
        writeln!(text, "{}", sentences::enumeration(answer, atlas.measures(), atlas.objective()));
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
    let rules = instance.terms().rules();
    if !rules.is_empty() {
        let _ = writeln!(text, "rules: {rules}");
    }
    text
}
