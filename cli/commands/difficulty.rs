//! `unstuck difficulty`: figures of levels, side by side.

use crate::answer::Answer;
use crate::commands::query;
use crate::driver::{Ask, Asked, Subject};
use crate::input::applies::{self, Demand};
use crate::input::args::{AfterArgs, ConstraintArgs, LevelsArgs, SolverArgs, long_help};
use crate::input::{SelectedLevel, SelectedLevels};
use crate::terminal::columns;
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::OutputArgs;
use crate::terminal::text::Text;
use clap::Args;
use console::{Alignment, pad_str};
use serde::Serialize;
use std::sync::Mutex;
use unstuck::instance::{Instance, Terms};
use unstuck::limits::Limits;
use unstuck::machine::lock;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::difficulty::{Difficulty, difficulty};
use unstuck::questions::forced::{Deductions, forced};
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::Constraints;

const EXAMPLES: &str = "\
Games: length of a shortest plan, how often it takes up another piece, how many
pushes are possible along the way, and how many of them are fatal or costly.
Flow: deductions by kind. The chapter on questions in the book explains every
metric.

Examples:
  unstuck difficulty collection.xsb                a table of all its levels
  unstuck difficulty level.xsb --timeout 20 --json";

/// Difficulty metrics for comparing levels
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(crate) struct DifficultyCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    after: AfterArgs,
    #[command(flatten)]
    solver: SolverArgs,
    #[command(flatten)]
    constraints: ConstraintArgs,
    #[arg(skip)]
    headed: Mutex<Option<String>>,
}

/// How hard a level is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FiguresAnswer {
    /// Under which rules.
    #[serde(flatten)]
    terms: Terms,
    /// Constraints.
    wishes: Option<String>,
    /// The figures, of games or of puzzles without moves.
    figures: Figures,
    /// The exit code of the level alone.
    exit: u8,
}

/// The figures of a level.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Figures {
    Game(Difficulty),
    Still(Deductions),
}

impl Ask for DifficultyCommand {
    type Fields = FiguresAnswer;
    const NAME: &'static str = "difficulty";

    fn asked(&self) -> Asked<'_> {
        Asked { levels: &self.levels, limits: Some(self.limits), output: self.output }
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        applies::check(found, [Demand::one_level("after", self.after.after.is_some())])?;
        let mut read = found.iter().flatten();
        read.try_for_each(|chosen| applies::solver_is_asked(&self.solver, chosen.family))?;
        self.solver.check()
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<FiguresAnswer>, Failure> {
        let (constraints, after) = (self.constraints.read()?, self.after.read()?);
        let objective = self.levels.reading.objective;
        let instances = query::asked(subject.chosen, objective, after.as_deref(), &constraints)?;
        subject.say("");
        let (instance, figures) = query::first_open::<_, Failure>(&instances, |instance| {
            let (figures, solvable) =
                figures(instance, &constraints, &self.solver, &subject.limits)?;
            Ok(((instance, figures), solvable == Some(false)))
        })?;
        let known = match &figures {
            Figures::Game(figures) => figures.stop.is_none() && figures.unknown.unwrap_or(0) == 0,
            Figures::Still(forced) => forced.stop.is_none(),
        };
        let code = if known { 0 } else { 30 };
        let name = subject.chosen.short_name();
        let row = row(&name, &figures);
        let fields = FiguresAnswer {
            terms: Terms { objective: instance.asked(), ..instance.terms() },
            wishes: (!constraints.is_empty()).then(|| constraints.to_string()),
            figures,
            exit: code,
        };
        Ok(Answer::new(code, fields).saying(row))
    }

    /// Puts the heads of its kind before a line, unless they were printed last.
    fn take(&self, _: &SelectedLevel, answer: &mut Answer<FiguresAnswer>) {
        let heads = answer.fields.heads();
        let before = lock(&self.headed).replace(heads.clone());
        if before.as_ref() != Some(&heads) {
            let whole = Text::from(&(heads + answer.text.as_str()));
            (answer.text, answer.quiet) = (whole.clone(), whole);
        }
    }
}

impl FiguresAnswer {
    /// The heads of its table; of a board with the reading of the rules, on which it depends whether
    /// a solution is unique.
    fn heads(&self) -> String {
        let Figures::Still(_) = self.figures else {
            return line(&OF_GAMES, OF_GAMES.map(|(head, _)| head));
        };
        let level = format!("level{}", self.terms.bracketed());
        let heads = OF_BOARDS.iter().map(|(head, _)| *head);
        line(&OF_BOARDS, [level.as_str()].into_iter().chain(heads.skip(1)))
    }
}

fn figures(
    instance: &dyn Instance,
    constraints: &Constraints,
    solver: &SolverArgs,
    limits: &Limits,
) -> Result<(Figures, Option<bool>), Failure> {
    if let Some(mut asked) = Analysis::new(instance, constraints) {
        let figures = difficulty(&mut asked, limits);
        let solvable = figures.solvable;
        return Ok((Figures::Game(figures), solvable));
    }
    let backend = solver.open()?;
    let forced =
        forced(instance, backend.as_ref(), limits).map_err(|error| Failure::solving(&error))?;
    Ok((Figures::Still(forced.figures), forced.figures.solvable))
}

/// The heads of the table of games, and how wide its columns are.
const OF_GAMES: [(&str, usize); 10] = [
    ("level", 13),
    ("optimum", 7),
    ("bound", 5),
    ("moves", 5),
    ("switches", 8),
    ("choices", 7),
    ("costly", 6),
    ("fatal", 5),
    ("forced", 6),
    ("positions", 9),
];

/// The same of boards without moves.
const OF_BOARDS: [(&str, usize); 6] = [
    ("level", 28),
    ("unique", 7),
    ("direct", 7),
    ("contradictions", 14),
    ("search", 7),
    ("largest", 8),
];

/// Cells of the table, the first flushed left, the others right.
fn line(heads: &[(&str, usize)], cells: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let cells = cells.into_iter().zip(heads).enumerate().map(|(at, (cell, &(_, width)))| {
        let side = if at == 0 { Alignment::Left } else { Alignment::Right };
        pad_str(cell.as_ref(), width, side, None).into_owned()
    });
    cells.collect::<Vec<_>>().join(" ") + "\n"
}

/// A line of the table, 80 columns at most.
fn row(name: &str, figures: &Figures) -> String {
    let none = |solvable, or: String| if solvable == Some(false) { "none".to_owned() } else { or };
    match figures {
        Figures::Game(it) => {
            let number = |cost: Option<Cost>| columns::figure(cost.map(Cost::primary));
            let ratio = |part: Option<usize>, of: Option<usize>| {
                part.zip(of).map(|(part, of)| part as f64 / of as f64).filter(|it| it.is_finite())
            };
            // Counted along a shortest plan, where one is known.
            let along = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
            let share =
                |part, of| along(ratio(part, of).map(|part| format!("{:.0} %", 100.0 * part)));
            let per_step = ratio(it.choices, it.pushes.map(|pushes| pushes.max(1)));
            let cells = [
                columns::shortened(name, OF_GAMES[0].1),
                none(it.solvable, number(it.optimum)),
                number(it.bound),
                along(it.moves.map(|moves| moves.to_string())),
                along(it.switches.map(|switches| switches.to_string())),
                along(per_step.map(|choices| format!("{choices:.1}"))),
                share(it.costly, it.choices),
                share(it.fatal, it.choices),
                share(it.forced, it.pushes),
                it.seen.to_string(),
            ];
            line(&OF_GAMES, cells)
        }
        Figures::Still(it) => {
            let cells = [
                columns::shortened(name, OF_BOARDS[0].1),
                none(it.solvable, query::yes_or_no(it.unique)),
                it.direct.to_string(),
                it.contradiction.to_string(),
                it.search.to_string(),
                it.largest.unwrap_or(0).to_string(),
            ];
            line(&OF_BOARDS, cells)
        }
    }
}
