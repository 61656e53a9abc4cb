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
use std::time::Duration;
use unstuck::atlas::CostToGo;
use unstuck::instance::{Instance, atlas};
use unstuck::limits::Limits;
use unstuck::questions::answers::{ForcedFactsAnswer, ForcedPushAnswer, ForcedPushesAnswer};
use unstuck::questions::enumerate::{CommonAction, enumerate};
use unstuck::questions::forced::{DeductionMethod, ForcedFacts, forced, marks};
use unstuck::questions::hint::places;
use unstuck::questions::sentences;
use unstuck::report;
use unstuck::report::marks::{Mark, MarkStyle};
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::{Constraints, Prohibition};
use unstuck_puzzles::{Measures, Objective, Style};

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
    Pushes(ForcedPushesAnswer),
    Facts(ForcedFactsAnswer),
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
        let answered = query::first_open(&question.instances, |instance| {
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
    let answer = enumerate(&mut asked, 0, &question.limits);
    let atlas = asked.atlas;
    let (solvable, common) = (answer.solvable(), answer.common.len());
    let closed = answer.positions > 0;
    let mut stop = answer.stop;
    let steps = answer.shared.iter().enumerate().map(|(done, &shared)| {
        let name = atlas.action_name(shared.action).to_owned();
        let rest = (answer.shared.len() - done) as u32;
        let left = question.limits.time_left();
        let time = left.map_or(WHY_TIME, |left| (left / rest * 4).min(left));
        let slice = question.limits.within(time);
        if why {
            question.say(&format!("{done} of {} pushes", answer.shared.len()));
        }
        let without = why.then(|| without(instance, &question.constraints, &name, &slice));
        if let Some(CostToGo::Stopped(struck, _)) = without {
            stop = stop.or(Some(struck));
        }
        let times = answer.common.iter().filter(|&&action| action == shared.action).count();
        Step { name, shared, times, without }
    });
    let steps: Vec<Step> = steps.collect();
    let code = match solvable {
        _ if closed && stop.is_none() => 0,
        Some(false) => 20,
        _ => 30,
    };
    let to = steps.iter().filter_map(|step| Some((step, step.name.split_once(" to ")?.1)));
    let marks = to.flat_map(|(step, to)| {
        let label = step.when();
        places(to).into_iter().map(move |it| Mark::new(it, MarkStyle::Counts, &label))
    });
    let optimum = answer.optimum.unwrap_or(Cost::ZERO);
    let measures = (atlas.measures(), atlas.objective());
    let text = |quiet| {
        let mut text: String =
            steps.iter().map(|step| step.line(measures, optimum, quiet)).collect();
        let _ = writeln!(text, "{}", sentences::forced_pushes(&answer, stop, atlas.as_ref()));
        text
    };
    let fields = ForcedPushesAnswer::of(
        &answer,
        steps.iter().map(Step::answer).collect(),
        stop,
        atlas.as_ref(),
    );
    let common = columns::figure(closed.then_some(common));
    let answer = Answer::new(code, question.answered(instance, ForcedAnswer::Pushes(fields)))
        .saying(text(false))
        .quietly(text(true))
        .row(vec![query::yes_or_no(solvable), common, "-".to_owned()]);
    Ok(Reading { answer, solvable, marks: marks.collect() })
}

/// Time for the question what a push is good for, where no limit is given.
const WHY_TIME: Duration = Duration::from_secs(5);

/// What the rest of the game costs where a push is never made.
fn without(
    instance: &dyn Instance,
    constraints: &Constraints,
    push: &str,
    limits: &Limits,
) -> CostToGo {
    if let Some(stop) = limits.reached_any() {
        return CostToGo::Stopped(stop, Cost::ZERO);
    }
    let mut constraints = constraints.clone();
    constraints.forbidden.push(Prohibition::Push(push.to_owned()));
    let mut atlas = atlas(instance, &constraints).expect("a game");
    let start = atlas.start();
    atlas.cost_to_go(start, None, limits)
}

/// A push that all shortest solutions make, with the reason.
struct Step {
    name: String,
    shared: CommonAction,
    /// How often every plan makes it at least.
    times: usize,
    /// What a solution without it costs, where that was asked.
    without: Option<CostToGo>,
}

impl Step {
    /// Which push it is.
    fn when(&self) -> String {
        let CommonAction { first, last, .. } = self.shared;
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    }

    fn answer(&self) -> ForcedPushAnswer {
        ForcedPushAnswer::of(self.name.clone(), self.shared, self.times, self.without)
    }

    fn line(
        &self,
        (measures, objective): (Measures, Objective),
        optimum: Cost,
        quiet: bool,
    ) -> String {
        if quiet {
            return format!("{}\n", self.name);
        }
        let mut reasons = Vec::new();
        if self.shared.only {
            reasons.push("the only optimal choice in that position".to_owned());
        }
        reasons.extend(self.without.map(|left| match left {
            CostToGo::Never => "no solution without it".to_owned(),
            CostToGo::Exactly(cost) => match cost.primary().saturating_sub(optimum.primary()) {
                0 => match measures.second(objective) {
                    Some(second) => format!("more {} without it", second.many),
                    None => "no longer without it".to_owned(),
                },
                more => format!("{} more without it", measures.first(objective).count(more)),
            },
            CostToGo::AtLeast(_) | CostToGo::Stopped(..) => {
                "unknown what it costs without it".to_owned()
            }
        }));
        let times = if self.times > 1 { format!(", {} times", self.times) } else { String::new() };
        let reason = match reasons.as_slice() {
            [] => String::new(),
            reasons => format!("  ({})", reasons.join("; ")),
        };
        format!("{:>7}. {}{times}{reason}\n", self.when(), self.name)
    }
}

fn of_solutions(
    question: &Question,
    instance: &dyn Instance,
    solver: &SolverArgs,
) -> Result<Reading, Failure> {
    let backend = solver.open()?;
    let answer = forced(instance, backend.as_ref(), &question.limits)
        .map_err(|error| Failure::internal(error.to_string()))?;
    let code = match answer.solvable {
        Some(false) => 20,
        Some(true) if answer.open.is_some() => 0,
        _ => 30,
    };
    let steps = steps_text(&answer);
    let said = sentences::forced_facts(&answer) + &instance.terms().bracketed();
    let open = answer.open.as_ref().map_or_else(|| "-".to_owned(), |open| open.len().to_string());
    let fields = ForcedAnswer::Facts(ForcedFactsAnswer::from(&answer));
    let answered = Answer::new(code, question.answered(instance, fields))
        .saying(format!("{steps}{said}\n"))
        .quietly(steps)
        .row(vec![query::yes_or_no(answer.solvable), answer.steps.len().to_string(), open]);
    Ok(Reading { answer: answered, solvable: answer.solvable, marks: marks(&answer) })
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
