//! `unstuck diagnose`: where a game went wrong.

use crate::answer::Answer;
use crate::commands::prove;
use crate::commands::query::{
    self, AnswerArgs, CertificateArgs, DrawnArgs, Question, QuestionAnswer,
};
use crate::driver::{Ask, Asked, Subject};
use crate::input::SelectedLevels;
use crate::input::args::{GameArgs, LevelArgs, long_help};
use crate::terminal::failure::{Failure, INVALID};
use crate::terminal::text::Text;
use clap::Args;
use std::fmt::Write;
use std::time::Duration;
use unstuck::atlas::{Atlas, Playthrough};
use unstuck::certificate::Claim;
use unstuck::certificate::check::Report;
use unstuck::certificate::prove::ProofTask;
use unstuck::instance::Instance;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::{Diagnosis, MoveClass, diagnose};
use unstuck::questions::reasons::{marks, reason};
use unstuck::questions::sentences;
use unstuck_puzzles::Style;

const EXAMPLES: &str = "\
Each move is free (the game can be ended as cheaply as before), costly (it
cannot, by how much), or fatal (before it there was a solution, after it there
is none). Games may be unfinished or solved.

Examples:
  unstuck diagnose level.xsb rrDDrULL
  unstuck diagnose level.xsb --moves @game.txt --timeout 10 --json
  unstuck diagnose level.sok --level 2  the first solution recorded in the file
  unstuck diagnose level.xsb --moves rrDDrULL --certificate lost";

/// Classify every move of a game as free, costly or fatal
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(crate) struct DiagnoseCommand {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    answer: DrawnArgs,
    #[command(flatten)]
    certificate: CertificateArgs,
    #[command(flatten)]
    game: GameArgs,
}

/// Time for finding a reason that a person can see.
const REASON_TIME: Duration = Duration::from_secs(3);

impl Ask for DiagnoseCommand {
    type Fields = QuestionAnswer<Diagnosis>;
    const NAME: &'static str = "diagnose";

    fn asked(&self) -> Asked<'_> {
        let AnswerArgs { limits, output, .. } = *self.answer;
        Asked { levels: &self.level, limits: Some(limits), output }
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        self.answer.check(found)?;
        prove::prepare(&self.certificate, self.answer.force)
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let question = Question::of(&self.level.reading, &self.answer, subject, None)?;
        let text = match self.game.read()? {
            Some(moves) => moves,
            None => question.chosen.level.solutions.first().cloned().ok_or_else(|| {
                let name = question.chosen.name();
                Failure::usage(format!("{name}: no recorded solution"))
                    .help("give the game with `--moves`")
            })?,
        };
        let (instance, mut asked, game) = played(&question, &text)?;
        let mut answer = diagnose(&mut asked, &game, &question.limits);
        let atlas = asked.atlas;
        let limits = question.limits.within(REASON_TIME);
        answer.reason = reason(instance, &answer, &question.constraints, &limits);
        let proof = self.certify(&question, instance, &answer)?;
        let proof_text;
        (proof_text, answer.certificate) = self.certificate.words(proof.as_ref());
        let text = |quiet| {
            let mut text = answer_text(&question, quiet, atlas.as_ref(), &answer);
            text.push_str(&proof_text);
            text
        };
        let (text, quiet) = (text(false), text(true));
        let shown = answer.positions[answer.shown()];
        let marks = marks(atlas.as_ref(), &game, &answer);
        self.answer.picture(instance, &marks, || atlas.draw(shown, Style::Svg))?;
        let open = answer.moves.iter().any(|it| it.class.is_none()) && answer.lost != Some(0);
        let known = answer.fatal.map_or(!open, |fatal| {
            answer.moves[..fatal].iter().all(|judged| judged.class.is_some())
        });
        let code = match answer.illegal {
            Some(_) => INVALID,
            None if answer.lost == Some(0) => 20,
            None if known => 0,
            None => 30,
        };
        let answered = Answer::new(code, question.answered(instance, answer));
        Ok(answered.saying(text).quietly(quiet))
    }
}

impl DiagnoseCommand {
    /// The certificate that there is no solution after the fatal move, or from the start, where one
    /// is wanted.
    fn certify(
        &self,
        question: &Question,
        instance: &dyn Instance,
        answer: &Diagnosis,
    ) -> Result<Option<Report>, Failure> {
        let Some(after) = answer.losing_moves() else { return Ok(None) };
        let later =
            instance.continued(&after).map_err(|error| Failure::internal(error.to_string()))?;
        let task = ProofTask {
            after: &after,
            constraints: question.constraints.clone(),
            ..ProofTask::new(later.as_ref(), &question.chosen.level.text, Claim::Unsolvable)
        };
        prove::beside(&self.certificate, &self.answer, &task)
    }
}

/// A game, with the reading under which it was played.
type PlayedGame<'a> = (&'a dyn Instance, Analysis<'a>, Playthrough);

/// The game under the first reading in which all its moves are legal, else under the last.
fn played<'a>(question: &'a Question, text: &str) -> Result<PlayedGame<'a>, Failure> {
    query::first_open(&question.instances, |instance| {
        let mut asked = question.analysis(instance)?;
        let game = asked.atlas.play(text);
        let game = game.map_err(|error| Failure::parse("moves", &error, text))?;
        let stops = game.stop.is_some();
        Ok(((instance, asked, game), stops))
    })
}

fn answer_text(question: &Question, quiet: bool, atlas: &dyn Atlas, answer: &Diagnosis) -> Text {
    let mut text = Text::default();
    if !quiet {
        text.push_str(&runs(answer));
    }
    if let Some(violation) = &answer.illegal {
        let _ = writeln!(text, "the game ends here: {violation}");
    }
    let _ = writeln!(text, "{}", answer.sentence);
    if let Some(fatal) = answer.fatal.filter(|_| !quiet) {
        let board = atlas.draw(answer.positions[fatal - 1], question.style).unwrap_or_default();
        let _ = writeln!(text, "{}:", sentences::BEFORE_IT);
        text.push_board(&board);
    }
    if let Some(reason) = &answer.reason {
        let _ = writeln!(text, "reason: {}", reason.text);
    }
    if let Some(wasted) = answer.wasted {
        let before = if answer.fatal.is_some() { " before it" } else { "" };
        let _ = match wasted {
            0 => writeln!(text, "no move{before} was costly"),
            _ => {
                let unit = atlas.measures().first(atlas.objective());
                writeln!(text, "lost{before}: {}", unit.count(wasted))
            }
        };
    }
    if let Some(stop) = answer.stop {
        let _ = writeln!(text, "{}", sentences::incomplete(stop));
    }
    text
}

/// Moves of one kind that follow each other, one line for each group.
fn runs(answer: &Diagnosis) -> String {
    let (moves, fatal) = (answer.moves.as_slice(), answer.fatal);
    let word = |at: usize| match (moves[at].class, moves[at].cost) {
        (Some(MoveClass::Costly), Some(0)) => {
            format!("costly ({:+} in the tie-break)", moves[at].tie.unwrap_or_default())
        }
        (Some(MoveClass::Costly), Some(cost)) => format!("costly (+{cost})"),
        (Some(class), _) => class.name().to_owned(),
        (None, _) if fatal.is_some_and(|fatal| at >= fatal) => "after the game was lost".to_owned(),
        (None, _) if answer.solvable > Some(at) => "not fatal".to_owned(),
        (None, _) => "unknown".to_owned(),
    };
    let mut text = String::new();
    let mut first = 0;
    while first < moves.len() {
        let same = |&at: &usize| {
            moves[at].class == moves[first].class
                && moves[at].class != Some(MoveClass::Costly)
                && word(at) == word(first)
        };
        let end = (first + 1..moves.len()).find(|at| !same(at)).unwrap_or(moves.len());
        let letters: String = moves[first..end].iter().map(|judged| judged.text.as_str()).collect();
        let range = match end - first {
            1 => format!("{}", first + 1),
            _ => format!("{}-{end}", first + 1),
        };
        let _ = writeln!(text, "{range:>9}  {:<24}  {letters}", word(first));
        first = end;
    }
    text
}
