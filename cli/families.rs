//! Options of the puzzle families as arguments: each family's own are shown where they matter.

use super::input;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use unstuck::registry::{self, FAMILIES};
use unstuck_puzzles::{OptionSpec, Values};

/// Heading under which help lists the options of the families.
const HEADING: &str = "Options of puzzle families";

/// One argument for each option of a family, hidden; families that share a name share the argument.
pub(super) fn options() -> Vec<Arg> {
    let mut options: BTreeMap<&str, (OptionSpec, Vec<&str>)> = BTreeMap::new();
    for family in FAMILIES {
        for &spec in family.options {
            options.entry(spec.name).or_insert((spec, Vec::new())).1.push(family.name);
        }
    }
    let argument = |(spec, families): (OptionSpec, Vec<&str>)| {
        let help = format!("{}: {}", families.join(", "), spec.help);
        option(spec, &help).help_heading(HEADING).hide(true)
    };
    options.into_values().map(argument).collect()
}

/// The argument of a declared option.
pub(super) fn option(spec: OptionSpec, help: &str) -> Arg {
    let default = match spec.values {
        Values::Flag => String::new(),
        _ if spec.default.is_empty() => String::new(),
        _ => format!(" [default: {}]", spec.default),
    };
    let argument = Arg::new(spec.name).long(spec.name).help(format!("{help}{default}"));
    match spec.values {
        Values::Flag => argument.action(ArgAction::SetTrue),
        Values::Choice(words) => {
            argument.value_name("WORD").value_parser(PossibleValuesParser::new(words))
        }
        Values::Number(..) => argument.value_name("N"),
        Values::Text(_) => argument.value_name("TEXT").allow_hyphen_values(true),
    }
}

/// Whose options help shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionScope {
    /// None: there is a hint instead.
    None,
    /// Those of one family.
    Of(&'static str),
    /// All: `--help all`.
    All,
}

/// Sees to it that help shows the options of the family at hand, and no others; `--help all` shows
/// all. Gives the arguments without that `all`.
pub(super) fn fit_help(command: Command, mut arguments: Vec<OsString>) -> (Command, Vec<OsString>) {
    let asks = |word: &OsString| word == "--help" || word == "-h";
    let Some(at) = arguments.iter().position(asks) else { return (command, arguments) };
    let all = arguments.get(at + 1).is_some_and(|word| word == "all");
    if all {
        arguments.remove(at + 1);
        // Short help hides more than families' options.
        arguments[at] = OsString::from("--help");
    }
    let shown = if all {
        OptionScope::All
    } else {
        family(&arguments).map_or(OptionScope::None, OptionScope::Of)
    };
    let names: Vec<String> =
        command.get_subcommands().map(|known| known.get_name().to_owned()).collect();
    let command = names.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |subcommand| fitted(subcommand, shown))
    });
    (command, arguments)
}

/// A command whose help shows the options of `shown`.
fn fitted(command: Command, shown: OptionScope) -> Command {
    let under = |argument: &Arg| argument.get_help_heading() == Some(HEADING);
    if !command.get_arguments().any(under) {
        return command;
    }
    let visible = |name: &str| match shown {
        OptionScope::None => false,
        OptionScope::All => true,
        OptionScope::Of(family) => registry::by_name(family)
            .is_some_and(|family| family.options.iter().any(|spec| spec.name == name)),
    };
    let names: Vec<String> = command
        .get_arguments()
        .filter(|argument| under(argument) && visible(argument.get_id().as_str()))
        .map(|argument| argument.get_id().to_string())
        .collect();
    let command = names
        .iter()
        .fold(command, |command, name| command.mut_arg(name, |argument| argument.hide(false)));
    if shown != OptionScope::None {
        return command;
    }
    let hint = "Options of a puzzle family: `--help` with a level file or `--puzzle FAMILY`, or \
                `--help all`.";
    let with = |help: Option<&clap::builder::StyledStr>| match help {
        Some(help) => format!("{hint}\n\n{help}"),
        None => hint.to_owned(),
    };
    let (short, long) = (with(command.get_after_help()), with(command.get_after_long_help()));
    command.after_help(short).after_long_help(long)
}

/// The family that arguments speak of: by `--puzzle`, or by a file that is there.
fn family(arguments: &[OsString]) -> Option<&'static str> {
    let words: Vec<_> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let named =
        words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("--puzzle") {
            Some("") => words.get(at + 1).copied(),
            Some(value) => value.strip_prefix('='),
            None => None,
        });
    if let Some(name) = named {
        return registry::by_name(name).map(|family| family.name);
    }
    let files = words.iter().filter(|word| !word.starts_with('-') && Path::new(word).is_file());
    let printed = |file: &&str| {
        let source = input::source(file).ok()?;
        input::family(None, &source).ok().map(|family| family.name)
    };
    files.filter_map(printed).next()
}
