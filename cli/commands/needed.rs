//! `unstuck needed`: what each part of a level is there for.

use crate::commands::query;
use crate::commands::query::{Answer, QueryArgs, Question};
use crate::driver::{Run, Watched};
use crate::input::args::long_help;
use crate::terminal::columns;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard;
use clap::Args;
use std::fmt::Write;
use std::time::{Duration, Instant};
use unstuck::instance::Instance;
use unstuck::questions::answers::NecessityAnswer;
use unstuck::questions::needed::{Change, NecessityReport, PartReport, needed};
use unstuck::questions::sentences;
use unstuck::report::marks::{Mark, MarkStyle};
use unstuck_encodings::Cost;
use unstuck_puzzles::Style;

const EXAMPLES: &str = "\
Each wall, box, atom, modifier, ball, cell of snow, target or pair is removed
by itself. A Sokoban level without a box keeps its goals: any of them may stay
empty.

Examples:
  unstuck needed level.xsb
  unstuck needed collection.xsb --kind wall    a table of all its levels
  unstuck needed level.xsb --kind box --plans  is the plan still the only one?
  unstuck needed level.xsb --kind wall --timeout 60 --json";

/// Report what changes when each part of a level is removed
#[derive(Args, Clone)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(crate) struct NeededCommand {
    #[command(flatten)]
    query: QueryArgs,
    #[arg(
        long,
        value_name = "KIND",
        help = "Ask about parts of one kind only: wall, box, atom, ..."
    )]
    kind: Option<String>,
    /// Count shortest solutions, too, and say where one is no longer the only one
    #[arg(long)]
    plans: bool,
}

impl Run for NeededCommand {
    fn watched(&self) -> Watched {
        self.query.answer.watched()
    }

    fn run(&self) -> CommandResult {
        let heads = ["optimum", "parts", "needed", "no use", "unknown"];
        query::each(&self.query, None, "needed", &heads, |question| ask(self, question))
    }
}

fn ask(args: &NeededCommand, question: &Question) -> Result<Answer, Failure> {
    let instance = question.instances.first().expect("every puzzle has a reading").as_ref();
    let kind = query::kind(args.kind.as_ref(), instance)?;
    let mut noted = Instant::now();
    let mut progress = |done, of, answer: &NecessityReport| {
        question.display.say(&format!("{done} of {of} parts"));
        if noted.elapsed() >= NOTE {
            noted = Instant::now();
            guard::know(answered(question, instance, answer), 30, false);
        }
    };
    let answer =
        needed(instance, kind, args.plans, &question.constraints, &question.limits, &mut progress)
            .map_err(|error| Failure::internal(error.to_string()))?;
    let text = answered(question, instance, &answer);
    let mark = |needed: &PartReport| {
        let look = if needed.effect == Change::None { MarkStyle::Idle } else { MarkStyle::Counts };
        Mark::part(&needed.part, look, &label(needed.effect)).collect::<Vec<_>>()
    };
    let marks: Vec<Mark> = answer.parts.iter().flat_map(mark).collect();
    args.query.answer.picture(instance, &marks, || instance.picture(None, Style::Svg))?;
    let having = |effect| answer.parts.iter().filter(|part| part.effect == effect).count();
    let (parts, idle, open) = (answer.parts.len(), having(Change::None), having(Change::Unknown));
    let optimum = match answer.level.solvable {
        Some(false) => "none".to_owned(),
        _ => columns::figure(answer.level.optimum.map(Cost::primary)),
    };
    let figures = [parts, parts - idle - open, idle, open].map(|number| number.to_string());
    let code = if open > 0 || answer.level.solvable.is_none() { 30 } else { 0 };
    Ok(Answer { text: text.into(), cells: [&[optimum][..], &figures].concat(), code })
}

/// Time after which the guard is given the answer so far.
const NOTE: Duration = Duration::from_millis(200);

/// The answer as it is printed.
fn answered(question: &Question, instance: &dyn Instance, answer: &NecessityReport) -> String {
    if question.json {
        question.json("needed", instance, NecessityAnswer::from(answer))
    } else {
        answer_text(question, instance, answer)
    }
}

/// What is drawn on a part: by how much the level is shorter or longer without it, or the sign that
/// the map has.
fn label(effect: Change) -> String {
    match effect {
        Change::Sooner(by) => by.to_string(),
        Change::Later(by) => format!("+{by}"),
        Change::Unsolvable | Change::NoLevel => "!".to_owned(),
        Change::Solvable => "S".to_owned(),
        Change::NotUnique => "U".to_owned(),
        Change::None => String::new(),
        Change::Unknown => "?".to_owned(),
    }
}

fn words(effect: Change) -> String {
    match effect {
        Change::NoLevel => "no level without it".to_owned(),
        Change::Unsolvable => "unsolvable without it".to_owned(),
        Change::Solvable => "solvable without it".to_owned(),
        Change::Sooner(by) => format!("{by} shorter without it"),
        Change::Later(by) => format!("{by} longer without it"),
        Change::NotUnique => "not unique without it".to_owned(),
        Change::None => "changes nothing".to_owned(),
        Change::Unknown => "unknown".to_owned(),
    }
}

fn answer_text(question: &Question, instance: &dyn Instance, answer: &NecessityReport) -> String {
    let mut text = String::new();
    if !question.quiet {
        let _ = match (answer.level.solvable, answer.level.optimum) {
            (Some(true), Some(cost)) => {
                writeln!(
                    text,
                    "the level: {}",
                    sentences::cost(instance.measures(), instance.asked(), cost)
                )
            }
            (Some(true), None) => writeln!(text, "the level has a solution"),
            (Some(false), _) => writeln!(text, "the level has no solution"),
            (None, _) => writeln!(text, "the level: unknown, a limit struck"),
        };
        let walls = instance.moves().and_then(|_| instance.picture(None, Style::Plain));
        text.push_str(&map(&answer.parts, walls.as_deref().unwrap_or_default()));
    }
    let idle = |needed: &&PartReport| needed.effect == Change::None;
    for needed in answer.parts.iter().filter(|needed| !idle(needed)) {
        let _ = writeln!(text, "{:<18} {}", needed.part.name, words(needed.effect));
    }
    let idle = answer.parts.iter().filter(idle).count();
    if idle > 0 && !question.quiet {
        let _ = writeln!(text, "{idle} of {} parts change nothing", answer.parts.len());
    }
    text
}

/// The parts on the board, with the walls of games: by how much the level is shorter without them, `!` where it becomes
/// unsolvable, `u` where a solution is no longer the only one, `.` where nothing changes.
fn map(parts: &[PartReport], walls: &str) -> String {
    let mark = |effect| match effect {
        Change::Sooner(by @ 1..=9) => char::from_digit(by, 10).unwrap_or('+'),
        Change::Sooner(_) => '+',
        Change::Later(_) => '-',
        Change::Unsolvable | Change::NoLevel => '!',
        Change::Solvable => 's',
        Change::NotUnique => 'u',
        Change::None => '.',
        Change::Unknown => '?',
    };
    let marks = parts.iter().flat_map(|needed| {
        needed.part.places.iter().map(move |&place| (place, mark(needed.effect)))
    });
    query::board_of(walls, marks)
}
