//! How a command is run: the one place that prints answers, counts exit codes and talks to the guard.

use crate::answer::{Answer, json};
use crate::input::args::Named;
use crate::input::{ReadFailure, SelectedLevel, SelectedLevels};
use crate::terminal::columns::shortened;
use crate::terminal::failure::{CommandResult, Failure, of_several};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::progress::Display;
use crate::terminal::text::Text;
use clap::Command;
use serde::Serialize;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::solve::Event;

/// What the dispatcher has to know of a command before it runs.
#[derive(Clone, Copy)]
pub(crate) struct Watched {
    /// Whether programs read the answer.
    pub json: bool,
    /// Its limits; a command without any is ended by a signal at once.
    pub limits: Option<LimitArgs>,
}

/// A command as it was given.
pub(crate) trait Run {
    /// What it needs of the dispatcher.
    fn watched(&self) -> Watched;

    /// Runs it.
    fn run(&'static self) -> CommandResult;
}

/// A question that is asked of levels, one after the other.
pub(crate) trait Ask: Sync {
    /// What its answers say to programs.
    #[cfg(not(test))]
    type Fields: Serialize + Send + 'static;
    /// What its answers say to programs, which the schema describes.
    #[cfg(test)]
    type Fields: Serialize + Send + schemars::JsonSchema + 'static;

    /// The command.
    const NAME: &'static str;

    /// The levels, the limits, and what is printed.
    fn asked(&self) -> Asked<'_>;

    /// The heads of the table of several levels, after the name; without any the texts follow each
    /// other.
    fn heads(&self) -> &'static [&'static str] {
        &[]
    }

    /// How many questions are asked of each level.
    fn parts(&self) -> usize {
        1
    }

    /// The answer about something that is no level, where that is named.
    fn instead(&self) -> Option<CommandResult> {
        None
    }

    /// Looks at the options before any work is done.
    ///
    /// # Errors
    /// The first that would be ignored, or an output that cannot be written.
    fn check(&self, _found: &'static SelectedLevels) -> Result<(), Failure> {
        Ok(())
    }

    /// Answers the question about one level. Prints nothing: of several levels one that does not end
    /// in time is left to itself.
    ///
    /// # Errors
    /// When the level is broken, or the question does not fit.
    fn ask(&'static self, subject: &Subject) -> Result<Answer<Self::Fields>, Failure>;

    /// What is printed after the last level; programs get nothing.
    fn end(&self, _quiet: bool) -> Text {
        Text::default()
    }
}

/// What the driver has to know of a question.
pub(crate) struct Asked<'a> {
    /// The levels that are named.
    pub levels: &'a dyn Named,
    /// Its limits, if it has some.
    pub limits: Option<LimitArgs>,
    /// What is printed.
    pub output: OutputArgs,
}

/// A level that is asked about.
pub(crate) struct Subject {
    /// The level.
    pub chosen: &'static SelectedLevel,
    /// The limits, which count from the start.
    pub limits: Limits,
    /// Which question is asked of it, from 0.
    pub part: usize,
    /// Whether there is no other question.
    pub alone: bool,
    /// When the question was asked.
    pub begun: Instant,
    command: &'static str,
    output: OutputArgs,
    shown: Weak<Shown>,
}

/// Shows that the work on a level goes on, from when something is to be shown, and for as long as
/// its answer is waited for.
struct Shown {
    name: String,
    output: OutputArgs,
    limits: LimitArgs,
    display: OnceLock<Display>,
}

impl Subject {
    fn display(&self, show: impl FnOnce(&Display)) {
        if let Some(shown) = self.shown.upgrade() {
            let new = || Display::new(&shown.name, shown.output, shown.limits.timeout);
            show(shown.display.get_or_init(new));
        }
    }

    /// Shows an event of the work on these readings; of the only level the guard takes note of it.
    pub(crate) fn note(&self, event: &Event, readings: &[Box<dyn Instance>]) {
        if self.alone {
            guard::hear(event, readings);
        }
        self.display(|display| display.note(event));
    }

    /// Shows what is being done.
    pub(crate) fn say(&self, text: &str) {
        self.display(|display| display.say(text));
    }

    /// Has this printed where a limit ends the process before the answer is there.
    pub(crate) fn know<F: Serialize>(&self, answer: &Answer<F>) {
        let about = Some(self.chosen);
        guard::know(answer.printed(self.command, about, self.output), answer.code, false);
    }
}

impl<C: Ask> Run for C {
    fn watched(&self) -> Watched {
        let Asked { limits, output, .. } = self.asked();
        Watched { json: output.json, limits }
    }

    fn run(&'static self) -> CommandResult {
        if let Some(done) = self.instead() {
            return done;
        }
        let found = self.asked().levels.found()?;
        over(self, found)
    }
}

/// Asks about these levels, one after the other.
///
/// # Errors
/// When an option does not fit them, or the only one has no answer.
pub(crate) fn over<C: Ask>(command: &'static C, found: SelectedLevels) -> CommandResult {
    let output = command.asked().output;
    // What does not end in time may look at the levels to the end.
    let found: &'static SelectedLevels = Box::leak(Box::new(found));
    command.check(found)?;
    let (parts, heads) = (command.parts(), command.heads());
    let alone = found.len() == 1 && parts == 1;
    let as_table = !(alone || output.json || heads.is_empty());
    if as_table && !output.quiet {
        output::print(row("level", heads, heads.iter().copied()));
    }
    let mut codes = Vec::new();
    guard::levels(found.len() * parts);
    for one in found {
        for part in 0..parts {
            if guard::is_interrupted() {
                codes.push(30);
                break;
            }
            let answered = match one {
                Ok(chosen) => asked(command, chosen, part, alone),
                Err(unread) => Err(unread.failure.clone()),
            };
            match (answered, one) {
                (Ok(Some(answer)), Ok(chosen)) => {
                    codes.push(answer.code);
                    if let (Some(note), false) = (&answer.note, output.json || output.quiet) {
                        output::say(note);
                    }
                    output::print(if as_table {
                        let cells = answer.cells.iter().map(String::as_str);
                        row(&chosen.short_name(), heads, cells).into()
                    } else {
                        answer.printed(C::NAME, Some(chosen), output)
                    });
                }
                (Ok(_), _) => codes.push(30),
                (Err(failure), _) if alone => return Err(failure),
                (Err(failure), _) => {
                    codes.push(failed(&failure, C::NAME, one, output.json));
                    break;
                }
            }
        }
    }
    sum_up(output, command.end(output.quiet));
    Ok(guard::answered(of_several(&codes)))
}

/// Says what came of all; programs count for themselves.
pub(crate) fn sum_up(output: OutputArgs, text: impl Into<Text>) {
    if !output.json {
        output::print(text);
    }
}

/// Asks about things that are no levels, one after the other. Gives the exit codes.
///
/// # Errors
/// When the only one fails.
pub(crate) fn each<T, F: Serialize>(
    command: &str,
    output: OutputArgs,
    subjects: &[T],
    mut ask: impl FnMut(&T) -> Result<Answer<F>, Failure>,
) -> Result<Vec<u8>, Failure> {
    let mut codes = Vec::new();
    guard::levels(subjects.len());
    for subject in subjects {
        if guard::is_interrupted() {
            codes.push(30);
            break;
        }
        codes.push(match ask(subject) {
            Ok(answer) => {
                output::print(answer.printed(command, None, output));
                answer.code
            }
            Err(failure) if subjects.len() == 1 => return Err(failure),
            Err(failure) => ended(&failure, command, output.json),
        });
    }
    Ok(codes)
}

/// The answer about a level; none where it did not end in time, which is said.
fn asked<C: Ask>(
    command: &'static C,
    chosen: &'static SelectedLevel,
    part: usize,
    alone: bool,
) -> Result<Option<Answer<C::Fields>>, Failure> {
    guard::level(chosen.place(), &chosen.name());
    let Asked { limits, output, .. } = command.asked();
    let limits = limits.unwrap_or_default();
    let (name, display) = (chosen.name(), OnceLock::new());
    let shown = Arc::new(Shown { name, output, limits, display });
    let subject = Subject {
        chosen,
        limits: limits.begin(),
        part,
        alone,
        begun: Instant::now(),
        command: C::NAME,
        output,
        shown: Arc::downgrade(&shown),
    };
    if alone {
        return command.ask(&subject).map(Some);
    }
    let answered = guard::apart(move || command.ask(&subject));
    drop(shown);
    match answered {
        Ok(answered) => answered.map(Some),
        Err(stop) => {
            guard::print_left(stop);
            Ok(None)
        }
    }
}

/// A line of a table: the name of a level, and cells that are flushed right under their heads.
fn row<'a>(name: &str, heads: &[&str], cells: impl Iterator<Item = &'a str>) -> String {
    let mut line = format!("{:<28}", shortened(name, 28));
    for (head, cell) in heads.iter().zip(cells) {
        line.push_str(&format!("  {cell:>width$}", width = head.len().max(7)));
    }
    line + "\n"
}

/// Reports a level or file that failed where the command continues with the others. Gives the
/// exit code.
pub(crate) fn failed(
    failure: &Failure,
    command: &str,
    one: &Result<SelectedLevel, ReadFailure>,
    as_json: bool,
) -> u8 {
    output::complain(failure);
    if as_json {
        output::print(format!("{}\n", json::of_one(command, one, failure.answer())));
    }
    failure.code
}

/// Reports what ends a command, or a part of it that has no level. Gives the exit code.
pub(crate) fn ended(failure: &Failure, command: &str, as_json: bool) -> u8 {
    output::complain(failure);
    if as_json {
        output::print(object(failure, command));
    }
    failure.code
}

/// The object that a command prints instead of an answer.
pub(crate) fn object(failure: &Failure, command: &str) -> String {
    format!("{}\n", json::object(command, failure.answer()))
}

/// The whole command line, once it is known.
pub(crate) static COMMAND_LINE: OnceLock<fn() -> Command> = OnceLock::new();

/// The whole command line, to be described.
pub(crate) fn command_line() -> Command {
    COMMAND_LINE.get().map_or_else(|| Command::new("unstuck"), |command| command())
}
