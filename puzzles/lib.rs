//! Rules, formats and replay of the puzzles that unstuck solves.
//!
//! This crate knows nothing of SAT, graphs, horizons or the command line. It is the judge: an
//! answer counts only when [`Puzzle::check`] accepts it, and nothing here shares code with the
//! encodings that produce answers.
//!
//! Each family lives in a folder of its own and implements [`Puzzle`]; families in which a player
//! moves step by step implement [`Moves`] too, and get replay, exhaustive search and closed-set
//! certificates from it.

/// The front page, whose code is run as a test.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

pub mod any_puzzle;
pub mod built_in;
mod canonical;
pub mod catalogue;
pub mod constrained;
pub mod constraints;
pub mod error;
pub mod extras;
pub mod flow;
pub mod game_extras;
pub mod grid;
pub mod level;
pub mod moves;
pub mod objective;
pub mod options;
pub mod part;
pub mod patterns;
pub mod picture;
pub mod pieces;
pub mod planning;
pub mod play;
pub mod pointing;
pub mod printable;
pub mod puzzle;
pub mod puzzlescript;
mod resemblance;
pub mod scene;
pub mod session;
pub mod sketch;
pub mod snowman;
pub mod sokoban;
pub mod sokobond;
pub mod svg;
pub mod text_format;
pub mod validation;
pub mod variation;
mod walking;
pub mod warehouse;

pub use any_puzzle::{AnyPuzzle, Judgement};
pub use canonical::canonical;
pub use error::{Lines, ParseError, Violation};
pub use extras::{Extras, PuzzleExt};
pub use game_extras::GameExtras;
pub use grid::{Cell, Direction, Grid};
pub use level::{Level, Notes, Warning};
pub use moves::{MoveError, Moves, Successor};
pub use objective::{Measure, Measures, Objective, Tally};
pub use options::{OptionSpec, OptionValue, Options, Term, Values};
pub use part::Part;
pub use picture::{Frame, FrameOptions, Picture, Style};
pub use play::Play;
pub use printable::is_printable;
pub use puzzle::{Facts, Puzzle, Reading, RecordSupport, Recording};
