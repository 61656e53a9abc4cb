//! `unstuck completions` and `unstuck man`.

use crate::driver::{self, Run};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output;
use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

const COMPLETIONS: &str = "\
Examples:
  unstuck completions bash > ~/.local/share/bash-completion/completions/unstuck
  unstuck completions fish > ~/.config/fish/completions/unstuck.fish";

const MAN: &str = "\
Examples:
  unstuck man | man -l -
  unstuck man -o ~/.local/share/man/man1";

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct CompletionsCommand {
    /// The shell
    shell: Option<Shell>,
}

/// Print the manual page, or write one for each command into a folder
#[derive(Args)]
#[command(after_help = MAN)]
pub(crate) struct ManCommand {
    /// Folder for the pages of all commands
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Run for CompletionsCommand {
    fn run(&'static self) -> CommandResult {
        let Some(shell) = self.shell else {
            let shells = Shell::value_variants().iter().map(ToString::to_string);
            let shells = shells.collect::<Vec<_>>().join(", ");
            return Err(Failure::usage("which shell?").help(format!("one of {shells}")));
        };
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut driver::command_line(), "unstuck", &mut text);
        output::print(&*String::from_utf8_lossy(&text));
        Ok(0)
    }
}

impl Run for ManCommand {
    fn run(&'static self) -> CommandResult {
        let mut all = driver::command_line().disable_help_subcommand(true);
        all.build();
        let Some(folder) = &self.output else {
            output::print(page(&all));
            return Ok(0);
        };
        output::folder(folder)?;
        let commands = all.get_subcommands().filter(|command| !command.is_hide_set());
        for command in std::iter::once(&all).chain(commands) {
            let path = folder.join(format!("{}.1", name(command)));
            let text = page(command);
            output::write_file(&path, true, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(0)
    }
}

/// The name of a command's page.
fn name(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

/// The manual page of a command: what clap says of it, and the paragraphs behind its help under
/// their headings, line by line.
fn page(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let bare = command.clone().name(name(command)).override_usage(usage);
    // What short help leaves out has a sentence all the same.
    let bare = bare.after_help(None).after_long_help(None).mut_args(|argument| {
        match argument.get_long_help().or(argument.get_help()).cloned() {
            Some(help) => argument.long_help(help),
            None => argument,
        }
    });
    let mut text = Vec::new();
    clap_mangen::Man::new(bare).render(&mut text).expect("memory takes it");
    let mut text = String::from_utf8_lossy(&text).into_owned();
    let behind = command.get_after_long_help().or_else(|| command.get_after_help());
    let behind = behind.map(ToString::to_string).unwrap_or_default();
    let mut heading = "";
    for paragraph in behind.split("\n\n").filter(|it| !it.trim().is_empty()) {
        let first = paragraph.lines().next().unwrap_or_default();
        let named = first.split_once(':').filter(|(name, _)| name.len() < 12).map(|(name, _)| name);
        let (next, body) = match named {
            Some(name) if first.ends_with(':') => (name, &paragraph[first.len()..]),
            Some(name) => (name, &paragraph[name.len() + 1..]),
            None if heading.is_empty() => ("Notes", paragraph),
            None => (heading, paragraph),
        };
        if next != heading {
            text.push_str(&format!(".SH \"{}\"\n", next.to_uppercase()));
            heading = next;
        }
        text.push_str(&format!(".PP\n.nf\n{}\n.fi\n", escaped(body.trim_matches('\n'))));
    }
    text
}

/// Lines as they are to be printed.
fn escaped(text: &str) -> String {
    let lines = text.lines().map(|line| line.replace('\\', "\\e").replace('-', "\\-"));
    let lines =
        lines.map(|line| if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line });
    lines.collect::<Vec<_>>().join("\n")
}
