//! How a command is run.

use crate::answer::json;
use crate::input::{ReadFailure, SelectedLevel};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::guard::LimitArgs;
use crate::terminal::output;
use clap::Command;
use std::sync::OnceLock;

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
    fn run(&self) -> CommandResult;
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
