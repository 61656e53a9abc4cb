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

use crate::commands::query;
use crate::driver::{Run, Watched};
use crate::input::args::{AfterArgs, LevelsArgs, PlainArgs, ReadingNameArgs, long_help};
use crate::terminal::failure::CommandResult;
use crate::terminal::guard::LimitArgs;
use clap::Args;
use std::path::PathBuf;

/// The keys, as help has them and as `?` shows them.
macro_rules! keys {
    () => {
        "\
  arrows, w a s d  move; where paths are drawn, move the cursor
  u, Backspace     undo
  y                redo
  r                restart
  h                a hint; again: which piece; again: the moves; again: all
  n                the next step of a solution from here
  c                what each move did, as colours: free, costly, fatal
  ], Page Down     the next level of a collection; [, Page Up: the one before
  Ctrl-S           save the game
  ?                these keys
  q, Esc, Ctrl-C   leave
  Space, Enter, x  the action key of a game that has one
  Space, Enter     put the pen down, lift it
  x, Tab           rub a path out; go to the next end
  1 to 9           the ways from the cursor, where arrows do not reach them"
    };
}
#[cfg(feature = "play")]
const KEYS: &str = keys!();

const EXAMPLES: &str = concat!(
    "Keys:\n",
    keys!(),
    "

The game is saved in the file of `--game` when you leave, as plain moves:
`hint --moves @FILE` and `diagnose --moves @FILE` read it, too. Without FILE
there are levels that come along; `unstuck list` names them.

Examples:
  unstuck play
  unstuck play level.xsb
  unstuck play collection.sok --level 7-
  unstuck play collection.sok --level 7 --game seven.txt
  unstuck play board.flow --puzzle flow"
);

/// Play a level in the terminal, with hints
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(query::EXIT_CODES, EXAMPLES))]
pub(super) struct PlayCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    plain: PlainArgs,
    #[command(flatten)]
    reading: ReadingNameArgs,
    #[command(flatten)]
    after: AfterArgs,
    /// Resume the game in this file if it exists, and save the game there
    #[arg(long, value_name = "FILE", conflicts_with = "after")]
    game: Option<PathBuf>,
}

impl Run for PlayCommand {
    fn watched(&self) -> Watched {
        Watched { json: false, limits: Some(self.limits) }
    }

    #[cfg(feature = "play")]
    fn run(&'static self) -> CommandResult {
        terminal::run(self)
    }

    #[cfg(not(feature = "play"))]
    fn run(&'static self) -> CommandResult {
        Err(crate::terminal::failure::Failure::left_out("`play` is", "play"))
    }
}
