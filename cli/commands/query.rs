//! What the commands share that answer questions about a level: arguments, the level as it stands
//! after some moves, what every answer says to programs, pictures.

use crate::driver::{Asked, Subject};
use crate::input::applies::{self, Demand};
use crate::input::args::{
    AfterArgs, ConstraintArgs, ForceArgs, LevelsArgs, PlainArgs, ReadingArgs,
};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::terminal::columns::figure;
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::{self, OutputArgs, Target};
use clap::Args;
use serde::Serialize;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use unstuck::certificate::check::Report;
use unstuck::certificate::sentences as evidence;
pub(crate) use unstuck::instance::readings::first_open;
use unstuck::instance::{ContinueError, Instance, Terms, readings};
use unstuck::questions::analysis::Analysis;
use unstuck::report::marks::{self, Mark};
use unstuck::report::sentences;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Objective, ParseError, Style};

/// The exit codes of questions.
pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 answered; 1 a recorded fact no longer holds; 2 wrong usage or
bad input; 20 no solution; 30 a limit struck before the answer.";

/// Limits, output, how the answer is drawn, and constraints.
#[derive(Args, Clone)]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub plain: PlainArgs,
    #[command(flatten)]
    pub force: ForceArgs,
    #[command(flatten)]
    pub constraints: ConstraintArgs,
}

/// An answer with a picture.
#[derive(Args, Clone)]
pub(crate) struct DrawnArgs {
    #[command(flatten)]
    answer: AnswerArgs,
    /// Draw the board of the answer as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<Target>,
}

impl Deref for DrawnArgs {
    type Target = AnswerArgs;

    fn deref(&self) -> &AnswerArgs {
        &self.answer
    }
}

impl DrawnArgs {
    /// Checks that the picture can be written, and that there is one level to draw.
    ///
    /// # Errors
    /// When there are several, or the file must not be written.
    pub(crate) fn check(&self, found: &SelectedLevels) -> Result<(), Failure> {
        applies::check(found, [Demand::one_level("svg", self.svg.is_some())])?;
        output::prepare(self.output.json, self.force.force, &[("svg", self.svg.as_ref())])
    }

    /// Writes the picture of an answer, with marks on it, when `--svg` asks for it.
    ///
    /// # Errors
    /// When the family has no such pictures, or the file cannot be written.
    pub(crate) fn picture(
        &self,
        instance: &dyn Instance,
        marks: &[Mark],
        draw: impl FnOnce() -> Option<String>,
    ) -> Result<(), Failure> {
        let Some(target) = &self.svg else { return Ok(()) };
        let none = || Failure::usage(format!("{} has no SVG pictures", instance.family()));
        let picture = marks::on(draw().ok_or_else(none)?, instance, marks);
        target.write(self.force.force, |out| out.write_all(picture.as_bytes()))
    }
}

/// What is asked about several levels.
#[derive(Args, Clone)]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    pub levels: LevelsArgs,
    #[command(flatten)]
    pub answer: DrawnArgs,
    #[command(flatten)]
    pub after: AfterArgs,
}

impl QueryArgs {
    /// What the driver has to know.
    pub(crate) fn asked(&self) -> Asked<'_> {
        let AnswerArgs { limits, output, .. } = self.answer.answer;
        Asked { levels: &self.levels, limits: Some(limits), output }
    }

    /// Checks that options that are about one level meet one.
    ///
    /// # Errors
    /// The first that does not, or a picture that must not be written.
    pub(crate) fn check(&self, found: &SelectedLevels) -> Result<(), Failure> {
        applies::check(found, [Demand::one_level("after", self.after.after.is_some())])?;
        self.answer.check(found)
    }

    /// The question about a level.
    ///
    /// # Errors
    /// Like [`Question::of`]; also when moves cannot be read.
    pub(crate) fn question<'a>(&self, subject: &'a Subject) -> Result<Question<'a>, Failure> {
        Question::of(&self.levels.reading, &self.answer, subject, self.after.read()?)
    }
}

/// Evidence of an answer.
#[derive(Args, Clone)]
pub(crate) struct CertificateArgs {
    /// Write a certificate that there is no solution into this folder
    #[arg(long, value_name = "DIR")]
    pub certificate: Option<PathBuf>,
}

impl CertificateArgs {
    /// What is said of a certificate that was written beside an answer, and where it is.
    pub(crate) fn words(&self, report: Option<&Report>) -> (String, Option<String>) {
        let Some((report, folder)) = report.zip(self.certificate.as_ref()) else {
            return (String::new(), None);
        };
        let shown = folder.display().to_string();
        let text = format!("{}certificate: {shown}\n", evidence::text(report));
        (text, Some(shown))
    }
}

/// What is asked about: the readings of a level, after some moves, with constraints.
///
/// # Errors
/// When the level has no such objective, or moves or constraints do not fit.
pub(crate) fn asked(
    chosen: &SelectedLevel,
    objective: Option<Objective>,
    after: Option<&str>,
    constraints: &Constraints,
) -> Result<Vec<Box<dyn Instance>>, Failure> {
    let mut instances = chosen.instances(objective)?;
    if let Some(moves) = after {
        instances = continued(instances, moves)?;
    }
    constrained(instances, constraints)
}

/// The instances with constraints, which must mean something for their family and their board.
///
/// # Errors
/// The first constraint that does not.
pub(crate) fn constrained(
    instances: Vec<Box<dyn Instance>>,
    constraints: &Constraints,
) -> Result<Vec<Box<dyn Instance>>, Failure> {
    if constraints.is_empty() {
        return Ok(instances);
    }
    let constrained = instances.iter().map(|instance| instance.constrained(constraints));
    let constrained: Result<Vec<_>, ParseError> = constrained.collect();
    constrained.map_err(|error| Failure::parse("constraints", &error, ""))
}

/// The instances as they stand after some moves: those readings under which the moves are legal.
///
/// # Errors
/// When they are legal under none.
pub(crate) fn continued(
    instances: Vec<Box<dyn Instance>>,
    moves: &str,
) -> Result<Vec<Box<dyn Instance>>, Failure> {
    readings::continued(instances, moves).map_err(|error| refusal(&error, moves))
}

fn refusal(error: &ContinueError, moves: &str) -> Failure {
    match error {
        ContinueError::Unreadable(error) => {
            let failure = Failure::parse("moves", error, moves);
            let file = !moves.contains('\n') && Path::new(moves).is_file();
            if file {
                failure.help(format!("a file of moves or a snapshot is `@{moves}`"))
            } else {
                failure
            }
        }
        ContinueError::Impossible(violation) => Failure::usage(format!("--after: {violation}")),
        ContinueError::NoMoves(_) | ContinueError::NotDrawn(_) => {
            Failure::usage(format!("--after: {error}"))
        }
        ContinueError::OtherLevel => Failure::usage(format!("--after: {error}"))
            .help("a snapshot is the level itself, with player and pieces where they are now"),
    }
}

/// A question about a level.
pub(crate) struct Question<'a> {
    subject: &'a Subject,
    /// Its readings, or what they are after `--after`.
    pub instances: Vec<Box<dyn Instance>>,
    /// The moves of `--after`.
    pub after: Option<String>,
    /// What must not happen, and what must.
    pub constraints: Constraints,
    /// How boards are drawn.
    pub style: Style,
}

impl Deref for Question<'_> {
    type Target = Subject;

    fn deref(&self) -> &Subject {
        self.subject
    }
}

impl<'a> Question<'a> {
    /// The question about a level that has been read.
    ///
    /// # Errors
    /// When the moves are wrong, or constraints do not fit.
    pub(crate) fn of(
        reading: &ReadingArgs,
        args: &AnswerArgs,
        subject: &'a Subject,
        after: Option<String>,
    ) -> Result<Self, Failure> {
        let constraints = args.constraints.read()?;
        let instances = asked(subject.chosen, reading.objective, after.as_deref(), &constraints)?;
        Ok(Self { subject, instances, after, constraints, style: args.plain.style() })
    }

    /// The game of an instance, with the constraints; what the solver does is shown.
    ///
    /// # Errors
    /// When the family has no moves.
    pub(crate) fn analysis<'q>(
        &'q self,
        instance: &'q dyn Instance,
    ) -> Result<Analysis<'q>, Failure> {
        let none = || {
            Failure::usage(sentences::without_moves(instance))
                .help("`unstuck forced` says what all solutions have in common, a step at a time")
        };
        let asked = Analysis::new(instance, &self.constraints).ok_or_else(none)?;
        Ok(asked.with_progress(|event| self.note(event, &self.instances)))
    }

    /// What every answer says to programs; the time ends it.
    pub(crate) fn answered<T>(&self, instance: &dyn Instance, answer: T) -> QuestionAnswer<T> {
        QuestionAnswer {
            terms: Terms { objective: instance.asked(), ..instance.terms() },
            after: self.after.clone(),
            wishes: (!self.constraints.is_empty()).then(|| self.constraints.to_string()),
            answer,
            seconds: self.begun.elapsed().as_secs_f64(),
        }
    }
}

/// What the answer to a question about a level has beside its own fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct QuestionAnswer<T> {
    /// Under which rules.
    #[serde(flatten)]
    terms: Terms,
    /// Moves that were made before.
    after: Option<String>,
    /// Constraints.
    wishes: Option<String>,
    #[serde(flatten)]
    answer: T,
    /// Wall-clock time.
    seconds: f64,
}

/// A kind of parts that was named.
///
/// # Errors
/// When the level has no such part.
pub(crate) fn kind<'a>(
    kind: Option<&'a String>,
    instance: &dyn Instance,
) -> Result<Option<&'a str>, Failure> {
    let kind = kind.map(String::as_str);
    let kinds = kinds(instance);
    match kind.filter(|kind| !kinds.contains(kind)) {
        None => Ok(kind),
        Some(kind) => {
            let message = format!("--kind {kind}: this level has no such part");
            Err(Failure::usage(message).help(format!("it has: {}", kinds.join(", "))))
        }
    }
}

/// The kinds of parts that a level has.
pub(crate) fn kinds(instance: &dyn Instance) -> Vec<&'static str> {
    let mut kinds: Vec<&'static str> = instance.parts().iter().map(|part| part.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// A yes or no where it is known.
pub(crate) fn yes_or_no(known: Option<bool>) -> String {
    figure(known.map(|is| if is { "yes" } else { "no" }))
}

/// Marks on a board of which the walls are drawn, each at its row and column.
pub(crate) fn board_of(
    walls: &str,
    marks: impl IntoIterator<Item = ((usize, usize), char)>,
) -> String {
    let wall = |c| if c == '#' { '#' } else { ' ' };
    let mut rows: Vec<Vec<char>> =
        walls.lines().map(|line| line.chars().map(wall).collect()).collect();
    for ((row, column), mark) in marks {
        if rows.len() <= row {
            rows.resize(row + 1, Vec::new());
        }
        if rows[row].len() <= column {
            rows[row].resize(column + 1, ' ');
        }
        rows[row][column] = mark;
    }
    rows.into_iter().map(|row| format!("{}\n", String::from_iter(row).trim_end())).collect()
}
