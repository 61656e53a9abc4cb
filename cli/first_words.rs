//! What people type before they have read anything: a level without a command, a level through a
//! pipe.

use crate::commands::solve::args::SolveCommand;
use crate::input::families::HEADING;
use crate::terminal::output;
use crate::{driver, input};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use unstuck::registry::{self, Family};
use unstuck_puzzles::Warning;
use unstuck_puzzles::built_in::BUILT_IN;

/// The arguments, with a command where a file stands in place of one, or where there are none and a
/// level is piped in: `solve`, or `replay` where the file asks for nothing but where its own moves
/// lead.
pub(crate) fn completed(mut given: Vec<OsString>, is_command: fn(&str) -> bool) -> Vec<OsString> {
    let file = match given.get(1) {
        Some(word) if is_level(word, is_command) => word.clone(),
        None if input::is_piped() => {
            given.push("-".into());
            "-".into()
        }
        _ => return given,
    };
    let with = |command: &str| {
        let mut given = given.clone();
        given.insert(1, command.into());
        given
    };
    // What is said of how to solve goes with `solve`.
    let replayed = with("replay");
    let is_replay = driver::command_line().try_get_matches_from(&replayed).is_ok();
    let Some(note) = is_replay.then(|| own_moves(file.to_str()?)).flatten() else {
        return with("solve");
    };
    let settled = |(option, _)| {
        let option = format!("--{option}");
        given.iter().any(|word| word.to_string_lossy().starts_with(&option))
    };
    if !note.option.is_some_and(settled) {
        output::say(format!("note: {}", input::doubt(&note)));
    }
    replayed
}

/// Time for a shorter way than the moves of the file, where no limit is given.
const SHORTER_TIME: Duration = Duration::from_secs(10);

/// Gives `solve` a limit where it is asked of one file with moves of its own, and has none: a shorter
/// way to where hundreds of moves lead may have no end.
pub(super) fn limit_own_moves(solve: &mut SolveCommand) {
    let [file] = &solve.levels.files[..] else { return };
    // Levels for a store are streamed, and standard input is not kept.
    let is_free = solve.answer.limits.timeout.is_none() && solve.kept.store.is_none();
    if !is_free || solve.solution.explain_schedule || own_moves(file).is_none() {
        return;
    }
    solve.answer.limits.timeout = Some(SHORTER_TIME);
    if !solve.answer.output.quiet && !solve.answer.output.json {
        let time = SHORTER_TIME.as_secs();
        output::say(format!(
            "note: for {time} s a shorter way to the same end is looked for; `--timeout` allows more"
        ));
    }
}

/// What is said of a file that asks for nothing but where its own moves lead.
fn own_moves(file: &str) -> Option<Warning> {
    let source = Some(file).filter(|file| !Path::new(file).is_dir());
    let source = input::source(source?).ok()?;
    // Most texts have none in any family, which is seen sooner than whose they are.
    registry::families().iter().find_map(|family| (family.own_moves)(&source.text))?;
    (input::family_of(None, &source).ok()?.own_moves)(&source.text)
}

/// Whether a word is a file, a folder or the name of a level that comes along, and no command of
/// that name.
fn is_level(word: &OsString, is_command: fn(&str) -> bool) -> bool {
    let is_command = || word.to_str().is_some_and(is_command);
    let is_built_in = || word.to_str().is_some_and(|word| input::built_in(word).is_some());
    let is_level = word != "help" && (Path::new(word).exists() || is_built_in());
    word == "-" || is_level && !is_command()
}

/// The arguments as clap understands them. Where the file, or the answer of a solver, is all that
/// is missing, it is read from the pipe, if there is one; else there are levels that come along, to
/// play and to look at.
pub(super) fn matches(
    command: &mut Command,
    given: &[OsString],
) -> Result<ArgMatches, clap::Error> {
    command.try_get_matches_from_mut(given).or_else(|mut error| {
        if !lacks_input(&error) {
            return Err(error);
        }
        let all = BUILT_IN.iter().map(|level| level.name);
        let files: Vec<&str> = match given.get(1).and_then(|word| word.to_str()) {
            _ if input::is_piped() => vec!["-"],
            Some("play") => all.take(1).collect(),
            Some("list") => all.collect(),
            // It lacks an answer, not a level.
            Some("decode") => return Err(error),
            _ => {
                let tip = "levels come along: `unstuck list` names them".into();
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
                return Err(error);
            }
        };
        let completed = given.iter().cloned().chain(files.into_iter().map(OsString::from));
        command.try_get_matches_from_mut(completed).map_err(|_| error)
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

/// Sees to it that help shows the options of the family at hand, and no others; `--help all` shows
/// all. Gives the arguments without that `all`.
pub(crate) fn fit_help(command: Command, mut arguments: Vec<OsString>) -> (Command, Vec<OsString>) {
    let asks = |word: &OsString| word == "--help" || word == "-h";
    let Some(at) = arguments.iter().position(asks) else { return (command, arguments) };
    let all = arguments.get(at + 1).is_some_and(|word| word == "all");
    if all {
        arguments.remove(at + 1);
        // Short help hides more than families' options.
        arguments[at] = OsString::from("--help");
    }
    let family = if all { None } else { family(&arguments) };
    let is_shown = |name: &str| {
        all || family.is_some_and(|family| family.options.iter().any(|spec| spec.name == name))
    };
    let hint = !all && family.is_none();
    (command.mut_subcommands(|subcommand| fitted(subcommand, &is_shown, hint)), arguments)
}

/// A command whose help shows these options of families, or the `hint` where they are.
fn fitted(command: Command, is_shown: &impl Fn(&str) -> bool, hint: bool) -> Command {
    let of_family = |argument: &Arg| argument.get_help_heading() == Some(HEADING);
    if !command.get_arguments().any(of_family) {
        return command;
    }
    if hint {
        let hint = "Options of a puzzle family: `--help` with a level file or `--puzzle FAMILY`, or \
                    `--help all`.";
        let with = |help: Option<&StyledStr>| match help {
            Some(help) => format!("{hint}\n\n{help}"),
            None => hint.to_owned(),
        };
        let (short, long) = (with(command.get_after_help()), with(command.get_after_long_help()));
        return command.after_help(short).after_long_help(long);
    }
    command.mut_args(|argument| {
        match of_family(&argument) && is_shown(argument.get_id().as_str()) {
            true => argument.hide(false),
            false => argument,
        }
    })
}

/// The family that arguments speak of: by `--puzzle`, or by a file that is there.
fn family(arguments: &[OsString]) -> Option<&'static Family> {
    let words: Vec<_> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let named =
        words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("--puzzle") {
            Some("") => words.get(at + 1).copied(),
            Some(value) => value.strip_prefix('='),
            None => None,
        });
    if let Some(name) = named {
        return registry::by_name(name);
    }
    let mut files = words.iter().filter(|word| !word.starts_with('-') && Path::new(word).is_file());
    files.find_map(|file| input::family_of(None, &input::source(file).ok()?).ok())
}
