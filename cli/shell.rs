//! `unstuck completions` and `unstuck man`.

use super::{CommandResult, Failure, output};
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use std::path::PathBuf;

pub(super) fn completions_command() -> Command {
    Command::new("completions")
        .about("Print completions for a shell")
        .after_help(
            "Examples:\n  unstuck completions bash > ~/.local/share/bash-completion/completions/unstuck\n  \
             unstuck completions fish > ~/.config/fish/completions/unstuck.fish",
        )
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("The shell"),
        )
}

pub(super) fn man_command() -> Command {
    Command::new("man")
        .about("Print the manual page, or write one for each command into a folder")
        .after_help("Examples:\n  unstuck man | man -l -\n  unstuck man -o ~/.local/share/man/man1")
        .arg(
            Arg::new("output")
                .long("output")
                .short('o')
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Folder for the pages of all commands"),
        )
}

pub(super) fn completions(matches: &ArgMatches) -> CommandResult {
    let shell = *matches.get_one::<Shell>("shell").expect("required");
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut super::command(), "unstuck", &mut text);
    output::print(&*String::from_utf8_lossy(&text));
    Ok(0)
}

pub(super) fn man(matches: &ArgMatches) -> CommandResult {
    if let Some(folder) = matches.get_one::<PathBuf>("output") {
        output::folder(folder)?;
        let written = clap_mangen::generate_to(super::command(), folder);
        written.map_err(|error| Failure::file(&folder.display().to_string(), &error))?;
        return Ok(0);
    }
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(super::command()).render(&mut text);
    rendered.map_err(|error| Failure::file("standard output", &error))?;
    output::print(&*String::from_utf8_lossy(&text));
    Ok(0)
}
