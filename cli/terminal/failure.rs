//! Why a command ends without an answer: what is wrong, where, and the way out.

use crate::terminal::text::one_line;
use std::fmt;
use unstuck::advice::Advice;
use unstuck::instance::FormulaError;
use unstuck::report::{ErrorReport, LevelAnswer};
use unstuck::solve::{SolveError, Verdict};
use unstuck_puzzles::{Lines, ParseError};

/// Exit code of wrong usage and of input that cannot be read.
pub(crate) const USAGE: u8 = 2;

/// Exit code of something that was checked and is wrong.
pub(crate) const INVALID: u8 = 1;

/// Exit code of an internal error.
pub(crate) const INTERNAL: u8 = 70;

/// Why a command, or the work on one level, ends without an answer.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// What is wrong; may have several lines. Without advice.
    pub message: String,
    /// The way out, where there is one.
    pub help: Option<String>,
    /// Line and column of the input, from 1; column 0 means the whole line.
    pub place: Option<(usize, usize)>,
    /// The exit code.
    pub code: u8,
}

impl Failure {
    /// Something that ends with this exit code.
    pub(crate) fn new(code: u8, message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, place: None, code }
    }

    /// Wrong usage or bad input.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(USAGE, message)
    }

    /// An internal error.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(INTERNAL, message)
    }

    /// What a solver could not do, or its internal error.
    pub(crate) fn solving(error: &SolveError) -> Self {
        match error {
            SolveError::Fault { .. } => Self::internal(error.to_string()),
            error => Self::usage(error.to_string()).advised(error.advice()),
        }
    }

    /// Why a formula was not made: a limit, or that the puzzle has no clauses, which is no limit.
    pub(crate) fn formula(what: &str, error: &FormulaError) -> Self {
        let code = error.stop().map_or(USAGE, |stop| Verdict::Unknown(Some(stop)).exit_code());
        Self::new(code, format!("{what}: {error}"))
    }

    /// Something that this build of the program is without.
    #[cfg(not(all(feature = "pictures", feature = "play")))]
    pub(crate) fn left_out(what: &str, feature: &str) -> Self {
        Self::usage(format!("{what} not in this build of unstuck"))
            .help(format!("build it with `--features {feature}`"))
    }

    /// A fault in a text that `source` names.
    pub(crate) fn parse(source: &str, error: &ParseError, text: &str) -> Self {
        Self::of_parsing(error, |bare| bare.render(&one_line(source), text))
    }

    /// The same for one of many faults in a text.
    pub(crate) fn parse_lines(source: &str, error: &ParseError, lines: &Lines) -> Self {
        let source = one_line(source);
        Self::of_parsing(error, |bare| bare.render_line(&source, lines.line(bare.line)))
    }

    fn of_parsing(error: &ParseError, render: impl FnOnce(&ParseError) -> String) -> Self {
        let bare = ParseError { help: None, ..error.clone() };
        Self {
            message: render(&bare),
            help: error.help.clone(),
            place: (error.line > 0).then_some((error.line, error.column)),
            code: USAGE,
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &str, error: &std::io::Error) -> Self {
        Self::usage(format!("{}: {error}", one_line(path)))
    }

    /// The same with advice on the way out.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with the way out that an error of the library knows.
    #[must_use]
    pub(crate) fn advised(self, advice: Option<Advice>) -> Self {
        let help = advice.map(|advice| match advice {
            Advice::SatEngine => "use `--engine sat` or `auto`",
            Advice::AnyEvidence => "use `--evidence auto`",
            Advice::ClosedSet => "use `--evidence closed`",
            Advice::Horizon => "use `--evidence horizon`",
            Advice::ListAlone => "without `--lrat` the list alone is the certificate",
            Advice::WithFormulas => "`unstuck prove --lrat` writes them",
            Advice::ProveAgain => {
                "check it with the program that wrote it, or prove the claim again"
            }
            Advice::ProvingSolver => "a command with {proof} in it does",
            Advice::Replace => "`--force` replaces a certificate",
        });
        Self { help: help.map(str::to_owned).or(self.help), ..self }
    }

    /// That nothing came out, for programs.
    pub(crate) fn answer(&self) -> LevelAnswer {
        let error = ErrorReport {
            message: self.message.clone(),
            way_out: self.help.clone(),
            line: self.place.map(|(line, _)| line),
            column: self.place.map(|(_, column)| column).filter(|&column| column > 0),
        };
        let (verdict, error) = ("error".to_owned(), error.into());
        LevelAnswer { verdict, exit: self.code.into(), error, ..LevelAnswer::default() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "\n  = help: {help}"))
    }
}

/// The exit code of work on several levels: that of an internal error, else 2 when something could
/// not be read, else that of the first level that is not solved.
pub(crate) fn of_several(codes: &[u8]) -> u8 {
    let worst = [INTERNAL, USAGE].into_iter().find(|bad| codes.contains(bad));
    worst.or_else(|| codes.iter().copied().find(|&code| code != 0)).unwrap_or(0)
}

/// The exit code of several checks: what is invalid outweighs what could not be judged.
pub(crate) fn of_checks(codes: &[u8]) -> u8 {
    if codes.contains(&INVALID) { INVALID } else { of_several(codes) }
}

/// A command ends with an exit code or with a failure.
pub(crate) type CommandResult = Result<u8, Failure>;
