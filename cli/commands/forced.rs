//! `unstuck forced`: what all solutions have in common, and how it can be shown.

use crate::answer::Answer;
use crate::commands::query::{self, QueryArgs, Question, QuestionAnswer};
use crate::driver::{Ask, Asked, Subject};
use crate::input::args::{SolverArgs, long_help};
use crate::input::{SelectedLevels, applies};
use crate::terminal::columns;
use crate::terminal::failure::Failure;
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use unstuck::instance::Instance;
use unstuck::questions::forced::{DeductionMethod, ForcedFacts, forced, marks};
use unstuck::questions::forced_pushes::{ForcedPush, ForcedPushes, forced_pushes};
use unstuck::questions::hint::places;
use unstuck::report;
use unstuck::report::marks::{Mark, MarkStyle};
use unstuck_encodings::Cost;
use unstuck_puzzles::Style;

const EXAMPLES: &str = "\
Puzzles without moves (Flow): facts that hold in all solutions, one deduction
after the other, the easiest first, each with the rules that it takes. Cells
are (row,column) from 1. Games: the pushes that all shortest solutions make, in
their order, and where there is no choice. With `--why` also what a solution
without each of them costs.

Examples:
  unstuck forced board.flow --puzzle flow
  unstuck forced collection.xsb             how much is forced in each level?
  unstuck forced level.xsb --objective pushes --json
  unstuck forced level.xsb --why --timeout 60";

/// Show what all solutions (games: all shortest solutions) have in common (backbone)
#[derive(Args, Clone)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(crate) struct ForcedCommand {
    #[command(flatten)]
    query: QueryArgs,
    #[command(flatten)]
    solver: SolverArgs,
    /// Games: say of each push what a shortest solution without it costs
    #[arg(long)]
    why: bool,
}

/// What all solutions have in common: of a game pushes, of a puzzle without moves facts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum ForcedAnswer {
    Pushes(ForcedPushes),
    Facts(ForcedFacts),
}

impl Ask for ForcedCommand {
    type Fields = QuestionAnswer<ForcedAnswer>;
    const NAME: &'static str = "forced";

    fn asked(&self) -> Asked<'_> {
        self.query.asked()
    }

    fn heads(&self) -> &'static [&'static str] {
        &["solvable", "common", "open"]
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        self.solver.check()?;
        self.query.check(found)
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let question = self.query.question(subject)?;
        applies::solver_is_asked(&self.solver, question.chosen.family)?;
        let answered = query::first_open::<_, Failure>(&question.instances, |instance| {
            let answer = match instance.moves() {
                Some(_) => of_plans(&question, instance, self.why)?,
                None => of_solutions(&question, instance, &self.solver)?,
            };
            let lost = answer.solvable == Some(false);
            Ok((answer, lost))
        });
        let Reading { answer, marks, .. } = answered?;
        let instance = question.instances.first().expect("every puzzle has a reading").as_ref();
        self.query.answer.picture(instance, &marks, || instance.picture(None, Style::Svg))?;
        Ok(answer)
    }
}

/// What is said of a reading.
struct Reading {
    /// Its cells say whether there is a solution, how much all have in common, and how many facts of
    /// a solution do not hold in all of them.
    answer: Answer<QuestionAnswer<ForcedAnswer>>,
    solvable: Option<bool>,
    /// What is drawn: where common pushes lead; steps that all solutions have, by number.
    marks: Vec<Mark>,
}

fn of_plans(question: &Question, instance: &dyn Instance, why: bool) -> Result<Reading, Failure> {
    let mut asked = question.analysis(instance)?;
    let why = why.then_some(&question.constraints);
    let progress = |done, of| question.say(&format!("{done} of {of} pushes"));
    let answer = forced_pushes(&mut asked, why, &question.limits, &progress);
    let solvable = answer.solvable;
    let code = match solvable {
        _ if answer.common.is_some() && answer.stop.is_none() => 0,
        Some(false) => 20,
        _ => 30,
    };
    let steps = answer.steps.as_deref().unwrap_or_default();
    let to = steps.iter().filter_map(|step| Some((step, step.push.split_once(" to ")?.1)));
    let marks = to.flat_map(|(step, to)| {
        let label = when(step);
        places(to).into_iter().map(move |it| Mark::new(it, MarkStyle::Counts, &label))
    });
    let marks = marks.collect();
    let said: String = steps.iter().map(|step| line(step, instance, answer.optimum)).collect();
    let pushes: String = steps.iter().map(|step| format!("{}\n", step.push)).collect();
    let sentence = format!("{}\n", answer.sentence);
    let common = columns::figure(answer.common.as_ref().map(Vec::len));
    let answer = Answer::new(code, question.answered(instance, ForcedAnswer::Pushes(answer)))
        .saying(said + &sentence)
        .quietly(pushes + &sentence)
        .row(vec![query::yes_or_no(solvable), common, "-".to_owned()]);
    Ok(Reading { answer, solvable, marks })
}

/// Which push it is.
fn when(step: &ForcedPush) -> String {
    let ForcedPush { first, last, .. } = step;
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// A push that all shortest solutions make, with the reason.
fn line(step: &ForcedPush, instance: &dyn Instance, optimum: Option<Cost>) -> String {
    let (measures, objective) = (instance.measures(), instance.asked());
    let primary = |cost: Option<Cost>| cost.unwrap_or_default().primary();
    let mut reasons = Vec::new();
    if step.only {
        reasons.push("the only optimal choice in that position".to_owned());
    }
    reasons.extend(step.without.map(|without| match without.solvable {
        Some(false) => "no solution without it".to_owned(),
        Some(true) => match primary(without.optimum).saturating_sub(primary(optimum)) {
            0 => match measures.second(objective) {
                Some(second) => format!("more {} without it", second.many),
                None => "no longer without it".to_owned(),
            },
            more => format!("{} more without it", measures.first(objective).count(more)),
        },
        None => "unknown what it costs without it".to_owned(),
    }));
    let times = if step.times > 1 { format!(", {} times", step.times) } else { String::new() };
    let reason = match reasons.as_slice() {
        [] => String::new(),
        reasons => format!("  ({})", reasons.join("; ")),
    };
    format!("{:>7}. {}{times}{reason}\n", when(step), step.push)
}

fn of_solutions(
    question: &Question,
    instance: &dyn Instance,
    solver: &SolverArgs,
) -> Result<Reading, Failure> {
    let backend = solver.open()?;
    let answer = forced(instance, backend.as_ref(), &question.limits)
        .map_err(|error| Failure::solving(&error))?;
    let solvable = answer.figures.solvable;
    let code = match solvable {
        Some(false) => 20,
        Some(true) if answer.open.is_some() => 0,
        _ => 30,
    };
    let (steps, marks) = (steps_text(&answer), marks(&answer));
    let said = format!("{steps}{}{}\n", answer.sentence, instance.terms().bracketed());
    let open = columns::figure(answer.open.as_ref().map(Vec::len));
    let cells = vec![query::yes_or_no(solvable), answer.steps.len().to_string(), open];
    let answered = Answer::new(code, question.answered(instance, ForcedAnswer::Facts(answer)));
    let answer = answered.saying(said).quietly(steps).row(cells);
    Ok(Reading { answer, solvable, marks })
}

/// A line for each step.
fn steps_text(answer: &ForcedFacts) -> String {
    let mut text = String::new();
    for (number, step) in (1..).zip(&answer.steps) {
        let sign = if step.value { "" } else { "not " };
        let reason = match step.how {
            DeductionMethod::Direct => step.rules.join(", "),
            DeductionMethod::Contradiction => format!(
                "else a contradiction in {} clauses: {}",
                step.clauses,
                step.rules.join(", ")
            ),
            DeductionMethod::Search => "else no solution, by search".to_owned(),
        };
        let _ = writeln!(
            text,
            "{number:>4}. {sign}{}  ({reason})",
            report::sentences::fact(&step.name)
        );
    }
    text
}
