//! The program `unstuck`: what its command line accepts, and which module does it.
//!
//! | module | what it is the home of |
//! | --- | --- |
//! | `arguments`, `values`, `families` | options that several commands share, and their values; the flag that Ctrl-C raises |
//! | `guard` | watches over every command, and ends work that goes on after its limit |
//! | `constrained` | `solve` with constraints |
//! | `applies` | options that do not apply are reported, never ignored |
//! | `input` | from files and folders to levels |
//! | `output`, `names` | files, standard output, colours; names of files in folders |
//! | `failure` | why there is no answer, and the way out |
//! | `json` | what the objects of all commands have in common |
//! | `outcome`, `drawings` | outcomes and boards for people; their sentences and fields are those of `unstuck::report` |
//! | `pictures` | SVG, PNG, films |
//! | `plot` | figures of levels as bars |
//! | `batch` | logs, records, tables |
//! | `runs` | stores of very many results, and the processes that fill them |
//! | `progress` | signs of life |
//! | `asking` | what questions about a level share |
//! | `derive` | what evidence says of a level: locks and stores are compared with it |
//!
//! The others are a command each.

mod applies;
mod arguments;
mod backends;
mod batch;
mod bench;
mod cells;
mod check;
mod constrained;
mod decode;
mod derive;
mod diagnose;
mod difficulty;
mod enumerate;
mod explain;
mod export;
mod failure;
mod families;
mod farm;
mod file_id;
mod file_names;
mod first_words;
mod forced;
mod generate;
mod guard;
mod hint;
mod info;
mod input;
mod json;
mod junit;
mod lock;
mod needed;
mod outcome;
mod output;
mod page;
mod pictures;
mod play;
mod plot;
mod progress;
mod prove;
mod query;
mod replay;
pub mod runs;
mod shell;
mod solve;
mod text;
mod text_boards;
mod values;
mod watch;

pub use failure::{CommandResult, Failure, INTERNAL, INVALID, USAGE, of_checks, of_several};

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;
use text::Text;

const LONG_HELP: &str = "\
Exit codes:
   0  solved, or what was checked is valid
   1  what was checked is invalid
   2  wrong usage or bad input
  20  unsolvable, whatever the length
  21  no solution within the given horizon
  30  unknown: a limit struck or the run was interrupted
  70  internal error: please report it
 130  ended at once by a second Ctrl-C";

const EXAMPLES: &str = "\
Examples:
  unstuck level.xsb                    short for `unstuck solve level.xsb`
  unstuck solve < level.xsb            without FILE, what is piped in is read
  unstuck solve collection.xsb --level 7 --objective moves --timeout 10m
  unstuck export level.xsb --horizon 20 -o level.cnf
  unstuck prove level.xsb -o certificate && unstuck check certificate
  unstuck replay level.xsb rrDDrULL --stages";

/// Where help shows the options that every command has: behind its own.
const LAST: usize = 900;

/// Runs a command.
type Run = fn(&ArgMatches) -> CommandResult;

/// All commands in the order of the help page, each with what runs it.
fn commands() -> Vec<(Command, Run)> {
    vec![
        (solve::command(), solve::run),
        (info::list_command(), info::run_list),
        (info::command(), info::run),
        (replay::command(), replay::run),
        (page::command(), page::run),
        (export::command(), export::run),
        (decode::command(), decode::run),
        (prove::command(), prove::run),
        (check::command(), check::run),
        (play::command(), play::run),
        (hint::command(), hint::run),
        (diagnose::command(), diagnose::run),
        (enumerate::command(), enumerate::run),
        (needed::command(), needed::run),
        (explain::command(), explain::run),
        (forced::command(), forced::run),
        (difficulty::command(), difficulty::run),
        (lock::command(), lock::run),
        (watch::command(), watch::run),
        (farm::command(), farm::run),
        (generate::command(), generate::run),
        (bench::command(), bench::run),
        (backends::command(), backends::run),
        (shell::completions_command(), shell::completions),
        (shell::man_command(), shell::man),
    ]
}

/// The whole command line.
pub fn command() -> Command {
    Command::new("unstuck")
        .bin_name("unstuck")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Solves grid puzzles with a SAT solver and proves what it says")
        .after_help(EXAMPLES)
        .after_long_help(format!("{LONG_HELP}\n\n{EXAMPLES}"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(80)
        .arg(
            Arg::new("color")
                .long("color")
                .aliases(["colour", "colors"])
                .value_name("WHEN")
                .global(true)
                .value_parser(PossibleValuesParser::new(["auto", "always", "never"]))
                .action(ArgAction::Set)
                .hide_short_help(true)
                .display_order(LAST)
                .help("Colours [default: auto: on a terminal, where NO_COLOR is not set]"),
        )
        .arg(
            Arg::new("progress")
                .long("progress")
                .value_name("TIME")
                .global(true)
                .value_parser(values::time_parser())
                .hide_short_help(true)
                .display_order(LAST)
                .help("When output is not a terminal, report progress every TIME, 0 for never [default: 30s]"),
        )
        .subcommands(commands().into_iter().map(|(command, _)| command))
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let given = first_words::completed(std::env::args_os().collect());
    let (mut command, given) = families::fit_help(command(), given);
    let matches = match first_words::matches(&mut command, &given) {
        Ok(matches) => matches,
        Err(error) => return refused(&error, &given),
    };
    if let Some(wanted) = matches.get_one::<String>("color") {
        output::set_color(wanted);
    }
    if let Some(&time) = matches.get_one::<Duration>("progress") {
        progress::set_every(time);
    }
    let (name, matches) = matches.subcommand().expect("clap demands a command");
    let known = commands().into_iter().find(|(command, _)| command.get_name() == name);
    let (command, work) = known.expect("clap accepts known commands only");
    let guard = guard::begin(&command, matches);
    let ending = work(matches);
    drop(guard);
    match ending {
        Ok(code) => ExitCode::from(code),
        Err(failure) => ExitCode::from(failure.report(name, wants_json(matches))),
    }
}

/// Whether a command, or the one that stands below it, was given `--json`.
fn wants_json(matches: &ArgMatches) -> bool {
    let given = matches.try_get_one::<bool>("json").ok().flatten() == Some(&true);
    given || matches.subcommand().is_some_and(|(_, below)| wants_json(below))
}

/// Help and version, or arguments that are wrong: with `--json` programs get it too.
fn refused(error: &clap::Error, given: &[OsString]) -> ExitCode {
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
        output::print(format!("{}\n", failure.object(&command.unwrap_or_default())));
    }
    let code = u8::try_from(error.exit_code()).unwrap_or(USAGE);
    // Help is ours alone; an error repeats what was given.
    let (help, plain) = (error.render().ansi().to_string(), error.render().to_string());
    if error.use_stderr() {
        output::say(if asked { plain } else { text::cut(&plain) }.trim_end());
    } else {
        output::print(if output::color() { Text::drawing(&help) } else { Text::from(&plain) });
    }
    ExitCode::from(code)
}
