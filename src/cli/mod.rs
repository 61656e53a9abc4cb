//! The command line: what it accepts, and which module does it.

mod arguments;
mod bench;
mod check;
mod decode;
mod export;
mod generate;
mod info;
mod input;
mod output;
mod progress;
mod prove;
mod replay;
mod report;
mod solve;

use clap::Command;
use std::process::ExitCode;

/// Exit code of wrong usage and of input that cannot be read.
pub const USAGE: u8 = 2;

/// Exit code of something that was checked and is wrong.
pub const INVALID: u8 = 1;

/// Exit code of an internal check that failed: a mistake of ours.
pub const INTERNAL: u8 = 70;

/// Why a command ends without an answer.
#[derive(Debug)]
pub struct Failure {
    /// What to tell the user; may have several lines.
    pub message: String,
    /// The exit code.
    pub code: u8,
}

impl Failure {
    /// Wrong usage or bad input.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: USAGE }
    }
}

/// A command ends with an exit code or with a failure.
pub type Ending = Result<u8, Failure>;

const AFTER_HELP: &str = "\
Exit codes:
   0  solved, or what was checked is valid
   1  what was checked is invalid
   2  wrong usage or bad input
  20  unsolvable, whatever the length
  21  no solution within the given horizon
  30  unknown: a limit struck or the run was interrupted
  70  an internal check failed: please report it

Examples:
  unstuck solve level.xsb
  unstuck solve collection.xsb --level 7 --objective moves --timeout 60
  unstuck export level.xsb --horizon 20 -o level.cnf
  unstuck prove level.xsb -o certificate && unstuck check certificate
  unstuck replay level.xsb rrDDrULL --stages";

/// The whole command line.
pub fn command() -> Command {
    Command::new("unstuck")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Solves grid puzzles with a SAT solver and proves what it says")
        .after_help(AFTER_HELP)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(solve::command())
        .subcommand(export::command())
        .subcommand(decode::command())
        .subcommand(prove::command())
        .subcommand(check::command())
        .subcommand(replay::command())
        .subcommand(info::command())
        .subcommand(generate::command())
        .subcommand(bench::command())
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let matches = command().get_matches();
    let ending = match matches.subcommand() {
        Some(("solve", matches)) => solve::run(matches),
        Some(("export", matches)) => export::run(matches),
        Some(("decode", matches)) => decode::run(matches),
        Some(("prove", matches)) => prove::run(matches),
        Some(("check", matches)) => check::run(matches),
        Some(("replay", matches)) => replay::run(matches),
        Some(("info", matches)) => info::run(matches),
        Some(("generate", matches)) => generate::run(matches),
        Some(("bench", matches)) => bench::run(matches),
        _ => unreachable!("clap demands one of the subcommands"),
    };
    match ending {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("error: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}
