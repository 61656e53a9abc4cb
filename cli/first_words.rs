//! What people type before they have read anything: a level without a command, a level through a
//! pipe.

use crate::input;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};
use std::ffi::OsString;
use std::path::Path;

/// The arguments, with `solve` where a file stands in place of a command, or where there are none
/// and a level is piped in.
pub(super) fn completed(mut given: Vec<OsString>) -> Vec<OsString> {
    match given.get(1) {
        Some(word) if is_level(word) => given.insert(1, "solve".into()),
        None if input::is_piped() => given.extend(["solve".into(), "-".into()]),
        _ => {}
    }
    given
}

/// Whether a word is a file or a folder, and no command of that name.
fn is_level(word: &OsString) -> bool {
    let is_command = || word.to_str().is_some_and(crate::is_command);
    word == "-" || word != "help" && Path::new(word).exists() && !is_command()
}

/// The arguments as clap understands them. Where the file, or the answer of a solver, is all that
/// is missing, it is read from the pipe, if there is one.
pub(super) fn matches(
    command: &mut Command,
    given: &[OsString],
) -> Result<ArgMatches, clap::Error> {
    command.try_get_matches_from_mut(given).or_else(|error| {
        if !(lacks_input(&error) && input::is_piped()) {
            return Err(error);
        }
        let piped = given.iter().cloned().chain(["-".into()]);
        command.try_get_matches_from_mut(piped).map_err(|_| error)
    })
}

/// Whether a level or an answer is missing, and nothing else.
fn lacks_input(error: &clap::Error) -> bool {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.as_slice(),
        _ => return false,
    };
    error.kind() == ErrorKind::MissingRequiredArgument
        && matches!(missing, [one] if one.starts_with("<FILE>") || one == "<ANSWER>")
}
