//! `unstuck play`: a puzzle in the terminal.
//!
//! | module | what it is the home of |
//! | --- | --- |
//! | `terminal` | from the level to the last key |
//! | `state` | the game or the drawing, with what was taken back |
//! | `hint_worker` | hints and diagnoses, by a thread of its own |
//! | `session` | keys, and what is shown |
//! | `view` | how it is shown |

#[cfg(feature = "play")]
mod hint_worker;
#[cfg(feature = "play")]
mod session;
#[cfg(feature = "play")]
mod state;
#[cfg(feature = "play")]
mod terminal;
#[cfg(feature = "play")]
mod view;

use super::{arguments, query};
use clap::{Arg, Command, value_parser};
use std::path::PathBuf;
#[cfg(feature = "play")]
pub(super) use terminal::run;

#[cfg(not(feature = "play"))]
pub(super) fn run(_: &clap::ArgMatches) -> super::CommandResult {
    Err(super::Failure::left_out("`play` is", "play"))
}

const EXAMPLES: &str = "\
Keys:
  arrows, w a s d  move; where paths are drawn, move the cursor
  u, Backspace     undo
  y                redo
  r                restart
  h, ?             a hint; again: which piece; again: the moves; again: all
  n                the next step of a solution from here
  c                what each move did, as colours: free, costly, fatal
  ], Page Down     the next level of a collection; [, Page Up: the one before
  Ctrl-S           save the game
  q, Esc, Ctrl-C   leave
  Space, Enter, x  the action key of a game that has one
  Space, Enter     put the pen down, lift it
  x, Tab           rub a path out; go to the next end
  1 to 9           the ways from the cursor, where arrows do not reach them

The game is saved in the file of `--game` when you leave, as plain moves:
`hint --after @FILE` and `diagnose --moves @FILE` read it, too.

Examples:
  unstuck play level.xsb
  unstuck play collection.sok --level 7-
  unstuck play collection.sok --level 7 --game seven.txt
  unstuck play board.flow --puzzle flow";

pub(super) fn command() -> Command {
    query::command("play", "Play a level in the terminal, with hints", EXAMPLES)
        .args(arguments::level(true))
        .args(arguments::limits())
        .arg(arguments::plain())
        .arg(arguments::reading_name())
        .arg(query::after())
        .arg(
            Arg::new("game")
                .long("game")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("after")
                .help("Resume the game in this file if it exists, and save the game there"),
        )
}
