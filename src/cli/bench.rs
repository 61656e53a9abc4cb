//! bench
use super::Ending;
use clap::{ArgMatches, Command};
pub fn command() -> Command {
    Command::new("bench")
}
pub fn run(_: &ArgMatches) -> Ending {
    Ok(0)
}
