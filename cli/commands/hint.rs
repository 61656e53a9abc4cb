//! `unstuck hint`: what to do next, and no more than is wanted.

use crate::answer::Answer;
use crate::commands::query::{self, AnswerArgs, DrawnArgs, Question, QuestionAnswer};
use crate::driver::{Ask, Asked, Subject};
use crate::input::SelectedLevels;
use crate::input::applies::refused;
use crate::input::args::{GameArgs, LevelArgs, long_help};
use crate::terminal::failure::Failure;
use crate::terminal::text::Text;
use crate::terminal::values::words;
use clap::{Args, value_parser};
use std::fmt::Write;
use unstuck::atlas::Atlas;
use unstuck::instance::{Instance, atlas};
use unstuck::questions::hint::{Hint, HintLevel, hint, marks};
use unstuck_puzzles::{Objective, Style};

const EXAMPLES: &str = "\
The hint is the beginning of a shortest solution from here. Of several it takes
one that goes on with what was pushed last, else the one with the shortest
walk. Where a limit strikes before one is known, any solution that was found
will do, and its length is reported.

Examples:
  unstuck hint level.xsb                             the first push
  unstuck hint level.xsb rrDDrU --degree solvable
  unstuck hint level.xsb --after @game.txt --degree piece --timeout 20
  unstuck hint level.xsb --after - --steps 3 < game.txt
  unstuck hint level.xsb --after rrDD --degree plan  all moves to the end";

/// Suggest the next step: a little help, or more
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(crate) struct HintCommand {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    answer: DrawnArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Is it still solvable; which piece to push; the moves; all moves to the end
    #[arg(long, value_parser = words(HintLevel::ALL.map(|it| (it.name(), it))))]
    #[arg(default_value = HintLevel::Move.name())]
    degree: HintLevel,
    /// How many pushes to show [default: 1]
    #[arg(long, short = 'n', value_name = "N", value_parser = value_parser!(u32).range(1..))]
    steps: Option<u32>,
}

impl Ask for HintCommand {
    type Fields = QuestionAnswer<Hint>;
    const NAME: &'static str = "hint";

    fn asked(&self) -> Asked<'_> {
        let AnswerArgs { limits, output, .. } = *self.answer;
        Asked { levels: &self.level, limits: Some(limits), output }
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        self.answer.check(found)
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let after = self.game.read()?;
        let question = Question::of(&self.level.reading, &self.answer, subject, after)?;
        let degree = self.degree;
        let steps = match degree {
            HintLevel::Solvable | HintLevel::Plan if self.steps.is_some() => {
                let why = format!("the degree `{}` shows no number of pushes", degree.name());
                return Err(refused("steps", &why, "give `--degree piece` or `--degree move`"));
            }
            HintLevel::Solvable => 0,
            HintLevel::Plan => usize::MAX,
            _ => self.steps.unwrap_or(1) as usize,
        };
        let objective = self.level.reading.objective;
        let last = last_push(&question, objective)?;
        let answered = query::first_open::<_, Failure>(&question.instances, |instance| {
            let mut asked = question.analysis(instance)?;
            let answer = hint(&mut asked, last.as_deref(), steps, &question.limits);
            let lost = answer.solvable == Some(false);
            Ok(((instance, asked.atlas, answer), lost))
        });
        let (instance, mut atlas, mut answer) = answered?;
        if answer.solvable == Some(false) && question.after.is_some() {
            answer.start_solvable = start_solvable(&question, instance.reading(), objective)?;
        }
        let answer = answer.limited(degree, question.after.is_some(), atlas.as_ref());
        let text = answer_text(&question, instance, &answer, atlas.as_ref());
        let quiet = match &answer.moves {
            Some(moves) => Text::from(&format!("{moves}\n")),
            None => text.clone(),
        };
        let (at, marks) = marks(&answer, atlas.as_mut());
        self.answer.picture(instance, &marks, || atlas.draw(at, Style::Svg))?;
        let code = match answer.solvable {
            Some(true) => 0,
            Some(false) => 20,
            None => 30,
        };
        Ok(Answer::new(code, question.answered(instance, answer)).saying(text).quietly(quiet))
    }
}

/// Whether the level had a solution before the first move.
fn start_solvable(
    question: &Question,
    reading: &str,
    objective: Option<Objective>,
) -> Result<Option<bool>, Failure> {
    let readings = question.chosen.instances(objective)?;
    let Some(start) = readings.iter().find(|it| it.reading() == reading) else { return Ok(None) };
    let mut asked = question.analysis(start.as_ref())?;
    Ok(hint(&mut asked, None, 0, &question.limits).solvable)
}

/// What the player pushed last, in words.
fn last_push(question: &Question, objective: Option<Objective>) -> Result<Option<String>, Failure> {
    let Some(moves) = &question.after else { return Ok(None) };
    let start = question.chosen.instances(objective)?.pop().expect("every puzzle has a reading");
    let Some(mut atlas) = atlas(start.as_ref(), &question.constraints) else { return Ok(None) };
    let Ok(game) = atlas.play(moves) else { return Ok(None) };
    let last = game.moves.iter().rev().find_map(|made| made.action);
    Ok(last.map(|action| atlas.action_name(action).to_owned()))
}

fn answer_text(
    question: &Question,
    instance: &dyn Instance,
    answer: &Hint,
    atlas: &dyn Atlas,
) -> Text {
    let mut text = Text::default();
    if let Some(moves) = &answer.moves {
        let _ = writeln!(text, "{moves}");
        if let Some(board) = answer.after.and_then(|after| atlas.draw(after, question.style)) {
            text.push_str("after it:\n");
            text.push_board(&board);
        }
    }
    for next in answer.pushes.as_ref().or(answer.pieces.as_ref()).into_iter().flatten() {
        let _ = writeln!(text, "next: {next}");
    }
    let _ = writeln!(text, "{}", answer.sentence);
    let rules = instance.terms().rules();
    if !rules.is_empty() {
        let _ = writeln!(text, "rules: {rules}");
    }
    text
}
