//! The program `unstuck`: what its command line accepts, and which module does it.
//!
//! | module | what it is the home of |
//! | --- | --- |
//! | `terminal` | text, output, progress, limits, failures: knows no level |
//! | `input` | arguments that several commands share; from files and folders to levels |
//! | `answer` | what comes out of a level, as text and tables |
//! | `runner` | hands work to many workers: processes or threads |
//! | `store` | results of many levels: logs and stores |
//! | `pictures`, `play` | SVG, PNG, films; a level under a person's hand |
//! | `driver` | how a command is run |
//! | `commands` | a module for each command |
//! | `first_words` | a level without a command, a level through a pipe |
//! | `schema` | the schema of the objects that commands print |
//!
//! A module uses those above it in this table, and none below.

mod answer;
mod commands;
mod driver;
mod first_words;
mod input;
mod pictures;
mod play;
mod runner;
#[cfg(test)]
mod schema;
pub mod store;
mod terminal;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::{
    backends, bench, check, decode, diagnose, difficulty, enumerate, explain, export, fill, forced,
    generate, hint, list, lock, merge, needed, prove, replay, shell, solve, work,
};
use driver::{Run, Watched};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;
use terminal::failure::{Failure, USAGE};
use terminal::output::{self, ColorChoice};
use terminal::text::{self, Text};
use terminal::{guard, progress, values};

const LONG_HELP: &str = "\
Exit codes:
   0  solved, or what was checked is valid
   1  what was checked is invalid, or a recorded fact no longer holds
   2  wrong usage or bad input
  20  unsolvable, whatever the length
  21  no solution within the given horizon
  30  unknown: a limit struck or the run was interrupted
  70  internal error: please report it
 130  ended at once by a second Ctrl-C";

const EXAMPLES: &str = "\
Examples:
  unstuck play                         the first steps, which come along
  unstuck level.xsb                    short for `unstuck solve level.xsb`
  unstuck solve < level.xsb            without FILE, what is piped in is read
  unstuck solve collection.xsb --level 7 --objective moves --timeout 10m
  unstuck export level.xsb --horizon 20 -o level.cnf
  unstuck prove level.xsb -o certificate && unstuck check certificate
  unstuck replay level.xsb rrDDrULL --stages";

/// The command that worker processes run: no person types it.
pub(crate) const WORK: &str = "_work";

/// Where help shows the options that every command has: behind its own.
const LAST: usize = 900;

/// All commands under the headings of the help page, each with its arguments.
macro_rules! commands {
    ($($heading:literal: $($name:literal $variant:ident($args:ty)),+;)+) => {
        #[derive(Subcommand)]
        enum Given {
            $($(#[command(name = $name)] $variant(Box<$args>),)+)+
            #[command(name = WORK, hide = true)]
            Work(Box<work::WorkCommand>),
        }

        impl Given {
            fn name(&self) -> &'static str {
                match self { $($(Self::$variant(_) => $name,)+)+ Self::Work(_) => WORK }
            }

            fn command(&'static self) -> &'static dyn Run {
                match self {
                    $($(Self::$variant(it) => it.as_ref(),)+)+
                    Self::Work(it) => it.as_ref(),
                }
            }
        }

        /// The headings of the help page, and what stands below each.
        const HEADINGS: &[(&str, &[&str])] = &[$(($heading, &[$($name),+]),)+];
    };
}

commands! {
    "Play":
        "play" Play(play::PlayCommand),
        "hint" Hint(hint::HintCommand),
        "diagnose" Diagnose(diagnose::DiagnoseCommand),
        "replay" Replay(replay::ReplayCommand);
    "Ask":
        "solve" Solve(solve::args::SolveCommand),
        "list" List(list::ListCommand),
        "enumerate" Enumerate(enumerate::EnumerateCommand),
        "needed" Needed(needed::NeededCommand),
        "explain" Explain(explain::ExplainCommand),
        "forced" Forced(forced::ForcedCommand);
    "Prove":
        "prove" Prove(prove::ProveCommand),
        "check" Check(check::CheckCommand),
        "lock" Lock(lock::LockCommand);
    "Design":
        "generate" Generate(generate::GenerateCommand),
        "difficulty" Difficulty(difficulty::DifficultyCommand);
    "Formulas":
        "export" Export(export::ExportCommand),
        "decode" Decode(decode::DecodeCommand),
        "backends" Backends(backends::BackendsCommand);
    "Many levels":
        "bench" Bench(bench::BenchCommand),
        "merge" Merge(merge::MergeCommand);
    "Shell":
        "completions" Completions(shell::CompletionsCommand),
        "man" Man(shell::ManCommand);
}

/// Solves grid puzzles with a SAT solver and proves what it says
#[derive(Parser)]
#[command(
    name = "unstuck",
    bin_name = "unstuck",
    version,
    after_help = EXAMPLES,
    after_long_help = format!("{LONG_HELP}\n\n{EXAMPLES}"),
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = WIDTH
)]
struct CommandLine {
    /// Colours [default: auto: on a terminal, where NO_COLOR is not set]
    #[arg(
        long,
        aliases = ["colour", "colors"],
        value_name = "WHEN",
        global = true,
        hide_short_help = true,
        display_order = LAST
    )]
    color: Option<ColorChoice>,
    /// When output is not a terminal, report progress every TIME, 0 for never [default: 30s]
    #[arg(
        long,
        value_name = "TIME",
        global = true,
        value_parser = values::time,
        hide_short_help = true,
        display_order = LAST
    )]
    progress: Option<Duration>,
    #[command(subcommand)]
    given: Given,
}

/// Whether a word is the name of a command.
fn is_command(word: &str) -> bool {
    word == WORK || HEADINGS.iter().any(|(_, names)| names.contains(&word))
}

/// The whole command line.
pub fn command() -> Command {
    let command = CommandLine::command();
    let template = help_template(&command);
    command.help_template(template)
}

/// The help page, with the commands under their headings.
fn help_template(command: &Command) -> String {
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let style = command.get_styles();
    let (header, literal) = (style.get_header(), style.get_literal());
    for (heading, names) in HEADINGS {
        let _ = writeln!(template, "\n{header}{heading}:{header:#}");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = write!(template, "  {literal}{name:<11}{literal:#} ");
            let mut column = INDENT;
            for word in about.split(' ') {
                if column + word.len() >= WIDTH {
                    let _ = write!(template, "\n{:INDENT$}", "");
                    column = INDENT;
                }
                let _ = write!(template, " {word}");
                column += word.len() + 1;
            }
            template.push('\n');
        }
    }
    let _ = writeln!(template, "  {literal}{:<11}{literal:#}  Print help of a command", "help");
    let _ = write!(template, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    template
}

/// How wide help is at most, and where what commands do begins.
const WIDTH: usize = 80;
const INDENT: usize = 14;

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os().collect()))
}

/// Runs the program inside another one: with these arguments, the first of which is its name, and
/// with the command by which it starts itself as a worker. Its exit code.
///
/// It answers signals, and ends the process where a command does not heed its limits: it is the last
/// thing that a process does.
pub fn run_as(arguments: Vec<OsString>, own: Vec<OsString>) -> u8 {
    let _ = fill::OWN_COMMAND.set(own);
    run_with(arguments)
}

fn run_with(arguments: Vec<OsString>) -> u8 {
    let _ = driver::COMMAND_LINE.set(command);
    let given = first_words::completed(arguments, is_command);
    let (mut command, given) = first_words::fit_help(command(), given);
    if given.get(1).is_some_and(|word| word == "farm") {
        let failure = Failure::usage("there is no command `farm` any more").help(
            "`solve FILES --store DIR` fills a store; `list`, `check` and `merge` read it; \
             `solve --part K/N` is for many machines",
        );
        return driver::ended(&failure, "farm", false);
    }
    let parsed = first_words::matches(&mut command, &given)
        .and_then(|mut matches| CommandLine::from_arg_matches_mut(&mut matches));
    let CommandLine { color, progress, mut given } = match parsed {
        Ok(line) => line,
        Err(error) => return refused(&without_rash_tip(error), &given),
    };
    color.into_iter().for_each(output::set_color);
    progress.into_iter().for_each(progress::set_every);
    if let Given::Solve(solve) = &mut given {
        first_words::limit_own_moves(solve);
    }
    // Work that does not end in time may look at its arguments to the end.
    let given: &'static Given = Box::leak(Box::new(given));
    let (name, command) = (given.name(), given.command());
    let Watched { json, limits } = command.watched();
    let guard = guard::begin(name, json, limits);
    let ending = command.run();
    drop(guard);
    match ending {
        Ok(code) => code,
        Err(failure) => driver::ended(&failure, name, json),
    }
}

/// Drops the tip to use an option that was hardly meant, and the one to pass an option as a value.
fn without_rash_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let (given, tip) = (word(ContextKind::InvalidArg), word(ContextKind::SuggestedArg));
    if let (Some(given), Some(tip)) = (given, tip)
        && strsim::osa_distance(given, tip) > given.len() / 4
    {
        // The usage has it, too.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    error
}

/// Help and version, or arguments that are wrong: with `--json` programs get it too.
fn refused(error: &clap::Error, given: &[OsString]) -> u8 {
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if !asked && given.iter().any(|word| word == "--json") {
        let command = given.get(1).map(|word| word.to_string_lossy().into_owned());
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let failure = Failure::usage(message);
        output::print(driver::object(&failure, &command.unwrap_or_default()));
    }
    // Help is ours alone; an error repeats what was given.
    let (help, plain) = (error.render().ansi().to_string(), error.render().to_string());
    if error.use_stderr() {
        output::say(if asked { plain } else { text::cut(&plain) }.trim_end());
    } else {
        output::print(if output::color() { Text::drawing(&help) } else { Text::from(&plain) });
    }
    u8::try_from(error.exit_code()).unwrap_or(USAGE)
}
