//! `unstuck difficulty`: figures of levels, side by side.

use crate::answer::Answer;
use crate::commands::query;
use crate::driver::{Ask, Asked, Subject};
use crate::input::SelectedLevels;
use crate::input::applies::{self, Demand};
use crate::input::args::{AfterArgs, ConstraintArgs, LevelsArgs, SolverArgs, long_help};
use crate::terminal::columns::DOTS;
use crate::terminal::failure::Failure;
use crate::terminal::guard::LimitArgs;
use crate::terminal::output::OutputArgs;
use clap::Args;
use console::{Alignment, pad_str};
use serde::Serialize;
use std::fmt::Write;
use std::sync::Mutex;
use unstuck::instance::{Instance, Terms};
use unstuck::limits::Limits;
use unstuck::machine::lock;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::answers::{DeductionAnswer, DifficultyAnswer};
use unstuck::questions::difficulty::{Difficulty, difficulty};
use unstuck::questions::forced::forced;
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::Constraints;

const EXAMPLES: &str = "\
Games: length of a shortest plan, how often the pushed piece changes, how many
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
    headed: Mutex<Heads>,
}

/// The figures of a level.
enum Figures {
    Game(Difficulty),
    Still(DeductionAnswer),
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
    figures: GivenFigures,
    /// The exit code of the level alone.
    exit: u8,
}

/// The figures of a level.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum GivenFigures {
    Game(DifficultyAnswer),
    Still(DeductionAnswer),
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
        let (instance, figures) = query::first_open(&instances, |instance| {
            let (figures, solvable) =
                figures(instance, &constraints, &self.solver, &subject.limits)?;
            Ok(((instance, figures), solvable == Some(false)))
        })?;
        let known = match &figures {
            Figures::Game(figures) => figures.stop.is_none() && figures.unknown == 0,
            Figures::Still(forced) => forced.stop.is_none(),
        };
        let code = if known { 0 } else { 30 };
        let name = subject.chosen.short_name();
        let row = row(&name, &figures, &instance.terms(), &mut lock(&self.headed));
        let fields = FiguresAnswer {
            terms: Terms { objective: instance.asked(), ..instance.terms() },
            wishes: (!constraints.is_empty()).then(|| constraints.to_string()),
            figures: match &figures {
                Figures::Game(figures) => GivenFigures::Game(figures.into()),
                Figures::Still(figures) => GivenFigures::Still(*figures),
            },
            exit: code,
        };
        Ok(Answer::new(code, fields).saying(row))
    }
}

/// The heads of the table that were printed last.
#[derive(Default)]
struct Heads {
    games: bool,
    /// With the reading of the rules: whether a solution is unique depends on it.
    boards: String,
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
    let forced = forced(instance, backend.as_ref(), limits)
        .map_err(|error| Failure::internal(error.to_string()))?;
    Ok((Figures::Still((&forced).into()), forced.solvable))
}

/// A line of the table, 80 columns at most, with the head of its kind before the first.
fn row(name: &str, figures: &Figures, terms: &Terms, headed: &mut Heads) -> String {
    let mut text = String::new();
    match figures {
        Figures::Game(it) => {
            if !std::mem::replace(&mut headed.games, true) {
                let _ = writeln!(
                    text,
                    "{:<14} {:>7} {:>5} {:>5} {:>7} {:>7} {:>6} {:>5} {:>6} {:>9}",
                    "level",
                    "optimum",
                    "bound",
                    "moves",
                    "changes",
                    "choices",
                    "costly",
                    "fatal",
                    "forced",
                    "positions"
                );
            }
            let number = |cost: Option<Cost>| {
                cost.map_or_else(|| "?".to_owned(), |cost| cost.primary().to_string())
            };
            let optimum = match it.solvable {
                Some(false) => "none".to_owned(),
                _ => number(it.optimum),
            };
            let share = |part: usize, of: usize| match of {
                0 => "-".to_owned(),
                of => format!("{:.0} %", 100.0 * part as f64 / of as f64),
            };
            let per_step = it.choices as f64 / it.pushes.max(1) as f64;
            // Counted along a shortest plan, where one is known.
            let along = |number: String| it.optimum.map_or_else(|| "-".to_owned(), |_| number);
            let _ = writeln!(
                text,
                "{:<14} {:>7} {:>5} {:>5} {:>7} {:>7} {:>6} {:>5} {:>6} {:>9}",
                pad_str(name, 14, Alignment::Left, Some(DOTS)),
                optimum,
                number(it.bound),
                along(it.moves.to_string()),
                along(it.changes.to_string()),
                along(format!("{per_step:.1}")),
                share(it.costly, it.choices),
                share(it.fatal, it.choices),
                share(it.forced, it.pushes),
                it.seen
            );
        }
        Figures::Still(it) => {
            let head = format!("level{}", terms.bracketed());
            if headed.boards != head {
                let _ = writeln!(
                    text,
                    "{:<28} {:>7} {:>7} {:>14} {:>7} {:>8}",
                    head, "unique", "direct", "contradictions", "search", "largest"
                );
                headed.boards = head;
            }
            let unique = match it.solvable {
                Some(false) => "none".to_owned(),
                _ => query::yes_or_no(it.unique),
            };
            let _ = writeln!(
                text,
                "{:<28} {:>7} {:>7} {:>14} {:>7} {:>8}",
                pad_str(name, 28, Alignment::Left, Some(DOTS)),
                unique,
                it.direct,
                it.contradiction,
                it.search,
                it.largest.unwrap_or(0)
            );
        }
    }
    text
}
