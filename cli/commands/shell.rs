//! `unstuck completions` and `unstuck man`.

use crate::driver::{self, Run, Watched};
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output;
use clap::Args;
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
    shell: Shell,
}

/// Print the manual page, or write one for each command into a folder
#[derive(Args)]
#[command(after_help = MAN)]
pub(crate) struct ManCommand {
    /// Folder for the pages of all commands
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Neither has an answer for programs, or a limit.
const WATCHED: Watched = Watched { json: false, limits: None };

impl Run for CompletionsCommand {
    fn watched(&self) -> Watched {
        WATCHED
    }

    fn run(&'static self) -> CommandResult {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut driver::command_line(), "unstuck", &mut text);
        output::print(&*String::from_utf8_lossy(&text));
        Ok(0)
    }
}

impl Run for ManCommand {
    fn watched(&self) -> Watched {
        WATCHED
    }

    fn run(&'static self) -> CommandResult {
        if let Some(folder) = &self.output {
            output::folder(folder)?;
            let written = clap_mangen::generate_to(driver::command_line(), folder);
            written.map_err(|error| Failure::file(&folder.display().to_string(), &error))?;
            return Ok(0);
        }
        let mut text = Vec::new();
        let rendered = clap_mangen::Man::new(driver::command_line()).render(&mut text);
        rendered.map_err(|error| Failure::file("standard output", &error))?;
        output::print(&*String::from_utf8_lossy(&text));
        Ok(0)
    }
}
