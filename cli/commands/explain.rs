//! `unstuck explain`: why a level has no solution.

use crate::answer::Answer;
use crate::commands::prove;
use crate::commands::query::{self, CertificateArgs, QueryArgs, Question, QuestionAnswer};
use crate::driver::{Ask, Asked, Subject};
use crate::input::applies::{self, Demand};
use crate::input::args::long_help;
use crate::input::{SelectedLevel, SelectedLevels};
use crate::terminal::failure::Failure;
use crate::terminal::text::Text;
use clap::Args;
use std::fmt::Write;
use std::num::NonZeroU32;
use unstuck::certificate::Claim;
use unstuck::certificate::check::Report;
use unstuck::certificate::prove::ProofTask;
use unstuck::questions::explain::{Explanation, explain};
use unstuck::report::marks::{Mark, MarkStyle};
use unstuck_puzzles::{Options, Style};

const EXAMPLES: &str = "\
Walls, boxes, pairs and so on are removed as long as there is still no
solution. What remains has no solution, and has one when any of its parts is
removed.

Examples:
  unstuck explain level.xsb
  unstuck explain collection.xsb                     which levels have no solution?
  unstuck explain level.xsb --kind box               keep all walls
  unstuck explain level.xsb --count 3 --svg why.svg
  unstuck explain level.xsb --certificate why  evidence of it";

/// Parts of this many cells or more are rules rather than things to point at.
const MANY_CELLS: usize = 20;

/// Find a minimal set of parts that makes a level unsolvable (MUS)
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = long_help!(query::EXIT_CODES, EXAMPLES),
    mut_arg("certificate", |it| it.conflicts_with_all(["after", "ConstraintArgs"]))
)]
pub(crate) struct ExplainCommand {
    #[command(flatten)]
    query: QueryArgs,
    #[command(flatten)]
    certificate: CertificateArgs,
    /// Remove parts of one kind only: wall, box, pair
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Look for up to N different explanations
    #[arg(long, value_name = "N", default_value = "1")]
    count: NonZeroU32,
}

impl Ask for ExplainCommand {
    type Fields = QuestionAnswer<Explanation>;
    const NAME: &'static str = "explain";

    fn asked(&self) -> Asked<'_> {
        self.query.asked()
    }

    fn heads(&self) -> &'static [&'static str] {
        &["solvable", "parts", "minimal"]
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        let certificate = self.certificate.certificate.is_some();
        applies::check(found, [Demand::one_level("certificate", certificate)])?;
        prove::prepare(&self.certificate, self.query.answer.force)?;
        self.query.check(found)
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let question = self.query.question(subject)?;
        // The last reading allows most: what it has no solution for, no reading has one for.
        let instance = question.instances.last().expect("every puzzle has a reading").as_ref();
        let kind = query::kind(self.kind.as_ref(), instance)?;
        if !instance.parts().iter().any(|part| part.loosens) {
            let message = format!(
                "`explain` leaves out parts that only make a level harder; {} has none",
                instance.family()
            );
            return Err(Failure::usage(message).help("`unstuck needed` says what each part does"));
        }
        let (kinds, count): (Vec<&str>, _) =
            (kind.into_iter().collect(), self.count.get() as usize);
        let mut answer = explain(instance, &kinds, count, &question.constraints, &question.limits)
            .map_err(|error| Failure::solving(&error))?;
        let proof = certify(self, &question, &answer)?;
        let proof_text;
        (proof_text, answer.certificate) = self.certificate.words(proof.as_ref());
        let text = |quiet| {
            let mut text = answer_text(&question, quiet, &answer);
            text.push_str(&proof_text);
            text
        };
        let (text, quiet) = (text(false), text(true));
        if let Some(core) = answer.cores.first() {
            let parts = core.named.iter().filter(|part| part.places.len() < MANY_CELLS);
            let marks: Vec<Mark> =
                parts.flat_map(|part| Mark::part(part, MarkStyle::Pointed, "")).collect();
            self.query.answer.picture(instance, &marks, || core.level.picture(None, Style::Svg))?;
        }
        let code = match (answer.solvable, answer.cores.is_empty()) {
            (Some(false), false) => 20,
            (Some(true), _) => 0,
            _ => 30,
        };
        let (parts, minimal) = match answer.cores.first() {
            Some(core) => (core.named.len().to_string(), query::yes_or_no(Some(core.minimal))),
            None => ("-".to_owned(), "-".to_owned()),
        };
        let cells = vec![query::yes_or_no(answer.solvable), parts, minimal];
        let answered = Answer::new(code, question.answered(instance, answer));
        Ok(answered.saying(text).quietly(quiet).row(cells))
    }
}

/// The certificate that the first of the smaller levels has no solution, where one is wanted.
fn certify(
    args: &ExplainCommand,
    question: &Question,
    answer: &Explanation,
) -> Result<Option<Report>, Failure> {
    let Some(core) = answer.cores.first() else { return Ok(None) };
    let text = core.level.text();
    if args.certificate.certificate.is_some() {
        // The text must be the level: the checker has nothing else.
        let (name, family) = ("the level that is left", question.chosen.family);
        let given = core.level.terms().options();
        let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let options = Options::new(family.options, given);
        let options = options.map_err(|error| Failure::internal(error.to_string()))?;
        let read = SelectedLevel::of_text(name, family, options, &text)?;
        if !read.instances(Some(core.level.objective()))?.iter().any(|it| it.text() == text) {
            let message = "the level that is left cannot be written as a file of its own";
            return Err(Failure::usage(format!("--certificate: {message}")));
        }
    }
    let task = ProofTask::new(core.level.as_ref(), &text, Claim::Unsolvable);
    prove::beside(&args.certificate, &args.query.answer, &task)
}

fn answer_text(question: &Question, quiet: bool, answer: &Explanation) -> Text {
    let mut text = Text::default();
    for core in &answer.cores {
        if let (false, Some(board)) = (quiet, core.level.picture(None, question.style)) {
            text.push_board(&board);
        }
        let names: Vec<&str> = core.named.iter().map(|part| part.name.as_str()).collect();
        let names = if names.is_empty() {
            "the remaining parts alone".to_owned()
        } else {
            names.join(", ")
        };
        let _ = writeln!(text, "no solution because of: {names}");
        let _ = if core.minimal {
            writeln!(text, "none of them can be removed")
        } else {
            writeln!(text, "some of them may not be needed: a limit struck")
        };
    }
    let _ = match (answer.solvable, answer.stop) {
        (Some(true), _) => writeln!(text, "the level has a solution; `unstuck solve` shows one"),
        (None, Some(stop)) => writeln!(text, "unknown whether the level has a solution: {stop}"),
        (None, None) => writeln!(text, "unknown whether the level has a solution"),
        (Some(false), _) if answer.cores.is_empty() => {
            writeln!(text, "the level has no solution; no time left to find out why")
        }
        _ => Ok(()),
    };
    text
}
