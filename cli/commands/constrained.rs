//! `unstuck solve --forbid ... --require ...`: a solution without a trick, or with one.
//!
//! Constraints are part of the rules that explicit search goes by; there is no encoding of them, so
//! that a verdict comes from search alone and says so.

use crate::answer::Answer;
use crate::commands::query::{self, AnswerArgs, Question, QuestionAnswer};
use crate::commands::solve::args::SolveCommand;
use crate::driver::{Ask, Asked, Subject};
use crate::terminal::columns;
use crate::terminal::failure::Failure;
use serde::Serialize;
use std::fmt::Write;
use unstuck::certificate::Claim;
use unstuck::instance::{Instance, Verified};
use unstuck::limits::{Limits, Stop};
use unstuck::questions::analysis::Analysis;
use unstuck::questions::hint::{Hint, hint};
use unstuck::questions::sentences;
use unstuck::report::{LevelAnswer, SolutionReport};
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::Constraints;

/// What search finds of a game with constraints.
pub(crate) struct ConstrainedResult<'a> {
    /// The first reading that is not shown to have no solution, else the last.
    pub instance: &'a dyn Instance,
    /// Whether there is a solution, and its moves.
    pub answer: Hint,
    /// What a solution costs at least.
    pub lower: Cost,
    /// A shortest solution, which keeps the constraints.
    pub plan: Option<Verified>,
}

impl ConstrainedResult<'_> {
    /// What can be claimed; `None` when a limit struck.
    pub(crate) fn claim(&self) -> Option<Claim> {
        match (self.answer.solvable, &self.plan) {
            (Some(true), Some(plan)) => {
                let objective = self.instance.objective();
                let tie = self.lower == Cost::of(objective, plan.tally());
                Some(Claim::optimal(objective, plan.tally(), tie))
            }
            (Some(false), _) => Some(Claim::Unsolvable),
            _ => None,
        }
    }
}

/// Searches the readings of a game with constraints.
///
/// # Errors
/// When the family has no moves.
pub(crate) fn search<'a>(
    instances: &'a [Box<dyn Instance>],
    constraints: &Constraints,
    limits: &Limits,
) -> Result<ConstrainedResult<'a>, Failure> {
    query::first_open(instances, |instance| {
        let (Some(game), Some(mut asked)) =
            (instance.moves(), Analysis::new(instance, constraints))
        else {
            let family = instance.family();
            return Err(Failure::usage(format!("{family} has no moves to forbid or to require")));
        };
        let answer = hint(&mut asked, None, usize::MAX, limits);
        let lower = answer.at_least.unwrap_or_default();
        let plan = answer.moves.as_ref().map(|moves| game.verify(constraints, moves));
        let plan = plan.transpose();
        let plan = plan.map_err(|error| Failure::internal(format!("internal error: {error}")))?;
        let lost = answer.solvable == Some(false);
        Ok((ConstrainedResult { instance, answer, lower, plan }, lost))
    })
}

/// `solve` where levels are games with constraints.
pub(crate) struct ConstrainedQuestion(pub &'static SolveCommand);

impl Ask for ConstrainedQuestion {
    type Fields = QuestionAnswer<ConstrainedAnswer>;
    const NAME: &'static str = "solve";

    fn asked(&self) -> Asked<'_> {
        let AnswerArgs { limits, output, .. } = self.0.answer;
        Asked { levels: &self.0.levels, limits: Some(limits), output }
    }

    fn heads(&self) -> &'static [&'static str] {
        &["verdict", "length"]
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let SolveCommand { levels, answer: args, after, pictures, .. } = self.0;
        let question = Question::of(&levels.reading, args, subject, after.read()?)?;
        let found = search(&question.instances, &question.constraints, &question.limits)?;
        let ConstrainedResult { instance, answer, lower, plan } = found;
        let text = answer_text(&question, instance, &answer, lower);
        let (mut quiet, mut length) = (text.clone(), columns::figure(None::<u8>));
        let mut moves = String::new();
        if let Some(plan) = &plan {
            length = unstuck::report::sentences::slashed(plan.tally());
            let shown = instance.measures().length(plan.tally());
            let sentence =
                format!("solved in {shown} with the constraints: {}", question.constraints);
            pictures.write_plans(args.force, subject.chosen, instance, &[plan], &sentence)?;
            quiet = format!("{}\n", plan.text());
            moves = format!("{quiet}length: {shown}\n");
        }
        let cells = vec![verdict(&answer).to_owned(), length];
        let fields = ConstrainedAnswer::of(instance, &answer, lower, plan.as_ref());
        let answered = Answer::new(exit(&answer), question.answered(instance, fields));
        Ok(answered.saying(moves + &text).quietly(quiet).row(cells))
    }
}

fn exit(answer: &Hint) -> u8 {
    match answer.solvable {
        Some(true) if answer.moves.is_some() => 0,
        Some(false) => 20,
        _ => 30,
    }
}

fn verdict(answer: &Hint) -> &'static str {
    match answer.solvable {
        Some(true) => "solved",
        Some(false) => "unsolvable",
        None => "unknown",
    }
}

/// The answer as other levels have it, with the limit that struck.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ConstrainedAnswer {
    #[serde(flatten)]
    answer: LevelAnswer,
    stop: Option<Stop>,
}

impl ConstrainedAnswer {
    fn of(instance: &dyn Instance, answer: &Hint, lower: Cost, plan: Option<&Verified>) -> Self {
        let upper = plan.map(|plan| instance.asked().primary(plan.tally()));
        let found = LevelAnswer {
            verdict: verdict(answer).to_owned(),
            exit: exit(answer).into(),
            solution: plan.map(|plan| SolutionReport::of(plan, true)).into(),
            lower: lower.primary().into(),
            upper: upper.into(),
            optimal: plan.is_some().into(),
            certified: false.into(),
            shown_by: "exhaustive search of the game with the constraints".to_owned().into(),
            ..LevelAnswer::default()
        };
        Self { answer: found, stop: answer.stop }
    }
}

fn answer_text(question: &Question, instance: &dyn Instance, answer: &Hint, lower: Cost) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "constraints: {}", question.constraints);
    let objective = instance.asked();
    let by = "by exhaustive search of the game with the constraints; not certified";
    let _ = match (answer.solvable, answer.stop) {
        (Some(true), _) => {
            writeln!(
                text,
                "verdict: solved, optimal in {}: {by}",
                instance.measures().first(objective).many
            )
        }
        (Some(false), _) => writeln!(text, "verdict: unsolvable with these constraints: {by}"),
        (None, Some(stop)) => {
            writeln!(
                text,
                "verdict: unknown: {stop}; at least {}",
                sentences::cost(instance.measures(), objective, lower)
            )
        }
        (None, None) => writeln!(text, "verdict: unknown"),
    };
    text
}
