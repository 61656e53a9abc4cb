//! `unstuck enumerate`: how many shortest solutions there are, and which.

use crate::answer::{Answer, rule_use};
use crate::commands::query::{self, QueryArgs, QuestionAnswer};
use crate::driver::{Ask, Asked, Subject};
use crate::input::SelectedLevels;
use crate::input::args::long_help;
use crate::terminal::columns;
use crate::terminal::failure::Failure;
use crate::terminal::text::Text;
use clap::Args;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use unstuck::instance::Instance;
use unstuck::machine::lock;
use unstuck::questions::enumerate::{Enumeration, enumerate};
use unstuck::report::RuleUse;
use unstuck_encodings::Cost;
use unstuck_puzzles::Style;

const EXAMPLES: &str = "\
Solutions that differ only in walking, or in the order of independent pushes,
count as one: two neighbouring pushes may change places where both orders are
optimal and lead to the same position. The number is exact even where it is
far too large to list.

Examples:
  unstuck enumerate level.xsb
  unstuck enumerate collection.xsb                  which levels have one plan?
  unstuck enumerate level.xsb --count 5             list at most five of them
  unstuck enumerate game.puzzlescript --rules       which rules are of no use?
  unstuck enumerate level.xsb --objective moves --json";

/// Count the shortest solutions and list some of them
#[derive(Args)]
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
    /// The rules that act, of all levels of each file.
    #[arg(skip)]
    games: Mutex<BTreeMap<String, Vec<Option<RuleUse>>>>,
}

impl Ask for EnumerateCommand {
    type Fields = QuestionAnswer<Enumeration>;
    const NAME: &'static str = "enumerate";

    fn asked(&self) -> Asked<'_> {
        self.query.asked()
    }

    fn heads(&self) -> &'static [&'static str] {
        if self.rules { &["optimum", "plans", "rules"] } else { &["optimum", "plans"] }
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        self.query.check(found)
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let question = self.query.question(subject)?;
        let answered = query::first_open::<_, Failure>(&question.instances, |instance| {
            let mut asked = question.analysis(instance)?;
            let answer = enumerate(&mut asked, self.count as usize, &question.limits);
            let lost = answer.solvable == Some(false);
            Ok(((instance, asked.atlas, answer), lost))
        });
        let (instance, mut atlas, mut answer) = answered?;
        let rules = match self.rules {
            true => Some(rule_use::of_level(instance, atlas.as_mut(), &answer, &question.limits)?),
            false => None,
        };
        self.query.answer.picture(instance, &[], || {
            let start = atlas.start();
            atlas.draw(start, Style::Svg)
        })?;
        let optimum = answer.optimum.map(Cost::primary);
        let (mut cells, mut code) = match answer.plans {
            Some(0) => (vec!["none".to_owned(), "0".to_owned()], 20),
            Some(plans) => (vec![columns::figure(optimum), plans.to_string()], 0),
            None => (vec![columns::figure(optimum), columns::figure(None::<u8>)], 30),
        };
        let quiet: String = answer.moves.iter().map(|plan| format!("{plan}\n")).collect();
        let mut text = quiet.clone() + &answer_text(instance, &answer);
        if let Some(rules) = rules {
            if answer.solvable != Some(false) {
                text.push_str(&rule_use::text(&rules));
            }
            let rules = rules.ok();
            cells.push(rule_use::cell(rules.as_ref()));
            if rules.is_none() {
                code = 30;
            }
            let source = question.chosen.source.clone();
            lock(&self.games).entry(source).or_default().push(rules.clone());
            answer.rules = rules.into();
        }
        let answered = Answer::new(code, question.answered(instance, answer));
        Ok(answered.saying(text).quietly(quiet).row(cells))
    }

    fn end(&self, quiet: bool) -> Text {
        let games = lock(&self.games);
        let games = games.iter().take(if quiet { 0 } else { usize::MAX });
        let said = games.map(|(source, levels)| rule_use::of_game(source, levels));
        Text::from(&said.collect::<String>())
    }
}

fn answer_text(instance: &dyn Instance, answer: &Enumeration) -> String {
    let mut text = format!("{}\n", answer.sentence);
    if !answer.all_listed && !answer.moves.is_empty() {
        let _ = writeln!(text, "listed: {}", answer.moves.len());
    }
    if !answer.common.is_empty() && answer.plans.is_some_and(|plans| plans > 1) {
        let _ = writeln!(
            text,
            "{} common to all of them: {}",
            instance.measures().pushes.many,
            answer.common.len()
        );
    }
    let rules = instance.terms().rules();
    if !rules.is_empty() {
        let _ = writeln!(text, "rules: {rules}");
    }
    text
}
