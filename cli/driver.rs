//! How a command is run.

use crate::input::args::LimitArgs;
use crate::terminal::failure::CommandResult;

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
