//! `unstuck needed`: what each part of a level is there for.

use crate::answer::Answer;
use crate::commands::query::{self, QueryArgs, Question, QuestionAnswer};
use crate::driver::{Ask, Asked, Subject};
use crate::input::SelectedLevels;
use crate::input::args::long_help;
use crate::terminal::columns;
use crate::terminal::failure::Failure;
use clap::Args;
use std::time::{Duration, Instant};
use unstuck::instance::Instance;
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

impl Ask for NeededCommand {
    type Fields = QuestionAnswer<NecessityReport>;
    const NAME: &'static str = "needed";

    fn asked(&self) -> Asked<'_> {
        self.query.asked()
    }

    fn heads(&self) -> &'static [&'static str] {
        &["optimum", "parts", "needed", "no use", "unknown"]
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        self.query.check(found)
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure> {
        let question = self.query.question(subject)?;
        let instance = question.instances.first().expect("every puzzle has a reading").as_ref();
        let kind = query::kind(self.kind.as_ref(), instance)?;
        let mut noted = Instant::now();
        let mut progress = |done, of, answer: &NecessityReport| {
            question.say(&format!("{done} of {of} parts"));
            if noted.elapsed() >= NOTE {
                noted = Instant::now();
                question.know(&answered(&question, instance, answer));
            }
        };
        let (constraints, limits) = (&question.constraints, &question.limits);
        let answer = needed(instance, kind, self.plans, constraints, limits, &mut progress)
            .map_err(|error| Failure::solving(&error))?;
        let mark = |needed: &PartReport| {
            let idle = needed.effect == Change::None;
            let look = if idle { MarkStyle::Idle } else { MarkStyle::Counts };
            Mark::part(&needed.part, look, &shown(needed.effect).0).collect::<Vec<_>>()
        };
        let marks: Vec<Mark> = answer.parts.iter().flat_map(mark).collect();
        self.query.answer.picture(instance, &marks, || instance.picture(None, Style::Svg))?;
        Ok(answered(&question, instance, &answer))
    }
}

/// Time after which the answer so far is made known.
const NOTE: Duration = Duration::from_millis(200);

/// The answer, as far as it goes.
fn answered(
    question: &Question,
    instance: &dyn Instance,
    answer: &NecessityReport,
) -> Answer<QuestionAnswer<NecessityReport>> {
    let having = |effect| answer.parts.iter().filter(|part| part.effect == effect).count();
    let (parts, idle, open) = (answer.parts.len(), having(Change::None), having(Change::Unknown));
    let optimum = match answer.level.solvable {
        Some(false) => "none".to_owned(),
        _ => columns::figure(answer.level.optimum.map(Cost::primary)),
    };
    let figures = [parts, parts - idle - open, idle, open].map(|number| number.to_string());
    let code = if open > 0 || answer.level.solvable.is_none() { 30 } else { 0 };
    let all = &answer.parts;
    Answer::new(code, question.answered(instance, answer.clone()))
        .saying(level_text(question, instance, answer) + &effects(all) + &without_use(all))
        .quietly(effects(all))
        .row([&[optimum][..], &figures].concat())
}

/// What a change is called: on a picture, by how much the level is shorter or longer, or the letter
/// of the map; on the map, one letter; and in words.
fn shown(effect: Change) -> (String, char, String) {
    let by_signs = |label: &str, mark, words: &str| (label.to_owned(), mark, words.to_owned());
    match effect {
        Change::NoLevel => by_signs("!", '!', "no level without it"),
        Change::Unsolvable => by_signs("!", '!', "unsolvable without it"),
        Change::Solvable => by_signs("S", 's', "solvable without it"),
        Change::Sooner(by) => {
            let digit = char::from_digit(by, 10).unwrap_or('+');
            (by.to_string(), digit, format!("{by} shorter without it"))
        }
        Change::Later(by) => (format!("+{by}"), '-', format!("{by} longer without it")),
        Change::NotUnique => by_signs("U", 'u', "not unique without it"),
        Change::None => by_signs("", '.', "changes nothing"),
        Change::Unknown => by_signs("?", '?', "unknown"),
    }
}

/// What the level is with all its parts, and what each does, on the board.
fn level_text(question: &Question, instance: &dyn Instance, answer: &NecessityReport) -> String {
    let level = match (answer.level.solvable, answer.level.optimum) {
        (Some(true), Some(cost)) => {
            format!("the level: {}", sentences::cost(instance.measures(), instance.asked(), cost))
        }
        (Some(true), None) => "the level has a solution".to_owned(),
        (Some(false), _) => "the level has no solution".to_owned(),
        (None, _) => "the level: unknown, a limit struck".to_owned(),
    };
    let board = instance.picture(None, question.style).unwrap_or_default();
    let board = format!("{level}\n{}\n", board.trim_end_matches('\n'));
    // Rules have no place, and a map of walls alone says nothing.
    if answer.parts.iter().all(|needed| needed.part.places.is_empty()) {
        return board;
    }
    let walls = instance.moves().and_then(|_| instance.picture(None, Style::Plain));
    board + "without each part:\n" + &map(&answer.parts, walls.as_deref().unwrap_or_default())
}

/// What changes without each of the parts that change something.
fn effects(parts: &[PartReport]) -> String {
    let used = parts.iter().filter(|part| part.effect != Change::None);
    used.map(|part| format!("{:<18} {}\n", part.part.name, shown(part.effect).2)).collect()
}

/// The parts that change nothing, by name.
fn without_use(parts: &[PartReport]) -> String {
    let idle = parts.iter().filter(|part| part.effect == Change::None);
    let names: Vec<&str> = idle.map(|part| part.part.name.as_str()).collect();
    match names.len() {
        0 => String::new(),
        count => {
            let of = parts.len();
            format!("{count} of {of} parts change nothing: {}\n", names.join(", "))
        }
    }
}

/// The parts on the board, with the walls of games: by how much the level is shorter without them,
/// `!` where it becomes unsolvable, `u` where a solution is no longer the only one, `.` where nothing
/// changes.
fn map(parts: &[PartReport], walls: &str) -> String {
    let marks = parts.iter().flat_map(|needed| {
        needed.part.places.iter().map(move |&place| (place, shown(needed.effect).1))
    });
    query::board_of(walls, marks)
}
